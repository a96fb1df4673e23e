// speedscope files as input: what the real viewer loads, and what it refuses, hangs on or shows as
// a blank page.
#include <nlohmann/json.hpp>

#include "core/export/export.hpp"
#include "core/profile/profile.hpp"
#include "core/query/question.hpp"
#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"
#include "tests/core/tree_text.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::read;
using namespace crema::exports;
using namespace crema::test;

namespace {

const std::string frame_list =
    R"("shared": {"frames": [{"name": "a", "file": "a.py", "line": 3}, {"name": "b"}, {"name": "c"}]})";

std::string file(const std::string& profiles) {
  return R"({"$schema": "https://www.speedscope.app/file-format-schema.json", )" + frame_list +
         R"(, "profiles": [)" + profiles + "]}";
}

std::string sampled(const std::string& samples, const std::string& weights,
                    const std::string& unit = "none") {
  return file(R"({"type": "sampled", "name": "p", "unit": ")" + unit +
              R"(", "startValue": 0, "endValue": 9, "samples": )" + samples + R"(, "weights": )" +
              weights + "}");
}

std::string evented(const std::string& events, const std::string& end = "10") {
  return file(R"({"type": "evented", "name": "p", "unit": "none", "startValue": 0, "endValue": )" +
              end + R"(, "events": [)" + events + "]}");
}

std::string begins(int frame, double at) {
  return R"({"type": "O", "frame": )" + std::to_string(frame) + R"(, "at": )" + std::to_string(at) +
         "}";
}
std::string ends(int frame, double at) {
  return R"({"type": "C", "frame": )" + std::to_string(frame) + R"(, "at": )" + std::to_string(at) +
         "}";
}

Run read_text(const std::string& text, std::size_t piece = 1U << 16U) {
  return read_as(speedscope_format, text, piece, "p.json");
}

// The tree of the only profile, and the data notes it left: "id count path".
std::string tree(const std::string& text) {
  const Run run = read_text(text);
  return run.call_trees.size() == 1 ? tree_text(run.call_trees[0], *run.names)
                                    : std::to_string(run.call_trees.size()) + " trees";
}
std::vector<std::string> notes(const std::string& text) {
  std::vector<std::string> lines;
  for (const DataNote& d : read_text(text).data_notes)
    lines.push_back(d.id + " " + std::to_string(d.count) + " " + d.path);
  return lines;
}
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("speedscope in: a sampled profile, root first, leaves counted, time order kept") {
  const std::string text = sampled("[[0,1],[0,1,2],[0],[],[0,1]]", "[1,2,3,4,5]");
  CHECK(tree(text) == "root 15 self=4\n  a@a.py:3 11 self=3\n    b 8 self=6\n      c 2 self=2\n");
  CHECK(notes(text).empty());
  const CallTree one = read_text(text).call_trees[0];
  CHECK(one.kind == CallTree::Kind::import);
  CHECK(one.leaves == CallTree::Leaves::counted);
  CHECK(one.unit == "samples");
  CHECK(one.name == "p");
  CHECK(one.sample_node == std::vector<NodeId>{2, 3, 1, 0, 2});
  CHECK(one.sample_weight == std::vector<double>{1, 2, 3, 4, 5});
}

TEST_CASE("speedscope in: all six units") {
  const std::map<std::string, std::pair<std::string, double>> units = {
      {"nanoseconds", {"s", 2e-9}}, {"microseconds", {"s", 2e-6}}, {"milliseconds", {"s", 2e-3}},
      {"seconds", {"s", 2}},        {"bytes", {"byte", 2}},        {"none", {"samples", 2}}};
  for (const auto& [unit, expected] : units) {
    const Run run = read_text(sampled("[[0]]", "[2]", unit));
    CHECK(run.call_trees[0].unit == expected.first);
    CHECK(run.call_trees[0].count[0] == Approx(expected.second).epsilon(1e-15));
    CHECK(run.data_notes.empty());
  }
  CHECK(notes(sampled("[[0]]", "[2]", "ticks")) == Lines{"unknown-unit 1 profiles[0].unit"});
  CHECK(read_text(sampled("[[0]]", "[2]", "ticks")).call_trees[0].unit == "ticks");
}

TEST_CASE("speedscope in: an evented profile; recursion and calls back to back") {
  const std::string text =
      evented(begins(0, 1) + "," + begins(1, 2) + "," + begins(1, 3) + "," + ends(1, 4) + "," +
              ends(1, 6) + "," + begins(1, 6) + "," + ends(1, 7) + "," + ends(0, 8) + "," +
              begins(2, 9) + "," + ends(2, 10));
  CHECK(tree(text) ==
        "root 9 self=1\n  a@a.py:3 7 self=2\n    b 5 self=4\n      b 1 self=1\n  c 1 self=1\n");
  CHECK(notes(text).empty());
  CHECK(read_text(text).call_trees[0].sample_weight == std::vector<double>{1, 1, 1, 2, 1, 1, 1, 1});
}

TEST_CASE("speedscope in: what the viewer loads, loads without a note") {
  for (
      const std::string& text : std::vector<std::string>{
          sampled("[[0]]", "[1]"),
          R"({"shared": {"frames": [{"name": "a"}]}, "profiles": [{"type": "sampled", "samples": [[0]], "weights": [1]}]})",  // no $schema, name, unit, window
          file(
              R"({"type": "sampled", "name": "p", "unit": "none", "startValue": 5, "endValue": 1, "extra": {"x": [1]}, "samples": [[0]], "weights": [1]})"),
          evented(begins(0, 1) + "," + begins(1, 1) + "," + ends(1, 1) + "," +
                  ends(0, 2)),                        // zero length
          evented(begins(0, 1) + "," + ends(0, 20)),  // endValue below the last event
          std::string("\xEF\xBB\xBF") + sampled("[[0]]", "[1]"),
      }) {
    CAPTURE(text);
    CHECK(notes(text).empty());
    CHECK(read_text(text).call_trees.size() == 1);
  }
  // A weight of 0 is no sample: its frames do not occur.
  CHECK(tree(sampled("[[0],[1]]", "[1,0]")) == "root 1\n  a@a.py:3 1 self=1\n");
}

TEST_CASE("speedscope in: weights that cannot be") {
  CHECK(tree(sampled("[[0],[1],[2]]", "[1,-2,3]")) ==
        "root 4\n  a@a.py:3 1 self=1\n  c 3 self=3\n");
  CHECK(notes(sampled("[[0],[1],[2]]", "[1,-2,3]")) ==
        Lines{"bad-weight 1 profiles[0].weights[1]"});
  // The viewer adds texts up as texts and shows 2:25.
  CHECK(tree(sampled("[[0],[1],[2]]", R"([1,"4",5])")) ==
        "root 6\n  a@a.py:3 1 self=1\n  c 5 self=5\n");
  CHECK(notes(sampled("[[0],[1],[2]]", "[null,NaN,5]")) ==
        Lines{"bad-weight 2 profiles[0].weights[0]"});
  CHECK(tree(sampled("[[0],[1]]", "[1e999,5]")) == "root 5\n  b 5 self=5\n");
  CHECK(notes(sampled("[[0],[1]]", "[1e308,1e308]")) == Lines{"bad-weight 1 profiles[0]"});
}

TEST_CASE("speedscope in: lists of different length") {
  CHECK(tree(sampled("[[0],[1],[2]]", "[1,2]")) == "root 3\n  a@a.py:3 1 self=1\n  b 2 self=2\n");
  CHECK(notes(sampled("[[0],[1],[2]]", "[1,2]")) == Lines{"weights-length 1 profiles[0]"});
  CHECK(notes(sampled("[[0]]", "[1,2,3]")) == Lines{"weights-length 2 profiles[0]"});
  const std::string none =
      file(R"({"type": "sampled", "name": "p", "unit": "seconds", "samples": [[0],[0]]})");
  CHECK(notes(none) == Lines{"no-weights 2 profiles[0]"});
  CHECK(read_text(none).call_trees[0].unit == "samples");
  CHECK(tree(none) == "root 2\n  a@a.py:3 2 self=2\n");
}

TEST_CASE("speedscope in: frames that the file does not have, or without a name") {
  CHECK(tree(sampled("[[0,7],[0,-1],[0,1.5],[0,\"x\"],[0,null]]", "[1,1,1,1,1]")) ==
        "root 5\n  a@a.py:3 5\n    (frame not in the file) 5 self=5\n");
  CHECK(notes(sampled("[[0,7],[1,7]]", "[1,1]")) == Lines{"unknown-frame 2 profiles[0]"});
  const std::string nameless =
      R"({"shared": {"frames": [{"file": "x"}, 7]}, "profiles": [{"type": "sampled", "samples": [[0],[1]], "weights": [1,1]}]})";
  CHECK(tree(nameless) == "root 2\n  (no name) 2 self=2\n");
  CHECK(has_note(read_text(nameless), "frame-without-name"));
  CHECK(notes(R"({"profiles": [{"type": "sampled", "samples": [[0]], "weights": [1]}]})") ==
        Lines{"no-frames 1 profiles[0]"});
}

TEST_CASE("speedscope in: samples that are no lists") {
  const std::string text =
      sampled("[[0],5,{\"x\":1},[1,[2]],null,[2]]", "[1,10,100,1000,10000,100000]");
  CHECK(tree(text) ==
        "root 101001\n  a@a.py:3 1 self=1\n  b 1000 self=1000\n  c 100000 self=100000\n");
  CHECK(has_note(read_text(text), "bad-sample"));
  CHECK(has_note(read_text(text), "wrong-type"));
}

TEST_CASE(
    "speedscope in: events that the viewer refuses are put right, each kind reported once with its "
    "number") {
  // Earlier than the event before.
  CHECK(tree(evented(begins(0, 1) + "," + ends(1, 5) + "," + begins(1, 3) + "," + ends(0, 6))) ==
        "root 5\n  a@a.py:3 5 self=3\n    b 2 self=2\n");
  CHECK(notes(evented(begins(0, 1) + "," + ends(1, 5) + "," + begins(1, 3) + "," + ends(0, 6))) ==
        Lines{"unsorted-events 1 profiles[0].events[2]"});
  // A close that does not match the top, or anything.
  const std::string crossed = evented(begins(0, 1) + "," + begins(1, 2) + "," + ends(0, 4) + "," +
                                      ends(1, 5) + "," + ends(2, 6));
  CHECK(tree(crossed) == "root 5 self=2\n  a@a.py:3 3 self=1\n    b 2 self=2\n");
  CHECK(notes(crossed) == Lines{"unbalanced-events 2 profiles[0].events[3]",
                                "unbalanced-events 1 profiles[0].events[2]"});
  // Left open: until endValue.
  CHECK(tree(evented(begins(0, 1) + "," + begins(1, 2))) ==
        "root 9\n  a@a.py:3 9 self=1\n    b 8 self=8\n");
  CHECK(notes(evented(begins(0, 1) + "," + begins(1, 2))) ==
        Lines{"open-frames 2 profiles[0].events"});
  // Neither "O" nor "C", or without time.
  const std::string odd =
      evented(begins(0, 1) + R"(,{"type": "X", "frame": 0, "at": 2},{"type": "O", "frame": 1},)" +
              ends(0, 3));
  CHECK(tree(odd) == "root 2\n  a@a.py:3 2 self=2\n");
  CHECK(notes(odd) == Lines{"bad-event 2 profiles[0].events[1]"});
}

TEST_CASE("speedscope in: nothing in it") {
  CHECK(notes(file("")) == Lines{"empty-profile 1 profiles"});
  CHECK(notes(sampled("[]", "[]")) == Lines{"empty-profile 1 profiles[0]"});
  CHECK(notes(evented("")) == Lines{"empty-profile 1 profiles[0]"});
  CHECK(notes(file(R"({"type": "flat", "name": "p"})")) ==
        Lines{"unknown-profile-type 1 profiles[0]"});
}

TEST_CASE(
    "speedscope in: frames may stand behind the profiles, weights before the samples, type last") {
  const std::string turned =
      R"({"profiles": [{"weights": [1, 2], "samples": [[0,1],[0]], "unit": "none", "name": "p", "type": "sampled"}], )" +
      frame_list + "}";
  CHECK(tree(turned) == "root 3\n  a@a.py:3 3 self=2\n    b 1 self=1\n");
  CHECK(notes(turned).empty());
}

TEST_CASE(
    "speedscope in: frames of one name, file and line are one function, whatever their index") {
  const std::string twins =
      R"({"shared": {"frames": [{"name": "a"}, {"name": "b"}, {"name": "a", "key": 7}]},
    "profiles": [{"type": "sampled", "samples": [[0,1],[2,1],[2]], "weights": [1,2,3]}]})";
  CHECK(tree(twins) == "root 6\n  a 6 self=3\n    b 3 self=3\n");
  CHECK(read_text(twins).call_trees[0].sample_node == std::vector<NodeId>{2, 2, 1});
}

TEST_CASE(
    "speedscope in: many profiles keep their names and units; the first is the sum of the others "
    "when it counts as much") {
  const auto one = [](const std::string& name, const std::string& weight) {
    return R"({"type": "sampled", "name": ")" + name +
           R"(", "unit": "none", "samples": [[0]], "weights": [)" + weight + "]}";
  };
  const OpenSession sum("unknown",
                        file(one("all", "5") + "," + one("x", "3") + "," + one("y", "2")));
  const Table table = sum.ask("profiles");
  CHECK(table.rows() == 4);
  CHECK(table.number("total", 0) == 5);
  CHECK(table.text("profile", 1) == "import:all");
  CHECK(table.number("alternative", 1) == 1);
  CHECK(table.number("alternative", 2) == 0);
  // Two equal threads are two threads.
  CHECK(OpenSession("unknown", file(one("x", "3") + "," + one("y", "3")))
            .ask("profiles")
            .number("total", 0) == 6);
}

TEST_CASE("speedscope in: no time per sample is assumed for what somebody else sampled") {
  const Table table = OpenSession("unknown", sampled("[[0]]", "[2]")).ask("stacks");
  CHECK(is_absent(table.number("seconds", 0)));
  CHECK(OpenSession("unknown", sampled("[[0]]", "[2]", "milliseconds"))
            .ask("stacks")
            .number("seconds", 0) == Approx(0.002));
}

TEST_CASE("speedscope in: cut into any two pieces or one by one, it is the same") {
  const std::string text = sampled("[[0,1],[0,1,2],[0]]", "[1,2,3]");
  const std::string whole = tree(text);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
    const Run run = read_text(text, piece);
    CHECK(tree_text(run.call_trees.at(0), *run.names) == whole);
  }
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Run run(std::make_shared<Names>());
    const auto reader = speedscope_format.open(run, "p.json");
    reader->push({text.data(), cut});
    reader->push({text.data() + cut, text.size() - cut});
    reader->finish();
    REQUIRE(tree_text(run.call_trees.at(0), *run.names) == whole);
  }
}

TEST_CASE("speedscope in: stacks that begin alike, written with and without spaces") {
  // Frames 1, 10 and 101 begin with the same digit; [1] ends where [1,10] goes on.
  const std::string stacks[] = {"[1,10]", "[1,101]", "[1,1]", "[1]",     "[1,10]",
                                "[10]",   "[]",      "[1]",   "[1,10,0]"};
  std::string frames;
  for (int i = 0; i <= 101; ++i)
    frames += (i == 0 ? R"({"name": "f)" : R"(, {"name": "f)") + std::to_string(i) + "\"}";
  const auto text_of = [&](bool spaces) {
    std::string samples;
    for (std::string stack : stacks) {
      if (spaces) stack.replace(stack.find('['), 1, "[ ");
      samples += (samples.empty() ? "" : ",") + stack;
    }
    return R"({"shared": {"frames": [)" + frames +
           R"(]}, "profiles": [{"type": "sampled", "unit": "none", "samples": [)" + samples +
           R"(], "weights": [1,2,4,8,16,32,64,128,256]}]})";
  };
  const char* const expected =
      "root 511 self=64\n"
      "  f1 415 self=136\n"
      "    f10 273 self=17\n"
      "      f0 256 self=256\n"
      "    f101 2 self=2\n"
      "    f1 4 self=4\n"
      "  f10 32 self=32\n";
  CHECK(tree(text_of(false)) == expected);
  CHECK(tree(text_of(true)) == expected);
}

TEST_CASE("speedscope in: numbers of frames that JSON does not have end the reading there") {
  for (const char* const stack : {"[0,01]", "[0,]", "[0 1]", "[0,1"}) {
    CAPTURE(stack);
    const Run run = read_text(sampled(std::string("[[0,1],") + stack + ",[0]]", "[1,2,3]"));
    CHECK(has_note(run, "broken-json"));
    CHECK(run.call_trees.size() == 1);
  }
}

TEST_CASE("speedscope in: cut off at any byte, it says so and keeps the samples it has") {
  for (const std::string& text :
       {sampled("[[0,1],[0,1,2],[0]]", "[1,2,3]"),
        evented(begins(0, 1) + "," + begins(1, 2) + "," + ends(1, 4) + "," + ends(0, 8))}) {
    for (std::size_t cut = 1; cut + 1 < text.size(); ++cut) {
      const Run run = read_text(text.substr(0, cut));
      REQUIRE(has_note(run, "cut-off"));
      for (const CallTree& one : run.call_trees) REQUIRE(one.count[0] > 0);
    }
  }
  const std::string text = sampled("[[0,1],[0,1,2],[0]]", "[1,2,3]");
  CHECK(tree(text.substr(0, text.find("3]"))) ==
        "root 3\n  a@a.py:3 3\n    b 3 self=1\n      c 2 self=2\n");
  CHECK(tree(text.substr(0, text.find("],[0]]") + 4)) ==
        "root 2\n  a@a.py:3 2\n    b 2 self=1\n      c 1 self=1\n");
}

TEST_CASE("speedscope in: a stack of 50,000 frames") {
  std::string stack = "[0";
  for (int i = 1; i < 50000; ++i) stack += i % 2 == 0 ? ",0" : ",1";
  const Run run = read_text(sampled("[" + stack + "]," + stack + "]]", "[1,2]"));
  REQUIRE(run.call_trees.size() == 1);
  CHECK(run.call_trees[0].size() == 50001);
  CHECK(run.call_trees[0].count.back() == 3);
}

TEST_CASE("speedscope in: recognised by its content, wherever its keys stand") {
  const auto format_of = [](const std::string& text) {
    Session session;
    const FileId id = session.add_file(0, "unknown", text.size());
    session.push(id, {text.data(), text.size()});
    session.finish_file(id);
    return std::string(session.format_of(id));
  };
  CHECK(format_of(sampled("[[0]]", "[1]")) == "speedscope");
  CHECK(format_of("{" + frame_list + R"(, "profiles": []})") == "speedscope");
  CHECK(format_of(R"({"profiles": [{"type": "evented", "events": []}]})") == "speedscope");
  std::string many = R"({"profiles": [{"type": "sampled", "samples": [[0])";
  for (int i = 0; i < 600000; ++i) many += ",[0]";
  CHECK(format_of(many + R"(], "weights": []}], )" + frame_list + "}") == "speedscope");
  CHECK(format_of(R"({"profiles": [{"name": "x"}]})").empty());
}

TEST_CASE(
    "speedscope in: our own export gives the same tree, and so does what the real viewer makes of "
    "it") {
  const Run run = read_as(profile_tree_format, read_test_file("ab-before/profile_merged.json.gz"),
                          1U << 16U, "profile_merged.json");
  const Profiles profiles = profiles_of(run);
  const std::string exported = speedscope_writer.write(run, {}, {}).at(0).content;

  // The unresolved part is a frame of the export: the stacks are what must agree.
  const auto stacks_of = [](const Run& of) {
    std::map<std::string, double> counts;
    const FrameFacts facts = frame_facts(*of.names);
    for_each_stack(
        merged_tree(profiles_of(of).list.front().trees, LeafChoice::forced, facts), facts,
        [&](const std::vector<FrameId>& stack, double weight, bool is_unresolved, NodeId) {
          std::string text;
          for (const FrameId f : stack) text += frame_text(*of.names, f) + ";";
          counts[text + (is_unresolved ? "(in callees, unresolved);" : "")] += weight;
        });
    return counts;
  };
  const auto expected = stacks_of(run);
  CHECK(expected.size() > 1000);
  const Run again = read_text(exported);
  CHECK(again.data_notes.empty());
  CHECK((stacks_of(again) == expected));

  // Recorded: this export opened in speedscope 1.25.0 and saved from it, which writes events.
  const Run by_viewer =
      read_text(read_test_file("speedscope/ab-before-reexported.speedscope.json.gz"));
  CHECK(by_viewer.data_notes.empty());
  CHECK((stacks_of(by_viewer) == expected));
  CHECK(tree_text(by_viewer.call_trees.at(0), *by_viewer.names) ==
        tree_text(again.call_trees.at(0), *again.names));
}
