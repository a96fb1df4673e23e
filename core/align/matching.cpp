#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/align/align.hpp"
#include "core/base/number_format.hpp"
#include "core/base/order.hpp"

namespace crema::align {

void add_activities_of_tasks(Run& run) {
  if (run.activities_recorded || !run.schema.empty()) return;
  const Tasks& tasks = run.tasks;
  std::vector<StringId> prefixes;  // in order of first appearance
  std::unordered_map<StringId, double> seconds;
  for_each_execution(run, [&](std::size_t i) {
    if (tasks.prefix[i] == no_string) return;
    if (seconds.try_emplace(tasks.prefix[i], 0).second) prefixes.push_back(tasks.prefix[i]);
    seconds[tasks.prefix[i]] += value_or(tasks.t1[i] - tasks.t0[i], 0);
  });
  if (prefixes.empty()) return;
  using recorded_columns::Task;
  std::unordered_map<StringId, double> suspended;  // of jobs, by a batch system
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

void complete_hosts(Run& run) {
  for (std::size_t i = 0; i < run.workers.size(); ++i) {
    if (run.workers.host[i] != no_string) continue;
    const std::string_view address = run.text(run.workers.address[i]);
    const auto scheme = address.find("://");
    const auto port = address.rfind(':');
    if (scheme == std::string_view::npos || port <= scheme + 2) continue;
    run.workers.host[i] = run.names->strings.intern(address.substr(scheme + 3, port - scheme - 3));
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

}  // namespace crema::align
