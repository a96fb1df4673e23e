#include <algorithm>

#include "core/profile/profile.hpp"
#include "core/read/dask/profile_trees.hpp"
#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"
#include "tests/core/tree_text.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::read;
using namespace crema::test;

namespace {

Run read_text(const std::string& text, std::size_t piece = 1U << 16U) {
  return read_as(dask_page_format, text, piece, "folder/page.html");
}

std::string format_of(const std::string& text) {
  Session session;
  const FileId id = session.add_file(0, "unknown", text.size());
  session.push(id, {text.data(), text.size()});
  session.finish_file(id);
  return std::string(session.format_of(id));
}

std::string page(const std::string& json, const std::string& title = "Dask Profile") {
  return "<!DOCTYPE html>\n<html>\n<head><title>" + title +
         "</title>\n<script src=\"https://cdn.bokeh.org/bokeh.js\"></script><script>if (1 < 2) { x "
         "= '<'; "
         "}</script></head>\n<body>\n"
         "<script type=\"application/json\" id=\"x\">\n  " +
         json +
         "\n</script>\n<script type=\"text/javascript\">var docs = 1;</script></body></html>\n";
}

std::string source(const std::string& columns) {
  return R"({"type": "object", "name": "ColumnDataSource", "attributes": {"data": {"type": "map", "entries": [)" +
         columns + "]}}}";
}
std::string tab(const std::string& title, const std::string& child) {
  return R"({"type": "object", "name": "TabPanel", "attributes": {"title": ")" + title +
         R"(", "child": {"renderers": [)" + child + "]}}}";
}

// root 8: f 8: [<lambda> 5, g 1: h 1]; 2 samples of f have their leaf below it.
const std::string boxes = R"(
  ["left", [0, 0, 0, 0.625, 0.625]], ["right", [1, 1, 0.625, 0.75, 0.75]], ["bottom", [0, 1, 2, 2, 3]], ["width", [1, 1, 0.625, 0.125, 0.125]],
  ["top", [1, 2, 3, 3, 4]], ["color", ["a", "a", "a", "a", "a"]], ["filename", ["", "x.py", "x.py", "y.py", "y.py"]],
  ["line", ["", "f(a &lt; b)\n", "", "", ""]], ["line_number", [0, 3, 4, 5, 6]], ["name", ["", "f", "&lt;lambda&gt;", "g", "h"]],
  ["time", ["80.00 ms", "80.00 ms", "50.00 ms", "10.00 ms", "10.00 ms"]], ["percentage", ["", "", "", "", ""]])";
const std::string empty_boxes =
    R"(["left", []], ["right", []], ["bottom", []], ["width", []], ["filename", []], ["line", []], ["line_number", []], ["name", []])";
const std::string bars = R"(
  ["start", [1795225850364.5, 1795225860000, 1795225870000]], ["duration", [1000, 2000, 500]],
  ["key", ["P-0f3a0f3a0f3a0f3a0f3a0f3a0f3a0f3a", "reduce-0f3a0f3a0f3a0f3a0f3a0f3a0f3a0f3a", "P-1f3a0f3a0f3a0f3a0f3a0f3a0f3a0f3a"]],
  ["name", ["P", "transfer-reduce", "P"]], ["color", ["#FDE724", "red", "black"]],
  ["worker", ["tcp://a:1", "tcp://a:1", "tcp://b:1"]], ["worker_thread", ["tcp://a:1-140483279976128", "tcp://a:1-7", "tcp://b:1-9"]])";
const std::string drawn =
    "root 8\n  f@x.py 8 open=2\n    <lambda>@x.py 5 open=5\n    g@y.py 1\n      h@y.py 1 open=1\n";

ProfileBoxes some_boxes(std::vector<double> width, std::string_view time) {
  ProfileBoxes made;
  for (std::size_t i = 0; i < width.size(); ++i) made.depth.push_back(i == 0 ? 0 : 1);
  made.name.assign(width.size(), no_string);
  made.file = made.source_line = made.name;
  made.line.assign(width.size(), 0);
  made.width = std::move(width);
  made.root_time = time;
  return made;
}

double root_count(std::vector<double> width, std::string_view time, bool* rounded = nullptr) {
  Names names;
  BoxFaults faults;
  const CallTree tree = tree_of(some_boxes(std::move(width), time), names, faults);
  if (rounded != nullptr) *rounded = faults.counts_rounded;
  return tree.count.at(0);
}

}  // namespace

TEST_CASE("Dask page: a profile's boxes give its tree; leaves without samples have no box") {
  const Run run = read_text(page(source(boxes)));
  CHECK(run.data_notes.empty());
  REQUIRE(run.call_trees.size() == 1);
  const CallTree& tree = run.call_trees[0];
  CHECK(tree_text(tree, *run.names) == drawn);
  CHECK(tree.kind == CallTree::Kind::merged);
  CHECK(tree.form == CallTree::Form::boxes);
  CHECK(tree.leaves == CallTree::Leaves::missing);
  CHECK(tree.name == "page.html");
  CHECK(tree.line == std::vector<std::uint32_t>{0, 3, 4, 5, 6});
  CHECK(run.text(run.names->frames.source_line[tree.frame[1]]) == "f(a < b)");
}

TEST_CASE("Dask page: Bokeh 2 wrote its sources as plain objects") {
  const std::string json =
      R"({"x": {"roots": {"references": [{"attributes": {"data": {"bottom": [0, 1], "width": [1, 0.5],
    "filename": ["", "x.py"], "line_number": [0, 1], "name": ["", "f"], "color": {"__ndarray__": "AAAA", "dtype": "float64", "shape": [1]}}}}]}}})";
  const Run run = read_text(page(json));
  CHECK(tree_text(run.call_trees.at(0), *run.names) == "root 2 open=1\n  f@x.py 1 open=1\n");
}

TEST_CASE("Dask page: a report's profiles are told by their tabs, wherever the title stands") {
  const std::string reversed = R"({"attributes": {"child": )" + source(boxes) +
                               R"x(, "title": "Scheduler Profile (administrative)"}})x";
  const Run run =
      read_text(page("{\"x\": {\"title\": \"Bokeh Application\", \"roots\": [" +
                     tab("Worker Profile (compute)", source(boxes)) + "," +
                     tab("Worker Profile (administrative)", source(boxes)) + "," + reversed + "," +
                     tab("Empty Profile", source(empty_boxes)) + "]}}"));
  REQUIRE(run.call_trees.size() == 3);
  CHECK(run.call_trees[0].kind == CallTree::Kind::merged);
  CHECK(run.call_trees[0].name == "page.html: Worker Profile (compute)");
  CHECK(run.call_trees[1].kind == CallTree::Kind::server);
  CHECK(run.call_trees[2].kind == CallTree::Kind::scheduler);
  // Event loops count their leaves.
  CHECK(tree_text(run.call_trees[1], *run.names) ==
        "root 8\n  f@x.py 8 self=2\n    <lambda>@x.py 5 self=5\n    g@y.py 1\n      h@y.py 1 "
        "self=1\n");
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "empty-profile");
  CHECK(run.data_notes[0].path == "Empty Profile");
}

TEST_CASE(
    "Dask page: the task stream's bars: middle and length, action before the prefix, black for "
    "failed") {
  const Run run = read_text(page(tab("Task Stream", source(bars))));
  const Tasks& tasks = run.tasks;
  REQUIRE(tasks.size() == 3);
  CHECK(tasks.from_page);
  CHECK(tasks.t0[0] == Approx(1795225849.8645).epsilon(1e-14));
  CHECK(tasks.t1[0] - tasks.t0[0] == Approx(1).epsilon(1e-6));
  CHECK(run.text(tasks.action[0]) == "compute");
  CHECK(run.text(tasks.action[1]) == "transfer");
  CHECK(run.text(tasks.prefix[1]) == "reduce");
  CHECK(tasks.thread[0] == 140483279976128);
  CHECK(run.text(tasks.status[0]) == "OK");
  CHECK(run.text(tasks.status[2]) == "error");
  CHECK(is_absent(tasks.nbytes[0]));
}

TEST_CASE(
    "Dask page: a task stream of its own comes before the report's, whichever is opened first") {
  const std::string stream =
      R"([{"key": "P-1", "worker": "tcp://a:1", "thread": 1, "nbytes": 5, "status": "OK",
    "startstops": [{"action": "compute", "start": 1795225850, "stop": 1795225851}]}])";
  for (const bool first : {true, false}) {
    std::vector<File> files = {{"run/report.html", page(tab("Task Stream", source(bars)))},
                               {"run/stream.json", stream}};
    if (first) std::swap(files[0], files[1]);
    const OpenSession session(files);
    CHECK(session.runs() == 1);
    CHECK(session.run().tasks.size() == 1);
  }
}

TEST_CASE("Dask page: how many samples a box stands for") {
  CHECK(root_count({1, 0.25, 0.125}, "") == 8);
  CHECK(root_count({1, 0.25, 0.125}, "80.00 ms") == 8);
  CHECK(root_count({1, 0.4, 0.6}, "") == 5);               // no box of one sample
  CHECK(root_count({1, 0.25, 0.125}, "160.00 ms") == 16);  // nor any whose count is odd
  CHECK(root_count({1, 0.25, 0.125}, "x") == 8);
  CHECK(root_count({1}, "12.50 s") == 1250);
  bool rounded = false;
  CHECK(root_count({1, 0.31415926535, 0.2718281828}, "", &rounded) == 4);
  CHECK(rounded);
  CHECK(parse_dask_time("77.03 s") == Approx(77.03));
  CHECK(parse_dask_time("140.00 ms") == Approx(0.14));
  CHECK(parse_dask_time("12.00 us") == Approx(12e-6));
  CHECK(parse_dask_time("12m 34s") == 754);
  CHECK(parse_dask_time("2hr 5m") == 7500);
  CHECK(parse_dask_time("3d 4hr") == 273600);
  for (const char* none : {"", "s", "3", "3 weeks", "-"}) CHECK(is_absent(parse_dask_time(none)));
}

TEST_CASE("Dask page: entities, and where the script ends") {
  CHECK(unescape_html("&lt;a&gt; &amp;&amp; &quot;b&quot; &#x27;c&#x27; &unknown; &") ==
        "<a> && \"b\" 'c' &unknown; &");
  CHECK(unescape_html("&amp;lt;") == "&lt;");
  // A '<' inside the JSON, and what only begins like the end.
  std::string odd_boxes = boxes;
  odd_boxes.replace(odd_boxes.find("&lt;lambda&gt;"), 14, "<p></p></scr<");
  const std::string odd = page(source(odd_boxes));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, odd.size()}) {
    const Run run = read_text(odd, piece);
    CHECK(run.data_notes.empty());
    CHECK(run.text(run.names->frames.name[run.call_trees.at(0).frame.at(2)]) == "<p></p></scr<");
  }
}

TEST_CASE("Dask page: what is wrong is said") {
  CHECK(has_note(read_text("<html><title>Dask Profile</title></html>"), "no-document"));
  CHECK(has_note(read_text(page("{}")), "no-document"));
  CHECK(has_note(read_text(page("{\"a\": [1, 2}")), "broken-json"));
  const std::string orphan = source(
      R"(["bottom", [0, 2, 1, null]], ["width", [1, 0.5, 0.5, 0.5]], ["filename", ["", "x", "x", "x"]], ["line_number", [0, 1, 2, 3]], ["name", ["", "f", "g", "h"]])");
  const Run run = read_text(page(orphan));
  CHECK(tree_text(run.call_trees.at(0), *run.names) == "root 2 open=1\n  g@x 1 open=1\n");
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "box-without-parent");
  CHECK(run.data_notes[0].count == 2);
  // no number of samples makes 31.4 % and 27.2 % of them whole
  const std::string uneven = source(
      R"(["bottom", [0, 1, 1]], ["width", [1, 0.31415926535, 0.2718281828]], ["filename", ["", "x", "x"]], ["line_number", [0, 1, 2]], ["name", ["", "f", "g"]])");
  CHECK(has_note(read_text(page(uneven)), "rounded-counts"));
  const std::string encoded = source(
      R"(["bottom", {"type": "ndarray", "array": {"type": "bytes", "data": "AAAA"}, "shape": [1], "dtype": "complex128"}], ["name", ["f"]])");
  CHECK(has_note(read_text(page(encoded)), "encoded-columns"));
}

TEST_CASE("Dask page: cut into pieces it is the same, cut off anywhere it says so") {
  const std::string text = page("{\"x\": [" + tab("Worker Profile (compute)", source(boxes)) + "," +
                                tab("Task Stream", source(bars)) + "]}");
  for (std::size_t piece = 1; piece < 12; ++piece) {
    const Run run = read_text(text, piece);
    CHECK(run.data_notes.empty());
    CHECK(tree_text(run.call_trees.at(0), *run.names) == drawn);
    CHECK(run.tasks.size() == 3);
  }
  const std::size_t end_of_json = text.find("}\n</script>");
  for (std::size_t cut = 1; cut < end_of_json; ++cut) {
    const Run run = read_text(text.substr(0, cut));
    REQUIRE((has_note(run, "cut-off") || has_note(run, "no-document")));
    for (const CallTree& tree : run.call_trees) REQUIRE(tree.count.at(0) > 0);
  }
}

TEST_CASE("Dask page: the scheduler's load, in arrays of bytes or in lists") {
  // Packed by Python's struct and gzip: cpu 50 and 125 %, memory 1000 and 2000 bytes, times as
  // plain bytes.
  const std::string load =
      R"(["cpu", {"type": "ndarray", "array": {"type": "bytes", "data": "H4sIAAAAAAACA2NgAAFPBzDlEO8AAPPp42sQAAAA"}, "shape": [2], "dtype": "float64", "order": "little"}],
    ["memory", {"type": "ndarray", "array": {"type": "bytes", "data": "H4sIAAAAAAACA3vBzMBwgZ2BAQA8VOQnCAAAAA=="}, "shape": [2], "dtype": "int32", "order": "little"}],
    ["time", {"type": "ndarray", "array": {"type": "bytes", "data": "AAAJybwfekIAQCjJvB96Qg=="}, "shape": [2], "dtype": "float64", "order": "little"}],
    ["num_fds", {"type": "ndarray", "array": {"type": "bytes", "data": "H4sIAAAAAAACA9Nm0GEAAI2cRm8EAAAA"}, "shape": [2], "dtype": "int16", "order": "little"}],
    ["host_net_io.read_bps", [7, null]])";
  const Run run = read_text(page(tab("System", source(load))));
  CHECK(run.data_notes.empty());
  CHECK(run.system.t == std::vector<double>{1795225850, 1795225850.5});
  CHECK(run.system.cpu == std::vector<double>{0.5, 1.25});
  CHECK(run.system.memory == std::vector<double>{1000, 2000});
  CHECK(run.system.open_files == std::vector<double>{43, 44});
  CHECK(run.system.network_read[0] == 7);
  CHECK(is_absent(run.system.network_read[1]));
  CHECK(is_absent(run.system.disk_read[0]));
}

TEST_CASE("Dask page: a profile may be stored in arrays of bytes") {
  std::string text = boxes;
  const std::string width_list = "[1, 1, 0.625, 0.125, 0.125]";
  text.replace(
      text.find(width_list), width_list.size(),
      R"({"type": "ndarray", "array": {"type": "bytes", "data": "H4sIAAAAAAACA2NgAIEP9gwo9BMofQBOAwACExJKKAAAAA=="}, "shape": [5], "dtype": "float64", "order": "little"})");
  CHECK(tree_text(read_text(page(tab("Worker Profile (compute)", source(text)))).call_trees.at(0),
                  *read_text(page(tab("Worker Profile (compute)", source(text)))).names) == drawn);
}

TEST_CASE("Dask page: recorded: the scheduler's load of ab-before, on the run's axis") {
  const OpenSession session(std::vector<File>{
      {"run/metrics.json", read_test_file("ab-before/metrics.json")},
      {"run/report.html", read_test_file("ab-before/performance_report.html.gz")}});
  const Table load = session.ask("system");
  REQUIRE(load.rows() > 50);
  CHECK(load.number("t", 0) > -30);
  CHECK(load.number("t", load.rows() - 1) < session.run().window().end + 30);
  Selection first;
  first.time = Selection::TimeRange{0, 5};
  const Table some = session.ask("system", first);
  CHECK(some.rows() >= 9);
  CHECK(some.rows() <= 11);
  CHECK(std::get<std::string>(
            OpenSession("metrics.json", "{\"data_rate_gbps\": 1}").ask("system").notes.at(0).value)
            .find("performance_report") != std::string::npos);
}

TEST_CASE("Dask page: recognised by its markers") {
  CHECK(format_of(page("{}")) == "dask_page");
  CHECK(format_of("\xEF\xBB\xBF\n" + page("{}")) == "dask_page");
  CHECK(format_of(page("{}", "anything")) == "dask_page");
  CHECK(format_of("<html><title>Other</title></html>").empty());
  CHECK(format_of("<svg></svg>").empty());
}

TEST_CASE("Dask page: recorded: the counts of ab-before's profile, where it has samples") {
  const Run page_run = read_text(read_test_file("ab-before/dask-profile.html.gz"));
  const Run report = read_text(read_test_file("ab-before/performance_report.html.gz"));
  const Run recorded =
      read_as(profile_tree_format, read_test_file("ab-before/profile_merged.json.gz"), 1U << 16U,
              "profile_merged.json");
  CHECK(page_run.data_notes.empty());

  // Names and counts in preorder; Dask leaves frames without samples out.
  const auto counted = [](const Run& run) {
    const CallTree& tree = run.call_trees.at(0);
    std::vector<std::string> lines;
    for (std::size_t i = 1; i < tree.size(); ++i) {
      if (tree.count[i] == 0) continue;
      lines.push_back(std::string(run.text(run.names->frames.name[tree.frame[i]])) + " " +
                      std::to_string(tree.line[i]) + " " + plain(tree.count[i]));
    }
    return lines;
  };
  CHECK(page_run.call_trees.at(0).count[0] == 7703);
  CHECK(counted(page_run).size() == 2543);
  CHECK((counted(page_run) == counted(recorded)));
  CHECK((counted(report) == counted(recorded)));
  CHECK(report.call_trees.size() == 1);
  CHECK(report.tasks.size() == 162);
  REQUIRE(report.data_notes.size() == 1);  // the event loops' profiles: empty on Python 3.11
  CHECK(report.data_notes[0].id == "empty-profile");
  CHECK(report.data_notes[0].count == 2);
}

TEST_CASE("Dask page: a performance report alone tells where the core-time went") {
  const OpenSession session(std::vector<File>{
      {"performance_report.html", read_test_file("ab-before/performance_report.html.gz")}});
  const Table budget = session.ask("budget");
  const auto seconds = [&](std::string_view part) {
    for (std::size_t row = 0; row < budget.rows(); ++row)
      if (budget.text("part", row) == part) return budget.number("core_seconds", row);
    return absent;
  };
  // The page says of itself: "compute time: 101.49 s", "Workers: 3", "Threads: 3".
  CHECK(seconds("activity:compute") == Approx(101.49).margin(0.005));
  CHECK(seconds("available") == Approx(3 * session.run().window().end));
  CHECK(session.ask("workers").rows() == 3);
  CHECK(session.ask("runs").number("elapsed", 0) == session.run().window().end);
  const double parts = seconds("processor_tasks") + seconds("task:automatic_retries") +
                       seconds("task:reduce") + seconds("task:lambda") + seconds("idle");
  CHECK(parts == Approx(seconds("available")));
  CHECK(!session.run().activities_recorded);  // Dask's own metrics are not in a page
}

TEST_CASE(
    "of sources that say the same the finest is counted: recorded trees, folded stacks, a page's "
    "boxes") {
  std::vector<File> files = {
      {"run/page.html", page(source(boxes))},
      {"run/s.folded", "f;g 5\nf 2\n"},
      {"run/merged.json",
       R"({"count": 3, "identifier": "root", "children": {"f;x.py;1": {"count": 3, "identifier": "f;x.py;1", "children": {}}}})"},
      {"run/workers.json",
       R"({"tcp://a:1": {"count": 4, "identifier": "root", "children": {"f;x.py;1": {"count": 4, "identifier": "f;x.py;1", "children": {}}}}})"}};
  const auto total = [&] { return OpenSession(files).ask("profiles").number("total", 0); };
  const auto alternatives = [&] {
    const Table table = OpenSession(files).ask("profiles");
    double sum = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) sum += table.number("alternative", row);
    return sum;
  };
  for (int reversed = 0; reversed < 2; ++reversed) {
    std::reverse(files.begin(), files.end());
    CHECK(total() == 4);
    CHECK(alternatives() == 3);
  }
  files.pop_back();
  CHECK(total() == 3);
  files.pop_back();
  CHECK(total() == 7);
  CHECK(alternatives() == 1);
  files.pop_back();
  CHECK(total() == 8);
  // An alternative can be chosen.
  const OpenSession both(
      std::vector<File>{{"run/page.html", page(source(boxes))}, {"run/s.folded", "f;g 5\nf 2\n"}});
  CHECK(both.ask("stacks", {}, Options({{"profile", "file:page.html"}, {"leaves", "counted"}}))
            .number("count", 0) == 5);
}
