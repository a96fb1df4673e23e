#include "core/base/text.hpp"
#include "core/export/export.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::exports;
using namespace crema::test;

namespace {

const std::vector<std::string> recorded = {
    "ab-before",    "ab-after", "adaptive", "local-4x1", "no-decorator", "no-tracking",
    "preproc-none", "scale-1",  "scale-4",  "skipbad",   "schema-0.1.0"};

std::vector<File> bundle(const std::string& name, const std::string& as) {
  std::vector<File> files = {
      {as + "/metrics.json", read_test_file(name + "/metrics.json")},
      {as + "/start_end_time.txt", read_test_file(name + "/start_end_time.txt")}};
  if (name == "ab-before" || name == "ab-after")
    files.push_back({as + "/profile.json", read_test_file(name + "/profile_merged.json.gz")});
  return files;
}

OpenSession two(const std::string& a, const std::string& b) {
  std::vector<File> files = bundle(a, "1-a");
  for (File& file : bundle(b, "2-b")) files.push_back(std::move(file));
  return OpenSession(files);
}

double of(const Table& table, const std::string& id, const char* column) {
  return table.number(column, table.row_of("id", id));
}

}  // namespace

TEST_CASE("A worker is of one run, and leaves chunks of both in a comparison") {
  std::vector<File> files;
  for (const char* name : {"adaptive", "local-4x1"})
    for (const char* file : {"metrics.json", "task_stream.json.gz"})
      files.push_back(
          {std::string(name) + "/" + file, read_test_file(std::string(name) + "/" + file)});
  const OpenSession session(files);
  Selection one;
  one.workers.emplace_back(session.run().text(session.run().chunks.worker.at(0)));
  CHECK(session.ask("chunks", one).rows() < session.ask("chunks").rows());
  for (const char* question : {"compare_matrix", "compare_steps"}) {
    CAPTURE(question);
    CHECK(table_json(session.ask_all(question, {}, one)) == table_json(session.ask_all(question)));
  }
}

TEST_CASE("A run against itself: every difference is 0 and nothing is noteworthy") {
  for (const std::string& name : recorded) {
    CAPTURE(name);
    const OpenSession session = two(name, name);
    for (const char* per : {"absolute", "million_events"}) {
      const Table table = session.ask_all("compare", option("per", per));
      REQUIRE(table.rows() > 20);
      for (std::size_t row = 0; row < table.rows(); ++row) {
        CAPTURE(table.text("id", row));
        const double delta = table.number("delta", row);
        CHECK((delta == 0 || is_absent(delta)));
        CHECK_FALSE(table.number("noteworthy", row) == 1);
      }
    }
  }
}

TEST_CASE("The contributions of each dimension add up to its total, and B to A is minus A to B") {
  const OpenSession forth = two("ab-before", "ab-after");
  const OpenSession back = two("ab-after", "ab-before");
  for (const char* per : {"absolute", "million_events", "share"}) {
    const Table ab = forth.ask_all("compare", option("per", per));
    const Table ba = back.ask_all("compare", option("per", per));
    for (const std::string group :
         {"budget", "dataset", "section", "activity", "host", "own", "frame"}) {
      CAPTURE(per, group);
      double sum = 0;
      for (std::size_t row = 0; row < ab.rows(); ++row) {
        if (ab.text("group", row) == group && ab.text("id", row) != group + ".total")
          sum += ab.number("delta", row);
      }
      const double total = of(ab, group + ".total", "delta");
      // sections of ab-before lie in each other
      if (group == "section") CHECK(is_absent(total));
      else CHECK(sum == Approx(total).margin(1e-9));
    }
    for (std::size_t row = 0; row < ab.rows(); ++row) {
      const std::size_t other = ba.row_of("id", ab.text("id", row));
      if (ab.text("id", row) == "frame.rest") continue;
      CAPTURE(ab.text("id", row));
      REQUIRE(other < ba.rows());
      const double delta = ab.number("delta", row);
      if (is_absent(delta)) CHECK(is_absent(ba.number("delta", other)));
      else CHECK(ba.number("delta", other) == Approx(-delta).margin(1e-12));
    }
  }
}

TEST_CASE("ab-before to ab-after: three times the dimuon work in chunks half as large") {
  const Table table = two("ab-before", "ab-after").ask_all("compare");
  // The first of the own functions after their total.
  const std::size_t first = table.row_of("id", "own.total") + 1;
  CHECK(table.text("id", first) == "own.dimuon_candidates (zprime_analysis.py)");
  CHECK(table.number("noteworthy", first) == 1);
  CHECK(table.text("verdict", first) == "worse");
  CHECK(of(table, "setup.chunk_events", "a") == 10000);
  CHECK(of(table, "setup.chunk_events", "b") == 5000);
  CHECK(of(table, "setup.chunk_events", "noteworthy") == 1);
  CHECK(of(table, "setup.files", "noteworthy") == 0);
  CHECK(of(table, "setup.workers", "noteworthy") == 0);
  // Twice as many executions: outside process() more in all, but not per execution.
  CHECK(of(table, "budget.outside_process", "ratio") == Approx(1.82).epsilon(0.01));
  CHECK(of(table, "outside_process_per_execution", "ratio") == Approx(0.91).epsilon(0.01));
  CHECK(of(table, "total_events", "noteworthy") == 0);
  CHECK(of(table, "workers_time_average", "noteworthy") == 0);
}

TEST_CASE("What a function changed is one number: as a step, as a row, as a cause and in words") {
  const OpenSession session = two("ab-before", "ab-after");
  const Table steps = session.ask_all("compare_steps", option("by", "functions"));
  const std::size_t step = steps.row_of("label", "dimuon_candidates");
  const double change = steps.number("b", step) - steps.number("a", step);
  const Table rows = session.ask_all("compare");
  CHECK(of(rows, "own.dimuon_candidates (zprime_analysis.py)", "delta") == Approx(change));
  const Table verdict = session.ask_all("verdict");
  CHECK(verdict.number("seconds", verdict.row_of("kind", "own function")) == Approx(change));
  CHECK(
      note(verdict, "sentence").find("According to the profile, +" + format_core_seconds(change)) !=
      std::string::npos);
  // All events of A have their like in B, though no chunk has.
  const Table pairs = session.ask_all("compare_pairs");
  CHECK(number_note(pairs, "paired") == number_note(pairs, "chunks"));
  CHECK(note(verdict, "limits").find("cannot be paired") == std::string::npos);
}

namespace {

/// The analysis of docs/tutorial.md as it is first, and with `best_mass` mended.
OpenSession tutorial(const std::string& a, const std::string& b) {
  std::vector<File> files = recorded_files(a);
  for (File& file : recorded_files(b)) files.push_back(std::move(file));
  return OpenSession(files);
}

}  // namespace

TEST_CASE("Own functions add up to process(), also where a profile counts seconds") {
  const OpenSession session = tutorial("tutorial-before", "tutorial-after");
  const Table rows = session.ask_all("compare");
  for (const char* side : {"a", "b"}) {
    CAPTURE(side);
    CHECK(of(rows, "own.total", side) == Approx(of(rows, "budget.inside_process", side)));
  }
}

TEST_CASE("One function that has most of the time and changed: it is named, and no other") {
  for (const bool is_mended : {true, false}) {
    CAPTURE(is_mended);
    const OpenSession session = is_mended ? tutorial("tutorial-before", "tutorial-after")
                                          : tutorial("tutorial-after", "tutorial-before");
    const Table rows = session.ask_all("compare");
    const auto verdict_of = [&](const char* id) {
      return std::string(rows.text("verdict", rows.row_of("id", id)));
    };
    CHECK(verdict_of("own.best_mass (zprime.py)") == (is_mended ? "better" : "worse"));
    // it took 6.88 and 6.98 core-s
    CHECK(verdict_of("own.bootstrap (zprime.py)").empty());
    const std::string said = note(session.ask_all("verdict"), "sentence");
    CHECK(said.find("best_mass (zprime.py)") != std::string::npos);
    CHECK(said.find("threads that slow each other down") == std::string::npos);
    CHECK(said.find("would have taken 0 s") == std::string::npos);
  }
}

TEST_CASE("Sections that lie in each other have no total") {
  const std::string nested =
      with(small_metrics(), R"({"load": 0.5, "fill": 1.0})", R"({"load": 1.5, "fill": 1.0})");
  const auto compared = [](const std::string& a, const std::string& b) {
    const OpenSession session({{"1-a/metrics.json", a}, {"2-b/metrics.json", b}});
    return session.ask_all("compare");
  };
  CHECK(of(compared(small_metrics(), small_metrics()), "section.total", "a") == Approx(5));
  const Table table = compared(small_metrics(), nested);
  CHECK(is_absent(of(table, "section.total", "a")));
  CHECK(is_absent(of(table, "section.total", "delta")));
  CHECK(of(table, "section.load", "delta") == Approx(1));
}

TEST_CASE("Steps from A to B: each begins where the one before ended, and all are the change") {
  const Table steps =
      two("ab-before", "ab-after").ask_all("compare_steps", option("by", "functions"));
  CHECK(steps.row_of("label", "dimuon_candidates") < 2);  // the work that is done three times
  double reached = number_note(steps, "a");
  CHECK(reached == Approx(105.1).epsilon(0.001));  // 3 cores for 35.03 s
  for (std::size_t row = 0; row < steps.rows(); ++row) {
    CHECK(steps.number("begin", row) == Approx(reached));
    reached += steps.number("delta", row);
    CHECK(steps.number("end", row) == Approx(reached));
  }
  CHECK(number_note(steps, "b") == Approx(reached));
  CHECK(reached == Approx(238.5).epsilon(0.001));  // 3 cores for 79.50 s
  CHECK(steps.text("kind", steps.rows() - 1) == "idle");
  // As shares of what was available both sides are whole; per million events the unit says so.
  const Table shares =
      two("ab-before", "ab-after").ask_all("compare_steps", option("per", "share"));
  CHECK(number_note(shares, "a") == Approx(1));
  CHECK(number_note(shares, "b") == Approx(1));
  CHECK(note(shares, "unit") == "1");
  // How far numbers are alike: all of the same events, not the same time.
  const Table rows = two("ab-before", "ab-after").ask_all("compare");
  const auto alike = [&](const char* id) { return rows.text("alike", rows.row_of("id", id)); };
  CHECK(alike("total_events") == "equal");
  CHECK(alike("elapsed_time_seconds") != "equal");
  CHECK(alike("setup.commit").empty());
  // B beside B is no change at all.
  const Table none = two("ab-after", "ab-after").ask_all("compare_steps");
  for (std::size_t row = 0; row < none.rows(); ++row) CHECK(none.number("delta", row) == 0);
  CHECK_THROWS(two("ab-before", "ab-after").ask_all("compare_steps", option("runs_of_a", "2")));
}

TEST_CASE("The same events in both runs: chunks of the same entries, or several as long") {
  const auto chunks = [](const std::string& list) {
    return R"({"elapsed_time_seconds": 100, "raw_chunk_metrics": [)" + list + "]}";
  };
  const auto chunk = [](const std::string& file, int start, int stop, double seconds) {
    return R"({"t_start": 1795255200, "t_end": 1795255300, "dataset": "d", "file": ")" + file +
           R"(", "entry_start": )" + std::to_string(start) + R"(, "entry_stop": )" +
           std::to_string(stop) + R"(, "num_events": )" + std::to_string(stop - start) +
           R"(, "duration": )" + std::to_string(seconds) + "}";
  };
  // f: [0, 10) is two chunks in B, [10, 20) one in both, [20, 30) only in A.
  const std::string a = chunk("f", 0, 10, 2) + "," + chunk("f", 10, 20, 3) + "," +
                        chunk("f", 20, 30, 4) + "," + chunk("g", 0, 5, 1);
  const std::string b = chunk("f", 5, 10, 3) + "," + chunk("f", 0, 5, 1) + "," +
                        chunk("f", 10, 20, 9) + "," + chunk("g", 0, 5, 5);
  const OpenSession session(
      std::vector<File>{{"1-a/metrics.json", chunks(a)}, {"2-b/metrics.json", chunks(b)}});
  const Table pairs = session.ask_all("compare_pairs");
  REQUIRE(pairs.rows() == 3);
  const auto expect = [&](std::size_t row, double start, double in_a, double in_b, double of_b) {
    CAPTURE(row);
    CHECK(pairs.number("entry_start", row) == start);
    CHECK(pairs.number("a", row) == in_a);
    CHECK(pairs.number("b", row) == in_b);
    CHECK(pairs.number("chunks_b", row) == of_b);
  };
  expect(0, 0, 2, 4, 2);
  expect(1, 10, 3, 9, 1);
  expect(2, 0, 1, 5, 1);
  CHECK(pairs.text("file", 2) == "g");
  CHECK(number_note(pairs, "ratio") == 3);  // of 2, 3 and 5
  CHECK(number_note(pairs, "paired") == 3);
  CHECK(number_note(pairs, "chunks") == 4);
  // Files that all lie elsewhere are known by their names.
  const OpenSession moved(
      std::vector<File>{{"1-a/metrics.json", chunks(chunk("/a/g", 0, 5, 1))},
                        {"2-b/metrics.json", chunks(chunk("root://b//g", 0, 5, 2))}});
  CHECK(number_note(moved.ask_all("compare_pairs"), "ratio") == 2);
  // A run that was cut into twice as many chunks: 112 ranges that both begin and end with one.
  const Table half = two("ab-before", "ab-after").ask_all("compare_pairs");
  CHECK(half.rows() == 112);
  CHECK(number_note(half, "ratio") == Approx(2.71).epsilon(0.002));
}

TEST_CASE("Per million events, different amounts of work compare") {
  // The same analysis, once with twice the events in twice the chunks of the same kind.
  const Table table = two("scale-2", "scale-2").ask_all("compare", option("per", "million_events"));
  const double events = of(table, "total_events", "a");
  CHECK(of(table, "dataset.total", "a") ==
        Approx(of(table, "total_cpu_time", "a") / events * 1e6).epsilon(1e-2));
  CHECK_THROWS(two("scale-2", "scale-2").ask_all("compare", option("per", "year")));
}

TEST_CASE("What only one run has says so and counts as 0 on the other side") {
  const Table table = two("no-decorator", "scale-2").ask_all("compare");
  CHECK(table.row_of("id", "dataset.total") == table.rows());
  const auto found = std::find_if(table.notes.begin(), table.notes.end(),
                                  [](const Note& n) { return n.name == "not_compared"; });
  REQUIRE(found != table.notes.end());
  CHECK(std::get<std::string>(found->value).find("datasets: only B has them") != std::string::npos);
  CHECK(table.text("note", table.row_of("id", "budget.inside_process")) == "only in B");
  CHECK_THROWS(OpenSession("metrics.json", small_metrics()).ask_all("compare"));  // one run
}

TEST_CASE("The Markdown of a comparison: names cannot break out of their cells") {
  const OpenSession session = two("ab-before", "ab-after");
  const std::string text = session.report_all("compare", exports::comparison_markdown);
  CHECK(text.find("Events per chunk, median: 10,000 → 5,000") != std::string::npos);
  CHECK(text.find("| dimuon\\_candidates (zprime\\_analysis.py) |") != std::string::npos);
  // What is equal but for rounding is equal, a small change has no sign before "<", and a quantity
  // in two units is one row.
  CHECK(text.find("| Workers, step average | 3 | 3 | 0 | 0 % |") != std::string::npos);
  CHECK(text.find("e-16") == std::string::npos);
  CHECK(text.find("−<") == std::string::npos);
  const std::string_view rate = "| Data rate |";
  const auto first = text.find(rate);
  REQUIRE(first != std::string::npos);
  CHECK(text.find(rate, first + 1) == std::string::npos);
  // Waiting in seconds and in percent are two quantities.
  CHECK(text.find("| Processor waiting | 54 % |") != std::string::npos);
  const std::string same =
      two("scale-2", "scale-2").report_all("compare", exports::comparison_markdown);
  CHECK(same.find("**A run is compared with itself") != std::string::npos);
  CHECK(same.find("worse") == std::string::npos);
}

TEST_CASE("Four workers instead of one: threads in each other's way, and no section is judged") {
  const OpenSession session = two("scale-1", "scale-4");
  const Table verdict = session.ask_all("verdict");
  for (std::size_t row = 0; row < verdict.rows(); ++row) {
    CAPTURE(verdict.text("label", row));
    CHECK(verdict.text("section", row).empty());
    CHECK(verdict.text("dataset", row).empty());
  }
  const std::string sentence(verdict.text_note("sentence"));
  CAPTURE(sentence);
  CHECK(sentence.find("threads that slow each other down (4 instead of 1)") != std::string::npos);
  CHECK(sentence.find(" less come with 4 cores instead of 1.") != std::string::npos);
  // What stands before the fold is short.
  const std::string text = session.report_all("compare", exports::comparison_markdown);
  CHECK(std::count(text.begin(), text.begin() + static_cast<long>(text.find("<details>")), '\n') <=
        25);
}

TEST_CASE("Two call trees on one: the noise of a box is that of its samples") {
  const OpenSession session(std::vector<File>{{"1-a/a.folded", "main;fit 100\nmain;read 50\n"},
                                              {"2-b/b.folded", "main;fit 144\nmain;read 56\n"}});
  const Table table = session.ask_all("flame_diff", option("per", "absolute"));
  const std::size_t fit = table.row_of("frame", "fit");
  const std::size_t read = table.row_of("frame", "read");
  CHECK(table.number("a", fit) == 100);
  CHECK(table.number("b", fit) == 144);
  CHECK(table.number("delta", fit) == 44);
  CHECK(table.number("noise", fit) == Approx(std::sqrt(244.0)));
  CHECK(table.number("noteworthy", fit) == 1);  // 44 > 2 * 15.6
  CHECK(table.number("noteworthy", read) == 0);
  const Table shares = session.ask_all("flame_diff");
  CHECK(shares.number("delta", fit) == Approx(144.0 / 200 - 100.0 / 150));
  CHECK(shares.number("noise", fit) == Approx(std::sqrt(100.0 / 150 / 150 + 144.0 / 200 / 200)));
  CHECK_THROWS(session.ask_all(
      "flame_diff", option("per", "million_events")));  // nobody says how many events there were
  CHECK_THROWS(session.ask_all("flame_diff", option("per", "year")));
}

TEST_CASE("The recorded call trees of before and after, for the same number of events") {
  const OpenSession session = two("ab-before", "ab-after");
  const Table table = session.ask_all("flame_diff", option("per", "million_events"));
  const Table a = session.ask("flame");
  // The root is all thread-seconds of the profile for a million events.
  const double events =
      session.ask("summary").number("value", session.ask("summary").row_of("id", "total_events"));
  CHECK(table.number("a", 0) ==
        Approx(number_note(a, "total") * number_note(a, "seconds_per_sample") * 1e6 / events));
  const std::size_t dimuon = table.row_of("frame", "dimuon_candidates");
  CHECK(table.number("noteworthy", dimuon) == 1);
  CHECK(table.number("ratio", dimuon) > 3);
  const Table same = two("ab-before", "ab-before").ask_all("flame_diff");
  for (std::size_t row = 0; row < same.rows(); ++row) CHECK(same.number("delta", row) == 0);
}
