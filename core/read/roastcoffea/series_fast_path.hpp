#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"

namespace crema::read {

/// Finds the number of a tick by its timestamp's text. roastcoffea stamps one text per tick for all
/// workers and series, so that the next tick's text is nearly always the one after the last found:
/// no time is parsed twice.
class TickIndex {
 public:
  explicit TickIndex(Run& run) : run_(run) {}

  static constexpr std::uint32_t none = no_string;
  /// The tick stamped `text`, added to the run when new; none when it is no time.
  std::uint32_t find(std::string_view text);
  /// A new series begins: its first tick may be any.
  void rewind() { next_ = 0; }

  std::size_t size() const { return texts_.size(); }
  std::string_view text(std::uint32_t tick) const { return texts_[tick]; }
  /// The tick that is likely to come next; may be size().
  std::uint32_t next() const { return next_; }
  void found_up_to(std::uint32_t next) { next_ = next; }

 private:
  Run& run_;
  StringPool texts_;  // the id of each is its tick
  std::uint32_t next_ = 0;
};

/// The values of one worker's series while they are read: any order of ticks, then exactly as many
/// values as needed.
class SeriesBuilder {
 public:
  void set(std::uint32_t tick, double value) {
    if (tick == begin_ + values_.size() && !values_.empty()) values_.push_back(value);
    else set_anywhere(tick, value);
  }
  /// Whether `tick` is the next one.
  bool is_next(std::uint32_t tick) {
    begin_at(tick);
    return tick == begin_ + values_.size();
  }
  /// The values of the next ticks.
  void append(std::span<const double> values) {
    values_.insert(values_.end(), values.begin(), values.end());
  }
  /// Adds what was gathered to `series` and begins anew.
  void flush(TickSeries& series);

 private:
  void begin_at(std::uint32_t tick);
  void set_anywhere(std::uint32_t tick, double value);

  std::uint32_t begin_ = 0;  // the tick of values_[0]
  std::vector<double> values_;
  std::size_t likely_ = 0;  // values in a series
};

/// Reads elements `["2025-…", 1.5]` of a series without the tokenizer. The bytes between the
/// numbers repeat: the separators of the layout (any: it is learned from the elements themselves)
/// and the timestamp of the next tick. They are compared with what is expected, and only the number
/// is parsed. A pair that differs but has a known form is read byte for byte; all else is left to
/// the tokenizer. No byte is accepted unchecked.
class SeriesFastPath {
 public:
  explicit SeriesFastPath(TickIndex& ticks) : ticks_(ticks) {}

  /// Takes whole elements from the beginning of `bytes`, where an element begins. Returns how many
  /// bytes it took and adds the elements to `count`.
  std::size_t take(std::string_view bytes, double scale, SeriesBuilder& into, std::size_t& count);

 private:
  /// The white space of an element and of the comma behind it, and what its timestamp escapes.
  template <class Text>
  struct Layout {
    Text open;     // `[` to the timestamp
    Text middle;   // the timestamp to the number
    Text close;    // the number to `]`
    Text between;  // `]` to the next `[`
    std::map<char, std::string> escapes;
  };

  const char* take_known(const char* p, const char* end, double scale, SeriesBuilder& into,
                         std::size_t& count);
  [[gnu::noinline]] const char* take_any(const char* p, const char* end, double scale,
                                         SeriesBuilder& into);
  const char* between(const char* p, const char* end);
  bool known_is_seen() const;
  [[gnu::noinline]] void learn();
  std::string_view expected(std::uint32_t tick) const {
    return std::string_view(expected_).substr(begins_[tick], begins_[tick + 1] - begins_[tick]);
  }

  TickIndex& ticks_;
  Layout<std::string_view> seen_;  // of the last element read byte for byte, in the bytes at hand
  Layout<std::string> known_;
  unsigned learned_ = 0;
  std::string decoded_;   // an escaped timestamp
  std::string expected_;  // per tick: from the number of the element before it to its own
  std::vector<std::size_t> begins_;  // in expected_
};

}  // namespace crema::read
