#include "core/read/tools/stack_profile.hpp"

#include "core/base/order.hpp"

#include <algorithm>
#include <unordered_map>

namespace crema::read {

StackProfile::StackProfile() = default;
StackProfile::~StackProfile() = default;
StackProfile::StackProfile(StackProfile&&) noexcept = default;
StackProfile& StackProfile::operator=(StackProfile&&) noexcept = default;

void StackProfile::complete() {
  if (type != "evented" && type != "sampled") type = events.empty() ? "sampled" : "evented";
  if (type == "evented") {
    samples.clear();
    weights.clear();
    replay();
  } else {
    pair();
  }
  for (std::size_t i = 0; i < samples.size(); ++i) stacks.charge(samples[i], weights[i]);
}

void StackProfile::pair() {
  if (!has_weights) {
    weights.assign(samples.size(), 1);
  }
  const std::size_t pairs = std::min(samples.size(), weights.size());
  unpaired = std::max(samples.size(), weights.size()) - pairs;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    if (samples[i] == no_node) bad_samples.at(i);
    const bool is_weight = weights[i] >= 0;  // absent is not
    if (!is_weight) bad_weights.at(i);
    if (samples[i] == no_node || !is_weight) continue;
    samples[kept] = samples[i];
    weights[kept++] = weights[i];
  }
  samples.resize(kept);
  weights.resize(kept);
}

void StackProfile::replay() {
  if (events.empty()) return;
  for (std::size_t i = 1; i < events.size(); ++i) {
    if (events[i].at < events[i - 1].at) late_events.at(i);
  }
  if (late_events.count > 0)
    sort_stably(events, [](const Event& a, const Event& b) { return a.at < b.at; });

  struct Open {
    std::uint32_t frame;
    NodeId node;
  };
  std::vector<Open> open;
  std::unordered_map<std::uint32_t, std::size_t>
      times_open;  // so that a stray close need not search the stack
  double now = events.front().at;
  const auto current = [&] { return open.empty() ? StackTree::root : open.back().node; };
  const auto pass_until = [&](double at) {
    if (at > now) {
      samples.push_back(current());
      weights.push_back(at - now);
      now = at;
    }
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    pass_until(event.at);
    if (event.opens) {
      open.push_back({event.frame, stacks.child(current(), event.frame)});
      ++times_open[event.frame];
      continue;
    }
    std::size_t& times = times_open[event.frame];
    if (times == 0) {
      unmatched_closes.at(i);
      continue;
    }
    if (open.back().frame != event.frame) early_closes.at(i);
    while (open.back().frame != event.frame) {
      --times_open[open.back().frame];
      open.pop_back();
    }
    --times;
    open.pop_back();
  }
  left_open = open.size();
  if (left_open > 0 && end > now) pass_until(end);
  events = {};
}

}  // namespace crema::read
