// Rules about sections, the data read, and the analysis's own functions.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/diagnose/rules.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/stats/fit.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

struct FilesRead {
  double read = 0, tree = 0;                 // [byte]
  double branches = 0, branches_total = 0;   // summed over files
  double chunk_bytes = 0, branch_bytes = 0;  // [byte] what chunks read, of what the branches have

  explicit FilesRead(const Run& run) {
    for (const FileFacts& file : find_file_facts(run)) {
      if (file.chunk_bytes > 0 && file.bytes_read > 0) {
        chunk_bytes += file.chunk_bytes;
        branch_bytes += file.bytes_read;
      }
      if (is_absent(file.bytes_read_fraction) || is_absent(file.tree_bytes)) continue;
      read += file.bytes_read_fraction * file.tree_bytes;
      tree += file.tree_bytes;
      branches += value_or(file.branches_read_fraction * file.branches_total, 0);
      branches_total += value_or(file.branches_total, 0);
    }
  }
};

// A basket lies across the border of two chunks, now and then of three. Read by three chunks each,
// on average, baskets are much larger than chunks.
constexpr double reads_again = 3;

/// [byte] What chunks read of branches, as rows of tasks tell.
struct BranchBytes {
  double read = 0;
  double outside = 0;  ///< in baskets without events of the chunk's own
  double others = 0;   ///< of that, of branches with more than a basket before and one behind them
  std::map<StringId, double> others_of;  ///< by branch

  explicit BranchBytes(const Run& run) {
    using recorded_columns::Branch;
    const auto& rows = run.recording.branches;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const double beside = value_or(rows.at(Branch::outside, row), 0);
      const double each = rows.at(Branch::compressed, row) / rows.at(Branch::baskets, row);
      outside += beside;
      read += value_or(rows.at(Branch::compressed, row), 0);
      if (!(beside > 2 * each)) continue;
      others += beside;
      others_of[rows.text(Branch::branch, row)] += beside;
    }
  }
};

/// Whether the `bytes` that chunks read are not what large baskets explain: a chunk that reads its
/// own events has others in the first and the last basket of a branch only, and most of them where
/// baskets are large. Code that opens a file again and reads it as a whole has them in all; that
/// reads its own events again has few; and what is in no basket of theirs is of other files.
bool are_no_large_baskets(const BranchBytes& branches, double bytes) {
  const double read = branches.read, outside = branches.outside, others = branches.others;
  return others > outside / 2 || outside < read / 2 || (read > 0 && read < bytes / 2);
}

/// [s] What branches took for their bytes, by how much longer larger ones took: the rest is paid
/// for each basket, whatever it holds. Absent where too few rows tell.
double seconds_by_bytes(const Run& run) {
  using recorded_columns::Branch;
  const auto& rows = run.recording.branches;
  std::vector<double> bytes, seconds;
  double sum = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double unpacked = rows.at(Branch::uncompressed, row), wall = rows.at(Branch::wall, row);
    if (!(unpacked > 0) || is_absent(wall)) continue;
    bytes.push_back(unpacked), seconds.push_back(wall);
    sum += unpacked;
  }
  if (bytes.size() < enough_chunks) return absent;
  const double each = stats::robust_line(bytes, seconds).slope;
  return each > 0 ? each * sum : absent;
}

}  // namespace

ReadAgain::ReadAgain(const RunFacts& f) {
  if (!chunk_bytes_collected(f.run)) return;
  const FilesRead files(f.run);
  const double of_each = ratio(files.chunk_bytes, files.branch_bytes);
  if (!(of_each >= reads_again) || are_no_large_baskets(BranchBytes(f.run), files.chunk_bytes))
    return;
  times = of_each;
  bytes = files.chunk_bytes;
  held = files.branch_bytes;
  // Code that reads and unpacks does so that many times: rows of tasks tell for how long, else a
  // profile does.
  const double reading = f.sum_of(recorded_columns::Task::read_wall);
  is_measured = f.run.recording.branches.size() > 0 && reading > 0;
  seconds = (is_measured ? reading : reading_code_share(f.run) * f.inside) * (1 - 1 / times);
  const double for_bytes = seconds_by_bytes(f.run) * (1 - 1 / times);
  is_by_bytes = is_measured && for_bytes < seconds;
  if (is_by_bytes) seconds = for_bytes;
}

ReadMore::ReadMore(const Run& run) {
  using recorded_columns::Task;
  // What a process reads besides, of a file of the analysis or a module that it imports.
  constexpr double many_times = 8, least = 32e6;
  const auto of = [&](Task column) { return measured_of_chunks(run, column); };
  const std::vector<double> bytes = of(Task::rchar), requested = of(Task::requested_bytes),
                            waits = of(Task::request_wait), at_once = of(Task::at_once);
  if (bytes.empty() || requested.empty() || waits.empty() || at_once.empty()) return;
  const auto is_more = [&](std::size_t i) {
    return at_once[i] == 1 && bytes[i] >= many_times * requested[i] &&
           bytes[i] >= requested[i] + least;
  };
  std::vector<double> usual;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!is_more(i) && !is_absent(waits[i])) usual.push_back(waits[i]);
  }
  const double of_others = value_or(quantile(sorted_present(usual), 0.5), 0);
  seconds.assign(bytes.size(), 0);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!is_more(i) || !(waits[i] > of_others)) continue;
    seconds[i] = waits[i] - of_others;
    cost += seconds[i];
    chunks += 1;
    read += bytes[i];
    asked += requested[i];
    if (file.empty() && run.chunks.file[i] != no_string) file = run.text(run.chunks.file[i]);
  }
}

bool ReadMore::is_most_of(const std::vector<double>& longer) const {
  double all = 0, both = 0;
  for (std::size_t i = 0; i < std::min(longer.size(), seconds.size()); ++i) {
    all += longer[i];
    both += std::min(longer[i], seconds[i]);
  }
  return both > 0 && 2 * both >= all;
}

ReadAhead::ReadAhead(const Run& run) {
  using recorded_columns::Branch;
  using recorded_columns::Task;
  const auto& rows = run.recording.branches;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!(rows.at(Branch::ahead, row) > 0)) continue;
    branches.insert(rows.text(Branch::branch, row));
    // The analysis may read it by itself.
    if (rows.at(Branch::wall, row) > 0 ||
        rows.at(Branch::compressed, row) > rows.at(Branch::ahead, row))
      used.insert(rows.text(Branch::branch, row));
  }
  for (std::size_t row = 0; row < rows.size() && !branches.empty(); ++row) {
    if (!(rows.at(Branch::ahead, row) > 0)) continue;
    const double bytes = value_or(rows.at(Branch::uncompressed, row), 0);
    all += bytes;
    if (used.contains(rows.text(Branch::branch, row))) continue;
    unused += bytes;
    unused_packed += rows.at(Branch::ahead, row);
  }
  // Where none is used they are, by something that is not looked at.
  if (!(unused > 0) || used.empty()) return;
  // [s] to open a file, and in chunks: few that took far longer are a matter of their own.
  const auto usual = [&](const std::vector<std::size_t>& of, Task column) {
    std::vector<double> seconds_of_each;
    for (const std::size_t row : of) seconds_of_each.push_back(run.recording.tasks.at(column, row));
    return quantile(sorted_present(seconds_of_each), 0.5);
  };
  const std::vector<std::size_t>& chunks = rows_of_chunks(run);
  const double longer = usual(chunks, Task::open_wall) - usual(rows_of_files(run), Task::wall);
  seconds = std::max(0.0, longer) * static_cast<double>(chunks.size()) * unused / all;
}

namespace rules {

namespace {

// Half of a file: columnar reading saves little then.
constexpr double reads_half = 0.5;
// An analysis that reads four fifths of all branches may read all there are.
constexpr double reads_all = 0.8;

// Files of a dataset that were written alike are compressed alike, to a hundredth or so: another
// codec, or another level of it, is a tenth and more away.
constexpr double compressed_otherwise = 0.15;
constexpr double compressed_alike = 0.02;
constexpr std::size_t enough_files = 3;
constexpr double worth_unpacking = 0.01;  // of the core-time

/// How most files of a dataset are compressed; absent where no value is that of most of them.
double usual_compression(std::vector<double> ratios) {
  // Of two different files it is unknown which one is as intended.
  if (ratios.size() < enough_files) return absent;
  const double usual = median_of(ratios);
  const auto alike =
      static_cast<std::size_t>(std::count_if(ratios.begin(), ratios.end(), [&](double r) {
        return std::fabs(r / usual - 1) < compressed_alike;
      }));
  return 2 * alike > ratios.size() ? usual : absent;
}

constexpr double twice_as_fast = 0.5;

/// The section with most of the chunks' time, and what it saves [s] of each if twice as fast.
struct LargestSection {
  std::string name;
  double core_seconds = 0;
  std::vector<double> saved;

  explicit LargestSection(const Run& run) : saved(run.chunks.size(), 0) {
    const SectionSums sums = sum_sections(run, ChunkSelection(run, {}));
    if (sums.may_overlap) return;
    for (const auto& [section, seconds] : sums.seconds) {
      if (seconds > core_seconds) core_seconds = seconds, name = section;
    }
    for (const SectionValue& value : run.chunks.sections) {
      if (value.kind == SectionValue::Kind::seconds && run.text(value.name) == name)
        saved[value.chunk] += twice_as_fast * value.value;
    }
  }
};

}  // namespace

std::vector<Finding> reads_much(const RunFacts& f) {
  const FilesRead files(f.run);
  BytesOfFiles evidence{.share = ratio(files.read, files.tree),
                        .branches = files.branches / files.branches_total,
                        .read = files.read,
                        .all = files.tree};
  if (!(evidence.share >= reads_half)) return {};
  const bool reads_unused = evidence.branches >= reads_all;
  const OwnFunction reader = reads_unused ? largest_reader(f.run) : OwnFunction{};
  // What reads so much, by the profile: fewer branches save at most its time.
  const double seconds = reader.name.empty() ? absent : reader.share * f.inside;
  evidence.function = reader.name;
  return {{.cause = reads_unused ? Cause::unused_branches : Cause::reads_much,
           .severity = at_most_medium(f.share(seconds)),
           .evidence = evidence,
           .core_seconds = seconds,
           .gain_core_seconds = reader.name.empty() ? absent : f.saved_by(seconds)}};
}

std::vector<Finding> baskets_read_again(const RunFacts& f) {
  const ReadAgain& again = f.read_again;
  // What small chunks cost holds it.
  if (is_absent(again.times) || (again.is_measured && !small_chunks(f).empty())) return {};
  return {{.severity = at_most_medium(f.share(again.seconds)),
           .evidence = BasketsReadAgain{again.times, again.bytes, again.held, again.is_measured,
                                        again.is_by_bytes},
           .core_seconds = again.seconds,
           .gain_core_seconds = f.saved_by(again.seconds)}};
}

/// What reading in process() took, as evidence tells it.
static std::vector<Finding> of_reading(const RunFacts& f, Measurements evidence, double seconds) {
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = std::move(evidence),
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

std::vector<Finding> other_events(const RunFacts& f) {
  constexpr double most_at_borders = 0.1;  // of what is read; clusters may hold several baskets
  const BranchBytes bytes(f.run);
  const double part = ratio(bytes.others, bytes.read);
  if (!(part >= most_at_borders)) return {};
  Measurements evidence{{"others", bytes.others, Unit::bytes},
                        {"read", bytes.read, Unit::bytes},
                        {"part", part, Unit::share}};
  for (const auto& [branch, others] : bytes.others_of) {
    if (2 * others > bytes.others) evidence.push_back({"branch", std::string(f.run.text(branch))});
  }
  return of_reading(f, std::move(evidence), reading_code_share(f.run) * f.inside * part);
}

std::vector<Finding> read_twice(const RunFacts& f) {
  constexpr double many = 0.1;  // counts of collections are read for several of their columns
  using recorded_columns::Branch;
  const auto& rows = f.run.recording.branches;
  double again = 0, read = 0, seconds = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double packed = rows.at(Branch::compressed, row);
    const double part = ratio(rows.at(Branch::again, row), packed);
    if (!(part >= 0)) continue;
    read += packed;
    again += part * packed;
    seconds += part * value_or(rows.at(Branch::wall, row), 0);
  }
  if (!(again >= many * read) || !(f.share(seconds) >= least_share)) return {};
  return of_reading(f,
                    {{"again", again, Unit::bytes},
                     {"read", read, Unit::bytes},
                     {"part", again / read, Unit::share}},
                    seconds);
}

std::vector<Finding> reads_more(const RunFacts& f) {
  const ReadMore& more = f.read_more;
  if (!(f.share(more.cost) >= least_share)) return {};
  Measurements evidence{{"few", more.chunks, Unit::chunks},
                        {"read", more.read, Unit::bytes},
                        {"asked", more.asked, Unit::bytes}};
  if (more.file.starts_with("zip://"))
    evidence.push_back({"archive", std::string(base_name(more.file))});
  return {{.severity = at_most_medium(f.share(more.cost)),
           .evidence = std::move(evidence),
           .core_seconds = more.cost,
           .gain_core_seconds = f.saved_by(more.seconds)}};
}

std::vector<Finding> unused_preload(const RunFacts& f) {
  const ReadAhead& ahead = f.read_ahead;
  if (!(f.share(ahead.seconds) >= least_share)) return {};
  StringId one = no_string;
  for (const StringId branch : ahead.branches) {
    if (one == no_string && !ahead.used.contains(branch)) one = branch;
  }
  Measurements evidence{{"bytes", ahead.unused_packed, Unit::bytes},
                        {"unused", static_cast<double>(ahead.branches.size() - ahead.used.size())},
                        {"all", static_cast<double>(ahead.branches.size())},
                        {"branch", std::string(f.run.text(one))},
                        {"part", ahead.unused / ahead.all, Unit::share}};
  return of_reading(f, std::move(evidence), ahead.seconds);
}

// The same columns of other datasets hold other numbers: with one codec they differ by a half.
constexpr double unpacks_slowly = 2;
constexpr std::size_t most_datasets = 5;

/// Files whose compression differs from that of their dataset's other files, and by how much their
/// chunks exceeded the time of the same events there.
std::vector<Finding> codec(const RunFacts& f) {
  const std::vector<FileFacts>& files = find_file_facts(f.run);
  std::map<StringId, std::vector<double>> ratios;
  for (const FileFacts& file : files) {
    if (file.compression_ratio > 0) ratios[file.dataset].push_back(file.compression_ratio);
  }
  std::map<StringId, double> usual_of;
  for (auto& [dataset, of_files] : ratios)
    usual_of[dataset] = usual_compression(std::move(of_files));
  std::vector<Finding> found;
  for (const FileFacts& file : files) {
    const double usual = usual_of[file.dataset];
    if (!(std::fabs(file.compression_ratio / usual - 1) >= compressed_otherwise)) continue;
    const double more = file.seconds * (1 - 1 / file.times_others);
    if (!(f.share(more) >= worth_unpacking)) continue;
    const std::string name(f.run.text(file.name));
    const char* const why = file.compression_ratio < usual
                                ? "stronger compression (LZMA) takes longer to unpack"
                                : "it has more bytes to read for the same events";
    found.push_back({.severity = at_most_medium(f.share(more)),
                     .evidence = Measurements{{"file", name.substr(name.rfind('/') + 1)},
                                              {"dataset", std::string(f.run.text(file.dataset))},
                                              {"packed", file.compression_ratio, Unit::share},
                                              {"usual", usual, Unit::share},
                                              {"why", why}},
                     .selection = {.files = {name}},
                     .core_seconds = more,
                     .gain_core_seconds = f.saved_by(more)});
  }
  return found;
}

namespace {

/// What reading the same columns took, packed in two ways: with two codecs, or in two datasets.
struct SlowReading {
  StringId slow = no_string, fast = no_string;  ///< codecs or datasets
  double cpu = 0, as_other = 0;  ///< [core-s] of the one, and of its bytes by the other's rate
  double bytes = 0, of_other = 0;
  double baskets = 0, of_other_baskets = 0;

  double more() const { return cpu - as_other; }
};

/// Columns of tasks by their name, with what `same` says of a row, and packed as `way` says; of two
/// ways of which `may_be_slow(one, how many times as large its baskets are)` the pair in which the
/// one took most CPU beyond the other, per byte.
template <class Same, class Way, class MayBeSlow>
SlowReading slowest_reading(const Run& run, const Same& same, const Way& way,
                            const MayBeSlow& may_be_slow) {
  using recorded_columns::Branch;
  const auto& rows = run.recording.branches;
  struct Sum {
    double cpu = 0, bytes = 0, baskets = 0;
  };
  std::map<std::pair<StringId, StringId>, std::map<StringId, Sum>> columns;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double cpu = rows.at(Branch::cpu, row), bytes = rows.at(Branch::uncompressed, row);
    const StringId of = way(row);
    if (of == no_string || rows.row(Branch::task, row) == no_row || !(cpu >= 0) || !(bytes > 0))
      continue;
    Sum& sum = columns[{rows.text(Branch::branch, row), same(row)}][of];
    sum.cpu += cpu, sum.bytes += bytes;
    sum.baskets += rows.at(Branch::baskets, row);
  }
  std::map<std::pair<StringId, StringId>, SlowReading> pairs;
  for (const auto& [column, ways] : columns) {
    for (const auto& [one, sum] : ways) {
      for (const auto& [other, rate] : ways) {
        const double larger = sum.bytes / sum.baskets / (rate.bytes / rate.baskets);
        if (one == other || !may_be_slow(one, larger)) continue;
        SlowReading& pair = pairs[{one, other}];
        pair.slow = one, pair.fast = other;
        pair.cpu += sum.cpu, pair.as_other += sum.bytes * rate.cpu / rate.bytes;
        pair.bytes += sum.bytes, pair.of_other += rate.bytes;
        pair.baskets += sum.baskets, pair.of_other_baskets += rate.baskets;
      }
    }
  }
  SlowReading most;
  for (const auto& [ways, pair] : pairs) {
    // A rate is known of what is not much less than what it is held against.
    const bool is_known = pair.of_other >= notable * pair.bytes;
    if (is_known && pair.cpu >= unpacks_slowly * pair.as_other && pair.more() > most.more())
      most = pair;
  }
  return most;
}

}  // namespace

/// LZMA is slow whatever else is there to compare it with.
static std::vector<Finding> slow_by_itself(const RunFacts& f) {
  using recorded_columns::Branch;
  // Of small baskets the time is in the calls. The same columns were read 4.5 times as fast from
  // ZLIB and 7 times from ZSTD (lab/README.md, top-quark pairs): four fifths are saved.
  constexpr double large = 16e3, saved = 0.8;
  const auto& rows = f.run.recording.branches;
  double cpu = 0, bytes = 0, baskets = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!f.run.text(rows.text(Branch::codec, row)).starts_with("lzma")) continue;
    cpu += value_or(rows.at(Branch::cpu, row), 0);
    bytes += value_or(rows.at(Branch::uncompressed, row), 0);
    baskets += value_or(rows.at(Branch::baskets, row), 0);
  }
  if (!(f.share(cpu) >= notable) || !(bytes >= large * baskets)) return {};
  return {
      {.cause = Cause::lzma,
       .severity = at_most_medium(f.share(cpu)),
       .evidence = Measurements{{"rate", bytes / cpu, Unit::bytes}, {"read", bytes, Unit::bytes}},
       .core_seconds = cpu,
       .gain_core_seconds = f.saved_by(saved * cpu)}};
}

std::vector<Finding> slow_codec(const RunFacts& f) {
  using recorded_columns::Branch;
  using recorded_columns::Task;
  const auto& rows = f.run.recording.branches;
  const auto codec_of = [&](std::size_t row) { return rows.text(Branch::codec, row); };
  // Much smaller baskets take longer with any codec, much larger ones are unpacked again and again,
  // and nothing is unpacked without a codec.
  const SlowReading most = slowest_reading(
      f.run, [](std::size_t) { return no_string; }, codec_of,
      [&](StringId one, double larger) {
        return f.run.text(one) != "none" && larger >= 0.5 && larger <= 2;
      });
  if (most.slow == no_string || !(f.share(most.more()) >= least_share)) return slow_by_itself(f);
  std::set<StringId> datasets;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint32_t task = rows.row(Branch::task, row);
    if (codec_of(row) == most.slow && task != no_row)
      datasets.insert(f.run.recording.tasks.text(Task::dataset, task));
  }
  Measurements evidence{{"codec", std::string(f.run.text(most.slow))},
                        {"other", std::string(f.run.text(most.fast))},
                        {"times", most.cpu / most.as_other},
                        {"slow", most.bytes, Unit::bytes},
                        {"fast", most.of_other, Unit::bytes}};
  Selection selection;
  std::string names;
  for (const StringId dataset : datasets) {
    if (dataset == no_string) continue;
    selection.datasets.emplace_back(f.run.text(dataset));
    names += (names.empty() ? "" : ", ") + selection.datasets.back();
  }
  if (!names.empty() && selection.datasets.size() <= most_datasets)
    evidence.push_back({"datasets", names});
  return {{.cause = Cause::slow_codec,
           .severity = at_most_medium(f.share(most.more())),
           .evidence = std::move(evidence),
           .selection = std::move(selection),
           .core_seconds = most.more(),
           .gain_core_seconds = f.saved_by(most.more())}};
}

std::vector<Finding> small_baskets(const RunFacts& f) {
  using recorded_columns::Branch;
  constexpr double much_smaller = 0.2;
  const auto dataset_of = [&](std::size_t row) {
    const std::uint32_t task = f.run.recording.branches.row(Branch::task, row);
    return task == no_row ? no_string
                          : f.run.recording.tasks.text(recorded_columns::Task::dataset, task);
  };
  const auto codec_of = [&](std::size_t row) {
    return f.run.recording.branches.text(Branch::codec, row);
  };
  const SlowReading most = slowest_reading(
      f.run, codec_of, dataset_of, [](StringId, double larger) { return larger <= much_smaller; });
  if (most.slow == no_string || !(f.share(most.more()) >= least_share)) return {};
  return {{.severity = at_most_medium(f.share(most.more())),
           .evidence = Measurements{{"dataset", std::string(f.run.text(most.slow))},
                                    {"other", std::string(f.run.text(most.fast))},
                                    {"times", most.cpu / most.as_other},
                                    {"small", most.bytes / most.baskets, Unit::bytes},
                                    {"usual", most.of_other / most.of_other_baskets, Unit::bytes},
                                    {"baskets", most.baskets}},
           .selection = {.datasets = {std::string(f.run.text(most.slow))}},
           .core_seconds = most.more(),
           .gain_core_seconds = f.saved_by(most.more())}};
}

namespace {

/// A tenth of the time in process() is worth a finding of its own.
bool is_reported(const CodePattern& pattern) {
  return pattern.kind != CodePattern::Kind::costly && pattern.share >= notable;
}

/// [core-s] that first chunks of workers or files took longer: what is made once takes that.
double longer_at_first(const Run& run) {
  for (const Anomaly& anomaly : anomalies(run)) {
    if (anomaly.kind == Anomaly::Kind::first_chunks ||
        anomaly.kind == Anomaly::Kind::first_of_files)
      return anomaly.core_seconds;
  }
  return 0;
}

/// What was made once in each worker, of what each chunk made.
double needed(const Run& run) {
  const std::vector<StringId>& workers = run.chunks.worker;
  const std::set<StringId> distinct(workers.begin(), workers.end());
  return ratio(static_cast<double>(distinct.size()), static_cast<double>(run.chunks.size()));
}

/// Of `patterns` those that are each reported as a finding.
std::vector<CodePattern> reported_calls(const RunFacts& f, std::vector<CodePattern> patterns) {
  std::erase_if(patterns, [](const CodePattern& one) { return !is_reported(one); });
  // What a call has called back, a warning its report, is that call's.
  const auto is_of_another = [&, all = patterns](const CodePattern& pattern) {
    constexpr double about_the_same = 0.9;
    return any_of(all, [&](const CodePattern& other) {
      return pattern.called_back < other.called_back &&
             std::min(pattern.share, other.called_back) >=
                 about_the_same * std::max(pattern.share, other.called_back);
    });
  };
  // What was seen in about as many chunks as there are processes is made once in each.
  const double once = 2 * needed(f.run) * static_cast<double>(f.run.chunks.size());
  std::erase_if(patterns, [&](const CodePattern& one) {
    return !(one.share * f.inside > 0) || one.chunks <= once || is_of_another(one);
  });
  return patterns;
}

}  // namespace

std::vector<Finding> needless_calls(const RunFacts& f) {
  if (f.has_long_stops()) return {};
  constexpr double beyond_rounding = 0.95;
  std::vector<Finding> found;
  for (const CodePattern& pattern : reported_calls(f, code_patterns(f.run))) {
    const double all = pattern.share * f.inside;
    double seconds = all;
    if (pattern.kind == CodePattern::Kind::set_up)
      seconds = std::min(seconds * (1 - needed(f.run)), seconds - longer_at_first(f.run));
    const double most = (pattern.share + pattern.at_calls) * f.inside;
    // Less is how far samples scatter.
    const bool are_more = pattern.at_calls >= 0.25 * pattern.share;
    Measurements evidence{{"all", are_more ? format_number(all) + " to " + format_core_seconds(most)
                                           : format_core_seconds(all)},
                          {"what", pattern.what},
                          {"part", pattern.share, Unit::share},
                          {"how", std::string(pattern.how)}};
    if (are_more) evidence.push_back({"most", format_core_seconds(most)});
    if (seconds < beyond_rounding * all)
      evidence.push_back({"once", "If it is the same for each chunk, made once in each worker"});
    found.push_back({.severity = at_most_medium(f.share(seconds)),
                     .evidence = std::move(evidence),
                     .core_seconds = seconds,
                     .gain_core_seconds = f.saved_by(seconds)});
  }
  return found;
}

namespace {

/// The part of a function's time that is in that section.
double part_in(const std::string& section, const FunctionWork& work) {
  double part = 0;
  for (const auto& [name, share] : work.sections) part += name == section ? share : 0;
  return part;
}

/// In a section where one is named.
LargeFunction large_function(const Run& run, const OwnFunction& function,
                             const std::string& section) {
  FunctionWork work = work_of(run, function.name, section);
  const bool reads = work.reading >= most_of_waiting;
  const bool waits = waits_for_its_own(run, work.off_cpu, work.off_cpu_of_others);
  return {function, mostly_in(run, function.name, section), std::move(work), reads, waits};
}

}  // namespace

// A function is named beside the largest part if it took a third as long, most of it elsewhere.
constexpr double comparable = 3, mostly = 0.5;

std::vector<Finding> largest_part(const RunFacts& f) {
  if (!f.whole_list || !(f.inside > 0) || f.has_long_stops()) return {};
  LargestSection section(f.run);
  OwnFunction function = largest_own_function(f.run, section.name);
  bool is_within = !section.name.empty() && !function.name.empty();
  const OwnFunction largest = largest_own_function(f.run);
  if (!is_within) function = largest;
  // A function that has more than any section has is in none, or in several. Samples that do not
  // know their section may have as much by chance.
  const double by_chance = f.run.recording.samples.size() > 0 ? 0 : notable;
  if (largest.share * f.inside > (1 + by_chance) * section.core_seconds &&
      !(is_within && largest.name == function.name)) {
    function = largest;
    section.name.clear();
    is_within = false;
  }
  double seconds = section.core_seconds;
  if (section.name.empty()) {
    seconds = function.share * f.inside;
    section.saved = f.run.chunks.duration;
    for (double& saved : section.saved) saved *= twice_as_fast * function.share;
  }
  // Of a section in which one function has most of the time that function is what is told.
  const double part = is_within && function.share >= mostly ? function.share : 1;
  for (double& saved : section.saved) saved *= part;
  const double saving = f.saved_by(section.saved);
  if (!(f.share(seconds) >= notable) || is_absent(saving)) return {};
  // A function whose time is mostly in calls that are findings is not reported again.
  std::vector<CodePattern> patterns = code_patterns(f.run);
  double reported = 0;
  for (const CodePattern& pattern : reported_calls(f, patterns)) {
    if (!function.name.empty() && pattern.caller == function.name)
      reported += pattern.share * f.inside;
  }
  if (2 * reported >= part * seconds) return {};
  std::erase_if(patterns, is_reported);
  std::vector<OwnFunction> others = own_functions(f.run, notable);
  std::erase_if(others, [&](const OwnFunction& one) { return one.name == function.name; });
  LargeFunction next;
  for (const OwnFunction& other : others) {
    if (!(comparable * other.share * f.inside >= seconds)) break;
    LargeFunction function_beside = large_function(f.run, other, "");
    // Only samples that know their task tell that most of it is no part of the section.
    const bool is_apart =
        section.name.empty() || (!is_absent(function_beside.work.reading) &&
                                 part_in(section.name, function_beside.work) < mostly);
    if (!is_apart) continue;
    next = std::move(function_beside);
    break;
  }
  return {{.severity = Severity::low,
           .evidence =
               LargestPart{.section = section.name,
                           .entries = entries_of(f.run, section.name),
                           .most = large_function(f.run, function, is_within ? section.name : ""),
                           .is_within = is_within,
                           .next = std::move(next),
                           .share = seconds / f.inside,
                           .seconds = seconds,
                           .sooner = saving / f.cores,
                           .patterns = std::move(patterns)},
           .core_seconds = part * seconds,
           .gain_core_seconds = saving,
           .rank = rank_of_code}};
}

}  // namespace rules

}  // namespace crema::diagnose
