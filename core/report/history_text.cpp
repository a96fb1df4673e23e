#include "core/report/comparison_text.hpp"

namespace crema::report {

using namespace compare;

namespace {

using SeriesKind = HistorySeries::Kind;

/// What a run says of a cause, of several findings the last; of a digest as it was kept.
std::string title_of(const Run& run, std::string_view cause) {
  std::string title;
  if (run.is_digest()) {
    for (const RunFigures::Found& kept : run.figures.findings)
      if (kept.cause == cause) title = kept.title;
    return title;
  }
  for (const diagnose::Finding& finding : diagnose::find_findings(run, {}))
    if (id_of(finding.cause) == cause) title = report::text_of(finding).title;
  return title;
}

/// A sentence about a history.
struct HistoryWords {
  const History& history;
  const RunHistory& runs = *history.runs;

  std::string name_of_run(std::size_t i) const {
    const std::string day = day_of(*runs.runs[i]);
    return day.empty() ? runs.runs[i]->title : fill("{} ({})", {runs.runs[i]->title, day});
  }

  /// "section jets", "Event rate"
  std::string name_of_series(std::size_t s) const {
    const HistorySeries& series = runs.series[s];
    return sentence(
        {name_of(series.kind), series.kind == SeriesKind::whole ? "" : " ", label_of(series)});
  }

  /// "13 %", or in the series' unit where changes are no ratios.
  std::string size_text(std::size_t s, double change) const {
    const HistorySeries& series = runs.series[s];
    const bool is_ratio = history.segmentations[s].relative;
    return format_quantity(is_ratio ? "" : series.id, is_ratio ? "1" : series.unit,
                           std::fabs(change));
  }

  /// "Event rate fell by 13 %", "section jets rose by 5 %"
  std::string change_text(const SeriesChange& of) const {
    const double change = history.change(of).change;
    return sentence({name_of_series(of.series), change < 0 ? " fell by " : " rose by ",
                     size_text(of.series, change)});
  }

  static double level_before(const Segmentation& segmentation, const ChangePoint& change) {
    double level = 0;
    for (const Level& one : segmentation.levels) {
      if (one.begin < change.at) level = one.level;
    }
    return level;
  }

  std::string largest_part(const HistoryEvent& event, SeriesKind kind) const {
    const bool is_worse = history.is_worse(event.changes.front());
    std::string text;
    double most = 0;
    for (const SeriesChange& one : event.changes) {
      const HistorySeries& series = runs.series[one.series];
      const Segmentation& segmentation = history.segmentations[one.series];
      if (series.kind != kind || !segmentation.relative || history.is_worse(one) != is_worse)
        continue;
      const ChangePoint& change = history.change(one);
      const double seconds = std::fabs(level_before(segmentation, change) * change.change);
      if (seconds <= most) continue;
      most = seconds;
      text = fill("{} {} ({}{})", {name_of(kind), label_of(series), change.change < 0 ? "−" : "+",
                                   format_quantity("", "1", std::fabs(change.change))});
    }
    return text;
  }

  /// "dataset ttbar (+10 %), section jets (+30 %)": of each kind the part whose seconds per million
  /// events changed most, the way the whole did. Where all datasets did, none is named.
  std::string largest_parts(const HistoryEvent& event) const {
    std::string text;
    for (const SeriesKind kind : {SeriesKind::dataset, SeriesKind::section, SeriesKind::function}) {
      const auto is_of_kind = [&](const HistorySeries& series) { return series.kind == kind; };
      const auto changed = count_if(event.changes, [&](const SeriesChange& one) {
        return is_of_kind(runs.series[one.series]);
      });
      if (kind == SeriesKind::dataset && changed == count_if(runs.series, is_of_kind)) continue;
      const std::string part = largest_part(event, kind);
      if (!part.empty()) text += sentence({text.empty() ? "" : ", ", part});
    }
    return text;
  }

  std::string newest_change() const {
    const HistoryEvent& event = history.events.front();
    // The whole first, then where it is seen most.
    std::string text = change_text(event.changes.front());
    text += fill(" at {}", {name_of_run(event.at)});
    if (event.last > event.first)
      text += fill(", between {} and {}",
                   {name_of_run(runs.before(event.first)), name_of_run(event.last)});
    const std::string parts = largest_parts(event);
    if (!parts.empty()) text += fill("; most of it in {}", {parts});
    return text + ".";
  }

  std::string since_newest_change() const {
    const HistoryEvent& event = history.events.front();
    std::string text;
    if (!event.labels.empty()) text += fill(" Since then: {}.", {labels_text(event)});
    if (!event.findings.empty())
      text += fill(" Found since then: {}.", {findings_text(event, runs)});
    return text;
  }

  /// "run-07 (2025-10-15) is an outlier: Elapsed time 56 s, 367 % above its level."
  std::string outlier_text(const OutlyingRun& one) const {
    const HistorySeries& series = runs.series[one.series];
    const double change = history.segmentations[one.series].outliers[one.outlier].change;
    std::string text = fill(" {} is an outlier: {} {}, {}{} its level",
                            {name_of_run(one.run), name_of_series(one.series),
                             format_quantity(series.id, series.unit, series.values[one.run]),
                             size_text(one.series, change), change < 0 ? " below" : " above"});
    if (one.numbers > 1) text += fill(", and {number} more", {one.numbers - 1});
    if (!one.finding.empty())
      text += fill("; found in it: {}", {title_of(*runs.runs[one.run], one.finding)});
    return text + (one.is_last ? "; the next runs tell whether it stays." : ".");
  }

  std::string outliers_text() const {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, history.outliers.size()); ++i)
      text += outlier_text(history.outliers[i]);
    if (history.outliers.size() > most)
      text += fill(" Outliers before them: {}.", {std::to_string(history.outliers.size() - most)});
    return text;
  }

  const HistorySeries* elapsed() const {
    for (const HistorySeries& series : runs.series)
      if (series.id == "elapsed_time_seconds") return &series;
    return nullptr;
  }

  /// The elapsed times of the runs that are compared, outliers apart.
  std::vector<double> usual_times(const HistorySeries& time) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < runs.runs.size(); ++i) {
      const bool is_out = any_of(history.outliers, [&](const auto& one) { return one.run == i; });
      if (runs.is_compared(i) && !is_out && !is_absent(time.values[i]))
        values.push_back(time.values[i]);
    }
    return values;
  }

  /// " Run 9 (slow-host) is an outlier: 17.2 s instead of 10.2 s."
  std::string newest_outlier() const {
    if (history.outliers.empty()) return {};
    const std::size_t run = history.outliers.front().run;
    const std::string text = fill(" Run {} ({}) is an outlier", {run + 1, runs.runs[run]->title});
    const HistorySeries* const time = elapsed();
    if (time == nullptr || is_absent(time->values[run])) return text + ".";
    return fill("{}: {s} instead of {s}.",
                {text, time->values[run], median_of(usual_times(*time))});
  }

  /// " The other 8 runs scatter by ± 16 % in elapsed time.": their standard deviation.
  std::string scatter_text() const {
    const HistorySeries* const time = elapsed();
    if (time == nullptr) return {};
    const Moments all = moments(usual_times(*time));
    if (is_absent(all.std)) return {};
    return fill(" The {}{} scatter by ± {%} in elapsed time.",
                {history.outliers.empty() ? "" : "other ",
                 format_count(static_cast<double>(all.count), "run"), all.std / all.mean});
  }

  /// What so many runs show; then, what they could not have shown.
  VerdictText no_change_text() const {
    const HistoryPower& power = *history.power;
    const std::string count = format_count(static_cast<double>(power.runs), "run");
    const std::string outlier = newest_outlier();
    if (power.runs < power.least_runs) {
      const std::string few =
          fill("{} {} too few to find a lasting change: {} are needed.",
               {count, power.runs == 1 ? "is" : "are", std::to_string(power.least_runs)});
      return outlier.empty() ? VerdictText{few, scatter_text()}
                             : VerdictText{outlier.substr(1), scatter_text() + " " + few};
    }
    if (power.series == history.segmentations.size())
      return {fill("The {} have no number that can be compared.", {count}), ""};
    const Segmentation& lead = history.segmentations[power.series];
    if (const Level& level = lead.levels.back(); !is_absent(level.slope))
      return {fill("{}{}{} from run to run, over {}.{}",
                   {name_of_series(power.series), level.slope < 0 ? " falls by " : " rises by ",
                    size_text(power.series, level.slope / (lead.relative ? level.level : 1)), count,
                    outlier}),
              ""};
    const std::string none = fill("No lasting change in {}.{}", {count, outlier});
    if (!is_absent(power.step))
      return {none, fill("{} Only a lasting change of {} or more in {} would have been seen, in 9 "
                         "of 10 cases.",
                         {scatter_text(), size_text(power.series, power.step),
                          name_of_series(power.series)})};
    if (power.runs < power.least_runs_alone)
      return {none, fill("{} To see a change in one number alone takes {} runs.",
                         {scatter_text(), std::to_string(power.least_runs_alone)})};
    return {none, scatter_text() + " How large a change would have been seen is not known."};
  }

  std::string changes_before() const {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t e = 1; e < std::min(most, history.events.size()); ++e) {
      const HistoryEvent& other = history.events[e];
      text += fill("{}{} at {}", {e > 1 ? "; " : " Before: ", change_text(other.changes.front()),
                                  name_of_run(other.at)});
    }
    return text.empty() ? text : text + ".";
  }
};

}  // namespace

std::string other_work_text(const OtherWork& other) {
  if (!other.processor) return "other datasets";
  return fill("another processor: {}",
              {other.processor->empty() ? "unknown" : std::string_view(*other.processor)});
}

std::string label_of(const HistorySeries& series) {
  return series.label.empty() && series.kind == SeriesKind::whole
             ? "Process time per million events"
             : series.label;
}

std::string basis_text(const HistorySeries& series) {
  if (series.kind == SeriesKind::dataset) return "per million events of its own";
  if (series.kind != SeriesKind::whole) return "per million events";
  std::string text;
  if (series.basis.other_cores > 0)
    text = fill("runs with {core} as the last has, {} with others left out",
                {series.basis.cores, std::to_string(series.basis.other_cores)});
  if (!is_absent(series.basis.events))
    text += fill("{}for {} events, as many as the last run's",
                 {text.empty() ? "" : "; ", format_quantity("", "count", series.basis.events)});
  return text;
}

std::string labels_text(const HistoryEvent& event) {
  std::string text;
  for (const HistoryEvent::Label& label : event.labels)
    text += fill("{}{} {} → {}", {text.empty() ? "" : ", ", label.name, label.before, label.after});
  return text;
}

std::string findings_text(const HistoryEvent& event, const RunHistory& runs) {
  std::string text;
  for (const HistoryEvent::Found& found : event.findings)
    text += sentence({text.empty() ? "" : "; ", title_of(*runs.runs[found.run], found.cause)});
  return text;
}

VerdictText history_text(const History& history) {
  const RunHistory& runs = *history.runs;
  if (runs.runs.empty()) return {};
  const HistoryWords words{history};
  VerdictText text =
      history.power ? words.no_change_text() : VerdictText{words.newest_change(), ""};
  std::string& limits = text.limits;
  if (!history.power) limits = words.since_newest_change() + words.changes_before();
  limits += words.outliers_text();
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    if (runs.split[i])
      limits += fill(" From {} on: {}; runs before are compared among themselves.",
                     {words.name_of_run(i), other_work_text(*runs.split[i])});
  }
  if (!limits.empty()) limits.erase(0, 1);
  return text;
}

}  // namespace crema::report
