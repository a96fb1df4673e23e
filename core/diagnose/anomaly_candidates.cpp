// Which groups of chunks may be slow, how far each is from its like, and by how much that is known.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/diagnose/anomaly_search.hpp"
#include "core/model/run.hpp"
#include "core/stats/robust.hpp"

namespace crema::diagnose {

using namespace stats;
using namespace runtime;

namespace {

using Kind = Anomaly::Kind;

// So many chunks in a row measure the machine's speed at a moment.
constexpr std::size_t chunks_of_a_moment = 5;

constexpr std::size_t least_chunks(Kind kind) { return fields_of(kind).least_chunks; }

constexpr double least_spread = 0.01;  // however alike groups look
constexpr double least_files = 4;      // that tell how far files differ, beyond their middles

// A moment is slow for all: three quarters of its chunks by half of what it is by the median, and
// no file that ran as a whole then has three quarters of the excess.
constexpr double most_of_a_moment = 0.75;
constexpr double slow_for_all = 0.5;
// One chunk counts for a moment by at most this [natural log], however long it took.
constexpr double most_of_one_chunk = 1;

/// 0 where more than half of the values are equal: the others are what is looked for.
double spread_beside_outliers(const std::vector<double>& residuals) {
  std::vector<double> sizes;
  for (const double r : residuals) sizes.push_back(std::fabs(r));
  return median_of(std::move(sizes)) > 0 ? robust_spread(residuals) : 0;
}

/// How far groups differ [natural log] though nothing is wrong, as seen within the run.
struct Spread {
  double value = least_spread;
  double dof = 0;  ///< from how many differences beyond their middles that is known

  Spread() = default;
  Spread(const std::vector<double>& residuals, std::size_t middles)
      : value(std::max(least_spread, spread_beside_outliers(residuals))),
        dof(static_cast<double>(residuals.size()) - static_cast<double>(middles)) {}
};

/// Of the mean of so many.
Spread shared_by(Spread spread, double count) {
  spread.value /= std::sqrt(std::max(1.0, count));
  return spread;
}

/// The median of `sorted` without `own`, which are some of its values; both ascend.
double median_without(const std::vector<double>& sorted, const std::vector<double>& own) {
  const std::size_t n = sorted.size() - own.size();
  if (n == 0) return absent;
  const auto other = [&](std::size_t at) {
    for (std::size_t k = 0; k < own.size() && own[k] <= sorted[at]; ++k) ++at;
    return sorted[at];
  };
  return (other((n - 1) / 2) + other(n / 2)) / 2;
}

double files_in(const ChunkGroups& files, Members chunks) {
  std::vector<std::uint32_t> seen;
  for (const std::uint32_t i : chunks) seen.push_back(files.of[i]);
  std::sort(seen.begin(), seen.end());
  return static_cast<double>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

/// How often the chunks, by their places in the order of the run, ran at moments of their own.
double stretches_in(const std::vector<std::uint32_t>& place, Members chunks) {
  std::vector<std::uint32_t> places;
  for (const std::uint32_t i : chunks) places.push_back(place[i]);
  std::sort(places.begin(), places.end());
  double count = 1;
  for (std::size_t k = 1; k < places.size(); ++k)
    count += places[k] - places[k - 1] > chunks_of_a_moment ? 1 : 0;
  return count;
}

/// How far files of a dataset differ in `numbers` of their chunks.
Spread spread_of_files(const SearchedChunks& searched, const std::vector<double>& numbers) {
  std::vector<std::vector<double>> medians(searched.datasets.size());
  for (const CandidateGroup& group : searched.groups) {
    const double own = group.kind == Kind::file ? median_of(picked(numbers, group.chunks)) : absent;
    if (!is_absent(own)) medians[searched.datasets.of[group.chunks.front()]].push_back(own);
  }
  std::vector<double> residuals;
  std::size_t middles = 0;
  for (const std::vector<double>& of_files : medians) {
    if (of_files.size() < 2) continue;
    const double middle = median_of(of_files);
    for (const double one : of_files) residuals.push_back(one - middle);
    middles += 1;
  }
  return {residuals, middles};
}

/// The largest value of all other groups, for each: those of the two largest suffice. Absent values
/// are skipped.
struct LargestOthers {
  std::size_t first = 0;
  double largest = absent, second = absent;

  void add(std::size_t group, double value) {
    if (is_absent(value) || second >= value) return;
    if (group == first || is_absent(largest)) {
      largest = std::fmax(largest, value);
    } else if (largest >= value) {
      second = value;
      return;
    } else {
      second = largest;
      largest = value;
    }
    first = group;
  }
  double without(std::size_t group) const { return group == first ? second : largest; }
};

/// What a round measures: logs of a number per event or request, and medians to hold them against.
struct Measured : Paces {
  const SearchedChunks& of;
  const Unexplained& left;
  std::vector<double> sorted_logs;  // ascending
  Spread file_spread;               // by how much a file or a moment differs from its like
  Spread chunk_spread;              // by how much chunks differ, of whatever dataset
  LargestOthers slowest;            // of files, of all other chunks
  double usual_seconds = absent;    // of a chunk
  double usual_events = absent;     // likewise

  /// Of `amounts` by chunk for each of `count`.
  Measured(const SearchedChunks& searched, const Unexplained& unexplained,
           const std::vector<double>& amounts, const std::vector<double>& count)
      : Paces(searched.run, amounts, count),
        of(searched),
        left(unexplained),
        sorted_logs(sorted_present(logs)) {
    // The machine's speed in the course of the run, and files beside each other.
    const Spread drift(block_medians({}).front(), 1), files = spread_of_files(of, logs);
    // Of few files the one that is looked for would be most of their spread.
    const bool are_many = files.dof >= least_files;
    file_spread = are_many && files.value > drift.value ? files : drift;
    std::vector<double> residuals = sorted_logs;
    const double middle = median_of(sorted_logs);
    for (double& x : residuals) x -= middle;
    chunk_spread = Spread(residuals, 1);
    usual_seconds = median_of(left.seconds);
    usual_events = median_of(of.run.chunks.events);
    for (std::size_t i = 0; i < logs.size(); ++i)
      if (!of.is_warm_up[i]) slowest.add(of.files.of[i], logs[i]);
  }

  /// Chunks against their dataset in order of time, a few together: by `group` of a chunk, or of
  /// all where it is empty.
  std::vector<std::vector<double>> block_medians(const std::vector<std::size_t>& group) const {
    std::vector<std::vector<double>> medians(1), blocks(1);
    for (const std::uint32_t i : chunks_by_start(of.run)) {
      const double difference = logs[i] - usual[of.datasets.of[i]];
      if (is_absent(difference)) continue;
      const std::size_t own = group.empty() ? 0 : group[i];
      if (own >= blocks.size()) blocks.resize(own + 1), medians.resize(own + 1);
      blocks[own].push_back(difference);
      if (blocks[own].size() < chunks_of_a_moment) continue;
      medians[own].push_back(median_of(blocks[own]));
      blocks[own].clear();
    }
    return medians;
  }

  std::vector<std::uint32_t> later(Members chunks) const {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t i : chunks)
      if (!of.is_warm_up[i]) kept.push_back(i);
    return kept;
  }

  double excess(Members chunks, double log_factor) const {
    double sum = 0;
    for (const std::uint32_t i : chunks) sum += value_or(left.seconds[i], 0);
    return sum * (1 - elementary::exp(-log_factor));
  }

  /// By how much the moments at which a group's files ran may make it differ.
  Spread spread_of(double files) const { return shared_by(file_spread, files); }

  std::vector<double> against_the_rest(Members chunks) const {
    std::vector<double> differences = picked(logs, chunks);
    if (sorted_logs.size() < differences.size() + least_chunks(Kind::dataset)) return {};
    const double usual_elsewhere = median_without(sorted_logs, sorted_present(differences));
    for (double& x : differences) x -= usual_elsewhere;
    return differences;
  }
};

/// `spread`: by how much the group would differ though nothing is wrong.
Candidate judged(const Measured& m, const CandidateGroup& group,
                 const std::vector<double>& differences, const Spread& spread) {
  Candidate one{.kind = group.kind, .name = group.name, .chunks = group.chunks};
  one.log_factor = median_of(differences);
  std::vector<double> residuals = differences;
  for (double& x : residuals) x -= one.log_factor;
  const double error = spread_beside_outliers(residuals) *
                       std::sqrt(median_variance_ratio / static_cast<double>(residuals.size()));
  one.error = elementary::hypot(error, spread.value);
  one.dof = spread.dof;
  one.core_seconds = m.excess(group.chunks, one.log_factor);
  return one;
}

/// One that is not slow enough to be reported: it counts among all that were looked at.
Candidate not_slow(const CandidateGroup& group, double log_factor) {
  return {.kind = group.kind, .name = group.name, .chunks = group.chunks, .log_factor = log_factor};
}

/// A half of the files, each against its other chunks. Of few files a moment looks alike.
void add_half(const Measured& m, const CandidateGroup& group, std::vector<Candidate>& all) {
  constexpr double least_factor = 0.05;  // half of the chunks take so much longer: 2.5 % of the run
  if (group.files < least_files) return;
  std::vector<bool> is_own(m.logs.size(), false);
  for (const std::uint32_t i : group.chunks) is_own[i] = true;
  std::vector<double> usual(m.of.files.size(), absent), factors, own, others;
  for (std::size_t file = 0; file < usual.size(); ++file) {
    own.clear();
    others.clear();
    for (const std::uint32_t i : m.of.files.members(file)) {
      if (!is_absent(m.logs[i])) (is_own[i] ? own : others).push_back(m.logs[i]);
    }
    usual[file] = quantile_of(others, 0.5);
    factors.push_back(quantile_of(own, 0.5) - usual[file]);
  }
  const double factor = median_of(factors);
  if (!(factor >= least_factor)) return all.push_back(not_slow(group, factor));
  std::vector<double> differences;
  for (const std::uint32_t i : group.chunks) {
    const double difference = m.logs[i] - usual[m.of.files.of[i]];
    if (!is_absent(difference)) differences.push_back(difference);
  }
  if (differences.size() < least_chunks(Kind::half)) return;
  all.push_back(judged(m, group, differences, m.spread_of(group.files)));
}

/// A group of two to four chunks, those aside that workers began with: each of them, by how much
/// all chunks of the run differ. The slowest of all others comes not half as near.
void add_of_few(const Measured& m, const CandidateGroup& group,
                const std::vector<double>& differences, double slowest_other,
                std::vector<Candidate>& all) {
  if (differences.size() < 2) return;
  // Small chunks take longer for each event: what a chunk takes whatever its events is no matter of
  // the group.
  for (const std::uint32_t i : m.later(group.chunks))
    if (!(m.left.seconds[i] > m.usual_seconds)) return;
  Candidate one = judged(m, group, differences, m.chunk_spread);
  one.tested = *std::min_element(differences.begin(), differences.end());
  if (!(slowest_other >= one.tested / 2)) all.push_back(one);
}

/// A file of two chunks, or beside few others of its dataset, against the middle of the run and of
/// its dataset's others.
void add_small_file(const Measured& m, const CandidateGroup& group, std::vector<Candidate>& all) {
  std::vector<double> differences = picked(m.logs, m.later(group.chunks));
  const std::uint32_t dataset = m.of.datasets.of[group.chunks.front()];
  const Members like = m.of.datasets.members(dataset);
  if (differences.size() < 2 || like.size() == group.chunks.size() ||
      m.sorted_logs.size() < differences.size() + outlier_least)
    return;
  double usual = m.usual[dataset];
  if (like.size() < 3 * group.chunks.size()) {  // its own chunks would be its dataset's middle
    std::vector<double> others;
    for (const std::uint32_t i : like) {
      if (m.of.files.of[i] != m.of.files.of[group.chunks.front()] && !is_absent(m.logs[i]))
        others.push_back(m.logs[i]);
    }
    usual = median_of(others);
  }
  usual = std::max(usual, median_without(m.sorted_logs, sorted_present(differences)));
  if (is_absent(usual)) return;
  for (double& x : differences) x -= usual;
  const std::uint32_t file = m.of.files.of[group.chunks.front()];
  add_of_few(m, group, differences, m.slowest.without(file) - usual, all);
}

/// A host, a site or a file, against the same datasets elsewhere.
void add_storage(const Measured& m, const CandidateGroup& group, std::vector<Candidate>& all) {
  if (group.kind == Kind::file && group.chunks.size() >= least_chunks(Kind::file)) {
    const double usual = m.usual[m.of.datasets.of[group.chunks.front()]];
    const double difference = median_of(picked(m.logs, group.chunks)) - usual;
    // Without its own chunks the middle of its dataset is higher still.
    if (difference <= 0) {
      all.push_back(not_slow(group, difference));
      return;
    }
  }
  std::vector<double> differences = m.against_others(group.chunks);
  const bool stands_alone =
      differences.size() < least_chunks(Kind::file) && group.kind == Kind::host;
  if (stands_alone) differences = m.against_the_rest(group.chunks);
  if (differences.size() < least_chunks(group.kind)) {
    if (group.kind == Kind::file) add_small_file(m, group, all);
    return;
  }
  Candidate one = judged(m, group, differences, m.spread_of(group.files));
  one.stands_alone = stands_alone;
  // Of two files that differ either may be the unusual one: it is slow beside the whole run as
  // well.
  if (group.kind == Kind::file && m.of.files_of[m.of.datasets.of[group.chunks.front()]] == 2)
    one.log_factor = std::fmin(one.log_factor, median_of(m.against_the_rest(group.chunks)));
  all.push_back(one);
  // Beside few others it would be most of how far moments differ.
  if (group.kind == Kind::file && differences.size() < chunks_of_a_moment)
    add_small_file(m, group, all);
}

/// How many standard errors a worker's chunks are slower than those of the same stretch of the run,
/// were it by chance which of them ran on which worker (van Elteren's test, of logs in place of
/// ranks): what slows all for a while is in both.
double slower_than_others_then(const Measured& m, std::size_t worker, std::size_t workers) {
  const std::size_t together = std::max(chunks_of_a_moment, 3 * workers);
  const std::vector<std::uint32_t>& order = chunks_by_start(m.of.run);
  double sum = 0, variance = 0;
  std::vector<double> own, all;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double difference = m.logs[order[k]] - m.usual[m.of.datasets.of[order[k]]];
    if (!is_absent(difference)) {
      all.push_back(difference);
      if (m.of.worker[order[k]] == worker) own.push_back(difference);
    }
    if ((k + 1) % together != 0 && k + 1 < order.size()) continue;
    const Moments of = moments(all);
    const auto n = static_cast<double>(all.size()), of_worker = static_cast<double>(own.size());
    if (of_worker > 0 && of_worker < n) {
      sum += moments(own).sum - of_worker * of.sum / n;
      variance += of_worker * (n - of_worker) / n * of.std * of.std;
    }
    own.clear();
    all.clear();
  }
  return ratio(sum, std::sqrt(variance));
}

/// Among many workers a slow one is unlike the others. Of few, it is slower than it differs from
/// itself in the course of the run; or its chunks are slower than those that ran at the same time.
void add_workers(const Measured& m, std::vector<Candidate>& all) {
  std::vector<std::pair<const CandidateGroup*, std::vector<double>>> workers;
  std::vector<double> medians;
  for (const CandidateGroup& group : m.of.groups) {
    if (group.kind != Kind::worker) continue;
    workers.emplace_back(&group, m.against_others(group.chunks));
    if (workers.back().second.size() >= least_chunks(Kind::worker))
      medians.push_back(median_of(workers.back().second));
  }
  if (workers.size() < 2) return;
  const double middle = median_of(medians);
  for (double& one : medians) one -= middle;
  std::vector<double> residuals;
  std::size_t middles = 0;
  for (const std::vector<double>& blocks : m.block_medians(m.of.worker)) {
    const double own = median_of(blocks);
    for (const double block : blocks) residuals.push_back(block - own);
    middles += blocks.empty() ? 0 : 1;
  }
  const Spread within(residuals, middles), between(medians, 1);
  LargestOthers slowest;
  for (std::size_t i = 0; i < m.logs.size(); ++i)
    if (!m.of.is_warm_up[i]) slowest.add(m.of.worker[i], m.logs[i] - m.usual[m.of.datasets.of[i]]);
  for (const auto& [group, differences] : workers) {
    if (differences.size() < least_chunks(Kind::worker)) {
      add_of_few(m, *group, m.against_others(m.later(group->chunks)),
                 slowest.without(m.of.worker[group->chunks.front()]), all);
      continue;
    }
    const auto blocks = static_cast<double>(differences.size()) / chunks_of_a_moment;
    const Spread own = shared_by(within, blocks);
    const bool are_many = medians.size() >= outlier_least;
    Candidate one =
        judged(m, *group, differences, are_many && between.value > own.value ? between : own);
    all.push_back(one);
    // Two workers of one machine, which runs the scheduler and the client as well, differ by up to
    // 1.3 in healthy runs of the laboratory.
    if (are_many || !(one.log_factor >= elementary::log(worth_asking))) continue;
    one.tested = slower_than_others_then(m, m.of.worker[group->chunks.front()], workers.size());
    one.error = 1;
    one.dof = std::numeric_limits<double>::infinity();
    all.push_back(one);
  }
}

/// Files, hosts, sites and workers whose requests for input take longer, as `crema.record`
/// measures: that stands out after few chunks. Waiting has to be most of what they took more.
void add_waits(const Measured& time, const Measured& waits, const std::vector<double>& waited,
               std::vector<Candidate>& all) {
  std::vector<Candidate> found;
  for (const CandidateGroup& group : time.of.groups) {
    if (group.kind == Kind::host || group.kind == Kind::site || group.kind == Kind::file)
      add_storage(waits, group, found);
  }
  add_workers(waits, found);
  for (Candidate& one : found) {
    if (is_absent(one.error)) continue;
    one.tested = value_or(one.tested, one.log_factor);
    double more = 0;
    for (const std::uint32_t i : one.chunks)
      more += value_or(waited[i], 0) * (1 - elementary::exp(-one.log_factor));
    one.log_factor = median_of(one.stands_alone ? time.against_the_rest(one.chunks)
                                                : time.against_others(one.chunks));
    one.core_seconds = time.excess(one.chunks, one.log_factor);
    if (2 * more >= one.core_seconds) all.push_back(one);
  }
}

/// Whether its chunks have fewer events than usual, and take less time for that: what a chunk takes
/// whatever its events is no matter of the dataset. `seconds` of each chunk, usually `usual`.
bool are_only_small(const Measured& m, const CandidateGroup& dataset,
                    const std::vector<double>& seconds, double usual) {
  constexpr double fewer = 1.5, shorter = 0.75;
  return fewer * median_of(picked(m.of.run.chunks.events, dataset.chunks)) < m.usual_events &&
         median_of(picked(seconds, dataset.chunks)) < shorter * usual;
}

/// Against the slowest other dataset: data and simulation differ, and are meant to. As much slower
/// as its quickest file is: where one differs from the others the files are to blame.
void add_datasets(const Measured& m, std::vector<Candidate>& all) {
  std::vector<double> quickest(m.usual.size(), absent);
  for (const CandidateGroup& group : m.of.groups) {
    if (group.kind != Kind::file || group.chunks.size() < least_chunks(Kind::file)) continue;
    double& least = quickest[m.of.datasets.of[group.chunks.front()]];
    least = std::fmin(least, median_of(picked(m.logs, group.chunks)));
  }
  LargestOthers slowest;
  for (std::size_t d = 0; d < m.usual.size(); ++d) slowest.add(d, m.usual[d]);
  for (const CandidateGroup& group : m.of.groups) {
    if (group.kind != Kind::dataset) continue;
    const std::uint32_t own = m.of.datasets.of[group.chunks.front()];
    const double usual = slowest.without(own);
    std::vector<double> differences = picked(m.logs, group.chunks);
    if (differences.size() < least_chunks(Kind::dataset) || is_absent(usual) ||
        are_only_small(m, group, m.left.seconds, m.usual_seconds))
      continue;
    for (double& x : differences) x -= usual;
    all.push_back(judged(m, group, differences, m.spread_of(group.files)));
    all.back().log_factor = std::fmin(all.back().log_factor, quickest[own] - usual);
    all.back().core_seconds = m.excess(group.chunks, all.back().log_factor);
  }
}

/// A section's numbers by dataset, without chunks that an anomaly explains, and their medians.
struct SectionNumbers {
  std::vector<std::vector<double>> of;
  std::vector<double> median;
  LargestOthers largest;

  SectionNumbers(const Measured& m, const std::vector<double>& numbers) {
    for (std::size_t d = 0; d < m.of.datasets.size(); ++d) {
      std::vector<double> present;
      for (const std::uint32_t i : m.of.datasets.members(d)) {
        if (!m.left.is_part_explained[i] && !is_absent(numbers[i])) present.push_back(numbers[i]);
      }
      median.push_back(median_of(present));
      largest.add(d, median.back());
      of.push_back(std::move(present));
    }
  }
};

/// A section against the others of the same chunks, where the machine's speed is in both; and per
/// event, so that a section is not slow because others are left out.
void add_sections(const Measured& m, std::vector<Candidate>& all) {
  const Chunks& c = m.of.run.chunks;
  if (m.of.datasets.size() < 2) return;
  for (std::size_t s = 0; s < m.of.sections.size(); ++s) {
    const std::vector<double>& seconds = m.of.sections[s].values;
    std::vector<double> parts(c.size(), absent), per_event(c.size(), absent);
    for (std::size_t i = 0; i < c.size(); ++i) {
      const double rest = c.duration[i] - seconds[i];
      if (seconds[i] > 0 && rest > 0) parts[i] = elementary::log(seconds[i] / rest);
      if (seconds[i] > 0 && c.events[i] > 0)
        per_event[i] = elementary::log(seconds[i] / c.events[i]);
    }
    const SectionNumbers part(m, parts), pace(m, per_event);
    const double usual_seconds = median_of(seconds);
    std::optional<Spread> between_files;  // known where a dataset needs it
    for (const CandidateGroup& group : m.of.groups) {
      if (group.kind != Kind::dataset) continue;
      const std::size_t d = m.of.datasets.of[group.chunks.front()];
      const double usual = part.largest.without(d);
      if (part.of[d].size() < least_chunks(Kind::section) || is_absent(usual)) continue;
      const double factor =
          std::min(part.median[d] - usual, pace.median[d] - pace.largest.without(d));
      if (!(factor > elementary::log(worth_asking)) ||
          are_only_small(m, group, seconds, usual_seconds)) {
        all.push_back(not_slow(group, factor));
        all.back().kind = Kind::section;
        continue;
      }
      if (!between_files) between_files = spread_of_files(m.of, parts);
      std::vector<double> differences = part.of[d];
      for (double& x : differences) x -= usual;
      Candidate one = judged(m, group, differences, shared_by(*between_files, group.files));
      one.kind = Kind::section;
      one.section = s;
      one.log_factor = factor;
      one.core_seconds = 0;
      for (const std::uint32_t i : group.chunks) {
        if (!m.left.is_part_explained[i])
          one.core_seconds += value_or(seconds[i], 0) * (1 - elementary::exp(-one.log_factor));
      }
      all.push_back(one);
    }
  }
}

/// Log seconds per event against the quicker chunks of the same dataset, so that a dataset most of
/// which ran at a slow moment shows it; 0 in the middle of all.
std::vector<double> against_quick_chunks(const Measured& m) {
  std::vector<double> quick;
  for (std::size_t d = 0; d < m.of.datasets.size(); ++d)
    quick.push_back(quantile(sorted_present(picked(m.logs, m.of.datasets.members(d))), 0.25));
  std::vector<double> differences;
  for (std::size_t i = 0; i < m.logs.size(); ++i)
    differences.push_back(m.logs[i] - quick[m.of.datasets.of[i]]);
  const double middle = median_of(differences);
  for (double& one : differences) one = value_or(one - middle, 0);
  return differences;
}

/// Whether no file is to blame: there are several, and none that ran then has most of the excess.
bool is_no_file(const Measured& m, Members chunks, double log_factor) {
  const ChunkGroups& files = m.of.files;
  std::vector<std::uint32_t> by_file(chunks.begin(), chunks.end());
  sort_stably(by_file, [&](std::uint32_t a, std::uint32_t b) { return files.of[a] < files.of[b]; });
  const double most = most_of_a_moment * m.excess(chunks, log_factor);
  for (std::size_t first = 0, last = 0; first < by_file.size(); first = last) {
    const std::uint32_t file = files.of[by_file[first]];
    while (last < by_file.size() && files.of[by_file[last]] == file) ++last;
    const Members own = Members(by_file).subspan(first, last - first);
    const bool is_whole = own.size() == files.members(file).size();
    if (own.size() == chunks.size() || (is_whole && m.excess(own, log_factor) >= most))
      return false;
  }
  return true;
}

/// Of all stretches of the run the one with the largest excess, each chunk against its dataset's at
/// other times. It was picked among many, so its p-value is multiplied by their number.
void add_moment(const Measured& m, std::vector<Candidate>& all) {
  const std::vector<std::uint32_t>& order = chunks_by_start(m.of.run);
  const std::vector<double> by_chunk = against_quick_chunks(m);
  const double as_usual = elementary::log(worth_asking) / 2;
  // The stretch with the largest sum (J. Kadane).
  std::size_t first = 0, last = 0;
  double sum = 0, most = 0;
  for (std::size_t k = 0, begin = 0; k < order.size(); ++k) {
    sum += std::clamp(by_chunk[order[k]], -most_of_one_chunk, most_of_one_chunk) - as_usual;
    if (sum > most) most = sum, first = begin, last = k + 1;
    if (sum <= 0) sum = 0, begin = k + 1;
  }
  const CandidateGroup moment{Kind::moment, {}, Members(order).subspan(first, last - first)};
  const std::vector<double> differences = m.against_others(moment.chunks);
  if (differences.size() < outlier_least || 2 * moment.chunks.size() > order.size()) return;
  Candidate one = judged(m, moment, differences, m.file_spread);
  one.tries = 2 * static_cast<double>(order.size()) / static_cast<double>(moment.chunks.size());
  if (quantile(sorted_present(differences), 0.25) >= slow_for_all * one.log_factor &&
      is_no_file(m, moment.chunks, one.log_factor))
    all.push_back(one);
}

// The second chunks of three workers of four take so much longer: their processes still warm up.
constexpr double still_slow = 1.2;

/// The chunks that workers began with, and their second ones where those took longer on nearly all.
std::vector<bool> warm_up_of(const Run& run) {
  std::vector<bool> is_warm_up = first_of_workers(run);
  const std::vector<double>& expected = expected_durations(run);
  std::map<StringId, std::uint32_t> second;  // by worker
  for (const std::uint32_t i : chunks_by_start(run)) {
    if (i < run.chunks.worker.size() && !is_warm_up[i]) second.try_emplace(run.chunks.worker[i], i);
  }
  std::vector<double> longer;
  for (const auto& [worker, i] : second) {
    const double times = run.chunks.duration[i] / expected[i];
    if (!is_absent(times)) longer.push_back(times);
  }
  std::sort(longer.begin(), longer.end());
  if (longer.size() < 2 || !(longer[(longer.size() - 1) / 4] >= still_slow)) return is_warm_up;
  for (const auto& [worker, i] : second) is_warm_up[i] = true;
  return is_warm_up;
}

}  // namespace

SearchedChunks::SearchedChunks(const Run& of)
    : run(of),
      datasets(chunk_groups(of, ChunkKey::dataset)),
      files(chunk_groups(of, ChunkKey::file)),
      sections(section_seconds(of)),
      is_warm_up(warm_up_of(of)),
      core_seconds(moments(of.chunks.duration).sum) {
  const Chunks& c = run.chunks;
  const ChunkGroups& hosts = chunk_groups(run, ChunkKey::host);
  const ChunkGroups& sites = chunk_groups(run, ChunkKey::site);
  const std::vector<std::uint32_t>& order = chunks_by_start(run);
  std::vector<std::uint32_t> place(c.size(), 0);
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  const auto add = [&](Kind kind, std::string_view name, Members chunks) {
    const bool is_storage = kind == Kind::host || kind == Kind::site;
    groups.push_back(
        {kind, name, chunks,
         std::max(files_in(files, chunks), is_storage ? stretches_in(place, chunks) : 1)});
  };
  const auto keep = [&](Kind kind, std::string_view name, std::vector<std::uint32_t> chunks) {
    if (chunks.empty()) return;
    kept.push_back(std::move(chunks));
    add(kind, name, kept.back());
  };
  // Behind caches, whose own files say nothing of sites, sites are reported; elsewhere they are
  // hosts.
  for (const Kind kind : {Kind::host, Kind::site}) {
    const ChunkGroups& all = kind == Kind::host ? hosts : sites;
    for (std::size_t group = 0; group < all.size() && all.size() >= 2; ++group) {
      std::vector<std::uint32_t> chunks;
      for (const std::uint32_t i : all.members(group)) {
        const bool is_host = sites.name[sites.of[i]] == hosts.name[hosts.of[i]];
        if (c.file[i] != no_string && (kind == Kind::host || !is_host)) chunks.push_back(i);
      }
      keep(kind, all.name[group], std::move(chunks));
    }
  }
  using recorded_columns::Task;
  for_input = measured_of_chunks(run, Task::request_wait);
  for_cpu = measured_of_chunks(run, Task::run_delay);
  requests = measured_of_chunks(run, Task::requests);
  wall = measured_of_chunks(run, Task::wall);
  reading = measured_of_chunks(run, Task::read_wall);
  ranges = measured_of_chunks(run, Task::requested_ranges);
  range_bytes = measured_of_chunks(run, Task::requested_bytes);
  beside = measured_of_chunks(run, Task::cpu_of_process);
  const std::vector<double> own = measured_of_chunks(run, Task::cpu);
  const std::vector<double> at_once = measured_of_chunks(run, Task::at_once);
  if (own.empty() || at_once.empty()) beside.clear();
  for (std::size_t i = 0; i < beside.size(); ++i)
    beside[i] = at_once[i] == 1 ? std::max(0.0, beside[i] - own[i]) : absent;
  std::map<std::string_view, std::vector<std::uint32_t>> by_address;
  const std::vector<StringId>& addresses = run.chunks.worker;
  for (std::uint32_t i = 0; i < addresses.size(); ++i) {
    const bool is_known = addresses[i] != no_string;
    worker.push_back(is_known ? run.workers.find(addresses[i]) : run.workers.size());
    if (is_known) by_address[run.text(addresses[i])].push_back(i);
  }
  for (auto& [address, chunks] : by_address) keep(Kind::worker, address, std::move(chunks));
  std::vector<double> length(files.size(), 0);
  for (std::uint32_t i = 0; i < c.size(); ++i)
    length[files.of[i]] = std::fmax(length[files.of[i]], c.entry_stop[i]);
  for (const bool is_second : {false, true}) {
    std::vector<std::uint32_t> chunks;
    for (std::uint32_t i = 0; i < c.size(); ++i) {
      const double middle = c.entry_start[i] + c.entry_stop[i], end = length[files.of[i]];
      // Of a file in one chunk neither.
      if (is_second ? middle > end : middle < end) chunks.push_back(i);
    }
    keep(Kind::half, is_second ? "second" : "first", std::move(chunks));
  }
  for (std::size_t d = 0; d < datasets.size(); ++d) {
    add(Kind::dataset, datasets.name[d], datasets.members(d));
    files_of.push_back(groups.back().files);
  }
  for (std::size_t file = 0; file < files.size(); ++file) {
    if (!files.name[file].empty()) add(Kind::file, files.name[file], files.members(file));
  }
}

std::vector<Candidate> find_candidates(const SearchedChunks& searched, const Unexplained& left) {
  const Measured measured(searched, left, left.seconds, searched.run.chunks.events);
  std::vector<Candidate> all;
  for (const CandidateGroup& group : searched.groups) {
    if (group.kind == Kind::host || group.kind == Kind::site || group.kind == Kind::file)
      add_storage(measured, group, all);
    if (group.kind == Kind::half) add_half(measured, group, all);
  }
  add_workers(measured, all);
  if (!searched.for_input.empty() && !searched.requests.empty())
    add_waits(measured, Measured(searched, left, searched.for_input, searched.requests),
              searched.for_input, all);
  add_datasets(measured, all);
  add_sections(measured, all);
  add_moment(measured, all);
  return all;
}

}  // namespace crema::diagnose
