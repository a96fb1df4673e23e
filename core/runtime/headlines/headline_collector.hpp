#pragma once

#include <string>
#include <vector>

#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/runtime/headlines.hpp"

namespace crema::runtime {

inline constexpr const char* no_tracking = "not recorded: no worker tracking";
inline constexpr const char* no_fine = "not recorded: no fine metrics (raw_span_metrics)";
inline constexpr const char* no_chunks = "not recorded: no chunk list (@track_metrics)";

/// Collects the headlines of one run. Each `add_*` fills one of roastcoffea's six tables, plus
/// ours.
class HeadlineCollector {
 public:
  HeadlineCollector(const Run& run, const Selection& selection, const Options& options);

  std::vector<Headline> collect();

 private:
  /// What the numbers that are added next are made of: a selection narrows them where it narrows
  /// that.
  enum class Source : std::uint8_t { whole_run, chunks, workers, both, time };

  void begin_group(const char* name, Source source) {
    group_ = name;
    source_ = source;
    noise_ = Noise::run;
  }
  void from(Source source) { source_ = source; }

  /// Selecting all there is, is selecting nothing.
  bool narrows_something() const {
    return narrowed_ || !workers_.all || !selection_.prefixes.empty();
  }

  bool follows_selection() const;

  /// From where the next numbers vary; what is counted, does not.
  void varies(Noise noise) { noise_ = noise; }

  /// `why_missing` is the note of an absent value, `remark` that of a present one.
  void add(Better better, const char* id, const char* label, const char* unit, double value,
           const char* formula, const char* why_missing = "not recorded", const char* remark = "");
  /// A number of which more is neither better nor worse.
  void add(const char* id, const char* label, const char* unit, double value, const char* formula,
           const char* why_missing = "not recorded", const char* remark = "") {
    add(Better::neither, id, label, unit, value, formula, why_missing, remark);
  }

  /// What to say beside a number made from the number of cores: an estimate, or why the stored one
  /// differs.
  const char* cores_remark(const char* if_inflated) const;
  const char* from_chunks() const {
    return narrowed_ ? "from the selected chunks, cut to the selected time" : "";
  }
  const char* why_ticks() const {
    return run_.tracked ? "no tick of the selected workers in the selected time" : no_tracking;
  }
  const char* why_chunks() const {
    return run_.chunks.size() > 0 ? "no chunk is selected" : no_chunks;
  }
  const char* why_cores() const;
  const char* why_bytes() const {
    return narrowed_ ? "not collected: chunks do not tell how much they read"
                     : "not recorded: no bytesread in coffea's report";
  }

  // headlines.cpp
  void add_throughput();
  void add_events();
  void add_timing();
  // resources.cpp
  void add_resources();
  void add_core_time();
  // measured.cpp
  void add_fine();
  void add_chunks();
  void add_data_access();

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
  Noise noise_ = Noise::run;
  std::vector<Headline> list_;
};

}  // namespace crema::runtime
