#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/change_points.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"

namespace crema::query {

using namespace crema::compare;

inline constexpr Option chance_option{
    .name = "chance",
    .type = Option::Type::number,
    .about = "how often chance alone may show a change in a series that did not change",
    .fallback = "0.01",
    .unit = "1",
    .least = 1e-12,
    .most = 0.5};

/// A number over the runs of a history. Where runs before are of other work than runs after, levels
/// on either side have nothing to do with each other.
struct HistorySeries {
  std::string id;  ///< of `summary`, or "dataset:NAME.seconds_per_million_events"
  std::string label;
  std::string unit;
  std::string better;               ///< "higher" or "lower"
  std::string basis;                ///< what makes its runs comparable: "per million events"
  std::vector<double> values;       ///< of each run in order; absent where it is not compared
  std::vector<std::size_t> begins;  ///< of its stretches of one work: runs, 0 the first
  std::vector<ChangePointDetector> detectors;  ///< of each stretch

  /// All stretches one after the other.
  Segmentation segmentation(double chance) const;
  /// The runs that are of one work with `run`: [begin, end).
  std::pair<std::size_t, std::size_t> stretch_of(std::size_t run) const;
};

/// Runs of the same work in order of time, recordings and digests alike.
struct RunHistory {
  std::vector<const Run*> runs;       ///< in order of time; those without one last
  std::vector<std::string> left_out;  ///< why a run is not compared; "" where it is
  /// By what the runs from this one on are other work than those before; "" within a stretch.
  std::vector<std::string> split;
  std::vector<HistorySeries> series;

  bool is_compared(std::size_t run) const { return left_out[run].empty(); }
};

/// Changes of several series that happen at once.
struct HistoryEvent {
  std::size_t at = 0;     ///< the first run after, of the history's
  std::size_t first = 0;  ///< it is one of these, with 95 %
  std::size_t last = 0;
  std::vector<std::pair<std::size_t, std::size_t>>
      changes;         ///< of which series, which of its changes
  std::string labels;  ///< which labels are others since: "commit a1 → b2, awkward 2.12 → 2.14"
  std::string findings;  ///< titles of findings that most runs have since, and few had before
};

/// What changed in a history.
struct History {
  std::shared_ptr<const RunHistory> runs;
  std::vector<Segmentation> segmentations;  ///< of each series
  std::vector<HistoryEvent> events;         ///< the newest first
  std::string verdict;                      ///< a sentence
};

/// The history that `runs` are. Compared are runs of the processor and the datasets that most
/// have (of two, the later), and apart from them those of other work that come before or after all
/// of them; sums are per million events.
std::shared_ptr<const RunHistory> run_history_of(std::span<const Run* const> runs);

/// Of all changes found in all series at most 5 % are false on average (Benjamini and Hochberg).
std::shared_ptr<const History> history_of(std::span<const Run* const> runs, const Options& options);

/// The numbers of runs, as part of a key.
std::string names_of(std::span<const Run* const> runs);

/// When a run began, for people: "2026-10-18", in UTC where it is known, else in the scheduler's
/// time; "" when neither is known.
std::string day_of(const Run& run);

}  // namespace crema::query
