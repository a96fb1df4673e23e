#include "core/predict/replay.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace crema::predict {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Which slot is free first: a tournament (D. E. Knuth, The Art of Computer Programming 3, 5.4.1)
/// of as many rounds as a heap has levels, with one comparison in each. Of equals the first wins.
class Tournament {
 public:
  explicit Tournament(const std::vector<Slot>& slots)
      : leaves_(std::bit_ceil(slots.size() + 1)), free_(leaves_, never), winner_(2 * leaves_) {
    for (std::size_t i = 0; i < slots.size(); ++i) free_[i] = begins(slots[i], slots[i].from);
    for (std::size_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = static_cast<std::uint32_t>(i);
    for (std::size_t node = leaves_; node-- > 1;) {
      const std::uint32_t a = winner_[2 * node];
      const std::uint32_t b = winner_[2 * node + 1];
      winner_[node] = free_[b] < free_[a] ? b : a;
    }
  }

  std::uint32_t first() const { return winner_[1]; }
  double at(std::uint32_t slot) const { return free_[slot]; }

  /// The slot takes its next task at `time`, unless it is gone by then.
  void put(std::uint32_t slot, const Slot& of, double time) {
    std::uint32_t winner = slot;
    double best = free_[slot] = begins(of, time);
    for (std::size_t node = slot + leaves_; node > 1; node /= 2) {
      const std::uint32_t rival = winner_[node ^ 1U];
      const double rivals = free_[rival];
      // Without a branch: who wins cannot be foreseen.
      const auto loses = static_cast<std::uint32_t>(rivals < best) |
                         (static_cast<std::uint32_t>(rivals == best) & (rival < winner));
      winner ^= (winner ^ rival) & (0U - loses);
      best = std::min(best, rivals);
      winner_[node / 2] = winner;
    }
  }

 private:
  static double begins(const Slot& slot, double time) { return time >= slot.until ? never : time; }

  std::size_t leaves_;
  std::vector<double> free_;  // when, by slot
  std::vector<std::uint32_t>
      winner_;  // by node: 1 is the root, below n are 2n and 2n + 1, the leaves are the slots
};

}  // namespace

double replay(const std::vector<double>& task_seconds, const std::vector<Slot>& slots) {
  Tournament free(slots);
  double end = absent;
  for (const double seconds : task_seconds) {
    const std::uint32_t slot = free.first();
    const double at = free.at(slot);
    if (at == never) return absent;
    const double done = at + seconds;
    free.put(slot, slots[slot], done);
    if (!(end >= done)) end = done;
  }
  return end;
}

}  // namespace crema::predict
