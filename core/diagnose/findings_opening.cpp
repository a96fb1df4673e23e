// Rules about opening files: ahead of the chunks and again in each, of many small files, and of one
// host, dataset or name that takes far longer than all others.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/base/order.hpp"
#include "core/diagnose/rules.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::diagnose {

using namespace runtime;
using recorded_columns::Task;

namespace {

/// A file was opened: by a chunk, or ahead of all to count its events.
struct Opening {
  std::uint32_t chunk = 0;  ///< one of the file's
  bool is_ahead = false;
  double begin = absent, seconds = absent, on_cpu = absent;  ///< [s]
};

std::vector<Opening> openings_of(const Run& run) {
  const RecordedTables& of = run.recording;
  std::vector<Opening> found;
  std::vector<std::uint32_t> chunk_of(run.names->strings.size(), no_row);  // of each file
  for (const std::size_t row : rows_of_chunks(run)) {
    // An attempt that failed is none of the chunks.
    if (row >= of.chunk.size() || of.chunk[row] >= run.chunks.size()) continue;
    const StringId file = of.tasks.text(Task::file, row);
    if (file != no_string) chunk_of[file] = of.chunk[row];
    // What process() opens is none of the files of its events.
    const double wall = of.tasks.at(Task::open_wall, row);
    const double before =
        of.tasks.at(Task::process_begin, row) - of.tasks.at(Task::open_begin, row);
    const double seconds = before >= 0 ? std::min(wall, before) : wall;
    found.push_back({of.chunk[row], false, of.tasks.at(Task::begin, row), seconds,
                     of.tasks.at(Task::open_cpu, row) * ratio(seconds, wall)});
  }
  for (const std::size_t row : rows_of_files(run)) {
    const StringId file = of.tasks.text(Task::file, row);
    if (file != no_string && chunk_of[file] != no_row)
      found.push_back({chunk_of[file], true, of.tasks.at(Task::begin, row),
                       of.tasks.at(Task::wall, row), of.tasks.at(Task::cpu, row)});
  }
  std::erase_if(found, [](const Opening& one) { return is_absent(one.seconds); });
  return found;
}

/// What the openings of a group took beyond those of all others; nothing unless three quarters of
/// them took three times as long as three quarters of the others. Of fewer than three, that is by
/// chance where the others are few or scatter as far, unless they were slow in chunks, too.
void put_beyond_others(const std::vector<Opening>& openings, const std::vector<bool>& is_own,
                       bool ahead, SlowOpening& slow) {
  constexpr std::size_t enough = 3, many = 12;
  std::vector<double> own, others;
  for (std::size_t i = 0; i < openings.size(); ++i) {
    if (openings[i].is_ahead == ahead) (is_own[i] ? own : others).push_back(openings[i].seconds);
  }
  if (own.empty() || others.size() < enough) return;
  std::sort(own.begin(), own.end());
  std::sort(others.begin(), others.end());
  if (own.size() < enough && !(ahead && slow.again > 0) &&
      !(others.size() >= many && own.front() > outlier_factor * others.back()))
    return;
  if (!(quantile(own, 0.25) > outlier_factor * quantile(others, 0.75))) return;
  const double usual = quantile(others, 0.5);
  for (const double seconds : own) (ahead ? slow.ahead : slow.again) += seconds - usual;
  (ahead ? slow.each_ahead : slow.each) = quantile(own, 0.5);
  (ahead ? slow.elsewhere_ahead : slow.elsewhere) = usual;
}

/// Whether nearly no other file was opened while these were: storage may have been slow then.
bool is_alone_in_time(const std::vector<Opening>& openings, const std::vector<bool>& is_own) {
  constexpr double most = 0.75;
  double begin = absent, end = absent, own = 0, all = 0;
  for (std::size_t i = 0; i < openings.size(); ++i) {
    if (!is_own[i]) continue;
    begin = std::fmin(begin, openings[i].begin);
    end = std::fmax(end, openings[i].begin + openings[i].seconds);
  }
  for (std::size_t i = 0; i < openings.size(); ++i) {
    if (!(openings[i].begin >= begin && openings[i].begin < end)) continue;
    all += 1;
    own += is_own[i] ? 1 : 0;
  }
  return own >= most * all;
}

}  // namespace

constexpr std::size_t most_groups = 3;  // more are no matter of one of them

SlowOpening find_slow_opening(const Run& run) {
  const std::vector<Opening> openings = openings_of(run);
  SlowOpening most;
  double of_most = 0;  // openings
  // Of groups that hold the same files the larger kind is named; where some of its files open as
  // quickly as others, those that do not.
  constexpr double nearly_all = 0.95, fewer = 0.9;
  for (const ChunkKey key : {ChunkKey::dataset, ChunkKey::host, ChunkKey::file}) {
    const ChunkGroups& groups = chunk_groups(run, key);
    std::vector<double> sums(groups.size(), 0);
    for (const Opening& one : openings) sums[groups.of[one.chunk]] += one.seconds;
    std::vector<std::size_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0);
    sort_stably(order, [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
    // Several may be slow, each of them as much: they are held against those that are not.
    constexpr double is_as_slow = 1 - 1 / outlier_factor;
    std::vector<bool> with(openings.size(), false), is_own = with;
    SlowOpening slow{.key = key};
    std::vector<std::string> names;
    for (std::size_t k = 0; k + 1 < order.size() && k < most_groups; ++k) {
      if (groups.name[order[k]].empty()) break;
      names.emplace_back(groups.name[order[k]]);
      for (std::size_t i = 0; i < openings.size(); ++i)
        if (groups.of[openings[i].chunk] == order[k]) with[i] = true;
      SlowOpening wider{.key = key, .names = names};
      put_beyond_others(openings, with, false, wider);
      put_beyond_others(openings, with, true, wider);
      if (!(wider.seconds() - slow.seconds() >= is_as_slow * sums[order[k]])) continue;
      is_own = with;
      slow = std::move(wider);
    }
    double seconds = 0, on_cpu = 0;
    const auto count = static_cast<double>(std::count(is_own.begin(), is_own.end(), true));
    for (std::size_t i = 0; i < openings.size(); ++i) {
      seconds += is_own[i] ? openings[i].seconds : 0;
      on_cpu += is_own[i] ? openings[i].on_cpu : 0;
    }
    slow.computing = ratio(on_cpu, seconds);
    slow.is_alone_in_time = is_alone_in_time(openings, is_own);
    constexpr double beyond_rounding = 1.01;
    if (slow.seconds() > beyond_rounding * most.seconds() ||
        (slow.seconds() > nearly_all * most.seconds() && count < fewer * of_most))
      most = std::move(slow), of_most = count;
  }
  return most;
}

// Of fewer files a few that are small are no habit.
constexpr double enough_files = 20;

SmallFiles::SmallFiles(const RunFacts& f) {
  const Chunks& c = f.run.chunks;
  const ChunkGroups& all = chunk_groups(f.run, ChunkKey::file);
  const std::vector<double> openings = measured_of_chunks(f.run, Task::open_wall);
  if (static_cast<double>(all.size()) < enough_files || openings.empty()) return;
  const bool are_alike = c.size() == all.size();
  const double most = are_alike ? absent : moments(c.events).max / 2;
  std::set<StringId> small;
  std::vector<double> sizes;
  for (std::size_t file = 0; file < all.size(); ++file) {
    const std::uint32_t chunk = all.members(file).front();
    if (all.members(file).size() > 1 || c.events[chunk] > most) continue;
    small.insert(c.file[chunk]);
    sizes.push_back(c.events[chunk]);
    again += value_or(openings[chunk], 0);
  }
  const auto& rows = f.run.recording.tasks;
  ahead = absent;
  for (const std::size_t row : rows_of_files(f.run)) {
    const bool is_small = small.contains(rows.text(Task::file, row));
    ahead = value_or(ahead, 0) + (is_small ? value_or(rows.at(Task::wall, row), 0) : 0);
  }
  if (is_absent(ahead))
    ahead = value_or(f.preprocessing, 0) *
            ratio(static_cast<double>(small.size()), static_cast<double>(all.size()));
  if (static_cast<double>(small.size()) < enough_files || !(again > 0) ||
      !(f.share(again + ahead) >= notable))
    return;
  files = static_cast<double>(small.size());
  events = median_of(std::move(sizes));
}

namespace rules {

double unusual_opening(const RunFacts& f) {
  const double unusual = std::max(0.0, value_or(unusual_outside(f), 0));
  const double opening = value_or(f.sum_of(Task::open_wall), unusual);
  return opening >= unusual / 2 ? std::min(unusual, opening) : 0;
}

std::vector<Finding> small_files(const RunFacts& f) {
  const SmallFiles& small = f.small_files;
  if (!small) return {};
  const double seconds = small.again + small.ahead;
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = Measurements{{"files", small.files},
                                    {"events", small.events},
                                    {"again", small.again, Unit::seconds},
                                    {"ahead", small.ahead, Unit::seconds}},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds / 2)}};
}

// Among fewer files, one may take half of the time with nothing wrong.
constexpr std::size_t least_files_beside = 4;

std::vector<Finding> pre_processing(const RunFacts& f) {
  // Any run counts the events of its files: below a tenth that is a number, and no finding.
  if (!(f.share(f.preprocessing) >= notable) || f.small_files) return {};
  const double ahead = f.preprocessing;
  if (2 * f.slow_opening.ahead >= ahead) return {};  // files of one kind have most of it
  // Each file is opened again by the tasks that read it.
  const double again = unusual_opening(f);
  double begin = f.phase("pre-processing", &Phase::t0, absent);
  double end = f.phase("pre-processing", &Phase::t1, absent);
  // What else a client does before the first chunk stays.
  double first = absent, last = absent;
  const auto& rows = f.run.recording.tasks;
  Preprocessing evidence{.ahead = ahead, .again = again};
  for (const std::size_t row : rows_of_files(f.run)) {
    const double at = rows.at(Task::begin, row), seconds = rows.at(Task::wall, row);
    first = std::fmin(first, at), last = std::fmax(last, at + seconds);
    if (!(2 * seconds >= ahead + again) || rows_of_files(f.run).size() < least_files_beside)
      continue;
    evidence.file = f.run.text(rows.text(Task::file, row));
    evidence.of_file = seconds;
    evidence.file_computing = ratio(rows.at(Task::cpu, row), seconds);
  }
  begin = std::fmax(begin, first), end = std::fmin(end, last);
  evidence.computing = ratio(f.sum_of(Task::open_cpu), f.sum_of(Task::open_wall));
  const std::vector<std::string_view>& files = chunk_groups(f.run, ChunkKey::file).name;
  evidence.copies = std::any_of(files.begin(), files.end(), [](std::string_view file) {
    // fsspec's caches of whole files: "blockcache::" keeps only what is read.
    return file.find("simplecache::") != std::string_view::npos ||
           file.find("filecache::") != std::string_view::npos;
  });
  const double saved = f.saved_between(end, begin) + (again > 0 ? f.saved_by(again) : 0);
  const double gain = evidence.copies ? absent : saved;
  return {{.evidence = std::move(evidence),
           .selection = {.prefixes = {"automatic_retries"}},
           .core_seconds = ahead + again,
           .gain_core_seconds = gain}};
}

double waiting_to_open(const RunFacts& f) {
  const double in_chunks = f.sum_of(Task::open_wall) - f.sum_of(Task::open_cpu);
  if (is_absent(in_chunks)) return value_or(f.preprocessing, 0) + unusual_opening(f);
  const auto& tasks = f.run.recording.tasks;
  double ahead = 0;
  for (const std::size_t row : rows_of_files(f.run))
    ahead += value_or(tasks.at(Task::wall, row) - tasks.at(Task::cpu, row), 0);
  return in_chunks + ahead;
}

std::vector<Finding> slow_opening(const RunFacts& f) {
  const SlowOpening& slow = f.slow_opening;
  if (!(f.share(slow.seconds()) >= least_share)) return {};
  Selection selection;
  (slow.key == ChunkKey::dataset ? selection.datasets
   : slow.key == ChunkKey::host  ? selection.hosts
                                 : selection.files) = slow.names;
  // All cores wait for the file that takes longest ahead of the chunks.
  const double ahead =
      std::max(slow.ahead, value_or((slow.each_ahead - slow.elsewhere_ahead) * f.cores, 0));
  std::vector<Cause> open;
  if (!slow.computes() && slow.is_alone_in_time) open = {Cause::slow_moment};
  return {{.severity = at_most_medium(f.share(slow.seconds())),
           .evidence = slow,
           .selection = std::move(selection),
           .core_seconds = slow.seconds(),
           .open = std::move(open),
           .gain_core_seconds = f.saved_by(slow.again) + ahead}};
}

}  // namespace rules

}  // namespace crema::diagnose
