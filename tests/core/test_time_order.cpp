#include "core/profile/profile.hpp"

#include <algorithm>
#include "tests/core/catch.hpp"
#include "tests/core/drawn_tree.hpp"
#include "tests/core/open_run.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::test;

namespace {

// main calls f, then g, then f again; idle between; weights are seconds.
const std::string ordered =
    R"({"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main"},{"name":"f"},{"name":"g"}]},)"
    R"("profiles":[{"type":"sampled","name":"p","unit":"seconds","startValue":0,"endValue":8,)"
    R"("samples":[[0,1],[0,1],[0,2],[],[0,1]],"weights":[1,2,1,2,2]}]})";

std::string boxes(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const bool is_run = table.number("more", i) > 0;
    out += plain(table.number("depth", i)) + " " +
           (is_run ? "(" + plain(table.number("more", i)) + ")"
                   : std::string(table.text("frame", i))) +
           " " + plain(table.number("x0", i) * 8) + "-" + plain(table.number("x1", i) * 8) + "\n";
  }
  return out;
}

std::string asked(std::map<std::string, std::string> options) {
  const OpenSession session("p.speedscope.json", ordered);
  options["profile"] = "import:p";
  return boxes(session.ask("flame", {}, Options(std::move(options))));
}

}  // namespace

TEST_CASE(
    "in time order samples lie end to end, equal neighbours are one box, idle time is a gap") {
  CHECK(asked({{"order", "time"}}) ==
        "2 f 0-3\n"
        "2 g 3-4\n"
        "1 main 0-4\n"
        "2 f 6-8\n"
        "1 main 6-8\n"
        "0 p 0-8\n");
}

TEST_CASE("what is too narrow stands together, what lies outside of the window is left out") {
  CHECK(asked({{"order", "time"}, {"min_fraction", "0.4"}, {"runs", "true"}}) ==
        "1 main 0-4\n"
        "0 p 0-8\n"
        "1 (1) 6-8\n"
        "2 (3) 0-8\n");
  CHECK(asked({{"order", "time"}, {"begin", "0.8"}, {"end", "1"}}) ==
        "2 f 6-8\n1 main 6-8\n0 p 0-8\n");
}

TEST_CASE("folded and dropped frames keep their time") {
  CHECK(asked({{"order", "time"}, {"transform", "fold:main"}}) ==
        "1 f 0-3\n1 g 3-4\n1 f 6-8\n0 p 0-8\n");
  CHECK(asked({{"order", "time"}, {"transform", "drop:name=g"}}) ==
        "2 f 0-3\n1 main 0-3\n2 f 6-8\n1 main 6-8\n0 p 0-8\n");
}

TEST_CASE("a time range counts the samples in it, those across its edges in part") {
  const OpenSession session("p.speedscope.json", ordered);
  const Table frames =
      session.ask("frames", {}, Options({{"profile", "import:p"}, {"transform", "range:2~6.5"}}));
  CHECK(frames.number("total", frames.row_of("name", "f")) == 1.5);
  CHECK(frames.number("total", frames.row_of("name", "g")) == 1);
  CHECK(frames.number("total", frames.row_of("name", "main")) == 2.5);
}

TEST_CASE("without an order there is no time order, and it is said") {
  const OpenSession session("p.folded", "main;f 3\nmain;g 1\n");
  CHECK_THROWS(session.ask("flame", {}, option("order", "time")));
  CHECK(
      note(session.ask("flame", {}, option("transform", "range:0~1")), "limits").find("no order") !=
      std::string::npos);
}

TEST_CASE("a window of a left-heavy tree holds what is there, narrow siblings in runs") {
  const OpenSession session("p.folded", "main;a 4\nmain;b 2\nmain;c 1\nmain;d 1\n");
  const auto flame = [&](std::map<std::string, std::string> options) {
    return boxes(session.ask("flame", {}, Options(std::move(options))));
  };
  CHECK(flame({{"min_fraction", "0.2"}, {"runs", "true"}}) ==
        "0 all profiles 0-8\n1 main 0-8\n2 a 0-4\n2 b 4-6\n2 (2) 6-8\n");
  CHECK(flame({{"begin", "0.6"}, {"end", "0.7"}}) == "0 all profiles 0-8\n1 main 0-8\n2 b 4-6\n");
}

TEST_CASE("callers and callees of a function, with what it totals") {
  const OpenSession session("p.folded", "main;a;f 4\nmain;b;f;x 2\nmain;f 1\nmain;c 1\n");
  const Table up = session.ask("callers", {}, option("frame", "function=f"));
  CHECK(boxes(up).find("1 f 0-8") != std::string::npos);  // all of the picture
  CHECK(std::get<double>(std::find_if(up.notes.begin(), up.notes.end(), [](const Note& n) {
                           return n.name == "total";
                         })->value) == 7);
  const Table down = session.ask("callees", {}, option("frame", "function=f"));
  CHECK(down.number("total", down.row_of("frame", "x")) == 2);
  CHECK(down.number("self", down.row_of("frame", "f")) == 5);
}

TEST_CASE("a time range shows its samples alone, and says where they begin") {
  const OpenSession session("p.speedscope.json", ordered);
  const auto shown = [&](const std::string& transform) {
    return session.ask("flame", {},
                       Options(std::map<std::string, std::string>{
                           {"profile", "import:p"}, {"order", "time"}, {"transform", transform}}));
  };
  // of f's 3 s the last two, g, and half of the idle time
  const Table part = shown("range:1~5");
  CHECK(number_note(part, "time_begin") == 1);
  CHECK(number_note(part, "time_extent") == 4);
  CHECK(boxes(part) ==
        "2 f 0-4\n"
        "2 g 4-6\n"
        "1 main 0-6\n"
        "0 p 0-8\n");
  // What is left out is a gap: the others stay where they were.
  const Table dropped = shown("drop:name=g");
  CHECK(number_note(dropped, "time_begin") == 0);
  CHECK(number_note(dropped, "time_extent") == 8);
}
