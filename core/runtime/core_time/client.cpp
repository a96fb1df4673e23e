#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/runtime/core_time/branches.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

namespace {

/// First and last moment at which `running` is at least `full_share` of `cores`.
struct Full {
  double first = absent;
  double last = absent;
};

Full when_full(const Steps& running, const Steps& cores) {
  Full full;
  const std::vector<double> edges = edges_of(running, cores, running.times.front(), running.end);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const double available = cores.at(edges[i]);
    if (!(available > 0) || running.at(edges[i]) < full_share * available) continue;
    if (is_absent(full.first)) full.first = edges[i];
    full.last = edges[i + 1];
  }
  return full;
}

using End = Phase::End;

/// What the time before there is a core is: a client that is in the analysis's own code for most
/// of it waits for no worker.
const char* before_cores(const Run& run, const Run::Window& until) {
  double own = 0;
  const auto facts = profile::facts_of(run);
  for (const ClientFunction& one : client_functions(run, until.begin, until.end))
    own += facts->category[one.frame] == profile::Category::analysis ? one.seconds : 0;
  return 2 * own >= until.end - until.begin ? "client in the analysis" : "waiting for workers";
}

/// Chunks, and those that ran again: they kept a core busy the first time, too, and left no record.
Steps executed_steps(const Run& run) {
  std::set<StringId> prefixes{find_processor(run, {}).prefix};
  for (const std::uint32_t task : run.chunks.task)
    if (task != no_row) prefixes.insert(run.tasks.prefix[task]);
  std::vector<std::size_t> lost;
  for (const StringId prefix : prefixes) {
    const auto& of_one = superseded_executions(run, prefix);
    lost.insert(lost.end(), of_one.begin(), of_one.end());
  }
  return chunk_steps_with(run, lost);
}

std::vector<Phase> compute_phases(const Run& run) {
  const Run::Window window = run.window();
  if (is_absent(window.end)) return {};
  const WorkerSelection everyone(run, {});
  const Steps cores = core_steps(run, everyone);
  const CoreSupply supply = core_supply(run, everyone);
  const bool any_chunks = !chunk_steps(run).empty();
  const bool placed = any_chunks && run.chunks.placed;
  const Steps running = placed ? executed_steps(run) : Steps{};

  const auto first =
      std::find_if(cores.values.begin(), cores.values.end(), [](double v) { return v > 0; });
  // Absent is not none, and a cluster that is yet to tell may have waited for its first task.
  const bool are_known =
      !run.recording.index.awaits_cluster &&
      (first != cores.values.end() || (!cores.empty() && none_of(cores.values, is_absent)));
  double first_core = are_known ? window.end : window.begin;
  if (are_known && first != cores.values.end())
    first_core = cores.times[static_cast<std::size_t>(first - cores.values.begin())];
  // Ticks are a second apart: a task that ran before had a core.
  for (const double began : run.tasks.t0) first_core = std::fmin(first_core, began);
  if (placed) first_core = std::fmin(first_core, running.times.front());
  std::vector<Phase> phases;
  double at = window.begin;
  bool at_full = false;
  const auto add = [&](const char* name, double until, End end) {
    until = std::clamp(until, at, std::max(at, window.end));
    if (until > at)
      phases.push_back({name, at, until, supply.between(at, until).core_seconds, end, at_full});
    at = until;
  };
  if (first_core > at) add(before_cores(run, {at, first_core}), first_core, End::first_core);
  if (!any_chunks) {
    add("steady", window.end, End::no_chunks);
    return phases;
  }
  if (!placed) {
    add("steady", window.end, End::clocks_disagree);
    return phases;
  }
  add("pre-processing", running.times.front(), End::first_chunk);
  const Full full = are_known ? when_full(running, cores) : Full{};
  if (is_absent(full.first)) {
    add("steady", running.end, are_known ? End::never_full : End::no_cores);
  } else {
    add("ramp", full.first, End::first_full);
    at_full = true;
    add("steady", full.last, End::last_full);
    add("drain", running.end, End::last_chunk);
  }
  add("after", window.end, run.ticks.empty() ? End::unknown : End::client_done);
  return phases;
}

}  // namespace

const std::vector<Phase>& find_phases(const Run& run) {
  return kept_of(run).phases.of([&] { return compute_phases(run); });
}

// What the client did, by the looks of `crema.record` at the thread that entered the block.

namespace {

using recorded_columns::Call;
using recorded_columns::Client;
using recorded_columns::Task;
using Range = Selection::TimeRange;

/// [s] What the client did in between is not known better: looks of a second are added up.
constexpr double least_gap = 1;

/// The looks, each row with its function and the time that it stands for.
class Looks {
 public:
  explicit Looks(const Run& run)
      : run_(run), rows_(run.recording.client), facts_(profile::facts_of(run)) {
    const auto& calls = run.recording.calls;
    telling_.resize(calls.size());
    for (std::uint32_t call = 0; call < telling_.size(); ++call) {  // callers come first
      const std::uint32_t caller = calls.row(Call::caller, call);
      const std::uint32_t above = caller < call ? telling_[caller] : no_row;
      // What a module's code does while it is imported is the import's.
      const bool is_imported = above != no_row && facts_->imports(frame_of(above));
      telling_[call] = !is_imported && is_telling(call) ? call : above;
    }
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (is_told(row)) spans_[begin(row)] += at(Client::wall, row);
  }

  std::size_t size() const { return rows_.size(); }
  bool is_told(std::size_t row) const { return !is_absent(begin(row)); }
  double begin(std::size_t row) const { return rows_.at(Client::begin, row); }
  /// Of all rows that begin with this one: they were added up.
  double end(std::size_t row) const { return begin(row) + spans_.at(begin(row)); }
  double at(Client column, std::size_t row) const { return value_or(rows_.at(column, row), 0); }
  /// The innermost call of the analysis, of coffea or of Dask, else the innermost of all; no_row
  /// where none was seen.
  std::uint32_t call(std::size_t row) const {
    const std::uint32_t innermost = rows_.row(Client::call, row);
    if (innermost >= telling_.size()) return no_row;
    return telling_[innermost] != no_row ? telling_[innermost]
           : is_known(innermost)         ? innermost
                                         : no_row;
  }
  FrameId function(std::uint32_t call) const { return facts_->same_as[frame_of(call)]; }

 private:
  FrameId frame_of(std::uint32_t call) const {
    return static_cast<FrameId>(run_.recording.calls.at(Call::called, call));
  }
  bool is_known(std::uint32_t call) const {
    return !is_absent(run_.recording.calls.at(Call::called, call));
  }
  /// Whether it says what the client did: calls below it are a library's, which does as told.
  bool is_telling(std::uint32_t call) const {
    if (!is_known(call)) return false;
    const profile::Category category = facts_->category[frame_of(call)];
    // A look that code without frames had kept waiting comes when a collection begins.
    if (facts_->collects(frame_of(call))) return false;
    return facts_->imports(frame_of(call)) || category == profile::Category::analysis ||
           profile::runs_the_analysis(category);
  }

  const Run& run_;
  const RecordedTable<Client>& rows_;
  std::shared_ptr<const profile::FrameFacts> facts_;
  std::vector<std::uint32_t> telling_;        // by call
  std::unordered_map<double, double> spans_;  // by begin
};

std::vector<ClientFunction> functions_within(const Run& run, const Looks& looks,
                                             std::span<const Range> ranges) {
  struct Seen {
    ClientFunction function;
    std::map<double, double> lines;  // [s] by line
  };
  std::map<FrameId, Seen> functions;
  for (std::size_t row = 0; row < looks.size(); ++row) {
    const std::uint32_t call = looks.call(row);
    if (call == no_row || !looks.is_told(row)) continue;
    const double begin = looks.begin(row), end = looks.end(row);
    double share = ratio(overlap_of(ranges, begin, end), end - begin);
    if (!(end > begin))
      share = any_of(ranges,
                     [&](const Range& range) { return range.begin <= begin && begin < range.end; });
    if (!(share > 0)) continue;
    Seen& seen = functions.try_emplace(looks.function(call)).first->second;
    seen.function.frame = looks.function(call);
    seen.function.looks += share * looks.at(Client::looks, row);
    seen.function.seconds += share * looks.at(Client::wall, row);
    seen.function.cpu += share * looks.at(Client::cpu, row);
    const double line = run.recording.calls.at(Call::line, call);
    if (line > 0) seen.lines[line] += share * looks.at(Client::wall, row);
  }
  std::vector<ClientFunction> found;
  for (auto& [frame, seen] : functions) {
    double most = 0;
    for (const auto& [line, seconds] : seen.lines) {
      if (seconds > most) most = seconds, seen.function.line = line;
    }
    found.push_back(seen.function);
  }
  sort_stably(found, [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return found;
}

/// When some worker ran a task, in order; shorter gaps are in them.
std::vector<Range> times_of_tasks(const Run& run) {
  const auto& rows = run.recording.tasks;
  std::vector<Range> times;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double begin = rows.at(Task::begin, row);
    if (!is_absent(begin) && run.text(rows.text(Task::worker, row)) != "client")
      times.push_back({begin, begin + value_or(rows.at(Task::wall, row), 0)});
  }
  sort_stably(times, [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> joined;
  for (const Range& time : times) {
    if (joined.empty() || time.begin - joined.back().end >= least_gap) joined.push_back(time);
    else joined.back().end = std::max(joined.back().end, time.end);
  }
  return joined;
}

ClientHour find_client_hour(const Run& run) {
  ClientHour hour;
  const Run::Window window = run.window();
  if (run.recording.client.size() == 0 || is_absent(window.end)) return hour;
  const std::vector<Range> tasks = times_of_tasks(run);
  if (tasks.empty()) return hour;
  const auto of = [&](ClientTime when) -> std::vector<Range>& {
    return hour.times[static_cast<std::size_t>(when)];
  };
  if (tasks.front().begin > window.begin)
    of(ClientTime::before_tasks).push_back({window.begin, tasks.front().begin});
  for (std::size_t i = 0; i + 1 < tasks.size(); ++i)
    of(ClientTime::between_tasks).push_back({tasks[i].end, tasks[i + 1].begin});
  if (window.end > tasks.back().end)
    of(ClientTime::after_tasks).push_back({tasks.back().end, window.end});
  of(ClientTime::while_tasks) = tasks;
  const Looks looks(run);
  for (std::size_t when = 0; when < hour.times.size(); ++when)
    hour.functions[when] = functions_within(run, looks, hour.times[when]);
  return hour;
}

}  // namespace

double overlap_of(std::span<const Selection::TimeRange> ranges, double begin, double end) {
  double seconds = 0;
  auto range = std::upper_bound(ranges.begin(), ranges.end(), begin,
                                [](double t, const Range& one) { return t < one.end; });
  for (; range != ranges.end() && range->begin < end; ++range)
    seconds += std::max(0.0, std::min(end, range->end) - std::max(begin, range->begin));
  return seconds;
}

const ClientHour& client_hour(const Run& run) {
  return kept_of(run).client_hour.of([&] { return find_client_hour(run); });
}

std::vector<ClientFunction> client_functions(const Run& run, double begin, double end) {
  if (run.recording.client.size() == 0) return {};
  const Range range{begin, end};
  return functions_within(run, Looks(run), {&range, 1});
}

std::vector<FrameId> client_at_ticks(const Run& run) {
  std::vector<FrameId> at(run.ticks.size(), ClientFunction::none);
  std::vector<double> most(run.ticks.size(), 0);
  const Looks looks(run);
  for (std::size_t row = 0; row < looks.size(); ++row) {
    const std::uint32_t call = looks.call(row);
    if (call == no_row || !looks.is_told(row)) continue;
    // A row's time is at the ticks that it reaches; one between two ticks is at the next.
    const auto first = std::lower_bound(run.ticks.begin(), run.ticks.end(), looks.begin(row));
    for (auto tick = first; tick != run.ticks.end() && (tick == first || *tick < looks.end(row));
         ++tick) {
      const auto place = static_cast<std::size_t>(tick - run.ticks.begin());
      if (!(looks.at(Client::wall, row) > most[place])) continue;
      most[place] = looks.at(Client::wall, row);
      at[place] = looks.function(call);
    }
  }
  return at;
}

std::vector<Branch> client_branches(const Run& run, const IdleTime& idle, std::size_t cause,
                                    double scale) {
  const ClientHour& hour = client_hour(run);
  std::vector<Branch> branches;
  double rest = scale * idle.seconds[cause];
  for (std::size_t when = 0; when < idle.without_tasks.size(); ++when) {
    const double core_seconds = scale * idle.without_tasks[when][cause];
    double seen = 0;
    for (const ClientFunction& function : hour.functions[when]) seen += function.seconds;
    if (!(core_seconds > 0) || !(seen > 0)) continue;
    rest -= core_seconds;
    const std::string time(client_times[when]);
    Branch& branch = branches.emplace_back(
        part_of("client", "Client " + time, core_seconds,
                "no worker ran a task: what the client did then, by looks at its thread", time));
    const auto facts = profile::facts_of(run);
    for (const ClientFunction& function : hour.functions[when]) {
      const std::string& name = facts->name[function.frame];
      Branch& below = branch.below.emplace_back(
          part_of("client_function", name, core_seconds * function.seconds / seen,
                  "the client was in it for " + format_seconds(function.seconds) + ", " +
                      format_seconds(function.cpu) + " of these on a CPU",
                  name + "@" + facts->file[function.frame] + ":" +
                      std::to_string(facts->line[function.frame])));
      below.node.certainty = "sampled";
      below.node.file = facts->file[function.frame];
      below.node.line = function.line;
      below.node.samples = function.looks;
    }
  }
  if (!branches.empty() && rest > 1e-9 * scale * idle.seconds[cause])
    branches.push_back(part_of("idle_rest", "Otherwise", rest,
                               "while some worker ran a task, or nobody looked at the client",
                               "(rest)"));
  return branches;
}

}  // namespace crema::runtime
