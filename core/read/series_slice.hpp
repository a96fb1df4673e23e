#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/workers.hpp"

namespace crema::read {

/// Members `"tcp://…": [["2025-…", v], …]` of one series of tracking data, read apart from what
/// stands before them in their file. Which series it is, nobody knows yet.
struct SeriesSlice {
  std::uint64_t begin = 0;  ///< [byte] in the file: of the first member's first quote
  std::uint64_t end = 0;  ///< [byte] of the next member's quote, or of the '}' behind the last one
  bool is_last = false;   ///< that '}' follows
  std::string last;       ///< the address of the last member
  std::vector<std::string> times;      ///< as written, in order of first sight
  std::vector<std::string> addresses;  ///< likewise
  std::vector<TickSeries> series;  ///< of each address; ticks count in `times`; values as written
};

/// Reads slices of a region of a file without what stands before it: beside another that reads from
/// the beginning, by a thread of its own.
///
/// It takes a guess: behind `]]` and a comma, a quote begins a member of a series. What is read
/// from there on is right exactly where such a member may begin in that place of the document,
/// which only who has read all before it knows: see `take_slice`. Where the bytes are
/// anything but members of a series without a fault, there is no slice.
class SeriesSliceReader {
 public:
  /// Its slices begin at members that begin at `from` [byte] or behind, and before `to`; the last
  /// one ends before the first member that begins at `to` or behind, so that slices meet where
  /// regions do. None is longer than `most` [byte] and a member.
  SeriesSliceReader(std::uint64_t from, std::uint64_t to,
                    std::uint64_t most = std::uint64_t{16} << 20U);
  ~SeriesSliceReader();

  /// The next bytes of the file, the first of them at `from`; false where no more are wanted.
  bool push(std::span<const char> bytes);
  /// The slices that were read since, in order; those that the file's end cuts off never come.
  std::vector<SeriesSlice> take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Reader;

/// Takes in place of its bytes a slice that begins behind what was pushed to `metrics`, a reader of
/// metrics_format; the next bytes are those at its end. False, and nothing is changed, where its
/// first member cannot be one of a series. (It is no member of Reader: the page, which reads with
/// one worker, would load it.)
bool take_slice(Reader& metrics, SeriesSlice&& slice);

}  // namespace crema::read
