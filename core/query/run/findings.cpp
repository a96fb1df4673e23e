// What is worth changing: `findings`, what they can name: `rules`, and settings: `advice`.
#include <nlohmann/json.hpp>

#include "core/compare/speed_ratio.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/diagnosis_text.hpp"
#include "core/report/findings_text.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::findings {

// As Session::ask reads it.
static std::string selection_json(const Selection& selection) {
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

struct Row {
  const Finding* finding;
  FindingText text;
};

/// Savings of elapsed time are of so many cores.
const Columns<Row, double> columns = {
    {"id", [](const Row& row) { return id_of(row.finding->cause); }},
    {"severity", [](const Row& row) { return name_of(*row.finding->severity); }},
    {"title", [](const Row& row) -> std::string_view { return row.text.title; }},
    {"evidence", [](const Row& row) -> std::string_view { return row.text.evidence; }},
    {"gain_core_seconds", "s", [](const Row& row) { return row.finding->gain_core_seconds; },
     "what a replay of the run without the cause saves at most; savings overlap and do not add up"},
    {"gain_elapsed", "s",
     [](const Row& row, double cores) { return ratio(row.finding->gain_core_seconds, cores); },
     "saved core-time / cores (time average)"},
    {"grounds", [](const Row& row) { return name_of(row.finding->grounds); }},
    {"view", [](const Row& row) { return fields_of(row.finding->cause).view; }},
    {"selection", [](const Row& row) { return selection_json(row.finding->selection); }},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const Run& run = *runs[0];
  const Run::Window window = run.window();
  std::vector<Row> found;
  for (const Finding& finding : find_findings(run, options))
    found.push_back({&finding, text_of(finding)});
  Table table = columns.table(
      found, core_time(run, WorkerSelection(run, {}), window.begin, window.end).cores);
  if (const std::string unseen = unseen_text(run); !unseen.empty()) table.note("not_seen", unseen);
  table.note("rules_checked", static_cast<double>(all_causes.size()));
  if (run.chunks.size() > 0 && run.chunks.size() < enough_chunks) {
    say(table, notes::few_chunks);
  }
  if (!selection.empty()) say(table, notes::findings_are_whole);
  return table;
}

extern const Question question{
    .name = "findings",
    .about = "what is worth changing, most core-time first",
    .options = {&runtime::processor_option},
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::findings

namespace crema::query::rules {

const Columns<CauseFields, Run> columns = {
    {"id", &CauseFields::id},
    {"looks_at", &CauseFields::looks_at},
    {"view", &CauseFields::view},
    {"needs", [](const CauseFields& c) { return name_of(c.needs); }},
    {"grounds", [](const CauseFields& c) { return name_of(c.grounds); }},
    {"rivals", [](const CauseFields& c) { return rivals_text(c.cause); }},
    {"recorded", as_flag,
     [](const CauseFields& c, const Run& run) { return is_recorded(run, c.needs); },
     "0 = the recording lacks what the rule needs, so it was not checked"},
};

static Table answer(std::span<const Run* const> runs, const Selection&, const Options&) {
  return columns.table(std::vector<CauseFields>(all_causes.begin(), all_causes.end()), *runs[0]);
}

extern const Question question{
    .name = "rules",
    .about =
        "what findings can name: each cause, what its rule looks at, and whether the recording has "
        "what it needs",
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::rules

namespace crema::query::advice {

const Columns<Advice> columns = {
    {"setting", [](const Advice& a) { return fields_of(a.setting).name; }},
    {"now", &Advice::now},
    {"code", &Advice::code},
    {"gain_core_seconds", "s", &Advice::gain,
     "core-time as recorded − with the setting: at its likely value, else at the middle of the "
     "band"},
    {"certainty", [](const Advice& a) { return name_of(a.certainty); }},
    {"cores", "count", &Advice::cores},
    {"elapsed", "s", [](const Advice& a) { return a.expected.likely; },
     "by the model of whatif and chunk_sizes"},
    {"elapsed_low", "s", [](const Advice& a) { return a.expected.low; },
     "the best case of the same"},
    {"elapsed_high", "s", [](const Advice& a) { return a.expected.high; },
     "the worst case of the same"},
    {"finding", [](const Advice& a) { return id_of(a.finding.cause); }},
    {"why", [](const Advice& a) { return text_of(a.finding).title; }},
    {"assumed", assumption_of},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const Run& run = *runs[0];
  const std::vector<Advice> found = find_advice(run, options);
  Table table = columns.table(found);
  if (const std::string code = code_block(run, options, found); !code.empty())
    table.note("code", code);
  if (run.chunks.size() == 0) say(table, notes::no_chunks);
  if (!selection.empty()) say(table, notes::advice_is_whole);
  return table;
}

extern const Question question{
    .name = "advice",
    .about =
        "settings of coffea and Dask that are worth changing, largest saving first: code to paste, "
        "its expected effect, and why",
    .options = {&runtime::processor_option, &run_spread_option},
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::advice
