#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"

namespace crema::runtime {

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

/// 1 for a chunk that took more than `outlier_factor` x as long as expected, 0 otherwise; absent
/// where nothing is expected.
inline constexpr double outlier_factor = 3;
const std::vector<double>& outliers(const Run& run);

/// 1 for a chunk that took less than `early_factor` x as long as expected: its process() most
/// likely returned early. 0 otherwise; absent where nothing is expected.
inline constexpr double early_factor = 0.2;
const std::vector<double>& early_ends(const Run& run);

}  // namespace crema::runtime
