#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/align/align.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/report/answer_text.hpp"
#include "tests/core/drawn_tree.hpp"

namespace crema::test {

using namespace diagnose;

/// A finding with its sentences.
struct WordedFinding : Finding {
  std::string id, title, evidence;

  explicit WordedFinding(const Finding& finding) : Finding(finding), id(id_of(finding.cause)) {
    const report::FindingText text = report::text_of(finding);
    title = text.title;
    evidence = text.evidence;
  }
};

inline std::vector<WordedFinding> worded_findings(const Run& run, const Options& options = {}) {
  const std::vector<Finding>& found = find_findings(run, options);
  return {found.begin(), found.end()};
}

/// A run with nothing to complain about: four workers of one thread for 40 s, a tick a second; on
/// each, 39 chunks of 1 s one after the other from 0.5 s on; 156 core-s in process() of 160, tasks
/// of 158.
struct SmallRun {
  Run run{std::make_shared<Names>()};

  static constexpr std::size_t workers = 4;
  static constexpr std::size_t chunks_each = 39;

  SmallRun() {
    run.schema = "roastcoffea flat 0.1.x";
    run.elapsed = 40;
    run.tracked = true;
    run.clock.zero_epoch = 1e9;
    run.clock.zone_offset = 0;
    for (std::size_t tick = 0; tick < 40; ++tick) {
      run.tick_naive.push_back(static_cast<std::int64_t>(tick) * 1000000);
      run.ticks.push_back(static_cast<double>(tick));
      run.worker_counts.push_back(workers);
    }
    for (std::size_t w = 0; w < workers; ++w) {
      const std::size_t worker =
          run.workers.intern(id("tcp://10.0.0." + std::to_string(w) + ":1000"));
      run.workers.host[worker] = id("10.0.0." + std::to_string(w));
      for (std::size_t tick = 0; tick < 40; ++tick) {
        const auto set = [&](Series which, double value) {
          run.workers.of(which, worker).set(tick, value);
        };
        set(Series::cores, 1);
        set(Series::memory, 500e6);
        set(Series::memory_limit, 1000e6);
        set(Series::active_tasks, 2);
        set(Series::executing, 1);
        set(Series::cpu, 0.95);
        set(Series::last_seen, 1e9 + static_cast<double>(tick) - 0.3);
      }
    }
    run.chunks_recorded = true;
    for (std::size_t w = 0; w < workers; ++w) {
      for (std::size_t i = 0; i < chunks_each; ++i)
        add_chunk(0.5 + static_cast<double>(i), 1, 10000, i % 2 == 0 ? "data" : "ttbar");
    }
    run.stored.push_back({"total_bytes_read", 156 * 2e6, "total_bytes_read"});
    run.report.chunks = 156;
    activity("P", "thread-cpu", "seconds", 150);
    activity("P", "thread-noncpu", "seconds", 8);
    activity("P", "memory-read", "count", 156);
  }

  StringId id(const std::string& text) { return run.names->strings.intern(text); }

  void activity(const std::string& prefix, const std::string& name, const std::string& unit,
                double value) {
    run.activities_recorded = true;
    run.activities.add(id("execute"), id(prefix), id(name), id(unit), value);
  }

  void set_activity(const std::string& name, double value) {
    for (std::size_t i = 0; i < run.activities.size(); ++i) {
      if (run.text(run.activities.activity[i]) == name) run.activities.value[i] = value;
    }
  }

  void add_chunk(double begin, double duration, double events, const std::string& dataset,
                 const std::string& file = "root://a//f.root") {
    Chunks& c = run.chunks;
    c.dataset.push_back(id(dataset));
    c.file.push_back(id(file));
    c.t_start.push_back(begin);
    c.t_end.push_back(begin + duration);
    c.duration.push_back(duration);
    c.events.push_back(events);
    c.bytes_read.push_back(2e6);
    for (auto* column :
         {&c.entry_start, &c.entry_stop, &c.memory_before, &c.memory_after, &c.memory_delta,
          &c.branches_accessed, &c.accessed_bytes, &c.accessed_uncompressed_bytes,
          &c.branches_read_fraction, &c.bytes_read_fraction}) {
      column->push_back(absent);
    }
    c.branch_set.push_back(Chunks::no_set);
    c.error.push_back(no_string);
  }

  /// The task stream of the chunks: each ran in a task of its own on the worker that had it.
  void stream(double result_bytes = 5000) {
    for (std::size_t i = 0; i < run.chunks.size(); ++i)
      add_task("P", i, i / chunks_each, run.chunks.t_start[i], run.chunks.t_end[i], result_bytes);
    align::match_chunks(run);  // as reading does, once the stream is known
  }

  void add_task(const std::string& prefix, std::size_t number, std::size_t worker, double begin,
                double end, double bytes) {
    Tasks& t = run.tasks;
    t.key.push_back(id(prefix + "-" + std::to_string(number)));
    t.prefix.push_back(id(prefix));
    t.worker.push_back(run.workers.address[worker]);
    t.thread.push_back(1);
    t.action.push_back(id("compute"));
    t.t0.push_back(begin);
    t.t1.push_back(end);
    t.nbytes.push_back(bytes);
    t.status.push_back(id("OK"));
  }

  /// A profile of the processor's tasks, drawn; all samples of one worker.
  CallTree& draw_profile(const std::string& drawn) {
    CallTree& tree =
        run.call_trees.emplace_back(drawn_tree(*run.names, drawn, CallTree::Leaves::counted));
    tree.kind = CallTree::Kind::worker;
    tree.worker = run.workers.address[0];
    tree.name = std::string(run.text(tree.worker));
    return tree;
  }

  /// A chunk that takes another time, on its worker and in its task as well.
  void stretch(std::size_t chunk, double duration) {
    run.chunks.duration[chunk] = duration;
    run.chunks.t_end[chunk] = run.chunks.t_start[chunk] + duration;
  }

  /// All chunks run 10 s later, of 50 s.
  void start_late() {
    for (std::size_t i = 0; i < run.chunks.size(); ++i) {
      run.chunks.t_start[i] += 10;
      run.chunks.t_end[i] += 10;
    }
    run.elapsed = 50;
  }

  /// Sets a series of one worker to `value` at all ticks.
  void set_series(Series which, std::size_t worker, double value) {
    for (double& v : run.workers.of(which, worker).values) v = value;
  }

  /// A file of 1 GB in 100 branches, of which these fractions were read; its place in the run.
  std::size_t add_file(double branches, double bytes) {
    const std::size_t file = run.files.intern(id("root://a//f.root"));
    run.files.tree_bytes[file] = 1e9;
    run.files.branches_total[file] = 100;
    run.files.branches_read_fraction[file] = branches;
    run.files.bytes_read_fraction[file] = bytes;
    return file;
  }

  void section(const std::string& name, double seconds) {
    for (std::uint32_t i = 0; i < run.chunks.size(); ++i)
      run.chunks.sections.push_back({i, id(name), SectionValue::Kind::seconds, seconds});
  }

  const WordedFinding* find(const std::string& wanted) {
    run.facts = {};  // the test has changed the run since
    align::match_chunks(run);
    found_ = worded_findings(run);
    for (const WordedFinding& finding : found_) {
      if (finding.id == wanted) return &finding;
    }
    return nullptr;
  }

 private:
  std::vector<WordedFinding> found_;
};

/// A row of a table, with values of columns.
template <class Column>
void add(RecordedTable<Column>& table, std::initializer_list<std::pair<Column, double>> values) {
  const std::size_t row = table.size();
  table.resize(row + 1);
  for (const auto& [column, value] : values) table.of(column)[row] = value;
}

/// A row for each chunk, with what `values_of(chunk)` measured of it besides.
template <class Values>
void set_rows(SmallRun& small, const Values& values_of) {
  RecordedTables& rows = small.run.recording;
  rows.tasks = {};
  rows.chunk.clear();
  for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
    add(rows.tasks, {{recorded_columns::Task::kind, small.id("chunk")},
                     {recorded_columns::Task::begin, small.run.chunks.t_start[i]},
                     {recorded_columns::Task::wall, small.run.chunks.duration[i]},
                     {recorded_columns::Task::at_once, 1}});
    for (const auto& [column, value] : values_of(i)) rows.tasks.of(column)[i] = value;
    rows.chunk.push_back(i);
  }
}

}  // namespace crema::test
