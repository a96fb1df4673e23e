#include <cmath>

#include <nlohmann/json.hpp>

#include "core/export/export.hpp"
#include "core/predict/prediction.hpp"
#include "core/report/comparison_text.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/small_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::exports;
using namespace crema::test;

namespace {

/// The small bundle of 3000 events in two datasets beside what was made of it.
OpenSession beside_small(const std::string& candidate) {
  return OpenSession(
      std::vector<File>{{"1-a/metrics.json", small_metrics()}, {"2-b/metrics.json", candidate}});
}

OpenSession recorded(const std::string& a, const std::string& b) {
  return OpenSession(std::vector<File>{{"1-a/metrics.json", read_test_file(a + "/metrics.json")},
                                       {"2-b/metrics.json", read_test_file(b + "/metrics.json")}});
}

Table check(const OpenSession& session, const std::string& rules, const std::string& allow,
            const std::string& runs_of_a) {
  return session.ask_all("check",
                         Options(std::map<std::string, std::string>{
                             {"rules", rules}, {"allow", allow}, {"runs_of_a", runs_of_a}}));
}

/// Most tests hold a bundle against itself, which a gate refuses but where it is allowed.
Table check(const OpenSession& session, const std::string& rules, const std::string& allow = "") {
  return check(session, rules, "same-run," + allow, "1");
}

std::string state(const Table& table, const std::string& column, const std::string& key) {
  const std::size_t row = table.row_of(column, key);
  REQUIRE(row < table.rows());
  return std::string(table.text("state", row));
}

std::string why(const Table& table, const std::string& condition) {
  return std::string(table.text("note", table.row_of("id", condition)));
}

/// The sentence with which the rules are refused; "" when they are not.
std::string refusal(const OpenSession& session, const std::string& rules) {
  try {
    check(session, rules);
  } catch (const std::exception& refused) {
    return refused.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Without chunk 1 and its 2000 of 3000 events, which were all of dataset y.
std::string without_second_chunk() {
  std::string text = small_metrics();
  const auto begin = text.find(",\n  {\"t_start\": 1795255201.0");
  const auto end = text.find("],\n \"raw_span_metrics\"");
  text.erase(begin, end - begin);
  return with(text, "\"total_events\": 3000", "\"total_events\": 1000");
}

}  // namespace

TEST_CASE("A gate without a rule keeps nothing") {
  const OpenSession same = beside_small(small_metrics());
  for (const char* rules : {"", "\n\n", "# event_rate_core_khz >= 0.9x\n"}) {
    CAPTURE(rules);
    const Table table = check(same, rules);
    CHECK(note(table, "outcome") == "refused");
    CHECK(state(table, "id", "no-rules") == "unknown");
    CHECK(note(check(same, rules, "no-rules"), "outcome") == "kept");
  }
}

TEST_CASE("A run is not held against itself") {
  const OpenSession same = beside_small(small_metrics());
  const Table table = check(same, "elapsed_time_seconds <= 1x", "", "1");
  CHECK(note(table, "outcome") == "refused");
  CHECK(why(table, "same-run") ==
        "the candidate is the baseline itself: all their times are the same to the last digit");
  CHECK(note(check(same, "elapsed_time_seconds <= 1x", "same-run", "1"), "outcome") == "kept");
  // A tenth of a millisecond more is another run.
  const OpenSession other =
      beside_small(with(small_metrics(), "\"duration\": 3.0", "\"duration\": 3.0001"));
  CHECK(note(check(other, "elapsed_time_seconds <= 1x", "", "1"), "outcome") == "kept");
}

TEST_CASE("Replicates: a rule is held against the means of both sides") {
  const auto took = [](const std::string& seconds) {
    return with(small_metrics(), "\"elapsed_time_seconds\": 4.0",
                "\"elapsed_time_seconds\": " + seconds);
  };
  const OpenSession session(std::vector<File>{{"1-a/metrics.json", took("4.0")},
                                              {"2-a/metrics.json", took("6.0")},
                                              {"3-b/metrics.json", took("9.0")},
                                              {"4-b/metrics.json", took("11.0")}});
  const Table table = check(session, "elapsed_time_seconds <= 1.5x", "", "2");
  const std::size_t rule = table.row_of("kind", "rule");
  CHECK(table.number("baseline", rule) == 5);
  CHECK(table.number("candidate", rule) == 10);
  CHECK(table.text("state", rule) == "broken");
  CHECK(note(check(session, "elapsed_time_seconds <= 2x", "", "2"), "outcome") == "kept");
  CHECK_THROWS(check(session, "elapsed_time_seconds <= 2x", "", "4"));
}

TEST_CASE("A rule that is kept says which change would have broken it") {
  const OpenSession session = beside_small(
      with(small_metrics(), "\"elapsed_time_seconds\": 4.0", "\"elapsed_time_seconds\": 4.4"));
  const Table table = check(session, "elapsed_time_seconds not worse");
  // One run a side: sqrt(2) x 0.17 is assumed of a ratio; e^((1.96 + 1.28) x that) is 2.18.
  CHECK(table.text("note", table.row_of("kind", "rule")) ==
        "+10 % ± 25.2 %, within the noise; worse by 118 % or more would have broken the rule");
}

TEST_CASE("A margin that one run a side cannot exclude is undecided, and runs are counted") {
  const OpenSession session = beside_small(
      with(small_metrics(), "\"elapsed_time_seconds\": 4.0", "\"elapsed_time_seconds\": 4.4"));
  const Table table = check(session, "elapsed_time_seconds not worse by 30%");
  const std::size_t rule = table.row_of("kind", "rule");
  CHECK(table.text("state", rule) == "undecided");
  CHECK(table.number("limit", rule) == Approx(5.2));
  CHECK(note(table, "outcome") == "undecided");
  // n runs a side: (1.645 + 1.28) x 0.17 x sqrt(2 / n) = log(1.3) at n = 7.19.
  CHECK(table.text("note", rule) ==
        "+10 % ± 25.2 %, within the noise: whether it is worse by more than the margin is unknown; "
        "about 8 runs per side would tell if runs of the same work differ by 17 %, as is assumed "
        "(--run-spread); three per side, recorded in turns, measure it");
  // 10 % and 1.645 errors more are e^(0.0953 + 1.645 x 0.2404) - 1 = 63.4 %.
  CHECK(state(check(session, "elapsed_time_seconds not worse by 63%"), "kind", "rule") ==
        "undecided");
  CHECK(state(check(session, "elapsed_time_seconds not worse by 64%"), "kind", "rule") == "kept");
  // A large margin is detected as itself, and the noise of 9 in 10.
  const Run* const runs[] = {&session.run(0), &session.run(1)};
  const auto gate = compare::check_rules(runs, {},
                                         Options(std::map<std::string, std::string>{
                                             {"rules", "elapsed_time_seconds not worse by 100%"}}));
  const compare::GateResult& result = gate.results.at(0);
  CHECK(result.detectable == Approx(1 + predict::z_90 * result.noise / 4));
  // Of a run beside itself every difference is 0, without noise.
  CHECK(state(check(beside_small(small_metrics()), "elapsed_time_seconds not worse by 1%"), "kind",
              "rule") == "kept");
}

TEST_CASE(
    "Three runs a side in turns tell how far runs differ; in blocks they are partly assumed to") {
  // Logarithms of the seconds: A spreads by 0.02 around 0, B likewise around that of the change.
  const auto gate_of = [](double change, bool in_turns, double spread = 0.02, double apart = 1) {
    std::vector<File> files;
    for (int i = 0; i < 6; ++i) {
      const bool is_a = i < 3;
      const double seconds = 4 * (is_a ? 1 : 1 + change) * std::exp(spread * (i % 3 - 1));
      files.push_back({std::to_string(i) + "/metrics.json",
                       with(small_metrics(), "\"elapsed_time_seconds\": 4.0",
                            "\"elapsed_time_seconds\": " + std::to_string(seconds))});
    }
    const OpenSession session(files);
    std::vector<Run> runs;
    std::vector<const Run*> all;
    for (std::size_t i = 0; i < 6; ++i) {
      runs.push_back(session.run(i));
      // A, B, A, B, A, B or A, A, A, B, B, B, a minute each
      runs.back().clock.zero_epoch =
          1e9 + 60.0 * static_cast<double>(in_turns ? 2 * (i % 3) + i / 3 : i) * apart;
    }
    for (const Run& run : runs) all.push_back(&run);
    return compare::check_rules(
        all, {},
        Options(std::map<std::string, std::string>{
            {"rules", "elapsed_time_seconds not worse by 30%"}, {"runs_of_a", "3"}}));
  };
  using compare::GateState, compare::SpreadFrom;
  const auto state_of = [&](double change, bool in_turns, double spread = 0.02) {
    return gate_of(change, in_turns, spread).results.at(0).state;
  };
  // Of 3 a side the error is 0.02 x sqrt(2 / 3) = 0.0163, and 2.13 of them (4 degrees) are 0.0348:
  // kept as long as log(1 + change) is 0.262 - 0.035 at most, which is 25.5 %.
  CHECK(state_of(0.2, true) == GateState::kept);
  CHECK(state_of(0.25, true) == GateState::kept);
  CHECK(state_of(0.26, true) == GateState::undecided);
  CHECK(state_of(0.31, true) == GateState::broken);
  // Recorded one side after the other, the machine may have changed: 17 % weigh as much as the
  // four.
  CHECK(state_of(0.2, false) == GateState::undecided);
  CHECK(state_of(0.05, false) == GateState::kept);
  CHECK(state_of(0.5, false) == GateState::broken);
  // Runs that differ by 30 % tell nothing of 40 %, where 17 % would: 0.336 is 1.4 of 0.245.
  CHECK(state_of(0.4, true, 0.3) == GateState::undecided);
  // A copy is no run of its own.
  CHECK(gate_of(0.2, true, 0.02, 0).results.at(0).spread_from == SpreadFrom::both);
  // How many are needed: at 26 % the margin is 0.0313 away, and 8 runs are enough:
  // (1.76 + 1.28) x 0.02 x sqrt(2 / 8) = 0.0304, with 14 degrees of freedom.
  const compare::GateResult near = gate_of(0.26, true).results.at(0);
  CHECK(near.spread == Approx(0.02).epsilon(0.01));
  CHECK(near.spread_from == SpreadFrom::replicates);
  CHECK(near.runs_needed == 8);
  CHECK(
      report::result_text(near) ==
      "+26 % ± 1.8 %, worse: whether it is worse by more than the margin is unknown; about 8 runs "
      "per side would tell: runs of the same work differ by 2 %");
  CHECK(
      report::result_text(gate_of(0.295, true).results.at(0)).find("more than 50 runs per side") !=
      std::string::npos);
  CHECK(report::result_text(gate_of(0.2, false).results.at(0))
            .find("partly an assumption; three per side, recorded in turns, measure it") !=
        std::string::npos);
}

TEST_CASE("A run without 40 % of the events is not held against rules") {
  const OpenSession session =
      beside_small(with(with(small_metrics(), "\"total_events\": 3000", "\"total_events\": 1800"),
                        "\"num_events\": 2000", "\"num_events\": 800"));
  const Table table = check(session, "elapsed_time_seconds <= 1x");
  CHECK(note(table, "outcome") == "refused");
  CHECK(why(table, "missing-events") ==
        "the candidate lacks 40 % of the events (3,000 → 1,800); the candidate lacks 60 % of the "
        "events of dataset y (2,000 → 800)");
  const Table let = check(session, "elapsed_time_seconds <= 1x", "missing-events");
  CHECK(note(let, "outcome") == "kept");
  CHECK(state(let, "id", "missing-events") == "allowed");
}

TEST_CASE("A run that lacks a dataset is not held against rules, whichever of the two it is") {
  const OpenSession session = beside_small(without_second_chunk());
  const Table table = check(session, "elapsed_time_seconds <= 1x");
  CHECK(note(table, "outcome") == "refused");
  CHECK(why(table, "missing-datasets") == "the candidate lacks the dataset y");
  CHECK(note(check(session, "elapsed_time_seconds <= 1x", "missing-datasets, missing-events"),
             "outcome") == "kept");
  const OpenSession back(std::vector<File>{{"1-a/metrics.json", without_second_chunk()},
                                           {"2-b/metrics.json", small_metrics()}});
  CHECK(why(check(back, "elapsed_time_seconds <= 1x"), "missing-datasets") ==
        "the baseline lacks the dataset y");
}

TEST_CASE("A run of another processor is not held against rules") {
  std::string other = small_metrics();
  for (auto at = other.find("'P'"); at != std::string::npos; at = other.find("'P'"))
    other.replace(at, 3, "'Q'");
  const OpenSession session = beside_small(other);
  const Table table = check(session, "elapsed_time_seconds <= 1x");
  CHECK(note(table, "outcome") == "refused");
  CHECK(why(table, "another-processor") == "the processor differs: P → Q");
  CHECK(note(check(session, "elapsed_time_seconds <= 1x", "another-processor"), "outcome") ==
        "kept");
}

TEST_CASE("A number that is known but not recorded is no typing error, and not kept") {
  const OpenSession session = beside_small(small_metrics());
  const Table table = check(session, "avg_bytes_read_percent <= 1x");
  CHECK(note(table, "outcome") == "refused");
  CHECK(state(table, "id", "avg_bytes_read_percent") == "unknown");
  CHECK(says(std::string(table.text("note", table.row_of("id", "avg_bytes_read_percent"))),
             "known, but not recorded in either run"));
  CHECK(state(table, "id", "nothing-compared") == "unknown");
  const Table let =
      check(session, "avg_bytes_read_percent <= 1x; elapsed_time_seconds <= 1x", "not-recorded");
  CHECK(state(let, "id", "avg_bytes_read_percent") == "allowed");
  CHECK(note(let, "outcome") == "kept");
  CHECK(note(check(session, "avg_bytes_read_percent <= 1x", "not-recorded, nothing-compared"),
             "outcome") == "kept");
  CHECK(says(refusal(session, "avg_bytes_reed_percent <= 1x"),
             "did you mean avg_bytes_read_percent?"));
}

TEST_CASE("Names that there are not are refused with the nearest there is") {
  const OpenSession session = beside_small(small_metrics());
  CHECK(says(refusal(session, "elapsed_time_second <= 1x"), "did you mean elapsed_time_seconds?"));
  CHECK(says(refusal(session, "budget.idel <= 1x"), "did you mean budget.idle?"));
  CHECK(says(refusal(session, "datset:x not worse"), "Did you mean dataset?"));
  CHECK(says(refusal(session, "dataset:z not worse"), "no dataset z; there are"));
  CHECK(says(refusal(session, "dataset:x.seconds_per_milion_events not worse"),
             "did you mean dataset:x.seconds_per_million_events?"));
  CHECK(says(refusal(session, "total_events not worse"), "neither a larger nor a smaller value"));
  CHECK_THROWS(check(session, "elapsed_time_seconds <= 1x", "everything"));
}

TEST_CASE("Older names of numbers are taken for today's") {
  const Table table =
      check(beside_small(small_metrics()), "wall_time <= 1x; timing.wall_seconds <= 30 s");
  CHECK(table.text("id", table.row_of("rule", "wall_time <= 1x")) == "elapsed_time_seconds");
  CHECK(state(table, "rule", "timing.wall_seconds <= 30 s") == "kept");
}

TEST_CASE("Limits of recorded runs: each kind, broken and kept") {
  const OpenSession session = recorded("ab-before", "ab-after");
  const Table table = check(session,
                            "elapsed_time_seconds <= 2x; elapsed_time_seconds <= 3x  # generous\n"
                            "elapsed_time_seconds <= 80 s; core_efficiency >= 92pp\n"
                            "core_efficiency >= -50pp; lost_chunks == 0; total_events >= -1%");
  const auto is = [&](const char* rule) { return state(table, "rule", rule); };
  CHECK(is("elapsed_time_seconds <= 2x") == "broken");  // 79.5 s, 35.0 s before
  CHECK(is("elapsed_time_seconds <= 3x") == "kept");
  CHECK(is("elapsed_time_seconds <= 80 s") == "kept");
  CHECK(is("core_efficiency >= 92pp") == "kept");  // 92.1 %
  CHECK(is("core_efficiency >= -50pp") == "kept");
  CHECK(is("lost_chunks == 0") == "kept");
  CHECK(is("total_events >= -1%") == "kept");
  CHECK(note(table, "outcome") == "broken");
}

TEST_CASE("Not worse is what compare says of the number") {
  const OpenSession session = recorded("ab-before", "ab-after");
  const Table compared = session.ask_all("compare");
  std::size_t worse = 0;
  for (std::size_t row = 0; row < compared.rows(); ++row) {
    const std::string id(compared.text("id", row));
    const std::string verdict(compared.text("verdict", row));
    if (id.find_first_of("<>") != std::string::npos || verdict.empty()) continue;
    CAPTURE(id, verdict);
    const double ratio = compared.number("ratio", row);
    if (verdict == "worse" && (ratio > 1.01 || compared.text("group", row) == "summary")) {
      ++worse;
      CHECK(state(check(session, id + " not worse"), "id", id) == "broken");
      CHECK(state(check(session, id + " not worse by 100000% of A"), "id", id) == "kept");
    }
    if (verdict == "better") CHECK(state(check(session, id + " not worse"), "id", id) == "kept");
  }
  CHECK(worse > 0);
  const Table same = check(recorded("ab-before", "ab-before"),
                           "event_rate_core_khz not worse; dataset:* not worse");
  CHECK(note(same, "outcome") == "kept");
}

TEST_CASE("A rule on a group is about its own events, and its verdict names it") {
  // Dataset y takes 4 s in the place of 3 for its 2000 events; of x nothing changes.
  const OpenSession session =
      beside_small(with(small_metrics(), "\"t_end\": 1795255204.0, \"duration\": 3.0",
                        "\"t_end\": 1795255205.0, \"duration\": 4.0"));
  const Table table =
      check(session, "dataset:y.seconds_per_million_events <= 1.1x; dataset:*.seconds <= 1x");
  const std::size_t y = table.row_of("rule", "dataset:y.seconds_per_million_events <= 1.1x");
  CHECK(table.text("group", y) == "dataset y");
  CHECK(table.number("baseline", y) == Approx(1500));
  CHECK(table.number("candidate", y) == Approx(2000));
  CHECK(table.text("state", y) == "broken");
  CHECK(table.text("note", y).starts_with("dataset y: +33.3 %"));
  CHECK(state(table, "rule", "dataset:x.seconds <= 1x") == "kept");
  CHECK(state(table, "rule", "dataset:y.seconds <= 1x") == "broken");
}

TEST_CASE("Where everything is three times as slow, each dataset is worse, too") {
  nlohmann::json slower = nlohmann::json::parse(read_test_file("ab-before/metrics.json"));
  for (nlohmann::json& chunk : slower["raw_chunk_metrics"]) {
    const double seconds = chunk["duration"].get<double>() * 3;
    chunk["duration"] = seconds;
    chunk["t_end"] = chunk["t_start"].get<double>() + seconds;
    for (auto& [name, spent] : chunk["timing"].items()) spent = spent.get<double>() * 3;
  }
  const OpenSession session(
      std::vector<File>{{"1-a/metrics.json", read_test_file("ab-before/metrics.json")},
                        {"2-b/metrics.json", slower.dump()}});
  const Table table = check(session, "dataset:*.seconds_per_million_events not worse by 150%");
  for (const char* name : {"ttbar", "wjets", "zprime"}) {
    CAPTURE(name);
    CHECK(state(table, "group", std::string("dataset ") + name) == "broken");
  }
  CHECK(note(check(session, "dataset:* not worse by 400%"), "outcome") == "kept");
}

TEST_CASE("The Markdown of a gate: names cannot break out of their cells, reasons come first") {
  const OpenSession session = beside_small(without_second_chunk());
  const auto report = [](const OpenSession& of, const char* rules) {
    return gate_markdown(of.report_all(
        "check", compare::check_rules,
        Options(std::map<std::string, std::string>{{"rules", rules}, {"allow", "same-run"}})));
  };
  const std::string text = report(session, "elapsed_time_seconds <= 1x");
  CHECK(text.starts_with("# Rules not checked\n\n"));
  CHECK(says(text, "the candidate lacks the dataset y (`--allow missing-datasets`)"));
  const std::string broken =
      report(recorded("ab-before", "ab-after"), "elapsed_time_seconds <= 2x; lost_chunks == 0");
  CHECK(broken.starts_with("# 1 of 2 rules broken\n\n"));
  CHECK(says(broken, "**broken** | elapsed\\_time\\_seconds \\<= 2x |"));
}

TEST_CASE("Where neither run has anything of a group, a name of it is unknown, not wrong") {
  const std::string bare = without(small_metrics(), "raw_chunk_metrics");
  const OpenSession session(
      std::vector<File>{{"1-a/metrics.json", bare}, {"2-b/metrics.json", bare}});
  const Table table = check(session, "dataset.x <= 1x; dataset:y.seconds <= 1x");
  CHECK(state(table, "rule", "dataset.x <= 1x") == "unknown");
  CHECK(table.text("id", table.row_of("rule", "dataset.x <= 1x")) == "dataset.x");
  CHECK(state(table, "rule", "dataset:y.seconds <= 1x") == "unknown");
  CHECK(table.text("id", table.row_of("rule", "dataset:y.seconds <= 1x")) == "dataset.y");
  CHECK(says(refusal(session, "datasets.x <= 1x"), "there is no number"));
}

TEST_CASE("A measure stands after the part's name; without one it is seconds") {
  const OpenSession session =
      beside_small(with(small_metrics(), "\"t_end\": 1795255204.0, \"duration\": 3.0",
                        "\"t_end\": 1795255205.0, \"duration\": 4.0"));
  const auto is = [&](const std::string& subject, double baseline, double candidate) {
    CAPTURE(subject);
    const Table table = check(session, subject + " <= 9x");
    const std::size_t row = table.row_of("kind", "rule");
    CHECK(table.text("id", row) == "dataset.y");
    CHECK(table.number("baseline", row) == Approx(baseline));
    CHECK(table.number("candidate", row) == Approx(candidate));
  };
  is("dataset:y", 3, 4);
  is("dataset:y.seconds", 3, 4);
  // 2,000 events; 10 core-s were there in both.
  is("dataset:y.seconds_per_million_events", 1500, 2000);
  is("dataset:y.share", 0.3, 0.4);
  CHECK(says(refusal(session, "dataset:.seconds <= 1x"), "no dataset"));
}

TEST_CASE("Runs of as many events are alike, also where a dataset has none in both") {
  SmallRun a, b;
  for (SmallRun* small : {&a, &b})
    for (std::size_t i = 0; i < small->run.chunks.size(); ++i)
      if (small->run.text(small->run.chunks.dataset[i]) == "data") small->run.chunks.events[i] = 0;
  const Run* const runs[] = {&a.run, &b.run};
  const auto state_of = [&] {
    for (const compare::GateCondition& one : compare::gate_conditions(runs, {}))
      if (one.reason == compare::GateReason::missing_events) return one.state;
    return compare::GateState::allowed;
  };
  CHECK(state_of() == compare::GateState::kept);
  b.run.chunks.events[0] = 1;
  CHECK(state_of() == compare::GateState::unknown);
}
