#include "core/json/router.hpp"

#include <vector>

#include "core/json/nodes.hpp"
#include "core/json/tokenizer.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

namespace {

/// Takes the numbers of `{"numbers": [..], "name": text, "pair": {"a": .., "b c": ..}}` and skips
/// the rest.
class Root : public json::Node {
 public:
  double a = -1, b = -1;
  std::string name;
  std::vector<double> numbers;
  int ends = 0;
  Root() : Node("an object") {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    if (key == "numbers") return &list_;
    if (key == "name") return &text_.at(&name);
    if (key == "pair") return &pair_;
    return nullptr;
  }
  void end() override { ++ends; }

 private:
  class List : public json::Node {
   public:
    explicit List(Root& owner) : owner_(owner) {}
    bool begin_array() override { return true; }
    json::Node* element(std::size_t) override { return &item_; }
    void end() override { ++owner_.ends; }

   private:
    class Item : public json::Node {
     public:
      explicit Item(Root& owner) : Node("a number"), owner_(owner) {}
      bool number(double value) override {
        owner_.numbers.push_back(value);
        return true;
      }

     private:
      Root& owner_;
    };
    Root& owner_;
    Item item_{owner_};
  };
  class Pair : public json::Node {
   public:
    explicit Pair(Root& owner) : owner_(owner) {}
    bool begin_object() override { return true; }
    json::Node* member(std::string_view key) override {
      if (key == "a") return &number_.at(&owner_.a);
      if (key == "b c") return &number_.at(&owner_.b, 10);
      return nullptr;
    }

   private:
    Root& owner_;
    json::NumberInto number_;
  };
  List list_{*this};
  Pair pair_{*this};
  json::TextInto text_;
};

struct Routed {
  Root root;
  std::vector<std::string> mismatches;  // "path@offset: expected"
  std::string path_at_end;
  bool well = false;
};

void route(Routed& to, std::string_view text) {
  json::Router router(
      to.root, [&](const std::string& path, std::uint64_t offset, std::string_view expected) {
        to.mismatches.push_back(path + "@" + std::to_string(offset) + ": " + std::string(expected));
      });
  json::Tokenizer tokenizer(router);
  tokenizer.push(text);
  to.well = tokenizer.finish();
  to.path_at_end = router.path();
}

}  // namespace

TEST_CASE("Values reach the nodes that their keys name") {
  Routed r;
  route(r, R"({"numbers": [1, -2, 3.5], "name": "n", "pair": {"a": 4, "b c": 5}})");
  CHECK(r.well);
  CHECK(r.root.numbers == std::vector<double>{1, -2, 3.5});
  CHECK(r.root.name == "n");
  CHECK(r.root.a == 4);
  CHECK(r.root.b == 50);
  CHECK(r.root.ends == 2);
  CHECK(r.mismatches.empty());
}

TEST_CASE("What no node wants is skipped with all below it") {
  Routed r;
  route(
      r,
      R"({"x": {"numbers": [9], "y": [[{"a": 1}]]}, "z": [1, {"name": "no"}], "numbers": [1], "w": null})");
  CHECK(r.root.numbers == std::vector<double>{1});
  CHECK(r.root.name.empty());
  CHECK(r.mismatches.empty());
}

TEST_CASE("A value of another type is reported with its path and byte, and skipped") {
  Routed r;
  route(r, R"({"numbers": [1, "x", {"a": 2}, 3, true], "pair": {"b c": []}})");
  CHECK(r.root.numbers == std::vector<double>{1, 3});
  CHECK(r.mismatches ==
        std::vector<std::string>{"numbers[1]@16: a number", "numbers[2]@21: a number",
                                 "numbers[4]@34: a number", "pair[\"b c\"]@57: a number"});
}

TEST_CASE("The document itself may be of another type") {
  Routed r;
  route(r, "[1]");
  CHECK(r.well);
  CHECK(r.mismatches == std::vector<std::string>{"@0: an object"});
}

TEST_CASE("null and NaN are missing, wherever they stand") {
  Routed r;
  r.root.a = 7;
  route(r, R"({"numbers": [null, NaN, 1], "name": null, "pair": {"a": NaN, "b c": null}})");
  CHECK(r.root.numbers == std::vector<double>{1});
  CHECK(is_absent(r.root.a));
  CHECK(is_absent(r.root.b));
  CHECK(r.mismatches.empty());
}

TEST_CASE("An infinite number is reported and never reaches a node") {
  Routed r;
  route(r, R"({"numbers": [Infinity, -Infinity, 1e999, 2]})");
  CHECK(r.root.numbers == std::vector<double>{2});
  CHECK(r.mismatches.size() == 3);
}

TEST_CASE("A container that the file cuts off gets no end, and the path says where it was") {
  Routed r;
  route(r, R"({"pair": {"a": 1}, "numbers": [1, 2)");
  CHECK_FALSE(r.well);
  CHECK(r.root.ends == 0);
  CHECK(r.root.numbers == std::vector<double>{1});
  CHECK(r.path_at_end == "numbers[0]");
}

TEST_CASE("A text node takes numbers and booleans as their Python text") {
  const auto name_of = [](const std::string& value) {
    Routed r;
    route(r, "{\"name\": " + value + "}");
    return r.root.name;
  };
  CHECK(name_of("3") == "3");
  CHECK(name_of("-3") == "-3");
  CHECK(name_of("2.5") == "2.5");
  CHECK(name_of("true") == "True");
  CHECK(name_of("\"SLURMCluster-3\"") == "SLURMCluster-3");
}
