// The open runs and their files: `runs`, `sources`.
#include <algorithm>

#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::runs {

/// A run, and its files: which were read, and their size.
struct Open {
  const Run* run;
  std::string files{};
  double bytes = 0;
};

static double damaged_files(const Run& run) {
  return static_cast<double>(std::count_if(
      run.data_notes.begin(), run.data_notes.end(),
      [](const DataNote& note) { return note.severity == Severity::high && !note.file.empty(); }));
}

const Columns<Open> columns = {
    {"run", "count", [](const Open& o) { return o.run->number; }},
    {"title", [](const Open& o) -> std::string_view { return o.run->title; }},
    {"source_files", &Open::files},
    {"schema", [](const Open& o) -> std::string_view { return o.run->schema; }},
    {"started_at", "epoch s", [](const Open& o) { return o.run->clock.zero_epoch; },
     "wall-clock time of run-axis 0: first tick, or first chunk"},
    {"time_zone_offset", "s", [](const Open& o) { return o.run->clock.zone_offset; },
     "scheduler's local time − UTC"},
    {"elapsed", "s", [](const Open& o) { return o.run->window().end; },
     "t1 − t0, or to the last of what was recorded"},
    {"started_naive", "s", [](const Open& o) { return o.run->clock.zero_naive; },
     "scheduler's local time of run-axis 0, as if it were UTC"},
    {"recorded_at", [](const Open& o) -> std::string_view { return o.run->recorded_at; }},
    {"clock_basis", [](const Open& o) -> std::string_view { return o.run->clock.basis; }},
    {"workers", "count", [](const Open& o) { return o.run->workers.size(); }},
    {"chunks", "count", [](const Open& o) { return recorded_num_chunks(*o.run); }},
    {"digest", as_flag, [](const Open& o) { return o.run->is_digest(); },
     "1 = what was kept of a run, not its recording"},
    {"running", as_flag, [](const Open& o) { return o.run->recording.index.is_running; },
     "1 = when it was read its recording had not ended"},
    {"damaged", "count", [](const Open& o) { return damaged_files(*o.run); },
     "files that were read in part only, by data notes of high severity"},
    {"bytes", "byte", &Open::bytes, "size of the source files, as far as it is known"},
};

static Table answer(std::span<const Run* const> open, const Selection&, const Options&) {
  std::vector<Open> all;
  for (const Run* run : open) {
    Open& one = all.emplace_back(Open{run});
    for (const Source& source : run->sources) {
      one.bytes += value_or(source.size, 0);
      if (!source.format.empty()) one.files += (one.files.empty() ? "" : ", ") + source.path;
    }
  }
  return columns.table(all);
}

extern const Question question("runs", "the open runs", columns, answer,
                               {.run_count = {0, any_number}, .of_digests = true});

}  // namespace crema::query::runs

namespace crema::query::sources {

const Columns<Source> columns = {
    {"file", &Source::path},
    {"size", "byte", &Source::size},
    {"format", &Source::format},
    {"schema", &Source::schema},
};

static Table answer(const Run& run, const Selection&, const Options&) {
  return columns.table(run.sources);
}

extern const Question question("sources", "the files of a run, and the format each was read as",
                               columns, answer, {.of_digests = true});

}  // namespace crema::query::sources
