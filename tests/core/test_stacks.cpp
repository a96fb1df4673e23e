// The question `stacks`, and what a sample stands for.
#include "core/export/export.hpp"
#include "core/profile/profile.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/profile_runs.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::exports;
using namespace crema::profile;
using namespace crema::test;

namespace {

/// What a sample of the profile stands for in the run as it is now.
SampleTime time_in(Run& run, const Profile& profile) {
  run.facts = {};
  return calibrated_time(run, profile);
}

Run two_workers() {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1",
                  "root 10\n  f@ana.py 10\n    g 0\n    h 4\n      i 0\n    j 0\n");
  add_worker_tree(run, "tcp://b:1", "root 3\n  f@ana.py 3\n    g 0\n");
  return run;
}

void add_task(Run& run, const char* prefix, const char* worker, double seconds,
              const char* action = "compute") {
  StringPool& strings = run.names->strings;
  run.tasks.key.push_back(strings.intern(std::string(prefix) + "-1"));
  run.tasks.prefix.push_back(strings.intern(prefix));
  run.tasks.worker.push_back(strings.intern(worker));
  run.tasks.action.push_back(strings.intern(action));
  run.tasks.thread.push_back(1);
  run.tasks.t0.push_back(100);
  run.tasks.t1.push_back(100 + seconds);
  run.tasks.nbytes.push_back(absent);
  run.tasks.status.push_back(no_string);
}

void add_activity(Run& run, const char* prefix, const char* activity, double seconds,
                  const char* context = "execute") {
  StringPool& strings = run.names->strings;
  run.activities_recorded = true;
  run.activities.add(strings.intern(context), strings.intern(prefix), strings.intern(activity),
                     strings.intern("seconds"), seconds);
}

std::vector<File> bundle(const std::string& name) {
  std::vector<File> files;
  for (const char* file : {"metrics.json", "span_metrics.json", "profile_merged.json.gz"}) {
    std::string path = name + "/" + file;
    std::string content = read_test_file(path);
    if (path.ends_with(".gz")) path.resize(path.size() - 3);
    files.push_back({std::move(path), std::move(content)});
  }
  return files;
}

}  // namespace

TEST_CASE("stacks: distinct stacks, most frequent first") {
  const Table table = ask("stacks", two_workers());
  REQUIRE(table.rows() == 4);
  CHECK(table.text("stack", 0) == "f (ana.py);g");
  CHECK(table.number("count", 0) == 4);
  CHECK(table.number("depth", 0) == 2);
  CHECK(table.number("fraction", 0) == Approx(4 / 13.0));
  CHECK(table.number("seconds", 0) == Approx(0.04));
  CHECK(table.text("stack", 1) == "f (ana.py);h;i");
  CHECK(table.text("stack", 2) == "f (ana.py);(in callees, unresolved)");
  CHECK(table.text("stack", 3) == "f (ana.py);j");
  CHECK(number_note(table, "stacks") == 4);
}

TEST_CASE("stacks: options profile, leaves, most") {
  CHECK(ask("stacks", two_workers(), {{"profile", "tcp://b:1"}}).rows() == 1);
  const Table counted = ask("stacks", two_workers(), {{"leaves", "counted"}});
  for (std::size_t row = 0; row < counted.rows(); ++row)
    CHECK(counted.text("stack", row).ends_with("(in callees, unresolved)"));
  const Table few = ask("stacks", two_workers(), {{"most", "2"}});
  CHECK(few.rows() == 2);
  CHECK(few.number("count", 1) == 4);
  CHECK(number_note(few, "stacks") == 4);
  for (const char* wrong : {"0", "-1", "1.5", "x"})
    CHECK_THROWS_AS(ask("stacks", two_workers(), {{"most", wrong}}), Failure);
  CHECK(ask("stacks", empty_run()).rows() == 0);
  CHECK(!note(ask("stacks", empty_run()), "missing").empty());
}

TEST_CASE(
    "stacks: recorded: the rows are those of the folded export, and their counts sum to the "
    "total") {
  const Run run = read_run(profile_tree_format, read_test_file("ab-before/profile_merged.json.gz"),
                           "profile_merged.json");
  const Table table = ask("stacks", run, {{"most", "100000"}});
  const std::string folded = folded_writer.write(run, {}, {}).at(0).content;
  CHECK(static_cast<std::ptrdiff_t>(table.rows()) ==
        std::count(folded.begin(), folded.end(), '\n'));
  double sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    sum += table.number("count", row);
    if (row > 0) REQUIRE(table.number("count", row) <= table.number("count", row - 1));
  }
  CHECK(sum == 7703);
}

TEST_CASE("calibration: the task stream's seconds of the same workers over their samples") {
  Run run = two_workers();
  add_task(run, "P", "tcp://a:1", 20);
  add_task(run, "P", "tcp://a:1", 5, "transfer");
  add_task(run, "P", "tcp://b:1", 6);
  add_task(run, "P", "tcp://gone:1", 100);
  const Profiles known = profiles_of(run);
  CHECK(time_in(run, find_profile(known, "all")).seconds == Approx(2));
  CHECK(time_in(run, find_profile(known, "tcp://b:1")).seconds == Approx(2));
  CHECK(report::sample_time_text(time_in(run, find_profile(known, "all"))) ==
        "calibrated: 26 core-s in tasks of P by the task stream, divided by 13 samples");
  const Table table = ask("frames", run);
  CHECK(number_note(table, "seconds_per_sample") == Approx(2));
  CHECK(ask("profiles", run).number("seconds_per_sample", 0) == Approx(2));
  CHECK(ask("stacks", run).number("seconds", 0) == Approx(8));
}

TEST_CASE("calibration: other prefixes count unless they are below 1 % together") {
  Run run = two_workers();
  add_task(run, "P", "tcp://a:1", 26);
  add_task(run, "reduce", "tcp://b:1", 13);
  CHECK(time_in(run, profiles_of(run).list[0]).seconds == Approx(3));
  run.tasks.t1.back() = run.tasks.t0.back() + 0.13;
  CHECK(time_in(run, profiles_of(run).list[0]).seconds == Approx(2));
}

TEST_CASE("calibration: the spans' thread time, where no worker is missing") {
  Run run = two_workers();
  add_activity(run, "P", "thread-cpu", 10);
  add_activity(run, "P", "thread-noncpu", 16);
  add_activity(run, "P", "executor", 1000);
  add_activity(run, "P", "thread-cpu", 1000, "gather-dep");
  const Profiles profiles = profiles_of(run);
  const SampleTime all = time_in(run, profiles.list[0]);
  CHECK(all.seconds == Approx(2));
  CHECK(all.source == SampleTime::Source::spans);
  const SampleTime one = time_in(run, find_profile(profiles, "tcp://a:1"));
  CHECK(one.seconds == Approx(2));
  CHECK(one.of == SampleTime::Of::all_workers);

  // A worker that left took its samples with it.
  run.workers.intern(run.names->strings.intern("tcp://gone:1"));
  CHECK(time_in(run, profiles.list[0]).seconds == 0.01);
  CHECK(time_in(run, profiles.list[0]).source == SampleTime::Source::assumed_interval);
}

TEST_CASE("calibration: of two profiles of a worker, the smaller was taken while it ran") {
  Run run = two_workers();
  add_worker_tree(run, "tcp://a:1", "root 1\n  f@ana.py 1\n    g 0\n");
  add_task(run, "P", "tcp://a:1", 20);
  CHECK(time_in(run, find_profile(profiles_of(run), "tcp://a:1#2")).seconds == Approx(2));
}

TEST_CASE(
    "calibration: event loops, recorded intervals and other people's profiles stay as they are") {
  Run run = two_workers();
  add_task(run, "P", "tcp://a:1", 26);
  for (CallTree& tree : run.call_trees) tree.interval = 0.02;
  CHECK(time_in(run, profiles_of(run).list[0]).seconds == 0.02);
  for (CallTree& tree : run.call_trees) {
    tree.interval = absent;
    tree.kind = CallTree::Kind::server;
  }
  CHECK(time_in(run, profiles_of(run).list[0]).seconds == 1);
  for (CallTree& tree : run.call_trees) tree.kind = CallTree::Kind::import;
  CHECK(is_absent(time_in(run, profiles_of(run).list[0]).seconds));
  CHECK(is_absent(calibrated_time(empty_run(), {}).seconds));
}

TEST_CASE("calibration: recorded: dimuon_candidates goes from 24.3 to 110.3 core-seconds") {
  for (const auto& [name, expected] :
       std::map<std::string, double>{{"ab-before", 24.3}, {"ab-after", 110.3}}) {
    const Table table = OpenSession(bundle(name)).ask("frames");
    const double own = table.number("own", table.row_of("name", "dimuon_candidates"));
    CHECK(own * number_note(table, "seconds_per_sample") == Approx(expected).margin(0.05));
  }
}
