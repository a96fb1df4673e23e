// Compiled for speed: it runs for every value of a series or chunk.
#include "core/read/roastcoffea/metrics.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/block.hpp"
#include "core/json/number.hpp"

namespace crema::read {

namespace {

using json::begins_with;
using json::skip_blank;
using json::simd::Sixteen;

// Longer separators and timestamps than any writer's are left to the tokenizer, so that what is
// kept of them stays small.
constexpr std::size_t longest_blank = 64;
constexpr std::size_t longest_time = 240;
// A document whose layout changes this often is read without one.
constexpr unsigned most_layouts = 64;
// Asks for more equal bytes than are compared.
constexpr std::uint64_t unlike_any = ~std::uint64_t{0};
// Values that room is made for at once.
constexpr std::size_t at_a_time = 128;

/// The number at `p`, 0 or more, which does not reach the end of the bytes at hand; nullptr
/// otherwise.
[[gnu::always_inline]] inline const char* read_amount(const char* p, const char* end,
                                                      double& value) {
  if (p == end || *p == '-') return nullptr;
  json::Number number;
  const char* const stop = json::scan_number(p, end, number);
  if (stop == nullptr || stop == end) return nullptr;
  value = json::value_of(number, p, stop);
  return value <= 1.7976931348623157e308 ? stop : nullptr;
}

std::string_view from_to(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// Finds the number of a tick by its timestamp's text. roastcoffea stamps one text per tick for all
/// workers and series, so that the next tick's text is nearly always the one after the last found:
/// no time is parsed twice.
class TickIndex {
 public:
  explicit TickIndex(Run& run) : run_(run) {}

  static constexpr std::uint32_t none = no_string;
  /// The tick stamped `text`, added to the run when new; none when it is no time.
  std::uint32_t find(std::string_view text) {
    if (next_ < texts_.size() && texts_[next_] == text) return next_++;
    std::uint32_t tick = texts_.find(text);
    if (tick == none) {
      const auto time = parse_naive_time(text);
      if (!time) return none;
      tick = texts_.intern(text);
      run_.tick_naive.push_back(*time);
      run_.worker_counts.push_back(absent);
    }
    next_ = tick + 1;
    return tick;
  }
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
  void flush(TickSeries& series) {
    if (values_.empty()) return;
    const auto first =
        std::find_if(values_.begin(), values_.end(), [](double v) { return !is_absent(v); });
    const auto begin = begin_ + static_cast<std::uint32_t>(first - values_.begin());
    if (series.empty()) {
      series.first_tick = begin;
      likely_ = values_.size();
      if (first == values_.begin() && values_.capacity() - values_.size() <= values_.size() / 16) {
        // as long as the one before it: handed over as it is, and the next will be as long
        series.values.swap(values_);
        return;
      }
      series.values.assign(first, values_.end());
    } else {
      // The later one counts, as where a key occurs twice.
      series.set(begin + static_cast<std::size_t>(values_.end() - first) - 1, values_.back());
      for (auto value = first; value != values_.end(); ++value) {
        if (!is_absent(*value)) series.set(begin + static_cast<std::size_t>(value - first), *value);
      }
    }
    values_.clear();
  }

 private:
  void begin_at(std::uint32_t tick) {
    if (!values_.empty()) return;
    begin_ = tick;
    values_.reserve(likely_);
  }

  [[gnu::noinline]] void set_anywhere(std::uint32_t tick, double value) {
    begin_at(tick);
    if (tick < begin_) {
      // As much again in front, so that a series from its last tick to its first is not moved for
      // each.
      const std::size_t more =
          std::min<std::size_t>(begin_, std::max<std::size_t>(begin_ - tick, values_.size()));
      values_.insert(values_.begin(), more, absent);
      begin_ -= static_cast<std::uint32_t>(more);
    }
    const std::size_t at = tick - begin_;
    if (at >= values_.size()) values_.resize(at + 1, absent);
    values_[at] = value;
  }

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
  std::size_t take(std::string_view bytes, double scale, SeriesBuilder& into, std::size_t& count) {
    const char* const begin = bytes.data();
    const char* const end = begin + bytes.size();
    const char* done = begin;
    for (const char* p = begin; p != nullptr && p != end && *p == '[';) {
      const char* stop = take_known(p, end, scale, into, count);
      const bool is_known = stop != p;
      if (!is_known) {
        stop = take_any(p, end, scale, into);
        if (stop == nullptr) break;
        ++count;
      }
      done = stop;
      p = between(stop, end);
      if (p != nullptr && !is_known) learn();
    }
    return static_cast<std::size_t>(done - begin);
  }

 private:
  /// The white space of an element and of the comma behind it.
  template <class Text>
  struct Layout {
    Text open;     // `[` to the timestamp
    Text middle;   // the timestamp to the number
    Text close;    // the number to `]`
    Text between;  // `]` to the next `[`
  };

  // Elements of consecutive ticks in the known layout, the first at `p`; returns the end of the
  // last, or `p`.
  const char* take_known(const char* p, const char* end, double scale, SeriesBuilder& into,
                         std::size_t& count) {
    std::uint32_t tick = ticks_.next();
    const auto known = static_cast<std::uint32_t>(begins_.empty() ? 0 : begins_.size() - 1);
    if (tick >= known) return p;
    const std::size_t before = begins_[tick] + known_.close.size() + known_.between.size();
    const std::string_view first =
        std::string_view(expected_).substr(before, begins_[tick + 1] - before);
    if (!begins_with(p, end, first)) return p;
    const char* done = p;
    p += first.size();
    // What the loop needs, in locals: the compiler cannot know that values that are written change
    // none of it.
    const char* const texts = expected_.data();
    const std::size_t* const begins = begins_.data();
    const std::size_t close = known_.close.size();
    // The number before: its text, and as bits its bytes and the one behind it.
    const char* number = p;
    std::size_t length_of_number = 0;
    std::uint64_t whole_number = unlike_any;
    double value = 0;
    double values[at_a_time];  // a vector would set them to 0 first
    for (bool more = true; more;) {
      const std::size_t most = std::min<std::size_t>(known - tick, at_a_time);
      std::size_t taken = 0;
      for (more = into.is_next(tick); more && taken < most;) {
        // Many a value is the one before it: then where it ends need not be found out before going
        // on.
        const bool repeats = static_cast<std::size_t>(end - p) >= Sixteen::width &&
                             ((Sixteen::load(p) ^ Sixteen::load(number)).equals('\0').marks() &
                              whole_number) == whole_number;
        const char* const stop = repeats ? p + length_of_number : read_amount(p, end, value);
        more = stop != nullptr;
        if (!more) break;
        if (!repeats) {
          number = p;
          length_of_number = static_cast<std::size_t>(stop - p);
          whole_number = length_of_number < Sixteen::width
                             ? (std::uint64_t{2} << length_of_number) - 1
                             : unlike_any;
        }
        values[taken] = value * scale;
        const bool last = tick + 1 == known;
        const std::size_t length = last ? close : begins[tick + 2] - begins[tick + 1];
        more = !last && begins_with(stop, end, {texts + begins[tick + 1], length});
        if (!more && !begins_with(stop, end, known_.close)) break;
        ++taken;
        ++tick;
        done = stop + close;
        p = stop + length;
      }
      into.append({values, taken});
      count += taken;
    }
    ticks_.found_up_to(tick);
    return done;
  }

  // An element of whatever white space at `p`, which is '['; nullptr when it is not wholly there or
  // no pair of a plain time and an amount.
  [[gnu::noinline]] const char* take_any(const char* p, const char* end, double scale,
                                         SeriesBuilder& into) {
    const char* const open = p;
    p = skip_blank(p + 1, end);
    if (p == end || *p != '"') return nullptr;
    const char* const text = p + 1;
    // Mostly the next tick's, which is then not looked for.
    std::uint32_t tick = ticks_.next();
    const bool is_next = tick < ticks_.size() && begins_with(text, end, ticks_.text(tick));
    const char* text_end = is_next ? text + ticks_.text(tick).size() : text;
    if (text_end == text || text_end == end || *text_end != '"') {
      text_end = json::skip_plain(text, end);
      tick = TickIndex::none;
    }
    if (text_end == end || *text_end != '"' ||
        static_cast<std::size_t>(text_end - text) > longest_time)
      return nullptr;
    p = skip_blank(text_end + 1, end);
    if (p == end || *p != ',') return nullptr;
    const char* const number = skip_blank(p + 1, end);
    double value = 0;
    const char* const number_end = read_amount(number, end, value);
    if (number_end == nullptr) return nullptr;
    p = skip_blank(number_end, end);
    if (p == end || *p != ']') return nullptr;
    if (tick == TickIndex::none) tick = ticks_.find(from_to(text, text_end));
    else ticks_.found_up_to(tick + 1);
    if (tick == TickIndex::none) return nullptr;
    into.set(tick, value * scale);
    seen_ = {from_to(open, text), from_to(text_end, number), from_to(number_end, p + 1), {}};
    return p + 1;
  }

  // The comma behind an element: where the next element begins; nullptr when that is not there.
  const char* between(const char* p, const char* end) {
    const char* const begin = p;
    p = skip_blank(p, end);
    if (p == end || *p != ',') return nullptr;
    p = skip_blank(p + 1, end);
    if (p == end || *p != '[') return nullptr;
    seen_.between = from_to(begin, p);
    return p;
  }

  // Makes the layout of the last element the known one, and brings what is expected up to the ticks
  // known by now.
  [[gnu::noinline]] void learn() {
    const bool is_seen = seen_.open == known_.open && seen_.middle == known_.middle &&
                         seen_.close == known_.close && seen_.between == known_.between;
    if (learned_ < most_layouts && !is_seen) {
      const std::size_t longest = std::max(
          {seen_.open.size(), seen_.middle.size(), seen_.close.size(), seen_.between.size()});
      if (longest > longest_blank) return;
      ++learned_;
      known_ = {std::string(seen_.open), std::string(seen_.middle), std::string(seen_.close),
                std::string(seen_.between)};
      expected_.clear();
      begins_.clear();
    }
    if (begins_.empty()) begins_.push_back(0);
    while (begins_.size() <= ticks_.size()) {
      expected_ += known_.close + known_.between + known_.open;
      expected_ += ticks_.text(static_cast<std::uint32_t>(begins_.size() - 1));
      expected_ += known_.middle;
      begins_.push_back(expected_.size());
    }
  }

  TickIndex& ticks_;
  Layout<std::string_view> seen_;  // of the last element read byte for byte, in the bytes at hand
  Layout<std::string> known_;
  unsigned learned_ = 0;
  std::string expected_;  // per tick: from the number of the element before it to its own
  std::vector<std::size_t> begins_;  // in expected_
};

class Tracking : public TrackingNode {
 public:
  explicit Tracking(Run& run) : run_(run) {}
  bool begin_object() override { return run_.tracked = true; }
  json::Node* member(std::string_view key) override {
    if (key == "worker_counts") {
      ticks_.rewind();
      return &counts_;
    }
    constexpr std::string_view prefix = "worker_";
    if (!key.starts_with(prefix)) return nullptr;
    const auto found =
        std::find(series_names.begin(), series_names.end(), key.substr(prefix.size()));
    if (found == series_names.end()) return nullptr;
    flush();
    which_ = static_cast<Series>(found - series_names.begin());
    scale_ = which_ == Series::cpu ? percent : 1.0;
    return &series_;
  }
  void finish() override { flush(); }

 private:
  static constexpr std::size_t no_worker = ~std::size_t{0};

  json::Node* worker(std::string_view address) {
    flush();
    worker_ = run_.workers.intern(run_.names->strings.intern(address));
    ticks_.rewind();
    return &pairs_;
  }
  bool value(double value) {
    if (tick_ == TickIndex::none || value < 0) return false;
    builder_.set(tick_, value * scale_);
    return true;
  }
  /// Puts what was read of the worker's series into the run.
  void flush() {
    if (worker_ != no_worker) builder_.flush(run_.workers.of(which_, worker_));
    worker_ = no_worker;
  }

  /// The pairs of one worker; most of them are read without the tokenizer.
  struct Pairs : json::List {
    explicit Pairs(Tracking& of)
        : List("a list of pairs", of.pair_, [&](std::size_t) { of.tick_ = TickIndex::none; }),
          owner(of) {}
    bool wants_raw() const override { return true; }
    std::size_t consume_raw(std::string_view bytes, std::size_t& index) override {
      return owner.fast_path_.take(bytes, owner.scale_, owner.builder_, index);
    }
    void end() override { owner.flush(); }
    Tracking& owner;
  };

  Run& run_;
  TickIndex ticks_{run_};
  SeriesFastPath fast_path_{ticks_};
  SeriesBuilder builder_;
  Series which_{};
  double scale_ = 1;
  std::size_t worker_ = no_worker;
  std::uint32_t tick_ = TickIndex::none;

  json::Value time_{"an ISO time", {}, [this](std::string_view text) {
                      return (tick_ = ticks_.find(text)) != TickIndex::none;
                    }};
  json::Value value_{"a number, 0 or more, beside an ISO time",
                     [this](double number) { return value(number); }};
  json::Tuple pair_{"a pair [time, number]", {&time_, &value_}};
  Pairs pairs_{*this};
  json::Map series_{"an object of workers",
                    [this](std::string_view address) { return worker(address); }};
  json::Value count_{"a number of workers under an ISO time", [this](double count) {
                       if (tick_ == TickIndex::none || count < 0) return false;
                       run_.worker_counts[tick_] = count;
                       return true;
                     }};
  json::Map counts_{"an object of numbers of workers", [this](std::string_view text) {
                      tick_ = ticks_.find(text);
                      return &count_;
                    }};
};

}  // namespace

std::unique_ptr<TrackingNode> make_tracking_node(Run& run) {
  return std::make_unique<Tracking>(run);
}

}  // namespace crema::read
