// What takes longer with every chunk that a worker has done: a section, what no section times, or a
// function by its samples, each against the rest of its chunks; else all of process().
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/elementary.hpp"
#include "core/diagnose/anomaly_search.hpp"
#include "core/runtime/core_time.hpp"
#include "core/stats/p_value.hpp"
#include "core/stats/robust.hpp"

namespace crema::diagnose {

using namespace stats;
using namespace runtime;

namespace {

using Kind = Anomaly::Kind;

// [standard errors] As much once in twenty by chance: what rests on several looks, each must have.
constexpr double beyond_chance = 1.645;
// Of a half of the chunks, or without those of a worker or a file, fewer do.
constexpr double of_fewer = 1;
// More chunks tell no more: all pairs of them are looked at.
constexpr std::size_t enough_points = 300;

/// How many more pairs of points grow than shrink (M. Kendall's S), and its variance were all by
/// chance.
struct Concordance {
  struct Point {
    double place, value;
  };
  double more = 0, variance = 0;

  void add(const std::vector<Point>& points) {
    const auto n = static_cast<double>(points.size());
    variance += n * (n - 1) * (2 * n + 5) / 18;
    for (std::size_t a = 0; a < points.size(); ++a) {
      for (std::size_t b = a + 1; b < points.size(); ++b) {
        const double both =
            (points[b].place - points[a].place) * (points[b].value - points[a].value);
        more += both > 0 ? 1 : both < 0 ? -1 : 0;
      }
    }
  }
  double errors() const { return variance > 0 ? more / std::sqrt(variance) : 0; }
};

/// How a number of chunks grows with each that their worker has done; the first is another matter.
struct Growth {
  double slope = absent;  ///< [natural log] a chunk: the median of pairs within datasets
  double flat = absent;   ///< the least that it can be (P. Sen)
  double within = 0;      ///< [standard errors] within datasets, which may differ
  /// The same with how it grows from dataset to dataset, which is independent of it (S. Stouffer).
  double errors = 0;

  /// `of_each`: against chunks of the same worker alone, whose speed is in the numbers.
  Growth(const SearchedChunks& searched, const WorkerOrders& orders,
         const std::vector<double>& numbers, bool of_each = false) {
    using Point = Concordance::Point;
    std::size_t chunks = 0;
    for (const auto& order : orders) chunks += order.size();
    const std::size_t every = chunks / enough_points + 1;
    std::map<std::pair<std::uint32_t, std::size_t>, std::vector<Point>> datasets;
    for (std::size_t worker = 0; worker < orders.size(); ++worker) {
      for (std::size_t k = 1; k < orders[worker].size(); ++k) {
        const std::uint32_t chunk = orders[worker][k];
        if ((worker + k) % every == 0 && std::isfinite(numbers[chunk]))
          datasets[{searched.datasets.of[chunk], of_each ? worker : 0}].push_back(
              {static_cast<double>(k), numbers[chunk]});
      }
    }
    Concordance inside, between;
    std::vector<Point> middles;
    std::vector<double> slopes;
    for (const auto& [dataset, points] : datasets) {
      inside.add(points);
      std::vector<double> places, values;
      for (std::size_t a = 0; a < points.size(); ++a) {
        places.push_back(points[a].place), values.push_back(points[a].value);
        for (std::size_t b = 0; b < a; ++b) {
          if (points[a].place != points[b].place && values[a] > 0 && values[b] > 0)
            slopes.push_back(elementary::log(values[a] / values[b]) / (places[a] - places[b]));
        }
      }
      middles.push_back({median_of(std::move(places)), median_of(std::move(values))});
    }
    between.add(middles);
    std::sort(slopes.begin(), slopes.end());
    slope = quantile(slopes, 0.5);
    within = inside.errors();
    const double share = std::sqrt(inside.variance) / static_cast<double>(slopes.size());
    flat = quantile(slopes, std::max(0.0, (1 - beyond_chance * share) / 2));
    errors = between.variance > 0 ? (within + between.errors()) / std::sqrt(2.0) : within;
  }
};

Growth lesser(Growth a, const Growth& b) {
  a.slope = std::min(a.slope, b.slope);
  a.flat = std::min(a.flat, b.flat);
  a.within = std::min(a.within, b.within);
  a.errors = std::min(a.errors, b.errors);
  return a;
}

/// Of process(), by chunk.
struct Part {
  enum class Of : std::uint8_t { section, no_section, function, all };
  Of of = Of::all;
  std::string name;
  std::vector<double> seconds;
};

/// Those that take enough to matter.
std::vector<Part> parts_of(const SearchedChunks& searched) {
  const Chunks& c = searched.run.chunks;
  std::vector<Part> parts;
  for (const SectionColumn& section : searched.sections)
    parts.push_back({Part::Of::section, section.name, section.values});
  if (!parts.empty()) {
    std::vector<double> timed(c.size(), 0), rest = c.duration;
    for (const SectionValue& one : c.sections)
      if (one.kind == SectionValue::Kind::seconds) timed[one.chunk] += value_or(one.value, 0);
    bool may_overlap = false;
    for (std::size_t i = 0; i < c.size(); ++i) {
      may_overlap = may_overlap || sections_exceed(timed[i], c.duration[i]);
      // Without a row of any section it is not known what was outside them.
      rest[i] = timed[i] > 0 ? std::max(0.0, rest[i] - timed[i]) : absent;
    }
    if (!may_overlap) parts.push_back({Part::Of::no_section, "", std::move(rest)});
  }
  const double least = fields_of(Kind::with_each).least_cost * searched.core_seconds;
  for (SectionColumn& function : function_seconds(searched.run, least))
    parts.push_back({Part::Of::function, std::move(function.name), std::move(function.values)});
  std::erase_if(parts, [&](const Part& one) { return !(moments(one.seconds).sum >= least); });
  return parts;
}

/// [s] by chunk, were each like the worker's first.
std::vector<double> saved_of(const WorkerOrders& orders, const std::vector<double>& seconds,
                             double slope) {
  std::vector<double> saved(seconds.size(), 0);
  for (const auto& order : orders) {
    for (std::size_t k = 1; k < order.size(); ++k)
      saved[order[k]] =
          value_or(seconds[order[k]] * (1 - elementary::exp(-slope * static_cast<double>(k))), 0);
  }
  return saved;
}

/// The chunks without those of the group with most of what would be `saved`; none where all are of
/// one group.
template <class Group>
WorkerOrders without_largest(WorkerOrders orders, const std::vector<Group>& of,
                             const std::vector<double>& saved) {
  std::map<Group, double> groups;
  for (const auto& order : orders)
    for (const std::uint32_t i : order) groups[of[i]] += saved[i];
  const auto largest =
      std::max_element(groups.begin(), groups.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  for (auto& order : orders)
    std::erase_if(order, [&](std::uint32_t i) { return of[i] == largest->first; });
  if (groups.size() < 2) orders.clear();
  return orders;
}

/// The earlier or the later half of each worker's chunks.
WorkerOrders half_of(WorkerOrders orders, bool is_later) {
  for (auto& order : orders) {
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
    if (is_later) order.erase(order.begin(), middle);
    else order.erase(middle, order.end());
  }
  return orders;
}

/// A part that takes longer with every chunk, against the rest of the same chunks, where the
/// machine's speed is in both, and per event; or all of process(), where a slower machine and other
/// data look alike: then by half as much again at least, in both halves of each worker's chunks.
std::optional<Anomaly> growing(const SearchedChunks& searched, const WorkerOrders& orders,
                               const Part& part, std::size_t tries) {
  const Chunks& c = searched.run.chunks;
  const bool is_all = part.of == Part::Of::all;
  const std::vector<double>& seconds = part.seconds;
  std::vector<double> to_rest(c.size(), absent), per_event(c.size(), absent);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double rest = c.duration[i] - seconds[i];
    if (rest > 0) to_rest[i] = seconds[i] / rest;
    if (c.events[i] > 0) per_event[i] = seconds[i] / c.events[i];
  }
  const auto growth_in = [&](const WorkerOrders& chunks) {
    Growth growth(searched, chunks, per_event, is_all);
    if (!is_all) return lesser(growth, Growth(searched, chunks, to_rest));
    growth.errors = growth.within;  // what an event of a dataset costs says nothing of another
    growth.slope = growth.flat;
    return growth;
  };
  const Growth growth = growth_in(orders);
  if (!(growth.slope > 0) || growth.within < beyond_chance || growth.errors < beyond_chance ||
      static_cast<double>(tries) * p_value(growth.errors) > false_anomalies)
    return std::nullopt;
  std::vector<double> factors;
  for (const auto& order : orders)
    factors.push_back(elementary::exp(growth.slope * static_cast<double>(order.size() - 1)));
  if (is_all) {
    if (median_of(factors) < worth_asking) return std::nullopt;
    for (const bool is_later : {false, true})
      if (growth_in(half_of(orders, is_later)).within < of_fewer) return std::nullopt;
  }
  std::vector<double> saved = saved_of(orders, seconds, growth.slope);
  // Late chunks of one slow file are no growth, nor is what one worker does.
  for (const WorkerOrders& others : {without_largest(orders, searched.files.of, saved),
                                     without_largest(orders, searched.worker, saved)})
    if (!others.empty() && growth_in(others).errors < of_fewer) return std::nullopt;
  // CPU time in the operating system grows with the memory that the allocator gives back: no part
  // of process() keeps that.
  const std::vector<double> system =
      measured_of_chunks(searched.run, recorded_columns::Task::system);
  if (!system.empty()) {
    std::vector<double> each(c.size());
    for (std::size_t i = 0; i < c.size(); ++i) each[i] = system[i] / c.events[i];
    const double slope = Growth(searched, orders, each).slope;
    if (2 * moments(saved_of(orders, system, slope)).sum >= moments(saved).sum) return std::nullopt;
  }
  std::optional<Anomaly> one =
      of_order(searched, Kind::with_each, std::move(factors), std::move(saved));
  if (one) {
    one->section = part.of == Part::Of::section ? part.name : "";
    one->function = part.of == Part::Of::function ? part.name : "";
    one->is_of_all = is_all;
  }
  return one;
}

/// Whether a worker ran several at once: threads that take turns slow each other's sections, as
/// they fall in and out of step.
bool overlap(const Chunks& c, const std::vector<std::uint32_t>& order) {
  double seconds = 0, end = absent;
  for (const std::uint32_t i : order) seconds += c.duration[i], end = std::fmax(end, c.t_end[i]);
  return seconds > 1.01 * (end - c.t_start[order.front()]);
}

}  // namespace

std::optional<Anomaly> longer_with_each(const SearchedChunks& searched,
                                        const WorkerOrders& orders) {
  if (orders.empty() || (orders.size() == 1 && overlap(searched.run.chunks, orders[0]))) return {};
  const std::vector<Part> parts = parts_of(searched);
  const std::size_t tries = parts.size() + 1;
  std::optional<Anomaly> timed, sampled;
  for (const Part& part : parts) {
    std::optional<Anomaly> one = growing(searched, orders, part, tries);
    std::optional<Anomaly>& most = part.of == Part::Of::function ? sampled : timed;
    if (one && !(most && most->core_seconds >= one->core_seconds)) most = std::move(one);
  }
  // Of a section the function is told besides; what no section times has no name but a function's.
  if (timed && sampled && 2 * sampled->core_seconds >= timed->core_seconds) {
    if (timed->section.empty()) return sampled;
    timed->function = sampled->function;
  }
  if (timed || sampled) return timed ? timed : sampled;
  Part all{.seconds = searched.run.chunks.duration};
  for (std::size_t i = 0; i < searched.for_cpu.size(); ++i)
    all.seconds[i] -= value_or(searched.for_cpu[i], 0);
  return growing(searched, orders, all, tries);
}

}  // namespace crema::diagnose
