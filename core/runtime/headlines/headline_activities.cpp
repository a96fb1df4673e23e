// What Dask measured of the tasks.
#include "core/runtime/headlines/headline_collector.hpp"

namespace crema::runtime {

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

}  // namespace crema::runtime
