#include "core/facts/chunk_spread.hpp"

#include <algorithm>
#include <cmath>

namespace crema::facts {

ChunkSpread::ChunkSpread(const Run& run, const ChunkSelection& chosen)
    : run_(run), chosen_(chosen) {
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    const double events = chosen.share[i] * value_or(run.chunks.events[i], 0);
    events_ += events;
    squared_events_ += events * events;
  }
}

void ChunkSpread::add(std::string_view group, std::size_t chunk, double seconds) {
  if (!chosen_[chunk] || is_absent(seconds)) return;
  const double x = chosen_.share[chunk] * seconds;
  auto found = groups_.find(group);
  if (found == groups_.end()) found = groups_.emplace(group, Sums{}).first;
  found->second.seconds += x;
  found->second.squares += x * x;
  found->second.with_events += x * chosen_.share[chunk] * value_or(run_.chunks.events[chunk], 0);
}

double ChunkSpread::of_sum(std::string_view group) const {
  const auto found = groups_.find(group);
  if (found == groups_.end() || chosen_.count < 2) return absent;
  const Sums& s = found->second;
  return std::sqrt(
      std::max(0.0, s.squares - s.seconds * s.seconds / static_cast<double>(chosen_.count)));
}

double ChunkSpread::per_event(std::string_view group) const {
  const auto found = groups_.find(group);
  if (found == groups_.end() || chosen_.count < 2 || !(events_ > 0)) return absent;
  const Sums& s = found->second;
  const double rate = s.seconds / events_;
  // Σ (x − rate · e)², the linearised ratio's.
  const double squares = s.squares - 2 * rate * s.with_events + rate * rate * squared_events_;
  return std::sqrt(std::max(0.0, squares)) / events_;
}

}  // namespace crema::facts
