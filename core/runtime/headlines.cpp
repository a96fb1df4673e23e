#include "core/runtime/headlines.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::runtime {

namespace {

constexpr const char* no_fine = "not recorded: no fine metrics (raw_span_metrics)";
constexpr const char* no_chunks = "not recorded: no chunk list (crema.record or @track_metrics)";
constexpr double mebibyte = 1048576;

/// What a number is made of: a selection narrows it where it narrows that.
enum class Source : std::uint8_t { whole_run, chunks, workers, both, time };

/// What the tables begin with.
struct Basis {
  const Run& run;
  const Selection& selection;
  WorkerSelection workers;
  ChunkSelection chosen;
  Budget budget;
  CoreTime cores{};
  double begin = 0, end = absent, elapsed = absent;
  double comparable = absent;  ///< [core-s] that chunks and tasks can be compared with
  double bytes = absent, events = absent, process = absent;
  bool narrowed = false;

  Basis(const Run& of, const Selection& under, const Options& options)
      : run(of),
        selection(under),
        workers(of, under),
        chosen(of, under),
        budget(compute_budget(of, under, options)) {
    const Run::Window window = run.window();
    begin = selection.time ? std::max(selection.time->begin, window.begin) : window.begin;
    end = selection.time ? selection.time->end : window.end;
    if (end > window.end) end = window.end;
    end = std::max(end, begin);  // beside the run
    elapsed = selection.time ? end - begin : run.elapsed;
    narrowed = selection.time || !chosen.all;
    cores = core_time(run, workers, begin, end);
    // Fine metrics are of all workers: over the cores of some they are no fraction.
    comparable = workers.all ? cores.core_seconds : absent;
    const Chunks& c = run.chunks;
    bytes = !narrowed                    ? total_bytes_read(run)
            : chunk_bytes_collected(run) ? chosen.prorated_sum(c.bytes_read)
                                         : absent;
    events = narrowed ? chosen.prorated_sum(c.events) : total_events(run);
    process = narrowed ? chosen.prorated_sum(c.duration) : total_process_time(run);
  }

  bool narrows(Source source) const {
    switch (source) {
      case Source::whole_run: return false;
      case Source::chunks: return narrowed;
      case Source::workers: return selection.time || !workers.all;
      case Source::both: return narrowed || !workers.all;
      case Source::time: return selection.time.has_value();
    }
    return false;
  }
  /// Selecting all there is, is selecting nothing.
  bool narrows_something() const { return narrowed || !workers.all || !selection.prefixes.empty(); }

  /// What to say beside a number made from the number of cores: an estimate, or why the stored one
  /// differs.
  const char* cores_remark(const char* if_inflated) const {
    if (cores.estimated) return cores.source;
    return run.stored_value("total_cores") > cores.cores * (1 + 1e-9) ? if_inflated : "";
  }
  const char* from_chunks() const {
    return narrowed ? "from the selected chunks, cut to the selected time" : "";
  }
  const char* why_ticks() const {
    return run.tracked ? "no tick of the selected workers in the selected time"
                       : "not recorded: no worker tracking";
  }
  const char* why_chunks() const {
    return run.chunks.size() > 0 ? "no chunk is selected" : no_chunks;
  }
  const char* why_cores() const {
    if (!workers.all) return "inside and outside process() are not separated for some workers";
    if (cores.core_seconds > 0) return why_chunks();
    return cores.core_seconds == 0 ? "there were no cores in the selected time"
                                   : "not recorded: the number of cores is not known";
  }
};

/// One of roastcoffea's six tables, or ours, and what its next numbers have in common.
struct Group {
  const Basis& of;
  std::vector<Headline>& into;
  const char* name;
  Source source;
  const char* why = "not recorded";  ///< the note of an absent value
  Noise noise = Noise::run;          ///< what is counted does not vary

  /// `remark` is the note of a present value; `why_this`, of an absent one, stands for the group's.
  void add(Better better, const char* id, const char* label, const char* unit, double value,
           std::string formula, std::string_view remark = "", const char* why_this = nullptr) {
    const std::string_view counted = unit;
    const bool is_exact = noise == Noise::run && (counted == "byte" || counted == "count");
    const bool is_whole = of.narrows_something() && !is_absent(value) && !of.narrows(source);
    const bool may_come = of.run.recording.index.is_running && !of.narrows_something();
    const std::string_view note = !is_absent(value)     ? remark
                                  : may_come            ? "not known yet: the recording goes on"
                                  : why_this != nullptr ? why_this
                                                        : why;
    into.push_back({id, name, label, unit, value, std::move(formula), std::string(note), is_whole,
                    better, is_exact ? Noise::none : noise});
  }
  /// A number of which more is neither better nor worse.
  void add(const char* id, const char* label, const char* unit, double value, std::string formula,
           std::string_view remark = "", const char* why_this = nullptr) {
    add(Better::neither, id, label, unit, value, std::move(formula), remark, why_this);
  }
};

constexpr Better higher = Better::higher, lower = Better::lower;

// What was done in which time.

void add_throughput(const Basis& b, std::vector<Headline>& into) {
  Group of{b, into, "Throughput", Source::chunks,
           b.narrowed ? "not collected: chunks do not tell how much they read"
                      : "not recorded: no bytesread in coffea's report"};
  const char* const why_rate =
      is_absent(b.elapsed) && !is_absent(b.bytes) ? "not recorded: the elapsed time" : nullptr;
  of.add(higher, "data_rate_mb_per_s", "Data rate", "MB/s", ratio(b.bytes / 1e6, b.elapsed),
         "bytes read / 10⁶ / elapsed", b.from_chunks(), why_rate);
  of.add(higher, "data_rate_gbps", "Data rate", "Gbps", ratio(b.bytes * 8 / 1e9, b.elapsed),
         "bytes read × 8 / 10⁹ / elapsed", b.from_chunks(), why_rate);
  of.add("total_bytes_read", "Bytes read (coffea)", "byte", b.bytes,
         "bytesread of coffea's report: compressed bytes requested", b.from_chunks());
  of.source = Source::whole_run;
  of.noise = Noise::unknown;
  of.add("total_bytes_memory_read", "Memory read (Dask)", "byte",
         b.run.activities_recorded ? value_or(activity_sum(b.run, "memory-read", "bytes"), 0)
                                   : b.run.stored_value("total_bytes_memory_read"),
         "Σ (execute, *, memory-read, bytes): task inputs found in memory", "", no_fine);
}

void add_events(const Basis& b, std::vector<Headline>& into) {
  Group of{b, into, "Event processing", Source::chunks};
  of.add("total_events", "Events", "count", b.events, "entries of coffea's report",
         b.from_chunks());
  of.add(higher, "event_rate_elapsed_khz", "Event rate", "kHz", ratio(b.events, b.elapsed) / 1e3,
         "events / elapsed / 1000");
  of.add(higher, "event_rate_cpu_total_khz", "Event rate in process()", "kHz",
         ratio(b.events, b.process) / 1e3, "events / process time / 1000");
  of.source = Source::both;
  of.add(higher, "event_rate_core_khz", "Event rate per core", "kHz",
         ratio(b.events, b.comparable) / 1e3, "events / available core-seconds / 1000",
         b.cores_remark("roastcoffea divides by the cores of all workers ever seen: too low when "
                        "workers come and go"),
         b.why_cores());
  of.source = Source::chunks;
  of.noise = Noise::unknown;
  of.add("efficiency_ratio_percent", "Efficiency ratio", "%", 100 * ratio(b.process, b.elapsed),
         "event rate / event rate in process() × 100 = speedup × 100: 100 % is one busy core, not "
         "a perfect run");
}

// What there was to do it with: workers, cores, memory, and how much of the cores was used.

/// Trapezoid over ticks, as roastcoffea averages: ∫ linear interpolation / (last − first).
double trapezoid(const Basis& b, const double* times, const std::vector<double>& values) {
  double area = 0;
  double first = absent, last = absent, last_value = absent;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_absent(values[i]) || times[i] < b.begin ||
        (!is_absent(b.end) && b.selection.time && times[i] > b.end))
      continue;
    if (is_absent(first)) first = times[i];
    else area += (values[i] + last_value) / 2 * (times[i] - last);
    last = times[i];
    last_value = values[i];
  }
  if (is_absent(first)) return absent;
  return last > first ? area / (last - first) : last_value;
}

void add_resources(const Basis& b, std::vector<Headline>& into) {
  // Ticks of one run do not tell how far another's differ.
  Group of{b, into, "Resources", Source::workers, b.why_ticks(), Noise::unknown};
  const Steps count = worker_steps(b.run, b.workers);
  std::vector<double> ticked;
  for (std::size_t i = 0; i < count.times.size(); ++i) {
    if (!b.selection.time || (count.times[i] >= b.begin && count.times[i] <= b.end))
      ticked.push_back(count.values[i]);
  }
  const Moments counts = moments(ticked);
  of.add("avg_workers", "Workers, time average", "count",
         trapezoid(b, count.times.data(), count.values), "trapezoid over ticks / tracked time");
  of.add("workers_time_average", "Workers, step average", "count", count.mean(b.begin, b.end),
         "each tick held until the next");
  of.add("workers_mean", "Workers, mean of ticks", "count", counts.mean, "mean over ticks");
  of.add("peak_workers", "Peak workers", "count", counts.max, "largest tick");

  const TickRange ticks =
      b.selection.time ? ticks_within(b.run, b.begin, b.end) : TickRange{0, b.run.ticks.size()};
  std::vector<double> last_threads, means;
  // Ticks of a second miss what a task has for a moment, and short runs have none.
  const std::vector<double> of_tasks = peaks_of_tasks(b.run, b.selection);
  double peak = absent, most_used = absent;
  Running use;  // of the limit
  for (std::size_t i = 0; i < b.run.workers.size(); ++i) {
    if (!b.workers[i]) continue;
    peak = std::fmax(peak, of_tasks[i]);
    const double limit = memory_limit(b.run, i);
    if (limit > 0) most_used = std::fmax(most_used, of_tasks[i] / limit);
    last_threads.push_back(b.run.workers.of(Series::cores, i).last(ticks));
    const TickSeries& memory = b.run.workers.of(Series::memory, i);
    means.push_back(trapezoid(b, b.run.ticks.data() + memory.first_tick, memory.values));
    const TickRange with_memory = memory.within(ticks);
    for (std::size_t tick = with_memory.begin; tick < with_memory.end; ++tick) {
      const double bytes = memory.at(tick);
      if (is_absent(bytes)) continue;
      if (!(peak >= bytes)) peak = bytes;
      if (limit > 0) use.add(bytes / limit);
    }
  }
  of.add("cores_per_worker", "Cores per worker", "count", moments(last_threads).mean,
         "mean over workers of their last nthreads");
  of.add("total_cores", "Cores, time average", "count", b.cores.cores,
         "available core-seconds / tracked time",
         b.cores_remark("roastcoffea sums the cores of all workers ever seen: too high when "
                        "workers come and go"));
  of.add("cores_time_average", "Cores, step average", "count", b.cores.cores,
         "Σ nthreads of the workers present, each tick held until the next");
  of.source = Source::both;
  of.add(higher, "core_efficiency", "Core efficiency", "1", ratio(b.process, b.comparable),
         "process time / available core-seconds",
         b.cores_remark("roastcoffea divides by the cores of all workers ever seen: too low when "
                        "workers come and go"),
         b.why_cores());
  of.source = Source::chunks;
  of.add(higher, "speedup_factor", "Speedup", "1", ratio(b.process, b.elapsed),
         "process time / elapsed", "", "not recorded");
  of.source = Source::workers;
  of.add(lower, "peak_memory_bytes", "Peak memory, one worker", "byte", peak,
         "largest tick of any worker, or most that its process had in a task, where rows tell it");
  of.add("memory_enough_bytes", "Sufficient memory, one worker", "byte", memory_enough(peak),
         "twice the peak, rounded up to 128 MiB, because chunks of another run differ");
  of.add(lower, "avg_memory_per_worker_bytes", "Mean memory, one worker", "byte",
         moments(means).mean, "mean over workers of the trapezoid over their ticks");
  of.why = "not recorded, or no memory limit";
  of.add("memory_utilization_mean", "Memory use, mean", "1", use.mean(),
         "memory / last limit, mean over workers and ticks");
  of.add("memory_utilization_min", "Memory use, minimum", "1", use.min,
         "memory / last limit, smallest");
  of.add(
      "memory_utilization_peak", "Memory use, peak", "1", std::fmax(use.max, most_used),
      "memory / last limit, largest of any worker's ticks, and of its tasks, where rows tell them");
}

void add_timing(const Basis& b, std::vector<Headline>& into) {
  const Run& run = b.run;
  Group of{b, into, "Timing", Source::time};
  of.add(lower, "elapsed_time_seconds", "Elapsed", "s", b.elapsed,
         b.selection.time ? "length of the selected time, as far as it is inside the run"
                          : "t1 − t0 on the client");
  of.source = Source::chunks;
  of.add(lower, "total_cpu_time", "Process time", "s", b.process,
         "Σ wall time of process() calls (roastcoffea calls it CPU time)", b.from_chunks());
  of.add("num_chunks", "Chunks recorded", "count",
         b.narrowed ? static_cast<double>(b.chosen.count) : recorded_num_chunks(run),
         "chunk records",
         run.chunks_recorded
             ? ""
             : "as stored: without a chunk list roastcoffea repeats the number submitted",
         no_chunks);
  of.source = Source::whole_run;
  const double submitted = report_num_chunks(run);
  of.add("report_num_chunks", "Chunks submitted", "count", submitted,
         "chunks of coffea's report, else process time / time per chunk");
  const double lost = lost_num_chunks(run);
  of.add(lower, "lost_chunks", "Chunks lost", "count", lost, "chunks submitted − chunk records",
         lost > 0 ? "bad files were skipped, or the output carried no record" : "",
         !run.chunks_recorded ? no_chunks
         : is_absent(submitted)
             ? "coffea's report, which tells how many there were, was not recorded"
             : "not known: the chunk list is cut off");
  of.source = Source::chunks;
  of.add(
      lower, "avg_cpu_time_per_chunk", "Process time per chunk", "s",
      b.narrowed ? moments(b.chosen.whole(run.chunks.duration)).mean : ratio(b.process, submitted),
      b.narrowed ? "mean duration of the selected chunks, whole"
                 : "process time / chunks submitted");
  of.source = Source::whole_run;
  of.noise = Noise::unknown;
  of.add(lower, "time_to_first_chunk", "Time to first chunk", "s",
         run.ticks.empty() || !run.chunks.placed ? absent
                                                 : std::max(moments(run.chunks.t_start).min, 0.0),
         "first t_start − first tick", "",
         "needs tracking, chunks, and workers whose clocks agree");
}

// What Dask measured of the tasks.

void add_fine(const Basis& b, const Processor& processor, std::vector<Headline>& into) {
  Group of{b, into, "Fine metrics", Source::whole_run, no_fine};
  const bool any = b.run.activities_recorded;
  const auto of_processor = [&](const char* activity, const char* id) {
    return any ? value_or(activity_sum(b.run, processor.prefix, activity, "seconds"), 0)
               : b.run.stored_value(id);
  };
  const auto of_all = [&](const char* activity, const char* unit, const char* id) {
    return any ? value_or(activity_sum(b.run, activity, unit), 0) : b.run.stored_value(id);
  };
  const std::string name(b.run.text(processor.prefix));
  const double cpu = of_processor("thread-cpu", "processor_cpu_time_seconds");
  const double wait = of_processor("thread-noncpu", "processor_io_wait_time_seconds");
  const std::string whose = any ? "task prefix " + name + ", " + processor.basis
                                : "as stored: the bundle has no raw span metrics";
  of.add("processor_cpu_time_seconds", "Processor CPU time", "s", cpu,
         "(execute, " + name + ", thread-cpu, seconds)", whose);
  of.noise = Noise::unknown;
  of.add(lower, "processor_io_wait_time_seconds", "Processor waiting", "s", wait,
         "(execute, " + name + ", thread-noncpu, seconds): I/O, locks, or more threads than cores",
         whose);
  const double thread = cpu + wait;
  of.add(higher, "processor_cpu_percent", "Processor CPU", "%",
         thread > 0 ? 100 * cpu / thread : thread, "CPU / (CPU + waiting) × 100");
  of.add(lower, "processor_io_wait_percent", "Processor waiting", "%",
         thread > 0 ? 100 * wait / thread : thread, "waiting / (CPU + waiting) × 100");
  const double all_cpu = of_all("thread-cpu", "seconds", "");
  const double all_wait = of_all("thread-noncpu", "seconds", "");
  of.add(lower, "overhead_cpu_time_seconds", "Other tasks, CPU time", "s",
         any ? all_cpu - cpu : b.run.stored_value("overhead_cpu_time_seconds"),
         "thread-cpu of all other task prefixes");
  of.add(lower, "overhead_io_wait_time_seconds", "Other tasks, waiting", "s",
         any ? all_wait - wait : b.run.stored_value("overhead_io_wait_time_seconds"),
         "thread-noncpu of all other task prefixes");
  /// Σ of an activity over all tasks. Dask writes one only when it happens: with fine metrics at
  /// hand, no key means that it did not.
  const auto add_sum = [&](Better better, const char* id, const char* label, const char* activity,
                           const char* unit, const char* meaning, const char* of_zero) {
    const double sum = of_all(activity, unit == std::string_view("s") ? "seconds" : "bytes", id);
    of.add(better, id, label, unit, sum,
           std::string("Σ (execute, *, ") + activity +
               (unit == std::string_view("s") ? ", seconds)" : ", bytes)") + meaning,
           any && sum == 0 ? std::string("no such activity occurred: ") + of_zero : "");
    return sum;
  };
  constexpr const char* in_task = "coffea compresses inside the task, which counts as its CPU time";
  constexpr const char* none = "Dask reported none";
  add_sum(lower, "disk_read_bytes", "Unspilled from disk", "disk-read", "byte",
          ": Dask's unspilling, not ROOT input", "nothing was unspilled");
  add_sum(lower, "disk_write_bytes", "Spilled to disk", "disk-write", "byte", "",
          "nothing was spilled");
  const double decompress = add_sum(Better::neither, "decompression_time_seconds", "Decompression",
                                    "decompress", "s", "", in_task);
  const double compress = add_sum(Better::neither, "compression_time_seconds", "Compression",
                                  "compress", "s", "", in_task);
  of.add(lower, "total_compression_overhead_seconds", "Compression, both", "s",
         compress + decompress, "compression + decompression");
  const double deserialize = add_sum(Better::neither, "deserialization_time_seconds",
                                     "Deserialization", "deserialize", "s", "", none);
  const double serialize = add_sum(Better::neither, "serialization_time_seconds", "Serialization",
                                   "serialize", "s", "", none);
  of.add(lower, "total_serialization_overhead_seconds", "Serialization, both", "s",
         serialize + deserialize, "serialization + deserialization");
  of.add(lower, "io_overhead_percent", "Waiting per elapsed time", "%",
         100 * ratio(any ? all_wait : wait, b.run.elapsed),
         "waiting of all tasks / elapsed × 100 (metrics reference); above 100 with many cores");
  of.add(lower, "waiting_fraction", "Waiting per task time", "1",
         ratio(all_wait, all_wait + all_cpu), "waiting / (CPU + waiting) over all tasks");
}

// The chunks, and what they read of their files.

void add_chunks(const Basis& b, std::vector<Headline>& into) {
  Group of{b, into, "Chunks", Source::chunks, b.why_chunks()};
  const Chunks& c = b.run.chunks;
  const bool any = b.run.chunks_recorded && c.size() > 0;
  double failed = any ? 0 : absent;
  double successful = any ? 0 : absent;
  std::vector<double> durations, deltas, counts;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!b.chosen[i]) continue;
    if (c.error[i] != no_string) {
      failed += 1;
      continue;
    }
    successful += 1;
    durations.push_back(c.duration[i]);
    deltas.push_back(c.memory_delta[i]);
    counts.push_back(c.events[i]);
  }
  of.add("num_successful_chunks", "Chunks that succeeded", "count", successful,
         "chunk records without an error");
  of.add(lower, "num_failed_chunks", "Chunks that failed", "count", failed,
         "chunk records with an error",
         "0.1.x never counts one: a failing chunk raises, or leaves no record");
  const Moments time = moments(durations);
  const char* const why_spread =
      successful == 1 ? "a single chunk has no standard deviation" : b.why_chunks();
  of.add(lower, "chunk_duration_mean", "Chunk time, mean", "s", time.mean, "mean of durations");
  of.noise = Noise::unknown;
  of.add("chunk_duration_min", "Chunk time, minimum", "s", time.min, "smallest duration");
  of.add(lower, "chunk_duration_max", "Chunk time, maximum", "s", time.max, "largest duration");
  of.add("chunk_duration_std", "Chunk time, standard deviation", "s", time.std,
         "sample standard deviation (n − 1)", "", why_spread);
  std::erase_if(durations, is_absent);
  of.noise = Noise::run;
  of.add(lower, "chunk_seconds_p50", "Chunk time, median", "s", quantile_of(durations, 0.5),
         "50 % of the chunks are faster");
  of.noise = Noise::unknown;
  of.add(lower, "chunk_seconds_p95", "Chunk time, 95 %", "s", quantile_of(durations, 0.95),
         "95 % of the chunks are faster");
  const Moments memory = moments(deltas);
  const char* const shared =
      "of the whole process: with several threads per worker it says nothing about one chunk";
  of.add(lower, "chunk_mem_delta_mean_mb", "Memory change, mean", "MiB", memory.mean / mebibyte,
         "mean of mem_delta_mb", shared);
  of.add("chunk_mem_delta_min_mb", "Memory change, minimum", "MiB", memory.min / mebibyte,
         "smallest mem_delta_mb", shared);
  of.add("chunk_mem_delta_max_mb", "Memory change, maximum", "MiB", memory.max / mebibyte,
         "largest mem_delta_mb", shared);
  of.add("chunk_mem_delta_std_mb", "Memory change, standard deviation", "MiB",
         memory.std / mebibyte, "sample standard deviation (n − 1)", shared, why_spread);
  of.noise = Noise::run;
  const Moments events = moments(counts);
  of.add("total_events_from_chunks", "Events in chunks", "count",
         events.count == 0 ? absent : events.sum, "Σ num_events");
  of.add("chunk_events_mean", "Events per chunk, mean", "count", events.mean, "mean of num_events");
  of.add("chunk_events_min", "Events per chunk, minimum", "count", events.min,
         "smallest num_events");
  of.add("chunk_events_max", "Events per chunk, maximum", "count", events.max,
         "largest num_events");
}

void add_data_access(const Basis& b, std::vector<Headline>& into) {
  Group of{b,
           into,
           "Data access",
           Source::whole_run,
           "not recorded: no file metadata in the chunks",
           Noise::none};
  // Means over the files with metadata; a file that does not say its share counts as 0, as in
  // roastcoffea.
  double branches = 0, bytes = 0, files = 0;
  bool any_branches = false, any_bytes = false;
  for (const FileFacts& file : find_file_facts(b.run)) {
    if (is_absent(file.branches_total) && is_absent(file.tree_bytes)) continue;
    files += 1;
    any_branches = any_branches || !is_absent(file.branches_read_fraction);
    any_bytes = any_bytes || !is_absent(file.bytes_read_fraction);
    branches += value_or(file.branches_read_fraction, 0);
    bytes += value_or(file.bytes_read_fraction, 0);
  }
  std::set<StringId> distinct;
  for (const auto& set : b.run.chunks.branch_sets) distinct.insert(set.begin(), set.end());
  const bool listed = !b.run.chunks.branch_sets.empty();
  of.add("total_branches_read", "Branches read", "count",
         listed ? static_cast<double>(distinct.size()) : b.run.stored_value("total_branches_read"),
         "distinct branches over all chunks",
         listed ? "" : "as stored: the chunks do not list their branches", no_chunks);
  of.add("avg_branches_read_percent", "Branches read, mean of files", "%",
         any_branches ? 100 * branches / files : absent,
         "mean over files of branches read / branches × 100");
  of.add("avg_bytes_read_percent", "Bytes read, mean of files", "%",
         any_bytes ? 100 * bytes / files : absent,
         "mean over files of bytes of the branches read / bytes of the tree × 100");
}

void add_core_time(const Basis& b, std::vector<Headline>& into) {
  Group of{b, into, "Core time", Source::workers, "not recorded: the number of cores is not known"};
  const double available = b.budget.available;
  of.add(lower, "core_seconds_available", "Core-time available", "s", available, "∫ Σ nthreads dt",
         b.cores.source);
  of.source = Source::both;
  of.noise = Noise::unknown;
  of.why = !b.workers.all ? b.why_cores()
           : b.narrowed   ? "fine metrics cannot be narrowed by a selection"
                          : "needs tracking and fine metrics";
  of.add(higher, "busy_fraction", "Cores executing tasks", "1",
         ratio(b.budget.executing, available), "Σ execute seconds / available core-seconds");
  of.add(higher, "cpu_fraction", "Cores on CPU", "1",
         b.narrowed ? absent : ratio(activity_sum(b.run, "thread-cpu", "seconds"), b.comparable),
         "Σ thread-cpu / available core-seconds");
  of.add("process_fraction", "Cores inside process()", "1",
         ratio(b.budget.of(BudgetPart::Kind::inside_process), available),
         "inside process() / available core-seconds", "",
         !b.workers.all ? b.why_cores() : "needs tracking and chunks");
}

}  // namespace

std::vector<Headline> headlines(const Run& run, const Selection& selection,
                                const Options& options) {
  const Basis basis(run, selection, options);
  std::vector<Headline> found;
  add_throughput(basis, found);
  add_events(basis, found);
  add_resources(basis, found);
  add_timing(basis, found);
  add_fine(basis, find_processor(run, options), found);
  add_chunks(basis, found);
  add_data_access(basis, found);
  add_core_time(basis, found);
  return found;
}

}  // namespace crema::runtime
