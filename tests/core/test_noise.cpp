#include <cmath>
#include <nlohmann/json.hpp>

#include "core/compare/compared_rows.hpp"
#include "core/compare/sides.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/predict/prediction.hpp"
#include "core/report/comparison_text.hpp"
#include "core/stats/p_value.hpp"
#include "core/stats/robust.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::stats;
using namespace crema::predict;
using namespace crema::compare;
using namespace crema::test;

namespace {

/// What a run spent beside process(), all of it idle [core-s].
std::map<OutsidePhase, double> idle(double seconds) {
  return {{{.kind = BudgetPart::Kind::idle}, seconds}};
}

/// Seconds of a chunk in a section: what a test says of dataset, section and chunk.
using Seconds = std::function<double(std::size_t dataset, std::size_t section, std::size_t chunk)>;

constexpr std::size_t chunks_each = 20;
constexpr double begin = 1795255200;  // [epoch s]

using FileOf = std::function<std::string(std::size_t dataset, std::size_t chunk)>;
std::string one_file_each(std::size_t dataset, std::size_t) {
  return "f" + std::to_string(dataset);
}

/// Two datasets of 20 chunks in one file each, three sections; every chunk has 1000 events.
std::string metrics(const Seconds& seconds, std::size_t events = 1000,
                    std::size_t chunks = chunks_each, const FileOf& file_of = one_file_each) {
  std::string list;
  double sum = 0;
  for (std::size_t d = 0; d < 2; ++d) {
    for (std::size_t i = 0; i < chunks; ++i) {
      std::string timing;
      double inside = 0;
      for (std::size_t s = 0; s < 3; ++s) {
        const double value = seconds(d, s, i);
        timing += (s == 0 ? "\"" : ", \"") + std::string(1, static_cast<char>('p' + s)) +
                  "\": " + std::to_string(value);
        inside += value;
      }
      list += std::string(list.empty() ? "" : ",\n") + R"({"t_start": )" +
              std::to_string(begin + sum) + R"(, "t_end": )" +
              std::to_string(begin + sum + inside) + R"(, "duration": )" + std::to_string(inside) +
              R"(, "num_events": )" + std::to_string(events) + R"(, "dataset": "d)" +
              std::to_string(d) + R"(", "file": ")" + file_of(d, i) + R"(", "entry_start": )" +
              std::to_string(i * events) + R"(, "entry_stop": )" +
              std::to_string((i + 1) * events) + R"(, "timing": {)" + timing + "}}";
      sum += inside;
    }
  }
  return R"({"elapsed_time_seconds": )" + std::to_string(sum) + R"(, "raw_chunk_metrics": [)" +
         list + "]}";
}

/// ± 2 %, alternating so that it cancels: no random numbers are needed.
double wobble(std::size_t d, std::size_t s, std::size_t i) {
  return (i + d + s) % 2 == 0 ? 1.02 : 0.98;
}

double usual(std::size_t d, std::size_t s, std::size_t i) {
  return static_cast<double>(s + 1) * wobble(d, s, i);
}

OpenSession sides(const std::vector<std::string>& runs) {
  std::vector<File> files;
  for (std::size_t i = 0; i < runs.size(); ++i)
    files.push_back({std::to_string(i) + "-run/metrics.json", runs[i]});
  return OpenSession(files);
}

std::string sentence_of(const Table& table) { return std::string(table.text_note("sentence")); }

std::string verdict_on(const Table& table, const std::string& id) {
  return std::string(table.text("verdict", table.row_of("id", id)));
}

}  // namespace

TEST_CASE("Benjamini and Hochberg: 0.01 and 0.02 of four are within 5 % x 1/4 and 2/4") {
  CHECK(benjamini_hochberg({0.01, 0.5, 0.02, 0.04}) == std::vector<bool>{true, false, true, false});
  // Twenty rows at 0.04 each: all of them are, or none; of one row 0.04 is a discovery.
  CHECK(benjamini_hochberg({0.04}) == std::vector<bool>{true});
  CHECK(benjamini_hochberg({0.04, 0.9}) == std::vector<bool>{false, false});
  // A row without noise is not one of the many.
  CHECK(benjamini_hochberg({0.04, absent}) == std::vector<bool>{true, false});
}

TEST_CASE("The value most agree on: a minority elsewhere does not move it") {
  const std::vector<double> values = {0.10, 0.11, 0.09, 0.10, 0.90, 0.95};
  const std::vector<double> errors(6, 0.02);
  CHECK(robust_mode(values, errors, 0.24).value == Approx(0.10).margin(0.01));
  // Of two that disagree, the one nearer to no change.
  CHECK(robust_mode(std::vector<double>{0, 0.5}, std::vector<double>{0.02, 0.02}, 0.24).value ==
        Approx(0).margin(0.01));
}

TEST_CASE(
    "Of as many votes for two values, the nearer to no change; small scatter decides nothing") {
  // Six cells at about 0, six at about 10 %: those at 10 % agree better with each other.
  const std::vector<double> values = {0,    0.01, -0.01, 0.02, -0.02, 0.01,
                                      0.10, 0.10, 0.10,  0.10, 0.10,  0.10};
  const RobustMode agreed = robust_mode(values, std::vector<double>(12, 0.015), 0.24, 0.25);
  CHECK(agreed.value == Approx(0).margin(0.01));
  CHECK(agreed.error < 0.02);
  // A third more votes are no tie.
  CHECK(
      robust_mode(std::vector<double>{0, 0, 0.1, 0.1, 0.1, 0.1}, std::vector<double>(6, 0.01), 0.24)
          .value == Approx(0.1));
  CHECK(is_absent(robust_mode({}, {}, 0.24).value));
}

TEST_CASE(
    "What of noise lasts: nothing of what alternates, all of a drift, and what few cannot tell") {
  std::vector<double> alternating, drift;
  for (int i = 0; i < 500; ++i) {
    alternating.push_back(i % 2 == 0 ? 1 : -1);
    drift.push_back(i < 250 ? 1 : -1);
  }
  Autocorrelation none, all, unknown;
  none.add(alternating, 1);
  all.add(drift, 1);
  unknown.add({1, -1, 1, -1}, 1);
  CHECK(none.share() < 0.1);
  CHECK(all.share() == 1);
  CHECK(unknown.share() == 1);              // as is assumed
  CHECK(none.dof() == unknown.dof() + 99);  // a hundred blocks of five
}

TEST_CASE("Elapsed time beside process(): idle cores and fewer cores, by hand") {
  // 2 cores for 10 s, 16 core-s of them in process(); then 1.5 cores for 16 s. On 2 cores and with
  // as much beside process() B would take 10 s, too: 6 s or 12 core-s more.
  const Spent a{.elapsed = 10, .process = 16, .available = 20, .outside = idle(4)};
  Spent b{.elapsed = 16, .process = 16, .available = 24, .outside = idle(8)};
  const Outside found = outside_of(a, b, 0);
  CHECK(found.elapsed == Approx(6));
  REQUIRE(found.causes.size() == 2);
  CHECK(found.causes[0].kind == Cause::Kind::cores);
  CHECK(report::label_of(found.causes[0]) == "1.5 cores instead of 2");
  CHECK(found.causes[0].seconds == Approx(8));
  CHECK(report::label_of(found.causes[1]) == "idle cores");
  CHECK(found.causes[1].seconds == Approx(4));
  // In process() everything is half as fast: whether that is so beside it is unknown. At
  // A's pace there B would take 18 s, at half of it 20 s: 19 s are no change.
  const Spent between{.elapsed = 19, .process = 32, .available = 38, .outside = idle(6)};
  CHECK(outside_of(a, between, std::log(2.0)).causes.empty());
  // Half as fast a machine: all of it is its pace.
  const Spent slower{.elapsed = 20, .process = 32, .available = 40, .outside = idle(8)};
  CHECK(outside_of(a, slower, std::log(2.0)).causes.empty());
  // Nine per cent are within what runs of one job differ by.
  b = {.elapsed = 10.9, .process = 16, .available = 21.8, .outside = idle(5.8)};
  CHECK(outside_of(a, b, 0).causes.empty());
}

TEST_CASE("From one elapsed time to the other by replay, by hand") {
  // A: 39 chunks of 1 s on each of 4 cores, from 0.5 s on; 40 s. B: of 1.5 s, from 5.5 s on, and
  // 6 s after the last one; 70 s. In both 2 core-s of the tasks are outside process().
  const SmallRun a;
  SmallRun b;
  b.run.elapsed = 70;
  b.set_activity("thread-cpu", 228);
  for (std::size_t i = 0; i < b.run.chunks.size(); ++i) {
    b.run.chunks.t_start[i] = 5.5 + 1.5 * static_cast<double>(i % SmallRun::chunks_each);
    b.stretch(i, 1.5);
  }
  const std::vector<double> inside(a.run.chunks.size(), 1.5);
  const ElapsedChange change = elapsed_change(a.run, b.run, inside, 0, {});
  REQUIRE(change.known());
  using StepKind = ElapsedChange::Step::Kind;
  std::map<StepKind, double> by;
  double sum = 0;
  for (const ElapsedChange::Step& step : change.steps) {
    by[step.kind] = step.seconds;
    sum += step.seconds;
  }
  CHECK(sum == Approx(30));
  CHECK(by[StepKind::process] == Approx(39 * 0.5));
  CHECK(change.with_process == Approx(59.5));
  CHECK(by[StepKind::start_up] == Approx(5));
  CHECK(by[StepKind::after_last_chunk] == Approx(5.5));
  for (const StepKind same : {StepKind::outside_process, StepKind::other_tasks, StepKind::gaps,
                              StepKind::workers, StepKind::lost_work, StepKind::not_replayed}) {
    CAPTURE(report::name_of(same));
    CHECK(by[same] == Approx(0).margin(1e-9));
  }
  // What the replay says of A is what is said beside process().
  const Spent of_a{.elapsed = 40, .process = 156, .available = 160, .outside = idle(2)};
  const Spent of_b{.elapsed = 70, .process = 234, .available = 280, .outside = idle(44)};
  const Outside beside = outside_of(of_a, of_b, 0, change);
  CHECK(beside.expected == Approx(59.5));
  CHECK(beside.elapsed == Approx(10.5));
}

TEST_CASE("A section half as slow again: the same elapsed time as whatif has") {
  const OpenSession session(
      std::vector<File>{{"a/metrics.json", read_test_file("local-4x1/metrics.json")},
                        {"a/start_end_time.txt", read_test_file("local-4x1/start_end_time.txt")}});
  const Run& run = session.run();
  const std::string name(session.ask("sections").text("name", 0));
  const WorkPart part = part_named(run, {}, "section:" + name);
  std::vector<double> inside = replay_trace_of(run, {}).inside;
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] += part.by_chunk[i] / 2;
  const double elapsed = elapsed_change(run, run, inside, 0, {}).with_process;
  CHECK(elapsed > replay_trace_of(run, {}).elapsed);
  CHECK(elapsed == Approx(predict_part(run, {}, part, 1.5).likely));
}

TEST_CASE("Replicates: assumed spread alone, and with what was measured") {
  // One run a side: sqrt(2) x 0.1.
  CHECK(between_runs(std::vector<double>{0}, std::vector<double>{1}, 0.1).error ==
        Approx(0.1 * std::sqrt(2.0)));
  // Two a side that spread by sqrt(0.02) each: (4 x 0.01 + 0.04) / 6, times 1/2 + 1/2.
  const BetweenRuns two =
      between_runs(std::vector<double>{0, 0.2}, std::vector<double>{1, 1.2}, 0.1);
  CHECK(two.error == Approx(std::sqrt((4 * 0.01 + 2 * 0.02) / 6)));
  CHECK(two.dof == 6);
  // Nothing assumed and nothing measured is nothing known.
  CHECK(is_absent(between_runs(std::vector<double>{0}, std::vector<double>{1}, absent).error));
}

TEST_CASE("All chunks 30 % slower: that is the machine's pace, and no part is judged") {
  const auto session = sides({metrics(usual), metrics([](auto d, auto s, auto i) {
                                return 1.3 * usual(d, s, i) * wobble(d, s + 1, i / 2);
                              })});
  const Table table = session.ask_all("verdict");
  CHECK(number_note(table, "common_factor") == Approx(1.3).epsilon(0.02));
  CHECK(sentence_of(table).find("B ") == 0);
  CHECK(has_part(sentence_of(table), "), within the assumed run-to-run spread. "));
  CHECK(table.rows() == 2);  // evenly, and what is left
  const Table compared = session.ask_all("compare");
  for (std::size_t row = 0; row < compared.rows(); ++row) {
    CAPTURE(compared.text("id", row));
    CHECK(compared.text("verdict", row).empty());
  }
}

TEST_CASE("Two small sections six times as long, the large one as before: no common factor") {
  const auto slow = [](double times) {
    return metrics(
        [times](auto d, auto s, auto i) { return (s == 2 ? 20 : times) * wobble(d, s, i); });
  };
  const auto session = sides({slow(1), slow(6)});
  const Table table = session.ask_all("verdict");
  CHECK(number_note(table, "common_factor") == Approx(1).margin(0.01));
  REQUIRE(table.rows() >= 3);
  for (const std::size_t row : {1, 2}) {
    CHECK(table.text("kind", row) == "section");
    CHECK(table.text("section", row) != "r");
    CHECK(table.number("seconds", row) == Approx(200).epsilon(0.03));  // 40 chunks, 5 s each
  }
}

TEST_CASE("One section of one dataset, the other way than the machine's pace: its cell is named") {
  // All 20 % faster; section q of d1 twice as slow: 20 chunks x 2 s x 0.8 = 32 s more.
  const auto session =
      sides({metrics(usual), metrics([](auto d, auto s, auto i) {
               return 0.8 * usual(d, s, i) * wobble(d, s + 1, i / 2) * (d == 1 && s == 1 ? 2 : 1);
             })});
  const Table table = session.ask_all("verdict");
  REQUIRE(table.rows() == 3);
  CHECK(table.text("kind", 1) == "dataset and section");
  CHECK(table.text("dataset", 1) == "d1");
  CHECK(table.text("section", 1) == "q");
  CHECK(table.number("seconds", 1) == Approx(32).epsilon(0.05));
  CHECK(table.number("ratio", 1) == Approx(2).epsilon(0.05));
  CHECK(table.number("chunks", 1) == 20);
  CHECK(sentence_of(table).find("section q of dataset d1") != std::string::npos);
}

TEST_CASE("A dataset 10 % slower, 2 % a chunk: worse, though its run is no slower than noise") {
  const auto session =
      sides({metrics(usual), metrics([](auto d, auto s, auto i) {
               return usual(d, s, i) * wobble(d, s + 1, i / 2) * (d == 1 ? 1.1 : 1);
             })});
  const Table compared = session.ask_all("compare");
  CHECK(verdict_on(compared, "dataset.d1") == "worse");
  CHECK(verdict_on(compared, "dataset.d0").empty());
  CHECK(verdict_on(compared, "total_cpu_time").empty());
  CHECK(session.ask_all("verdict").text("kind", 1) == "dataset");
}

TEST_CASE("A chunk that took 100 s longer is one chunk, and no change of its dataset") {
  const auto session = sides({metrics(usual), metrics([](auto d, auto s, auto i) {
                                return usual(d, s, i) + (d == 0 && s == 2 && i == 7 ? 100 : 0);
                              })});
  const Table table = session.ask_all("verdict");
  REQUIRE(table.rows() == 3);
  CHECK(table.text("kind", 1) == "chunk");
  CHECK(table.text("section", 1) == "r");
  CHECK(table.text("file", 1) == "f0, entries 7000–8000");
  CHECK(verdict_on(session.ask_all("compare"), "dataset.d0").empty());
}

TEST_CASE("A section that takes a tenth, but for one chunk, has no more less than it had") {
  // 20 chunks of 1 s take 0.1 s each, one of them 5 s: of A's 20 s at most 18 s are gone.
  const auto session = sides({metrics(usual), metrics([](auto d, auto s, auto i) {
                                if (d != 0 || s != 0) return usual(d, s, i);
                                return i == 7 ? 5 : 0.1 * usual(d, s, i);
                              })});
  const Table table = session.ask_all("verdict");
  const std::size_t row = table.row_of("kind", "dataset and section");
  REQUIRE(row < table.rows());
  CHECK(table.text("section", row) == "p");
  CHECK(table.number("seconds", row) == Approx(-18).epsilon(0.05));
}

TEST_CASE("Chunks of half the size, each with its own cost: no part is called better or worse") {
  // As many events in twice the chunks, each with the full cost: twice the time.
  const auto session =
      sides({metrics(usual),
             metrics([](auto d, auto s, auto i) { return usual(d, s, i); }, 500, 2 * chunks_each)});
  const Table table = session.ask_all("verdict");
  CHECK(table.rows() == 2);
  CHECK(
      sentence_of(table).find(
          ". B's chunks have another size (1,000 → 500 events) and are compared per event. A cost "
          "per chunk may explain what differs between its parts.") != std::string::npos);
}

TEST_CASE("Replicates tell what one run a side does not: a pace that is another's") {
  const auto run = [](double pace) {
    return metrics([=](auto d, auto s, auto i) { return pace * usual(d, s, i); });
  };
  const auto session = sides({run(1), run(1.01), run(0.99), run(1.2), run(1.21), run(1.19)});
  const Table replicated = session.ask_all("compare", option("runs_of_a", "3"));
  CHECK(replicated.number("a", replicated.row_of("id", "total_cpu_time")) ==
        Approx(240).epsilon(0.001));
  CHECK(replicated.text("verdict", replicated.row_of("id", "dataset.d0")).empty());
  const Table assumed =
      session.ask_all("compare", Options({{"runs_of_a", "3"}, {"run_spread", "0.01"}}));
  CHECK(verdict_on(assumed, "total_cpu_time") == "worse");
  CHECK_THROWS(session.ask_all("compare", option("runs_of_a", "6")));
}

TEST_CASE("What nothing tells the noise of has no verdict, nor what one run only has") {
  const auto session = sides({metrics(usual), metrics(usual)});
  const Table compared = session.ask_all("compare");
  for (std::size_t row = 0; row < compared.rows(); ++row) {
    if (is_absent(compared.number("noise", row))) CHECK(compared.text("verdict", row).empty());
  }
}

TEST_CASE("Of two files of a dataset one is 30 % slower: it is named, not the dataset") {
  const FileOf two_files = [](std::size_t d, std::size_t i) {
    return "f" + std::to_string(d) + (i < 12 ? "a" : "b");
  };
  const auto session =
      sides({metrics(usual, 1000, 20, two_files),
             metrics(
                 [](auto d, auto s, auto i) {
                   return usual(d, s, i) * wobble(d, s + 1, i / 2) * (d == 1 && i < 12 ? 1.3 : 1);
                 },
                 1000, 20, two_files)});
  const Table table = session.ask_all("verdict");
  REQUIRE(table.rows() == 3);
  CHECK(table.text("kind", 1) == "file");
  CHECK(table.text("file", 1) == "f1a");
  CHECK(table.number("ratio", 1) == Approx(1.3).epsilon(0.02));
}

TEST_CASE("Three chunks that were slow with all that ran around them: it was the moment") {
  const FileOf small_file = [](std::size_t d, std::size_t i) {
    return d == 0 && i >= 8 && i <= 10 ? "small" : "big" + std::to_string(d);
  };
  const auto slow_chunks = [&](std::size_t first, std::size_t last) {
    return metrics(
        [=](auto d, auto s, auto i) {
          return usual(d, s, i) * wobble(d, s + 1, i / 2) *
                 (d == 0 && i >= first && i <= last ? 1.6 : 1);
        },
        1000, 20, small_file);
  };
  const std::string a = metrics(usual, 1000, 20, small_file);
  const Table alone = sides({a, slow_chunks(8, 10)}).ask_all("verdict");
  REQUIRE(alone.rows() == 3);
  CHECK(alone.text("file", 1) == "small");
  CHECK(sides({a, slow_chunks(5, 13)}).ask_all("verdict").rows() == 2);
}

TEST_CASE("A dataset, or the moment it ran in: a burst that ends within it is not blamed on it") {
  // Three times as long: all of d1, or as many chunks that begin 4 before it and end 4 before its
  // end.
  const auto slow_from = [](std::size_t first, std::size_t last) {
    return metrics([=](auto d, auto s, auto i) {
      const std::size_t at = d * chunks_each + i;
      return usual(d, s, i) * (at >= first && at < last ? 3 : 1);
    });
  };
  const std::string a = metrics(usual);
  const Table aligned = sides({a, slow_from(20, 40)}).ask_all("compare");
  CHECK(verdict_on(aligned, "dataset.d1") == "worse");
  // in either run
  for (const OpenSession& burst : {sides({a, slow_from(16, 36)}), sides({slow_from(16, 36), a})}) {
    const Table rows = burst.ask_all("compare");
    const std::size_t row = rows.row_of("id", "dataset.d1");
    CHECK(verdict_on(rows, "dataset.d1").empty());
    CHECK(rows.text("note", row) == "unknown: it changed, or the machine did while it ran");
    const Table verdict = burst.ask_all("verdict");
    CHECK(std::string(verdict.text_note("limits"))
              .find(" in dataset d1 or in the moment it ran in") != std::string::npos);
  }
}

TEST_CASE("A run without a third of a dataset's chunks is no better run") {
  // d1 lacks chunks 13 to 19: less work, in less time; the rest as before.
  std::string less = metrics(usual, 1000, 20, one_file_each);
  const auto from =
      less.find(",\n", less.find(R"("dataset": "d1", "file": "f1", "entry_start": 12000)"));
  less.erase(from, less.rfind("]}") - from);
  const auto session = sides({metrics(usual), less});
  const Table compared = session.ask_all("compare");
  for (std::size_t row = 0; row < compared.rows(); ++row) {
    CAPTURE(compared.text("id", row));
    CHECK(compared.text("verdict", row).empty());
  }
  CHECK(compared.text("note", compared.row_of("id", "elapsed_time_seconds")) ==
        "not judged: parts of one run are missing in the other");
  CHECK(sentence_of(session.ask_all("verdict")).find("Not the same work: B has 17.5 % fewer") == 0);
}

TEST_CASE("The opening and the rows have one verdict") {
  // Sections q 8 % and r 40 % slower everywhere: both are rows, and both are causes.
  const auto session =
      sides({metrics(usual), metrics([](auto d, auto s, auto i) {
               return usual(d, s, i) * wobble(d, s + 1, i / 2) * (s == 1 ? 1.08 : s == 2 ? 1.4 : 1);
             })});
  const Table compared = session.ask_all("compare");
  const Table verdict = session.ask_all("verdict");
  std::size_t told = 0;
  for (std::size_t row = 0; row < compared.rows(); ++row) {
    if (compared.text("group", row) != "section" && compared.text("group", row) != "dataset")
      continue;
    const std::string_view id = compared.text("id", row);
    if (compared.text("verdict", row).empty() || id.ends_with(".total")) continue;
    ++told;
    CAPTURE(id);
    CHECK(verdict.row_of("section", id.substr(id.find('.') + 1)) < verdict.rows());
  }
  CHECK(told > 0);
  for (std::size_t row = 0; row < verdict.rows(); ++row) {
    if (verdict.text("kind", row) != "section") continue;
    CHECK(verdict_on(compared, "section." + std::string(verdict.text("section", row))) != "");
  }
}

/// One chunk after the other, each in a task, on worker 1 or, where `on_second` says so, worker 2.
std::vector<File> on_workers(const std::string& folder, const Seconds& seconds,
                             const std::function<bool(std::size_t)>& on_second) {
  std::string list;
  double at = begin;
  for (std::size_t k = 0; k < 2 * chunks_each; ++k) {
    double end = at;
    for (std::size_t s = 0; s < 3; ++s) end += seconds(k / chunks_each, s, k % chunks_each);
    list += std::string(list.empty() ? "" : ",") + R"({"worker": "tcp://10.0.0.1:)" +
            (on_second(k) ? "2" : "1") +
            R"(", "thread": 1, "nbytes": 1, "status": "OK", "key": "P-)" + std::string(30, 'a') +
            std::to_string(10 + k) + R"(", "startstops": [{"action": "compute", "start": )" +
            std::to_string(at) + R"(, "stop": )" + std::to_string(end) + "}]}";
    at = end;
  }
  return {{folder + "/metrics.json", metrics(seconds)},
          {folder + "/task_stream.json", "[" + list + "]"}};
}

/// Those chunks take `times` as long.
Seconds slow_chunks_of(const std::function<bool(std::size_t)>& on_second, double times) {
  return [=](std::size_t d, std::size_t s, std::size_t i) {
    const std::size_t k = d * chunks_each + i;
    return usual(d, s, i) * (on_second(k) ? times * wobble(d, s + 1, i / 2) : 1);
  };
}

Table verdict_on_workers(const std::function<bool(std::size_t)>& second_of_a, double slow_a,
                         const std::function<bool(std::size_t)>& second_of_b, double slow_b) {
  std::vector<File> files = on_workers("1-a", slow_chunks_of(second_of_a, slow_a), second_of_a);
  for (File& file : on_workers("2-b", slow_chunks_of(second_of_b, slow_b), second_of_b))
    files.push_back(std::move(file));
  return OpenSession(files).ask_all("verdict");
}

bool every_other(std::size_t k) { return k % 2 == 1; }
bool every_sixth(std::size_t k) { return k % 6 == 3; }

TEST_CASE("Chunks of one of two workers 30 % slower: the worker is named, by the task stream") {
  const Table table = verdict_on_workers(every_other, 1, every_other, 1.3);
  REQUIRE(table.rows() == 3);
  CHECK(table.text("kind", 1) == "worker");
  CHECK(table.text("label", 1) == "worker tcp://10.0.0.1:2");
  CHECK(table.number("ratio", 1) == Approx(1.3).epsilon(0.03));
  CHECK(table.number("chunks", 1) == 20);
  CHECK(number_note(table, "common_factor") == Approx(1).margin(0.01));
}

TEST_CASE("A slow worker has few chunks, because it is slow: seven are enough to name it") {
  const Table table = verdict_on_workers(every_other, 1, every_sixth, 2);
  REQUIRE(table.rows() == 3);
  CHECK(table.text("label", 1) == "worker tcp://10.0.0.1:2");
  CHECK(table.number("chunks", 1) == 7);
  // The rest is told by the other worker alone: it took what it took before.
  CHECK(number_note(table, "common_factor") == Approx(1).margin(0.01));
}

TEST_CASE("A slow worker that ran most of one file is no less slow for that") {
  // Of the first file's 20 chunks it ran 10, of the second's 15, whose median is its own.
  const Table table = verdict_on_workers(
      every_other, 1, [](std::size_t k) { return k < 20 ? k % 2 == 1 : k % 4 != 0; }, 1.6);
  CHECK(table.text("label", 1) == "worker tcp://10.0.0.1:2");
  CHECK(table.number("chunks", 1) == 25);
  CHECK(table.number("ratio", 1) > 1.5);
}

TEST_CASE("A worker as slow as one of A's is nothing new") {
  // Chunks that A's usual worker ran: one by one they take twice as long, and so did others in A.
  const auto of_usual = [](std::size_t k) { return k % 6 == 2; };
  CHECK(verdict_on_workers(every_other, 1, of_usual, 2).row_of("kind", "worker") == 1);
  const Table table = verdict_on_workers(every_other, 2, of_usual, 2);
  CHECK(table.row_of("kind", "worker") == table.rows());
}

/// Of two workers, the first chunks of all take so much longer [s] in section r.
Seconds longer_at_first(std::vector<std::size_t> firsts, double longer) {
  return [=](std::size_t d, std::size_t s, std::size_t i) {
    const bool is_first =
        std::find(firsts.begin(), firsts.end(), d * chunks_each + i) != firsts.end();
    return usual(d, s, i) + (is_first && s == 2 ? longer : 0);
  };
}

TEST_CASE("What workers began with is told as that, and as nothing where they did so before") {
  const auto verdict = [](double longer_in_a, const std::function<bool(std::size_t)>& second_of_b,
                          std::vector<std::size_t> firsts_of_b) {
    std::vector<File> files = on_workers("1-a", longer_at_first({0, 1}, longer_in_a), every_other);
    for (File& file : on_workers("2-b", longer_at_first(std::move(firsts_of_b), 60), second_of_b))
      files.push_back(std::move(file));
    return OpenSession(files).ask_all("verdict");
  };
  // Two workers, 60 s longer each.
  const Table longer = verdict(0, every_other, {0, 1});
  REQUIRE(longer.rows() == 3);
  CHECK(longer.text("kind", 1) == "first chunks");
  CHECK(longer.text("section", 1) == "r");
  CHECK(longer.number("seconds", 1) == Approx(120).epsilon(0.01));
  CHECK(sentence_of(longer).find(
            "+120 core-s (100 %) in the first chunks of workers in section r.") !=
        std::string::npos);
  // Worker 2 begins with the fourth chunk instead of the second: no chunk and no file is slower.
  const Table moved = verdict(60, every_sixth, {0, 3});
  CHECK(moved.rows() == 2);
  CHECK(number_note(moved, "common_factor") == Approx(1).margin(0.01));
}

TEST_CASE("Files that were exchanged and are slower are named, though all else changed then, too") {
  const auto with_files = [](const std::string& place, double slower, double meanwhile) {
    return metrics(
        [=](auto d, auto s, auto i) {
          return usual(d, s, i) * (d == 0 || i < 8 ? 1 : i < 12 ? meanwhile : slower);
        },
        1000, 20,
        [=](std::size_t d, std::size_t i) {
          return d == 0   ? std::string("/base/f0")
                 : i < 12 ? std::string("/base/f1")
                          : place + (i < 16 ? "f2" : "f3");
        });
  };
  const auto verdict = [&](const std::string& place) {
    return sides({with_files("/base/", 1, 1), with_files(place, 2, 2)}).ask_all("verdict");
  };
  // Of 40 chunks of 6 s eight are of other files; four more were as slow just before.
  const Table table = verdict("/skim/");
  REQUIRE(table.rows() >= 3);
  CHECK(table.text("label", 1) == "files that were exchanged, /skim/f2 and 1 more");
  CHECK(table.number("chunks", 1) == 8);
  CHECK(table.number("ratio", 1) == Approx(2 / (36 / 32.0)));  // the rest: 28 as before, four not
  // Where they are the same files it can be the moment.
  const Table same = verdict("/base/");
  CHECK(same.row_of("kind", "file") == same.rows());
}

TEST_CASE("Chunks that ran again are no further events") {
  // Two of 40 chunks of 6 s, once more.
  nlohmann::json again = nlohmann::json::parse(metrics(usual));
  for (const std::size_t k : {0, 1}) {
    nlohmann::json chunk = again["raw_chunk_metrics"][k];
    for (const char* time : {"t_start", "t_end"}) chunk[time] = chunk[time].get<double>() + 1000;
    again["raw_chunk_metrics"].push_back(chunk);
  }
  const Table table = sides({metrics(usual), again.dump()}).ask_all("verdict");
  REQUIRE(table.rows() == 3);
  CHECK(table.text("kind", 1) == "unpaired");
  CHECK(table.text("label", 1) == "chunks that ran again");
  CHECK(table.number("seconds", 1) == Approx(12).epsilon(0.02));
  CHECK(sentence_of(table).find("Not the same work") == std::string::npos);
}

TEST_CASE("A port that is another one each time is no other place") {
  const auto at = [](const std::string& host, double slower) {
    return metrics(
        [=](auto d, auto s, auto i) { return slower * usual(d, s, i); }, 1000, chunks_each,
        [=](std::size_t d, std::size_t i) { return "http://" + host + "/" + one_file_each(d, i); });
  };
  const auto is_elsewhere = [&](const std::string& a, const std::string& b) {
    const Table table = sides({at(a, 1), at(b, 1.1)}).ask_all("verdict");
    return table.text_note("limits").find(", " + a + " → " + b) != std::string_view::npos;
  };
  CHECK_FALSE(is_elsewhere("127.0.0.1:32768", "127.0.0.1:60999"));
  CHECK(is_elsewhere("127.0.0.1:1094", "127.0.0.1:32767"));
  CHECK(is_elsewhere("near:1094", "far:1094"));
}

TEST_CASE(
    "Where no part has a name, process() took what it took: its sum, not what most cells say") {
  // Most cells say 20 %; 105 s are 5 % more than 100 s.
  SpeedRatio speed;
  speed.factor = std::log(1.2);
  speed.paired = true;
  speed.seconds_a = 100;
  speed.seconds_b = 105;
  std::vector<Cause> causes = {{.kind = Cause::Kind::evenly}, {.kind = Cause::Kind::unexplained}};
  settle_on_rest(speed, causes, {.process = 100}, {.process = 105});
  CHECK(speed.factor == Approx(std::log(1.05)));
  CHECK(causes[0].seconds == Approx(5));
  CHECK(causes[1].seconds == Approx(0).margin(1e-9));
}

TEST_CASE("Settings of the workers that differ are named one by one, threads of libraries first") {
  const auto config = [](int threads, double spill) {
    return R"({"recorded_by": "crema", "settings": [{"workers": 2, "settings": {"memory.spill": )" +
           std::to_string(spill) + R"(, "OPENBLAS_NUM_THREADS": ")" + std::to_string(threads) +
           R"("}}]})";
  };
  const auto slower = [](auto d, auto s, auto i) { return 1.5 * usual(d, s, i); };
  const OpenSession session(std::vector<File>{{"1-a/metrics.json", metrics(usual)},
                                              {"1-a/config.json", config(1, 0.7)},
                                              {"2-b/metrics.json", metrics(slower)},
                                              {"2-b/config.json", config(8, 0.5)}});
  const Table rows = session.ask_all("compare");
  const std::size_t row = rows.row_of("id", "setup.OPENBLAS_NUM_THREADS");
  REQUIRE(row < rows.rows());
  CHECK(rows.text("a_text", row) == "1");
  CHECK(rows.text("b_text", row) == "8");
  CHECK(rows.row_of("id", "setup.config") == rows.rows());
  CHECK(rows.row_of("id", "setup.memory.spill") > row);
  CHECK(sentence_of(session.ask_all("verdict"))
            .find("possibly OPENBLAS_NUM_THREADS 1 → 8, or a machine of another speed") !=
        std::string::npos);
}

TEST_CASE("Of two runs on the same machine, a verdict names it, and no other machine") {
  const auto tasks_on = [](const std::string& host) {
    return R"({"format": "crema_tasks_v1", "epoch": 1700000000, "rows": 1, "strings": ["chunk", ")" +
           host + R"("], "tasks": {"kind": [0], "host": [1]}})";
  };
  const std::string index =
      R"({"format": "crema_task_index_v1", "state": "complete", "begin": 1700000000,
          "until": 1700000010, "rows": 1, "dropped": 0, "notes": [], "parts": []})";
  const auto slower = [](auto d, auto s, auto i) { return 1.5 * usual(d, s, i); };
  const auto verdict = [&](const std::string& host_of_b) {
    const OpenSession session(std::vector<File>{{"1-a/metrics.json", metrics(usual)},
                                                {"1-a/tasks.json", index},
                                                {"1-a/tasks-000000.json", tasks_on("n1")},
                                                {"2-b/metrics.json", metrics(slower)},
                                                {"2-b/tasks.json", index},
                                                {"2-b/tasks-000000.json", tasks_on(host_of_b)}});
    return sentence_of(session.ask_all("verdict"));
  };
  CHECK(verdict("n1").find("possibly n1 at another speed") != std::string::npos);
  CHECK(verdict("n2").find("possibly a machine of another speed") != std::string::npos);
}

TEST_CASE("A share of process() that rises because process() takes longer is not called better") {
  // Three runs a side, in 100 s: 240 core-s in process(), then 312.
  const auto run = [](double pace) {
    nlohmann::json made = nlohmann::json::parse(
        metrics([=](auto d, auto s, auto i) { return pace * usual(d, s, i); }));
    made["elapsed_time_seconds"] = 100;
    return made.dump();
  };
  std::vector<File> files;
  for (const double pace : {0.99, 1.0, 1.01, 1.29, 1.3, 1.31})
    files.push_back({std::to_string(files.size()) + "-run/metrics.json", run(pace)});
  const Table rows = OpenSession(files).ask_all(
      "compare", Options(std::map<std::string, std::string>{{"runs_of_a", "3"}}));
  const std::size_t row = rows.row_of("id", "speedup_factor");
  CHECK(rows.number("a", row) == Approx(2.4));
  CHECK(rows.number("b", row) == Approx(3.12));
  CHECK(rows.text("verdict", row).empty());
  CHECK(rows.text("note", row) == "not judged: it follows the time in process()");
}

/// A drawn call tree as Dask writes it; functions are in /home/u/ana.py, "np" is NumPy's.
std::string dask_profile(const std::string& drawing) {
  Names names;
  const CallTree tree = drawn_tree(names, drawing);
  std::vector<nlohmann::json> nodes(tree.size());
  for (std::size_t i = tree.size(); i-- > 0;) {
    const std::string name(names.strings[names.frames.name[tree.frame[i]]]);
    const std::string file = i == 0         ? ""
                             : name == "np" ? "/v/site-packages/numpy/core.py"
                                            : "/home/u/ana.py";
    nodes[i]["count"] = tree.count[i];
    nodes[i]["identifier"] = i == 0 ? "root" : name + ";" + file + ";1";
    nodes[i]["description"] = {
        {"filename", file}, {"name", i == 0 ? "" : name}, {"line_number", 1}, {"line", ""}};
    if (!nodes[i].contains("children")) nodes[i]["children"] = nlohmann::json::object();
    if (i > 0)
      nodes[tree.parent[i]]["children"][nodes[i]["identifier"].get<std::string>()] = nodes[i];
  }
  return nodes[0].dump();
}

/// process() with functions f and g, all samples of which were taken in NumPy.
std::string two_functions(int f, int g) {
  const auto count = [](int samples) { return std::to_string(samples) + "\n"; };
  return dask_profile("root " + count(f + g) + "  process " + count(f + g) + "    f " + count(f) +
                      "      np 0\n    g " + count(g) + "      np 0\n");
}

TEST_CASE("Sections that changed are all named, also one whose name is part of another's") {
  // In 20 chunks of d0 "fatjets" (q) takes 6 s instead of 2 s, in 20 of d1 "jets" (p) 3 s instead
  // of 1 s.
  const auto slower = [](auto d, auto s, auto i) { return usual(d, s, i) * (d + s == 1 ? 3 : 1); };
  const auto named = [](std::string text) {
    for (const auto& [from, to] :
         {std::pair("\"p\"", "\"jets\""), std::pair("\"q\"", "\"fatjets\"")}) {
      for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
        text.replace(at, 3, to);
    }
    return text;
  };
  const OpenSession session(std::vector<File>{{"1-a/metrics.json", named(metrics(usual))},
                                              {"1-a/profile.json", two_functions(12000, 12000)},
                                              {"2-b/metrics.json", named(metrics(slower))},
                                              {"2-b/profile.json", two_functions(24000, 12000)}});
  const Table table = session.ask_all("verdict");
  const std::size_t row = table.row_of("kind", "own function");
  REQUIRE(row < table.rows());
  CHECK(table.text("section", row) == "fatjets, jets");
}

TEST_CASE("What the profile says of a change: a function, or who calls what cannot be told apart") {
  // 240 s in process(); in B section r takes 1.4 times its 120 s: 48 s more.
  const auto slower = [](auto d, auto s, auto i) { return usual(d, s, i) * (s == 2 ? 1.4 : 1); };
  const auto verdict = [&](const std::string& a, const std::string& b) {
    const OpenSession session(std::vector<File>{{"1-a/metrics.json", metrics(usual)},
                                                {"1-a/profile.json", dask_profile(a)},
                                                {"2-b/metrics.json", metrics(slower)},
                                                {"2-b/profile.json", dask_profile(b)}});
    return session.ask_all("verdict");
  };
  const auto tree = [](int process, int f, int g) {
    const auto line = [](int depth, const char* name, int count) {
      return std::string(static_cast<std::size_t>(depth) * 2, ' ') + name + " " +
             std::to_string(count) + "\n";
    };
    return line(0, "root", process) + line(1, "process", process) + line(2, "f", f) +
           line(3, "np", 0) + line(2, "g", g) + line(3, "np", 0);
  };
  // All samples of f and g were taken in what they call: 48 s = 4800 of 28800 samples in 288 s.
  const Table certain = verdict(tree(24000, 12000, 12000), tree(28800, 16800, 12000));
  const std::size_t row = certain.row_of("kind", "own function");
  REQUIRE(row < certain.rows());
  CHECK(certain.text("label", row) == "f (ana.py)");
  CHECK(certain.number("seconds", row) == Approx(48));
  CHECK(certain.number("low", row) == Approx(48));
  CHECK(certain.number("high", row) == Approx(48));
  CHECK(certain.text("section", row) == "r");
  // One change is said once.
  CHECK(sentence_of(certain).find(
            "in section r: 40 chunks, +1.2 s each. According to the profile, that is f "
            "(ana.py) or what it calls: +48 core-s") != std::string::npos);
  // That as much more was in f does not say that it was in the dataset that took it.
  const auto of_dataset = [](auto d, auto s, auto i) {
    return usual(d, s, i) * (d == 1 ? 1.4 : 1);
  };
  const OpenSession beside(
      std::vector<File>{{"1-a/metrics.json", metrics(usual)},
                        {"1-a/profile.json", dask_profile(tree(24000, 12000, 12000))},
                        {"2-b/metrics.json", metrics(of_dataset)},
                        {"2-b/profile.json", dask_profile(tree(28800, 16800, 12000))}});
  CHECK(sentence_of(beside.ask_all("verdict"))
            .find("in dataset d1: 20 chunks, +2.4 s each. According to the profile, f (ana.py) or "
                  "what it calls took +48 core-s") != std::string::npos);
  // 16000 samples were taken in f itself or in g itself: nobody knows in which.
  const Table open = verdict(tree(24000, 4000, 4000), tree(28800, 8000, 4800));
  REQUIRE(open.row_of("kind", "own function") == row);
  CHECK(open.text("label", row) == "process (ana.py), most likely f (ana.py)");
  CHECK(is_absent(open.number("low", row)));
  CHECK(open.number("seconds", row) == Approx(48).epsilon(0.01));  // as section r has it
  CHECK(sentence_of(open).find("the change is in process (ana.py) or what it calls, most likely f "
                               "(ana.py).") != std::string::npos);
  // Own functions are shown as in the tree of core-time, which shares all of process() out.
  const auto compared = [&](const std::string& a) {
    const OpenSession session(std::vector<File>{{"1-a/metrics.json", metrics(usual)},
                                                {"1-a/profile.json", dask_profile(a)},
                                                {"2-b/metrics.json", metrics(slower)},
                                                {"2-b/profile.json", dask_profile(a)}});
    const Table rows = session.ask_all("compare");
    return std::pair(rows.number("a", rows.row_of("id", "own.total")),
                     rows.number("a", rows.row_of("id", "frame.total")));
  };
  CHECK(compared(tree(24000, 4000, 4000)).first == Approx(240));
  CHECK(compared(tree(24000, 4000, 4000)).second == Approx(240));
  // As many samples as were open are not enough to make f's part uncertain: at least 40 s more.
  const Table bounded = verdict(tree(24000, 11600, 11600), tree(28800, 16400, 11600));
  CHECK(bounded.text("label", row) == "f (ana.py)");
  CHECK(bounded.number("low", row) == Approx(40));
  CHECK(bounded.number("high", row) ==
        Approx(48).epsilon(0.02));  // as much as r has, and its error
}

TEST_CASE("A function that only B has is named by its outermost caller that only B has") {
  const auto slower = [](auto d, auto s, auto i) { return usual(d, s, i) * (s == 2 ? 1.4 : 1); };
  const OpenSession session(std::vector<File>{
      {"1-a/metrics.json", metrics(usual)},
      {"1-a/profile.json", dask_profile("root 24000\n  process 24000\n    f 24000\n      np 0\n")},
      {"2-b/metrics.json", metrics(slower)},
      {"2-b/profile.json",
       dask_profile("root 28800\n  process 28800\n    f 24000\n      np 0\n    settle 4800\n"
                    "      busy 4800\n        np 0\n")}});
  const Table table = session.ask_all("verdict");
  const std::size_t row = table.row_of("kind", "own function");
  REQUIRE(row < table.rows());
  CHECK(table.text("label", row) == "settle (ana.py), hardly seen in A, most likely busy (ana.py)");
  CHECK(table.number("seconds", row) == Approx(48));
}

TEST_CASE(
    "A part that changed by less than 1 % of process() has a verdict, and is no explanation") {
  // 200.8 s in process(); section p takes 2 s instead of 0.8: 1.2 s are 0.6 % of it
  const auto with_p = [](double seconds) {
    return [seconds](auto d, auto s, auto i) {
      return s == 0 ? seconds * wobble(d, s, i) : usual(d, s, i);
    };
  };
  const OpenSession session = sides({metrics(with_p(0.02)), metrics(with_p(0.05))});
  CHECK(verdict_on(session.ask_all("compare"), "section.p") == "worse");
  const Table table = session.ask_all("verdict");
  CHECK(table.row_of("kind", "section") == table.rows());
  CHECK(sentence_of(table).find("section p") == std::string::npos);
  CHECK(table.text_note("limits").find("without explaining it: section p, +1.2 core-s") !=
        std::string::npos);
}

TEST_CASE("A function that B does not have took what it took, however much slower B is") {
  // 240 s in process(), 120 of them in section r, all in f; B is without, and else 1.5 times slower
  const auto without = [](auto d, auto s, auto i) { return s == 2 ? 0 : 1.5 * usual(d, s, i); };
  const auto own = [](const char* name, int samples) {
    return "  process " + std::to_string(samples) + "\n    " + name + " " +
           std::to_string(samples) + "\n      np 0\n";
  };
  const OpenSession session(std::vector<File>{
      {"1-a/metrics.json", metrics(usual)},
      {"1-a/profile.json",
       dask_profile(
           "root 24000\n  process 24000\n    g 12000\n      np 0\n    f 12000\n      np 0\n")},
      {"2-b/metrics.json", metrics(without)},
      {"2-b/profile.json", dask_profile("root 18000\n" + own("g", 18000))}});
  const Table table = session.ask_all("verdict");
  CHECK(number_note(table, "common_factor") == Approx(1.5).epsilon(0.02));
  const std::size_t row = table.row_of("kind", "own function");
  REQUIRE(row < table.rows());
  CHECK(table.text("label", row) == "f (ana.py), hardly seen in B");
  CHECK(table.number("seconds", row) == Approx(-120).epsilon(0.01));
  CHECK(table.text("section", row) == "r");
}

TEST_CASE("A file that was replaced by a slower one: its chunks do not pair, and are told apart") {
  const auto with_file = [](const std::string& second, double slower) {
    return metrics(
        [=](auto d, auto s, auto i) { return usual(d, s, i) * (d == 1 && i >= 12 ? slower : 1); },
        1000, 20,
        [=](std::size_t d, std::size_t i) {
          return d == 1 && i >= 12 ? second : "f" + std::to_string(d);
        });
  };
  const auto session = sides({with_file("zlib", 1), with_file("lzma", 2)});
  const Table table = session.ask_all("verdict");
  REQUIRE(table.rows() == 3);
  CHECK(table.text("kind", 1) == "unpaired");
  CHECK(table.number("seconds", 1) == Approx(8 * 6).epsilon(0.01));  // 8 chunks, 6 s more each
  CHECK(sentence_of(table).find("in chunks that only one of the runs has") != std::string::npos);
}

TEST_CASE("Files that lie elsewhere: chunks pair by name, and sections may wait otherwise") {
  const auto at = [](const std::string& place) {
    return [=](std::size_t d, std::size_t i) { return place + one_file_each(d, i); };
  };
  // All 10 % slower, and section r, which reads, 80 %.
  const auto slower = [](auto d, auto s, auto i) { return usual(d, s, i) * (s == 2 ? 1.8 : 1.1); };
  const Table table = sides({metrics(usual, 1000, chunks_each, at("/data/")),
                             metrics(slower, 1000, chunks_each, at("root://far//"))})
                          .ask_all("verdict");
  CHECK(table.rows() == 2);  // evenly, and what is left
  CHECK(number_note(table, "common_factor") == Approx((1.1 + 2.2 + 5.4) / 6).epsilon(0.01));
  CHECK(sentence_of(table).find("input at far instead of /data/") != std::string::npos);
  CHECK(table.text_note("limits").find("input files, /data/ → far") != std::string_view::npos);
  // Where the files are the same, a section is.
  const Table here = sides({metrics(usual), metrics(slower)}).ask_all("verdict");
  REQUIRE(here.rows() == 3);
  CHECK(here.text("section", 1) == "r");
}

TEST_CASE("A host that serves one dataset is told once, as the host") {
  const auto on_hosts = [](const std::string& of_d1) {
    return [=](std::size_t d, std::size_t i) {
      return "root://" + (d == 1 ? of_d1 : "near") + "//" + one_file_each(d, i);
    };
  };
  const Table table =
      sides({metrics(usual, 1000, chunks_each, on_hosts("far")),
             metrics([](auto d, auto s,
                        auto i) { return usual(d, s, i) * (d == 1 ? (s == 2 ? 3 : 2) : 1); },
                     1000, chunks_each, on_hosts("far"))})
          .ask_all("verdict");
  REQUIRE(table.rows() == 3);
  CHECK(table.text("kind", 1) == "host");
  CHECK(sentence_of(table).find("in host far, which serves only dataset d1: 20 chunks") !=
        std::string::npos);
}

TEST_CASE("A run against itself is said to be that") {
  const Table two = sides({metrics(usual), metrics(usual)}).ask_all("verdict");
  CHECK(sentence_of(two) == "A run is compared with itself: all times are the same.");
}

TEST_CASE("Half the chunk size, and most of the change open: nothing is said to be even") {
  const OpenSession session(
      std::vector<File>{{"1-a/metrics.json", read_test_file("ab-before/metrics.json")},
                        {"2-b/metrics.json", read_test_file("ab-after/metrics.json")}});
  const std::string sentence = sentence_of(session.ask_all("verdict"));
  CAPTURE(sentence);
  CHECK(sentence.find(". B's chunks have another size (") != std::string::npos);
  CHECK(sentence.find("Everything") == std::string::npos);
}

TEST_CASE("Half the chunk size at the same speed, a third longer: that is not called no change") {
  const Seconds half = [](auto d, auto s, auto i) { return usual(d, s, i) / 2; };
  nlohmann::json b = nlohmann::json::parse(metrics(half, 500, 2 * chunks_each));
  b["elapsed_time_seconds"] = b["elapsed_time_seconds"].get<double>() * 4 / 3;
  const std::string sentence = sentence_of(sides({metrics(usual), b.dump()}).ask_all("verdict"));
  CAPTURE(sentence);
  CHECK(sentence.find("B is 33.3 % slower") != std::string::npos);
  CHECK_FALSE(sentence.starts_with("No change"));
}

TEST_CASE("A file that ran at a slow moment of B is not blamed alone") {
  const FileOf five_each = [](std::size_t d, std::size_t i) {
    return "f" + std::to_string(d) + std::to_string(i / 5);
  };
  // From the middle of a file on to the end of the next one: four times as long.
  const Seconds slow = [](std::size_t d, std::size_t s, std::size_t i) {
    return usual(d, s, i) * (d == 0 && i >= 12 && i < 20 ? 4 : 1);
  };
  const OpenSession session =
      sides({metrics(usual, 1000, 30, five_each), metrics(slow, 1000, 30, five_each)});
  const Table verdict = session.ask_all("verdict");
  CHECK(sentence_of(verdict).find("in file f03") == std::string::npos);
  CHECK(std::string(verdict.text_note("limits")).find(" in file f03 or in the moment it ran in") !=
        std::string::npos);
}

TEST_CASE("What a part must be beyond to be told: as many errors as the level asks for") {
  Effect part;
  part.seconds_b = 20;
  part.log_ratio = std::log(2.0);  // 10 s became 20 s
  part.error = 0.1;
  const double mean = 10 / std::log(2.0);  // of 10 s and 20 s, logarithmic
  CHECK(part.margin(0.05) == Approx(1.96 * 0.1 * mean).epsilon(0.001));
  CHECK(part.margin(0.05 / 24) > 1.5 * part.margin(0.05));  // of 24 tested together
  part.allowed = 0.2;
  CHECK(part.margin(0.05) == Approx((0.196 + 0.2) * mean).epsilon(0.001));
}

TEST_CASE("The matrix of dataset x section: one cell changed, the sums with it") {
  // Section r of d1 takes 3 s a chunk in A and 4.5 s in B: 20 chunks, + 30 s.
  const std::string changed =
      metrics([](auto d, auto s, auto i) { return usual(d, s, i) * (d == 1 && s == 2 ? 1.5 : 1); });
  const Table matrix = sides({metrics(usual), changed}).ask_all("compare_matrix");
  const auto row_of = [&](std::string_view dataset, std::string_view section) {
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
      if (matrix.text("dataset", row) == dataset && matrix.text("section", row) == section)
        return row;
    }
    return matrix.rows();
  };
  CHECK(matrix.number("delta", row_of("d1", "r")) == Approx(30));
  CHECK(matrix.number("ratio", row_of("d1", "r")) == Approx(1.5));
  CHECK(matrix.number("noteworthy", row_of("d1", "r")) == 1);
  CHECK(matrix.number("noteworthy", row_of("d1", "p")) == 0);
  CHECK(matrix.number("noteworthy", row_of("d0", "r")) == 0);
  for (const char* sum : {"", "r"}) CHECK(matrix.number("delta", row_of("", sum)) == Approx(30));
  CHECK(matrix.number("delta", row_of("d1", "")) == Approx(30));
  // What changed most comes first, the sums of all datasets last.
  CHECK(matrix.text("dataset", 0) == "d1");
  CHECK(matrix.text("dataset", matrix.rows() - 1).empty());
  // The rest did not change, so that all of it is beyond what all have in common; and told.
  const std::size_t cell = row_of("d1", "r");
  CHECK(matrix.number("excess", cell) == Approx(30));
  CHECK(matrix.number("excess", cell) > matrix.number("margin", cell));
  CHECK(std::fabs(matrix.number("excess", row_of("d1", "p"))) <
        matrix.number("margin", row_of("d1", "p")));
  const OpenSession session = sides({metrics(usual), changed});
  const Table steps = session.ask_all("compare_steps");
  const std::size_t step = steps.row_of("kind", "part");
  CHECK(steps.text("label", step) == "section r of dataset d1");
  CHECK(steps.number("delta", step) == Approx(30));
  CHECK(steps.number("margin", step) == Approx(matrix.number("margin", cell)));
  CHECK(steps.number("noteworthy", step) == 1);
  CHECK(steps.text("label", 0) == "everything alike");
  CHECK(steps.number("delta", 0) == Approx(0).margin(1e-6));
  // No dataset explains it: all of them stand there, the one with the cell first.
  const Table datasets = session.ask_all("compare_steps", option("by", "datasets"));
  CHECK(datasets.text("label", datasets.row_of("kind", "part")) == "dataset d1");
  const Table verdict = session.ask_all("verdict");
  CHECK(verdict.number("margin", verdict.row_of("kind", "dataset and section")) ==
        Approx(matrix.number("margin", cell)));
  CHECK(number_note(verdict, "process_change") == Approx(30));
  CHECK(note(verdict, "headline").find("Section r of dataset d1 grew most.") != std::string::npos);
  CHECK(note(verdict, "line").starts_with("Section r of dataset d1: +30 ± "));
  CHECK(note(verdict, "assumed") == "One run each: a 17 % run-to-run spread is assumed");
  CHECK(note(verdict, "missed").starts_with("Could have been missed: changes below "));
  // Of several runs a side their means: beside an unchanged one half the change.
  const Table means = sides({metrics(usual), changed, metrics(usual)}).ask_all("compare_matrix");
  CHECK(means.number("delta", 0) == Approx(15));
}

namespace {

/// A part of a kind with its seconds in both runs, `log_ratio` beyond what all have in common.
Effect changed(PartId id, double seconds_a, double seconds_b, double log_ratio,
               double error = 0.01) {
  Effect part;
  part.dataset = id.dataset;
  part.section = id.section;
  part.id = std::move(id);
  part.seconds_a = seconds_a;
  part.seconds_b = seconds_b;
  part.log_ratio = log_ratio;
  part.error = error;
  part.is_significant = true;
  return part;
}

SpeedRatio speed_with(std::initializer_list<Effect> parts, double seconds_a, double seconds_b) {
  SpeedRatio speed;
  speed.factor = 0;
  speed.error = 0.01;
  speed.paired = true;
  speed.seconds_a = seconds_a;
  speed.seconds_b = seconds_b;
  for (const Effect& part : parts) speed.parts.emplace(part.id, part);
  return speed;
}

PartId cell(const std::string& dataset, const std::string& section) {
  return {.kind = PartId::Kind::cell, .dataset = dataset, .section = SectionId{section}};
}

ComparedNumber number(Better better, double a, double b, Noise source = Noise::run) {
  ComparedNumber row{.unit = "s", .better = better, .source = source};
  row.a.value = a;
  row.b.value = b;
  return row;
}

}  // namespace

TEST_CASE("A part's excess is what it took beyond the common factor, by hand") {
  // Twice as long: half of its 10 s; half as long: as much less as it takes, 10 s.
  const PartId id = cell("d", "s");
  CHECK(changed(id, 5, 10, std::log(2.0)).excess() == Approx(5));
  CHECK(changed(id, 20, 10, -std::log(2.0)).excess() == Approx(-10));
  // 5 s are ln 2 of the logarithm: 0.1 of that are 0.1 x 5 / ln 2.
  CHECK(changed(id, 5, 10, std::log(2.0), 0.1).excess_error() == Approx(0.721348));
  // What only one run has: all of it.
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(changed(id, 0, 7, infinite).excess() == 7);
  CHECK(changed(id, 7, 0, -infinite).excess() == -7);
  CHECK(changed(id, 0, 7, infinite).excess_error() == 0);
  // Errors beyond what is allowed, with the sign of the change.
  Effect part = changed(id, 5, 10, 0.5, 0.1);
  CHECK(part.errors() == Approx(5));
  part.allowed = 0.3;
  CHECK(part.errors() == Approx(2));
  part.log_ratio = -0.5;
  CHECK(part.errors() == Approx(-2));
  part.allowed = 0.6;
  CHECK(part.errors() == 0);
  CHECK(part.p_value() == 1);
  part.log_ratio = absent;
  CHECK(is_absent(part.errors()));
}

TEST_CASE("A part that took less, though all else took less still, explains nothing of more") {
  // All of process() 200 s -> 100 s; the section 20 s -> 19 s, where half would be 10 s.
  SpeedRatio speed = speed_with({}, 200, 100);
  const PartId id = {.kind = PartId::Kind::section, .section = SectionId{"s"}};
  const Effect section = changed(id, 20, 19, std::log(1.9));
  CHECK(section.excess() == Approx(9));
  CHECK(explains_nothing(speed, section));
  // What took longer, too, did so itself.
  CHECK_FALSE(explains_nothing(speed, changed(id, 18, 19, std::log(1.9))));
  // What took as long did not change that way, nor the other. One per cent of process() is named.
  CHECK_FALSE(explains_nothing(speed, changed(id, 19, 19, std::log(1.9))));
  CHECK_FALSE(explains_nothing(speed, changed(id, 0, 1, std::numeric_limits<double>::infinity())));
  CHECK(explains_nothing(speed, changed(id, 0, 0.99, std::numeric_limits<double>::infinity())));
  // Chunks that do not pair were other work: of their seconds nothing tells which way they changed.
  speed.paired = false;
  CHECK_FALSE(explains_nothing(speed, section));
}

TEST_CASE("Causes sum to the change: the machine's pace, what is named, and what is left") {
  // A 100 s, B 150 s in process(), all of it compared; the pace is A's. One section took 20 s in
  // the place of 10, another 50 in the place of 25, a third 13 in the place of 10.
  const Spent a{.elapsed = 100, .process = 100, .available = 100};
  const Spent b{.elapsed = 150, .process = 150, .available = 150};
  const SpeedRatio speed = speed_with({changed(cell("d", "p"), 10, 20, std::log(2.0)),
                                       changed(cell("d", "q"), 25, 50, std::log(2.0)),
                                       changed(cell("d", "r"), 10, 13, std::log(1.3))},
                                      100, 150);
  std::vector<Cause> causes = causes_of(speed, a, b, 0.5);
  // The largest first; 35 of 50 s are less than 80 %, so that the third is named, too: its 3 s are
  // more than a tenth of 25.
  REQUIRE(causes.size() == 5);
  CHECK(causes[0].kind == Cause::Kind::evenly);
  CHECK(causes[0].seconds == 0);
  CHECK(causes[0].error == Approx(1));
  CHECK(causes[1].seconds == Approx(25));
  CHECK(causes[2].seconds == Approx(10));
  CHECK(causes[3].seconds == Approx(3));
  CHECK(causes[4].kind == Cause::Kind::unexplained);
  CHECK(causes[4].seconds == Approx(12));
  // Where the first two are 35 of 40 s, the third is not needed.
  const Spent less{.elapsed = 140, .process = 140, .available = 140};
  SpeedRatio enough = speed;
  enough.seconds_b = 140;
  causes = causes_of(enough, a, less, 0.5);
  REQUIRE(causes.size() == 4);
  CHECK(causes[3].seconds == Approx(5));
  // 30 s of B had no counterpart; A had 5 s of those.
  SpeedRatio some = speed;
  some.seconds_a = 95;
  some.seconds_b = 120;
  causes = causes_of(some, a, b, 0.5);
  const auto unpaired = std::find_if(causes.begin(), causes.end(), [](const Cause& cause) {
    return cause.kind == Cause::Kind::unpaired;
  });
  REQUIRE(unpaired != causes.end());
  CHECK(unpaired->seconds == Approx(25));
  double sum = 0;
  for (const Cause& cause : causes) sum += cause.seconds;
  CHECK(sum == Approx(50));
  // Half as fast a machine takes 100 s more for the same; then all 50 s are less than expected.
  SpeedRatio slow = speed_with({}, 100, 200);
  slow.factor = std::log(2.0);
  const Spent twice{.elapsed = 200, .process = 200, .available = 200};
  causes = causes_of(slow, a, twice, 0.5);
  REQUIRE(causes.size() == 2);
  CHECK(causes[0].seconds == Approx(100));
  CHECK(causes[0].error == Approx(2));
  CHECK(causes[1].seconds == Approx(0).margin(1e-9));
  // At most six are named.
  std::vector<Cause> many;
  {
    SpeedRatio of = speed_with({}, 100, 200);
    for (int i = 0; i < 10; ++i) {
      const Effect part = changed(cell("d", std::to_string(i)), 5, 10, std::log(2.0));
      of.parts.emplace(part.id, part);
    }
    many = causes_of(of, a, twice, 0.5);
  }
  CHECK(many.size() == 8);
}

TEST_CASE("Idle cores that came and cores that went: by size, until four fifths are told") {
  // On 2 cores B's 16 core-s and the 4 beside them take 10 s. It took 20 s: 24 core-s idle.
  const Spent a{.elapsed = 10, .process = 16, .available = 20, .outside = idle(4)};
  const Spent b{.elapsed = 20, .process = 16, .available = 40, .outside = idle(24)};
  const Outside found = outside_of(a, b, 0);
  CHECK(found.expected == Approx(10));
  CHECK(found.elapsed == Approx(10));
  REQUIRE(found.causes.size() == 1);
  CHECK(found.causes[0].seconds == Approx(20));
  // The same the other way: B is 10 s shorter by as much less idle.
  const Outside back = outside_of(b, a, 0);
  CHECK(back.elapsed == Approx(-10));
  REQUIRE(back.causes.size() == 1);
  CHECK(back.causes[0].seconds == Approx(-20));
  // What did not change is no cause, however much is left: 5 of the 10 s, with two cores as before.
  ElapsedChange replayed;
  replayed.steps = {{ElapsedChange::Step::Kind::process, 0}};
  replayed.with_process = replayed.with_pace = 10;
  const Spent half_told{.elapsed = 20, .process = 16, .available = 40, .outside = idle(14)};
  CHECK(outside_of(a, half_told, 0, replayed).causes.size() == 1);
  // A tenth of what is expected is told, less is not: 11.0 and 10.9 s.
  const Spent tenth{.elapsed = 11.01, .process = 16, .available = 22.02, .outside = idle(6.02)};
  CHECK(outside_of(a, tenth, 0).causes.size() == 1);
  // At half the pace 16 core-s of B are what A's 8 would take, and 4 beside it 8: 12 s of 2 cores.
  const Spent half{.elapsed = 10, .process = 8, .available = 20, .outside = idle(12)};
  const Spent slow{.elapsed = 30, .process = 16, .available = 60, .outside = idle(44)};
  const Outside paced = outside_of(half, slow, std::log(2.0));
  CHECK(paced.expected == Approx(20));
  CHECK(paced.elapsed == Approx(10));
  REQUIRE(paced.causes.size() == 1);
  CHECK(paced.causes[0].seconds == Approx(20));
}

TEST_CASE("A difference is better or worse by its kind, and none where rounding makes it") {
  ComparedNumber slower = number(Better::lower, 10, 12);
  CHECK(slower.delta() == 2);
  CHECK(slower.is_worse());
  CHECK(slower.verdict().empty());
  CHECK(is_absent(slower.noteworthy()));
  slower.noise = 0.5;
  CHECK(slower.noteworthy() == 0);
  slower.is_significant = true;
  CHECK(slower.noteworthy() == 1);
  CHECK(slower.verdict() == "worse");
  // Beside an expectation of 13 it is 1 less than that.
  slower.expected = 13;
  CHECK(slower.excess() == Approx(-1));
  CHECK(slower.verdict() == "better");
  ComparedNumber rate = number(Better::higher, 10, 12);
  rate.is_significant = true;
  CHECK(rate.verdict() == "better");
  ComparedNumber count = number(Better::neither, 10, 12);
  count.is_significant = true;
  CHECK_FALSE(count.is_worse());
  CHECK(count.verdict().empty());
  // The last bits of a sum are no difference.
  CHECK(number(Better::lower, 1, 1 + 9e-13).is_same());
  CHECK_FALSE(number(Better::lower, 1, 1 + 2e-12).is_same());
  CHECK(number(Better::lower, 1, 1 + 9e-13).noteworthy() == 0);
  // What is missing is not 0, but in a sum.
  ComparedNumber missing = number(Better::lower, absent, 3);
  CHECK(is_absent(missing.delta()));
  missing.adds_up = true;
  CHECK(missing.delta() == 3);
  CHECK_FALSE(missing.is_same());
  ComparedNumber gone = number(Better::lower, 3, absent);
  gone.adds_up = true;
  CHECK(gone.delta() == -3);
}

TEST_CASE(
    "What is detected in 9 of 10, by hand: 1.96 + 1.28 errors, and what is allowed or expected") {
  const double level = 0.05;
  const double errors = 1.959964 + z_90;
  CHECK(is_absent(number(Better::lower, 10, 10, Noise::none).detectable(level)));
  // A run's noise is relative: e^(1.96 x 0.1) times as long, or so much less of a rate.
  ComparedNumber run = number(Better::lower, 10, 20);
  run.noise = 0.1 * log_mean(10, 20);
  CHECK(run.detectable(level) == Approx(std::exp(errors * 0.1) - 1));
  run.better = Better::higher;
  CHECK(run.detectable(level) == Approx(1 - std::exp(-errors * 0.1)));
  // A part: from what was expected of it, beyond what is allowed.
  ComparedNumber part = number(Better::lower, 10, 20, Noise::chunks);
  part.expected = 12;
  part.noise = 0.1 * log_mean(12, 20);
  part.allowed = 0.05;
  CHECK(part.detectable(level) == Approx(1.2 * std::exp(errors * 0.1 + 0.05) - 1));
  part.expected = 5;
  part.noise = 0.1 * log_mean(5, 20);
  CHECK(part.detectable(level) == 0);
  // Samples: errors at a larger value, what is allowed, and what is expected, all of A.
  ComparedNumber own = number(Better::lower, 10, 20, Noise::samples);
  own.expected = 11;
  own.noise = 1;
  own.allowed = 0.5;
  CHECK(own.detectable(level) == Approx((errors + 0.5 + 1) / 10));
  own.error_if_worse = 2;
  CHECK(own.detectable(level) == Approx((2 * errors + 0.5 + 1) / 10));
  own.expected = absent;
  CHECK(own.detectable(level) == Approx((2 * errors + 0.5) / 10));
}

TEST_CASE("A dataset of each run that the other lacks is named on its side") {
  SmallRun a, b;
  for (std::size_t i = 0; i < b.run.chunks.size(); ++i)
    if (b.run.text(b.run.chunks.dataset[i]) == "ttbar") b.run.chunks.dataset[i] = b.id("wjets");
  const std::vector<ComparedNumber> rows = compare_setup(a.run, b.run, {}, {});
  const auto row = std::find_if(rows.begin(), rows.end(), [](const ComparedNumber& one) {
    return one.note.kind == RowNote::Kind::names;
  });
  REQUIRE(row != rows.end());
  CHECK(row->is_same());
  CHECK(row->note.in_a.first == std::vector<std::string>{"ttbar"});
  CHECK(row->note.in_b.first == std::vector<std::string>{"wjets"});
  CHECK(row->noteworthy() == 1);
}

namespace {

PartId section(const std::string& name) {
  return {.kind = PartId::Kind::section, .section = SectionId{name}};
}
PartId evenly(const std::string& dataset) {
  return {.kind = PartId::Kind::evenly, .dataset = dataset};
}

/// A file or a host whose chunks are all of one dataset, or, of "", of several.
Effect place(PartId::Kind kind, const std::string& name, const std::string& dataset,
             double seconds_a, double seconds_b) {
  Effect part =
      changed({.kind = kind, .place = name}, seconds_a, seconds_b, std::log(seconds_b / seconds_a));
  if (!dataset.empty()) part.dataset = dataset;
  return part;
}
Effect part_of(const PartId& id, double seconds_a, double seconds_b) {
  return changed(id, seconds_a, seconds_b, std::log(seconds_b / seconds_a));
}

/// Names of what is told of the change from 100 to 300 s, most of which has no name.
std::vector<std::string> told_of(std::initializer_list<Effect> parts, bool overlap = false) {
  SpeedRatio speed = speed_with(parts, 100, 300);
  speed.overlap = overlap;
  std::vector<std::string> names;
  for (const Cause& cause : causes_of(speed, {.process = 100}, {.process = 300}, 1000)) {
    if (cause.kind != Cause::Kind::part) continue;
    const PartId& id = cause.part.id;
    names.push_back(id.dataset.value_or("") + (id.section ? "/" + id.section->name : "") +
                    id.place);
  }
  return names;
}

using Told = std::vector<std::string>;

}  // namespace

TEST_CASE("Seconds that two parts share are told once, as those of the larger part") {
  using Kind = PartId::Kind;
  const Effect cell_1q = part_of(cell("d1", "q"), 10, 20),
               cell_1p = part_of(cell("d1", "p"), 10, 19);
  // A host or a file holds all sections of its dataset, and none of another.
  CHECK(told_of({place(Kind::host, "far", "d1", 20, 35), cell_1q}) == Told{"far"});
  CHECK(told_of({place(Kind::host, "far", "d2", 20, 35), cell_1q}) == Told{"far", "d1/q"});
  CHECK(told_of({place(Kind::file, "f", "d1", 20, 35), cell_1q}) == Told{"f"});
  CHECK(told_of({place(Kind::file, "f", "d2", 20, 35), cell_1q}) == Told{"f", "d1/q"});
  // Two files of a dataset are apart, and a file is of its host, as far as one dataset tells.
  CHECK(told_of({place(Kind::file, "f", "d1", 20, 35), place(Kind::file, "g", "d1", 20, 34)}) ==
        Told{"f", "g"});
  CHECK(told_of({place(Kind::host, "far", "d1", 30, 45), place(Kind::file, "f", "d1", 20, 34)}) ==
        Told{"far"});
  CHECK(told_of({place(Kind::host, "far", "d1", 30, 45), place(Kind::file, "f", "d2", 20, 34)}) ==
        Told{"far", "f"});
  // What a dataset's sections have in common is beside what one of them did more.
  CHECK(told_of({part_of(evenly("d1"), 20, 35), cell_1q}) == Told{"d1", "d1/q"});
  CHECK(told_of({part_of(evenly("d1"), 20, 35), part_of(evenly("d2"), 20, 34)}) ==
        Told{"d1", "d2"});
  CHECK(told_of({part_of(evenly("d1"), 20, 35), place(Kind::host, "far", "d1", 20, 34)}) ==
        Told{"d1"});
  // A host of several datasets may hold anything of them; of sections nothing is known.
  CHECK(told_of({place(Kind::host, "far", "", 20, 35), part_of(evenly("d1"), 20, 34)}) ==
        Told{"far"});
  CHECK(told_of({place(Kind::host, "far", "", 20, 35), cell_1q}) == Told{"far", "d1/q"});
  // Sections in datasets share what is of both; sections that lie in each other, all.
  CHECK(told_of({part_of(section("q"), 30, 45), cell_1q}) == Told{"/q"});
  CHECK(told_of({part_of(section("r"), 30, 45), cell_1q}) == Told{"/r", "d1/q"});
  CHECK(told_of({cell_1q, cell_1p}) == Told{"d1/q", "d1/p"});
  CHECK(told_of({cell_1q, cell_1p}, true) == Told{"d1/q"});
  CHECK(told_of({cell_1q, part_of(cell("d2", "p"), 10, 19)}, true) == Told{"d1/q", "d2/p"});
  // A section of all datasets is that of a host where most of its change is in the host's dataset.
  const Effect whole_q = part_of(section("q"), 20, 32);
  const auto of_host = [&](double seconds) {
    Effect of_q = changed(cell("d1", "q"), 10, 10 + seconds, std::log(1 + seconds / 10));
    of_q.is_significant = false;
    return told_of({place(Kind::host, "far", "d1", 20, 35), whole_q, of_q});
  };
  CHECK(of_host(9.7) == Told{"far"});  // 80 % of 12 s are 9.6 s
  CHECK(of_host(9.5) == Told{"far", "/q"});
  // A chunk and a worker are apart from all others.
  CHECK(told_of({part_of({.kind = Kind::chunk, .dataset = "d1", .place = "c"}, 20, 35), cell_1q}) ==
        Told{"d1c", "d1/q"});
  CHECK(told_of({part_of({.kind = Kind::worker, .place = "w"}, 20, 35), cell_1q}) ==
        Told{"w", "d1/q"});
}

TEST_CASE("A finer place is named where it has four fifths of the change and is not most of it") {
  using Kind = PartId::Kind;
  // Section q: 20 s that take 40. What a dataset has of it: 12 s at most, 16 s more at least.
  const auto told = [](double before, double more) {
    return told_of(
        {part_of(section("q"), 20, 40), part_of(cell("d1", "q"), before, before + more)});
  };
  CHECK(told(11.9, 16.1) == Told{"d1/q"});
  CHECK(told(11.9, 15.9) == Told{"/q"});
  CHECK(told(12.1, 16.1) == Told{"/q"});
  // Another section is no place in this one.
  CHECK(told_of({part_of(section("q"), 20, 40), part_of(cell("d1", "p"), 10, 27)}) ==
        Told{"/q", "d1/p"});
  // A dataset, 20 s that take 40, and one of its files. A file counts by nine tenths of it.
  const auto file = [](double before, double more, const char* dataset = "d1") {
    return told_of(
        {part_of(evenly("d1"), 20, 40), place(Kind::file, "f", dataset, before, before + more)});
  };
  CHECK(file(11.9, 16.1) == Told{"f"});
  CHECK(file(11.9, 15.9) == Told{"d1"});
  CHECK(file(12.1, 16.1) == Told{"d1"});
  CHECK(file(12.1, 22) == Told{"d1"});   // 19.8 s by weight
  CHECK(file(12.1, 22.5) == Told{"f"});  // 20.25 s
  CHECK(file(11.9, 16.1, "d2") == Told{"d1", "f"});
  // A section of a dataset: the file is held against all of its dataset, 30 s before.
  Effect dataset = part_of({.kind = Kind::dataset, .dataset = "d1"}, 30, 50);
  const auto of_cell = [&](double before) {
    return told_of({part_of(cell("d1", "q"), 10, 30), dataset,
                    place(Kind::file, "f", "d1", before, before + 17)});
  };
  CHECK(of_cell(17.9) == Told{"f"});
  CHECK(of_cell(18.1) == Told{"d1/q"});
}

TEST_CASE("A dataset is named where its files moved with it") {
  using Kind = PartId::Kind;
  // The dataset took e^0.5 as long; a file that stayed half of that behind, beyond its errors, says
  // that it is the others.
  const auto told = [](double log_ratio, double error, const char* dataset = "d1") {
    Effect file =
        changed({.kind = Kind::file, .place = "f"}, 5, 5 * std::exp(log_ratio), log_ratio, error);
    file.dataset = dataset;
    file.is_significant = false;
    return told_of({changed(evenly("d1"), 20, 20 * std::exp(0.5), 0.5), file,
                    part_of(cell("d3", "q"), 10, 14)})
        .front();
  };
  CHECK(told(0.26, 0.01) == "d1");
  CHECK(told(0.24, 0.01) == "d3/q");
  CHECK(told(0.1, 0.122) == "d1");    // 3.28 errors
  CHECK(told(0.1, 0.120) == "d3/q");  // 3.33
  CHECK(told(0.1, 0.01, "d2") == "d1");
  // Where nothing finer is certain, the whole dataset is.
  CHECK(told_of({part_of({.kind = Kind::dataset, .dataset = "d1"}, 20, 40)}) == Told{"d1"});
  CHECK(told_of({part_of({.kind = Kind::dataset, .dataset = "d1"}, 20, 40),
                 part_of(cell("d1", "q"), 10, 14)}) == Told{"d1/q"});
}

TEST_CASE("Of causes those are told that are needed, and no less than a tenth of the largest") {
  // 10 s more; of 200 s that changed 4 s are 1 % of 300 s and more than a tenth.
  const Effect large = part_of(cell("d", "p"), 60, 100);
  CHECK(told_of({large, part_of(cell("d", "q"), 10, 14.1)}) == Told{"d/p", "d/q"});
  CHECK(told_of({large, part_of(cell("d", "q"), 10, 13.9)}) == Told{"d/p"});
  // Of what only B has, 40 and 4 s.
  const double only_b = std::numeric_limits<double>::infinity();
  CHECK(told_of({changed(cell("d", "p"), 0, 40, only_b), changed(cell("d", "q"), 0, 4, only_b)}) ==
        Told{"d/p", "d/q"});
  // Nor what is less than 1 % of process(): 3 s of 300.
  CHECK(told_of({part_of(cell("d", "q"), 10, 13.1)}) == Told{"d/q"});
  CHECK(told_of({part_of(cell("d", "q"), 10, 12.9)}).empty());
  // 160 of 200 s explain it: more is needless, but for what has a verdict or moved evenly.
  const auto with = [](double first, const PartId& id) {
    return told_of({part_of(cell("d", "p"), 10, 10 + first), part_of(id, 10, 30)}).size();
  };
  CHECK(with(159, cell("d", "q")) == 2);
  CHECK(with(161, cell("d", "q")) == 1);
  CHECK(with(161, section("q")) == 2);
  CHECK(with(161, evenly("e")) == 2);
  CHECK(with(161, {.kind = PartId::Kind::host, .place = "h"}) == 2);
  // Ten seconds of chunks without a pair are told from ten on.
  SpeedRatio speed = speed_with({}, 100, 290);
  const auto unpaired = [&](double floor, bool is_cut = false) {
    const auto causes = causes_of(speed, {.process = 100}, {.process = 300}, floor, is_cut);
    return causes[1].kind == Cause::Kind::unpaired ? std::optional(causes[1].unpaired)
                                                   : std::nullopt;
  };
  using Unpaired = Cause::Unpaired;
  CHECK(unpaired(9.9) == Unpaired::other_chunks);
  CHECK(unpaired(10.1) == std::nullopt);
  CHECK(unpaired(9.9, true) == Unpaired::cut);
  speed.paired = false;
  CHECK(unpaired(9.9) == Unpaired::other_datasets);
  // Where speeds are not known, all of it is unexplained; without times nothing is.
  CHECK(causes_of({}, {.process = 100}, {.process = 300}, 1).at(0).seconds == 200);
  CHECK(causes_of({}, {.process = 100}, {}, 1).empty());
}

TEST_CASE("Once the parts have names, the rest's own ratio is the common factor, by hand") {
  const Spent a{.process = 100}, b{.process = 180};
  std::vector<Cause> causes = {{.kind = Cause::Kind::evenly}};
  const auto settled = [&](SpeedRatio speed) {
    for (const auto& [id, part] : speed.parts)
      causes.push_back({.kind = Cause::Kind::part, .part = part});
    causes.push_back({.kind = Cause::Kind::unexplained});
    settle_on_rest(speed, causes, a, b);
    return speed;
  };
  SECTION("A section that took 20 s in the place of 10, all else as long again by a half") {
    // 90 s became 160: of what cells agreed on, 1.5, the rest has 160 / 90 once the part is out.
    SpeedRatio speed = speed_with({changed(section("s"), 10, 20, std::log(2 / 1.5))}, 100, 180);
    speed.factor = std::log(1.5);
    const SpeedRatio told = settled(speed);
    // The part is told against all of its dataset: 20 s (1 - 1.5 / 2) = 5 s; the rest 175 / 100.
    CHECK(told.factor == Approx(std::log(1.75)));
    CHECK(causes[0].seconds == Approx(75));
    CHECK(causes[1].seconds == Approx(5));
    CHECK(causes[2].seconds == Approx(0).margin(1e-6));
  }
  SECTION("A dataset is told against the factor itself") {
    // 20 s of B were 5 s of A: all else, 95 s, took 160.
    SpeedRatio speed = speed_with(
        {changed({.kind = PartId::Kind::dataset, .dataset = "d"}, 5, 20, std::log(4 / 1.5))}, 100,
        180);
    speed.factor = std::log(1.5);
    const SpeedRatio told = settled(speed);
    CHECK(told.factor == Approx(std::log(160.0 / 95)).epsilon(1e-6));
    CHECK(causes[1].seconds == Approx(20 - 5 * 160.0 / 95));
    CHECK(causes[0].seconds == Approx(100 * (160.0 / 95 - 1)));
  }
  SECTION("What B does not have would have changed as the rest") {
    // 40 s of A are gone; 60 s became 180.
    SpeedRatio speed = speed_with(
        {changed(section("s"), 40, 0, -std::numeric_limits<double>::infinity())}, 100, 180);
    const SpeedRatio told = settled(speed);
    CHECK(told.factor == Approx(std::log(3.0)));
    CHECK(causes[0].seconds == Approx(60 * 2));
    CHECK(causes[1].seconds == Approx(-40));
    CHECK(causes[2].seconds == Approx(0).margin(1e-6));
  }
  SECTION("Chunks that do not pair: A is what its datasets would have taken") {
    SpeedRatio speed = speed_with(
        {changed({.kind = PartId::Kind::dataset, .dataset = "d"}, 1, 180, std::log(1.2))}, 7, 180);
    speed.paired = false;
    speed.parts.begin()->second.is_significant = false;
    speed.factor = std::log(1.5);
    causes.push_back({.kind = Cause::Kind::unexplained});
    settle_on_rest(speed, causes, a, b);
    // 180 s / 1.2 / 1.5 = 100 s
    CHECK(speed.factor == Approx(std::log(1.8)));
  }
  SECTION("Where the parts leave nothing, what cells agreed on stands") {
    SpeedRatio speed = speed_with({changed(section("s"), 1, 180, 40)}, 100, 180);
    speed.factor = std::log(1.5);
    CHECK(settled(speed).factor == std::log(1.5));
  }
}

TEST_CASE("What four fifths of the change explain without is no longer significant") {
  const auto causes_with = [](double first, double second, double left) {
    std::vector<Cause> causes = {{.kind = Cause::Kind::evenly, .seconds = 1000},
                                 {.part = part_of(cell("d", "p"), 1, 2), .seconds = first},
                                 {.part = part_of(cell("d", "q"), 1, 2), .seconds = second},
                                 {.kind = Cause::Kind::unexplained, .seconds = left}};
    SpeedRatio speed = speed_with({causes[1].part, causes[2].part}, 1, 2);
    const bool needed = are_all_needed(causes, speed);
    CHECK(speed.parts.at(cell("d", "p")).is_significant);
    CHECK(speed.parts.at(cell("d", "q")).is_significant == needed);
    return needed;
  };
  CHECK(causes_with(79, 10, 11));
  CHECK_FALSE(causes_with(81, 10, 9));
  // The first is needed, however little it explains.
  CHECK(causes_with(1, 2, 0.1));
}

TEST_CASE(
    "Parts are tested that are half a per cent of the core-time, and hosts where several are") {
  using Kind = PartId::Kind;
  SpeedRatio speed =
      speed_with({part_of(cell("d", "large"), 4, 5), part_of(cell("d", "small"), 4.9, 4),
                  part_of({.kind = Kind::dataset, .dataset = "d"}, 100, 100),
                  part_of({.kind = Kind::host, .place = "one"}, 100, 100)},
                 100, 100);
  CHECK(tested_parts(speed, 1000, false).size() == 1);
  CHECK(tested_parts(speed, 1000, true).size() == 1);
  speed.parts.emplace(PartId{.kind = Kind::host, .place = "other"},
                      part_of({.kind = Kind::host, .place = "other"}, 100, 100));
  CHECK(tested_parts(speed, 1000, true).size() == 3);
}

TEST_CASE(
    "Which parts changed: beyond 2.24 errors where one is tested, and half a second of 1000") {
  using Kind = PartId::Kind;
  const PartId dataset = {.kind = Kind::dataset, .dataset = "d"};
  // A two-sided p-value of 2.5 %, half of what may be false in all.
  const auto is_marked = [&](const PartId& id, double seconds, double log_ratio, double errors,
                             bool is_of_moment = false) {
    Effect part = changed(id, seconds, seconds, log_ratio, log_ratio / errors);
    part.is_of_moment = is_of_moment;
    SpeedRatio speed = speed_with({part}, 100, 100);
    mark_significant(speed, 1000);
    CHECK_FALSE((speed.parts.at(id).is_significant && speed.parts.at(id).is_of_moment));
    return std::pair(speed.parts.at(id).is_significant, speed.parts.at(id).is_of_moment);
  };
  const std::pair marked(true, false), of_moment(false, true), unmarked(false, false);
  CHECK(is_marked(dataset, 100, 0.1, 2.25) == marked);
  CHECK(is_marked(dataset, 100, 0.1, 2.23) == unmarked);
  CHECK(is_marked(dataset, 100, 0.00502, 3) == marked);
  CHECK(is_marked(dataset, 100, 0.00499, 3) == unmarked);
  // What may have been a moment's stays so in a row, and in a finer part where it is no noise.
  CHECK(is_marked(dataset, 100, 0.1, 2.25, true) == of_moment);
  CHECK(is_marked(dataset, 100, 0.1, 2.23, true) == of_moment);
  CHECK(is_marked(cell("d", "q"), 100, 0.1, 2.25, true) == of_moment);
  CHECK(is_marked(cell("d", "q"), 100, 0.1, 2.23, true) == unmarked);
  CHECK(is_marked(cell("d", "q"), 100, 0.00499, 3, true) == unmarked);
}

TEST_CASE("A dataset has a change of its own, unless sections that changed everywhere have half") {
  using Kind = PartId::Kind;
  const PartId dataset = {.kind = Kind::dataset, .dataset = "d"};
  const auto is_marked = [&](double of_cell, double of_section, bool is_evenly = false) {
    SpeedRatio speed =
        speed_with({part_of(dataset, 100, 120), part_of(section("q"), 100, 100 + of_section),
                    part_of(cell("d", "q"), 70, 70 + of_cell)},
                   1000, 1000);
    if (is_evenly) speed.parts.emplace(evenly("d"), part_of(evenly("d"), 50, 60));
    for (auto& [id, part] : speed.parts) part.error = 0.001;
    mark_significant(speed, 1000);
    CHECK(speed.parts.at(section("q")).is_significant);
    return speed.parts.at(dataset).is_significant;
  };
  CHECK(is_marked(9.9, 40));
  CHECK_FALSE(is_marked(10.1, 40));
  // Most of the section's change is this dataset's.
  CHECK_FALSE(is_marked(15.9, 20));
  CHECK(is_marked(16.1, 20));
}

TEST_CASE("What sections did everywhere is no file's change, nor that of a moment") {
  // A file that is half of its dataset, of whose 20 s the section has `of_cell`.
  const auto is_of_moment = [](double of_cell) {
    const PartId file = {.kind = PartId::Kind::file, .place = "f"};
    SpeedRatio speed = speed_with(
        {part_of({.kind = PartId::Kind::dataset, .dataset = "d"}, 100, 120), part_of(file, 50, 60),
         part_of(section("q"), 100, 140), part_of(cell("d", "q"), 70, 70 + of_cell)},
        1000, 1000);
    speed.parts.at(file).dataset = "d";
    speed.parts.at(file).is_of_moment = true;
    for (auto& [id, part] : speed.parts) part.error = 0.001;
    mark_significant(speed, 1000);
    return speed.parts.at(file).is_of_moment;
  };
  CHECK(is_of_moment(9.9));
  CHECK_FALSE(is_of_moment(10.1));
}

TEST_CASE("A section has no change where four fifths of it are in one dataset that is less of it") {
  const auto is_marked = [&](double before, double more) {
    SpeedRatio speed =
        speed_with({part_of(section("q"), 100, 120), part_of(cell("d", "q"), before, before + more),
                    part_of(cell("d", "p"), 10, 29)},
                   1000, 1000);
    for (auto& [id, part] : speed.parts) part.error = 0.001;
    mark_significant(speed, 1000);
    CHECK(speed.parts.at(cell("d", "q")).is_significant);
    return speed.parts.at(section("q")).is_significant;
  };
  CHECK(is_marked(59, 15.9));
  CHECK_FALSE(is_marked(59, 16.1));
  CHECK(is_marked(60, 16.1));
}

TEST_CASE("What a dataset did evenly is told where its row says the same") {
  using Kind = PartId::Kind;
  const PartId dataset = {.kind = Kind::dataset, .dataset = "d"};
  const auto is_marked = [&](double seconds_b, double error) {
    SpeedRatio speed =
        speed_with({part_of(dataset, 100, seconds_b), part_of(evenly("d"), 100, 110)}, 1000, 1000);
    for (auto& [id, part] : speed.parts) part.error = 0.001;
    speed.parts.at(dataset).error = error;
    mark_significant(speed, 1000);
    return speed.parts.at(evenly("d")).is_significant;
  };
  CHECK(is_marked(110, 0.001));
  CHECK_FALSE(is_marked(90, 0.001));
  CHECK_FALSE(is_marked(110, 1));
}

TEST_CASE("Runs can be held against each other whose events are the same, within half a per cent") {
  const auto compared = [](auto&& change) {
    const SmallRun a;  // 156 chunks of 10,000 events, a half of each dataset
    SmallRun b;
    change(b);
    const Run* const of_a[] = {&a.run};
    const Run* const of_b[] = {&b.run};
    const Comparability both = comparability_of(of_a, of_b);
    CHECK(comparability_of(of_b, of_a) == both);
    return both;
  };
  const auto all_events = [](double events) {
    return [=](SmallRun& b) {
      for (double& of : b.run.chunks.events) of = events;
    };
  };
  CHECK(compared([](SmallRun&) {}) == Comparability::work);
  CHECK(compared(all_events(10049)) == Comparability::work);
  CHECK(compared(all_events(10051)) == Comparability::mix);
  // One chunk of another dataset is 0.64 % of the events, two are 1.28 %.
  const auto to_data = [](std::size_t chunks) {
    return [=](SmallRun& b) {
      for (std::size_t i = 0; i < chunks; ++i) b.run.chunks.dataset[2 * i + 1] = b.id("data");
    };
  };
  CHECK(compared(to_data(1)) == Comparability::work);
  CHECK(compared(to_data(2)) == Comparability::nothing);
  // A list that lacks more than half a per cent of what coffea counted.
  const auto reported = [](double events) {
    return [=](SmallRun& b) { b.run.report.events = events; };
  };
  SmallRun listed;  // 995 of 1000
  for (double& of : listed.run.chunks.events) of = 0;
  listed.run.chunks.events[0] = 995;
  listed.run.report.events = 1000;
  const Run* const one[] = {&listed.run};
  CHECK(comparability_of(one, one) == Comparability::work);
  CHECK(compared(reported(1560000 / 0.9951)) == Comparability::work);
  CHECK(compared(reported(1560000 / 0.9949)) == Comparability::nothing);
}

namespace {

/// One row as it is judged, of B beside A at a factor of 1; the core-time is 1000 s.
ComparedNumber judged(ComparedNumber row, const Explanation& explanation = {},
                      Comparability runs = Comparability::work, bool has_replicates = false) {
  std::vector<ComparedNumber> rows = {std::move(row)};
  const Judge by{.explanation = explanation,
                 .factor = 1,
                 .core_time = 1000,
                 .has_replicates = has_replicates,
                 .runs = runs,
                 .run_spread = 0.1};
  by.judge(rows);
  return rows[0];
}

ComparedNumber of_runs(double a, double b, std::string unit = "s") {
  ComparedNumber row = number(Better::lower, a, b);
  row.unit = std::move(unit);
  row.a.runs = {a};
  row.b.runs = {b};
  return row;
}

}  // namespace

TEST_CASE("A number of a whole run differs beyond what runs spread by, by hand") {
  // The spread of one run is 0.1, of the difference of two 0.1 x sqrt(2): 1.96 of them are 32 %.
  const double error = 0.1 * std::sqrt(2.0);
  const ComparedNumber row = judged(of_runs(100, 132));
  CHECK(row.noise == Approx(log_mean(100, 132) * error));
  CHECK(row.p_value == Approx(p_value(std::log(1.32) / error)));
  CHECK(row.is_significant);
  CHECK_FALSE(judged(of_runs(100, 131.9)).is_significant);
  // Other events: rates can be compared, sums cannot; of other parts nothing can.
  using Note = RowNote::Kind;
  const auto noted = [](const char* unit, Comparability runs) {
    return judged(of_runs(100, 200, unit), {}, runs).note.kind;
  };
  CHECK(noted("s", Comparability::mix) == Note::other_events);
  CHECK(noted("kHz", Comparability::mix) == Note::none);
  CHECK(noted("kHz", Comparability::nothing) == Note::other_parts);
  CHECK(judged(of_runs(100, 200, "kHz"), {}, Comparability::mix).is_significant);
  // What is absent on a side is not judged, nor is what has no noise.
  CHECK(is_absent(judged(of_runs(absent, 2)).noise));
  ComparedNumber unknown = of_runs(100, 200);
  unknown.source = Noise::unknown;
  CHECK(judged(unknown).note.kind == Note::noise_unknown);
  unknown.a.runs = {99, 101};
  unknown.b.runs = {199, 201};
  // Two a side that spread by sqrt(2): that is the error of their difference, with 2 degrees.
  const ComparedNumber measured = judged(unknown);
  CHECK(measured.noise == Approx(std::sqrt(2.0)));
  CHECK(measured.dof == 2);
  CHECK(measured.p_value == Approx(p_value(100 / std::sqrt(2.0), 2)));
  // A count is what it is.
  ComparedNumber count = of_runs(100, 101);
  count.source = Noise::none;
  CHECK(judged(count).is_significant);
  count.b.value = 100;
  CHECK_FALSE(judged(count).is_significant);
}

TEST_CASE("What is certain but less than half a per cent has no verdict") {
  // Of a summary's number of its own value, of a part of the core-time, which is 1000 s.
  const auto is_told = [](RowGroup group, double more) {
    ComparedNumber row = of_runs(100, 100 + more);
    row.id.group = group;
    row.source = Noise::unknown;
    row.a.runs = {100, 100.001};
    row.b.runs = {100 + more, 100.001 + more};
    return judged(row).is_significant;
  };
  CHECK_FALSE(is_told(RowGroup::summary, 0.49));
  CHECK(is_told(RowGroup::summary, 0.51));
  CHECK_FALSE(is_told(RowGroup::activity, 4.9));
  CHECK(is_told(RowGroup::activity, 5.1));
}

TEST_CASE("A row of a part has what the explanation says of it") {
  using Kind = PartId::Kind;
  Effect part = changed({.kind = Kind::dataset, .dataset = "d"}, 100, 200, std::log(1.6), 0.1);
  part.dof = 7;
  part.allowed = 0.02;
  const auto row_of_part = [&] {
    Explanation explanation;
    explanation.speed = speed_with({part}, 100, 200);
    ComparedNumber row = number(Better::lower, 100, 200, Noise::chunks);
    row.id = {.group = RowGroup::dataset, .name = "d"};
    return judged(row, explanation);
  };
  ComparedNumber row = row_of_part();
  CHECK(row.expected == Approx(125));
  CHECK(row.noise == Approx(log_mean(125, 200) * 0.1));
  CHECK(row.dof == 7);
  CHECK(row.allowed == 0.02);
  CHECK(row.p_value == Approx(part.p_value()));
  CHECK(row.is_significant);
  part.is_of_moment = true;
  row = row_of_part();
  CHECK(row.note.kind == RowNote::Kind::or_moment);
  CHECK(is_absent(row.noise));
  part.is_of_moment = false;
  part.log_ratio = std::numeric_limits<double>::infinity();
  CHECK(is_absent(row_of_part().expected));
}

TEST_CASE("Samples of a function: counting, chunks, and what is open between functions, by hand") {
  Explanation explanation;
  explanation.speed = speed_with({}, 100, 100);
  explanation.speed.error = 0.03;
  explanation.speed.section_noise = 0.05;  // 0.6 of it stays
  explanation.speed.between_group_spread = 0.04;
  ComparedNumber row = number(Better::lower, 100, 160, Noise::samples);
  row.a.noise = 6;
  row.b.noise = 8;
  row.a.unclear = 2;
  row.b.unclear = 14;
  // 6 and 8 are 10 together, 3, 3 and 4 % of 100 s are sqrt(34) s, 12 s of unclear sqrt(12) s.
  const ComparedNumber found = judged(row, explanation);
  CHECK(found.expected == 100);
  CHECK(found.noise == Approx(std::sqrt(100 + 34 + 12)));
  CHECK(found.error_if_worse == Approx(found.noise));
  CHECK(found.p_value == Approx(p_value(60 / found.noise)));
  CHECK(found.errors_below == Approx(60 / std::sqrt(134.0)));
  CHECK(found.allowed == 0);
  // Chunks of another size allow for 10 %, of which A's noise is then, too.
  explanation.speed.resized = -std::log(1.1);
  const ComparedNumber resized = judged(row, explanation);
  CHECK(resized.allowed == Approx(10));
  const double below = 64 + 1.21 * (36 + 34);
  CHECK(resized.errors_below == Approx(50 / std::sqrt(below)));
  CHECK(resized.p_value == Approx(p_value(50 / std::sqrt(below + 12))));
  CHECK(resized.error_if_worse == Approx(std::sqrt(below + 12)));
  // So do threads in each other's way, of what is slower.
  explanation.speed.resized = 0;
  explanation.speed.oversubscription_allowance = std::log(1.1);
  CHECK(judged(row, explanation).allowed == Approx(10));
  row.b.value = 90;
  const ComparedNumber faster = judged(row, explanation);
  CHECK(faster.allowed == 0);
  CHECK(faster.p_value == Approx(p_value(10 / faster.noise)));
  // Within what is allowed nothing differs.
  row.b.value = 109;
  CHECK(judged(row, explanation).p_value == 1);
  // Replicates tell it, with what is known of one run's samples.
  explanation.speed.oversubscription_allowance = 0;
  row.b.value = 160;
  row.a.runs = {90, 110};
  row.b.runs = {150, 170};
  const ComparedNumber replicated = judged(row, explanation, Comparability::work, true);
  CHECK(replicated.noise == Approx(std::sqrt((4 * 146.0 / 2 + 2 * 200) / 6)));
  CHECK(replicated.dof == 6);
  // Without counts nothing is said.
  row.a.noise = absent;
  CHECK(is_absent(judged(row, explanation).noise));
}

TEST_CASE("Several runs a side are their means, with the spread of the replicates") {
  using Kind = PartId::Kind;
  const PartId dataset = {.kind = Kind::dataset, .dataset = "d"};
  const PartId chunk = {.kind = Kind::chunk, .dataset = "d", .place = "c"};
  const auto against_first = [&](double factor, double log_ratio, double seconds_b) {
    SpeedRatio speed =
        speed_with({changed(dataset, 50, seconds_b / 2, log_ratio, 0.1)}, 100, seconds_b);
    speed.factor = factor;
    speed.error = 0.1;
    speed.parts.at(dataset).dof = 5;
    return speed;
  };
  // Two more runs of A beside the first, two of B.
  std::vector<SpeedRatio> all = {against_first(0.03, 0.06, 100), against_first(-0.03, 0, 100),
                                 against_first(0.4, 0.3, 140), against_first(0.6, 0.5, 160)};
  all[2].parts.emplace(chunk, changed(chunk, 1, 9, 2));
  all[3].parts.emplace(chunk, changed(chunk, 1, 9, 2));
  all[3].resized = -0.2;
  all[3].parts.at(dataset).allowed = 0.07;
  const SpeedRatio made = combine(all, 3);
  CHECK(made.factor == Approx(0.5));
  CHECK(made.seconds_b == Approx(150));
  CHECK(made.seconds_a == Approx(150 / std::sqrt(1.4 * 1.6)));
  CHECK(made.resized == -0.2);
  CHECK(made.paired);
  const Effect& part = made.parts.at(dataset);
  CHECK(part.log_ratio == Approx(0.4 - 0.02));
  CHECK(part.seconds_b == Approx(75));
  CHECK(part.allowed == 0.07);
  const BetweenRuns between = between_runs(std::vector<double>{0, 0.06, 0},
                                           std::vector<double>{0.3, 0.5}, 0.1 / std::sqrt(2.0), 5);
  CHECK(part.error == Approx(between.error));
  CHECK(part.dof == 8);  // five of what was known, two runs of A and one of B more than one each
  // A chunk stands out in all of B, and in none of A.
  CHECK(made.parts.contains(chunk));
  std::vector<SpeedRatio> other = all;
  other[3].parts.erase(chunk);
  CHECK_FALSE(combine(other, 3).parts.contains(chunk));
  other = all;
  other[1].parts.emplace(chunk, changed(chunk, 1, 9, 2));
  CHECK_FALSE(combine(other, 3).parts.contains(chunk));
  // A part that one of them lacks is none; without a speed of one there is none of all.
  other = all;
  other[0].parts.erase(dataset);
  CHECK_FALSE(combine(other, 3).parts.contains(dataset));
  other = all;
  other[1].factor = absent;
  CHECK_FALSE(combine(other, 3).known());
  other = all;
  other[0].paired = false;
  CHECK_FALSE(combine(other, 3).paired);
}

namespace {

ComparedNumber own(const std::string& name, double a, double b) {
  ComparedNumber row = number(Better::lower, a, b, Noise::samples);
  row.id = {.group = RowGroup::own, .name = name};
  row.adds_up = true;
  row.noise = 0.1;
  row.a.noise = row.b.noise = 0.1;
  row.errors_below = 10;
  return row;
}

Side subtree(double value, double unclear = 0, const std::string& callers = "") {
  return {.value = value, .unclear = unclear, .text = callers};
}

/// A run of 100 s and one of `process` s, where no part has a name; all of it is in "process".
Explanation between(double process, double factor = 0) {
  Explanation e;
  e.speed = speed_with({}, 100, process);
  e.speed.factor = factor;
  e.a = {.process = 100, .events = 1000};
  e.b = {.process = process, .events = 1000};
  e.causes = {{.kind = Cause::Kind::evenly}, {.kind = Cause::Kind::unexplained}};
  return e;
}

/// What is said of a function; nothing where none is.
const Cause* function_of(const Explanation& e) {
  for (const Cause& cause : e.causes)
    if (cause.kind == Cause::Kind::function) return &cause;
  return nullptr;
}

}  // namespace

TEST_CASE("A function's change is what it took beyond the rest, which then is the common factor") {
  // f: 10 s -> 30 s, all else 90 s -> 180 s.
  ComparedRows compared;
  compared.functions_a = {{"f", subtree(10)}, {"process", subtree(100)}};
  compared.functions_b = {{"f", subtree(30)}, {"process", subtree(210)}};
  Explanation e = between(210);
  add_changed_function(compared, {own("f", 10, 30)}, 1, 1000, e);
  REQUIRE(function_of(e) != nullptr);
  CHECK(function_of(e)->function.name == "f");
  CHECK(function_of(e)->seconds == Approx(10));
  CHECK(function_of(e)->low == Approx(10));
  CHECK(function_of(e)->high == Approx(10));
  CHECK(function_of(e)->error == Approx(0.1));
  CHECK(e.speed.factor == Approx(std::log(2.0)));
  CHECK(e.causes.front().seconds == Approx(100));
  CHECK(e.causes.back().seconds == Approx(-100));  // which was the rest's before
  // Of twice as many events the rest is as fast as it was.
  Explanation more = between(210);
  more.b.events = 2000;
  add_changed_function(compared, {own("f", 10, 30)}, 1, 1000, more);
  CHECK(more.speed.factor == Approx(0).margin(1e-9));
  // Samples that can be another's: 4 s of A's and 6 s of B's besides.
  compared.functions_a["f"].unclear = 4;
  compared.functions_b["f"].unclear = 6;
  Explanation open = between(210);
  add_changed_function(compared, {own("f", 10, 30)}, 1, 1000, open);
  CHECK(function_of(open)->low == Approx(30 - 2 * 14));
  CHECK(function_of(open)->high == Approx(36 - 2 * 10));
  // Less than 3.3 of its errors is nothing.
  ComparedNumber noisy = own("f", 10, 30);
  noisy.noise = 3.1;
  Explanation nothing = between(210);
  add_changed_function(compared, {noisy}, 1, 1000, nothing);
  CHECK(function_of(nothing) == nullptr);
  noisy.noise = 3;
  add_changed_function(compared, {noisy}, 1, 1000, nothing);
  CHECK(function_of(nothing) != nullptr);
}

TEST_CASE("A function that is not certain gives way to its only caller, or is told of no more") {
  ComparedRows compared;
  compared.functions_a = {{"f", subtree(10, 20, "g\n")}, {"g", subtree(30)}, {"all", subtree(200)}};
  compared.functions_b = {{"f", subtree(20, 20, "g\n")}, {"g", subtree(40)}, {"all", subtree(200)}};
  const auto told = [&] {
    Explanation e = between(110);
    add_changed_function(compared, {own("f", 10, 20)}, 1, 1000, e);
    const Cause* const cause = function_of(e);
    return cause == nullptr ? "nothing" : cause->function.name + " " + cause->function.likely;
  };
  CHECK(told() == "g f");
  compared.functions_a["f"].text = compared.functions_b["f"].text = "g\nh\n";
  CHECK(told() == "nothing");
  // What has nine tenths of all is process() by another name: no section says it, so nothing does.
  compared.functions_a["f"].text = compared.functions_b["f"].text = "g\n";
  compared.functions_b["all"] = subtree(44);
  CHECK(told() == "nothing");
  compared.functions_b["all"] = subtree(45);
  CHECK(told() == "g f");
}

TEST_CASE("Which function is told of: the one that changed most, the way that the sections did") {
  ComparedRows compared;
  for (const char* name : {"f", "g", "h"}) {
    compared.functions_a[name] = subtree(10);
    compared.functions_b[name] = subtree(20);
  }
  compared.functions_b["all"] = subtree(200);
  const auto told = [&](std::vector<ComparedNumber> rows, double of_part = 0) {
    Explanation e = between(130);
    if (of_part != 0) {
      Effect part = part_of(section("s"), 10, 10 + of_part);
      e.causes.insert(e.causes.begin() + 1, {.part = part, .seconds = of_part, .error = 1});
    }
    add_changed_function(compared, rows, 1, 1000, e);
    return function_of(e) == nullptr ? "" : function_of(e)->function.name;
  };
  CHECK(told({own("f", 10, 20), own("g", 10, 22), own("h", 10, 18)}) == "g");
  // Half a per cent of 1000 s, and 3.3 errors, where it is not significant.
  CHECK(told({own("f", 10, 15.1)}) == "f");
  CHECK(told({own("f", 10, 14.9)}).empty());
  ComparedNumber small = own("f", 10, 14.9);
  small.is_significant = true;
  CHECK(told({small}) == "f");
  ComparedNumber unsure = own("f", 10, 20);
  unsure.errors_below = 3.2;
  CHECK(told({unsure}).empty());
  unsure.errors_below = 3.4;
  CHECK(told({unsure}) == "f");
  // Not the other way than the section.
  CHECK(told({own("f", 20, 8), own("g", 10, 16)}) == "f");
  CHECK(told({own("f", 20, 8), own("g", 10, 16)}, 6) == "g");
  // Renamed: what only A has and what only B has come to less than half of either together.
  CHECK(told({own("f", 10, absent), own("g", absent, 20.2)}) == "g");
  CHECK(told({own("f", 10, absent), own("g", absent, 19.8)}) == "f");
  CHECK(told({own("f", 10, absent), own("g", absent, 14.9)}).empty());
  // Twenty samples of one run alone, half of which tell nothing new, are chance once in 2^10, which
  // is more often than 3.3 errors are; where B has two samples for each of A's, 34 are once in
  // 1.5^17, and so are 12 of A.
  const auto samples = [&](double of_a, double of_b, double factor) {
    ComparedNumber row = own("f", of_a, of_b);
    row.a.noise = std::sqrt(of_a);
    row.b.noise = std::sqrt(of_b);
    Explanation e = between(130);
    add_changed_function(compared, {row}, factor, 1000, e);
    return function_of(e) != nullptr;
  };
  CHECK_FALSE(samples(absent, 20, 1));
  CHECK(samples(absent, 22, 1));
  CHECK_FALSE(samples(absent, 34, 2));
  CHECK(samples(absent, 36, 2));
  CHECK_FALSE(samples(12, absent, 2));
  CHECK(samples(14, absent, 2));
  // Other rows, and those of no function of process(), are none.
  ComparedNumber frame = own("f", 10, 20);
  frame.id.group = RowGroup::frame;
  CHECK(told({frame}).empty());
  compared.shown_a[{.group = RowGroup::own, .name = "g"}] = {};
  CHECK(told({own("f", 10, 20)}).empty());
  CHECK(told({own("g", 10, 20)}) == "g");
}

TEST_CASE("A function is held to what its sections took more, and 3.3 errors") {
  ComparedRows compared;
  compared.functions_a = {{"f", subtree(10)}, {"all", subtree(200)}};
  compared.functions_b = {{"f", subtree(30)}, {"all", subtree(200)}};
  const auto told = [&](double of_section, double error) {
    Explanation e = between(120);
    for (const char* name : {"s", "t"})
      e.causes.insert(
          e.causes.begin() + 1,
          {.part = part_of(section(name), 10, 20), .seconds = of_section / 2, .error = error});
    add_changed_function(compared, {own("f", 10, 30)}, 1, 1000, e);
    REQUIRE(function_of(e) != nullptr);
    return *function_of(e);
  };
  // 20 s by the profile, to 0.33 s; 15 s by two sections, and 4.67 s are 3.3 x sqrt(2) x 1.
  CHECK(told(15, 1.01).function.sections.size() == 2);
  CHECK(told(15, 1.01).seconds == Approx(15 + 3.3 * std::sqrt(2.0) * 1.01));
  CHECK(told(15, 1.01).high == Approx(15 + 3.3 * std::sqrt(2.0) * 1.01));
  CHECK(told(15, 0.9).function.sections.empty());
  CHECK(told(15, 0.9).seconds == Approx(20));
  CHECK(told(30, 0.1).seconds == Approx(20));
}

TEST_CASE("A function that took more than the sections that are named takes their seconds") {
  // f: 10 s -> 60 s; all else 90 s -> 99 s. Section s has 5 s of that for certain.
  ComparedRows compared;
  compared.functions_a = {{"f", subtree(10)}, {"all", subtree(100)}};
  compared.functions_b = {{"f", subtree(60)}, {"all", subtree(159)}};
  const auto told = [&](const PartId& id, double seconds) {
    Explanation e = between(159, std::log(1.5));
    e.causes.insert(e.causes.begin() + 1,
                    {.part = part_of(id, 10, 10 + seconds), .seconds = seconds, .error = 0.1});
    e.causes.front().seconds = 50;
    e.causes.back().seconds = 9 - seconds;
    add_changed_function(compared, {own("f", 10, 60)}, 1.5, 1000, e);
    return e;
  };
  const Explanation e = told(section("s"), 5);
  REQUIRE(e.causes.size() == 3);
  CHECK(function_of(e)->seconds == Approx(60 - 1.1 * 10));
  CHECK(e.speed.factor == Approx(std::log(1.1)));
  CHECK(e.causes.front().seconds == Approx(10));
  CHECK(e.causes.front().seconds + e.causes.back().seconds == Approx(59));
  // Not those of a section that took as much, nor of a file.
  CHECK(told(section("s"), 44).causes.size() == 4);
  CHECK(told({.kind = PartId::Kind::file, .place = "f0"}, 5).causes.size() == 4);
}

TEST_CASE("Own functions are shown as in the tree of core-time, where both runs have one") {
  ComparedRows compared;
  const RowId f{.group = RowGroup::own, .name = "f"}, g{.group = RowGroup::own, .name = "g"};
  const RowId total{.group = RowGroup::own, .kind = RowId::Kind::total};
  std::vector<ComparedNumber> rows = {own("", 3, 5), own("f", 1, 2), own("g", 2, 3)};
  rows[0].id = total;
  rows[1].expected = 1;
  rows.push_back(of_runs(7, 8));
  compared.shown_a = {{f, {.value = 4}}, {g, {.value = 6}}};
  show_as_in_tree(compared, 2, rows);
  CHECK(rows[1].a.value == 1);  // B has none
  compared.shown_b = {{f, {.value = 9}}};
  show_as_in_tree(compared, 2, rows);
  CHECK(rows[1].a.value == 4);
  CHECK(rows[1].b.value == 9);
  CHECK(rows[1].expected == 8);
  CHECK(rows[2].a.value == 6);
  CHECK(rows[2].b.value == 0);
  CHECK(rows[0].a.value == 10);
  CHECK(rows[0].b.value == 9);
  CHECK(rows[3].a.value == 7);
}

TEST_CASE("Names that only one run has: three of them, and how many there are") {
  SmallRun a, b;
  for (std::size_t i = 0; i < 4; ++i) a.run.chunks.dataset[i] = a.id("d" + std::to_string(i));
  const auto names = [&] {
    for (const ComparedNumber& row : compare_setup(a.run, b.run, {}, {}))
      if (row.id.name == "datasets") return row.note.in_a;
    return RowNote::Names{};
  };
  CHECK(names().count == 4);
  CHECK(names().first == std::vector<std::string>{"d0", "d1", "d2"});
  a.run.chunks.dataset[3] = a.run.chunks.dataset[0];
  CHECK(names().first.size() == 3);
  CHECK(names().count == 3);
}

TEST_CASE("The spread of replicates, and how slow the dataset hardest to judge must be") {
  const auto run = [](double pace) {
    return metrics([=](auto d, auto s, auto i) { return pace * usual(d, s, i); });
  };
  const auto session = sides({run(1), run(1.02), run(1.2), run(1.25)});
  std::vector<const Run*> runs;
  for (std::size_t i = 0; i < 4; ++i) runs.push_back(&session.run(i));
  Explanation e = explain(runs, 2, {}, option("run_spread", "0.1"));
  const double a = std::log(1.02), b = std::log(1.25 / 1.2);
  CHECK(e.between.error == Approx(std::sqrt((4 * 0.01 + a * a / 2 + b * b / 2) / 6)).epsilon(0.01));
  CHECK(e.between.dof == 6);
  // One run a side; the datasets vary more than their sections.
  const auto pair = sides({run(1), metrics([](auto d, auto s, auto i) {
                             return usual(d, s, i) * wobble(i / 3, 0, 0) * wobble(i / 7, 0, 0);
                           })});
  const Run* const both[] = {&pair.run(0), &pair.run(1)};
  e = explain(both, 1, {}, option("run_spread", "0.1"));
  CHECK(e.shown_dataset != Approx(e.shown_section));
  // Of the datasets and sections that are tested together each needs its part of 2.5 %, and is
  // found in 9 of 10; with a dataset the common factor moves by up to five of its errors.
  const auto shown = [&](PartId::Kind kind, double moved) {
    const auto tested = tested_parts(e.speed, value_or(e.b.available, e.b.process), true);
    double most = absent;
    for (const Effect* part : tested) {
      if (part->id.kind != kind) continue;
      const double errors =
          errors_of_p_value(0.025 / static_cast<double>(tested.size()), part->dof) + z_90;
      most = std::fmax(most,
                       std::exp(errors * part->error + moved * e.speed.error + part->allowed) - 1);
    }
    return most;
  };
  CHECK(e.shown_dataset == Approx(shown(PartId::Kind::dataset, 5)));
  CHECK(e.shown_section == Approx(shown(PartId::Kind::section, 0)));
  CHECK(e.shown_dataset > 0);
  // Without chunks it is the elapsed times that are compared.
  const std::string bare = R"({"config": {}, "chunk_info": {}, "elapsed_time_seconds": )";
  const auto without = sides({bare + "10}", bare + "11}", bare + "20}", bare + "20}"});
  std::vector<const Run*> others;
  for (std::size_t i = 0; i < 4; ++i) others.push_back(&without.run(i));
  const double squares = std::pow(std::log(1.1), 2) / 2;
  CHECK(explain(others, 2, {}, option("run_spread", "0.1")).between.error ==
        Approx(std::sqrt((4 * 0.01 + squares) / 6)));
}

TEST_CASE("What other chunks leave open is open where it is more than half of the change") {
  Explanation e = between(200);
  e.speed.resized = 0.1;
  e.causes.back().seconds = 51;
  CHECK(is_open(e));
  e.causes.back().seconds = -49;
  CHECK_FALSE(is_open(e));
  e.causes.back().seconds = 51;
  e.speed.resized = 0;
  CHECK_FALSE(is_open(e));
  // A pace is told from 3 % on.
  e.speed.factor = std::log(1.031);
  CHECK(is_paced(e));
  e.speed.factor = std::log(1.029);
  CHECK_FALSE(is_paced(e));
  e.speed.factor = std::log(1 / 1.031);
  CHECK(is_paced(e));
}

TEST_CASE("What is long after the last chunk is said, though all else is alike") {
  const auto words = [](double longer) {
    SmallRun a, b;
    b.run.names = a.run.names;
    b.run.elapsed = a.run.elapsed + longer;
    const Run* const runs[] = {&a.run, &b.run};
    Explanation e = explain(runs, 1, {}, {});
    e.outside = {};  // nothing else is said of it
    return report::in_words(e, runs, 1, {}, {}).verdict;
  };
  // A tenth of 40 s.
  CHECK(words(4.1).find("After the last chunk B took 4.1 s longer.") != std::string::npos);
  CHECK(words(3.9).find("After the last chunk") == std::string::npos);
}

TEST_CASE("How the elapsed time changed is replayed of one whole run a side") {
  SmallRun a, b;
  b.run.names = a.run.names;
  b.run.elapsed = 45;
  const Run* const runs[] = {&a.run, &b.run, &b.run};
  CHECK(explain(std::span(runs).first(2), 1, {}, {}).elapsed.known());
  CHECK_FALSE(explain(runs, 1, {}, {}).elapsed.known());
  Selection selection;
  selection.datasets = {"data"};
  CHECK_FALSE(explain(std::span(runs).first(2), 1, selection, {}).elapsed.known());
  // A processor that was named holds for a run that has it.
  CHECK(options_for(a.run, option("processor", "P")).has(processor_option));
  CHECK_FALSE(options_for(a.run, option("processor", "Q")).has(processor_option));
  CHECK_FALSE(options_for(a.run, {}).has(processor_option));
}
