// What changed between two runs, and where: each number, `compare`, and in one sentence with what
// it is made of, `verdict`.
#include "core/base/elementary.hpp"
#include "core/compare/sides.hpp"
#include "core/predict/prediction.hpp"
#include "core/query/question.hpp"
#include "core/report/comparison_text.hpp"

namespace crema::query::compare {

using Row = ComparedNumber;
const Columns<Row, Comparison> columns = {
    {"id", [](const Row& row) { return row.id.text(); }},
    {"group", [](const Row& row) { return name_of(row.id.group); }},
    {"label", [](const Row& row) { return label_of(row); }},
    {"a", "", [](const Row& row) { return row.a.value; }},
    {"b", "", [](const Row& row) { return row.b.value; }},
    {"a_text", [](const Row& row) -> std::string_view { return row.a.text; }},
    {"b_text", [](const Row& row) -> std::string_view { return row.b.text; }},
    {"delta", "", &Row::delta, "b − a; in groups that add up, a missing part counts as 0"},
    {"ratio", "1", [](const Row& row) { return ratio(row.b.value, row.a.value); }, "b / a"},
    {"unit", as_given, &Row::unit},
    {"expected", "", &Row::expected,
     "b if it had changed as all work did; missing where a itself is expected"},
    {"noise", "", &Row::noise, "standard error of b − expected (of b − a); missing where unknown"},
    {"noise_from", [](const Row& row,
                      const Comparison& of) { return noise_source_text(row, of.has_replicates); }},
    {"noteworthy", as_flag, &Row::noteworthy,
     "beyond noise with at most 5 % of such rows false; parts that are 0.5 % of the core-time, "
     "other changes that are 0.5 % of it or of the number; set-up: not equal; missing: noise "
     "unknown"},
    {"verdict", &Row::verdict},
    {"alike", &Row::alike},
    {"note",
     [](const Row& row, const Comparison& of) { return note_text(row.note, of.has_replicates); }},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const auto of_a = runs_of_a(options, runs.size());
  const Comparison made = compare_sides(runs, selection, options);
  const VerdictText words = in_words(made.explanation, runs, of_a, selection, options);
  Table table = columns.table(made.rows, made);
  table.note("a", side_text(runs.first(of_a)));
  table.note("b", side_text(runs.subspan(of_a)));
  table.note("sentence", words.verdict);
  table.note("limits", words.limits);
  table.note("noise", noise_text(runs.size()));
  if (!made.not_compared.empty()) table.note("not_compared", not_compared_text(made.not_compared));
  if (!selection.empty()) say(table, notes::narrowed_alike);
  return table;
}

extern const Question question(
    "compare", "every number of two runs, or of two groups of replicates, and whether it differs",
    columns, answer,
    {.options = {&runtime::processor_option, &per_option, &runs_of_a_option, &run_spread_option},
     .narrowed_by = compared_dimensions | Selection::by_prefix,
     .run_count = {2, any_number}});

}  // namespace crema::query::compare

namespace crema::query::verdict {

constexpr std::string_view beside = "beside process()";

static std::string_view kind_of(const Cause& cause) {
  switch (cause.kind) {
    case Cause::Kind::evenly: return "evenly";
    case Cause::Kind::unexplained: return "unexplained";
    case Cause::Kind::unpaired: return "unpaired";
    case Cause::Kind::function: return "own function";
    case Cause::Kind::elapsed: return "elapsed";
    case Cause::Kind::measured: return "measured";
    case Cause::Kind::cores:
    case Cause::Kind::outside: return beside;
    case Cause::Kind::part: break;
  }
  switch (cause.part.id.kind) {
    case Effect::Kind::section: return "section";
    case Effect::Kind::cell: return "dataset and section";
    case Effect::Kind::file:
    case Effect::Kind::other_files: return "file";
    case Effect::Kind::host: return "host";
    case Effect::Kind::worker: return "worker";
    case Effect::Kind::chunk: return "chunk";
    case Effect::Kind::first_chunks: return "first chunks";
    case Effect::Kind::dataset:
    case Effect::Kind::evenly: break;
  }
  return "dataset";
}

static double times_of(const Cause& c, double factor) {
  if (c.kind == Cause::Kind::evenly) return factor;
  return c.kind == Cause::Kind::part && std::isfinite(c.part.log_ratio)
             ? elementary::exp(c.part.log_ratio)
             : absent;
}

const Columns<Cause, Explanation> columns = {
    {"kind", kind_of},
    {"label", as_given,
     [](const Cause& c) {
       const std::string& likely = c.function.likely;
       return sentence({label_of(c), only_in_text(c.function),
                        likely.empty() ? "" : sentence({", most likely ", visible(likely)})});
     }},
    {"dataset",
     [](const Cause& c) -> std::string {
       return c.part.dataset ? RowId{RowGroup::dataset, RowId::Kind::part, *c.part.dataset}.label()
                             : "";
     }},
    {"section",
     [](const Cause& c) -> std::string {
       if (c.kind == Cause::Kind::function) return sections_text(c.function.sections);
       return c.part.section ? row_of(*c.part.section).label() : "";
     }},
    {"file",
     [](const Cause& c) -> std::string_view {
       return c.part.id.kind == Effect::Kind::worker ? std::string_view() : c.part.id.place;
     }},
    {"seconds", "s", &Cause::seconds,
     "core-seconds more in B: evenly = those of A × (common factor − 1); of a part = its own, "
     "beyond the common factor and, of a section, beyond what all of its dataset did; unexplained "
     "= what is left. These sum to process_b − process_a, without own functions, which overlap "
     "them, and are all of their change where no common factor is told; beside process() = beyond "
     "what the factor makes of A's; measured = what its tasks did more of, which sums to it as "
     "well"},
    {"in_b", "s",
     [](const Cause& c) { return c.kind == Cause::Kind::part ? c.part.seconds_b : absent; },
     "core-seconds of the part's compared chunks in B"},
    {"error", "s", &Cause::error, "standard error of seconds"},
    {"margin", "s",
     [](const Cause& c, const Explanation& e) {
       return c.kind == Cause::Kind::part     ? margin_of(e.speed, c.part)
              : c.kind == Cause::Kind::evenly ? z_95 * c.error
                                              : absent;
     },
     "of a part: what seconds must be beyond to be told, corrected for the number of parts; "
     "evenly: "
     "95 %"},
    {"low", "s", &Cause::low,
     "of an own function and what it calls: what is certain where innermost frames are ambiguous; "
     "absent where they leave it open, and sections say it"},
    {"high", "s", &Cause::high, "likewise: what is possible"},
    {"elapsed", "s", &Cause::elapsed,
     "how much longer B ran by it: replays of A, with B's times in process(), then with one thing "
     "more of B at a time; not replayed = what is left of the change"},
    {"share", "1",
     [](const Cause& c, const Explanation& e) {
       return kind_of(c) == beside ? absent : ratio(c.seconds, change_of(e));
     },
     "seconds / change of the time in process()"},
    {"ratio", "1",
     [](const Cause& c, const Explanation& e) {
       return times_of(c, elementary::exp(e.speed.factor));
     },
     "of a part: in_b / (in_b − seconds); evenly: the common factor"},
    {"chunks", "count",
     [](const Cause& c) {
       return c.kind == Cause::Kind::part ? static_cast<double>(c.part.chunks) : absent;
     },
     "chunks of B it is made of"},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const Comparison made = compare_sides(runs, selection, options);
  const Explanation& e = made.explanation;
  const VerdictText words = in_words(e, runs, runs_of_a(options, runs.size()), selection, options);
  std::vector<Cause> causes = e.causes;
  causes.insert(causes.end(), e.outside.causes.begin(), e.outside.causes.end());
  for (const ElapsedChange::Step& step : e.elapsed.steps) {
    causes.push_back({.kind = Cause::Kind::elapsed,
                      .seconds = absent,
                      .elapsed = step.seconds,
                      .step = step.kind});
  }
  for (const MeasuredTime& time : e.measured.times)
    causes.push_back({.kind = Cause::Kind::measured,
                      .seconds = time.seconds,
                      .error = time.error,
                      .measured = time});
  Table table = columns.table(causes, e);
  const ChangeLines lines = change_lines(e, runs, options);
  table.note("headline", lines.headline);
  table.note("line", lines.line);
  if (!lines.assumed.empty()) table.note("assumed", lines.assumed);
  if (!lines.missed.empty()) table.note("missed", lines.missed);
  table.note("sentence", words.verdict);
  table.note("limits", words.limits);
  table.note("elapsed_a", e.a.elapsed);
  table.note("elapsed_b", e.b.elapsed);
  table.note("process_a", e.a.process);
  table.note("process_b", e.b.process);
  table.note("process_change", change_of(e));
  table.note("common_factor", elementary::exp(e.speed.factor));
  table.note("common_factor_error", e.between.error);
  table.note("dataset_would_show", e.shown_dataset);
  table.note("section_would_show", e.shown_section);
  return table;
}

extern const Question question(
    "verdict", "what changed between two runs: a sentence, and each part of the change", columns,
    answer,
    {.options = {&runtime::processor_option, &runs_of_a_option, &run_spread_option},
     .narrowed_by = compared_dimensions,
     .run_count = {2, any_number}});

}  // namespace crema::query::verdict
