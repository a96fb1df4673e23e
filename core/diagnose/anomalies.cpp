// Rounds of the search: the largest anomaly beyond chance is taken out before the next round.
#include "core/diagnose/diagnose.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/diagnose/anomaly_search.hpp"
#include "core/diagnose/rules.hpp"
#include "core/model/worker_selection.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/stats/p_value.hpp"

namespace crema::diagnose {

using namespace stats;
using namespace runtime;

namespace {

using Kind = Anomaly::Kind;

// A section that has this much of a dataset's excess is what is slow in it.
constexpr double most_of_it = 2.0 / 3;

// So many more cores than at other times are another size of the cluster.
constexpr double more_cores = 1.25;

// Two anomalies that cost this much alike are one.
constexpr double about_the_same = 0.95;

constexpr std::size_t most_anomalies = 8;

using recorded_columns::Task;

/// The share of each chunk's time on a CPU: of its own thread where its row tells, else per thread
/// of its worker while it ran, of all workers where it is not known; else absent.
std::vector<double> cpu_of_chunks(const SearchedChunks& searched) {
  const Run& run = searched.run;
  const Chunks& c = run.chunks;
  const std::vector<double> on_cpu = measured_of_chunks(run, Task::process_cpu);
  const std::vector<double> all = measured_of_chunks(run, Task::process_wall);
  std::vector<double> measured(c.size(), absent);
  for (std::size_t i = 0; i < c.size() && !on_cpu.empty() && !all.empty(); ++i)
    measured[i] = on_cpu[i] / all[i];
  if (!std::all_of(measured.begin(), measured.end(), is_absent)) return measured;
  const auto share_at = [&](std::size_t worker, std::size_t tick) {
    return ratio(run.workers.of(Series::cpu, worker).at(tick), nthreads_at(run, worker, tick));
  };
  // Of all workers, up to each tick: a chunk takes two look-ups, however many workers there are.
  std::vector<double> sums(run.ticks.size() + 1, 0), counts(run.ticks.size() + 1, 0);
  for (std::size_t tick = 0; tick < run.ticks.size() && searched.worker.empty(); ++tick) {
    sums[tick + 1] = sums[tick];
    counts[tick + 1] = counts[tick];
    for (std::size_t w = 0; w < run.workers.size(); ++w) {
      const double share = share_at(w, tick);
      if (is_absent(share)) continue;
      sums[tick + 1] += share;
      counts[tick + 1] += 1;
    }
  }
  std::vector<double> cpu(c.size(), absent);
  const double interval = sampling_interval(run);
  for (std::size_t i = 0; i < c.size() && !is_absent(interval); ++i) {
    if (is_absent(c.t_start[i]) || is_absent(c.t_end[i])) continue;
    // A tick describes the moments before it.
    const TickRange ticks = ticks_within(run, c.t_start[i], c.t_end[i] + interval);
    double sum = sums[ticks.end] - sums[ticks.begin];
    double count = counts[ticks.end] - counts[ticks.begin];
    const bool is_known = !searched.worker.empty() && searched.worker[i] < run.workers.size();
    for (std::size_t tick = ticks.begin; tick < ticks.end && is_known; ++tick) {
      const double share = share_at(searched.worker[i], tick);
      if (is_absent(share)) continue;
      sum += share;
      count += 1;
    }
    cpu[i] = ratio(sum, count);
  }
  return cpu;
}

/// Most core-time first; of those that cost about the same the larger kind of group first.
void largest_first(std::vector<Candidate>& candidates) {
  double most = 0;
  for (const Candidate& one : candidates) most = std::max(most, one.core_seconds);
  sort_stably(candidates, [&](const Candidate& a, const Candidate& b) {
    const bool of_most_a = a.core_seconds >= about_the_same * most;
    const bool of_most_b = b.core_seconds >= about_the_same * most;
    if (of_most_a != of_most_b) return of_most_a;
    return of_most_a ? a.kind < b.kind : a.core_seconds > b.core_seconds;
  });
}

/// Candidates beyond chance that cost enough to be reported.
std::vector<Candidate> significant(const std::vector<Candidate>& all, double core_seconds) {
  std::vector<double> p_values;
  p_values.reserve(all.size());
  for (const Candidate& one : all)
    p_values.push_back(
        one.tested < 0
            ? 1
            : value_or(one.tries * stats::p_value(value_or(one.tested, one.log_factor) / one.error,
                                                  one.dof),
                       1));
  const std::vector<bool> is_significant = benjamini_hochberg(p_values, false_anomalies);
  std::vector<Candidate> found;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double least = fields_of(all[k].kind).may_be_intended ? elementary::log(worth_asking) : 0;
    if (is_significant[k] && all[k].log_factor > least &&
        all[k].core_seconds >= fields_of(all[k].kind).least_cost * core_seconds)
      found.push_back(all[k]);
  }
  return found;
}

/// Of a slow dataset its section, where that has most of the excess.
const Candidate& narrowed(const Candidate& one, const std::vector<Candidate>& all) {
  if (one.kind != Kind::dataset) return one;
  for (const Candidate& other : all) {
    if (other.kind == Kind::section && other.chunks.data() == one.chunks.data() &&
        other.core_seconds >= most_of_it * one.core_seconds)
      return other;
  }
  return one;
}

double error_of_mean(const std::vector<double>& values) {
  const Moments of = moments(values);
  return of.std / std::sqrt(static_cast<double>(values.size()));
}

/// Σ parts / Σ wholes over the chunks that both are known of: of members, and of others.
struct Ratios {
  double within = absent, elsewhere = absent;

  Ratios(const std::vector<double>& parts, const std::vector<double>& wholes,
         const std::vector<bool>& is_member) {
    double sum[2] = {0, 0}, of[2] = {0, 0};
    for (std::size_t i = 0; i < std::min(parts.size(), wholes.size()); ++i) {
      if (is_absent(parts[i] + wholes[i])) continue;
      sum[is_member[i]] += parts[i];
      of[is_member[i]] += wholes[i];
    }
    within = ratio(sum[true], of[true]);
    elsewhere = ratio(sum[false], of[false]);
  }
};

void put_moment(const Run& run, Members chunks, Anomaly& moment) {
  for (const std::uint32_t i : chunks) {
    moment.begin = std::fmin(moment.begin, run.chunks.t_start[i]);
    moment.end = std::fmax(moment.end, run.chunks.t_end[i]);
  }
  const Steps steps = core_steps(run, WorkerSelection(run, {}));
  if (steps.empty()) return;
  const double begin = run.chunks.t_start[chunks_by_start(run).front()];
  const double end = run.window().end;
  const double length = moment.end - moment.begin;
  moment.cores = steps.mean(moment.begin, moment.end);
  moment.cores_elsewhere =
      ratio(steps.mean(begin, end) * (end - begin) - moment.cores * length, end - begin - length);
}

/// How many times as long its chunks took without that section: of a worker, those of the same
/// datasets on others; of a dataset, the same events of any other. Absent without a section.
double rest_factor(const SearchedChunks& searched, const Candidate& one,
                   const std::string& section) {
  const auto* const column =
      first_where(searched.sections, [&](const SectionColumn& c) { return c.name == section; });
  if (column == nullptr) return absent;
  const Chunks& c = searched.run.chunks;
  std::vector<double> rest = c.duration;
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= value_or(column->values[i], 0);
  if (one.kind == Kind::worker) return Paces(searched.run, rest, c.events).times_others(one.chunks);
  const auto rest_of = [&](std::size_t dataset) {
    std::vector<double> each;  // [s] per event
    for (const std::uint32_t i : searched.datasets.members(dataset))
      each.push_back(rest[i] / c.events[i]);
    return median_of(std::move(each));
  };
  const std::size_t own = searched.datasets.of[one.chunks.front()];
  double slowest = absent;
  for (std::size_t i = 0; i < searched.datasets.size(); ++i)
    if (i != own) slowest = std::fmax(slowest, rest_of(i));
  return rest_of(own) / slowest;
}

/// Whether most of what the chunks took more is CPU time in the operating system: what it takes to
/// clear memory comes and goes with what the allocator keeps, and is no matter of the dataset.
bool is_of_system(const Run& run, const Candidate& one) {
  const std::vector<double> system = measured_of_chunks(run, recorded_columns::Task::system);
  std::vector<bool> is_member(system.size(), false);
  for (const std::uint32_t i : one.chunks) {
    if (i < is_member.size()) is_member[i] = true;
  }
  std::vector<double> elsewhere;  // [s] per event
  for (std::size_t i = 0; i < system.size(); ++i) {
    const double each = system[i] / run.chunks.events[i];
    if (!is_member[i] && !is_absent(each)) elsewhere.push_back(each);
  }
  const double usual = median_of(std::move(elsewhere));
  double more = 0;
  for (std::size_t i = 0; i < system.size(); ++i)
    more += is_member[i] ? value_or(system[i] - usual * run.chunks.events[i], 0) : 0;
  return 2 * more >= one.core_seconds;
}

/// What its chunks read, against others of the same dataset; of a dataset, against all others.
void put_reading(const SearchedChunks& searched, const std::vector<bool>& is_member,
                 Anomaly& anomaly) {
  const Chunks& c = searched.run.chunks;
  if (anomaly.kind == Kind::section || searched.reading.empty() || searched.ranges.empty() ||
      searched.range_bytes.empty())
    return;
  struct Sums {
    double events = 0, seconds = 0, ranges = 0, bytes = 0;
    void add(const SearchedChunks& of, std::size_t i) {
      events += of.run.chunks.events[i];
      seconds += of.reading[i];
      ranges += of.ranges[i];
      bytes += of.range_bytes[i];
    }
  };
  std::vector<Sums> within(searched.datasets.size()), elsewhere(within.size());
  Sums own, others, usual;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (is_absent(c.events[i] + searched.reading[i] + searched.ranges[i] + searched.range_bytes[i]))
      continue;
    const std::size_t dataset = searched.datasets.of[i];
    (is_member[i] ? within : elsewhere)[dataset].add(searched, i);
    (is_member[i] ? own : others).add(searched, i);
  }
  for (std::size_t d = 0; d < within.size(); ++d) {
    if (!(within[d].events > 0)) continue;
    const Sums& like = elsewhere[d].events > 0 ? elsewhere[d] : others;
    const double share = within[d].events / like.events;
    usual.events += within[d].events;
    usual.seconds += share * like.seconds;
    usual.ranges += share * like.ranges;
    usual.bytes += share * like.bytes;
  }
  if (!(usual.events > 0) || !(usual.ranges > 0) || !(own.ranges > 0)) return;
  anomaly.reading = ratio(own.seconds - usual.seconds, anomaly.core_seconds);
  anomaly.ranges = own.ranges / own.events;
  anomaly.ranges_elsewhere = usual.ranges / usual.events;
  anomaly.range_bytes = own.bytes / own.ranges;
  anomaly.range_bytes_elsewhere = usual.bytes / usual.ranges;
}

/// What is left of the factor by which a dataset's chunks take longer per event than the slowest
/// other one's, but for sections that no other dataset has: code that is meant for it alone. Absent
/// where it has none, or no other.
double factor_of_common(const SearchedChunks& searched, const Candidate& one, double factor) {
  const Chunks& c = searched.run.chunks;
  const std::uint32_t own = searched.datasets.of[one.chunks.front()];
  std::vector<double> seconds = c.duration;
  bool has_own = false, has_common = false;
  for (const SectionColumn& section : searched.sections) {
    bool is_here = false, is_elsewhere = false;
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (section.values[i] > 0) (searched.datasets.of[i] == own ? is_here : is_elsewhere) = true;
    }
    has_own = has_own || (is_here && !is_elsewhere);
    has_common = has_common || (is_here && is_elsewhere);
    if (!is_here || is_elsewhere) continue;
    for (const std::uint32_t i : one.chunks)
      seconds[i] = std::max(0.0, seconds[i] - value_or(section.values[i], 0));
  }
  if (!has_own || !has_common) return absent;
  std::vector<double> whole, common;
  for (const std::uint32_t i : one.chunks) {
    if (!(c.events[i] > 0)) continue;
    whole.push_back(c.duration[i] / c.events[i]);
    common.push_back(seconds[i] / c.events[i]);
  }
  return factor * median_of(std::move(common)) / median_of(std::move(whole));
}

/// The anomaly, unless more is needed to report it than its time per event.
std::optional<Anomaly> described(const SearchedChunks& searched, const Unexplained& left,
                                 const Candidate& one, const std::vector<double>& cpu) {
  const Chunks& c = searched.run.chunks;
  Anomaly anomaly;
  anomaly.kind = one.kind;
  anomaly.name = one.name;
  anomaly.factor = elementary::exp(one.log_factor);
  anomaly.core_seconds = one.core_seconds;
  anomaly.saved.assign(c.size(), 0);
  anomaly.chunks = one.chunks.size();
  const bool is_section = one.kind == Kind::section;
  std::vector<bool> is_member(c.size(), false);
  for (const std::uint32_t i : one.chunks) {
    is_member[i] = true;
    if (is_section && left.is_part_explained[i]) continue;
    const double whole = is_section ? searched.sections[one.section].values[i] : left.seconds[i];
    anomaly.saved[i] = value_or(whole, 0) * (1 - 1 / anomaly.factor);
  }
  double sum[2] = {0, 0}, weight[2] = {0, 0};
  std::vector<double> shares[2];
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (is_absent(cpu[i])) continue;
    sum[is_member[i]] += cpu[i] * c.duration[i];
    weight[is_member[i]] += c.duration[i];
    shares[is_member[i]].push_back(cpu[i]);
  }
  anomaly.cpu = ratio(sum[true], weight[true]);
  anomaly.cpu_elsewhere = ratio(sum[false], weight[false]);
  anomaly.cpu_error = elementary::hypot(error_of_mean(shares[true]), error_of_mean(shares[false]));
  const Ratios requests(searched.for_input, searched.requests, is_member);
  anomaly.request_wait = requests.within;
  anomaly.request_wait_elsewhere = requests.elsewhere;
  const Ratios bytes(c.bytes_read, c.events, is_member);
  anomaly.event_bytes = bytes.within;
  anomaly.event_bytes_elsewhere = bytes.elsewhere;
  const Ratios for_cpu(searched.for_cpu, searched.wall, is_member);
  anomaly.for_cpu = for_cpu.within;
  anomaly.for_cpu_elsewhere = for_cpu.elsewhere;
  const Ratios beside(searched.beside, searched.wall, is_member);
  anomaly.beside = beside.within;
  anomaly.beside_elsewhere = beside.elsewhere;
  put_reading(searched, is_member, anomaly);
  const bool must_wait = one.kind == Kind::file && anomaly.factor < worth_asking;
  if (must_wait && !anomaly.waits()) return std::nullopt;
  if (is_section && is_of_system(searched.run, one)) return std::nullopt;
  if (one.kind == Kind::dataset && !anomaly.waits() &&
      factor_of_common(searched, one, anomaly.factor) < worth_asking)
    return std::nullopt;
  // A host that alone serves its datasets is to blame only where its chunks wait, not compute.
  if (one.stands_alone && !anomaly.waits()) return std::nullopt;
  const auto dataset_of = [&](std::uint32_t i) { return searched.datasets.of[i]; };
  const std::uint32_t dataset = dataset_of(one.chunks.front());
  const bool is_of_one = std::all_of(one.chunks.begin(), one.chunks.end(),
                                     [&](std::uint32_t i) { return dataset_of(i) == dataset; });
  anomaly.stands_alone = one.stands_alone;
  if (is_section || one.kind == Kind::dataset)
    anomaly.content = dataset_content(searched.run, dataset);
  // What its events hold is of the dataset's nature: computing takes longer with it, if not more
  // so.
  if (anomaly.factor <= anomaly.content && !anomaly.waits()) return std::nullopt;
  if (is_section || one.kind == Kind::file || (one.stands_alone && is_of_one))
    anomaly.dataset = searched.datasets.name[dataset];
  if (one.kind == Kind::moment) put_moment(searched.run, one.chunks, anomaly);
  if (is_section) anomaly.name = anomaly.section = searched.sections[one.section].name;
  else {
    // A chunk that something else slowed as well tells nothing of this.
    std::vector<double> alone = anomaly.saved;
    for (std::size_t i = 0; i < alone.size(); ++i) alone[i] *= left.is_part_explained[i] ? 0 : 1;
    anomaly.section = slowest_section(searched.run, alone);
  }
  if (one.kind == Kind::worker || one.kind == Kind::dataset)
    anomaly.rest_factor = rest_factor(searched, one, anomaly.section);
  return anomaly;
}

/// The chunks of each worker in the order in which it ran them, of workers with enough of them.
WorkerOrders in_order_of_workers(const SearchedChunks& searched) {
  WorkerOrders orders;
  for (const CandidateGroup& group : searched.groups) {
    if (group.kind != Kind::worker || group.chunks.size() < outlier_least) continue;
    orders.emplace_back(group.chunks.begin(), group.chunks.end());
    sort_stably(orders.back(), [&](std::uint32_t a, std::uint32_t b) {
      return searched.run.chunks.t_start[a] < searched.run.chunks.t_start[b];
    });
  }
  return orders;
}

}  // namespace

std::optional<Anomaly> of_order(const SearchedChunks& searched, Kind kind,
                                std::vector<double> factors, std::vector<double> saved) {
  const double seconds = moments(saved).sum;
  if (!(seconds >= fields_of(kind).least_cost * searched.core_seconds)) return std::nullopt;
  Anomaly anomaly{.kind = kind, .core_seconds = seconds};
  anomaly.factor = median_of(std::move(factors));
  anomaly.chunks = static_cast<std::size_t>(
      std::count_if(saved.begin(), saved.end(), [](double s) { return s > 0; }));
  anomaly.section = slowest_section(searched.run, saved);
  anomaly.saved = std::move(saved);
  return anomaly;
}

namespace {

/// [s] Of each chunk, without what its process stood still.
std::vector<double> running_seconds(const Run& run) {
  std::vector<double> seconds = run.chunks.duration;
  const std::vector<double>& stopped = stops_of(run).inside;
  for (std::size_t i = 0; i < stopped.size(); ++i) seconds[i] -= stopped[i];
  return seconds;
}

/// The first chunk of every worker, of several, took half as long again as its like. It costs what
/// it does on three of four workers: what one has beyond that is the worker's own.
std::optional<Anomaly> first_chunks(const SearchedChunks& searched, const WorkerOrders& orders) {
  const std::vector<double>& expected = expected_durations(searched.run);
  const std::vector<double> duration = running_seconds(searched.run);
  std::vector<std::pair<double, double>> longer;  // times, [s]
  std::vector<double> saved(duration.size(), 0);
  for (const std::vector<std::uint32_t>& order : orders) {
    const std::uint32_t first = order.front();
    saved[first] = duration[first] - expected[first];
    longer.emplace_back(duration[first] / expected[first], saved[first]);
    if (!(longer.back().first >= worth_asking)) return std::nullopt;
  }
  if (orders.size() < 2) return std::nullopt;
  std::sort(longer.begin(), longer.end());
  const auto [factor, seconds] = longer[(longer.size() - 1) / 4];
  auto one = of_order(searched, Kind::first_chunks, {factor}, std::move(saved));
  if (one) one->core_seconds = seconds * static_cast<double>(longer.size());
  return one;
}

/// A worker's first chunk of each file takes half as long again as its later ones, and nearly all
/// do: what is made for each file once.
std::optional<Anomaly> first_of_files(const SearchedChunks& searched, const WorkerOrders& orders) {
  const std::vector<double>& expected = expected_durations(searched.run);
  const std::vector<double>& duration = searched.run.chunks.duration;
  std::vector<std::uint32_t> firsts;
  std::vector<double> of_firsts, of_others;
  for (const std::vector<std::uint32_t>& order : orders) {
    std::set<std::uint32_t> seen;
    for (const std::uint32_t i : order) {
      const double ratio = duration[i] / expected[i];
      if (is_absent(ratio)) continue;
      const bool is_first = seen.insert(searched.files.of[i]).second;
      if (is_first) firsts.push_back(i);
      // The very first of a worker is another matter.
      if (i != order.front()) (is_first ? of_firsts : of_others).push_back(ratio);
    }
  }
  if (orders.size() < 2 || std::min(of_firsts.size(), of_others.size()) < outlier_least)
    return std::nullopt;
  std::sort(of_firsts.begin(), of_firsts.end());
  std::sort(of_others.begin(), of_others.end());
  const double usual = quantile(of_others, 0.5), factor = quantile(of_firsts, 0.5) / usual;
  if (!(factor >= worth_asking) || quantile(of_firsts, 0.25) <= quantile(of_others, 0.75))
    return std::nullopt;
  std::vector<double> saved(duration.size(), 0);
  for (const std::uint32_t i : firsts) saved[i] = std::max(0.0, duration[i] - usual * expected[i]);
  return of_order(searched, Kind::first_of_files, {factor}, std::move(saved));
}

std::vector<Anomaly> find_anomalies(const Run& run) {
  if (run.chunks.size() < enough_chunks || chunk_list_is_cut(run)) return {};
  const SearchedChunks searched(run);
  std::vector<double> cpu;  // by chunk; made where there is a candidate
  Unexplained left{running_seconds(run), std::vector<bool>(run.chunks.size(), false)};
  std::vector<Anomaly> found;
  const auto report = [&](Anomaly&& one) {
    for (std::size_t i = 0; i < left.seconds.size(); ++i) {
      if (!(one.saved[i] > 0)) continue;
      left.seconds[i] -= one.saved[i];
      left.is_part_explained[i] = true;
    }
    found.push_back(std::move(one));
  };
  // What comes with the order of a worker's chunks looks like slow files and datasets otherwise.
  const auto orders = in_order_of_workers(searched);
  std::optional<Anomaly> of_first = first_of_files(searched, orders);
  if (!of_first) of_first = first_chunks(searched, orders);
  if (of_first) report(std::move(*of_first));
  if (auto one = longer_with_each(searched, orders)) report(std::move(*one));
  // What first chunks take more is their worker's, whichever file or dataset they are of.
  const std::vector<double>& expected = expected_durations(run);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!searched.is_warm_up[i] || left.seconds[i] <= expected[i]) continue;
    left.seconds[i] = expected[i];
    left.is_part_explained[i] = true;
  }
  std::vector<Candidate> reported;
  // A dataset and its sections are reported once, like any other group.
  const auto is_reported = [&](const Candidate& one) {
    return std::any_of(reported.begin(), reported.end(), [&](const Candidate& other) {
      const auto group = [](Kind kind) { return kind == Kind::section ? Kind::dataset : kind; };
      return group(other.kind) == group(one.kind) && other.chunks.data() == one.chunks.data();
    });
  };
  while (found.size() < most_anomalies) {
    std::vector<Candidate> candidates =
        significant(find_candidates(searched, left), searched.core_seconds);
    std::erase_if(candidates, is_reported);
    largest_first(candidates);
    if (cpu.empty() && !candidates.empty()) cpu = cpu_of_chunks(searched);
    std::optional<Anomaly> next;
    for (const Candidate& largest : candidates) {
      const Candidate& one = narrowed(largest, candidates);
      next = described(searched, left, one, cpu);
      if (!next) continue;
      reported.push_back(one);
      break;
    }
    if (!next) break;
    report(std::move(*next));
  }
  sort_stably(found,
              [](const Anomaly& a, const Anomaly& b) { return a.core_seconds > b.core_seconds; });
  return found;
}

}  // namespace

bool Anomaly::has_more_cores() const { return cores >= more_cores * cores_elsewhere; }

namespace {

/// Were all of the excess waiting, the CPU would be busy for 1 / factor of what is usual; half of
/// it is most, as far as chunks differ by more than chance.
bool is_off_cpu(const Anomaly& a) {
  const double less = a.cpu_elsewhere - a.cpu;
  return less >= (1 - 1 / a.factor) / 2 * a.cpu_elsewhere && less >= 2 * value_or(a.cpu_error, 0);
}

}  // namespace

bool Anomaly::waits() const { return is_off_cpu(*this) && !computes_beside(); }

bool Anomaly::computes_beside() const {
  return is_off_cpu(*this) && beside - beside_elsewhere >= (cpu_elsewhere - cpu) / 2;
}

bool Anomaly::waits_as_others() const {
  const double less = cpu_elsewhere - cpu;
  return less + 2 * value_or(cpu_error, 0) < (1 - 1 / factor) / 2 * cpu_elsewhere;
}

// Where all chunks wait more than they compute, so do those that take longer alike.
bool Anomaly::computes() const { return cpu >= 0.5 && waits_as_others(); }

bool Anomaly::lacks_cpu() const {
  return waits() && for_cpu - for_cpu_elsewhere >= (cpu_elsewhere - cpu) / 2;
}

namespace {

struct KeptAnomalies {
  Once<std::vector<Anomaly>> all;
};

}  // namespace

const std::vector<Anomaly>& anomalies(const Run& run) {
  return run.facts.of<KeptAnomalies>().all.of([&] { return find_anomalies(run); });
}

std::map<std::string_view, double> anomaly_factors(const Run& run, Anomaly::Kind kind) {
  std::map<std::string_view, double> factors;
  for (const Anomaly& anomaly : anomalies(run)) {
    if (anomaly.kind == kind) factors[anomaly.name] = anomaly.factor;
  }
  return factors;
}

std::vector<SectionColumn> section_seconds(const Run& run) {
  const std::string_view prefix = section_prefix(SectionValue::Kind::seconds);
  std::vector<SectionColumn> columns = section_columns(run);
  std::erase_if(columns, [&](const SectionColumn& c) { return !c.name.starts_with(prefix); });
  for (SectionColumn& column : columns) column.name.erase(0, prefix.size());
  return columns;
}

std::string slowest_section(const Run& run, const std::vector<double>& saved) {
  const std::vector<double>& duration = run.chunks.duration;
  std::string slowest;
  double most = 0;
  for (const SectionColumn& section : section_seconds(run)) {
    std::vector<double> parts;
    double excess = 0;
    for (std::size_t i = 0; i < duration.size(); ++i) {
      if (!(saved[i] > 0) && duration[i] > 0 && !is_absent(section.values[i]))
        parts.push_back(section.values[i] / duration[i]);
    }
    const double usual = value_or(median_of(parts), 0);
    for (std::size_t i = 0; i < duration.size(); ++i) {
      if (saved[i] > 0) excess += value_or(section.values[i] - usual * (duration[i] - saved[i]), 0);
    }
    if (excess > most) most = excess, slowest = section.name;
  }
  return most > moments(saved).sum / 2 ? slowest : "";
}

std::vector<double> unexplained_durations(const Run& run) {
  std::vector<double> left = running_seconds(run);
  for (const Anomaly& anomaly : anomalies(run)) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= anomaly.saved[i];
  }
  return left;
}

}  // namespace crema::diagnose
