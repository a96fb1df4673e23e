// What is worth changing: `findings`, what they can name: `rules`, and settings: `advice`.
// What went wrong, and what it cost: `failures`.
#include <nlohmann/json.hpp>

#include "core/base/order.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::findings {

// As Session::ask reads it.
static std::string selection_json(const Selection& selection) {
  nlohmann::json json = nlohmann::json::object();
  if (selection.time) json["time"] = {selection.time->begin, selection.time->end};
  for (const auto& [dimension, names] : Selection::all_names) {
    if (!(selection.*names).empty()) json[std::string(dimension)] = selection.*names;
  }
  for (const auto& range : selection.ranges)
    json["ranges"].push_back({{"column", range.column}, {"lo", range.lo}, {"hi", range.hi}});
  return json_of(json);
}

struct Row {
  const Finding* finding;
  FindingText text;
};

/// The part of process() that a finding names, for the picture that marks it; "" = none.
struct Place {
  std::string section, function;
};

static Place place_in(const Evidence& evidence) {
  if (const auto* e = evidence.as<WaitingTasks>())
    return {"", e->what == WaitingTasks::For::own_call ? e->function : ""};
  if (const auto* e = evidence.as<Lock>()) return {e->place.section, e->place.function};
  if (const auto* e = evidence.as<CpuContention>()) return {e->place.section, e->place.function};
  if (const auto* e = evidence.as<SlowGroup>())
    return {e->anomaly.section,
            e->anomaly.function.empty() ? e->function.name : e->anomaly.function};
  if (const auto* e = evidence.as<Stragglers>()) return {e->section, e->function.name};
  if (const auto* e = evidence.as<LargestPart>()) return {e->section, e->most.function.name};
  if (const auto* all = evidence.as<Measurements>()) {
    for (const Measurement& one : *all) {
      // "model (background.py:6)"
      if (const auto* name = std::get_if<std::string>(&one.value); name && one.name == "function")
        return {"", name->substr(0, name->find(" ("))};
    }
  }
  return {};
}

const Columns<Row> columns = {
    {"id", [](const Row& row) { return id_of(row.finding->cause); }},
    {"severity", [](const Row& row) { return name_of(*row.finding->severity); }},
    {"title", [](const Row& row) -> std::string_view { return row.text.title; }},
    {"evidence", [](const Row& row) -> std::string_view { return row.text.evidence; }},
    {"core_seconds", "s",
     [](const Row& row) { return row.finding->core_seconds + row.finding->idle_core_seconds; },
     "what it is about, recorded or bounded, with the cores that idled for it: of a fault its "
     "cost, of which a mended run still needs a part; costs overlap and do not add up"},
    {"gain_elapsed", "s", [](const Row& row) { return row.finding->gain_elapsed; },
     "elapsed time as recorded − that of a replay of the run without the cause, at most; savings "
     "overlap and do not add up"},
    {"gain_core_seconds", "s", [](const Row& row) { return row.finding->gain_core_seconds; },
     "what the same replay saves at most"},
    {"grounds", [](const Row& row) { return name_of(row.finding->grounds); }},
    {"view", [](const Row& row) { return fields_of(row.finding->cause).view; }},
    {"selection", [](const Row& row) { return selection_json(row.finding->selection); }},
    {"section", [](const Row& row) { return place_in(row.finding->evidence).section; }},
    {"function", [](const Row& row) { return place_in(row.finding->evidence).function; }},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  std::vector<Row> found;
  for (const Finding& finding : find_findings(run, options))
    found.push_back({&finding, text_of(finding)});
  Table table = columns.table(found);
  if (const std::string unseen = unseen_text(run); !unseen.empty()) table.note("not_seen", unseen);
  table.note("rules_checked", static_cast<double>(all_causes.size()));
  if (run.chunks.size() > 0 && run.chunks.size() < enough_chunks) {
    say(table, notes::few_chunks);
  }
  if (!selection.empty()) say(table, notes::findings_are_whole);
  return table;
}

extern const Question question("findings", "what is worth changing, most core-time first", columns,
                               answer, {.options = {&runtime::processor_option}});

}  // namespace crema::query::findings

namespace crema::query::ruled_out {

struct Row {
  double place;
  const Finding* finding;
  LookedAt one;
};

static std::string_view label_of(const LookedAt& one) {
  return one.suspect ? fields_of(*one.suspect).label : fields_of(*one.rival).looks_at;
}

const Columns<Row> columns = {
    {"place", "count", &Row::place, "row of the finding in `findings`, from 0"},
    {"finding", [](const Row& row) { return id_of(row.finding->cause); }},
    {"state", [](const Row& row) { return name_of(row.one.state); }},
    {"id",
     [](const Row& row) {
       return row.one.suspect ? fields_of(*row.one.suspect).id : id_of(*row.one.rival);
     }},
    {"label", [](const Row& row) { return label_of(row.one); }},
    {"core_seconds", "s", [](const Row& row) { return row.one.core_seconds; },
     "all of it, at most, in what the finding is about; of idle cores × all cores; what is ruled "
     "out is at most a tenth of the finding's cost"},
    {"share", "1", [](const Row& row) { return row.one.share; },
     "of memory: largest memory of a worker / its limit, below the share from which Dask writes "
     "to disk"},
    {"text", [](const Row& row) { return looked_at_text(*row.finding, row.one); }},
};

static Table answer(const Run& run, const Selection&, const Options& options) {
  std::vector<Row> rows;
  double place = 0;
  const RivalAmounts amounts(run);
  for (const Finding& finding : find_findings(run, options)) {
    for (const LookedAt& one : amounts.looked_at_beside(finding))
      rows.push_back({place, &finding, one});
    place += 1;
  }
  return columns.table(rows);
}

extern const Question question(
    "ruled_out",
    "of each finding what else could have cost as much: what is ruled out, open, and not recorded",
    columns, answer, {.options = {&runtime::processor_option}});

}  // namespace crema::query::ruled_out

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

static Table answer(const Run& run, const Selection&, const Options&) {
  return columns.table(std::vector<CauseFields>(all_causes.begin(), all_causes.end()), run);
}

extern const Question question(
    "rules",
    "what findings can name: each cause, what its rule looks at, and whether the recording has "
    "what it needs",
    columns, answer);

}  // namespace crema::query::rules

namespace crema::query::advice {

const Columns<Advice> columns = {
    {"setting", [](const Advice& a) { return fields_of(a.setting).name; }},
    {"now", &Advice::now},
    {"code", &Advice::code},
    {"gain_core_seconds", "s", &Advice::gain,
     "core-time as recorded − with the setting: at its likely value, else at the geometric "
     "middle of the band, and no more than the finding's"},
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

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::vector<Advice> found = find_advice(run, options);
  Table table = columns.table(found);
  if (const std::string code = code_block(run, options, found); !code.empty())
    table.note("code", code);
  if (run.chunks.size() == 0) say(table, notes::no_chunks);
  if (!selection.empty()) say(table, notes::advice_is_whole);
  return table;
}

extern const Question question(
    "advice",
    "settings of coffea and Dask that are worth changing, largest saving first: code to paste, "
    "its expected effect, and why",
    columns, answer, {.options = {&runtime::processor_option, &run_spread_option}});

}  // namespace crema::query::advice

namespace crema::query::failures {

const Columns<Failed> columns = {
    {"task", as_given, &Failed::prefix},
    {"exception", as_given, &Failed::exception},
    {"message", as_given, &Failed::message},
    {"frame", &Failed::frame},
    {"attempts", "count", &Failed::attempts, "that failed so"},
    {"items", "count", &Failed::items, "distinct pieces of work among them"},
    {"recovered", "count", &Failed::recovered, "items of which another attempt succeeded"},
    {"skipped", "count", &Failed::skipped, "attempts after which their chunk or file was left out"},
    {"repeated", "count", [](const Failed& f) { return static_cast<double>(f.repeated.size()); },
     "items that failed so twice or more, and neither ended well nor were given up"},
    {"lost", "count", &Failed::lost, "attempts whose worker went without a word"},
    {"core_seconds", "s", &Failed::core_seconds, "Σ duration of the attempts"},
    {"files", "count", &Failed::files},
    {"workers", "count", &Failed::workers},
    {"dataset", &Failed::dataset},
    {"file", &Failed::file},
    {"entry_start", "count", &Failed::entry_start, "of the first attempt, as dataset and file"},
    {"entry_stop", "count", &Failed::entry_stop, "of the first attempt"},
    {"first", "s", &Failed::first, "when the first attempt began"},
    {"last", "s", &Failed::last, "when the last attempt began"},
    {"text", [](const Failed& f) { return failure_text(f); }},
    {"advice", [](const Failed& f) { return failure_advice(f); }},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  const std::vector<Failed> found = find_failures(run, selection);
  Table table = columns.table(found);
  if (!found.empty()) table.note("headline", failures_headline(found));
  if (const auto gone = gone_workers(run, selection); !gone.empty())
    table.note("workers", gone_text(run, gone));
  if (run.recording.tasks.size() + run.tasks.size() == 0) say(table, notes::no_attempts);
  return table;
}

extern const Question question(
    "failures", "each way in which tasks failed: exception, line, how often, and what it cost",
    columns, answer,
    {.narrowed_by = Selection::by_time | Selection::by_worker | Selection::by_dataset |
                    Selection::by_file | Selection::by_prefix});

}  // namespace crema::query::failures

// What sets selected chunks apart: `why`.
namespace crema::query::why {

using Row = FeatureAssociation;
const Columns<Row> columns = {
    {"feature", [](const Row& row) -> std::string_view { return row.feature->name; }},
    {"value", value_text},
    {"selected", "count", &Row::selected, "selected chunks of that value"},
    {"of_all", "count", &Row::of_all, "all chunks of that value"},
    {"lift", "1", &Row::lift, "selected / of_all, by the same of all chunks"},
    {"explained", "1", &Row::explained,
     "mutual information of feature and selection / entropy of the selection, less what "
     "chance gives"},
    {"p_value", "1", &Row::p_value, "how often chance alone separates them as much"},
    {"significant", as_flag, &Row::is_significant,
     "beyond chance; at most 5 % of such rows are false"},
    {"p_value_then", "1", &Row::p_value_then,
     "the same among chunks that began at about the same time"},
    {"significant_then", as_flag, &Row::is_significant_then, "beyond chance at equal times, too"},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  const ChunkSelection chosen(run, selection);
  std::vector<bool> selected(run.chunks.size());
  for (std::size_t i = 0; i < selected.size(); ++i) selected[i] = chosen[i];
  const auto count = static_cast<double>(std::count(selected.begin(), selected.end(), true));
  const double others = static_cast<double>(selected.size()) - count;
  std::vector<FeatureAssociation> found;
  if (count > 0 && others > 0) found = associate(run, features_beside(run, selection), selected);
  std::vector<double> ranks;
  for (const FeatureAssociation& of : found)
    ranks.push_back(value_or(of.explained, 0) + (of.is_significant ? 1 : 0));
  std::vector<FeatureAssociation> all;
  for (const std::uint32_t t : most_first(ranks)) all.push_back(found[t]);

  Table table = columns.table(all);
  note_chunk_selection(table, run, selection);
  table.note("selected", count);
  table.note("others", others);
  if (selected.empty()) say(table, notes::no_chunks);
  else if (count == 0) say(table, notes::nothing_selected);
  else if (others == 0) say(table, notes::all_selected);
  else table.note("verdict", verdict_text(all, count, others));
  return table;
}

extern const Question question(
    "why", "what sets the selected chunks apart from the others: each feature, ranked", columns,
    answer, {.narrowed_by = chunk_dimensions});

}  // namespace crema::query::why
