#include "cli/read_ahead.hpp"

#include <utility>

namespace crema::cli {

namespace {

constexpr std::size_t ring_piece_size = std::size_t{1} << 18U;

}  // namespace

ReadAhead::ReadAhead(std::function<std::string_view()> source) : source_(std::move(source)) {
  thread_ = std::thread([this] { fetch(); });
}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  freed_one_.notify_one();
  thread_.join();
}

void ReadAhead::fetch() {
  std::string_view rest;  // of what the source gave last
  std::unique_lock lock(mutex_);
  while (!ended_) {
    // Waking up takes longer than fetching a piece: where all places are taken, half of them are
    // waited for.
    if (fetched_ - freed_ == pieces_.size())
      freed_one_.wait(lock, [&] { return stopped_ || fetched_ - freed_ <= pieces_.size() / 2; });
    if (stopped_) return;
    std::vector<char>& piece = pieces_[fetched_ % pieces_.size()];
    lock.unlock();
    bool ended = false;
    std::exception_ptr failure;
    try {
      piece.clear();
      piece.reserve(ring_piece_size);
      while (!ended && piece.size() < ring_piece_size) {
        if (rest.empty()) rest = source_();
        ended = rest.empty();
        const std::string_view part = rest.substr(0, ring_piece_size - piece.size());
        piece.insert(piece.end(), part.begin(), part.end());
        rest.remove_prefix(part.size());
      }
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (!piece.empty()) ++fetched_;
    failure_ = failure;
    ended_ = ended || failure;
    fetched_one_.notify_one();
  }
}

std::string_view ReadAhead::next() {
  std::unique_lock lock(mutex_);
  if (held_) ++freed_;
  if (fetched_ - freed_ <= pieces_.size() / 2) freed_one_.notify_one();
  fetched_one_.wait(lock, [&] { return freed_ < fetched_ || ended_; });
  held_ = freed_ < fetched_;
  if (!held_ && failure_) std::rethrow_exception(failure_);
  if (!held_) return {};
  const std::vector<char>& piece = pieces_[freed_ % pieces_.size()];
  return {piece.data(), piece.size()};
}

}  // namespace crema::cli
