// Groups of chunks that are slow, and how candidates for them are judged.
#include <cmath>
#include <cstdint>
#include <map>

#include "catch.hpp"
#include "core/align/align.hpp"
#include "core/diagnose/anomaly_search.hpp"
#include "tests/core/recorded_run.hpp"

using namespace crema;
using recorded_columns::Branch;
using test::add;
using test::has;
using test::set_rows;
using test::SmallRun;
using test::Task;
using test::Values;

namespace {

const diagnose::Candidate* candidate(const std::vector<diagnose::Candidate>& all,
                                     diagnose::Anomaly::Kind kind, std::string_view name,
                                     bool is_tested = false) {
  for (const diagnose::Candidate& one : all)
    if (one.kind == kind && one.name == name && is_absent(one.tested) != is_tested) return &one;
  return nullptr;
}

std::vector<diagnose::Candidate> candidates(SmallRun& small) {
  small.run.facts = {};
  align::match_chunks(small.run);
  const diagnose::SearchedChunks searched(small.run);
  return diagnose::find_candidates(
      searched, {small.run.chunks.duration, std::vector<bool>(small.run.chunks.size(), false)});
}

}  // namespace

TEST_CASE("The half of the files that takes longer is told with what it reads") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  std::map<StringId, double> entries;  // so far, by file
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    c.file[i] = small.id("/data/" + std::string(small.run.text(c.dataset[i])) +
                         std::to_string(i / 12) + ".root");
    c.entry_start[i] = entries[c.file[i]];
    c.entry_stop[i] = entries[c.file[i]] += 10000;
  }
  CHECK(small.find("slow-half") == nullptr);
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    if (c.entry_start[i] >= entries[c.file[i]] / 2) small.stretch(i, 3), c.bytes_read[i] = 6e6;
  }
  REQUIRE(small.find("slow-half") != nullptr);
  CHECK(small.find("slow-half")->title ==
        "The second half of files took 3 times as long per event");
  CHECK(has(small.find("slow-half")->evidence, "They read 600 B for each event, others 200 B."));
}

TEST_CASE("A file whose requests take a hundred times as long is slow after three chunks") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  for (std::uint32_t i = 0; i < c.size(); ++i)
    c.file[i] = small.id("/data/" + std::string(small.run.text(c.dataset[i])) +
                         std::to_string(i / 12) + ".root");
  const StringId slow = c.file[60];
  const auto is_slow = [&](std::size_t i) { return c.file[i] == slow; };
  std::size_t chunks = 0;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    if (is_slow(i)) small.stretch(i, 3), ++chunks;
  }
  REQUIRE(chunks == 6);
  set_rows(small, [&](std::size_t i) {
    const double process = c.duration[i];
    return Values{
        {Task::process_wall, process},
        {Task::process_cpu, 0.95},
        {Task::requests, 10},
        {Task::request_wait, is_slow(i) ? 2 : 0.02 + 0.0001 * static_cast<double>(i % 7)}};
  });
  const auto* finding = small.find("slow-file");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence, "The extra time was waiting, not computing"));
  CHECK(has(finding->evidence, "A request for input took 200 ms, otherwise 2.03 ms"));

  // Another thread of the process computed for two of the three seconds.
  set_rows(small, [&](std::size_t i) {
    return Values{{Task::process_wall, c.duration[i]},
                  {Task::process_cpu, 0.95},
                  {Task::cpu, 0.95},
                  {Task::cpu_of_process, is_slow(i) ? 2.95 : 1.0}};
  });
  finding = small.find("slow-file");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence, "It waited while other threads of its process computed"));

  // It computed itself, of which a little more beside it is no other reason; and read, in 100
  // requests for its 10,000 events in place of 10.
  set_rows(small, [&](std::size_t i) {
    return Values{{Task::process_wall, c.duration[i]},
                  {Task::process_cpu, 0.95 * c.duration[i]},
                  {Task::cpu, 0.95 * c.duration[i]},
                  {Task::cpu_of_process, 0.95 * c.duration[i] + (is_slow(i) ? 0.1 : 0.01)},
                  {Task::read_wall, is_slow(i) ? 2.0 : 0.1},
                  {Task::requested_ranges, is_slow(i) ? 100 : 10},
                  {Task::requested_bytes, is_slow(i) ? 31000 : 700000}};
  });
  finding = small.find("slow-file");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence, "The extra time was computing"));
  CHECK(has(finding->evidence,
            "Most of it was reading events: 1,000 events took 10 ranges of 310 B, elsewhere 1 of "
            "70 kB."));
}

TEST_CASE("A host of one dataset whose files take longer to open is no matter of the dataset") {
  const auto text = [](double opening) {
    SmallRun small;
    Chunks& c = small.run.chunks;
    const auto is_far = [&](std::size_t i) { return small.run.text(c.dataset[i]) == "ttbar"; };
    for (std::uint32_t i = 0; i < c.size(); ++i) {
      c.file[i] = small.id(is_far(i) ? "https://far.edu/t" + std::to_string(i % 4)
                                     : "/data/d" + std::to_string(i % 4));
      if (is_far(i)) small.stretch(i, 3);
    }
    set_rows(small, [&](std::size_t i) {
      return Values{{Task::process_wall, c.duration[i]},
                    {Task::process_cpu, 0.95},
                    {Task::requests, 10},
                    {Task::request_wait, is_far(i) ? 2 : 0.02}};
    });
    for (std::size_t k = 0; k < 9; ++k) {
      const bool far = k == 3 || k == 5;
      const std::string number = std::to_string(k % 4);
      add(small.run.recording.tasks,
          {{Task::kind, small.id("file")},
           {Task::file, small.id((far ? "https://far.edu/t" : "/data/d") + number)},
           {Task::begin, 0.1 * static_cast<double>(k)},
           {Task::wall, far ? opening : 0.02}});
    }
    const auto* finding = small.find("slow-host");
    REQUIRE(finding != nullptr);
    return finding->title + " | " + finding->evidence;
  };
  CHECK(has(text(0.3),
            "A request for input took 200 ms, otherwise 2 ms. In pre-processing it took "
            "300 ms to open one of its files, meanwhile 20 ms for others."));
  CHECK_FALSE(has(text(0.3), "dataset |"));
  CHECK_FALSE(has(text(0.03), "pre-processing"));
  CHECK(has(text(0.03), ": the host, or its dataset |"));
  CHECK(has(text(0.03), "the data itself may be the cause"));
}

TEST_CASE("A section that takes longer in the operating system is no matter of its dataset") {
  const auto is_found = [](double system) {
    SmallRun small;
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool slow = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
      small.run.chunks.file[i] = small.id((slow ? "t" : "d") + std::to_string(i % 4));
      small.run.chunks.sections.push_back(
          {i, small.id("shift"), SectionValue::Kind::seconds, slow ? 0.8 : 0.2});
      small.run.chunks.sections.push_back({i, small.id("fill"), SectionValue::Kind::seconds, 0.8});
      if (slow) small.stretch(i, 1.6);
    }
    set_rows(small, [&](std::uint32_t i) {
      const bool slow = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
      return Values{{Task::system, slow ? system : 0.1}};
    });
    return small.find("slow-cell") != nullptr;
  };
  CHECK(is_found(0.1));
  // Of the 0.6 s that a chunk takes more half is most.
  CHECK(is_found(0.39));
  CHECK(!is_found(0.41));
}

TEST_CASE(
    "A dataset whose events hold more takes longer by its nature, not much longer than that") {
  // Events of ttbar hold `times` as much in the branch of which all is read but a twentieth.
  const auto told = [](double times, double seconds, double part = 0.95) {
    SmallRun small;
    set_rows(small, [](std::size_t) { return Values{}; });
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_ttbar = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
      if (is_ttbar) small.stretch(i, seconds);
      for (const char* branch : {"Jet_pt", "run"}) {
        const bool is_jets = branch[0] == 'J';
        const double bytes = 1e6 * (is_jets ? part : 1 - part) * (is_jets && is_ttbar ? times : 1);
        add(small.run.recording.branches, {{Branch::task, i},
                                           {Branch::branch, small.id(branch)},
                                           {Branch::compressed, bytes},
                                           {Branch::uncompressed, bytes}});
      }
    }
    const auto* finding = small.find("slow-dataset");
    return finding == nullptr ? std::string() : finding->evidence;
  };
  CHECK_FALSE(told(1, 2.5).empty());
  CHECK(told(2.6, 2.5).empty());
  CHECK(has(told(2.4, 2.5),
            "Its events hold more, too: half of their bytes are in branches with 2.4 times as "
            "many as in any other dataset."));
  CHECK_FALSE(has(told(1, 2.5), "hold more"));
  // A branch with few of the bytes says nothing.
  CHECK_FALSE(told(2.6, 2.5, 0.03).empty());
}

TEST_CASE("The slower half of files is so by its median, and is none of files in one chunk") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  std::map<StringId, double> entries;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    c.file[i] = small.id("/data/" + std::string(small.run.text(c.dataset[i])) +
                         std::to_string(i / 12) + ".root");
    c.entry_start[i] = entries[c.file[i]];
    c.entry_stop[i] = entries[c.file[i]] += 10000;
  }
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    const bool is_second = c.entry_start[i] >= entries[c.file[i]] / 2;
    const bool is_last = c.entry_stop[i] == entries[c.file[i]];
    small.stretch(i, is_second ? (is_last ? 6 : 3) : (c.entry_start[i] == 0 ? 1.5 : 1));
  }
  REQUIRE(small.find("slow-half") != nullptr);
  CHECK(small.find("slow-half")->title ==
        "The second half of files took 3 times as long per event");
  SmallRun whole;
  for (std::uint32_t i = 0; i < whole.run.chunks.size(); ++i) {
    whole.run.chunks.file[i] = whole.id("f" + std::to_string(i));
    whole.run.chunks.entry_start[i] = 0, whole.run.chunks.entry_stop[i] = 10000;
  }
  const diagnose::SearchedChunks searched(whole.run);
  CHECK(std::none_of(searched.groups.begin(), searched.groups.end(), [](const auto& group) {
    return group.kind == diagnose::Anomaly::Kind::half;
  }));
}

TEST_CASE("A moment is looked for among chunks that took a quarter longer at least") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
    small.run.chunks.file[i] = small.id("f" + std::to_string(i % 8));
  for (std::size_t w = 0; w < SmallRun::workers; ++w)
    for (std::size_t k = 10; k < 25; ++k) small.stretch(w * SmallRun::chunks_each + k, 1.4);
  const auto* finding = small.find("slow-moment");
  REQUIRE(finding != nullptr);
  CHECK(finding->core_seconds == Approx(60 * 0.4));
}

TEST_CASE("Two workers are held against each other in blocks of six chunks, by hand") {
  // 26 chunks by turns, of 1 and 2 s: each is h = ln 2 / 2 off the middle.
  SmallRun small;
  small.run.chunks = Chunks();
  for (std::size_t k = 0; k < 26; ++k) {
    small.add_chunk(0.1 * static_cast<double>(k), k % 2 == 0 ? 1 : 2, 10000, "data");
    small.add_task("P", k, k % 2, 0.1 * static_cast<double>(k),
                   0.1 * static_cast<double>(k) + (k % 2 == 0 ? 1 : 2), 1);
    small.run.tasks.thread.back() = static_cast<double>(k);
  }
  const auto all = candidates(small);
  const auto* slow = candidate(all, diagnose::Anomaly::Kind::worker, "tcp://10.0.0.1:1000", true);
  REQUIRE(slow != nullptr);
  CHECK(slow->log_factor == Approx(std::log(2.0)));
  // Four blocks of three each: 3 h, of variance 3 x 3 / 6 x 6 / 5 h^2; and one of one each.
  CHECK(slow->tested == Approx(13 / std::sqrt(4 * 1.8 + 1)));
  CHECK(slow->error == 1);
  CHECK(slow->core_seconds == Approx(13));
}

TEST_CASE("A moment was picked among as many as there are begins and ends; a host alone by all") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
    small.run.chunks.file[i] = small.id("f" + std::to_string(i % 8));
  for (std::size_t w = 0; w < SmallRun::workers; ++w)
    for (std::size_t k = 10; k < 17; ++k) small.stretch(w * SmallRun::chunks_each + k, 2.5);
  const auto all = candidates(small);
  const auto* moment = candidate(all, diagnose::Anomaly::Kind::moment, "");
  REQUIRE(moment != nullptr);
  CHECK(moment->tries == Approx(2 * 156.0 / 28));
  CHECK(moment->chunks.size() == 28);
  // ttbar is on a host of its own, in chunks of 8 s; all others take 1 to 5 s, 3 in the middle.
  SmallRun hosts;
  std::size_t number = 0;
  for (std::size_t i = 0; i < hosts.run.chunks.size(); ++i) {
    const bool is_far = hosts.run.text(hosts.run.chunks.dataset[i]) == "ttbar";
    hosts.run.chunks.file[i] = hosts.id(is_far ? "root://far//f.root" : "root://near//f.root");
    hosts.stretch(i, is_far ? 8 : 1 + static_cast<double>(number++ % 5));
  }
  const auto of_hosts = candidates(hosts);
  const auto* far = candidate(of_hosts, diagnose::Anomaly::Kind::host, "far");
  REQUIRE(far != nullptr);
  CHECK(far->stands_alone);
  CHECK(far->log_factor == Approx(std::log(8.0 / 3)));
}

TEST_CASE("A moment has eight chunks at least, and half of all at most") {
  const auto moment_of = [](std::size_t slow) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.file[i] = small.id("f" + std::to_string(i % 8));
    // One after the other by their begins: four at once, one of each worker.
    for (std::size_t i = 0; i < slow; ++i)
      small.stretch(i % 4 * SmallRun::chunks_each + 10 + i / 4, 2.5);
    const auto all = candidates(small);
    const auto* moment = candidate(all, diagnose::Anomaly::Kind::moment, "");
    return moment ? moment->chunks.size() : 0;
  };
  CHECK(moment_of(5) == 0);
  CHECK(moment_of(8) == 8);
  CHECK(moment_of(76) == 76);
  CHECK(moment_of(80) == 0);
}
