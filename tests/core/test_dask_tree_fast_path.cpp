#include <random>

#include "tests/core/catch.hpp"
#include "tests/core/profile_runs.hpp"
#include "tests/core/tree_text.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

/// Everything that was read of call trees and what was said of them.
std::string all_of(const Run& run) {
  std::string text;
  for (const CallTree& tree : run.call_trees) {
    text += tree_text(tree, *run.names);
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const FrameId frame = tree.frame[i];
      text += plain(tree.count[i]) + " " + std::to_string(tree.line[i]) + " " +
              std::to_string(run.names->frames.line_seen[frame]) + " " +
              std::string(run.text(run.names->frames.source_line[frame])) + "\n";
    }
  }
  for (const DataNote& note : run.data_notes)
    text += note.id + " " + std::to_string(note.count) + "\n";
  return text;
}

/// Profiles as people write them by chance: any white space, keys in any order, odd values now and
/// then.
class ByChance {
 public:
  ByChance(unsigned seed, bool is_dask, double odd) : random_(seed), is_dask_(is_dask), odd_(odd) {}

  std::string node(const std::string& key, int depth) {
    std::vector<std::string> members;
    const std::string function = std::to_string(below(12));
    const auto member = [&](const char* name, const std::string& value) {
      members.push_back(std::string("\"") + name + "\"" + blank() + ":" + blank() + value);
    };
    if (is_dask_) {
      if (!is_odd()) member("identifier", key);
      member("description",
             is_odd()
                 ? one_of({"null", "\"text\"", "{}", "{\"name\": null}", "[1]"})
                 : "{" + blank() + "\"filename\": \"f" + function + ".py\", \"name\": \"n" +
                       function + "\", \"line_number\": " + std::to_string(below(90)) +
                       ", \"line\": \"" + one_of({"x = 1\\n", "s = \\\"\\u00e9\\\"\\n", "é", ""}) +
                       "\"" + blank() + "}");
      member("count", is_odd() ? one_of({"null", "-3", "\"7\"", "NaN", "1e999", "true", "2.5"})
                               : std::to_string(below(100)));
    } else {
      member("name", is_odd() ? one_of({"null", "\"g \\u0028a.py:3)\"", "5"})
                              : "\"fn_" + function + " (a.py:" + function + ")\"");
      member("value", is_odd() ? one_of({"null", "-1", "\"x\""}) : std::to_string(below(100)));
      if (is_odd())
        member("extra", one_of({"[1, {\"children\": []}]", "\"x\"", "{}", "3", "null"}));
    }
    const bool named = is_dask_ && below(6) > 0;
    std::string children;
    for (std::size_t i = 0, n = depth > 6 ? 0 : below(5); i < n; ++i) {
      const std::string id = "\"n" + std::to_string(below(9)) + ";f" + std::to_string(below(3)) +
                             ".py;" + std::to_string(i) + "\"";
      children += (i == 0 ? "" : blank() + "," + blank()) +
                  (named ? id + blank() + ":" + blank() : "") + node(id, depth + 1);
    }
    member("children",
           is_odd() ? one_of({"null", "[]", "{}", "7"})
                    : (named ? "{" : "[") + blank() + children + blank() + (named ? "}" : "]"));
    std::shuffle(members.begin(), members.end(), random_);
    std::string text = "{" + blank();
    for (std::size_t i = 0; i < members.size(); ++i)
      text += (i == 0 ? "" : blank() + "," + blank()) + members[i];
    return text + blank() + "}";
  }

 private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  bool is_odd() { return std::uniform_real_distribution<>()(random_) < odd_; }
  std::string blank() { return below(4) == 0 ? one_of({" ", "\n", "\n    ", "\t"}) : ""; }
  std::string one_of(std::initializer_list<const char*> texts) {
    return *(texts.begin() + below(texts.size()));
  }

  std::mt19937 random_;
  bool is_dask_;
  double odd_;
};

}  // namespace

TEST_CASE("Subtrees that are at hand are read as the tokenizer's events are, whatever is in them",
          "[slow]") {
  // Byte by byte no subtree is ever at hand.
  for (unsigned seed = 0; seed < 400; ++seed) {
    const bool is_dask = seed % 2 == 0;
    const double odd = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 0.01 : 0.1;
    const Format& format = is_dask ? profile_tree_format : nested_tree_format;
    std::string text = ByChance(seed, is_dask, odd).node("\"root\"", 0);
    if (seed % 7 == 6) text.resize(text.size() * 2 / 3);
    const std::string expected = all_of(read_run(format, text, "p.json", 1));
    for (const std::size_t piece : {std::size_t{13}, std::size_t{700}, text.size()}) {
      INFO("seed " << seed << ", pieces of " << piece << ": " << text);
      CHECK(all_of(read_run(format, text, "p.json", piece)) == expected);
    }
  }
}

TEST_CASE("A subtree that is broken is refused where the tokenizer refuses it") {
  const std::string whole =
      R"json({"count": 3, "identifier": "root", "description": "", "children": {"a;b.py;1": )json"
      R"json({"count": 3, "identifier": "a;b.py;1", "description": {"name": "a", "line": "x\n"}, "children": {}}}})json";
  for (const char* broken : {"\\q", "\x01", "\xff", ",", "}", "]", ":", "\"", "nul"}) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string text = whole;
      text.insert(at, broken);
      const auto note = [&](std::size_t piece) {
        const Run run = read_run(profile_tree_format, text, "p.json", piece);
        return run.data_notes.empty()
                   ? ""
                   : run.data_notes.back().id + " " + run.data_notes.back().message +
                         std::to_string(run.data_notes.back().offset);
      };
      INFO(text);
      CHECK(note(text.size()) == note(1));
    }
  }
}
