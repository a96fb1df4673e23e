#include <algorithm>
#include <sstream>

#include "core/export/export.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/stack_profile.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"
#include "tests/core/tree_text.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::exports;
using namespace crema::test;

namespace {

Run read_text(const std::string& text, std::size_t piece = 1U << 16U) {
  return read_as(folded_format, text, piece, "folder/p.folded");
}

std::string tree(const std::string& text, std::size_t piece = 1U << 16U) {
  const Run run = read_text(text, piece);
  return run.call_trees.size() == 1 ? tree_text(run.call_trees[0], *run.names)
                                    : std::to_string(run.call_trees.size()) + " trees";
}

// The unresolved part is a frame now, and so stands elsewhere among its siblings.
std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string format_of(const std::string& text) {
  Session session;
  const FileId id = session.add_file(0, "unknown", text.size());
  session.push(id, {text.data(), text.size()});
  session.finish_file(id);
  return std::string(session.format_of(id));
}

const std::string simple = "a;b 2\na;b;c\t3\n\n# a remark\nd 1.5\r\na;b 1\n";
const std::string simple_tree =
    "root 7.5\n  a 6\n    b 6 self=3\n      c 3 self=3\n  d 1.5 self=1.5\n";

}  // namespace

TEST_CASE("folded in: a blank or a tab before the count, CRLF, remarks, equal stacks added up") {
  CHECK(tree(simple) == simple_tree);
  const Run run = read_text(simple);
  CHECK(run.data_notes.empty());
  CHECK(run.call_trees[0].name == "p.folded");
  CHECK(run.call_trees[0].kind == CallTree::Kind::import);
  CHECK(run.call_trees[0].form == CallTree::Form::stacks);
  CHECK(run.call_trees[0].leaves == CallTree::Leaves::counted);
  CHECK(tree("\xEF\xBB\xBF"
             "größe;b 2") == "root 2\n  größe 2\n    b 2 self=2\n");
  CHECK(tree("operator new(unsigned long);do it 2\n") ==
        "root 2\n  operator new(unsigned long) 2\n    do it 2 self=2\n");
}

TEST_CASE("folded in: labels are taken apart") {
  const auto parts = [](std::string_view label) {
    const FrameLabel l = parse_frame_label(label);
    return std::string(l.name) + "|" + std::string(l.file) + "|" + std::to_string(l.line) +
           (l.has_line_seen ? "|seen" : "");
  };
  CHECK(parts("fill@/home/u/ana.py:12") == "fill|/home/u/ana.py|12|seen");
  CHECK(parts("fill@/data/run@2026/ana.py:12") == "fill|/data/run@2026/ana.py|12|seen");
  CHECK(parts("f@C:\\ana.py:3") == "f|C:\\ana.py|3|seen");
  CHECK(parts("<lambda>@<string>:0") == "<lambda>|<string>|0|seen");
  CHECK(parts("fill (/home/u/ana.py:12)") == "fill|/home/u/ana.py|12");
  CHECK(parts("fill (/my runs (old)/ana.py:12)") == "fill|/my runs (old)/ana.py|12");
  CHECK(parts("sum (<built-in>)") == "sum|<built-in>|0");
  CHECK(parts("operator() (int)") == "operator() (int)||0");
  CHECK(parts("(in callees, unresolved)") == "(in callees, unresolved)||0");
  CHECK(parts("name@host") == "name@host||0");
  CHECK(parts("f (x.py:99999999999)") == "f|x.py:99999999999|0");
}

TEST_CASE("folded in: lines that are none are left out and counted, with the first one's place") {
  const Run run = read_text("a;b 2\nno count here\na;c x\na -3\nb nan\na 1\n");
  CHECK(run.call_trees[0].count[0] == 3);
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "bad-line");
  CHECK(run.data_notes[0].count == 4);
  CHECK(run.data_notes[0].offset == 6);
  CHECK(run.data_notes[0].path == "line 2");
  CHECK(has_note(read_text("a;b\xff 2\nc;d 1\n"), "bad-utf8"));
  CHECK(has_note(read_text("a;b 0\n"), "empty-profile"));
  CHECK(has_note(read_text(""), "empty-profile"));
  CHECK(has_note(read_text("a 1e308\nb 1e308\n"), "bad-weight"));
}

TEST_CASE("folded in: cut into pieces of any size, it is the same; cut off anywhere, it is read") {
  for (std::size_t piece = 1; piece <= simple.size(); ++piece)
    CHECK(tree(simple, piece) == simple_tree);
  for (std::size_t cut = 0; cut < simple.size(); ++cut) {
    const Run run = read_text(simple.substr(0, cut));
    for (const CallTree& one : run.call_trees) CHECK(one.count[0] <= 7.5);
  }
}

TEST_CASE("folded in: a file that is cut off is read up to there, and says where it ends") {
  // In the middle of the second line, whose count is missing.
  const std::string no_count = "a;b 12\na;c";
  CHECK(format_of(no_count) == "folded");
  CHECK(tree(no_count) == "root 12\n  a 12\n    b 12 self=12\n");
  const Run run = read_text(no_count);
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "cut-off");
  CHECK(run.data_notes[0].severity == Severity::high);
  CHECK(run.data_notes[0].path == "line 2");
  CHECK(run.data_notes[0].offset == 7);

  // "a;c 34" may be all, or the beginning of "a;c 345".
  const Run digits = read_text("a;b 12\na;c 34");
  CHECK(digits.call_trees[0].count[0] == 46);
  REQUIRE(digits.data_notes.size() == 1);
  CHECK(digits.data_notes[0].id == "cut-off");
  CHECK(digits.data_notes[0].severity == Severity::low);
}

TEST_CASE("folded in: 50,000 frames deep") {
  std::string line = "f0";
  for (int i = 1; i < 50000; ++i) line += ";f" + std::to_string(i % 10);
  CHECK(read_text(line + " 4\n").call_trees.at(0).count.back() == 4);
  CHECK(format_of(line + " 4\n") == "folded");
}

TEST_CASE("folded in: recognised by the shape of its lines") {
  CHECK(format_of(simple) == "folded");
  CHECK(format_of("[unknown];main 4\n[unknown];main;f 3\n") == "folded");
  CHECK(format_of(read_test_file("notebook-stacks/ab-before.folded.gz")) == "folded");
  for (const std::string text : {"main 12\n", "a;b\nc;d\n", "a,b 1\n", "x;y 1\nsome words\n",
                                 "1;2;3\n4;5;6\n", "<html>;x 1\n", "{\"a\": 1}", "", "\n\n", ";"}) {
    CAPTURE(text);
    CHECK(format_of(text) != "folded");
  }
}

TEST_CASE(
    "folded in: the notebook's stacks: the root is no function, and whose time it is is said") {
  const Run run = read_text("@:0;f@x.py:3;g@y.py:4\t5\n@:0\t1\n@:0;f@x.py:7\t2\n");
  // A line that was executing is no part of the function.
  CHECK(tree_text(run.call_trees[0], *run.names) ==
        "root 8 self=1\n  f@x.py 7 self=2\n    g@y.py 5 self=5\n");
  CHECK(has_note(run, "exclusive-counts"));
  CHECK(run.names->frames.line_seen[run.call_trees[0].frame[1]] == 3);
}

TEST_CASE("folded in: the recorded stacks of ab-before") {
  const Run run = read_text(read_test_file("notebook-stacks/ab-before.folded.gz"));
  CHECK(run.call_trees.at(0).count[0] == 7703);
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "exclusive-counts");
  CHECK(run.data_notes[0].severity == Severity::low);
}

TEST_CASE("folded in: our own export gives the same tree") {
  const Run run = read_as(profile_tree_format, read_test_file("ab-before/profile_merged.json.gz"),
                          1U << 16U, "profile_merged.json");
  const std::string once = folded_writer.write(run, {}, {}).at(0).content;
  const Run again = read_text(once);
  CHECK(again.data_notes.empty());
  CHECK((sorted_lines(folded_writer.write(again, {}, {}).at(0).content) == sorted_lines(once)));
  CHECK(again.call_trees[0].count[0] == 7703);
}

TEST_CASE("Files of py-spy and pyinstrument open: one program, sampled by each") {
  const auto self_of = [](const std::string& file) {
    const OpenSession session(file, read_test_file("tools/" + file));
    const Table frames = session.ask("frames");
    double select = 0, whole = 0;
    for (std::size_t row = 0; row < frames.rows(); ++row) {
      const double self = frames.number("self", row);
      whole += self;
      if (frames.text("name", row) == "select") select += self;
    }
    return std::pair{select, whole};
  };
  // py-spy at 50 Hz: 49 of 55 samples in select, one between the functions.
  CHECK(self_of("py-spy.speedscope.json").first == Approx(0.98));
  CHECK(self_of("py-spy.speedscope.json").second == Approx(1.08));
  CHECK(self_of("pyinstrument.speedscope.json").first == Approx(1.0116).epsilon(1e-4));
  CHECK(self_of("pyinstrument.speedscope.json").second == Approx(1.2004).epsilon(1e-4));
  // its raw form begins with "<module>", which is no page of the web
  CHECK(self_of("py-spy.folded") == std::pair{37.0, 58.0});
}
