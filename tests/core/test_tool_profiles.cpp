// Profiles of other tools: small ones that can be checked by hand, recorded ones against what the
// tool itself says of them (tests/data/README.md), damaged ones.
#include <cstring>

#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"
#include "tests/core/tree_text.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

std::string recorded(const std::string& file) { return read_test_file("tools/" + file); }

std::string trees(const std::string& content, std::size_t piece = 1U << 16U) {
  const OpenSession session(std::vector<File>{{"unknown", content}}, piece);
  std::string text;
  for (const CallTree& tree : session.run().call_trees)
    text += tree.name + " [" + tree.unit + "]\n" + tree_text(tree, *session.run().names);
  return text;
}

std::string format_of(const std::string& content) {
  Session session;
  const FileId file = session.add_file(0, "unknown", content.size());
  session.push(file, {content.data(), content.size()});
  session.finish_file(file);
  return std::string(session.format_of(file));
}

/// What all trees of a recorded file count together.
double total(const std::string& file) {
  const OpenSession session("unknown", recorded(file));
  double sum = 0;
  for (const CallTree& tree : session.run().call_trees) sum += tree.count[0];
  return sum;
}

/// A column of `frames` for the function of a recorded file.
double of_function(const std::string& file, const std::string& name, const char* column) {
  const OpenSession session("unknown", recorded(file));
  const Table frames = session.ask("frames");
  double sum = 0;
  for (std::size_t row = 0; row < frames.rows(); ++row)
    if (frames.text("name", row) == name) sum += frames.number(column, row);
  return sum;
}

/// However such a file is cut off or damaged, it is read without harm, and what is wrong is said.
void survives(const Format& format, const std::string& content) {
  for (std::size_t size = 0; size < content.size(); ++size) {
    const Run cut = read_as(format, content.substr(0, size));
    CHECK((!cut.data_notes.empty() || !cut.call_trees.empty()));
    std::string damaged = content;
    damaged[size] = static_cast<char>(damaged[size] ^ 0x55);
    read_as(format, damaged);
  }
}

// --- pieces of binary files

std::string little(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
  return bytes;
}

std::string marshal(const std::string& text) {
  return "z" + std::string(1, static_cast<char>(text.size())) + text;
}
std::string marshal(int number) { return "i" + little(static_cast<std::uint32_t>(number), 4); }
std::string marshal(double number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return "g" + little(bits, 8);
}
std::string function(const std::string& name, int line) {
  return ")\x03" + marshal("x.py") + marshal(line) + marshal(name);
}
std::string times(int size, double self, double all) {
  return ")" + std::string(1, static_cast<char>(size)) + marshal(1) + marshal(1) + marshal(self) +
         marshal(all);
}

std::string field(unsigned number, std::uint64_t value) {
  std::string bytes(1, static_cast<char>(number << 3U));
  for (; value > 0x7f; value >>= 7U) bytes += static_cast<char>((value & 0x7fU) | 0x80U);
  return bytes + static_cast<char>(value);
}
std::string field(unsigned number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3U | 2U), static_cast<char>(bytes.size())} + bytes;
}

/// main calls a and b for 1 s and 3 s, each calls c: for 0.5 s and 1.5 s.
const std::string pstats =
    "{" + function("main", 1) + times(5, 1, 5) + "{0" +                                         //
    function("a", 2) + times(5, 0.5, 1) + "{" + function("main", 1) + times(4, 0.5, 1) + "0" +  //
    function("b", 3) + times(5, 1.5, 3) + "{" + function("main", 1) + times(4, 1.5, 3) + "0" +  //
    function("c", 4) + times(5, 2, 2) + "{" + function("a", 2) + times(4, 0.5, 0.5) +
    function("b", 3) + times(4, 1.5, 1.5) + "0" + "0";

/// Two types of values; c was inlined into b.
const std::string pprof =
    field(1, field(1, 1) + field(2, 2)) + field(1, field(1, 3) + field(2, 4)) +  // samples, cpu
    field(2, field(1, std::string("\x02\x01")) + field(2, std::string("\x01\x0a"))) +
    field(2, field(1, std::string("\x01")) + field(2, std::string("\x02\x14"))) +
    field(4, field(1, 1) + field(4, field(1, 7) + field(2, 5))) +                          // main
    field(4, field(1, 2) + field(4, field(1, 9) + field(2, 1)) + field(4, field(1, 8))) +  // c in b
    field(5, field(1, 7) + field(2, 5) + field(4, 8)) +
    field(5, field(1, 8) + field(2, 6) + field(4, 8)) +
    field(5, field(1, 9) + field(2, 7) + field(4, 8)) +  //
    field(6, "") + field(6, "samples") + field(6, "count") + field(6, "cpu") +
    field(6, "milliseconds") + field(6, "main") + field(6, "b") + field(6, "c") + field(6, "x.go");

}  // namespace

TEST_CASE("cProfile: each function's own time, below its callers in the share of their calls") {
  CHECK(format_of(pstats) == "pstats");
  CHECK(trees(pstats) ==
        "unknown [s]\n"
        "root 5\n"
        "  main@x.py:1 5 self=1\n"
        "    b@x.py:3 3 self=1.5\n"
        "      c@x.py:4 1.5 self=1.5\n"
        "    a@x.py:2 1 self=0.5\n"
        "      c@x.py:4 0.5 self=0.5\n");
  CHECK(has_note(read_as(pstats_format, pstats), "estimated-callers"));
}

TEST_CASE("cProfile: what several functions share is written once and read for each") {
  // f's callers are m, with times; g's callers are the same dictionary, and h's times all of g's.
  const auto flagged = [](std::string value) {
    value[0] = static_cast<char>(value[0] | '\x80');
    return value;
  };
  const std::string f_times = times(5, 2.0, 2.0), g_times = flagged(times(5, 3.0, 3.0));
  const std::string callers = flagged("{") + function("m", 1) + times(4, 0.5, 1.0) + "0";
  const std::string nothing = "{0";
  const std::string shared = "{" + function("m", 1) + times(5, 1.0, 4.0) + nothing +  //
                             function("f", 2) + f_times + callers +  // value 0: callers
                             function("g", 3) + g_times + "r" +
                             little(0, 4) +  // value 1: g's times
                             function("h", 4) + "r" + little(1, 4) + "0";
  const std::string written_out = "{" + function("m", 1) + times(5, 1.0, 4.0) + nothing +  //
                                  function("f", 2) + f_times + callers +                   //
                                  function("g", 3) + times(5, 3.0, 3.0) + callers +        //
                                  function("h", 4) + times(5, 3.0, 3.0) + callers + "0";
  CHECK(trees(shared) == trees(written_out));
  CHECK_FALSE(has_note(read_as(pstats_format, shared), "broken-file"));
  survives(pstats_format, shared);
}

TEST_CASE("cProfile: a dictionary within itself is damaged, and ends") {
  const std::string open = std::string(1, '\xfb') + function("m", 1) + times(5, 1.0, 1.0);
  CHECK(has_note(read_as(pstats_format, open + "r" + little(0, 4) + "0"), "broken-file"));
}

TEST_CASE(
    "profile, in Python, counts calls: a function's times go to its callers by their counts") {
  // f ran 4 s, called once by a and three times by b.
  const std::string counted = "{" + function("a", 1) + times(5, 1.0, 2.0) + "{0" +  //
                              function("b", 2) + times(5, 1.0, 4.0) + "{0" +        //
                              function("f", 3) + times(5, 4.0, 4.0) + "{" + function("a", 1) +
                              marshal(1) + function("b", 2) + marshal(3) + "00";
  CHECK(trees(counted) ==
        "unknown [s]\n"
        "root 6\n"
        "  b@x.py:2 4 self=1\n"
        "    f@x.py:3 3 self=3\n"
        "  a@x.py:1 2 self=1\n"
        "    f@x.py:3 1 self=1\n");
}

TEST_CASE("cProfile: a number of more digits than the file holds is damage, of either sign") {
  const std::string rest = marshal(1) + marshal(1.0) + marshal(1.0) + "{00";
  for (const std::uint32_t digits : {0x80000000U, 0x7fffffffU}) {
    const std::string content = "{" + function("m", 1) + ")\x05l" + little(digits, 4) + rest;
    CHECK(has_note(read_as(pstats_format, content), "broken-file"));
  }
  // With a digit for each: −(1 + 2 · 32,768).
  const std::string number = "l" + little(0xfffffffeU, 4) + little(1, 2) + little(2, 2);
  const std::string content = "{" + function("m", 1) + ")\x05" + number + rest;
  CHECK_FALSE(has_note(read_as(pstats_format, content), "broken-file"));
}

TEST_CASE("cProfile: functions that call each other end, and keep their own times") {
  // a (1 s of its own) and b (2 s) call each other; nobody else is known to
  const std::string both =
      "{" + function("a", 1) + times(5, 1, 3) + "{" + function("b", 2) + times(4, 1, 1) + "0" +  //
      function("b", 2) + times(5, 2, 2) + "{" + function("a", 1) + times(4, 2, 2) + "0" + "0";
  CHECK(trees(both) == "unknown [s]\nroot 3\n  a@x.py:1 3 self=1\n    b@x.py:2 2 self=2\n");
}

TEST_CASE("cProfile: many paths through few functions stay few nodes") {
  // 40 functions, each of which calls all behind it: 2^39 paths
  std::string graph = "{";
  for (int i = 0; i < 40; ++i) {
    graph += function("f" + std::to_string(i), i + 1) + times(5, 1, 40) + "{";
    for (int caller = 0; caller < i; ++caller)
      graph += function("f" + std::to_string(caller), caller + 1) + times(4, 1.0 / i, 40);
    graph += "0";
  }
  const Run run = read_as(pstats_format, graph + "0");
  CHECK(run.call_trees.at(0).count[0] == Approx(40));
  CHECK(run.call_trees[0].size() < 1000000);
}

TEST_CASE("pprof: the last type of values, inlined functions, the innermost first") {
  CHECK(format_of(pprof) == "pprof");
  CHECK(trees(pprof) ==
        "cpu [s]\nroot 0.03\n  main@x.go 0.03 self=0.02\n    b@x.go 0.01\n      c@x.go 0.01 "
        "self=0.01\n");
  CHECK(has_note(read_as(pprof_format, pprof), "other-values"));
  // or the type that is named
  CHECK(trees(pprof + field(14, 1)) ==
        "samples [samples]\nroot 3\n  main@x.go 3 self=2\n    b@x.go 1\n      c@x.go 1 self=1\n");
}

TEST_CASE(
    "Austin: microseconds by process and thread, a line seen and none of the function's own") {
  const std::string austin =
      "# austin: 3.7.0\n# mode: wall\n\n"
      "P1;T0:5;/a/x.py:main:3;/a/x.py:f:7 2000000\n"
      "P1;T0:5;/a/x.py:main:4 1000000\n"
      "P1;T0:6;C:\\x.py:main:1;GC 500000\nP1;T0:6 500000\n";
  const std::string drawn =
      "P1;T0:5 [s]\nroot 3\n  main@/a/x.py 3 self=1\n    f@/a/x.py 2 self=2\n"
      "P1;T0:6 [s]\nroot 1 self=0.5\n  main@C:\\x.py 0.5\n    GC 0.5 self=0.5\n";
  CHECK(format_of(austin) == "austin");
  CHECK(trees(austin) == drawn);
  CHECK(trees(austin, 1) == drawn);
  CHECK(trees("P1;T0:5;x.py:f:1 64\n# mode: memory\nnone\n").starts_with("P1;T0:5 [s]"));
  CHECK(trees("# austin: 3\n# mode: memory\nP1;T0:5;x.py:f:1 64\n") ==
        "P1;T0:5 [byte]\nroot 64\n  f@x.py 64 self=64\n");
}

TEST_CASE("memray's table: bytes by thread, the innermost function first") {
  const std::string table =
      "allocator,num_allocations,size,tid,thread_name,stack_trace\r\n"
      "MALLOC,1,100,1,main,f;/a/x.py;3|main;/a/x.py;9\r\n"
      "MMAP,2,50,1,main,main;/a/x.py;9\r\n"
      "MALLOC,1,7,2,\"a, \"\"b\"\"\",\"g;/a,b.py;1\"\r\n"
      "MALLOC,1,many,2,a,\r\n";
  CHECK(format_of(table) == "memray_table");
  CHECK(trees(table) ==
        "thread main [byte]\nroot 150\n  main@/a/x.py 150 self=50\n    f@/a/x.py 100 self=100\n"
        "thread a, \"b\" [byte]\nroot 7\n  g@/a,b.py 7 self=7\n");
  const Run run = read_as(memray_table_format, table);
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "bad-line");
  CHECK(run.data_notes[0].path == "line 5");
}

TEST_CASE("memray's table: a stack that is cut off is left out, and the end is noted") {
  // 57 + 2 bytes of header, then a whole line of 100 bytes and one whose stack lacks its caller.
  const std::string table =
      "allocator,num_allocations,size,tid,thread_name,stack_trace\r\n"
      "MALLOC,1,100,1,main,f;/a/x.py;3|main;/a/x.py;9\r\n"
      "MALLOC,1,50,1,main,g;/a/x.py;5|ma";
  CHECK(trees(table) ==
        "thread main [byte]\nroot 100\n  main@/a/x.py 100\n    f@/a/x.py 100 self=100\n");
  const Run run = read_as(memray_table_format, table);
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "cut-off");
  CHECK(run.data_notes[0].path == "line 3");
  CHECK(run.data_notes[0].offset == table.rfind("MALLOC"));
}

TEST_CASE("perf: samples by thread, times where the event is a clock, functions of Python") {
  const std::string samples =
      "my python 12/13 [000] 86892.469609:    5000000 cpu-clock:pppH: \n"
      "\t   fb470 PyEval+0x900 (/usr/lib/libpython3.so)\n"
      "\t   7f6f0 py::main:/a/x.py+0xb (/tmp/perf-12.map)\n\n"
      "my python 12/13 [000] 86892.479609:    5000000 cpu-clock:pppH: \n"
      "\t   7f6f0 py::main:/a/x.py+0xb (/tmp/perf-12.map)\n\n";
  CHECK(format_of(samples) == "perf_script");
  CHECK(trees(samples) ==
        "my python 12/13 [s]\nroot 0.01\n  main@/a/x.py 0.01 self=0.005\n"
        "    PyEval@/usr/lib/libpython3.so 0.005 self=0.005\n");
  // cycles are no time: samples are counted
  CHECK(trees("a 1 5.5: 77 cycles: \n\t 1f f+0x1 (b)\n") ==
        "a 1 [samples]\nroot 1\n  f@b 1 self=1\n");
  // a text is none because it has two lines
  CHECK(format_of("a 1 b\n c d\n").empty());
}

TEST_CASE("perf: without stacks a sample has its frame, and commands are aligned at their ends") {
  const std::string samples =
      "          python 12 86.469609:    5000000 cpu-clock:pppH:      7f6f0 mul+0x1 "
      "(/lib/libm.so)\n"
      "    Web Content 3/4 [001] 86.479609: 5000000 cpu-clock:pppH:   81 [unknown] ([unknown])\n";
  CHECK(format_of(samples) == "perf_script");
  CHECK(trees(samples) ==
        "python 12 [s]\nroot 0.005\n  mul@/lib/libm.so 0.005 self=0.005\n"
        "Web Content 3/4 [s]\nroot 0.005\n  [unknown]@[unknown] 0.005 self=0.005\n");
  CHECK(read_as(perf_script_format, samples).data_notes.empty());
  // perf script -F comm,pid,tid,time,event,ip,sym: neither periods nor files
  const std::string fields = "python 12/13 14.46: cpu-clock: \n\t 2b2 rehash\n\t 3c f(int)\n\n";
  CHECK(format_of(fields) == "perf_script");
  CHECK(trees(fields) == "python 12/13 [samples]\nroot 1\n  f(int) 1\n    rehash 1 self=1\n");
  CHECK(trees("a 1 5.5: 77 cycles: \n\t 1f f (inlined)\n\t 1f g+0x1 (b)\n\n") ==
        "a 1 [samples]\nroot 1\n  g@b 1\n    f 1 self=1\n");
}

TEST_CASE("perf: samples of two events are two profiles, those of two kinds of CPU are one") {
  const std::string two =
      "a 1 5.5: 7 page-faults:u: \n\t 1f f+0x1 (b)\n\n"
      "a 1 5.6: 5000000 task-clock:u: \n\t 1f f+0x1 (b)\n\n"
      "a 1 5.7: 7 minor-faults:u: \n\t 1f f+0x1 (b)\n\n";
  CHECK(trees(two) ==
        "a 1, task-clock:u [s]\nroot 0.005\n  f@b 0.005 self=0.005\n"
        "a 1 [samples]\nroot 1\n  f@b 1 self=1\n"
        "a 1, minor-faults:u [samples of minor-faults:u]\nroot 1\n  f@b 1 self=1\n");
  CHECK(read_as(perf_script_format, two).data_notes.empty());
  CHECK(trees("a 1 5.5: 77 cpu_core/cycles/P: \n\t 1f f+0x1 (b)\n\n"
              "a 1 5.6: 77 cpu_atom/cycles/P: \n\t 1f f+0x1 (b)\n\n") ==
        "a 1 [samples]\nroot 2\n  f@b 2 self=2\n");
}

TEST_CASE("perf: a sample that is cut off is left out, and the end is noted") {
  const std::string whole = "a 1 5.5: 77 cycles: \n\t 1f f+0x1 (b)\n\t 2f main+0x1 (b)\n\n";
  const std::string expected = "a 1 [samples]\nroot 1\n  main@b 1\n    f@b 1 self=1\n";
  CHECK(trees(whole) == expected);
  CHECK(read_as(perf_script_format, whole).data_notes.empty());
  // The second sample lacks main, and half of f's line.
  const std::string cut = whole + "a 1 5.6: 77 cycles: \n\t 1f f+0x";
  CHECK(trees(cut) == expected);
  const Run run = read_as(perf_script_format, cut);
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "cut-off");
  CHECK(run.data_notes[0].severity == Severity::high);
  CHECK(run.data_notes[0].path == "line 6");
}

TEST_CASE(
    "Trace events: complete ones and begins with ends, by thread, as they lie in one another") {
  const std::string complete =
      R"j({"traceEvents": [)j"
      R"j({"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "main"}},)j"
      R"j({"ph": "X", "pid": 1, "tid": 2, "ts": 3000000, "dur": 1000000, "name": "g (x.py:5)"},)j"
      R"j({"ph": "X", "pid": 1, "tid": 2, "ts": 1000000, "dur": 4000000, "name": "f (x.py:1)"},)j"
      R"j({"ph": "X", "pid": 1, "tid": 2, "ts": 1000000, "dur": 2000000, "name": "g (x.py:5)"},)j"
      R"j({"ph": "C", "pid": 1, "tid": 2, "ts": 1, "name": "counter", "args": {"value": 3}}]})j";
  CHECK(format_of(complete) == "trace");
  CHECK(trees(complete) ==
        "main (process 1, thread 2) [s]\nroot 4\n  f@x.py:1 4 self=1\n    g@x.py:5 3 self=3\n");
  const std::string pairs =
      R"j([{"ph":"B","pid":1,"tid":2,"ts":0,"name":"f","args":{"filename":"/a/x.py","line":3}},)j"
      R"j({"ph":"B","pid":1,"tid":2,"ts":1000000,"name":"g"},)j"
      R"j({"ph":"E","pid":1,"tid":2,"ts":3000000},)j"
      R"j({"ph":"E","pid":1,"tid":2,"ts":4000000},{"ph":"E","pid":1,"tid":2,"ts":5000000}])j";
  CHECK(trees(pairs) == "process 1, thread 2 [s]\nroot 4\n  f@/a/x.py 4 self=2\n    g 2 self=2\n");
  const Run run = read_as(trace_format, pairs);
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "bad-event");
  CHECK(run.data_notes[0].path == "traceEvents[4]");
  // one that outlasts what it began in
  const Run overlap = read_as(trace_format, R"j([{"ph":"X","ts":0,"dur":10,"name":"f"},)j"
                                            R"j({"ph":"X","ts":5,"dur":10,"name":"g"}])j");
  CHECK(has_note(overlap, "overlapping-events"));
  CHECK(overlap.call_trees.at(0).count[0] == Approx(10e-6));
}

TEST_CASE("pyinstrument: seconds, and what it writes as a callee is the function's own time") {
  const std::string session =
      R"j({"duration": 5, "sample_count": 9, "root_frame": {"function": "main", "file_path": "x.py",)j"
      R"j("line_no": 1, "time": 4, "is_application_code": true, "children": [)j"
      R"j({"function": "[self]", "file_path": "", "line_no": 0, "time": 1, "children": []},)j"
      R"j({"function": "f", "file_path": "x.py", "line_no": 7, "time": 3, "children": []}]}})j";
  CHECK(format_of(session) == "pyinstrument");
  const std::string drawn = "unknown [s]\nroot 4\n  main@x.py:1 4 self=1\n    f@x.py:7 3 self=3\n";
  CHECK(trees(session) == drawn);
  CHECK(trees(session, 1) == drawn);
}

TEST_CASE("Scalene: lines below their functions, in seconds and in bytes") {
  const std::string profile =
      R"j({"alloc_samples": 1, "elapsed_time_sec": 10, "files": {"x.py": {"lines": [)j"
      R"j({"lineno": 1, "line": "def f(a):\n", "start_function_line": 1, "n_cpu_percent_c": 0},)j"
      R"j({"lineno": 2, "line": "  g()\n", "start_function_line": 1, "n_cpu_percent_c": 20,)j"
      R"j( "n_cpu_percent_python": 30, "n_sys_percent": 10, "n_malloc_mb": 0.0009765625},)j"
      R"j({"lineno": 3, "line": "f(1)\n", "start_function_line": 0, "n_cpu_percent_c": 40}]}}})j";
  CHECK(format_of(profile) == "scalene");
  CHECK(trees(profile) ==
        "time [s]\nroot 10\n  f@x.py:1 6\n    g()@x.py:2 6 self=6\n  <module>@x.py 4\n"
        "    f(1)@x.py:3 4 self=4\n"
        "allocated memory [byte]\nroot 1024\n  f@x.py:1 1024\n    g()@x.py:2 1024 "
        "self=1024\n");
  CHECK(has_note(read_as(scalene_format, profile), "lines-only"));
}

TEST_CASE("Recorded profiles count what their tools say they do") {
  CHECK(total("cprofile.prof.gz") ==
        Approx(3.0790884449999973).epsilon(1e-12));  // pstats: total_tt
  CHECK(of_function("cprofile.prof.gz", "select", "self") == Approx(0.0010062530000000001));
  CHECK(of_function("cprofile.prof.gz", "select", "total") == Approx(2.568155035));
  CHECK(of_function("cprofile.prof.gz", "mass", "total") == Approx(2.552534128));
  CHECK(total("pyinstrument.json") == Approx(3.027365));  // its root
  CHECK(of_function("pyinstrument.json", "mass", "self") == Approx(0.487659));
  CHECK(total("austin.txt.gz") == Approx(8.378735));      // the sum of its metrics
  CHECK(total("memray.csv") == 26569293);                 // the sum of its sizes
  CHECK(total("perf.txt") == Approx(109 * 0.020408163));  // its periods
  CHECK(total("go-cpu.pb.gz") == Approx(1.58));           // go tool pprof: Total samples
  CHECK(of_function("go-cpu.pb.gz", "main.mass", "self") == Approx(0.34));
  CHECK(of_function("go-cpu.pb.gz", "main.selectEvents", "total") == Approx(0.76));
  CHECK(total("go-allocs.pb.gz") == Approx(3177.60 * 1024).epsilon(1e-5));  // its alloc_space
  CHECK(total("viztracer.json.gz") == Approx(12.000033685 + 6.434005737).epsilon(1e-9));
  const OpenSession scalene("unknown", recorded("scalene.json.gz"));
  CHECK(scalene.run().call_trees.at(0).count[0] == Approx(2.8594846725463867));  // elapsed_time_sec
  CHECK(scalene.run().call_trees.at(1).count[0] == Approx(45.445311546325684 * 1048576));
}

TEST_CASE("py-spy: a function is one, whichever of its lines was executing") {
  const std::string folded =
      "<module> (x.py:22);process (x.py:18) 35\n<module> (x.py:22);process (x.py:19) 21\n";
  CHECK(trees(folded) ==
        "unknown [samples]\nroot 56\n  <module>@x.py 56\n    process@x.py 56 self=56\n");
  const std::string profile =
      R"({"profiles": [{"type": "sampled", "name": "t", "unit": "none", "samples": [[0], [1]],)"
      R"( "weights": [1, 2]}], "shared": {"frames": [{"name": "f", "file": "x.py", "line": 3},)"
      R"({"name": "f", "file": "x.py", "line": 4}]}, "exporter": "py-spy@0.4.3"})";
  CHECK(trees(profile) == "t [samples]\nroot 3\n  f@x.py 3 self=3\n");
}

TEST_CASE("Profiles that are cut off or damaged do no harm, and say so") {
  survives(pstats_format, pstats);
  survives(pprof_format, pprof);
  const Run cut = read_as(pstats_format, pstats.substr(0, 30));
  REQUIRE(has_note(cut, "broken-file"));
  CHECK(cut.data_notes[0].message ==
        "it is cut off or damaged here, where a number was expected; what comes before was read");
  CHECK(cut.data_notes[0].offset != Error::no_offset);
}

TEST_CASE("What can only be read once it is converted says by which command") {
  const auto refusal = [](const std::string& content) {
    Session session;
    const auto opened = open_files(session, {{"x.bin", content}});
    return opened ? std::string() : opened.error().sentence();
  };
  CHECK(refusal(std::string("\x04\x22M\x18@@", 6)).find("memray transform csv FILE") !=
        std::string::npos);
  // the beginnings of what py-spy 0.4, memray 1.20 and pyinstrument 5.1 write where nothing else is
  // asked
  CHECK(refusal("<?xml version=\"1.0\" standalone=\"no\"?><svg xmlns:fg=\"http://github.com/jonhoo/"
                "inferno\"><!--Flame graph stack visualization. See "
                "https://github.com/brendangregg/FlameGraph for latest version-->")
            .find("py-spy record --format speedscope") != std::string::npos);
  CHECK(refusal("<svg><!-- https://github.com/brendangregg/FlameGraph -->").find("folded stacks") !=
        std::string::npos);
  CHECK(refusal("\n<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>memray - flamegraph report")
            .find("memray transform csv") != std::string::npos);
  CHECK(refusal("<!DOCTYPE html><html><body><script>var pyinstrumentHTMLRenderer=function(){}")
            .find("pyinstrument -r json") != std::string::npos);
  CHECK(refusal(std::string("PERFILE2h\0", 10)).find("perf script -i FILE") != std::string::npos);
  CHECK(refusal(std::string("MOJ\3\1austin\0", 12)).find("mojo2austin FILE TEXT") !=
        std::string::npos);
  CHECK(refusal(R"({"start_time": 1.5, "duration": 3, "frame_records": []})")
            .find("pyinstrument --load FILE -r json") != std::string::npos);
  // what tools print or write where a profile would open: pyinstrument 5.1, cProfile of 3.12, perf
  // 6.1, viztracer 1.1, yappi 1.7, pyprof2calltree 1.4, line_profiler 5.1, memray 1.20
  CHECK(refusal("\n  _     ._   __/__   _ _  _  _ _/_   Recorded: 20:21:56  Samples:  331\n")
            .find("pyinstrument -r json") != std::string::npos);
  CHECK(refusal("         1917595 function calls (1917578 primitive calls) in 3.053 seconds\n\n"
                "   Ordered by: cumulative time\n")
            .find("python -m cProfile -o FILE") != std::string::npos);
  CHECK(refusal("# To display the perf.data header info, please use --header options.\n#\n")
            .find("perf script") != std::string::npos);
  CHECK(refusal("<!DOCTYPE html>\n<!--\nOriginal LICENSE file:\n"
                "https://github.com/catapult-project/catapult/blob/master/tracing/LICENSE\n-->")
            .find("viztracer -o FILE.json") != std::string::npos);
  CHECK(refusal(std::string("\x80\2cyappi\nYFuncStats\nq\0", 22)).find("yappi -f pstat") !=
        std::string::npos);
  CHECK(refusal("version: 1\ncreator: yappi\npid: 813\n").find("yappi -f pstat") !=
        std::string::npos);
  CHECK(refusal("event: ns : Nanoseconds\nevents: ns\nfl=/a/b.py\nfn=mass\n37 4617\n")
            .find("a file of cProfile opens here") != std::string::npos);
  CHECK(refusal("Timer unit: 1e-06 s\n\nTotal time: 16.545 s\n").find("line_profiler") !=
        std::string::npos);
  // pprofile 2.2, py-spy 0.4, perf 6.1, tracemalloc and pickle of 3.12, distributed 2026.9
  CHECK(refusal("Command line: x.py\nTotal duration: 38.0026s\n"
                "Line #|      Hits|         Time| Time per hit|      %|Source code\n")
            .find("line_profiler") != std::string::npos);
  CHECK(refusal("\nClock type: CPU\nOrdered by: totaltime, desc\n").find("yappi -f pstat") !=
        std::string::npos);
  CHECK(refusal("\n Performance counter stats for 'python x.py':\n").find("perf script") !=
        std::string::npos);
  CHECK(refusal("Process 119: python x.py\nPython v3.12.1 (/usr/bin/python3.12)\n")
            .find("py-spy record --format speedscope") != std::string::npos);
  CHECK(refusal("\U0001f4cf Total allocations:\n\t6813\n\n\U0001f4e6 Total memory allocated:\n")
            .find("memray transform csv") != std::string::npos);
  CHECK(refusal("\u250f\u2501\u2513\n\u2503 Location  \u2503").find("memray transform csv") !=
        std::string::npos);
  CHECK(refusal(std::string("\x80\4\x95\0\0\0\0\0", 8)).find("json.dump") != std::string::npos);
  CHECK(refusal("\x83\xa9scheduler\xde\1").find("performance_report") != std::string::npos);
  CHECK(refusal("{\n  \"total_num_allocations\": 196,\n  \"total_bytes_allocated\": 80380099}")
            .find("memray transform csv") != std::string::npos);
}
