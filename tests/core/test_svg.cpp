// A profile as a picture that anything shows, and its functions as a table for a spreadsheet.
#include "core/export/export.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/profile_runs.hpp"

using namespace crema;
using namespace crema::exports;
using namespace crema::test;

namespace {

// Dask leaves the innermost frame uncounted: all 6 samples of g are x's, h's own are nowhere else
// than in one of its two.
Run one_worker() {
  Run run = empty_run();
  run.title = "R&D";
  add_worker_tree(run, "tcp://a:1",
                  "root 10\n"
                  "  <f>@/home/u/ana.py 10\n"
                  "    g 6\n"
                  "      x@/v/site-packages/awkward/ops.py 0\n"
                  "    h 4\n"
                  "      y 0\n"
                  "      z 0\n");
  return run;
}

std::string exported(const Writer& writer, const Run& run,
                     std::map<std::string, std::string> options = {}) {
  const auto files = writer.write(run, {}, Options(std::move(options)));
  REQUIRE(files.size() == 1);
  return files[0].content;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "SVG: boxes as wide as their share, rows as deep as the stack, names that are no markup") {
  const std::string svg = exported(svg_writer, one_worker(), {{"width", "1000"}});
  CAPTURE(svg);
  CHECK(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\"", 0) == 0);
  CHECK(holds(svg, "R&amp;D: "));
  // 10 samples are 1000 px; half a pixel is the gap to the right neighbour
  CHECK(holds(svg,
              "<title>&lt;f&gt; (/home/u/ana.py) — 100 %, 10; self 0</title><rect x=\"0\" y=\"52\" "
              "width=\"999.5\""));
  CHECK(holds(svg, "<title>g — 60 %, 6; self 0</title><rect x=\"0\" y=\"70\" width=\"599.5\""));
  CHECK(holds(svg, "<title>h — 40 %, 4; self 0</title><rect x=\"600\" y=\"70\" width=\"399.5\""));
  CHECK(holds(svg,
              "<title>x (/v/site-packages/awkward/ops.py) — 60 %, 6; self 6</title><rect x=\"0\" "
              "y=\"88\""));
  // what is y's or z's is hatched
  CHECK(holds(svg, "fill=\"url(#open)\""));
  CHECK_FALSE(holds(svg, "<f>"));
  CHECK_FALSE(holds(exported(svg_writer, one_worker(), {{"hide-paths", "true"}}), "/home/u"));
}

TEST_CASE("SVG: an estimate is hatched and carries its bounds; narrow boxes are counted") {
  CHECK(holds(exported(svg_writer, one_worker(), {{"leaves", "estimated"}}),
              "fill=\"url(#estimate)\""));
  // 20 of 1,000,000 samples are 0.002 px in 100 px
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1",
                  "root 1000000\n  f 999980\n    x 0\n  g 10\n    y 0\n  h 10\n    z 0\n");
  CHECK(holds(exported(svg_writer, run, {{"width", "100"}}), "boxes are too narrow to be shown"));
}

TEST_CASE("SVG: siblings by weight or by name, and what cannot be drawn is said") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 4\n  a 1\n    x 0\n  b 3\n    y 0\n");
  CHECK(holds(exported(svg_writer, run, {{"width", "400"}}),
              "<title>b — 75 %, 3; self 0</title><rect x=\"0\""));
  CHECK(holds(exported(svg_writer, run, {{"width", "400"}, {"order", "name"}}),
              "<title>b — 75 %, 3; self 0</title><rect x=\"100\""));
  CHECK_THROWS_AS(exported(svg_writer, run, {{"order", "age"}}), Failure);
  CHECK_THROWS_AS(exported(svg_writer, run, {{"width", "99"}}), Failure);
  CHECK_THROWS_AS(exported(svg_writer, empty_run()), Failure);
}

TEST_CASE("SVG: a long name is cut in its middle, never within a character") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 1\n  ääääääääääääääääääää 1\n    x 0\n");
  // 100 px less 8 px are 13 characters of 6.6 px: six, the dots, six
  const std::string svg = exported(svg_writer, run, {{"width", "100"}});
  CAPTURE(svg);
  CHECK(holds(svg, ">ääääää…ääääää</text>"));
}

TEST_CASE("functions: a row per function as CSV, paths hidden where that is asked") {
  const std::string csv = exported(functions_writer, one_worker());
  CAPTURE(csv);
  const std::string head = csv.substr(0, csv.find('\n'));
  CHECK(holds(head, "name"));
  CHECK_FALSE(holds(head, "frame"));
  CHECK(holds(csv, "/home/u/ana.py"));
  const std::string hidden = exported(functions_writer, one_worker(), {{"hide-paths", "true"}});
  CHECK_FALSE(holds(hidden, "/home/u"));
  CHECK(holds(hidden, "ana.py"));
  CHECK_FALSE(holds(hidden, "source_line"));
}
