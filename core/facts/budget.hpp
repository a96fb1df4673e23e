#pragma once

#include <string>
#include <vector>

#include "core/questions/question.hpp"

namespace crema::facts {

/// A part of the core-time (domain.md 4).
struct BudgetPart {
  std::string
      id;  ///< "inside_process", "outside_process", "lost_work", "task:PREFIX", "idle", "not_in_process", "tasks", "activity:NAME", "section:NAME"
  std::string label;   ///< for people: "Inside process()"
  std::string split;   ///< "whole", "phase", "activity" or "section": rows of one split sum to their parent
  std::string parent;  ///< id of the part it belongs to; "" for the whole
  double core_seconds = absent;
  std::string source;    ///< where the number comes from, a sentence
  double shortfall = 0;  ///< [core-s] by which the number came out below 0, where it is shown as 0
};

/// The core-time budget of a run under a selection, and what it rests on.
struct Budget {
  std::vector<BudgetPart> parts;  ///< the whole first
  double available = absent;      ///< [core-s]
  double executing = absent;      ///< [core-s] Σ execute seconds of all task prefixes
  bool estimated = false;         ///< `available` is an estimate
  std::string processor_basis;
  std::string selection_note;  ///< what a selection could not narrow

  /// Core-seconds of a part; absent when it is not there.
  double of(std::string_view id) const;
};

Budget compute_budget(const Run& run, const Selection& selection, const Options& options);

/// Question `budget`: a part of the core-time.
Table budget(std::span<const Run* const> runs, const Selection& selection, const Options& options);

}  // namespace crema::facts
