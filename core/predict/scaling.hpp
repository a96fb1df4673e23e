#pragma once

#include "core/base/collect.hpp"
#include "core/predict/prediction.hpp"

namespace crema::predict {

/// The share of the available core-time that was useful, as a product: each factor is what is left
/// of what the factors before it left (as the POP project's efficiencies, in our terms). A factor
/// that cannot be told is absent, and its loss is in the next one that can.
struct Efficiency {
  double cores = absent;
  double available = absent;     ///< [core-s]
  double load_balance = absent;  ///< less cores that idled while the last tasks ran
  double start_and_end =
      absent;                  ///< less what idled before a worker's first task, and after the last
  double scheduling = absent;  ///< less what idled between tasks: then cores executed
  double outside = absent;     ///< less other tasks and the time outside process()
  double lost = absent;        ///< less work that was repeated
  double on_cpu = absent;      ///< less waiting in process()
  double useful = absent;      ///< the product
  double useful_seconds = absent;  ///< [core-s] on a CPU in process()

  /// Why there is none, or what is not known.
  enum class Missing : std::uint8_t { nothing, chunks, tracking, idle_causes, fine_metrics };
  Missing missing = Missing::nothing;
};
Efficiency efficiency_of(const Run& run, const Options& options);

/// A factor by its member, and what it was in two runs; null where none fell.
struct EfficiencyLoss {
  double Efficiency::*factor = nullptr;
  double from = 1, to = absent;
};
/// The factor that lost most from one run to another.
EfficiencyLoss what_fell(const Efficiency& from, const Efficiency& to);
/// The factor that cost a run most.
EfficiencyLoss what_costs(const Efficiency& of);

/// A run of a study, or a size within one whose workers came and went.
struct ScalingPoint {
  const Run* run;
  /// In what it is other work than the most common work of the runs: it is left out.
  WorkDifference differs;
  double cores, events, bytes;  ///< time average; kHz; Gbps
  double rate = absent;         ///< what is studied: events where all runs have them, else bytes

  bool is_in() const { return !differs.any() && cores > 0 && rate > 0; }
};

/// Runs of the same work on clusters of several sizes.
struct ScalingStudy {
  std::vector<ScalingPoint> points;
  const char* unit = "kHz";
  double per_core = absent;  // of the smallest run in it: what ideal scaling would keep
  std::size_t sizes = 0;     // different ones in it, in whole cores

  double most_cores() const { return moments(numbers_of(points, &ScalingPoint::cores)).max; }
};

/// What differs of each run from the most common work of the runs.
std::vector<WorkDifference> differences(std::span<const Run* const> runs, const Options& options);

/// The runs of the same work, each once.
std::vector<const Run*> comparable_runs(const ScalingStudy& study);

/// A rate that they let expect, in the study's unit; absent where they do not tell.
struct ExpectedRate {
  double likely = absent, low = absent, high = absent;
};
/// At so many cores, by `predict_cluster`.
ExpectedRate expected_rate(const ScalingStudy& study, const Options& options, double cores);

/// The least number of cores whose likely rate is `target`, in the study's unit; absent where none
/// of up to 64 times the largest size has it, or the runs do not tell.
double cores_for(const ScalingStudy& study, const Options& options, double target);

/// Do more cores help?
struct ScalingVerdict {
  bool is_known = false;                                                  ///< of at least two sizes
  const ScalingPoint *least = nullptr, *most = nullptr, *best = nullptr;  ///< by cores, by rate
  std::size_t others = 0;                                                 ///< runs of other work
  EfficiencyLoss fell{};  ///< from the least to the most cores
  double knee = absent, knee_low = absent, knee_high = absent;  ///< cores; beyond it more only wait
};
ScalingVerdict verdict_of(const ScalingStudy& study, const Options& options);

inline constexpr Option within_option = flag_option(
    "within",
    "use the sizes that each run had while its workers came and went, instead of whole runs",
    "false");

ScalingStudy study_of(std::span<const Run* const> runs, const Selection& selection,
                      const Options& options);

}  // namespace crema::predict
