#include "cli/slices.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace crema::cli {

namespace {

// [byte] What stays in a processor's own cache between being read and being looked at.
constexpr std::size_t piece_size = std::size_t{1} << 18U;

/// Any stretch of a file, in pieces.
class Stretch {
 public:
  explicit Stretch(const std::string& file) : in_(file, std::ios::binary), buffer_(piece_size) {}

  /// Gives the bytes from `begin` to `end`, or to the end of the file, to `wanted`; false once that
  /// is, or where they cannot be read.
  template <class Wanted>
  bool read(std::uint64_t begin, std::uint64_t end, const Wanted& wanted) {
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(begin));
    while (begin < end) {
      const std::uint64_t most = std::min<std::uint64_t>(buffer_.size(), end - begin);
      in_.read(buffer_.data(), static_cast<std::streamsize>(most));
      const auto count = static_cast<std::size_t>(in_.gcount());
      if (count == 0) return !in_.bad();
      if (!wanted(std::string_view(buffer_.data(), count))) return false;
      begin += count;
    }
    return true;
  }

  bool is_unreadable() const { return in_.bad(); }

 private:
  std::ifstream in_;
  std::vector<char> buffer_;
};

/// What becomes of a region whose slices are read by a thread.
struct Region {
  bool begun = false;
  bool ended = false;
  std::vector<read::SeriesSlice> slices{};
};

/// The regions of a file, and the threads that read some of them.
class Slices {
 public:
  Slices(const std::string& file, std::uint64_t size, std::uint64_t region, unsigned threads)
      : file_(file),
        size_(size),
        region_(region),
        ahead_(4 * threads),
        regions_(static_cast<std::size_t>((size + region - 1) / region)) {
    try {
      while (threads_.size() + 1 < threads) threads_.emplace_back([this] { work(); });
    } catch (const std::exception&) {
      // no more threads are to be had: those there are do it
    }
  }
  ~Slices() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    moved_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Slices(const Slices&) = delete;
  Slices& operator=(const Slices&) = delete;

  std::size_t count() const { return regions_.size(); }

  /// All before region `index` is read: those far behind it may be begun.
  void reached(std::size_t index) {
    const std::lock_guard lock(mutex_);
    reached_ = index;
    moved_.notify_all();
  }

  /// The slices of region `index`, when they are read; none when no thread has begun it, and none
  /// will.
  std::vector<read::SeriesSlice> slices_of(std::size_t index) {
    std::unique_lock lock(mutex_);
    Region& region = regions_[index];
    if (!region.begun) region.begun = region.ended = true;
    ended_.wait(lock, [&] { return region.ended; });
    return std::exchange(region.slices, {});
  }

 private:
  void work() {
    std::optional<Stretch> stretch;
    try {
      stretch.emplace(file_);
    } catch (const std::exception&) {
      return;  // no memory for it: the others read what this one would have
    }
    std::unique_lock lock(mutex_);
    for (;;) {
      std::size_t index = 0;
      moved_.wait(lock, [&] {
        index = next();
        return stopped_ || index < regions_.size() || reached_ + 1 >= regions_.size();
      });
      if (stopped_ || index >= regions_.size()) return;
      Region& region = regions_[index];
      region.begun = true;
      lock.unlock();
      auto slices = read(*stretch, index);
      lock.lock();
      region.slices = std::move(slices);
      region.ended = true;
      ended_.notify_one();
    }
  }

  /// A region for a thread: the farthest that nobody has begun, but not so far ahead that slices
  /// pile up. So who puts them together seldom comes to one that is being read, and whoever is
  /// faster reads more.
  std::size_t next() const {
    for (std::size_t index = std::min(regions_.size() - 1, reached_ + ahead_); index > reached_;
         --index) {
      if (!regions_[index].begun) return index;
    }
    return regions_.size();
  }

  std::vector<read::SeriesSlice> read(Stretch& stretch, std::size_t index) {
    try {
      const std::uint64_t from = index * region_;
      read::SeriesSliceReader reader(from, from + region_);
      stretch.read(from, size_,
                   [&](std::string_view bytes) { return reader.push(bytes) && !stopped(); });
      return reader.take();
    } catch (const std::exception&) {
      return {};  // whoever gets there reads it, and says what is wrong
    }
  }

  bool stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }

  const std::string file_;
  const std::uint64_t size_, region_;
  const std::size_t ahead_;  // regions

  std::mutex mutex_;  // of all below
  std::condition_variable moved_, ended_;
  std::vector<Region> regions_;
  std::size_t reached_ = 0;
  bool stopped_ = false;

  std::vector<std::thread> threads_;  // begin when all else is there
};

}  // namespace

unsigned threads_for_slices() {
  // more of them would wait for the one that puts the slices together
  return std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
}

std::string push_in_slices(FileTaker& taker, const std::string& file, std::uint64_t at,
                           std::uint64_t size, std::uint64_t region, unsigned threads) {
  Stretch stretch(file);
  const auto push_up_to = [&](std::uint64_t end) {
    return at >= end || stretch.read(at, end, [&](std::string_view bytes) {
      at += bytes.size();
      return taker.push(bytes);
    });
  };
  Slices slices(file, size, region, threads);
  bool wanted = true;
  for (std::size_t index = 0; wanted && index < slices.count(); ++index) {
    slices.reached(index);
    for (read::SeriesSlice& slice : slices.slices_of(index)) {
      if (slice.begin < at || !wanted) continue;
      wanted = push_up_to(slice.begin);
      const std::uint64_t end = slice.end;
      if (wanted && taker.take_slice(std::move(slice))) at = end;
    }
    wanted = wanted && push_up_to(std::min(size, (index + 1) * region));
  }
  // it may have become longer meanwhile
  if (wanted) push_up_to(std::numeric_limits<std::uint64_t>::max());
  return stretch.is_unreadable() ? "it cannot be read to its end" : "";
}

}  // namespace crema::cli
