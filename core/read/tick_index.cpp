#include "core/read/tick_index.hpp"

#include "core/model/run.hpp"

namespace crema::read {

std::uint32_t TickIndex::find(std::string_view text) {
  if (next_ < texts_.size() && texts_[next_] == text) return next_++;
  const auto found = index_.find(std::string(text));
  if (found != index_.end()) {
    next_ = found->second + 1;
    return found->second;
  }
  const auto time = parse_naive_time(text);
  if (!time) return none;
  const auto tick = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  index_.emplace(texts_.back(), tick);
  run_.tick_naive.push_back(*time);
  run_.worker_counts.push_back(absent);
  next_ = tick + 1;
  return tick;
}

}  // namespace crema::read
