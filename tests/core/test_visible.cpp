#include "core/base/text.hpp"

#include "tests/core/catch.hpp"

using crema::visible;

TEST_CASE("Text of any language is shown as it is") {
  CHECK(visible("ttbar 2018, ünïcode – 値 😀 \\ \"") == "ttbar 2018, ünïcode – 値 😀 \\ \"");
  CHECK(visible("") == "");
}

TEST_CASE("Control characters are shown, not sent") {
  CHECK(visible("a\x1b[2Jb") == "a\\x1b[2Jb");
  CHECK(visible("line\nline\r\tend") == "line\\nline\\r\\tend");
  CHECK(visible(std::string_view("\0\x07\x7f", 3)) == "\\x00\\x07\\x7f");
  CHECK(visible("\xc2\x9b"
                "31m") == "\\u009b31m");  // C1: what ESC [ is in one character
}

TEST_CASE("Characters that turn the direction of writing, or end a line, are shown") {
  CHECK(visible("gpj.\xe2\x80\xae"
                "exe") == "gpj.\\u202eexe");
  CHECK(visible("\xe2\x81\xa6"
                "a\xe2\x81\xa9") == "\\u2066a\\u2069");
  CHECK(visible("\xe2\x80\xa8") == "\\u2028");
  CHECK(visible("\xe2\x80\xa7\xe2\x80\xaf") ==
        "\xe2\x80\xa7\xe2\x80\xaf");  // their neighbours are none
}

TEST_CASE("Bytes that are no UTF-8 are shown one by one") {
  CHECK(visible("caf\xe9") == "caf\\xe9");
  CHECK(visible("\x9b"
                "31m") == "\\x9b31m");
  CHECK(visible("\xc0\x9b") == "\\xc0\\x9b");           // ESC in two bytes
  CHECK(visible("\xe0\x82\x9b") == "\\xe0\\x82\\x9b");  // C1 in three
  CHECK(visible("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // half a pair
  CHECK(visible("\xe2\x82") == "\\xe2\\x82");           // cut off
}
