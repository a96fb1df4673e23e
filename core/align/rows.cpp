// What rows of tasks say in the words of other sources: workers, tasks, chunks, activities, call
// trees. Where Dask or roastcoffea recorded these themselves, theirs are taken.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "core/align/align.hpp"
#include "core/base/order.hpp"

namespace crema::align {

namespace {

using recorded_columns::Branch;
using recorded_columns::Section;
using recorded_columns::Task;

std::string_view view(const Run& run, Task column, std::size_t row) {
  return run.text(run.recording.tasks.text(column, row));
}

/// Whether the row took time of a worker: merging on the client does not.
bool is_of_worker(const Run& run, std::size_t row) {
  const auto& rows = run.recording.tasks;
  return !is_absent(rows.at(Task::begin, row) + rows.at(Task::wall, row)) &&
         view(run, Task::worker, row) != "client";
}

bool is_chunk(const Run& run, std::size_t row) {
  return is_of_worker(run, row) && view(run, Task::kind, row) == "chunk" &&
         view(run, Task::status, row) == "ok";
}

void add_worker(Run& run, std::size_t row) {
  const auto& rows = run.recording.tasks;
  const StringId address = rows.text(Task::address, row);
  const std::size_t worker = run.workers.intern(address);
  const StringId name = rows.text(Task::worker, row);
  if (run.workers.name[worker] == no_string && name != address)  // an address is no name
    run.workers.name[worker] = name;
  if (run.workers.host[worker] == no_string) run.workers.host[worker] = rows.text(Task::host, row);
}

/// What the words of other sources are called in a run's strings.
struct Words {
  explicit Words(StringPool& strings)
      : compute(strings.intern("compute")),
        ok(strings.intern("OK")),
        error(strings.intern("error")),
        execute(strings.intern("execute")),
        seconds(strings.intern("seconds")),
        cpu(strings.intern("thread-cpu")),
        noncpu(strings.intern("thread-noncpu")) {}
  StringId compute, ok, error, execute, seconds, cpu, noncpu;
};

/// Attempts at one item have one key, as with Dask.
std::string key_of(const Run& run, std::size_t row, StringId prefix) {
  const StringPool& strings = run.names->strings;
  const auto& rows = run.recording.tasks;
  if (const StringId item = rows.text(Task::item, row); item != no_string)
    return std::string(strings[item]);
  const StringId file = rows.text(Task::file, row);
  const std::string call = whole_text(rows.at(Task::call, row));
  if (file == no_string) return sentence({strings[prefix], "-", call, "-", std::to_string(row)});
  return sentence({strings[prefix], "-", call, "-", strings[file], ":",
                   whole_text(rows.at(Task::entry_start, row)), "-",
                   whole_text(rows.at(Task::entry_stop, row))});
}

void add_task(Run& run, std::size_t row, StringId prefix, const Words& words) {
  StringPool& strings = run.names->strings;
  const auto& rows = run.recording.tasks;
  StringId& key = run.recording.key[row];  // known where the run was renewed
  if (key == no_string) key = strings.intern(key_of(run, row, prefix));
  const StringId error = rows.text(Task::error, row);
  const double begin = rows.at(Task::begin, row);
  const StringId exception =
      error == no_string
          ? no_string
          : strings.intern(sentence({strings[error], "('", view(run, Task::message, row), "')"}));
  run.tasks.add(key, prefix, rows.text(Task::address, row), rows.at(Task::thread, row),
                words.compute, begin, begin + rows.at(Task::wall, row),
                rows.at(Task::out_bytes, row), error == no_string ? words.ok : words.error,
                exception);
}

void add_activities(Run& run, std::size_t row, StringId prefix, const Words& words) {
  const double wall = run.recording.tasks.at(Task::wall, row);
  const double cpu = run.recording.tasks.at(Task::cpu, row);
  const auto sum = [&](StringId activity, double amount) {
    run.activities.sum(words.execute, prefix, activity, words.seconds, amount);
  };
  if (is_absent(cpu)) {
    sum(words.compute, wall);
  } else {
    sum(words.cpu, cpu);
    sum(words.noncpu, std::max(0.0, wall - cpu));
  }
}

/// Which rows are of chunks whose result was lost, and which were processed once more: of attempts
/// at one item all but the last. What a call was given twice is no such: only where as many more
/// chunks of a dataset ended well as are alike were they more than the call submitted.
std::vector<bool> superseded(const Run& run) {
  using Of = std::pair<double, StringId>;  // call, dataset
  struct Group {
    double surplus = 0, alike = 0;
  };
  using Item = std::tuple<double, StringId, StringId, double, double>;
  const auto& rows = run.recording.tasks;
  std::map<Of, Group> groups;
  for (const PlannedTasks& planned : run.recording.index.planned) {
    if (run.text(planned.kind) == "chunk" && !is_absent(planned.call + planned.tasks))
      groups[{planned.call, planned.dataset}].surplus -= planned.tasks;
  }
  const auto group_of = [&](std::size_t row) -> Group* {
    const double call = rows.at(Task::call, row);
    if (is_absent(call) || !is_chunk(run, row)) return nullptr;
    return found_in(groups, std::pair(call, rows.text(Task::dataset, row)));
  };
  for (std::size_t row = 0; row < rows.size() && !groups.empty(); ++row)
    if (Group* const group = group_of(row)) group->surplus += 1;
  std::vector<bool> found(rows.size(), false);
  // Most runs lose nothing, and have many chunks.
  if (none_of(groups, [](auto& one) { return one.second.surplus > 0; })) return found;
  std::map<Item, std::vector<std::size_t>> attempts;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double start = rows.at(Task::entry_start, row), stop = rows.at(Task::entry_stop, row);
    Group* const group = group_of(row);
    if (group == nullptr || !(group->surplus > 0) || is_absent(start + stop)) continue;
    std::vector<std::size_t>& same =
        attempts[{rows.at(Task::call, row), rows.text(Task::dataset, row),
                  rows.text(Task::file, row), start, stop}];
    group->alike += same.empty() ? 0 : 1;
    same.push_back(row);
  }
  for (auto& [item, same] : attempts) {
    const Group& group = groups.at({std::get<0>(item), std::get<1>(item)});
    if (same.size() < 2 || group.surplus != group.alike) continue;
    const auto begins = [&](std::size_t row) { return rows.at(Task::begin, row); };
    const std::size_t last = *std::max_element(
        same.begin(), same.end(), [&](auto a, auto b) { return begins(a) < begins(b); });
    for (const std::size_t row : same) found[row] = row != last;
  }
  return found;
}

/// `task_of`, by row: the task stream is of these rows, too, and each chunk's worker is known;
/// empty where another source has it.
void add_chunks(Run& run, const std::vector<std::uint32_t>& task_of) {
  const bool of_tasks = !task_of.empty();
  const auto& rows = run.recording.tasks;
  Chunks& c = run.chunks;
  std::vector<std::size_t> from;
  std::vector<std::uint32_t> chunk_of(rows.size(), no_row);
  const std::vector<bool> is_superseded = superseded(run);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!is_chunk(run, row) || is_superseded[row]) continue;
    chunk_of[row] = static_cast<std::uint32_t>(from.size());
    from.push_back(row);
  }
  const auto of_row = [&](std::uint32_t row) { return row < rows.size() ? chunk_of[row] : no_row; };
  c.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t row = from[i];
    const auto at = [&](Task column) { return rows.at(column, row); };
    const double process = at(Task::begin) + at(Task::process_begin);
    const bool is_known = !is_absent(process + at(Task::process_wall));
    c.dataset[i] = rows.text(Task::dataset, row);
    c.file[i] = rows.text(Task::file, row);
    c.entry_start[i] = at(Task::entry_start);
    c.entry_stop[i] = at(Task::entry_stop);
    c.t_start[i] = is_known ? process : at(Task::begin);
    c.duration[i] = at(is_known ? Task::process_wall : Task::wall);
    c.t_end[i] = c.t_start[i] + c.duration[i];
    c.events[i] = at(Task::events);
    c.memory_before[i] = at(Task::rss_before);
    c.memory_after[i] = at(Task::rss_after);
    c.memory_delta[i] = at(Task::rss_after) - at(Task::rss_before);
  }
  // What a chunk read inside process() is the sum of its branches; their names are its set.
  const auto& branches = run.recording.branches;
  std::vector<std::vector<StringId>> read(c.size());
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const std::uint32_t chunk = of_row(branches.row(Branch::task, i));
    const StringId name = branches.text(Branch::branch, i);
    if (chunk == no_row || name == no_string) continue;
    read[chunk].push_back(name);
    double& bytes = c.bytes_read[chunk];
    bytes = value_or(bytes, 0) + branches.at(Branch::requested, i);
  }
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i].empty()) continue;
    std::sort(read[i].begin(), read[i].end());
    c.branches_accessed[i] = static_cast<double>(read[i].size());
    c.branch_set[i] = c.set_of(std::move(read[i]));
  }
  // Seconds of each section in its chunk, without those of sections within it: they add up.
  const auto& sections = run.recording.sections;
  std::vector<double> within(sections.size(), 0);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::uint32_t parent = sections.row(Section::parent, i);
    if (parent < within.size()) within[parent] += value_or(sections.at(Section::wall, i), 0);
  }
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::uint32_t chunk = of_row(sections.row(Section::task, i));
    const StringId name = sections.text(Section::name, i);
    if (chunk == no_row || name == no_string) continue;
    const double wall = sections.at(Section::wall, i);
    c.sections.push_back({chunk, name, SectionValue::Kind::seconds,
                          is_absent(wall) ? absent : std::max(0.0, wall - within[i])});
  }
  // Numbers that nobody here knows are the chunk's as those that an analysis adds.
  for (const auto& [key, values] : run.recording.other) {
    std::vector<double>& column = c.extra[key];
    for (const std::size_t row : from) column.push_back(row < values.size() ? values[row] : absent);
  }
  run.chunks_recorded = run.chunks_recorded || c.size() > 0;
  c.of_tasks = of_tasks;
  for (const std::size_t row : from) {
    if (of_tasks) {
      c.worker.push_back(rows.text(Task::address, row));
      c.task.push_back(task_of[row]);
    }
    // what names no entries is no chunk of a file
    if (is_absent(rows.at(Task::entry_start, row) + rows.at(Task::entry_stop, row)))
      chunk_of[row] = no_row;
  }
  run.recording.chunk = std::move(chunk_of);
}

/// Why workers left and tasks were given back, where a log beside says it.
void add_last_words(Run& run) {
  using recorded_columns::Change;
  if (run.last_words.empty()) return;
  const auto tell = [&](StringId worker, std::vector<double>& reasons, std::size_t row) {
    if (const StringId* const words = found_in(run.last_words, worker)) reasons[row] = *words;
  };
  auto& changes = run.recording.changes;
  for (std::size_t row = 0; row < changes.size(); ++row) {
    if (run.text(changes.text(Change::change, row)) == "removed")
      tell(changes.text(Change::worker, row), changes.of(Change::reason), row);
  }
  auto& rows = run.recording.tasks;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (view(run, Task::error, row) == "WorkerLost")
      tell(rows.text(Task::address, row), rows.of(Task::message), row);
    else if (view(run, Task::error, row) == "Requeued")
      tell(rows.text(Task::item, row), rows.of(Task::error), row);
  }
}

using recorded_columns::Machine;

/// The ticks in [begin, end), by number.
TickRange ticks_between(const std::vector<double>& ticks, double begin, double end) {
  const auto at = [&](double t) {
    return static_cast<std::size_t>(std::lower_bound(ticks.begin(), ticks.end(), t) -
                                    ticks.begin());
  };
  return {at(begin), at(end)};
}

void describe_machines(Run& run) {
  const auto& rows = run.recording.machine;
  struct Sums {
    crema::Machine machine;
    double wall = 0, busy = 0, own = 0;
  };
  std::map<std::size_t, Sums> of_workers;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t worker = run.workers.find(rows.text(Machine::address, row));
    if (worker == run.workers.size()) continue;
    Sums& sums = of_workers[worker];
    sums.wall += rows.at(Machine::wall, row);
    sums.busy += rows.at(Machine::busy, row);
    sums.own += rows.at(Machine::own, row);
    sums.machine.cpus = rows.at(Machine::cpus, row);
    sums.machine.usable = std::fmin(rows.at(Machine::usable, row), rows.at(Machine::quota, row));
    sums.machine.busy = ratio(sums.busy, sums.wall);
    sums.machine.own = ratio(sums.own, sums.wall);
  }
  for (const auto& [worker, sums] : of_workers) {
    if (is_absent(run.workers.machine[worker].cpus)) run.workers.machine[worker] = sums.machine;
  }
}

bool has_executions(const Run& run) {
  bool any = false;
  for_each_execution(run, [&](std::size_t) { any = true; });
  return any;
}

/// Counts what ran at each tick at which a worker was there.
void count_executing(Run& run) {
  for_each_execution(run, [&](std::size_t task) {
    const std::size_t worker = run.workers.find(run.tasks.worker[task]);
    if (worker == run.workers.size()) return;
    TickSeries& executing = run.workers.of(Series::executing, worker);
    const TickRange within = ticks_between(run.ticks, run.tasks.t0[task], run.tasks.t1[task]);
    for (std::size_t tick = within.begin; tick < within.end; ++tick) {
      if (!is_absent(executing.at(tick))) executing.set(tick, executing.at(tick) + 1);
    }
  });
}

// A manager's log is exact to the event: ticks are to be drawn, and are not to take much memory.
constexpr double most_ticks = 1000;
constexpr double most_values = 4e6;  // of all workers

/// The workers' series by when they were connected, as a manager's log tells.
void add_ticks_of_changes(Run& run) {
  using recorded_columns::Change;
  const auto& changes = run.recording.changes;
  const double end = run.window().end;
  if (!run.recording.of_log() || !run.ticks.empty() || changes.size() == 0 || !(end > 0)) return;
  Workers& workers = run.workers;
  const double wanted = std::min(most_ticks, most_values / static_cast<double>(workers.size()));
  const double interval = std::max(1.0, std::ceil(end / std::max(1.0, wanted)));
  for (double tick = 0; tick < end; tick += interval) run.ticks.push_back(tick);
  run.worker_counts.assign(run.ticks.size(), 0);
  std::vector<double> connected(workers.size(), absent);  // since when
  const auto leave = [&](std::size_t worker, double until) {
    const TickRange within = ticks_between(run.ticks, connected[worker], until);
    for (std::size_t tick = within.begin; tick < within.end; ++tick) {
      workers.of(Series::cores, worker).set(tick, workers.nthreads[worker]);
      workers.of(Series::executing, worker).set(tick, 0);
      run.worker_counts[tick] += 1;
    }
    connected[worker] = absent;
  };
  for (std::size_t row = 0; row < changes.size(); ++row) {
    const std::size_t worker = workers.find(changes.text(Change::worker, row));
    if (worker == workers.size()) continue;
    const double when = changes.at(Change::begin, row);
    if (run.text(changes.text(Change::change, row)) == "added") connected[worker] = when;
    else if (!is_absent(connected[worker])) leave(worker, when);
  }
  for (std::size_t worker = 0; worker < workers.size(); ++worker) {
    if (!is_absent(connected[worker])) leave(worker, end);
  }
  count_executing(run);
}

}  // namespace

void add_rows(Run& run) {
  add_last_words(run);
  const bool wants_tasks = run.tasks.size() == 0;
  // The log of a manager knows no activities: add_activities_of_tasks
  const bool wants_activities = !run.activities_recorded && !run.recording.of_log();
  std::vector<std::uint32_t> task_of;
  if (run.recording.tasks.size() > 0) {
    if (wants_tasks) task_of.assign(run.recording.tasks.size(), no_row);
    const Words words(run.names->strings);
    run.recording.key.resize(run.recording.tasks.size(), no_string);
    for (std::size_t row = 0; row < run.recording.tasks.size(); ++row) {
      if (!is_of_worker(run, row)) continue;
      const StringId prefix = run.names->strings.intern(prefix_of_row(run, row));
      add_worker(run, row);
      if (wants_tasks) {
        task_of[row] = static_cast<std::uint32_t>(run.tasks.size());
        add_task(run, row, prefix, words);
      }
      if (wants_activities) add_activities(run, row, prefix, words);
    }
  }
  if (wants_tasks) run.tasks.source = run.recording.source;
  if (wants_activities && run.activities.size() > 0) {
    run.activities.source = run.recording.source;
    run.activities_recorded = true;
  }
  if (run.chunks.size() == 0) add_chunks(run, task_of);
  const auto& rows = run.recording.tasks;
  std::vector<CallTree> trees = run.recording.trees(*run.names, [&](std::size_t sample) {
    const std::uint32_t task = run.recording.samples.row(recorded_columns::Sample::task, sample);
    const bool is_wanted = task != no_row && is_of_worker(run, task);
    return RecordedTables::Taken{is_wanted ? rows.text(Task::address, task) : no_string};
  });
  // Theirs is the worker's address as an id: they come before Dask's.
  run.call_trees.insert(run.call_trees.begin(), std::make_move_iterator(trees.begin()),
                        std::make_move_iterator(trees.end()));
}

void match_rows(Run& run) {
  const auto& rows = run.recording.tasks;
  const Chunks& c = run.chunks;
  if (run.recording.chunk.size() == rows.size()) return;  // add_rows knew
  run.recording.chunk.assign(rows.size(), no_row);
  using Key = std::tuple<StringId, double, double>;
  std::vector<std::pair<Key, std::uint32_t>> chunks;
  for (std::uint32_t i = 0; i < c.size() && rows.size() > 0; ++i) {
    if (!is_absent(c.entry_start[i] + c.entry_stop[i]))
      chunks.push_back({{c.file[i], c.entry_start[i], c.entry_stop[i]}, i});
  }
  sort_stably(chunks, std::less<>());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!is_chunk(run, row)) continue;
    const Key key(rows.text(Task::file, row), rows.at(Task::entry_start, row),
                  rows.at(Task::entry_stop, row));
    const double begin = rows.at(Task::begin, row);
    // Entries may be processed several times: the chunk's time then tells which it was.
    for (auto at = std::lower_bound(chunks.begin(), chunks.end(), std::pair(key, 0U));
         at != chunks.end() && at->first == key; ++at) {
      const double start = c.t_start[at->second];
      if (start >= begin - 1e-3 && start <= begin + rows.at(Task::wall, row))
        run.recording.chunk[row] = at->second;
    }
  }
}

void correct_executing(Run& run) {
  bool is_assigned = false;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    for (const double count : run.workers.of(Series::executing, w).values)
      if (count > 0) return;
    for (const double count : run.workers.of(Series::active_tasks, w).values)
      is_assigned = is_assigned || count > 0;
  }
  if (!is_assigned) return;
  if (has_executions(run)) return count_executing(run);
  for (std::size_t w = 0; w < run.workers.size(); ++w) run.workers.of(Series::executing, w) = {};
}

void add_ticks_of_machines(Run& run) {
  const auto& rows = run.recording.machine;
  if (rows.size() == 0) return add_ticks_of_changes(run);
  describe_machines(run);
  // In the first seconds of a run only the client has told: that is no run of 0 workers.
  bool is_of_workers = false;
  for (std::size_t row = 0; row < rows.size() && !is_of_workers; ++row)
    is_of_workers = run.workers.find(rows.text(Machine::address, row)) < run.workers.size();
  if (!run.ticks.empty() || !is_of_workers) return;
  run.ticks_of_busy_workers = true;
  std::vector<double>& ticks = run.ticks;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double begin = rows.at(Machine::begin, row);
    const double tick = std::ceil(begin);
    if (tick < begin + rows.at(Machine::wall, row)) ticks.push_back(tick);
  }
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  run.worker_counts.assign(ticks.size(), absent);
  // Dask's metrics have no tasks: how many ran is unknown, and not 0.
  const bool tells_tasks = run.recording.index.is_running || has_executions(run);
  Workers& workers = run.workers;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t worker = workers.find(rows.text(Machine::address, row));
    if (worker == workers.size()) continue;
    const double begin = rows.at(Machine::begin, row), wall = rows.at(Machine::wall, row);
    const TickRange within = ticks_between(ticks, begin, begin + wall);
    for (std::size_t tick = within.begin; tick < within.end; ++tick) {
      workers.of(Series::memory, worker).set(tick, rows.at(Machine::rss, row));
      workers.of(Series::cpu, worker).set(tick, ratio(rows.at(Machine::own, row), wall));
      workers.of(Series::cores, worker).set(tick, workers.nthreads[worker]);
      if (tells_tasks) workers.of(Series::executing, worker).set(tick, 0);
    }
  }
  count_executing(run);
}

}  // namespace crema::align
