// The scheduler's own load: when its event loop is the limit, workers wait for tasks though there
// are some.
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::system {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const SystemLoad& load = runs[0]->system;
  const bool narrowed = selection.time.has_value();
  std::vector<std::size_t> moments;
  for (std::size_t i = 0; i < load.size(); ++i) {
    if (!narrowed || (load.t[i] >= selection.time->begin && load.t[i] <= selection.time->end))
      moments.push_back(i);
  }
  Table table;
  Rows rows(table, moments);
  const auto add = [&](const char* name, const char* unit, const std::vector<double>& values) {
    rows.number(name, unit, [&](std::size_t i) { return values[i]; });
  };
  add("t", "s", load.t);
  add("cpu", "1", load.cpu);
  add("memory", "byte", load.memory);
  add("network_read", "byte/s", load.network_read);
  add("network_write", "byte/s", load.network_write);
  add("disk_read", "byte/s", load.disk_read);
  add("disk_write", "byte/s", load.disk_write);
  add("open_files", "count", load.open_files);
  if (load.size() == 0) {
    table.note("missing",
               "the scheduler's load was not recorded; `with performance_report(filename=...)` "
               "around the run writes a page that "
               "has it");
  }
  Selection untimed = selection;
  untimed.time.reset();
  if (!untimed.empty())
    table.note("selection", "this is the machine of the scheduler: only a time range narrows it");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "system",
    .about = "the load of the scheduler's machine",
    .narrowed_by = Selection::by_time,
    .function = answer,
};

}  // namespace crema::query::system
