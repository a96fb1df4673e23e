#include "core/read/tools/line_reader.hpp"

#include <algorithm>

#include "core/json/number.hpp"

namespace crema::read {

namespace {

// A longer line is no stack: a small archive can hold a line of gigabytes, which would have to be
// held in memory.
constexpr std::size_t longest_line = std::size_t{1} << 26U;  // [byte]

}  // namespace

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

std::string_view take_word(std::string_view& rest) {
  const auto skip = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size())); };
  skip();
  const std::string_view word = take_until(rest, ' ');
  skip();
  return word;
}

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
  if (carried_ > 0) take_unended();
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

/// Whether the format takes a line of this length, of which `text` may be only the beginning.
bool LineReader::is_line(std::string_view text, std::uint64_t length) {
  return length <= longest_line && line(text);
}

/// The tools end every line. One without an end was cut off, or somebody joined the lines.
void LineReader::take_unended() {
  if (is_blank(carry_)) return;
  if (lines_ == 0 && carried_ <= longest_line) carry_ = without_byte_order_mark(carry_);
  last_line_ = offset_;
  ++lines_;
  if (takes_unended_line() && !json::invalid_utf8(carry_) && is_line(carry_, carried_)) {
    note_cut_off(Severity::low,
                 "its last line has no end: if the file was cut off there, the number in it may "
                 "lack digits");
  } else {
    is_cut_off_ = true;
    note_cut_off(Severity::high,
                 "the file is cut off in its last line; what comes before was read");
  }
}

void LineReader::note_cut_off(Severity severity, std::string message) {
  run_.add_note("cut-off", severity, std::move(message), path_, "line " + std::to_string(lines_),
                last_line_);
}

void LineReader::take(std::string_view text, std::uint64_t length) {
  const std::uint64_t at = last_line_ = offset_;
  offset_ += length + 1;
  if (++lines_ == 1) text = without_byte_order_mark(text);
  BadLines* const bad = json::invalid_utf8(text) ? &bad_text_
                        : is_line(text, length)  ? nullptr
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
