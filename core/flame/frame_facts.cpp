#include "core/flame/frame_facts.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace crema {

namespace {

void lower(std::string& text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
}

bool contains(std::string text, const std::string& part) {
  lower(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

FrameFacts frame_facts(const Names& names) {
  const FrameTable& frames = names.frames;
  const std::size_t n = frames.size();
  FrameFacts facts;
  facts.file.reserve(n);
  facts.category.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::string_view file = names.strings[frames.file[i]];
    facts.file.push_back(normalised_path(file));
    facts.category.push_back(category_of(file));
  }

  const auto identity = [&](FrameId i) {
    return std::tuple(names.strings[frames.name[i]], std::string_view(facts.file[i]), frames.first_line[i]);
  };
  std::vector<FrameId> order(n);
  std::iota(order.begin(), order.end(), FrameId{0});
  std::sort(order.begin(), order.end(), [&](FrameId a, FrameId b) {
    const auto left = identity(a);
    const auto right = identity(b);
    return left != right ? left < right : a < b;
  });
  facts.same_as.resize(n);
  facts.rank.resize(n);
  for (std::size_t place = 0; place < n; ++place) {
    const FrameId frame = order[place];
    const bool repeats = place > 0 && identity(order[place - 1]) == identity(frame);
    facts.same_as[frame] = repeats ? facts.same_as[order[place - 1]] : frame;
    facts.rank[frame] = static_cast<std::uint32_t>(place);
  }
  return facts;
}

std::vector<bool> frames_matching(const Names& names, const FrameFacts& facts, std::string text) {
  lower(text);
  std::vector<bool> matching(facts.file.size(), false);
  if (text.empty()) return matching;
  for (std::size_t i = 0; i < matching.size(); ++i) {
    matching[i] = contains(std::string(names.strings[names.frames.name[i]]), text) || contains(facts.file[i], text);
  }
  return matching;
}

}  // namespace crema
