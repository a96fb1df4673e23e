#include "core/read/tools/speedscope_samples.hpp"

namespace crema::read {

bool SpeedscopeSamples::begin_array() {
  before_.clear();
  first_ = profile_->samples.size();
  elements_ = 0;
  return true;
}

json::Node* SpeedscopeSamples::element(std::size_t index) {
  pad(index);
  elements_ = index + 1;
  return &stack_;
}

std::size_t SpeedscopeSamples::consume_raw(std::string_view bytes, std::size_t& index) {
  pad(index);
  return fast_path_.take(bytes, stack_, index);
}

// Of `elements`, those that were no stacks are no nodes.
void SpeedscopeSamples::pad(std::size_t elements) {
  std::vector<NodeId>& samples = profile_->samples;
  if (samples.size() < first_ + elements) samples.resize(first_ + elements, no_node);
}

void SpeedscopeSamples::down(std::uint32_t frame) {
  if (depth_ < before_.size() && before_[depth_].frame == frame) {
    ++depth_;
    return;
  }
  // From here on it is another stack: nothing of the last one is left above `depth_`.
  const NodeId above = depth_ == 0 ? StackTree::root : before_[depth_ - 1].node;
  before_.resize(depth_);
  before_.push_back({frame, profile_->stacks.child(above, frame)});
  ++depth_;
}

bool SpeedscopeSamples::Stack::begin_array() {
  samples_.depth_ = 0;
  return true;
}

void SpeedscopeSamples::Stack::end() {
  const std::size_t depth = samples_.depth_;
  samples_.before_.resize(depth);
  samples_.profile_->samples.push_back(depth == 0 ? StackTree::root
                                                  : samples_.before_[depth - 1].node);
}

bool SpeedscopeSamples::Stack::Index::number(double value) {
  samples_.down(StackProfile::index_of(value));
  return true;
}

bool SpeedscopeSamples::Stack::Index::string(std::string_view) {
  samples_.down(StackProfile::no_frame);
  return true;
}

}  // namespace crema::read
