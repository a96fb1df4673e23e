#include <map>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/base/collect.hpp"
#include "core/base/order.hpp"

using namespace crema;

TEST_CASE("A stable sort: by length, words of one length in the order in which they came") {
  std::vector<std::string> words{"pear", "fig", "plum", "a", "kiwi", "nut"};
  sort_stably(words,
              [](const std::string& x, const std::string& y) { return x.size() < y.size(); });
  CHECK(words == std::vector<std::string>{"a", "fig", "nut", "pear", "plum", "kiwi"});
}

TEST_CASE("A stable sort of many: 1000 multiples of 387 modulo 1000 are all numbers below 1000") {
  std::vector<int> numbers;
  for (int i = 0; i < 1000; ++i) numbers.push_back(i * 387 % 1000);
  sort_stably(numbers, [](int a, int b) { return a < b; });
  for (int i = 0; i < 1000; ++i) REQUIRE(numbers[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("A stable sort of nothing is nothing") {
  std::vector<int> none;
  sort_stably(none, [](int a, int b) { return a < b; });
  CHECK(none.empty());
}

TEST_CASE("values that are found by their key stand in order of first appearance") {
  std::map<std::string, std::size_t> places;
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string name : {"wjets", "ttbar", "wjets"})
    ++one_of(places, name, counts, {name, 0}).second;
  CHECK(counts == std::vector<std::pair<std::string, int>>{{"wjets", 2}, {"ttbar", 1}});
  CHECK(numbers_of(counts, &std::pair<std::string, int>::second) == std::vector<double>{2, 1});
}
