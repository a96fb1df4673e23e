#include "core/predict/efficiency.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/number_format.hpp"
#include "core/base/sentence.hpp"
#include "core/predict/contention.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::predict {

using namespace runtime;

namespace {

struct Factor {
  const char* name;
  double Efficiency::*value;
};
constexpr Factor factors[] = {
    {"load balance", &Efficiency::load_balance},
    {"share after start-up", &Efficiency::start_and_end},
    {"share of cores with a task", &Efficiency::scheduling},
    {"share inside process()", &Efficiency::outside},
    {"share not lost", &Efficiency::lost},
    {"share on a CPU", &Efficiency::on_cpu},
};

/// The factor whose quotient to / from is least, if it fell; an absent `from` is 1.
const Factor* worst_of(const Efficiency& to, const Efficiency* from) {
  const Factor* worst = nullptr;
  double least = 1;
  for (const Factor& factor : factors) {
    const double now = to.*factor.value / (from == nullptr ? 1 : from->*factor.value);
    if (!(now < least)) continue;
    least = now;
    worst = &factor;
  }
  return worst;
}

}  // namespace

std::string what_fell(const Efficiency& from, const Efficiency& to) {
  const Factor* const worst = worst_of(to, &from);
  if (worst == nullptr) return "";
  return sentence({worst->name, " fell from ", format_percent(from.*worst->value), " to ",
                   format_percent(to.*worst->value)});
}

std::string what_costs(const Efficiency& of) {
  const Factor* const worst = worst_of(of, nullptr);
  return worst == nullptr ? "" : sentence({worst->name, ": ", format_percent(of.*worst->value)});
}

Efficiency efficiency_of(const Run& run, const Options& options) {
  Efficiency found;
  const Budget budget = compute_budget(run, {}, options);
  const double inside = budget.of(BudgetPart::Kind::inside_process);
  const Run::Window window = run.window();
  found.available = budget.available;
  found.cores = core_time(run, WorkerSelection(run, {}), window.begin, window.end).cores;
  if (is_absent(inside) || !(budget.available > 0)) {
    found.missing = is_absent(inside) ? missing::chunks : missing::tracking;
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
      found.missing = "why cores idled was not recorded: all idle time is counted as scheduling";
    }
    keep(found.scheduling, budget.executing);
    keep(found.outside, inside + lost);
    keep(found.lost, inside);
  } else {
    found.missing = missing::fine_metrics;
    keep(found.outside, inside);
  }
  const double on_cpu = load_of(run, options).on_cpu;
  if (!is_absent(on_cpu)) keep(found.on_cpu, inside * on_cpu);
  found.useful = product;
  found.useful_seconds = left;
  return found;
}

}  // namespace crema::predict
