#include "core/align/align.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/collect.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"

namespace crema::align {

namespace {

// Dask takes a worker's clock from the round trip of a heartbeat: its own times are right to some
// ms. In recorded runs all chunks lie in their tasks to within this [s].
constexpr double heartbeat_error = 0.02;
// Below this a clock is as good as Dask's knowledge of it under load, and no number changes [s].
constexpr double least_offset = 0.1;
// Fewer votes may agree by chance.
constexpr std::size_t least_votes = 3;
// Pairs of tasks and chunks that are compared at most: a run with more has its note and is not
// corrected.
constexpr std::size_t most_pairs = 20'000'000;

/// An execution of the processor, as Dask timed it.
struct Execution {
  double t0, t1;
  StringId worker;
  std::uint32_t task;  ///< its row
};

/// The compute tasks of the processor: those that were seen to run chunks, else of the prefixes
/// with a task for each chunk the one that took most time. Empty where the stream is shorter than
/// the list of chunks, or was not recorded.
std::vector<Execution> executions_of(const Run& run, std::size_t chunks) {
  const Tasks& tasks = run.tasks;
  std::map<StringId, std::pair<std::size_t, double>> prefixes;  // tasks, seconds
  for_each_execution(run, [&](std::size_t i) {
    if (!(tasks.t1[i] >= tasks.t0[i])) return;
    auto& [count, seconds] = prefixes[tasks.prefix[i]];
    ++count;
    seconds += tasks.t1[i] - tasks.t0[i];
  });
  const StringId seen = function_of_chunks(run);
  StringId processor = no_string;
  double most = 0;
  for (const auto& [prefix, of] : prefixes) {
    if (of.first < chunks || !(of.second > most)) continue;
    processor = prefix;
    most = of.second;
  }
  if (seen != no_string && prefixes.contains(seen) && prefixes[seen].first >= chunks)
    processor = seen;
  std::vector<Execution> executions;
  for_each_execution(run, [&](std::size_t i) {
    if (processor != no_string && tasks.prefix[i] == processor && tasks.t1[i] >= tasks.t0[i])
      executions.push_back(
          {tasks.t0[i], tasks.t1[i], tasks.worker[i], static_cast<std::uint32_t>(i)});
  });
  return executions;
}

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// The execution of each chunk: as many chunks as possible get one of their own that contains them
/// (of several, the one that ends first); `none` for the others.
std::vector<std::uint32_t> matched(const Chunks& chunks, const std::vector<std::uint32_t>& by_start,
                                   const std::vector<Execution>& executions,
                                   double error = heartbeat_error) {
  const std::vector<std::uint32_t> order = places_in_order(
      executions.size(),
      [&](std::uint32_t a, std::uint32_t b) { return executions[a].t0 < executions[b].t0; });
  std::vector<std::uint32_t> of(chunks.size(), none);
  std::set<std::pair<double, std::uint32_t>> begun;  // end, execution
  std::size_t next = 0;
  for (const std::uint32_t i : by_start) {
    while (next < order.size() && executions[order[next]].t0 <= chunks.t_start[i] + error) {
      begun.emplace(executions[order[next]].t1, order[next]);
      ++next;
    }
    const auto found = begun.lower_bound({chunks.t_end[i] - error, 0U});
    if (found == begun.end()) continue;
    of[i] = found->second;
    begun.erase(found);
  }
  return of;
}

std::vector<std::uint32_t> timed_by_start(const Chunks& chunks) {
  std::vector<std::uint32_t> by_start;
  for (std::uint32_t i = 0; i < chunks.size(); ++i) {
    if (!is_absent(chunks.t_start[i]) && !is_absent(chunks.t_end[i])) by_start.push_back(i);
  }
  sort_stably(by_start, [&](std::uint32_t a, std::uint32_t b) {
    return chunks.t_start[a] < chunks.t_start[b];
  });
  return by_start;
}

/// How many tasks of a worker end with some chunk, were its clock off by `offset`.
struct Vote {
  std::size_t tasks = 0;
  std::size_t rival = 0;  // as many agree on another offset
  double offset = 0;      // [s] chunk time − Dask's
  StringId worker = no_string;
};

// A chunk ends some ms before its task does, whatever its length. Among all differences between
// ends of chunks and of tasks the true one therefore occurs once for each chunk, while the others
// are scattered. The vote is the median of the window that holds most tasks: a mode, which chunks
// of other workers do not move.
Vote vote_of(StringId worker, const std::vector<Execution>& tasks, const Chunks& chunks,
             const std::vector<std::uint32_t>& voters) {
  std::vector<std::pair<double, std::uint32_t>> differences;  // [s], task
  for (std::uint32_t task = 0; task < tasks.size(); ++task) {
    const double length = tasks[task].t1 - tasks[task].t0 + heartbeat_error;
    for (const std::uint32_t i : voters) {
      if (chunks.t_end[i] - chunks.t_start[i] <= length)
        differences.emplace_back(chunks.t_end[i] - tasks[task].t1, task);
    }
  }
  sort_stably(differences, std::less<>());
  Vote vote;
  vote.worker = worker;
  std::vector<std::uint32_t> times(tasks.size());
  std::vector<std::size_t> within(differences.size());
  std::size_t first = 0;
  std::size_t distinct = 0;
  for (std::size_t last = 0; last < differences.size(); ++last) {
    if (times[differences[last].second]++ == 0) ++distinct;
    while (differences[first].first < differences[last].first - heartbeat_error) {
      if (--times[differences[first].second] == 0) --distinct;
      ++first;
    }
    within[last] = distinct;
    if (distinct <= vote.tasks) continue;
    vote.tasks = distinct;
    vote.offset = differences[(first + last) / 2].first;
  }
  for (std::size_t last = 0; last < differences.size(); ++last) {
    if (std::fabs(differences[last].first - vote.offset) > least_offset)
      vote.rival = std::max(vote.rival, within[last]);
  }
  return vote;
}

// So many of the tasks that end next after a chunk are candidates. At least so many are looked at:
// its own task ends some ms later, and few others end before it.
constexpr std::size_t most_candidates = 16;
constexpr std::size_t least_neighbours = 256;

/// The execution of each chunk once clocks are right: pairs whose ends are nearest first, as a
/// chunk ends some ms before its task; what is left takes any task that contains it. `worker_of`:
/// who ran each chunk, as far as that is known.
std::vector<std::uint32_t> matched_by_ends(const Chunks& chunks,
                                           const std::vector<std::uint32_t>& by_start,
                                           const std::vector<Execution>& executions,
                                           const std::vector<StringId>& worker_of = {}) {
  const std::vector<std::uint32_t> by_end = places_in_order(
      executions.size(),
      [&](std::uint32_t a, std::uint32_t b) { return executions[a].t1 < executions[b].t1; });
  const auto contains = [&](std::uint32_t task, std::uint32_t i) {
    const StringId worker = worker_of.empty() ? no_string : worker_of[i];
    return (worker == no_string || worker == executions[task].worker) &&
           executions[task].t0 <= chunks.t_start[i] + least_offset &&
           executions[task].t1 >= chunks.t_end[i] - least_offset;
  };
  std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> pairs;  // [s] apart, chunk, task
  const std::size_t neighbours =
      std::max(least_neighbours, most_pairs / std::max<std::size_t>(1, by_start.size()));
  for (const std::uint32_t i : by_start) {
    auto at =
        std::lower_bound(by_end.begin(), by_end.end(), chunks.t_end[i] - least_offset,
                         [&](std::uint32_t task, double t) { return executions[task].t1 < t; });
    std::size_t candidates = 0;
    for (std::size_t seen = 0;
         at != by_end.end() && seen < neighbours && candidates < most_candidates; ++at, ++seen) {
      if (!contains(*at, i)) continue;
      pairs.emplace_back(std::fabs(executions[*at].t1 - chunks.t_end[i]), i, *at);
      ++candidates;
    }
  }
  sort_stably(pairs, std::less<>());
  std::vector<std::uint32_t> of(chunks.size(), none);
  std::vector<bool> taken(executions.size(), false);
  const auto give = [&](std::uint32_t i, std::uint32_t task) {
    if (of[i] != none || taken[task]) return;
    of[i] = task;
    taken[task] = true;
  };
  for (const auto& [apart, i, task] : pairs) give(i, task);
  if (by_start.size() * executions.size() > most_pairs) return of;
  for (const std::uint32_t i : by_start) {
    for (std::uint32_t task = 0; task < executions.size() && of[i] == none; ++task) {
      if (contains(task, i)) give(i, task);
    }
  }
  return of;
}

std::size_t matches(const std::vector<std::uint32_t>& of) {
  return of.size() - static_cast<std::size_t>(std::count(of.begin(), of.end(), none));
}

std::string worker_label(const Run& run, StringId address) {
  const std::size_t worker = run.workers.find(address);
  if (worker < run.workers.size() && run.workers.name[worker] != no_string)
    return "worker " + std::string(run.text(run.workers.name[worker]));
  return std::string(run.text(address));
}

/// Corrects the chunks of workers whose clocks are off. Returns how many chunks are in no task
/// afterwards; nothing where there is no task stream to tell.
std::optional<std::size_t> correct_by_tasks(Run& run) {
  if (run.tasks.size() == 0) return std::nullopt;
  Chunks& chunks = run.chunks;
  const std::vector<std::uint32_t> by_start = timed_by_start(chunks);
  if (by_start.empty()) return std::nullopt;
  std::vector<Execution> executions = executions_of(run, by_start.size());
  if (executions.empty()) return std::nullopt;

  std::vector<Vote> corrected;
  std::vector<std::uint32_t> of = matched(chunks, by_start, executions);
  for (;;) {
    std::vector<std::uint32_t> voters;
    for (const std::uint32_t i : by_start) {
      if (of[i] == none) voters.push_back(i);
    }
    if (voters.size() < least_votes || voters.size() * executions.size() > most_pairs) break;
    std::vector<std::pair<StringId, std::vector<Execution>>> workers;  // in order of first sight
    std::map<StringId, std::size_t> places;
    for (const Execution& execution : executions) {
      one_of(places, execution.worker, workers, {execution.worker, {}}).second.push_back(execution);
    }
    Vote best;
    for (const auto& [worker, tasks] : workers) {
      const Vote vote = vote_of(worker, tasks, chunks, voters);
      if (vote.tasks > best.tasks) best = vote;
    }
    // If two thirds as many tasks agree on another offset, chance may have chosen between them.
    if (best.tasks < least_votes || best.rival * 3 > best.tasks * 2 ||
        std::fabs(best.offset) < least_offset ||
        any_of(corrected, [&](const Vote& known) { return known.worker == best.worker; }))
      break;
    std::vector<Execution> moved = executions;
    for (Execution& execution : moved) {
      if (execution.worker != best.worker) continue;
      execution.t0 += best.offset;
      execution.t1 += best.offset;
    }
    std::vector<std::uint32_t> now = matched(chunks, by_start, moved);
    if (matches(now) < matches(of) + (best.tasks + 1) / 2) break;
    corrected.push_back(best);
    executions = std::move(moved);
    of = std::move(now);
  }
  if (!corrected.empty()) of = matched_by_ends(chunks, by_start, executions);
  for (const Vote& vote : corrected) {
    std::size_t count = 0;
    for (const std::uint32_t i : by_start) {
      if (of[i] == none || executions[of[i]].worker != vote.worker) continue;
      chunks.t_start[i] -= vote.offset;
      chunks.t_end[i] -= vote.offset;
      ++count;
    }
    run.add_note(
        "worker-clock", Severity::medium,
        sentence({"by its clock chunks of ", worker_label(run, vote.worker), " ran ",
                  format_seconds(std::fabs(vote.offset)), vote.offset > 0 ? " after" : " before",
                  " their tasks: its ", format_count(static_cast<double>(count), "chunk"),
                  " were moved to their tasks in Dask's task stream, to within ",
                  format_seconds(heartbeat_error)}));
  }
  // A process that is busy hears late of Dask's clock: less than that is no other clock.
  if (corrected.empty()) of = matched(chunks, by_start, executions, least_offset);
  return static_cast<std::size_t>(
      count_if(by_start, [&](std::uint32_t i) { return of[i] == none; }));
}

// In recorded runs up to 3 % of the chunks find no task of their own where tasks end together.
constexpr double most_without_task = 0.1;

}  // namespace

// noinline: browsers translate a function as a whole, and well where it runs long.
[[gnu::noinline]] void settle_worker_clocks(Run& run) {
  Chunks& chunks = run.chunks;
  if (chunks.size() == 0) return;
  const std::size_t unmatched = chunks.of_tasks ? 0 : correct_by_tasks(run).value_or(0);
  const Run::Window window = run.window();
  std::size_t outside = 0;
  double farthest = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const double before = window.begin - chunks.t_start[i];
    const double after = chunks.t_end[i] - window.end;
    // NaN compares false, so chunks without times are skipped.
    if (!(before > tick_grain) && !(after > tick_grain)) continue;
    ++outside;
    farthest = std::max({farthest, value_or(before, 0), value_or(after, 0)});
  }
  constexpr std::string_view so =
      ", so phases, start-up and the end of the run are not derived from chunks";
  if (outside > 0) {
    chunks.placed = false;
    run.add_note("chunks-outside-run", Severity::high,
                 sentence({format_number(static_cast<double>(outside)), " of ",
                           format_count(static_cast<double>(chunks.size()), "chunk"),
                           outside == 1 ? " has times up to " : " have times up to ",
                           format_seconds(farthest), " before or after the run", so}));
  } else if (unmatched >= least_votes &&
             static_cast<double>(unmatched) >
                 most_without_task * static_cast<double>(chunks.size())) {
    chunks.placed = false;
    run.add_note("chunks-outside-tasks", Severity::high,
                 sentence({format_number(static_cast<double>(unmatched)), " of ",
                           format_count(static_cast<double>(chunks.size()), "chunk"),
                           unmatched == 1 ? " has times at which its task did not run"
                                          : " have times at which none of their tasks ran",
                           so}));
  }
}

void match_chunks(Run& run) {
  Chunks& c = run.chunks;
  if (c.of_tasks && c.placed) return;
  c.worker.clear();
  c.task.clear();
  const auto widen = [&] {
    c.worker.resize(c.size(), no_string);
    c.task.resize(c.size(), no_row);
  };
  // A row of the recorder was written where its chunk ran, whatever the clocks say.
  const std::vector<std::uint32_t>& chunk_of = run.recording.chunk;
  for (std::size_t row = 0; row < chunk_of.size(); ++row) {
    const StringId worker = run.recording.tasks.text(recorded_columns::Task::address, row);
    if (chunk_of[row] == no_row || worker == no_string) continue;
    widen();
    c.worker[chunk_of[row]] = worker;
  }
  if (!c.placed || run.tasks.size() == 0) return;
  const std::vector<std::uint32_t> by_start = timed_by_start(c);
  const std::vector<Execution> executions = executions_of(run, by_start.size());
  if (executions.empty()) return;
  const std::vector<std::uint32_t> of = matched_by_ends(c, by_start, executions, c.worker);
  widen();
  for (const std::uint32_t i : by_start) {
    if (of[i] == none) continue;
    c.worker[i] = executions[of[i]].worker;
    c.task[i] = executions[of[i]].task;
  }
}

}  // namespace crema::align
