#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/call_tree.hpp"
#include "core/read/format.hpp"

namespace crema::read {

/// A frame written as one text. The views point into it.
struct FrameLabel {
  std::string_view name;
  std::string_view file;       ///< "" where the label has none
  std::uint32_t line = 0;      ///< 0 = unknown
  bool has_line_seen = false;  ///< `line` was executing (the notebook's labels); else it is the
                               ///< label's own, the definition's
  bool has_file = false;       ///< of Dask's identifiers: else the description may know it
};

/// A line as it is kept: 0 where the number is none.
constexpr std::uint32_t as_line(double number) {
  return number >= 1 && number <= 0xffffffffU ? static_cast<std::uint32_t>(number) : 0;
}

/// A source line as it is kept: Dask writes its line break, too (`linecache.getline`).
inline std::string_view without_line_break(std::string_view text) {
  return text.substr(0, text.find_last_not_of("\r\n") + 1);
}

/// Whether all of the text is that kind of number.
template <class Number>
bool is_number(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  return rest == end && problem == std::errc();
}

/// A function by its name, file and first line.
inline FrameId frame_in(Names& names, std::string_view name, std::string_view file = {},
                        std::uint32_t first_line = 0) {
  const StringId interned = names.strings.intern(name);
  return names.frames.intern(interned, names.strings.intern(file), first_line);
}

/// Takes the labels of folded stacks apart: "func@file:line" (the founding notebook), "func
/// (file:line)" and "func (file)" (Crema, py-spy); any other text is the name.
FrameLabel parse_frame_label(std::string_view label);

/// Takes the `identifier` of a node of a Dask profile apart (`distributed/profile.py`,
/// `identifier(frame)`): "co_name;co_filename;co_firstlineno", "name;<low-level>;0xaddress" (the
/// address is dropped: a function has many), "module.qualname:lineno" (code without co_*: Cython,
/// built-ins) and "None" (no frame). Nothing for any other text.
std::optional<FrameLabel> parse_dask_identifier(std::string_view text);

/// Builds a CallTree of stacks. Frames are numbers of the source's own table, which may become
/// known only at the end.
class StackTree {
 public:
  static constexpr NodeId root = 0;
  StackTree() : parent_{no_node}, frame_{0} {}

  /// The callee `frame` of `node`, added when new.
  NodeId child(NodeId node, std::uint32_t frame);
  /// The node of a stack whose innermost frame comes first.
  NodeId stack(std::span<const std::uint32_t> frames);
  /// Counts `weight` (not negative) for samples taken in `node`.
  void charge(NodeId node, double weight) {
    if (self_.size() < size()) self_.resize(size());
    self_[node] += weight;
  }

  std::size_t size() const { return parent_.size(); }
  const std::vector<std::uint32_t>& frames() const { return frame_; }

  /// The tree as recorded: in preorder, in the unit of the weights x `scale`, without nodes that no
  /// weight is at or below. `names[frame]` is the function of a source's frame, `unknown` the one
  /// of frames beyond them. Sibling frames that are one function become one node. `place` gets the
  /// node of the CallTree that each node went to, or no_node.
  CallTree take(std::span<const FrameId> names, FrameId unknown, FrameId root_frame, double scale,
                std::vector<NodeId>& place);

 private:
  NodeId append(NodeId parent, std::uint32_t frame);

  std::vector<NodeId> parent_;
  std::vector<std::uint32_t> frame_;
  std::vector<double> self_;  // of the nodes up to the last that there were when one was charged:
                              // often all at the end
  ChildIndex children_;
};

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

/// Node for the list `samples` of a speedscope profile: stacks of frame indices, outermost first.
/// Each goes to `samples` as a node of the profile's `stacks`; what is no stack, as no_node.
std::unique_ptr<json::Node> samples_of(StackProfile& profile);

}  // namespace crema::read
