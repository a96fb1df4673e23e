// What changed in a history: the changes that stay of all series, and which of them happened at
// once.
#include "core/base/order.hpp"
#include "core/compare/history.hpp"
#include "core/stats/p_value.hpp"

namespace crema::compare {

namespace {

/// Changes that lie so near are one event: each is known to about a run.
constexpr std::size_t same_event = 1;
/// On either side of a change so many runs tell what was found before and since.
constexpr std::size_t most_runs_beside = 10;
/// A finding is new where more of the runs since have it, and no more of those before.
constexpr double most_of = 2.0 / 3, few_of = 1.0 / 3;

/// The largest p-value that stays of what was found in all series; one without any counts as one.
template <class Found>
double largest_that_stays(const std::vector<Segmentation>& all,
                          std::vector<Found> Segmentation::*found) {
  std::vector<double> p_values;
  for (const Segmentation& one : all) {
    for (const Found& each : one.*found) p_values.push_back(each.p_value);
    if ((one.*found).empty()) p_values.push_back(1);
  }
  const std::vector<bool> stays = stats::benjamini_hochberg(p_values);
  double most = 0;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (stays[i]) most = std::max(most, p_values[i]);
  }
  return most;
}

std::vector<Segmentation> changes_of(const RunHistory& runs, double p_value) {
  std::vector<Segmentation> all;
  for (const HistorySeries& series : runs.series) all.push_back(series.segmentation(p_value));
  const double most = largest_that_stays(all, &Segmentation::changes);
  for (std::size_t s = 0; s < all.size(); ++s) {
    if (any_of(all[s].changes, [&](const ChangePoint& change) { return change.p_value > most; }))
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
      HistoryEvent* const event = first_where(events, [&](const HistoryEvent& e) {
        return std::max(e.at, change.at) - std::min(e.at, change.at) <= same_event;
      });
      if (event == nullptr) {
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
    const bool tells = !contains(not_telling, name);
    if (tells && old != then.end() && old->second != value)
      changed.push_back({name, old->second, value});
  }
  return changed;
}

/// The compared runs of [begin, end) nearest to one end of it, the nearest first.
std::vector<std::size_t> nearest_runs(const RunHistory& runs, std::size_t begin, std::size_t end,
                                      bool to_the_end) {
  std::vector<std::size_t> nearest;
  for (std::size_t i = begin; i < end && nearest.size() < most_runs_beside; ++i) {
    const std::size_t run = to_the_end ? end - 1 - (i - begin) : i;
    if (runs.is_compared(run)) nearest.push_back(run);
  }
  return nearest;
}

double count_with(const RunHistory& runs, const std::vector<std::size_t>& of,
                  std::string_view cause) {
  return static_cast<double>(count_if(of, [&](std::size_t run) {
    const auto& findings = figures_of(*runs.runs[run]).findings;
    return any_of(findings, [&](const RunFigures::Found& one) { return one.cause == cause; });
  }));
}

/// What the runs `with` have, of each cause the last, and the runs `without` have not; in order of
/// its name.
std::vector<HistoryEvent::Found> new_findings(const RunHistory& runs,
                                              const std::vector<std::size_t>& without,
                                              const std::vector<std::size_t>& with) {
  std::map<std::string_view, std::size_t> latest;
  for (const std::size_t run : with) {
    for (const RunFigures::Found& found : figures_of(*runs.runs[run]).findings)
      latest[found.cause] = run;
  }
  std::vector<HistoryEvent::Found> fresh;
  for (const auto& [cause, run] : latest) {
    if (count_with(runs, with, cause) >= most_of * static_cast<double>(with.size()) &&
        count_with(runs, without, cause) <= few_of * static_cast<double>(without.size()))
      fresh.push_back({std::string(cause), run});
  }
  return fresh;
}

/// The first cause of a run of [begin, end) that few of those around it have; empty without one.
std::string own_finding(const RunHistory& runs, std::size_t run, std::size_t begin,
                        std::size_t end) {
  std::vector<std::size_t> around = nearest_runs(runs, begin, run, true);
  for (const std::size_t after : nearest_runs(runs, run + 1, end, false)) around.push_back(after);
  for (const RunFigures::Found& found : figures_of(*runs.runs[run]).findings) {
    if (count_with(runs, around, found.cause) <= few_of * static_cast<double>(around.size()))
      return found.cause;
  }
  return {};
}

/// The newest first.
std::vector<OutlyingRun> outlying_runs(const RunHistory& runs,
                                       const std::vector<Segmentation>& segmentations) {
  const double most = largest_that_stays(segmentations, &Segmentation::outliers);
  std::map<std::size_t, OutlyingRun, std::greater<>> by_run;
  for (std::size_t s = 0; s < segmentations.size(); ++s) {
    const auto& outliers = segmentations[s].outliers;
    for (std::size_t i = 0; i < outliers.size(); ++i) {
      if (outliers[i].p_value > most) continue;
      const auto [at, is_first] = by_run.try_emplace(
          outliers[i].at, OutlyingRun{.run = outliers[i].at, .series = s, .outlier = i});
      ++at->second.numbers;
    }
  }
  std::vector<OutlyingRun> all;
  std::size_t end = runs.runs.size();
  for (auto& [run, one] : by_run) {
    while (end > run + 1 && !runs.is_compared(end - 1)) --end;
    one.is_last = end == run + 1;
    if (one.is_last) end = run;
    const auto [begin, stop] = runs.series[one.series].stretch_of(run);
    one.finding = own_finding(runs, run, begin, stop);
    all.push_back(std::move(one));
  }
  return all;
}

HistoryPower power_of(const History& history, double p_value) {
  const auto& all = history.segmentations;
  // A change in one number alone has to be less likely than what all numbers may show by chance.
  const double alone =
      std::min(p_value, stats::false_discovery_rate /
                            static_cast<double>(std::max<std::size_t>(all.size(), 1)));
  HistoryPower power{.least_runs = least_values(p_value), .least_runs_alone = least_values(alone)};
  for (std::size_t run = 0; run < history.runs->runs.size(); ++run)
    power.runs += history.runs->is_compared(run) ? 1 : 0;
  while (power.series < all.size() && all[power.series].levels.empty()) ++power.series;
  if (power.series == all.size()) return power;
  power.runs = all[power.series].last.count;
  power.step = history.runs->series[power.series].detectors.back().least_step_found(alone);
  return power;
}

}  // namespace

History history_of(std::span<const Run* const> runs, const Options& options) {
  History history{run_history_of(runs), {}};
  const RunHistory& of = *history.runs;
  const double p_value = options.number(p_value_option);
  history.segmentations = changes_of(of, p_value);
  history.outliers = outlying_runs(of, history.segmentations);
  std::vector<HistoryEvent>& events = history.events = events_of(history.segmentations);
  for (std::size_t e = 0; e < events.size(); ++e) {
    HistoryEvent& event = events[e];
    event.labels = changed_labels(of, event.at);
    const auto [begin, end] = of.series[event.changes.front().series].stretch_of(event.at);
    const std::size_t from = std::max(begin, e + 1 < events.size() ? events[e + 1].at : 0);
    const std::size_t to = std::min(end, e > 0 ? events[e - 1].at : of.runs.size());
    event.findings = new_findings(of, nearest_runs(of, from, event.at, true),
                                  nearest_runs(of, event.at, to, false));
  }
  if (events.empty()) history.power = power_of(history, p_value);
  return history;
}

}  // namespace crema::compare
