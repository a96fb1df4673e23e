#pragma once

#include <string>

#include "core/base/text.hpp"
#include "core/model/options.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/table.hpp"

namespace crema::query {

inline constexpr Option unit_option{.name = "unit",
                                    .about = "which unit, as Dask names it; units are never mixed",
                                    .fallback = "seconds"};
inline constexpr Option without_option{.name = "without",
                                       .about = "activities to leave out, separated by commas"};

/// What the two options and the selected task prefixes leave; `without` is kept by the caller.
inline runtime::ActivityChoice activity_choice(const Options& options, const Selection& selection,
                                               const std::string& without) {
  return {options.text(unit_option), split(without, ","), selection};
}

/// Where the activities come from, or why there are none.
inline void note_activity_source(Table& table, const Run& run) {
  if (!run.activities_recorded) table.note("missing", runtime::missing::fine_metrics);
  else table.note("source", run.activities.source);
}

}  // namespace crema::query
