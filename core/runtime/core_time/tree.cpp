#include <algorithm>

#include "core/base/text.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/core_time/branches.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

using namespace profile;

std::string CoreTimeTree::id(std::uint32_t node) const {
  std::string id = nodes[node].segment;
  for (std::uint32_t up = nodes[node].parent; up != CoreTimeNode::none; up = nodes[up].parent)
    id = nodes[up].segment + "/" + id;
  return id;
}

std::uint32_t CoreTimeTree::depth(std::uint32_t node) const {
  std::uint32_t depth = 0;
  for (std::uint32_t up = nodes[node].parent; up != CoreTimeNode::none; up = nodes[up].parent)
    ++depth;
  return depth;
}

double CoreTimeTree::begin(std::uint32_t node) const {
  double begin = 0;
  for (std::uint32_t up = nodes[node].parent; up != CoreTimeNode::none;
       node = up, up = nodes[up].parent) {
    for (const std::uint32_t sibling : children[up]) {
      if (sibling == node) break;
      begin += nodes[sibling].core_seconds;
    }
  }
  return begin;
}

std::uint32_t CoreTimeTree::find(std::string_view id) const {
  if (id.empty()) return 0;
  std::uint32_t node = 0;
  std::string_view rest = id;
  if (!rest.starts_with(nodes[0].segment)) return CoreTimeNode::none;
  rest.remove_prefix(nodes[0].segment.size());
  while (!rest.empty()) {
    // Names may hold a '/': of two that fit, the longer one is meant.
    std::uint32_t best = CoreTimeNode::none;
    for (const std::uint32_t child : children[node]) {
      const std::string& name = nodes[child].segment;
      const bool fits = rest.substr(1).starts_with(name) &&
                        (rest.size() == name.size() + 1 || rest[name.size() + 1] == '/');
      if (fits && (best == CoreTimeNode::none || name.size() > nodes[best].segment.size()))
        best = child;
    }
    if (best == CoreTimeNode::none) return best;
    node = best;
    rest.remove_prefix(nodes[best].segment.size() + 1);
  }
  return node;
}

Branch part_of(const char* kind, std::string label, double core_seconds, std::string note,
               std::string segment) {
  Branch made;
  CoreTimeNode& node = made.node;
  node.kind = kind;
  node.segment = std::move(segment);
  node.label = std::move(label);
  node.note = std::move(note);
  node.core_seconds = std::max(0.0, value_or(core_seconds, 0));
  node.least = node.most = node.core_seconds;
  return made;
}

Branch named_part(const char* kind, std::string name, double core_seconds, std::string note) {
  std::string segment = name.starts_with('(') ? "(" : "";
  for (const char c : name) {
    if (c == '/') segment += "%2F";
    else if (c == '%') segment += "%25";
    else segment += c;
  }
  return part_of(kind, std::move(name), core_seconds, std::move(note), std::move(segment));
}

void split_threads(CoreTimeNode& node, const TaskTime& time, bool measured) {
  if (!(time.all > 0) || !(time.cpu + time.waiting > 0)) return;
  node.on_cpu = measured ? time.cpu : node.core_seconds * time.cpu / time.all;
  node.waiting = measured ? time.waiting : node.core_seconds * time.waiting / time.all;
  node.split_measured = measured;
}

namespace {

using PartKind = BudgetPart::Kind;

/// What the time inside process() unfolds into; `per_sample` becomes the seconds that a sample
/// stands for.
void unfold_inside(const TreeInput& input, Branch& part, double& per_sample) {
  CoreTimeNode& node = part.node;
  if (input.by == CoreTimeSplit::functions && input.sampled) {
    part.below = function_branches(input, node.core_seconds, per_sample);
    if (!part.below.empty())
      node.note += "; " + format_count(input.shares->inside, "sample") + " under process(), " +
                   format_seconds(per_sample) + " each";
    else if (input.shares == nullptr)
      node.note += "; no profile was recorded, so functions are not separated";
    else node.note += "; the profile has no sample of it";
  }
  const bool by_dataset = input.by == CoreTimeSplit::datasets;
  if (!by_dataset && input.by != CoreTimeSplit::sections) return;
  part.below = chunk_branches(input, by_dataset);
  if (part.below.empty() && !by_dataset) node.note += "; no sections were recorded (track_section)";
}

/// Dask's own work around the threads of the processor's tasks, of which the parts of the budget
/// hold `of_tasks` core-s; work done again has its own.
double time_around(const TreeInput& input, const Budget& budget, double of_tasks) {
  const TaskTime& all = input.of_processor;
  const double part = input.selection.empty() ? 1 : value_or(ratio(of_tasks, all.all), 1);
  return all.around * (part - value_or(ratio(budget.of(PartKind::lost_work), all.all), 0));
}

/// The parts of the budget, unfolded; those of the processor first, then other tasks and idle.
std::vector<Branch> of_budget(const TreeInput& input, const Budget& budget) {
  const bool whole = input.selection.empty();
  const bool by_function = input.by == CoreTimeSplit::functions && input.sampled;
  const bool by_prefix = input.by == CoreTimeSplit::activities && whole && !input.threads.empty();
  const double spread = value_or(budget.of(PartKind::outside_process), 0) +
                        value_or(budget.of(PartKind::lost_work), 0);
  const double inside = value_or(budget.of(PartKind::inside_process), 0);
  std::vector<Branch> parts;
  const auto add = [&](PartKind kind, double seconds, const std::string& note) -> Branch& {
    return parts.emplace_back(part_of(id_of(kind), label_of(kind), seconds, note, id_of(kind)));
  };
  if (by_prefix && input.of_processor.all > 0) {
    Branch& made = add(PartKind::processor_tasks, input.of_processor.all,
                       "Σ execute seconds of " + std::string(input.run.text(input.processor)) +
                           ": inside and outside process(), and work done again");
    split_threads(made.node, input.of_processor, true);
    made.below = activity_branches(input, input.processor);
  }
  // What is in process() has its own CPU time, where each chunk's was measured.
  const TaskTime& all = input.of_processor;
  const double cpu = cpu_in_process(input.run, input.selection);
  const bool is_measured = cpu <= inside;
  TreeInput within = input, beside = input;
  if (is_measured) {
    within.of_processor = {.cpu = cpu, .waiting = inside - cpu, .all = inside};
    if (whole && all.cpu >= cpu && all.all > inside)
      beside.of_processor = {.cpu = all.cpu - cpu,
                             .waiting = std::max(0.0, all.waiting - (inside - cpu)),
                             .all = all.all - inside,
                             .around = all.around};
  }
  double per_sample = absent;
  for (const BudgetPart& part : budget.parts) {
    const bool is_of_processor =
        part.kind == PartKind::inside_process || part.kind == PartKind::outside_process ||
        part.kind == PartKind::lost_work || part.kind == PartKind::processor_tasks;
    const bool is_of_others =
        part.kind == PartKind::not_in_process || part.kind == PartKind::other_tasks;
    if (by_prefix || !(is_of_processor || is_of_others)) continue;
    Branch& made = add(part.kind, part.core_seconds, part.source);
    CoreTimeNode& node = made.node;
    if (part.estimated) node.certainty = "estimated";
    if (is_of_others) {
      node.label = part.label;
      if (part.kind == PartKind::not_in_process) node.certainty = "not known";
      continue;
    }
    const bool is_inside = part.kind == PartKind::inside_process;
    split_threads(node, (is_inside ? within : beside).of_processor, is_inside && is_measured);
    if (part.estimated && whole) {
      // How much of the two is which is an estimate: it may be all of one.
      node.least = 0;
      node.most = spread;
    }
    if (is_inside) {
      unfold_inside(within, made, per_sample);
    } else if (part.kind == PartKind::lost_work) {
      if (!part.estimated) made.below = lost_branches(beside, node.core_seconds);
    } else if (part.kind == PartKind::outside_process && by_function) {
      const double around = time_around(input, budget, inside + spread);
      made.below = outside_branches(beside, node.core_seconds,
                                    std::clamp(around, 0.0, node.core_seconds), per_sample);
    } else if (by_function) {
      made.below = task_branches(input, node.core_seconds);
      if (!made.below.empty() && !input.shares->note.empty())
        node.note += "; " + input.shares->note;
    }
  }
  const auto is_other = [&](const TaskTime& time) { return time.prefix != input.processor; };
  if (whole && any_of(input.threads, is_other)) parts.push_back(other_tasks(input));
  for (const BudgetPart& part : budget.parts) {
    if (part.kind != PartKind::idle) continue;
    Branch& made = add(part.kind, part.core_seconds, part.source);
    made.node.on_cpu = made.node.waiting = 0;
    made.node.split_measured = true;
    if ((whole || input.run.tasks.size() > 0) && made.node.core_seconds > 0)
      made.below = idle_branches(input, made.node.core_seconds);
  }
  return parts;
}

CoreTimeNode whole_of(const TreeInput& input, const Budget& budget, double sum) {
  const bool is_known = !is_absent(budget.available);
  CoreTimeNode whole =
      part_of("available", is_known ? label_of(PartKind::available) : "Recorded core-time",
              is_known ? budget.available : sum,
              is_known ? budget.parts.front().source
                       : "the number of cores was not recorded: the total is unknown",
              "available")
          .node;
  if (budget.estimated) whole.certainty = "estimated";
  if (sum > whole.core_seconds * (1 + 1e-9))
    whole.note += "; its parts sum to " + format_core_seconds(sum - whole.core_seconds) + " more";
  if (input.selection.empty()) split_threads(whole, sum_of(input, true), true);
  return whole;
}

/// What of the selection the parts do not follow.
std::string selection_note(const TreeInput& input, const Budget& budget) {
  const bool by_functions = input.by == CoreTimeSplit::functions;
  if (!input.selection.workers.empty())
    return budget.selection_note + (input.sampled ? "" : " Profiles keep no times.");
  if (budget.source.empty()) {
    std::string note = budget.selection_note;
    if (by_functions && !input.sampled && !is_absent(budget.of(PartKind::inside_process)))
      note += std::string(note.empty() ? "" : "; ") +
              "profiles hold neither times nor chunks: functions are not shown for a selection";
    return note;
  }
  if (input.by == CoreTimeSplit::activities)
    return "Activities are totals of the whole run, and not shown for a range of it.";
  if (!by_functions) return "";
  if (input.sampled) return input.shares == nullptr ? "" : input.shares->note;
  return "Profiles keep no times: functions are of the whole run, and not shown for a range of it.";
}

std::size_t count_of(const std::vector<Branch>& branches) {
  std::size_t count = branches.size();
  for (const Branch& branch : branches) count += count_of(branch.below);
  return count;
}

/// Parents before children. Branches are as deep as the passes make them, whatever the input.
void lay_out(std::vector<Branch>&& branches, std::uint32_t parent, CoreTimeTree& tree) {
  for (Branch& branch : branches) {
    const auto node = static_cast<std::uint32_t>(tree.nodes.size());
    branch.node.parent = parent;
    tree.nodes.push_back(std::move(branch.node));
    tree.children.emplace_back().reserve(branch.below.size());
    tree.children[parent].push_back(node);
    lay_out(std::move(branch.below), node, tree);
  }
}

CoreTimeTree make_tree(const TreeInput& input, const Options& options) {
  const Budget budget = compute_budget(input.run, input.selection, options);
  std::vector<Branch> parts = of_budget(input, budget);
  double sum = 0;
  for (const Branch& part : parts) sum += part.node.core_seconds;
  CoreTimeTree tree;
  tree.nodes.reserve(count_of(parts) + 2);  // the whole, and what is in no part
  tree.nodes.push_back(whole_of(input, budget, sum));
  const double whole = tree.nodes[0].core_seconds;
  if (sum > whole * (1 + 1e-9)) tree.excess = sum - whole;
  if (sum < whole * (1 - 1e-12) && !parts.empty()) {
    parts.push_back(part_of("not_in_process", "Not separated", whole - sum,
                            "available − the parts that are known", "not_in_process"));
    parts.back().node.certainty = "not known";
  }
  if (parts.empty() && !(whole > 0)) {
    tree.missing =
        "neither the number of cores nor chunks nor fine metrics were recorded: there is no "
        "core-time to split";
  }
  tree.children.emplace_back();
  lay_out(std::move(parts), 0, tree);
  tree.selection_note = selection_note(input, budget);
  tree.source = budget.source;
  return tree;
}

/// What of a selection narrows anything: to select all chunks is to select none, and task prefixes
/// narrow no part.
Selection effective(const Run& run, Selection selection) {
  selection.prefixes.clear();
  if (!selects_chunks(run, selection)) {
    selection.datasets.clear();
    selection.files.clear();
    selection.hosts.clear();
    selection.ranges.clear();
  }
  return selection;
}

}  // namespace

std::shared_ptr<const CoreTimeTree> core_time_tree(const Run& run, const Selection& asked,
                                                   const Options& options, CoreTimeSplit by) {
  const Selection selection = effective(run, asked);
  const StringId processor = find_processor(run, options).prefix;
  const auto make = [&] {
    TreeInput input{.run = run,
                    .selection = selection,
                    .by = by,
                    .processor = processor,
                    .time = selected_window(run, selection),
                    .threads = task_times(run)};
    for (const TaskTime& time : input.threads) {
      if (time.prefix == processor && processor != no_string) input.of_processor = time;
    }
    input.sampled = samples_follow(run, selection);
    if (by == CoreTimeSplit::functions && input.sampled)
      input.shares = profile_shares(run, selection);
    return make_tree(input, options);
  };
  if (!selection.empty()) return std::make_shared<const CoreTimeTree>(make());
  return kept_of(run).trees.of({by, processor}, make);
}

}  // namespace crema::runtime
