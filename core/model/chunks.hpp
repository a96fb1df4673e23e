#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/string_pool.hpp"

namespace crema {

/// One `track_section` / `track_memory` / `track_bytes` value of one chunk; also list-form sections
/// of other writers.
struct SectionValue {
  /// [s] (of `crema.record` without sections within it), [byte] of RSS delta, [byte] read
  enum class Kind : std::uint8_t { seconds, memory, bytes };
  std::uint32_t chunk;
  StringId name;
  Kind kind;
  double value;
};

/// The chunks (one `process()` call each) in columns indexed by chunk number, in recorded order
/// (which is merge order, not time order). Memory in bytes. A number the record lacks is absent.
/// No record has CPU seconds, nor the worker (docs/meanings.md, What a chunk tells).
struct Chunks {
  std::vector<StringId> dataset;
  std::vector<StringId> file;
  std::vector<double> entry_start, entry_stop;
  /// [epoch s] of the worker until `align::settle`, then [s] on the run axis
  std::vector<double> t_start, t_end;
  std::vector<double> duration;  ///< [s] as recorded, else t_end − t_start
  std::vector<double> events;
  std::vector<double> bytes_read;  ///< read inside process()
  std::vector<double> memory_before, memory_after, memory_delta;
  std::vector<double> branches_accessed;
  std::vector<double> accessed_bytes;  ///< a fact of the *file*, repeated in each of its chunks
  std::vector<double> accessed_uncompressed_bytes;
  std::vector<double> branches_read_fraction, bytes_read_fraction;  ///< facts of the file, too
  std::vector<std::uint32_t> branch_set;  ///< index into `branch_sets`, no_set when not recorded
  std::vector<StringId> error;  ///< text of the exception (Nov 2025 writers), no_string = none
  /// numbers that the analysis added, by key; shorter columns end with absent values
  std::map<std::string, std::vector<double>> extra;

  /// address of the worker that ran it, by the task that contains it (align::match_chunks);
  /// no_string where none does. Empty where no task stream tells.
  std::vector<StringId> worker;
  /// Chunks and task stream are of the same rows (align::add_rows): by one clock, workers known.
  bool of_tasks = false;

  std::vector<SectionValue> sections;
  /// distinct lists of accessed branches, sorted by id
  std::vector<std::vector<StringId>> branch_sets;

  /// Chunks of an earlier run, which coffea's checkpointer kept: in no column, but in all that
  /// coffea and roastcoffea sum up.
  std::size_t earlier = 0;

  /// The times fit the run. False where workers' clocks disagree by an unknown amount: durations
  /// hold, but not when a chunk ran.
  bool placed = true;

  static constexpr std::uint32_t no_set = 0xffffffffU;

  std::size_t size() const { return t_start.size(); }
  /// Every column that has a value per chunk, but `extra`; the last ones may be shorter.
  template <class C>
  static auto columns_of(C& c) {
    return std::tie(c.dataset, c.file, c.entry_start, c.entry_stop, c.t_start, c.t_end, c.duration,
                    c.events, c.bytes_read, c.memory_before, c.memory_after, c.memory_delta,
                    c.branches_accessed, c.accessed_bytes, c.accessed_uncompressed_bytes,
                    c.branches_read_fraction, c.bytes_read_fraction, c.branch_set, c.error,
                    c.worker);
  }
  /// Gives every column but `worker` so many chunks, whose values are absent.
  void resize(std::size_t chunks);
  /// The number of that list of branches, sorted by id, in `branch_sets`; added when new.
  std::uint32_t set_of(std::vector<StringId> branches);
  /// Takes out the chunks that are not `kept` (one flag per chunk), with their sections.
  void keep(const std::vector<bool>& kept);
};

/// What is known of each input file, in columns indexed by file number.
struct Files {
  std::vector<StringId> name;
  std::vector<double> compression_ratio;  ///< compressed / uncompressed
  std::vector<double> branches_total;
  std::vector<double> tree_bytes;  ///< [byte] compressed size of the tree
  std::vector<double> bytes_read;  ///< [byte] as `file_read_metrics` has it
  std::vector<double> branches_read_fraction;
  std::vector<double> bytes_read_fraction;

  std::size_t size() const { return name.size(); }
  /// The file of that name, or size().
  std::size_t find(StringId file_name) const;
  /// The file of that name, added when new.
  std::size_t intern(StringId file_name);

 private:
  std::unordered_map<StringId, std::size_t> index_;
};

}  // namespace crema
