// Question `compare_steps`: from the core-time of A to that of B, step by step.
#include <algorithm>

#include "core/base/collect.hpp"
#include "core/base/order.hpp"
#include "core/compare/sides.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::compare_steps {

constexpr Option most_option = count_option(
    "most", "maximum number of parts of process(); those that changed least are merged", "8",
    {1, 1e6});

struct Step {
  std::string kind, label;
  double a = 0, b = 0;  ///< [core-s], means of each side's runs
  bool is_inside = false;
  double begin = 0;  ///< [core-s] what A's core-time has become before it

  double delta() const { return b - a; }
};

class Steps {
 public:
  void add(const CoreTimeTree& tree, bool in_b, double share) {
    if (tree.nodes.empty()) return;
    for (const std::uint32_t child : tree.children[0]) {
      const bool is_inside = std::string_view(tree.nodes[child].kind) == "inside_process";
      const auto& parts = tree.children[child];
      if (!is_inside || parts.empty()) put(tree.nodes[child], is_inside, in_b, share);
      else
        for (const std::uint32_t part : parts) put(tree.nodes[part], true, in_b, share);
    }
  }

  /// Parts of process() by how much they changed, then the others in the order of the budget.
  std::vector<Step> ordered(std::size_t most) {
    std::vector<Step> steps, others;
    for (Step& step : steps_) (step.is_inside ? steps : others).push_back(std::move(step));
    sort_stably(steps, [](const Step& x, const Step& y) {
      return std::fabs(x.delta()) > std::fabs(y.delta());
    });
    if (steps.size() > most + 1) {
      Step rest{.kind = "rest",
                .label = std::to_string(steps.size() - most) + " other parts of process()",
                .is_inside = true};
      for (std::size_t i = most; i < steps.size(); ++i) {
        rest.a += steps[i].a;
        rest.b += steps[i].b;
      }
      steps.resize(most);
      steps.push_back(std::move(rest));
    }
    steps.insert(steps.end(), others.begin(), others.end());
    std::erase_if(steps, [](const Step& step) { return step.a == 0 && step.b == 0; });
    return steps;
  }

 private:
  void put(const CoreTimeNode& node, bool is_inside, bool in_b, double share) {
    Step& step = one_of(places_, std::string(node.kind) + "\n" + node.label, steps_,
                        {.kind = node.kind, .label = node.label, .is_inside = is_inside});
    (in_b ? step.b : step.a) += share * node.core_seconds;
  }

  std::vector<Step> steps_;
  std::map<std::string, std::size_t> places_;
};

const Columns<Step> columns = {
    {"kind", &Step::kind},
    {"label", as_given, &Step::label},
    {"a", "s", &Step::a, "core-seconds, mean of A's runs; own time of a function"},
    {"b", "s", &Step::b, "core-seconds, mean of B's runs; own time of a function"},
    {"delta", "s", &Step::delta, "b − a"},
    {"ratio", "1", [](const Step& step) { return ratio(step.b, step.a); }, "b / a"},
    {"begin", "s", &Step::begin, "Σ a of all steps + Σ delta of those before"},
    {"end", "s", [](const Step& step) { return step.begin + step.delta(); }, "begin + delta"},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const auto of_a = runs_of_a(options, runs.size());
  Steps made;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool in_b = i >= of_a;
    const auto tree = runtime::core_time_tree(*runs[i], selection, options_for(*runs[i], options),
                                              options.choice<CoreTimeSplit>(core_time_by_option));
    made.add(*tree, in_b, 1 / static_cast<double>(in_b ? runs.size() - of_a : of_a));
  }
  std::vector<Step> steps = made.ordered(static_cast<std::size_t>(options.number(most_option)));
  double in_a = 0;
  for (const Step& step : steps) in_a += step.a;
  double reached = in_a;
  for (Step& step : steps) {
    step.begin = reached;
    reached += step.delta();
  }
  Table table = columns.table(steps);
  table.note("a", in_a);
  table.note("b", reached);
  return table;
}

extern const Question question(
    "compare_steps",
    "the change in core-time from one run to another: what each part adds or saves", columns,
    answer,
    {.options = {&runtime::processor_option, &runs_of_a_option, &most_option, &core_time_by_option},
     .narrowed_by = compared_dimensions | Selection::by_prefix,
     .run_count = {2, any_number}});

}  // namespace crema::query::compare_steps

// Question `compare_pairs`: how long the same events took in both runs.
namespace crema::query::compare_pairs {

/// A range of entries of a file, as each run took it: one chunk, or several that together are as
/// long.
struct Pair {
  std::string_view dataset, file;
  double start = 0, stop = 0;
  double seconds_a = 0, seconds_b = 0;  ///< sums; in the answer, of a chunk of A
  double chunks_a = 0, chunks_b = 0;
};

/// A chunk; those of a run in order of dataset, file and entries.
struct Piece {
  std::string_view dataset, key, file;
  double start, stop, seconds;

  /// -1, 0 or 1 as where it begins lies before, at or behind the other's.
  int against(const Piece& other) const {
    if (const int by_dataset = dataset.compare(other.dataset); by_dataset != 0) return by_dataset;
    if (const int by_file = key.compare(other.key); by_file != 0) return by_file;
    return start < other.start ? -1 : start > other.start ? 1 : 0;
  }
};

/// Chosen chunks that say which entries they are, by whole names of files or without folders.
static std::vector<Piece> pieces_of(const Run& run, const Selection& selection,
                                    bool by_whole_name) {
  const runtime::ChunkSelection chosen(run, selection);
  std::vector<Piece> pieces;
  const Chunks& c = run.chunks;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i] || c.file[i] == no_string || is_absent(c.entry_stop[i] - c.entry_start[i]) ||
        !(c.duration[i] > 0))
      continue;
    const std::string_view file = run.text(c.file[i]);
    const std::size_t folder = by_whole_name ? 0 : std::min(file.rfind('/') + 1, file.size());
    pieces.push_back({run.text(c.dataset[i]), file.substr(folder), file, c.entry_start[i],
                      c.entry_stop[i], c.duration[i]});
  }
  sort_stably(pieces, [](const Piece& x, const Piece& y) { return x.against(y) < 0; });
  return pieces;
}

/// The shortest ranges that begin and end with a chunk in both.
static std::vector<Pair> pairs_of(const std::vector<Piece>& a, const std::vector<Piece>& b) {
  std::vector<Pair> pairs;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (const int order = a[i].against(b[j]); order != 0) {
      order < 0 ? ++i : ++j;
      continue;
    }
    const Piece& first = b[j];
    Pair pair{.dataset = first.dataset, .file = first.file, .start = first.start};
    double end_a = pair.start, end_b = pair.start;
    const auto take = [&](const std::vector<Piece>& of, std::size_t& at, double& end,
                          double& seconds, double& chunks) {
      if (at == of.size() || of[at].start != end || of[at].key != first.key) return false;
      end = of[at].stop;
      seconds += of[at++].seconds;
      chunks += 1;
      return true;
    };
    bool goes_on = true;
    do {
      goes_on = end_a <= end_b ? take(a, i, end_a, pair.seconds_a, pair.chunks_a)
                               : take(b, j, end_b, pair.seconds_b, pair.chunks_b);
    } while (goes_on && (end_a != end_b || pair.chunks_b == 0));
    if (!goes_on) continue;
    pair.stop = end_a;
    pair.seconds_a /= pair.chunks_a;
    pair.seconds_b /= pair.chunks_a;
    pairs.push_back(pair);
  }
  return pairs;
}

const Columns<Pair> columns = {
    {"dataset", &Pair::dataset},
    {"file", &Pair::file},
    {"entry_start", "count", &Pair::start},
    {"entry_stop", "count", &Pair::stop},
    {"a", "s", &Pair::seconds_a, "Σ duration of A's chunks of these entries / chunks_a"},
    {"b", "s", &Pair::seconds_b, "Σ duration of B's chunks of these entries / chunks_a"},
    {"chunks_a", "count", &Pair::chunks_a},
    {"chunks_b", "count", &Pair::chunks_b},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  std::vector<Pair> pairs;
  double chunks = 0;
  for (const bool by_whole_name : {true, false}) {
    if (!pairs.empty()) break;
    const std::vector<Piece> of_a = pieces_of(*runs[0], selection, by_whole_name);
    chunks = static_cast<double>(of_a.size());
    pairs = pairs_of(of_a, pieces_of(*runs[1], selection, by_whole_name));
  }
  Table table = columns.table(pairs);
  std::vector<double> ratios;
  double paired = 0;
  for (const Pair& pair : pairs) {
    ratios.push_back(pair.seconds_b / pair.seconds_a);
    paired += pair.chunks_a;
  }
  table.note("ratio", median_of(std::move(ratios)));
  table.note("paired", paired);
  table.note("chunks", chunks);
  if (pairs.empty()) say(table, notes::no_pairs);
  return table;
}

extern const Question question(
    "compare_pairs", "how long the same events took in two runs: chunks of the same entries",
    columns, answer, {.narrowed_by = compared_dimensions, .run_count = {2, 2}});

}  // namespace crema::query::compare_pairs
