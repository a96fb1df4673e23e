#include <algorithm>

#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/table/rows.hpp"

namespace crema::query::runs {

namespace {

Table answer(std::span<const Run* const> open, const Selection&, const Options&) {
  /// A run, and its files: which were read, and their size.
  struct Open {
    const Run* run;
    std::string files;
    double bytes = 0;
  };
  std::vector<Open> all;
  for (const Run* run : open) {
    Open& one = all.emplace_back(Open{run, {}});
    for (const Source& source : run->sources) {
      one.bytes += value_or(source.size, 0);
      if (!source.format.empty()) one.files += (one.files.empty() ? "" : ", ") + source.path;
    }
  }
  Table table;
  Rows rows(table, all);
  rows.number("run", "count", [](const Open& o) { return o.run->number; });
  rows.text("title", [](const Open& o) -> std::string_view { return o.run->title; });
  rows.text("source_files", &Open::files);
  rows.text("schema", [](const Open& o) -> std::string_view { return o.run->schema; });
  rows.number(
      "started_at", "epoch s", [](const Open& o) { return o.run->clock.zero_epoch; },
      "wall-clock time of run-axis 0: first tick, or first chunk");
  rows.number(
      "time_zone_offset", "s", [](const Open& o) { return o.run->clock.zone_offset; },
      "scheduler's local time − UTC");
  rows.number(
      "elapsed", "s", [](const Open& o) { return o.run->window().end; },
      "t1 − t0, or to the last of what was recorded");
  rows.number(
      "started_naive", "s", [](const Open& o) { return o.run->clock.zero_naive; },
      "scheduler's local time of run-axis 0, as if it were UTC");
  rows.text("recorded_at", [](const Open& o) -> std::string_view { return o.run->recorded_at; });
  rows.text("clock_basis", [](const Open& o) -> std::string_view { return o.run->clock.basis; });
  rows.number("workers", "count", [](const Open& o) { return o.run->workers.size(); });
  rows.number("chunks", "count", [](const Open& o) { return recorded_num_chunks(*o.run); });
  rows.flag(
      "digest", [](const Open& o) { return o.run->is_digest(); },
      "1 = what was kept of a run, not its recording");
  rows.number(
      "damaged", "count",
      [](const Open& o) {
        const auto& notes = o.run->data_notes;
        return std::count_if(notes.begin(), notes.end(), [](const DataNote& note) {
          return note.severity == Severity::high && !note.file.empty();
        });
      },
      "grave data notes about files, which were read in part only");
  rows.number("bytes", "byte", &Open::bytes, "size of the source files, as far as it is known");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "runs",
    .about = "the open runs",
    .min_runs = 0,
    .max_runs = any_number,
    .of_digests = true,
    .function = answer,
};

}  // namespace crema::query::runs
