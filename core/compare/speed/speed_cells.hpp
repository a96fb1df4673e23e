#pragma once

#include <set>

#include "core/compare/speed_ratio.hpp"
#include "core/stats/robust.hpp"

namespace crema::compare {

using namespace runtime;

/// "a.root and 2 more", of that many files.
inline std::string first_of(const std::string& name, std::size_t files) {
  return files < 2 ? name : name + " and " + std::to_string(files - 1) + " more";
}

/// The chunks of two runs, each against what A makes one expect of it. A column is a section; then
/// come what the sections leave and, last, the whole duration.
struct ChunkRatios {
  /// A chunk of B (or, where chunks do not pair, of either run).
  static constexpr std::size_t no_worker = ~std::size_t{0};
  struct Entry {
    std::size_t dataset, file, chunk;
    bool of_b = true;
    std::size_t worker = no_worker;    ///< that ran it, of B
    std::size_t worker_a = no_worker;  ///< that ran its pair, numbered for itself
    std::vector<double> ratios{};      ///< natural log, by column
    std::vector<double> seconds;       ///< by column
    std::vector<double> seconds_a{};   ///< of its pair
    std::size_t chunk_a = 0;           ///< which is this chunk of A
    bool is_first_a = false,
         is_first_b = false;  ///< of its worker, in each run; of chunks that pair
    double apart = absent;    ///< the ratio of its whole, where it says nothing of its dataset

    bool is_first() const { return is_first_a || is_first_b; }
    bool is_of_other_file = false;  ///< than in A, where other chunks' files are the same
  };

  std::vector<std::string> datasets, files;
  std::vector<SectionId> sections;   ///< the last one is what the others leave
  std::vector<std::string> workers;  ///< of B, as people know them, where a task stream tells
  std::size_t columns = 0;
  std::vector<std::size_t> parts;  ///< columns that are judged: sections and their rest, or, where
                                   ///< a run has no sections, process()
  std::vector<Entry> entries;
  bool paired = false;
  bool overlap = false;         ///< sections lie in each other, or were entered twice: no sum
  double resized = 0;           ///< log(events per chunk in B / in A); 0 where paired
  std::vector<double> allowed;  ///< by dataset x column: of |ratio|, what is open between a cost
                                ///< per chunk and a cost per event; empty where paired

  std::size_t whole() const { return columns - 1; }
  double may(std::size_t dataset, std::size_t column) const {
    return allowed.empty() ? 0 : allowed[dataset * columns + column];
  }

  /// The same without the chunks of some workers.
  ChunkRatios without(const std::set<std::size_t>& left_out) const;
};

/// Pairs chunks by dataset, file and entry range where most of both runs match; else each is held
/// against A's own line of seconds on events. Without entries where one run has no chunks.
ChunkRatios chunk_ratios(const Run& a, const ChunkSelection& in_a, const Run& b,
                         const ChunkSelection& in_b);

// The chunks of two runs in cells, a section of a dataset each, and how they spread: what a speed
// ratio is found in.

inline constexpr double least_error = 0.002;     // a ratio of seconds is hardly known better
inline constexpr std::size_t worker_chunks = 4;  // chunks that make a worker's level its own

/// The chunks of a cell: a column of a dataset or of a file.
struct Cell {
  double typical = absent;  // median of its chunks' ratios
  double count = 0;         // of chunks, as for one mean
  double seconds_a = 0, seconds_b = 0;
  double expected = 0;  // of B's chunks, by A [s]
  std::size_t chunks = 0;
};

/// The chunks that are compared, by cell; `cells_of` fills it once.
struct Cells {
  using Entry = ChunkRatios::Entry;

  const Run& b;
  const ChunkRatios& ratios;
  std::vector<std::vector<const Entry*>> of_dataset{}, of_file{};
  /// those of B, in its order of time and, of chunks that pair, in A's; where times are recorded
  std::vector<std::vector<const Entry*>> in_time{};
  std::vector<Cell> cells{};  // by dataset x column
  std::vector<Cell> files{};  // the whole duration of each file's chunks
  /// what whole chunks of each dataset, file and worker are off by, of those with chunks enough
  std::vector<double> dataset_level{}, file_level{}, of_worker{};

  double began(const Entry* e) const { return value_or(b.chunks.t_start[e->chunk], 0); }

  const Cell& cell_of(std::size_t dataset, std::size_t column) const {
    return cells[dataset * ratios.columns + column];
  }

  double worker_level(const Entry& e) const {
    return e.worker < of_worker.size() ? of_worker[e.worker] : 0;
  }

  /// What a chunk's whole ratio would be by its file or, where that has few chunks, its dataset:
  /// what the chunks of one file have in common is no spread from chunk to chunk. Where chunks do
  /// not pair, files differ from file to file, and no change of a file is among that.
  double usual_of(const Entry& e) const;

  /// How far a chunk's part is off what is usual in its dataset.
  double away(const Entry& e, std::size_t s) const {
    return e.ratios[s] - (e.of_b ? cell_of(e.dataset, s).typical : 0);
  }

  /// Whether a dataset's chunks are all what workers began with: nothing tells how it changed.
  bool is_of_firsts(std::size_t dataset) const {
    const auto& entries = of_dataset[dataset];
    return all_of(entries, [](const Entry* e) { return e->is_first(); });
  }

  /// What all parts of a chunk are off by.
  double own_of(const Entry& e) const;
};
Cells cells_of(const Run& a, const Run& b, const ChunkRatios& ratios);

/// How chunks and their parts spread.
struct CellNoise {
  double whole = 0;            // spread of a chunk's duration about its like
  double whole_dof = 1;        // degrees of freedom behind it
  double autocorrelation = 0;  // what of that the mean of many keeps, as a share of it
  double dof = 0;
  std::vector<double> part;  // by column: spread of a part about its chunk's others
  double part_autocorrelation = 0;
  double part_dof = 0;

  double variance(double count) const {
    return stats::squared(whole) *
           (stats::median_variance_ratio / std::max(count, 1.0) + autocorrelation);
  }
  double part_variance(std::size_t s, double count) const {
    return stats::squared(part[s]) *
           (stats::median_variance_ratio / std::max(count, 1.0) + part_autocorrelation);
  }
};
CellNoise noise_of(const Cells& cells);

/// Variance of what follows the speed ratio in its own way: a dataset or a file, and a section.
inline double group_variance(const SpeedRatio& speed) {
  return stats::squared(speed.between_place_spread) + stats::squared(least_error);
}
inline double section_variance(const SpeedRatio& speed) {
  return stats::squared(speed.between_group_spread) + stats::squared(least_error);
}

/// What all work has in common: the factor and its error. `voters` are columns that say what it is.
void find_factor(SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
                 const std::vector<std::size_t>& voters, double run_spread);

/// Spread of what sections of datasets did against the factor and their dataset, beyond chance: a
/// section that changed alone is not in it, what makes each follow its own way is.
double spread_of_sections(const SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
                          const std::vector<std::size_t>& voters);

/// By how much all of a dataset moved against the factor.
double moved(std::size_t dataset, const SpeedRatio& speed, const Cells& cells,
             const CellNoise& noise, const std::vector<std::size_t>& voters);

// What changed against the common factor, part by part. Each adds its effects to the speed ratio,
// whose factor is known by then.

/// Datasets, what they did evenly, sections, and sections of datasets.
void add_datasets_and_sections(SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
                               const std::vector<std::size_t>& voters);

void add_files_and_hosts(SpeedRatio& speed, const Cells& cells, const CellNoise& noise);

/// Workers ran parts of all that there is: what they have in common is their own agreement, not
/// that of cells, in which all of them are.
void add_workers(SpeedRatio& speed, const Cells& cells, const CellNoise& noise, double run_spread);

/// What workers' first chunks took beyond other chunks of their datasets, in B beyond A: a worker
/// imports, compiles and opens meanwhile, whatever it was given.
void add_first_chunks(SpeedRatio& speed, const Cells& cells, const CellNoise& noise);

/// Single chunks that took far more than their like: no noise of a sum, and no change of it.
void add_stragglers(SpeedRatio& speed, const Cells& cells, const CellNoise& noise);

/// What B's tasks did more of in process() than A's, by the clocks of their threads: measured, not
/// judged. All kinds sum to the change of the time in process().
struct MeasuredTime {
  enum class Kind : std::uint8_t { computing, for_cpu, for_input, waiting };
  Kind kind = Kind::computing;  ///< `waiting`: for what is not recorded
  double seconds = 0;           ///< [core-s] more in B
  double error = absent;        ///< its standard error, by the spread of chunks
  /// Of waiting that is no chance: the worker that has most of it and not most of the chunks, of
  /// input the host or the dataset; absent where none has.
  std::optional<PartId> place{};
};

/// What is known of runs whose tasks `crema.record` measured.
struct MeasuredChange {
  std::vector<MeasuredTime> times{};  ///< largest first; empty where a run was not measured
  /// CPUs that programs beside the workers used more of in B, on average, the client's too; absent
  /// where no machine tells
  double others = absent;
  /// Where the processor's tasks took most of what they took longer beside process(), but for those
  /// that workers began with: files that were exchanged, a file or a dataset, of few of the chunks.
  std::optional<PartId> beside{};
  /// [core-s] that chunks of a dataset or of a file waited longer for a CPU: as the kernel says,
  /// or, where it was not asked and other programs used more CPUs, for what is not recorded.
  std::map<PartId, double> for_cpu{};
};
MeasuredChange measured_change(std::span<const Run* const> a, std::span<const Run* const> b,
                               std::span<const ChunkSelection> chosen);

/// Less is not worth a word.
inline constexpr double much_others = 0.25;  // CPUs

}  // namespace crema::compare
