#include "core/questions/parts/history.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "core/base/order.hpp"
#include "core/base/quantity.hpp"
#include "core/base/sentence.hpp"
#include "core/facts/noise/discoveries.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/list.hpp"

namespace crema::questions {

namespace {

using facts::ChangePoint;

/// Numbers of a whole run that a history is of, the most telling first.
constexpr std::string_view headline_ids[] = {
    "event_rate_elapsed_khz",    "event_rate_core_khz", "elapsed_time_seconds", "process_fraction",
    "processor_io_wait_percent", "peak_memory_bytes",   "time_to_first_chunk"};
/// These are of as many cores as there were: runs of other sizes are not compared in them.
constexpr std::string_view by_cores[] = {"event_rate_elapsed_khz", "elapsed_time_seconds"};
/// Cores differ where they do by more: workers come and go within a run.
constexpr double same_cores = 0.02;
/// Parts of a run that are series of their own, of each kind.
constexpr std::size_t most_parts = 12;
/// Changes that lie so near are one event: each is known to about a run.
constexpr std::size_t same_event = 1;
/// Runs that are needed for a change to be told.
constexpr std::size_t least_runs = 2 * facts::least_level;

/// An answer of a recording, or what a digest keeps of it; without rows where it cannot be had.
const Table& answer_of(const Run& run, std::string_view question) {
  for (const Table& table : run.kept) {
    if (run.is_digest() && table.question == question) return table;
  }
  return run.memo.index<Table>("history." + std::string(question), [&]() -> Table {
    const Run* const runs[] = {&run};
    if (run.is_digest()) return {};
    return named(question)(runs, {}, Options());
  });
}

double number_of(const Table& summary, std::string_view id) {
  const std::size_t row = summary.row_of("id", id);
  return row < summary.rows() ? summary.number("value", row) : absent;
}

/// What must be the same for two runs to be compared.
struct Work {
  std::string processor;
  std::set<std::string, std::less<>> datasets;
  bool operator==(const Work&) const = default;
  bool operator<(const Work& other) const {
    return std::tie(processor, datasets) < std::tie(other.processor, other.datasets);
  }
};

Work work_of(const Run& run) {
  Work work;
  const auto label = run.labels.find("processor");
  if (label != run.labels.end()) work.processor = label->second;
  else if (const StringId prefix = facts::find_processor(run, {}).prefix; prefix != no_string)
    work.processor = std::string(run.text(prefix));
  const Table& datasets = answer_of(run, "datasets");
  for (std::size_t row = 0; row < datasets.rows(); ++row)
    work.datasets.emplace(datasets.text("name", row));
  return work;
}

class Maker {
 public:
  Maker(std::span<const Run* const> runs, const Options& options) : options_(options) {
    history_.runs.assign(runs.begin(), runs.end());
    const auto when = [](const Run* run) {
      return is_absent(run->clock.zero_epoch) ? run->clock.zero_naive : run->clock.zero_epoch;
    };
    sort_stably(history_.runs, [&](const Run* a, const Run* b) {
      return is_absent(when(b)) ? !is_absent(when(a)) : when(a) < when(b);
    });
  }

  History made() {
    leave_out_others();
    for (const std::string_view id : headline_ids) add_headline(id);
    add_rate();
    add_parts("datasets", "dataset:", "events");
    add_parts("sections", "section:", "");
    add_functions();
    find_changes();
    gather_events();
    put_in_words();
    return std::move(history_);
  }

 private:
  std::size_t count() const { return history_.runs.size(); }
  bool is_compared(std::size_t i) const { return history_.left_out[i].empty(); }
  double summary(std::size_t i, std::string_view id) const {
    return number_of(answer_of(*history_.runs[i], "summary"), id);
  }

  void leave_out_others() {
    std::vector<Work> works;
    std::map<Work, std::pair<std::size_t, std::size_t>> often;  // how many runs, the last of them
    for (std::size_t i = 0; i < count(); ++i) {
      works.push_back(work_of(*history_.runs[i]));
      often[works.back()].first += 1;
      often[works.back()].second = i;
    }
    const auto most =
        std::max_element(often.begin(), often.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    for (std::size_t i = 0; i < count(); ++i) {
      const bool other = works[i].processor != most->first.processor;
      history_.left_out.push_back(
          works[i] == most->first ? ""
          : other                 ? sentence({"another processor: ",
                              works[i].processor.empty() ? "unknown" : works[i].processor})
                                  : "other datasets");
      if (is_compared(i)) last_ = i;
    }
  }

  /// A series, kept where it has enough values to tell anything.
  void add(std::string id, std::string label, std::string unit, std::string better,
           std::vector<double> values) {
    const auto known =
        std::count_if(values.begin(), values.end(), [](double value) { return !is_absent(value); });
    if (known == 0) return;
    history_.series.push_back({std::move(id),
                               std::move(label),
                               std::move(unit),
                               std::move(better),
                               std::move(values),
                               {}});
  }

  template <class Value>
  std::vector<double> values_of(const Value& value) const {
    std::vector<double> values(count(), absent);
    for (std::size_t i = 0; i < count(); ++i) {
      if (is_compared(i)) values[i] = value(i);
    }
    return values;
  }

  void add_headline(std::string_view id) {
    const Table& last = answer_of(*history_.runs[last_], "summary");
    const std::size_t row = last.row_of("id", id);
    if (row >= last.rows()) return;
    const bool of_cores =
        std::find(std::begin(by_cores), std::end(by_cores), id) != std::end(by_cores);
    const double cores = summary(last_, "total_cores");
    const double events = summary(last_, "total_events");
    std::vector<double> values = values_of([&](std::size_t i) {
      const bool same = std::fabs(summary(i, "total_cores") / cores - 1) <= same_cores;
      if (of_cores && !same) return absent;
      // Seconds are of as many events.
      const bool is_sum = id == "elapsed_time_seconds";
      return summary(i, id) * (is_sum ? value_or(events / summary(i, "total_events"), 1) : 1);
    });
    add(std::string(id), std::string(last.text("label", row)), std::string(last.text("unit", row)),
        std::string(last.text("better", row)), std::move(values));
  }

  /// The one number that events, cores and machines leave alone.
  void add_rate() {
    add("core_seconds_per_million_events", "Process time per million events", "s", "lower",
        values_of([&](std::size_t i) {
          return ratio(1e6 * summary(i, "total_cpu_time"), summary(i, "total_events"));
        }));
  }

  /// Rows of a question by name, per million of their own events, or of the run's.
  void add_parts(std::string_view question, const std::string& prefix, std::string_view events) {
    const Table& last = answer_of(*history_.runs[last_], question);
    for (std::size_t row = 0; row < std::min(last.rows(), most_parts); ++row) {
      const std::string name(last.text("name", row));
      add(prefix + name + ".seconds_per_million_events", name, "s", "lower",
          values_of([&](std::size_t i) {
            const Table& table = answer_of(*history_.runs[i], question);
            const std::size_t at = table.row_of("name", name);
            if (at >= table.rows()) return absent;
            const double of =
                events.empty() ? summary(i, "total_events") : table.number(events, at);
            return ratio(1e6 * table.number("seconds", at), of);
          }));
    }
  }

  /// The own functions that take most, by the profile.
  void add_functions() {
    const Table& last = answer_of(*history_.runs[last_], "core_time_tree");
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < last.rows(); ++row) {
      if (last.text("parent", row) == "available/inside_process" && last.number("depth", row) == 2)
        order.push_back(row);
    }
    sort_stably(order, [&](std::size_t a, std::size_t b) {
      return last.number("core_seconds", a) > last.number("core_seconds", b);
    });
    order.resize(std::min(order.size(), most_parts));
    std::set<std::string> told;
    for (const std::size_t row : order) {
      // A function stays the same where lines above it come and go; those of one name are one.
      const std::string label(last.text("label", row));
      if (!told.insert(label).second) continue;
      add("function:" + label + ".seconds_per_million_events", label, "s", "lower",
          values_of([&](std::size_t i) {
            const Table& table = answer_of(*history_.runs[i], "core_time_tree");
            double sum = absent;
            for (std::size_t at = 0; at < table.rows(); ++at) {
              if (table.text("label", at) == label && table.number("depth", at) == 2 &&
                  table.text("parent", at) == "available/inside_process")
                sum = value_or(sum, 0) + table.number("core_seconds", at);
            }
            return ratio(1e6 * sum, summary(i, "total_events"));
          }));
    }
  }

  void find_changes() {
    const double chance = options_.number(chance_option);
    std::vector<double> chances;
    for (HistorySeries& series : history_.series) {
      series.course = facts::course_of(series.values, chance);
      for (const ChangePoint& change : series.course.changes) chances.push_back(change.chance);
      if (series.course.changes.empty()) chances.push_back(1);
    }
    const std::vector<bool> stays = facts::discoveries(chances);
    double most = 0;
    for (std::size_t i = 0; i < chances.size(); ++i) {
      if (stays[i]) most = std::max(most, chances[i]);
    }
    for (HistorySeries& series : history_.series) {
      const auto& changes = series.course.changes;
      if (std::any_of(changes.begin(), changes.end(),
                      [&](const ChangePoint& change) { return change.chance > most; }))
        series.course = facts::course_of(series.values, most);
    }
  }

  void gather_events() {
    auto& events = history_.events;
    for (std::size_t s = 0; s < history_.series.size(); ++s) {
      const auto& changes = history_.series[s].course.changes;
      for (std::size_t c = 0; c < changes.size(); ++c) {
        const ChangePoint& change = changes[c];
        const auto event = std::find_if(events.begin(), events.end(), [&](const HistoryEvent& e) {
          return std::max(e.at, change.at) - std::min(e.at, change.at) <= same_event;
        });
        if (event == events.end()) {
          events.push_back({change.at, change.first, change.last, {{s, c}}, {}});
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
    for (HistoryEvent& event : events) event.labels = labels_changed(event.at);
  }

  /// The run before `at` that is compared.
  std::size_t before(std::size_t at) const {
    std::size_t i = at;
    while (i > 0 && !is_compared(i - 1)) --i;
    return i > 0 ? i - 1 : at;
  }

  std::string labels_changed(std::size_t at) const {
    static constexpr std::string_view not_telling[] = {"title", "processor", "label"};
    const auto& now = history_.runs[at]->labels;
    const auto& then = history_.runs[before(at)]->labels;
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
    const std::string day = day_of(*history_.runs[i]);
    return day.empty() ? history_.runs[i]->title
                       : sentence({history_.runs[i]->title, " (", day, ")"});
  }

  /// "Event rate fell by 13 % [12, 14]"
  std::string change_text(std::size_t s, std::size_t c) const {
    const HistorySeries& series = history_.series[s];
    const ChangePoint& change = series.course.changes[c];
    const char* const verb = change.change < 0 ? " fell by " : " rose by ";
    const double size = std::fabs(change.change);
    return sentence({series.label, verb,
                     series.course.relative ? format_quantity("", "1", size)
                                            : format_quantity(series.id, series.unit, size)});
  }

  void put_in_words() {
    const auto compared = static_cast<std::size_t>(
        std::count(history_.left_out.begin(), history_.left_out.end(), std::string()));
    if (compared < least_runs) {
      history_.verdict =
          sentence({"With ", std::to_string(compared), compared == 1 ? " run" : " runs",
                    " of the same work no change can be told: it takes ",
                    std::to_string(least_runs), " or more."});
      return;
    }
    if (history_.events.empty()) {
      history_.verdict = sentence(
          {"No change in ", std::to_string(compared), " runs: what they differ by is noise."});
      return;
    }
    const HistoryEvent& event = history_.events.front();
    std::string& text = history_.verdict;
    // The whole first, then where it is seen most.
    text = change_text(event.changes.front().first, event.changes.front().second);
    text += sentence({" at ", name_of(event.at)});
    if (event.last > event.first)
      text += sentence({", between ", name_of(before(event.first)), " and ", name_of(event.last)});
    const std::string part = largest_part(event);
    if (!part.empty()) text += sentence({"; most of it in ", part});
    text += ".";
    if (!event.labels.empty()) text += sentence({" Since then: ", event.labels, "."});
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

  /// The part whose seconds per million events changed most, where the whole's did, too.
  std::string largest_part(const HistoryEvent& event) const {
    std::string name;
    double most = 0;
    for (const auto& [s, c] : event.changes) {
      const HistorySeries& series = history_.series[s];
      const auto colon = series.id.find(':');
      if (colon == std::string::npos || !series.course.relative) continue;
      const ChangePoint& change = series.course.changes[c];
      const double level = series.course.levels.empty() ? 0 : level_before(series, change);
      const double seconds = std::fabs(level * change.change);
      if (seconds > most) {
        most = seconds;
        name = sentence({series.id.substr(0, colon), " ", series.label, " (",
                         change.change < 0 ? "−" : "+",
                         format_quantity("", "1", std::fabs(change.change)), ")"});
      }
    }
    return name;
  }

  static double level_before(const HistorySeries& series, const ChangePoint& change) {
    double level = 0;
    for (const facts::Level& one : series.course.levels) {
      if (one.begin < change.at) level = one.level;
    }
    return level;
  }

  const Options& options_;
  History history_;
  std::size_t last_ = 0;  ///< the latest run that is compared
};

}  // namespace

std::string day_of(const Run& run) {
  const double at = is_absent(run.clock.zero_epoch) ? run.clock.zero_naive : run.clock.zero_epoch;
  if (is_absent(at)) return {};
  const auto day = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_seconds(std::chrono::seconds(static_cast<std::int64_t>(at))));
  const std::chrono::year_month_day date(day);
  const auto two = [](unsigned number) {
    return (number < 10 ? "-0" : "-") + std::to_string(number);
  };
  return std::to_string(static_cast<int>(date.year())) + two(static_cast<unsigned>(date.month())) +
         two(static_cast<unsigned>(date.day()));
}

std::shared_ptr<const History> history_of(std::span<const Run* const> runs,
                                          const Options& options) {
  if (runs.empty()) return std::make_shared<const History>();
  std::string key = "history of " + std::to_string(options.number(chance_option));
  for (const Run* run : runs) key += ' ' + std::to_string(run->number);
  return runs[0]->memo.of<History>(key, [&] { return Maker(runs, options).made(); });
}

}  // namespace crema::questions
