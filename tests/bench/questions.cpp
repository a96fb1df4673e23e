// How long every question takes on runs at the edge of what is recorded, built in memory: no text
// is read.
//
// Prints one JSON line per case and question: {"case", "question", "first", "again"} in
// milliseconds; a first call may build what later ones use.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "core/query/question.hpp"

namespace {

using namespace crema;

/// A seeded sequence: the same runs everywhere.
class Sequence {
 public:
  double unit() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 11U) / 9007199254740992.0;
  }
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(unit() * static_cast<double>(n));
  }

 private:
  std::uint64_t state_ = 1;
};

Run new_run() {
  Run run(std::make_shared<Names>());
  run.title = "bench";
  run.clock.zero_epoch = 1795255200;
  return run;
}

/// Workers that are there for `length` of the ticks each, one after the other over the run.
void add_workers(Run& run, std::size_t workers, std::size_t ticks, std::size_t length) {
  Sequence random;
  run.tracked = true;
  run.elapsed = static_cast<double>(ticks);
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    run.tick_naive.push_back(static_cast<std::int64_t>(1795255200 + tick) * 1000000);
    run.ticks.push_back(static_cast<double>(tick));
    run.worker_counts.push_back(static_cast<double>(workers * length / ticks));
  }
  for (std::size_t w = 0; w < workers; ++w) {
    const std::string host =
        "10.0." + std::to_string(w / 64 / 256) + "." + std::to_string(w / 64 % 256);
    const std::size_t worker = run.workers.intern(
        run.names->strings.intern("tcp://" + host + ":" + std::to_string(10000 + w)));
    run.workers.host[worker] = run.names->strings.intern(host);
    const std::size_t first = workers < 2 ? 0 : (ticks - length) * w / (workers - 1);
    for (std::size_t s = 0; s < series_count; ++s) {
      TickSeries& series = run.workers.of(static_cast<Series>(s), worker);
      series.first_tick = static_cast<std::uint32_t>(first);
      series.values.resize(length);
      for (double& value : series.values)
        value = static_cast<Series>(s) == Series::cores ? 1 : random.unit() * 1000;
    }
  }
}

void add_chunks(Run& run, std::size_t count) {
  Sequence random;
  StringPool& strings = run.names->strings;
  run.chunks_recorded = true;
  Chunks& c = run.chunks;
  const StringId sections[] = {strings.intern("load"), strings.intern("select"),
                               strings.intern("fill")};
  for (std::size_t i = 0; i < count; ++i) {
    const double begin = random.unit() * run.elapsed * 0.98;
    const double events = std::floor(5e3 + random.unit() * 2e4);
    const double duration = 1 + events * 5e-4 * (0.5 + random.unit());
    const std::size_t file = i / 4;
    c.dataset.push_back(strings.intern("dataset " + std::to_string(file % 12)));
    c.file.push_back(strings.intern("root://site" + std::to_string(file % 9) + ".example//store/" +
                                    std::to_string(file) + ".root"));
    for (auto* column : {&c.memory_before, &c.memory_after, &c.memory_delta, &c.branches_accessed,
                         &c.accessed_bytes, &c.accessed_uncompressed_bytes,
                         &c.branches_read_fraction, &c.bytes_read_fraction})
      column->push_back(random.unit());
    c.entry_start.push_back(static_cast<double>(i % 4) * 3e4);
    c.entry_stop.push_back(static_cast<double>(i % 4) * 3e4 + events);
    c.t_start.push_back(begin);
    c.t_end.push_back(begin + duration);
    c.duration.push_back(duration);
    c.events.push_back(events);
    c.bytes_read.push_back(1e6 * random.unit());
    c.branch_set.push_back(Chunks::no_set);
    c.error.push_back(no_string);
    for (const StringId section : sections)
      c.sections.push_back(
          {static_cast<std::uint32_t>(i), section, SectionValue::Kind::seconds, duration * 0.3});
  }
}

void add_trees(Run& run, std::size_t trees, std::size_t nodes) {
  Sequence random;
  std::vector<FrameId> frames;
  for (int i = 0; i < 2000; ++i) {
    frames.push_back(run.names->frames.intern(
        run.names->strings.intern("function_" + std::to_string(i)),
        run.names->strings.intern("/lib/python3.12/file_" + std::to_string(i % 150) + ".py"),
        static_cast<std::uint32_t>(i)));
  }
  run.names->frames.line_seen.resize(run.names->frames.size());
  for (std::size_t t = 0; t < trees; ++t) {
    CallTree tree;
    tree.name = "tcp://10.0.0.1:" + std::to_string(t);
    tree.kind = CallTree::Kind::worker;
    tree.worker = run.names->strings.intern(tree.name);
    tree.source = "dask_profiles.json";
    // In preorder: the next node goes below the last one or below one of those that it stands in.
    std::vector<NodeId> open = {0};
    tree.parent.push_back(no_node);
    tree.frame.push_back(frames[0]);
    for (std::size_t n = 1; n < nodes; ++n) {
      if (open.size() > 60 || random.below(3) == 0) open.resize(1 + random.below(open.size()));
      tree.parent.push_back(open.back());
      tree.frame.push_back(frames[(open.size() * 31 + random.below(8)) % frames.size()]);
      open.push_back(static_cast<NodeId>(n));
    }
    tree.count.assign(nodes, 0);
    tree.line.assign(nodes, 1);
    for (std::size_t n = nodes; n-- > 0;) {
      tree.count[n] += static_cast<double>(random.below(5));
      if (n > 0) tree.count[tree.parent[n]] += tree.count[n];
    }
    run.call_trees.push_back(std::move(tree));
  }
}

void add_tasks(Run& run, std::size_t count) {
  Sequence random;
  StringPool& strings = run.names->strings;
  Tasks& tasks = run.tasks;
  tasks.source = "task_stream.json";
  for (std::size_t i = 0; i < count; ++i) {
    const double begin = random.unit() * run.elapsed * 0.98;
    tasks.key.push_back(strings.intern("Processor-" + std::to_string(i)));
    tasks.prefix.push_back(strings.intern("Processor"));
    tasks.worker.push_back(run.workers.address[i % run.workers.size()]);
    tasks.thread.push_back(static_cast<double>(i % 4));
    tasks.action.push_back(strings.intern(i % 5 == 0 ? "transfer" : "compute"));
    tasks.t0.push_back(begin);
    tasks.t1.push_back(begin + random.unit() * 10);
    tasks.nbytes.push_back(1e5);
    tasks.status.push_back(strings.intern("OK"));
  }
}

/// A question as it is asked: of the whole run, of half of its time, in fewer columns.
struct Ask {
  std::string name;
  const query::Question* question;
  Selection selection;
  Options options;
};

std::vector<Ask> asks(const Run& run) {
  std::vector<Ask> all;
  for (const query::Question* question : query::all()) {
    if (question->run_count.least > 1) continue;
    const std::string name(question->name);
    Ask whole{name, question, {}, {}};
    // As the page asks: boxes that can be seen on a screen.
    if (name == "flame")
      whole.options =
          Options({{"leaves", "estimated"}, {"min_fraction", "0.0003"}, {"runs", "true"}});
    Ask half = whole;
    half.name += ", half the time";
    half.selection.time = Selection::TimeRange{run.elapsed / 4, 3 * run.elapsed / 4};
    all.push_back(std::move(whole));
    all.push_back(std::move(half));
    if (name == "chunks") {
      const std::map<std::string, std::string> columns = {
          {"columns", "chunk,dataset,events,duration,outlier"}};
      all.push_back({"chunks, five columns", question, {}, Options(columns)});
    }
  }
  return all;
}

double milliseconds(const Ask& ask, const Run& run) {
  const Run* const one = &run;
  // Processor time: a question runs on one thread, and what else the machine does is none of its
  // business.
  const std::clock_t begin = std::clock();
  (*ask.question)({&one, 1}, ask.selection, ask.options);
  return static_cast<double>(std::clock() - begin) * 1e3 / CLOCKS_PER_SEC;
}

void ask_all(const char* name, const Run& run, std::string_view wanted) {
  for (const Ask& ask : asks(run)) {
    if (ask.name.find(wanted) == std::string::npos) continue;
    try {
      const double first = milliseconds(ask, run);
      const double again =
          std::min({milliseconds(ask, run), milliseconds(ask, run), milliseconds(ask, run)});
      std::printf("{\"case\": \"%s\", \"question\": \"%s\", \"first\": %.3f, \"again\": %.3f}\n",
                  name, ask.name.c_str(), first, again);
    } catch (const std::exception& problem) {
      std::fprintf(stderr, "%s, %s: %s\n", name, ask.name.c_str(), problem.what());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  // The first argument keeps the cases whose name contains it, the second the questions.
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const std::string_view question = argc > 2 ? argv[2] : "";
  const auto on = [&](const char* name, const auto& fill) {
    if (std::string_view(name).find(wanted) == std::string_view::npos) return;
    Run run = new_run();
    fill(run);
    ask_all(name, run, question);
  };
  on("2,000 workers x 3,600 ticks", [](Run& run) { add_workers(run, 2000, 3600, 3600); });
  on("20,000 short-lived workers", [](Run& run) { add_workers(run, 20000, 3600, 60); });
  on("200,000 chunks", [](Run& run) {
    add_workers(run, 200, 3600, 3600);
    add_chunks(run, 200000);
  });
  on("2,000 call trees of 3,500 nodes", [](Run& run) {
    add_workers(run, 200, 3600, 3600);
    add_trees(run, 2000, 3500);
  });
  on("100,000 task records", [](Run& run) {
    add_workers(run, 200, 3600, 3600);
    add_tasks(run, 100000);
  });
}
