#include <algorithm>
#include <vector>

#include "core/base/order.hpp"
#include "core/profile/flame_tree.hpp"
#include "core/profile/worker_functions.hpp"
#include "core/query/parts/profile_notes.hpp"
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::worker_frames {

namespace {

constexpr Option most_option{.name = "most",
                             .type = Option::Type::count,
                             .about = "maximum number of rows",
                             .fallback = "200",
                             .least = 1,
                             .most = 1e9};

// How much of each worker's samples have a function on their stack: which function differs between
// workers. Options: leaves, transform, most (rows).
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const double most = options.number(most_option);
  const FlameChoice choice = upright_choice(run, selection, options);
  const std::shared_ptr<const WorkerFunctions> kept = worker_functions(run, choice);
  const WorkerFunctions& spread = *kept;
  struct Row {
    FrameId frame;
    const std::vector<double>* shares;
    double least, largest;
    std::string_view lowest, highest;
    double range() const { return largest - least; }
  };
  std::vector<Row> found;
  for (const auto& total : spread.total) {
    const auto& shares_of = total.second;
    const auto [least, largest] = std::minmax_element(shares_of.begin(), shares_of.end());
    const auto label = [&](auto of) -> std::string_view {
      return spread.workers[static_cast<std::size_t>(of - shares_of.begin())].label;
    };
    found.push_back({total.first, &shares_of, *least, *largest, label(least), label(largest)});
  }
  sort_stably(found, [&](const Row& a, const Row& b) {
    return a.range() != b.range() ? a.range() > b.range()
                                  : spread.facts->rank[a.frame] < spread.facts->rank[b.frame];
  });
  if (static_cast<double>(found.size()) > most) found.resize(static_cast<std::size_t>(most));
  std::vector<double> shares;
  for (const Row& row : found) shares.insert(shares.end(), row.shares->begin(), row.shares->end());

  Table table;
  Rows rows(table, found);
  rows.number("frame", "", &Row::frame);
  rows.any_text("name",
                [&](const Row& row) -> std::string_view { return spread.facts->name[row.frame]; });
  rows.any_text("file",
                [&](const Row& row) -> std::string_view { return spread.facts->file[row.frame]; });
  rows.any_text("category",
                [&](const Row& row) { return name_of(spread.facts->category[row.frame]); });
  rows.number(
      "mean", "1", [&](const Row& row) { return mean_of(*row.shares, spread.wholes); },
      "share of all workers' samples with the function on the stack");
  rows.number("min", "1", &Row::least, "least share of a worker's own samples");
  rows.number("max", "1", &Row::largest, "largest share of a worker's own samples");
  rows.number("range", "1", &Row::range, "max - min");
  rows.text("lowest", &Row::lowest);
  rows.text("highest", &Row::highest);
  rows.matrix("shares", "1", std::max<std::size_t>(1, spread.workers.size()), std::move(shares),
              "share of each worker's own samples, in the order of `profile_spread`");
  if (spread.workers.empty()) note_no_workers(table, choice);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "worker_frames",
    .about = "functions whose share differs between workers",
    .options = {&profile::leaves_option, &profile::transform_option, &most_option},
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::query::worker_frames
