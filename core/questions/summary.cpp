#include <algorithm>

#include "core/facts/headlines.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::summary {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  Table table;
  const auto id = table.add_text("id");
  const auto label = table.add_text("label");
  const auto value = table.add_number("value", "as the row's unit");
  const auto unit = table.add_text("unit");
  const auto stored = table.add_number("stored", "as the row's unit", "what the bundle itself states under this key");
  const auto formula = table.add_text("formula");
  const auto note = table.add_text("note");
  const auto group = table.add_text("group");
  const auto whole = table.add_flag("whole_run", "1 = of the whole run: the selection does not narrow it");
  const auto key = table.add_text("stored_key");
  for (const Headline& h : headlines(run, selection, options)) {
    const auto in_bundle = std::find_if(run.stored.begin(), run.stored.end(), [&](const Stored& s) { return s.id == h.id; });
    table.put(id, h.id);
    table.put_present(label, h.label);
    table.put(value, h.value);
    table.put_present(unit, h.unit);
    table.put(stored, in_bundle == run.stored.end() ? absent : in_bundle->value);
    table.put_present(formula, h.formula);
    table.put_present(note, h.note);
    table.put_present(group, h.group);
    table.put(whole, h.whole_run ? 1 : 0);
    table.put_present(key, in_bundle == run.stored.end() ? std::string() : in_bundle->key);
  }
  if (!selection.empty())
    table.note(
        "selection",
        "numbers from chunks and worker series follow the selection; coffea's totals and fine metrics are of the whole run");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "summary",
    .about = "the headline numbers, with formulas",
    .options = {&facts::processor_option},
    .narrowed_by = all_dimensions & ~Selection::by_prefix,
    .function = answer,
};

}  // namespace crema::questions::summary
