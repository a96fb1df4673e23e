#include "core/compare/history.hpp"

#include <chrono>
#include <set>

#include "core/base/order.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::compare {

namespace {

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
  if (const auto* const label = found_in(run.labels, "processor")) work.processor = *label;
  else if (const StringId prefix = runtime::find_processor(run, {}).prefix; prefix != no_string)
    work.processor = std::string(run.text(prefix));
  for (const RunFigures::Part& dataset : figures_of(run).datasets)
    work.datasets.insert(dataset.name);
  return work;
}

class RunHistoryMaker {
 public:
  explicit RunHistoryMaker(std::span<const Run* const> runs) {
    run_history_.runs.assign(runs.begin(), runs.end());
    const auto when = [](const Run* run) {
      return is_absent(run->clock.zero_epoch) ? run->clock.zero_naive : run->clock.zero_epoch;
    };
    sort_stably(run_history_.runs, [&](const Run* a, const Run* b) {
      return is_absent(when(b)) ? !is_absent(when(a)) : when(a) < when(b);
    });
  }

  RunHistory made() {
    leave_out_others();
    for (const std::string_view id : headline_ids) add_headline(id);
    add_rate();
    // Datasets stay what they are where others come and go: of all runs of the processor.
    add_parts(Kind::dataset, &RunFigures::datasets,
              [&](std::size_t i, const RunFigures::Part& part) {
                return same_processor_[i] ? ratio(1e6 * part.seconds, part.events) : absent;
              });
    add_parts(Kind::section, &RunFigures::sections,
              [&](std::size_t i, const RunFigures::Part& part) {
                return run_history_.is_compared(i) ? ratio(1e6 * part.seconds, events_[i]) : absent;
              });
    add_functions();
    return std::move(run_history_);
  }

 private:
  using Kind = HistorySeries::Kind;

  std::size_t count() const { return run_history_.runs.size(); }
  const RunFigures& figures(std::size_t i) const { return figures_of(*run_history_.runs[i]); }
  double headline(std::size_t i, std::string_view id) const { return figures(i).number(id); }

  /// The runs of one work, from the first to the last.
  struct Stretch {
    Work work;
    std::size_t runs = 0, first = 0, last = 0;
  };

  /// The work that most runs are of, and others that lie before or after all of its runs.
  static std::vector<Stretch> stretches_of(const std::vector<Work>& works) {
    std::map<Work, Stretch> all;
    for (std::size_t i = 0; i < works.size(); ++i) {
      Stretch& of = all.try_emplace(works[i], Stretch{works[i], 0, i, i}).first->second;
      of.last = i;
      ++of.runs;
    }
    std::vector<Stretch> order;
    for (auto& [work, of] : all) order.push_back(std::move(of));
    sort_stably(order, [](const Stretch& a, const Stretch& b) {
      return std::tie(a.runs, a.last) > std::tie(b.runs, b.last);
    });
    std::vector<Stretch> taken;
    for (const Stretch& of : order) {
      const bool is_apart = all_of(taken, [&](const Stretch& other) {
        return of.last < other.first || of.first > other.last;
      });
      if (taken.empty() || (is_apart && of.runs >= least_level)) taken.push_back(of);
    }
    sort_stably(taken, [](const Stretch& a, const Stretch& b) { return a.first < b.first; });
    return taken;
  }

  static OtherWork difference(const Work& work, const Work& than) {
    if (work.processor == than.processor) return {};
    return {work.processor};
  }

  void leave_out_others() {
    std::vector<Work> works;
    for (const Run* run : run_history_.runs) works.push_back(work_of(*run));
    const std::vector<Stretch> stretches = stretches_of(works);
    run_history_.split.resize(count());
    std::size_t at = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      if (at + 1 < stretches.size() && i == stretches[at + 1].first) {
        run_history_.split[i] = difference(works[i], stretches[at].work);
        begins_.push_back(i);
        if (works[i].processor != stretches[at].work.processor) processor_begins_.push_back(i);
        ++at;
      }
      const Work& work = stretches[at].work;
      events_.push_back(headline(i, "total_events"));
      same_processor_.push_back(works[i].processor == work.processor);
      run_history_.left_out.emplace_back();
      if (works[i] != work) run_history_.left_out.back() = difference(works[i], work);
      if (run_history_.is_compared(i)) last_ = i;
    }
  }

  /// A series, kept where it has any value; its stretches begin at `begins`.
  void add(HistorySeries series, const std::vector<std::size_t>& begins) {
    if (all_of(series.values, is_absent)) return;
    series.begins = begins;
    for (const std::size_t begin : begins) {
      const auto [from, to] = series.stretch_of(begin);
      std::vector<double> of_stretch(series.values.begin(),
                                     series.values.begin() + std::ptrdiff_t(to));
      std::fill_n(of_stretch.begin(), from, absent);
      series.detectors.emplace_back(of_stretch);
    }
    run_history_.series.push_back(std::move(series));
  }
  void add(HistorySeries series) { add(std::move(series), begins_); }

  template <class Value>
  std::vector<double> values_of(const Value& value) const {
    std::vector<double> values(count(), absent);
    for (std::size_t i = 0; i < count(); ++i) {
      if (run_history_.is_compared(i)) values[i] = value(i);
    }
    return values;
  }

  void add_headline(std::string_view id) {
    const RunFigures::Number* const last = figures(last_).find(id);
    if (last == nullptr) return;
    const bool of_cores = contains(by_cores, id);
    // Seconds are of as many events.
    const bool is_sum = id == "elapsed_time_seconds";
    const double cores = headline(last_, "total_cores");
    const double events = headline(last_, "total_events");
    const bool differ = !all_of(events_, [&](double of) { return is_absent(of) || of == events; });
    std::size_t others = 0;
    HistorySeries series{
        .id = last->id, .label = last->label, .unit = last->unit, .better = last->better};
    series.values = values_of([&](std::size_t i) {
      if (of_cores && !(std::fabs(headline(i, "total_cores") / cores - 1) <= same_cores)) {
        ++others;
        return absent;
      }
      return headline(i, id) * (is_sum ? value_or(events / events_[i], 1) : 1);
    });
    if (others > 0) {
      series.basis.cores = cores;
      series.basis.other_cores = others;
    }
    if (is_sum && differ) series.basis.events = events;
    add(std::move(series));
  }

  /// The one number that events, cores and machines leave alone.
  void add_rate() {
    add({.id = "core_seconds_per_million_events",
         .unit = "s",
         .better = "lower",
         .values = values_of([&](std::size_t i) {
           return ratio(1e6 * headline(i, "total_cpu_time"), events_[i]);
         })});
  }

  void add_part(Kind kind, const std::string& name, std::vector<double> values) {
    HistorySeries part{.kind = kind,
                       .id = sentence({name_of(kind), ":", name, ".seconds_per_million_events"}),
                       .label = name,
                       .unit = "s",
                       .better = "lower",
                       .values = std::move(values)};
    add(std::move(part), kind == Kind::dataset ? processor_begins_ : begins_);
  }

  /// Those of the last run's first parts; `value(i, part)` is of run i.
  template <class Value>
  void add_parts(Kind kind, std::vector<RunFigures::Part> RunFigures::*parts, const Value& value) {
    const auto& last = figures(last_).*parts;
    for (std::size_t k = 0; k < std::min(last.size(), most_parts); ++k) {
      std::vector<double> values(count(), absent);
      for (std::size_t i = 0; i < count(); ++i) {
        const auto is_it = [&](const RunFigures::Part& one) { return one.name == last[k].name; };
        if (const auto* const part = first_where(figures(i).*parts, is_it))
          values[i] = value(i, *part);
      }
      add_part(kind, last[k].name, std::move(values));
    }
  }

  /// The own functions that take most, by the profile. A function stays the same where lines above
  /// it come and go; those of one name are one.
  void add_functions() {
    const auto& last = figures(last_).functions;
    std::vector<std::pair<std::string_view, double>> order(last.begin(), last.end());
    sort_stably(order, [](const auto& a, const auto& b) { return a.second > b.second; });
    order.resize(std::min(order.size(), most_parts));
    for (const auto& one : order) {
      const std::string_view name = one.first;
      add_part(Kind::function, std::string(name), values_of([&](std::size_t i) {
                 const double* const found = found_in(figures(i).functions, name);
                 return found == nullptr ? absent : ratio(1e6 * *found, events_[i]);
               }));
    }
  }

  std::vector<double> events_;                       ///< of each run
  std::vector<bool> same_processor_;                 ///< each run, as those of its stretch
  std::vector<std::size_t> begins_ = {0};            ///< of stretches of one work
  std::vector<std::size_t> processor_begins_ = {0};  ///< of one processor
  RunHistory run_history_;
  std::size_t last_ = 0;  ///< the latest run that is compared
};

}  // namespace

std::pair<std::size_t, std::size_t> HistorySeries::stretch_of(std::size_t run) const {
  const auto next = std::upper_bound(begins.begin(), begins.end(), run);
  return {*std::prev(next), next == begins.end() ? values.size() : *next};
}

std::size_t RunHistory::before(std::size_t at) const {
  std::size_t i = at;
  while (i > 0 && !is_compared(i - 1)) --i;
  return i > 0 ? i - 1 : at;
}

Segmentation HistorySeries::segmentation(double p_value) const {
  Segmentation all;
  for (std::size_t s = 0; s < detectors.size(); ++s) {
    Segmentation one = detectors[s].at(p_value);
    if (!one.levels.empty()) one.levels.front().begin = begins[s];
    const auto append = [](auto& to, const auto& more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    append(all.levels, one.levels);
    append(all.changes, one.changes);
    append(all.outliers, one.outliers);
    all.relative = all.relative && one.relative;
    all.last = one.last;
  }
  return all;
}

std::string day_of(const Run& run) {
  const double at = is_absent(run.clock.zero_epoch) ? run.clock.zero_naive : run.clock.zero_epoch;
  constexpr double year_10000 = 253402300800;  // [s] since 1970
  if (!(std::fabs(at) < year_10000)) return {};
  const auto day = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_seconds(std::chrono::seconds(static_cast<std::int64_t>(at))));
  const std::chrono::year_month_day date(day);
  const auto two = [](unsigned number) {
    return (number < 10 ? "-0" : "-") + std::to_string(number);
  };
  return std::to_string(static_cast<int>(date.year())) + two(static_cast<unsigned>(date.month())) +
         two(static_cast<unsigned>(date.day()));
}

std::string names_of(std::span<const Run* const> runs) {
  std::string text;
  for (const Run* run : runs) text += ' ' + std::to_string(run->number);
  return text;
}

std::shared_ptr<const RunHistory> run_history_of(std::span<const Run* const> runs) {
  if (runs.empty()) return std::make_shared<const RunHistory>();
  return runs[0]->facts.of<Recent<std::string, RunHistory>>().of(
      names_of(runs), [&] { return RunHistoryMaker(runs).made(); });
}

}  // namespace crema::compare
