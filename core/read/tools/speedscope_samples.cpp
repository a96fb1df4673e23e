// Compiled for speed: it runs for every frame of a sample.
#include <algorithm>
#include <bit>

#include "core/json/block.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

constexpr std::ptrdiff_t most_digits = 9;  // they fit into a frame's index

/// How many bytes from `p` on are those of `text`.
std::size_t same_length(const char* p, const char* end, std::string_view text) {
  using json::simd::Sixteen;
  const std::size_t most = std::min(text.size(), static_cast<std::size_t>(end - p));
  std::size_t same = 0;
  for (; same + Sixteen::width <= most; same += Sixteen::width) {
    const Sixteen difference = Sixteen::load(p + same) ^ Sixteen::load(text.data() + same);
    const auto equal = static_cast<std::size_t>(std::countr_one(difference.equals('\0').marks()));
    if (equal < Sixteen::width) return same + equal;
  }
  while (same < most && p[same] == text[same]) ++same;
  return same;
}

}  // namespace

/// A stack mostly begins as the one before it does, byte for byte: what is the same is not parsed
/// again. A stack that is not written as plain numbers and commas, with a blank behind them or
/// without, is left to RecordFastPath and the tokenizer.
class SpeedscopeSamples : public json::Node {
 public:
  explicit SpeedscopeSamples(StackProfile& profile)
      : Node("a list of samples"), profile_(profile) {}
  bool begin_array() override {
    before_.clear();
    first_ = profile_.samples.size();
    elements_ = 0;
    return true;
  }
  json::Node* element(std::size_t index) override {
    pad(index);
    elements_ = index + 1;
    return &stack_;
  }
  bool wants_raw() const override { return true; }
  std::size_t consume_raw(std::string_view bytes, std::size_t& index) override {
    pad(index);
    const char* const begin = bytes.data();
    const char* const end = begin + bytes.size();
    const char* done = begin;
    text_ = {};  // the bytes of the last call are gone
    for (const char* p = begin; p != end && *p == '[';) {
      const char* const stop = take_plain(p, end);
      if (stop == nullptr) break;
      ++index;
      done = stop;
      p = json::skip_blank(stop, end);
      if (p == end || *p != ',') break;
      p = json::skip_blank(p + 1, end);
    }
    if (done != begin) return static_cast<std::size_t>(done - begin);
    return fast_path_.take(bytes, stack_, index);
  }
  void end() override { pad(elements_); }

 private:
  struct Index : json::Node {
    explicit Index(SpeedscopeSamples& samples) : Node("the index of a frame"), of(samples) {}
    void null() override { of.down(StackProfile::no_frame); }
    bool number(double value) override {
      of.down(StackProfile::index_of(value));
      return true;
    }
    bool string(std::string_view) override {
      null();
      return true;
    }
    SpeedscopeSamples& of;
  };
  struct Step {
    std::uint32_t frame;
    NodeId node;
  };

  // Takes the stack at `p`; returns where it ends, or nullptr where it is not plain.
  const char* take_plain(const char* p, const char* end) {
    const char* const open = p;
    const std::size_t same = same_length(p, end, text_);
    // A number is the same when what ends it is, too.
    std::size_t depth = text_.empty() ? 0 : ends_.size();
    while (depth > 0 && ends_[depth - 1] >= same) --depth;
    ends_.resize(depth);
    depth_ = depth;
    if (depth == 0) {
      ++p;
      if (p != end && *p == ']') {
        end_stack();
        text_ = {};
        return p + 1;
      }
    } else {
      p += ends_.back();
    }
    for (bool first = depth == 0; p != end; first = false) {
      if (!first && *p == ']') {
        end_stack();
        text_ = {open, static_cast<std::size_t>(p + 1 - open)};
        return p + 1;
      }
      if (!first && *p++ != ',') return nullptr;
      if (!first && p != end && *p == ' ') ++p;
      const char* const digits = p;
      std::uint32_t frame = 0;
      for (; p != end && *p >= '0' && *p <= '9' && p - digits < most_digits; ++p)
        frame = frame * 10 + static_cast<std::uint32_t>(*p - '0');
      if (p == digits || (*digits == '0' && p - digits > 1)) return nullptr;
      down(frame);
      ends_.push_back(static_cast<std::uint32_t>(p - open));
    }
    return nullptr;
  }

  // Of `elements`, those that were no stacks are no nodes.
  void pad(std::size_t elements) {
    std::vector<NodeId>& samples = profile_.samples;
    if (samples.size() < first_ + elements) samples.resize(first_ + elements, no_node);
  }

  void down(std::uint32_t frame) {
    if (depth_ < before_.size() && before_[depth_].frame == frame) {
      ++depth_;
      return;
    }
    // From here on it is another stack: nothing of the last one is left above `depth_`.
    const NodeId above = depth_ == 0 ? StackTree::root : before_[depth_ - 1].node;
    before_.resize(depth_);
    before_.push_back({frame, profile_.stacks.child(above, frame)});
    ++depth_;
  }

  void end_stack() {
    before_.resize(depth_);
    profile_.samples.push_back(depth_ == 0 ? StackTree::root : before_[depth_ - 1].node);
  }

  StackProfile& profile_;
  std::vector<Step> before_;  // the last sample's stack: most of it is the next one's, too
  std::size_t depth_ = 0;     // of the sample being read
  std::size_t first_ = 0;     // sample of this list
  std::size_t elements_ = 0;  // begun by the tokenizer
  Index index_{*this};
  json::List stack_{
      "a list of frame indices", index_, {}, [this] { depth_ = 0; }, [this] { end_stack(); }};
  json::RecordFastPath fast_path_;
  std::string_view text_;            // of the last stack, if it was plain and is still at hand
  std::vector<std::uint32_t> ends_;  // of its numbers in `text_`
};

std::unique_ptr<json::Node> samples_of(StackProfile& profile) {
  return std::make_unique<SpeedscopeSamples>(profile);
}

}  // namespace crema::read
