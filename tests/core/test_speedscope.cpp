#include "core/export/export.hpp"

#include <set>

#include <nlohmann/json.hpp>

#include "tests/core/catch.hpp"
#include "tests/core/profile_runs.hpp"

using namespace crema;
using namespace crema::exports;
using namespace crema::test;
using Json = nlohmann::json;

namespace {

Json exported(const Run& run, std::map<std::string, std::string> options = {},
              const Selection& selection = {}) {
  const auto files = speedscope_writer.write(run, selection, Options(std::move(options)));
  REQUIRE(files.size() == 1);
  return Json::parse(files[0].content);
}

Run two_workers() {
  Run run = empty_run();
  run.title = "local 4/1 \"test\"";
  add_worker_tree(run, "tcp://a:1",
                  "root 10\n"
                  "  process@/home/u/ana.py 10\n"
                  "    mask@/v/site-packages/awkward/ops.py 0\n"
                  "    fill@/v/site-packages/hist/basehist.py 4\n"
                  "      sum@<built-in> 0\n"
                  "    cut@/v/site-packages/awkward/ops.py 0\n");
  add_worker_tree(run, "tcp://b:1",
                  "root 3\n"
                  "  process@/home/u/ana.py 3\n"
                  "    mask@/v/site-packages/awkward/ops.py 0\n");
  return run;
}

// What the real viewer needs, and its schema cannot say (lengths, ranges, weights, one entry per
// frame).
void check_invariants(const Json& file) {
  CHECK(file["$schema"] == "https://www.speedscope.app/file-format-schema.json");
  CHECK(file["exporter"] == "crema@0.1.0");
  const std::size_t frames = file["shared"]["frames"].size();
  std::set<std::string> distinct;
  for (const Json& frame : file["shared"]["frames"]) {
    CHECK(frame["name"].is_string());
    CHECK(!frame.contains("key"));
    CHECK(distinct.insert(frame.dump()).second);
  }
  CHECK(file["activeProfileIndex"] == 0);
  for (const Json& profile : file["profiles"]) {
    CHECK(profile["type"] == "sampled");
    CHECK(profile["name"].is_string());
    const std::set<std::string> units{"none", "seconds", "bytes"};
    CHECK(units.contains(profile["unit"].get<std::string>()));
    CHECK(profile["startValue"] == 0);
    REQUIRE(profile["samples"].size() == profile["weights"].size());
    double sum = 0;
    for (const Json& weight : profile["weights"]) {
      CHECK(weight.get<double>() > 0);
      sum += weight.get<double>();
    }
    CHECK(profile["endValue"].get<double>() == Approx(sum));
    for (const Json& sample : profile["samples"]) {
      for (const Json& index : sample) REQUIRE(index.get<std::size_t>() < frames);
    }
  }
}

// "outer;inner weight" per sample.
std::vector<std::string> stacks(const Json& file, std::size_t profile) {
  std::vector<std::string> lines;
  const Json& one = file["profiles"][profile];
  for (std::size_t i = 0; i < one["samples"].size(); ++i) {
    std::string line;
    for (const Json& index : one["samples"][i])
      line += (line.empty() ? "" : ";") +
              file["shared"]["frames"][index.get<std::size_t>()]["name"].get<std::string>();
    lines.push_back(line + " " + one["weights"][i].dump());
  }
  return lines;
}

}  // namespace

TEST_CASE(
    "speedscope: the sum first, then each worker; forced leaves are self, the rest an explicit "
    "frame") {
  const Json file = exported(two_workers());
  check_invariants(file);
  CHECK(file["name"] == "local 4/1 \"test\"");
  REQUIRE(file["profiles"].size() == 3);
  CHECK(file["profiles"][0]["name"] == "all workers");
  CHECK(file["profiles"][1]["name"] == "worker tcp://a:1");
  CHECK(file["profiles"][0]["endValue"] == 13);
  CHECK(file["profiles"][0]["unit"] == "none");
  CHECK(stacks(file, 0) == std::vector<std::string>{"process;fill;sum 4", "process;mask 4",
                                                    "process;cut 1",
                                                    "process;(in callees, unresolved) 4"});
  CHECK(stacks(file, 1) == std::vector<std::string>{"process;fill;sum 4", "process;cut 1",
                                                    "process;mask 1",
                                                    "process;(in callees, unresolved) 4"});
  CHECK(stacks(file, 2) == std::vector<std::string>{"process;mask 3"});
  CHECK(file["shared"]["frames"].size() == 6);
}

TEST_CASE("speedscope: one profile where one is named") {
  const Run run = two_workers();
  for (const auto& [option, value] :
       std::map<std::string, std::string>{{"worker", "tcp://b:1"}, {"profile", "tcp://b:1"}}) {
    const Json file = exported(run, {{option, value}});
    check_invariants(file);
    REQUIRE(file["profiles"].size() == 1);
    CHECK(file["profiles"][0]["endValue"] == 3);
  }
  CHECK_THROWS_AS(exported(run, {{"worker", "nobody"}}), Failure);
  CHECK_THROWS_AS(exported(run, {{"key", "P"}}), Failure);
  CHECK_THROWS_AS(exported(empty_run()), Failure);
}

TEST_CASE("speedscope: as counted, no frame has self time") {
  const Json file = exported(two_workers(), {{"leaves", "counted"}});
  check_invariants(file);
  for (const std::string& line : stacks(file, 0))
    CHECK(line.find("(in callees, unresolved)") != std::string::npos);
  CHECK(file["profiles"][0]["endValue"] == 13);
}

TEST_CASE("speedscope: seconds where the interval was recorded") {
  Run run = two_workers();
  for (CallTree& tree : run.call_trees) tree.interval = 0.01;
  const Json file = exported(run);
  check_invariants(file);
  CHECK(file["profiles"][0]["unit"] == "seconds");
  CHECK(file["profiles"][0]["endValue"].get<double>() == Approx(0.13));
}

TEST_CASE("speedscope: hidden paths name no user") {
  const Run run = two_workers();
  CHECK(exported(run).dump().find("/home/u/ana.py") != std::string::npos);
  const Json file = exported(run, {{"hide-paths", "true"}});
  check_invariants(file);
  CHECK(file.dump().find("/home/u") == std::string::npos);
  CHECK(file["shared"]["frames"][0]["file"] == "ana.py");
}

TEST_CASE(
    "speedscope: samples of the root itself are a sample without frames, in callees an unresolved "
    "one") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 5\n  f 0\n  g 0\n");
  CHECK(stacks(exported(run), 0) ==
        std::vector<std::string>{"f 1", "g 1", "(in callees, unresolved) 3"});
  run.call_trees[0].leaves = CallTree::Leaves::counted;
  CHECK(stacks(exported(run), 0) == std::vector<std::string>{" 5"});
}

TEST_CASE("speedscope: a name with quotes and bytes that are no UTF-8 still gives JSON") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 2\n  a\"\\\xff 2\n    b 0\n");
  check_invariants(exported(run));
}
