#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/model/run.hpp"

namespace crema::report {

/// What stands in a sentence: a text or a number.
struct FillValue {
  std::string_view text{};
  double number = absent;
  bool is_number = false;

  template <class Value>
  FillValue(const Value& value) {
    is_number = std::is_arithmetic_v<Value>;
    if constexpr (std::is_arithmetic_v<Value>) number = static_cast<double>(value);
    else text = value;
  }
};

/// The pattern with the values in place of its braces, in their order: "{} of {} failed". A number
/// is written as its braces say: "{}" plain, "{%}" of a fraction, "{s}", "{core-s}", of bytes "{B}"
/// or, of memory, "{GiB}"; "{chunk}", or whatever else, counts chunks: "12 chunks".
std::string fill(std::string_view pattern, std::initializer_list<FillValue> values);

/// What an answer says beside its rows: under which name, and in which words; "{}" is where a value
/// goes (`fill`).
struct AnswerNote {
  const char* name;
  const char* text;
};

namespace notes {

constexpr AnswerNote missing(const char* text) { return {"missing", text}; }
constexpr AnswerNote unnarrowed(const char* text) { return {"selection", text}; }

// What was not recorded, and how to record it; or what leaves nothing to show.
inline constexpr AnswerNote no_branches = missing(
    "branches were not recorded: @track_metrics of roastcoffea 0.1.2 lists them for each chunk");
inline constexpr AnswerNote no_chunk_bytes = missing(
    "the chunks' bytes were not collected: bytes_read is 0 in every chunk (roastcoffea 0.1.0, or "
    "files mapped into memory)");
inline constexpr AnswerNote no_rows =
    missing("rows of tasks were not recorded; crema.record writes them while a run lasts");
inline constexpr AnswerNote no_peaks = missing(
    "the memory of tasks at their peak was not recorded: crema.record does where there is /proc");
inline constexpr AnswerNote no_chunk_times = missing(
    "there are no chunks with times; decorate process() with @track_metrics to record them");
inline constexpr AnswerNote no_sections = missing(
    "sections were not recorded; with track_time(self, \"name\"): inside process() records them");
inline constexpr AnswerNote no_custom_metrics =
    missing("the chunks carry no numbers beyond those that @track_metrics writes");
inline constexpr AnswerNote no_chunks_in_either =
    missing("no chunks in either run: @track_metrics on process() records them");
inline constexpr AnswerNote no_pairs = missing(
    "no range of entries of a file is in both runs: chunks that say where they begin and end, of "
    "the same files, are what can be paired");
inline constexpr AnswerNote no_profile_selected =
    missing("Nothing of what is selected has a profile in this run.");
inline constexpr AnswerNote no_profile = missing(
    "No profile was recorded. Save one before the cluster closes: {address: {\"meta\": ..., "
    "\"profile\": client.profile(workers=[address])}} for every worker, written as JSON beside "
    "metrics.json.");
inline constexpr AnswerNote no_worker_profiles =
    missing("No profile per worker was recorded; one call tree does not separate workers.");
inline constexpr AnswerNote no_function =
    missing("Choose a function: frame=PATTERN, such as function=NAME@FILE:LINE.");
inline constexpr AnswerNote no_cores = missing(
    "the number of cores was not recorded (no tracking, no scheduler info): the parts have no "
    "whole");
inline constexpr AnswerNote no_attempts = missing(
    "attempts at tasks were not recorded: crema.record leaves a row of each, a task stream "
    "(client.get_task_stream()) lists those that failed");
inline constexpr AnswerNote no_scheduler_load = missing(
    "the scheduler's load was not recorded; `with performance_report(filename=...)` around the run "
    "writes a page that has it");
inline constexpr AnswerNote no_machines =
    missing("what the machines did was not recorded: crema.record asks them each second");
inline constexpr AnswerNote no_lines = missing(
    "lines of the analysis were not recorded: crema.record looks at each task 25 times a second");
inline constexpr AnswerNote no_client = missing(
    "what the client did was not recorded: crema.record looks at its thread 20 times a second");
inline constexpr AnswerNote no_task_stream = missing(
    "the task stream was not recorded; client.get_task_stream() before the cluster closes returns "
    "it");
inline constexpr AnswerNote no_task_counts = missing(
    "tasks are counted in the task stream, which was not recorded, or by the inputs that they "
    "found in memory");
inline constexpr AnswerNote no_task_states =
    missing("the tasks' states were not recorded; crema.record keeps them");
inline constexpr AnswerNote no_worker_changes = missing(
    "no worker came or went, or it was not recorded: crema.record records it of a Dask cluster");
inline constexpr AnswerNote no_chunks =
    missing("chunks were not recorded; decorate process() with @track_metrics to record them");
inline constexpr AnswerNote no_tracking = missing(
    "worker tracking was not recorded; MetricsCollector(..., track_workers=True) records it");
inline constexpr AnswerNote no_file_metadata = missing(
    "file metadata was not recorded: @track_metrics of roastcoffea 0.1.1 and later records it for "
    "TTree input");
inline constexpr AnswerNote no_fine_metrics = missing(
    "fine performance metrics were not recorded; roastcoffea 0.1.0 and later write them as "
    "raw_span_metrics");
inline constexpr AnswerNote no_values = missing("no selected chunk has a value of {}");
inline constexpr AnswerNote no_durations = missing("no selected chunk has a duration and events");
inline constexpr AnswerNote only_core_seconds =
    missing("the number of cores or the elapsed time is not known: only core-seconds are shown");
inline constexpr AnswerNote only_core_seconds_of_selection =
    missing("the elapsed time belongs to all chunks: with a filter only core-seconds are shown");
inline constexpr AnswerNote no_length = missing("the run's length");
inline constexpr AnswerNote no_samples = missing("{} run has no samples to compare.");
inline constexpr AnswerNote nothing_selected = missing("no chunk is selected");
inline constexpr AnswerNote all_selected =
    missing("all chunks are selected: select some to compare them with the others");

// What a selection does not narrow.
inline constexpr AnswerNote files_are_whole = unnarrowed(
    "facts of a file are those of the whole file: a time range keeps the files it overlaps");
inline constexpr AnswerNote counters_are_whole = unnarrowed(
    "the report and Dask's counters are totals of the whole run: only the chunks' and the files' "
    "bytes are narrowed");
inline constexpr AnswerNote stored_bytes_are_whole = unnarrowed(
    "stored and used bytes are those of whole files: how often they were read is known where all "
    "chunks of a file are selected");
inline constexpr AnswerNote bounds_are_whole = unnarrowed("bounds are those of the whole run");
inline constexpr AnswerNote narrowed_alike = unnarrowed(
    "both runs are narrowed alike; times count from each run's own start. Budget, activities and "
    "functions follow it as far as their questions do");
inline constexpr AnswerNote prediction_is_whole = unnarrowed("a prediction is of the whole run");
inline constexpr AnswerNote fine_metrics_are_whole = unnarrowed(
    "fine metrics are totals of the whole run: they have no time axis, worker or dataset, and are "
    "not narrowed");
inline constexpr AnswerNote efficiency_is_whole = unnarrowed("efficiency is of the whole run");
inline constexpr AnswerNote excess_is_whole =
    unnarrowed("findings are about the whole run: of a selection all excess is unknown");
inline constexpr AnswerNote findings_are_whole =
    unnarrowed("findings are about the whole run: a selection does not narrow them");
inline constexpr AnswerNote advice_is_whole = unnarrowed("advice is about the whole run");
inline constexpr AnswerNote totals_are_whole = unnarrowed(
    "numbers from chunks and worker series follow the selection; coffea's totals and fine metrics "
    "are of the whole run");
inline constexpr AnswerNote phases_are_whole = unnarrowed(
    "phases are those of the whole run: a time range keeps those it overlaps, nothing else narrows "
    "them");
inline constexpr AnswerNote scheduler_is_one =
    unnarrowed("this is the machine of the scheduler: only a time range narrows it");
inline constexpr AnswerNote tasks_have_no_dataset = unnarrowed(
    "tasks carry no dataset, file or host: only time, workers and task prefixes narrow them");

// What the numbers rest on, and what follows from them.
inline constexpr AnswerNote sizes_near_memory_limit{
    "advice",
    "every size comes near the memory limit of the workers: give them more memory or fewer "
    "threads"};
inline constexpr AnswerNote sections_overlap{
    "overlap",
    "sections contain each other, or a name is used several times in a chunk: their times do not "
    "add up, and what they leave unaccounted is unknown"};
inline constexpr AnswerNote samples_not_seconds{
    "limits",
    "The time that a sample stands for is not known for both runs: samples are compared, not "
    "seconds."};
inline constexpr AnswerNote cores_estimated{"estimated",
                                            "the available core-time is estimated: threads of all "
                                            "workers that worker or scheduler info names x length"};
inline constexpr AnswerNote saving_is_whole{"saving", "a replay is of the whole run"};
inline constexpr AnswerNote few_chunks{
    "few_chunks", "with fewer than 20 chunks nothing is said about their distribution"};
inline constexpr AnswerNote counted_of_cut_stream{
    "source", "the processor's by its memory-read count: the task stream is cut off"};
inline constexpr AnswerNote bytes_not_collected{"bytes",
                                                "not collected: bytes_read is 0 in every chunk "
                                                "(roastcoffea 0.1.0, or files mapped into memory)"};
inline constexpr AnswerNote edges_are_whole{"edges",
                                            "intervals at the edges of the selected time are "
                                            "whole: their sum is more than the selection's"};
inline constexpr AnswerNote restarts_are_guessed{
    "restarted_from",
    "a guess unless the names are equal: a worker that appeared on the same host within 5 s of "
    "another's end"};
inline constexpr AnswerNote counted_in_stream{"source", "counted in the task stream"};
inline constexpr AnswerNote counted_in_memory{"source", "the processor's by its memory-read count"};
inline constexpr AnswerNote sizes_hardly_differ{"basis",
                                                "the fixed cost inside process() could not be "
                                                "measured: the chunks of {} hardly differ in size"};
inline constexpr AnswerNote sizes_unknown{
    "advice",
    "Cannot tell yet: {} events per chunk could take {} (now {}). A recording of a few minutes "
    "with chunks of such a size would tell"};
inline constexpr AnswerNote size_is_good{
    "advice",
    "The present size is as good as any: {} events per chunk are expected to take as long ({})"};
inline constexpr AnswerNote size_is_better{
    "advice", "{} events per chunk are expected to take {} ({}) instead of {}"};
inline constexpr AnswerNote shortest_run{"advice",
                                         "With these chunks the run cannot be shorter than {s}: "
                                         "at the recorded speed {s}, of which the longest chunk "
                                         "and its task take {s}"};
inline constexpr AnswerNote no_factor_fell{
    "sentence", "From {core} to {}, the useful share changed from {%} to {%}: no factor fell"};
inline constexpr AnswerNote factor_fell{
    "sentence",
    "From {core} to {}, the useful share changed from {%} to {%}: mostly because the {}"};
inline constexpr AnswerNote largest_loss{
    "sentence", "{%} of the core-time was useful; the largest loss is the {}"};
inline constexpr AnswerNote late_share{"late",
                                       "workers report every {s} at this number of them: work of "
                                       "the last {s}, up to {%} of the run, may "
                                       "be missing and is then counted as idle"};
inline constexpr AnswerNote useful_share{"sentence", "{%} of the core-time was useful"};
inline constexpr AnswerNote late_reports{"late",
                                         "workers report every {s} at this number of them: work of "
                                         "the last {s} may be missing and is then "
                                         "counted as idle"};
inline constexpr AnswerNote half_second_reports{
    "late", "up to 0.5 s of work at the end may be missing and is then counted as idle"};

}  // namespace notes

/// Of a function's share in the samples of one worker.
inline constexpr const char* samples_of_worker =
    "samples of this worker with the function on the stack";

/// A data note of a recording as a whole; those of its files are made where they are read.
struct RunNote {
  const char* id;
  Severity severity;
  const char* text;
};

namespace run_notes {

inline constexpr RunNote no_metrics{
    "no-metrics", Severity::medium,
    "there is no metrics.json: only the content of the other files is shown"};
inline constexpr RunNote no_tracking{"no-tracking", Severity::medium,
                                     "worker tracking was not recorded: no timelines, and cores "
                                     "only where scheduler info was recorded"};
inline constexpr RunNote no_ticks{"no-ticks", Severity::medium,
                                  "worker tracking was on but recorded no tick: no timelines, and "
                                  "cores only where scheduler info was recorded"};
inline constexpr RunNote no_chunks{
    "no-chunks", Severity::medium,
    "chunks were not recorded (@track_metrics): no throughput over time, no datasets, no sections"};
inline constexpr RunNote no_fine_metrics{
    "no-fine-metrics", Severity::medium,
    "fine performance metrics were not recorded: the time outside process() cannot be split"};
inline constexpr RunNote no_profile{"no-profile", Severity::low,
                                    "no profile was recorded: there is no flame graph"};
inline constexpr RunNote no_elapsed{
    "no-elapsed", Severity::low,
    "the run's length was not recorded; it is taken from the last tick, chunk or task"};
inline constexpr RunNote chunk_list_cut{
    "chunk-list-cut", Severity::high,
    "the chunk list is cut off: sums over chunks are not those of the run, and the time outside "
    "process(), the end of the run and slow chunks are not derived from it"};
inline constexpr RunNote chunk_list_part{
    "chunk-list-cut", Severity::high,
    "the chunk list holds {%} of the events that coffea reports: sums over chunks are not those of "
    "the run, and the time outside process(), the end of the run and slow chunks are not derived "
    "from it"};
inline constexpr RunNote lost_chunks{"lost-chunks", Severity::high,
                                     "{} of {} chunks that coffea submitted left no record: bad "
                                     "files were skipped, or their output was lost"};
inline constexpr RunNote lost_tasks{"lost-tasks", Severity::medium,
                                    "{task} ended without a row of its own: its worker went, or it "
                                    "was given to another; its CPU time, "
                                    "input and functions are not known"};
inline constexpr RunNote whole_tasks{
    "whole-tasks", Severity::low,
    "process() of {chunk} was not measured: all that their tasks took "
    "counts as inside process()"};
inline constexpr RunNote bytes_not_collected{
    "bytes-not-collected", Severity::medium,
    "bytes_read is 0 in every chunk (roastcoffea 0.1.0, or files mapped into memory): there is no "
    "data rate over time"};
inline constexpr RunNote bytes_outside_process{
    "bytes-outside-process", Severity::low,
    "{%} of the bytes that coffea reports were read outside process() and have no time"};
inline constexpr RunNote negative_part{
    "negative-part", Severity::medium,
    "the core-time of \"{}\" is {} core-s below zero and is shown as 0 ({})"};
inline constexpr RunNote cores_estimated{
    "cores-estimated", Severity::medium,
    "the available core-time is estimated from the workers that worker or scheduler info names"};
inline constexpr RunNote cores_inflated{
    "cores-inflated", Severity::low,
    "the stored total_cores {} counts every worker ever seen; the time average is {}, so stored "
    "core efficiency and rates per core are too low"};
inline constexpr RunNote processor_guessed{"processor-guessed", Severity::low,
                                           "the processor's task prefix is a guess: {}"};
inline constexpr RunNote fine_metrics_tail{"fine-metrics-tail", Severity::low,
                                           "fine metrics were read 0.5 s after the end, but "
                                           "workers report every {s}: the last of them may "
                                           "be missing and counted as idle"};
inline constexpr RunNote task_stream_cut{
    "task-stream-cut", Severity::medium,
    "the task stream holds {} of at least {} processor tasks: it was cut off or started late, so "
    "repeated work is estimated"};

}  // namespace run_notes

// How `whatif` and `bounds` call what they compute; "{}" is where a value goes (`fill`).

/// A change of a run, or a bound of its time: what it is called, and what is said beside it.
struct ScenarioText {
  const char* name;
  const char* note;
};

namespace scenarios {

inline constexpr ScenarioText as_recorded{"as recorded", "measured; a replay of it is off by {%}"};
inline constexpr ScenarioText as_recorded_repeated{
    "as recorded", "measured; a replay of it is off by {%}, with {execution} of repeated work"};
inline constexpr ScenarioText longest_first{"longest chunks first",
                                            "no core is idle while chunks are left"};
inline constexpr ScenarioText by_file{"file by file", "a file's chunks one after the other"};
inline constexpr ScenarioText no_stragglers{"without stragglers",
                                            "{straggler} as fast as expected"};
inline constexpr ScenarioText half_outside{"half the time outside process()", "now {s} per chunk"};
inline constexpr ScenarioText nothing_twice{"no repeated work", "now {execution}"};
inline constexpr ScenarioText none_lost{"no lost workers", "{core} left before the end"};
inline constexpr ScenarioText all_at_start{"all cores and chunks ready at the start",
                                           "from the run's start"};
inline constexpr ScenarioText no_storage_waiting{
    "no waiting for storage",
    "how much of the waiting is for storage: some may be for cores or locks"};
inline constexpr ScenarioText half_chunks{"chunks half as large",
                                          "the time outside process() is per chunk"};
inline constexpr ScenarioText larger_chunks{"chunks {} as large", half_chunks.note};
inline constexpr ScenarioText chunks_of_size{"chunks of {} events", half_chunks.note};
inline constexpr ScenarioText faster_part{"{} {} times as fast", ""};

// Bounds.
inline constexpr ScenarioText perfect_packing{
    "perfect packing",
    "{core-s} of work, spread evenly over the same cores, without gaps or repeated work"};
inline constexpr ScenarioText infinite_cores{"infinite cores",
                                             "the longest chunk and its task ({s}), {s} before the "
                                             "first and {s} after the last, with the merging "
                                             "that ran after the last chunk"};
inline constexpr ScenarioText one_core{"one core", "one task after the other"};

}  // namespace scenarios

// What a scenario stands on, and what it cannot know.
inline constexpr const char* nothing_assumed = "nothing";
inline constexpr const char* nothing_waited_for = "tasks wait for nothing";
inline constexpr const char* seen_in_stream = "each task and gap, from the task stream";
inline constexpr const char* seen_in_chunks = "each chunk; the time outside chunks on average";
inline constexpr const char* seen_of_sizes =
    "{%} of the chunks are of datasets whose chunks differ in size";
inline constexpr const char* outside_unseen =
    "how {%} of the time outside process() grows with a chunk";
inline constexpr const char* size_would_settle =
    "; a recording of a few minutes with chunks of {} events would settle it";
inline constexpr const char* no_number_of_cores = "the number of cores is not known: {}";
inline constexpr const char* length_not_recorded = "the run's length was not recorded";

}  // namespace crema::report
