#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crema {

/// `text` as a quoted JSON string; bytes that are not UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

/// Shortest decimal text that reads back as the same double; integers without a fraction; "" when
/// absent or not finite.
std::string number_text(double value);
/// The same, written into `room`.
using NumberRoom = std::array<char, 64>;
std::string_view number_text(double value, NumberRoom& room);

/// Of ASCII.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }
constexpr bool is_lowercase_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// `text` without blanks and line breaks at its ends.
std::string_view trimmed(std::string_view text);

/// Splits at any of `separators` and trims the pieces; empty ones are left out.
std::vector<std::string_view> split(std::string_view text, std::string_view separators);

/// Parses all of `text` as a number with a decimal point; absent when it is not one.
double parse_number(std::string_view text);

/// Joins the parts, as `+` would, with a fraction of the code.
std::string sentence(std::initializer_list<std::string_view> parts);

/// "a", "a and b", "a, b and c"; with more than `most` names "a, b and 3 more".
std::string listed(const std::vector<std::string>& names, std::size_t most = 1000,
                   std::string_view before_last = " and ");

/// The part after the last slash: a file's name without its folders.
inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// What is before it: the folders, "" where there is none.
inline std::string_view directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : slash);
}

/// Makes `text` safe to print in a terminal: control characters (C0, DEL, C1), line separators,
/// characters that change the direction of writing, and bytes that are not UTF-8 become escapes
/// such as "\n", "\x1b", "\u202e". Other text stays as it is, in any language.
std::string visible(std::string_view text);

/// Gathers a text and hands it on in pieces of some 64 KiB, so that a long one is never held whole.
/// `end` hands on the rest.
class TextSink {
 public:
  using Take = std::function<void(std::string_view)>;
  explicit TextSink(Take take) : take_(std::move(take)) {}

  TextSink& operator<<(std::string_view text) {
    gathered_.append(text);
    return *this;
  }
  TextSink& operator<<(char c) {
    gathered_ += c;
    return *this;
  }
  /// Called between cells: hands on what has gathered, once that is long.
  void pass() {
    if (gathered_.size() >= piece) end();
  }
  void end() {
    take_(std::exchange(gathered_, {}));
    gathered_.reserve(piece + piece / 4);
  }

 private:
  static constexpr std::size_t piece = std::size_t{64} << 10U;
  Take take_;
  std::string gathered_;
};

/// All that `write` puts into a sink.
template <class Write>
std::string whole_text(const Write& write) {
  std::string text;
  TextSink sink([&](std::string_view piece) { text += piece; });
  write(sink);
  sink.end();
  return text;
}

/// How many letters must be changed, added, left out, or swapped with their neighbour to make `b`
/// of `a` (each letter at most once; small and capital letters are alike); `limit` + 1 when it
/// takes more than `limit`. Letters are bytes.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// Which of `known` was most likely meant by `wanted`: the one with the fewest slips, a third of
/// its letters at most; else the shortest that holds all of `wanted` (three letters or more). Empty
/// when none is like it.
std::string_view nearest(std::string_view wanted, std::span<const std::string_view> known);

/// A sentence for a name that is not among the known ones: "wjet; there are data, ttbar, wjets,
/// zprime. Did you mean wjets?". Of many, only the first are listed.
std::string not_among(std::string_view wanted, std::span<const std::string_view> known);

}  // namespace crema
