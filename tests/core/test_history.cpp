#include <cmath>
#include <string>
#include <vector>

#include "core/compare/gate.hpp"
#include "core/model/run.hpp"
#include "core/stats/p_value.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// A digest of a run of 2 million events, a day after the one before.
File digest(int day, double seconds, const std::string& labels = "",
            const std::string& processor = "Zprime", const std::string& dataset = "ttbar") {
  const std::string at = std::to_string(1760000000 + 86400 * day);
  return {"history/run-" + std::string(day < 10 ? "0" : "") + std::to_string(day) + ".digest.json",
          R"({"crema_digest":1,"title":"run )" + std::to_string(day) + R"(","started_at":)" + at +
              R"(,"elapsed":60,"labels":{"processor":")" + processor + "\"" + labels +
              R"(},"answers":[
{"question":"summary","rows":2,"columns":[
 {"name":"id","type":"text","unit":"","values":["total_events","total_cpu_time"]},
 {"name":"label","type":"text","unit":"","values":["Events","Process time"]},
 {"name":"value","type":"number","unit":"","values":[2000000,)" +
              std::to_string(seconds) + R"(]},
 {"name":"unit","type":"text","unit":"","values":["count","s"]},
 {"name":"better","type":"text","unit":"","values":[null,"lower"]}],"notes":{}},
)" +
              (seconds > 210 ? R"({"question":"findings","columns":[
 {"name":"id","type":"text","values":["slow-host"]},
 {"name":"title","type":"text","values":["Host b is slow"]}]},)"
                             : "") +
              R"(
{"question":"datasets","rows":1,"columns":[
 {"name":"name","type":"text","unit":"","values":[")" +
              dataset + R"(","data"]},
 {"name":"seconds","type":"number","unit":"s","values":[)" +
              std::to_string(seconds - 50) + R"(,50]},
 {"name":"events","type":"number","unit":"count","values":[1000000,1000000]}],"notes":{}}]})"};
}

/// Ten nightly runs of 200 s, give and take 1 %; from `slow` on 240 s.
std::vector<File> season(int slow) {
  std::vector<File> files;
  for (int day = 0; day < 10; ++day) {
    const double noise = 1 + 0.01 * ((day * 2) % 3 - 1);
    files.push_back(digest(
        day, (day >= slow ? 240 : 200) * noise,
        day >= slow ? R"(,"commit":"b2","awkward":"2.14")" : R"(,"commit":"a1","awkward":"2.14")"));
  }
  return files;
}

Table ask_all(const OpenSession& open, std::string_view question, Session& session) {
  auto answer = session.ask(question, open.opened().runs, {}, {});
  REQUIRE(answer);
  return std::move(answer).value();
}

}  // namespace

TEST_CASE("A folder of digests is a run each, called by its file") {
  OpenSession open(season(6));
  REQUIRE(open.runs() == 10);
  CHECK(open.run(0).title == "run-00");
  CHECK(open.run(0).is_digest());
  CHECK(open.run(3).labels.at("commit") == "a1");
  CHECK(open.run(0).elapsed == 60);
}

TEST_CASE("A digest of a digest keeps the same answers") {
  const auto answers_in = [](OpenSession& open) {
    const auto written = open.session().export_run(open.opened().runs.at(0), "digest", {}, {});
    REQUIRE(written);
    const std::string& text = written.value().at(0).content;
    return text.substr(text.find("\"answers\":"));
  };
  OpenSession recording("metrics.json", read_test_file("local-4x1/metrics.json"));
  const std::string kept = answers_in(recording);
  OpenSession once("run.digest.json", R"({"crema_digest":1,"title":"run",)" + kept);
  REQUIRE(once.run(0).is_digest());
  CHECK(answers_in(once) == kept);
}

TEST_CASE("A digest beside its recording adds nothing to it") {
  File beside = digest(3, 200);
  beside.path = "run/run.digest.json";
  OpenSession open(std::vector<File>{
      {"run/metrics.json", R"({"config": {}, "chunk_info": {}, "total_cpu_time": 3.5})"}, beside});
  REQUIRE(open.runs() == 1);
  CHECK_FALSE(open.run().is_digest());
  CHECK(open.ask("summary").rows() > 20);
}

TEST_CASE("A digest answers what it keeps, of all the run; of the rest it says so") {
  OpenSession open(season(6));
  CHECK(open.ask("summary").number("value", 1) == Approx(198));
  CHECK_THROWS(open.ask("chunks"));
  Selection narrowed;
  narrowed.datasets = {"ttbar"};
  CHECK_THROWS(open.ask("summary", narrowed));
  const auto refused = open.session().ask("chunks", open.opened().runs, {}, {});
  CHECK(refused.error().code == ErrorCode::wrong_run_count);
}

TEST_CASE("The history says since when it is slower, by how much, and what else is new") {
  OpenSession open(season(6));
  const Table levels = ask_all(open, "history_levels", open.session());
  const std::size_t row = levels.row_of("series", "core_seconds_per_million_events");
  CHECK(levels.number("level", row) == Approx(100).epsilon(0.01));
  CHECK(levels.number("level", row + 1) == Approx(120).epsilon(0.01));
  CHECK(levels.number("begin", row + 1) == 6);
  CHECK(levels.number("change", row + 1) == Approx(0.2).margin(0.01));
  CHECK(levels.number("is_worse", row + 1) == 1);
  CHECK(levels.text("labels", row + 1) == "commit a1 → b2");
  const std::string verdict(levels.text_note("verdict"));
  CHECK(verdict.starts_with("Process time per million events rose by "));
  CHECK(levels.text_note("limits") ==
        "Since then: commit a1 → b2. Found since then: Host b is slow.");
  CHECK(verdict.find("at run-06 (2025-10-15)") != std::string::npos);
  CHECK(verdict.find("most of it in dataset ttbar (+26") != std::string::npos);
}

TEST_CASE("The option p_value is known by the name that it had before, too") {
  OpenSession open(season(6));
  const auto changes = [&](const std::string& option) {
    const auto answer =
        open.session().ask("history_levels", open.opened().runs, {}, Options({{option, "1e-12"}}));
    REQUIRE(answer);
    return answer.value().text_note("verdict").starts_with("10 runs are too few");
  };
  CHECK(changes("p_value"));
  CHECK(changes("chance"));
  CHECK_FALSE(open.session().ask("history_levels", open.opened().runs, {},
                                 Options({{std::string("likelihood"), "1e-12"}})));
}

TEST_CASE("Where nothing changed the history says so; of few runs it tells nothing") {
  OpenSession even(season(10));
  const Table levels = ask_all(even, "history_levels", even.session());
  CHECK(levels.text_note("verdict") == "No lasting change in 10 runs.");
  CHECK(std::string(levels.text_note("limits")).find("Only a lasting change of ") !=
        std::string::npos);
  auto files = season(10);
  files.resize(8);
  OpenSession few(files);
  CHECK(ask_all(few, "history_levels", few.session()).text_note("verdict") ==
        "8 runs are too few to find a lasting change: 10 are needed.");
}

TEST_CASE("A run that is far from the others is named, with what was found in it alone") {
  for (const int at : {0, 4, 7}) {
    CAPTURE(at);
    auto files = season(10);
    files.resize(8);
    files[static_cast<std::size_t>(at)] = digest(at, 800);
    OpenSession open(files);
    const Table levels = ask_all(open, "history_levels", open.session());
    CHECK(levels.text_note("verdict").starts_with("Run " + std::to_string(at + 1) + " (run-0" +
                                                  std::to_string(at) + ") is an outlier"));
    const std::string limits(levels.text_note("limits"));
    CAPTURE(limits);
    CHECK(limits.find("7 runs are too few to find a lasting change: 10 are needed. run-0" +
                      std::to_string(at) + " (2025-10-") != std::string::npos);
    CHECK(limits.find(" is an outlier: Process time per million events ") != std::string::npos);
    // 400 s against 100 s; of the others, that go up and down by 1 %, one is missing.
    const std::string above = at == 0 ? ", 299.4 %" : ", 300.6 %";
    CHECK(limits.find(above + " above its level, and 1 number more; found in it: Host b is slow") !=
          std::string::npos);
    CHECK((limits.find("the next runs tell") != std::string::npos) == (at == 7));
  }
}

TEST_CASE("Runs of another processor or other datasets are left out, with the reason") {
  auto files = season(10);
  files.push_back(digest(10, 900, "", "Other"));
  files.push_back(digest(11, 900, "", "Zprime", "wjets"));
  OpenSession open(files);
  const Table history = ask_all(open, "history", open.session());
  CHECK(history.text("left_out", 9).empty());
  CHECK(history.text("left_out", 10) == "another processor: Other");
  CHECK(history.text("left_out", 11) == "other datasets");
  // Process time, ttbar, and data, which the run with other datasets has, too.
  const Table series = ask_all(open, "history_series", open.session());
  REQUIRE(series.rows() == 3);
  const Column& values = *series.find("values");
  CHECK(is_absent(values.numbers[11]));
  CHECK(series.text("id", 2) == "dataset:data.seconds_per_million_events");
  CHECK(is_absent(values.numbers[2 * 12 + 10]));
  CHECK(values.numbers[2 * 12 + 11] == 50);
}

TEST_CASE("Where runs go over to other work, those before and those after are compared apart") {
  std::vector<File> files;
  for (int day = 0; day < 20; ++day) {
    const double noise = 1 + 0.01 * ((day * 2) % 3 - 1);
    files.push_back(digest(day,
                           (day < 10   ? 200
                            : day < 15 ? 400
                                       : 480) *
                               noise,
                           "", "Zprime", day < 10 ? "ttbar" : "wjets"));
  }
  files.push_back(digest(20, 900, "", "Zprime", "qcd"));
  OpenSession open(files);
  const Table history = ask_all(open, "history", open.session());
  CHECK(history.text("split", 0).empty());
  CHECK(history.text("split", 10) == "other datasets");
  CHECK(history.text("left_out", 3).empty());
  CHECK(history.text("left_out", 20) == "other datasets");  // one run is no level
  const Table levels = ask_all(open, "history_levels", open.session());
  const std::size_t row = levels.row_of("series", "core_seconds_per_million_events");
  // 100 s; then 200 s of other work, which is no change; then 20 % more
  CHECK(levels.number("end", row) == 10);
  CHECK(levels.number("begin", row + 1) == 10);
  CHECK(is_absent(levels.number("change", row + 1)));
  CHECK(levels.number("begin", row + 2) == 15);
  CHECK(levels.number("change", row + 2) == Approx(0.2).margin(0.01));
  CHECK(levels.text_note("limits").ends_with(
      "From run-10 (2025-10-19) on: other datasets; runs before are compared among "
      "themselves."));
}

TEST_CASE("What is written as a digest answers as the recording does") {
  OpenSession recording("run/metrics.json",
                        R"({"config": {}, "chunk_info": {}, "total_cpu_time": 3.5})");
  auto written = recording.session().export_run(recording.opened().runs[0], "digest", {}, {});
  REQUIRE(written);
  REQUIRE(written.value().size() == 1);
  OpenSession again("history/" + written.value()[0].name, written.value()[0].content);
  const Table before = recording.ask("summary");
  const Table after = again.ask("summary");
  REQUIRE(after.rows() == before.rows());
  for (std::size_t row = 0; row < before.rows(); ++row) {
    CHECK(after.text("id", row) == before.text("id", row));
    CHECK((after.number("value", row) == before.number("value", row) ||
           (is_absent(after.number("value", row)) && is_absent(before.number("value", row)))));
  }
}

TEST_CASE("Labels come from config.json and labels.json, versions from the recorder") {
  OpenSession open(std::vector<File>{
      {"run/metrics.json", R"({"config": {}, "chunk_info": {}, "total_cpu_time": 3.5})"},
      {"run/config.json",
       R"({"recorded_by": "crema 0.1.0", "labels": {"commit": "a1", "depth": {"no": 1}},
           "versions": {"scheduler": {"packages": {"coffea": "2026.9.0", "lz4": "4"}}}})"},
      {"run/labels.json", R"({"branch": "main", "commit": "b2"})"}});
  REQUIRE(open.runs() == 1);
  CHECK(open.run().labels == std::map<std::string, std::string>{
                                 {"branch", "main"}, {"coffea", "2026.9.0"}, {"commit", "a1"}});
}

TEST_CASE("Digests of every version are read, without a note") {
  for (int version = 1; version <= digest_version; ++version) {
    const std::string name = "digests/version-" + std::to_string(version) + ".digest.json";
    CAPTURE(name);
    OpenSession open(name, read_test_file(name));
    CHECK(open.run().is_digest());
    CHECK(open.run().data_notes.empty());
    // Of local-4x1, as its oracle has it.
    const Table summary = open.ask("summary");
    CHECK(summary.number("value", summary.row_of("id", "total_events")) == 2139123);
    CHECK(open.ask("datasets").rows() == 4);
    CHECK(open.ask("core_time_tree").rows() > 10);
    CHECK(open.ask("findings").rows() > 0);
  }
}

TEST_CASE("A digest that began at no date of a calendar has no day, and a note says so") {
  for (const std::string when : {"1e300", "-1e300", "253402300800"}) {
    OpenSession open("a.digest.json", R"({"crema_digest": 1, "started_at": )" + when +
                                          R"(, "started_naive": 1e19, "answers": []})");
    CHECK(has_note(open.run(), "wrong-type"));
    const Table history = open.ask("history");
    for (std::size_t row = 0; row < history.rows(); ++row) CHECK(history.text("day", row).empty());
  }
  // The last second of the year 9999.
  OpenSession last("a.digest.json",
                   R"({"crema_digest": 1, "started_at": 253402300799, "answers": []})");
  CHECK_FALSE(has_note(last.run(), "wrong-type"));
}

TEST_CASE("A digest of a version to come, or one that is broken, says so") {
  OpenSession newer("a.digest.json", R"({"crema_digest": 7, "answers": []})");
  CHECK(newer.ask("quality").text("id", 0) == "newer");
  OpenSession broken("a.digest.json", R"({"crema_digest": 1, "answers": [
    {"question": "summary", "columns": [{"name": "id", "type": "text", "values": ["x"]},
                                        {"name": "value", "type": "number", "values": []}]}]})");
  CHECK(broken.run().kept.empty());
  CHECK(broken.ask("quality").rows() > 0);
}

TEST_CASE("A candidate is held against the level since the last change") {
  const auto checked = [](double seconds, const char* rules) {
    auto files = season(4);  // 240 s from the fifth run on
    files.push_back(digest(20, seconds));
    OpenSession open(files);
    auto answer = open.session().ask("check_history", open.opened().runs, {},
                                     Options(std::map<std::string, std::string>{{"rules", rules}}));
    REQUIRE(answer);
    return std::string(answer.value().text_note("outcome"));
  };
  const char* const rate = "core_seconds_per_million_events not worse";
  CHECK(checked(241, rate) == "kept");
  CHECK(checked(280, rate) == "broken");
  CHECK(checked(200, rate) == "kept");
  CHECK(checked(280, "core_seconds_per_million_events not worse by 20%") == "kept");
  CHECK(checked(280, "all not worse") == "broken");
  CHECK(checked(280, "core_seconds_per_million_events <= 1.05x") == "broken");
  CHECK(checked(245, "core_seconds_per_million_events <= 1.05x") == "kept");
  CHECK(checked(241, "") == "refused");
}

TEST_CASE("The sentence of a history names runs as they are called now") {
  // Titles are told apart by their folders as soon as another run has the same name.
  auto files = season(6);
  OpenSession open(files);
  const std::vector<RunId> runs = open.opened().runs;
  const std::string before(ask_all(open, "history_levels", open.session()).text_note("verdict"));
  REQUIRE(before.find("at run-06 (") != std::string::npos);
  File other = digest(6, 200);
  other.path = "elsewhere/run-06.digest.json";
  REQUIRE(open_files(open.session(), {other}));
  const std::string title = open.session().run(runs[6])->title;
  REQUIRE(title != "run-06");
  const std::string after(
      open.session().ask("history_levels", runs, {}, {}).value().text_note("verdict"));
  CHECK(after.find("at " + title + " (") != std::string::npos);
}

TEST_CASE(
    "A finding is new where two thirds of the runs since have it, and a third of those before") {
  const auto is_told = [](std::size_t before, std::size_t after) {
    std::vector<File> files;
    for (int day = 0; day < 12; ++day) {
      const double noise = 1 + 0.01 * ((day * 2) % 3 - 1);
      files.push_back(digest(day, (day >= 6 ? 200 : 150) * noise));
      const bool has =
          day >= 6 ? day < 6 + static_cast<int>(after) : day < static_cast<int>(before);
      std::string& text = files.back().content;
      if (has)
        text.insert(text.find("{\"question\":\"datasets\""),
                    R"({"question":"findings","columns":[
 {"name":"id","type":"text","values":["slow-host"]},
 {"name":"title","type":"text","values":["Host b is slow"]}]},)");
    }
    OpenSession open(files);
    const Table levels = ask_all(open, "history_levels", open.session());
    return levels.text_note("limits").find("Found since then") != std::string_view::npos;
  };
  CHECK(is_told(0, 6));
  CHECK(is_told(0, 4));
  CHECK_FALSE(is_told(0, 3));
  CHECK(is_told(2, 6));
  CHECK_FALSE(is_told(3, 6));
  CHECK_FALSE(is_told(6, 6));
}

TEST_CASE("The seconds of other amounts of events are told for as many as the last run has") {
  // From the sixth run on twice the events in twice the time: nothing changed.
  std::vector<File> files;
  for (int day = 0; day < 12; ++day) {
    const double noise = 1 + 0.01 * ((day * 2) % 3 - 1);
    files.push_back(digest(day, (day >= 6 ? 400 : 200) * noise));
    if (day < 6) continue;
    std::string& text = files.back().content;
    text.replace(text.find("[2000000,"), 9, "[4000000,");
    const auto at = text.find("\"values\":[1000000,1000000]");
    text.replace(at, 26, "\"values\":[3000000,1000000]");
  }
  OpenSession open(files);
  const Table series = ask_all(open, "history_series", open.session());
  const std::size_t row = series.row_of("id", "core_seconds_per_million_events");
  const Column& values = *series.find("values");
  for (std::size_t run = 0; run < 12; ++run) {
    const double noise = 1 + 0.01 * (static_cast<double>((run * 2) % 3) - 1);
    CHECK(values.numbers[row * 12 + run] == Approx(100 * noise));
  }
}

TEST_CASE("A candidate is as far off as one more run of a level is, by hand") {
  // Six runs of 100 s per million events, 2 % up and down; the seventh takes 105.
  std::vector<File> files;
  for (int day = 0; day < 6; ++day)
    files.push_back(digest(day, 200 * std::exp(day % 2 == 0 ? -0.02 : 0.02)));
  files.push_back(digest(6, 210));
  OpenSession open(files);
  std::vector<const Run*> runs;
  for (std::size_t i = 0; i < open.runs(); ++i) runs.push_back(&open.run(i));
  const auto gate_of = [&](const char* rules) {
    return compare::check_history(runs, {},
                                  Options(std::map<std::string, std::string>{{"rules", rules}}));
  };
  const auto gate = gate_of("core_seconds_per_million_events not worse");
  REQUIRE(gate.results.size() == 1);
  const compare::GateResult& result = gate.results[0];
  CHECK(result.runs == 6);
  CHECK(result.baseline == Approx(100));
  CHECK(result.candidate == Approx(105));
  // The standard deviation of the six, and of their mean besides.
  const double error = 0.02 * std::sqrt(6.0 / 5) * std::sqrt(1 + 1.0 / 6);
  CHECK(result.noise == Approx(100 * error));
  CHECK(result.p_value == Approx(stats::p_value(std::log(1.05) / error, 5)));
  CHECK(result.state == compare::GateState::kept);
}

namespace {

/// A digest with findings, whose seconds are those of a level, 1 % up and down.
File found_on(int day, double level, const std::vector<std::string>& causes) {
  File file = digest(day, level * (1 + 0.01 * ((day * 2) % 3 - 1)));
  std::string ids;
  for (const std::string& cause : causes) ids += (ids.empty() ? "\"" : ",\"") + cause + "\"";
  if (!causes.empty())
    file.content.insert(file.content.find("{\"question\":\"datasets\""),
                        R"({"question":"findings","columns":[
 {"name":"id","type":"text","values":[)" +
                            ids + R"(]},{"name":"title","type":"text","values":[)" + ids + "]}]},");
  return file;
}

std::vector<const Run*> runs_of(const OpenSession& open) {
  std::vector<const Run*> runs;
  for (std::size_t i = 0; i < open.runs(); ++i) runs.push_back(&open.run(i));
  return runs;
}

compare::Gate history_gate(const OpenSession& open, const std::string& rules) {
  return compare::check_history(runs_of(open), {},
                                Options(std::map<std::string, std::string>{{"rules", rules}}));
}

}  // namespace

TEST_CASE("What is new with a change is so among the runs up to the changes beside it") {
  // 150 s, from run 8 on 200 s, from run 12 on 150 s again, with a finding of their own each.
  std::vector<File> files;
  for (int day = 0; day < 20; ++day) {
    const bool is_slow = day >= 8 && day < 12;
    files.push_back(found_on(day, is_slow ? 200 : 150, {is_slow ? "slow-host" : "slow-file"}));
  }
  const OpenSession open(files);
  const compare::History history = compare::history_of(runs_of(open), {});
  REQUIRE(history.events.size() == 2);
  CHECK(history.events[0].at == 12);
  REQUIRE(history.events[0].findings.size() == 1);
  CHECK(history.events[0].findings[0].cause == "slow-file");
  CHECK(history.events[0].findings[0].run == 19);
  CHECK(history.events[1].at == 8);
  REQUIRE(history.events[1].findings.size() == 1);
  CHECK(history.events[1].findings[0].cause == "slow-host");
  CHECK(history.events[1].findings[0].run == 11);
  CHECK_FALSE(history.power);
}

TEST_CASE("What an outlier has alone: a third of the ten runs around on either side may have it") {
  const auto own = [](std::size_t others) {
    std::vector<File> files;
    for (int day = 0; day < 13; ++day) {
      const bool is_it = day == 6;
      const bool has = is_it || static_cast<std::size_t>(day) < others;
      files.push_back(
          found_on(day, is_it ? 205 : 150,
                   has ? std::vector<std::string>{"slow-file"} : std::vector<std::string>{"tail"}));
    }
    const OpenSession open(files);
    const compare::History history = compare::history_of(runs_of(open), {});
    REQUIRE(history.outliers.size() == 1);
    CHECK(history.outliers[0].run == 6);
    CHECK(history.outliers[0].numbers == 2);  // process time, and its dataset
    CHECK_FALSE(history.outliers[0].is_last);
    return history.outliers[0].finding;
  };
  CHECK(own(4) == "slow-file");  // 4 of 12
  CHECK(own(5).empty());
}

TEST_CASE("An outlier is the last where only runs of other work come after it") {
  const auto is_last = [](int after, const char* processor) {
    std::vector<File> files;
    for (int day = 0; day < 12; ++day) files.push_back(found_on(day, day == 11 ? 800 : 150, {}));
    for (int day = 12; day < 12 + after; ++day) files.push_back(digest(day, 150, "", processor));
    const OpenSession open(files);
    const compare::History history = compare::history_of(runs_of(open), {});
    REQUIRE(history.outliers.size() == 1);
    CHECK(history.outliers[0].run == 11);
    return history.outliers[0].is_last;
  };
  CHECK(is_last(0, "Zprime"));
  CHECK(is_last(2, "Other"));
  CHECK_FALSE(is_last(1, "Zprime"));
}

TEST_CASE(
    "Changes of several numbers are one event where they are a run apart, two where they are "
    "two") {
  // The dataset's other one goes up by as much later: process time changes at either.
  const auto events = [](int later) {
    std::vector<File> files;
    for (int day = 0; day < 24; ++day) {
      const double noise = 1 + 0.01 * ((day * 2) % 3 - 1);
      File file = digest(day, (day >= 12 ? 200 : 150) * noise);
      std::string& text = file.content;
      const auto at = text.find(",50]");
      if (day >= 12 + later) text.replace(at, 4, ",80]");
      files.push_back(std::move(file));
    }
    const OpenSession open(files);
    const compare::History history = compare::history_of(runs_of(open), {});
    std::size_t changes = 0;
    for (const auto& event : history.events) changes += event.changes.size();
    CHECK(changes == 3);
    return history.events.size();
  };
  CHECK(events(0) == 1);
  CHECK(events(1) == 1);
  CHECK(events(2) == 2);
}

TEST_CASE("Three runs are a level to be held against, two are not") {
  const auto of_runs = [](int runs, double candidate) {
    std::vector<File> files;
    for (int day = 0; day < runs; ++day) files.push_back(digest(day, 200));
    files.push_back(digest(20, candidate));
    return history_gate(OpenSession(files), "core_seconds_per_million_events not worse")
        .results.at(0);
  };
  using Outcome = compare::GateResult::Outcome;
  const compare::GateResult three = of_runs(3, 202);
  CHECK(three.runs == 3);
  CHECK(three.baseline == Approx(100));
  // Without any noise half of the least step is assumed: 0.25 %.
  const double error = 0.0025 * std::sqrt(1 + 1.0 / 3);
  CHECK(three.noise == Approx(100 * error));
  CHECK(three.p_value == Approx(stats::p_value(std::log(1.01) / error, 2)));
  CHECK(three.state == compare::GateState::kept);
  CHECK(three.outcome == Outcome::within_noise);
  CHECK(of_runs(3, 220).state == compare::GateState::broken);
  CHECK(of_runs(3, 180).outcome == Outcome::better);
  // A limit needs no more than these, either.
  std::vector<File> files;
  for (int day = 0; day < 3; ++day) files.push_back(digest(day, 200));
  files.push_back(digest(20, 202));
  const compare::GateResult limited =
      history_gate(OpenSession(files), "core_seconds_per_million_events <= 1.05x").results.at(0);
  CHECK(limited.state == compare::GateState::kept);
  CHECK(limited.outcome != Outcome::too_few_runs);
  const compare::GateResult two = of_runs(2, 202);
  CHECK(two.outcome == Outcome::too_few_runs);
  CHECK(two.state == compare::GateState::unknown);
  CHECK(is_absent(two.noise));
}

TEST_CASE("A margin of a history is kept where the candidate is within it in 19 of 20") {
  // Six runs of 100 s, 2 % up and down, and one of 105; 1.645 errors are 2.015 with five degrees.
  std::vector<File> files;
  for (int day = 0; day < 6; ++day)
    files.push_back(digest(day, 200 * std::exp(day % 2 == 0 ? -0.02 : 0.02)));
  files.push_back(digest(6, 210));
  const OpenSession open(files);
  const auto state = [&](const char* margin) {
    return history_gate(open, std::string("core_seconds_per_million_events not worse by ") + margin)
        .results.at(0)
        .state;
  };
  // 5 s and 2.015 x 2.366 s are 9.77 s
  CHECK(state("9.7%") == compare::GateState::undecided);
  CHECK(state("9.8%") == compare::GateState::kept);
}

TEST_CASE("Runs of as many cores are compared in rates, within 2 % of the last one's") {
  const auto with_cores = [](int day, double cores) {
    File file = digest(day, 200);
    std::string& text = file.content;
    text.replace(text.find("\"total_cpu_time\"]"), 17,
                 "\"total_cpu_time\",\"total_cores\",\"event_rate_elapsed_khz\"]");
    text.replace(text.find("\"Process time\"]"), 15, "\"Process time\",\"Cores\",\"Rate\"]");
    text.replace(text.find("200.000000]"), 11, "200.000000," + std::to_string(cores) + ",33]");
    text.replace(text.find("\"s\"]"), 4, "\"s\",\"count\",\"kHz\"]");
    text.replace(text.find("\"lower\"]"), 8, "\"lower\",null,\"higher\"]");
    return file;
  };
  const OpenSession open(std::vector<File>{with_cores(0, 97.9), with_cores(1, 98.1),
                                           with_cores(2, 101.9), with_cores(3, 102.1),
                                           with_cores(4, 100)});
  const auto history = compare::run_history_of(runs_of(open));
  const auto series =
      std::find_if(history->series.begin(), history->series.end(),
                   [](const auto& one) { return one.id == "event_rate_elapsed_khz"; });
  REQUIRE(series != history->series.end());
  CHECK(series->basis.other_cores == 2);
  CHECK(series->basis.cores == 100);
  std::vector<bool> is_compared;
  for (const double value : series->values) is_compared.push_back(value == 33);
  CHECK(is_compared == std::vector<bool>{false, true, true, false, true});
}

TEST_CASE("A history has of a run's parts the sums of their chunks") {
  SmallRun small;
  small.section("fit", 0.25);
  small.stretch(0, 3);
  const RunFigures& figures = compare::figures_of(small.run);
  REQUIRE(figures.datasets.size() == 2);
  CHECK(figures.datasets[0].name == "data");
  CHECK(figures.datasets[0].seconds == Approx(80 + 2));
  CHECK(figures.datasets[0].events == Approx(800000));
  CHECK(figures.datasets[1].seconds == Approx(76));
  REQUIRE(figures.sections.size() == 2);
  CHECK(figures.sections[0].seconds == Approx(39));
  CHECK(figures.sections[1].seconds == Approx(158 - 39));
}
