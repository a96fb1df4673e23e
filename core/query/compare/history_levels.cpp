#include "core/query/parts/history.hpp"
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::history_levels {

namespace {

/// A stretch of a series, and the change with which it begins, if one does.
struct Row {
  const HistorySeries* series;
  const Level* level;
  const ChangePoint* change;
  double event;
  std::string_view labels;
  std::string_view findings;
};

std::vector<Row> levels_of(const History& history) {
  std::vector<Row> levels;
  for (std::size_t s = 0; s < history.segmentations.size(); ++s) {
    const Segmentation& segmentation = history.segmentations[s];
    for (const Level& level : segmentation.levels) {
      Row row{&history.runs->series[s], &level, nullptr, absent, {}, {}};
      for (std::size_t c = 0; c < segmentation.changes.size(); ++c) {
        if (segmentation.changes[c].at != level.begin) continue;
        row.change = &segmentation.changes[c];
        for (std::size_t e = 0; e < history.events.size(); ++e) {
          for (const auto& [of, which] : history.events[e].changes) {
            if (of != s || which != c) continue;
            row.event = static_cast<double>(history.events.size() - e);
            row.labels = history.events[e].labels;
            row.findings = history.events[e].findings;
          }
        }
      }
      levels.push_back(row);
    }
  }
  return levels;
}

Table answer(std::span<const Run* const> runs, const Selection&, const Options& options) {
  const auto history = history_of(runs, options);
  const std::vector<Row> levels = levels_of(*history);
  Table table;
  Rows<Row> rows(table, levels);
  const auto change = [](double ChangePoint::*member) {
    return [member](const Row& l) { return l.change == nullptr ? absent : l.change->*member; };
  };
  const auto place = [](std::size_t ChangePoint::*member) {
    return [member](const Row& l) {
      return l.change == nullptr ? absent : static_cast<double>(l.change->*member);
    };
  };
  rows.text("series", [](const Row& l) -> std::string_view { return l.series->id; });
  rows.number(
      "begin", "", [](const Row& l) { return l.level->begin; }, "row of history");
  rows.number(
      "end", "", [](const Row& l) { return l.level->end; }, "row of history after the last");
  const char* const unit = "as the series'";
  rows.number("level", unit, [](const Row& l) { return l.level->level; });
  rows.number(
      "low", unit, [](const Row& l) { return l.level->low; }, "95 % interval of the level");
  rows.number("high", unit, [](const Row& l) { return l.level->high; });
  rows.number(
      "slope", unit, [](const Row& l) { return l.level->slope; },
      "per run, where a straight line tells more than levels");
  rows.number("change", "1", change(&ChangePoint::change),
              "level / level before − 1; the difference where values are not all above 0");
  rows.number("change_low", "1", change(&ChangePoint::low), "95 % interval of the change");
  rows.number("change_high", "1", change(&ChangePoint::high));
  rows.number("p_value", "1", change(&ChangePoint::p_value),
              "that a series without a change shows one like it");
  rows.number("first", "", place(&ChangePoint::first),
              "the first run after is one of [first, last], with 95 %: rows of history");
  rows.number("last", "", place(&ChangePoint::last));
  rows.flag("is_worse", [](const Row& l) {
    if (l.change == nullptr) return absent;
    return (l.change->change > 0) == (l.series->better == "lower") ? 1.0 : 0.0;
  });
  rows.number("event", "", &Row::event, "changes of one number happen at once");
  rows.text("labels", [](const Row& l) -> std::string_view { return l.labels; });
  rows.text("findings", [](const Row& l) -> std::string_view { return l.findings; });
  if (!history->verdict.empty()) table.note("verdict", history->verdict);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "history_levels",
    .about = "the levels of each number of a history, and the changes between them",
    .options = {&chance_option},
    .min_runs = 1,
    .max_runs = any_number,
    .of_digests = true,
    .function = answer,
};

}  // namespace crema::query::history_levels
