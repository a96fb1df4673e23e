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
using test::SmallRun;

namespace {

using Values = std::vector<std::pair<Task, double>>;

/// A row for each chunk, with what `values_of(chunk)` measured of it.
template <class ValuesOf>
void set_rows(SmallRun& small, const ValuesOf& values_of) {
  RecordedTables& rows = small.run.recording;
  rows.tasks = {};
  rows.chunk.clear();
  rows.tasks.resize(small.run.chunks.size());
  for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
    rows.tasks.of(Task::kind)[i] = small.id("chunk");
    rows.tasks.of(Task::wall)[i] = small.run.chunks.duration[i];
    for (const auto& [column, value] : values_of(i)) rows.tasks.of(column)[i] = value;
    rows.chunk.push_back(i);
  }
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
    return diagnose::looked_at_beside(small.run, finding);
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

  // One chunk of it does not tell how long it waited: nobody knows of all.
  small.run.recording.tasks.of(Task::run_delay)[0] = absent;
  const auto unsure = diagnose::looked_at_beside(small.run, finding);
  CHECK(looked(unsure, Suspect::for_cpu)->state == LookedAt::State::not_recorded);

  // Ten pages that had to come from a disk took up to 0.1 s, however short the requests were.
  const Values read{{Task::request_wait, 0.01}, {Task::major_faults, 0}};
  const Values mapped{{Task::request_wait, 0.01}, {Task::major_faults, 10}};
  CHECK(looked(with(read, much), Suspect::for_input)->state == LookedAt::State::ruled_out);
  CHECK(looked(with(mapped, much), Suspect::for_input) == nullptr);

  // Nothing is off the CPU: that says all of waiting.
  const auto busy = [&] {
    set_rows(small, [&](std::size_t i) {
      return Values{{Task::cpu, small.run.chunks.duration[i]}};
    });
    return diagnose::looked_at_beside(small.run, finding);
  }();
  REQUIRE(looked(busy, Suspect::off_cpu) != nullptr);
  CHECK(looked(busy, Suspect::off_cpu)->core_seconds == Approx(0).margin(1e-9));
  CHECK(looked(busy, Suspect::for_cpu) == nullptr);

  // Nothing is excluded beside a cost that nobody knows.
  finding.core_seconds = absent;
  CHECK(diagnose::looked_at_beside(small.run, finding).empty());
}

TEST_CASE("A rival that the evidence leaves open stands with what would tell") {
  SmallRun small;
  const diagnose::Finding finding{.cause = diagnose::FindingCause::slow_host,
                                  .core_seconds = 10,
                                  .open = {diagnose::FindingCause::slow_dataset}};
  std::size_t open = 0;
  for (const LookedAt& one : diagnose::looked_at_beside(small.run, finding)) {
    if (one.state != LookedAt::State::open) continue;
    ++open;
    CHECK(report::looked_at_text(finding, one) == "the same dataset from another host would tell");
  }
  CHECK(open == 1);
}
