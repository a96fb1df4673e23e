// What to set otherwise in coffea and Dask, and what it is expected to win: `advice`.
#include "core/compare/speed_ratio.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/advice_text.hpp"
#include "core/report/findings_text.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::advice {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  Table table;
  const std::vector<Advice> found = find_advice(run, options);
  const auto expected = [](double Prediction::*member) {
    return [member](const Advice& advice) { return advice.expected.*member; };
  };
  Rows rows(table, found);
  rows.text("setting", [](const Advice& a) { return fields_of(a.setting).name; });
  rows.text("now", &Advice::now);
  rows.text("code", &Advice::code);
  rows.number("gain_core_seconds", "s", &Advice::gain,
              "core-time as recorded − with the setting: at its likely value, else at the middle "
              "of the band");
  rows.text("certainty", [](const Advice& a) { return name_of(a.certainty); });
  rows.number("cores", "count", &Advice::cores);
  rows.number("elapsed", "s", expected(&Prediction::likely),
              "by the model of whatif and chunk_sizes");
  rows.number("elapsed_low", "s", expected(&Prediction::low), "the best case of the same");
  rows.number("elapsed_high", "s", expected(&Prediction::high), "the worst case of the same");
  rows.text("finding", [](const Advice& a) { return id_of(a.finding.cause); });
  rows.text("why", [](const Advice& a) { return text_of(a.finding).title; });
  rows.text("assumed", [](const Advice& a) { return assumption_of(a); });
  if (const std::string code = code_block(run, options, found); !code.empty())
    table.note("code", code);
  if (run.chunks.size() == 0) table.note("missing", missing::chunks);
  if (!selection.empty()) table.note("selection", "advice is about the whole run");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "advice",
    .about =
        "settings of coffea and Dask that are worth changing, largest saving first: code to paste, "
        "its expected effect, and why",
    .options = {&runtime::processor_option, &run_spread_option},
    .function = answer,
};

}  // namespace crema::query::advice
