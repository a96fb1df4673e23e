#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "core/analyse/flame_tree.hpp"
#include "core/analyse/questions.hpp"
#include "core/flame/functions.hpp"

namespace crema {

namespace {

/// How each worker's samples are spread over functions, as shares of the worker's own.
struct Spread {
  std::shared_ptr<const FrameFacts> facts;
  struct Worker {
    std::string id, label;
  };
  std::vector<Worker> workers;
  std::vector<double> wholes;                    // by worker
  std::map<FrameId, std::vector<double>> self;   // share by worker: innermost frame
  std::map<FrameId, std::vector<double>> total;  // share by worker: on the stack
};

Spread made_spread(const Run& run, const FlameChoice& choice) {
  Spread spread;
  spread.facts = facts_of(run);
  const Profiles& profiles = choice.profiles;
  const CallTree* const trees = run.call_trees.data();
  std::vector<bool> counted(run.call_trees.size(), false);
  for (const CallTree* tree : profiles.list.front().trees) counted[static_cast<std::size_t>(tree - trees)] = true;
  std::vector<const Profile*> workers;
  for (const Profile& one : profiles.list) {
    const bool counts = one.kind == CallTree::Kind::worker && counted[static_cast<std::size_t>(one.trees[0] - trees)];
    if (!counts) continue;
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
    const auto put = [&](std::map<FrameId, std::vector<double>>& into, FrameId frame, double amount) {
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

/// Kept by the run: both questions are asked together.
std::shared_ptr<const Spread> spread_of(const Run& run, const FlameChoice& choice) {
  if (choice.profiles.list.empty()) return std::make_shared<const Spread>();
  const std::string key = "worker functions|" + with_profile(run, choice, choice.profiles.list.front()).key;
  return run.memo.of<Spread>(key, [&] { return made_spread(run, choice); });
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
  values["transform"] = upright(options.text("transform"));
  return flame_choice(run, selection, Options(std::move(values)));
}

void note_no_workers(Table& table, const FlameChoice& choice) {
  if (choice.profile == nullptr) note_no_profiles(table);
  else table.note("missing", "No profile per worker was recorded; one call tree does not tell workers apart.");
}

}  // namespace

// How much of each worker's samples have a function on their stack: which function differs between workers. Options: leaves,
// transform, most (rows).
Table worker_frames(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const double most = options.number("most", 200);
  if (!(most >= 1)) throw Failure(ErrorCode::bad_option, "most=" + options.text("most") + "; it is a number of rows, 1 or more");
  const FlameChoice choice = upright_choice(run, selection, options);
  const std::shared_ptr<const Spread> kept = spread_of(run, choice);
  const Spread& spread = *kept;
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

// Which worker differs: how far its samples are spread otherwise than all workers' together. Options: leaves, transform.
Table profile_spread(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const FlameChoice choice = upright_choice(run, selection, options);
  const std::shared_ptr<const Spread> kept = spread_of(run, choice);
  const Spread& spread = *kept;
  Table table;
  const auto profile = table.add_text("profile");
  const auto worker = table.add_text("worker");
  const auto total = table.add_number("total", count_unit(choice.profile));
  const auto distance = table.add_number(
      "distance", "1",
      "half the sum over functions of |share of self time here - share of all workers|: 0 = alike, 1 = nothing in common");
  const auto function = table.add_text("function");
  const auto share = table.add_number("share", "1", "self time of the function that differs most, of this worker's samples");
  const auto usual = table.add_number("usual", "1", "the same of all workers' samples");
  if (spread.workers.empty()) {
    note_no_workers(table, choice);
    return table;
  }
  std::vector<double> sums(spread.workers.size(), 0);
  std::vector<double> most(spread.workers.size(), 0);
  std::vector<FrameId> which(spread.workers.size(), spread.facts->unresolved());
  std::vector<double> means(spread.workers.size(), absent);
  for (const auto& [f, values] : spread.self) {
    const double mean = mean_of(values, spread.wholes);
    for (std::size_t w = 0; w < values.size(); ++w) {
      const double off = std::fabs(values[w] - mean);
      sums[w] += off;
      if (off <= most[w]) continue;
      most[w] = off;
      which[w] = f;
      means[w] = mean;
    }
  }
  for (std::size_t w = 0; w < spread.workers.size(); ++w) {
    const bool differs = most[w] > 0;
    table.put(profile, spread.workers[w].id);
    table.put(worker, spread.workers[w].label);
    table.put(total, spread.wholes[w]);
    table.put(distance, spread.wholes[w] > 0 ? sums[w] / 2 : absent);
    if (differs) table.put(function, spread.facts->name[which[w]]);
    else table.put_missing(function);
    table.put(share, differs ? spread.self.at(which[w])[w] : absent);
    table.put(usual, means[w]);
  }
  return table;
}

}  // namespace crema
