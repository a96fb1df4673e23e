#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

TEST_CASE("start_end_time.txt gives the run's length by its difference") {
  const Run run =
      read_as(start_end_time_format, "829.759037548,900.231249035\n", 1, "a/start_end_time.txt");
  CHECK(run.elapsed == Approx(70.472211487));
  CHECK(run.elapsed_source == "a/start_end_time.txt");
  CHECK(read_as(start_end_time_format, "-5, 5").elapsed == 10);
}

TEST_CASE("An end that is not after the start is left out, with a note") {
  for (const char* text : {"5,5", "5,4", "nan,5", "5,nan", "0,inf", "-inf,5"}) {
    CAPTURE(text);
    const Run run = read_as(start_end_time_format, text);
    CHECK(is_absent(run.elapsed));
    CHECK(has_note(run, "elapsed"));
  }
}

TEST_CASE("metadata.json tells when the measurement was saved") {
  CHECK(read_as(metadata_format,
                R"({"timestamp": "2026-11-21T01:42:50.607498", "elapsed_time_seconds": 70.4})")
            .recorded_at == "2026-11-21T01:42:50.607498");
  CHECK(read_as(metadata_format, R"({"timestamp": null})").recorded_at.empty());
}

TEST_CASE("coffea's report gives totals, absent where it has none") {
  const Run run = read_as(
      report_format,
      R"({"bytesread": 457028335, "entries": 2139123, "processtime": 238.05, "chunks": 214, "columns": ["a", "b"]})");
  CHECK(run.report.bytes_read == 457028335);
  CHECK(run.report.events == 2139123);
  CHECK(run.report.process_time == 238.05);
  CHECK(run.report.chunks == 214);
  CHECK(run.report.columns.size() == 2);
  CHECK(is_absent(
      read_as(report_format, R"({"bytesread": null, "entries": "many"})").report.bytes_read));
}

TEST_CASE("A NaN in coffea's report is a missing number, and the others are read") {
  const Run run = read_as(report_format, R"({"bytesread": 5, "entries": 6, "processtime": NaN})");
  CHECK(run.report.bytes_read == 5);
  CHECK(is_absent(run.report.process_time));
}

TEST_CASE("scheduler_info gives names, hosts, threads and limits of workers") {
  const Run run = read_as(scheduler_info_format, R"({"type": "Scheduler", "workers": {
    "tcp://10.0.0.1:1": {"name": 0, "host": "n1", "nthreads": 4, "memory_limit": 8000},
    "tcp://10.0.0.2:2": {"name": "SLURMCluster-1", "host": null, "nthreads": "4"}, "tcp://10.0.0.3:3": null}})");
  REQUIRE(run.workers.size() >= 2);
  CHECK(run.text(run.workers.name[0]) == "0");
  CHECK(run.text(run.workers.host[0]) == "n1");
  CHECK(run.workers.nthreads[0] == 4);
  CHECK(run.workers.memory_limit[0] == 8000);
  CHECK(run.text(run.workers.name[1]) == "SLURMCluster-1");
  CHECK(run.workers.host[1] == no_string);
  CHECK(is_absent(run.workers.nthreads[1]));
}

TEST_CASE("config.json is kept as its text") {
  CHECK(read_as(config_format, R"({"executor": "dask"})").config == R"({"executor": "dask"})");
}

TEST_CASE("What the recorder left in config.json are data notes") {
  const Run run = read_as(config_format, R"({"recorded_by": "crema 0.1.0",
    "incomplete": "KeyError: 'pt'", "notes": ["workers that left: 2", 7]})");
  REQUIRE(run.data_notes.size() == 2);
  CHECK(run.data_notes[0].severity == Severity::high);
  CHECK(run.data_notes[0].message ==
        "the recorded block ended with an exception, so the run is not complete: KeyError: 'pt'");
  CHECK(run.data_notes[1].message == "the recorder: workers that left: 2");
  // another's configuration says nothing about the recording
  CHECK(read_as(config_format, R"({"incomplete": "yes", "notes": ["mine"]})").data_notes.empty());
}

TEST_CASE("Small files that are cut off or broken say at which byte") {
  for (const Format* format : {&report_format, &metadata_format, &scheduler_info_format}) {
    CAPTURE(std::string(format->id));
    const Run cut = read_as(*format, R"({"bytesread": 5, "entr)");
    REQUIRE(cut.data_notes.size() == 1);
    CHECK(cut.data_notes[0].id == "cut-off");
    CHECK(cut.data_notes[0].offset == 22);
    const Run broken = read_as(*format, R"({"bytesread": 5,, })");
    REQUIRE(broken.data_notes.size() == 1);
    CHECK(broken.data_notes[0].id == "broken-json");
    CHECK(broken.data_notes[0].offset == 16);
  }
}

TEST_CASE("Values nested 100,000 deep in small files are no danger") {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  read_as(metadata_format, "{\"timestamp\": " + deep + "}");
  read_as(report_format, "{\"bytesread\": " + deep + ", \"columns\": [" + deep + "]}");
  read_as(scheduler_info_format, "{\"workers\": {\"w\": {\"name\": " + deep + "}}}");
  const Run run = read_as(config_format,
                          "{\"recorded_by\": \"crema 0.1.0\", \"settings\": [{\"workers\": 1, "
                          "\"settings\": {\"memory\": " +
                              deep + "}}]}");
  REQUIRE(run.settings.contains("memory"));
  CHECK(run.settings.at("memory").size() < 130);  // two brackets for each of 64 levels
}

TEST_CASE("Workers with several versions of a package are told, with how many have each") {
  const auto noted = [](const std::string& numpy) {
    const Run run =
        read_as(config_format, R"({"recorded_by": "crema 0.1.0", "versions": {"workers": [
      {"environment": {"packages": {"numpy": "2.4.6", "dask": "2026.8.0"}}, "workers": 3},
      {"environment": {"packages": {"numpy": )" +
                                   numpy + R"(, "dask": "2026.8.0"}}, "workers": 1},
      7]}})");
    for (const DataNote& note : run.data_notes) {
      if (note.id == "versions-differ") return note.message;
    }
    return std::string();
  };
  CHECK(noted(R"("2.4.6")").empty());
  CHECK(noted(R"("2.3.1")") ==
        "workers run different versions: numpy: 2.3.1 on 1 worker, 2.4.6 on 3 workers");
  CHECK(noted("null") ==
        "workers run different versions: numpy: 2.4.6 on 3 workers, none on 1 worker");
}
