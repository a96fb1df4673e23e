#include "core/runtime/headlines/headline_collector.hpp"

#include <algorithm>
#include <string_view>

#include "core/runtime/chunks.hpp"

namespace crema::runtime {

HeadlineCollector::HeadlineCollector(const Run& run, const Selection& selection,
                                     const Options& options)
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
  bytes_ = narrowed_
               ? (chunk_bytes_collected(run) ? chosen_.prorated_sum(run.chunks.bytes_read) : absent)
               : total_bytes_read(run);
  events_ = narrowed_ ? chosen_.prorated_sum(run.chunks.events) : total_events(run);
  process_ = narrowed_ ? chosen_.prorated_sum(run.chunks.duration) : total_process_time(run);
}

std::vector<Headline> HeadlineCollector::collect() {
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

bool HeadlineCollector::follows_selection() const {
  switch (source_) {
    case Source::whole_run: return false;
    case Source::chunks: return narrowed_;
    case Source::workers: return selection_.time || !workers_.all;
    case Source::both: return narrowed_ || !workers_.all;
    case Source::time: return selection_.time.has_value();
  }
  return false;
}

void HeadlineCollector::add(Better better, const char* id, const char* label, const char* unit,
                            double value, const char* formula, const char* why_missing,
                            const char* remark) {
  const bool is_exact = noise_ == Noise::run &&
                        (std::string_view(unit) == "byte" || std::string_view(unit) == "count");
  list_.push_back({id, group_, label, unit, value, formula, is_absent(value) ? why_missing : remark,
                   narrows_something() && !is_absent(value) && !follows_selection(), better,
                   is_exact ? Noise::none : noise_});
}

const char* HeadlineCollector::cores_remark(const char* if_inflated) const {
  if (cores_.estimated) return cores_.source;
  const double stored = run_.stored_value("total_cores");
  return stored > cores_.cores * (1 + 1e-9) ? if_inflated : "";
}

const char* HeadlineCollector::why_cores() const {
  if (!workers_.all)
    return "chunks and fine metrics carry no worker: they cannot be compared with the cores of "
           "some";
  return cores_.core_seconds == 0 ? "there were no cores in the selected time"
                                  : "not recorded: the number of cores is not known";
}

std::vector<Headline> headlines(const Run& run, const Selection& selection,
                                const Options& options) {
  return HeadlineCollector(run, selection, options).collect();
}

// What was done in which time.

void HeadlineCollector::add_throughput() {
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

void HeadlineCollector::add_events() {
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
  varies(Noise::unknown);
  add("efficiency_ratio_percent", "Efficiency ratio", "%", 100 * ratio(process_, elapsed_),
      "event rate / event rate in process() × 100 = speedup × 100: 100 % is one busy core, not a "
      "perfect run");
}

void HeadlineCollector::add_timing() {
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
      lost > 0 ? "bad files were skipped, or the output carried no record" : "");
  from(Source::chunks);
  add(Better::lower, "avg_cpu_time_per_chunk", "Process time per chunk", "s",
      narrowed_ ? moments(chosen_.whole(run_.chunks.duration)).mean : ratio(process_, submitted),
      narrowed_ ? "mean duration of the selected chunks, whole"
                : "process time / chunks submitted");
  from(Source::whole_run);
  varies(Noise::unknown);
  add(Better::lower, "time_to_first_chunk", "Time to first chunk", "s",
      run_.ticks.empty() || !run_.chunks.placed ? absent
                                                : std::max(moments(run_.chunks.t_start).min, 0.0),
      "first t_start − first tick", "needs tracking, chunks, and workers whose clocks agree");
}

}  // namespace crema::runtime
