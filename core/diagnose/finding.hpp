#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/predict/script.hpp"
#include "core/predict/tail.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::diagnose {

using namespace runtime;
using namespace predict;

/// After whatever costs time and after notes: the analysis's own code is what a run is for.
inline constexpr double stake_of_code = -2;

/// Something about a run that is worth acting on: a claim, its evidence with numbers, and what is
/// at stake.
struct Finding {
  std::string id;
  Severity severity = Severity::low;
  std::string title;     ///< the claim, a short sentence
  std::string evidence;  ///< sentences with the numbers; a cause only as "consistent with"
  /// [core-s] at stake: what can be won at most, by the replay of the run without the cause; absent
  /// when it is no amount of core-time, or nobody can win it as a whole.
  double gain_core_seconds = absent;
  std::string view;     ///< the view that shows it, by its name on screen
  Selection selection;  ///< what to select there
  /// [core-s] it is about; what it gains where not set.
  double core_seconds = absent;
  /// [core-s] by which findings are ordered: what it gains, where not set. Of a cause that no
  /// replay can take away it is what it costs; of a mere share nothing; `stake_of_code` of what is
  /// no cause at all.
  double stake = absent;
  /// The result is not what was asked for: comes before whatever costs time.
  bool is_failure = false;

  /// About what it claims to gain, of which `possible` [core-s] can be won; absent: none of it is
  /// claimed.
  Finding at_most(double possible) &&;
  /// About that core-time, which is a share and not to be won.
  Finding as_share() && { return std::move(*this).at_most(absent); }
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
  bool filled = false;     ///< chunks ran on 90 % of the cores at some time
  bool whole_list = true;  ///< no chunks are missing that ran: sums over chunks can be trusted
  const Script* script = nullptr;  ///< the run as it is replayed; none where it cannot be
  double replayed = absent;        ///< [s] its length by replay

  Facts(const Run& of, const Options& options);
  /// a / available; absent without a whole.
  double share(double core_seconds) const { return ratio(core_seconds, available); }

  // What can be won [core-s], by replay: never less than nothing nor more than there was. Absent
  // without a replay.

  /// Had what took until `before` [s] been done at `after`.
  double won(double before, double after) const;
  /// Were each chunk's task shorter by `saved` [s], by chunk; absent ones by nothing.
  double won_by_saving(const std::vector<double>& saved) const;
  /// Were the tasks shorter by `core_seconds` in all, each by as much.
  double won_by_saving(double core_seconds) const;
  /// Had all cores been there from the beginning, and chunks to run.
  double won_by_starting_at_once() const;
  /// Had nothing been done twice.
  double won_by_losing_nothing() const;
  /// Had no core been idle while tasks were there: so runs the replay.
  double won_without_gaps() const { return won(elapsed, replayed); }
};

/// [core-s] that opening files took beyond what is usual: pre-processing, and the time outside
/// process(). Nothing where neither is known.
double opening_seconds(const Facts& facts);

/// A rule: nothing, or one or more findings.
using Rule = std::vector<Finding> (*)(const Facts& facts);

// Rules by what they look at.
const std::vector<Rule>& core_time_rules();
const std::vector<Rule>& waiting_rules();
const std::vector<Rule>& place_rules();
const std::vector<Rule>& worker_rules();
const std::vector<Rule>& chunk_rules();
const std::vector<Rule>& data_rules();
const std::vector<Rule>& failure_rules();
const std::vector<Rule>& function_rules();

/// All of them; the order decides between findings of equal stake.
std::vector<Rule> all_rules();

/// Below this many chunks statistics of chunks say nothing, and the rules that need them are
/// silent.
inline constexpr std::size_t enough_chunks = 30;

/// The findings of a run, most core-seconds at stake first, then shares by their size and severity.
/// They are of the whole run: kept by it.
const std::vector<Finding>& find_findings(const Run& run, const Options& options);

}  // namespace crema::diagnose
