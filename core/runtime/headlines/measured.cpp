#include "core/runtime/headlines/headline_collector.hpp"

#include <set>

#include "core/runtime/chunks.hpp"

namespace crema::runtime {

// What Dask measured of the tasks.

void HeadlineCollector::add_fine() {
  begin_group("Fine metrics", Source::whole_run);
  const bool any = run_.activities_recorded;
  const StringId p = processor_.prefix;
  const auto processor = [&](const char* activity, const char* id) {
    return any ? value_or(activity_sum(run_, p, activity, "seconds"), 0) : run_.stored_value(id);
  };
  const auto everything = [&](const char* activity, const char* unit, const char* id) {
    return any ? value_or(activity_sum(run_, activity, unit), 0) : run_.stored_value(id);
  };
  const std::string name(run_.text(p));
  varies(Noise::unknown);
  const double cpu = processor("thread-cpu", "processor_cpu_time_seconds");
  const double wait = processor("thread-noncpu", "processor_io_wait_time_seconds");
  const std::string whose = any ? "task prefix " + name + ", " + processor_.basis
                                : "as stored: the bundle has no raw span metrics";
  varies(Noise::run);
  add("processor_cpu_time_seconds", "Processor CPU time", "s", cpu,
      ("(execute, " + name + ", thread-cpu, seconds)").c_str(), no_fine, whose.c_str());
  varies(Noise::unknown);
  add(Better::lower, "processor_io_wait_time_seconds", "Processor waiting", "s", wait,
      ("(execute, " + name + ", thread-noncpu, seconds): I/O, locks, or more threads than cores")
          .c_str(),
      no_fine, whose.c_str());
  const double thread = cpu + wait;
  add(Better::higher, "processor_cpu_percent", "Processor CPU", "%",
      thread > 0 ? 100 * cpu / thread : thread, "CPU / (CPU + waiting) × 100", no_fine);
  add(Better::lower, "processor_io_wait_percent", "Processor waiting", "%",
      thread > 0 ? 100 * wait / thread : thread, "waiting / (CPU + waiting) × 100", no_fine);
  const double all_cpu = everything("thread-cpu", "seconds", "");
  const double all_wait = everything("thread-noncpu", "seconds", "");
  add(Better::lower, "overhead_cpu_time_seconds", "Other tasks, CPU time", "s",
      any ? all_cpu - cpu : run_.stored_value("overhead_cpu_time_seconds"),
      "thread-cpu of all other task prefixes", no_fine);
  add(Better::lower, "overhead_io_wait_time_seconds", "Other tasks, waiting", "s",
      any ? all_wait - wait : run_.stored_value("overhead_io_wait_time_seconds"),
      "thread-noncpu of all other task prefixes", no_fine);
  // Dask writes an activity only when it happens: with fine metrics at hand, no key means it did
  // not.
  const auto zero = [&](double value, const char* what) { return any && value == 0 ? what : ""; };
  const double disk_read = everything("disk-read", "bytes", "disk_read_bytes");
  const double disk_write = everything("disk-write", "bytes", "disk_write_bytes");
  add(Better::lower, "disk_read_bytes", "Unspilled from disk", "byte", disk_read,
      "Σ (execute, *, disk-read, bytes): Dask's unspilling, not ROOT input", no_fine,
      zero(disk_read, "no such activity occurred: nothing was unspilled"));
  add(Better::lower, "disk_write_bytes", "Spilled to disk", "byte", disk_write,
      "Σ (execute, *, disk-write, bytes)", no_fine,
      zero(disk_write, "no such activity occurred: nothing was spilled"));
  const double decompress = everything("decompress", "seconds", "decompression_time_seconds");
  const double compress = everything("compress", "seconds", "compression_time_seconds");
  const double deserialize = everything("deserialize", "seconds", "deserialization_time_seconds");
  const double serialize = everything("serialize", "seconds", "serialization_time_seconds");
  const char* coffea =
      "no such activity occurred: coffea compresses inside the task, which counts as its CPU time";
  add("decompression_time_seconds", "Decompression", "s", decompress,
      "Σ (execute, *, decompress, seconds)", no_fine, zero(decompress, coffea));
  add("compression_time_seconds", "Compression", "s", compress, "Σ (execute, *, compress, seconds)",
      no_fine, zero(compress, coffea));
  add(Better::lower, "total_compression_overhead_seconds", "Compression, both", "s",
      compress + decompress, "compression + decompression", no_fine);
  add("deserialization_time_seconds", "Deserialization", "s", deserialize,
      "Σ (execute, *, deserialize, seconds)", no_fine,
      zero(deserialize, "no such activity occurred: Dask reported none"));
  add("serialization_time_seconds", "Serialization", "s", serialize,
      "Σ (execute, *, serialize, seconds)", no_fine,
      zero(serialize, "no such activity occurred: Dask reported none"));
  add(Better::lower, "total_serialization_overhead_seconds", "Serialization, both", "s",
      serialize + deserialize, "serialization + deserialization", no_fine);
  add(Better::lower, "io_overhead_percent", "Waiting per elapsed time", "%",
      100 * ratio(any ? all_wait : wait, run_.elapsed),
      "waiting of all tasks / elapsed × 100 (metrics reference); above 100 with many cores",
      no_fine);
  add(Better::lower, "waiting_fraction", "Waiting per task time", "1",
      ratio(all_wait, all_wait + all_cpu), "waiting / (CPU + waiting) over all tasks", no_fine);
}

// The chunks, and what they read of their files.

namespace {

constexpr const char* no_files = "not recorded: no file metadata in the chunks";
constexpr double mebibyte = 1048576;

}  // namespace

void HeadlineCollector::add_chunks() {
  begin_group("Chunks", Source::chunks);
  const Chunks& c = run_.chunks;
  const bool any = run_.chunks_recorded && c.size() > 0;
  double failed = any ? 0 : absent;
  double successful = any ? 0 : absent;
  std::vector<double> durations, deltas, counts;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen_[i]) continue;
    if (c.error[i] != no_string) {
      failed += 1;
      continue;
    }
    successful += 1;
    durations.push_back(c.duration[i]);
    deltas.push_back(c.memory_delta[i]);
    counts.push_back(c.events[i]);
  }
  add("num_successful_chunks", "Chunks that succeeded", "count", successful,
      "chunk records without an error", why_chunks());
  add(Better::lower, "num_failed_chunks", "Chunks that failed", "count", failed,
      "chunk records with an error", why_chunks(),
      "0.1.x never counts one: a failing chunk raises, or leaves no record");
  const Moments time = moments(durations);
  const char* const why_spread =
      successful == 1 ? "a single chunk has no standard deviation" : why_chunks();
  add(Better::lower, "chunk_duration_mean", "Chunk time, mean", "s", time.mean, "mean of durations",
      why_chunks());
  varies(Noise::unknown);
  add("chunk_duration_min", "Chunk time, least", "s", time.min, "smallest duration", why_chunks());
  add(Better::lower, "chunk_duration_max", "Chunk time, most", "s", time.max, "largest duration",
      why_chunks());
  add("chunk_duration_std", "Chunk time, standard deviation", "s", time.std,
      "sample standard deviation (n − 1)", why_spread);
  const std::vector<double> sorted = sorted_present(durations);
  varies(Noise::run);
  add(Better::lower, "chunk_seconds_p50", "Chunk time, median", "s", quantile(sorted, 0.5),
      "50 % of the chunks are faster", why_chunks());
  varies(Noise::unknown);
  add(Better::lower, "chunk_seconds_p95", "Chunk time, 95 %", "s", quantile(sorted, 0.95),
      "95 % of the chunks are faster", why_chunks());
  const Moments memory = moments(deltas);
  const char* shared =
      "of the whole process: with several threads per worker it says nothing about one chunk";
  varies(Noise::unknown);
  add(Better::lower, "chunk_mem_delta_mean_mb", "Memory change, mean", "MiB",
      memory.mean / mebibyte, "mean of mem_delta_mb", why_chunks(), shared);
  add("chunk_mem_delta_min_mb", "Memory change, least", "MiB", memory.min / mebibyte,
      "smallest mem_delta_mb", why_chunks(), shared);
  add("chunk_mem_delta_max_mb", "Memory change, most", "MiB", memory.max / mebibyte,
      "largest mem_delta_mb", why_chunks(), shared);
  add("chunk_mem_delta_std_mb", "Memory change, standard deviation", "MiB", memory.std / mebibyte,
      "sample standard deviation (n − 1)", why_spread, shared);
  varies(Noise::run);
  const Moments events = moments(counts);
  add("total_events_from_chunks", "Events in chunks", "count",
      events.count == 0 ? absent : events.sum, "Σ num_events", why_chunks());
  add("chunk_events_mean", "Events per chunk, mean", "count", events.mean, "mean of num_events",
      why_chunks());
  add("chunk_events_min", "Events per chunk, least", "count", events.min, "smallest num_events",
      why_chunks());
  add("chunk_events_max", "Events per chunk, most", "count", events.max, "largest num_events",
      why_chunks());
}

void HeadlineCollector::add_data_access() {
  begin_group("Data access", Source::whole_run);
  varies(Noise::none);
  // Means over the files with metadata; a file that does not say its share counts as 0, as in
  // roastcoffea.
  double branches = 0, bytes = 0, files = 0;
  bool any_branches = false, any_bytes = false;
  for (const FileFacts& file : find_file_facts(run_, {})) {
    if (is_absent(file.branches_total) && is_absent(file.tree_bytes)) continue;
    files += 1;
    any_branches = any_branches || !is_absent(file.branches_read_fraction);
    any_bytes = any_bytes || !is_absent(file.bytes_read_fraction);
    branches += value_or(file.branches_read_fraction, 0);
    bytes += value_or(file.bytes_read_fraction, 0);
  }
  std::set<StringId> distinct;
  for (const auto& set : run_.chunks.branch_sets) distinct.insert(set.begin(), set.end());
  const bool listed = !run_.chunks.branch_sets.empty();
  add("total_branches_read", "Branches read", "count",
      listed ? static_cast<double>(distinct.size()) : run_.stored_value("total_branches_read"),
      "distinct branches over all chunks", no_chunks,
      listed ? "" : "as stored: the chunks do not list their branches");
  add("avg_branches_read_percent", "Branches read, mean of files", "%",
      any_branches ? 100 * branches / files : absent,
      "mean over files of branches read / branches × 100", no_files);
  add("avg_bytes_read_percent", "Bytes read, mean of files", "%",
      any_bytes ? 100 * bytes / files : absent,
      "mean over files of bytes of the branches read / bytes of the tree × 100", no_files);
}

}  // namespace crema::runtime
