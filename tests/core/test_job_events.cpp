// HTCondor's job event log in its three forms: events that can be checked by hand.
#include "core/runtime/core_time.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

using namespace crema;
using namespace crema::test;
using Catch::Matchers::WithinAbs;
using recorded_columns::Task;

namespace {

/// An event of the text form on 1 May at 12:MM:SS.
std::string event(int number, const std::string& job, const std::string& minutes,
                  const std::string& text) {
  const std::string digits = std::to_string(number);
  return std::string(3 - digits.size(), '0') + digits + " (" + job + ".000) 05/01 12:" + minutes +
         " " + text + "\n...\n";
}

const std::string usage =
    "\n\t(1) Normal termination (return value 0)\n"
    "\t\tUsr 0 00:03:00, Sys 0 00:00:30  -  Run Remote Usage\n"
    "\t\tUsr 0 00:00:00, Sys 0 00:00:00  -  Run Local Usage\n"
    "\tPartitionable Resources :    Usage  Request Allocated\n"
    "\t   Cpus                 :                 1         1\n"
    "\t   Memory (MB)          :      900     1000      1024";

/// Job 7.0 waits 60 s, is evicted after 120 s, waits 60 s and runs for 240 s. 7.1 waits 120 s, runs
/// for 60 s and is held. 7.2 runs for 10 s and returns 3. 7.3 waits.
const std::string jobs =
    event(0, "007.000", "00:00", "Job submitted from host: <10.0.0.1:9618?addrs=x>") +
    event(0, "007.001", "00:00", "Job submitted from host: <10.0.0.1:9618?addrs=x>") +
    event(0, "007.002", "00:00", "Job submitted from host: <10.0.0.1:9618?addrs=x>") +
    event(0, "007.003", "00:00",
          "Job submitted from host: <10.0.0.1:9618?addrs=x>\n    DAG Node: A") +
    event(1, "007.000", "01:00",
          "Job executing on host: <10.0.0.2:9618?addrs=y>\n\tSlotName: slot1_1@a.org") +
    event(1, "007.001", "02:00",
          "Job executing on host: <10.0.0.3:9618?addrs=z>\n\tSlotName: slot1_2@b.org") +
    event(6, "007.001", "02:30",
          "Image size of job updated: 3000000\n\t2900  -  MemoryUsage of job (MB)") +
    event(4, "007.000", "03:00",
          "Job was evicted.\n\t(0) CPU times\n"
          "\t\tUsr 0 00:01:00, Sys 0 00:00:00  -  Run Remote Usage\n\tReason: PREEMPT") +
    event(4, "007.001", "03:00", "Job was evicted.\n\t(0) CPU times") +
    event(12, "007.001", "03:00",
          "Job was held.\n\tmemory usage exceeded request_memory\n\tCode 34 Subcode 0") +
    event(1, "007.000", "04:00",
          "Job executing on host: <10.0.0.2:9618?addrs=y>\n\tSlotName: slot1_1@a.org") +
    event(1, "007.002", "04:00", "Job executing on host: <10.0.0.4:9618>") +
    event(5, "007.002", "04:10", "Job terminated.\n\t(1) Normal termination (return value 3)") +
    event(5, "007.000", "08:00", "Job terminated." + usage);

std::string text(const Run& run, Task column, std::size_t row) {
  return std::string(run.text(run.recording.tasks.text(column, row)));
}

std::string note_of(const Run& run, std::string_view id) {
  for (const DataNote& note : run.data_notes) {
    if (note.id == id) return note.message;
  }
  return {};
}

/// The same event in the attributes of its ClassAd.
using Ad = std::vector<std::pair<std::string, std::string>>;
const std::vector<Ad> ads = {
    {{"MyType", "SubmitEvent"}, {"EventTypeNumber", "0"}, {"EventTime", "2026-05-01T12:00:00"}},
    {{"MyType", "ExecuteEvent"},
     {"EventTypeNumber", "1"},
     {"EventTime", "2026-05-01T12:01:00"},
     {"ExecuteHost", "<10.0.0.2:9618?addrs=y>"},
     {"SlotName", "slot1_1@a.org"}},
    {{"MyType", "JobHeldEvent"},
     {"EventTypeNumber", "12"},
     {"EventTime", "2026-05-01T12:03:00"},
     {"HoldReason", "a < b & \"c\""},
     {"HoldReasonCode", "34"}}};

bool is_digits(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos;
}

std::string as_xml() {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE classads SYSTEM \"classads.dtd\">\n<classads>\n";
  for (const Ad& ad : ads) {
    xml += "<c>\n    <a n=\"Cluster\"><i>7</i></a>\n    <a n=\"Proc\"><i>0</i></a>\n";
    for (auto [name, value] : ad) {
      for (const auto& [c, entity] :
           {std::pair("&", "&amp;"), std::pair("<", "&lt;"), std::pair(">", "&gt;")}) {
        for (std::size_t at = value.find(c); at != std::string::npos; at = value.find(c, at + 1))
          value.replace(at, 1, entity);
      }
      const std::string type = is_digits(value) ? "i" : "s";
      xml += "    <a n=\"" + name + "\"><" + type + ">" + value + "</" + type + "></a>\n";
    }
    xml += "</c>\n";
  }
  return xml;
}

std::string as_json() {
  std::string json;
  for (const Ad& ad : ads) {
    json += "{\n  \"Cluster\": 7,\n  \"Proc\": 0";
    for (const auto& [name, value] : ad)
      json += ",\n  \"" + name + "\": " + (is_digits(value) ? value : nlohmann::json(value).dump());
    json += "\n}\n";
  }
  return json;
}

}  // namespace

TEST_CASE("Suspended jobs: that time is told; and what memory was requested") {
  // It runs from 01:00 to 08:00, suspended from 02:00 to 02:30 and from 07:00 on.
  const std::string suspended =
      event(0, "007.000", "00:00", "Job submitted from host: <10.0.0.1:9618>") +
      event(1, "007.000", "01:00", "Job executing on host: <10.0.0.2:9618>") +
      event(10, "007.000", "02:00",
            "Job was suspended.\n\tNumber of processes actually suspended: 1") +
      event(11, "007.000", "02:30", "Job was unsuspended.") +
      event(10, "007.000", "07:00",
            "Job was suspended.\n\tNumber of processes actually suspended: 1") +
      event(5, "007.000", "08:00", "Job terminated." + usage);
  const OpenSession session("jobs.log", suspended);
  const auto& rows = session.run().recording.tasks;
  REQUIRE(rows.size() == 1);
  CHECK(rows.at(Task::wall, 0) == 420);
  CHECK(rows.at(Task::suspended, 0) == 90);
  CHECK(rows.at(Task::requested_memory, 0) == 1000 * 1048576.0);
  CHECK(note_of(session.run(), "suspended").find("1 min 30 s") != std::string::npos);
  const Table budget = session.ask("budget");
  CHECK(core_seconds(budget, "activity:compute") == Approx(330));
  CHECK(core_seconds(budget, "activity:suspended") == Approx(90));
  const Table memory = session.ask("memory");
  REQUIRE(memory.rows() == 1);
  CHECK(memory.number("memory", 0) == 900 * 1048576.0);
  CHECK(memory.number("memory_requested", 0) == 1000 * 1048576.0);
  CHECK(memory.number("above", 0) == 0);  // of what was requested
  CHECK(memory.number("memory_request", 0) == 1024 * 1048576.0);
}

TEST_CASE("Attempts at a job last from its execution to its end, eviction or hold") {
  const OpenSession session("job.log", jobs);
  const Run& run = session.run();
  const auto& rows = run.recording.tasks;
  REQUIRE(rows.size() == 4);
  struct Row {
    const char *item, *status, *error, *message, *host;
    double begin, wall, attempt;
  };
  const Row expected[] = {{"7.0", "lost", "Evicted", "PREEMPT", "a.org", 60, 120, 1},
                          {"7.1", "failed", "Held",
                           "memory usage exceeded request_memory (code 34)", "b.org", 120, 60, 1},
                          {"7.2", "failed", "exit code 3", "", "10.0.0.4", 240, 10, 1},
                          {"7.0", "ok", "", "", "a.org", 240, 240, 2}};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto& [item, status, error, message, host, begin, wall, attempt] = expected[row];
    CAPTURE(row);
    CHECK(text(run, Task::item, row) == item);
    CHECK(text(run, Task::status, row) == status);
    CHECK(text(run, Task::error, row) == error);
    CHECK(text(run, Task::message, row) == message);
    CHECK(text(run, Task::host, row) == host);
    CHECK_THAT(rows.at(Task::begin, row), WithinAbs(begin, 1e-6));
    CHECK_THAT(rows.at(Task::wall, row), WithinAbs(wall, 1e-6));
    CHECK(rows.at(Task::attempt, row) == attempt);
  }
  CHECK(rows.at(Task::cpu_of_process, 0) == 60);
  CHECK(rows.at(Task::cpu_of_process, 3) == 210);
  CHECK(rows.at(Task::rss_peak, 1) == 2900 * 1048576.0);
  CHECK(rows.at(Task::rss_peak, 3) == 900 * 1048576.0);
  CHECK(text(run, Task::address, 2) == "10.0.0.4:9618");
  // 60, 120, 60 and 240 s
  CHECK(note_of(run, "waited-for-slot") ==
        "jobs waited 1 min 30 s before they ran, by the median of 4; at most 4 min 0 s");
  CHECK(note_of(run, "incomplete").find("1 job waited, 0 ran and 1 were on hold") !=
        std::string::npos);
  CHECK(note_of(run, "memory-requested").starts_with("0 of 1 attempt"));
  CHECK(has_note(run, "no-year"));
  const Table failures = session.ask("failures");
  CHECK(failures.number("recovered", failures.row_of("exception", "Evicted")) == 1);
  CHECK(failures.number("recovered", failures.row_of("exception", "Held")) == 0);
}

TEST_CASE("The year of job events goes on where their dates begin anew") {
  std::string log =
      "000 (1.0.000) 12/31 23:59:00 Job submitted from host: <a:1>\n...\n"
      "001 (1.0.000) 12/31 23:59:30 Job executing on host: <b:1>\n...\n"
      "005 (1.0.000) 01/01 00:00:30 Job terminated.\n\t(1) Normal termination "
      "(return value 0)\n...\n";
  const OpenSession session("log", log);
  REQUIRE(session.run().recording.tasks.size() == 1);
  CHECK(session.run().recording.tasks.at(Task::wall, 0) == 60);
}

TEST_CASE("Job events as text, XML and JSON tell the same") {
  for (const std::string& log : {as_xml(), as_json()}) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{50}, log.size()}) {
      const OpenSession session(std::vector<File>{{"job.log", log}}, piece);
      const Run& run = session.run();
      REQUIRE(run.recording.tasks.size() == 1);
      CHECK(text(run, Task::error, 0) == "Held");
      CHECK(text(run, Task::message, 0) == "a < b & \"c\" (code 34)");
      CHECK(text(run, Task::address, 0) == "slot1_1@a.org");
      CHECK(run.recording.tasks.at(Task::wall, 0) == 120);
    }
  }
}

TEST_CASE("A log for each job makes one run") {
  const auto log = [](const std::string& job, const std::string& minute) {
    return event(0, job, "00:00", "Job submitted from host: <a:1>") +
           event(1, job, minute + ":00", "Job executing on host: <b:1>") +
           event(5, job, minute + ":30",
                 "Job terminated.\n\t(1) Normal termination (return value 0)");
  };
  const OpenSession session(
      {{"logs/7.0.log", log("7.0", "02")}, {"logs/7.1.log", log("7.1", "01")}});
  REQUIRE(session.runs() == 1);
  const Run& run = session.run();
  CHECK(run.recording.tasks.size() == 2);
  CHECK(core_seconds(session.ask("budget"), "task:job") == 60);
  const Table states = session.ask("task_states");
  CHECK(states.number("entered", states.row_of("state", "queued")) == 2);
  CHECK(states.number("most", states.row_of("state", "queued")) == 2);
}
