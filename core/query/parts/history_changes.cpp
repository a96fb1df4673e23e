// What changed in a history: the changes that stay of all series, which of them happened at once,
// and a sentence.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/order.hpp"
#include "core/base/quantity.hpp"
#include "core/base/sentence.hpp"
#include "core/base/text.hpp"
#include "core/query/parts/history.hpp"
#include "core/query/parts/run_figures.hpp"
#include "core/stats/benjamini_hochberg.hpp"

namespace crema::query {

namespace {

/// Changes that lie so near are one event: each is known to about a run.
constexpr std::size_t same_event = 1;
/// On either side of a change so many runs tell what was found before and since.
constexpr std::size_t most_runs_beside = 10;
/// A finding is new where more of the runs since have it, and no more of those before.
constexpr double most_of = 2.0 / 3, few_of = 1.0 / 3;
/// Runs that are needed for a change to be told.
constexpr std::size_t least_runs = 2 * least_level;

class Historian {
 public:
  explicit Historian(std::shared_ptr<const RunHistory> run_history) : run_history_(*run_history) {
    history_.runs = std::move(run_history);
  }

  History history(double chance) {
    find_changes(chance);
    gather_events();
    put_in_words();
    tell_splits();
    return std::move(history_);
  }

 private:
  void find_changes(double chance) {
    std::vector<double> p_values;
    for (const HistorySeries& series : run_history_.series) {
      history_.segmentations.push_back(series.segmentation(chance));
      const auto& changes = history_.segmentations.back().changes;
      for (const ChangePoint& change : changes) p_values.push_back(change.p_value);
      if (changes.empty()) p_values.push_back(1);
    }
    const std::vector<bool> stays = stats::benjamini_hochberg(p_values);
    double most = 0;
    for (std::size_t i = 0; i < p_values.size(); ++i) {
      if (stays[i]) most = std::max(most, p_values[i]);
    }
    for (std::size_t s = 0; s < run_history_.series.size(); ++s) {
      const auto& changes = history_.segmentations[s].changes;
      if (std::any_of(changes.begin(), changes.end(),
                      [&](const ChangePoint& change) { return change.p_value > most; }))
        history_.segmentations[s] = run_history_.series[s].segmentation(most);
    }
  }

  void gather_events() {
    auto& events = history_.events;
    for (std::size_t s = 0; s < run_history_.series.size(); ++s) {
      const auto& changes = history_.segmentations[s].changes;
      for (std::size_t c = 0; c < changes.size(); ++c) {
        const ChangePoint& change = changes[c];
        const auto event = std::find_if(events.begin(), events.end(), [&](const HistoryEvent& e) {
          return std::max(e.at, change.at) - std::min(e.at, change.at) <= same_event;
        });
        if (event == events.end()) {
          events.push_back({change.at, change.first, change.last, {{s, c}}, {}, {}});
          continue;
        }
        event->changes.emplace_back(s, c);
        // What all of them agree on, placed by the one that is placed best.
        if (change.last - change.first < event->last - event->first) event->at = change.at;
        if (std::max(event->first, change.first) <= std::min(event->last, change.last)) {
          event->first = std::max(event->first, change.first);
          event->last = std::min(event->last, change.last);
        }
      }
    }
    sort_stably(events, [](const HistoryEvent& a, const HistoryEvent& b) { return a.at > b.at; });
    for (std::size_t e = 0; e < events.size(); ++e) {
      events[e].labels = labels_changed(events[e].at);
      const auto [begin, end] =
          run_history_.series[events[e].changes.front().first].stretch_of(events[e].at);
      events[e].findings =
          new_findings(std::max(begin, e + 1 < events.size() ? events[e + 1].at : 0), events[e].at,
                       std::min(end, e > 0 ? events[e - 1].at : run_history_.runs.size()));
    }
  }

  /// Of how many runs that are compared a finding is, and its latest title.
  struct Found {
    double before = 0, after = 0;
    std::string_view title;
  };

  std::string new_findings(std::size_t begin, std::size_t at, std::size_t end) const {
    std::map<std::string_view, Found> found;
    double before = 0;
    double after = 0;
    const auto look = [&](std::size_t run, double Found::*side, double& runs) {
      if (!run_history_.is_compared(run) || runs == most_runs_beside) return;
      ++runs;
      for (const RunFigures::Found& finding : figures_of(*run_history_.runs[run]).findings) {
        Found& one = found[finding.cause];
        one.*side += 1;
        one.title = finding.title;
      }
    };
    for (std::size_t run = at; run-- > begin;) look(run, &Found::before, before);
    for (std::size_t run = at; run < end; ++run) look(run, &Found::after, after);
    std::string text;
    for (const auto& [id, one] : found) {
      if (one.after >= most_of * after && one.before <= few_of * before)
        text += sentence({text.empty() ? "" : "; ", one.title});
    }
    return text;
  }

  /// The run before `at` that is compared.
  std::size_t before(std::size_t at) const {
    std::size_t i = at;
    while (i > 0 && !run_history_.is_compared(i - 1)) --i;
    return i > 0 ? i - 1 : at;
  }

  std::string labels_changed(std::size_t at) const {
    static constexpr std::string_view not_telling[] = {"title", "processor", "label", "note"};
    const auto& now = run_history_.runs[at]->labels;
    const auto& then = run_history_.runs[before(at)]->labels;
    std::string text;
    for (const auto& [name, value] : now) {
      const auto old = then.find(name);
      if (std::find(std::begin(not_telling), std::end(not_telling), name) != std::end(not_telling))
        continue;
      if (old == then.end() || old->second == value) continue;
      text += sentence({text.empty() ? "" : ", ", name, " ", old->second, " → ", value});
    }
    return text;
  }

  std::string name_of(std::size_t i) const {
    const std::string day = day_of(*run_history_.runs[i]);
    return day.empty() ? run_history_.runs[i]->title
                       : sentence({run_history_.runs[i]->title, " (", day, ")"});
  }

  /// "Event rate fell by 13 % [12, 14]"
  std::string change_text(std::size_t s, std::size_t c) const {
    const HistorySeries& series = run_history_.series[s];
    const Segmentation& segmentation = history_.segmentations[s];
    const ChangePoint& change = segmentation.changes[c];
    const char* const verb = change.change < 0 ? " fell by " : " rose by ";
    const double size = std::fabs(change.change);
    // "section jets", "Event rate"
    const std::string kind = series.id.substr(0, series.id.find(':') + 1);
    std::string name = series.label;
    if (!kind.empty()) name = sentence({kind.substr(0, kind.size() - 1), " ", name});
    return sentence({name, verb,
                     segmentation.relative ? format_quantity("", "1", size)
                                           : format_quantity(series.id, series.unit, size)});
  }

  void put_in_words() {
    const auto compared = static_cast<std::size_t>(
        std::count(run_history_.left_out.begin(), run_history_.left_out.end(), std::string()));
    if (compared < least_runs) {
      history_.verdict =
          sentence({"With ", std::to_string(compared), compared == 1 ? " run" : " runs",
                    " of the same work no change can be found: at least ",
                    std::to_string(least_runs), " are needed."});
      return;
    }
    if (history_.events.empty()) {
      history_.verdict = sentence(
          {"No change in ", std::to_string(compared), " runs: their differences are noise."});
      return;
    }
    const HistoryEvent& event = history_.events.front();
    std::string& text = history_.verdict;
    // The whole first, then where it is seen most.
    text = change_text(event.changes.front().first, event.changes.front().second);
    text += sentence({" at ", name_of(event.at)});
    if (event.last > event.first)
      text += sentence({", between ", name_of(before(event.first)), " and ", name_of(event.last)});
    const std::string parts = largest_parts(event);
    if (!parts.empty()) text += sentence({"; most of it in ", parts});
    text += ".";
    if (!event.labels.empty()) text += sentence({" Since then: ", event.labels, "."});
    if (!event.findings.empty()) text += sentence({" Found since then: ", event.findings, "."});
    if (history_.events.size() > 1) {
      text += " Before:";
      for (std::size_t e = 1; e < std::min<std::size_t>(4, history_.events.size()); ++e) {
        const HistoryEvent& other = history_.events[e];
        text += sentence({e > 1 ? ";" : "", " ",
                          change_text(other.changes.front().first, other.changes.front().second),
                          " at ", name_of(other.at)});
      }
      text += ".";
    }
  }

  void tell_splits() {
    for (std::size_t i = 0; i < run_history_.runs.size(); ++i) {
      if (!run_history_.split[i].empty())
        history_.verdict += sentence({" From ", name_of(i), " on: ", run_history_.split[i],
                                      "; runs before are compared among themselves."});
    }
  }

  /// "dataset ttbar (+10 %), section jets (+30 %)": of each kind the part whose seconds per million
  /// events changed most, the way the whole did. Where all datasets did, none is told.
  std::string largest_parts(const HistoryEvent& event) const {
    std::string text;
    for (const std::string_view kind : {"dataset:", "section:", "function:"}) {
      const auto is_of_kind = [&](const HistorySeries& series) {
        return series.id.starts_with(kind);
      };
      const auto changed = std::count_if(
          event.changes.begin(), event.changes.end(),
          [&](const auto& one) { return is_of_kind(run_history_.series[one.first]); });
      if (kind == "dataset:" && changed == std::count_if(run_history_.series.begin(),
                                                         run_history_.series.end(), is_of_kind))
        continue;
      const std::string part = largest_part(event, kind);
      if (!part.empty()) text += sentence({text.empty() ? "" : ", ", part});
    }
    return text;
  }

  std::string largest_part(const HistoryEvent& event, std::string_view kind) const {
    const bool worse = is_worse(event.changes.front());
    std::string name;
    double most = 0;
    for (const auto& one : event.changes) {
      const HistorySeries& series = run_history_.series[one.first];
      const Segmentation& segmentation = history_.segmentations[one.first];
      if (!series.id.starts_with(kind) || !segmentation.relative || is_worse(one) != worse)
        continue;
      const ChangePoint& change = segmentation.changes[one.second];
      const double seconds = std::fabs(level_before(segmentation, change) * change.change);
      if (seconds <= most) continue;
      most = seconds;
      name = sentence({kind.substr(0, kind.size() - 1), " ", series.label, " (",
                       change.change < 0 ? "−" : "+",
                       format_quantity("", "1", std::fabs(change.change)), ")"});
    }
    return name;
  }

  bool is_worse(const std::pair<std::size_t, std::size_t>& one) const {
    return (history_.segmentations[one.first].changes[one.second].change > 0) ==
           (run_history_.series[one.first].better == "lower");
  }

  static double level_before(const Segmentation& segmentation, const ChangePoint& change) {
    double level = 0;
    for (const Level& one : segmentation.levels) {
      if (one.begin < change.at) level = one.level;
    }
    return level;
  }

  const RunHistory& run_history_;
  History history_;
};

}  // namespace

std::shared_ptr<const History> history_of(std::span<const Run* const> runs,
                                          const Options& options) {
  if (runs.empty())
    return std::make_shared<const History>(History{run_history_of(runs), {}, {}, {}});
  const double chance = options.number(chance_option);
  // Its sentence names runs by their titles, which change as others are opened: it is not kept.
  return std::make_shared<const History>(Historian(run_history_of(runs)).history(chance));
}

}  // namespace crema::query
