#include "core/diagnose/slow_places.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/model/worker_clocks.hpp"
#include "core/model/worker_selection.hpp"
#include "core/runtime/chunks/chunk_columns.hpp"
#include "core/runtime/chunks/chunk_groups.hpp"
#include "core/runtime/chunks/report_counts.hpp"
#include "core/runtime/cluster/cores.hpp"
#include "core/runtime/cluster/sampling.hpp"
#include "core/stats/discoveries.hpp"
#include "core/stats/p_value.hpp"
#include "core/stats/robust.hpp"

namespace crema::diagnose {

using namespace stats;
using namespace runtime;

namespace {

using PlaceKind = SlowPlace::Kind;
using Members = std::span<const std::uint32_t>;

// From which factor on a place is told. Workers and hosts run chunks of all moments and files, so
// little beside themselves can make them differ. Files and datasets run at moments of their own,
// and machines shared with others drift: files of healthy runs on one two-core virtual machine were
// up to 1.3 times slower than their dataset's others. Sections of a dataset are held against
// sections of the same moments, but may be meant to differ.
constexpr double least_factor(PlaceKind kind) {
  return kind == PlaceKind::host || kind == PlaceKind::site      ? 1.2
         : kind == PlaceKind::worker                             ? 1.25
         : kind == PlaceKind::file || kind == PlaceKind::section ? 1.35
                                                                 : 1.5;
}

// What a place must cost, as a share of the time in process(): a fiftieth is worth a line; of what
// may be meant so, and of moments, which may never come again, a twentieth.
constexpr double least_cost(PlaceKind kind) {
  const bool may_be_so = kind == PlaceKind::dataset || kind == PlaceKind::section;
  return may_be_so || kind == PlaceKind::moment ? 0.05 : 0.02;
}

// Chunks that can agree. A host's files may differ for reasons of their own.
constexpr std::size_t least_chunks(PlaceKind kind) {
  return kind == PlaceKind::file || kind == PlaceKind::section ? 3 : outlier_least;
}

// A file or a worker differs from its like by so much [natural log] though nothing is wrong, where
// too few of them are there to tell.
constexpr double assumed_spread = 0.1;
constexpr std::size_t enough_to_tell = 8;
constexpr double least_spread = 0.01;  // however alike they look

// So many chunks in a row tell the machine's pace of a moment.
constexpr std::size_t chunks_of_a_moment = 5;

// A section that has this much of what a dataset takes too long is what is slow in it.
constexpr double most_of_it = 2.0 / 3;

// Chunks wait where the CPU is busy for less than this part of what it is elsewhere; those that are
// a little slower where it is a little less busy.
constexpr double waiting_part = 0.7;
constexpr double most_waiting_part = 0.85;

// A file whose chunks compute is told from here on: files differ in what is in their events.
constexpr double least_computing_file = 1.5;

// A moment is slow for all: three quarters of its chunks by half of what it is by the median, and
// no file that ran as a whole then has three quarters of what is too long.
constexpr double most_of_a_moment = 0.75;
constexpr double slow_for_all = 0.5;
// So many more cores than at other times are another size of the cluster.
constexpr double more_cores = 1.25;
// One chunk tells no more of a moment than this [natural log], however long it took.
constexpr double most_of_one_chunk = 1;

// Two places that cost this much alike are one.
constexpr double about_the_same = 0.95;

constexpr std::size_t most_places = 8;
constexpr std::size_t enough_chunks_of_a_run = 30;

// Of a group this small a part of its dataset, the dataset's median is that of the others.
constexpr double small_part = 0.1;

/// Of values of which more than half are one, none: the others are what is looked for.
double spread_beside_outliers(const std::vector<double>& residuals) {
  std::vector<double> sizes;
  for (const double r : residuals) sizes.push_back(std::fabs(r));
  return median_of(std::move(sizes)) > 0 ? robust_spread(residuals) : 0;
}

/// The CPU per thread of the workers while chunks ran, weighed by their durations.
class PlaceCpu {
 public:
  PlaceCpu(const Run& run, const std::vector<std::size_t>& workers)
      : run_(run), workers_(workers), interval_(sampling_interval(run)) {}

  // noinline, as others here: browsers translate a function as a whole, and well where it runs long
  [[gnu::noinline]] double of(const std::vector<bool>& chosen, bool which) const {
    const Chunks& c = run_.chunks;
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (chosen[i] != which || is_absent(c.t_start[i]) || is_absent(c.t_end[i])) continue;
      const double share = during(i);
      if (is_absent(share)) continue;
      sum += share * c.duration[i];
      weight += c.duration[i];
    }
    return ratio(sum, weight);
  }

 private:
  // A tick tells of the moments before it.
  double during(std::size_t chunk) const {
    const Chunks& c = run_.chunks;
    if (is_absent(interval_)) return absent;
    const TickRange ticks = ticks_within(run_, c.t_start[chunk], c.t_end[chunk] + interval_);
    double sum = 0, count = 0;
    for (std::size_t w = 0; w < run_.workers.size(); ++w) {
      if (!workers_.empty() && workers_[chunk] != w) continue;
      for (std::size_t tick = ticks.begin; tick < ticks.end; ++tick) {
        const double share =
            ratio(run_.workers.of(Series::cpu, w).at(tick), nthreads_at(run_, w, tick));
        if (is_absent(share)) continue;
        sum += share;
        count += 1;
      }
    }
    return ratio(sum, count);
  }

  const Run& run_;
  const std::vector<std::size_t>& workers_;
  double interval_;
};

/// A group of chunks that may be a slow place.
struct PlaceCandidate {
  PlaceKind kind;
  std::size_t group;          // in the groups of its kind; of a section its dataset
  std::size_t section = 0;    // of a section
  std::size_t end = 0;        // of a moment, which is [group, end) of the chunks by start
  bool stands_alone = false;  // a host that shares no dataset with another
  double log_factor = absent;
  double error = absent;
  double freedom = 1;
  double tries = 1;  // that chance had
  double core_seconds = 0;
};

class PlaceSearch {
 public:
  explicit PlaceSearch(const Run& run)
      : run_(run),
        c_(run.chunks),
        datasets_(chunk_groups(run, ChunkKey::dataset)),
        files_(chunk_groups(run, ChunkKey::file)),
        left_(run.chunks.duration),
        told_(run.chunks.size(), false) {
    for (SectionColumn& column : section_columns(run)) {
      const std::string_view prefix = section_prefix(SectionValue::Kind::seconds);
      if (!column.name.starts_with(prefix)) continue;
      column.name.erase(0, prefix.size());
      sections_.push_back(std::move(column));
    }
    group_workers();
    total_ = moments(c_.duration).sum;
  }

  std::vector<SlowPlace> places() {
    std::vector<SlowPlace> found;
    while (found.size() < most_places) {
      measure();
      std::vector<PlaceCandidate> all = candidates();
      std::vector<double> chances;
      chances.reserve(all.size());
      for (const PlaceCandidate& one : all)
        chances.push_back(
            std::min(1.0, one.tries * stats::p_value(one.log_factor / one.error, one.freedom)));
      const std::vector<bool> is_found = discoveries(chances);
      std::optional<SlowPlace> best;
      std::vector<std::size_t> order;
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (is_found[k] && is_enough(all[k])) order.push_back(k);
      }
      largest_first(order, all);
      PlaceCandidate which{};
      for (const std::size_t k : order) {
        which = narrowed(all[k], all, order);
        best = place_of(which);
        if (best) break;
      }
      if (!best) break;
      for (std::size_t i = 0; i < c_.size(); ++i) {
        if (best->saved[i] > 0) left_[i] -= best->saved[i], told_[i] = true;
      }
      told_places_.push_back(which);
      found.push_back(std::move(*best));
    }
    sort_stably(found, [](const SlowPlace& a, const SlowPlace& b) {
      return a.core_seconds > b.core_seconds;
    });
    return found;
  }

 private:
  // Most core-time first; of places that cost about the same the larger one, which kinds begin
  // with.
  static void largest_first(std::vector<std::size_t>& order,
                            const std::vector<PlaceCandidate>& all) {
    double most = 0;
    for (const std::size_t k : order) most = std::max(most, all[k].core_seconds);
    sort_stably(order, [&](std::size_t a, std::size_t b) {
      const bool of_most_a = all[a].core_seconds >= about_the_same * most;
      const bool of_most_b = all[b].core_seconds >= about_the_same * most;
      if (of_most_a != of_most_b) return of_most_a;
      return of_most_a ? all[a].kind < all[b].kind : all[a].core_seconds > all[b].core_seconds;
    });
  }

  void group_workers() {
    const std::vector<StringId> addresses = workers_of_chunks(run_);
    if (addresses.empty()) return;
    std::map<std::string_view, std::vector<std::uint32_t>> by_address;
    for (std::uint32_t i = 0; i < addresses.size(); ++i) {
      chunk_worker_.push_back(addresses[i] == no_string ? run_.workers.size()
                                                        : run_.workers.find(addresses[i]));
      if (addresses[i] != no_string) by_address[run_.text(addresses[i])].push_back(i);
    }
    for (auto& [address, chunks] : by_address) {
      worker_names_.emplace_back(address);
      worker_chunks_.push_back(std::move(chunks));
    }
  }

  // What a round looks at: log seconds per event, and the medians they are held against.
  void measure() {
    logs_.assign(c_.size(), absent);
    for (std::size_t i = 0; i < c_.size(); ++i) {
      const double per_event = left_[i] / c_.events[i];
      if (per_event > 0 && std::isfinite(per_event)) logs_[i] = elementary::log(per_event);
    }
    usual_.clear();
    for (std::size_t d = 0; d < datasets_.size(); ++d)
      usual_.push_back(median_of(values(datasets_.members(d))));
    measure_files();
  }

  void measure_files() {
    of_file_.assign(files_.size(), absent);
    dataset_of_file_.assign(files_.size(), 0);
    file_medians_.assign(datasets_.size(), {});
    for (std::size_t file = 0; file < files_.size(); ++file) {
      const Members members = files_.members(file);
      if (files_.name[file].empty()) continue;
      dataset_of_file_[file] = datasets_.of[members.front()];
      of_file_[file] = median_of(values(members));
      if (!is_absent(of_file_[file]))
        file_medians_[dataset_of_file_[file]].push_back(of_file_[file]);
    }
    std::vector<double> residuals;
    for (std::vector<double>& medians : file_medians_) {
      medians = sorted_present(medians);
      if (medians.size() < 2) continue;
      const double middle = quantile(medians, 0.5);
      for (const double one : medians) residuals.push_back(one - middle);
    }
    const std::vector<double> moments_apart = block_medians();
    const bool knows_files = residuals.size() >= enough_to_tell;
    const bool knows_moments = moments_apart.size() >= enough_to_tell;
    file_spread_ =
        std::max({least_spread, knows_files ? spread_beside_outliers(residuals) : 0,
                  knows_moments ? spread_beside_outliers(moments_apart) : assumed_spread});
    file_freedom_ = knows_moments ? static_cast<double>(moments_apart.size() - 1)
                                  : std::numeric_limits<double>::infinity();
  }

  // The machine's pace in the course of the run: chunks against their dataset, a few together.
  std::vector<double> block_medians() const {
    std::vector<double> medians, block;
    for (const std::uint32_t i : chunks_by_start(run_)) {
      const double difference = logs_[i] - usual_[datasets_.of[i]];
      if (is_absent(difference)) continue;
      block.push_back(difference);
      if (block.size() < chunks_of_a_moment) continue;
      medians.push_back(median_of(block));
      block.clear();
    }
    return medians;
  }

  [[gnu::noinline]] std::vector<double> values(Members members) const {
    std::vector<double> picked;
    for (const std::uint32_t i : members) {
      if (!is_absent(logs_[i])) picked.push_back(logs_[i]);
    }
    return picked;
  }

  static double error_of(const std::vector<double>& differences, double median) {
    std::vector<double> residuals = differences;
    for (double& x : residuals) x -= median;
    return spread_beside_outliers(residuals) *
           std::sqrt(of_a_median / static_cast<double>(residuals.size()));
  }

  // `lasting`: by how much the place would differ by its moment alone.
  PlaceCandidate judged(PlaceKind kind, std::size_t group, const std::vector<double>& differences,
                        double lasting, double freedom) const {
    PlaceCandidate one{kind, group};
    one.log_factor = median_of(differences);
    one.error = elementary::hypot(error_of(differences, one.log_factor), lasting);
    one.freedom = freedom;
    return one;
  }

  std::vector<PlaceCandidate> candidates() const {
    std::vector<PlaceCandidate> all;
    add_storage(PlaceKind::host, all);
    add_storage(PlaceKind::site, all);
    add_workers(all);
    add_datasets(all);
    add_sections(all);
    add_files(all);
    add_moment(all);
    return all;
  }

  double cost(Members members, double log_factor) const {
    double sum = 0;
    for (const std::uint32_t i : members) sum += value_or(left_[i], 0);
    return sum * (1 - elementary::exp(-log_factor));
  }

  double files_in(Members members) const {
    std::vector<std::uint32_t> seen;
    for (const std::uint32_t i : members) seen.push_back(files_.of[i]);
    std::sort(seen.begin(), seen.end());
    return static_cast<double>(std::unique(seen.begin(), seen.end()) - seen.begin());
  }

  /// Each chunk of a group against the median of its dataset's chunks outside the group.
  [[gnu::noinline]] std::vector<double> against_own_datasets(Members members) const {
    std::vector<bool> own(c_.size(), false);
    std::map<std::uint32_t, std::size_t> many;
    for (const std::uint32_t i : members) own[i] = true, ++many[datasets_.of[i]];
    std::map<std::uint32_t, double> outside;
    for (const auto& [dataset, count] : many) {
      const Members all = datasets_.members(dataset);
      outside[dataset] = usual_[dataset];
      if (static_cast<double>(count) < small_part * static_cast<double>(all.size())) continue;
      std::vector<double> others;
      for (const std::uint32_t i : all) {
        if (!own[i] && !is_absent(logs_[i])) others.push_back(logs_[i]);
      }
      outside[dataset] = others.size() < least_chunks(PlaceKind::file) ? absent : median_of(others);
    }
    std::vector<double> differences;
    for (const std::uint32_t i : members) {
      const double difference = logs_[i] - outside[datasets_.of[i]];
      if (!is_absent(difference)) differences.push_back(difference);
    }
    return differences;
  }

  const ChunkGroups& storage(PlaceKind kind) const {
    return chunk_groups(run_, kind == PlaceKind::host ? ChunkKey::host : ChunkKey::site);
  }

  /// Behind caches, whose own files say nothing of sites, sites are told; elsewhere they are hosts.
  bool is_storage(PlaceKind kind, std::uint32_t chunk) const {
    if (c_.file[chunk] == no_string) return false;
    if (kind == PlaceKind::host) return true;
    const ChunkGroups& hosts = storage(PlaceKind::host);
    const ChunkGroups& sites = storage(PlaceKind::site);
    return sites.name[sites.of[chunk]] != hosts.name[hosts.of[chunk]];
  }

  void add_storage(PlaceKind kind, std::vector<PlaceCandidate>& all) const {
    const ChunkGroups& groups = storage(kind);
    if (groups.size() < 2) return;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      std::vector<std::uint32_t> members;
      for (const std::uint32_t i : groups.members(group)) {
        if (is_storage(kind, i)) members.push_back(i);
      }
      const double lasting = file_spread_ / std::sqrt(std::max(1.0, files_in(members)));
      std::vector<double> differences = against_own_datasets(members);
      const bool stands_alone =
          differences.size() < least_chunks(PlaceKind::file) && kind == PlaceKind::host;
      if (stands_alone) differences = against_the_rest(members);
      else if (differences.size() < least_chunks(kind)) continue;
      if (differences.size() < least_chunks(PlaceKind::dataset)) continue;
      PlaceCandidate one = judged(kind, group, differences, lasting, file_freedom_);
      one.stands_alone = stands_alone;
      one.core_seconds = cost(members, one.log_factor);
      all.push_back(one);
    }
  }

  std::vector<double> against_the_rest(Members members) const {
    std::vector<bool> own(c_.size(), false);
    for (const std::uint32_t i : members) own[i] = true;
    std::vector<double> others;
    for (std::size_t i = 0; i < c_.size(); ++i) {
      if (!own[i] && !is_absent(logs_[i])) others.push_back(logs_[i]);
    }
    const double usual =
        others.size() < least_chunks(PlaceKind::dataset) ? absent : median_of(others);
    std::vector<double> differences;
    for (const std::uint32_t i : members) {
      if (!is_absent(logs_[i] - usual)) differences.push_back(logs_[i] - usual);
    }
    return differences;
  }

  void add_workers(std::vector<PlaceCandidate>& all) const {
    std::vector<std::vector<double>> differences;
    std::vector<double> medians;
    for (const std::vector<std::uint32_t>& chunks : worker_chunks_) {
      differences.push_back(against_own_datasets(chunks));
      if (differences.back().size() >= least_chunks(PlaceKind::worker))
        medians.push_back(median_of(differences.back()));
    }
    const bool knows = medians.size() >= enough_to_tell;
    const double middle = median_of(medians);
    for (double& one : medians) one -= middle;
    const double spread =
        knows ? std::max(least_spread, spread_beside_outliers(medians)) : assumed_spread;
    const double freedom =
        knows ? static_cast<double>(medians.size() - 1) : std::numeric_limits<double>::infinity();
    for (std::size_t w = 0; w < worker_chunks_.size(); ++w) {
      if (worker_chunks_.size() < 2 || differences[w].size() < least_chunks(PlaceKind::worker))
        continue;
      PlaceCandidate one = judged(PlaceKind::worker, w, differences[w], spread, freedom);
      one.core_seconds = cost(worker_chunks_[w], one.log_factor);
      all.push_back(one);
    }
  }

  void add_datasets(std::vector<PlaceCandidate>& all) const {
    for (std::size_t d = 0; d < datasets_.size(); ++d) {
      const Members members = datasets_.members(d);
      std::vector<double> differences = values(members);
      double usual = absent;  // of the slowest other one
      for (std::size_t o = 0; o < datasets_.size(); ++o) {
        if (o != d && datasets_.members(o).size() >= least_chunks(PlaceKind::dataset) &&
            !(usual >= usual_[o]))
          usual = usual_[o];
      }
      if (differences.size() < least_chunks(PlaceKind::dataset) || is_absent(usual)) continue;
      for (double& x : differences) x -= usual;
      const double lasting = file_spread_ / std::sqrt(std::max(1.0, files_in(members)));
      PlaceCandidate one = judged(PlaceKind::dataset, d, differences, lasting, file_freedom_);
      one.core_seconds = cost(members, one.log_factor);
      all.push_back(one);
    }
  }

  /// A section's numbers by dataset, without chunks of places that are told.
  std::vector<std::vector<double>> by_dataset(const std::vector<double>& numbers) const {
    std::vector<std::vector<double>> lists;
    for (std::size_t d = 0; d < datasets_.size(); ++d) {
      std::vector<double> present;
      for (const std::uint32_t i : datasets_.members(d)) {
        if (!told_[i] && !is_absent(numbers[i])) present.push_back(numbers[i]);
      }
      lists.push_back(std::move(present));
    }
    return lists;
  }

  /// The largest median of the other datasets: data and simulation differ, and are meant to.
  static double most_of_others(const std::vector<std::vector<double>>& lists, std::size_t own) {
    double most = absent;
    for (std::size_t o = 0; o < lists.size(); ++o) {
      if (o == own || lists[o].size() < least_chunks(PlaceKind::section)) continue;
      const double median = median_of(lists[o]);
      if (!(most >= median)) most = median;
    }
    return most;
  }

  // A section against the others of the same chunks, where the machine's pace is in both; and per
  // event, so that a section is not slow because others are left out.
  [[gnu::noinline]] void add_sections(std::vector<PlaceCandidate>& all) const {
    if (datasets_.size() < 2) return;
    for (std::size_t s = 0; s < sections_.size(); ++s) {
      std::vector<double> parts(c_.size(), absent), per_event(c_.size(), absent);
      for (std::size_t i = 0; i < c_.size(); ++i) {
        const double own = sections_[s].values[i];
        const double rest = c_.duration[i] - own;
        if (own > 0 && rest > 0) parts[i] = elementary::log(own / rest);
        if (own > 0 && c_.events[i] > 0) per_event[i] = elementary::log(own / c_.events[i]);
      }
      const auto parts_of = by_dataset(parts);
      const auto per_event_of = by_dataset(per_event);
      for (std::size_t d = 0; d < datasets_.size(); ++d) {
        const double usual = most_of_others(parts_of, d);
        if (parts_of[d].size() < outlier_least || is_absent(usual)) continue;
        std::vector<double> differences = parts_of[d];
        for (double& x : differences) x -= usual;
        const Members members = datasets_.members(d);
        const double lasting = assumed_spread / std::sqrt(std::max(1.0, files_in(members)));
        PlaceCandidate one = judged(PlaceKind::section, d, differences, lasting,
                                    std::numeric_limits<double>::infinity());
        one.section = s;
        one.log_factor =
            std::min(one.log_factor, median_of(per_event_of[d]) - most_of_others(per_event_of, d));
        for (const std::uint32_t i : members) {
          if (!told_[i])
            one.core_seconds +=
                value_or(sections_[s].values[i], 0) * (1 - elementary::exp(-one.log_factor));
        }
        all.push_back(one);
      }
    }
  }

  void add_files(std::vector<PlaceCandidate>& all) const {
    for (std::size_t file = 0; file < files_.size(); ++file) {
      const Members members = files_.members(file);
      const std::vector<double> own = values(members);
      const std::vector<double>& medians = file_medians_[dataset_of_file_[file]];
      if (own.size() < least_chunks(PlaceKind::file) || medians.size() < 2 ||
          is_absent(of_file_[file]))
        continue;
      // Of the other files the median of their medians.
      const std::size_t rank = static_cast<std::size_t>(
          std::lower_bound(medians.begin(), medians.end(), of_file_[file]) - medians.begin());
      const auto other = [&](std::size_t k) { return medians[k < rank ? k : k + 1]; };
      const std::size_t n = medians.size() - 1;
      const double usual = (other((n - 1) / 2) + other(n / 2)) / 2;
      std::vector<double> differences = own;
      for (double& x : differences) x -= usual;
      PlaceCandidate one = judged(PlaceKind::file, file, differences, file_spread_, file_freedom_);
      one.core_seconds = cost(members, one.log_factor);
      all.push_back(one);
    }
  }

  /// Log seconds per event against the quicker chunks of the same dataset, so that a dataset most
  /// of which ran at a slow moment shows it; 0 in the middle of all.
  std::vector<double> against_quick_chunks() const {
    std::vector<double> quick;
    for (std::size_t d = 0; d < datasets_.size(); ++d)
      quick.push_back(quantile(sorted_present(values(datasets_.members(d))), 0.25));
    std::vector<double> differences;
    for (std::size_t i = 0; i < c_.size(); ++i)
      differences.push_back(logs_[i] - quick[datasets_.of[i]]);
    const double middle = median_of(differences);
    for (double& one : differences) one = value_or(one - middle, 0);
    return differences;
  }

  /// Whether no file is to blame: there are several, and none that ran as a whole then has most of
  /// what is too long.
  bool is_no_file(Members members, double log_factor) const {
    std::vector<std::uint32_t> by_file(members.begin(), members.end());
    sort_stably(by_file,
                [&](std::uint32_t a, std::uint32_t b) { return files_.of[a] < files_.of[b]; });
    const double most = most_of_a_moment * cost(members, log_factor);
    for (std::size_t first = 0, last = 0; first < by_file.size(); first = last) {
      const std::uint32_t file = files_.of[by_file[first]];
      while (last < by_file.size() && files_.of[by_file[last]] == file) ++last;
      const Members own = Members(by_file).subspan(first, last - first);
      const bool is_whole = own.size() == files_.members(file).size();
      if (own.size() == members.size() || (is_whole && cost(own, log_factor) >= most)) return false;
    }
    return true;
  }

  /// Of all stretches of the run the one whose chunks are most too long, each against its dataset's
  /// at other times. It was picked among many: chance had as many tries.
  void add_moment(std::vector<PlaceCandidate>& all) const {
    const std::vector<std::uint32_t>& order = chunks_by_start(run_);
    const std::vector<double> by_chunk = against_quick_chunks();
    const double as_usual = elementary::log(least_factor(PlaceKind::moment)) / 2;
    // The stretch with the largest sum (J. Kadane).
    std::size_t first = 0, last = 0;
    double sum = 0, most = 0;
    for (std::size_t k = 0, begin = 0; k < order.size(); ++k) {
      sum += std::clamp(by_chunk[order[k]], -most_of_one_chunk, most_of_one_chunk) - as_usual;
      if (sum > most) most = sum, first = begin, last = k + 1;
      if (sum <= 0) sum = 0, begin = k + 1;
    }
    const Members members = Members(order).subspan(first, last - first);
    const std::vector<double> differences = against_own_datasets(members);
    if (differences.size() < outlier_least || 2 * members.size() > order.size()) return;
    PlaceCandidate one = judged(PlaceKind::moment, first, differences, file_spread_, file_freedom_);
    one.end = last;
    one.tries = 2 * static_cast<double>(order.size()) / static_cast<double>(members.size());
    one.core_seconds = cost(members, one.log_factor);
    if (quantile(sorted_present(differences), 0.25) >= slow_for_all * one.log_factor &&
        is_no_file(members, one.log_factor))
      all.push_back(one);
  }

  // A dataset and its sections are told once, like any other place.
  bool is_told(const PlaceCandidate& one) const {
    const auto group = [](const PlaceCandidate& c) {
      return std::pair(c.kind == PlaceKind::section ? PlaceKind::dataset : c.kind, c.group);
    };
    return std::any_of(told_places_.begin(), told_places_.end(),
                       [&](const PlaceCandidate& t) { return group(t) == group(one); });
  }

  bool is_enough(const PlaceCandidate& one) const {
    return !is_told(one) && one.log_factor >= elementary::log(least_factor(one.kind)) &&
           one.core_seconds >= least_cost(one.kind) * total_;
  }

  /// Of a slow dataset its section, where that has most of it.
  static PlaceCandidate narrowed(const PlaceCandidate& one, const std::vector<PlaceCandidate>& all,
                                 const std::vector<std::size_t>& order) {
    if (one.kind != PlaceKind::dataset) return one;
    for (const std::size_t k : order) {
      if (all[k].kind == PlaceKind::section && all[k].group == one.group &&
          all[k].core_seconds >= most_of_it * one.core_seconds)
        return all[k];
    }
    return one;
  }

  std::vector<std::uint32_t> members_of(const PlaceCandidate& one) const {
    const auto list = [](Members members) {
      return std::vector<std::uint32_t>(members.begin(), members.end());
    };
    switch (one.kind) {
      case PlaceKind::file: return list(files_.members(one.group));
      case PlaceKind::worker: return worker_chunks_[one.group];
      case PlaceKind::moment: {
        const std::vector<std::uint32_t> order = chunks_by_start(run_);
        return list(Members(order).subspan(one.group, one.end - one.group));
      }
      case PlaceKind::dataset:
      case PlaceKind::section: return list(datasets_.members(one.group));
      case PlaceKind::host:
      case PlaceKind::site: break;
    }
    std::vector<std::uint32_t> members;
    for (const std::uint32_t i : storage(one.kind).members(one.group)) {
      if (is_storage(one.kind, i)) members.push_back(i);
    }
    return members;
  }

  /// The place, unless it cannot be told: a host that alone serves its datasets is to blame only
  /// where its chunks wait.
  std::optional<SlowPlace> place_of(const PlaceCandidate& one) const {
    const std::vector<std::uint32_t> members = members_of(one);
    SlowPlace place;
    place.kind = one.kind;
    place.slower = elementary::exp(one.log_factor);
    place.core_seconds = one.core_seconds;
    place.saved.assign(c_.size(), 0);
    place.chunks = members.size();
    std::vector<bool> is_member(c_.size(), false);
    for (const std::uint32_t i : members) {
      is_member[i] = true;
      const bool in_section = one.kind == PlaceKind::section;
      if (in_section && told_[i]) continue;
      const double whole = in_section ? sections_[one.section].values[i] : left_[i];
      place.saved[i] = value_or(whole, 0) * (1 - 1 / place.slower);
    }
    const PlaceCpu busy(run_, chunk_worker_);
    place.busy = busy.of(is_member, true);
    place.busy_elsewhere = busy.of(is_member, false);
    const bool must_wait = one.kind == PlaceKind::file && place.slower < least_computing_file;
    if (must_wait && !place.waits()) return std::nullopt;
    // Its dataset may be a heavy one: here a little less CPU is not enough.
    if (one.stands_alone && !(place.busy <= waiting_part * place.busy_elsewhere))
      return std::nullopt;
    name(place, one, members);
    return place;
  }

  void name(SlowPlace& place, const PlaceCandidate& one,
            const std::vector<std::uint32_t>& members) const {
    const std::string dataset(datasets_.name[datasets_.of[members.front()]]);
    switch (one.kind) {
      case PlaceKind::host:
      case PlaceKind::site:
        place.name = storage(one.kind).name[one.group];
        if (one.stands_alone && std::all_of(members.begin(), members.end(), [&](std::uint32_t i) {
              return datasets_.of[i] == datasets_.of[members.front()];
            }))
          place.dataset = dataset;
        break;
      case PlaceKind::worker: place.name = worker_names_[one.group]; break;
      case PlaceKind::moment:
        for (const std::uint32_t i : members) {
          if (!(place.begin <= c_.t_start[i])) place.begin = c_.t_start[i];
          if (!(place.end >= c_.t_end[i])) place.end = c_.t_end[i];
        }
        count_cores(place);
        break;
      case PlaceKind::dataset: place.name = dataset; break;
      case PlaceKind::section:
        place.name = sections_[one.section].name;
        place.dataset = dataset;
        break;
      case PlaceKind::file:
        place.name = files_.name[one.group];
        place.dataset = dataset;
        break;
    }
    place.section = one.kind == PlaceKind::section ? place.name : slowest_section(place, members);
  }

  void count_cores(SlowPlace& moment) const {
    const Steps steps = core_steps(run_, WorkerSelection(run_, {}));
    const std::vector<std::uint32_t>& order = chunks_by_start(run_);
    if (steps.empty() || order.empty()) return;
    const double begin = c_.t_start[order.front()];
    const double end = run_.window().end;
    const double lasting = moment.end - moment.begin;
    moment.cores = steps.mean(moment.begin, moment.end);
    moment.cores_elsewhere = ratio(steps.mean(begin, end) * (end - begin) - moment.cores * lasting,
                                   end - begin - lasting);
  }

  // Each section against its usual part of a chunk that takes as long as its like.
  std::string slowest_section(const SlowPlace& place,
                              const std::vector<std::uint32_t>& members) const {
    std::vector<bool> own(c_.size(), false);
    for (const std::uint32_t i : members) own[i] = true;
    std::string slowest;
    double most = 0;
    for (const SectionColumn& section : sections_) {
      std::vector<double> parts;
      for (std::size_t i = 0; i < c_.size(); ++i) {
        if (!own[i] && c_.duration[i] > 0 && !is_absent(section.values[i]))
          parts.push_back(section.values[i] / c_.duration[i]);
      }
      const double usual = value_or(median_of(parts), 0);
      double excess = 0;
      for (const std::uint32_t i : members)
        excess += value_or(section.values[i] - usual * (c_.duration[i] - place.saved[i]), 0);
      if (excess > most) most = excess, slowest = section.name;
    }
    return most > place.core_seconds / 2 ? slowest : "";
  }

  const Run& run_;
  const Chunks& c_;
  const ChunkGroups& datasets_;
  const ChunkGroups& files_;
  std::vector<double> left_;  // [s] what no place explains yet, by chunk
  std::vector<bool> told_;    // by chunk: a place was told that it is of
  std::vector<PlaceCandidate> told_places_;
  double total_ = 0;
  std::vector<SectionColumn> sections_;
  std::vector<std::string> worker_names_;  // by address
  std::vector<std::vector<std::uint32_t>> worker_chunks_;
  std::vector<std::size_t> chunk_worker_;  // in the run's workers; empty where none is known

  // of a round
  std::vector<double> logs_;   // by chunk
  std::vector<double> usual_;  // by dataset
  std::vector<double> of_file_;
  std::vector<std::uint32_t> dataset_of_file_;
  std::vector<std::vector<double>> file_medians_;  // by dataset, ascending
  double file_spread_ = assumed_spread;
  double file_freedom_ = 1;
};

}  // namespace

bool SlowPlace::is_crowded() const { return cores >= more_cores * cores_elsewhere; }

bool SlowPlace::waits() const {
  // Were all that is too long waiting, the CPU would be busy for 1 / slower of what is usual; half
  // of it is most.
  const double part = std::clamp((1 + 1 / slower) / 2, waiting_part, most_waiting_part);
  return busy <= part * busy_elsewhere;
}

const std::vector<SlowPlace>& slow_places(const Run& run) {
  return run.memo.index<std::vector<SlowPlace>>("slow places", [&]() -> std::vector<SlowPlace> {
    if (run.chunks.size() < enough_chunks_of_a_run || chunk_list_is_cut(run)) return {};
    return PlaceSearch(run).places();
  });
}

std::vector<double> beside_slow_places(const Run& run) {
  std::vector<double> left = run.chunks.duration;
  for (const SlowPlace& place : slow_places(run)) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= place.saved[i];
  }
  return left;
}

}  // namespace crema::diagnose
