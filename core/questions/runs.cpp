#include "core/facts/report_counts.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::runs {

namespace {

Table answer(std::span<const Run* const> open, const Selection&, const Options&) {
  Table table;
  const auto number = table.add_number("run", "count");
  const auto title = table.add_text("title");
  const auto files = table.add_text("source_files");
  const auto schema = table.add_text("schema");
  const auto started = table.add_number("started_at", "epoch s", "wall-clock time of run-axis 0: first tick, or first chunk");
  const auto zone = table.add_number("time_zone_offset", "s", "scheduler's local time − UTC");
  const auto elapsed = table.add_number("elapsed", "s", "t1 − t0");
  const auto naive = table.add_number("started_naive", "s", "scheduler's local time of run-axis 0, as if it were UTC");
  const auto recorded = table.add_text("recorded_at");
  const auto clock = table.add_text("clock_basis");
  const auto worker_count = table.add_number("workers", "count");
  const auto chunk_count = table.add_number("chunks", "count");
  const auto bytes = table.add_number("bytes", "byte", "size of the source files, as far as it is known");
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Run& run = *open[i];
    std::string list;
    double size = 0;
    for (const Source& source : run.sources) {
      size += value_or(source.size, 0);
      if (!source.format.empty()) list += (list.empty() ? "" : ", ") + source.path;
    }
    table.put(number, static_cast<double>(run.number));
    table.put_present(title, run.title);
    table.put_present(files, list);
    table.put_present(schema, run.schema);
    table.put(started, run.clock.zero_epoch);
    table.put(zone, run.clock.zone_offset);
    table.put(elapsed, run.elapsed);
    table.put(naive, run.clock.zero_naive);
    table.put_present(recorded, run.recorded_at);
    table.put_present(clock, run.clock.basis);
    table.put(worker_count, static_cast<double>(run.workers.size()));
    table.put(chunk_count, recorded_num_chunks(run));
    table.put(bytes, size);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "runs",
    .about = "the open runs",
    .min_runs = 0,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::questions::runs
