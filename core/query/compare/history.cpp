// Runs of the same work in order of time: which they are, `history`; each number in each of them,
// `history_series`; and where it changed, `history_levels`.
#include "core/compare/history.hpp"
#include "core/compare/gate.hpp"
#include "core/predict/prediction.hpp"
#include "core/query/question.hpp"
#include "core/report/comparison_text.hpp"

namespace crema::query::history {

constexpr const char* labels[] = {"label", "note", "commit", "branch", "coffea", "awkward"};
template <std::size_t which>
constexpr auto label = [](std::size_t i, const RunHistory& history) {
  const std::string* const found = found_in(history.runs[i]->labels, labels[which]);
  return found == nullptr ? std::string_view() : std::string_view(*found);
};

template <auto member>
constexpr auto other_work = [](std::size_t i, const RunHistory& of) {
  const auto& other = (of.*member)[i];
  return other ? other_work_text(*other) : std::string();
};

const Columns<std::size_t, RunHistory> columns = {
    {"title", as_given,
     [](std::size_t i, const RunHistory& of) -> std::string_view { return of.runs[i]->title; }},
    {"run", "count", [](std::size_t i, const RunHistory& of) { return of.runs[i]->number; }},
    {"day", [](std::size_t i, const RunHistory& of) { return day_of(*of.runs[i]); }},
    {"started_at", "epoch s",
     [](std::size_t i, const RunHistory& of) { return of.runs[i]->clock.zero_epoch; },
     "wall-clock time of run-axis 0"},
    {"label", label<0>},
    {"note", label<1>},
    {"commit", label<2>},
    {"branch", label<3>},
    {"coffea", label<4>},
    {"awkward", label<5>},
    {"digest", as_flag,
     [](std::size_t i, const RunHistory& of) { return of.runs[i]->is_digest(); }},
    {"split", other_work<&RunHistory::split>},
    {"left_out", other_work<&RunHistory::left_out>},
};

static Table answer(std::span<const Run* const> runs, const Selection&, const Options&) {
  const auto run_history = run_history_of(runs);
  return columns.table(run_history->runs.size(), *run_history);
}

extern const Question question(
    "history", "runs of the same work in order of time: their labels, and which are compared",
    columns, answer, {.run_count = {1, any_number}, .of_digests = true});

}  // namespace crema::query::history

namespace crema::query::history_series {

struct Row {
  const HistorySeries* series;
  std::vector<double> outliers;  ///< of each run how far off it is; absent where it is no outlier
};

const Columns<Row> columns = {
    {"id", [](const Row& row) -> std::string_view { return row.series->id; }},
    {"label", [](const Row& row) { return label_of(*row.series); }},
    {"unit", [](const Row& row) -> std::string_view { return row.series->unit; }},
    {"better", [](const Row& row) -> std::string_view { return row.series->better; }},
    {"basis", [](const Row& row) { return basis_text(*row.series); }},
    {"values", "as the row's unit",
     [](const Row& row) -> const std::vector<double>& { return row.series->values; },
     "of each run in the order of history; seconds as the basis says"},
    {"outliers", "1", &Row::outliers,
     "value / its level − 1 of a run too far off for chance (generalized ESD test, 1 %), which is "
     "in "
     "no level; the difference where values are not all above 0"},
};

static Table answer(std::span<const Run* const> runs, const Selection&, const Options&) {
  const auto run_history = run_history_of(runs);
  const std::size_t width = run_history->runs.size();
  std::vector<Row> rows;
  for (const HistorySeries& series : run_history->series) {
    Row& row = rows.emplace_back(Row{&series, std::vector<double>(width, absent)});
    for (const Outlier& outlier : series.segmentation(false_alarm_rate).outliers)
      row.outliers[outlier.at] = outlier.change;
  }
  return columns.table(rows, {}, {.width = width});
}

extern const Question question("history_series",
                               "each number of a history, with its value in each run", columns,
                               answer, {.run_count = {1, any_number}, .of_digests = true});

}  // namespace crema::query::history_series

namespace crema::query::history_levels {

/// A stretch of a series, and the change with which it begins, if one does.
struct Row {
  const HistorySeries* series;
  const Level* level;
  const ChangePoint* change;
  double event = absent;
  std::string labels{};
  std::string findings{};
};

static std::vector<Row> levels_of(const History& history) {
  std::vector<Row> levels;
  for (std::size_t s = 0; s < history.segmentations.size(); ++s) {
    const Segmentation& segmentation = history.segmentations[s];
    for (const Level& level : segmentation.levels) {
      Row row{&history.runs->series[s], &level, nullptr};
      for (std::size_t c = 0; c < segmentation.changes.size(); ++c) {
        if (segmentation.changes[c].at != level.begin) continue;
        row.change = &segmentation.changes[c];
        for (std::size_t e = 0; e < history.events.size(); ++e) {
          for (const SeriesChange& of : history.events[e].changes) {
            if (of.series != s || of.change != c) continue;
            row.event = static_cast<double>(history.events.size() - e);
            row.labels = labels_text(history.events[e]);
            row.findings = findings_text(history.events[e], *history.runs);
          }
        }
      }
      levels.push_back(row);
    }
  }
  return levels;
}

template <auto member>
constexpr auto change = [](const Row& l) {
  return l.change == nullptr ? absent : static_cast<double>(l.change->*member);
};

static double is_worse(const Row& l) {
  if (l.change == nullptr) return absent;
  return (l.change->change > 0) == (l.series->better == "lower") ? 1.0 : 0.0;
}

const Columns<Row> columns = {
    {"series", [](const Row& l) -> std::string_view { return l.series->id; }},
    {"begin", "", [](const Row& l) { return l.level->begin; }, "row of history"},
    {"end", "", [](const Row& l) { return l.level->end; }, "row of history after the last"},
    {"level", "as the series'", [](const Row& l) { return l.level->level; }},
    {"low", "as the series'", [](const Row& l) { return l.level->low; },
     "95 % interval of the level"},
    {"high", "as the series'", [](const Row& l) { return l.level->high; }},
    {"slope", "as the series'", [](const Row& l) { return l.level->slope; },
     "per run, where a straight line tells more than levels"},
    {"change", "1", change<&ChangePoint::change>,
     "level / level before − 1; the difference where values are not all above 0"},
    {"change_low", "1", change<&ChangePoint::low>, "95 % interval of the change"},
    {"change_high", "1", change<&ChangePoint::high>},
    {"p_value", "1", change<&ChangePoint::p_value>,
     "that a series without a change shows one like it"},
    {"first", "", change<&ChangePoint::first>,
     "the first run after is one of [first, last], with 95 %: rows of history"},
    {"last", "", change<&ChangePoint::last>},
    {"is_worse", as_flag, is_worse},
    {"event", "", &Row::event, "changes of one number happen at once"},
    {"labels", &Row::labels},
    {"findings", &Row::findings},
};

static Table answer(std::span<const Run* const> runs, const Selection&, const Options& options) {
  const History history = history_of(runs, options);
  Table table = columns.table(levels_of(history));
  const VerdictText text = history_text(history);
  table.note("verdict", text.verdict);
  table.note("limits", text.limits);
  return table;
}

extern const Question question(
    "history_levels", "the levels of each number of a history, and the changes between them",
    columns, answer,
    {.options = {&p_value_option}, .run_count = {1, any_number}, .of_digests = true});

}  // namespace crema::query::history_levels

// Rules on runs, for gates in continuous integration: on two sides, `check`; on the last run
// against those since the last change, `check_history`.
namespace crema::query::check {

template <auto member>
constexpr auto number =
    [](const GateLine& l) { return l.result == nullptr ? absent : l.result->*member; };
template <auto member>
constexpr auto text = [](const GateLine& l) {
  return l.result == nullptr ? std::string_view() : std::string_view(l.result->*member);
};

const Columns<GateLine, Gate> columns = {
    {"kind", [](const GateLine& l) { return l.result == nullptr ? "condition" : "rule"; }},
    {"rule",
     [](const GateLine& l, const Gate& of) {
       return l.result == nullptr ? std::string(condition_text(l.condition->reason))
                                  : rule_text(of.rules[l.result->rule], *l.result);
     }},
    {"state", [](const GateLine& l) { return name_of(l.state()); }},
    {"kept", as_flag,
     [](const GateLine& l) {
       return l.state() == GateState::kept ? 1.0 : l.state() == GateState::broken ? 0.0 : absent;
     },
     "missing: undecided"},
    {"id",
     [](const GateLine& l) {
       return l.result != nullptr ? std::string_view(l.result->id) : name_of(l.condition->reason);
     }},
    {"group", text<&GateResult::group>},
    {"line", "count",
     [](const GateLine& l, const Gate& of) {
       return l.result == nullptr ? absent : static_cast<double>(of.rules[l.result->rule].line);
     }},
    {"baseline", "", number<&GateResult::baseline>},
    {"candidate", "", number<&GateResult::candidate>},
    {"limit", "", number<&GateResult::limit>, "the limit that the candidate is checked against"},
    {"unit", as_given, text<&GateResult::unit>},
    {"noise", "", number<&GateResult::noise>, "standard error of candidate − baseline"},
    {"verdict",
     [](const GateLine& l) { return l.result == nullptr ? "" : verdict_text(*l.result); }},
    {"note",
     [](const GateLine& l, const Gate& of) {
       return l.result == nullptr ? failure_text(*l.condition, of.titles) : result_text(*l.result);
     }},
};

/// A row per condition and per number of a rule, and the note "outcome": "refused" when the runs
/// could not be checked, or a number is missing; else "broken", "undecided" or "kept".
template <Gate (*make)(std::span<const Run* const>, const Selection&, const Options&)>
static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const Gate gate = make(runs, selection, options);
  Table table = columns.table(gate.lines(), gate);
  table.note("outcome", outcome_text(gate));
  table.note("a", baseline_text(gate));
  table.note("b", candidate_text(gate));
  return table;
}

extern const Question question(
    "check",
    "rules on two runs, or on two groups of replicates, and conditions for comparing them: "
    "kept, broken, unknown or allowed",
    columns, answer<check_rules>,
    {.options = {&runtime::processor_option, &per_option, &runs_of_a_option, &run_spread_option,
                 &rules_option, &allow_option},
     .narrowed_by = compared_dimensions | Selection::by_prefix,
     .run_count = {2, any_number}});

}  // namespace crema::query::check

namespace crema::query::check_history {

extern const Question question(
    "check_history",
    "rules on the last run given, checked against the level of the others since their last "
    "change",
    check::columns, check::answer<crema::compare::check_history>,
    {.options = {&p_value_option, &history_rules_option},
     .run_count = {2, any_number},
     .of_digests = true});

}  // namespace crema::query::check_history
