#include <cmath>
#include <vector>

#include "core/profile/flame_tree.hpp"
#include "core/profile/worker_functions.hpp"
#include "core/query/parts/profile_notes.hpp"
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::profile_spread {

namespace {

// Which worker differs: how far its samples are spread otherwise than all workers' together.
// Options: leaves, transform.
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const FlameChoice choice = upright_choice(run, selection, options);
  const std::shared_ptr<const WorkerFunctions> kept = worker_functions(run, choice);
  const WorkerFunctions& spread = *kept;
  std::vector<double> sums(spread.workers.size(), 0);
  std::vector<double> most(spread.workers.size(), 0);
  std::vector<FrameId> which(spread.workers.size(), 0);
  std::vector<double> means(spread.workers.size(), absent);
  for (const auto& [f, values] : spread.self) {
    const double mean = mean_of(values, spread.wholes);
    for (std::size_t w = 0; w < values.size(); ++w) {
      const double off = std::fabs(values[w] - mean);
      sums[w] += off;
      if (off <= most[w]) continue;
      most[w] = off;
      which[w] = f;
      means[w] = mean;
    }
  }
  const auto differs = [&](std::size_t w) { return most[w] > 0; };
  Table table;
  const std::string unit = count_unit(choice.profile);
  Rows<> rows(table, spread.workers.size());
  rows.text("profile", [&](std::size_t w) -> std::string_view { return spread.workers[w].id; });
  rows.text("worker", [&](std::size_t w) -> std::string_view { return spread.workers[w].label; });
  rows.number("total", unit.c_str(), [&](std::size_t w) { return spread.wholes[w]; });
  rows.number(
      "distance", "1", [&](std::size_t w) { return spread.wholes[w] > 0 ? sums[w] / 2 : absent; },
      "half the sum over functions of |share of self time here - share of all workers|: 0 = alike, "
      "1 = nothing in common");
  rows.text("function", [&](std::size_t w) {
    return differs(w) ? std::string_view(spread.facts->name[which[w]]) : std::string_view{};
  });
  rows.number(
      "share", "1",
      [&](std::size_t w) { return differs(w) ? spread.self.at(which[w])[w] : absent; },
      "self time of the function that differs most, of this worker's samples");
  rows.number(
      "usual", "1", [&](std::size_t w) { return means[w]; }, "the same of all workers' samples");
  if (spread.workers.empty()) note_no_workers(table, choice);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "profile_spread",
    .about = "workers whose profile differs from the others'",
    .options = {&profile::leaves_option, &profile::transform_option},
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::query::profile_spread
