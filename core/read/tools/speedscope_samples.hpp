#pragma once

#include <string_view>
#include <vector>

#include "core/json/nodes.hpp"
#include "core/json/router.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

/// The list `samples` of a speedscope profile: stacks of frame indices, outermost first. Each goes
/// to `samples` as a node of the profile's `stacks`; what is no stack, as no_node.
///
/// A stack mostly begins as the one before it does, byte for byte: what is the same is not parsed
/// again. A stack that is not written as plain numbers and commas, with a blank behind them or
/// without, is left to RecordFastPath and the
/// tokenizer.
class SpeedscopeSamples : public json::Node {
 public:
  void of(StackProfile& profile) { profile_ = &profile; }
  bool begin_array() override;
  json::Node* element(std::size_t index) override;
  bool wants_raw() const override { return true; }
  std::size_t consume_raw(std::string_view bytes, std::size_t& index) override;
  void end() override { pad(elements_); }
  std::string_view expects() const override { return "a list of samples"; }

 private:
  struct Index : json::Node {
    explicit Index(SpeedscopeSamples& samples) : of(samples) {}
    void null() override { of.down(StackProfile::no_frame); }
    bool number(double value) override;
    bool string(std::string_view) override {
      null();
      return true;
    }
    std::string_view expects() const override { return "the index of a frame"; }
    SpeedscopeSamples& of;
  };
  struct Step {
    std::uint32_t frame;
    NodeId node;
  };

  const char* take_plain(const char* p, const char* end);
  void down(std::uint32_t frame);
  void end_stack();
  void pad(std::size_t elements);

  StackProfile* profile_ = nullptr;
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

}  // namespace crema::read
