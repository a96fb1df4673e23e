#pragma once

namespace crema::report {

// How `whatif` and `bounds` call what they compute; "{}" is where a value goes (fill.hpp).

/// A change of a run, or a bound of its time: what it is called, and what is said beside it.
struct ScenarioText {
  const char* name;
  const char* note;
};

namespace scenarios {

inline constexpr ScenarioText as_recorded{"as recorded", "measured; a replay of it is off by {}"};
inline constexpr ScenarioText as_recorded_repeated{
    "as recorded", "measured; a replay of it is off by {}, with {} of repeated work"};
inline constexpr ScenarioText longest_first{"longest chunks first",
                                            "no core is idle while chunks are left"};
inline constexpr ScenarioText by_file{"file by file", "a file's chunks one after the other"};
inline constexpr ScenarioText no_stragglers{"without stragglers", "{} as fast as expected"};
inline constexpr ScenarioText half_outside{"half the time outside process()", "now {} per chunk"};
inline constexpr ScenarioText nothing_twice{"no repeated work", "now {}"};
inline constexpr ScenarioText none_lost{"no lost workers", "{} left before the end"};
inline constexpr ScenarioText all_at_start{"all cores and chunks ready at the start",
                                           "from the run's start"};
inline constexpr ScenarioText no_storage_waiting{
    "no waiting for storage",
    "how much of the waiting is for storage: some may be for cores or locks"};
inline constexpr ScenarioText half_chunks{"chunks half as large",
                                          "the time outside process() is per chunk"};
inline constexpr ScenarioText larger_chunks{"chunks {} times as large", half_chunks.note};
inline constexpr ScenarioText chunks_of_size{"chunks of {} events", half_chunks.note};
inline constexpr ScenarioText faster_part{"{} {} times as fast", ""};

// Bounds.
inline constexpr ScenarioText perfect_packing{
    "perfect packing",
    "{} of work, spread evenly over the same cores, without gaps or repeated work"};
inline constexpr ScenarioText infinite_cores{"infinite cores",
                                             "the longest chunk and its task ({}), {} before the "
                                             "first and {} after the last, with the merging "
                                             "that ran after the last chunk"};
inline constexpr ScenarioText one_core{"one core", "one task after the other"};

}  // namespace scenarios

// What a scenario stands on, and what it cannot know.
inline constexpr const char* nothing_assumed = "nothing";
inline constexpr const char* nothing_waited_for = "tasks wait for nothing";
inline constexpr const char* seen_in_stream = "each task and gap, from the task stream";
inline constexpr const char* seen_in_chunks = "each chunk; the time outside chunks on average";
inline constexpr const char* seen_of_sizes =
    "{} of the chunks are of datasets whose chunks differ in size";
inline constexpr const char* outside_unseen = "how the time outside process() grows with a chunk";
inline constexpr const char* size_would_settle =
    "; a recording of a few minutes with chunks of {} events would settle it";
inline constexpr const char* no_number_of_cores = "the number of cores is not known: {}";
inline constexpr const char* length_not_recorded = "the run's length was not recorded";

}  // namespace crema::report
