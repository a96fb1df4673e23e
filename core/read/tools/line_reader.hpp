#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/base/text.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/imports.hpp"

namespace crema::read {

/// Reads a profile that is a text line by line, however it is cut into pieces.
class LineReader : public Reader {
 public:
  LineReader(Run& run, std::string_view path) : imports_(run, path), run_(run), path_(path) {}
  void push(std::span<const char> bytes) override;
  void finish() override;

 protected:
  /// A line without its end; false when it is none of the format's.
  virtual bool line(std::string_view text) = 0;
  /// The text has ended: adds the profiles to the run.
  virtual void finished() { imports_.add_parts(); }
  /// Whether a last line without a line end can be used: what it lacks is at most digits of its
  /// number.
  virtual bool takes_unended_line() const { return false; }
  /// What its lines are: "a stack with a count".
  virtual std::string_view expects() const = 0;

  /// Whether the last line was left out because it has no end.
  bool is_cut_off() const { return is_cut_off_; }
  /// Adds the note that the file is cut off in its last line.
  void note_cut_off(Severity severity, std::string message);
  /// Adds a note about the file as a whole.
  void note(const char* id, Severity severity, std::initializer_list<std::string_view> parts) {
    run_.add_note(id, severity, sentence(parts), path_);
  }

  Imports imports_;
  Run& run_;
  const std::string path_;

 private:
  struct BadLines {
    Fault fault;
    std::uint64_t at = 0;  ///< [byte] where the first begins
  };
  void carry(std::string_view part);
  void take(std::string_view text, std::uint64_t length);
  bool is_line(std::string_view text, std::uint64_t length);
  void take_unended();
  void end_carried();
  void tell(const BadLines& bad, const char* id, std::string what);

  std::string carry_;            // the beginning of a line
  std::uint64_t carried_ = 0;    // its length so far, which is more where it is too long to be kept
  std::uint64_t offset_ = 0;     // [byte] where the next line begins
  std::uint64_t last_line_ = 0;  // [byte] where the last begins
  std::size_t lines_ = 0;
  bool is_cut_off_ = false;
  BadLines bad_lines_, bad_text_;
};

/// The text without a byte order mark at its beginning.
std::string_view without_byte_order_mark(std::string_view text);

/// Whether nothing but blanks stands in it.
inline bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// The text without blanks at its end.
std::string_view without_trailing_blanks(std::string_view text);

/// Takes the text before the first `separator`, or all, off `rest`.
std::string_view take_until(std::string_view& rest, char separator);

/// Takes the next word off a line, with the blanks around it.
std::string_view take_word(std::string_view& rest);

}  // namespace crema::read
