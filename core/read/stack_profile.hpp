#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/read/fault.hpp"
#include "core/read/stack_tree.hpp"

namespace crema::read {

/// A profile of a speedscope file as its lists are read. Frames are indices into the file's
/// `shared.frames`, which may come after the profiles.
struct SpeedscopeProfile {
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

  std::string name, type, unit;
  double end = absent;  ///< `endValue`

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
