#include "core/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fast_float/fast_float.h>
#include <nlohmann/json.hpp>

#include "core/base/collect.hpp"
#include "core/base/numbers.hpp"

namespace crema {

std::string_view number_text(double value, NumberRoom& room) {
  if (!std::isfinite(value)) return {};
  char* const begin = room.data();
  char* const end = begin + room.size();
  // Integers up to 2^53 are exact in a double and are written as such. Others as dump() does,
  // without the document around it that has to be allocated.
  const bool is_whole = value == std::floor(value) && std::fabs(value) < 9007199254740992.0;
  const char* const stop = is_whole ? std::to_chars(begin, end, static_cast<long long>(value)).ptr
                                    : nlohmann::detail::to_chars(begin, end, value);
  return {begin, static_cast<std::size_t>(stop - begin)};
}

std::string number_text(double value) {
  NumberRoom room;
  return std::string(number_text(value, room));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (const std::string_view piece = trimmed(text.substr(at, end - at)); !piece.empty())
      pieces.push_back(piece);
    at = end + 1;
  }
  return pieces;
}

double parse_number(std::string_view text) {
  double value = absent;
  const char* const end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end ? value : absent;
}

std::string listed(const std::vector<std::string>& names, std::size_t most,
                   std::string_view before_last) {
  const std::size_t shown = std::min(most, names.size());
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += sentence({i == 0 ? "" : i + 1 < names.size() ? ", " : before_last, names[i]});
  return shown == names.size()
             ? text
             : sentence({text, before_last, std::to_string(names.size() - shown), " more"});
}

std::string sentence(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

Letter first_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80U) return {};
    code = code << 6U | (next & 0x3fU);
  }
  // Longer than needed, a half of a pair, or beyond the last: none of them is a letter.
  const bool overlong = code < (bytes == 4 ? 0x10000U : bytes == 3 ? 0x800U : 0x80U);
  if (overlong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return {};
  return {code, bytes};
}

namespace {

bool is_obeyed(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

void append_escape(std::string& out, std::uint32_t code, std::size_t digits) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += digits == 2 ? "\\x" : "\\u";
  for (std::size_t i = digits; i-- > 0;) out += hex[code >> (4 * i) & 15U];
}

bool alike(char a, char b) { return as_small(a) == as_small(b); }

bool holds(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), alike) != text.end();
}

// Every question and every export format is named, of a thousand files a few.
constexpr std::size_t most_named = 60;

}  // namespace

std::string json_text(std::string_view text) {
  const bool is_plain =
      all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (is_plain) return '"' + std::string(text) + '"';
  constexpr std::string_view escaped = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
  std::string out = "\"";
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    const std::size_t place = escaped.find(text.front());
    if (letter.bytes == 0) out += "\xef\xbf\xbd";
    else if (place != std::string_view::npos) out.append({'\\', letters[place]});
    else if (letter.code < 0x20) append_escape(out, letter.code, 4);
    else out += text.substr(0, letter.bytes);
    text.remove_prefix(std::max<std::size_t>(1, letter.bytes));
  }
  return out + '"';
}

std::string json_of(const nlohmann::json& value) {
  using Type = nlohmann::json::value_t;
  std::string members;
  switch (value.type()) {
    case Type::string: return json_text(value.get_ref<const std::string&>());
    case Type::boolean: return value.get<bool>() ? "true" : "false";
    case Type::number_integer: return std::to_string(value.get<std::int64_t>());
    case Type::number_unsigned: return std::to_string(value.get<std::uint64_t>());
    case Type::number_float: {
      NumberRoom room;
      const auto number = value.get<double>();
      if (!std::isfinite(number)) return "null";
      return {room.data(), nlohmann::detail::to_chars(room.begin(), room.end(), number)};
    }
    case Type::object:
      for (const auto& [key, member] : value.items())
        members += sentence({members.empty() ? "" : ",", json_text(key), ":", json_of(member)});
      return '{' + members + '}';
    case Type::array:
      for (const nlohmann::json& element : value)
        members += sentence({members.empty() ? "" : ",", json_of(element)});
      return '[' + members + ']';
    default: return "null";
  }
}

std::string unescape_html(std::string_view text) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'},    {"&gt;", '>'},    {"&amp;", '&'}, {"&quot;", '"'},
      {"&apos;", '\''}, {"&#x27;", '\''}, {"&#x60;", '`'}};
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('&'), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto* const entity =
        std::find_if(std::begin(entities), std::end(entities),
                     [&](const auto& e) { return text.substr(0, e.first.size()) == e.first; });
    const bool known = entity != std::end(entities);
    out += known ? entity->second : '&';
    text.remove_prefix(known ? entity->first.size() : 1);
  }
  return out;
}

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.bytes == 0) append_escape(out, static_cast<unsigned char>(text.front()), 2);
    else if (!is_obeyed(letter.code)) out += text.substr(0, letter.bytes);
    else if (letter.code == '\n') out += "\\n";
    else if (letter.code == '\r') out += "\\r";
    else if (letter.code == '\t') out += "\\t";
    else append_escape(out, letter.code, letter.code < 0x80 ? 2 : 4);
    text.remove_prefix(letter.bytes == 0 ? 1 : letter.bytes);
  }
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > limit) return limit + 1;
  // The last two rows are enough: row[j] is the distance of the letters of `a` so far to the first
  // j of `b`.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {last[j] + 1, row[j - 1] + 1, last[j - 1] + (alike(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) && alike(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    if (*std::min_element(row.begin(), row.end()) > limit + 1) return limit + 1;
  }
  return std::min(row.back(), limit + 1);
}

std::string_view nearest(std::string_view wanted, std::span<const std::string_view> known) {
  if (wanted.empty()) return {};
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>(1, (wanted.size() + 1) / 3) + 1;
  for (const std::string_view name : known) {
    const std::size_t slips = edit_distance(wanted, name, fewest - 1);
    // All letters of a short name could be changed into any other.
    if (slips >= fewest || slips >= std::max(wanted.size(), name.size())) continue;
    best = name;
    fewest = slips;
    if (slips == 0) return best;
  }
  if (!best.empty() || wanted.size() < 3) return best;
  for (const std::string_view name : known) {
    if (holds(name, wanted) && (best.empty() || name.size() < best.size())) best = name;
  }
  return best;
}

std::string not_among(std::string_view wanted, std::span<const std::string_view> known) {
  std::string text(wanted);
  if (known.empty()) return text + "; there are none";
  text += known.size() == 1 ? "; there is " : "; there are ";
  const std::size_t named = known.size() > most_named + 5 ? most_named / 5 : known.size();
  for (std::size_t i = 0; i < named; ++i) text.append(i > 0 ? ", " : "").append(known[i]);
  if (named < known.size()) text += " and " + std::to_string(known.size() - named) + " more";
  if (const std::string_view meant = nearest(wanted, known); !meant.empty())
    text.append(". Did you mean ").append(meant) += '?';
  return text;
}

}  // namespace crema
