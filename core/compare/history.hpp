#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/compare/change_points.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"

namespace crema::compare {

inline constexpr Option p_value_option{
    .name = "p_value",
    .type = Option::Type::number,
    .about = "how often chance alone may show a change in a series that did not change",
    .fallback = "0.01",
    .unit = "1",
    .least = 1e-12,
    .most = 0.5,
    .alias = "chance"};

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

}  // namespace crema::compare
