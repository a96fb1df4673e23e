#include <cmath>
#include <vector>

#include "core/facts/flame_tree.hpp"
#include "core/facts/worker_functions.hpp"
#include "core/questions/parts/profile_notes.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::profile_spread {

namespace {

// Which worker differs: how far its samples are spread otherwise than all workers' together. Options: leaves, transform.
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const FlameChoice choice = upright_choice(run, selection, options);
  const std::shared_ptr<const WorkerFunctions> kept = worker_functions(run, choice);
  const WorkerFunctions& spread = *kept;
  Table table;
  const auto profile = table.add_text("profile");
  const auto worker = table.add_text("worker");
  const auto total = table.add_number("total", count_unit(choice.profile));
  const auto distance = table.add_number(
      "distance", "1",
      "half the sum over functions of |share of self time here - share of all workers|: 0 = alike, 1 = nothing in common");
  const auto function = table.add_text("function");
  const auto share = table.add_number("share", "1", "self time of the function that differs most, of this worker's samples");
  const auto usual = table.add_number("usual", "1", "the same of all workers' samples");
  if (spread.workers.empty()) {
    note_no_workers(table, choice);
    return table;
  }
  std::vector<double> sums(spread.workers.size(), 0);
  std::vector<double> most(spread.workers.size(), 0);
  std::vector<FrameId> which(spread.workers.size(), spread.facts->unresolved());
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
  for (std::size_t w = 0; w < spread.workers.size(); ++w) {
    const bool differs = most[w] > 0;
    table.put(profile, spread.workers[w].id);
    table.put(worker, spread.workers[w].label);
    table.put(total, spread.wholes[w]);
    table.put(distance, spread.wholes[w] > 0 ? sums[w] / 2 : absent);
    if (differs) table.put(function, spread.facts->name[which[w]]);
    else table.put_missing(function);
    table.put(share, differs ? spread.self.at(which[w])[w] : absent);
    table.put(usual, means[w]);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "profile_spread",
    .about = "workers whose profile differs from the others'",
    .options = {&facts::leaves_option, &facts::transform_option},
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::questions::profile_spread
