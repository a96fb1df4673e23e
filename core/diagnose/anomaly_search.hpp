#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/diagnose/diagnose.hpp"
#include "core/runtime/chunks.hpp"

// The passes of the search for anomalies: groups of the run's chunks → a round's measurements →
// candidates → the one that is reported, whose excess is taken out before the next round.
namespace crema::diagnose {

using Members = std::span<const std::uint32_t>;

/// Seconds of sections by chunk, each under the section's own name.
std::vector<runtime::SectionColumn> section_seconds(const Run& run);

/// The section with most of what would be `saved` [s] of each chunk: against its usual part of a
/// chunk that takes as long as its like; "" where none has most of it.
std::string slowest_section(const Run& run, const std::vector<double>& saved);

/// Chunks that may be slow together.
struct CandidateGroup {
  Anomaly::Kind kind;
  std::string_view name;
  Members chunks;
  double files = 0;  ///< different ones, of hosts and sites at least the moments at which they ran
};

/// What does not change from round to round.
struct SearchedChunks {
  const Run& run;
  const runtime::ChunkGroups& datasets;
  const runtime::ChunkGroups& files;
  std::vector<std::vector<std::uint32_t>> kept;  ///< members that groups below refer to
  std::vector<CandidateGroup> groups;            ///< hosts, sites, workers, datasets, files
  std::vector<double> files_of;                  ///< how many, by dataset
  std::vector<runtime::SectionColumn> sections;  ///< their seconds, by name
  std::vector<std::size_t> worker;  ///< of each chunk, in the run's; empty where none is known
  std::vector<bool> is_warm_up;     ///< what workers began with: they import and compile meanwhile
  double core_seconds = 0;          ///< of all chunks
  /// [s] for which each chunk waited for its requests of input, and for a CPU, their number, and
  /// how long its task took; empty without rows.
  std::vector<double> for_input, for_cpu, requests, wall;
  /// [s] of CPU that other threads of its process used meanwhile, of tasks that ran alone in it.
  std::vector<double> beside;
  /// [s] for which it read events, and the ranges of files and bytes that it asked for.
  std::vector<double> reading, ranges, range_bytes;

  explicit SearchedChunks(const Run& of);
};

/// What no anomaly explains yet.
struct Unexplained {
  std::vector<double> seconds;          ///< by chunk
  std::vector<bool> is_part_explained;  ///< by chunk
};

/// A group that is held against its like.
struct Candidate {
  Anomaly::Kind kind;
  std::string_view name;
  Members chunks;
  std::size_t section = 0;    ///< of a section
  bool stands_alone = false;  ///< a host that shares no dataset with another
  double log_factor = absent;
  double tested = absent;  ///< [natural log] what is held against `error`, where not `log_factor`
  double error = absent;
  double dof = 0;    ///< from which the error is known
  double tries = 1;  ///< among how many it was picked
  double core_seconds = 0;
};

/// The chunks of each worker in the order in which it ran them, of workers with enough of them.
using WorkerOrders = std::vector<std::vector<std::uint32_t>>;

/// The anomaly with what is saved of each chunk, where it costs enough.
std::optional<Anomaly> of_order(const SearchedChunks& searched, Anomaly::Kind kind,
                                std::vector<double> factors, std::vector<double> saved);

/// Whatever of chunks takes longer with every one that a worker has done: a part of process()
/// against the rest, else all of it.
std::optional<Anomaly> longer_with_each(const SearchedChunks& searched, const WorkerOrders& orders);

/// All groups that have enough chunks to be judged.
std::vector<Candidate> find_candidates(const SearchedChunks& searched, const Unexplained& left);

/// A wrong culprit costs more than many missed ones: one healthy run of a hundred may have one.
inline constexpr double false_anomalies = 0.01;

/// Datasets, their sections and what is in files may be meant to differ: half as long again is
/// worth a question. How far groups differ by chance, the run itself tells.
constexpr double worth_asking = 1.5;

/// What there is to know of a kind of group.
struct KindFields {
  FindingCause cause;
  /// That can agree: a slow worker has run few, and a file and a dataset have few.
  std::size_t least_chunks;
  /// What it must cost, as a share of the time in process(): a fiftieth is worth reporting; a
  /// twentieth where it may be intended, or usual in part, as is the import of packages in first
  /// chunks; and a tenth for moments, which may never come again.
  double least_cost;
  std::vector<std::string> Selection::*selects = nullptr;  ///< by its name; a section its dataset
  bool may_be_intended = false;
};
inline constexpr KindFields all_kinds[] = {
    {FindingCause::slow_host, runtime::outlier_least, 0.02, &Selection::hosts},
    {FindingCause::slow_site, runtime::outlier_least, 0.02, &Selection::hosts},
    {FindingCause::slow_worker, 5, 0.02, &Selection::workers},
    {FindingCause::slow_dataset, 5, 0.05, &Selection::datasets, true},
    {FindingCause::slow_cell, 3, 0.05, &Selection::datasets, true},
    {FindingCause::slow_file, runtime::least_others, 0.02, &Selection::files},
    {FindingCause::slow_half, runtime::outlier_least, 0.05, nullptr, true},
    {FindingCause::slow_moment, runtime::outlier_least, 0.1},
    {FindingCause::first_chunks, runtime::outlier_least, 0.05},
    {FindingCause::longer_with_each, runtime::outlier_least, 0.05},
    {FindingCause::first_of_files, runtime::outlier_least, 0.05},
};
constexpr const KindFields& fields_of(Anomaly::Kind kind) {
  return all_kinds[static_cast<std::size_t>(kind)];
}

}  // namespace crema::diagnose
