#include "core/session/session.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

const std::string tree =
    R"({"count": 3, "identifier": "root", "description": {"filename": "", "name": "", "line_number": 0, "line": ""},
  "children": {"f;f.py;1": {"count": 3, "identifier": "f;f.py;1", "description": {"filename": "f.py", "name": "f", "line_number": 1, "line": ""}, "children": {}}}})";
const std::string metrics = R"({"data_rate_gbps": 1, "total_events": 7})";
const std::string report_text = R"({"bytesread": 1, "entries": 2, "processtime": 3, "chunks": 4})";

/// The titles of the runs with their files: "title: file file | title: file".
std::string runs_of(const std::vector<File>& files) {
  Session session;
  const auto opened = open_files(session, files);
  if (!opened) return opened.error().sentence();
  std::string text;
  for (const RunId id : opened.value().runs) {
    text += (text.empty() ? "" : " | ") + session.run(id)->title + ":";
    for (const Source& source : session.run(id)->sources) text += " " + source.path;
  }
  return text;
}

std::string error_of(const Result<Table>& answer) {
  return answer ? "answered" : answer.error().sentence();
}

}  // namespace

TEST_CASE("The files of one folder make a run that is named after the folder") {
  CHECK(runs_of({{"m/metrics.json", metrics},
                 {"m/start_end_time.txt", "1,5"},
                 {"m/profile.json", tree}}) ==
        "m: m/metrics.json m/start_end_time.txt m/profile.json");
}

TEST_CASE("A subfolder without metrics of its own joins the folder above") {
  CHECK(runs_of({{"m/metrics.json", metrics}, {"m/dask/deep/profile.json", tree}}) ==
        "m: m/metrics.json m/dask/deep/profile.json");
}

TEST_CASE("A folder of measurement folders is several runs") {
  CHECK(runs_of({{"all/a/metrics.json", metrics},
                 {"all/a/start_end_time.txt", "1,5"},
                 {"all/b/metrics.json", metrics}}) ==
        "a: all/a/metrics.json all/a/start_end_time.txt | b: all/b/metrics.json");
}

TEST_CASE("A measurement folder below another one is a run of its own") {
  CHECK(runs_of({{"a/metrics.json", metrics},
                 {"a/b/metrics.json", metrics},
                 {"a/b/profile.json", tree},
                 {"a/c/profile.json", tree}}) ==
        "a: a/metrics.json a/c/profile.json | b: a/b/metrics.json a/b/profile.json");
}

TEST_CASE("Profiles without metrics make a run of their topmost folder") {
  CHECK(runs_of({{"p/x/profile.json", tree}, {"p/profile.json", tree}}) ==
        "p: p/x/profile.json p/profile.json");
  CHECK(runs_of({{"p/x/profile.json", tree}, {"p/y/profile.json", tree}}) ==
        "x: p/x/profile.json | y: p/y/profile.json");
}

TEST_CASE(
    "Loose files make one run until a second file of a kind that a run has once starts the next") {
  CHECK(runs_of({{"metrics.json", metrics},
                 {"start_end_time.txt", "1,5"},
                 {"profile.json", tree},
                 {"metrics2.json", metrics},
                 {"report.json", report_text}}) ==
        "metrics: metrics.json start_end_time.txt profile.json | metrics2: metrics2.json "
        "report.json");
  CHECK(
      runs_of({{"start_end_time.txt", "1,5"}, {"before.json", metrics}, {"after.json", metrics}}) ==
      "before: start_end_time.txt before.json | after: after.json");
}

TEST_CASE("A loose metrics.json is named after its processor, where that is a class") {
  const auto with_prefix = [](const std::string& prefix) {
    return R"j({"total_events": 7, "elapsed_time_seconds": 2, "raw_span_metrics": {"('execute', ')j" +
           prefix + R"j(', 'thread-cpu', 'seconds')": 1}})j";
  };
  CHECK(runs_of({{"metrics.json", with_prefix("Zprime")}}) == "Zprime: metrics.json");
  CHECK(runs_of({{"metrics.json", with_prefix("automatic_retries")}}) == "metrics: metrics.json");
  CHECK(runs_of({{"before.json", with_prefix("Zprime")}}) == "before: before.json");
  CHECK(runs_of({{"m/metrics.json", with_prefix("Zprime")}}) == "m: m/metrics.json");
}

TEST_CASE("Two metrics files in one folder are two runs, and the second says why") {
  Session session;
  const auto opened =
      open_files(session, {{"m/metrics.json", metrics}, {"m/metrics_old.json", metrics}}).value();
  REQUIRE(opened.runs.size() == 2);
  CHECK(session.run(1)->title == "metrics_old");
  CHECK(has_note(*session.run(1), "second-of-its-kind"));
}

TEST_CASE("Paths inside an archive are folders like others") {
  CHECK(runs_of({{"download.zip/run-1/metrics.json", metrics},
                 {"download.zip/run-2/metrics.json", metrics}}) ==
        "run-1: download.zip/run-1/metrics.json | run-2: download.zip/run-2/metrics.json");
  CHECK(runs_of({{"download.zip/metrics.json", metrics}, {"download.zip/profile.json", tree}}) ==
        "download.zip: download.zip/metrics.json download.zip/profile.json");
}

TEST_CASE("Files beside a run that are of no known format are named in one data note") {
  const OpenSession session(
      std::vector<File>{{"m/metrics.json", metrics}, {"m/a.png", "\x89PNG"}, {"m/b.txt", "hello"}});
  const Table quality = session.ask("quality");
  const std::size_t row = quality.row_of("id", "not-recognised");
  REQUIRE(row < quality.rows());
  CHECK(quality.number("count", row) == 2);
  CHECK(has_part(std::string(quality.text("message", row)), "a.png, b.txt"));
}

TEST_CASE("What comes before the members that tell a file's format may be of any length") {
  for (const std::size_t length : {std::size_t{70'000}, std::size_t{2} << 20U}) {
    const std::string before = R"({"unknown": ")" + std::string(length, 'x') + "\", ";
    const OpenSession session("m/metrics.json", before + metrics.substr(1));
    CHECK(session.run().sources[0].format == "metrics");
    CHECK_FALSE(has_note(session.run(), "cut-off"));
  }
}

TEST_CASE("JSON whose beginning holds nothing known is not called cut off") {
  const std::string other = R"({"a": [1, 2, 3, 4, 5, 6, 7, 8, 9], "b": {}})";
  for (const HeadSize head : {HeadSize{16, 16}, HeadSize{4, 32}}) {
    Session session(0, head);
    const FileId id = session.add_file(0, "m/other.json", other.size());
    session.push(id, other);
    session.finish_file(id);
    const std::string error = session.finish().error().sentence();
    CHECK(has_part(error, "JSON of another kind"));
    CHECK_FALSE(has_part(error, "cut off"));
  }
  CHECK(has_part(runs_of({{"m/other.json", other.substr(0, 20)}}), "cut off"));
}

TEST_CASE("Files of which none can be shown are an error that names each with its reason") {
  const std::string error = runs_of({{"a/readme.txt", "hello"},
                                     {"a/empty.json", ""},
                                     {"a/config.json", "{}"},
                                     {"a/broken.json", "{\"a\": 1,}"}});
  CHECK(has_part(error, "a/readme.txt"));
  CHECK(has_part(error, "a/empty.json: the file is empty"));
  CHECK(has_part(error, "a/config.json"));
  CHECK(has_part(error, "a/broken.json"));
  CHECK(has_part(error, "byte 8"));
}

TEST_CASE("A configuration alone, or no file at all, is nothing to show") {
  CHECK(has_part(runs_of({{"config.json", "{\"a\": 1}"}}), "no metrics"));
  CHECK(has_part(runs_of({{"start_end_time.txt", "1,2"}}), "start_end_time.txt"));
  Session session;
  CHECK(session.finish().error().code == ErrorCode::nothing_to_show);
}

TEST_CASE("A file that belongs to no run is told beside the runs") {
  Session session;
  const auto opened =
      open_files(session, {{"all/a/metrics.json", metrics}, {"all/config.json", "{}"}}).value();
  CHECK(opened.runs.size() == 1);
  REQUIRE(opened.data_notes.size() == 1);
  CHECK(opened.data_notes[0].id == "no-run");
  CHECK(opened.data_notes[0].file == "all/config.json");
}

TEST_CASE("The length of the run stated twice must agree, else a data note tells") {
  const auto differs = [](const char* times) {
    return has_note(
        OpenSession(std::vector<File>{
                        {"m/metrics.json", R"({"elapsed_time_seconds": 4, "data_rate_gbps": 1})"},
                        {"m/t.txt", times}})
            .run(),
        "elapsed");
  };
  CHECK_FALSE(differs("10,14"));
  CHECK(differs("10,15"));
}

TEST_CASE("A span dump beside metrics.json is not added to its fine metrics") {
  const std::string spans =
      R"j({"('execute', 'P', 'thread-cpu', 'seconds')": 4.0, "('execute', 'P', 'thread-noncpu', 'seconds')": 2.0})j";
  for (const bool dump_first : {true, false}) {
    std::vector<File> files = {{"m/metrics.json", small_metrics()}, {"m/span_metrics.json", spans}};
    if (dump_first) std::swap(files[0], files[1]);
    CHECK(value(OpenSession(files).ask("summary"), "processor_cpu_time_seconds") == 4);
  }
}

TEST_CASE("An unknown question is an error that lists the known ones") {
  OpenSession open("metrics.json", metrics);
  const std::string error = error_of(open.session().ask("summery", {}, {}, {}));
  CHECK(has_part(error, "there is no such question: summery"));
  CHECK(has_part(error, "summary"));
  CHECK(has_part(error, "timeline"));
}

TEST_CASE("An unknown option is an error that lists the known ones") {
  OpenSession open("metrics.json", metrics);
  Session& session = open.session();
  CHECK(has_part(error_of(session.ask("throughput", {}, {}, option("bin", "5"))),
                 "bin; there are bins, window. Did you mean bins?"));
  CHECK(has_part(error_of(session.ask("system", {}, {}, option("bins", "5"))),
                 "bins; there are none"));
  CHECK(has_part(error_of(session.ask("throughput", {}, {}, option("bins", "many"))),
                 "bins=many is not a whole number"));
  CHECK(has_part(error_of(session.ask("throughput", {}, {}, option("bins", "0"))), "bins"));
  CHECK(has_part(error_of(session.ask("throughput", {}, {}, option("window", "x"))), "window"));
  CHECK(has_part(error_of(session.ask("fine", {}, {}, option("processor", "x"))), "answered"));
}

TEST_CASE("An unknown run is an error that lists the open ones") {
  OpenSession open(std::vector<File>{{"a/metrics.json", metrics}, {"b/metrics.json", metrics}});
  Session& session = open.session();
  const RunId seven = 7;
  CHECK(error_of(session.ask("summary", {&seven, 1}, {}, {})) ==
        "there is no such run: 7; open are 0, 1");
  session.close(0);
  session.close(1);
  CHECK(has_part(error_of(session.ask("summary", {&seven, 1}, {}, {})), "open are none"));
  CHECK(has_part(error_of(session.ask("summary", {}, {}, {})), "summary takes 1, not 0"));
}

TEST_CASE("Too many runs for a question are an error") {
  OpenSession open(std::vector<File>{{"a/metrics.json", metrics}, {"b/metrics.json", metrics}});
  const RunId both[] = {0, 1};
  CHECK(has_part(error_of(open.session().ask("summary", both, {}, {})), "summary takes 1, not 2"));
  CHECK(open.session().ask("runs", both, {}, {}).value().rows() == 2);
}

TEST_CASE("Run numbers count up over openings and are not used again") {
  Session session;
  CHECK(open_files(session, {{"metrics.json", metrics}}).value().runs == std::vector<RunId>{0});
  CHECK(open_files(session, {{"metrics.json", metrics}}).value().runs == std::vector<RunId>{1});
  session.close(0);
  CHECK(session.run(0) == nullptr);
  CHECK(session.runs() == std::vector<RunId>{1});
  CHECK(open_files(session, {{"metrics.json", metrics}}).value().runs == std::vector<RunId>{2});
  const Table runs = session.ask("runs", {}, {}, {}).value();
  REQUIRE(runs.rows() == 2);
  CHECK(runs.number("run", 0) == 1);
  CHECK(runs.number("run", 1) == 2);
}

TEST_CASE("A cancelled opening leaves nothing behind, and the next one works") {
  Session session;
  const FileId file = session.add_file(0, "metrics.json", 100);
  session.push(file, {metrics.data(), 10});
  session.cancel();
  session.push(file, {metrics.data(), 10});
  session.finish_file(file);
  CHECK(session.format_of(file).empty());
  CHECK_FALSE(session.finish());
  CHECK(open_files(session, {{"metrics.json", metrics}}));
}

TEST_CASE("Progress names the value being read and the numbers read so far") {
  Session session;
  const FileId file = session.add_file(0, "metrics.json", 0);
  CHECK(session.progress(file).format.empty());
  // detection looks at the first 64 KiB before anything is read
  const std::string text =
      R"({"total_events": 7, "avg_workers": null, "tracking_data": {"worker_cpu": {")" +
      std::string(70'000, 'x');
  session.push(file, {text.data(), text.size()});
  CHECK(session.progress(file).format == "metrics");
  CHECK(session.progress(file).where == "tracking_data.worker_cpu");
  REQUIRE(session.progress(file).stored.size() == 2);
  CHECK(session.progress(file).stored[0].id == "total_events");
  CHECK(session.progress(file).stored[0].value == 7);
  CHECK(session.progress(file + 1).stored.empty());
  session.finish_file(file);
  CHECK(session.progress(file).where.empty());
}

TEST_CASE("A failed opening leaves the open runs alone") {
  Session session;
  REQUIRE(open_files(session, {{"metrics.json", metrics}}));
  CHECK_FALSE(open_files(session, {{"x.txt", "x"}}));
  CHECK(session.runs().size() == 1);
}

TEST_CASE("A file whose end was not told is finished with the opening") {
  Session session;
  const FileId file = session.add_file(0, "metrics.json", 0);
  session.push(file, {metrics.data(), metrics.size()});
  const auto opened = session.finish();
  REQUIRE(opened);
  CHECK(session.run(0)->stored_value("total_events") == 7);
  CHECK(session.run(0)->sources.at(0).size == metrics.size());
}

TEST_CASE("Files may be read side by side") {
  Session session;
  const FileId a = session.add_file(0, "a/metrics.json", 0);
  const FileId b = session.add_file(0, "b/metrics.json", 0);
  for (const char& c : metrics) {
    session.push(a, {&c, 1});
    session.push(b, {&c, 1});
  }
  session.finish_file(b);
  session.finish_file(a);
  CHECK(session.finish().value().runs.size() == 2);
  CHECK(session.run(0)->title == "a");
}

TEST_CASE("Numbers of files that do not exist do nothing") {
  Session session;
  session.push(5, {metrics.data(), metrics.size()});
  session.finish_file(5);
  CHECK(session.format_of(5).empty());
}

TEST_CASE("Requests are JSON") {
  OpenSession open("metrics.json", small_metrics());
  Session& session = open.session();
  CHECK(session.ask(R"({"question": "summary"})"));
  // that a task prefix is the processor may be said with any question
  CHECK(session.ask(R"({"question": "chunks", "options": {"processor": "P"}})"));
  CHECK(session.ask(R"({"question": "throughput", "runs": [0], "options": {"bins": 5}})")
            .value()
            .rows() == 5);
  CHECK(session.ask(R"({"question": "chunks", "selection": {"datasets": ["x"]}})").value().rows() ==
        1);
  CHECK(session.ask(R"({"question": "chunks", "selection": {"time": [0, 0.9], "ranges": []}})")
            .value()
            .rows() == 1);
  CHECK(
      session
          .ask(
              R"({"question": "chunks", "selection": {"time": null, "ranges": [{"column": "events", "lo": 1500, "hi": 1e9}]}})")
          .value()
          .rows() == 1);
}

TEST_CASE("A wrong request is an error with its reason") {
  OpenSession open("metrics.json", small_metrics());
  const auto error = [&](const char* request) { return error_of(open.session().ask(request)); };
  for (const char* request :
       {"", "{", "[]", "null", "{}", R"({"question": 5})", R"({"question": "summary"} x)"}) {
    CAPTURE(request);
    CHECK(has_part(error(request), "question"));
  }
  CHECK(has_part(error(R"({"question": "summary", "runs": 0})"), "runs is not a list"));
  CHECK(has_part(error(R"({"question": "summary", "runs": ["0"]})"), "no such run"));
  CHECK(has_part(error(R"({"question": "summary", "runs": [-1]})"), "no such run"));
  CHECK(has_part(error(R"({"question": "summary", "runs": [4294967296]})"), "no such run"));
  CHECK(has_part(error(R"({"question": "summary", "options": ["bins"]})"),
                 "options is not an object"));
  CHECK(has_part(error(R"({"question": "summary", "selection": []})"), "not an object"));
  CHECK(has_part(error(R"({"question": "summary", "selection": {"tme": [0, 1]}})"),
                 "by tme; there are time, workers"));
  CHECK(has_part(error(R"({"question": "summary", "selection": {"time": [1]}})"), "[begin, end]"));
  CHECK(has_part(error(R"({"question": "summary", "selection": {"time": [2, 1]}})"),
                 "ends before it begins"));
  CHECK(has_part(error(R"({"question": "summary", "selection": {"time": ["a", 1]}})"),
                 "not a number"));
  CHECK(has_part(error(R"({"question": "summary", "selection": {"datasets": "x"}})"),
                 "datasets is not a list"));
  CHECK(has_part(error(R"({"question": "summary", "selection": {"files": [1]}})"), "no text"));
  CHECK(
      has_part(error(R"({"question": "chunks", "selection": {"ranges": [{"column": "events"}]}})"),
               "column, lo and hi"));
  CHECK(has_part(
      error(
          R"({"question": "chunks", "selection": {"ranges": [{"column": "colour", "lo": 0, "hi": 1}]}})"),
      "colour"));
}

TEST_CASE("An export in an unknown format lists the known ones") {
  OpenSession open("metrics.json", small_metrics());
  const auto answer = open.session().export_run(0, "xml", {}, {});
  REQUIRE_FALSE(answer);
  CHECK(has_part(answer.error().sentence(),
                 "there is no such export format: xml; there are speedscope"));
  CHECK(has_part(answer.error().sentence(), "csv"));
  CHECK(open.session().export_run(0, "csv", {}, {}).value().size() > 5);
}

TEST_CASE("A format of one's own is held to what the core's are: its options, and the run's time") {
  static constexpr Option known{.name = "known", .type = Option::Type::text, .about = ""};
  const exports::Writer writer{
      .id = "own",
      .write =
          [](const Run&, const Selection& selection, const Options& options) {
            return std::vector<exports::Artefact>{
                {options.text(known), selection.time ? "narrowed" : "all of it"}};
          },
      .options = {&known}};
  OpenSession open("metrics.json", small_metrics());
  const auto written = [&](Selection::TimeRange time, const std::string& option) {
    Selection selection;
    selection.time = time;
    return open.session().export_run(0, writer, selection, Options({{option, "value"}}));
  };
  CHECK(written({-1e9, 1e9}, "known").value()[0].content == "all of it");
  CHECK(written({1, 2}, "known").value()[0].content == "narrowed");
  CHECK(written({1, 2}, "known").value()[0].name == "value");
  CHECK(has_part(written({1, 2}, "other").error().sentence(), "other"));
}

TEST_CASE("A name in a selection that no run has is said with those there are and the nearest") {
  OpenSession open("metrics.json", small_metrics());
  const auto said = [&](const Selection& selection) {
    const std::vector<RunId> runs = open.session().runs();
    const auto error = open.session().check(runs, selection);
    return error ? error->sentence() : std::string("fine");
  };
  CHECK(said({}) == "fine");
  CHECK(said({.workers = {"tcp://10.0.0.1:1001"},
              .datasets = {"y", "x"},
              .files = {"/data/y.root"},
              .hosts = {"eos.example", "local"},
              .prefixes = {"P", "lambda"}}) == "fine");
  CHECK(said({.datasets = {"x", "z"}}) ==
        "the selection cannot be used: no dataset z; there are x, y");
  CHECK(said({.workers = {"tcp://10.0.0.1:1002"}}) ==
        "the selection cannot be used: no worker tcp://10.0.0.1:1002; there are "
        "tcp://10.0.0.1:1001, tcp://10.0.0.2:1002. "
        "Did you mean tcp://10.0.0.1:1001?");
  CHECK(has_part(said({.files = {"y.root"}}),
                 "no file y.root; there are /data/y.root, root://eos.example:1094//x.root. Did"));
  CHECK(has_part(said({.hosts = {"eos.exmaple"}}),
                 "no host eos.exmaple; there are eos.example, local. Did you mean eos.example?"));
  CHECK(has_part(said({.prefixes = {"Q"}}), "no task prefix Q; there are "));
}

TEST_CASE(
    "A run without a name that is selected answers with nothing; a selection is wrong only when no "
    "run has the name") {
  Session session;
  const std::string other = with(small_metrics(), R"("dataset": "y")", R"("dataset": "w")");
  REQUIRE(open_files(session, {{"a/metrics.json", small_metrics()}, {"b/metrics.json", other}}));
  const std::vector<RunId> both = session.runs();
  const Selection y{.datasets = {"y"}};
  CHECK(session.ask("chunks", {&both[0], 1}, y, {}).value().rows() == 1);
  CHECK(session.ask("chunks", {&both[1], 1}, y, {}).value().rows() == 0);
  CHECK_FALSE(session.check(both, y));
  CHECK(session.check({&both[1], 1}, y)->sentence() ==
        "the selection cannot be used: no dataset y; there are w, x");
}
