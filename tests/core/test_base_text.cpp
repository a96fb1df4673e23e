// Texts: trimmed, split, read as numbers.
#include "core/base/text.hpp"

#include "catch.hpp"
#include "core/base/numbers.hpp"

using namespace crema;

TEST_CASE("Texts are split at separators, trimmed, and nothing is no piece") {
  CHECK(trimmed(" \t a b\r\n") == "a b");
  CHECK(trimmed(" \n").empty());
  using Pieces = std::vector<std::string_view>;
  CHECK(split("a, b;;c ", ",;") == Pieces{"a", "b", "c"});
  CHECK(split("", ",").empty());
  CHECK(split(" , ", ",").empty());
}

TEST_CASE("A number is all of a text, with a point") {
  CHECK(parse_number("2.5e3") == 2500);
  CHECK(parse_number("-0.5") == -0.5);
  for (const char* none : {"", " 1", "1 ", "1,5", "0x10", "one"}) {
    CAPTURE(none);
    CHECK(is_absent(parse_number(none)));
  }
}
