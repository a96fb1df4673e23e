// Texts as numbers: the pool that knows them, and their order.
#include <algorithm>
#include <string>

#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

TEST_CASE(
    "A pool keeps every text once, under the number of its first sight, however many there are") {
  StringPool pool;
  CHECK(pool.find("a") == no_string);
  CHECK(pool.intern("") == 0);
  CHECK(pool[no_string].empty());
  std::vector<std::string_view> seen;
  for (StringId i = 1; i < 3000; ++i) {
    CHECK(pool.intern("text " + std::to_string(i)) == i);
    seen.push_back(pool[i]);
  }
  for (StringId i = 1; i < 3000; ++i) {
    const std::string text = "text " + std::to_string(i);
    CHECK(pool.intern(text) == i);
    CHECK(pool.find(text) == i);
    CHECK(seen[i - 1] == text);  // what was handed out is valid still
  }
  CHECK(pool.find("text 3000") == no_string);
  CHECK(pool.size() == 3000);

  const StringPool moved = std::move(pool);
  CHECK(moved[7] == "text 7");
  CHECK(moved.find("text 7") == 7);
}

TEST_CASE("Texts are ordered by their bytes, shorter ones first, whatever they begin with") {
  using namespace std::string_literals;
  const std::string alike = "root://cache.example//store/nano_";
  const std::vector<std::string> texts = {
      alike + "10.root",
      alike + "9.root",
      alike,
      "b",
      "",
      "a\0"s,
      "a",
      "\xc3\xa9",
      "a\0\0"s,
      "1234567",
      "12345678",
      "123456",
      alike + "10.root",
      "",
      "1234567\0"s,
  };
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<std::string_view> ordered;
  for (const std::uint32_t at : text_order(views)) ordered.push_back(views[at]);
  std::vector<std::string_view> expected = views;
  std::sort(expected.begin(), expected.end());
  CHECK(ordered == expected);
  CHECK(ordered[2] == "123456");
  CHECK(ordered.back() == "\xc3\xa9");
  CHECK(text_order({}).empty());
}
