// What to set otherwise in coffea and Dask, and what it is expected to win: `advice`.
#include "core/diagnose/advice.hpp"

#include "core/compare/pace.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::advice {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  Table table;
  const std::vector<Advice> found = find_advice(run, options);
  const auto told = [](double Prediction::*member) {
    return [member](const Advice& advice) { return advice.told.*member; };
  };
  Rows rows(table, found);
  rows.text("setting", &Advice::setting);
  rows.text("now", &Advice::now);
  rows.text("code", &Advice::code);
  rows.number("gain_core_seconds", "s", &Advice::gain,
              "core-time as recorded − with the setting: at its likely value, else at the middle "
              "of the band");
  rows.text("certainty", [](const Advice& a) -> std::string_view { return a.certainty; });
  rows.number("cores", "count", &Advice::cores);
  rows.number("elapsed", "s", told(&Prediction::likely), "by the model of whatif and chunk_sizes");
  rows.number("elapsed_low", "s", told(&Prediction::low), "the best case of the same");
  rows.number("elapsed_high", "s", told(&Prediction::high), "the worst case of the same");
  rows.text("finding", &Advice::finding);
  rows.text("why", &Advice::why);
  rows.text("assumed", [](const Advice& a) -> std::string_view { return a.told.assumed; });
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
