#include <nlohmann/json.hpp>

#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/findings_text.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::findings {

namespace {

// As Session::ask reads it.
std::string selection_json(const Selection& selection) {
  nlohmann::json json = nlohmann::json::object();
  if (selection.time) json["time"] = {selection.time->begin, selection.time->end};
  const auto list = [&](const char* key, const std::vector<std::string>& values) {
    if (!values.empty()) json[key] = values;
  };
  list("workers", selection.workers);
  list("datasets", selection.datasets);
  list("files", selection.files);
  list("hosts", selection.hosts);
  list("prefixes", selection.prefixes);
  for (const auto& range : selection.ranges)
    json["ranges"].push_back({{"column", range.column}, {"lo", range.lo}, {"hi", range.hi}});
  return json.dump();
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Run::Window window = run.window();
  const double cores = core_time(run, WorkerSelection(run, {}), window.begin, window.end).cores;
  Table table;
  struct Row {
    const Finding& finding;
    FindingText text;
  };
  std::vector<Row> found;
  for (const Finding& finding : find_findings(run, options))
    found.push_back({finding, text_of(finding)});
  Rows rows(table, found);
  rows.text("id", [](const Row& row) { return id_of(row.finding.cause); });
  rows.text("severity", [](const Row& row) { return name_of(*row.finding.severity); });
  rows.text("title", [](const Row& row) -> std::string_view { return row.text.title; });
  rows.text("evidence", [](const Row& row) -> std::string_view { return row.text.evidence; });
  rows.number(
      "gain_core_seconds", "s", [](const Row& row) { return row.finding.gain_core_seconds; },
      "what a replay of the run without the cause saves at most; savings overlap and do "
      "not add up");
  rows.number(
      "gain_elapsed", "s",
      [&](const Row& row) { return ratio(row.finding.gain_core_seconds, cores); },
      "saved core-time / cores (time average)");
  rows.text("view", [](const Row& row) { return fields_of(row.finding.cause).view; });
  rows.text("selection", [](const Row& row) { return selection_json(row.finding.selection); });
  if (const std::string unseen = unseen_text(run); !unseen.empty()) table.note("not_seen", unseen);
  table.note("rules_checked", static_cast<double>(all_causes.size()));
  if (run.chunks.size() > 0 && run.chunks.size() < enough_chunks) {
    table.note("few_chunks", "with fewer than 30 chunks nothing is said about their distribution");
  }
  if (!selection.empty())
    table.note("selection", "findings are about the whole run: a selection does not narrow them");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "findings",
    .about = "what is worth changing, most core-time first",
    .options = {&runtime::processor_option},
    .function = answer,
};

}  // namespace crema::query::findings
