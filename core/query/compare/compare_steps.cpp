// Question `compare_steps`: from the core-time of A to that of B, step by step.
#include <algorithm>
#include <optional>

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/compare/compared_rows.hpp"
#include "core/compare/sides.hpp"
#include "core/predict/prediction.hpp"
#include "core/query/question.hpp"
#include "core/report/comparison_text.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::compare_steps {

constexpr Option most_option = count_option(
    "most", "maximum number of parts of process(); the rest of it is one step", "8", {1, 1e6});
constexpr Option change_by_option =
    choice_option("by", "what the change of process() is split by",
                  "sections, functions, datasets, hosts", "sections");
enum class ChangeSplit { sections, functions, datasets, hosts };

struct Step {
  std::string kind, label;
  double a = absent, b = absent;  ///< as compared, means of each side's runs
  double delta = absent;          ///< of a part, beyond what all of process() changed by
  double margin = absent;
  double noteworthy = absent;
  double begin = 0;  ///< what A's core-time has become before it
};

/// Core-time as both sides have it: phases, and own functions inside process().
class Times {
 public:
  void add(const CoreTimeTree& tree, bool in_b, double share) {
    if (tree.nodes.empty()) return;
    for (const std::uint32_t child : tree.children[0]) {
      const CoreTimeNode& node = tree.nodes[child];
      const double seconds = share * node.core_seconds;
      if (std::string_view(node.kind) != "inside_process") {
        of(phases, node, in_b) += seconds;
        continue;
      }
      (in_b ? process_b : process_a) += seconds;
      for (const std::uint32_t part : tree.children[child])
        of(parts, tree.nodes[part], in_b) += share * tree.nodes[part].core_seconds;
    }
  }

  double process_a = 0, process_b = 0;
  std::vector<Step> phases, parts;

 private:
  double& of(std::vector<Step>& steps, const CoreTimeNode& node, bool in_b) {
    Step& step = one_of(places_, std::string(node.kind) + "\n" + node.label, steps,
                        {.kind = node.kind, .label = node.label, .a = 0, .b = 0});
    return in_b ? step.b : step.a;
  }

  std::map<std::string, std::size_t> places_;
};

/// Along which dimension a part of the work lies; what lies along none is of all.
static std::optional<ChangeSplit> split_of(const Cause& cause) {
  using Kind = PartId::Kind;
  if (cause.kind != Cause::Kind::part) return std::nullopt;
  switch (cause.part.id.kind) {
    case Kind::section:
    case Kind::cell: return ChangeSplit::sections;
    case Kind::dataset:
    case Kind::evenly: return ChangeSplit::datasets;
    case Kind::file:
    case Kind::host:
    case Kind::other_files:
    case Kind::worker: return ChangeSplit::hosts;
    case Kind::chunk:
    case Kind::first_chunks: break;
  }
  return std::nullopt;
}

static bool is_of(const PartId& id, ChangeSplit by) {
  return id.kind == (by == ChangeSplit::sections   ? PartId::Kind::section
                     : by == ChangeSplit::datasets ? PartId::Kind::dataset
                                                   : PartId::Kind::host);
}

/// The parts that explain the change, along one dimension; where none does, all there are, by size.
static std::vector<Cause> parts_along(const Explanation& e, ChangeSplit by) {
  std::vector<Cause> parts;
  for (const Cause& cause : e.causes)
    if (split_of(cause) == by) parts.push_back(cause);
  if (!parts.empty()) {
    for (const Cause& cause : e.causes) {
      const bool is_part = cause.kind == Cause::Kind::part;
      if (is_part ? !split_of(cause) : cause.kind == Cause::Kind::unpaired) parts.push_back(cause);
    }
    return parts;
  }
  for (const auto& [id, part] : e.speed.parts)
    if (is_of(id, by))
      parts.push_back({.kind = Cause::Kind::part, .part = part, .seconds = part.excess()});
  sort_stably(parts, [](const Cause& x, const Cause& y) {
    return std::fabs(x.seconds) > std::fabs(y.seconds);
  });
  return parts;
}

static Step step_of(const Explanation& e, const Cause& cause, double scale_a, double scale_b) {
  Step step{.kind = "part", .label = label_of(cause), .delta = cause.seconds * scale_b};
  if (cause.kind != Cause::Kind::part) return step;
  step.a = cause.part.seconds_a * scale_a;
  step.b = cause.part.seconds_b * scale_b;
  step.margin = margin_of(e.speed, cause.part) * scale_b;
  step.noteworthy = cause.part.is_significant ? 1 : 0;
  return step;
}

const Columns<Step> columns = {
    {"kind", &Step::kind},
    {"label", as_given, &Step::label},
    {"a", "", &Step::a, "mean of A's runs; own time of a function"},
    {"b", "", &Step::b, "mean of B's runs; own time of a function"},
    {"delta", "", &Step::delta,
     "evenly: what all of process() has in common; of a part: its seconds in `verdict`, beyond "
     "that; of a function: b − a × common factor; rest: what these leave of process(); else b − a"},
    {"margin", "", &Step::margin,
     "of a part: what delta must be beyond to be told, corrected for the number of parts; evenly: "
     "95 %"},
    {"noteworthy", as_flag, &Step::noteworthy, "delta is told; missing: nothing tells its error"},
    {"ratio", "1", [](const Step& step) { return ratio(step.b, step.a); }, "b / a"},
    {"begin", "", &Step::begin, "note a + Σ delta of the steps before"},
    {"end", "", [](const Step& step) { return step.begin + step.delta; }, "begin + delta"},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const auto of_a = runs_of_a(options, runs.size());
  const auto by = options.choice<ChangeSplit>(change_by_option);
  const Per per = options.choice<Per>(per_option);
  const std::vector<ComparedRun> all = compared_runs(runs, of_a, selection, options);
  const Explanation e = explain(runs, of_a, selection, options);
  Times times;
  double scale_a = 0, scale_b = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool in_b = i >= of_a;
    const double share = 1 / static_cast<double>(in_b ? runs.size() - of_a : of_a);
    const double scale = all[i].scale * share;
    (in_b ? scale_b : scale_a) += scale;
    const auto tree = runtime::core_time_tree(
        *runs[i], selection, options_for(*runs[i], options),
        by == ChangeSplit::functions ? CoreTimeSplit::functions : CoreTimeSplit::datasets);
    times.add(*tree, in_b, scale);
  }
  const auto most = static_cast<std::size_t>(options.number(most_option));
  const double change = times.process_b - times.process_a;
  std::vector<Step> steps;
  // Functions are told as they are where no pace is worth a word.
  const bool is_paced = by != ChangeSplit::functions || crema::compare::is_paced(e);
  for (const Cause& cause : e.causes) {
    if (cause.kind != Cause::Kind::evenly || !is_paced) continue;
    Step step{.kind = "evenly",
              .label = "everything alike",
              .a = times.process_a,
              .b = (e.a.process + cause.seconds) * scale_b,
              .margin = z_95 * cause.error * scale_b};
    step.delta = step.b - step.a;
    steps.push_back(std::move(step));
  }
  std::vector<Step> parts;
  if (by == ChangeSplit::functions) {
    const double factor = is_paced ? elementary::exp(e.speed.factor) * ratio(scale_b, scale_a) : 1;
    for (Step& part : times.parts) {
      part.kind = "function";
      part.delta = part.b - factor * part.a;
    }
    parts = std::move(times.parts);
    sort_stably(parts, [](const Step& x, const Step& y) {
      return std::fabs(x.delta) > std::fabs(y.delta);
    });
  } else {
    for (const Cause& cause : parts_along(e, by))
      parts.push_back(step_of(e, cause, scale_a, scale_b));
  }
  if (parts.size() > most) parts.resize(most);
  std::move(parts.begin(), parts.end(), std::back_inserter(steps));
  double left = change;
  for (const Step& step : steps) left -= step.delta;
  constexpr double rounding = 1e-9;
  const bool is_process = times.process_a + times.process_b > 0;
  if (is_process &&
      (steps.empty() || std::fabs(left) > rounding * (times.process_a + times.process_b)))
    steps.push_back({.kind = "rest",
                     .label = steps.empty() ? "process()" : "rest of process()",
                     .delta = left});
  double reached = times.process_a;
  for (Step& phase : times.phases) {
    reached += phase.a;
    phase.delta = phase.b - phase.a;
    if (phase.a != 0 || phase.b != 0) steps.push_back(std::move(phase));
  }
  const double in_a = reached;
  for (Step& step : steps) {
    step.begin = reached;
    reached += step.delta;
  }
  Table table = columns.table(steps);
  table.note("a", in_a);
  table.note("b", reached);
  table.note("unit", unit_of(per));
  return table;
}

extern const Question question(
    "compare_steps",
    "the change in core-time from one run to another: what each part adds or saves", columns,
    answer,
    {.options = {&runtime::processor_option, &runs_of_a_option, &most_option, &change_by_option,
                 &per_option, &run_spread_option},
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
