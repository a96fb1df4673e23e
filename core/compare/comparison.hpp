#pragma once

#include "core/compare/speed_ratio.hpp"
#include "core/runtime/headlines.hpp"

namespace crema::compare {

using namespace runtime;

/// A difference of more standard errors than this is hardly chance (95 %).
constexpr double z_95 = 2;

/// In what amounts two runs are compared; the values of `per_option` in their order.
enum class Per {
  absolute,        ///< as they are
  million_events,  ///< for the same number of events
  share,           ///< of each run's own total
};

inline constexpr std::string_view per_names = "absolute, million_events, share";
inline constexpr Option per_option =
    choice_option("per",
                  "what is compared: absolute amounts, amounts per million events, or shares of "
                  "each run's total",
                  per_names, "absolute");

/// The first so many runs of a comparison are A, the others B.
inline constexpr Option runs_of_a_option =
    count_option("runs_of_a", "how many runs are A, counted from the first; the others are B", "1",
                 {1, 10000}, "count");

/// That option of a comparison of so many runs; throws Failure where it leaves none for B.
std::size_t runs_of_a(const Options& options, std::size_t runs);

/// One side of a comparison.
struct Side {
  double value = absent;
  double noise = absent;  ///< standard error of counting, of what is counted from samples
  /// part of `value` that can be another's: which part is the same in all runs of the same code
  double unclear = 0;
  std::string text{};          ///< where it is no number
  std::vector<double> runs{};  ///< what `value` is the mean of, where a side is several runs
};

/// Facts of the set-up, headline numbers, and dimensions along which core-time is cut.
enum class RowGroup : std::uint8_t {
  setup,
  summary,
  budget,
  dataset,
  section,
  activity,
  host,
  own,
  frame,
};
inline constexpr std::array<std::string_view, 9> group_names = {
    "setup", "summary", "budget", "dataset", "section", "activity", "host", "own", "frame"};
constexpr std::string_view name_of(RowGroup group) {
  return group_names[static_cast<std::size_t>(group)];
}

/// Which row of a comparison. A part may have any name: what sums up several is told from it by
/// kind.
struct RowId {
  enum class Kind : std::uint8_t {
    part,       ///< a number, a fact, or what one dataset, section, ... has of its group
    remainder,  ///< what the sections leave of process()
    others,     ///< the parts beyond those that are listed
    total,      ///< what the group's rows sum to
  };
  RowGroup group = RowGroup::summary;
  Kind kind = Kind::part;
  std::string name{};

  bool operator==(const RowId&) const = default;
  bool operator<(const RowId& other) const {
    return std::tie(group, kind, name) < std::tie(other.group, other.kind, other.name);
  }
  /// "ttbar"; "unnamed" where the name is empty, "unaccounted", "rest", "total" by kind. A part
  /// that has one of these as its name stands in quotes.
  std::string label() const;
  /// "elapsed_time_seconds" of `summary`; else "GROUP.LABEL". Two rows never have the same.
  std::string text() const;
};

/// The row of a section.
inline RowId row_of(const SectionId& section) {
  return {RowGroup::section, section.is_remainder ? RowId::Kind::remainder : RowId::Kind::part,
          section.name};
}

/// What is to be known of a row besides its numbers.
struct RowNote {
  enum class Kind : std::uint8_t {
    none,
    only_in_a,
    only_in_b,
    not_recorded_in_a,
    not_recorded_in_b,
    noise_unknown,
    other_events,  ///< not judged: the runs have different numbers of events
    other_parts,   ///< not judged: parts of one run are missing in the other
    or_moment,     ///< not judged: the part changed, or the machine while it ran
    by_process,    ///< not judged: a share of process(), which itself took another time
    names,         ///< datasets or files that only one side has
  };
  /// The first of them, and how many there are.
  struct Names {
    std::vector<std::string> first{};
    std::size_t count = 0;
  };
  Kind kind = Kind::none;
  std::string why{};  ///< what the run says of a number that it does not record
  Names in_a{}, in_b{};

  bool any() const { return kind != Kind::none; }
};

/// A number, or a fact of the set-up, in two runs.
struct ComparedNumber {
  RowId id;
  std::string label{};  ///< of a headline number and of a phase, as they are called
  std::string unit;
  Side a, b;
  Better better = Better::neither;
  RowNote note{};
  std::size_t parts = 0;          ///< of RowId::Kind::others: how many
  Noise source = Noise::unknown;  ///< where its noise comes from

  /// What B would be, had it changed as all work did; absent where A itself is expected.
  double expected = absent;
  double noise = absent;  ///< standard error of b − expected; absent where nothing tells it
  double dof = std::numeric_limits<double>::infinity();  ///< degrees of freedom behind `noise`
  double p_value = absent;  ///< that chance alone makes that difference or more, tested alone
  double allowed = 0;       ///< what another chunk size or contention can explain: in the unit of
                            ///< b, of a part of process() as a natural logarithm
  double error_if_worse = absent;  ///< standard error at a larger b; `noise` where absent
  /// of a function: standard errors beyond what is allowed, its own time with that of what it calls
  double errors_below = absent;
  /// The difference is beyond its noise, corrected for all rows, and large enough to matter.
  bool is_significant = false;
  /// b − a, a missing side counted as 0 where `adds_up`, absent otherwise; 0 where only rounding
  /// differs.
  double delta() const;
  double excess() const {
    return delta() - (is_absent(expected) ? 0 : expected - value_or(a.value, 0));
  }
  /// What share of A it is worse by, if it was so many errors worse than `from`.
  double worse_by(double from, double errors) const;
  bool adds_up = false;  ///< a contribution to a total: not there means 0

  bool is_same() const { return delta() == 0 && !is_absent(a.value + b.value); }
  /// `noise` as one of the natural logarithm of b / expected.
  double relative_noise() const;
  bool is_worse() const;  ///< than expected, whether that is significant or not
  /// 1, 0, or absent where the noise is not known. Nothing changed is nothing noteworthy, whether
  /// the noise is known or not; nor is what rounding leaves.
  double noteworthy() const;
  std::string_view verdict() const;  ///< "better", "worse" or ""
  /// "equal", "within 1 %", "within noise", "no": how far both sides are alike; "" where unknown.
  std::string_view alike() const;
  /// By what share of A the number must be worse to be found in 9 of 10 comparisons, where its
  /// p-value must be `level`. Absent where it has no noise.
  double detectable(double level) const;
  /// By what share of A it is worse at most: in 19 of 20 comparisons.
  double worse_at_most() const;
};

/// A group of which only one side has any rows.
struct OnlyOneSide {
  RowGroup group;
  bool is_a;
};

/// Whether two runs are one: runs of the same work never take the same time to the last bit.
bool is_same_run(const Run& a, const Run& b);

/// What differs before anything ran: schema, workers, inputs, chunk sizes, of which rows of equal
/// value are in it, too; then settings that differ.
std::vector<ComparedNumber> compare_setup(const Run& a, const Run& b, const Selection& selection,
                                          const Options& options);

/// Whether a row of the set-up can change the speed of all work: how many threads and CPUs it has.
bool changes_speed(const ComparedNumber& row);

}  // namespace crema::compare
