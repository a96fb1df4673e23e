// Compiled for speed: it runs for every text that is read.
#include "core/base/text.hpp"

#include <functional>
#include <utility>

namespace crema {

namespace {

std::uint32_t hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(text));
}

}  // namespace

StringId StringPool::intern(std::string_view text) {
  if (slots_.size() <= 2 * texts_.size()) grow();
  const std::uint32_t hash = hash_of(text);
  Slot& slot = slots_[place_of(text, hash)];
  if (slot.id == no_string) {
    texts_.emplace_back(text);
    slot = {hash, static_cast<StringId>(texts_.size() - 1)};
  }
  return slot.id;
}

StringId StringPool::find(std::string_view text) const {
  return slots_.empty() ? no_string : slots_[place_of(text, hash_of(text))].id;
}

std::size_t StringPool::place_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t last = slots_.size() - 1;
  std::size_t place = hash & last;
  while (slots_[place].id != no_string &&
         (slots_[place].hash != hash || texts_[slots_[place].id] != text))
    place = (place + 1) & last;
  return place;
}

void StringPool::grow() {
  std::vector<Slot> larger(slots_.empty() ? 16 : 2 * slots_.size());
  for (const Slot& slot : slots_) {
    if (slot.id == no_string) continue;
    std::size_t place = slot.hash & (larger.size() - 1);
    while (larger[place].id != no_string) place = (place + 1) & (larger.size() - 1);
    larger[place] = slot;
  }
  slots_ = std::move(larger);
}

}  // namespace crema
