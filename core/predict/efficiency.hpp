#pragma once

#include <cstdint>

#include "core/base/numbers.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"

namespace crema::predict {

/// The share of the available core-time that was useful, as a product: each factor is what is left
/// of what the factors before it left (as the POP project's efficiencies, in our terms). A factor
/// that cannot be told is absent, and its loss is in the next one that can.
struct Efficiency {
  double cores = absent;
  double available = absent;       ///< [core-s]
  double load_balance = absent;    ///< less cores that idled while the last tasks ran
  double start_and_end = absent;   ///< less what idled before a worker's first task
  double scheduling = absent;      ///< less what idled between tasks: then cores executed
  double outside = absent;         ///< less other tasks and the time outside process()
  double lost = absent;            ///< less work that was repeated
  double on_cpu = absent;          ///< less waiting in process()
  double useful = absent;          ///< the product
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

}  // namespace crema::predict
