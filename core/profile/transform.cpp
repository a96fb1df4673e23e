#include "core/profile/transform.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace crema::profile {

namespace {

using Verb = TransformStep::Verb;

// In the order of Verb, and of Grouping.
constexpr std::string_view verbs[] = {"keep",    "drop",      "fold",  "focus",  "subtree",
                                      "callers", "recursion", "group", "invert", "range"};
constexpr std::string_view groupings[] = {"package", "file", "function", "category", "library"};

[[noreturn]] void refuse(std::string_view step, std::string_view why) {
  throw Failure(ErrorCode::bad_option,
                "transform step \"" + std::string(step) + "\": " + std::string(why));
}

double number(std::string_view step, std::string_view text) {
  const double value = parse_number(text);
  if (is_absent(value)) refuse(step, "\"" + std::string(text) + "\" is no number");
  return value;
}

TransformStep parse_step(const std::string& text) {
  const std::string_view whole = text;
  const std::size_t colon = std::min(whole.find(':'), whole.size());
  const std::string_view name = whole.substr(0, colon);
  const std::string_view rest = whole.substr(std::min(colon + 1, whole.size()));
  const auto* const verb = std::find(std::begin(verbs), std::end(verbs), name);
  if (verb == std::end(verbs))
    refuse(
        text,
        "known are keep, drop, fold, focus, callers, subtree, recursion, group, invert and range");
  TransformStep step{static_cast<Verb>(verb - verbs), std::string(rest)};
  switch (step.verb) {
    case Verb::invert:
    case Verb::recursion:
      if (colon < whole.size()) refuse(text, "it takes nothing");
      break;
    case Verb::group: {
      const std::string_view kind = rest.substr(0, rest.find(','));
      const auto* const by = std::find(std::begin(groupings), std::end(groupings), kind);
      step.grouping = static_cast<Grouping>(by - groupings);
      if (by == std::end(groupings) ||
          (kind.size() < rest.size() && step.grouping != Grouping::library))
        refuse(text, "it is by package, file, function, category or library");
      step.pattern = rest.substr(kind.size());
      break;
    }
    case Verb::subtree: step.path = number(text, rest); break;
    case Verb::range: {
      const std::size_t tilde = rest.find('~');
      if (tilde == std::string_view::npos) refuse(text, "it is range:BEGIN~END");
      step.begin = number(text, rest.substr(0, tilde));
      step.end = number(text, rest.substr(tilde + 1));
      if (!(step.begin <= step.end)) refuse(text, "it ends before it begins");
      break;
    }
    default:
      if (rest.empty()) refuse(text, "it needs a pattern");
      frames_matching(FrameFacts{{""}, {0}, {0}, {""}, {Category::other}, {0}},
                      rest);  // refuses what is not a valid expression
  }
  return step;
}

Transformed applied(const TransformStep& step, FlameTree& to) {
  const auto matching = [&] { return frames_matching(*to.facts, step.pattern); };
  switch (step.verb) {
    case Verb::keep: return keep(to.tree, matching());
    case Verb::drop: return drop(to.tree, matching());
    case Verb::fold: return fold(to.tree, matching());
    case Verb::focus: return focus(to.tree, matching());
    case Verb::subtree: return subtree(to.tree, *to.facts, step.path);
    case Verb::callers: return callers_of(to.tree, matching());
    case Verb::recursion: return collapse_recursion(to.tree);
    case Verb::group:
      to.facts =
          std::make_shared<const FrameFacts>(grouped(*to.facts, step.grouping, step.pattern));
      return regroup(std::move(to.tree), *to.facts);
    case Verb::invert: return invert(to.tree, *to.facts);
    case Verb::range: break;
  }
  return {};
}

/// Whether all frames are of native code, as perf's can be: by library they would be one box.
bool is_native(const FlameTree& of) {
  return std::all_of(of.tree.frame.begin() + 1, of.tree.frame.end(),
                     [&](FrameId frame) { return of.facts->category[frame] == Category::native; });
}

constexpr std::size_t most_steps = 2'000'000;

/// A stack that is being turned: where it is in the tree it came from and where in the new one.
struct Turning {
  NodeId from;     // the node whose caller comes next
  NodeId to;       // in the new tree
  NodeId charged;  // whose amounts it carries
  bool unresolved;
};

// Level by level, so that a cut leaves every stack equally deep.
template <class Charge>
Transformed turned(const ResolvedTree& tree, GrowingTree& growing, std::vector<Turning> turning,
                   const Charge& charge) {
  Transformed result;
  std::size_t steps = 0;
  std::size_t level = 1;
  while (!turning.empty()) {
    steps += turning.size();
    const bool is_cut = steps > most_steps;
    if (is_cut) result.callers = level;
    std::vector<Turning> next;
    for (const Turning& one : turning) {
      if (is_cut || one.from == 0 || tree.parent[one.from] == 0) {
        charge(growing, one);
        continue;
      }
      const NodeId caller = tree.parent[one.from];
      next.push_back(
          {caller, growing.child(one.to, tree.frame[caller]), one.charged, one.unresolved});
    }
    turning = std::move(next);
    ++level;
  }
  result.tree = growing.take(result.place);
  return result;
}

}  // namespace

std::vector<TransformStep> parse_transform(std::string_view text) {
  std::vector<TransformStep> steps;
  std::string step;
  const auto finish = [&] {
    if (!step.empty()) steps.push_back(parse_step(step));
    step.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ';') step += text[++i];
    else if (text[i] == ';') finish();
    else step += text[i];
  }
  finish();
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i].verb == Verb::range)
      refuse("range", "it must be the first step: later steps have no times");
  }
  return steps;
}

void transform_tree(const std::vector<TransformStep>& steps, FlameTree& to) {
  for (const TransformStep& step : steps) {
    if (step.verb == Verb::range || to.tree.size() == 0) continue;
    if (step.verb == Verb::group && step.grouping == Grouping::library && is_native(to)) continue;
    Transformed made = applied(step, to);
    if (made.callers > 0) to.limits.push_back({TreeLimit::Kind::too_deep, made.callers});
    to.tree = std::move(made.tree);
    if (made.place.empty()) to.sample_node.clear();
    for (NodeId& node : to.sample_node) {
      if (node != no_node) node = made.place[node];
    }
  }
}

std::optional<CallTree> cut_to_range(const CallTree& tree, double begin, double end) {
  if (tree.sample_node.empty()) return std::nullopt;
  CallTree cut = tree;
  cut.sample_node.clear();
  cut.sample_weight.clear();
  std::fill(cut.count.begin(), cut.count.end(), 0.0);
  double at = 0;
  for (std::size_t i = 0; i < tree.sample_node.size(); ++i) {
    const double next = at + tree.sample_weight[i];
    const double inside = std::min(next, end) - std::max(at, begin);
    at = next;
    if (!(inside > 0)) continue;
    cut.sample_node.push_back(tree.sample_node[i]);
    cut.sample_weight.push_back(inside);
    cut.count[tree.sample_node[i]] += inside;
  }
  for (std::size_t i = cut.size(); i-- > 1;) cut.count[cut.parent[i]] += cut.count[i];
  return cut;
}

Transformed invert(const ResolvedTree& tree, const FrameFacts& facts) {
  if (tree.size() == 0) return {};
  GrowingTree growing;
  growing.child(no_node, tree.frame[0]);
  if (!tree.unsettled.empty()) growing.tree().unsettle();
  std::vector<Turning> turning;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = static_cast<NodeId>(i);
    if (tree.self[i] > 0 || tree.self_max(i) > 0) {
      const NodeId to = i == 0 ? 0 : growing.child(0, tree.frame[i]);
      turning.push_back({node, to, node, false});
    }
    if (tree.unresolved(i) > 0) {
      NodeId to = growing.child(0, facts.unresolved());
      if (i > 0) to = growing.child(to, tree.frame[i]);
      turning.push_back({node, to, node, true});
    }
  }
  return turned(tree, growing, std::move(turning), [&](GrowingTree& into, const Turning& one) {
    ResolvedTree& made = into.tree();
    const double amount = one.unresolved ? tree.unresolved(one.charged) : tree.self[one.charged];
    // A stack that ends in the unknown callee is its caller's unresolved part.
    if (one.to != 0 && made.frame[one.to] == facts.unresolved()) {
      made.unsettle();
      made.unsettled[made.parent[one.to]].unresolved += amount;
      return;
    }
    made.self[one.to] += amount;
    if (one.unresolved || made.unsettled.empty()) return;
    Unsettled charged = tree.unsettled_at(one.charged);
    charged.unresolved = 0;  // turned on its own
    made.unsettled[one.to] += charged;
  });
}

Transformed callers_of(const ResolvedTree& tree, const std::vector<bool>& matching) {
  if (tree.size() == 0) return {};
  GrowingTree growing;
  growing.child(no_node, tree.frame[0]);
  std::vector<bool> covered(tree.size(), false);
  std::vector<Turning> turning;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const bool outermost = matching[tree.frame[i]] && !covered[tree.parent[i]];
    covered[i] = outermost || covered[tree.parent[i]];
    if (!outermost) continue;
    const auto node = static_cast<NodeId>(i);
    turning.push_back({node, growing.child(0, tree.frame[i]), node, false});
  }
  return turned(tree, growing, std::move(turning), [&](GrowingTree& into, const Turning& one) {
    ResolvedTree& made = into.tree();
    made.self[one.to] += tree.total[one.charged];
  });
}

}  // namespace crema::profile
