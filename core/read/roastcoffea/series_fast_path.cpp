// Compiled for speed: it runs for every value of a series or chunk.
#include "core/read/roastcoffea/metrics.hpp"

#include <algorithm>

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
constexpr std::size_t longest_time = 240;  // every character of it written as an escape
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

/// What the characters are written as that `raw`, a string without broken escapes, escapes.
std::map<char, std::string> escapes_in(std::string_view raw) {
  std::map<char, std::string> escapes;
  std::string decoded;
  for (std::size_t i = raw.find('\\'); i != std::string_view::npos; i = raw.find('\\', i)) {
    const std::string_view escape = raw.substr(i, raw[i + 1] == 'u' ? 6 : 2);
    if (!json::unescape(escape, decoded) && decoded.size() == 1) escapes[decoded.front()] = escape;
    i += escape.size();
  }
  return escapes;
}

}  // namespace

std::uint32_t TickIndex::find(std::string_view text) {
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

void SeriesBuilder::begin_at(std::uint32_t tick) {
  if (!values_.empty()) return;
  begin_ = tick;
  values_.reserve(likely_);
}

void SeriesBuilder::set_anywhere(std::uint32_t tick, double value) {
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

void SeriesBuilder::flush(TickSeries& series) {
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

// An element of whatever white space at `p`, which is '['; nullptr when it is not wholly there or
// no pair of a time and an amount.
const char* SeriesFastPath::take_any(const char* p, const char* end, double scale,
                                     SeriesBuilder& into) {
  const char* const open = p;
  p = skip_blank(p + 1, end);
  if (p == end || *p != '"') return nullptr;
  const char* const text = ++p;
  std::uint32_t tick = ticks_.next();
  bool escaped = false;
  if (tick < ticks_.size() && begins_with(text, end, ticks_.text(tick)))
    p += ticks_.text(tick).size();
  else tick = TickIndex::none;
  if (p == end || *p != '"') {
    tick = TickIndex::none;
    for (p = text; p != end && *p >= ' ' && *p <= '~' && *p != '"'; ++p) {
      if (*p != '\\') continue;
      escaped = true;
      if (++p == end) return nullptr;
    }
  }
  if (p == end || *p != '"' || static_cast<std::size_t>(p - text) > longest_time) return nullptr;
  const char* const text_end = p;
  const std::string_view raw(text, static_cast<std::size_t>(text_end - text));
  if (escaped && json::unescape(raw, decoded_)) return nullptr;
  p = skip_blank(p + 1, end);
  if (p == end || *p != ',') return nullptr;
  const char* const number = skip_blank(p + 1, end);
  double value = 0;
  const char* const number_end = read_amount(number, end, value);
  if (number_end == nullptr) return nullptr;
  p = skip_blank(number_end, end);
  if (p == end || *p != ']') return nullptr;
  if (tick == TickIndex::none) tick = ticks_.find(escaped ? std::string_view(decoded_) : raw);
  else ticks_.found_up_to(tick + 1);
  if (tick == TickIndex::none) return nullptr;
  into.set(tick, value * scale);
  if (learned_ < most_layouts) {
    seen_.open = from_to(open, text);
    seen_.middle = from_to(text_end, number);
    seen_.close = from_to(number_end, p + 1);
    if (escaped) seen_.escapes = escapes_in(raw);
    else seen_.escapes.clear();
  }
  return p + 1;
}

// The comma behind an element: where the next element begins; nullptr when that is not there.
const char* SeriesFastPath::between(const char* p, const char* end) {
  const char* const begin = p;
  p = skip_blank(p, end);
  if (p == end || *p != ',') return nullptr;
  p = skip_blank(p + 1, end);
  if (p == end || *p != '[') return nullptr;
  seen_.between = from_to(begin, p);
  return p;
}

bool SeriesFastPath::known_is_seen() const {
  return seen_.open == known_.open && seen_.middle == known_.middle &&
         seen_.close == known_.close && seen_.between == known_.between &&
         seen_.escapes == known_.escapes;
}

// Makes the layout of the last element the known one, and brings what is expected up to the ticks
// known by now.
void SeriesFastPath::learn() {
  if (learned_ < most_layouts && !known_is_seen()) {
    const std::size_t longest = std::max(
        {seen_.open.size(), seen_.middle.size(), seen_.close.size(), seen_.between.size()});
    if (longest > longest_blank) return;
    ++learned_;
    known_ = {std::string(seen_.open), std::string(seen_.middle), std::string(seen_.close),
              std::string(seen_.between), seen_.escapes};
    expected_.clear();
    begins_.clear();
  }
  if (begins_.empty()) begins_.push_back(0);
  while (begins_.size() <= ticks_.size()) {
    expected_ += known_.close + known_.between + known_.open;
    for (const char c : ticks_.text(static_cast<std::uint32_t>(begins_.size() - 1))) {
      const auto escape = known_.escapes.find(c);
      if (escape == known_.escapes.end()) expected_ += c;
      else expected_ += escape->second;
    }
    expected_ += known_.middle;
    begins_.push_back(expected_.size());
  }
}

// Elements of consecutive ticks in the known layout, the first at `p`; returns the end of the last,
// or `p`.
const char* SeriesFastPath::take_known(const char* p, const char* end, double scale,
                                       SeriesBuilder& into, std::size_t& count) {
  std::uint32_t tick = ticks_.next();
  const auto known = static_cast<std::uint32_t>(begins_.empty() ? 0 : begins_.size() - 1);
  if (tick >= known) return p;
  const std::string_view first = expected(tick).substr(known_.close.size() + known_.between.size());
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

std::size_t SeriesFastPath::take(std::string_view bytes, double scale, SeriesBuilder& into,
                                 std::size_t& count) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* done = begin;
  for (const char* p = begin; p != nullptr && p != end && *p == '[';) {
    const char* stop = take_known(p, end, scale, into, count);
    if (stop == p) {
      stop = take_any(p, end, scale, into);
      if (stop == nullptr) break;
      ++count;
      done = stop;
      p = between(stop, end);
      if (p != nullptr) learn();
    } else {
      done = stop;
      p = between(stop, end);
    }
  }
  return static_cast<std::size_t>(done - begin);
}

TrackingNode::TrackingNode(Run& run)
    : Map("an object of series", [this](std::string_view key) { return series_of(key); }),
      run_(run) {}

json::Node* TrackingNode::series_of(std::string_view key) {
  if (key == "worker_counts") {
    ticks_.rewind();
    return &counts_;
  }
  constexpr std::string_view prefix = "worker_";
  if (!key.starts_with(prefix)) return nullptr;
  const auto found = std::find(series_names.begin(), series_names.end(), key.substr(prefix.size()));
  if (found == series_names.end()) return nullptr;
  flush();
  which_ = static_cast<Series>(found - series_names.begin());
  scale_ = which_ == Series::cpu ? 0.01 : 1.0;  // percent
  return &series_;
}

json::Node* TrackingNode::worker(std::string_view address) {
  flush();
  worker_ = run_.workers.intern(run_.names->strings.intern(address));
  ticks_.rewind();
  return &pairs_;
}

bool TrackingNode::time(std::string_view text) {
  tick_ = ticks_.find(text);
  return tick_ != TickIndex::none;
}

bool TrackingNode::value(double value) {
  if (tick_ == TickIndex::none || value < 0) return false;
  builder_.set(tick_, value * scale_);
  return true;
}

void TrackingNode::flush() {
  if (worker_ != no_worker) builder_.flush(run_.workers.of(which_, worker_));
  worker_ = no_worker;
}

}  // namespace crema::read
