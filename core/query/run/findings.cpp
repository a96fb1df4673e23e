#include <nlohmann/json.hpp>

#include "core/diagnose/finding.hpp"
#include "core/query/question.hpp"
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

/// What can cost time and would leave no trace in this recording.
std::string not_seen(const Run& run) {
  std::string list;
  const auto add = [&](bool is_missing, std::string_view what) {
    if (is_missing) (list += list.empty() ? "cannot be seen in this recording: " : "; ") += what;
  };
  add(!run.warnings_recorded && run.chunks.size() > 0,
      "workers that paused, collected garbage or were blocked (crema.record keeps their warnings)");
  add(run.tasks.size() == 0, "single tasks, and which worker ran a chunk (the task stream)");
  add(run.call_trees.empty(), "functions (a profile)");
  add(run.ticks.empty(), "memory and CPU of workers (tracking)");
  return list;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Run::Window window = run.window();
  const double cores = core_time(run, WorkerSelection(run, {}), window.begin, window.end).cores;
  Table table;
  Rows rows(table, find_findings(run, options));
  rows.text("id", &Finding::id);
  rows.text("severity", [](const Finding& f) { return name_of(f.severity); });
  rows.text("title", &Finding::title);
  rows.text("evidence", &Finding::evidence);
  rows.number("gain_core_seconds", "s", &Finding::gain_core_seconds,
              "what a replay of the run without the cause wins at most; stakes overlap and do not "
              "add up");
  rows.number(
      "gain_elapsed", "s", [&](const Finding& f) { return ratio(f.gain_core_seconds, cores); },
      "core-time at stake / cores (time average)");
  rows.text("view", &Finding::view);
  rows.text("selection", [](const Finding& f) { return selection_json(f.selection); });
  if (const std::string unseen = not_seen(run); !unseen.empty()) table.note("not_seen", unseen);
  table.note("rules_checked", static_cast<double>(all_rules().size()));
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
