#include "core/profile/profile.hpp"

#include <algorithm>
#include <set>

#include "core/model/worker_selection.hpp"

namespace crema::profile {

namespace {

using Kind = CallTree::Kind;

// Task prefixes that have less than this share of the task seconds together are left out: their
// tasks are too short to be sampled, and the samples are as good as all of the main prefix.
constexpr double negligible = 0.01;

std::map<StringId, double> thread_seconds(const Run& run) {
  std::map<StringId, double> seconds;
  const Activities& a = run.activities;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::string_view activity = run.text(a.activity[i]);
    const bool is_thread_time = activity == "thread-cpu" || activity == "thread-noncpu";
    if (is_thread_time && run.text(a.context[i]) == "execute" && run.text(a.unit[i]) == "seconds")
      seconds[a.prefix[i]] += a.value[i];
  }
  return seconds;
}

/// What is known of the tasks behind a run's samples.
class Calibration {
 public:
  explicit Calibration(const Run& run) : run_(run), spans_(thread_seconds(run)) {
    const Tasks& tasks = run.tasks;
    for_each_execution(run, [&](std::size_t i) {
      const double seconds = tasks.t1[i] - tasks.t0[i];
      if (!is_absent(seconds)) stream_[tasks.worker[i]][tasks.prefix[i]] += seconds;
    });
    for (std::size_t i = 0; i < run.workers.size(); ++i) {
      workers_.insert(run.workers.address[i]);
      const TickRange ticks = ticks_of(run.workers, i);
      any_left_ = any_left_ || (ticks.end > 0 && ticks.end < run.ticks.size());
    }
    // A smaller tree of the same worker was taken while it still ran.
    for (const CallTree& tree : run.call_trees) {
      if (!is_of_tasks(tree.kind) || tree.unit != "samples") continue;
      double& most = samples_[subject_of(tree)];
      most = std::max(most, whole_count(tree));
    }
    const Profiles profiles = profiles_of(run);
    if (profiles.list.empty()) return;
    const Trees& all = profiles.list.front().trees;
    if (is_of_tasks(all.front()->kind) && all.front()->unit == "samples") all_ = calibrated(all);
  }
  SampleTime of(const Profile& profile) const {
    SampleTime assumed = sample_time(profile);
    if (is_absent(assumed.seconds) || assumed.is_recorded() ||
        !is_of_tasks(profile.trees.front()->kind))
      return assumed;
    if (!is_absent(profile.trees.front()->begin)) return of_slices(profile.trees, assumed);
    SampleTime time = calibrated(profile.trees);
    // The spans do not know workers apart; all of them are sampled alike.
    if (is_absent(time.seconds) && profile.trees.front()->kind == Kind::worker &&
        !is_absent(all_.seconds)) {
      time = all_;
      time.of = SampleTime::Of::all_workers;
    }
    return is_absent(time.seconds) ? assumed : time;
  }

 private:
  using Trees = std::vector<const CallTree*>;
  using Seconds = std::map<StringId, double>;  // by task prefix

  Seconds stream_seconds(const Trees& trees) const {
    Seconds sum;
    const Kind kind = trees.front()->kind;
    if (kind != Kind::worker && any_left_) return sum;
    if (kind == Kind::worker) {
      for (const CallTree* tree : trees) {
        const auto found = stream_.find(tree->worker);
        if (found == stream_.end()) continue;
        for (const auto& [prefix, amount] : found->second) sum[prefix] += amount;
      }
      return sum;
    }
    std::set<StringId> keys;
    for (const CallTree* tree : trees) keys.insert(tree->key);
    for (const auto& [worker, seconds] : stream_) {
      for (const auto& [prefix, amount] : seconds)
        if (kind == Kind::merged || keys.contains(prefix)) sum[prefix] += amount;
    }
    return sum;
  }
  Seconds span_seconds(const Trees& trees) const {
    const Kind kind = trees.front()->kind;
    std::set<StringId> known;
    for (const CallTree* tree : trees)
      known.insert(kind == Kind::worker ? tree->worker : tree->key);
    if (kind == Kind::worker) {
      const bool all = std::includes(known.begin(), known.end(), workers_.begin(), workers_.end());
      return all ? spans_ : Seconds{};
    }
    if (any_left_) return {};
    Seconds sum;
    for (const auto& [prefix, amount] : spans_) {
      if (kind == Kind::merged || known.contains(prefix)) sum[prefix] = amount;
    }
    return sum;
  }
  SampleTime divided(const Seconds& seconds, SampleTime::Source source, double samples) const {
    double sum = 0;
    double most = 0;
    StringId main = no_string;
    for (const auto& [prefix, amount] : seconds) {
      sum += amount;
      if (amount <= most) continue;
      most = amount;
      main = prefix;
    }
    if (!(sum > 0) || !(samples > 0)) return {};
    const bool is_of_one = most >= (1 - negligible) * sum;
    if (is_of_one) sum = most;
    return {.seconds = sum / samples,
            .source = source,
            .task_seconds = sum,
            .samples = samples,
            .prefix = std::string(is_of_one ? run_.text(main) : std::string_view{}),
            .has_others = is_of_one && seconds.size() > 1};
  }
  SampleTime calibrated(const Trees& trees) const {
    double samples = 0;
    for (const CallTree* tree : trees) samples += samples_.at(subject_of(*tree));
    const SampleTime by_stream =
        divided(stream_seconds(trees), SampleTime::Source::task_stream, samples);
    return is_absent(by_stream.seconds)
               ? divided(span_seconds(trees), SampleTime::Source::spans, samples)
               : by_stream;
  }
  // Samples of a stretch of time stand for what the same tasks took of it; else as in all of the
  // run.
  SampleTime of_slices(const Trees& slices, const SampleTime& assumed) const {
    const bool by_worker = slices.front()->worker != no_string;
    const bool by_prefix = slices.front()->key != no_string;
    std::set<StringId> workers;
    std::set<StringId> prefixes;
    double begin = slices.front()->begin;
    double end = slices.front()->end;
    double samples = 0;
    for (const CallTree* slice : slices) {
      workers.insert(slice->worker);
      prefixes.insert(slice->key);
      begin = std::min(begin, slice->begin);
      end = std::max(end, slice->end);
      samples += whole_count(*slice);
    }
    const Tasks& tasks = run_.tasks;
    Seconds seconds;
    for_each_execution(run_, [&](std::size_t i) {
      const double within = std::min(tasks.t1[i], end) - std::max(tasks.t0[i], begin);
      if (within > 0 && (!by_worker || workers.contains(tasks.worker[i])) &&
          (!by_prefix || prefixes.contains(tasks.prefix[i])))
        seconds[tasks.prefix[i]] += within;
    });
    const SampleTime here = divided(seconds, SampleTime::Source::task_stream, samples);
    if (!is_absent(here.seconds)) return here;
    if (is_absent(all_.seconds)) return assumed;
    SampleTime of_run = all_;
    of_run.of = SampleTime::Of::whole_run;
    return of_run;
  }

  const Run& run_;
  std::map<StringId, Seconds> stream_;  // of compute actions, by worker
  Seconds spans_;                       // thread time
  std::set<StringId> workers_;          // that are known to have been there
  bool any_left_ = false;
  // of a worker or prefix, by the fullest of its trees
  std::map<std::pair<StringId, StringId>, double> samples_;
  SampleTime all_;  // of all workers together, where that is known
};

}  // namespace

SampleTime calibrated_time(const Run& run, const Profile& profile) {
  return run.facts.of<Once<Calibration>>().of([&] { return Calibration(run); }).of(profile);
}

double seconds_per_count(const Run& run, const Profile& profile) {
  const bool in_seconds = !profile.trees.empty() && profile.trees.front()->unit == "s";
  return in_seconds ? 1 : calibrated_time(run, profile).seconds;
}

double samples_per_count(const Profile& profile) {
  if (profile.trees.empty() || profile.trees.front()->unit == "samples")
    return profile.trees.empty() ? 0 : 1;
  double seconds = 0, samples = 0;
  for (const CallTree* tree : profile.trees) {
    if (tree->unit != "s" || is_absent(tree->interval)) return 0;
    seconds += tree->count[0];
    samples += tree->count[0] / tree->interval;
  }
  return seconds > 0 ? samples / seconds : 0;
}

}  // namespace crema::profile
