#include "core/analyse/replay.hpp"

#include <bit>

namespace crema {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Which slot is free first: a tournament (D. E. Knuth, The Art of Computer Programming 3, 5.4.1) of as many rounds as a heap
/// has levels, with one comparison in each. Of equals the first wins.
class Tournament {
 public:
  explicit Tournament(const std::vector<Slot>& slots) : leaves_(std::bit_ceil(slots.size() + 1)), free_(leaves_, never) {
    for (std::size_t i = 0; i < slots.size(); ++i) free_[i] = begins(slots[i], slots[i].from);
    winner_.resize(leaves_);
    for (std::size_t node = leaves_; node-- > 1;) winner_[node] = better(player(2 * node), player(2 * node + 1));
  }

  std::size_t first() const { return winner_[1]; }
  double at(std::size_t slot) const { return free_[slot]; }

  /// The slot takes its next task at `time`, unless it is gone by then.
  void put(std::size_t slot, const Slot& of, double time) {
    free_[slot] = begins(of, time);
    for (std::size_t node = (slot + leaves_) / 2; node > 0; node /= 2)
      winner_[node] = better(player(2 * node), player(2 * node + 1));
  }

 private:
  static double begins(const Slot& slot, double time) { return time >= slot.until ? never : time; }
  std::size_t player(std::size_t node) const { return node >= leaves_ ? node - leaves_ : winner_[node]; }
  std::size_t better(std::size_t a, std::size_t b) const { return free_[b] < free_[a] ? b : a; }

  std::size_t leaves_;
  std::vector<double> free_;         // when, by slot
  std::vector<std::size_t> winner_;  // by node: 1 is the root, those below n are 2n and 2n + 1
};

}  // namespace

double replay(const std::vector<double>& task_seconds, const std::vector<Slot>& slots) {
  Tournament free(slots);
  double end = absent;
  for (const double seconds : task_seconds) {
    const std::size_t slot = free.first();
    const double at = free.at(slot);
    if (at == never) return absent;
    const double done = at + seconds;
    free.put(slot, slots[slot], done);
    if (!(end >= done)) end = done;
  }
  return end;
}

}  // namespace crema
