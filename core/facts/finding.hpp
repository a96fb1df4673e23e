#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/facts/budget.hpp"
#include "core/facts/cores.hpp"
#include "core/facts/lost_work.hpp"
#include "core/facts/phases.hpp"
#include "core/facts/tail.hpp"

namespace crema::facts {

/// Something about a run that is worth acting on: a claim, its evidence with numbers, and what is
/// at stake.
struct Finding {
  std::string id;
  Severity severity = Severity::low;
  std::string title;     ///< the claim, a short sentence
  std::string evidence;  ///< sentences with the numbers; a cause only as "consistent with"
  double gain_core_seconds =
      absent;           ///< [core-s] at stake; absent when it is no amount of core-time
  std::string view;     ///< the view that shows it, by its name on screen
  Selection selection;  ///< what to select there
};

/// What rules look at, computed once.
struct Facts {
  const Run& run;
  Budget budget;
  double available = absent;  ///< [core-s]
  double elapsed = absent;    ///< [s]
  double cores = absent;      ///< time average
  StringId processor = no_string;
  double processor_seconds = absent;  ///< Σ execute seconds of the processor
  double inside = absent;             ///< [core-s] in process()
  LostWork lost;
  std::vector<Phase> phases;
  Tail tail;
  bool filled = false;  ///< chunks ran on 90 % of the cores at some time

  Facts(const Run& of, const Options& options);
  /// a / available; absent without a whole.
  double share(double core_seconds) const { return ratio(core_seconds, available); }
};

/// A rule: nothing, or one or more findings.
using Rule = std::vector<Finding> (*)(const Facts& facts);

/// All rules, by what they look at; the order decides between findings of equal stake.
const std::vector<Rule>& core_time_rules();
const std::vector<Rule>& worker_rules();
const std::vector<Rule>& chunk_rules();
const std::vector<Rule>& data_rules();

/// Below this many chunks statistics of chunks say nothing, and the rules that need them are
/// silent.
inline constexpr std::size_t enough_chunks = 30;

/// The findings of a run, most core-seconds at stake first, then by severity. They are of the whole
/// run: kept by it.
const std::vector<Finding>& find_findings(const Run& run, const Options& options);

}  // namespace crema::facts
