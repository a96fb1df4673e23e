// What a good run would not have needed, and what explains it: `excess`.
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::excess {

using namespace diagnose;

static std::string causes_of(const ExcessPart& part) {
  std::string list;
  for (const ExcessPart::Explained& one : part.by)
    list += (list.empty() ? "" : ", ") + std::string(id_of(one.cause));
  return list;
}

const Columns<ExcessPart> columns = {
    {"part", [](const ExcessPart& part) { return fields_of(part.kind).id; }},
    {"label",
     [](const ExcessPart& part) {
       return part.idle            ? std::string(idle_causes[static_cast<std::size_t>(*part.idle)])
              : part.label.empty() ? std::string(fields_of(part.kind).label)
                                   : part.label;
     }},
    {"core_seconds", "s", &ExcessPart::core_seconds, "as in budget"},
    {"baseline", "s", [](const ExcessPart& part) { return part.baseline(); },
     "what a good run would have needed, estimated within the run: core_seconds − excess"},
    {"excess", "s", [](const ExcessPart& part) { return part.excess(); }, "explained + unknown"},
    {"explained", "s", [](const ExcessPart& part) { return part.explained(); },
     "by findings, the largest saving first; none of it twice"},
    {"unknown", "s", &ExcessPart::unknown, "what no finding explains"},
    {"causes", causes_of},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const std::vector<ExcessPart> parts = excess_account(*runs[0], selection, options);
  double all = 0, excess = 0, unknown = 0;
  for (const ExcessPart& part : parts) {
    all += part.core_seconds;
    excess += part.excess();
    unknown += part.unknown;
  }
  Table table = columns.table(parts);
  table.note("excess", excess);
  table.note("unknown", unknown);
  table.note("unknown_share", ratio(unknown, all));
  if (!selection.empty()) say(table, notes::excess_is_whole);
  return table;
}

extern const Question question{
    .name = "excess",
    .about =
        "what a good run would not have needed of the core-time, and which findings explain it",
    .options = {&runtime::processor_option},
    .narrowed_by = chunk_dimensions | Selection::by_worker,
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::excess
