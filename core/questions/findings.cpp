#include <nlohmann/json.hpp>

#include "core/facts/cores.hpp"
#include "core/facts/finding.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::findings {

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
  const auto id = table.add_text("id");
  const auto severity = table.add_text("severity");
  const auto title = table.add_text("title");
  const auto evidence = table.add_text("evidence");
  const auto core_seconds = table.add_number("gain_core_seconds", "s", "core-time at stake; stakes overlap and do not add up");
  const auto elapsed = table.add_number("gain_elapsed", "s", "core-time at stake / cores (time average)");
  const auto view = table.add_text("view");
  const auto where = table.add_text("selection");
  for (const Finding& f : find_findings(run, options)) {
    table.put(id, f.id);
    table.put(severity, name_of(f.severity));
    table.put(title, f.title);
    table.put(evidence, f.evidence);
    table.put(core_seconds, f.gain_core_seconds);
    table.put(elapsed, ratio(f.gain_core_seconds, cores));
    table.put(view, f.view);
    table.put(where, selection_json(f.selection));
  }
  std::size_t checked = 0;
  for (const auto* rules : {&core_time_rules(), &worker_rules(), &chunk_rules(), &data_rules()}) checked += rules->size();
  table.note("rules_checked", static_cast<double>(checked));
  if (run.chunks.size() > 0 && run.chunks.size() < enough_chunks) {
    table.note("few_chunks", "with fewer than 30 chunks nothing is said about their distribution");
  }
  if (!selection.empty()) table.note("selection", "findings are about the whole run: a selection does not narrow them");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "findings",
    .about = "what is worth acting on, most core-time first",
    .options = {&facts::processor_option},
    .function = answer,
};

}  // namespace crema::questions::findings
