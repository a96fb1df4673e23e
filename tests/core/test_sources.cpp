// Sources are told apart by their ids, never by names.

#include "core/session/session.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

using namespace crema;
using namespace crema::test;

namespace {

const std::string metrics = R"({"data_rate_gbps": 1, "total_events": 7})";
const std::string config = R"({"a": 1})";
const std::string metadata = R"({"timestamp": "2025-01-01", "format": "x"})";
const std::string profile_text = "main;work 3\n";
const std::string report_text = R"({"bytesread": 1, "entries": 2, "processtime": 3, "chunks": 4})";

void add(Session& session, SourceId source, const std::string& path, const std::string& content) {
  const FileId file = session.add_file(source, path, content.size());
  session.push(file, {content.data(), content.size()});
  session.finish_file(file);
}

/// The titles of all open runs with their files: "title: file file | title: file".
std::string runs_in(const Session& session) {
  std::string text;
  for (const RunId id : session.runs()) {
    text += (text.empty() ? "" : " | ") + session.run(id)->title + ":";
    for (const Source& source : session.run(id)->sources) text += " " + source.path;
  }
  return text;
}

std::string titles_in(const Session& session) {
  std::string text;
  const Table runs = session.ask("runs", {}, {}, {}).value();
  for (std::size_t row = 0; row < runs.rows(); ++row)
    text += (row == 0 ? "" : " | ") + std::string(runs.text("title", row));
  return text;
}

/// Opens files that are given one by one, as one source.
std::string single_files(const std::vector<File>& files) {
  Session session;
  const SourceId source = session.begin_single_files("");
  for (const File& file : files) add(session, source, file.path, file.content);
  const auto opened = session.finish();
  return opened ? runs_in(session) : opened.error().sentence();
}

}  // namespace

TEST_CASE("Two folders of one name are two runs, each with its own files") {
  Session session;
  for (const char* above : {"old", "new"}) {
    const SourceId source = session.begin_source(above);
    for (const auto& [path, content] :
         {std::pair("run/config.json", config), std::pair("run/metadata.json", metadata),
          std::pair("run/metrics.json", metrics), std::pair("run/p.folded", profile_text)})
      add(session, source, path, content);
  }
  REQUIRE(session.finish().value().runs.size() == 2);
  CHECK(runs_in(session) ==
        "old/run: run/config.json run/metadata.json run/metrics.json run/p.folded | "
        "new/run: run/config.json run/metadata.json run/metrics.json run/p.folded");
  CHECK(session.run(0)->call_trees.size() == 1);
  CHECK(session.run(1)->call_trees.size() == 1);
}

TEST_CASE("Titles take as many folders above as tell them apart, and no more") {
  Session session;
  for (const char* above : {"x/a", "x/b", "y/b", ""})
    add(session, session.begin_source(above), "run/metrics.json", metrics);
  add(session, session.begin_source("x/a"), "other/metrics.json", metrics);
  REQUIRE(session.finish());
  CHECK(titles_in(session) == "a/run | x/b/run | y/b/run | run | other");
}

TEST_CASE("Titles are told apart over openings, and become short again when they can") {
  Session session;
  add(session, session.begin_source("https://host/old/"), "run/metrics.json", metrics);
  REQUIRE(session.finish());
  CHECK(titles_in(session) == "run");
  add(session, session.begin_source("https://host/new/"), "run/metrics.json", metrics);
  REQUIRE(session.finish());
  CHECK(titles_in(session) == "old/run | new/run");
  session.close(0);
  CHECK(titles_in(session) == "run");
}

TEST_CASE("The same folder twice is two runs, told apart by a number") {
  Session session;
  for (int i = 0; i < 3; ++i) add(session, session.begin_source("x"), "run/metrics.json", metrics);
  add(session, session.begin_source("x"), "run (2)/metrics.json", metrics);
  REQUIRE(session.finish());
  CHECK(titles_in(session) == "run | run (3) | run (4) | run (2)");
}

TEST_CASE("Folders of several runs are told apart by what is above the runs") {
  Session session;
  for (const char* above : {"monday", "tuesday"}) {
    const SourceId source = session.begin_source(above);
    add(session, source, "all/a/metrics.json", metrics);
    add(session, source, "all/b/metrics.json", metrics);
  }
  REQUIRE(session.finish());
  CHECK(titles_in(session) == "monday/all/a | monday/all/b | tuesday/all/a | tuesday/all/b");
}

TEST_CASE(
    "An archive in a folder of a run belongs to that run; archives of one name in two folders stay "
    "two") {
  Session session;
  const SourceId folder = session.begin_source("");
  add(session, folder, "run/metrics.json", metrics);
  add(session, session.begin_source("run/a.zip", folder), "dask/p.folded", profile_text);
  add(session, session.begin_source("run", folder), "b/p.folded", profile_text);
  REQUIRE(session.finish());
  CHECK(runs_in(session) == "run: run/metrics.json run/a.zip/dask/p.folded run/b/p.folded");
  CHECK(session.run(0)->call_trees.size() == 2);
  session.close(0);

  const SourceId outer = session.begin_source("");
  for (const char* archive : {"all/x/a.zip", "all/y/a.zip"})
    add(session, session.begin_source(archive, outer), "run/metrics.json", metrics);
  REQUIRE(session.finish().value().runs.size() == 2);
  CHECK(titles_in(session) == "x/a.zip/run | y/a.zip/run");
}

TEST_CASE("The files of a run are known by their source and path") {
  Session session;
  add(session, session.begin_source("old"), "run/metrics.json", metrics);
  add(session, session.begin_source("new"), "run/metrics.json", metrics);
  REQUIRE(session.finish());
  CHECK(session.files(0) == std::vector<FilePlace>{{0, "run/metrics.json"}});
  CHECK(session.files(1) == std::vector<FilePlace>{{1, "run/metrics.json"}});
  CHECK(session.files(2).empty());
}

TEST_CASE(
    "Files given one by one are one run wherever they lie, unless metrics lie in several folders") {
  CHECK(single_files({{"a/metrics.json", metrics},
                      {"b/p.folded", profile_text},
                      {"start_end_time.txt", "1,5"}}) ==
        "metrics: a/metrics.json b/p.folded start_end_time.txt");
  CHECK(
      single_files(
          {{"b/config.json", config}, {"a/metrics.json", metrics}, {"b/metrics.json", metrics}}) ==
      "b: b/config.json b/metrics.json | a: a/metrics.json");
}

TEST_CASE("Two runs in one folder: a file stands with the metrics whose name begins alike") {
  CHECK(single_files({{"a_metrics.json", metrics},
                      {"b_p.folded", profile_text},
                      {"b_metrics.json", metrics},
                      {"a_p.folded", profile_text}}) ==
        "a_metrics: a_metrics.json a_p.folded | b_metrics: b_p.folded b_metrics.json");
  CHECK(single_files({{"run1.json", metrics},
                      {"run10.json", metrics},
                      {"run1_p.folded", profile_text},
                      {"run10_p.folded", profile_text}}) ==
        "run1: run1.json run1_p.folded | run10: run10.json run10_p.folded");
}

TEST_CASE(
    "Two runs in one folder: the second file of a kind is the second run's, whatever sorts first") {
  CHECK(single_files({{"config.json", config},
                      {"metadata.json", metadata},
                      {"metrics.json", metrics},
                      {"config.json", config},
                      {"metadata.json", metadata},
                      {"metrics.json", metrics}}) ==
        "metrics: config.json metadata.json metrics.json | metrics (2): config.json metadata.json "
        "metrics.json");
}

TEST_CASE("A second configuration beside one metrics file is no run of its own, and said") {
  Session session;
  const SourceId source = session.begin_source("");
  add(session, source, "m/config.json", config);
  add(session, source, "m/dask/config.json", R"({"b": 2})");
  add(session, source, "m/metrics.json", metrics);
  REQUIRE(session.finish());
  CHECK(runs_in(session) == "m: m/config.json m/dask/config.json m/metrics.json");
  CHECK(session.run(0)->config == config);
  CHECK(has_note(*session.run(0), "second-of-its-kind"));
}

TEST_CASE("A second report beside one metrics file, or none, is a run of its own") {
  CHECK(single_files(
            {{"metrics.json", metrics}, {"r1.json", report_text}, {"r2.json", report_text}}) ==
        "metrics: metrics.json r1.json | r2: r2.json");
  CHECK(single_files({{"r1.json", report_text}, {"r2.json", report_text}}) ==
        "r1: r1.json | r2: r2.json");
}

TEST_CASE("What cannot be had is a data note of the runs that it would belong to") {
  Session session;
  const SourceId source = session.begin_source("all.zip");
  add(session, source, "a/metrics.json", metrics);
  add(session, source, "b/metrics.json", metrics);
  const FileId cut = session.add_file(source, "b/p.folded", 0);
  session.push(cut, {profile_text.data(), profile_text.size()});
  session.fail_file(cut, "the archive ends here");
  session.miss_file(source, "a/dask/p.json", "a bad checksum");
  session.miss_file(source, "c/metrics.json", "no permission");
  const auto opened = session.finish().value();
  REQUIRE(opened.runs.size() == 2);
  const auto notes = [&](RunId run) {
    std::string text;
    const Table quality = session.ask("quality", {&run, 1}, {}, {}).value();
    for (std::size_t row = 0; row < quality.rows(); ++row) {
      if (quality.text("id", row) == "unreadable")
        text += std::string(quality.text("file", row)) + ": " +
                std::string(quality.text("message", row)) + "\n";
    }
    return text;
  };
  CHECK(notes(0) == "a/dask/p.json: a bad checksum\n");
  CHECK(notes(1) == "b/p.folded: the archive ends here\n");
  CHECK(session.run(1)->call_trees.size() == 1);
  REQUIRE(opened.data_notes.size() == 1);
  CHECK(opened.data_notes[0].file == "c/metrics.json");
  CHECK(opened.data_notes[0].message == "no permission");
}

TEST_CASE(
    "A cut archive is a data note of all its runs, and of the run that it lies in when nothing "
    "came out of it") {
  Session session;
  const SourceId archive = session.begin_source("cut.tar");
  add(session, archive, "a/metrics.json", metrics);
  add(session, archive, "b/metrics.json", metrics);
  session.miss_rest(archive, "cut.tar", "it ends in the middle");
  const SourceId folder = session.begin_source("");
  add(session, folder, "run/metrics.json", metrics);
  session.miss_rest(session.begin_source("run", folder), "run/empty.zip", "it is damaged");
  REQUIRE(session.finish().value().data_notes.empty());
  for (const RunId run : {0U, 1U, 2U}) {
    CAPTURE(run);
    CHECK(has_note(*session.run(run), "unreadable"));
  }
}

TEST_CASE("Files that cannot be had are named when there is nothing to show") {
  Session session;
  session.miss_file(session.begin_source(""), "run/metrics.json", "no permission");
  const auto opened = session.finish();
  REQUIRE_FALSE(opened);
  CHECK(opened.error().sentence().find("run/metrics.json: no permission") != std::string::npos);
}
