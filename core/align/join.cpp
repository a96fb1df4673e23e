#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "core/align/align.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"

namespace crema::align {

void add_activities_of_tasks(Run& run) {
  if (run.activities_recorded || !run.schema.empty()) return;
  const Tasks& tasks = run.tasks;
  std::vector<StringId> prefixes;  // in order of first appearance
  std::map<StringId, double> seconds;
  for_each_execution(run, [&](std::size_t i) {
    if (tasks.prefix[i] == no_string) return;
    if (seconds.try_emplace(tasks.prefix[i], 0).second) prefixes.push_back(tasks.prefix[i]);
    seconds[tasks.prefix[i]] += value_or(tasks.t1[i] - tasks.t0[i], 0);
  });
  if (prefixes.empty()) return;
  using recorded_columns::Task;
  std::map<StringId, double> suspended;  // of jobs, by a batch system
  const auto& rows = run.recording.tasks;
  for (std::size_t row = 0; row < rows.size() && tasks.source == run.recording.source; ++row)
    suspended[rows.text(Task::function, row)] += value_or(rows.at(Task::suspended, row), 0);
  run.activities = {};
  const StringId execute = run.names->strings.intern("execute");
  const StringId unit = run.names->strings.intern("seconds");
  for (const StringId prefix : prefixes) {
    run.activities.add(execute, prefix, run.names->strings.find("compute"), unit,
                       seconds[prefix] - suspended[prefix]);
    if (suspended[prefix] > 0)
      run.activities.add(execute, prefix, run.names->strings.intern("suspended"), unit,
                         suspended[prefix]);
  }
  run.activities.source = tasks.source;
}

std::string_view host_of_address(std::string_view address) {
  const auto scheme = address.find("://");
  if (scheme != std::string_view::npos) address.remove_prefix(scheme + 3);
  const auto port = address.rfind(':');
  return port == std::string_view::npos ? std::string_view{} : address.substr(0, port);
}

void complete_hosts(Run& run) {
  for (std::size_t i = 0; i < run.workers.size(); ++i) {
    const std::string_view address = run.text(run.workers.address[i]);
    const std::string_view host = host_of_address(address);
    if (run.workers.host[i] == no_string && is_dask_worker(address) && !host.empty())
      run.workers.host[i] = run.names->strings.intern(host);
  }
}

void drop_duplicate_chunks(Run& run) {
  Chunks& c = run.chunks;
  std::vector<std::uint32_t> order;
  // Who fills a run by hand may leave columns out.
  const std::size_t named =
      std::min({c.size(), c.file.size(), c.entry_start.size(), c.entry_stop.size()});
  for (std::uint32_t i = 0; i < named; ++i) {
    if (c.file[i] != no_string && !is_absent(c.entry_start[i]) && !is_absent(c.entry_stop[i]) &&
        !is_absent(c.t_start[i]) && !is_absent(c.t_end[i]))
      order.push_back(i);
  }
  const auto key = [&](std::uint32_t i) {
    return std::tuple(c.t_start[i], c.t_end[i], c.entry_start[i], c.entry_stop[i], c.file[i]);
  };
  sort_stably(order, [&](std::uint32_t a, std::uint32_t b) {
    // Nearly all chunks differ in their start: the rest is not looked at.
    return c.t_start[a] != c.t_start[b] ? c.t_start[a] < c.t_start[b] : key(a) < key(b);
  });
  std::vector<bool> kept(c.size(), true);
  std::size_t dropped = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (c.t_start[order[k]] != c.t_start[order[k - 1]] || key(order[k]) != key(order[k - 1]))
      continue;
    kept[order[k]] = false;
    ++dropped;
  }
  if (dropped == 0) return;
  run.add_note("duplicate-chunks", Severity::medium,
               format_count(static_cast<double>(dropped), "record") +
                   " of chunks occur twice (same file, entries and times): each was counted once");
  c.keep(kept);
  run.recording.chunk.clear();
}

namespace {

template <class T>
void append(std::vector<T>& into, std::vector<T>& part) {
  std::move(part.begin(), part.end(), std::back_inserter(into));
}

void join_workers(Workers& into, const Workers& part) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    const std::size_t worker = into.intern(part.address[i]);
    if (into.name[worker] == no_string) into.name[worker] = part.name[i];
    if (into.host[worker] == no_string) into.host[worker] = part.host[i];
    if (is_absent(into.nthreads[worker])) into.nthreads[worker] = part.nthreads[i];
    if (is_absent(into.memory_limit[worker])) into.memory_limit[worker] = part.memory_limit[i];
    if (is_absent(into.machine[worker].cpus)) into.machine[worker] = part.machine[i];
  }
}

/// The better source is taken; of a log for each job all are.
void join_states(TaskStates& into, TaskStates&& part) {
  if (part.t.empty() || (!into.t.empty() && part.teller > into.teller)) return;
  if (into.t.empty() || part.teller < into.teller) {
    into = std::move(part);
    return;
  }
  if (part.teller != Teller::batch) return;
  const TaskStates first = std::exchange(into, {.teller = Teller::batch});
  std::size_t i = 0, j = 0;
  const auto take = [&](const TaskStates& from, std::size_t row) {
    into.add(from.t[row], from.state[row], from.worker[row], from.tasks[row]);
  };
  while (i < first.t.size() || j < part.t.size()) {
    const bool is_first = j == part.t.size() || (i < first.t.size() && first.t[i] <= part.t[j]);
    if (is_first) take(first, i++);
    else take(part, j++);
  }
}

void join_elapsed(Run& into, const Run& part) {
  if (is_absent(part.elapsed)) return;
  if (is_absent(into.elapsed)) {
    into.elapsed = part.elapsed;
    into.elapsed_source = part.elapsed_source;
  } else if (std::fabs(into.elapsed - part.elapsed) > 1e-6 * into.elapsed) {
    into.add_note(
        "elapsed", Severity::medium,
        sentence({"two different lengths of the run are stated: ", format_number(into.elapsed),
                  " s is used, not ", format_number(part.elapsed), " s"}),
        part.elapsed_source);
  }
}

}  // namespace

void join(Run& into, Run&& part) {
  into.recording.append(std::move(part.recording));
  append(into.sources, part.sources);
  append(into.data_notes, part.data_notes);
  append(into.warnings, part.warnings);
  append(into.worker_events, part.worker_events);
  append(into.jobs, part.jobs);
  into.last_words.merge(part.last_words);
  append(into.call_trees, part.call_trees);
  append(into.spans, part.spans);
  into.warnings_recorded = into.warnings_recorded || part.warnings_recorded;
  if (into.profile_slices.empty()) into.profile_slices = std::move(part.profile_slices);
  // A performance report repeats the task stream: its file is the better source, whichever comes
  // first.
  if (part.tasks.size() > 0 && (into.tasks.size() == 0 || !part.tasks.from_page))
    into.tasks = std::move(part.tasks);
  join_states(into.task_states, std::move(part.task_states));
  if (into.system.size() == 0) into.system = std::move(part.system);
  if (into.schema.empty()) into.schema = part.schema;
  if (into.recorded_at.empty()) into.recorded_at = part.recorded_at;
  if (into.config.empty()) into.config = std::move(part.config);
  into.settings.merge(part.settings);
  into.labels.merge(part.labels);
  if (part.is_digest() && into.kept.empty()) {
    into.kept = std::move(part.kept);
    into.figures = std::move(part.figures);
    into.clock = part.clock;
  }
  join_elapsed(into, part);
  if (into.report.source.empty()) into.report = std::move(part.report);
  // A span dump repeats what metrics.json has: never added. metrics.json's own stay, from which its
  // stored numbers come.
  if (part.activities_recorded && (!into.activities_recorded || !part.schema.empty())) {
    into.activities_recorded = true;
    into.activities = std::move(part.activities);
  } else if (into.activities.size() == 0) {
    into.activities = std::move(part.activities);  // a total, where nothing tells more
  }
  if (!part.stored.empty()) into.stored = std::move(part.stored);
  if (part.tracked) {
    // Ticks and series belong together: they come from one file.
    Workers known = std::move(into.workers);
    into.tracked = true;
    into.tick_naive = std::move(part.tick_naive);
    into.worker_counts = std::move(part.worker_counts);
    into.workers = std::move(part.workers);
    join_workers(into.workers, known);
  } else {
    join_workers(into.workers, part.workers);
  }
  if (part.chunks_recorded && (part.chunks.size() > 0 || into.chunks.size() == 0)) {
    into.chunks_recorded = true;
    into.chunks = std::move(part.chunks);
  }
  if (part.files.size() > 0) into.files = std::move(part.files);
}

}  // namespace crema::align
