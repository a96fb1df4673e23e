#include "core/predict/chunk_size.hpp"

#include "core/predict/memory.hpp"

namespace crema::predict {

namespace {

/// A line that can be a cost: neither part below nothing.
stats::Line sound(stats::Line line, const ChunkPopulation& p) {
  if (line.slope < 0) return {p.seconds / p.chunks, 0};
  if (line.fixed < 0) return {0, p.seconds / p.events};
  return line;
}

/// coffea cuts a file into round(entries / chunksize) chunks of equal size, at least one
/// (`FileMeta.chunks`).
double pieces(double entries, double size) { return std::max(1.0, std::round(entries / size)); }

void add(Cutting& cut, const ChunkPopulation& p, double chunks, double largest) {
  cut.chunks += chunks;
  const auto& [line, flat, steep] = p.cost;
  std::size_t at = 0;
  for (const stats::Line& one : {line, flat, steep})
    cut.inside[at++] += one.fixed * chunks + one.slope * p.events;
  cut.longest = std::max(cut.longest, line.fixed + line.slope * largest);
  cut.largest = std::max(cut.largest, largest);
}

struct ChunksOfFile {
  std::vector<double> sizes, durations;
};

std::vector<ChunkPopulation> find_populations(const Run& run, const ChunkSelection& chosen) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const ChunkGroups& files = chunk_groups(run, ChunkKey::file);
  std::vector<double> file_events(files.size(), 0);
  std::vector<std::uint32_t> touched;
  std::vector<ChunkPopulation> populations;
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    ChunkPopulation p;
    std::unordered_map<std::uint32_t, ChunksOfFile> by_file;
    for (const std::uint32_t i : datasets.members(dataset)) {
      if (!chosen[i] || is_absent(c.duration[i]) || !(c.events[i] > 0)) continue;
      p.events += c.events[i];
      p.seconds += c.duration[i];
      p.chunks += 1;
      p.largest = std::max(p.largest, c.events[i]);
      p.sizes.push_back(c.events[i]);
      p.durations.push_back(c.duration[i]);
      ChunksOfFile& of = by_file[files.of[i]];
      of.sizes.push_back(c.events[i]);
      of.durations.push_back(c.duration[i]);
      double& of_file = file_events[files.of[i]];
      if (of_file == 0) touched.push_back(files.of[i]);
      of_file += c.events[i];
    }
    const double size = median_of(p.sizes);
    const double seconds = median_of(p.durations);
    for (const std::uint32_t file : touched) {
      p.file_events.push_back(std::exchange(file_events[file], 0));
      p.file_size.push_back(median_of(by_file[file].sizes) / size);
      p.file_time.push_back(median_of(by_file[file].durations) / seconds);
    }
    touched.clear();
    if (p.chunks > 0) populations.push_back(std::move(p));
  }
  return populations;
}

/// Lines of the datasets whose chunks differ in size. Of the rest all files together tell: a
/// file's chunks are a little larger or smaller than its dataset's others, as coffea cuts it into
/// equal ones. Files and not chunks are compared, because what was slow when a file's turn came was
/// so for all of its chunks.
void fit(ChunkSizeModel& model) {
  double fitted = 0, all = 0;
  std::vector<double> sizes, times;
  std::vector<ChunkPopulation*> others;
  for (ChunkPopulation& p : model.populations) {
    all += p.chunks;
    const stats::LineRange range =
        sizes_differ(p.sizes) ? stats::robust_line_range(p.sizes, p.durations) : stats::LineRange{};
    if (!is_absent(range.line.slope)) {
      p.cost = {sound(range.line, p), sound(range.flat, p), sound(range.steep, p)};
      fitted += p.chunks;
      continue;
    }
    others.push_back(&p);
    sizes.insert(sizes.end(), p.file_size.begin(), p.file_size.end());
    times.insert(times.end(), p.file_time.begin(), p.file_time.end());
  }
  const stats::LineRange range = stats::robust_line_range(sizes, times);
  // All of the time may be a fixed cost, or none; what no cost can be tells nothing.
  if (range.flat.slope < 1 && range.steep.slope > 0) {
    model.least_fixed = std::max(0.0, 1 - range.steep.slope);
    model.most_fixed = std::min(1.0, 1 - range.flat.slope);
  }
  for (ChunkPopulation* p : others) {
    const auto line = [&](double fixed) {
      return stats::Line{fixed * p->seconds / p->chunks, (1 - fixed) * p->seconds / p->events};
    };
    p->cost = {line((model.least_fixed + model.most_fixed) / 2), line(model.most_fixed),
               line(model.least_fixed)};
  }
  model.fitted = fitted / all;
}

/// The share of the time outside process() that each chunk takes whatever its size, at least. What
/// grows with the events there is reading and packing. Nothing of the events was read there where
/// process() itself read all of the branches, and of the bytes that are left, opening a file and a
/// result, those of results may grow; a byte of either takes about as long. The first task of a
/// process imports as well, so it counts as most tasks do.
double least_fixed_outside(const Run& run, StringId processor, double outside) {
  double inside = 0, branches = 0;
  for (const FileFacts& file : find_file_facts(run)) {
    inside += file.chunk_bytes;
    branches += file.bytes_read;
  }
  const double opened = total_bytes_read(run) - inside;
  constexpr double read_once = 1.05;  // more of them is baskets that two chunks read
  if (!(inside >= branches && inside <= read_once * branches && branches > 0 && opened > 0))
    return 0;
  double results = 0;
  std::vector<double> tasks;
  for (const std::size_t row : rows_of_chunks(run)) {
    results += run.recording.tasks.at(recorded_columns::Task::out_bytes, row);
    tasks.push_back(run.recording.tasks.at(recorded_columns::Task::wall, row));
  }
  const bool has_rows = !tasks.empty();
  for_each_execution(run, [&](std::size_t i) {
    if (has_rows || run.tasks.prefix[i] != processor) return;
    results += run.tasks.nbytes[i];
    tasks.push_back(run.tasks.t1[i] - run.tasks.t0[i]);
  });
  // The longest task is of the longest chunk, and so on.
  const std::vector<double> chunks = sorted_present(run.chunks.duration);
  tasks = sorted_present(tasks);
  if (tasks.size() != chunks.size()) return 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] -= chunks[i];
  const double most = median_of(tasks) * static_cast<double>(tasks.size()) / outside;
  return value_or(std::clamp(most, 0.0, 1.0) * opened / (opened + results), 0);
}

}  // namespace

double ChunkSizeModel::fixed_seconds() const {
  double fixed = 0;
  for (const ChunkPopulation& p : populations) fixed += p.cost.line.fixed * p.chunks;
  return fixed;
}

Cutting ChunkSizeModel::cut_at(double size) const {
  Cutting cut;
  for (const ChunkPopulation& p : populations) {
    double chunks = 0, largest = 0;
    for (const double entries : p.file_events) {
      const double n = pieces(entries, size);
      chunks += n;
      largest = std::max(largest, std::ceil(entries / n));
    }
    add(cut, p, chunks, largest);
  }
  return cut;
}

ChunkSizeModel::Estimate ChunkSizeModel::at(const Cutting& cut) const {
  const double growth = cut.chunks / now.chunks - 1;
  std::array<double, 3> inside = cut.inside;
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] -= now.inside[i];
  // coffea opens the file and sends a result for each chunk; columns are read inside process().
  const double extra = (value_or(outside, 0) + merging) * growth;
  const double least_extra = value_or(outside, 0) * outside_fixed * growth;
  const double more_tail = tail(cut) - tail(now);
  // Never sooner than all cores busy with the same work.
  const auto time = [&](double work, double end) {
    return std::max(0.0, elapsed + work / cores + end);
  };
  Estimate found;
  found.middle = found.likely = found.low = found.high = time(inside[0] + extra, more_tail / 2);
  if (cut.chunks == now.chunks && cut.largest == now.largest) return found;
  for (const double work : inside) {
    for (const double outer : {least_extra, extra}) {
      for (const double end : {0.0, more_tail}) {
        found.low = std::min(found.low, time(work + outer, end));
        found.high = std::max(found.high, time(work + outer, end));
      }
    }
  }
  widen(found, elapsed, noise);
  return found;
}

ChunkSizeModel chunk_size_model(const Run& run, const ChunkSelection& chosen, bool whole,
                                const Options& options) {
  ChunkSizeModel model;
  model.populations = find_populations(run, chosen);
  if (model.empty()) return model;
  fit(model);
  std::vector<double> sizes;
  double actual_longest = 0;
  for (const ChunkPopulation& p : model.populations) {
    add(model.now, p, p.chunks, p.largest);
    sizes.insert(sizes.end(), p.sizes.begin(), p.sizes.end());
    model.seconds += p.seconds;
    model.files += static_cast<double>(p.file_events.size());
    for (const double duration : p.durations) actual_longest = std::max(actual_longest, duration);
  }
  model.median_events = quantile_of(sizes, 0.5);
  if (model.now.longest > 0) model.slowdown = actual_longest / model.now.longest;
  // Tasks and the run's length belong to the whole run only.
  if (whole) {
    model.outside = compute_budget(run, {}, options).of(BudgetPart::Kind::outside_process);
    model.outside_fixed =
        least_fixed_outside(run, find_processor(run, options).prefix, model.outside);
    const ReplayTrace& trace = replay_trace_of(run, options);
    model.merging = trace.others * static_cast<double>(trace.order.size());
    const Run::Window window = run.window();
    model.elapsed = window.end - window.begin;
    model.noise = between_recordings(run, options);
  }
  model.cores = find_tail(run, chosen, options).cores;
  return model;
}

namespace {

/// Sizes from 1/16 to 16 x the present one, two per doubling; as people ask for them, see
/// `two_digits`.
constexpr int steps_each_way = 8;
/// Dask's worker pauses at 80 % of its memory limit (`distributed.worker.memory.pause`).
constexpr double memory_share = 0.8;
/// A tail of more than this share of the run is said to bite.
constexpr double tail_share = 0.1;
/// Sizes whose expected run time differs by less are as good as each other.
constexpr double as_good = 0.02;

}  // namespace

double two_digits(double size) {
  double unit = 1;
  while (size >= 100 * unit) unit *= 10;
  return std::round(size / unit) * unit;
}

bool ChunkOffers::is_better() const { return best.middle < model.elapsed * (1 - as_good); }

ChunkOffers chunk_offers(const Run& run, const ChunkSelection& chosen, bool whole,
                         const Options& options) {
  ChunkOffers found;
  found.model = chunk_size_model(run, chosen, whole, options);
  const ChunkSizeModel& model = found.model;
  if (model.empty()) return found;
  const TightestWorker& worker = found.worker = tightest_worker(run);
  const MemoryModel memory = whole ? memory_model(run) : MemoryModel{};
  const bool timed = model.timed();
  struct Row {
    double size;
    ChunkSizeModel::Estimate time;
  };
  std::vector<Row> good;
  const auto put = [&](double size, const Cutting& cut, bool is_present) {
    const ChunkSizeModel::Estimate time = timed ? model.at(cut) : ChunkSizeModel::Estimate{};
    const double growth = cut.chunks / model.now.chunks - 1;
    const auto outside = std::minmax(
        {model.outside * (1 + model.outside_fixed * growth), model.outside * (1 + growth)});
    const double used =
        memory.parts.empty()
            ? worker.begin + (worker.peak - worker.begin) * cut.largest / model.now.largest
            : memory.parts.front().at({.events = cut.largest}).largest;
    const bool full = used > memory_share * worker.limit;
    const bool alone = timed && model.tail(cut) > tail_share * time.middle;
    found.offers.push_back({.events = size,
                            .chunks = cut.chunks,
                            .is_present = is_present,
                            .inside = model.seconds + cut.inside[0] - model.now.inside[0],
                            .outside_low = outside.first,
                            .outside_high = outside.second,
                            .longest = model.longest(cut),
                            .elapsed = time,
                            .tail = model.cores >= 1 ? model.tail(cut) : absent,
                            .memory = used,
                            .limited_by = full    ? "memory"
                                          : alone ? "tail"
                                                  : ""});
    if (timed && !full) {
      good.push_back({size, time});
      if (!(time.middle >= found.best.middle)) found.best = time;
    }
  };
  constexpr double root_two = 1.4142135623730951;
  double size = model.median_events / 16;
  double last_chunks = absent;
  for (int step = -steps_each_way; step <= steps_each_way; ++step) {
    if (step == 0) {
      put(model.median_events, model.now, true);
    } else if (const double asked = two_digits(size); asked >= 1) {
      const Cutting cut = model.cut_at(asked);
      // Files cannot be joined: beyond one chunk per file no size changes anything.
      if (cut.chunks == last_chunks && cut.chunks == model.files) break;
      last_chunks = cut.chunks;
      put(asked, cut, false);
    }
    size *= root_two;
  }
  for (const Row& row : good) {
    if (row.time.middle > found.best.middle * (1 + as_good)) continue;
    if (!(row.size >= found.best_low)) found.best_low = row.size;
    if (!(row.size <= found.best_high)) found.best_high = row.size;
  }
  // What is said of the best sizes holds for each of them.
  for (const Row& row : good) {
    if (!(row.size >= found.best_low && row.size <= found.best_high)) continue;
    found.best.low = std::min(found.best.low, row.time.low);
    found.best.high = std::max(found.best.high, row.time.high);
    if (is_absent(row.time.likely)) found.best.likely = absent;
  }
  return found;
}

}  // namespace crema::predict
