// Question `verdict`: the change between two runs in one sentence, and what it is made of.
#include "core/base/elementary.hpp"
#include "core/query/list.hpp"
#include "core/query/parts/comparison.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::verdict {

namespace {

constexpr std::string_view beside = "beside process()";

std::string_view kind_of(const Cause& cause) {
  switch (cause.kind) {
    case Cause::Kind::evenly: return "evenly";
    case Cause::Kind::unexplained: return "unexplained";
    case Cause::Kind::unpaired: return "unpaired";
    case Cause::Kind::function: return "own function";
    case Cause::Kind::elapsed: return "elapsed";
    case Cause::Kind::cores:
    case Cause::Kind::outside: return beside;
    case Cause::Kind::part: break;
  }
  switch (cause.part.id.kind) {
    case Effect::Kind::section: return "section";
    case Effect::Kind::cell: return "dataset and section";
    case Effect::Kind::file: return "file";
    case Effect::Kind::host: return "host";
    case Effect::Kind::worker: return "worker";
    case Effect::Kind::chunk: return "chunk";
    case Effect::Kind::dataset:
    case Effect::Kind::evenly: break;
  }
  return "dataset";
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Comparison made = compare_sides(runs, selection, options);
  const Explanation& e = made.explanation;
  Table table;
  std::vector<Cause> causes = e.causes;
  causes.insert(causes.end(), e.outside.causes.begin(), e.outside.causes.end());
  for (const ElapsedChange::Step& step : e.elapsed.steps) {
    causes.push_back({.kind = Cause::Kind::elapsed,
                      .label = step.label,
                      .seconds = absent,
                      .elapsed = step.seconds});
  }
  Rows rows(table, causes);
  rows.text("kind", [](const Cause& c) { return kind_of(c); });
  rows.any_text("label", [](const Cause& c) {
    return c.label + (c.likely.empty() ? "" : ", most likely " + c.likely);
  });
  rows.text("dataset", [](const Cause& c) -> std::string {
    return c.part.dataset ? RowId{RowGroup::dataset, RowId::Kind::part, *c.part.dataset}.label()
                          : "";
  });
  rows.text("section", [](const Cause& c) -> std::string {
    if (c.kind == Cause::Kind::function) return c.sections;
    return c.part.section ? row_of(*c.part.section).label() : "";
  });
  rows.text("file", [](const Cause& c) -> std::string_view {
    return c.part.id.kind == Effect::Kind::worker ? std::string_view() : c.part.id.place;
  });
  rows.number("seconds", "s", &Cause::seconds,
              "core-seconds more in B: evenly = those of A × (common factor − 1); of a part = its "
              "own, beyond the common factor and, of a section, beyond what all of its dataset "
              "did; unexplained = what is left. These sum to process_b − process_a, without own "
              "functions, which overlap them; beside process() = beyond what the factor makes of "
              "A's");
  rows.number(
      "in_b", "s",
      [](const Cause& c) { return c.kind == Cause::Kind::part ? c.part.seconds_b : absent; },
      "core-seconds of the part's compared chunks in B");
  rows.number("error", "s", &Cause::error, "standard error of seconds");
  rows.number("low", "s", &Cause::low,
              "of an own function and what it calls: what is certain where innermost frames cannot "
              "be told apart; absent where they leave it open, and sections say it");
  rows.number("high", "s", &Cause::high, "likewise: what is possible");
  rows.number(
      "elapsed", "s", &Cause::elapsed,
      "how much longer B ran by it: replays of A, with B's times in process(), then with one "
      "thing more of B at a time; not replayed = what is left of the change");
  rows.number(
      "share", "1",
      [&](const Cause& c) {
        return kind_of(c) == beside ? absent : ratio(c.seconds, e.b.process - e.a.process);
      },
      "seconds / change of the time in process()");
  rows.number(
      "ratio", "1",
      [&](const Cause& c) {
        return c.kind == Cause::Kind::evenly ? elementary::exp(e.speed.factor)
               : c.kind == Cause::Kind::part && std::isfinite(c.part.log_ratio)
                   ? elementary::exp(c.part.log_ratio)
                   : absent;
      },
      "of a part: in_b / (in_b − seconds); evenly: the common factor");
  rows.number(
      "chunks", "count",
      [](const Cause& c) {
        return c.kind == Cause::Kind::part ? static_cast<double>(c.part.chunks) : absent;
      },
      "chunks of B it is made of");
  table.note("sentence", made.words.sentence);
  table.note("limits", made.words.limits);
  table.note("elapsed_a", e.a.elapsed);
  table.note("elapsed_b", e.b.elapsed);
  table.note("process_a", e.a.process);
  table.note("process_b", e.b.process);
  table.note("common_factor", elementary::exp(e.speed.factor));
  table.note("common_factor_error", e.between.error);
  table.note("dataset_would_show", e.shown_dataset);
  table.note("section_would_show", e.shown_section);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "verdict",
    .about = "what changed between two runs: a sentence, and each part of the change",
    .options = {&runtime::processor_option, &runs_of_a_option, &run_spread_option},
    .narrowed_by = chunk_dimensions,
    .min_runs = 2,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::query::verdict
