#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/run.hpp"

namespace crema {

/// Microseconds since 1970 of an ISO 8601 date and time taken as if it were UTC
/// ("2025-12-16T14:02:11[.123456]", a blank for the T and a zone suffix allowed, the suffix
/// ignored); nothing when it is not one.
std::optional<std::int64_t> parse_naive_time(std::string_view text);

/// Puts ticks and chunks on the run axis: seconds since the first tick, or since the first chunk
/// where there are no ticks. The scheduler's zone offset comes from `last_seen` (naive tick against
/// epoch heartbeat: the nearest multiple of 15 min; a change that lasts is a clock change), else
/// from the best overlap of chunks and ticks (docs/meanings.md, Clocks). Impossible chunk times
/// (epoch 0, more than a day off) become absent, with a data note. Call once per run, after joining
/// its files.
void settle_clock(Run& run);

}  // namespace crema
