// Runs of the same work in order of time: which they are, `history`; each number in each of them,
// `history_series`; and where it changed, `history_levels`.
#include "core/compare/history.hpp"
#include "core/query/question.hpp"
#include "core/report/history_text.hpp"

namespace crema::query::history {

constexpr const char* labels[] = {"label", "note", "commit", "branch", "coffea", "awkward"};
template <std::size_t which>
constexpr auto label = [](std::size_t i, const RunHistory& history) {
  const auto& of = history.runs[i]->labels;
  const auto found = of.find(labels[which]);
  return found == of.end() ? std::string_view() : std::string_view(found->second);
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
