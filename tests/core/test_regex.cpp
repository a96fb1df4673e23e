#include "core/profile/transform.hpp"

#include <algorithm>

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

TEST_CASE("\\b is the edge of a word, \\B is any other place") {
  CHECK(found("\\bjet\\b", "select jet"));
  CHECK(found("\\bjet\\b", "jet.py"));
  CHECK_FALSE(found("\\bjet\\b", "fatjet"));
  CHECK_FALSE(found("\\bjet\\b", "jet_mass"));
  CHECK(found("\\Bjet\\b", "fatjet"));
  CHECK_FALSE(found("\\Bjet", "jet"));
  CHECK_FALSE(found("\\b", "..."));
  CHECK(found("(\\bjet|muon)+\\b", "a muon"));
}

TEST_CASE("a count in braces repeats what is before it") {
  CHECK(found("^a{3}$", "aaa"));
  CHECK_FALSE(found("^a{3}$", "aa"));
  CHECK_FALSE(found("^a{3}$", "aaaa"));
  CHECK(found("^(ab|c){2,3}$", "abc"));
  CHECK(found("^(ab|c){2,3}$", "cabc"));
  CHECK_FALSE(found("^(ab|c){2,3}$", "ab"));
  CHECK_FALSE(found("^(ab|c){2,3}$", "cccc"));
  CHECK(found("^\\d{4}-\\d{2}$", "2026-11"));
  CHECK(found("^a{2,}$", "aaaaa"));
  CHECK_FALSE(found("^a{2,}$", "a"));
  CHECK(found("^xa{,2}y$", "xy"));
  CHECK(found("^xa{,2}y$", "xaay"));
  CHECK_FALSE(found("^xa{,2}y$", "xaaay"));
  CHECK(found("^xa{0}y$", "xy"));
  CHECK_FALSE(found("^xa{0}y$", "xay"));
  CHECK(found("^((a{2}b){2}c){2}$", "aabaabcaabaabc"));
  CHECK_FALSE(found("^((a{2}b){2}c){2}$", "aabaabcaabc"));
}

TEST_CASE("a brace that holds no count means itself") {
  CHECK(found("{lambda}", "f{lambda}"));
  CHECK(found("^a{,}$", "a{,}"));
  CHECK(found("x{y", "x{y"));
}

TEST_CASE("repeats agree with all texts of up to seven letters, one by one") {
  // "(ab?){least,most}" over texts of a and b: each a begins a repeat, and no b stands first or
  // behind another b.
  for (unsigned least = 0; least < 4; ++least) {
    for (unsigned most = least; most < 5; ++most) {
      const Regex regex("^(?:ab?){" + std::to_string(least) + "," + std::to_string(most) + "}$");
      for (unsigned bits = 1; bits < 256; ++bits) {
        std::string text;
        for (unsigned rest = bits; rest > 1; rest /= 2) text += rest % 2 == 1 ? 'a' : 'b';
        const auto count = static_cast<unsigned>(std::count(text.begin(), text.end(), 'a'));
        const bool expected = text.substr(0, 1) != "b" && text.find("bb") == std::string::npos &&
                              count >= least && count <= most;
        if (regex.search(text) != expected) FAIL(text << " " << least << " " << most);
      }
    }
  }
}

TEST_CASE("what would take a backtracking matcher for ever is soon done") {
  const std::string text(5000, 'a');
  CHECK_FALSE(found("^(a*)*(a*)*(a|aa)+b$", text));
  CHECK(found("^(a?)*$", text));
  CHECK_FALSE(found("^(a{0,20}){0,20}b$", text));
}

TEST_CASE("what is not a valid expression is refused with a reason") {
  for (const char* wrong : {"(", ")", "a|", "|a", "()", "*", "a(*)", "[a", "\\", "[z-a]", "{2}",
                            "a{3,2}", "a{5000}", "((a{99}){99}){99}", "\\1", "\\q", "[\\b]"}) {
    INFO(wrong);
    CHECK_THROWS_AS(Regex(wrong), Failure);
  }
}

TEST_CASE("deep nesting needs no recursion") {
  std::string nested = "x";
  for (int i = 0; i < 400; ++i) nested = "(" + nested + ")";
  CHECK(found(nested.c_str(), "axb"));
}
