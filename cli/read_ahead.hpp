#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace crema::cli {

/// Fetches pieces by a thread of its own: while one is read, the next ones are unpacked. What
/// comes, and in which order, is what `source` gives.
class ReadAhead {
 public:
  /// `source` gives the next bytes, valid until it is called again; empty at their end. It is
  /// called by the thread alone, until this object is gone. Throws std::system_error where no
  /// thread can be had.
  explicit ReadAhead(std::function<std::string_view()> source);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// The next bytes, valid until the next call; empty at their end. Throws what `source` threw in
  /// their place.
  std::string_view next();

 private:
  void fetch();

  std::function<std::string_view()> source_;
  std::array<std::vector<char>, 8> pieces_;  // a ring: piece i is in place i % 8

  std::mutex mutex_;  // of all below
  std::condition_variable fetched_one_, freed_one_;
  std::size_t fetched_ = 0;  // pieces so far
  std::size_t freed_ = 0;
  bool held_ = false;  // the piece behind the freed ones is being read
  bool ended_ = false;
  bool stopped_ = false;
  std::exception_ptr failure_;

  std::thread thread_;  // begins when all else is there
};

}  // namespace crema::cli
