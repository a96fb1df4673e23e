#include "core/predict/progress.hpp"

#include <set>

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/predict/prediction.hpp"

namespace crema::predict {

namespace {

using recorded_columns::Task;

// What a band is made of, see progress_of.
constexpr double pace_spread = 0.08, unseen_spread = 0.3, first_spread = 0.3, chunks_at_end = 0.4;

struct Ended {
  std::size_t part;
  double events, begin, wall;
  bool is_first;  ///< on its thread: it imports what the others find imported
};

/// Reads rows of tasks into counts by dataset; a chunk that ended well twice counts once.
class Counts {
 public:
  Counts(const Run& run, Progress& progress) : run_(run), progress_(progress) {
    for (const PlannedTasks& planned : run.recording.index.planned) {
      const std::string_view kind = run.text(planned.kind);
      if (kind == "file") add(progress.files_planned, planned.tasks);
      if (kind != "chunk") continue;
      for (PartProgress* part : {&progress.all, &part_of(planned.dataset)}) {
        add(part->planned, planned.tasks);
        add(part->events_planned, planned.events);
      }
    }
    for (std::size_t row = 0; row < run.recording.tasks.size(); ++row) count(row);
  }

  std::vector<Ended> ended;
  std::map<std::pair<StringId, double>, double> last_end;  ///< of each worker's threads

 private:
  static void add(double& sum, double value) {
    if (!is_absent(value)) sum = value_or(sum, 0) + value;
  }

  PartProgress& part_of(StringId dataset) {
    return one_of(number_, dataset, progress_.datasets, {.dataset = dataset});
  }

  void count(std::size_t row) {
    const auto& rows = run_.recording.tasks;
    const StringId kind = rows.text(Task::kind, row), status = rows.text(Task::status, row);
    if (kind == no_string) return;
    const bool is_ok = status == ok_ && status != no_string;
    if (kind == file_ && is_ok) progress_.files += 1;
    if (kind != chunk_) return;
    const StringId dataset = rows.text(Task::dataset, row);
    const bool is_first = !is_ok || done_.insert(chunk_of(row)).second;
    const std::string_view how = is_ok ? std::string_view("ok") : run_.text(status);
    const double wall = rows.at(Task::wall, row), begin = rows.at(Task::begin, row);
    const double events = value_or(rows.at(Task::events, row), 0);
    PartProgress& own = part_of(dataset);
    for (PartProgress* part : {&progress_.all, &own}) {
      part->core_seconds += value_or(wall, 0);
      if (how == "failed" || how == "lost") part->failed += 1;
      if (how == "skipped") part->skipped += 1;
      if (!is_ok || !is_first) continue;
      part->done += 1;
      part->events += events;
    }
    if (is_absent(begin + wall)) return;
    const auto [thread, is_new] = last_end.try_emplace(
        {rows.text(Task::address, row), value_or(rows.at(Task::thread, row), -1)}, begin + wall);
    thread->second = std::max(thread->second, begin + wall);
    if (is_ok && is_first) ended.push_back({number_.at(dataset), events, begin, wall, is_new});
  }

  /// What tells a chunk from others: dataset, file, call and entries.
  std::array<double, 5> chunk_of(std::size_t row) const {
    const auto& rows = run_.recording.tasks;
    const auto at = [&](Task column) { return value_or(rows.at(column, row), -1); };
    return {at(Task::dataset), at(Task::file), at(Task::call), at(Task::entry_start),
            at(Task::entry_stop)};
  }

  const Run& run_;
  StringId chunk_ = run_.names->strings.find("chunk"), file_ = run_.names->strings.find("file"),
           ok_ = run_.names->strings.find("ok");
  Progress& progress_;
  std::map<StringId, std::size_t> number_;
  std::set<std::array<double, 5>> done_;
};

/// How many of the tasks that ended ran at once, at most; not for a moment, as clocks have it of
/// one that follows another.
double most_at_once(const std::vector<Ended>& ended) {
  std::vector<double> begins, ends;
  for (const Ended& one : ended) {
    begins.push_back(one.begin + 0.05 * one.wall);
    ends.push_back(one.begin + 0.95 * one.wall);
  }
  begins = sorted_present(begins);
  ends = sorted_present(ends);
  std::size_t gone = 0, most = 0;
  for (std::size_t begun = 0; begun < begins.size(); ++begun) {
    while (gone < begun && ends[gone] <= begins[begun]) ++gone;
    most = std::max(most, begun + 1 - gone);
  }
  return static_cast<double>(most);
}

/// What has been busy since `from`: tasks that ended, and what its threads do since, as far as a
/// mean task lasts; such a task has no row yet.
double busy_cores(const Counts& counts, double from, double now, double mean) {
  double busy = 0;
  for (const Ended& one : counts.ended)
    busy += std::max(0.0, std::min(one.begin + one.wall, now) - std::max(one.begin, from));
  for (const auto& [thread, end] : counts.last_end)
    busy += std::clamp(now - std::max(end, from), 0.0, mean);
  busy /= now - from;
  // Under TaskVine each task may be a process, whose thread does nothing after it.
  const bool may_have_gone = counts.ended.size() < 2 * counts.last_end.size();
  return may_have_gone ? std::min(busy, most_at_once(counts.ended)) : busy;
}

/// The chunks that tell what others cost: not the first of each thread, where most are others.
std::vector<Ended> telling(const Counts& counts) {
  std::vector<Ended> later;
  for (const Ended& one : counts.ended) {
    if (!one.is_first) later.push_back(one);
  }
  return 2 * later.size() < counts.ended.size() ? counts.ended : later;
}

void predict_rest(const Counts& counts, double mean, Progress& progress) {
  const std::vector<Ended> chunks = telling(counts);
  std::vector<double> events(progress.datasets.size()), seconds(progress.datasets.size());
  double all_events = 0, all_seconds = 0;
  for (const Ended& one : chunks) {
    events[one.part] += one.events;
    seconds[one.part] += one.wall;
    all_events += one.events;
    all_seconds += one.wall;
  }
  if (!(all_events > 0)) return;
  const auto per_event = [&](std::size_t part) {
    return events[part] > 0 ? seconds[part] / events[part] : all_seconds / all_events;
  };
  double work = 0, unseen = 0;
  for (std::size_t part = 0; part < progress.datasets.size(); ++part) {
    const PartProgress& own = progress.datasets[part];
    if (!(own.planned > 0) || is_absent(own.events_planned)) continue;
    // what was given up has had its share of the events
    const double given_up = own.events_planned * own.skipped / own.planned;
    const double rest = std::max(0.0, own.events_planned - own.events - given_up) * per_event(part);
    work += rest;
    if (!(events[part] > 0)) unseen += rest;
  }
  double variance = 0;  // of the logarithm of a chunk's time over what its events let expect
  for (const Ended& one : chunks) {
    const double ratio = one.wall / (one.events * per_event(one.part));
    if (ratio > 0 && std::isfinite(ratio))
      variance += elementary::log(ratio) * elementary::log(ratio);
  }
  const auto n = static_cast<double>(chunks.size());
  variance = n > 1 ? variance / n : 0.25;
  const double unseen_part = work > 0 ? unseen_spread * unseen / work : 0;
  const double spread =
      std::sqrt(pace_spread * pace_spread + unseen_part * unseen_part + variance / n);
  progress.left = std::max(work / progress.cores, 0.0);
  // Later ones take less time; under TaskVine each may be the first, and the last, of a process.
  const bool are_first = chunks.front().is_first &&
                         static_cast<double>(counts.last_end.size()) <= most_at_once(counts.ended);
  const double below =
      are_first ? std::sqrt(spread * spread + first_spread * first_spread) : spread;
  progress.left_low =
      std::max(progress.left * elementary::exp(-z_90 * below) - chunks_at_end * mean, 0.0);
  progress.left_high = progress.left * elementary::exp(z_90 * spread) + chunks_at_end * mean;
}

Progress compute_progress(const Run& run) {
  Progress progress;
  const RecordedIndex& index = run.recording.index;
  progress.is_running = index.is_running;
  progress.since_begin = index.until - index.begin;
  const Counts counts(run, progress);
  if (counts.ended.empty() || is_absent(run.clock.zero_epoch)) return progress;
  const double now = index.until - run.clock.zero_epoch;
  double first = now, sum = 0;
  for (const Ended& one : counts.ended) {
    first = std::min(first, one.begin);
    sum += one.wall;
  }
  if (!(now > first)) return progress;
  const double mean = sum / static_cast<double>(counts.ended.size());
  const double from = first + 2 * (now - first) / 3;
  progress.now = now;
  progress.recent = from;
  progress.work = sum;
  double events = 0;
  for (const Ended& one : counts.ended) events += one.begin + one.wall > from ? one.events : 0;
  progress.event_rate = events / (now - from);
  progress.cores = std::max(busy_cores(counts, from, now, mean), 0.3);
  if (progress.is_running && progress.all.planned > 0) predict_rest(counts, mean, progress);
  return progress;
}

}  // namespace

const Progress& progress_of(const Run& run) {
  return run.facts.of<Once<Progress>>().of([&] { return compute_progress(run); });
}

}  // namespace crema::predict
