// Identities that hold for every run under every selection: parts sum to wholes, and one quantity
// is equal in every question that shows it. Tried on random selections of all recorded bundles.
#include <map>
#include <random>
#include <set>

#include "core/compare/sides.hpp"
#include "core/stats/p_value.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/random_bundle.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;

namespace {

const std::vector<std::string> bundles = {"ab-after",
                                          "ab-before",
                                          "adaptive",
                                          "local-4x1",
                                          "no-decorator",
                                          "no-tracking",
                                          "preproc-none",
                                          "scale-1",
                                          "scale-2",
                                          "scale-4",
                                          "schema-0.1.0",
                                          "schema-flat-old-528a064",
                                          "schema-improve-api",
                                          "skipbad"};

/// A recorded bundle; with its task stream and profiles where it has them. Without its span, whose
/// cores are those of all workers together.
std::vector<File> files_of(const std::string& bundle) {
  std::vector<File> files;
  for (const char* name : {"metadata.json", "metrics.json", "report.json", "scheduler_info.json",
                           "span_metrics.json", "start_end_time.txt"})
    files.push_back({bundle + "/" + name, read_test_file(bundle + "/" + name)});
  for (const char* name : {"task_stream.json", "dask_profiles.json"}) {
    const std::string path = bundle + "/" + name;
    if (bundle == "adaptive" || bundle == "local-4x1")
      files.push_back({path, read_test_file(path + ".gz")});
  }
  return files;
}

OpenSession open_bundle(const std::string& bundle) { return OpenSession(files_of(bundle)); }

/// The same random choices on every standard library.
class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }
  double share() { return static_cast<double>(below(10001)) / 10000; }
  /// Some of `all`, at least one where there is any.
  std::vector<std::string> some(const std::vector<std::string>& all) {
    std::vector<std::string> chosen;
    for (const std::string& one : all) {
      if (below(2) == 0) chosen.push_back(one);
    }
    if (chosen.empty() && !all.empty()) chosen.push_back(all[below(all.size())]);
    return chosen;
  }

 private:
  std::mt19937 random_;
};

std::vector<std::string> column(const Table& table, const char* name) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < table.rows(); ++row) texts.emplace_back(table.text(name, row));
  return texts;
}

Selection random_selection(const OpenSession& session, Chance& chance) {
  Selection selection;
  const double end = value_or(session.run().window().end, 1);
  if (chance.below(2) == 0) {
    const double a = chance.share() * end, b = chance.share() * end;
    selection.time = {std::min(a, b), std::max(a, b)};
  }
  switch (chance.below(6)) {
    case 0: selection.datasets = chance.some(column(session.ask("datasets"), "name")); break;
    case 1: selection.files = chance.some(column(session.ask("files"), "name")); break;
    case 2: selection.hosts = chance.some(column(session.ask("hosts"), "name")); break;
    case 3: selection.workers = chance.some(column(session.ask("workers"), "worker")); break;
    case 4: selection.ranges = {{"events", 0, 20000 * chance.share()}}; break;
    default: break;
  }
  return selection;
}

std::string text_of(const Selection& s) {
  std::string text;
  if (s.time) text += std::to_string(s.time->begin) + ":" + std::to_string(s.time->end) + " ";
  for (const auto* list : {&s.datasets, &s.files, &s.hosts, &s.workers}) {
    for (const std::string& one : *list) text += one + " ";
  }
  for (const auto& range : s.ranges) text += range.column + "<" + std::to_string(range.hi);
  return text;
}

bool are_equal(double a, double b) {
  if (is_absent(a) || is_absent(b)) return is_absent(a) == is_absent(b);
  return std::fabs(a - b) <= 1e-9 * std::max({1.0, std::fabs(a), std::fabs(b)});
}

/// With both numbers in the message.
void check_equal(const char* what, double a, double b) {
  INFO(what << ": " << a << " and " << b);
  CHECK(are_equal(a, b));
}

double sum(const Table& table, const char* name) {
  double total = 0;
  for (const double v : table.find(name)->numbers) total += value_or(v, 0);
  return total;
}

double of_tree(const Table& tree, const std::string& id) {
  const std::size_t row = tree.row_of("id", id);
  return row == tree.rows() ? absent : tree.number("core_seconds", row);
}

/// Every part is the sum of what it unfolds into; only the parts of the whole may come to more.
void check_sums(const Table& tree) {
  std::map<std::string, double> sums;
  for (std::size_t row = 1; row < tree.rows(); ++row)
    sums[std::string(tree.text("parent", row))] += tree.number("core_seconds", row);
  const double excess = value_or(number_note(tree, "excess"), 0);
  std::size_t faults = 0;
  for (const auto& [id, total] : sums) {
    if (!are_equal(total, of_tree(tree, id) + (id == "available" ? excess : 0))) ++faults;
  }
  std::set<std::string> ids;
  for (std::size_t row = 0; row < tree.rows(); ++row) ids.emplace(tree.text("id", row));
  CHECK(faults == 0);
  CHECK(ids.size() == tree.rows());
}

/// The budget's parts are the whole, and the tree unfolds the same parts.
void check_core_time(const OpenSession& session, const Selection& selection) {
  const Table budget = session.ask("budget", selection);
  const double available = core_seconds(budget, "available");
  check_equal("available of summary", available,
              value(session.ask("summary", selection), "core_seconds_available"));
  std::map<std::string, double> phases;
  double total = 0, shortfall = 0, sections = 0;
  bool any_rest = false;
  for (std::size_t row = 0; row < budget.rows(); ++row) {
    const double seconds = budget.number("core_seconds", row);
    if (budget.text("split", row) == "section") {
      sections += seconds - budget.number("shortfall", row);
      any_rest = any_rest || budget.text("part", row) == "unaccounted";
    }
    if (budget.text("split", row) != "phase") continue;
    total += seconds;
    shortfall += budget.number("shortfall", row);
    std::string part(budget.text("part", row));
    if (part.starts_with("task")) part = "other_tasks";
    phases[part] += seconds;
  }
  if (any_rest) check_equal("sections", sections, core_seconds(budget, "inside_process"));
  const bool is_whole = phases.contains("idle") || phases.contains("not_in_process");
  if (is_whole) check_equal("the budget's parts", total, available + shortfall);
  for (const char* by : {"functions", "datasets", "sections"}) {
    CAPTURE(by);
    const Table tree = session.ask("core_time_tree", selection,
                                   Options({{"by", by}, {"depth", "100"}, {"most", "1000000"}}));
    check_sums(tree);
    if (!is_absent(available))
      check_equal("the tree's whole", of_tree(tree, "available"), available);
    for (const auto& [part, seconds] : phases) {
      CAPTURE(part);
      if (seconds > 0 || part != "other_tasks")
        check_equal("a part of the tree", of_tree(tree, "available/" + part), seconds);
    }
  }
}

/// The excess account has the budget's core-seconds; what is explained or unknown is of them.
void check_excess(const OpenSession& session, const Selection& selection) {
  const Table budget = session.ask("budget", selection);
  const Table excess = session.ask("excess", selection);
  std::map<std::string, double> ours, theirs;
  for (std::size_t row = 0; row < budget.rows(); ++row) {
    if (budget.text("split", row) != "phase") continue;
    const std::string part(budget.text("part", row));
    const bool is_told_apart = part == "inside_process" || part == "outside_process" ||
                               part == "lost_work" || part == "idle";
    theirs[is_told_apart              ? part
           : part.starts_with("task") ? "tasks"
                                      : "rest"] += budget.number("core_seconds", row);
  }
  for (std::size_t row = 0; row < excess.rows(); ++row) {
    const std::string part(excess.text("part", row));
    const double seconds = excess.number("core_seconds", row);
    const bool is_inside = part == "computing" || part == "waiting";
    const bool is_task = part == "merging" || part == "other_tasks";
    ours[is_inside                 ? "inside_process"
         : is_task                 ? "tasks"
         : part == "not_separated" ? "rest"
                                   : part] += seconds;
    const double tiny = 1e-9 * std::max(1.0, seconds);
    for (const char* name : {"baseline", "explained", "unknown"})
      CHECK(excess.number(name, row) >= -tiny);
    check_equal("baseline, explained and unknown", seconds,
                excess.number("baseline", row) + excess.number("explained", row) +
                    excess.number("unknown", row));
    if (selection.time) CHECK(excess.number("explained", row) == 0);
  }
  for (const auto& [part, seconds] : theirs) {
    CAPTURE(part);
    check_equal("a part of the account", ours[part], seconds);
  }
  CHECK(sum(excess, "core_seconds") <= sum(budget, "core_seconds") + 1e-6);
}

/// Each part over time sums to what the budget says of it.
void check_bins(const OpenSession& session, Selection selection) {
  selection.time.reset();  // the bins are of the whole run
  const Table budget = session.ask("budget", selection);
  const Table bins = session.ask("core_time_bins", selection, option("bins", "50"));
  const Column* const cores = bins.find("cores");
  const double width = (number_note(bins, "t1") - number_note(bins, "t0")) / 50;
  for (std::size_t row = 0; row < bins.rows(); ++row) {
    double seconds = 0;
    for (std::size_t bin = 0; bin < 50; ++bin) seconds += cores->numbers[row * 50 + bin] * width;
    const std::string part(bins.text("part", row));
    CAPTURE(part);
    double expected = core_seconds(budget, part);
    if (part == "other_tasks" && is_absent(expected)) {
      expected = 0;
      for (std::size_t k = 0; k < budget.rows(); ++k) {
        if (budget.text("part", k).substr(0, 5) == "task:")
          expected += budget.number("core_seconds", k);
      }
    }
    check_equal("a part over time", seconds, expected);
  }
}

/// Chunks are counted once, whatever they are grouped by.
void check_groups(const OpenSession& session, const Selection& selection) {
  const Table datasets = session.ask("datasets", selection);
  for (const char* question : {"files", "hosts", "sites"}) {
    CAPTURE(question);
    const Table groups = session.ask(question, selection);
    for (const char* name : {"chunks", "seconds", "events", "bytes"})
      check_equal(name, sum(groups, name), sum(datasets, name));
  }
  const bool narrowed = selection.time || !selection.datasets.empty() || !selection.files.empty();
  if (narrowed && session.run().chunks.size() > 0) {
    const Table summary = session.ask("summary", selection);
    const bool all =
        value(summary, "num_chunks") == static_cast<double>(session.run().chunks.size());
    check_equal("chunks", value(summary, "num_chunks"), sum(datasets, "chunks"));
    if (!all) {
      check_equal("events", value_or(value(summary, "total_events"), 0), sum(datasets, "events"));
      check_equal("seconds", value_or(value(summary, "total_cpu_time"), 0),
                  sum(datasets, "seconds"));
    }
  }
  const Table running = session.ask("concurrency", selection, option("bins", "20"));
  const Table throughput =
      session.ask("throughput", selection, Options({{"bins", "20"}, {"window", "selection"}}));
  if (running.rows() == 0) return;
  REQUIRE(throughput.rows() == 20);
  for (std::size_t bin = 0; bin < 20; ++bin) {
    double chunks = 0;
    for (std::size_t row = 0; row < running.rows(); ++row)
      chunks += running.find("chunks_running")->numbers[row * 20 + bin];
    check_equal("chunks running", chunks, value_or(throughput.number("chunks_running", bin), 0));
  }
}

void check_identities(const OpenSession& session, const Selection& selection) {
  CAPTURE(text_of(selection));
  check_core_time(session, selection);
  check_excess(session, selection);
  check_bins(session, selection);
  check_groups(session, selection);
}

}  // namespace

TEST_CASE("The error that a comparison prints is the one that its verdict uses, in every pair") {
  std::vector<File> files;
  for (const std::string& bundle : bundles)
    for (File& file : files_of(bundle)) files.push_back(std::move(file));
  const OpenSession session(files);
  REQUIRE(session.runs() == bundles.size());
  std::size_t judged = 0;
  for (std::size_t pair = 0; pair < session.runs() * session.runs(); ++pair) {
    const Run& a = session.run(pair / session.runs());
    const Run& b = session.run(pair % session.runs());
    const Run* const runs[] = {&a, &b};
    for (const auto& row : compare::compare_sides(runs, {}, {}).rows) {
      if (is_absent(row.p_value) || row.allowed > 0 || row.is_same()) continue;
      INFO(a.title << " → " << b.title << ": " << row.id.text());
      const double errors = std::fabs(row.excess()) / row.noise;
      CHECK(stats::p_value(errors, row.dof) == Approx(row.p_value).margin(1e-9));
      if (row.is_significant) CHECK(errors > 2);
      ++judged;
    }
  }
  CHECK(judged > 1000);
}

TEST_CASE("Identities: parts sum to wholes in all recorded bundles under random selections") {
  unsigned seed = 1;
  for (const std::string& bundle : bundles) {
    CAPTURE(bundle);
    const OpenSession session = open_bundle(bundle);
    check_identities(session, {});
    Chance chance(seed++);
    for (int i = 0; i < 12; ++i) check_identities(session, random_selection(session, chance));
  }
}

TEST_CASE("Identities: parts sum to wholes in runs made by chance") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const OpenSession session("metrics.json", RandomBundle(seed).metrics);
    check_identities(session, {});
    Chance chance(seed);
    for (int i = 0; i < 5; ++i) check_identities(session, random_selection(session, chance));
  }
}

TEST_CASE("Identities: what the workers had is what was available") {
  for (const std::string& bundle : bundles) {
    CAPTURE(bundle);
    const OpenSession session = open_bundle(bundle);
    if (!session.run().tracked) continue;
    double sum = 0;
    for (const std::string& worker : column(session.ask("workers"), "worker")) {
      Selection one;
      one.workers = {worker};
      const Table tree = session.ask("core_time_tree", one, option("depth", "1"));
      sum += of_tree(tree, "available");
    }
    check_equal("Σ of workers", sum, core_seconds(session.ask("budget"), "available"));
  }
}

TEST_CASE("Identities: phases follow each other and have all core-time") {
  for (const std::string& bundle : bundles) {
    CAPTURE(bundle);
    const OpenSession session = open_bundle(bundle);
    const Table phases = session.ask("phases");
    if (phases.rows() == 0) continue;
    double seconds = 0;
    for (std::size_t row = 0; row < phases.rows(); ++row) {
      seconds += value_or(phases.number("core_seconds", row), 0);
      if (row > 0) check_equal("phases", phases.number("t0", row), phases.number("t1", row - 1));
    }
    check_equal("Σ of phases", seconds,
                value_or(core_seconds(session.ask("budget"), "available"), 0));
  }
}
