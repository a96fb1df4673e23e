// The call trees of the recorded runs, with what is known of them from elsewhere.

#include <sstream>

#include <nlohmann/json.hpp>

#include "cli/bundle.hpp"
#include "core/export/export.hpp"
#include "core/profile/profile.hpp"
#include "core/query/question.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/profile_runs.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::read;
using namespace crema::exports;
using namespace crema::test;

namespace {

const Run& local() {
  static const Run run = [] {
    Run made = empty_run();
    made.title = "local-4x1";
    read_into(made, worker_profiles_format, read_test_file("local-4x1/dask_profiles.json.gz"),
              "local-4x1/dask_profiles.json");
    read_into(made, profile_map_format, read_test_file("local-4x1/profile_by_key.json.gz"),
              "local-4x1/profile_by_key.json");
    read_into(made, profile_tree_format, read_test_file("local-4x1/profile_merged.json.gz"),
              "local-4x1/profile_merged.json");
    return made;
  }();
  return run;
}

std::string notebook(const Run& run, const std::string& profile) {
  const auto files =
      folded_writer.write(run, {}, Options({{"leaves", "notebook"}, {"profile", profile}}));
  REQUIRE(files.size() == 1);
  return files[0].content;
}

// The recordings have a blank where the notebook has a tab, and a line break at the end.
std::string recorded_stacks(const std::string& run) {
  std::istringstream lines(read_test_file("notebook-stacks/" + run + ".folded.gz"));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    line[line.rfind(' ')] = '\t';
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

}  // namespace

TEST_CASE("local-4x1: four workers with the counts Dask printed, the others as alternatives") {
  const Table table = ask("profiles", local());
  const auto total = [&](const char* id) {
    return table.number("total", table.row_of("profile", id));
  };
  CHECK(total("all") == 14343);
  CHECK(total("tcp://127.0.0.1:37123") == 3630);
  CHECK(total("tcp://127.0.0.1:38769") == 3597);
  CHECK(total("tcp://127.0.0.1:39073") == 3617);
  CHECK(total("tcp://127.0.0.1:39519") == 3499);
  CHECK(total("file:profile_merged.json") == 14343);
  CHECK(table.number("alternative", table.row_of("profile", "file:profile_merged.json")) == 1);
  CHECK(table.text("label", table.row_of("profile", "tcp://127.0.0.1:39519")) == "0");
  CHECK(table.row_of("profile", "key:lambda") == table.rows());  // recorded, but empty
  CHECK(has_note(local(), "empty-profile"));
}

TEST_CASE(
    "local-4x1: leaves never counted, 69 % of the leaf samples forced, half of them when merged "
    "first") {
  double certain = 0;
  double open = 0;
  for (const CallTree& tree : local().call_trees) {
    CHECK(tree.leaves == CallTree::Leaves::uncounted);
    if (tree.kind != CallTree::Kind::worker) continue;
    const Certainty sum = certainty(resolve(tree));
    certain += sum.certain;
    open += sum.open;
  }
  CHECK(certain + open == 14343);
  CHECK(certain / (certain + open) == Approx(0.69).margin(0.005));
  CHECK(number_note(ask("flame", local()), "forced_share") == Approx(0.69).margin(0.005));
  CHECK(number_note(ask("flame", local(), {{"profile", "file:profile_merged.json"}}),
                    "forced_share") == Approx(0.50).margin(0.005));
}

TEST_CASE("local-4x1: the recorded trees merge into what Dask merged") {
  Names& names = *local().names;
  const Profiles all = profiles_of(local());
  const FrameFacts facts = frame_facts(names);
  const ResolvedTree ours = merged_tree(all.list[0].trees, LeafChoice::counted, facts);
  const ResolvedTree dask =
      merged_tree(find_profile(all, "file:profile_merged.json").trees, LeafChoice::counted, facts);
  REQUIRE(ours.size() == dask.size());
  CHECK(ours.whole() == 14343);
  const auto sorted_lines = [&](const ResolvedTree& tree) {
    std::vector<std::string> lines;
    for (std::size_t i = 1; i < tree.size(); ++i)
      lines.push_back(std::to_string(tree.frame[i]) + " " +
                      std::to_string(tree.frame[tree.parent[i]]) + " " + plain(tree.total[i]) +
                      " " + plain(tree.unresolved(i)));
    std::sort(lines.begin(), lines.end());
    return lines;
  };
  CHECK(sorted_lines(ours) == sorted_lines(dask));
}

TEST_CASE("local-4x1: every box has its place and its category") {
  const Table table = ask("flame", local());
  CHECK(table.rows() > 2000);
  CHECK(number_note(table, "total") == 14343);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    REQUIRE(table.number("x0", i) < table.number("x1", i));
    REQUIRE(table.number("x1", i) <= 1);
  }
  CHECK(table.text("category", table.row_of("frame", "dimuon_candidates")) == "your analysis");
  CHECK(table.text("category", table.row_of("frame", "automatic_retries")) == "coffea");
}

TEST_CASE("the founding notebook's stacks, line by line") {
  CHECK(notebook(local(), "file:profile_merged.json") == recorded_stacks("local-4x1"));
  const Run before =
      read_run(profile_tree_format, read_test_file("ab-before/profile_merged.json.gz"),
               "profile_merged.json");
  CHECK(notebook(before, "file:profile_merged.json") == recorded_stacks("ab-before"));
  CHECK(folded_writer
            .write(local(), {}, Options(std::map<std::string, std::string>{{"leaves", "notebook"}}))
            .size() == 4);
}

TEST_CASE("local-4x1: the speedscope file holds every sample, in all five profiles") {
  const auto files = speedscope_writer.write(local(), {}, {});
  const nlohmann::json file = nlohmann::json::parse(files.at(0).content);
  REQUIRE(file["profiles"].size() == 5);
  const double totals[] = {14343, 3630, 3597, 3617, 3499};
  for (std::size_t i = 0; i < 5; ++i) CHECK(file["profiles"][i]["endValue"] == totals[i]);
}

TEST_CASE("ab-before to ab-after: the function made slower stands out among the user's own") {
  const auto own = [](const std::string& bundle) {
    const Run run =
        read_run(profile_tree_format, read_test_file(bundle + "/profile_merged.json.gz"),
                 "profile_merged.json");
    return ask("frames", run);
  };
  // In core-seconds, once calibrated with the spans: 24.3 and 110.3.
  const Table before = own("ab-before");
  const Table after = own("ab-after");
  CHECK(before.number("own", before.row_of("name", "dimuon_candidates")) == 1853);
  CHECK(after.number("own", after.row_of("name", "dimuon_candidates")) == 8978);
  CHECK(after.text("name", 0) == "dimuon_candidates");
}

TEST_CASE("rows: functions lie below the sections in which they were sampled, nested ones within") {
  Session session;
  const Result<Opened> opened = cli::open_bundles(session, {test_data_path("rows")});
  REQUIRE(opened);
  const RunId id = opened.value().runs.at(0);
  const auto flame = [&](const Options& options) {
    return std::move(session.ask("flame", {&id, 1}, {}, options)).value();
  };
  const auto total = [](const Table& table, std::string_view name, std::string_view file) {
    double sum = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
      if (table.text("frame", row) == name && table.text("file", row).find(file) != file.npos)
        sum += table.number("total", row);
    return sum;
  };
  const Table by_section = flame(Options({{"by_section", "true"}}));
  CHECK(total(by_section, "process", "") == Approx(total(flame({}), "process", "")));
  for (const char* section : {"read", "select", "lock"})
    CHECK(total(by_section, section, "(section)") ==
          Approx(total(flame(Options({{"section", section}})), "process", "")));
  // lock within select: 2.46 s with it.
  CHECK(total(by_section, "select", "(section)") > total(by_section, "lock", "(section)"));
  CHECK(total(by_section, "read", "(section)") + total(by_section, "select", "(section)") <=
        total(by_section, "process", ""));
}
