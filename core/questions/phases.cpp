#include "core/facts/phases.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::phases {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  Table table;
  const auto phase = table.add_text("phase");
  const auto t0 = table.add_number("t0", "s");
  const auto t1 = table.add_number("t1", "s");
  const auto core_seconds = table.add_number("core_seconds", "s", "available in the phase");
  const auto note = table.add_text("note");
  for (const Phase& p : find_phases(*runs[0])) {
    if (selection.time && (p.t1 <= selection.time->begin || p.t0 >= selection.time->end)) continue;
    table.put(phase, p.name);
    table.put(t0, p.t0);
    table.put(t1, p.t1);
    table.put(core_seconds, p.core_seconds);
    table.put(note, p.note);
  }
  if (!selection.empty())
    table.note("selection", "phases are of the whole run: a time range keeps those it touches, nothing else narrows them");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "phases",
    .about = "from waiting for workers to the end",
    .narrowed_by = Selection::by_time,
    .function = answer,
};

}  // namespace crema::questions::phases
