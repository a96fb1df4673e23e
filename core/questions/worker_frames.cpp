#include <algorithm>
#include <vector>

#include "core/facts/flame_tree.hpp"
#include "core/facts/worker_functions.hpp"
#include "core/questions/parts/profile_notes.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::worker_frames {

namespace {

constexpr Option most_option{
    .name = "most", .type = Option::Type::count, .about = "at most so many rows", .fallback = "200", .least = 1, .most = 1e9};

// How much of each worker's samples have a function on their stack: which function differs between workers. Options: leaves,
// transform, most (rows).
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const double most = options.number(most_option);
  const FlameChoice choice = upright_choice(run, selection, options);
  const std::shared_ptr<const WorkerFunctions> kept = worker_functions(run, choice);
  const WorkerFunctions& spread = *kept;
  Table table;
  const auto frame = table.add_number("frame", "");
  const auto name = table.add_text("name");
  const auto file = table.add_text("file");
  const auto category = table.add_text("category");
  const auto mean = table.add_number("mean", "1", "share of all workers' samples with the function on the stack");
  const auto low = table.add_number("min", "1", "least share of a worker's own samples");
  const auto high = table.add_number("max", "1", "largest share of a worker's own samples");
  const auto range = table.add_number("range", "1", "max - min");
  const auto lowest = table.add_text("lowest");
  const auto highest = table.add_text("highest");
  const auto shares = table.add_matrix("shares", "1", std::max<std::size_t>(1, spread.workers.size()),
                                       "share of each worker's own samples, in the order of `profile_spread`");
  if (spread.workers.empty()) {
    note_no_workers(table, choice);
    return table;
  }
  struct Row {
    FrameId frame;
    const std::vector<double>* shares;
    double range;
  };
  std::vector<Row> rows;
  for (const auto& [f, shares_of] : spread.total) {
    const auto [least, largest] = std::minmax_element(shares_of.begin(), shares_of.end());
    rows.push_back({f, &shares_of, *largest - *least});
  }
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return a.range != b.range ? a.range > b.range : spread.facts->rank[a.frame] < spread.facts->rank[b.frame];
  });
  if (static_cast<double>(rows.size()) > most) rows.resize(static_cast<std::size_t>(most));
  for (const auto& [f, values, width] : rows) {
    const auto [least, largest] = std::minmax_element(values->begin(), values->end());
    table.put(frame, f);
    table.put(name, spread.facts->name[f]);
    table.put(file, spread.facts->file[f]);
    table.put(category, name_of(spread.facts->category[f]));
    table.put(mean, mean_of(*values, spread.wholes));
    table.put(low, *least);
    table.put(high, *largest);
    table.put(range, width);
    table.put(lowest, spread.workers[static_cast<std::size_t>(least - values->begin())].label);
    table.put(highest, spread.workers[static_cast<std::size_t>(largest - values->begin())].label);
    for (const double share : *values) table.put(shares, share);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "worker_frames",
    .about = "functions whose share differs between workers",
    .options = {&facts::leaves_option, &facts::transform_option, &most_option},
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::questions::worker_frames
