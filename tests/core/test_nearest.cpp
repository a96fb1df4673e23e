#include "core/base/text.hpp"

#include "tests/core/catch.hpp"

using namespace crema;

namespace {

using NameList = std::vector<std::string_view>;

const NameList datasets = {"data", "ttbar", "wjets", "zprime"};

}  // namespace

TEST_CASE("Two names are as many letters apart as must be changed, added, left out or swapped") {
  CHECK(edit_distance("budget", "budget", 9) == 0);
  CHECK(edit_distance("wjet", "wjets", 9) == 1);
  CHECK(edit_distance("wjetss", "wjets", 9) == 1);
  CHECK(edit_distance("wjots", "wjets", 9) == 1);
  CHECK(edit_distance("wejts", "wjets", 9) == 1);
  CHECK(edit_distance("kitten", "sitting", 9) == 3);
  CHECK(edit_distance("", "abc", 9) == 3);
  CHECK(edit_distance("TTbar", "ttbar", 9) == 0);
}

TEST_CASE("NameList further apart than asked for are not measured") {
  CHECK(edit_distance("kitten", "sitting", 2) == 3);
  CHECK(edit_distance("a", "a long name", 2) == 3);
}

TEST_CASE("The nearest name has the fewest slips, a third of the letters at most") {
  CHECK(nearest("wjet", datasets) == "wjets");
  CHECK(nearest("zprme", datasets) == "zprime");
  CHECK(nearest("DATA", datasets) == "data");
  CHECK(nearest("qcd", datasets).empty());
  CHECK(nearest("", datasets).empty());
  CHECK(nearest("x", NameList{"a", "b"}).empty());
}

TEST_CASE("A name that holds what was written is near, the shortest of them") {
  CHECK(nearest("speed", NameList{"folded", "speedscope"}) == "speedscope");
  CHECK(
      nearest("nano_7", NameList{"root://a//store/nano_71.root", "root://a//store/nano_7.root"}) ==
      "root://a//store/nano_7.root");
  CHECK(nearest("ro", NameList{"root://a//x"}).empty());
}

TEST_CASE("A name there is not is said with those there are, and the nearest") {
  CHECK(not_among("wjet", datasets) ==
        "wjet; there are data, ttbar, wjets, zprime. Did you mean wjets?");
  CHECK(not_among("qcd", datasets) == "qcd; there are data, ttbar, wjets, zprime");
  CHECK(not_among("qcd", NameList{"data"}) == "qcd; there is data");
  CHECK(not_among("qcd", NameList{}) == "qcd; there are none");
}

TEST_CASE("Of a thousand names the first twelve are said, and how many more there are") {
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.push_back("file_" + std::to_string(i) + ".root");
  const std::string said = not_among("file_77O.root", NameList(texts.begin(), texts.end()));
  CHECK(said.substr(0, 40) == "file_77O.root; there are file_0.root, fi");
  CHECK(said.find("file_11.root and 988 more. Did you mean file_77.root?") != std::string::npos);
}
