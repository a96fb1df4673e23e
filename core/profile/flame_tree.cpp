#include <algorithm>
#include <cmath>
#include <string>

#include "core/profile/profile.hpp"
#include "core/profile/transform.hpp"

namespace crema::profile {

namespace {

std::string key_of(const Run& run, const Profile& profile, LeafChoice leaves,
                   const std::string& transform) {
  std::string key = std::to_string(static_cast<int>(leaves)) + "|" + transform + "|";
  // A run does not change while it is open; kind, size and count tell a tree that was put in
  // another's place.
  const auto place = [](const std::vector<CallTree>& trees, const CallTree* tree) {
    return std::to_string(tree - trees.data());
  };
  if (!profile.part.empty()) return key + profile.id + "|" + profile.part;
  for (std::size_t i = 0; i < profile.trees.size(); ++i) {
    const CallTree* tree = profile.trees[i];
    if (!is_absent(tree->begin)) {  // slices follow each other
      const std::size_t first = i;
      while (i + 1 < profile.trees.size() && profile.trees[i + 1] == profile.trees[i] + 1) ++i;
      key += "s" + place(run.profile_slices, tree) + "+" + std::to_string(i - first) + ",";
      continue;
    }
    key += place(run.call_trees, tree) + ":" + std::to_string(static_cast<int>(tree->leaves)) +
           ":" + std::to_string(tree->size()) + ":" +
           std::to_string(std::llround(tree->size() == 0 ? 0.0 : 1e6 * tree->count[0])) + ",";
  }
  return key;
}

FlameChoice completed(const Run& run, FlameChoice choice) {
  if (choice.profile != nullptr)
    choice.key = key_of(run, *choice.profile, choice.leaves, choice.transform);
  return choice;
}

FlameTree made(const Run& run, const FlameChoice& choice) {
  FlameTree made;
  made.facts = facts_of(run);
  const std::vector<TransformStep> steps = parse_transform(choice.transform);
  std::vector<const CallTree*> trees = choice.profile->trees;
  std::vector<CallTree> cuts;
  if (!steps.empty() && steps.front().verb == TransformStep::Verb::range) {
    cuts.reserve(trees.size());
    std::size_t unordered = 0;
    for (const CallTree*& tree : trees) {
      std::optional<CallTree> cut = cut_to_range(*tree, steps.front().begin, steps.front().end);
      if (cut) tree = &cuts.emplace_back(std::move(*cut));
      else ++unordered;
    }
    if (unordered > 0) made.limits.push_back({TreeLimit::Kind::unordered, unordered, trees.size()});
  }
  if (trees.size() == 1 && !trees[0]->sample_node.empty()) {
    std::vector<NodeId> place;
    made.tree = merged_tree(trees, choice.leaves, *made.facts, &place);
    made.sample_node = trees[0]->sample_node;
    made.sample_weight = trees[0]->sample_weight;
    for (NodeId& node : made.sample_node) node = place.empty() ? node : place[node];
    if (!cuts.empty()) made.time_begin = std::max(0.0, steps.front().begin);
  } else {
    made.tree = merged_tree(trees, choice.leaves, *made.facts);
  }
  if (!steps.empty()) made.tree.on_cpu.clear();  // steps move samples between nodes
  transform_tree(steps, made);
  return made;
}

// What the run keeps of trees, by the choice's key.
template <class T>
auto& kept(const Run& run) {
  return run.facts.of<Recent<std::string, T>>();
}

WorkerFunctions compute_worker_functions(const Run& run, const FlameChoice& choice) {
  WorkerFunctions spread;
  spread.facts = facts_of(run);
  const Profiles& profiles = choice.profiles;
  std::vector<const Profile*> workers;
  for (const Profile& one : profiles.list) {
    if (!one.counted || one.kind != CallTree::Kind::worker) continue;
    workers.push_back(&one);
    spread.workers.push_back({one.id, one.label});
  }
  for (std::size_t w = 0; w < workers.size(); ++w) {
    // Not kept: a tree of one worker among thousands would drive all others out.
    const FlameTree of = made(run, with_profile(run, choice, *workers[w]));
    spread.facts = of.facts;
    const double whole = of.tree.whole();
    spread.wholes.push_back(whole);
    if (!(whole > 0)) continue;
    const Functions functions = functions_of(of.tree, *of.facts);
    const auto put = [&](std::map<FrameId, std::vector<double>>& into, FrameId frame,
                         double amount) {
      std::vector<double>& row = into[frame];
      row.resize(spread.workers.size(), 0);
      row[w] = amount / whole;
    };
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (functions.total[i] > 0) put(spread.total, functions.frame[i], functions.total[i]);
      if (functions.self[i] > 0) put(spread.self, functions.frame[i], functions.self[i]);
    }
  }
  return spread;
}

}  // namespace

std::shared_ptr<const FrameFacts> facts_of(const Run& run) {
  // Names are shared with other runs: they grow while more are opened.
  return run.facts.of<Recent<std::size_t, FrameFacts>>().of(
      run.names->frames.size(), [&] { return frame_facts(*run.names); });
}

FlameChoice flame_choice(const Run& run, const Selection& selection, const Options& options) {
  FlameChoice choice;
  choice.leaves = leaf_choice(options);
  choice.transform = options.text(transform_option);
  parse_transform(choice.transform);
  choice.profiles = options.has(section_option) || options.has(chunk_option)
                        ? profiles_within(run, selection, options.text(section_option),
                                          options.number(chunk_option))
                    : options.flag(by_section_option) ? profiles_by_section(run, selection)
                                                      : profiles_of(run, selection);
  if (!choice.profiles.list.empty())
    choice.profile = &find_profile(choice.profiles, options.text(profile_option));
  return completed(run, std::move(choice));
}

FlameChoice with_profile(const Run& run, const FlameChoice& choice, const Profile& profile) {
  FlameChoice other{{}, &profile, choice.leaves, choice.transform, {}};
  return completed(run, std::move(other));
}

FlameChoice with_transform(const Run& run, const FlameChoice& choice, std::string transform) {
  FlameChoice other{{}, choice.profile, choice.leaves, std::move(transform), {}};
  return completed(run, std::move(other));
}

std::string upright(const std::string& transform) {
  std::string kept;
  std::size_t begin = 0;
  while (begin < transform.size()) {
    std::size_t end = begin;
    while (end < transform.size() && transform[end] != ';') end += transform[end] == '\\' ? 2 : 1;
    const std::string step = transform.substr(begin, end - begin);
    if (step == "invert" || step.rfind("callers:", 0) == 0) break;
    if (!kept.empty()) kept += ';';
    kept += step;
    begin = end + 1;
  }
  return kept;
}

std::shared_ptr<const FlameTree> flame_tree(const Run& run, const FlameChoice& choice) {
  return kept<FlameTree>(run).of(choice.key, [&] { return made(run, choice); });
}

std::shared_ptr<const Functions> functions_in(const Run& run, const FlameChoice& choice) {
  return kept<Functions>(run).of(choice.key, [&] {
    const std::shared_ptr<const FlameTree> of = flame_tree(run, choice);
    return functions_of(of->tree, *of->facts);
  });
}

std::shared_ptr<const std::vector<FrameId>> main_callers_in(const Run& run,
                                                            const FlameChoice& choice) {
  return kept<std::vector<FrameId>>(run).of(choice.key, [&] {
    const std::shared_ptr<const FlameTree> of = flame_tree(run, choice);
    return main_callers(of->tree, *of->facts);
  });
}

std::shared_ptr<const Children> ordered_children(const Run& run, const FlameChoice& choice,
                                                 const FlameTree& tree, SiblingOrder order) {
  return run.facts.of<Recent<std::pair<SiblingOrder, std::string>, Children>>().of(
      {order, choice.key}, [&] { return ordered_children(tree.tree, *tree.facts, order); });
}

LeafChoice leaf_choice(const Options& options) { return options.choice<LeafChoice>(leaves_option); }

std::string count_unit(const Profile* profile) {
  const bool known =
      profile != nullptr && !profile->trees.empty() && profile->trees.front()->unit != "samples";
  return known ? profile->trees.front()->unit : "count";
}

std::shared_ptr<const WorkerFunctions> worker_functions(const Run& run, const FlameChoice& choice) {
  if (choice.profiles.list.empty()) return std::make_shared<const WorkerFunctions>();
  return kept<WorkerFunctions>(run).of(with_profile(run, choice, choice.profiles.list.front()).key,
                                       [&] { return compute_worker_functions(run, choice); });
}

double mean_of(const std::vector<double>& shares, const std::vector<double>& wholes) {
  double sum = 0;
  double all = 0;
  for (std::size_t w = 0; w < shares.size(); ++w) {
    sum += shares[w] * wholes[w];
    all += wholes[w];
  }
  return ratio(sum, all);
}

FlameChoice upright_choice(const Run& run, const Selection& selection, const Options& options) {
  std::map<std::string, std::string> values = options.all();
  values[std::string(transform_option.name)] = upright(options.text(transform_option));
  return flame_choice(run, selection, Options(std::move(values)));
}

}  // namespace crema::profile
