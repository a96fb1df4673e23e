#include "core/predict/efficiency.hpp"

#include <algorithm>
#include <numeric>

#include "core/predict/contention.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::predict {

using namespace runtime;

namespace {

constexpr double Efficiency::*factors[] = {&Efficiency::load_balance, &Efficiency::start_and_end,
                                           &Efficiency::scheduling,   &Efficiency::outside,
                                           &Efficiency::lost,         &Efficiency::on_cpu};

/// The factor whose quotient to / from is least, if it fell; without a `from` that is 1.
EfficiencyLoss largest_loss(const Efficiency* from, const Efficiency& to) {
  EfficiencyLoss worst;
  double least = 1;
  for (double Efficiency::*factor : factors) {
    const double before = from == nullptr ? 1 : from->*factor;
    if (!(to.*factor / before < least)) continue;
    least = to.*factor / before;
    worst = {factor, before, to.*factor};
  }
  return worst;
}

}  // namespace

EfficiencyLoss what_fell(const Efficiency& from, const Efficiency& to) {
  return largest_loss(&from, to);
}

EfficiencyLoss what_costs(const Efficiency& of) { return largest_loss(nullptr, of); }

Efficiency efficiency_of(const Run& run, const Options& options) {
  Efficiency found;
  const Budget budget = compute_budget(run, {}, options);
  const double inside = budget.of(BudgetPart::Kind::inside_process);
  const Run::Window window = run.window();
  found.available = budget.available;
  found.cores = core_time(run, WorkerSelection(run, {}), window.begin, window.end).cores;
  if (is_absent(inside) || !(budget.available > 0)) {
    found.missing = is_absent(inside) ? Efficiency::Missing::chunks : Efficiency::Missing::tracking;
    return found;
  }
  double left = budget.available;
  double product = 1;
  const auto keep = [&](double& factor, double seconds) {
    seconds = std::clamp(seconds, 0.0, left);
    factor = ratio(seconds, left);
    product *= value_or(factor, 1);
    left = seconds;
  };
  const double lost = value_or(budget.of(BudgetPart::Kind::lost_work), 0);
  if (!is_absent(budget.executing)) {
    // Idle time by cause, as shares of what the budget says was idle.
    const double idle = std::max(0.0, budget.available - budget.executing);
    const IdleTime by = find_idle(run, WorkerSelection(run, {}),
                                  find_processor(run, options).prefix, window.begin, window.end);
    const double known = std::accumulate(by.seconds.begin(), by.seconds.end(), 0.0);
    const auto share = [&](IdleCause cause) {
      return ratio(by.seconds[static_cast<std::size_t>(cause)], known) * idle;
    };
    if (known > 0) {
      keep(found.load_balance, left - share(IdleCause::tail));
      keep(found.start_and_end, left - share(IdleCause::starting));
    } else {
      found.missing = Efficiency::Missing::idle_causes;
    }
    keep(found.scheduling, budget.executing);
    keep(found.outside, inside + lost);
    keep(found.lost, inside);
  } else {
    found.missing = Efficiency::Missing::fine_metrics;
    keep(found.outside, inside);
  }
  const double on_cpu = load_of(run, options).on_cpu;
  if (!is_absent(on_cpu)) keep(found.on_cpu, inside * on_cpu);
  found.useful = product;
  found.useful_seconds = left;
  return found;
}

}  // namespace crema::predict
