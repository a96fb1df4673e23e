// Anomalies as findings: slow hosts, sites, workers, datasets, their sections, files and moments.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/diagnose/anomaly_search.hpp"
#include "core/diagnose/rules.hpp"
#include "core/model/worker_selection.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/stats/robust.hpp"

namespace crema::diagnose::rules {

using namespace runtime;
using namespace predict;
using stats::squared;

namespace {

using Kind = Anomaly::Kind;

// Of the chunks that began while a group's ran: from here on its own are nearly all of them.
constexpr double alone_in_time = 0.75;
// So many chunks on each side show whether the time before and after was as usual.
constexpr std::size_t chunks_beside = 3;

// Other processes are why a moment is slow where they take a quarter of a CPU more than otherwise.
constexpr double worth_a_moment = 0.25;

/// CPUs that they used at the moment, and at other times, where that was recorded.
void put_others(const Run& run, SlowGroup& moment) {
  if (run.recording.machine.size() == 0) return;
  const std::vector<double>& others = machine_use(run).others;
  const TickRange within = ticks_within(run, moment.anomaly.begin, moment.anomaly.end);
  double sum[2] = {0, 0}, count[2] = {0, 0};
  for (std::size_t tick = 0; tick < others.size(); ++tick) {
    if (is_absent(others[tick])) continue;
    const bool is_then = tick >= within.begin && tick < within.end;
    sum[is_then] += others[tick];
    count[is_then] += 1;
  }
  moment.others = ratio(sum[true], count[true]);
  moment.others_elsewhere = ratio(sum[false], count[false]);
  if (!(moment.others - moment.others_elsewhere >= worth_a_moment)) moment.others = absent;
}

/// What slow chunks waited for requests of input, and when they ran.
void put_requests(const Run& run, SlowGroup& slow) {
  const std::vector<double> waits = measured_of_chunks(run, recorded_columns::Task::request_wait);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (!(slow.anomaly.saved[i] > 0)) continue;
    slow.for_input += std::min(slow.anomaly.saved[i], value_or(waits[i], 0));
    slow.anomaly.begin = std::fmin(slow.anomaly.begin, run.chunks.t_start[i]);
    slow.anomaly.end = std::fmax(slow.anomaly.end, run.chunks.t_end[i]);
  }
}

/// When a dataset or a file had the cluster to itself: it may have been the moment, unless just
/// before and just after it chunks took as long as expected.
void put_time_alone(const Run& run, SlowGroup& slow) {
  const Chunks& c = run.chunks;
  const Kind kind = slow.anomaly.kind;
  const ChunkGroups& groups = chunk_groups(run, kind == Kind::file   ? ChunkKey::file
                                                : kind == Kind::host ? ChunkKey::host
                                                : kind == Kind::site ? ChunkKey::site
                                                                     : ChunkKey::dataset);
  const std::string& name = kind == Kind::section ? slow.anomaly.dataset : slow.anomaly.name;
  const std::vector<std::uint32_t>& order = chunks_by_start(run);
  const auto is_own = [&](std::uint32_t i) { return groups.name[groups.of[i]] == name; };
  const auto first = std::find_if(order.begin(), order.end(), is_own);
  const auto last = std::find_if(order.rbegin(), order.rend(), is_own).base();
  if (first == order.end() || first >= last) return;
  const auto own = static_cast<double>(std::count_if(first, last, is_own));
  if (own < alone_in_time * static_cast<double>(last - first)) return;
  const std::vector<double>& expected = expected_durations(run);
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const auto datasets_in = [&](auto from, auto to) {
    std::set<std::uint32_t> found;
    for (; from != to; ++from) found.insert(datasets.of[*from]);
    return found;
  };
  // Of a dataset that ran on one side only it is not known what is usual at another time.
  const auto are_usual = [&](auto from, auto to, const std::set<std::uint32_t>& comparable) {
    std::vector<double> ratios;
    for (std::size_t n = 0; from != to && n < 2 * chunks_beside; ++from, ++n) {
      if (ratios.size() < chunks_beside && comparable.count(datasets.of[*from]) > 0)
        ratios.push_back(c.duration[*from] / expected[*from]);
    }
    return ratios.size() == chunks_beside &&
           squared(median_of(std::move(ratios))) < slow.anomaly.factor;
  };
  if (are_usual(std::make_reverse_iterator(first), order.rend(), datasets_in(last, order.end())) &&
      are_usual(last, order.end(), datasets_in(order.begin(), first)))
    return;
  slow.alone_from = c.t_start[*first], slow.alone_to = c.t_end[*(last - 1)];
}

/// Whether files of a dataset or a host, or a file, took longer to open, too, before the chunks and
/// among others: neither the moment nor what events hold does that.
void put_openings(const Run& run, SlowGroup& slow) {
  using recorded_columns::Task;
  constexpr double longer = 2;
  const auto& rows = run.recording.tasks;
  const auto name_of = [&](std::size_t row) -> std::string_view {
    if (slow.anomaly.kind == Kind::dataset) return run.text(rows.text(Task::dataset, row));
    const std::string_view file = run.text(rows.text(Task::file, row));
    return slow.anomaly.kind == Kind::file ? file : host_of(file);
  };
  std::vector<double> walls[2];
  double begin[2] = {absent, absent}, end[2] = {absent, absent};
  for (const std::size_t row : rows_of_files(run)) {
    const double at = rows.at(Task::begin, row), wall = rows.at(Task::wall, row);
    if (is_absent(at + wall)) continue;
    const bool is_own = name_of(row) == slow.anomaly.name;
    walls[is_own].push_back(wall);
    begin[is_own] = std::fmin(begin[is_own], at);
    end[is_own] = std::fmax(end[is_own], at);
  }
  const bool are_beside = begin[true] >= begin[false] && end[true] <= end[false];
  if (!are_beside || !(moments(walls[true]).min >= longer * moments(walls[false]).max)) return;
  slow.opened = median_of(std::move(walls[true]));
  slow.opened_elsewhere = median_of(std::move(walls[false]));
  slow.alone_from = slow.alone_to = absent;
}

/// Whether a slow dataset is in files much smaller than a chunk: what any chunk costs is then paid
/// for few events.
void put_small_files(const Run& run, SlowGroup& slow) {
  constexpr double smaller = 3;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const ChunkGroups& files = chunk_groups(run, ChunkKey::file);
  std::vector<double> own, others;
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    const bool is_own = datasets.name[datasets.of[i]] == slow.anomaly.name;
    if (is_own && files.members(files.of[i]).size() > 1) return;
    (is_own ? own : others).push_back(run.chunks.events[i]);
  }
  const auto count = static_cast<double>(own.size());
  const double events = median_of(std::move(own)), usual = median_of(std::move(others));
  if (!(smaller * events <= usual)) return;
  slow.small_files = count;
  slow.file_events = events;
  slow.usual_events = usual;
}

/// Whether few files of a slow dataset have all of it.
void put_files(const Run& run, SlowGroup& slow) {
  constexpr std::size_t most_files = 3, least_chunks = 2;  // that are named; that tell
  const Anomaly& anomaly = slow.anomaly;
  const bool is_section = anomaly.kind == Kind::section;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const ChunkGroups& files = chunk_groups(run, ChunkKey::file);
  std::vector<double> seconds = run.chunks.duration;
  if (is_section) {
    for (const SectionColumn& section : section_seconds(run))
      if (section.name == anomaly.name) seconds = section.values;
  }
  std::map<std::size_t, std::vector<double>> paces;  // [s] an event, by file
  std::vector<double> all;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const double pace = seconds[i] / run.chunks.events[i];
    if (datasets.name[datasets.of[i]] != (is_section ? anomaly.dataset : anomaly.name) ||
        !(pace > 0 && run.chunks.events[i] > 0))
      continue;
    paces[files.of[i]].push_back(pace);
    all.push_back(pace);
  }
  if (all.empty()) return;
  const double usual = median_of(std::move(all)) / anomaly.factor;
  std::vector<std::string> longer;
  double others = absent;
  bool are_known = false;
  for (auto& [file, own] : paces) {
    const bool is_known = own.size() >= least_chunks;
    const double times = median_of(std::move(own)) / usual;
    if (squared(times) >= anomaly.factor) longer.emplace_back(files.name[file]);
    else others = std::fmax(others, times), are_known = are_known || is_known;
  }
  if (!are_known || longer.empty() || longer.size() > most_files) return;
  const auto is_alone = [&](const std::string& path) {
    return std::count_if(paces.begin(), paces.end(), [&](const auto& one) {
             return base_name(files.name[one.first]) == base_name(path);
           }) == 1;
  };
  if (std::all_of(longer.begin(), longer.end(), is_alone)) {
    for (std::string& path : longer) path = std::string(base_name(path));
  }
  slow.files = std::move(longer);
  slow.other_files = others;
}

Severity severity_of_group(const RunFacts& f, const Anomaly& anomaly) {
  // Of a moment with more cores the number of threads is the cause.
  const bool may_be_intended = fields_of(anomaly.kind).may_be_intended && !anomaly.waits();
  if (may_be_intended || anomaly.has_more_cores()) return Severity::low;
  if (anomaly.kind == Kind::host || anomaly.kind == Kind::site) return Severity::medium;
  return at_most_medium(f.share(anomaly.core_seconds));
}

Selection selection_of(const Anomaly& anomaly) {
  Selection selection;
  if (anomaly.kind == Kind::moment) selection.time = {anomaly.begin, anomaly.end};
  if (const auto names = fields_of(anomaly.kind).selects)
    (selection.*names) = {anomaly.kind == Kind::section ? anomaly.dataset : anomaly.name};
  return selection;
}

}  // namespace

// Every other chunk does, or a dataset half again as often as others.
constexpr double entered_again = 1.5;

SectionEntries entries_of(const Run& run, const std::string& section) {
  if (section.empty()) return {};
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const StringId name = run.names->strings.find(section);
  std::vector<double> times(run.chunks.size(), 0);
  for (const SectionEntry& entry : section_entries(run)) {
    if (entry.section == name) times[entry.chunk] += entry.times;
  }
  struct Entered {
    double times = 0, chunks = 0;
    double mean() const { return times / chunks; }
    void add(const Entered& other) { times += other.times, chunks += other.chunks; }
  };
  std::vector<Entered> of(datasets.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] > 0) of[datasets.of[i]].add({times[i], 1});
  double least = absent, most = 0;
  for (const Entered& one : of) {
    if (one.chunks == 0) continue;
    least = least <= one.mean() ? least : one.mean();
    most = std::max(most, one.mean());
  }
  if (!(most >= entered_again)) return {};
  SectionEntries entries;
  Entered more, others;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const bool has_more = of[i].mean() >= entered_again * least;
    (has_more ? more : others).add(of[i]);
    if (has_more) entries.datasets.emplace_back(datasets.name[i]);
  }
  entries.least = others.mean();
  entries.most = entries.datasets.empty() ? entries.least : more.mean();
  return entries;
}

std::vector<Finding> slow_groups(const RunFacts& f) {
  std::vector<Finding> found;
  for (const Anomaly& anomaly : anomalies(f.run)) {
    // Each process imports and compiles once, in healthy runs, too: a tenth is worth a word.
    if (anomaly.kind == Kind::first_chunks && !(f.share(anomaly.core_seconds) >= notable)) continue;
    if (f.read_more.is_most_of(anomaly.saved)) continue;
    SlowGroup slow{.anomaly = anomaly};
    // Of a trend only first chunks are as usual, which import and compile.
    if (anomaly.kind != Kind::with_each) slow.function = slowest_function(f.run, anomaly.saved);
    else slow.memory = memory_growth(f.run).each;
    // In a section that took far longer, what took it is plainer than in all of the chunk.
    if (anomaly.kind == Kind::dataset && slow.function.name.empty()) {
      for (const SectionColumn& section : section_seconds(f.run))
        if (section.name == anomaly.section)
          slow.function = slowest_function(f.run, anomaly.saved, section.name, section.values);
      slow.function.is_alone = false;  // it is so in that section
    }
    if (anomaly.kind == Kind::first_chunks) put_requests(f.run, slow);
    slow.anomaly.saved.clear();
    if (anomaly.kind == Kind::dataset || anomaly.kind == Kind::section) {
      put_files(f.run, slow);
      if (slow.files.empty() && anomaly.kind == Kind::dataset) put_small_files(f.run, slow);
      slow.entries = entries_of(f.run, anomaly.section);
    }
    if (anomaly.kind == Kind::worker)
      slow.worker = worker_name(f.run, f.run.workers.find(f.run.names->strings.find(anomaly.name)));
    std::vector<Cause> open;
    const bool is_of_data = anomaly.kind == Kind::dataset || anomaly.kind == Kind::file;
    const bool is_served = anomaly.kind == Kind::host || anomaly.kind == Kind::site;
    // A slow machine is in all sections of a chunk; slow storage is in the one that reads.
    if (is_of_data || is_served || (anomaly.kind == Kind::section && !anomaly.computes()))
      put_time_alone(f.run, slow);
    if ((is_of_data || anomaly.kind == Kind::host) && anomaly.waits() && !anomaly.lacks_cpu())
      put_openings(f.run, slow);
    // A slower machine slows all functions, and leaves what is asked of storage as it is.
    const bool is_of_moment = !anomaly.is_in_section() && is_absent(slow.small_files) &&
                              !(slow.function.is_alone && slow.function.off_cpu < 0.5) &&
                              !(anomaly.reads() && anomaly.asks_for_more());
    if (!is_absent(slow.alone_from) && is_of_moment) open = {Cause::slow_moment};
    if (anomaly.is_of_all) open = {Cause::slow_moment};
    if (anomaly.stands_alone && is_absent(slow.opened)) open = {Cause::slow_dataset};
    // Unless threads of its own processes had them.
    slow.had_no_cpu = is_of_data && !is_absent(slow.alone_from) && anomaly.lacks_cpu() &&
                      !(anomaly.beside - anomaly.beside_elsewhere >= worth_a_moment);
    Selection selection = selection_of(anomaly);
    if (slow.had_no_cpu) {
      open.clear();
      slow.anomaly.begin = slow.alone_from, slow.anomaly.end = slow.alone_to;
      selection = {.time = Selection::TimeRange{slow.alone_from, slow.alone_to}};
    }
    if (anomaly.kind == Kind::moment || slow.had_no_cpu) put_others(f.run, slow);
    const bool is_usual = anomaly.kind == Kind::first_chunks &&
                          anomaly.core_seconds < usual_once * static_cast<double>(anomaly.chunks);
    found.push_back({.cause = slow.had_no_cpu ? Cause::slow_moment : fields_of(anomaly.kind).cause,
                     .severity = is_usual ? Severity::low : severity_of_group(f, anomaly),
                     .evidence = std::move(slow),
                     .selection = std::move(selection),
                     .core_seconds = anomaly.core_seconds,
                     .open = std::move(open),
                     .gain_core_seconds = f.saved_by(anomaly.saved),
                     .rank = is_usual ? 0 : absent});
  }
  return found;
}

}  // namespace crema::diagnose::rules
