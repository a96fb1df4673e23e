#include "core/read/series_node.hpp"

#include <utility>

namespace crema::read {

void SeriesNode::take(SeriesSlice&& slice) {
  flush();
  reading_.ticks.rewind();
  std::vector<std::uint32_t> ticks;
  bool in_order = true;
  for (const std::string& time : slice.times) {
    ticks.push_back(reading_.ticks.find(time));
    in_order = in_order && ticks.back() == ticks.front() + ticks.size() - 1;
  }
  Run& run = reading_.run;
  for (std::size_t i = 0; i < slice.addresses.size(); ++i) {
    TickSeries& read = slice.series[i];
    for (double& value : read.values) value *= scale_;
    const std::size_t worker = run.workers.intern(run.names->strings.intern(slice.addresses[i]));
    if (read.empty()) continue;
    TickSeries& series = run.workers.of(which_, worker);
    if (in_order && series.empty()) {
      series = std::move(read);
      series.first_tick += ticks.front();
      continue;
    }
    for (std::size_t tick = 0; tick < read.values.size(); ++tick) {
      if (!is_absent(read.values[tick]))
        reading_.builder.set(ticks[read.first_tick + tick], read.values[tick]);
    }
    reading_.builder.flush(series);
  }
}

}  // namespace crema::read
