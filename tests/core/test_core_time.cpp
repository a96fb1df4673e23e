// The core-time tree and its course: sums at every node, causes and bounds that can be checked by
// hand, and the same on every recording.
#include <cmath>
#include <map>

#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/one_worker.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/random_bundle.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;

namespace {

Options options(std::map<std::string, std::string> values) { return Options(std::move(values)); }

Options whole(const std::string& by) {
  return options({{"by", by}, {"depth", "100"}, {"most", "1000000"}});
}

const std::vector<std::string> splits = {"functions", "datasets", "sections", "activities"};

/// The children of a part as "label=core-seconds", in order.
std::string parts(const Table& tree, const std::string& under) {
  std::string text;
  for (std::size_t row = 0; row < tree.rows(); ++row) {
    if (tree.text("parent", row) != under) continue;
    char number[32];
    std::snprintf(number, sizeof number, "%g", tree.number("core_seconds", row));
    text += (text.empty() ? "" : ", ") + std::string(tree.text("label", row)) + "=" + number;
  }
  return text;
}

double of(const Table& tree, const std::string& id, const char* column = "core_seconds") {
  const std::size_t row = tree.row_of("id", id);
  REQUIRE(row < tree.rows());
  return tree.number(column, row);
}

/// Every part is the sum of what it unfolds into, and lies within its bounds.
void check_sums(const Table& tree) {
  std::map<std::string, double> sums;
  std::size_t faults = 0;
  for (std::size_t row = 0; row < tree.rows(); ++row) {
    const double seconds = tree.number("core_seconds", row);
    const double slack = 1e-9 * std::max(1.0, seconds);
    if (!(tree.number("least", row) <= seconds + slack) ||
        !(seconds <= tree.number("most", row) + slack) || !(tree.number("least", row) >= 0))
      ++faults;
    if (!(tree.number("uncertain", row) <= seconds + slack)) ++faults;
    if (!tree.text("parent", row).empty()) sums[std::string(tree.text("parent", row))] += seconds;
    if (row > 0 && tree.text("id", row) == tree.text("id", row - 1)) ++faults;
  }
  for (const auto& [id, sum] : sums) {
    CAPTURE(id);
    const double excess = id == "available" ? value_or(number_note(tree, "excess"), 0) : 0;
    const double seconds = tree.number("core_seconds", tree.row_of("id", id)) + excess;
    if (std::fabs(sum - seconds) > 1e-9 * std::max(1.0, seconds)) {
      CAPTURE(sum, seconds);
      CHECK(sum == seconds);
      ++faults;
    }
  }
  CHECK(faults == 0);
}

double integral(const Table& bins, std::string_view part) {
  const Column& cores = *bins.find("cores");
  const double width =
      (number_note(bins, "t1") - number_note(bins, "t0")) / static_cast<double>(cores.width);
  double sum = 0;
  for (std::size_t row = 0; row < bins.rows(); ++row) {
    if (bins.text("part", row) != part) continue;
    for (std::size_t b = 0; b < cores.width; ++b) sum += cores.numbers[row * cores.width + b];
  }
  return sum * width;
}

std::vector<File> recorded(const std::string& bundle, std::initializer_list<const char*> more) {
  std::vector<File> files;
  for (const char* name : {"metadata.json", "metrics.json", "report.json", "scheduler_info.json",
                           "span_metrics.json", "start_end_time.txt"})
    files.push_back({bundle + "/" + name, read_test_file(bundle + "/" + name)});
  for (const std::string name : more)
    files.push_back({bundle + "/" + name, read_test_file(bundle + "/" + name + ".gz")});
  return files;
}

Selection between(double begin, double end) {
  Selection selection;
  selection.time = {begin, end};
  return selection;
}

/// A worker's profile as Dask writes it. process() took 8 of 10 samples: 4 in numpy below work(),
/// 4 below fill(), in one of two functions. Two were `outside`.
const std::string lib = "/v/lib/python3.11/site-packages/";
std::string node(const std::string& name, const std::string& file, int count,
                 const std::string& children) {
  const std::string id = name + ";" + file + ";1";
  return "\"" + id + "\": {\"count\": " + std::to_string(count) + ", \"identifier\": \"" + id +
         "\", \"description\": {\"name\": \"" + name + "\", \"filename\": \"" + file +
         "\", \"line_number\": 1, \"line\": \"\"}, \"children\": {" + children + "}}";
}
std::string small_profile(
    const std::string& outside = node("from_root", lib + "coffea/nanoevents/factory.py", 2,
                                      node("open", lib + "uproot/reading.py", 0, ""))) {
  const std::string work =
      node("work", "/home/u/ana.py", 4, node("add", lib + "numpy/core.py", 0, ""));
  const std::string fill = node("fill", "/home/u/ana.py", 4,
                                node("ravel", lib + "awkward/ak.py", 0, "") + ", " +
                                    node("bincount", lib + "numpy/core.py", 0, ""));
  const std::string task =
      node("_work_function", lib + "coffea/processor/executor.py", 10,
           node("process", "/home/u/ana.py", 8, work + ", " + fill) + ", " + outside);
  return R"({"tcp://10.0.0.1:1001": {"count": 10, "identifier": "root", "description": {"name": "",
    "filename": "", "line_number": 0, "line": ""}, "children": {)" +
         task + "}}}";
}

}  // namespace

TEST_CASE("The core-time unfolds: phases, datasets, their sections, task prefixes") {
  const OpenSession session("metrics.json", small_metrics());
  const Table tree = session.ask("core_time_tree", {}, whole("datasets"));
  check_sums(tree);
  CHECK(of(tree, "available") == 10);
  CHECK(parts(tree, "available") ==
        "Inside process()=5, Outside process()=1, Repeated work=0, Other tasks=1, Idle=3");
  CHECK(parts(tree, "available/inside_process") == "y=3, x=2");
  CHECK(parts(tree, "available/inside_process/y") == "fill=1.5, load=1, in no section=0.5");
  CHECK(parts(tree, "available/other_tasks") == "lambda=1");
  const Table sections = session.ask("core_time_tree", {}, whole("sections"));
  check_sums(sections);
  CHECK(parts(sections, "available/inside_process") == "fill=2.5, load=1.5, in no section=1");
  CHECK(parts(sections, "available/inside_process/load") == "y=1, x=0.5");
}

TEST_CASE("By activities, the processor's tasks are one: Dask counts them by prefix") {
  const OpenSession session("metrics.json", small_metrics());
  const Table tree = session.ask("core_time_tree", {}, whole("activities"));
  check_sums(tree);
  CHECK(parts(tree, "available") == "Processor tasks=6, Other tasks=1, Idle=3");
  CHECK(parts(tree, "available/processor_tasks") == "thread-cpu=4, thread-noncpu=2");
  CHECK(of(tree, "available/processor_tasks", "waiting") == 2);
  CHECK(of(tree, "available/processor_tasks", "split_measured") == 1);
}

TEST_CASE("What is on a CPU and what waits is measured by prefix, and shared out below") {
  const Table tree = OpenSession("metrics.json", small_metrics()).ask("core_time_tree");
  CHECK(of(tree, "available", "on_cpu") == 5);
  CHECK(of(tree, "available", "waiting") == 2);
  // 5 of the 6 s of P, of which 4 were on a CPU
  CHECK(of(tree, "available/inside_process", "on_cpu") == Approx(5 * 4.0 / 6));
  CHECK(of(tree, "available/inside_process", "split_measured") == 0);
  CHECK(of(tree, "available/other_tasks", "on_cpu") == 1);
  CHECK(of(tree, "available/idle", "on_cpu") == 0);
  // More of the time may wait than is on a CPU.
  for (const double waits : {4.0, 12.0}) {
    const Table waiting =
        OpenSession("metrics.json", with(small_metrics(), "'thread-noncpu', 'seconds')\": 2.0",
                                         "'thread-noncpu', 'seconds')\": " + std::to_string(waits)))
            .ask("core_time_tree", {}, whole("activities"));
    CHECK(of(waiting, "available/processor_tasks", "waiting") == waits);
  }
}

TEST_CASE("Own functions carry their own time, scaled to process(), with the libraries below") {
  const OpenSession session(std::vector<File>{{"run/metrics.json", small_metrics()},
                                              {"run/dask_profiles.json", small_profile()}});
  const Table tree = session.ask("core_time_tree", {}, whole("functions"));
  check_sums(tree);
  const std::string inside = "available/inside_process";
  // 5 s for 8 samples: work and fill have 4 each, process() itself none
  CHECK(parts(tree, inside) == "work=2.5, fill=2.5");
  const std::string work = inside + "/work@/home/u/ana.py:1";
  CHECK(parts(tree, work) == "numeric=2.5");
  CHECK(parts(tree, work + "/numeric") == "add=2.5");
  CHECK(of(tree, work + "/numeric", "uncertain") == 0);
  // Below fill each of the two was seen as leaf at least once, the other two samples can be of
  // either: 1 to 3 of the four, at 0.625 s, and the sampling error beyond that.
  const std::string fill = inside + "/fill@/home/u/ana.py:1";
  CHECK(of(tree, fill, "uncertain") == Approx(2 * 0.625));
  CHECK(of(tree, fill + "/awkward") + of(tree, fill + "/numeric") == Approx(2.5));
  CHECK(of(tree, fill + "/awkward", "least") <= 0.625);
  CHECK(of(tree, fill + "/awkward", "most") >= 3 * 0.625);
  // Outside: two samples are worth as much as 1 s, no more than there is.
  CHECK(parts(tree, "available/outside_process") == "Opening files, building events=1");
}

TEST_CASE("Outside process(), what Dask measures around the thread is apart from the samples") {
  const auto outside = [](const std::string& what, const std::string& with) {
    std::string metrics = small_metrics();
    const std::size_t place = metrics.find(what);
    REQUIRE(place != std::string::npos);
    metrics.replace(place, what.size(), with);
    const OpenSession session(std::vector<File>{{"run/metrics.json", metrics},
                                                {"run/dask_profiles.json", small_profile()}});
    const Table tree = session.ask("core_time_tree", {}, whole("functions"));
    check_sums(tree);
    return parts(tree, "available/outside_process");
  };
  const std::string waits = R"x("('execute', 'P', 'thread-noncpu', 'seconds')": 2.0)x";
  // 8 s of tasks, 5 in process(), 2 measured around threads: the two samples share 1 s.
  CHECK(outside(waits, waits + R"x(, "('execute', 'P', 'executor', 'seconds')": 2.0)x") ==
        "Opening files, building events=1, Before and after (Dask)=2");
  // 9 s of tasks, 4 outside: two samples are at most twice 0.625 s each, as inside.
  CHECK(outside(waits, R"x("('execute', 'P', 'thread-noncpu', 'seconds')": 5.0)x") ==
        "Opening files, building events=2.5, Not sampled=1.5");
}

TEST_CASE("Unpickling a processor makes its classes and imports its modules: that packs nothing") {
  const auto outside = [](const std::string& name, const std::string& below) {
    const std::string pickle = lib + "cloudpickle/cloudpickle.py";
    const OpenSession session(
        std::vector<File>{{"run/metrics.json", small_metrics()},
                          {"run/dask_profiles.json", small_profile(node(name, pickle, 2, below))}});
    return parts(session.ask("core_time_tree", {}, whole("functions")),
                 "available/outside_process");
  };
  const std::string imports = node("_find_and_load", "<frozen importlib._bootstrap>", 2,
                                   node("<module>", lib + "tensorflow/__init__.py", 0, ""));
  CHECK(outside("subimport", imports) == "Importing modules=1");
  const std::string makes = node("_make_skeleton_class", lib + "cloudpickle/cloudpickle.py", 0, "");
  CHECK(outside("loads", makes) == "Unpacking the processor=1");
  CHECK(outside("_class_setstate", makes) == "Unpacking the processor=1");
  CHECK(outside("dumps", makes) == "Packing results=1");
}

TEST_CASE("A part unfolds alone, and the smallest of many are one") {
  const OpenSession session(std::vector<File>{{"run/metrics.json", small_metrics()},
                                              {"run/dask_profiles.json", small_profile()}});
  const std::string fill = "available/inside_process/fill@/home/u/ana.py:1";
  const Table below = session.ask("core_time_tree", {}, options({{"under", fill}, {"depth", "1"}}));
  REQUIRE(below.rows() == 3);
  CHECK(below.text("id", 0) == fill);
  CHECK(below.number("depth", 0) == 2);
  CHECK(below.number("begin", 1) == Approx(0.25));
  const Table few = session.ask("core_time_tree", {}, options({{"depth", "1"}, {"most", "3"}}));
  check_sums(few);
  CHECK(parts(few, "available") == "Inside process()=5, Outside process()=1, 3 others=4");
  CHECK_THROWS(session.ask("core_time_tree", {}, option("under", "nothing")));
}

TEST_CASE("A selected time has the parts of its course; datasets narrow process() alone") {
  const OpenSession session("metrics.json", small_metrics());
  // From 1 to 2 both chunks run on three cores.
  const Table time = session.ask("core_time_tree", between(1, 2), whole("datasets"));
  check_sums(time);
  CHECK(of(time, "available") == Approx(3));
  CHECK(of(time, "available/inside_process") == Approx(2));
  CHECK(parts(time, "available/inside_process") == "x=1, y=1");
  Selection x;
  x.datasets = {"x"};
  const Table dataset = session.ask("core_time_tree", x, whole("sections"));
  check_sums(dataset);
  CHECK(parts(dataset, "available") == "Inside process()=2, Not in these chunks' process()=8");
  CHECK(parts(dataset, "available/inside_process") == "fill=1, in no section=0.5, load=0.5");
  // Profiles know neither.
  const Table functions = session.ask("core_time_tree", between(1, 2));
  CHECK(note(functions, "selection").find("Profiles keep no times") != std::string::npos);
}

TEST_CASE("Idle time by its causes: gaps of the task stream") {
  Run run = one_worker({{2, 4}, {4.1, 6}, {8, 9}});
  run.workers.of(Series::active_tasks, 0).set(1, 3);
  using runtime::IdleCause;
  const runtime::IdleTime idle = idle_of(run);
  CHECK(idle.exact);
  CHECK(of_cause(idle, IdleCause::starting) == Approx(2));
  CHECK(of_cause(idle, IdleCause::between_tasks) == Approx(0.1));
  CHECK(of_cause(idle, IdleCause::held_back) ==
        Approx(2));  // at 5 three were assigned, one executed
  CHECK(of_cause(idle, IdleCause::after_last) == Approx(1));
  CHECK(of_cause(idle, IdleCause::unknown) == 0);
}

TEST_CASE("Idle time by its causes: inputs that are fetched, and a worker that leaves") {
  // Two workers of one thread. The first runs P from 0 to 2 and, after 1 s of fetching, from 4 to
  // 10; the second runs P from 0 to 3 and is gone at 5.
  Run run(std::make_shared<Names>());
  const auto text = [&](const char* t) { return run.names->strings.intern(t); };
  run.elapsed = 10;
  run.ticks = {0, 5};
  for (const char* worker : {"tcp://a:1", "tcp://b:1"}) {
    const std::size_t w = run.workers.intern(text(worker));
    run.workers.nthreads[w] = 1;
    for (const Series series : {Series::cores, Series::active_tasks, Series::executing})
      run.workers.of(series, w).set(0, 1);
  }
  for (const Series series : {Series::cores, Series::active_tasks, Series::executing})
    run.workers.of(series, 0).set(1, 1);
  const auto add = [&](const char* worker, const char* action, double t0, double t1) {
    Tasks& t = run.tasks;
    t.key.push_back(text("P-1"));
    t.prefix.push_back(text("P"));
    t.worker.push_back(text(worker));
    t.thread.push_back(1);
    t.action.push_back(text(action));
    t.t0.push_back(t0);
    t.t1.push_back(t1);
    t.nbytes.push_back(1);
    t.status.push_back(text("OK"));
  };
  add("tcp://a:1", "compute", 0, 2);
  add("tcp://a:1", "transfer", 2.5, 3.5);
  add("tcp://a:1", "compute", 4, 10);
  add("tcp://b:1", "compute", 0, 3);
  add("tcp://c:1", "compute", 9, 10);  // nobody knows that worker
  using runtime::IdleCause;
  const runtime::IdleTime idle =
      runtime::find_idle(run, WorkerSelection(run, {}), text("P"), 0, 10);
  const auto of_cause = [&](IdleCause cause) {
    return idle.seconds[static_cast<std::size_t>(cause)];
  };
  CHECK(of_cause(IdleCause::fetching) == Approx(1));
  CHECK(of_cause(IdleCause::nothing_ready) == Approx(1));
  CHECK(of_cause(IdleCause::leaving) == Approx(2));
  CHECK(of_cause(IdleCause::starting) + of_cause(IdleCause::tail) == 0);
}

TEST_CASE("Over time the parts integrate to the bar, whatever is recorded") {
  for (const auto& files :
       {std::vector<File>{{"metrics.json", small_metrics()}},
        std::vector<File>{{"metrics.json", without(small_metrics(), "raw_span_metrics")}},
        std::vector<File>{{"metrics.json", without(small_metrics(), "raw_chunk_metrics")}}}) {
    const OpenSession session(files);
    const Table tree = session.ask("core_time_tree", {}, option("by", "datasets"));
    for (const char* bins : {"7", "400"}) {
      const Table over_time = session.ask("core_time_bins", {}, option("bins", bins));
      for (std::size_t row = 0; row < tree.rows(); ++row) {
        if (tree.number("depth", row) > 1) continue;
        const std::string kind(tree.text("kind", row));
        CAPTURE(kind);
        CHECK(integral(over_time, kind) == Approx(tree.number("core_seconds", row)).margin(1e-9));
      }
    }
  }
}

namespace {

/// A recording of 24 tasks of the processor that knows what was sampled when, and the tasks'
/// states.
const OpenSession& sliced() {
  static const OpenSession session([] {
    std::vector<File> files;
    for (const char* name : {"metadata.json", "metrics.json", "scheduler_info.json",
                             "span_object.json", "start_end_time.txt"})
      files.push_back(
          {std::string("sliced/") + name, read_test_file(std::string("sliced/") + name)});
    for (const std::string name :
         {"dask_profiles.json", "profile_slices.json", "task_stream.json", "transitions.json"})
      files.push_back({"sliced/" + name, read_test_file("sliced/" + name + ".gz")});
    return files;
  }());
  return session;
}

}  // namespace

TEST_CASE("sliced: a selected time has the functions that ran in it") {
  // all chunks of one dataset ran before those of the other, and each dataset has a function
  const OpenSession& session = sliced();
  const auto function = [&](const char* name, double begin, double end) {
    const Table tree = session.ask("core_time_tree", between(begin, end), option("depth", "2"));
    double seconds = 0;
    for (std::size_t row = 0; row < tree.rows(); ++row) {
      if (tree.text("kind", row) == "function" && tree.text("label", row) == name)
        seconds += tree.number("core_seconds", row);
    }
    return seconds;
  };
  const Table chunks = session.ask("chunks");
  for (std::size_t row = 0; row < chunks.rows(); ++row) {
    const bool is_data = chunks.text("dataset", row) == "data";
    CHECK((chunks.number("t_start", row) < 7.3) == is_data);
  }
  CHECK(function("sort_all", 4.8, 6) > 1.8);
  CHECK(function("mask_all", 4.8, 6) == 0);
  CHECK(function("mask_all", 8.5, 9) > 0.8);
  CHECK(function("sort_all", 8.5, 9) == 0);
}

TEST_CASE("sliced: why cores were idle is known at each moment") {
  const OpenSession& session = sliced();
  for (const std::string& by : splits)
    check_sums(session.ask("core_time_tree", between(5, 8), whole(by)));
  const Table states = session.ask("task_states");
  // 24 of the processor, 4 that read metadata and 5 that merged
  CHECK(states.number("entered", states.row_of("state", "processing")) == 33);
  const Table tree = session.ask("core_time_tree", {}, option("under", "available/idle"));
  for (std::size_t row = 0; row < tree.rows(); ++row) {
    if (tree.text("kind", row) == "idle_cause") CHECK(tree.text("certainty", row) == "measured");
  }
}

TEST_CASE("Of every recorded bundle each part is the sum of its own, and so over time") {
  for (const std::string bundle :
       {"ab-after", "ab-before", "adaptive", "local-4x1", "no-decorator", "no-tracking",
        "preproc-none", "scale-1", "scale-2", "scale-4", "schema-0.1.0", "schema-flat-old-528a064",
        "schema-improve-api", "skipbad"}) {
    CAPTURE(bundle);
    const bool whole_recording = bundle == "adaptive" || bundle == "local-4x1";
    const OpenSession session(
        whole_recording
            ? recorded(bundle, {"dask_profiles.json", "task_stream.json", "span_object.json"})
            : recorded(bundle, {}));
    const double elapsed = session.run().window().end;
    for (const std::string& by : splits) {
      CAPTURE(by);
      check_sums(session.ask("core_time_tree", {}, whole(by)));
      check_sums(session.ask("core_time_tree", between(0.2 * elapsed, 0.6 * elapsed), whole(by)));
    }
    const Table tree = session.ask("core_time_tree", {}, option("depth", "1"));
    const Table bins = session.ask("core_time_bins");
    for (std::size_t row = 1; row < tree.rows(); ++row) {
      const std::string kind(tree.text("kind", row));
      CAPTURE(kind);
      CHECK(integral(bins, kind) ==
            Approx(tree.number("core_seconds", row)).epsilon(1e-6).margin(1e-6));
    }
    Selection worker;
    if (session.run().workers.size() > 0)
      worker.workers = {std::string(session.run().text(session.run().workers.address[0]))};
    check_sums(session.ask("core_time_tree", worker, whole("functions")));
  }
}

TEST_CASE("adaptive: idle over time is idle, not all that is outside process()") {
  const OpenSession session(
      recorded("adaptive", {"dask_profiles.json", "task_stream.json", "span_object.json"}));
  const Table bins = session.ask("core_time_bins");
  const double available = integral(bins, "available");
  CHECK(integral(bins, "idle") / available == Approx(0.049).margin(0.001));
  CHECK(integral(bins, "lost_work") / available == Approx(0.284).margin(0.001));
  for (std::size_t row = 0; row < bins.rows(); ++row) CHECK(bins.number("exact", row) == 1);
}

TEST_CASE("Of runs made by chance the parts sum, too") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const OpenSession session("metrics.json", RandomBundle(seed).metrics);
    for (const std::string& by : splits) {
      check_sums(session.ask("core_time_tree", {}, whole(by)));
      check_sums(session.ask("core_time_tree", between(0.3, 5), whole(by)));
    }
    const Table tree = session.ask("core_time_tree", {}, option("depth", "1"));
    const Table bins = session.ask("core_time_bins");
    for (std::size_t row = 1; row < tree.rows(); ++row) {
      CHECK(integral(bins, tree.text("kind", row)) ==
            Approx(tree.number("core_seconds", row)).epsilon(1e-9).margin(1e-9));
    }
  }
}

TEST_CASE("A gap is the scheduler's own below 0.15 s; before the first task a worker starts") {
  using runtime::IdleCause;
  const auto idle = [](double gap) { return idle_of(one_worker({{0, 4}, {4 + gap, 10}})); };
  CHECK(of_cause(idle(0.14), IdleCause::between_tasks) == Approx(0.14));
  CHECK(of_cause(idle(0.14), IdleCause::nothing_ready) == 0);
  CHECK(of_cause(idle(0.16), IdleCause::between_tasks) == 0);
  CHECK(of_cause(idle(0.16), IdleCause::nothing_ready) == Approx(0.16));
  // Nothing ran from 7 on.
  const runtime::IdleTime tail = idle_of(one_worker({{1, 6}, {6, 7}}));
  CHECK(of_cause(tail, IdleCause::starting) == Approx(1));
  CHECK(of_cause(tail, IdleCause::tail) == 0);
  CHECK(of_cause(tail, IdleCause::after_last) == Approx(3));
  // Of a range of time the part within it counts.
  const Run run = one_worker({{2, 6}});
  const runtime::IdleTime part =
      runtime::find_idle(run, WorkerSelection(run, {}), run.names->strings.find("P"), 1, 8);
  CHECK(of_cause(part, IdleCause::starting) == Approx(1));
  CHECK(of_cause(part, IdleCause::after_last) == Approx(2));
  CHECK(of_cause(part, IdleCause::unknown) == 0);
}

TEST_CASE("A worker is slow from a tenth on, and beyond three spreads of three workers or more") {
  const auto work = [](std::initializer_list<double> times, double chunks = 5) {
    std::vector<runtime::WorkerWork> all;
    for (const double one : times) all.push_back({.chunks = chunks, .times_others = one});
    return all;
  };
  // Alike, a tenth more; 0.1 off by the median, 1 + 3 x 1.4826 x 0.1.
  CHECK(runtime::slow_from(work({1, 1, 1})) == Approx(1.1));
  CHECK(runtime::slow_from(work({0.9, 1, 1.1})) == Approx(1 + 3 * 1.4826 * 0.1));
  CHECK(std::isinf(runtime::slow_from(work({0.9, 1.1}))));
  CHECK(std::isinf(runtime::slow_from(work({0.9, 1, 1.1}, 4))));
  CHECK(std::isinf(runtime::slow_from(work({0.9, 1, absent}))));
}

TEST_CASE("Chunks differ in size where those of the largest tenth have half as much again") {
  const auto differ = [](double large, std::size_t many) {
    std::vector<double> events(10, 1000);
    std::fill(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(many), large);
    return runtime::sizes_differ(events);
  };
  CHECK(differ(1500, 2));
  CHECK_FALSE(differ(1499, 2));
  CHECK_FALSE(differ(1500, 1));  // of ten, one is the last tenth, and a part of the next counts
  CHECK_FALSE(differ(1000, 10));
  CHECK(runtime::sizes_differ(std::vector<double>{1000, absent, 2000}));
  CHECK_FALSE(runtime::sizes_differ({}));
}
