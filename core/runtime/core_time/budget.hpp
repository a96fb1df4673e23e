#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::runtime {

/// A part of the core-time.
struct BudgetPart {
  enum class Kind : std::uint8_t {
    available,
    inside_process,
    outside_process,
    lost_work,
    processor_tasks,  ///< inside and outside together, where they cannot be told apart
    task,             ///< of one task prefix that is not the processor's
    idle,
    not_in_process,  ///< what is left where only process() is known
    activity,        ///< of Dask's, over all task prefixes
    no_activity,     ///< idle: what the activities leave of the available core-time
    section,         ///< of process()
    no_section,      ///< what the sections leave of process()
  };
  Kind kind;
  std::string label;  ///< for people: "Inside process()"; of task, activity and section the name
  double core_seconds = absent;
  std::string source;    ///< where the number comes from, a sentence
  double shortfall = 0;  ///< [core-s] by which the number came out below 0, where it is shown as 0

  /// "inside_process", "task:PREFIX", "activity:NAME", "section:NAME", ...; parts without a name of
  /// their own have no colon, so none is taken for what they are called: "task", "activity_idle",
  /// "unaccounted"
  std::string id() const;
  /// "whole", "phase", "activity" or "section": parts of one split sum to their parent.
  std::string_view split() const;
  /// The id of the part it belongs to; "" for the whole.
  std::string_view parent() const;
};

/// The core-time budget of a run under a selection, and what it rests on.
struct Budget {
  std::vector<BudgetPart> parts;  ///< the whole first
  double available = absent;      ///< [core-s]
  double executing = absent;      ///< [core-s] Σ execute seconds of all task prefixes
  bool estimated = false;         ///< `available` is an estimate
  std::string processor_basis;
  bool processor_guessed = false;
  std::string selection_note;  ///< what a selection could not narrow

  /// Core-seconds of the part of that kind (and label, where several are); absent when it is not
  /// there.
  double of(BudgetPart::Kind kind, std::string_view label = {}) const;
};

Budget compute_budget(const Run& run, const Selection& selection, const Options& options);

}  // namespace crema::runtime
