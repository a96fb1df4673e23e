#pragma once

#include <cstdint>
#include <string>

#include "cli/bundle.hpp"

namespace crema::cli {

/// [byte] Of files smaller than this no slices are read: threads are not worth their beginning.
inline constexpr std::uint64_t least_sliced = std::uint64_t{64} << 20U;

/// [byte] Long enough that what a slice costs by itself (the run's ticks anew, the bytes before its
/// first member) is little of it, and short enough that nobody waits long for one.
inline constexpr std::uint64_t region_size = std::uint64_t{8} << 20U;

/// As many as this machine has cores, within reason.
unsigned threads_for_slices();

/// Hands `taker` the rest of a plain `file` of `size` [byte], of which it has had the bytes up to
/// `at`. All `threads` but this one read slices of regions of the file, the farthest of the next
/// ones first; this one hands them over in place of their bytes, and pushes all that is no slice,
/// is not taken, or was not begun when it got there. Ends where no more is wanted. What comes of it
/// is what comes of pushing all bytes in turn. Returns why it could not be read to its end, ""
/// where it could.
std::string push_in_slices(FileTaker& taker, const std::string& file, std::uint64_t at,
                           std::uint64_t size, std::uint64_t region = region_size,
                           unsigned threads = threads_for_slices());

}  // namespace crema::cli
