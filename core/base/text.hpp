#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace crema {

/// `text` as a quoted JSON string; bytes that are not UTF-8 become U+FFFD.
std::string json_text(std::string_view text);
/// A document as JSON without blanks; what a text holds as above. nlohmann's own brings printf and
/// all of its formats: 3 kB to download.
std::string json_of(const nlohmann::json& value);

/// Shortest decimal text that reads back as the same double; integers without a fraction; "" when
/// absent or not finite.
std::string number_text(double value);
/// The same, written into `room`.
using NumberRoom = std::array<char, 64>;
std::string_view number_text(double value, NumberRoom& room);

/// Of ASCII.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char as_small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }
constexpr bool is_lowercase_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// The first character of a text that is not empty.
struct Letter {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8 (RFC 3629) begins here
};
Letter first_letter(std::string_view text);

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

/// The text with `&lt; &gt; &amp; &quot; &apos; &#x27; &#x60;` replaced, which Bokeh writes for the
/// sake of HTML, and HTCondor in XML.
std::string unescape_html(std::string_view text);

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

/// Whether `part`, or a letter, is somewhere in `text`.
constexpr bool has_part(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
constexpr bool has_part(std::string_view text, char letter) {
  return text.find(letter) != std::string_view::npos;
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

/// A string as a number: equal ids mean equal strings (within one StringPool).
using StringId = std::uint32_t;

/// The id of no string: "not recorded". Distinct from the id of "".
inline constexpr StringId no_string = 0xffffffffU;

/// Every distinct string once. Ids count from 0 in order of first sight; views stay valid for the
/// pool's life.
class StringPool {
 public:
  StringId intern(std::string_view text);

  /// The id of `text`, or no_string when it was never interned.
  StringId find(std::string_view text) const;

  /// The text of `id`; "" for no_string.
  std::string_view operator[](StringId id) const {
    return id == no_string ? std::string_view{} : texts_[id];
  }

  std::size_t size() const { return texts_.size(); }

 private:
  /// A slot of a hash table with open addressing: a new text is hashed once and needs no node,
  /// which takes half the time of std::unordered_map.
  struct Slot {
    std::uint32_t hash = 0;
    StringId id = no_string;  ///< no_string: free
  };

  /// The slot of `text`, or the free slot it would take. There must be a free slot.
  std::size_t place_of(std::string_view text, std::uint32_t hash) const;
  void grow();

  std::deque<std::string> texts_;  // a deque never moves its elements
  std::vector<Slot> slots_;        // a power of two of them, at most half taken
};

/// Numbers inside sentences: three significant digits (integers whole, thousands with commas),
/// "unknown" when absent, "∞" when infinite: then without a unit.
std::string format_number(double value);
std::string format_percent(double fraction);  ///< "45.8 %"
std::string format_seconds(double seconds);   ///< "350 ms", "3.61 s", "1 min 54.3 s", "2 h 5 min"
std::string format_core_seconds(double core_seconds);
/// Of a unit that takes the prefixes k, M, G and T: "5.23 kHz", "233 Mbps".
std::string format_decimal(double value, std::string_view unit);
std::string format_bytes(double bytes);   ///< data volumes, decimal: "69.1 GB"
std::string format_memory(double bytes);  ///< process memory, binary: "0.91 GiB"
/// "1 chunk", "12 chunks".
std::string format_count(double count, const std::string& what);

/// Formats a number for people, the same everywhere: about three significant digits with a unit
/// that fits; "–" when absent. `id` is its id in `summary` or `compare`, "" when it has none.
/// Process memory is in MiB, other bytes in MB, a group of `compare` ("dataset.ttbar") in
/// core-seconds, a share in percent, a speedup in times.
std::string format_quantity(std::string_view id, std::string_view unit, double value);

/// Formats the difference of two such numbers with its sign; of percentages in points: "+2.3 pp",
/// "−12 MiB".
std::string format_difference(std::string_view id, std::string_view unit, double difference);

/// Formats a relative change with its sign: "+32.1 %", "−12 %"; "< 0.1 %" and "0 %" without.
std::string format_relative(double change);

/// Whether a number is shown in percent. Its differences are in points and have no percentage of
/// their own.
bool is_percentage(std::string_view id, std::string_view unit);

/// A unit as a multiple of its base unit: a kHz is 1000 Hz.
struct Unit {
  std::string_view name;
  double times;
  std::string_view base;
};

/// The unit called `name` ("kHz", "MiB"); nullptr when it is unknown.
const Unit* find_unit(std::string_view name);

/// How many `of` make one `unit`: 1e6 for "MB" and "byte"; absent when the two measure different
/// things or one is unknown. A rate as `of` ("s/10⁶ events") is its numerator ("s").
double unit_ratio(std::string_view unit, std::string_view of);

/// The units that measure the same as `unit`, smallest first; none when it is unknown.
std::vector<std::string_view> units_like(std::string_view unit);

}  // namespace crema
