// Dask's workers in jobs of HTCondor: which job is whose, by name, host and time, and what it says.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "core/model/worker_end.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

using namespace crema;
using namespace crema::test;

namespace {

constexpr double noon = 1777636800;  // [epoch s] 2026-05-01 12:00 UTC

/// A chunk of Dask's: its worker's address, host, [s] after noon of its begin and end; lost where
/// its worker went.
struct Chunk {
  std::string worker, host;
  double begin, end;
  bool is_lost = false;
};

/// What `crema.record` recorded of them, and of the workers that were removed, as Dask says it.
std::vector<File> recording(const std::vector<Chunk>& chunks) {
  using nlohmann::json;
  json strings = {"chunk", "Toy", "ok", "lost", "WorkerLost", "removed", "handle-worker-cleanup"};
  const auto text = [&](const std::string& value) {
    strings.push_back(value);
    return strings.size() - 1;
  };
  json tasks, changes = {{"begin", json::array()}};
  for (const Chunk& chunk : chunks) {
    const json worker = text(chunk.worker);
    const auto add = [&](const char* column, const json& value) { tasks[column].push_back(value); };
    add("kind", 0);
    add("function", 1);
    add("worker", worker);
    add("host", text(chunk.host));
    add("item", text("item-" + std::to_string(strings.size())));
    add("status", chunk.is_lost ? 3 : 2);
    add("error", chunk.is_lost ? json(4) : json());
    add("begin", chunk.begin * 1e6);
    add("wall", (chunk.end - chunk.begin) * 1e6);
    if (!chunk.is_lost) continue;
    changes["begin"].push_back(chunk.end * 1e6);
    changes["worker"].push_back(worker);
    changes["change"].push_back(5);
    changes["reason"].push_back(6);
  }
  const json part = {{"format", "crema_tasks_v1"}, {"epoch", noon},  {"rows", chunks.size()},
                     {"strings", strings},         {"tasks", tasks}, {"changes", changes}};
  const json index = {{"format", "crema_task_index_v1"},
                      {"state", "complete"},
                      {"begin", noon},
                      {"until", noon + 420},
                      {"rows", chunks.size()},
                      {"dropped", 0},
                      {"notes", json::array()},
                      {"parts", json::array()}};
  return {{"run/tasks.json", index.dump()}, {"run/tasks-000000.json", part.dump()}};
}

OpenSession beside(std::vector<File> files, const std::string& log) {
  files.push_back({"run/worker-12.log", log});
  return OpenSession(files);
}

/// An event of HTCondor's, so many seconds after 12:00 by its clock, which is `hours` ahead.
std::string event(const char* number, int job, int seconds, const std::string& text, int hours = 0,
                  bool has_year = true) {
  char line[64];
  std::snprintf(line, sizeof line, "%s (%d.000.000) %s %02d:%02d:%02d ", number, job,
                has_year ? "2026-05-01" : "05/01", 12 + hours + seconds / 3600, seconds / 60 % 60,
                seconds % 60);
  return line + text + "\n...\n";
}

std::string ran(int job, int begin, const std::string& host, const std::string& slot, int hours = 0,
                bool has_year = true) {
  return event("000", job, begin - 30, "Job submitted from host: <10.0.0.1:9618>", hours,
               has_year) +
         event("001", job, begin,
               "Job executing on host: <" + host + ":9618?addrs=y>\n\tSlotName: " + slot, hours,
               has_year);
}

const std::string held =
    "Job was held.\n\tError from slot1_1@a.site.org: Job has gone over cgroup memory limit of 2048 "
    "megabytes\n\tCode 34 Subcode 0";
const std::string removed = "Job was aborted.\n\tvia condor_rm (by user ada)";

// Worker a is seen from 70 to 200 s, when a chunk is lost with it; b from 80 to 400 s.
const std::vector<Chunk> chunks = {{"tcp://10.0.0.2:4001", "a.site.org", 70, 200, true},
                                   {"tcp://10.0.0.3:4002", "b", 80, 240},
                                   {"tcp://10.0.0.3:4002", "b", 240, 400}};

std::string log(int hours, bool has_year = true) {
  return ran(12, 60, "10.0.0.2", "slot1_1@a.site.org", hours, has_year) +
         ran(13, 65, "10.0.0.3", "slot1_2@b.site.org", hours, has_year) +
         event("012", 12, 205, held, hours, has_year) +
         event("009", 13, 410, removed, hours, has_year);
}

std::string note_of(const OpenSession& session, const char* id) {
  for (const DataNote& note : session.run().data_notes) {
    if (note.id == id) return note.message;
  }
  return {};
}

std::string job_of(const OpenSession& session, const std::string& worker) {
  const Table workers = session.ask("workers");
  return std::string(workers.text("job", workers.row_of("worker", worker)));
}

}  // namespace

TEST_CASE("A worker's job is the one on its host meanwhile, whose end is why it went") {
  const OpenSession session = beside(recording(chunks), log(0));
  CHECK(job_of(session, "tcp://10.0.0.2:4001") == "12.0");
  CHECK(job_of(session, "tcp://10.0.0.3:4002") == "13.0");
  CHECK(note_of(session, "workers-of-jobs") ==
        "2 of 2 workers ran in jobs of the batch system's log");
  // The jobs are no tasks: Dask's are.
  CHECK(session.run().workers.size() == 2);
  CHECK(session.run().recording.tasks.size() == 3);
  // b's job was removed when all was done; a's was held meanwhile
  const Table changes = session.ask("worker_changes");
  REQUIRE(changes.rows() == 1);
  CHECK(changes.text("worker", 0) == "tcp://10.0.0.2:4001");
  CHECK(changes.number("t", 0) == Approx(200));
  CHECK(worker_end(changes.text("reason", 0)) == WorkerEnd::job_memory);
  CHECK(words_of_job(changes.text("reason", 0)).starts_with("12.0, held: Error from slot1_1"));
  const Table failures = session.ask("failures");
  REQUIRE(failures.rows() == 1);
  CHECK(failures.text("text", 0).find(
            "worker went when its job was stopped for its memory (12.0, "
            "held: Error from slot1_1@a.site.org: Job has gone over cgroup "
            "memory limit of 2048 megabytes (code 34))") != std::string::npos);
  CHECK(failures.text("advice", 0).starts_with("Request more memory for a job"));
}

TEST_CASE("The log's clock is the one with which workers fit their jobs") {
  for (const int hours : {2, -6}) {
    const OpenSession session = beside(recording(chunks), log(hours));
    CHECK(job_of(session, "tcp://10.0.0.2:4001") == "12.0");
    CHECK(note_of(session, "workers-of-jobs")
              .find(hours > 0 ? "2 h 0 min ahead of" : "6 h 0 min behind") != std::string::npos);
    CHECK(note_of(session, "local-time").empty());
    CHECK(session.ask("worker_changes").text("reason", 0).starts_with("job-memory: 12.0"));
  }
  const OpenSession old = beside(recording(chunks), log(2, false));
  CHECK(job_of(old, "tcp://10.0.0.3:4002") == "13.0");
  CHECK(note_of(old, "workers-of-jobs").find("no year") != std::string::npos);
  CHECK(note_of(old, "no-year").empty());
}

TEST_CASE("Of two jobs on one host the nearer in time is the worker's, and that is told") {
  // Workers a and b of one host, 30 s apart; the job of the first is evicted at 160 s.
  const std::vector<Chunk> two = {{"tcp://10.0.0.2:4001", "a", 70, 150, true},
                                  {"tcp://10.0.0.2:4002", "a", 100, 390}};
  const std::string of_host =
      ran(12, 60, "10.0.0.2", "slot1_1@a") + ran(13, 90, "10.0.0.2", "slot1_2@a") +
      event("004", 12, 160, "Job was evicted.\n\tReason: PREEMPT") + event("009", 13, 400, removed);
  const OpenSession session = beside(recording(two), of_host);
  CHECK(job_of(session, "tcp://10.0.0.2:4001") == "12.0");
  CHECK(job_of(session, "tcp://10.0.0.2:4002") == "13.0");
  // 13 began 20 s after a's first task: only b might have been in either, and it outlived 12.
  CHECK(note_of(session, "workers-of-jobs") ==
        "2 of 2 workers ran in jobs of the batch system's log");
  const std::string later =
      ran(12, 60, "10.0.0.2", "slot1_1@a") + ran(13, 65, "10.0.0.2", "slot1_2@a") +
      event("004", 12, 160, "Job was evicted.\n\tReason: PREEMPT") + event("009", 13, 400, removed);
  const OpenSession either = beside(recording(two), later);
  CHECK(job_of(either, "tcp://10.0.0.2:4001") == "12.0");
  CHECK(note_of(either, "workers-of-jobs").find("for 1 of them other jobs on the same host fit") !=
        std::string::npos);
  const Table changes = either.ask("worker_changes");
  REQUIRE(changes.rows() == 1);
  CHECK(worker_end(changes.text("reason", 0)) == WorkerEnd::job_evicted);
}

TEST_CASE("Jobs in which nothing ran are told; a log of others changes nothing") {
  const std::string failed =
      log(0) + ran(14, 70, "10.0.0.9", "slot1_1@c.site.org") +
      event("005", 14, 72, "Job terminated.\n\t(1) Normal termination (return value 1)");
  const OpenSession session = beside(recording(chunks), failed);
  CHECK(note_of(session, "jobs-without-worker") ==
        "1 attempt at a job had no worker that is known: they failed before, or are others' (14.0, "
        "exit code 1)");
  const std::string others = ran(7, 60, "10.9.9.9", "slot1@z.org") + event("009", 7, 100, removed);
  const OpenSession apart = beside(recording(chunks), others);
  CHECK(note_of(apart, "jobs-not-matched").starts_with("no worker has host and time of a job"));
  CHECK(apart.ask("worker_changes").text("reason", 0) == "handle-worker-cleanup");
  CHECK(job_of(apart, "tcp://10.0.0.2:4001").empty());
}
