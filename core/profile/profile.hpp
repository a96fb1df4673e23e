#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/profile/tree.hpp"

namespace crema::profile {

/// Something that can be drawn as one flame graph: one recorded tree, or the sum of several.
struct Profile {
  std::string id;     ///< "all", a worker's address, "key:PREFIX", "file:NAME"; "…#2" when taken
  std::string label;  ///< for people: a worker's name or address, a prefix, a file
  std::vector<const CallTree*> trees;  ///< slices of it where a time is selected
  CallTree::Kind kind = CallTree::Kind::merged;
  bool alternative = false;    ///< repeats samples that "all" already counts from another source
  bool counted = false;        ///< it is a part of "all"
  std::string note;            ///< how far a selection narrowed it, sentences
  bool sums_selected = false;  ///< it is the sum of selected workers' or prefixes' profiles alone
  std::string part;            ///< of trees that are not the run's: which part of its samples
};

/// The profiles of a run. Sources that say the same are never added up: "all" is the sum of the
/// finest that there are (one tree per worker, else per task prefix, else the merged tree, else
/// imported stacks, else what a page of Dask's shows; of two trees for one worker or prefix, the
/// one of the finer form, then the larger), the others are alternatives. Event loops (server,
/// scheduler) are not part of "all" unless nothing else is.
///
/// Samples that `crema.record` keeps know their task: a selection of time, workers, prefixes,
/// datasets or files narrows them to its tasks. Of Dask's, where slices were recorded and a time is
/// selected, all that are of tasks are the sum of the slices that overlap it.
struct Profiles {
  /// "all" first, then every recorded tree; empty when the run has none
  std::vector<Profile> list;
  std::shared_ptr<const std::vector<CallTree>> trees;  ///< those that are not the run's
};
Profiles profiles_of(const Run& run, const Selection& selection = {});

/// The same, where `crema.record` kept samples with functions in process() below the sections in
/// which they were sampled: their names stand there as functions of the file "(section)".
Profiles profiles_by_section(const Run& run, const Selection& selection);

/// The profiles of the samples in one section ("" = all; with those in sections within it, or
/// without) of one chunk (absent = all), which `crema.record` keeps of each. Failure bad_option
/// where it kept none.
Profiles profiles_within(const Run& run, const Selection& selection, const std::string& section,
                         double chunk, bool with_nested = true);

/// What a graph of the profile is called: "all workers", "worker 3", "task prefix P", a file's
/// name.
std::string title_of(const Profile& profile);

/// The profile of that id (or, where no id fits, of that label); Failure bad_option when there is
/// none.
const Profile& find_profile(const Profiles& profiles, std::string_view id);

/// Seconds per sample of a profile whose unit is samples.
struct SampleTime {
  enum class Source : std::uint8_t {
    recorded,
    assumed_cycle,     ///< Dask's of event loops
    assumed_interval,  ///< Dask's of tasks
    task_stream,       ///< what tasks took by it, divided by the samples
    spans,             ///< likewise
  };
  enum class Of : std::uint8_t { profile, whole_run, all_workers };

  double seconds = absent;  ///< when the unit is no count of samples, or the sampling not Dask's
  Source source = Source::recorded;
  // Of a calibration:
  double task_seconds = absent, samples = absent;
  std::string prefix{};     ///< of these tasks, where nearly all are of one
  bool has_others = false;  ///< there are tasks of other prefixes, each below 1 % of the time
  Of of = Of::profile;      ///< what was calibrated

  bool is_recorded() const { return source == Source::recorded && !is_absent(seconds); }
};
/// As far as the profile itself tells.
SampleTime sample_time(const Profile& profile);

std::string_view name_of(CallTree::Kind kind);

/// Whether it was sampled while tasks ran: one tree per worker, one per task prefix, or one of all.
/// A second one of the same subject repeats the first.
constexpr bool is_of_tasks(CallTree::Kind kind) {
  return kind == CallTree::Kind::worker || kind == CallTree::Kind::key ||
         kind == CallTree::Kind::merged;
}
inline std::pair<StringId, StringId> subject_of(const CallTree& tree) {
  return {tree.worker, tree.key};
}

/// The worker's name where a source has it, else its address.
std::string worker_label(const Run& run, StringId address);

/// Whether any tree leaves its innermost frames uncounted.
bool has_uncounted_leaves(const Profile& profile);

inline constexpr Option profile_option{
    .name = "profile",
    .about = "which call tree: \"all\", or an id from the question profiles",
    .fallback = "all"};
inline constexpr Option leaves_option{
    .name = "leaves",
    .about = "how to treat the innermost frames, which Dask does not count",
    .fallback = "forced",
    .values = "forced, estimated, counted, notebook"};

inline constexpr Option section_option{
    .name = "section",
    .about = "only samples in this section of process(), which crema.record keeps"};
inline constexpr Option by_section_option =
    flag_option("by_section",
                "functions in process() below the sections in which they were sampled, where "
                "crema.record kept that");
inline constexpr Option chunk_option{
    .name = "chunk",
    .type = Option::Type::count,
    .about = "only samples of this chunk, by its number in the question chunks",
    .least = 0};

/// What `leaves_option` says.
LeafChoice leaf_choice(const Options& options);

/// The unit of a profile's numbers in a Table: "count" for samples.
std::string count_unit(const Profile* profile);

/// Seconds per sample: as recorded; else what the tasks of the same workers or prefixes took
/// (task stream, else the spans' thread time) divided by the samples, because samples come late or
/// not at all while Python holds the interpreter (docs/meanings.md, Samples: 28 to 76 % of the task
/// time at 10 ms); else Dask's default interval, said to be assumed.
///
/// Workers that left took their samples with them: their seconds must not be spread over the
/// others'. The task stream knows the worker of each task; spans do not, and are used only where no
/// worker is missing from the profile.
SampleTime calibrated_time(const Run& run, const Profile& profile);

/// [s] that 1 of a profile's numbers stands for: itself, or a sample's calibrated time. Absent
/// where that is not known.
double seconds_per_count(const Run& run, const Profile& profile);
/// Samples that 1 of a profile's numbers stands for: of seconds for which tasks were seen, by the
/// time between two looks. 0 of what was not sampled.
double samples_per_count(const Profile& profile);

/// `frame_facts` of the run's frames, kept.
std::shared_ptr<const FrameFacts> facts_of(const Run& run);

inline constexpr Option transform_option{
    .name = "transform", .about = "steps such as \"fold:numpy;focus:name=process;invert\""};

/// Which tree a question is about: options `profile`, `leaves`, `transform`.
struct FlameChoice {
  Profiles profiles;
  const Profile* profile = nullptr;  ///< of `profiles`; nullptr when the run has none
  LeafChoice leaves{};
  std::string transform;
  std::string key;  ///< what the tree depends on, by which it is kept
};
FlameChoice flame_choice(const Run& run, const Selection& selection, const Options& options);

/// The same choice for another profile or transform.
FlameChoice with_profile(const Run& run, const FlameChoice& choice, const Profile& profile);
FlameChoice with_transform(const Run& run, const FlameChoice& choice, std::string transform);

/// The steps before the tree is turned round: what functions are counted on.
std::string upright(const std::string& transform);

/// The chosen profile's trees, each resolved for itself, added up and transformed; kept by the run.
std::shared_ptr<const FlameTree> flame_tree(const Run& run, const FlameChoice& choice);

/// What each function took part in, by that tree; kept by the run.
std::shared_ptr<const Functions> functions_in(const Run& run, const FlameChoice& choice);

/// Who calls each function of the analysis most (`main_callers`), by that tree; kept by the run.
std::shared_ptr<const std::vector<FrameId>> main_callers_in(const Run& run,
                                                            const FlameChoice& choice);

/// The children of its nodes, siblings in order; kept by the run.
std::shared_ptr<const Children> ordered_children(const Run& run, const FlameChoice& choice,
                                                 const FlameTree& tree, SiblingOrder order);

/// How each worker's samples are spread over functions, as shares of the worker's own.
struct WorkerFunctions {
  std::shared_ptr<const FrameFacts> facts;
  struct Worker {
    std::string id, label;
  };
  std::vector<Worker> workers;
  std::vector<double> wholes;                    // by worker
  std::map<FrameId, std::vector<double>> self;   // share by worker: innermost frame
  std::map<FrameId, std::vector<double>> total;  // share by worker: on the stack
};

/// Kept by the run: several questions are made of it. Without workers where the run has no
/// profiles.
std::shared_ptr<const WorkerFunctions> worker_functions(const Run& run, const FlameChoice& choice);

/// The share of all workers' samples that the workers' own `shares` come to.
double mean_of(const std::vector<double>& shares, const std::vector<double>& wholes);

/// The choice that the options make, before its tree is turned round.
FlameChoice upright_choice(const Run& run, const Selection& selection, const Options& options);

/// What a profile says of the time of the processor's tasks, in samples: divided by whose it
/// was, by the library in which it was spent, by the function that was innermost.
///
/// Inside process(), every sample belongs to the innermost function of the analysis on its stack:
/// these own times add up. Outside, it belongs to what the task was doing ("Opening files ...").
struct ProfileShares {
  /// A number of samples, and how far it is certain: where the innermost frame can have been one of
  /// several, `least` has what can only have been this one, `most` all that can have been it.
  struct Samples {
    double count = 0, least = 0, most = 0;
    double open = 0;     ///< part of `count` that was shared out among several candidates
    double blocked = 0;  ///< part of `count` that certainly waited: in a lock's or a socket's code
    double reading = 0;  ///< part of `blocked` below code that reads files
    double locked = 0;   ///< part of `blocked` below code that takes a lock
    double on_cpu = absent;  ///< part of `count` on a CPU; absent where not recorded
  };
  /// Whose: a function of the analysis, or what was done outside process().
  struct Owner {
    FrameId frame = 0;    ///< of a function
    std::string purpose;  ///< "" of a function
    bool inside = false;
    Samples samples;
  };
  /// Where it was spent: a category of code, of one owner.
  struct Library {
    std::uint32_t owner;
    Category category{};
    bool unknown = false;  ///< samples whose innermost frame is unknown
    Samples samples;
  };
  /// In which function: an innermost frame of one library.
  struct Leaf {
    std::uint32_t library;
    FrameId frame;
    Samples samples;
  };

  std::shared_ptr<const FrameFacts> facts;
  std::vector<Owner> owners;       ///< most first
  std::vector<Library> libraries;  ///< of all owners, most first
  std::vector<Leaf> leaves;        ///< of all libraries, most first
  /// A function of the analysis that process() calls, with all that is below it; without samples
  /// that can have been of another.
  struct Callee {
    FrameId frame;
    double samples = 0;
  };
  std::vector<Callee> callees;  ///< most first
  /// A function of a library that the analysis calls, with all below it but reading files.
  struct Call {
    FrameId caller, frame;
    double samples = 0;
    double called_back = 0;  ///< in functions of the analysis that it calls, with all below them
  };
  std::vector<Call> calls;
  /// The function of the analysis with most samples outside process(), with what it calls: a
  /// schema's of the processor's tasks, an accumulator's in merging; there also a library's by
  /// itself. No samples where there is none.
  struct Outer {
    FrameId frame = 0;
    double samples = 0, of = 0;  ///< of all of that kind
  };
  Outer of_tasks, of_merging;
  double inside = 0;   ///< samples under process()
  double outside = 0;  ///< of the processor's tasks, not under it; other tasks' are in neither
  std::string note;    ///< how far the selection narrowed it

  /// The owner inside process() of each name; `several` where more than one has it.
  std::map<std::string_view, FrameId> named;
  static constexpr FrameId several = 0xffffffffU;
  /// The name of a function, with where it is defined if another owner inside process() has it.
  std::string label_of(FrameId frame) const;
};

/// Whether the samples can be narrowed to that time, to those datasets or files: where they know
/// their tasks, or, to a time, where slices were recorded.
bool samples_follow(const Run& run, const Selection& selection);

/// Of all workers together, or of what is selected; in a section of process() where one is named
/// (and in none within it), which only samples that know it can tell. nullptr where the run has no
/// such profile. Kept by the run.
std::shared_ptr<const ProfileShares> profile_shares(const Run& run, const Selection& selection,
                                                    const std::string& section = {});

}  // namespace crema::profile
