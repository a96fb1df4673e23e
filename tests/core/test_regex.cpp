#include "core/profile/regex.hpp"

#include "core/base/error.hpp"
#include "tests/core/catch.hpp"

using namespace crema;
using namespace crema::profile;

namespace {
bool found(const char* pattern, const std::string& text) { return Regex(pattern).search(text); }
}  // namespace

TEST_CASE("an expression is searched for anywhere, whatever the case") {
  CHECK(found("proc", "my_Process"));
  CHECK(found("", "anything"));
  CHECK_FALSE(found("proc", "pro c"));
}

TEST_CASE("anchors, any character, classes") {
  CHECK(found("^process$", "process"));
  CHECK_FALSE(found("^process$", "preprocess"));
  CHECK_FALSE(found("^process$", "processes"));
  CHECK(found("r..d", "TBranch.read"));
  CHECK_FALSE(found("^..$", "abc"));
  CHECK(found("[a-c]x[^0-9]", "bxy"));
  CHECK_FALSE(found("[a-c]x[^0-9]", "bx7"));
  CHECK(found("[]]", "a]"));
  CHECK(found("[a\\]-]", "-"));
  CHECK(found("\\d\\d\\w\\s", "x42_ "));
  CHECK_FALSE(found("\\D", "42"));
  CHECK(found("a\\.py", "a.py"));
  CHECK_FALSE(found("a\\.py", "aXpy"));
}

TEST_CASE("repeats, alternatives, groups") {
  CHECK(found("^ab*c$", "ac"));
  CHECK(found("^ab*c$", "abbbc"));
  CHECK_FALSE(found("^ab+c$", "ac"));
  CHECK(found("^colou?r$", "color"));
  CHECK(found("^(read|write)_(column|row)s?$", "write_rows"));
  CHECK_FALSE(found("^(read|write)_(column|row)s?$", "write_table"));
  CHECK(found("^(ab)+$", "ababab"));
  CHECK_FALSE(found("^(ab)+$", "ababa"));
  CHECK(found("^a|b$", "ax"));
  CHECK(found("^a|b$", "xb"));
  CHECK_FALSE(found("^a|b$", "xax"));
  CHECK(found("((a|b)*c)+$", "abcabbc"));
}

TEST_CASE("what would take a backtracking matcher for ever is soon done") {
  const std::string text(5000, 'a');
  CHECK_FALSE(found("^(a*)*(a*)*(a|aa)+b$", text));
  CHECK(found("^(a?)*$", text));
}

TEST_CASE("what is not a valid expression is refused with a reason") {
  for (const char* wrong : {"(", ")", "a|", "|a", "()", "*", "a(*)", "[a", "\\", "[z-a]"}) {
    INFO(wrong);
    CHECK_THROWS_AS(Regex(wrong), Failure);
  }
}

TEST_CASE("deep nesting needs no recursion") {
  std::string nested = "x";
  for (int i = 0; i < 400; ++i) nested = "(" + nested + ")";
  CHECK(found(nested.c_str(), "axb"));
}
