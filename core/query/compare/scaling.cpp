// A row per run of the same work.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/order.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/predict/scaling_study.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::scaling {

namespace {

constexpr Option target_option{
    .name = "target",
    .type = Option::Type::number,
    .about = "a target rate, in the unit of the study: how many cores would reach it"};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const ScalingStudy study = study_of(runs, selection, options);
  std::vector<std::size_t> order(study.run.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Unknown sizes last: NaN compares with nothing.
  sort_stably(order, [&](std::size_t x, std::size_t y) {
    return is_absent(study.cores[x]) != is_absent(study.cores[y]) ? is_absent(study.cores[y])
                                                                  : study.cores[x] < study.cores[y];
  });
  Table table;
  Rows rows(table, order);
  rows.any_text("run", [&](std::size_t i) -> std::string_view { return study.run[i]->title; });
  rows.number(
      "number", "", [&](std::size_t i) { return study.run[i]->number; },
      "the run's number in this session");
  rows.number(
      "cores", "count", [&](std::size_t i) { return study.cores[i]; }, "time average");
  rows.number(
      "rate", study.unit, [&](std::size_t i) { return study.rate[i]; },
      "what the study compares: events per second where all runs have them, else bytes");
  rows.number(
      "event_rate_khz", "kHz", [&](std::size_t i) { return study.events[i]; }, "events / elapsed");
  rows.number(
      "data_rate_gbps", "Gbps", [&](std::size_t i) { return study.bytes[i]; }, "bytes / elapsed");
  rows.number(
      "rate_per_core", study.unit,
      [&](std::size_t i) { return ratio(study.rate[i], study.cores[i]); }, "rate / cores");
  rows.number(
      "efficiency_vs_ideal", "1",
      [&](std::size_t i) { return ratio(study.rate[i], study.per_core * study.cores[i]); },
      "rate / ideal");
  rows.number(
      "ideal", study.unit, [&](std::size_t i) { return study.per_core * study.cores[i]; },
      "rate per core of the smallest run x cores");
  rows.text("differs", [&](std::size_t i) -> std::string_view { return study.differs[i]; });
  table.note("rate", std::string(study.unit));
  const ScalingVerdict verdict = verdict_of(study, options);
  table.note("sentence", verdict.sentence);
  table.note("limits", verdict.limits);
  table.note("knee", verdict.knee);
  table.note("knee_low", verdict.knee_low);
  table.note("knee_high", verdict.knee_high);
  double best = absent;
  for (const std::size_t i : order) {
    if (study.differs[i].empty() && study.cores[i] > 0 && study.rate[i] > 0)
      best = std::fmax(best, study.rate[i]);
  }
  table.note("best_rate", best);
  if (options.has(target_option)) {
    const double target = options.number(target_option);
    table.note("target", target);
    table.note("target_factor", ratio(target, best));
    table.note("target_cores", cores_for(study, options, target));
  }
  table.note("sizes", static_cast<double>(study.sizes));
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "scaling",
    .about = "rate against cores for runs on several sizes of cluster, with ideal scaling",
    .options = {&target_option, &runtime::processor_option, &predict::within_option,
                &run_spread_option},
    .narrowed_by = all_dimensions & ~Selection::by_prefix,
    .min_runs = 1,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::query::scaling
