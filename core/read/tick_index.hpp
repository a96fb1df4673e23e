#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/run.hpp"

namespace crema::read {

/// Finds the number of a tick by its timestamp's text. roastcoffea stamps one text per tick for all
/// workers and series, so that the next tick's text is nearly always the one after the last found:
/// no time is parsed twice.
class TickIndex {
 public:
  explicit TickIndex(Run& run) : run_(run) {}

  static constexpr std::uint32_t none = 0xffffffffU;
  /// The tick stamped `text`, added to the run when new; none when it is no time.
  std::uint32_t find(std::string_view text);
  /// A new series begins: its first tick may be any.
  void rewind() { next_ = 0; }

  std::size_t size() const { return texts_.size(); }
  const std::string& text(std::uint32_t tick) const { return texts_[tick]; }
  /// The tick that is likely to come next; may be size().
  std::uint32_t next() const { return next_; }
  void found_up_to(std::uint32_t next) { next_ = next; }

 private:
  Run& run_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> index_;
  std::uint32_t next_ = 0;
};

}  // namespace crema::read
