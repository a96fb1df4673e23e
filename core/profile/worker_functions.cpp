#include "core/profile/worker_functions.hpp"

#include "core/profile/flame_tree.hpp"
#include "core/profile/functions.hpp"

namespace crema::profile {

namespace {

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
    const FlameTree of = passing_flame_tree(run, with_profile(run, choice, *workers[w]));
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

struct KeptSpreads {
  Recent<std::string, WorkerFunctions> by_choice;
};

}  // namespace

std::shared_ptr<const WorkerFunctions> worker_functions(const Run& run, const FlameChoice& choice) {
  if (choice.profiles.list.empty()) return std::make_shared<const WorkerFunctions>();
  return run.facts.of<KeptSpreads>().by_choice.of(
      with_profile(run, choice, choice.profiles.list.front()).key,
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
