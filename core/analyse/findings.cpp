#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/analyse/finding.hpp"
#include "core/analyse/processor.hpp"
#include "core/analyse/questions.hpp"

namespace crema {

Facts::Facts(const Run& of, const Options& options)
    : run(of), budget(compute_budget(of, {}, options)), phases(find_phases(of)), tail(find_tail(of, ChunkSelection(of, {}))) {
  filled = std::any_of(phases.begin(), phases.end(), [](const Phase& p) { return p.full; });
  const Run::Window window = of.window();
  const CoreTime time = core_time(of, WorkerSelection(of, {}), window.begin, window.end);
  available = time.core_seconds;
  cores = time.cores;
  elapsed = window.end - window.begin;
  processor = find_processor(of, options).prefix;
  processor_seconds = processor == no_string ? absent : execute_seconds(of, processor);
  inside = budget.of("inside_process");
  if (processor != no_string) lost = find_lost_work(of, processor, processor_seconds);
}

namespace {

std::vector<Finding> made_findings(const Run& run, const Options& options) {
  const Facts facts(run, options);
  std::vector<Finding> found;
  for (const auto* rules : {&core_time_rules(), &worker_rules(), &chunk_rules(), &data_rules()}) {
    for (const Rule rule : *rules) {
      for (Finding& finding : rule(facts)) found.push_back(std::move(finding));
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
    const double x = value_or(a.gain_core_seconds, -1);
    const double y = value_or(b.gain_core_seconds, -1);
    return x != y ? x > y : a.severity > b.severity;
  });
  return found;
}

}  // namespace

const std::vector<Finding>& find_findings(const Run& run, const Options& options) {
  return run.memo.index<std::vector<Finding>>("findings|" + options.text("processor"),
                                              [&] { return made_findings(run, options); });
}

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

}  // namespace

Table findings(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
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

}  // namespace crema
