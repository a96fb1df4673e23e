#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::runtime {

/// The chunks that a Selection leaves, and how much of each: `share[chunk]` is 0 for a chunk
/// outside, 1 for a whole one, and the part of its time inside the selected range for one that
/// overlaps its edge. Events, bytes and seconds are prorated by it (uniform inside a chunk);
/// durations stay whole (docs/meanings.md, Clocks).
struct ChunkSelection {
  std::vector<double> share;
  std::size_t count = 0;  ///< chunks with a share above 0
  bool all = true;        ///< nothing was left out

  ChunkSelection(const Run& run, const Selection& selection);
  bool operator[](std::size_t chunk) const { return share[chunk] > 0; }
  /// Σ share x value over present values; absent when no selected chunk has one.
  double prorated_sum(const std::vector<double>& values) const;
  /// The present values of selected chunks, whole.
  std::vector<double> whole(const std::vector<double>& values) const;
};

/// Whether a selection leaves chunks out by more than time: to select all datasets is to select
/// none.
bool selects_chunks(const Run& run, const Selection& selection);

/// [s] A chunk's time inside process(): t_end − t_start, its duration where it has no times, 0
/// where it has neither.
double chunk_seconds(const Run& run, std::size_t chunk);

/// The storage host that serves a file: of root://HOST[:port]/, https://HOST/, ...; "local" for a
/// path without a scheme.
std::string_view host_of(std::string_view file);

/// The host at which a file lies, behind any caches: of root://CACHE//root://ORIGIN//path the
/// ORIGIN. Without a nested address the same as `host_of`.
std::string_view site_of(std::string_view file);

/// Whether workers are selected and chunk numbers are of all: which ran a chunk was not recorded.
bool are_of_all_workers(const Run& run, const Selection& selection);

/// What of a selection cannot narrow chunk numbers, as a sentence for the note "selection"; empty
/// when all can.
std::string chunk_selection_note(const Run& run, const Selection& selection);

/// Whether the run's chunks tell how much they read: false when all say 0 (0.1.0, memory-mapped
/// files) or nothing.
bool chunk_bytes_collected(const Run& run);

/// What chunks can be grouped by.
enum class ChunkKey : std::uint8_t {
  dataset,
  file,
  host,
  site,
  compression  ///< of the file, in tenths of its uncompressed size; codecs are not recorded
};

/// The chunks of a run in groups, by name: the same order whatever is selected and whatever else is
/// open.
struct ChunkGroups {
  std::vector<std::string_view> name;  ///< ascending; "" of chunks whose record does not say
  std::vector<std::uint32_t> of;       ///< the group of each chunk
  /// where a group's members begin; one more than there are groups
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> chunk;  ///< the members, group after group, in recorded order

  std::size_t size() const { return name.size(); }
  std::span<const std::uint32_t> members(std::size_t group) const {
    return {chunk.data() + first[group], chunk.data() + first[group + 1]};
  }
};

/// Kept by the run: names are looked at once, however often chunks are grouped.
const ChunkGroups& chunk_groups(const Run& run, ChunkKey key);

/// A number that each chunk has. A new one is a line in `chunk_columns.cpp`: `chunks` then has it,
/// selections know its ranges, `distribution` and the page's axes offer it.
struct ChunkColumn {
  const char* name;
  const char* unit;
  const char* formula = "";  ///< of what the record does not say itself
  bool is_flag = false;      ///< 0 or 1
  // One value per chunk; of the two, one is there.
  std::vector<double> Chunks::*recorded = nullptr;
  std::vector<double> (*made)(const Run& run) = nullptr;
};

/// In the order in which `chunks` has them; sections and custom numbers are not among them.
std::span<const ChunkColumn> all_chunk_columns();

/// Stands before the name of a custom number that is called like a column of ours.
inline constexpr std::string_view custom_prefix = "custom.";

/// A section's values as a column of `chunks`: what stands before the section's name, by the kind
/// of value.
std::string_view section_prefix(SectionValue::Kind kind);

/// A section in one unit, and its value in each chunk; absent where a chunk does not have it. Names
/// that were used several times in a chunk are summed.
struct SectionColumn {
  std::string name;  ///< "section:fill", "section_memory:fill", "section_bytes:fill"
  const char* unit;  ///< "s" or "byte"
  std::vector<double> values;
};

/// Every section in every unit in which it was recorded, in order of first appearance: the first
/// `most_sections` of them.
std::vector<SectionColumn> section_columns(const Run& run);

/// How often a chunk entered a section at one place; a name may stand at several.
struct SectionEntry {
  std::uint32_t chunk;
  StringId section;
  double times;
};
/// Of all chunks, one chunk's after another's; none where tasks did not record it. Source: `calls`
/// of recorded sections (docs/format.md).
std::vector<SectionEntry> section_entries(const Run& run);

/// The rows of the attempts at chunks, in their order.
const std::vector<std::size_t>& rows_of_chunks(const Run& run);
/// Likewise of the tasks that look at a file ahead of its chunks.
const std::vector<std::size_t>& rows_of_files(const Run& run);
/// Σ over these rows; absent where none tells.
double sum_of_rows(const Run& run, const std::vector<std::size_t>& rows,
                   recorded_columns::Task column);

/// What `crema.record` measured of the task that ran each chunk; absent where that is not known,
/// empty where it is of none.
std::vector<double> measured_of_chunks(const Run& run, recorded_columns::Task column);

/// What `crema.record` measured of the task that ran each chunk, as columns of `chunks`
/// ("task:cpu"): those that any chunk has.
std::vector<SectionColumn> task_columns(const Run& run);
inline constexpr std::string_view task_prefix = "task:";

/// A name per chunk would make as many columns as there are chunks.
inline constexpr std::size_t most_sections = 256;

/// The numbers of a column of the `chunks` question, one per chunk; throws Failure (bad_selection)
/// for a column that is not there or not numeric.
std::vector<double> chunk_column(const Run& run, std::string_view name);

/// The unit of a numeric column of `chunks`; "" for a custom number, whose unit nobody knows.
std::string_view chunk_column_unit(std::string_view name);

/// Chunks with both their times in the order in which they began, then ended. Kept by the run.
const std::vector<std::uint32_t>& chunks_by_start(const Run& run);

/// Lane of each chunk by greedy packing: the lowest lane that is free when it starts. Chunks carry
/// no worker: lanes are inferred (docs/meanings.md, Lanes). Absent for chunks without times. Kept
/// by the run, as the two below.
const std::vector<double>& pack_lanes(const Run& run);

/// Whether each chunk began while its worker's first one ran: a worker imports and compiles then,
/// whatever it was given. Of unknown workers none.
std::vector<bool> first_of_workers(const Run& run);

/// Mean number of chunks inside process() whose files are of the same host, over each chunk's time,
/// itself included: what it shared the host with. Absent for chunks without times or file.
const std::vector<double>& host_loads(const Run& run);

/// Whether chunks of one dataset differ enough in events for a line to tell a fixed cost from one
/// per event: the middle 80 % by a factor of 1.5. Equal chunks would make everything look fixed.
bool sizes_differ(std::span<const double> events);

/// What each chunk would be expected to take [s], by its dataset and events: the dataset's robust
/// line (fixed cost and slope) where its chunks differ in size, else its median seconds per event.
/// Absent without events, or with fewer than `outlier_least` chunks in the dataset.
inline constexpr std::size_t outlier_least = 8;
const std::vector<double>& expected_durations(const Run& run);

/// The present ones of these chunks' values.
std::vector<double> picked(const std::vector<double>& values,
                           std::span<const std::uint32_t> chunks);

/// So many of a dataset's other chunks say what its chunks take.
inline constexpr std::size_t least_others = 3;

/// Chunks held against their like, by `seconds` of each: how long a group took against the other
/// chunks of its datasets, which is one number wherever it is said of a file or a worker.
class Paces {
 public:
  std::vector<double> logs;   ///< natural log of the amount for each, by chunk
  std::vector<double> usual;  ///< their median, by dataset

  /// Of `amounts` by chunk (seconds, waiting) for each of `count` (events, requests).
  Paces(const Run& run, const std::vector<double>& amounts, const std::vector<double>& count);
  /// Each of these chunks [natural log] against the median of its dataset's chunks that are not
  /// among them; without those of which that is unknown.
  std::vector<double> against_others(std::span<const std::uint32_t> chunks) const;
  /// How many times as long they took per event, by the median; absent where unknown.
  double times_others(std::span<const std::uint32_t> chunks) const;

 private:
  const ChunkGroups& datasets_;
};

/// 1 for a chunk that took more than `outlier_factor` x as long as expected, 0 otherwise; absent
/// where nothing is expected.
inline constexpr double outlier_factor = 3;
const std::vector<double>& outliers(const Run& run);

/// 1 for a chunk that took less than `early_factor` x as long as expected: its process() most
/// likely returned early. 0 otherwise; absent where nothing is expected.
inline constexpr double early_factor = 0.2;
const std::vector<double>& early_ends(const Run& run);

/// Seconds per section over the selected chunks, in order of first appearance.
struct SectionSums {
  std::vector<std::pair<std::string, double>> seconds;
  bool may_overlap = false;  ///< in some chunk the sections exceed the duration: nested, or used
                             ///< twice (docs/meanings.md, Sections)
};
/// Whether the sections of a chunk come to more than its duration: clocks of a section and of its
/// chunk are read at different moments, so that a thousandth is no overlap.
bool sections_exceed(double sections, double duration);

SectionSums sum_sections(const Run& run, const ChunkSelection& chosen);

/// What is known of one input file that selected chunks read. Facts of a file are stated with it,
/// or repeated in each of its chunks: then the first chunk's counts, as in roastcoffea.
struct FileFacts {
  StringId name = no_string;
  StringId dataset = no_string;       ///< of its first chunk
  double compression_ratio = absent;  ///< compressed / uncompressed
  double branches_total = absent;
  double branches_read = absent;
  double branches_read_fraction = absent;
  double tree_bytes = absent;  ///< [byte]
  double bytes_read = absent;  ///< [byte] of the branches that were read
  double bytes_read_fraction = absent;
  double chunks = 0;            ///< selected ones
  double chunk_bytes = absent;  ///< [byte] that its selected chunks read inside process(); absent
                                ///< where not collected
  /// chunk_bytes / bytes_read: more than 1 = read again; absent where only some of its chunks are
  /// selected
  double times_read = absent;
  double seconds = 0;            ///< [s] of its selected chunks
  double times_others = absent;  ///< by `Paces`, of its selected chunks
};

/// What the selected chunks read of one branch, by `crema.record`'s rows, cut to the selected time.
struct BranchReads {
  StringId branch = no_string;
  double baskets = absent;
  double compressed = absent, uncompressed = absent;  ///< [byte] of these baskets
  double outside = absent;     ///< [byte] of `compressed`, of events that are not the chunk's
  double requests = absent;    ///< of this branch alone; absent where branches were read in bulk
  double requested = absent;   ///< [byte]
  double wait = absent;        ///< [s] for its bytes
  double cpu = absent;         ///< [s] of reading it
  StringId codec = no_string;  ///< "ZSTD level 3"; no_string where files differ
};

/// In order of first appearance; empty where branches were not recorded one by one.
std::vector<BranchReads> branch_reads(const Run& run, const ChunkSelection& chosen);

/// [byte] By chunk, what its branches hold of its own events, compressed. Empty likewise.
std::vector<double> branch_bytes(const Run& run);

/// How many times as many unpacked bytes the events of a dataset hold in a branch as those of any
/// other dataset that reads it: the most that branches with half of its bytes reach. `dataset` as
/// in `chunk_groups`. Absent where rows of tasks do not tell, or no other reads the same.
double dataset_content(const Run& run, std::uint32_t dataset);

/// One per file with metadata, in recorded order, then files that only chunks name.
std::vector<FileFacts> find_file_facts(const Run& run, const Selection& selection);
/// Of the whole run, kept by it.
const std::vector<FileFacts>& find_file_facts(const Run& run);

/// Work items coffea submitted (`report["chunks"]`): from the report, the nested schema's own
/// field, or recovered as total_cpu_time / avg_cpu_time_per_chunk (docs/meanings.md, Chunk counts).
/// Absent when none of these is there.
double report_num_chunks(const Run& run);

/// Chunk records, or the stored count when there is no chunk list (no decorator). Absent when
/// neither is there.
double recorded_num_chunks(const Run& run);

/// The share of the events that coffea reports which the chunk list has; absent when either is not
/// known.
double listed_share_of_events(const Run& run);

/// Chunks ran that the list does not have: their events are in coffea's report. Sums over the list
/// are then less than the run's. Chunks that coffea skipped are in neither.
bool chunk_list_is_cut(const Run& run);

/// Chunks submitted that left no record, at least 0. Absent when one of the two counts is, and when
/// the list is cut: what was not read is not lost.
double lost_num_chunks(const Run& run);

/// Totals of the whole run, as coffea reported them: metrics.json's own, else the report's; absent
/// otherwise.
double total_bytes_read(const Run& run);
double total_process_time(const Run& run);  ///< [s], falls back to the sum over chunks
double total_events(const Run& run);        ///< falls back to the sum over chunks

/// Number of chunks inside process() over time, exactly: a step at each start and end. Kept by the
/// run.
const Steps& chunk_steps(const Run& run);

/// The same with executions of the task stream, from their begin to their end.
Steps chunk_steps_with(const Run& run, std::span<const std::size_t> tasks);

}  // namespace crema::runtime
