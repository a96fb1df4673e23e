#include "core/read/series_gear.hpp"

#include <algorithm>

#include "core/json/number.hpp"
#include "core/json/simd.hpp"
#include "core/json/text.hpp"

namespace crema {

namespace {

// Longer separators and timestamps than any writer's are left to the tokenizer, so that what is kept of them stays small.
constexpr std::size_t longest_blank = 64;
constexpr std::size_t longest_time = 240;  // every character of it written as an escape
// A document whose layout changes this often is read without one.
constexpr unsigned most_layouts = 64;

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

const char* skip_blank(const char* p, const char* end) {
  while (p != end && is_blank(*p)) ++p;
  return p;
}

/// The number at `p`, 0 or more, which does not reach the end of the bytes at hand; nullptr otherwise.
[[gnu::always_inline]] inline const char* read_amount(const char* p, const char* end, double& value) {
  if (p == end || *p == '-') return nullptr;
  json::Number number;
  const char* const stop = json::scan_number(p, end, number);
  if (stop == nullptr || stop == end) return nullptr;
  value = json::value_of(number, p, stop);
  return value <= 1.7976931348623157e308 ? stop : nullptr;
}

bool begins_with(const char* p, const char* end, std::string_view text) {
  return static_cast<std::size_t>(end - p) >= text.size() && json::simd::same_bytes(p, text.data(), text.size());
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

void SeriesBuilder::set_anywhere(std::uint32_t tick, double value) {
  if (values_.empty()) begin_ = tick;
  if (tick < begin_) {
    // As much again in front, so that a series from its last tick to its first is not moved for each.
    const std::size_t more = std::min<std::size_t>(begin_, std::max<std::size_t>(begin_ - tick, values_.size()));
    values_.insert(values_.begin(), more, absent);
    begin_ -= static_cast<std::uint32_t>(more);
  }
  const std::size_t at = tick - begin_;
  if (at >= values_.size()) values_.resize(at + 1, absent);
  values_[at] = value;
}

void SeriesBuilder::flush(TickSeries& series) {
  if (values_.empty()) return;
  const auto first = std::find_if(values_.begin(), values_.end(), [](double v) { return !is_absent(v); });
  const auto begin = begin_ + static_cast<std::uint32_t>(first - values_.begin());
  if (series.empty()) {
    series.first_tick = begin;
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

// An element of whatever white space at `p`, which is '['; nullptr when it is not wholly there or no pair of a time and an
// amount.
const char* SeriesGear::take_any(const char* p, const char* end, double scale, SeriesBuilder& into) {
  const char* const open = p;
  p = skip_blank(p + 1, end);
  if (p == end || *p != '"') return nullptr;
  const char* const text = ++p;
  bool escaped = false;
  for (; p != end && *p >= ' ' && *p <= '~' && *p != '"'; ++p) {
    if (*p != '\\') continue;
    escaped = true;
    if (++p == end) return nullptr;
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
  const std::uint32_t tick = ticks_.find(escaped ? std::string_view(decoded_) : raw);
  if (tick == TickIndex::none) return nullptr;
  into.set(tick, value * scale);
  if (learned_ < most_layouts) {
    seen_.open.assign(open, text);
    seen_.middle.assign(text_end, number);
    seen_.close.assign(number_end, p + 1);
    if (escaped) seen_.escapes = escapes_in(raw);
    else seen_.escapes.clear();
  }
  return p + 1;
}

// The comma behind an element: where the next element begins; nullptr when that is not there.
const char* SeriesGear::between(const char* p, const char* end) {
  const char* const begin = p;
  p = skip_blank(p, end);
  if (p == end || *p != ',') return nullptr;
  p = skip_blank(p + 1, end);
  if (p == end || *p != '[') return nullptr;
  if (learned_ < most_layouts) seen_.between.assign(begin, p);
  return p;
}

// Makes the layout of the last element the known one, and brings what is expected up to the ticks known by now.
void SeriesGear::learn() {
  if (seen_ != known_) {
    const std::size_t longest = std::max({seen_.open.size(), seen_.middle.size(), seen_.close.size(), seen_.between.size()});
    if (longest > longest_blank || learned_ == most_layouts) return;
    ++learned_;
    known_ = seen_;
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

// Elements of consecutive ticks in the known layout, the first at `p`; returns the end of the last, or `p`.
const char* SeriesGear::take_known(const char* p, const char* end, double scale, SeriesBuilder& into, std::size_t& count) {
  std::uint32_t tick = ticks_.next();
  const auto known = static_cast<std::uint32_t>(begins_.empty() ? 0 : begins_.size() - 1);
  if (tick >= known) return p;
  const std::string_view first = expected(tick).substr(known_.close.size() + known_.between.size());
  if (!begins_with(p, end, first)) return p;
  const char* done = p;
  p += first.size();
  for (;;) {
    double value = 0;
    const char* const stop = read_amount(p, end, value);
    if (stop == nullptr) break;
    if (tick + 1 < known && begins_with(stop, end, expected(tick + 1))) {
      into.set(tick, value * scale);
      ++tick;
      ++count;
      done = stop + known_.close.size();
      p = stop + (begins_[tick + 1] - begins_[tick]);
      continue;
    }
    if (begins_with(stop, end, known_.close)) {
      into.set(tick, value * scale);
      ++tick;
      ++count;
      done = stop + known_.close.size();
    }
    break;
  }
  ticks_.found_up_to(tick);
  return done;
}

std::size_t SeriesGear::take(std::string_view bytes, double scale, SeriesBuilder& into, std::size_t& count) {
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

}  // namespace crema
