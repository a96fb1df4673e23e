#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/compare/comparison.hpp"
#include "core/compare/part_seconds.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::compare {

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

}  // namespace crema::compare
