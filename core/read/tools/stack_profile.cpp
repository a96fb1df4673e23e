#include "core/read/tools/stack_profile.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/base/order.hpp"

namespace crema::read {

namespace {

/// All of a text as a number.
std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t value = 0;
  return is_number(text, value) ? std::optional(value) : std::nullopt;
}

struct Place {
  std::string_view file;
  std::optional<std::uint32_t> line;
};

Place parse_place(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const auto line =
      colon == std::string_view::npos ? std::nullopt : whole_number(text.substr(colon + 1));
  return {line ? text.substr(0, colon) : text, line};
}

// "f (in callees, unresolved)" and "operator() (int)" name no file.
bool looks_like_file(std::string_view text) {
  return text.find_first_of("/\\.<") != std::string_view::npos;
}

}  // namespace

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

FrameLabel parse_frame_label(std::string_view label) {
  // A function's name holds neither '@' nor " (", a file's may hold both.
  if (const std::size_t at = label.find('@'); at != std::string_view::npos) {
    if (const Place place = parse_place(label.substr(at + 1)); place.line)
      return {label.substr(0, at), place.file, *place.line, true};
  }
  const std::size_t open = label.find(" (");
  if (open != std::string_view::npos && open > 0 && label.back() == ')') {
    const Place place = parse_place(label.substr(open + 2, label.size() - open - 3));
    if (place.line || looks_like_file(place.file))
      return {label.substr(0, open), place.file, place.line.value_or(0)};
  }
  return {label, {}};
}

std::optional<FrameLabel> parse_dask_identifier(std::string_view text) {
  // File names may contain ';' and ':', names and numbers do not: split from both ends.
  const std::size_t first = text.find(';');
  const std::size_t last = text.rfind(';');
  if (first != std::string_view::npos) {
    if (first == last) return std::nullopt;
    const std::string_view tail = text.substr(last + 1);
    const auto line = tail.starts_with("0x") ? std::optional(0U) : whole_number(tail);
    if (!line) return std::nullopt;
    return FrameLabel{.name = text.substr(0, first),
                      .file = text.substr(first + 1, last - first - 1),
                      .line = *line,
                      .has_file = true};
  }
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && colon > 0) {
    if (const auto line = whole_number(text.substr(colon + 1)))
      return FrameLabel{.name = text.substr(0, colon), .file = {}, .line = *line};
  }
  if (text == "None") return FrameLabel{.name = text, .file = {}};
  return std::nullopt;
}

}  // namespace crema::read
