#pragma once

// Sentences about a whole answer that depend on its numbers; those that do not are in notes.hpp.

#include "core/diagnose/diagnose.hpp"
#include "core/predict/chunk_size.hpp"
#include "core/predict/memory.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/progress.hpp"
#include "core/predict/scaling.hpp"
#include "core/profile/profile.hpp"
#include "core/report/notes.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::report {

using namespace runtime;

/// What a reader is to know first, and what it cannot tell.
struct VerdictText {
  std::string verdict, limits;
};

/// Whether tasks measured their activities themselves: no heartbeat brought them, and what a
/// cluster spills and sends beside tasks is not among them.
bool activities_are_of_rows(const Run& run);

/// Files, of which it is known what the branches that were used hold.
struct InputSums {
  std::string name;
  double files = 0, chunks = 0;
  double tree = absent, used = absent, read = absent;  ///< [byte]

  double times_read() const { return ratio(read, used); }
  double used_share() const { return ratio(used, tree); }
};

/// How much of the input was there, used and read.
struct InputUse {
  InputSums all{.name = "all files"};
  InputSums of_one_chunk, of_several;
  double unknown = 0;                                        ///< files that do not tell
  double fewest = absent, most = absent, branches = absent;  ///< used in a file; in a tree
};
VerdictText input_text(const InputUse& input);
/// What the threads waited for, by the findings; they were off a CPU for `waited` of their time.
std::string waiting_text(const std::vector<diagnose::Finding>& findings, double waited);

/// What stands out among the workers of a run.
struct WorkersSeen {
  double workers = 0, slow = 0;
  double compared = 0;              ///< with enough chunks to be held against the others
  bool is_known = false;            ///< enough of these to say which were slow
  double least = absent;            ///< of the slow workers, else of all: how many times as long
  double most = absent;             ///< as the others they took
  double left = 0;                  ///< before the end
  double executions = 0, lost = 0;  ///< of the processor; 0 where no task stream was recorded
  double memory_share = absent;     ///< the peak, of the limit
};
VerdictText workers_text(const WorkersSeen& seen);

/// Why a worker counts as slow, or does not: where no finding names it, from so many times as long
/// as the others took; infinite where too few can be compared.
std::string slow_worker_text(const WorkerWork& work, bool is_named, double slow_from);

/// What a part of the budget is called: tasks by their prefix, and what coffea's are for.
std::string label_text(const runtime::BudgetPart& part);
/// Of Dask's fine metrics: shares of the core-time, or of the tasks' time where the cores are not
/// known; what the processor's tasks and all others took, and how not to read the numbers.
VerdictText fine_text(const Run& run, const runtime::Budget& budget);

/// How far self times of the profile are certain: of these shares of its samples.
std::string leaves_text(const profile::Profile& profile, profile::LeafChoice choice, double certain,
                        double estimated);

/// How the seconds of a sample are known.
std::string sample_time_text(const profile::SampleTime& time);

/// What could not be done to a call tree.
std::string limit_text(const profile::TreeLimit& limit);

/// How the end of a phase was found.
std::string_view phase_text(runtime::Phase::End end);

/// What is not known of the time of chunks of another size.
std::string fixed_cost_text(const predict::ChunkSizeModel& model);

struct FindingText {
  std::string title;     ///< the claim, a short sentence without its stop
  std::string evidence;  ///< sentences with the numbers; a cause only as "possible cause"
};
FindingText text_of(const diagnose::Finding& finding);

/// By the words of the list of causes: for evidence that is measurements alone.
FindingText text_of(const diagnose::Finding& finding, const diagnose::CauseFields& cause);

std::string_view name_of(diagnose::Grounds grounds);  ///< "consistent with"
/// The rivals of a cause, each with what tells them apart: "slow-moment: chunks of other files …".
std::string rivals_text(diagnose::FindingCause cause);
std::string_view name_of(diagnose::LookedAt::State state);  ///< "ruled out"
/// What something beside a finding took, "0.021 core-s", or what would tell it apart.
std::string looked_at_text(const diagnose::Finding& finding, const diagnose::LookedAt& one);
std::string_view name_of(diagnose::Recording recording);  ///< "the task stream"

/// What can cost time and would leave no trace in this recording; "" where all is recorded.
std::string unseen_text(const Run& run);

// The sentences of evidence whose words fill a file of their own; those of the rest stand in
// findings_text.cpp.

FindingText text_of(const diagnose::Finding& f, const diagnose::Lock& e);
FindingText text_of(const diagnose::Finding& f, const diagnose::CpuContention& e);
FindingText text_of(const diagnose::Finding&, const diagnose::ForeignLoad& e);
FindingText text_of(const diagnose::Finding&, const diagnose::Bandwidth& e);
FindingText text_of(const diagnose::Finding&, const diagnose::WaitingTasks& e);
FindingText text_of(const diagnose::Finding&, const diagnose::SlowGroup& e);
/// "wz.py:209, in conn.recv (token = conn.recv(64))"; "" of none.
std::string line_text(const runtime::CodeLine& line);
/// " Each chunk of mc enters section fit 3 times, of other datasets once."; "" where none enters it
/// more than once.
std::string entries_text(const std::string& section, const diagnose::SectionEntries& entries);

/// All of them, without their shares; "" of none.
std::string lines_text(const runtime::CodeLines& lines);
/// What is known of a call that the line makes, a sentence after a space; "" of most lines.
std::string line_hint(std::string_view line);
/// " in section trigger and in token, which was off the CPU for 98 % of its time"; "" of nothing.
std::string slow_place_text(const std::string& section, const runtime::SlowestFunction& function);

/// In the unit of the larger amount that it stands beside.
inline std::string amount_beside(double core_seconds, double whole) {
  const bool in_hours = whole >= 1e4 && !is_absent(core_seconds);
  return in_hours ? format_number(core_seconds / 3600) + " core-h"
                  : format_core_seconds(core_seconds);
}

/// "3 s to 7 s".
inline std::string range_text(double begin, double end) {
  return format_seconds(begin) + " to " + format_seconds(end);
}

/// Of the whole run's tree by functions: the first finding as a sentence, where there is none the
/// largest part of the core-time; "" where nothing is known. And where the rest went.
VerdictText core_time_verdict(const Run& run, const Options& options, const CoreTimeTree& tree);

/// The feature's value that is over-represented: a name, or "1 to 2 s"; "" where none is.
std::string value_text(const diagnose::FeatureAssociation& association);

/// What a reader is to know first: the most telling association of those, by rank.
std::string verdict_text(const std::vector<diagnose::FeatureAssociation>& associations,
                         double selected, double others);

std::string_view name_of(diagnose::Certainty certainty);  ///< "likely"
std::string assumption_of(const diagnose::Advice& advice);

/// All advice as one block of Python, each line under what is expected of it and why; "" for none.
std::string code_block(const Run& run, const Options& options,
                       const std::vector<diagnose::Advice>& advice);

/// A line about a recording that goes on.
struct NowLine {
  std::string_view part;  ///< the heading that it stands under
  std::string_view
      kind;          ///< "failure", "repeated", "silent", "idle", "slow-file", "rest", "restart"
  std::string name;  ///< the exception, the worker, the finding's id, the setting
  std::string text;
  double low = absent, high = absent;  ///< of rest [core-s], of restart [s]
};
std::vector<NowLine> now_lines(const Run& run, const diagnose::Now& now);

/// What became of a worker: "was killed near its memory limit".
std::string worker_end_text(WorkerEnd end, std::string_view reason);

/// "Worker 0 was killed near its memory limit, at 4.1 s; worker 1 ...": the first five.
std::string gone_text(const Run& run, std::span<const runtime::GoneWorker> gone);

/// One way of failing as a sentence without its stop: how often, how, where, and what became of
/// it.
std::string failure_text(const runtime::Failed& failed);

/// What to do about it, as a sentence; "" where nothing is known to help.
std::string failure_advice(const runtime::Failed& failed);

/// All ways in one sentence, the costliest first. There is at least one.
std::string failures_headline(std::span<const runtime::Failed> failures);

/// "another processor: Zprime, not Diphoton"; "" of the same work.
std::string difference_text(const predict::WorkDifference& difference);

/// Why nothing is predicted from a replay that is so far off.
std::string withheld_text(double replay_error);

/// "fewer threads on the same hosts and storage"
std::string assumed_text(const predict::PredictionBasis& basis);
/// "2 cores: 1.9 tasks computed at once on average, ..."
std::string seen_text(const predict::PredictionBasis& basis);
/// "how long tasks take with 4 cores: whether ..."
std::string unseen_text(const predict::PredictionBasis& basis);

/// What a saving is from, or why there is none.
std::string saving_text(const predict::Saving& saving);

/// Why there is no efficiency, or what of it is not known.
std::string missing_text(const predict::Efficiency& efficiency);
/// "share of task time on a CPU fell from 92 % to 43 %"; "" where nothing fell.
std::string fell_text(const predict::EfficiencyLoss& loss);
/// "share of task time on a CPU: 43 %"
std::string costs_text(const predict::EfficiencyLoss& loss);

/// Whether more cores help, with numbers, and what limits the claim; "" with one size only.
VerdictText scaling_text(const predict::ScalingStudy& study,
                         const predict::ScalingVerdict& verdict);

/// How much is done and how long the rest will take: "45.8 % of 122 chunks done; 28 to 41 s left".
std::string progress_headline(const predict::Progress& progress);

/// How many chunks of these sizes pass a limit, and what suffices.
std::string memory_headline(const predict::ChunkMemory& chunks, double limit,
                            const predict::ChunkSizes& sizes);

}  // namespace crema::report
