#include "tests/core/catch.hpp"
#include "tests/core/profile_runs.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

Head head_of(const std::string& text, const std::string& path = "x.json") {
  return {path, text, true, false};
}

// Dask's `merge` writes description, children, count, identifier.
const std::string two_workers = R"({
  "tcp://10.0.0.1:4000": {
    "meta": {"address": "tcp://10.0.0.1:4000", "name": 3, "host": "10.0.0.1", "nthreads": 2, "memory_limit": 2000000000, "versions": {}},
    "profile": {
      "description": {"filename": "", "name": "", "line_number": 0, "line": ""},
      "children": {
        "process;/home/u/ana;v2.py;10": {
          "description": {"filename": "/home/u/ana;v2.py", "name": "process", "line_number": 12, "line": "x = f(events)\n"},
          "children": {
            "f;<string>;1": {
              "description": {"filename": "<string>", "name": "f", "line_number": 2, "line": ""},
              "children": {}, "count": 0, "identifier": "f;<string>;1"}},
          "count": 5, "identifier": "process;/home/u/ana;v2.py;10"}},
      "count": 5, "identifier": "root"}},
  "tcp://10.0.0.2:4000": {
    "profile": {
      "count": 2, "identifier": "root", "description": {"filename": "", "name": "", "line_number": 0, "line": ""},
      "children": {
        "process;/home/u/ana;v2.py;10": {
          "count": 2, "identifier": "process;/home/u/ana;v2.py;10",
          "description": {"filename": "/home/u/ana;v2.py", "name": "process", "line_number": 14, "line": "return out\n"},
          "children": {"Reader.read:7": {"count": 0, "children": {}, "identifier": "uproot.Reader.read:7",
                       "description": {"filename": "<built-in>", "name": "Reader.read", "line_number": 7, "line": ""}}}}}},
    "meta": {"address": "tcp://10.0.0.2:4000", "name": "gpu-1", "host": "10.0.0.2", "nthreads": 1, "memory_limit": null}}
})";

std::string drawing(const Run& run, const CallTree& tree) {
  return text_of(resolve(tree, LeafChoice::counted), *run.names);
}

// Everything a profile reader writes into a run, to compare two readings.
std::string everything(const Run& run) {
  std::string all;
  for (const CallTree& tree : run.call_trees) {
    all += tree.name + " " + std::to_string(static_cast<int>(tree.kind)) + " " +
           std::string(run.text(tree.worker)) + "\n";
    for (std::size_t i = 0; i < tree.size(); ++i) {
      all += std::to_string(tree.parent[i]) + " " +
             std::string(run.text(run.names->frames.name[tree.frame[i]])) + " " +
             std::string(run.text(run.names->frames.file[tree.frame[i]])) + " " +
             plain(tree.count[i]) + " " + std::to_string(tree.line[i]) + "\n";
    }
  }
  for (std::size_t i = 0; i < run.workers.size(); ++i) {
    all += std::string(run.text(run.workers.name[i])) + " " + plain(run.workers.nthreads[i]) + " " +
           plain(run.workers.memory_limit[i]) + "\n";
  }
  for (const DataNote& note : run.data_notes)
    all += note.id + " " + note.path + " " + std::to_string(note.count) + "\n";
  return all;
}

}  // namespace

TEST_CASE("per-worker profiles: a tree and the meta of each worker, keys in any order") {
  const Run run = read_run(worker_profiles_format, two_workers);
  CHECK(run.data_notes.empty());
  REQUIRE(run.call_trees.size() == 2);
  CHECK(drawing(run, run.call_trees[0]) ==
        "root 5\n"
        "  process 5 open=5\n"
        "    f 0 self=5\n");
  CHECK(drawing(run, run.call_trees[1]) ==
        "root 2\n"
        "  process 2 open=2\n"
        "    uproot.Reader.read 0 self=2\n");
  for (const CallTree& tree : run.call_trees) {
    CHECK(tree.kind == CallTree::Kind::worker);
    CHECK(tree.leaves == CallTree::Leaves::uncounted);
    CHECK(tree.name == run.text(tree.worker));
    CHECK(tree.source == "file.json");
    CHECK(is_absent(tree.interval));
  }
  REQUIRE(run.workers.size() == 2);
  CHECK(run.text(run.workers.name[0]) == "3");
  CHECK(run.text(run.workers.name[1]) == "gpu-1");
  CHECK(run.text(run.workers.host[1]) == "10.0.0.2");
  CHECK(run.workers.nthreads[0] == 2);
  CHECK(run.workers.memory_limit[0] == 2e9);
  CHECK(is_absent(run.workers.memory_limit[1]));
}

TEST_CASE("a frame is its name, file and first line; the line seen belongs to the node") {
  const Run run = read_run(worker_profiles_format, two_workers);
  const CallTree& one = run.call_trees[0];
  const CallTree& two = run.call_trees[1];
  const FrameTable& frames = run.names->frames;
  const FrameId process = one.frame[1];
  CHECK(two.frame[1] == process);
  CHECK(run.text(frames.file[process]) == "/home/u/ana;v2.py");
  CHECK(frames.first_line[process] == 10);
  CHECK(frames.line_seen[process] == 12);
  CHECK(run.text(frames.source_line[process]) == "x = f(events)");
  CHECK(one.line[1] == 12);
  CHECK(two.line[1] == 14);
  CHECK(frames.source_line[one.frame[2]] == no_string);
  CHECK(run.text(frames.file[two.frame[2]]) == "<built-in>");
  CHECK(frames.first_line[two.frame[2]] == 7);
}

TEST_CASE("cut anywhere into two pieces, the file gives the same run") {
  const std::string whole = everything(read_run(worker_profiles_format, two_workers));
  for (std::size_t at = 0; at <= two_workers.size(); ++at) {
    Run run = empty_run();
    const auto reader = worker_profiles_format.open(run, "file.json");
    reader->push({two_workers.data(), at});
    reader->push({two_workers.data() + at, two_workers.size() - at});
    reader->finish();
    REQUIRE(everything(run) == whole);
  }
  CHECK(everything(read_run(worker_profiles_format, two_workers, "file.json", 1)) == whole);
}

TEST_CASE("a file cut off keeps its complete nodes and their ancestors, which count what is kept") {
  const std::string text =
      R"({"description": {"filename": "", "name": "", "line_number": 0, "line": ""}, "children": {
    "main;a.py;1": {"description": {"filename": "a.py", "name": "main", "line_number": 3, "line": "f()\n"}, "children": {
      "f;a.py;5": {"description": {"filename": "a.py", "name": "f", "line_number": 6, "line": "g()\n"},
                   "children": {"g;a.py;9": {"description": {}, "children": {}, "count": 0, "identifier": "g;a.py;9"}}, "count": 4, "identifier": "f;a.py;5"},
      "h;a.py;20": {"description": {"filename": "a.py", "na)";
  const Run run = read_run(profile_tree_format, text);
  REQUIRE(run.call_trees.size() == 1);
  CHECK(drawing(run, run.call_trees[0]) ==
        "root 4\n"
        "  main 4\n"
        "    f 4 open=4\n"
        "      g 0 self=4\n");
  CHECK(has_note(run, "cut-off"));
}

TEST_CASE("a count that stands before the lost children says nothing of the kept ones") {
  const std::string text = R"({"count": 90, "identifier": "root", "description": "", "children": {
    "main;a.py;1": {"count": 90, "identifier": "main;a.py;1", "description": "", "children": {
      "f;a.py;5": {"count": 4, "identifier": "f;a.py;5", "description": "", "children": {"g;a.py;9": {"count": 0, "identifier": "g;a.py;9", "children": {}}}},
      "h;a.py;9": {"count": 80, "identifier": "h;a.py;9", "childr)";
  const Run run = read_run(profile_tree_format, text);
  REQUIRE(run.call_trees.size() == 1);
  CHECK(drawing(run, run.call_trees[0]) ==
        "root 4\n"
        "  main 4\n"
        "    f 4 open=4\n"
        "      g 0 self=4\n");
}

TEST_CASE("cut off at any byte: never a crash, every complete worker is kept") {
  const std::size_t second = two_workers.find("\"tcp://10.0.0.2");
  for (std::size_t at = 0; at < two_workers.size(); ++at) {
    const Run run = read_run(worker_profiles_format, two_workers.substr(0, at));
    REQUIRE(!run.data_notes.empty());
    if (at >= second) {
      REQUIRE(!run.call_trees.empty());
      REQUIRE(whole_count(run.call_trees[0]) == 5);
    }
  }
}

TEST_CASE("children as a list, description as text, children before all else") {
  const std::string text = R"({"children": [
      {"children": [{"identifier": "leaf;b.py;2", "count": 0, "children": []}], "identifier": "f;a.py;1", "count": 3},
      {"description": "g at b.py", "count": 0}
    ], "count": 3, "identifier": "root", "description": ""})";
  const Run run = read_run(profile_tree_format, text);
  CHECK(run.data_notes.empty());
  REQUIRE(run.call_trees.size() == 1);
  CHECK(drawing(run, run.call_trees[0]) ==
        "root 3\n"
        "  f 3 open=3\n"
        "    leaf 0 self=3\n"
        "  g at b.py 0\n");
  CHECK(run.call_trees[0].kind == CallTree::Kind::merged);
}

TEST_CASE("a tree whose top is a function gets a root of its own") {
  const Run run = read_run(
      profile_tree_format,
      R"({"identifier": "f;a.py;1", "count": 3, "children": {"g;a.py;2": {"count": 0, "children": {}}}})");
  REQUIRE(run.call_trees.size() == 1);
  CHECK(drawing(run, run.call_trees[0]) ==
        "root 3\n"
        "  f 3 open=3\n"
        "    g 0 self=3\n");
}

TEST_CASE("a map of trees: workers by address, task prefixes by name") {
  const std::string tree =
      R"({"count": 2, "identifier": "root", "children": {"f;a.py;1": {"count": 2, "children": {"g;a.py;2": {"count": 0, "children": {}}}}}})";
  const Run run = read_run(profile_map_format,
                           R"({"tls://h:1": )" + tree + R"(, "MyProcessor": )" + tree + "}");
  REQUIRE(run.call_trees.size() == 2);
  CHECK(run.call_trees[0].kind == CallTree::Kind::worker);
  CHECK(run.text(run.call_trees[0].worker) == "tls://h:1");
  CHECK(run.workers.size() == 1);
  CHECK(run.call_trees[1].kind == CallTree::Kind::key);
  CHECK(run.text(run.call_trees[1].key) == "MyProcessor");
  CHECK(run.call_trees[1].worker == no_string);
}

TEST_CASE("a tree with counts at its leaves counts them, and so does one with native frames") {
  const Run loop = read_run(
      profile_tree_format,
      R"({"count": 2, "identifier": "root", "children": {"f;a.py;1": {"count": 2, "children": {}}}})",
      "profile_server.json");
  REQUIRE(loop.call_trees.size() == 1);
  CHECK(loop.call_trees[0].kind == CallTree::Kind::server);
  CHECK(loop.call_trees[0].leaves == CallTree::Leaves::counted);

  const Run native = read_run(
      profile_tree_format,
      R"({"count": 2, "identifier": "root", "children": {"f;a.py;1": {"count": 2, "children": {
      "memcpy;<low-level>;0x7f01": {"count": 1, "children": {}}, "memcpy;<low-level>;0x7f09": {"count": 1, "children": {}}, "g;a.py;7": {"count": 0, "children": {}}}}}})");
  REQUIRE(native.call_trees.size() == 1);
  CHECK(native.call_trees[0].leaves == CallTree::Leaves::counted);
  CHECK(native.call_trees[0].frame[2] ==
        native.call_trees[0].frame[3]);  // one function at two addresses
}

TEST_CASE("an empty profile is no tree but a note") {
  const std::string empty =
      R"({"description": {"filename": "", "name": "", "line_number": 0, "line": ""}, "children": {}, "count": 0, "identifier": "root"})";
  const Run run =
      read_run(worker_profiles_format,
               R"({"tcp://a:1": {"meta": {"name": 0}, "profile": )" + empty +
                   R"(}, "tcp://b:1": {"meta": {"name": 1}, "profile": )" + empty + "}}");
  CHECK(run.call_trees.empty());
  CHECK(run.workers.size() == 2);
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "empty-profile");
  CHECK(run.data_notes[0].severity == Severity::low);
  CHECK(run.data_notes[0].count == 2);
}

TEST_CASE("counts that cannot be are notes, and the children's sum stands for them") {
  const Run run = read_run(profile_tree_format, R"({"count": -3, "identifier": "root", "children": {
    "f;a.py;1": {"count": NaN, "children": {"g;a.py;2": {"count": 2, "children": {"x;a.py;3": {"count": 0, "children": {}}}}}},
    "h;a.py;4": {"children": {"i;a.py;5": {"count": 1, "children": {"x;a.py;3": {"count": 0, "children": {}}}}}},
    "j;a.py;6": {"count": "many", "children": {}},
    "k;a.py;7": {"count": 1, "children": {"l;a.py;8": {"count": 6, "children": {"x;a.py;3": {"count": 0, "children": {}}}}}}}})");
  REQUIRE(run.call_trees.size() == 1);
  CHECK(run.call_trees[0].count[0] == 4);  // 2 + 1 + 0 + 1 as recorded
  CHECK(whole_count(run.call_trees[0]) == 9);
  CHECK(has_note(run, "bad-count"));
  CHECK(has_note(run, "missing-count"));
  CHECK(has_note(run, "wrong-type"));
  CHECK(has_note(run, "count-below-children"));
}

TEST_CASE("values of other types are left out, the rest is read") {
  const Run run = read_run(
      worker_profiles_format,
      R"({"a": 5, "tcp://h:1": {"meta": [1], "profile": {"count": 2, "identifier": "root", "description": 7,
    "children": {"f;a.py;1": {"count": 2, "children": {"g;a.py;2": 8, "h;a.py;2": {"count": 0, "children": 3}}}}}}, "tcp://h:2": {"profile": []}})");
  REQUIRE(run.call_trees.size() == 1);
  CHECK(drawing(run, run.call_trees[0]) ==
        "root 2\n"
        "  f 2 open=2\n"
        "    h 0 self=2\n");
  CHECK(has_note(run, "wrong-type"));
}

TEST_CASE("nesting 20,000 functions deep is read") {
  std::string text;
  constexpr int depth = 20000;
  for (int i = 0; i < depth; ++i)
    text += R"({"count":1,"children":{"f;a.py;)" + std::to_string(i + 1) + "\":";
  text += R"({"count":0,"children":{}})";
  for (int i = 0; i < depth; ++i) text += "}}";
  const Run run = read_run(profile_tree_format, text);
  CHECK(run.data_notes.empty());
  REQUIRE(run.call_trees.size() == 1);
  CHECK(run.call_trees[0].size() == depth + 1);
}

TEST_CASE("profiles are recognised by their content") {
  const std::string tree = R"({"description": {}, "children": {"f;a.py;1": {}}})";
  CHECK(worker_profiles_format.recognises(head_of(two_workers)));
  CHECK(!profile_map_format.recognises(head_of(two_workers)));
  CHECK(!profile_tree_format.recognises(head_of(two_workers)));
  CHECK(profile_tree_format.recognises(head_of(tree)));
  CHECK(!worker_profiles_format.recognises(head_of(tree)));
  CHECK(profile_map_format.recognises(head_of(R"({"lambda": )" + tree + "}")));
  CHECK(!profile_tree_format.recognises(head_of(R"({"lambda": )" + tree + "}")));
  for (const char* other :
       {"{}", "[]", "5", R"({"workers": {"tcp://h:1": {"name": 1}}, "type": "Scheduler"})",
        R"({"profile": 3})", R"([{"count": 1, "children": []}])"}) {
    CHECK(!worker_profiles_format.recognises(head_of(other)));
    CHECK(!profile_map_format.recognises(head_of(other)));
    CHECK(!profile_tree_format.recognises(head_of(other)));
  }
}
