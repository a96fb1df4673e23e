#include "core/query/parts/history.hpp"
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::history {

namespace {

Table answer(std::span<const Run* const> runs, const Selection&, const Options&) {
  const auto run_history = run_history_of(runs);
  Table table;
  Rows<> rows(table, run_history->runs.size());
  const auto label = [&](const char* name) {
    return [&run_history, name](std::size_t i) -> std::string_view {
      const auto& labels = run_history->runs[i]->labels;
      const auto found = labels.find(name);
      return found == labels.end() ? std::string_view() : std::string_view(found->second);
    };
  };
  rows.any_text("title",
                [&](std::size_t i) -> std::string_view { return run_history->runs[i]->title; });
  rows.number("run", "count", [&](std::size_t i) { return run_history->runs[i]->number; });
  rows.text("day", [&](std::size_t i) { return day_of(*run_history->runs[i]); });
  rows.number(
      "started_at", "epoch s",
      [&](std::size_t i) { return run_history->runs[i]->clock.zero_epoch; },
      "wall-clock time of run-axis 0");
  rows.text("label", label("label"));
  rows.text("note", label("note"));
  rows.text("commit", label("commit"));
  rows.text("branch", label("branch"));
  rows.text("coffea", label("coffea"));
  rows.text("awkward", label("awkward"));
  rows.flag("digest", [&](std::size_t i) { return run_history->runs[i]->is_digest(); });
  rows.text("split", [&](std::size_t i) -> std::string_view { return run_history->split[i]; });
  rows.text("left_out",
            [&](std::size_t i) -> std::string_view { return run_history->left_out[i]; });
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "history",
    .about = "runs of the same work in order of time: their labels, and which are compared",
    .min_runs = 1,
    .max_runs = any_number,
    .of_digests = true,
    .function = answer,
};

}  // namespace crema::query::history
