#pragma once

#include "core/compare/sides.hpp"

namespace crema::compare {

struct SectionSeconds {
  SectionId id;
  double seconds = 0;  ///< [core-s]
};

struct DatasetSeconds {
  std::string name;         ///< empty where chunks do not say
  double seconds = absent;  ///< [core-s] inside process()
  std::vector<SectionSeconds> sections{};
};

/// What selected chunks spent inside process(), cut along each dimension. Chunks at the edge of the
/// selected time count in part. Sections are listed in order of first appearance, their remainder
/// last; it is left out where sections overlap, because it cannot be computed then.
struct PartSeconds {
  std::vector<DatasetSeconds> datasets{};
  std::vector<SectionSeconds> sections{};  ///< of all datasets
  std::vector<std::pair<std::string, double>> hosts{};
  bool overlap = false;  ///< sections lie in each other: they have no sum
};

PartSeconds part_seconds(const Run& run, const ChunkSelection& chosen);

/// Events of each dataset by its chunks; "" of those that do not say.
std::map<std::string_view, double> events_by_dataset(const Run& run);

/// One of the runs of a comparison, with what its rows are made of.
struct ComparedRun {
  const Run& run;
  Selection selection;
  Options options;
  runtime::Budget budget;
  PartSeconds parts;
  double events;
  double scale;  ///< from core-seconds to what is compared

  ComparedRun(const Run& of, const Selection& narrowed, const Options& given, Per per);

  /// Core-seconds as compared.
  Side seconds(double core_seconds) const;
};

/// "s", "s/10⁶ events", "1"
std::string unit_of(Per per);

/// All runs of a comparison, the first `of_a` of them A; throws Failure where one has nothing to
/// compare per.
std::vector<ComparedRun> compared_runs(std::span<const Run* const> runs, std::size_t of_a,
                                       const Selection& selection, const Options& options);

/// The runs of one side.
using ComparedSide = std::span<const ComparedRun>;

/// Functions of the analysis by name and file, each with all that it calls: [core-s] that are
/// certainly of it, as `unclear` those that can be besides, and as `text` who calls it, a line
/// each.
using Subtrees = std::map<std::string, Side>;

/// The rows of a comparison: headline numbers, then groups. Groups are dimensions along which the
/// same core-time is cut: each begins with its total, and its rows' differences add up to the
/// total's. `not_compared` says of which groups only one side has any.
struct ComparedRows {
  std::vector<ComparedNumber> rows;
  std::vector<OnlyOneSide> not_compared;
  Subtrees functions_a, functions_b;  ///< means of the runs
  /// of own functions, what the tree of core-time says: it shares out samples whose innermost frame
  /// is not certain
  std::map<RowId, Side> shown_a, shown_b;
};
ComparedRows compared_rows(ComparedSide a, ComparedSide b, Per per);

/// Own functions are judged by the samples that are certain; once they are, they are shown as in
/// the tree of core-time.
void show_as_in_tree(const ComparedRows& compared, double factor,
                     std::vector<ComparedNumber>& rows);

/// What of whole runs can be held against each other.
enum class Comparability : std::uint8_t {
  work,     ///< the same events: all
  mix,      ///< other amounts of the same: what is per event
  nothing,  ///< parts are missing, or other parts of it are there: nothing
};

Comparability comparability_of(std::span<const Run* const> a, std::span<const Run* const> b);

/// What the rows of a comparison are judged against.
struct Judge {
  const Explanation& explanation;
  double factor;     ///< B's amount of what changed as all work did / A's, as compared
  double core_time;  ///< of B, as compared
  bool has_replicates;
  Comparability runs;
  double run_spread;

  /// Gives each row its noise, by the source that its number declares, and says which differ with
  /// all of them in mind.
  void judge(std::vector<ComparedNumber>& rows) const;
};

/// The common factor, as a natural logarithm, of all but one function. Where one has most of the
/// time its change is in every chunk, and looks like a factor that all work has in common. Of the
/// two readings the one holds that leaves the smaller change for the rest. Absent where it is the
/// first.
double factor_beside_one(const ComparedRows& compared, const std::vector<ComparedNumber>& rows,
                         const Explanation& e);

/// What the profile says of the change: the smallest part of its call tree that certainly changed.
/// Where the innermost frames cannot be distinguished, a function's samples may be those of another
/// that is called beside it; the caller of both is certain. What all of process() is in tells
/// nothing of its own; there the seconds of sections, which are exact, are the bound.
void add_changed_function(const ComparedRows& compared, const std::vector<ComparedNumber>& rows,
                          double factor, double core_time, Explanation& e);

}  // namespace crema::compare
