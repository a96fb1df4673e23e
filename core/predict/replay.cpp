#include "core/predict/replay.hpp"

#include <bit>
#include <numeric>

#include "core/base/order.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::predict {

using namespace runtime;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Which slot is free first: a tournament (D. E. Knuth, The Art of Computer Programming 3, 5.4.1)
/// of as many rounds as a heap has levels, with one comparison in each. Of equals the first wins.
class Tournament {
 public:
  explicit Tournament(const std::vector<Slot>& slots)
      : leaves_(std::bit_ceil(slots.size() + 1)), free_(leaves_, never), winner_(2 * leaves_) {
    for (std::size_t i = 0; i < slots.size(); ++i) free_[i] = begins(slots[i], slots[i].from);
    for (std::size_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = static_cast<std::uint32_t>(i);
    for (std::size_t node = leaves_; node-- > 1;) {
      const std::uint32_t a = winner_[2 * node];
      const std::uint32_t b = winner_[2 * node + 1];
      winner_[node] = free_[b] < free_[a] ? b : a;
    }
  }

  std::uint32_t first() const { return winner_[1]; }
  double at(std::uint32_t slot) const { return free_[slot]; }

  /// The slot takes its next task at `time`, unless it is gone by then.
  void put(std::uint32_t slot, const Slot& of, double time) {
    std::uint32_t winner = slot;
    double best = free_[slot] = begins(of, time);
    for (std::size_t node = slot + leaves_; node > 1; node /= 2) {
      const std::uint32_t rival = winner_[node ^ 1U];
      const double rivals = free_[rival];
      // Without a branch: who wins cannot be foreseen.
      const auto loses = static_cast<std::uint32_t>(rivals < best) |
                         (static_cast<std::uint32_t>(rivals == best) & (rival < winner));
      winner ^= (winner ^ rival) & (0U - loses);
      best = std::min(best, rivals);
      winner_[node / 2] = winner;
    }
  }

 private:
  static double begins(const Slot& slot, double time) { return time >= slot.until ? never : time; }

  std::size_t leaves_;
  std::vector<double> free_;  // when, by slot
  std::vector<std::uint32_t>
      winner_;  // by node: 1 is the root, below n are 2n and 2n + 1, the leaves are the slots
};

}  // namespace

double replay(const std::vector<double>& task_seconds, const std::vector<Slot>& slots) {
  Tournament free(slots);
  double end = absent;
  for (const double seconds : task_seconds) {
    const std::uint32_t slot = free.first();
    const double at = free.at(slot);
    if (at == never) return absent;
    const double done = at + seconds;
    free.put(slot, slots[slot], done);
    if (!(end >= done)) end = done;
  }
  return end;
}

namespace {

// More repetitions than this are no recording of a cluster, and would be replayed one by one.
constexpr double most_repetitions = 10;  // per chunk

std::vector<Slot> recorded_slots(const Run& run, double begin) {
  std::vector<Slot> slots;
  for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
    const TickRange range = ticks_of(run.workers, worker);
    if (range.end == 0) continue;
    Slot slot;
    // There from the first tick on means there before.
    slot.from = range.begin == 0 ? begin : std::max(begin, run.ticks[range.begin]);
    if (range.end < run.ticks.size()) slot.until = run.ticks[range.end];
    double threads = absent;  // the last that was seen
    for (std::size_t tick = range.end; tick-- > range.begin && is_absent(threads);)
      threads = nthreads_at(run, worker, tick);
    if (!(static_cast<double>(slots.size()) + value_or(threads, 0) <= most_cores)) return {};
    for (double i = 0; i < value_or(threads, 0); i += 1) slots.push_back(slot);
  }
  if (!slots.empty()) return slots;
  const CoreTime time = core_time(run, WorkerSelection(run, {}), 0, run.window().end);
  if (!(value_or(time.cores, 0) <= most_cores)) return {};
  for (double i = 0; i < std::round(value_or(time.cores, 0)); i += 1)
    slots.push_back({begin, Slot{}.until});
  return slots;
}

/// A task of the processor, and the thread of the worker that took it.
struct Taken {
  StringId worker;
  double thread, begin, end;
};

/// Gives the tasks of one worker threads where its stream names none: each task takes the first
/// thread that is free, so there are as many threads as tasks that ran at once. `of_worker` is in
/// order of begin.
void name_threads(std::span<Taken> of_worker) {
  if (none_of(of_worker, [](const Taken& task) { return is_absent(task.thread); })) return;
  std::vector<double> free_from;  // by thread
  for (Taken& task : of_worker) {
    const auto found = std::find_if(free_from.begin(), free_from.end(),
                                    [&](double end) { return end <= task.begin; });
    task.thread = static_cast<double>(found - free_from.begin());
    if (found == free_from.end()) free_from.push_back(task.end);
    else *found = task.end;
  }
}

/// When each thread of each worker took its first task of the processor, and until when: as a whole
/// task stream has it. Ticks know it to a second only.
std::vector<Slot> streamed_slots(const Run& run, StringId processor) {
  std::vector<Taken> taken;
  const Tasks& tasks = run.tasks;
  for_each_execution(run, [&](std::size_t i) {
    if (tasks.prefix[i] == processor)
      taken.push_back({tasks.worker[i], tasks.thread[i], tasks.t0[i], tasks.t1[i]});
  });
  sort_stably(taken, [](const Taken& a, const Taken& b) {
    return a.worker != b.worker ? a.worker < b.worker : a.begin < b.begin;
  });
  for (auto first = taken.begin(); first != taken.end();) {
    const auto last = std::find_if(first, taken.end(),
                                   [&](const Taken& task) { return task.worker != first->worker; });
    name_threads({&*first, static_cast<std::size_t>(last - first)});
    first = last;
  }
  sort_stably(taken, [](const Taken& a, const Taken& b) {
    return a.worker != b.worker   ? a.worker < b.worker
           : a.thread != b.thread ? a.thread < b.thread
                                  : a.begin < b.begin;
  });
  double last_begin = -std::numeric_limits<double>::infinity();
  for (const Taken& task : taken) last_begin = std::max(last_begin, task.begin);
  std::vector<Slot> slots;
  std::size_t first_of_worker = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const bool is_new = i == 0 || taken[i].worker != taken[i - 1].worker;
    if (is_new) first_of_worker = slots.size();
    if (is_new || taken[i].thread != taken[i - 1].thread) slots.push_back({taken[i].begin});
    if (i + 1 < taken.size() && taken[i + 1].worker == taken[i].worker) continue;
    // Who left took no other task after its last one; the one it was at is in no record.
    const std::size_t worker = run.workers.find(taken[i].worker);
    const TickRange ticks =
        worker < run.workers.size() ? ticks_of(run.workers, worker) : TickRange{};
    if (ticks.end == 0 || ticks.end >= run.ticks.size()) continue;
    double last = taken[i].end;
    for (std::size_t k = i; k-- > 0 && taken[k].worker == taken[i].worker;)
      last = std::max(last, taken[k].end);
    // Who worked when the last task began was there to the end: the ticks of a short run miss that.
    if (last >= last_begin) continue;
    for (std::size_t slot = first_of_worker; slot < slots.size(); ++slot) slots[slot].until = last;
  }
  return slots;
}

/// Executions of the processor that hold no chunk, by a whole task stream.
std::vector<Extra> extras_of(const Run& run, StringId processor,
                             const std::vector<std::uint32_t>& order) {
  constexpr double rounding = 0.01;  // [s] by which a worker's clock and its chunks' may be off
  const Tasks& tasks = run.tasks;
  const Chunks& c = run.chunks;
  std::vector<bool> superseded(tasks.size());
  for (const std::size_t record : superseded_executions(run, processor)) superseded[record] = true;
  std::vector<std::size_t> executions;
  for_each_execution(run, [&](std::size_t i) {
    if (tasks.prefix[i] == processor) executions.push_back(i);
  });
  sort_stably(executions, [&](std::size_t a, std::size_t b) { return tasks.t0[a] < tasks.t0[b]; });
  std::vector<Extra> extras;
  std::vector<std::size_t> open;  // begun, and not yet known to hold a chunk
  std::size_t next = 0;
  std::size_t place = 0;
  const auto give_up = [&](double before) {
    std::erase_if(open, [&](std::size_t i) {
      if (tasks.t1[i] >= before) return false;
      const auto at = std::lower_bound(
          order.begin(), order.end(), tasks.t0[i],
          [&](std::uint32_t chunk, double began) { return c.t_start[chunk] < began; });
      extras.push_back(
          {static_cast<std::size_t>(at - order.begin()), tasks.t1[i] - tasks.t0[i], false});
      return true;
    });
  };
  for (; place < order.size(); ++place) {
    const double began = c.t_start[order[place]];
    for (; next < executions.size() && tasks.t0[executions[next]] <= began + rounding; ++next) {
      const std::size_t i = executions[next];
      if (superseded[i]) extras.push_back({place, tasks.t1[i] - tasks.t0[i], true});
      else open.push_back(i);
    }
    give_up(began - rounding);
    // Of those that can hold it the one that ends first: so most chunks find one.
    auto holds = open.end();
    for (auto it = open.begin(); it != open.end(); ++it) {
      if (tasks.t1[*it] < c.t_end[order[place]] - rounding) continue;
      if (holds == open.end() || tasks.t1[*it] < tasks.t1[*holds]) holds = it;
    }
    if (holds != open.end()) open.erase(holds);
  }
  for (; next < executions.size(); ++next) {
    const std::size_t i = executions[next];
    if (superseded[i]) extras.push_back({place, tasks.t1[i] - tasks.t0[i], true});
  }
  give_up(Slot{}.until);
  sort_stably(extras, [](const Extra& a, const Extra& b) {
    return a.before != b.before ? a.before < b.before : a.seconds < b.seconds;
  });
  return extras;
}

/// Seconds of tasks other than the processor's in [begin, end], where there is a task stream.
double streamed_others(const Run& run, StringId processor, double begin, double end) {
  double seconds = 0;
  for_each_execution(run, [&](std::size_t i) {
    if (run.tasks.prefix[i] == processor) return;
    seconds += std::max(0.0, std::min(run.tasks.t1[i], end) - std::max(run.tasks.t0[i], begin));
  });
  return seconds;
}

ReplayTrace compute_trace(const Run& run, const Options& options) {
  ReplayTrace trace;
  const Chunks& c = run.chunks;
  double first = absent;
  double last = absent;
  trace.order = chunks_by_start(run);
  for (const std::uint32_t i : trace.order) {
    if (!(first <= c.t_start[i])) first = c.t_start[i];
    if (!(last >= c.t_end[i])) last = c.t_end[i];
  }
  trace.inside.assign(c.size(), 0);
  for (const std::uint32_t i : trace.order) trace.inside[i] = c.t_end[i] - c.t_start[i];
  const auto chunks = static_cast<double>(trace.order.size());

  const StringId processor = find_processor(run, options).prefix;
  const LostWork lost = find_lost_work(run, processor, execute_seconds(run, processor));
  const double streamed = executions_in_stream(run, processor);
  trace.exact = c.placed && streamed >= chunks && streamed == lost.executions;
  trace.repeated = std::min(value_or(lost.repeated, 0), most_repetitions * chunks);
  const Budget budget = compute_budget(run, {}, options);
  double outside = value_or(budget.of(BudgetPart::Kind::outside_process), 0);
  if (trace.exact) {
    trace.extras = extras_of(run, processor, trace.order);
    for (const Extra& extra : trace.extras) outside -= extra.is_superseded ? 0 : extra.seconds;
  }
  // Executions whose results were kept share it; without a stream also those that failed.
  const double kept =
      trace.exact ? chunks : std::max(chunks, value_or(lost.executions, 0) - trace.repeated);
  trace.outside = std::max(0.0, value_or(ratio(outside, kept), 0));
  // What ran before the first chunk is part of the wait for it, and what ran after the last one of
  // the time after it; the rest is shared out.
  double others = 0;
  for (const BudgetPart& part : budget.parts) {
    if (part.kind == BudgetPart::Kind::task) others += value_or(part.core_seconds, 0);
  }
  if (run.tasks.size() > 0) others = std::min(others, streamed_others(run, processor, first, last));
  trace.others = value_or(ratio(others, chunks), 0);
  if (trace.exact) {
    const IdleTime idle = find_idle(run, WorkerSelection(run, {}), processor, first, last);
    trace.gap = ratio(idle.of(IdleCause::between_tasks), streamed);
  }
  // Chunks begin when their file is open: most of what is outside of them comes before.
  trace.begin = std::max(0.0, first - trace.outside);
  trace.elapsed = run.window().end;
  trace.after = std::max(0.0, trace.elapsed - last);
  if (trace.exact) trace.slots = streamed_slots(run, processor);
  if (trace.slots.empty() || !(static_cast<double>(trace.slots.size()) <= most_cores))
    trace.slots = recorded_slots(run, trace.begin);
  return trace;
}

}  // namespace

const ReplayTrace& replay_trace_of(const Run& run, const Options& options) {
  return run.facts.of<Each<std::string, ReplayTrace>>().of(
      options.text(processor_option), [&] { return compute_trace(run, options); });
}

double predicted(const ReplayTrace& trace, const std::vector<double>& tasks,
                 const std::vector<Slot>& slots) {
  // Nothing waits for what comes after the last task.
  return replay(tasks, slots) - trace.gap + trace.after;
}

double on_recorded_cluster(const ReplayTrace& trace, std::vector<double> tasks) {
  const double mean =
      std::accumulate(tasks.begin(), tasks.end(), 0.0) / static_cast<double>(tasks.size());
  const double scale = static_cast<double>(tasks.size()) / static_cast<double>(trace.order.size());
  if (!trace.exact) {
    for (double i = 0; i < std::round(trace.repeated * scale); i += 1) tasks.push_back(mean);
    return predicted(trace, tasks, trace.slots);
  }
  double superseded = 0;
  for (const Extra& extra : trace.extras) superseded += extra.is_superseded ? 1 : 0;
  const double part = superseded > 0 ? trace.repeated / superseded : 0;
  std::vector<double> all;
  all.reserve(tasks.size() + trace.extras.size());
  auto extra = trace.extras.begin();
  const auto put_until = [&](double place) {
    for (; extra != trace.extras.end() && static_cast<double>(extra->before) <= place; ++extra)
      all.push_back((extra->seconds + trace.gap) * (extra->is_superseded ? part : 1));
  };
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    put_until(static_cast<double>(i) / scale);
    all.push_back(tasks[i]);
  }
  put_until(static_cast<double>(trace.order.size()));
  return predicted(trace, all, trace.slots);
}

std::vector<double> tasks_of(const ReplayTrace& trace, const std::vector<double>& inside,
                             double outside) {
  std::vector<double> tasks;
  tasks.reserve(trace.order.size());
  for (const std::uint32_t i : trace.order)
    tasks.push_back(inside[i] + outside + trace.others + trace.gap);
  return tasks;
}

std::vector<double> longest_first(std::vector<double> tasks) {
  std::sort(tasks.begin(), tasks.end());
  std::reverse(tasks.begin(), tasks.end());
  return tasks;
}

}  // namespace crema::predict
