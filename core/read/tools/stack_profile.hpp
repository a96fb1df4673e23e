#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/read/format.hpp"
#include "core/read/tools/stack_tree.hpp"

namespace crema::read {

/// A profile of another tool as it is read: stacks with their weights, samples in order of time or
/// events. Frames are numbers of the file's own table, which may come after the profiles, or
/// FrameIds.
struct StackProfile {
  static constexpr std::uint32_t no_frame = 0xffffffffU;  ///< an index that is none
  static std::uint32_t index_of(double number) {
    const bool valid = number >= 0 && number < no_frame && number == std::floor(number);
    return valid ? static_cast<std::uint32_t>(number) : no_frame;
  }

  struct Event {
    double at;
    std::uint32_t frame;
    bool opens;
  };

  // Defined apart: a reader that has one should not have their code as well.
  StackProfile();
  ~StackProfile();
  StackProfile(StackProfile&&) noexcept;
  StackProfile& operator=(StackProfile&&) noexcept;

  std::string name;
  std::string type;     ///< "sampled" or "evented"
  std::string unit;     ///< of weights and times, as speedscope calls it: "microseconds"
  double end = absent;  ///< of the events

  StackTree stacks;
  std::vector<NodeId> samples;  ///< of `stacks`; no_node = the sample was no list
  std::vector<double> weights;  ///< absent = no number
  bool has_weights = false;
  std::vector<Event> events;

  Fault bad_samples;       ///< samples that are no list
  Fault bad_weights;       ///< weights that are no number, or negative
  Fault bad_events;        ///< without time, or neither "O" nor "C"
  Fault late_events;       ///< earlier than the one before
  Fault unmatched_closes;  ///< of a frame that is not open
  Fault early_closes;      ///< of a frame that has others open in it
  std::size_t left_open = 0;
  std::size_t unpaired = 0;  ///< samples without weight, or weights without sample

  /// Brings events into order and replays them; pairs samples with weights; charges the stacks.
  /// Afterwards `samples` and `weights` have the same length, hold no bad ones, and are in the
  /// order of time.
  void complete();

 private:
  void pair();
  void replay();
};

}  // namespace crema::read
