#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"
#include "core/runtime/chunks.hpp"

// The ratio of the machines' speeds, and what changed against it. What is assumed here, because one
// run a side cannot tell it, is written down in numbers with names.

namespace crema::compare {

using namespace runtime;

/// SpeedRatio drifts while a run goes on: the mean of many chunks stays this part of the spread
/// from chunk to chunk away from the truth, however many they are. Noise with equal power in each
/// octave of time (flicker noise) does so. The means of datasets of the same replicates had 0.6;
/// where the chunks themselves tell that less of their noise lasts, less is taken
/// (`Autocorrelation`).
inline constexpr double autocorrelated_share = 0.6;

/// A slower machine does not slow all work alike: sections followed it to within this part of
/// its change (same replicates).
inline constexpr double between_group_spread = 0.25;

/// The logarithmic mean of two positive numbers: their difference / the logarithm of their ratio.
/// With it an error of that logarithm is one of the difference, and both are as many of theirs.
double log_mean(double x, double y);

/// A section by its name, or what the named sections leave of process(). A section may have any
/// name: the remainder is told from it by kind.
struct SectionId {
  std::string name{};
  bool is_remainder = false;

  bool operator==(const SectionId&) const = default;
  // Spelled out, here and in other identities, since older libraries do not order strings by <=>.
  bool operator<(const SectionId& other) const {
    return std::tie(name, is_remainder) < std::tie(other.name, other.is_remainder);
  }
};

/// What differs between two set-ups and affects all work, though not all of it equally.
struct ConfigDifference {
  double threads = 0;  ///< log(cores of B / of A): work that computes meets contention
  bool input = false;  ///< files are elsewhere: work that reads waits otherwise
  /// threads of workers or of libraries, usable CPUs: what shares an interpreter or a core waits
  /// for it, each part in its own way
  bool layout = false;

  bool any() const { return threads != 0 || input || layout; }
};

/// Which part of the work something is about. Names are labels and may be empty; what a part is
/// not of is absent.
struct PartId {
  enum class Kind : std::uint8_t {
    cell,
    chunk,
    dataset,
    evenly,
    file,
    first_chunks,  ///< those that workers began with, in either run
    host,
    other_files,  ///< those that only one of the runs has, beside files that both have
    section,
    worker,
  };
  Kind kind = Kind::dataset;
  std::optional<std::string> dataset{};  ///< of a dataset, what it did evenly, a cell, a chunk
  std::optional<SectionId> section{};    ///< of a section, a cell
  std::string place{};                   ///< the name of a file, host or worker; a chunk's entries

  bool operator==(const PartId&) const = default;
  bool operator<(const PartId& other) const {
    return std::tie(kind, dataset, section, place) <
           std::tie(other.kind, other.dataset, other.section, other.place);
  }
};

/// How a part of the work changed against the common factor. Ratios are natural logarithms.
struct Effect {
  using Kind = PartId::Kind;
  PartId id;
  /// The dataset that all of a file, or of a host, belongs to; the part's own dataset otherwise.
  std::optional<std::string> dataset{};
  std::optional<SectionId>
      section{};              ///< likewise: most of what a chunk, or first chunks, did more
  double log_ratio = absent;  ///< seconds in B / (seconds in A x common factor); infinite
                              ///< where only one run has it
  double error = absent;      ///< standard error of `log_ratio`
  double dof = std::numeric_limits<double>::infinity();
  double allowed = 0;         ///< of |log_ratio|, what another chunk size can explain
  bool is_of_moment = false;  ///< a stretch of time explains it better than the part does,
  bool is_of_cpu = false;     ///< or that its chunks waited for a CPU, which is nothing of theirs
  double seconds_a = 0, seconds_b = 0;
  std::size_t chunks = 0;
  bool is_significant = false;  ///< it changed, beyond chance, with all other parts in mind

  /// [s] more in B than the common factor explains.
  double excess() const;
  double excess_error() const;
  /// What `excess` must be beyond to be told where a p-value up to `level` decides [s].
  double margin(double level) const;
  /// How many errors it is beyond what is allowed.
  double errors() const;
  /// How often chance alone does that.
  double p_value() const;
};

/// The speed of run B against run A, from chunks: paired by file and entry range where most of both
/// runs match, else each dataset's by A's own line of seconds on events.
struct SpeedRatio {
  double factor = absent;  ///< natural log of the common factor; absent: no chunks to compare
  double error = absent;   ///< its standard error within these two runs
  bool paired = false;
  bool overlap =
      false;           ///< sections lie in each other, or one was recorded twice: they have no sum
  double resized = 0;  ///< log(events per chunk in B / in A); 0 where paired
  double seconds_a = 0, seconds_b = 0;  ///< of the chunks that were compared
  double section_noise = 0;             ///< spread of a section from chunk to chunk, typical
  double between_group_spread =
      0;  ///< spread of log_ratio of sections that follow the speed in their own way
  double between_place_spread = 0;  ///< likewise of datasets, files, hosts and workers
  double oversubscription_allowance =
      0;                           ///< of log_ratio, what threads in each other's way can explain
  double level_of_rows = absent;   ///< up to which p-value a dataset, section or host is told,
  double level_of_finer = absent;  ///< and what is finer: corrected for all that were tested
  std::vector<double> inside;      ///< [s] in B, by chunk of A; absent where it has no pair
  std::map<PartId, Effect> parts;

  bool known() const { return !is_absent(factor); }
  const Effect* find(const PartId& id) const;
};

/// `run_spread` is the assumed spread of a run's speed, which the common factor is expected within.
/// Where the set-ups differ, a section may follow the change of all work or not at all, and where
/// n times as many threads are slower, computing by up to n times: it has a verdict beyond that.
SpeedRatio compare_speed(const Run& a, const ChunkSelection& in_a, const Run& b,
                         const ChunkSelection& in_b, double run_spread,
                         const ConfigDifference& config = {});

}  // namespace crema::compare
