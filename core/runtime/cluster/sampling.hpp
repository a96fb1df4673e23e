#pragma once

#include <span>

#include "core/model/run.hpp"

namespace crema::runtime {

/// [s] The usual distance of two ticks: the median (of an even number the upper one); absent with
/// fewer than two ticks.
double sampling_interval(const Run& run);

/// Mean over [begin, end] of values that each hold until the next tick, the last one to the end of
/// the run. `values[i]` is of tick `first + i`. Where ticks stopped for longer than three usual
/// intervals a value holds for one of them only. What is absent or not held has no weight; absent
/// when nothing has.
double time_mean(const Run& run, std::size_t first, std::span<const double> values, double begin,
                 double end);

}  // namespace crema::runtime
