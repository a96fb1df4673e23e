#include "core/read/python_tuple.hpp"

#include "tests/core/catch.hpp"

using namespace crema;
using namespace crema::read;

namespace {

/// The items as words: strings in ‹›, others with a letter for their kind; "no tuple" when there is
/// none.
std::string items_of(std::string_view text) {
  const auto items = parse_python_tuple(text);
  if (!items) return "no tuple";
  std::string words;
  for (const PythonItem& item : *items) {
    if (!words.empty()) words += ' ';
    switch (item.kind) {
      case PythonItem::Kind::string: words += "‹" + item.text + "›"; break;
      case PythonItem::Kind::none: words += "None"; break;
      case PythonItem::Kind::other: words += "?" + item.text; break;
    }
  }
  return words;
}

}  // namespace

TEST_CASE("A fine-metric key is taken apart") {
  CHECK(items_of("('execute', 'ZprimeProcessor', 'thread-cpu', 'seconds')") ==
        "‹execute› ‹ZprimeProcessor› ‹thread-cpu› ‹seconds›");
  CHECK(items_of("('a','b')") == "‹a› ‹b›");
}

TEST_CASE("repr changes to double quotes when the text has an apostrophe") {
  CHECK(items_of(R"(("O'Hara", 'say "x"'))") == "‹O'Hara› ‹say \"x\"›");
  CHECK(items_of(R"(('both \' and "',))") == "‹both ' and \"›");
}

TEST_CASE("Commas and brackets inside strings separate nothing") {
  CHECK(items_of("('a, b', 'c) d', '(')") == "‹a, b› ‹c) d› ‹(›");
}

TEST_CASE("Escapes of repr are decoded") {
  CHECK(items_of(R"(('a\nb\tc\rd\\e',))") == "‹a\nb\tc\rd\\e›");
  CHECK(items_of(R"(('\xe9\u20ac\U0001f600',))") == "‹é€😀›");
  CHECK(items_of("('é',)") == "‹é›");
}

TEST_CASE("None, numbers, booleans and bytes are told from strings") {
  CHECK(items_of("('execute', None, 1, -2.5, 1e-05, True)") ==
        "‹execute› None ?1 ?-2.5 ?1e-05 ?True");
  CHECK(items_of("('None', '1')") == "‹None› ‹1›");
  CHECK(items_of("(b'x, y', 1)") == "?b'x, y' ?1");
}

TEST_CASE("Tuples of one element and of none") {
  CHECK(items_of("('a',)") == "‹a›");
  CHECK(items_of("()") == "");
}

TEST_CASE("Nested tuples and object reprs are kept as they are written") {
  CHECK(items_of("('execute', ('foo', 1), 'seconds')") == "‹execute› ?('foo', 1) ‹seconds›");
  CHECK(items_of("(('a, b', ('c',)), 'd')") == "?('a, b', ('c',)) ‹d›");
  CHECK(items_of("('x', <function f at 0x7f, (1, 2)>, [1, 2], {'a': 1}, 'y')") ==
        "‹x› ?<function f at 0x7f, (1, 2)> ?[1, 2] ?{'a': 1} ‹y›");
  CHECK(items_of("(Decimal('1.5'), 2)") == "?Decimal('1.5') ?2");
}

TEST_CASE("What is no tuple gives nothing") {
  for (const char* text :
       {"",           "latency",   "'a'",         "(",          "(,)",        "('a'",   "('a',",
        "('a",        "('a' 'b')", "('a',, 'b')", "('a') ",     "('a'), 'b'", "('a\\",  "('\\x4',)",
        "('\\u12',)", "(<x)",      "((1)",        "['a', 'b']", " ('a',)",    "(a'b',)"}) {
    CAPTURE(text);
    CHECK(items_of(text) == "no tuple");
  }
}
