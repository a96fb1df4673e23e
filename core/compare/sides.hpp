#pragma once

#include "core/compare/comparison.hpp"
#include "core/compare/speed/speed_cells.hpp"
#include "core/runtime/core_time.hpp"
#include "core/stats/p_value.hpp"

namespace crema::compare {

using namespace runtime;

/// What the assumptions weigh against replicates, as degrees of freedom (moderated t: G. K. Smyth,
/// Stat. Appl. Genet. Mol. Biol. 3, 2004).
inline constexpr double assumed_dof = 4;

/// Whether replicates tell how far runs of this work spread, so that nothing is assumed: at least
/// three a side that were recorded in turns. Where one side was recorded before the other, what the
/// machine changed meanwhile is in their difference, and not in their spread.
bool tell_spread(std::span<const Run* const> runs, std::size_t runs_of_a);

/// Standard error of mean(b) − mean(a) where one value a run spreads by `assumed` [standard
/// deviation] as long as it was not measured, which is known from `dof`; the result's `dof` is what
/// it is known from.
struct BetweenRuns {
  double error = absent;
  double dof = std::numeric_limits<double>::infinity();
};
BetweenRuns between_runs(std::span<const double> a, std::span<const double> b, double assumed,
                         double dof = assumed_dof);

/// Of several runs a side: each one's speed against the first of A (`others`: the rest of A, then
/// B). The spread of the replicates enters each part's error.
SpeedRatio combine(const std::vector<SpeedRatio>& others, std::size_t runs_of_a);

/// How the elapsed time of A becomes that of B, by replays of A's tasks on A's cores: first with
/// B's times in process(), then with one thing more of B at a time.
struct ElapsedChange {
  struct Step {
    enum class Kind : std::uint8_t {
      process,
      outside_process,  ///< tasks of the processor
      other_tasks,
      gaps,
      start_up,
      workers,
      lost_work,
      after_last_chunk,
      not_replayed,
    };
    Kind kind;
    double seconds;  ///< [s] longer by it
  };
  std::vector<Step> steps;       ///< process() first; the sum is the change of the elapsed time
  double with_process = absent;  ///< [s] A's elapsed time with B's times in process()
  double with_pace = absent;     ///< [s] likewise, what is beside process() at B's speed, too

  bool known() const { return !steps.empty(); }
};

/// `inside` are B's times in process() [s], by chunk of A; `speed` is the natural log of what is
/// common to all work. Nothing is known where the replay of either run as it was is too far off.
ElapsedChange elapsed_change(const Run& a, const Run& b, std::span<const double> inside,
                             double speed, const Options& options);

/// A part that is less than this share of a run's core-time gets no verdict; of what is no part of
/// process(), no difference that is less.
inline constexpr double least_share = 0.005;

/// A part's change that is less than this share of the core-time gets none either: a tenth of the
/// smallest part.
inline constexpr double least_change = 0.0005;

/// An opening names no part that changed by less than this share of the time in process(): a
/// comparison's rows say it.
inline constexpr double least_named = 0.01;

/// So much of a change explains it.
inline constexpr double most_of_change = 0.8;

/// A finer place that holds more of what it is a part of is no finer place.
inline constexpr double most_of_parent = 0.6;

/// So much of the elapsed time is much.
inline constexpr double much_elapsed = 0.1;

/// What a profile says of a change differs from what parts say by up to this: it is one change.
inline constexpr double alike = 0.25;

/// A difference of so many standard errors survives many rows (0.05 / 50, two-sided).
inline constexpr double z_bonferroni = 3.3;

/// A phase beside process(), as the budget has it.
struct OutsidePhase {
  BudgetPart::Kind kind = BudgetPart::Kind::idle;
  std::string label{};

  bool operator<(const OutsidePhase& other) const {
    return std::tie(kind, label) < std::tie(other.kind, other.label);
  }
};

/// A part of the change.
struct Cause {
  enum class Kind : std::uint8_t {
    evenly,       ///< what the common factor makes of all work
    part,         ///< what changed against it
    unpaired,     ///< chunks without a counterpart in the other run, or cut by the selected time
    function,     ///< what the profile says of an own function and what it calls
    outside,      ///< core-time beside process()
    cores,        ///< another number of cores
    unexplained,  ///< what is left of the change of process()
    elapsed,      ///< a step from A's elapsed time to B's
    measured,     ///< what tasks did more of: another cut of the change of process()
  };
  Kind kind = Kind::part;
  Effect part{};            ///< of Kind::part
  double seconds = 0;       ///< [core-s] more in B
  double elapsed = absent;  ///< [s] longer by it, of Kind::elapsed
  double error = absent;    ///< its standard error; absent where one run a side tells none
  /// [core-s] of a function: what is certain and what is possible, since Dask does not tell the
  /// innermost frames apart; absent where only sections bound it
  double low = absent, high = absent;

  /// Of Kind::unpaired: why they have no counterpart.
  enum class Unpaired : std::uint8_t { cut, other_chunks, other_datasets, repeated };
  Unpaired unpaired = Unpaired::other_chunks;

  /// Of Kind::function.
  struct Function {
    std::string name{};                  ///< "fit (a.py)"
    std::vector<std::string> callers{};  ///< likewise
    bool only_in_a = false, only_in_b = false;
    std::string likely{};               ///< the one it most likely is, of those that it calls
    std::vector<SectionId> sections{};  ///< those that say the same
  };
  Function function{};

  OutsidePhase phase{};                       ///< of Kind::outside
  double cores_a = absent, cores_b = absent;  ///< of Kind::cores
  ElapsedChange::Step::Kind step{};           ///< of Kind::elapsed
  MeasuredTime measured{};                    ///< of Kind::measured
};

/// The parts of a verdict that are tested together: rows of a comparison (datasets, sections,
/// hosts), or what is finer. Those too small for a verdict are not among them.
std::vector<const Effect*> tested_parts(const SpeedRatio& speed, double core_time, bool rows);

/// Of that many parts tested together, the p-value that one alone must have.
constexpr double level_of_one(std::size_t tested) {
  return stats::false_discovery_rate / 2 / static_cast<double>(tested);
}

/// Decides which parts changed, `is_significant`: so that at most 5 % of those that are rows of a
/// comparison are false (datasets, sections, hosts), and of those that are finer. `core_time` [s]
/// is B's.
void mark_significant(SpeedRatio& speed, double core_time);

/// What the part's excess must be beyond to be told, with all others tested in mind [s]; absent
/// where it is beyond and not told for another reason: the moment it ran in, what it is a part of.
double margin_of(const SpeedRatio& speed, const Effect& part);

/// Whether the part is less than `least_named` of process(), or did not itself change that way:
/// then it only did not follow the common factor, and has no change of its own to explain.
bool explains_nothing(const SpeedRatio& speed, const Effect& part);

/// One side of a comparison, as means of its runs.
struct Spent {
  double elapsed = absent;                   ///< [s]
  double process = absent;                   ///< [core-s] inside process()
  double available = absent;                 ///< [core-s] of all cores
  double events = absent;                    ///< of the whole runs, those that ran again once
  double repeated = 0;                       ///< [core-s] of `process` in chunks that ran again
  std::map<OutsidePhase, double> outside{};  ///< [core-s] beside process()
};

/// The common factor's part first; then the smallest set of parts that explains 80 % of the rest,
/// by size, and what else changed significantly, but for what explains nothing or is less than a
/// tenth of the largest; then chunks that could not be compared, where they come to `floor` [s];
/// then what is left. `is_cut`: a selected time cuts chunks. Seconds sum to the change of the time
/// in process().
std::vector<Cause> causes_of(const SpeedRatio& speed, const Spent& a, const Spent& b, double floor,
                             bool is_cut = false);

/// Cells agree on a common factor before it is known which of them changed. Once the parts in
/// `causes` have names, the factor becomes what all the rest took in B / in A, and each effect and
/// cause is told against that: then both are sums that anyone can check.
void settle_on_rest(SpeedRatio& speed, std::vector<Cause>& causes, const Spent& a, const Spent& b);

/// Whether each of these parts is needed to explain the change and large enough to be named, now
/// that the factor is the rest's; the first that is not is no longer significant in `speed`.
bool are_all_needed(const std::vector<Cause>& causes, SpeedRatio& speed);

/// Why B took another elapsed time than its process() tells, were all else as in A, or as much
/// slower as `factor` [natural log] says: phases beside process() and cores that were not there, by
/// size, as far as they explain 80 %. Empty where that is less than a tenth of the elapsed time:
/// elapsed time per process() of eight replicates spread by 2 %, which is 10 % at 3.3 errors of a
/// difference. What A would have taken with B's process() is the replay's word, where there is one,
/// else its core-time on as many cores.
struct Outside {
  double elapsed = absent;   ///< [s] more in B
  double expected = absent;  ///< [s] what A would have taken
  std::vector<Cause> causes{};
};
Outside outside_of(const Spent& a, const Spent& b, double factor,
                   const ElapsedChange& replayed = {});

/// Why B took another time than A.
struct Explanation {
  SpeedRatio speed;
  Spent a, b;
  ConfigDifference config;
  std::vector<std::string> input_a, input_b;  ///< where files are: hosts and folders
  std::vector<std::string> machines;          ///< hosts of the tasks; empty where runs differ
  bool spread_is_told = false;                ///< `tell_spread`
  BetweenRuns between;                        ///< of the natural log of a run's speed
  std::vector<Cause> causes;      ///< `causes_of` the speed; empty without chunks in both runs
  ElapsedChange elapsed;          ///< by replay; of one run a side, all of it chosen
  Outside outside;                ///< what the elapsed time has beside process()
  MeasuredChange measured;        ///< what tasks did more of in process()
  double shown_dataset = absent;  ///< any dataset slower by this share: detected in 9 of 10
  double shown_section = absent;  ///< likewise a section
};

/// A common factor nearer to 1 is not worth a word.
inline constexpr double even = 0.03;

/// B's time in process() beyond A's [core-s].
inline double change_of(const Explanation& e) { return e.b.process - e.a.process; }

/// Whether other chunks leave most of the change open: then the common factor is open, too.
bool is_open(const Explanation& e);

/// Whether parts are told beyond the common factor: it is known, and worth a word.
bool is_paced(const Explanation& e);

Explanation explain(std::span<const Run* const> runs, std::size_t runs_of_a,
                    const Selection& selection, const Options& options);

double more_events_in(const Explanation& e);  ///< B's events / A's; 1 where unknown
bool is_same_work(const Explanation& e);      ///< but for what is too small to matter

/// All numbers of two sides, judged, and why they differ.
struct Comparison {
  Explanation explanation;
  std::vector<ComparedNumber> rows{};  ///< set-up first
  std::vector<OnlyOneSide> not_compared{};
  bool has_replicates = false;
};

/// What of the options holds for one of the runs: a processor that was named for another need not
/// be there.
Options options_for(const Run& run, const Options& options);

/// The first `runs_of_a_option` of the runs are A. Throws Failure where that leaves none for B.
Comparison compare_sides(std::span<const Run* const> runs, const Selection& selection,
                         const Options& options);

}  // namespace crema::compare
