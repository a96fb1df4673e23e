// Rules about chunks: their size, slow datasets and hosts, stragglers, lost and failed ones.
#include <algorithm>
#include <functional>
#include <span>

#include "core/base/fit.hpp"
#include "core/base/number_format.hpp"
#include "core/facts/chunk_columns.hpp"
#include "core/facts/chunk_groups.hpp"
#include "core/facts/finding.hpp"
#include "core/facts/report_counts.hpp"

namespace crema::facts {

namespace {

using Members = std::span<const std::uint32_t>;

const ChunkGroups& by_dataset(const Run& run) { return chunk_groups(run, ChunkKey::dataset); }

std::vector<double> pick(const std::vector<double>& values, Members members) {
  std::vector<double> picked;
  gather(values, members, picked);
  return picked;
}

// What each chunk costs whatever its size: the fixed part of process() by dataset, and the time
// outside it.
constexpr double fixed_cost_dominates = 0.5;

std::vector<Finding> small_chunks(const Facts& f) {
  const Chunks& c = f.run.chunks;
  const double outside = f.budget.of(BudgetPart::Kind::outside_process);
  if (c.size() < enough_chunks || is_absent(outside) || !(f.inside > 0)) return {};
  double fixed_inside = 0;
  const ChunkGroups& datasets = by_dataset(f.run);
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    const Members members = datasets.members(dataset);
    const std::vector<double> events = pick(c.events, members);
    if (!sizes_differ(events)) continue;
    const Line line = robust_line(events, pick(c.duration, members));
    fixed_inside += std::max(0.0, value_or(line.fixed, 0)) * static_cast<double>(members.size());
  }
  const double fixed = std::min(fixed_inside, f.inside) + outside;
  const double part = fixed / (f.inside + outside);
  if (!(part >= fixed_cost_dominates)) return {};
  const auto n = static_cast<double>(c.size());
  // Twice the size halves what is paid per chunk.
  const double won = std::min(fixed / 2, f.won_by_saving(fixed / 2));
  return {Finding{
      "small-chunks",
      Severity::medium,
      "Chunks are small: " + format_percent(part) + " of their cost does not depend on their size",
      "Per chunk " + format_seconds(fixed / n) + " of " + format_seconds((f.inside + outside) / n) +
          " (fixed part of process() by a robust line per dataset, and the time outside it, if "
          "that is per chunk and not "
          "per event). Chunks twice as large would save up to " +
          format_core_seconds(won) + ".",
      fixed / 2,
      "Chunks",
      {}}.at_most(won)};
}

std::vector<Finding> large_chunks(const Facts& f) {
  const Chunks& c = f.run.chunks;
  if (c.size() == 0 || is_absent(f.cores) || !f.whole_list) return {};
  const double per_core = static_cast<double>(c.size()) / f.cores;
  const double longest = moments(c.duration).max;
  // Fewer than four rounds of chunks cannot be spread evenly; one chunk longer than a tenth of the
  // run delays its end.
  if (!(per_core < 4) && !(longest > 0.1 * f.elapsed)) return {};
  return {Finding{
      "large-chunks",
      Severity::low,
      per_core < 4 ? "Only " + format_number(per_core) + " chunks per core"
                   : "A chunk took " + format_percent(longest / f.elapsed) + " of the run",
      format_count(static_cast<double>(c.size()), "chunk") + " on " +
          format_count(f.cores, "core") + "; the longest took " + format_seconds(longest) + " of " +
          format_seconds(f.elapsed) + ". Smaller chunks fill the cores more evenly.",
      f.tail.core_seconds_wasted,
      "Chunks",
      {}}.at_most(f.won(f.tail.actual_makespan, f.tail.ideal_makespan))};
}

constexpr double slow_factor = 2;
constexpr double slow_share = 0.05;

std::vector<Finding> slow_dataset(const Facts& f) {
  if (!f.whole_list) return {};
  const Chunks& c = f.run.chunks;
  struct Cost {
    std::string_view dataset;
    double seconds, events, per_event;
    std::size_t chunks, group;
  };
  std::vector<Cost> costs;
  const ChunkGroups& datasets = by_dataset(f.run);
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    const Members members = datasets.members(dataset);
    const double seconds = moments(pick(c.duration, members)).sum;
    const double events = moments(pick(c.events, members)).sum;
    if (members.size() >= outlier_least && events > 0)
      costs.push_back(
          {datasets.name[dataset], seconds, events, seconds / events, members.size(), dataset});
  }
  if (costs.size() < 2) return {};
  std::vector<Finding> found;
  for (const Cost& cost : costs) {
    double seconds = 0, events = 0;
    for (const Cost& other : costs) {
      if (other.dataset == cost.dataset) continue;
      seconds += other.seconds;
      events += other.events;
    }
    const double usual = seconds / events;  // of the others [s] per event
    if (!(cost.per_event >= slow_factor * usual) || !(f.share(cost.seconds) >= slow_share))
      continue;
    Selection selection;
    selection.datasets = {std::string(cost.dataset)};
    std::vector<double> saved(c.size(), 0);
    for (const std::uint32_t i : datasets.members(cost.group))
      saved[i] = std::max(0.0, c.duration[i] - usual * c.events[i]);
    found.push_back(Finding{"slow-dataset", Severity::low,
                            std::string(cost.dataset) + " costs " +
                                format_number(cost.per_event / usual) +
                                " times as much per event as the others",
                            format_number(cost.per_event * 1e6) + " µs per event against " +
                                format_number(usual * 1e6) + " µs, in " +
                                format_count(static_cast<double>(cost.chunks), "chunk") + ".",
                            cost.seconds - usual * cost.events, "Chunks", selection}
                        .at_most(f.won_by_saving(saved)));
  }
  return found;
}

// Hosts are compared by seconds per event relative to the dataset's median, so that a host of slow
// datasets is not blamed.
constexpr double slow_host_factor = 1.2;

/// `storage`: hosts or sites. `is_told`: whether a chunk is looked at.
std::vector<Finding> slow_storage(const Facts& f, const char* id, const char* what,
                                  const ChunkGroups& storage,
                                  const std::function<bool(std::uint32_t chunk)>& is_told) {
  if (!f.whole_list) return {};
  const Chunks& c = f.run.chunks;
  struct Place {
    std::vector<double> relative;
    double seconds = 0;
    std::vector<std::uint32_t> chunks;
  };
  std::vector<Place> places(storage.size());
  const std::vector<double> per_event = chunk_column(f.run, "seconds_per_event");
  const ChunkGroups& datasets = by_dataset(f.run);
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    const Members members = datasets.members(dataset);
    const double usual = median_of(pick(per_event, members));
    if (!(usual > 0)) continue;
    for (const std::uint32_t i : members) {
      if (c.file[i] == no_string || is_absent(per_event[i]) || !is_told(i)) continue;
      Place& place = places[storage.of[i]];
      place.relative.push_back(per_event[i] / usual);
      place.seconds += c.duration[i];
      place.chunks.push_back(i);
    }
  }
  if (std::count_if(places.begin(), places.end(),
                    [](const Place& p) { return !p.relative.empty(); }) < 2)
    return {};
  std::vector<Finding> found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::vector<double>& ratios = places[i].relative;
    if (ratios.size() < enough_chunks) continue;
    const std::string host(storage.name[i]);
    const double slower = median_of(ratios);
    if (!(slower >= slow_host_factor)) continue;
    Selection selection;
    selection.hosts = {host};
    std::vector<double> saved(c.size(), 0);
    for (const std::uint32_t chunk : places[i].chunks)
      saved[chunk] = c.duration[chunk] * (1 - 1 / slower);
    found.push_back(
        Finding{id, Severity::medium,
                what + (" " + host) + " is " + format_number(slower) + " times slower per event",
                "Median of " + format_count(static_cast<double>(ratios.size()), "chunk") +
                    ", each against the median of its dataset.",
                places[i].seconds * (1 - 1 / slower), "Chunks", selection}
            .at_most(f.won_by_saving(saved)));
  }
  return found;
}

std::vector<Finding> slow_host(const Facts& f) {
  return slow_storage(f, "slow-host", "Host", chunk_groups(f.run, ChunkKey::host),
                      [](std::uint32_t) { return true; });
}

// Behind caches, whose own files say nothing of sites.
std::vector<Finding> slow_site(const Facts& f) {
  const ChunkGroups& hosts = chunk_groups(f.run, ChunkKey::host);
  const ChunkGroups& sites = chunk_groups(f.run, ChunkKey::site);
  return slow_storage(f, "slow-site", "Site", sites, [&](std::uint32_t i) {
    return sites.name[sites.of[i]] != hosts.name[hosts.of[i]];
  });
}

std::vector<Finding> stragglers(const Facts& f) {
  const Chunks& c = f.run.chunks;
  if (c.size() < enough_chunks || !f.whole_list) return {};
  const std::vector<double>& flags = outliers(f.run);
  const std::vector<double>& expected = expected_durations(f.run);
  double count = 0, cost = 0, slowest = 0;
  std::vector<double> saved(c.size(), 0);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 1) continue;
    count += 1;
    saved[i] = c.duration[i] - expected[i];
    cost += saved[i];
    slowest = std::max(slowest, c.duration[i]);
  }
  if (count == 0 || !(f.share(cost) >= 0.01)) return {};
  Selection selection;
  selection.ranges = {{"outlier", 1, 1}};
  return {Finding{"stragglers", f.share(cost) >= 0.1 ? Severity::medium : Severity::low,
                  format_count(count, "chunk") + " took more than three times as long as expected",
                  "Expected by their dataset and events, they took " + format_core_seconds(cost) +
                      " too long; the longest took " + format_seconds(slowest) + ".",
                  cost, "Chunks", selection}
              .at_most(f.won_by_saving(saved))};
}

std::vector<Finding> lost_chunks(const Facts& f) {
  const double submitted = report_num_chunks(f.run);
  const double lost = lost_num_chunks(f.run);
  if (!(lost > 0)) return {};
  return {{"lost-chunks",
           Severity::high,
           format_count(lost, "chunk") + " left no record",
           format_number(static_cast<double>(f.run.chunks.size())) + " of " +
               format_number(submitted) +
               " chunks are recorded. With skipbadfiles=True coffea drops unreadable files "
               "silently: their events are missing "
               "from the result.",
           absent,
           "Data notes",
           {}}};
}

std::vector<Finding> failed_chunks(const Facts& f) {
  double failed = 0;
  for (const StringId error : f.run.chunks.error) failed += error == no_string ? 0 : 1;
  if (failed == 0) return {};
  return {{"failed-chunks",
           Severity::high,
           format_count(failed, "chunk") + " failed",
           "Their records carry an error; their events are missing from the result.",
           absent,
           "Chunks",
           {}}};
}

}  // namespace

const std::vector<Rule>& chunk_rules() {
  static const std::vector<Rule> rules = {small_chunks, large_chunks, slow_dataset, slow_host,
                                          slow_site,    stragglers,   lost_chunks,  failed_chunks};
  return rules;
}

}  // namespace crema::facts
