#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/read/readers.hpp"
#include "core/read/series_slice.hpp"
#include "tests/core/told_series.hpp"

namespace crema::test {

/// The slices of `most` bytes in a region of `text`.
inline std::vector<read::SeriesSlice> slices_of(std::string_view text, std::size_t from,
                                                std::size_t to, std::size_t most = 1U << 20U,
                                                std::size_t piece = 1U << 20U) {
  read::SeriesSliceReader reader(from, to, most);
  std::vector<read::SeriesSlice> slices;
  bool more = true;
  for (std::size_t at = from; more && at < text.size(); at += piece) {
    more = reader.push(text.substr(at, piece));
    for (read::SeriesSlice& slice : reader.take()) slices.push_back(std::move(slice));
  }
  return slices;
}

struct Sliced {
  std::string told;
  std::size_t offered = 0;  // slices that a reader found
  std::size_t taken = 0;
};

/// Reads `text` with slices of `most` bytes of each region of `size` bytes, behind the first.
inline Sliced read_sliced(std::string_view text, std::size_t size, std::size_t most = 1U << 20U,
                          std::size_t piece = 1U << 20U) {
  Run run(std::make_shared<Names>());
  const std::unique_ptr<read::Reader> reader = read::metrics_format.open(run, "metrics.json");
  Sliced result;
  std::size_t at = 0;
  const auto push_up_to = [&](std::size_t end) {
    for (; at < end; at += std::min(piece, end - at))
      reader->push(text.substr(at, std::min(piece, end - at)));
  };
  for (std::size_t from = size; from < text.size(); from += size) {
    for (read::SeriesSlice& slice : slices_of(text, from, from + size, most, piece)) {
      if (slice.begin < at) continue;
      ++result.offered;
      push_up_to(slice.begin);
      const std::size_t end = slice.end;
      if (!read::take_slice(*reader, std::move(slice))) continue;
      ++result.taken;
      at = end;
    }
  }
  push_up_to(text.size());
  reader->finish();
  result.told = told(run);
  return result;
}

}  // namespace crema::test
