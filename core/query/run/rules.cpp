#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/findings_text.hpp"
#include "core/table/rows.hpp"

namespace crema::query::rules {

namespace {

Table answer(std::span<const Run* const> runs, const Selection&, const Options&) {
  const std::vector<CauseFields> causes(all_causes.begin(), all_causes.end());
  Table table;
  Rows rows(table, causes);
  rows.text("id", &CauseFields::id);
  rows.text("looks_at", &CauseFields::looks_at);
  rows.text("view", &CauseFields::view);
  rows.text("needs", [](const CauseFields& c) { return name_of(c.needs); });
  rows.flag(
      "recorded", [&](const CauseFields& c) { return is_recorded(*runs[0], c.needs); },
      "0 = the recording lacks what the rule needs, so it was not checked");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "rules",
    .about =
        "what findings can name: each cause, what its rule looks at, and whether the recording "
        "has what it needs",
    .function = answer,
};

}  // namespace crema::query::rules
