#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::compare {

/// How often chance alone may give a change of a series without any.
inline constexpr double false_alarm_rate = 0.01;

/// Less is no change and no outlier, however certain it is: relative.
inline constexpr double least_step = 0.005;

/// So many values must stand on either side of a change: fewer may be outliers.
inline constexpr std::size_t least_level = 3;

/// A stretch of a series on one level, or on one slope.
struct Level {
  std::size_t begin = 0, end = 0;  ///< values [begin, end)
  double level = absent;           ///< of its middle, in the unit of the values
  double low = absent;             ///< 95 % interval of the level
  double high = absent;
  double slope = absent;  ///< per value, in the unit of the values; absent on a level
};

/// Where a series goes from one level to another.
struct ChangePoint {
  std::size_t at = 0;     ///< the first value after
  std::size_t first = 0;  ///< the first value after is one of [first, last], with 95 %
  std::size_t last = 0;
  double change =
      absent;  ///< after / before − 1, or after − before where values are not all above 0
  double low = absent;  ///< 95 % interval of `change`
  double high = absent;
  double p_value = absent;  ///< that a series without a change shows one like it
};

/// A value that is on no level.
struct Outlier {
  std::size_t at = 0;
  double change = absent;   ///< against the mean of its level, as `ChangePoint::change`
  double p_value = absent;  ///< that a level without an outlier has a value so far off
};

/// A series of values in order as levels, and the changes between them. Absent values are left
/// out; outliers are reported and count in no level.
struct Segmentation {
  std::vector<Level> levels;
  std::vector<ChangePoint> changes;  ///< between levels; none beside a slope
  std::vector<Outlier> outliers;     ///< in the order of the series
  bool relative = true;              ///< changes are ratios − 1: all values are above 0
  Moments last{};  ///< of the values on the last level; of their logarithms where `relative`
};

/// In fewer values no change is found, however large it is: too few orders of them are possible.
std::size_t least_values(double level);

/// Least squares over all ways to cut the series (optimal partitioning: B. Jackson et al., IEEE
/// Signal Process. Lett. 12, 2005), each value weighed by the noise around it. A cut stays where a
/// t-test of the levels beside it, multiplied by the number of places where it could have been,
/// is below `level`; the weakest goes first, and the rest is tested anew. Where a straight line
/// tells more (Schwarz's criterion), steps are a slope. Binary methods such as E-divisive (D. S.
/// Matteson, N. A. James, J. Am. Stat. Assoc. 109, 2014; MongoDB, Apache Otava) cut one after the
/// other, and two opposite steps hide each other; all cuts at once do not.
///
/// Outliers are what the generalized ESD test finds on a level (B. Rosner, Technometrics 25, 1983)
/// at `false_alarm_rate`, at its ends too: of a quarter of its values at most, so that a step is
/// none.
///
/// No level changes where cuts are best: it is found once.
class ChangePointDetector {
 public:
  ChangePointDetector() : ChangePointDetector(std::span<const double>()) {}
  explicit ChangePointDetector(std::span<const double> values);
  Segmentation at(double level) const;
  /// The step half-way along such a series, up or down, that `at` finds nine times in ten: the
  /// least found in these values, and what others hide of it. As a ratio − 1; absent where none is
  /// found.
  double least_step_found(double level) const;

 private:
  class Segmenter;
  std::shared_ptr<const Segmenter> segmenter_;
};

inline Segmentation segmentation_of(std::span<const double> values,
                                    double level = false_alarm_rate) {
  return ChangePointDetector(values).at(level);
}

inline constexpr Option p_value_option = number_option(
    "p_value", "how often chance alone may show a change in a series that did not change", "0.01",
    {1e-12, 0.5}, "1", "chance");

/// In what runs are other work.
struct OtherWork {
  /// Another processor, empty where it is unknown; absent: other datasets.
  std::optional<std::string> processor{};
};

/// A number over the runs of a history. Where runs before are of other work than runs after, levels
/// on either side have nothing to do with each other.
struct HistorySeries {
  enum class Kind : std::uint8_t { whole, dataset, section, function };

  /// What makes its runs comparable.
  struct Basis {
    double cores = absent;        ///< only runs with as many cores as the last has
    std::size_t other_cores = 0;  ///< runs that are left out for that
    double events = absent;       ///< seconds are for so many events, the last run's
  };

  Kind kind = Kind::whole;
  std::string id;       ///< of `summary`, or "dataset:NAME.seconds_per_million_events"
  std::string label{};  ///< as `summary` or the part is called; empty of process time per event
  std::string unit;
  std::string better;  ///< "higher" or "lower"
  Basis basis{};
  std::vector<double> values;       ///< of each run in order; absent where it is not compared
  std::vector<std::size_t> begins;  ///< of its stretches of one work: runs, 0 the first
  std::vector<ChangePointDetector> detectors;  ///< of each stretch

  /// All stretches one after the other.
  Segmentation segmentation(double p_value) const;
  /// The runs that are of one work with `run`: [begin, end).
  std::pair<std::size_t, std::size_t> stretch_of(std::size_t run) const;
};

/// "dataset"; "" of a whole run.
constexpr std::string_view name_of(HistorySeries::Kind kind) {
  constexpr std::string_view names[] = {"", "dataset", "section", "function"};
  return names[static_cast<std::size_t>(kind)];
}

/// Runs of the same work in order of time, recordings and digests alike.
struct RunHistory {
  std::vector<const Run*> runs;  ///< in order of time; those without one last
  /// Why a run is not compared; absent where it is.
  std::vector<std::optional<OtherWork>> left_out;
  /// By what the runs from this one on are other work than those before; absent within a stretch.
  std::vector<std::optional<OtherWork>> split;
  std::vector<HistorySeries> series;

  bool is_compared(std::size_t run) const { return !left_out[run]; }
  /// The run before `at` that is compared; `at` where there is none.
  std::size_t before(std::size_t at) const;
};

/// A change of one series: which, and which of its changes.
struct SeriesChange {
  std::size_t series = 0, change = 0;
};

/// Changes of several series that happen at once.
struct HistoryEvent {
  struct Label {
    std::string name, before, after;
  };
  struct Found {
    std::string cause;
    std::size_t run = 0;  ///< the latest that has it
  };
  std::size_t at = 0;     ///< the first run after, of the history's
  std::size_t first = 0;  ///< it is one of these, with 95 %
  std::size_t last = 0;
  std::vector<SeriesChange> changes;  ///< that of the whole first
  std::vector<Label> labels;          ///< labels whose values are others since
  std::vector<Found> findings;        ///< that most runs have since, and few had before
};

/// A run that is on no level in at least one number.
struct OutlyingRun {
  std::size_t run = 0;
  /// The first number in which it is one: a series, and which of its outliers.
  std::size_t series = 0, outlier = 0;
  std::size_t numbers = 0;  ///< in so many it is one
  std::string finding{};    ///< the first that few of the runs around have; empty without one
  bool is_last = false;     ///< no run after it is on a level: it may be the beginning of a step
};

/// What the runs of a history would show, by its first number that has a level.
struct HistoryPower {
  std::size_t series = 0;
  std::size_t runs = 0;              ///< on its last level
  std::size_t least_runs = 0;        ///< in fewer no change is found
  std::size_t least_runs_alone = 0;  ///< in fewer none that is in one number alone
  double step = absent;              ///< half-way in that number alone: found 9 times in 10
};

/// What changed in a history.
struct History {
  std::shared_ptr<const RunHistory> runs;
  std::vector<Segmentation> segmentations;  ///< of each series
  std::vector<HistoryEvent> events{};       ///< the newest first
  std::vector<OutlyingRun> outliers{};      ///< the newest first
  std::optional<HistoryPower> power{};      ///< where nothing changed

  const ChangePoint& change(const SeriesChange& of) const {
    return segmentations[of.series].changes[of.change];
  }
  bool is_worse(const SeriesChange& of) const {
    return (change(of).change > 0) == (runs->series[of.series].better == "lower");
  }
};

/// The history that `runs` are. Compared are runs of the processor and the datasets that most
/// have (of two, the later), and apart from them those of other work that come before or after all
/// of them; sums are per million events.
std::shared_ptr<const RunHistory> run_history_of(std::span<const Run* const> runs);

/// Of all changes found in all series at most 5 % are false on average, and of all outliers
/// (Benjamini and Hochberg).
History history_of(std::span<const Run* const> runs, const Options& options);

/// The numbers of runs, as part of a key.
std::string names_of(std::span<const Run* const> runs);

/// When a run began, for people: "2026-10-18", in UTC where it is known, else in the scheduler's
/// time; "" when neither is known.
std::string day_of(const Run& run);

/// Of a recording made from its facts, and kept by the run; of a digest those that it kept.
const RunFigures& figures_of(const Run& run);

}  // namespace crema::compare
