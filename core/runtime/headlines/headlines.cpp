#include "core/runtime/headlines/headline_collector.hpp"

#include <algorithm>
#include <string_view>

#include "core/runtime/chunks/report_counts.hpp"

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

}  // namespace crema::runtime
