// What changed in a history: the changes that stay of all series, and which of them happened at
// once.
#include <algorithm>
#include <map>

#include "core/base/order.hpp"
#include "core/compare/history.hpp"
#include "core/compare/run_figures.hpp"
#include "core/stats/benjamini_hochberg.hpp"

namespace crema::compare {

namespace {

/// Changes that lie so near are one event: each is known to about a run.
constexpr std::size_t same_event = 1;
/// On either side of a change so many runs tell what was found before and since.
constexpr std::size_t most_runs_beside = 10;
/// A finding is new where more of the runs since have it, and no more of those before.
constexpr double most_of = 2.0 / 3, few_of = 1.0 / 3;

std::vector<Segmentation> changes_of(const RunHistory& runs, double p_value) {
  std::vector<Segmentation> all;
  std::vector<double> p_values;
  for (const HistorySeries& series : runs.series) {
    all.push_back(series.segmentation(p_value));
    for (const ChangePoint& change : all.back().changes) p_values.push_back(change.p_value);
    if (all.back().changes.empty()) p_values.push_back(1);
  }
  const std::vector<bool> stays = stats::benjamini_hochberg(p_values);
  double most = 0;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (stays[i]) most = std::max(most, p_values[i]);
  }
  for (std::size_t s = 0; s < all.size(); ++s) {
    if (std::any_of(all[s].changes.begin(), all[s].changes.end(),
                    [&](const ChangePoint& change) { return change.p_value > most; }))
      all[s] = runs.series[s].segmentation(most);
  }
  return all;
}

/// The newest first.
std::vector<HistoryEvent> events_of(const std::vector<Segmentation>& segmentations) {
  std::vector<HistoryEvent> events;
  for (std::size_t s = 0; s < segmentations.size(); ++s) {
    const auto& changes = segmentations[s].changes;
    for (std::size_t c = 0; c < changes.size(); ++c) {
      const ChangePoint& change = changes[c];
      const auto event = std::find_if(events.begin(), events.end(), [&](const HistoryEvent& e) {
        return std::max(e.at, change.at) - std::min(e.at, change.at) <= same_event;
      });
      if (event == events.end()) {
        events.push_back({change.at, change.first, change.last, {{s, c}}, {}, {}});
        continue;
      }
      event->changes.push_back({s, c});
      // What all of them agree on, placed by the one that is placed best.
      if (change.last - change.first < event->last - event->first) event->at = change.at;
      if (std::max(event->first, change.first) <= std::min(event->last, change.last)) {
        event->first = std::max(event->first, change.first);
        event->last = std::min(event->last, change.last);
      }
    }
  }
  sort_stably(events, [](const HistoryEvent& a, const HistoryEvent& b) { return a.at > b.at; });
  return events;
}

std::vector<HistoryEvent::Label> changed_labels(const RunHistory& runs, std::size_t at) {
  static constexpr std::string_view not_telling[] = {"title", "processor", "label", "note"};
  const auto& then = runs.runs[runs.before(at)]->labels;
  std::vector<HistoryEvent::Label> changed;
  for (const auto& [name, value] : runs.runs[at]->labels) {
    const auto old = then.find(name);
    const bool tells =
        std::find(std::begin(not_telling), std::end(not_telling), name) == std::end(not_telling);
    if (tells && old != then.end() && old->second != value)
      changed.push_back({name, old->second, value});
  }
  return changed;
}

/// What the runs [at, end) have that the runs [begin, at) had not.
std::vector<HistoryEvent::Found> new_findings(const RunHistory& runs, std::size_t begin,
                                              std::size_t at, std::size_t end) {
  struct Counts {
    double before = 0, after = 0;
    std::size_t run = 0;
  };
  std::map<std::string_view, Counts> found;
  double before = 0;
  double after = 0;
  const auto look = [&](std::size_t run, double Counts::*side, double& looked_at) {
    if (!runs.is_compared(run) || looked_at == most_runs_beside) return;
    ++looked_at;
    for (const RunFigures::Found& finding : figures_of(*runs.runs[run]).findings) {
      Counts& one = found[finding.cause];
      one.*side += 1;
      one.run = run;
    }
  };
  for (std::size_t run = at; run-- > begin;) look(run, &Counts::before, before);
  for (std::size_t run = at; run < end; ++run) look(run, &Counts::after, after);
  std::vector<HistoryEvent::Found> fresh;
  for (const auto& [cause, one] : found) {
    if (one.after >= most_of * after && one.before <= few_of * before)
      fresh.push_back({std::string(cause), one.run});
  }
  return fresh;
}

}  // namespace

History history_of(std::span<const Run* const> runs, const Options& options) {
  History history{run_history_of(runs), {}, {}};
  const RunHistory& of = *history.runs;
  history.segmentations = changes_of(of, options.number(p_value_option));
  std::vector<HistoryEvent>& events = history.events = events_of(history.segmentations);
  for (std::size_t e = 0; e < events.size(); ++e) {
    HistoryEvent& event = events[e];
    event.labels = changed_labels(of, event.at);
    const auto [begin, end] = of.series[event.changes.front().series].stretch_of(event.at);
    event.findings =
        new_findings(of, std::max(begin, e + 1 < events.size() ? events[e + 1].at : 0), event.at,
                     std::min(end, e > 0 ? events[e - 1].at : of.runs.size()));
  }
  return history;
}

}  // namespace crema::compare
