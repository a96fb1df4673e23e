#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/profile/profile.hpp"
#include "core/report/notes.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/columns.hpp"

// The subjects, which answers are made from.
namespace crema::profile {}
namespace crema::runtime {}
namespace crema::predict {}
namespace crema::diagnose {}
namespace crema::compare {}
namespace crema::report {}

namespace crema::query {

using namespace crema::profile;
using namespace crema::runtime;
using namespace crema::predict;
using namespace crema::diagnose;
using namespace crema::compare;
using namespace crema::report;

/// The form of every answer: a pure function of a run, selection and options. It may throw Failure,
/// which Session hands out as an error.
using AnswerOfRun = Table (*)(const Run& run, const Selection& selection, const Options& options);
/// The same of several runs.
using AnswerOfRuns = Table (*)(std::span<const Run* const> runs, const Selection& selection,
                               const Options& options);

/// What a question takes.
struct QuestionTakes {
  std::vector<const Option*> options{};
  Selection::Dimensions narrowed_by =
      0;  ///< what of a Selection changes the answer; of the rest the note "selection" says so
  struct {
    std::size_t least = 1, most = 1;
  } run_count{};
  bool of_digests = false;    ///< it is asked of digests, too; of other questions they answer what
                              ///< they keep
  bool more_columns = false;  ///< there can be columns named after what the analysis calls its own
};

/// A question describes itself: command line, help, docs and the page's types are made from this.
/// One file in core/query and one line in list.hpp.
struct Question : QuestionTakes {
  std::string_view name;
  std::string_view
      about;  ///< what a row is, a fragment: "each branch: how many files and chunks read it"
  const Schema* columns;
  AnswerOfRun of_run = nullptr;  ///< or:
  AnswerOfRuns of_runs = nullptr;

  // Of an alias: what it is short for.
  std::string_view alias_of{};
  std::vector<std::pair<std::string_view, std::string_view>> given{};  ///< options that it sets
  std::string_view without{};  ///< a column that it leaves out

  template <class Answer>
  Question(std::string_view called, std::string_view rows, const Schema& has, Answer answer,
           QuestionTakes takes = {})
      : QuestionTakes(std::move(takes)), name(called), about(rows), columns(&has) {
    if constexpr (std::is_same_v<Answer, AnswerOfRun>) of_run = answer;
    else of_runs = answer;
  }

  /// `may_be_unmade`: the answer may be a Table whose cells are made while it is written.
  Table operator()(std::span<const Run* const> runs, const Selection& selection,
                   const Options& options, bool may_be_unmade = false) const;
};

inline constexpr std::size_t any_number = 10000;  ///< of runs

// What narrows whatever is made from chunks, from worker series, from call trees.
inline constexpr Selection::Dimensions chunk_dimensions =
    Selection::by_time | Selection::by_worker | Selection::of_chunks;
/// Of several runs: a worker is of one.
inline constexpr Selection::Dimensions compared_dimensions =
    Selection::by_time | Selection::of_chunks;
inline constexpr Selection::Dimensions worker_dimensions =
    Selection::by_time | Selection::by_worker;
inline constexpr Selection::Dimensions tree_dimensions =
    Selection::by_time | Selection::by_worker | Selection::by_prefix | Selection::by_dataset |
    Selection::by_file;  ///< the last two where samples know their task
inline constexpr Selection::Dimensions all_dimensions =
    chunk_dimensions | worker_dimensions | tree_dimensions;

/// All questions in the order of the list, then their aliases.
std::span<const Question* const> all();

/// Notes what core/report/notes.hpp has words for; `values` go where its text has "{}".
void say(Table& table, const report::AnswerNote& note,
         std::initializer_list<report::FillValue> values = {});

/// The question, or the alias, of that name; Failure unknown_question when there is none.
const Question& named(std::string_view name);

/// Of questions whose rows are bins of time.
constexpr Option time_bins_option(std::string_view fallback = "400", double most = 10000) {
  return count_option("bins", "number of time bins", fallback, {1, most});
}

/// Where rows can be split by dataset.
inline constexpr Option by_dataset_option =
    choice_option("by", "one row per dataset instead of one for all", "dataset");

/// What the core-time is split by: `runtime::CoreTimeSplit`.
inline constexpr Option core_time_by_option = choice_option(
    "by", "what process() is split by", "functions, datasets, sections, activities", "functions");
inline constexpr Option core_time_under_option =
    text_option("under", "id of a part; default: the whole");

// How a tree is drawn.
inline constexpr Option order_option = choice_option(
    "order", "order of siblings: heaviest first, by name, in time", "heavy, name, time", "heavy");
inline constexpr Option begin_option = number_option(
    "begin", "where the picture begins, as a fraction of the whole", "0", {0, 1}, "1");
inline constexpr Option end_option =
    number_option("end", "where the picture ends, as a fraction of the whole", "1", {0, 1}, "1");
inline constexpr Option min_fraction_option = number_option(
    "min_fraction", "leave out boxes narrower than this fraction of the whole", "0", {0, 1}, "1");
inline constexpr Option runs_option =
    flag_option("runs", "merge neighbouring boxes that are too narrow to be shown");
inline constexpr Option search_option = text_option("search", "a pattern; matches are marked");

/// Of files and of workers alike.
inline constexpr const char* times_others_formula =
    "median over its chunks of seconds per event / the median of their dataset's other chunks; "
    "what a finding names, as the finding says";

/// Of answers made of chunks: that there are none, and what a selection does not narrow.
void note_chunks(Table& table, const Run& run, const Selection& selection);
/// The second of these alone.
void note_chunk_selection(Table& table, const Run& run, const Selection& selection);

/// Of answers made of the workers' series at ticks: why there is none, what the selection does not
/// narrow, and where the run ends.
void note_worker_series(Table& table, const Run& run, const Selection& selection);

/// `time_mean` (core/runtime/cluster.hpp) of `values`, the first of which is of tick `first`, over
/// the selected time, or the whole run.
void note_time_mean(Table& table, const char* name, const Run& run, const Selection& selection,
                    std::size_t first, std::span<const double> values);

/// What a profile's numbers mean: profile, total, unit, seconds_per_sample, how sure the leaves
/// are, how far it was selected.
void note_profile(Table& table, const Run& run, const Profile& profile, const ResolvedTree& tree,
                  LeafChoice choice);
/// What a sample of the profile stands for, and how that is known.
void note_sample_time(Table& table, const Run& run, const Profile& profile);
/// That no profile tells workers apart.
void note_no_workers(Table& table, const FlameChoice& choice);
/// What was done and could not be done to the tree.
void note_transform(Table& table, const FlameChoice& choice, const FlameTree& tree);

}  // namespace crema::query
