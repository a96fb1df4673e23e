// The functions of a profile: `frames`; how workers differ in them: `worker_frames` and
// `profile_spread`.
#include <numeric>

#include "core/base/order.hpp"
#include "core/query/question.hpp"

namespace crema::query::frames {

// The user's own lines first, then by self time, total, name.
static std::vector<std::size_t> in_order(const Functions& functions, const FrameFacts& facts) {
  std::vector<std::size_t> order(functions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_stably(order, [&](std::size_t a, std::size_t b) {
    if (functions.own[a] != functions.own[b]) return functions.own[a] > functions.own[b];
    if (functions.self[a] != functions.self[b]) return functions.self[a] > functions.self[b];
    if (functions.total[a] != functions.total[b]) return functions.total[a] > functions.total[b];
    return facts.rank[functions.frame[a]] < facts.rank[functions.frame[b]];
  });
  return order;
}

/// Rows are functions, by their number.
struct Of {
  const Run& run;
  const Functions& functions;
  const FrameFacts& facts;
  double whole;

  FrameId frame(std::size_t i) const { return functions.frame[i]; }
};

template <auto member>
constexpr auto of = [](std::size_t i, const Of& all) { return (all.functions.*member)[i]; };

const Columns<std::size_t, Of> columns = {
    {"frame", "", of<&Functions::frame>},
    {"name", as_given,
     [](std::size_t i, const Of& all) -> std::string_view { return all.facts.name[all.frame(i)]; }},
    {"file", as_given,
     [](std::size_t i, const Of& all) -> std::string_view { return all.facts.file[all.frame(i)]; }},
    {"line", "",
     [](std::size_t i, const Of& all) {
       return all.facts.line[all.frame(i)] == 0 ? absent : all.facts.line[all.frame(i)];
     }},
    {"category", as_given,
     [](std::size_t i, const Of& all) { return name_of(all.facts.category[all.frame(i)]); }},
    {"total", "$", of<&Functions::total>,
     "samples with the function on the stack, counted once under recursion"},
    {"self", "$", of<&Functions::self>,
     "samples whose innermost frame was this one: certain and shared-out ones"},
    {"self_min", "$", of<&Functions::self_min>, "least possible self time"},
    {"self_max", "$", of<&Functions::self_max>,
     "self time if all the unresolved time among its siblings were its own"},
    {"unresolved", "$", of<&Functions::unresolved>,
     "samples in direct callees; in which of them is unknown"},
    {"own", "$",
     [](std::size_t i, const Of& all) {
       return all.facts.category[all.frame(i)] == Category::analysis ? all.functions.own[i]
                                                                     : absent;
     },
     "self and unresolved samples below it with no other function of your analysis in between"},
    {"total_fraction", "1",
     [](std::size_t i, const Of& all) { return ratio(all.functions.total[i], all.whole); },
     "total / total of the profile"},
    {"recursive", as_flag, of<&Functions::is_recursive>, "1 = it occurs under itself"},
    {"line_seen", "",
     [](std::size_t i, const Of& all) {
       const double line = all.facts.recorded ? all.run.names->frames.line_seen[all.frame(i)] : 0;
       return line == 0 ? absent : line;
     }},
    {"source_line",
     [](std::size_t i, const Of& all) {
       return all.facts.recorded ? all.run.text(all.run.names->frames.source_line[all.frame(i)])
                                 : std::string_view{};
     }},
    {"estimated", "$", of<&Functions::estimated>,
     "the part of self that was shared out, so not certain"},
    {"boxes", "count", of<&Functions::boxes>, "boxes of the flame graph that are calls of it"},
};

// Transforms hold up to where they turn the tree round.
static Table answer(const Run& run, const Selection& selection, const Options& options) {
  FlameChoice choice = flame_choice(run, selection, options);
  const bool any = choice.profile != nullptr;
  const FlameChoice counted =
      any ? with_transform(run, choice, upright(choice.transform)) : FlameChoice{};
  const std::shared_ptr<const FlameTree> of =
      any ? flame_tree(run, counted) : std::make_shared<const FlameTree>();
  const FrameFacts no_facts{};
  const FrameFacts& facts = any ? *of->facts : no_facts;
  const auto kept = any ? functions_in(run, counted) : std::make_shared<const Functions>();
  const Functions& functions = *kept;
  std::vector<std::size_t> shown = in_order(functions, facts);
  if (const std::string search = options.text(search_option); !search.empty()) {
    const std::vector<bool> matching = frames_matching(facts, search);
    std::erase_if(shown, [&](std::size_t i) { return !matching[functions.frame[i]]; });
  }
  Table table = columns.table(shown, {run, functions, facts, any ? of->tree.whole() : 0},
                              {.unit = count_unit(choice.profile)});
  if (!any) {
    say(table, notes::no_profile);
    return table;
  }
  note_profile(table, run, *choice.profile, of->tree, choice.leaves);
  note_transform(table, counted, *of);
  return table;
}

extern const Question question("frames", "each function: total, self, and how certain that is",
                               columns, answer,
                               {.options = {&profile::profile_option, &profile::leaves_option,
                                            &profile::transform_option, &search_option},
                                .narrowed_by = tree_dimensions});

}  // namespace crema::query::frames

// How much of each worker's samples have a function on their stack: which function differs between
// workers.
namespace crema::query::worker_frames {

constexpr Option most_option = count_option("most", "maximum number of rows", "200", {1, 1e9});

struct Row {
  FrameId frame;
  std::string_view name, file, category;
  const std::vector<double>* shares;
  double least, largest;
  std::string_view lowest, highest;
  double range() const { return largest - least; }
};

const Columns<Row, WorkerFunctions> columns = {
    {"frame", "", &Row::frame},
    {"name", as_given, &Row::name},
    {"file", as_given, &Row::file},
    {"category", as_given, &Row::category},
    {"mean", "1",
     [](const Row& row, const WorkerFunctions& all) {
       return profile::mean_of(*row.shares, all.wholes);
     },
     "share of all workers' samples with the function on the stack"},
    {"min", "1", &Row::least, "least share of a worker's own samples"},
    {"max", "1", &Row::largest, "largest share of a worker's own samples"},
    {"range", "1", &Row::range, "max - min"},
    {"lowest", &Row::lowest},
    {"highest", &Row::highest},
    {"shares", "1", [](const Row& row) -> const std::vector<double>& { return *row.shares; },
     "share of each worker's own samples, in the order of `profile_spread`"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const double most = options.number(most_option);
  const FlameChoice choice = upright_choice(run, selection, options);
  const std::shared_ptr<const WorkerFunctions> kept = worker_functions(run, choice);
  const WorkerFunctions& spread = *kept;
  std::vector<Row> found;
  for (const auto& total : spread.total) {
    const FrameId frame = total.first;
    const std::vector<double>& shares = total.second;
    const auto [least, largest] = std::minmax_element(shares.begin(), shares.end());
    const auto label = [&](auto of) -> std::string_view {
      return spread.workers[static_cast<std::size_t>(of - shares.begin())].label;
    };
    const FrameFacts& facts = *spread.facts;
    found.push_back({frame, facts.name[frame], facts.file[frame], name_of(facts.category[frame]),
                     &shares, *least, *largest, label(least), label(largest)});
  }
  sort_stably(found, [&](const Row& a, const Row& b) {
    return a.range() != b.range() ? a.range() > b.range()
                                  : spread.facts->rank[a.frame] < spread.facts->rank[b.frame];
  });
  if (static_cast<double>(found.size()) > most) found.resize(static_cast<std::size_t>(most));
  Table table =
      columns.table(found, spread, {.width = std::max<std::size_t>(1, spread.workers.size())});
  if (spread.workers.empty()) note_no_workers(table, choice);
  return table;
}

extern const Question question("worker_frames", "functions whose share differs between workers",
                               columns, answer,
                               {.options = {&profile::leaves_option, &profile::transform_option,
                                            &most_option},
                                .narrowed_by = tree_dimensions});

}  // namespace crema::query::worker_frames

// Which worker differs: how far its samples are spread otherwise than all workers' together.
namespace crema::query::profile_spread {

/// A worker, and the function in which it differs most; "" where it differs in none.
struct Row {
  std::string_view profile, worker;
  double total, distance;
  std::string_view function{};
  double share = absent, usual = absent;
};

const Columns<Row> columns = {
    {"profile", &Row::profile},
    {"worker", &Row::worker},
    {"total", "$", &Row::total},
    {"distance", "1", &Row::distance,
     "half the sum over functions of |share of self time here - share of all workers|: 0 = alike, "
     "1 = nothing in common"},
    {"function", &Row::function},
    {"share", "1", &Row::share,
     "self time of the function that differs most, of this worker's samples"},
    {"usual", "1", &Row::usual, "the same of all workers' samples"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const FlameChoice choice = upright_choice(run, selection, options);
  const std::shared_ptr<const WorkerFunctions> kept = worker_functions(run, choice);
  const WorkerFunctions& spread = *kept;
  std::vector<Row> found;
  for (std::size_t w = 0; w < spread.workers.size(); ++w)
    found.push_back({spread.workers[w].id, spread.workers[w].label, spread.wholes[w], 0});
  std::vector<double> most(found.size(), 0);
  for (const auto& [frame, shares] : spread.self) {
    const double mean = profile::mean_of(shares, spread.wholes);
    for (std::size_t w = 0; w < found.size(); ++w) {
      const double off = std::fabs(shares[w] - mean);
      found[w].distance += off / 2;
      if (off <= most[w]) continue;
      most[w] = off;
      found[w].function = spread.facts->name[frame];
      found[w].share = shares[w];
      found[w].usual = mean;
    }
  }
  for (Row& row : found) {
    if (!(row.total > 0)) row.distance = absent;
  }
  Table table = columns.table(found, {}, {.unit = count_unit(choice.profile)});
  if (spread.workers.empty()) note_no_workers(table, choice);
  return table;
}

extern const Question question("profile_spread", "workers whose profile differs from the others'",
                               columns, answer,
                               {.options = {&profile::leaves_option, &profile::transform_option},
                                .narrowed_by = tree_dimensions});

}  // namespace crema::query::profile_spread
