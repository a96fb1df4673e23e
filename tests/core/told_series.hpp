#pragma once

#include <cstdio>
#include <string>

#include "core/model/run.hpp"

namespace crema::test {

/// All that a run holds of series, to the last bit, and what was doubted.
inline std::string told(const Run& run) {
  std::string text;
  const auto bits = [&](double value) {
    char hexadecimal[40];
    std::snprintf(hexadecimal, sizeof hexadecimal, "%a ", value);
    text += is_absent(value) ? "absent " : hexadecimal;
  };
  for (const std::int64_t tick : run.tick_naive) text += std::to_string(tick) + " ";
  for (const double count : run.worker_counts) bits(count);
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    text += "\n" + std::string(run.text(run.workers.address[w]));
    for (std::size_t s = 0; s < series_count; ++s) {
      const TickSeries& series = run.workers.of(static_cast<Series>(s), w);
      if (series.empty()) continue;
      text += "\n" + std::to_string(s) + " from " + std::to_string(series.first_tick) + ": ";
      for (const double value : series.values) bits(value);
    }
  }
  for (const DataNote& note : run.data_notes)
    text += "\n" + note.id + " " + note.path + " " + std::to_string(note.offset) + " " +
            std::to_string(note.count);
  return text;
}

}  // namespace crema::test
