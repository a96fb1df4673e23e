// Rules about chunks: their size, stragglers, lost and failed ones.
#include <algorithm>
#include <map>
#include <span>

#include "core/base/number_format.hpp"
#include "core/diagnose/anomalies.hpp"
#include "core/diagnose/finding.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"
#include "core/stats/fit.hpp"

namespace crema::diagnose {

using namespace runtime;

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
// From three tenths on, chunks twice as large save a seventh of the processor's time.
constexpr double fixed_cost_dominates = 0.3;
// Where half as many chunks still fill the cores, larger ones cost nothing: then a fifth is enough,
// and a tenth of the time is won.
constexpr double fixed_cost_matters = 0.2;
constexpr double plenty_per_core = 150;
// No chunk is larger than its file: with fewer chunks per file, files are small, not chunks.
constexpr double chunks_to_join = 2;

std::vector<Finding> small_chunks(const Facts& f) {
  const Chunks& c = f.run.chunks;
  const double outside = f.budget.of(BudgetPart::Kind::outside_process);
  if (c.size() < enough_chunks || is_absent(outside) || !(f.inside > 0)) return {};
  const auto files = static_cast<double>(chunk_groups(f.run, ChunkKey::file).size());
  if (static_cast<double>(c.size()) < chunks_to_join * files) return {};
  double fixed_inside = 0;
  const ChunkGroups& datasets = by_dataset(f.run);
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    const Members members = datasets.members(dataset);
    const std::vector<double> events = pick(c.events, members);
    if (!sizes_differ(events)) continue;
    const stats::Line line = stats::robust_line(events, pick(c.duration, members));
    fixed_inside += std::max(0.0, value_or(line.fixed, 0)) * static_cast<double>(members.size());
  }
  const double fixed = std::min(fixed_inside, f.inside) + outside;
  const double part = fixed / (f.inside + outside);
  const auto n = static_cast<double>(c.size());
  const bool are_plenty = n >= plenty_per_core * f.cores;
  if (!(part >= (are_plenty ? fixed_cost_matters : fixed_cost_dominates))) return {};
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
  const auto last = static_cast<std::size_t>(
      std::find(c.duration.begin(), c.duration.end(), longest) - c.duration.begin());
  // One that is slow for its size is a straggler, however large chunks are.
  const bool is_straggler = last < c.size() && outliers(f.run)[last] == 1;
  // Fewer than four rounds of chunks cannot be spread evenly; one chunk longer than a tenth of the
  // run delays its end.
  if (!(per_core < 4) && (is_straggler || !(longest > 0.1 * f.elapsed))) return {};
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

/// The section that took most of the time that `chunks` took too long, against the median of their
/// dataset; "" where sections tell none.
std::string slowest_section(const Run& run, Members chunks) {
  const ChunkGroups& datasets = by_dataset(run);
  std::string slowest;
  double most = 0;
  for (const SectionColumn& section : section_columns(run)) {
    const std::string_view prefix = section_prefix(SectionValue::Kind::seconds);
    if (!section.name.starts_with(prefix)) continue;
    std::map<std::uint32_t, double> usual;  // by dataset: a median each, however many chunks it has
    double excess = 0;
    for (const std::uint32_t i : chunks) {
      const auto [median, is_new] = usual.try_emplace(datasets.of[i], absent);
      if (is_new)
        median->second = median_of(pick(section.values, datasets.members(datasets.of[i])));
      excess += value_or(section.values[i] - median->second, 0);
    }
    if (!(excess > most)) continue;
    most = excess;
    slowest = section.name.substr(prefix.size());
  }
  return slowest;
}

std::vector<Finding> stragglers(const Facts& f) {
  const Chunks& c = f.run.chunks;
  if (c.size() < enough_chunks || !f.whole_list) return {};
  const std::vector<double>& flags = outliers(f.run);
  const std::vector<double>& expected = expected_durations(f.run);
  // What a slow place explains is told already.
  const std::vector<double> left = unexplained_durations(f.run);
  double count = 0, cost = 0, slowest = 0;
  std::vector<double> saved(c.size(), 0);
  std::vector<std::uint32_t> late;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 1 || !(left[i] > outlier_factor * expected[i])) continue;
    late.push_back(static_cast<std::uint32_t>(i));
    count += 1;
    saved[i] = left[i] - expected[i];
    cost += saved[i];
    slowest = std::max(slowest, c.duration[i]);
  }
  if (count == 0 || !(f.share(cost) >= 0.01)) return {};
  Selection selection;
  selection.ranges = {{"outlier", 1, 1}};
  const bool of_one_file =
      c.file[late[0]] != no_string && std::all_of(late.begin(), late.end(), [&](std::uint32_t i) {
        return c.file[i] == c.file[late[0]];
      });
  std::string place;
  if (of_one_file) {
    const std::string file(f.run.text(c.file[late[0]]));
    selection.files = {file};
    place = " of " + file.substr(file.rfind('/') + 1);
    if (count == 1 && !is_absent(c.entry_start[late[0]]))
      place += " (entries " + format_number(c.entry_start[late[0]]) + " to " +
               format_number(c.entry_stop[late[0]]) + ")";
  }
  const std::string section = slowest_section(f.run, late);
  return {Finding{
      "stragglers", f.share(cost) >= 0.1 ? Severity::medium : Severity::low,
      format_count(count, "chunk") + place + " took more than three times as long as expected",
      "Expected by dataset and events, " + format_core_seconds(cost) + " too long" +
          (section.empty() ? "" : ", most of it in section " + section) + "; the longest took " +
          format_seconds(slowest) + "." + functions_sentence(f.run, section),
      cost, "Chunks", selection}
              .at_most(f.won_by_saving(saved))};
}

std::vector<Finding> lost_chunks(const Facts& f) {
  const double submitted = report_num_chunks(f.run);
  const double lost = lost_num_chunks(f.run);
  if (!(lost > 0)) return {};
  Finding finding{"lost-chunks",
                  Severity::high,
                  format_count(lost, "chunk") + " left no record",
                  format_number(static_cast<double>(f.run.chunks.size())) + " of " +
                      format_number(submitted) +
                      " chunks are recorded. With skipbadfiles=True coffea drops unreadable files "
                      "silently: their events are missing "
                      "from the result.",
                  absent,
                  "Data notes",
                  {}};
  finding.is_failure = true;
  return {finding};
}

std::vector<Finding> failed_chunks(const Facts& f) {
  double failed = 0;
  for (const StringId error : f.run.chunks.error) failed += error == no_string ? 0 : 1;
  if (failed == 0) return {};
  Finding finding{"failed-chunks",
                  Severity::high,
                  format_count(failed, "chunk") + " failed",
                  "Their records carry an error; their events are missing from the result.",
                  absent,
                  "Chunks",
                  {}};
  finding.is_failure = true;
  return {finding};
}

}  // namespace

const std::vector<Rule>& chunk_rules() {
  static const std::vector<Rule> rules = {small_chunks, large_chunks, stragglers, lost_chunks,
                                          failed_chunks};
  return rules;
}

}  // namespace crema::diagnose
