// What else could have cost as much as a finding says.
#include <cmath>

#include "catch.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/report/answer_text.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using diagnose::LookedAt;
using diagnose::Suspect;
using recorded_columns::Task;
using test::set_rows;
using test::SmallRun;

namespace {

using Values = std::vector<std::pair<Task, double>>;

std::vector<LookedAt> looked_at_beside(const Run& run, const diagnose::Finding& finding) {
  return diagnose::RivalAmounts(run).looked_at_beside(finding);
}

const LookedAt* looked(const std::vector<LookedAt>& all, Suspect suspect) {
  for (const LookedAt& one : all) {
    if (one.suspect == suspect) return &one;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("What took a tenth of a finding's cost in its chunks, or less, is ruled out") {
  SmallRun small;
  small.set_activity("thread-noncpu", 100);  // what Dask counted, of all tasks
  const StringId slow = small.run.chunks.dataset[0];
  double chunks = 0;
  for (const StringId dataset : small.run.chunks.dataset) chunks += dataset == slow ? 1 : 0;
  diagnose::Finding finding{.cause = diagnose::FindingCause::slow_dataset,
                            .selection = {.datasets = {std::string(small.run.text(slow))}},
                            .core_seconds = chunks};  // 1 s of each of its chunks
  const auto with = [&](const Values& own, const Values& others) {
    set_rows(small,
             [&](std::size_t i) { return small.run.chunks.dataset[i] == slow ? own : others; });
    return looked_at_beside(small.run, finding);
  };
  const Values much{{Task::collecting, 0.5}, {Task::system, 0.5}, {Task::run_delay, 0.5}};
  const Values little{{Task::collecting, 0.09}, {Task::system, 0.11}, {Task::run_delay, 0}};

  const auto all = with(little, much);
  REQUIRE(looked(all, Suspect::collecting) != nullptr);
  CHECK(looked(all, Suspect::collecting)->state == LookedAt::State::ruled_out);
  CHECK(looked(all, Suspect::collecting)->core_seconds == Approx(0.09 * chunks));
  CHECK(looked(all, Suspect::system) == nullptr);
  REQUIRE(looked(all, Suspect::for_cpu) != nullptr);
  CHECK(report::looked_at_text(finding, *looked(all, Suspect::for_cpu)) == "none");
  CHECK(looked(all, Suspect::for_input)->state == LookedAt::State::not_recorded);
  CHECK(looked(with(much, little), Suspect::collecting) == nullptr);

  // One chunk of it does not tell how long it waited, or has no row: nobody knows of all.
  with(little, much);
  small.run.recording.tasks.of(Task::run_delay)[0] = absent;
  const auto unsure = looked_at_beside(small.run, finding);
  CHECK(looked(unsure, Suspect::for_cpu)->state == LookedAt::State::not_recorded);
  CHECK(looked(unsure, Suspect::collecting)->state == LookedAt::State::ruled_out);
  small.run.recording.chunk[0] = no_row;
  CHECK(looked(looked_at_beside(small.run, finding), Suspect::collecting)->state ==
        LookedAt::State::not_recorded);

  // Pages that came from a disk were waited for without a request.
  const Values read{{Task::request_wait, 0.01}, {Task::open_wall, 0.02}, {Task::open_cpu, 0.01}};
  const Values mapped{{Task::request_wait, 0.01}, {Task::major_faults, 1}};
  CHECK(looked(with(read, much), Suspect::for_input)->state == LookedAt::State::ruled_out);
  CHECK(looked(with(mapped, much), Suspect::for_input) == nullptr);

  // Nothing is off the CPU: that says all of waiting.
  const auto busy = [&] {
    set_rows(small, [&](std::size_t i) {
      return Values{{Task::cpu, small.run.chunks.duration[i]}};
    });
    return looked_at_beside(small.run, finding);
  }();
  REQUIRE(looked(busy, Suspect::off_cpu) != nullptr);
  CHECK(looked(busy, Suspect::off_cpu)->core_seconds == Approx(0).margin(1e-9));
  CHECK(looked(busy, Suspect::for_cpu) == nullptr);

  // Nothing is excluded beside a cost that nobody knows.
  finding.core_seconds = absent;
  CHECK(looked_at_beside(small.run, finding).empty());
}

TEST_CASE("A rival that the evidence leaves open stands with what would tell") {
  SmallRun small;
  const diagnose::Finding finding{.cause = diagnose::FindingCause::slow_host,
                                  .core_seconds = 10,
                                  .open = {diagnose::FindingCause::slow_dataset}};
  std::size_t open = 0;
  for (const LookedAt& one : looked_at_beside(small.run, finding)) {
    if (one.state != LookedAt::State::open) continue;
    ++open;
    CHECK(report::looked_at_text(finding, one) == "the same dataset from another host would tell");
  }
  CHECK(open == 1);
}

TEST_CASE(
    "Idle cores are none of the client's, the scheduler's or exceptions where these are few") {
  using recorded_columns::Client;
  using recorded_columns::Machine;
  SmallRun small;  // four cores
  diagnose::Finding finding{.cause = diagnose::FindingCause::idle_unknown, .core_seconds = 20};
  const auto state_of = [&](Suspect suspect) {
    const auto all = looked_at_beside(small.run, finding);
    const LookedAt* one = looked(all, suspect);
    return one == nullptr ? std::string("–") : std::string(report::name_of(one->state));
  };
  CHECK(state_of(Suspect::client) == "not recorded");
  CHECK(state_of(Suspect::scheduler) == "–");  // there may be none
  small.run.recording.client.resize(1);
  small.run.recording.client.of(Client::cpu)[0] = 0.4;  // of four cores 1.6 core-s
  small.run.recording.machine.resize(1);
  small.run.recording.machine.of(Machine::lag)[0] = 0.6;
  CHECK(state_of(Suspect::client) == "ruled out");
  CHECK(state_of(Suspect::scheduler) == "–");  // 2.4 core-s: more than a tenth
  small.stream();
  CHECK(state_of(Suspect::failures) == "ruled out");
  small.run.tasks.exception.assign(small.run.tasks.size(), no_string);
  small.run.tasks.status[0] = small.id("error");
  small.run.tasks.t1[0] = small.run.tasks.t0[0] + 3;
  CHECK(state_of(Suspect::failures) == "–");
}

TEST_CASE("Opening ahead of the chunks counts beside files that are slow to open") {
  SmallRun small;
  set_rows(small, [&](std::size_t) { return Values{{Task::system, 0}}; });
  auto& tasks = small.run.recording.tasks;
  const std::size_t row = tasks.size();
  tasks.resize(row + 1);
  tasks.of(Task::kind)[row] = small.id("file");
  tasks.of(Task::system)[row] = 5;
  small.run.recording.chunk.push_back(no_row);
  const auto is_ruled_out = [&](diagnose::FindingCause cause) {
    const auto all = looked_at_beside(small.run, {.cause = cause, .core_seconds = 20});
    return looked(all, Suspect::system) != nullptr;
  };
  CHECK(is_ruled_out(diagnose::FindingCause::slow_host));
  CHECK_FALSE(is_ruled_out(diagnose::FindingCause::slow_opening));
}
