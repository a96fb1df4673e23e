#include "core/read/line_reader.hpp"

#include <algorithm>

#include "core/json/text.hpp"

namespace crema::read {

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

std::string_view without_trailing_blanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view text = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return text;
}

LineReader::LineReader(Run& run, std::string_view path) : run_(run), path_(path) {}
LineReader::~LineReader() = default;

void LineReader::push(std::span<const char> bytes) {
  std::string_view rest(bytes.data(), bytes.size());
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    if (carried_ == 0) {
      take(rest.substr(0, end), end);
    } else {
      carry(rest.substr(0, end));
      end_carried();
    }
    rest.remove_prefix(end + 1);
  }
  carry(rest);
}

void LineReader::finish() {
  if (carried_ > 0) end_carried();
  tell(bad_lines_, "bad-line", "lines are not " + std::string(expects()));
  tell(bad_text_, "bad-utf8", "lines are not valid UTF-8");
  finished();
}

void LineReader::carry(std::string_view part) {
  carried_ += part.size();
  if (carried_ <= longest_line) carry_.append(part);
}

void LineReader::end_carried() {
  take(carry_, carried_);
  carry_.clear();
  carried_ = 0;
}

void LineReader::take(std::string_view text, std::uint64_t length) {
  const std::uint64_t at = offset_;
  offset_ += length + 1;
  if (++lines_ == 1) text = without_byte_order_mark(text);
  BadLines* const bad = json::invalid_utf8(text) ? &bad_text_
                        : line(text, length)     ? nullptr
                                                 : &bad_lines_;
  if (bad == nullptr) return;
  if (bad->fault.count == 0) bad->at = at;
  bad->fault.at(lines_);
}

void LineReader::tell(const BadLines& bad, const char* id, std::string what) {
  if (bad.fault.count == 0) return;
  run_.data_notes.push_back({id, Severity::medium, path_, bad.at,
                             "line " + std::to_string(bad.fault.first),
                             std::move(what) + "; they were left out", bad.fault.count});
}

}  // namespace crema::read
