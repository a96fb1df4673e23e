#include <algorithm>

#include "core/query/question.hpp"
#include "core/runtime/core_time.hpp"
#include "core/table/rows.hpp"

namespace crema::query::phases {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  std::vector<Phase> shown = find_phases(*runs[0]);
  if (selection.time) {
    std::erase_if(shown, [&](const Phase& p) {
      return p.t1 <= selection.time->begin || p.t0 >= selection.time->end;
    });
  }
  const auto seconds = [&](const Phase& p) {
    return !selection.time
               ? p.t1 - p.t0
               : std::min(p.t1, selection.time->end) - std::max(p.t0, selection.time->begin);
  };
  double all = 0;
  for (const Phase& p : shown) all += seconds(p);
  Table table;
  Rows rows(table, shown);
  rows.text("phase", &Phase::name);
  rows.number("t0", "s", &Phase::t0);
  rows.number("t1", "s", &Phase::t1);
  rows.number("seconds", "s", seconds, "t1 − t0, cut to the selected time");
  rows.number(
      "share", "1", [&](const Phase& p) { return ratio(seconds(p), all); }, "seconds / Σ seconds");
  rows.number("core_seconds", "s", &Phase::core_seconds, "available in the phase");
  rows.text("note", &Phase::note);
  if (!selection.empty())
    table.note("selection",
               "phases are those of the whole run: a time range keeps those it overlaps, nothing "
               "else narrows them");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "phases",
    .about = "the phases of the run, from waiting for workers to the end",
    .narrowed_by = Selection::by_time,
    .function = answer,
};

}  // namespace crema::query::phases
