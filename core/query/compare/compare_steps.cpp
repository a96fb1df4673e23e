// Question `compare_steps`: from the core-time of A to that of B, step by step.
#include <cmath>
#include <map>

#include "core/base/order.hpp"
#include "core/compare/sides.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::compare_steps {

constexpr Option most_option = count_option(
    "most", "maximum number of functions; those that changed least are merged", "8", {1, 1e6});

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
    const auto [place, is_new] =
        places_.try_emplace(std::string(node.kind) + "\n" + node.label, steps_.size());
    if (is_new) steps_.push_back({.kind = node.kind, .label = node.label, .is_inside = is_inside});
    Step& step = steps_[place->second];
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
                                              CoreTimeSplit::functions);
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
    {.options = {&runtime::processor_option, &runs_of_a_option, &most_option},
     .narrowed_by = all_dimensions,
     .run_count = {2, any_number}});

}  // namespace crema::query::compare_steps
