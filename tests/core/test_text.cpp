#include "core/json/number.hpp"

#include "tests/core/catch.hpp"

using namespace crema::json;

namespace {

std::string unescaped(std::string_view raw) {
  std::string out;
  const auto bad = unescape(raw, out);
  return bad ? "broken at " + std::to_string(*bad) : out;
}

std::string utf8(std::uint32_t code) {
  std::string out;
  append_utf8(out, code);
  return out;
}

}  // namespace

TEST_CASE("Escapes of a JSON string are decoded") {
  CHECK(unescaped(R"(a\"\\\/\b\f\n\r\tz)") == "a\"\\/\b\f\n\r\tz");
  CHECK(unescaped(R"(\u0041\u00e9\u20AC\ud83d\ude00)") == "Aé€😀");
  CHECK(unescaped("no escape") == "no escape");
  CHECK(unescaped("") == "");
}

TEST_CASE("A broken escape is reported at its backslash") {
  CHECK(unescaped(R"(ab\x41)") == "broken at 2");
  CHECK(unescaped(R"(ab\u12)") == "broken at 2");
  CHECK(unescaped(R"(ab\uzzzz)") == "broken at 2");
  CHECK(unescaped("ab\\") == "broken at 2");
  CHECK(unescaped(R"(\ud800\u12)") == "broken at 6");
}

TEST_CASE("A surrogate without its other half becomes U+FFFD") {
  CHECK(unescaped(R"(\ud800)") == "\xef\xbf\xbd");
  CHECK(unescaped(R"(\udfff)") == "\xef\xbf\xbd");
  CHECK(unescaped(R"(\ud800\ud800)") == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(unescaped(R"(\ud800a)") ==
        "\xef\xbf\xbd"
        "a");
}

TEST_CASE("Code points are written as UTF-8 of one to four bytes") {
  CHECK(utf8(0x41) == "A");
  CHECK(utf8(0x7ff) == "\xdf\xbf");
  CHECK(utf8(0x20ac) == "€");
  CHECK(utf8(0x10ffff) == "\xf4\x8f\xbf\xbf");
  CHECK(utf8(0x110000) == "\xef\xbf\xbd");
  CHECK(utf8(0xd800) == "\xef\xbf\xbd");
}

TEST_CASE("The first byte that is no UTF-8 is found") {
  CHECK_FALSE(invalid_utf8("plain, é, €, 😀"));
  CHECK(invalid_utf8("ab\x80") == 2U);
  CHECK(invalid_utf8("ab\xc3") == 2U);
  CHECK(invalid_utf8("é\xc3(") == 2U);
  CHECK(invalid_utf8("\xed\xa0\x80") == 0U);
  CHECK(invalid_utf8("\xf0\x80\x80\x80") == 0U);
}

TEST_CASE("Numbers are told apart by JSON's grammar") {
  const auto kind_of = [](std::string_view text) -> std::optional<Number::Kind> {
    Number number;
    const char* const end = text.data() + text.size();
    if (scan_number(text.data(), end, number) != end) return std::nullopt;
    return number.kind;
  };
  for (const char* text : {"0", "-0", "7", "-12", "18446744073709551616"})
    CHECK(kind_of(text) == Number::Kind::integer);
  for (const char* text : {"0.5", "-0.0", "1e5", "1E+5", "1.25e-7"})
    CHECK(kind_of(text) == Number::Kind::decimal);
  for (const char* text :
       {"", "-", "01", "-01", "1.", ".5", "1e", "1e+", "0x1", "+1", "1 ", " 1", "NaN", "1.5.2"})
    CHECK_FALSE(kind_of(text));
}
