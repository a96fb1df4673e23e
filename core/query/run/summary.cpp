#include <algorithm>
#include <cmath>

#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/headlines.hpp"
#include "core/table/rows.hpp"

namespace crema::query::summary {

namespace {

/// Rounding, relative.
constexpr double same_within = 1e-6;

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const auto stored = [&](const Headline& h) -> const Stored* {
    const auto found = std::find_if(run.stored.begin(), run.stored.end(),
                                    [&](const Stored& s) { return s.id == h.id; });
    return found == run.stored.end() ? nullptr : &*found;
  };
  Table table;
  const std::vector<Headline> numbers = headlines(run, selection, options);
  Rows rows(table, numbers);
  rows.text("id", &Headline::id);
  rows.text("label", &Headline::label);
  rows.number("value", "as the row's unit", &Headline::value);
  rows.text("unit", &Headline::unit);
  rows.number(
      "stored", "as the row's unit",
      [&](const Headline& h) { return stored(h) == nullptr ? absent : stored(h)->value; },
      "the value stored in the bundle under this key");
  rows.flag(
      "stored_differs",
      [&](const Headline& h) {
        const double value = stored(h) == nullptr ? absent : stored(h)->value;
        if (is_absent(value)) return absent;
        // Written so that a value of ours that is missing differs, too.
        const double most = std::max(std::fabs(value), std::fabs(h.value));
        return std::fabs(value - h.value) <= same_within * most ? 0.0 : 1.0;
      },
      "1 = the bundle states a value that differs by more than rounding");
  rows.text("better", [](const Headline& h) -> std::string_view {
    return h.better == Better::neither ? "" : h.better == Better::higher ? "higher" : "lower";
  });
  rows.text("formula", &Headline::formula);
  rows.text("note", &Headline::note);
  rows.text("group", &Headline::group);
  rows.flag("whole_run", &Headline::whole_run,
            "1 = of the whole run: the selection does not narrow it");
  rows.text("stored_key", [&](const Headline& h) {
    return stored(h) == nullptr ? std::string_view{} : stored(h)->key;
  });
  if (!selection.empty())
    table.note("selection",
               "numbers from chunks and worker series follow the selection; coffea's totals and "
               "fine metrics are of the whole run");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "summary",
    .about = "the headline numbers, with formulas",
    .options = {&runtime::processor_option},
    .narrowed_by = all_dimensions & ~Selection::by_prefix,
    .function = answer,
};

}  // namespace crema::query::summary
