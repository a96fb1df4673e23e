// A run that is being recorded: what its workers do now, and what its findings cost if it goes on.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/order.hpp"
#include "core/diagnose/diagnose.hpp"

namespace crema::diagnose {

namespace {

using Cause = FindingCause;
using recorded_columns::Change;
using recorded_columns::Task;

/// Threads that ended no task for so many times the longest task are silent; and for how long at
/// least [s]: the index and the rows come once a second.
constexpr double many_tasks = 3, least_silence = 5;
/// [s] Of a shorter time nothing is said.
constexpr double least_time = 1;

bool lasts(const Finding& finding) { return fields_of(finding.cause).lasting == Lasting::lasts; }

/// When each thread of a worker ended its last task of the executor's last call, and how long the
/// longest of these took [s]. Processes of an earlier call may be gone.
struct LastEnds {
  std::map<std::pair<StringId, double>, double> of_thread;
  double longest = 0;

  explicit LastEnds(const Run& run) {
    const auto& rows = run.recording.tasks;
    const auto& changes = run.recording.changes;
    std::set<StringId> gone;
    double call = absent;
    for (std::size_t row = 0; row < rows.size(); ++row)
      call = std::fmax(call, rows.at(Task::call, row));
    for (std::size_t row = 0; row < changes.size(); ++row) {
      const StringId worker = changes.text(Change::worker, row);
      if (run.text(changes.text(Change::change, row)) == "added") gone.erase(worker);
      else gone.insert(worker);
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const StringId worker = rows.text(Task::address, row);
      const double wall = rows.at(Task::wall, row), end = rows.at(Task::begin, row) + wall;
      if (is_absent(end) || rows.at(Task::call, row) != call ||
          run.text(rows.text(Task::worker, row)) == "client" || gone.contains(worker))
        continue;
      double& last = of_thread.try_emplace({worker, value_or(rows.at(Task::thread, row), -1)}, end)
                         .first->second;
      last = std::max(last, end);
      longest = std::max(longest, wall);
    }
  }
};

/// Which workers are silent, and what the others were idle for, as far as it is recorded: what a
/// thread does now it says when that has ended.
void look_at_workers(const Run& run, const Options& options, Now& now) {
  const Progress& progress = now.progress;
  const PartProgress& all = progress.all;
  if (all.done + all.skipped >= all.planned) return;  // there is nothing to do
  const LastEnds ends(run);
  const double silence = std::max(many_tasks * ends.longest, least_silence);
  std::map<StringId, double> last;  // of each worker
  double until = progress.now;
  WorkerSelection busy(run, {});
  busy.all = false;
  busy.chosen.assign(busy.chosen.size(), false);
  for (const auto& [thread, end] : ends.of_thread) {
    double& latest = last.try_emplace(thread.first, end).first->second;
    latest = std::max(latest, end);
    if (progress.now - end > silence) continue;
    until = std::min(until, end);
    if (const std::size_t worker = run.workers.find(thread.first); worker < busy.chosen.size())
      busy.chosen[worker] = true;
  }
  for (const auto& [worker, end] : last) {
    if (progress.now - end > silence) now.silent.push_back({worker, progress.now - end});
  }
  sort_stably(now.silent,
              [](const SilentWorker& a, const SilentWorker& b) { return a.seconds > b.seconds; });
  now.longest = ends.longest;
  now.from = progress.recent;
  now.until = until;
  if (!(until - now.from > least_time)) return;
  const CoreTime available = core_time(run, busy, now.from, until);
  if (is_absent(available.core_seconds)) return;
  now.idle = find_idle(run, busy, find_processor(run, options).prefix, now.from, until);
  now.available = available.core_seconds;
}

/// How many times the work that is done is left.
struct Left {
  double likely = absent, low = absent, high = absent;

  explicit Left(const Progress& progress)
      : likely(ratio(progress.left * progress.cores, progress.work)),
        low(likely * ratio(progress.left_low, progress.left)),
        high(likely * ratio(progress.left_high, progress.left)) {}
};

/// Of a dataset, how many times the events that are done are left; absent where nobody said.
double left_of(const Run& run, const Progress& progress, std::string_view dataset) {
  for (const PartProgress& part : progress.datasets) {
    if (run.text(part.dataset) == dataset)
      return ratio(std::max(0.0, part.events_planned - part.events), part.events);
  }
  return absent;
}

}  // namespace

Now find_now(const Run& run, const Options& options) {
  Now now{.progress = progress_of(run)};
  now.failures = find_failures(run, {});
  if (!now.progress.is_running) return now;
  if (!is_absent(now.progress.now)) look_at_workers(run, options, now);
  for (const Finding& finding : find_findings(run, options)) {
    if (finding.cause == Cause::slow_file) now.slow_files.push_back(&finding);
  }
  const Left left(now.progress);
  if (!(left.likely > 0)) return now;
  for (const Finding& finding : find_findings(run, options)) {
    if (!lasts(finding) || is_absent(finding.core_seconds)) continue;
    double part = 1;  // of a dataset, against that of all
    if (const auto* slow = finding.evidence.as<SlowGroup>();
        slow != nullptr && finding.cause == Cause::slow_dataset)
      part = left_of(run, now.progress, slow->anomaly.name) / left.likely;
    if (!(part > 0)) continue;
    const double cost = finding.core_seconds * part;
    now.rest.push_back({&finding, cost * left.low, cost * left.high});
  }
  for (const Advice& advice : find_advice(run, options)) {
    if (!lasts(advice.finding)) continue;
    // The model speaks of the work that is done; all of it is so many times as much.
    Restart restart{advice, advice.expected.low * (1 + left.low),
                    advice.expected.high * (1 + left.high)};
    if (restart.high < now.progress.left_low) restart.verdict = Restart::Verdict::sooner;
    if (restart.low > now.progress.left_high) restart.verdict = Restart::Verdict::later;
    now.restarts.push_back(std::move(restart));
  }
  return now;
}

}  // namespace crema::diagnose
