// Rules about chunks: their size, stragglers, lost and failed ones.
#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <tuple>

#include "core/base/order.hpp"
#include "core/diagnose/anomaly_search.hpp"
#include "core/diagnose/rules.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/stats/fit.hpp"

namespace crema::diagnose {

namespace {

/// Rows of machines that are long: the thread that looks each second came late. None of a process
/// where more than 1 % are: rows of joined parts are of several seconds.
std::vector<std::size_t> late_looks(const RecordedTable<recorded_columns::Machine>& rows) {
  using recorded_columns::Machine;
  constexpr double late = 3;  // times as long as looks usually are apart
  const std::vector<double>& walls = rows.column(static_cast<std::size_t>(Machine::wall));
  const double usually = quantile(sorted_present(walls), 0.5);
  std::map<StringId, std::pair<std::size_t, std::size_t>> late_and_all;
  std::vector<std::size_t> found;
  for (std::size_t row = 0; row < walls.size(); ++row) {
    auto& [late_ones, all] = late_and_all[rows.text(Machine::address, row)];
    all += 1;
    if (!(walls[row] >= late * usually) || is_absent(rows.at(Machine::begin, row))) continue;
    late_ones += 1;
    found.push_back(row);
  }
  std::erase_if(found, [&](std::size_t row) {
    const auto& [late_ones, all] = late_and_all[rows.text(Machine::address, row)];
    return late_ones > 3 + all / 100;
  });
  return found;
}

struct KeptStops {
  Once<Stops> all;
};

Stops find_stops(const Run& run) {
  using recorded_columns::Machine;
  using recorded_columns::Task;
  const RecordedTables& of = run.recording;
  Stops found;
  std::vector<double> inside(run.chunks.size(), 0);
  std::vector<double> of_task(of.tasks.size(), 0);
  const std::vector<std::size_t> late = late_looks(of.machine);
  if (late.empty()) return {};
  std::map<StringId, std::vector<std::size_t>> tasks_of;  // by process
  for (const std::size_t task : rows_of_chunks(run))
    tasks_of[of.tasks.text(Task::address, task)].push_back(task);
  for (const std::size_t look : late) {
    const double begin = of.machine.at(Machine::begin, look);
    const double end = begin + of.machine.at(Machine::wall, look);
    const Stop stop{.process = of.machine.text(Machine::address, look),
                    .host = of.machine.text(Machine::host, look),
                    .begin = begin,
                    .end = end,
                    .seconds = end - begin - of.machine.at(Machine::own, look)};
    // A process that computes for half of the time goes on.
    if (!(stop.seconds >= (end - begin) / 2)) continue;
    double met = 0;
    for (const std::size_t task : tasks_of[stop.process]) {
      const double from = of.tasks.at(Task::begin, task), wall = of.tasks.at(Task::wall, task);
      // A thread that wants a CPU is not stopped: other programs have it.
      const double ran_or_wanted = value_or(of.tasks.at(Task::cpu, task), 0) +
                                   value_or(of.tasks.at(Task::run_delay, task), 0);
      const double seconds = std::min(
          {std::min(end, from + wall) - std::max(begin, from), stop.seconds, wall - ran_or_wanted});
      // No task begins or ends while its process stands still: other tasks met the rest of the
      // look.
      if (!(seconds >= stop.seconds / 2)) continue;
      met += seconds;
      of_task[task] += seconds;
      const std::uint32_t chunk = of.chunk[task];
      if (chunk == no_row) continue;
      const double process =
          value_or(of.tasks.at(Task::process_wall, task) - of.tasks.at(Task::process_cpu, task),
                   run.chunks.duration[chunk]);
      inside[chunk] += std::min(seconds, process);
    }
    if (!(met > 0)) continue;
    found.seconds += met;
    found.all.push_back(stop);
  }
  if (found.all.empty()) return {};
  found.of_task = std::move(of_task);
  found.inside = std::move(inside);
  return found;
}

}  // namespace

const Stops& stops_of(const Run& run) {
  return run.facts.of<KeptStops>().all.of([&] { return find_stops(run); });
}

}  // namespace crema::diagnose

namespace crema::diagnose::rules {

namespace {

std::vector<double> pick(const std::vector<double>& values, Members members) {
  std::vector<double> picked;
  gather(values, members, picked);
  return picked;
}

}  // namespace

// What each chunk costs whatever its size: the fixed part of process() by dataset, what it reads of
// baskets larger than it is, and the time outside process().
// From three tenths on, chunks twice as large save a seventh of the processor's time.
constexpr double fixed_cost_dominates = 0.3;
// Where half as many chunks still fill the cores, a fifth is enough: a tenth of the time is saved.
// So it is where chunks can be as large as baskets.
constexpr double fixed_cost_matters = 0.2;
constexpr double plenty_per_core = 150;
constexpr double rounds_of_baskets = 10;  // of chunks of a basket each

/// Whether chunks take far longer to open their file than opening it takes.
static bool do_more_than_open(const Run& run) {
  std::vector<double> own, ahead;
  for (const std::size_t row : rows_of_chunks(run))
    own.push_back(run.recording.tasks.at(recorded_columns::Task::open_wall, row));
  for (const std::size_t row : rows_of_files(run))
    ahead.push_back(run.recording.tasks.at(recorded_columns::Task::wall, row));
  return quantile(sorted_present(own), 0.5) > outlier_factor * quantile(sorted_present(ahead), 0.5);
}

std::vector<Finding> small_chunks(const RunFacts& f) {
  const Chunks& c = f.run.chunks;
  const auto n = static_cast<double>(c.size());
  // What most tasks have, where rows tell: the first of each process imports. Files that are slow
  // to open are a finding of their own.
  const double outside =
      std::fmin(f.budget.of(BudgetPart::Kind::outside_process) - f.held_up.seconds,
                f.held_up.usual * n) -
      f.slow_opening.again;
  if (c.size() < enough_chunks || is_absent(outside) || !(f.inside > 0)) return {};
  const auto files = static_cast<double>(chunk_groups(f.run, ChunkKey::file).size());
  if (n < chunks_to_join * files) return {};
  double fixed_inside = 0;
  const ChunkGroups& datasets = chunk_groups(f.run, ChunkKey::dataset);
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    const Members members = datasets.members(dataset);
    const std::vector<double> events = pick(c.events, members);
    if (!sizes_differ(events)) continue;
    const stats::Line line = stats::robust_line(events, pick(c.duration, members));
    fixed_inside += std::max(0.0, value_or(line.fixed, 0)) * static_cast<double>(members.size());
  }
  const ReadAgain& read = f.read_again;
  const bool are_of_baskets = read.is_measured && n >= rounds_of_baskets * f.cores * read.times;
  const double again = are_of_baskets ? read.seconds : 0;
  const double fixed = std::min(std::max(fixed_inside, again), f.inside) + outside;
  // Whatever else holds up each task is no matter of the chunks; results may grow with the events.
  const double packing = f.sum_of(recorded_columns::Task::serialise_wall);
  const double unpacking = f.sum_of(recorded_columns::Task::unpack_wall);
  if (untold_outside(f) + packing >= fixed / 2 || unpacking >= fixed / 2) return {};
  // Branches that are read meanwhile grow with the events.
  if (!f.read_ahead.branches.empty() && f.sum_of(recorded_columns::Task::open_wall) >= fixed / 2 &&
      do_more_than_open(f.run))
    return {};
  const double part = fixed / (f.inside + outside);
  const bool are_plenty = n >= plenty_per_core * f.cores || are_of_baskets;
  if (!(part >= (are_plenty ? fixed_cost_matters : fixed_cost_dominates))) return {};
  // Twice the size halves what is paid per chunk.
  const double larger = are_of_baskets ? read.times : 2;
  // A chunk of a whole file does not grow.
  const ChunkGroups& by_file = chunk_groups(f.run, ChunkKey::file);
  double fewer = 0;
  for (std::size_t file = 0; file < by_file.size(); ++file) {
    const auto own = static_cast<double>(by_file.members(file).size());
    fewer += own - std::ceil(own / larger);
  }
  const double saved = fixed * std::min(1 - 1 / larger, fewer / n);
  return {{.severity = Severity::medium,
           .evidence = SmallChunks{part, fixed / n, (f.inside + outside) / n, again / n, larger,
                                   fixed_inside > 0},
           .core_seconds = saved,
           .gain_core_seconds = f.saved_by(saved)}};
}

std::vector<Finding> large_chunks(const RunFacts& f) {
  const Chunks& c = f.run.chunks;
  if (c.size() == 0 || is_absent(f.cores) || !f.whole_list) return {};
  // A finding of its own reports what makes a chunk slow.
  const std::vector<double> seconds = unexplained_durations(f.run);
  const double longest = moments(seconds).max;
  const auto last = static_cast<std::size_t>(std::find(seconds.begin(), seconds.end(), longest) -
                                             seconds.begin());
  // One that is slow for its size is a straggler, however large chunks are.
  const bool is_known = last < c.size();
  const bool is_straggler = is_known && outliers(f.run)[last] == 1;
  const StringId file = is_known ? c.file[last] : no_string;
  LargeChunks evidence{static_cast<double>(c.size()), f.cores, longest, f.elapsed,
                       file == no_string ? "" : std::string(f.run.text(file))};
  const double cost = std::max(f.idle.of(IdleCause::tail) + f.idle.of(IdleCause::nothing_ready),
                               value_or(f.tail.core_seconds_wasted, 0));
  // Chunks of fewer than four rounds cannot be spread evenly; one that can hold up all other cores
  // for a tenth of the core-time delays the end of the run, if it ran then or cores did idle.
  const double held_up = longest * (f.cores - 1) / f.cores;
  const bool is_last = last < c.size() && c.t_end[last] >= moments(c.t_end).max - longest / 2;
  const bool delays = is_last || f.share(cost) >= notable;
  if (!evidence.are_few() && (is_straggler || !delays || !(held_up > notable * f.elapsed)))
    return {};
  // What is said is what it took, with what else made it slow.
  if (is_known) evidence.longest = c.duration[last];
  return {{.severity = Severity::low,
           .evidence = evidence,
           .core_seconds = cost,
           .gain_core_seconds = f.saved_between(f.tail.actual_makespan, f.tail.ideal_makespan)}};
}

std::vector<Finding> stopped(const RunFacts& f) {
  const Stops& stops = stops_of(f.run);
  if (stops.all.empty()) return {};
  const auto& rows = f.run.recording.machine;
  Stopped evidence{.begin = absent, .end = absent};
  std::set<StringId> processes, all;
  Selection selection;
  double common_begin = absent, common_end = absent;
  for (const Stop& stop : stops.all) {
    evidence.begin = std::fmin(evidence.begin, stop.begin);
    evidence.end = std::fmax(evidence.end, stop.end);
    common_begin = std::fmax(common_begin, stop.begin);
    common_end = std::fmin(common_end, stop.end);
    if (processes.insert(stop.process).second)
      selection.workers.emplace_back(f.run.text(stop.process));
    evidence.cpu = std::max(evidence.cpu, stop.end - stop.begin - stop.seconds);
    if (stop.seconds <= evidence.longest) continue;
    evidence.longest = stop.seconds;
    evidence.worker = profile::worker_label(f.run, stop.process);
  }
  using recorded_columns::Machine;
  using recorded_columns::Task;
  for (const std::size_t row : rows_of_chunks(f.run))
    all.insert(f.run.recording.tasks.text(Task::address, row));
  for (const double seconds : stops.of_task) evidence.chunks += seconds > 0 ? 1 : 0;
  evidence.workers = static_cast<double>(processes.size());
  evidence.all = static_cast<double>(all.size());
  evidence.at_once = common_end - common_begin >= evidence.longest / 2;
  // Another process of the same host went on; a look that came late itself shows nothing.
  std::map<StringId, std::vector<const Stop*>> stops_on;
  for (const Stop& stop : stops.all) stops_on[stop.host].push_back(&stop);
  for (std::size_t row = 0; row < rows.size() && !evidence.others_ran; ++row) {
    const double begin = rows.at(Machine::begin, row), wall = rows.at(Machine::wall, row);
    if (!(begin >= evidence.begin && begin + wall <= evidence.end && 2 * wall < evidence.longest) ||
        processes.contains(rows.text(Machine::address, row)))
      continue;
    const std::vector<const Stop*>& here = stops_on[rows.text(Machine::host, row)];
    evidence.others_ran = std::any_of(here.begin(), here.end(), [&](const Stop* stop) {
      return begin >= stop->begin && begin + wall <= stop->end && 2 * wall < stop->seconds;
    });
  }
  selection.time = {evidence.begin, evidence.end};
  std::vector<double> stopped(f.run.chunks.size(), 0);  // by chunk
  const std::vector<std::uint32_t>& chunk_of = f.run.recording.chunk;
  for (const std::size_t row : rows_of_chunks(f.run)) {
    if (row < chunk_of.size() && chunk_of[row] < stopped.size())
      stopped[chunk_of[row]] += stops.of_task[row];
  }
  return {{.severity = at_most_medium(f.share(stops.seconds)),
           .evidence = evidence,
           .selection = std::move(selection),
           .core_seconds = stops.seconds,
           .gain_core_seconds = f.saved_by(stopped)}};
}

std::vector<Finding> stragglers(const RunFacts& f) {
  const Chunks& c = f.run.chunks;
  if (c.size() < enough_chunks || !f.whole_list) return {};
  const std::vector<double>& flags = outliers(f.run);
  const std::vector<double>& expected = expected_durations(f.run);
  // What an anomaly explains is reported already.
  const std::vector<double> left = unexplained_durations(f.run);
  const std::vector<bool> is_first = first_of_workers(f.run);
  std::size_t firsts = 0;
  std::vector<double> of_others;  // [s] beyond what is expected, of first ones that are not late
  Stragglers evidence;
  double excess = 0;
  std::vector<double> saved(c.size(), 0);
  std::vector<std::uint32_t> late;
  for (std::uint32_t i = 0; i < flags.size(); ++i) {
    firsts += is_first[i] ? 1 : 0;
    if (flags[i] != 1 || !(left[i] > outlier_factor * expected[i])) {
      if (is_first[i]) of_others.push_back(left[i] - expected[i]);
      continue;
    }
    late.push_back(i);
    evidence.chunks += 1;
    saved[i] = left[i] - expected[i];
    excess += saved[i];
    evidence.longest = std::max(evidence.longest, c.duration[i]);
  }
  if (!(f.share(excess) >= 0.01) || f.read_more.is_most_of(saved)) return {};
  evidence.section = slowest_section(f.run, saved);
  // What workers begin with is imported and compiled then, but for one that a section held up
  // while others began as usual.
  const bool all_first =
      std::all_of(late.begin(), late.end(), [&](std::uint32_t i) { return is_first[i]; });
  const double as_usual = quantile(sorted_present(of_others), 0.5) * evidence.chunks;
  if (all_first &&
      (evidence.section.empty() || 2 * late.size() > firsts || !(2 * as_usual < excess)))
    return {};
  const StringId file = c.file[late[0]];
  if (file != no_string &&
      std::all_of(late.begin(), late.end(), [&](std::uint32_t i) { return c.file[i] == file; })) {
    evidence.file = f.run.text(file);
    if (late.size() == 1)
      evidence.entry_start = c.entry_start[late[0]], evidence.entry_stop = c.entry_stop[late[0]];
  }
  evidence.function = slowest_function(f.run, saved);
  Selection selection{.ranges = {{"outlier", 1, 1}}};
  if (!evidence.file.empty()) selection.files = {evidence.file};
  return {{.severity = at_most_medium(f.share(excess)),
           .evidence = evidence,
           .selection = selection,
           .core_seconds = excess,
           .gain_core_seconds = f.saved_by(saved)}};
}

std::vector<Finding> lost_chunks(const RunFacts& f) {
  const double lost = lost_num_chunks(f.run);
  if (!(lost > 0)) return {};
  return {{.severity = Severity::high,
           .evidence =
               LostChunks{lost, static_cast<double>(f.run.chunks.size()), report_num_chunks(f.run)},
           .is_failure = true}};
}

namespace {

/// The entries of a chunk that succeeded, and which call of an executor processed them.
struct Piece {
  double tree = 0;  // of the file
  StringId file = no_string;
  double start = 0, stop = 0, call = 0;
  StringId dataset = no_string;
  std::uint32_t chunk = 0;

  auto operator<=>(const Piece&) const = default;
  bool is_alike(const Piece& other) const {
    return std::tie(tree, file, start, stop) ==
           std::tie(other.tree, other.file, other.start, other.stop);
  }
};

/// Of each chunk its file, or the first one that holds the same data under another path: of the
/// same name, and as many bytes were read of the same entries, in all chunks. Bytes of compressed
/// columns are equal by chance nearly never.
std::vector<StringId> same_files(const Run& run) {
  const Chunks& c = run.chunks;
  constexpr double many = 10'000;  // [byte]
  std::vector<StringId> same = c.file;
  std::vector<std::uint32_t> order;
  std::map<StringId, std::size_t> chunks;  // of each file
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    if (c.file[i] == no_string || c.error[i] != no_string) continue;
    chunks[c.file[i]] += 1;
    if (c.bytes_read[i] >= many && !is_absent(c.entry_start[i] + c.entry_stop[i]))
      order.push_back(i);
  }
  const auto key = [&](std::uint32_t i) {
    return std::tuple(c.bytes_read[i], c.entry_start[i], c.entry_stop[i]);
  };
  sort_stably(order, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::map<std::pair<StringId, StringId>, std::size_t> alike;  // a file and an earlier one
  for (std::size_t k = 1; k < order.size(); ++k) {
    const StringId file = c.file[order[k]], other = c.file[order[k - 1]];
    if (key(order[k]) != key(order[k - 1]) || file == other) continue;
    alike[std::minmax(file, other)] += 1;
  }
  std::map<StringId, StringId> first;
  for (const auto& [files, count] : alike) {
    if (count != chunks[files.first] || count != chunks[files.second]) continue;
    // Where files of other names are alike as a whole, columns are not compressed.
    if (base_name(run.text(files.first)) != base_name(run.text(files.second))) return c.file;
    first.try_emplace(files.second, files.first);
  }
  for (StringId& file : same)
    if (const auto known = first.find(file); known != first.end()) file = known->second;
  return same;
}

/// Those whose entries are known, in their order.
std::vector<Piece> pieces_of(const Run& run, const std::vector<StringId>& files) {
  const Chunks& c = run.chunks;
  std::vector<double> calls = measured_of_chunks(run, recorded_columns::Task::call);
  std::vector<double> trees = measured_of_chunks(run, recorded_columns::Task::tree);
  calls.resize(c.size(), absent);
  trees.resize(c.size(), absent);
  std::vector<Piece> pieces;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    if (c.file[i] == no_string || is_absent(c.entry_start[i] + c.entry_stop[i]) ||
        c.error[i] != no_string)
      continue;
    pieces.push_back({value_or(trees[i], -1), files[i], c.entry_start[i], c.entry_stop[i],
                      value_or(calls[i], -1), c.dataset[i], i});
  }
  sort_stably(pieces, std::less<>());
  return pieces;
}

/// Whether chunks of one file may begin at one entry: of nearly no run do any. One number stands
/// for both: of alike chunks it is equal, of others nearly never.
bool any_alike(const Chunks& c, const std::vector<StringId>& files) {
  std::vector<double> begins;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (c.file[i] != no_string && !is_absent(c.entry_start[i]))
      begins.push_back(c.entry_start[i] + files[i] * 1e-6);
  }
  std::sort(begins.begin(), begins.end());
  return std::adjacent_find(begins.begin(), begins.end()) != begins.end();
}

}  // namespace

std::vector<Finding> empty_chunks(const RunFacts& f) {
  const Chunks& c = f.run.chunks;
  const std::vector<double> tasks = measured_of_chunks(f.run, recorded_columns::Task::wall);
  std::vector<double> taken(c.size(), 0), each;
  std::set<StringId> files, datasets;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (c.events[i] != 0) continue;
    const double seconds = value_or(i < tasks.size() ? tasks[i] : absent, c.duration[i]);
    if (is_absent(seconds)) continue;
    each.push_back(seconds);
    taken[i] = seconds;
    files.insert(c.file[i]);
    datasets.insert(c.dataset[i]);
  }
  const double seconds = moments(taken).sum;
  if (!f.whole_list || !(f.share(seconds) >= least_share)) return {};
  Measurements evidence{{"empty", static_cast<double>(each.size()), Unit::chunks},
                        {"chunks", static_cast<double>(c.size())},
                        {"files", format_count(static_cast<double>(files.size()), "file")},
                        {"each", seconds / static_cast<double>(each.size()), Unit::seconds}};
  if (const StringId dataset = *datasets.begin(); datasets.size() == 1 && dataset != no_string) {
    evidence.push_back({"dataset"});  // in one go GCC 12 warns of what it takes for unset
    evidence.back().value = std::string(f.run.text(dataset));
  }
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = std::move(evidence),
           .selection = {.ranges = {{"events", 0, 0}}},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(taken)}};
}

std::vector<Finding> processed_twice(const RunFacts& f) {
  const Chunks& c = f.run.chunks;
  if (f.run.recording.of_log() || !f.whole_list) return {};
  const std::vector<StringId> same = same_files(f.run);
  if (!any_alike(c, same)) return {};
  // Two calls of an executor may do different things with the same entries.
  const std::vector<Piece> pieces = pieces_of(f.run, same);
  // Dask runs a task again whose result was lost: not where each that was submitted ended once.
  std::map<std::pair<StringId, double>, double> left;  // of those that were submitted
  for (const PlannedTasks& planned : f.run.recording.index.planned) {
    if (f.run.text(planned.kind) == "chunk") left[{planned.dataset, planned.call}] += planned.tasks;
  }
  for (const Piece& piece : pieces) left[{piece.dataset, piece.call}] -= 1;
  // A chunk that never ended well has no piece: one that ran twice may make up the number.
  std::set<std::tuple<double, StringId, double>> ended;
  for (const Piece& piece : pieces) ended.insert({piece.call, c.file[piece.chunk], piece.start});
  using recorded_columns::Task;
  const auto& tasks = f.run.recording.tasks;
  for (const std::size_t row : rows_of_chunks(f.run)) {
    if (f.run.text(tasks.text(Task::status, row)) == "ok") continue;
    const double call = value_or(tasks.at(Task::call, row), -1);
    const std::tuple chunk(call, tasks.text(Task::file, row),
                           value_or(tasks.at(Task::entry_start, row), -1));
    if (ended.insert(chunk).second) left[{tasks.text(Task::dataset, row), call}] -= 1;
  }
  ProcessedTwice evidence;
  std::vector<double> saved(c.size(), 0);
  std::set<StringId> files, datasets;
  for (std::size_t k = 1; k < pieces.size(); ++k) {
    const Piece& piece = pieces[k];
    const StringId other = pieces[k - 1].dataset;
    if (!piece.is_alike(pieces[k - 1]) || piece.call != pieces[k - 1].call ||
        (piece.dataset == other && left[{piece.dataset, piece.call}] != 0))
      continue;
    const std::uint32_t i = piece.chunk;
    saved[i] = c.duration[i];
    evidence.chunks += 1;
    evidence.events += value_or(c.events[i], c.entry_stop[i] - c.entry_start[i]);
    files.insert(c.file[i]);
    datasets.insert({piece.dataset, other});
    evidence.are_shared = evidence.are_shared || piece.dataset != other;
    evidence.by_other_paths = evidence.by_other_paths || c.file[i] != c.file[pieces[k - 1].chunk];
  }
  if (files.empty()) return {};
  evidence.files = static_cast<double>(files.size());
  evidence.file = f.run.text(*files.begin());
  for (const StringId dataset : datasets) evidence.datasets.emplace_back(f.run.text(dataset));
  Selection selection;
  for (const StringId file : files) selection.files.emplace_back(f.run.text(file));
  return {{.severity = Severity::high,
           .evidence = evidence,
           .selection = std::move(selection),
           .core_seconds = moments(saved).sum,
           .gain_core_seconds = f.saved_by(saved),
           .is_failure = true}};
}

namespace {

/// [core-s] of reading branches in `chunks` that `earlier` ones read as well.
double reading_again(const Run& run, const std::vector<bool>& chunks,
                     const std::vector<bool>& earlier) {
  ChunkSelection of(run, {});
  const auto read_by = [&](const std::vector<bool>& which) {
    for (std::size_t i = 0; i < which.size(); ++i) of.share[i] = which[i] ? 1 : 0;
    return branch_reads(run, of);
  };
  std::set<StringId> known;
  for (const BranchReads& branch : read_by(earlier)) known.insert(branch.branch);
  double seconds = 0;
  for (const BranchReads& branch : read_by(chunks))
    seconds +=
        known.contains(branch.branch) ? value_or(branch.wait, 0) + value_or(branch.cpu, 0) : 0;
  return seconds;
}

}  // namespace

std::vector<Finding> repeated_calls(const RunFacts& f) {
  const Run& run = f.run;
  // A recording of one call has none to compare.
  using recorded_columns::Task;
  const auto& rows = run.recording.tasks.column(static_cast<std::size_t>(Task::call));
  const bool is_one =
      std::all_of(rows.begin(), rows.end(), [&](double call) { return call == rows.front(); });
  if (run.recording.of_log() || is_one || !any_alike(run.chunks, run.chunks.file)) return {};
  const std::vector<Piece> pieces = pieces_of(run, run.chunks.file);
  std::set<double> calls;
  std::vector<bool> is_again(run.chunks.size()), is_earlier(run.chunks.size());
  for (std::size_t k = 1; k < pieces.size(); ++k) {
    const Piece& before = pieces[k - 1];
    // Without a row it is not known which call a chunk is of.
    if (!pieces[k].is_alike(before) || pieces[k].call == before.call || before.call < 0) continue;
    is_again[pieces[k].chunk] = is_earlier[before.chunk] = true;
    calls.insert({before.call, pieces[k].call});
  }
  if (calls.empty()) return {};
  std::vector<double> walls = measured_of_chunks(run, Task::wall);
  walls.resize(run.chunks.size(), absent);
  double chunks = 0, inside = 0, outside = 0;
  for (std::size_t i = 0; i < is_again.size(); ++i) {
    if (!is_again[i]) continue;
    const double process = chunk_seconds(run, i);
    chunks += 1;
    inside += process;
    outside += std::max(0.0, value_or(walls[i], process) - process);
  }
  // What one call does once, whatever the calls compute.
  const double reading = std::min(reading_again(run, is_again, is_earlier), inside);
  const double cost = outside + reading;
  if (!(f.share(outside + inside) >= notable)) return {};
  return {{.severity = at_most_medium(f.share(cost)),
           .evidence = Measurements{{"calls", static_cast<double>(calls.size())},
                                    {"again", chunks},
                                    {"chunks", static_cast<double>(is_again.size()), Unit::chunks},
                                    {"inside", inside - reading, Unit::seconds}},
           .core_seconds = cost,
           .gain_core_seconds = f.saved_by(cost)}};
}

std::vector<Finding> failed_chunks(const RunFacts& f) {
  double failed = 0;
  for (const StringId error : f.run.chunks.error) failed += error == no_string ? 0 : 1;
  if (failed == 0) return {};
  return {{.severity = Severity::high,
           .evidence = Measurements{{"failed", failed, Unit::chunks}},
           .is_failure = true}};
}

}  // namespace crema::diagnose::rules
