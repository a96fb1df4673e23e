#include "core/facts/headlines.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/facts/budget.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/cores.hpp"
#include "core/facts/file_facts.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/report_counts.hpp"

namespace crema::facts {

namespace {

constexpr const char* no_tracking = "not recorded: no worker tracking";
constexpr const char* no_chunks = "not recorded: no chunk list (@track_metrics)";
constexpr const char* no_fine = "not recorded: no fine metrics (raw_span_metrics)";
constexpr const char* no_files = "not recorded: no file metadata in the chunks";
constexpr double mebibyte = 1048576;

/// Collects the headlines of one run. Each `add_*` fills one of roastcoffea's six tables, plus
/// ours.
class Collector {
 public:
  Collector(const Run& run, const Selection& selection, const Options& options)
      : run_(run),
        selection_(selection),
        workers_(run, selection),
        chosen_(run, selection),
        budget_(compute_budget(run, selection, options)),
        processor_(find_processor(run, options)) {
    const Run::Window window = run.window();
    begin_ = selection.time ? std::max(selection.time->begin, window.begin) : window.begin;
    end_ = selection.time ? selection.time->end : window.end;
    if (end_ > window.end) end_ = window.end;
    if (end_ < begin_) end_ = begin_;  // beside the run
    elapsed_ = selection.time ? end_ - begin_ : run.elapsed;
    narrowed_ = selection.time || !chosen_.all;
    cores_ = core_time(run, workers_, begin_, end_);
    // Chunks and fine metrics carry no worker: over the cores of some workers they are no fraction.
    comparable_ = workers_.all ? cores_.core_seconds : absent;
    bytes_ = narrowed_ ? (chunk_bytes_collected(run) ? chosen_.prorated_sum(run.chunks.bytes_read)
                                                     : absent)
                       : total_bytes_read(run);
    events_ = narrowed_ ? chosen_.prorated_sum(run.chunks.events) : total_events(run);
    process_ = narrowed_ ? chosen_.prorated_sum(run.chunks.duration) : total_process_time(run);
  }

  std::vector<Headline> collect() {
    add_throughput();
    add_events();
    add_resources();
    add_timing();
    add_fine();
    add_chunks();
    add_data_access();
    add_core_time();
    return std::move(list_);
  }

 private:
  /// What the numbers that are added next are made of: a selection narrows them where it narrows
  /// that.
  enum class Source : std::uint8_t { whole_run, chunks, workers, both, time };

  void begin_group(const char* name, Source source) {
    group_ = name;
    source_ = source;
    noise_ = Noise::chunks;
  }
  void from(Source source) { source_ = source; }

  /// Selecting all there is, is selecting nothing.
  bool narrows_something() const {
    return narrowed_ || !workers_.all || !selection_.prefixes.empty();
  }

  bool follows_selection() const {
    switch (source_) {
      case Source::whole_run: return false;
      case Source::chunks: return narrowed_;
      case Source::workers: return selection_.time || !workers_.all;
      case Source::both: return narrowed_ || !workers_.all;
      case Source::time: return selection_.time.has_value();
    }
    return false;
  }

  /// From where the next numbers vary; what is counted, does not.
  void varies(Noise noise) { noise_ = noise; }

  /// `why_missing` is the note of an absent value, `remark` that of a present one.
  void add(Better better, const char* id, const char* label, const char* unit, double value,
           const char* formula, const char* why_missing = "not recorded", const char* remark = "") {
    const bool is_exact = noise_ == Noise::chunks &&
                          (std::string_view(unit) == "byte" || std::string_view(unit) == "count");
    list_.push_back({id, group_, label, unit, value, formula,
                     is_absent(value) ? why_missing : remark,
                     narrows_something() && !is_absent(value) && !follows_selection(), better,
                     is_exact ? Noise::none : noise_});
  }
  /// A number of which more is neither better nor worse.
  void add(const char* id, const char* label, const char* unit, double value, const char* formula,
           const char* why_missing = "not recorded", const char* remark = "") {
    add(Better::neither, id, label, unit, value, formula, why_missing, remark);
  }

  /// What to say beside a number made from the number of cores: an estimate, or why the stored one
  /// differs.
  const char* cores_remark(const char* if_inflated) const {
    if (cores_.estimated) return cores_.source;
    const double stored = run_.stored_value("total_cores");
    return stored > cores_.cores * (1 + 1e-9) ? if_inflated : "";
  }
  const char* from_chunks() const {
    return narrowed_ ? "from the selected chunks, cut to the selected time" : "";
  }
  const char* why_ticks() const {
    return run_.tracked ? "no tick of the selected workers in the selected time" : no_tracking;
  }
  const char* why_chunks() const {
    return run_.chunks.size() > 0 ? "no chunk is selected" : no_chunks;
  }
  const char* why_cores() const {
    if (!workers_.all)
      return "chunks and fine metrics carry no worker: they cannot be compared with the cores of "
             "some";
    return cores_.core_seconds == 0 ? "there were no cores in the selected time"
                                    : "not recorded: the number of cores is not known";
  }
  const char* why_bytes() const {
    return narrowed_ ? "not collected: chunks do not tell how much they read"
                     : "not recorded: no bytesread in coffea's report";
  }

  void add_throughput();
  void add_events();
  void add_resources();
  void add_timing();
  void add_fine();
  void add_chunks();
  void add_data_access();
  void add_core_time();

  /// Trapezoid over ticks, as roastcoffea averages: ∫ linear interpolation / (last − first).
  double trapezoid(const double* times, const std::vector<double>& values) const;

  const Run& run_;
  const Selection& selection_;
  WorkerSelection workers_;
  ChunkSelection chosen_;
  Budget budget_;
  Processor processor_;
  CoreTime cores_;
  double begin_ = 0, end_ = absent, elapsed_ = absent;
  double comparable_ = absent;  ///< [core-s] that chunks and tasks can be compared with
  double bytes_ = absent, events_ = absent, process_ = absent;
  bool narrowed_ = false;
  const char* group_ = "";
  Source source_ = Source::whole_run;
  Noise noise_ = Noise::chunks;
  std::vector<Headline> list_;
};

double Collector::trapezoid(const double* times, const std::vector<double>& values) const {
  double area = 0;
  double first = absent, last = absent, last_value = absent;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_absent(values[i]) || times[i] < begin_ ||
        (!is_absent(end_) && selection_.time && times[i] > end_))
      continue;
    if (is_absent(first)) first = times[i];
    else area += (values[i] + last_value) / 2 * (times[i] - last);
    last = times[i];
    last_value = values[i];
  }
  if (is_absent(first)) return absent;
  return last > first ? area / (last - first) : last_value;
}

void Collector::add_throughput() {
  begin_group("Throughput", Source::chunks);
  add(Better::higher, "data_rate_gbps", "Data rate", "Gbps", ratio(bytes_ * 8 / 1e9, elapsed_),
      "bytes read × 8 / 10⁹ / elapsed", why_bytes(), from_chunks());
  add(Better::higher, "data_rate_mb_per_s", "Data rate", "MB/s", ratio(bytes_ / 1e6, elapsed_),
      "bytes read / 10⁶ / elapsed", why_bytes(), from_chunks());
  add("total_bytes_read", "Bytes read (coffea)", "byte", bytes_,
      "bytesread of coffea's report: compressed bytes requested", why_bytes(), from_chunks());
  from(Source::whole_run);
  const double memory_read = run_.activities_recorded
                                 ? value_or(activity_sum(run_, "memory-read", "bytes"), 0)
                                 : run_.stored_value("total_bytes_memory_read");
  varies(Noise::unknown);
  add("total_bytes_memory_read", "Memory read (Dask)", "byte", memory_read,
      "Σ (execute, *, memory-read, bytes): task inputs found in memory", no_fine);
}

void Collector::add_events() {
  begin_group("Event processing", Source::chunks);
  add("total_events", "Events", "count", events_, "entries of coffea's report", "not recorded",
      from_chunks());
  add(Better::higher, "event_rate_elapsed_khz", "Event rate", "kHz", ratio(events_, elapsed_) / 1e3,
      "events / elapsed / 1000");
  add(Better::higher, "event_rate_cpu_total_khz", "Event rate in process()", "kHz",
      ratio(events_, process_) / 1e3, "events / process time / 1000");
  from(Source::both);
  add(Better::higher, "event_rate_core_khz", "Event rate per core", "kHz",
      ratio(events_, comparable_) / 1e3, "events / available core-seconds / 1000", why_cores(),
      cores_remark("roastcoffea divides by the cores of all workers ever seen: too low when "
                   "workers come and go"));
  from(Source::chunks);
  add("efficiency_ratio_percent", "Efficiency ratio", "%", 100 * ratio(process_, elapsed_),
      "event rate / event rate in process() × 100 = speedup × 100: 100 % is one busy core, not a "
      "perfect run");
}

void Collector::add_resources() {
  begin_group("Resources", Source::workers);
  const Steps count = worker_steps(run_, workers_);
  std::vector<double> ticked;
  for (std::size_t i = 0; i < count.times.size(); ++i) {
    if (!selection_.time || (count.times[i] >= begin_ && count.times[i] <= end_))
      ticked.push_back(count.values[i]);
  }
  const Moments counts = moments(ticked);
  add("avg_workers", "Workers, time average", "count", trapezoid(count.times.data(), count.values),
      "trapezoid over ticks / tracked time", why_ticks());
  add("workers_time_average", "Workers, step average", "count", count.mean(begin_, end_),
      "each tick held until the next", why_ticks());
  add("workers_mean", "Workers, mean of ticks", "count", counts.mean, "mean over ticks",
      why_ticks());
  add("peak_workers", "Peak workers", "count", counts.max, "largest tick", why_ticks());

  const TickRange ticks =
      selection_.time ? ticks_within(run_, begin_, end_) : TickRange{0, run_.ticks.size()};
  std::vector<double> last_threads, memory_means;
  double memory_peak = absent;
  Moments utilization;
  for (std::size_t i = 0; i < run_.workers.size(); ++i) {
    if (!workers_[i]) continue;
    const TickSeries& cores = run_.workers.of(Series::cores, i);
    double threads = absent;  // the last that was seen
    for (std::size_t tick = std::min(ticks.end, cores.end_tick());
         tick-- > ticks.begin && is_absent(threads);)
      threads = cores.at(tick);
    if (!is_absent(threads)) last_threads.push_back(threads);
    const TickSeries& memory = run_.workers.of(Series::memory, i);
    const TickSeries& limits = run_.workers.of(Series::memory_limit, i);
    const double mean = trapezoid(run_.ticks.data() + memory.first_tick, memory.values);
    if (!is_absent(mean)) memory_means.push_back(mean);
    const std::size_t end = std::min(ticks.end, memory.end_tick());
    for (std::size_t tick = std::max<std::size_t>(ticks.begin, memory.first_tick); tick < end;
         ++tick) {
      const double bytes = memory.values[tick - memory.first_tick];
      if (is_absent(bytes)) continue;
      if (!(memory_peak >= bytes)) memory_peak = bytes;
      const double limit = limits.at(tick);
      if (!(limit > 0)) continue;
      const double share = bytes / limit;
      utilization.count += 1;
      utilization.sum += share;
      if (!(utilization.min <= share)) utilization.min = share;
      if (!(utilization.max >= share)) utilization.max = share;
    }
  }
  utilization.mean = ratio(utilization.sum, static_cast<double>(utilization.count));
  add("cores_per_worker", "Cores per worker", "count", moments(last_threads).mean,
      "mean over workers of their last nthreads", why_ticks());
  add("total_cores", "Cores, time average", "count", cores_.cores,
      "available core-seconds / tracked time", why_ticks(),
      cores_remark("roastcoffea sums the cores of all workers ever seen: too high when workers "
                   "come and go"));
  add("cores_time_average", "Cores, step average", "count", cores_.cores,
      "Σ nthreads of the workers present, each tick held until the next", why_ticks());
  from(Source::both);
  add(Better::higher, "core_efficiency", "Core efficiency", "1", ratio(process_, comparable_),
      "process time / available core-seconds", why_cores(),
      cores_remark("roastcoffea divides by the cores of all workers ever seen: too low when "
                   "workers come and go"));
  from(Source::chunks);
  add(Better::higher, "speedup_factor", "Speedup", "1", ratio(process_, elapsed_),
      "process time / elapsed");
  from(Source::workers);
  varies(Noise::unknown);
  add(Better::lower, "peak_memory_bytes", "Peak memory, one worker", "byte", memory_peak,
      "largest tick of any worker", why_ticks());
  add(Better::lower, "avg_memory_per_worker_bytes", "Mean memory, one worker", "byte",
      moments(memory_means).mean, "mean over workers of the trapezoid over their ticks",
      why_ticks());
  add("memory_utilization_mean", "Memory use, mean", "1", utilization.mean,
      "memory / limit, mean over workers and ticks", "not recorded, or no memory limit");
  add("memory_utilization_min", "Memory use, least", "1", utilization.min,
      "memory / limit, smallest", "not recorded, or no memory limit");
  add("memory_utilization_peak", "Memory use, peak", "1", utilization.max,
      "memory / limit, largest", "not recorded, or no memory limit");
}

void Collector::add_timing() {
  begin_group("Timing", Source::time);
  add(Better::lower, "elapsed_time_seconds", "Elapsed", "s", elapsed_,
      selection_.time ? "length of the selected time, as far as it is inside the run"
                      : "t1 − t0 on the client");
  from(Source::chunks);
  add(Better::lower, "total_cpu_time", "Process time", "s", process_,
      "Σ wall time of process() calls (roastcoffea calls it CPU time)", "not recorded",
      from_chunks());
  const double submitted = report_num_chunks(run_);
  const double recorded =
      narrowed_ ? static_cast<double>(chosen_.count) : recorded_num_chunks(run_);
  add("num_chunks", "Chunks recorded", "count", recorded, "chunk records", no_chunks,
      run_.chunks_recorded
          ? ""
          : "as stored: without a chunk list roastcoffea repeats the number submitted");
  from(Source::whole_run);
  add("report_num_chunks", "Chunks submitted", "count", submitted,
      "chunks of coffea's report, else process time / time per chunk", "not recorded");
  const double lost = lost_num_chunks(run_);
  add(Better::lower, "lost_chunks", "Chunks lost", "count", lost,
      "chunks submitted − chunk records",
      run_.chunks_recorded ? "not known: metrics.json is cut off or broken" : no_chunks,
      lost > 0 ? "skipped bad files, or output that carried no record" : "");
  from(Source::chunks);
  add(Better::lower, "avg_cpu_time_per_chunk", "Process time per chunk", "s",
      narrowed_ ? moments(chosen_.whole(run_.chunks.duration)).mean : ratio(process_, submitted),
      narrowed_ ? "mean duration of the selected chunks, whole"
                : "process time / chunks submitted");
  from(Source::whole_run);
  add(Better::lower, "time_to_first_chunk", "Time to first chunk", "s",
      run_.ticks.empty() ? absent : moments(run_.chunks.t_start).min, "first t_start − first tick",
      "needs tracking and chunks");
}

void Collector::add_fine() {
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
  const double cpu = processor("thread-cpu", "processor_cpu_time_seconds");
  const double wait = processor("thread-noncpu", "processor_io_wait_time_seconds");
  const std::string whose = any ? "task prefix " + name + ", " + processor_.basis
                                : "as stored: the bundle has no raw span metrics";
  add("processor_cpu_time_seconds", "Processor CPU time", "s", cpu,
      ("(execute, " + name + ", thread-cpu, seconds)").c_str(), no_fine, whose.c_str());
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

void Collector::add_chunks() {
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
  add(Better::lower, "chunk_duration_mean", "Chunk time, mean", "s", time.mean, "mean of durations",
      why_chunks());
  add("chunk_duration_min", "Chunk time, least", "s", time.min, "smallest duration", why_chunks());
  add(Better::lower, "chunk_duration_max", "Chunk time, most", "s", time.max, "largest duration",
      why_chunks());
  add("chunk_duration_std", "Chunk time, standard deviation", "s", time.std,
      "sample standard deviation (n − 1)", why_chunks());
  const std::vector<double> sorted = sorted_present(durations);
  add(Better::lower, "chunk_seconds_p50", "Chunk time, median", "s", quantile(sorted, 0.5),
      "50 % of the chunks are faster", why_chunks());
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
      "sample standard deviation (n − 1)", why_chunks(), shared);
  varies(Noise::chunks);
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

void Collector::add_data_access() {
  begin_group("Data access", Source::whole_run);
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

void Collector::add_core_time() {
  begin_group("Core time", Source::workers);
  const double available = budget_.available;
  const char* unknown = "not recorded: the number of cores is not known";
  add(Better::lower, "core_seconds_available", "Core-time available", "s", available,
      "∫ Σ nthreads dt", unknown, cores_.source);
  from(Source::both);
  add(Better::higher, "busy_fraction", "Cores executing tasks", "1",
      ratio(budget_.executing, available), "Σ execute seconds / available core-seconds",
      !workers_.all ? why_cores()
      : narrowed_   ? "fine metrics cannot be narrowed by a selection"
                    : "needs tracking and fine metrics");
  add(Better::higher, "cpu_fraction", "Cores on CPU", "1",
      narrowed_ ? absent : ratio(activity_sum(run_, "thread-cpu", "seconds"), comparable_),
      "Σ thread-cpu / available core-seconds",
      !workers_.all ? why_cores()
      : narrowed_   ? "fine metrics cannot be narrowed by a selection"
                    : "needs tracking and fine metrics");
  add(Better::higher, "process_fraction", "Cores inside process()", "1",
      ratio(budget_.of(BudgetPart::Kind::inside_process), available),
      "inside process() / available core-seconds",
      !workers_.all ? why_cores() : "needs tracking and chunks");
}

}  // namespace

std::vector<Headline> headlines(const Run& run, const Selection& selection,
                                const Options& options) {
  return Collector(run, selection, options).collect();
}

}  // namespace crema::facts
