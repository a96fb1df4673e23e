// Rules about sections, the data read, and what the recording itself leaves open.
#include <algorithm>

#include "core/base/number_format.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/file_facts.hpp"
#include "core/facts/finding.hpp"
#include "core/facts/heartbeat.hpp"
#include "core/facts/report_counts.hpp"
#include "core/facts/sections.hpp"

namespace crema::facts {

namespace {

constexpr double dominates = 0.5;

std::vector<Finding> dominant_section(const Facts& f) {
  const SectionSums sums = sum_sections(f.run, ChunkSelection(f.run, {}));
  if (sums.seconds.size() < 2 || !(f.inside > 0)) return {};
  const auto most =
      std::max_element(sums.seconds.begin(), sums.seconds.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const double part = most->second / f.inside;
  if (!(part >= dominates)) return {};
  return {
      {"dominant-section",
       Severity::low,
       "Section " + most->first + " is " + format_percent(part) + " of process()",
       format_core_seconds(most->second) + " of " + format_core_seconds(f.inside) +
           (sums.may_overlap ? "; it may contain other sections, or be contained in one." : "."),
       absent,
       "Chunks",
       {}}};
}

// A third of process() outside all sections: something that nobody thought of timing.
constexpr double unaccounted_share = 0.3;

std::vector<Finding> unaccounted(const Facts& f) {
  const SectionSums sums = sum_sections(f.run, ChunkSelection(f.run, {}));
  if (sums.seconds.empty() || sums.may_overlap || !(f.inside > 0)) return {};
  double rest = f.inside;
  for (const auto& [name, seconds] : sums.seconds) rest -= seconds;
  if (!(rest / f.inside >= unaccounted_share)) return {};
  return {Finding{
      "unaccounted",
      Severity::low,
      format_percent(rest / f.inside) + " of process() is in no section",
      format_core_seconds(rest) + " inside process() are timed by no track_time().",
      rest,
      "Chunks",
      {}}.as_share()};
}

std::vector<Finding> reads_much(const Facts& f) {
  double read = 0, tree = 0, branches = 0, branches_total = 0;
  for (const FileFacts& file : find_file_facts(f.run, {})) {
    if (is_absent(file.bytes_read_fraction) || is_absent(file.tree_bytes)) continue;
    read += file.bytes_read_fraction * file.tree_bytes;
    tree += file.tree_bytes;
    branches += value_or(file.branches_read_fraction * file.branches_total, 0);
    branches_total += value_or(file.branches_total, 0);
  }
  const double part = ratio(read, tree);
  // Half of a file: columnar reading saves little then.
  if (!(part >= 0.5)) return {};
  return {{"reads-much",
           Severity::low,
           "The analysis reads " + format_percent(part) + " of its files",
           format_percent(branches / branches_total) + " of the branches, " + format_bytes(read) +
               " of " + format_bytes(tree) + ".",
           absent,
           "Data access",
           {}}};
}

std::vector<Finding> bytes_not_recorded(const Facts& f) {
  if (f.run.chunks.size() == 0 || chunk_bytes_collected(f.run)) return {};
  return {{"bytes-not-recorded",
           Severity::medium,
           "There is no data rate over time",
           "bytes_read is 0 in every chunk: roastcoffea 0.1.0 does not collect it, and files "
           "mapped into memory are not counted.",
           absent,
           "Data notes",
           {}}};
}

std::vector<Finding> fine_tail(const Facts& f) {
  const double interval = heartbeat_interval(f.run);
  if (!f.run.activities_recorded || !f.run.tracked || interval <= 0.5) return {};
  const double unheard = std::min(f.budget.of(BudgetPart::Kind::idle), f.cores * (interval - 0.5));
  if (!(f.share(unheard) >= 0.01)) return {};
  return {Finding{
      "fine-metrics-tail",
      Severity::low,
      "The last fine metrics may be missing",
      "They were read 0.5 s after the end, and workers report every " + format_seconds(interval) +
          ": up to " + format_core_seconds(unheard) + " of tasks may be counted as idle.",
      unheard,
      "Fine metrics",
      {}}.as_share()};
}

std::vector<Finding> cores_inflated(const Facts& f) {
  const double stored = f.run.stored_value("total_cores");
  if (!(stored > 1.01 * f.cores)) return {};
  return {{"cores-inflated",
           Severity::low,
           "The stored number of cores is too high",
           "total_cores " + format_number(stored) +
               " counts every worker ever seen; on time average there were " +
               format_number(f.cores) +
               ". The stored core efficiency and rates per core are too low by that factor.",
           absent,
           "Summary",
           {}}};
}

}  // namespace

const std::vector<Rule>& data_rules() {
  static const std::vector<Rule> rules = {dominant_section,   unaccounted, reads_much,
                                          bytes_not_recorded, fine_tail,   cores_inflated};
  return rules;
}

}  // namespace crema::facts
