// Rules about sections, the data read, and what the recording itself leaves open.
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/base/number_format.hpp"
#include "core/base/sentence.hpp"
#include "core/diagnose/finding.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

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
      format_core_seconds(rest) + " inside process() are not timed by any track_time().",
      rest,
      "Chunks",
      {}}.as_share()};
}

// Half of a file: columnar reading saves little then.
constexpr double reads_half = 0.5;
// Who reads four fifths of all branches most likely reads all there are, for nothing else.
constexpr double reads_all = 0.8;
constexpr double notable_reading = 0.1;  // of the core-time

struct FilesRead {
  double read = 0, tree = 0;                 // [byte]
  double branches = 0, branches_total = 0;   // summed over files
  double chunk_bytes = 0, branch_bytes = 0;  // [byte] what chunks read, of what the branches have

  explicit FilesRead(const Run& run) {
    for (const FileFacts& file : find_file_facts(run, {})) {
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

/// The section whose part of process() is `share` to within a quarter, the nearest one; "" if none.
std::string section_of_share(const Facts& f, double share) {
  std::string nearest;
  double distance = 1.25;
  for (const auto& [name, seconds] : sum_sections(f.run, ChunkSelection(f.run, {})).seconds) {
    const double part = seconds / f.inside;
    const double apart = std::max(part / share, share / part);
    if (apart < distance) distance = apart, nearest = name;
  }
  return nearest;
}

std::vector<Finding> reads_much(const Facts& f) {
  const FilesRead files(f.run);
  const double part = ratio(files.read, files.tree);
  if (!(part >= reads_half)) return {};
  const double branches = files.branches / files.branches_total;
  Finding finding;
  finding.id = branches >= reads_all ? "unused-branches" : "reads-much";
  finding.title = sentence({"The analysis reads ", format_percent(part), " of its files"});
  finding.evidence = sentence({format_percent(branches), " of the branches, ",
                               format_bytes(files.read), " of ", format_bytes(files.tree), "."});
  finding.view = "Input";
  const OwnFunction reader = largest_reader(f.run);
  if (!(branches >= reads_all) || reader.name.empty()) return {finding};
  // What reads so much, by the profile: fewer branches save at most its time.
  const std::string section = section_of_share(f, reader.share);
  const double seconds = reader.share * f.inside;
  finding.title += ": most likely branches that nothing uses";
  finding.evidence += sentence(
      {" Most reading is in ", reader.name, ", ", format_core_seconds(seconds), " by the profile",
       (section.empty() ? "" : ", about as much as section " + section + " takes"), "."});
  finding.severity = f.share(seconds) >= notable_reading ? Severity::medium : Severity::low;
  finding.gain_core_seconds = seconds;
  return {std::move(finding).at_most(f.won_by_saving(seconds))};
}

// A basket lies across the border of two chunks, now and then of three. Read by three chunks each,
// on average, baskets are much larger than chunks.
constexpr double reads_again = 3;

std::vector<Finding> baskets_read_again(const Facts& f) {
  if (!chunk_bytes_collected(f.run)) return {};
  const FilesRead files(f.run);
  const double times = ratio(files.chunk_bytes, files.branch_bytes);
  if (!(times >= reads_again)) return {};
  // Code that reads and unpacks does so that many times; without a profile nobody knows for how
  // long.
  const double seconds = reading_code_share(f.run) * f.inside * (1 - 1 / times);
  Finding finding;
  finding.id = "baskets-read-again";
  finding.title = sentence({"The same baskets are read ", format_number(times), " times"});
  finding.evidence =
      sentence({"Chunks read ", format_bytes(files.chunk_bytes), " from branches that hold ",
                format_bytes(files.branch_bytes),
                ": baskets are much larger than chunks, and each chunk reads and unpacks all those "
                "that it overlaps. Larger chunks, or files with smaller baskets, read less.",
                (is_absent(seconds) ? std::string()
                                    : " Reading and unpacking again took about " +
                                          format_core_seconds(seconds) + " by the profile.")});
  finding.severity = f.share(seconds) >= notable_reading ? Severity::medium : Severity::low;
  finding.view = "Input";
  finding.gain_core_seconds = seconds;
  return {std::move(finding).at_most(f.won_by_saving(seconds))};
}

// Files of a dataset that were written alike are compressed alike, to a hundredth or so: another
// codec, or another level of it, is a tenth and more away.
constexpr double compressed_otherwise = 0.15;
constexpr double compressed_alike = 0.02;
constexpr std::size_t enough_files = 3;
constexpr double worth_unpacking = 0.01;  // of the core-time

/// How most files of a dataset are compressed; absent where no value is that of most of them.
double usual_compression(std::vector<double> ratios) {
  // Of two different files nobody knows which one is as intended.
  if (ratios.size() < enough_files) return absent;
  const double usual = median_of(ratios);
  const auto alike =
      static_cast<std::size_t>(std::count_if(ratios.begin(), ratios.end(), [&](double r) {
        return std::fabs(r / usual - 1) < compressed_alike;
      }));
  return 2 * alike > ratios.size() ? usual : absent;
}

/// Files whose compression differs from that of their dataset's other files, and by how much their
/// chunks exceeded the time expected for their events.
std::vector<Finding> other_compression(const Facts& f) {
  const Chunks& c = f.run.chunks;
  const std::vector<FileFacts> files = find_file_facts(f.run, {});
  std::map<StringId, std::vector<double>> ratios;
  for (const FileFacts& file : files) {
    if (file.compression_ratio > 0) ratios[file.dataset].push_back(file.compression_ratio);
  }
  std::map<StringId, double> usual_of;
  for (auto& [dataset, of_files] : ratios)
    usual_of[dataset] = usual_compression(std::move(of_files));
  const ChunkGroups& groups = chunk_groups(f.run, ChunkKey::file);
  std::unordered_map<StringId, std::uint32_t> group_of;
  for (std::size_t i = 0; i < c.size(); ++i) group_of.emplace(c.file[i], groups.of[i]);
  const std::vector<double>& expected = expected_durations(f.run);
  std::vector<Finding> found;
  for (const FileFacts& file : files) {
    const auto group = group_of.find(file.name);
    if (!(file.compression_ratio > 0) || group == group_of.end()) continue;
    const double usual = usual_of[file.dataset];
    if (!(std::fabs(file.compression_ratio / usual - 1) >= compressed_otherwise)) continue;
    const auto excess = [&](std::uint32_t i) { return value_or(c.duration[i] - expected[i], 0); };
    double more = 0;
    for (const std::uint32_t i : groups.members(group->second)) more += excess(i);
    if (!(f.share(more) >= worth_unpacking)) continue;
    std::vector<double> saved(c.size(), 0);
    for (const std::uint32_t i : groups.members(group->second)) saved[i] = excess(i);
    const std::string name(f.run.text(file.name));
    Finding finding;
    finding.id = "codec";
    finding.title = sentence({"File ", name.substr(name.rfind('/') + 1),
                              " is compressed differently from the other files of its dataset"});
    finding.evidence = sentence(
        {"It is compressed to ", format_percent(file.compression_ratio),
         " of its size, the others of ", std::string(f.run.text(file.dataset)), " to ",
         format_percent(usual),
         ". Consistent with another codec or level: stronger compression (LZMA) takes longer to "
         "unpack. ",
         "Its chunks took ", format_core_seconds(more), " more than expected for their events."});
    finding.severity = f.share(more) >= notable_reading ? Severity::medium : Severity::low;
    finding.view = "Input";
    finding.selection.files = {name};
    finding.gain_core_seconds = more;
    found.push_back(std::move(finding).at_most(f.won_by_saving(saved)));
  }
  return found;
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
  return {
      {"cores-inflated",
       Severity::low,
       "The stored number of cores is too high",
       "total_cores " + format_number(stored) +
           " counts every worker ever seen; the time average is " + format_number(f.cores) +
           ". The stored core efficiency and rates per core are too low by the ratio of the two.",
       absent,
       "Summary",
       {}}};
}

}  // namespace

const std::vector<Rule>& data_rules() {
  static const std::vector<Rule> rules = {unaccounted,       reads_much,         baskets_read_again,
                                          other_compression, bytes_not_recorded, fine_tail,
                                          cores_inflated};
  return rules;
}

}  // namespace crema::diagnose
