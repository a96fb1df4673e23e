// Rules about where the core-time went: outside process(), start-up, the tail, idle cores.
#include <algorithm>

#include "core/base/number_format.hpp"
#include "core/base/sentence.hpp"
#include "core/diagnose/finding.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

// Shares of the available core-time from which a finding is worth a line, and from which it is
// grave. A tenth of the cores is what people notice in a queue; a quarter is worth a day of work.
constexpr double worth_a_line = 0.05;
constexpr double notable = 0.10;
constexpr double grave = 0.25;

Severity by_share(double share) {
  return share >= grave ? Severity::high : share >= notable ? Severity::medium : Severity::low;
}

// What every run has is a number and no finding. Opening a file, reading the description of its
// tree, unpickling the processor and packing a histogram take 20 to 60 ms from a local disk, and
// a few requests more from a server; twice that is still nobody's mistake.
constexpr double usual_outside = 0.1;  // [s] per execution

double executions_of_processor(const Facts& f) {
  return is_absent(f.lost.executions) ? recorded_num_chunks(f.run) : f.lost.executions;
}

/// [core-s] outside process() beyond what is usual.
double unusual_outside(const Facts& f) {
  return f.budget.of(BudgetPart::Kind::outside_process) -
         usual_outside * executions_of_processor(f);
}

double preprocessing_seconds(const Facts& f) {
  return f.budget.of(BudgetPart::Kind::task, "automatic_retries");
}

bool is_preprocessing(const Facts& f) { return f.share(preprocessing_seconds(f)) >= worth_a_line; }

std::vector<Finding> outside_process(const Facts& f) {
  const double outside = f.budget.of(BudgetPart::Kind::outside_process);
  const double executions = executions_of_processor(f);
  const double unusual = unusual_outside(f);
  const double share = f.share(unusual);
  // Files that are slow to open are one cause, told with pre-processing.
  if (!(share >= notable) || is_preprocessing(f)) return {};
  return {Finding{
      "outside-process",
      by_share(share),
      format_percent(outside / f.processor_seconds) +
          " of the processor tasks' time is outside process()",
      format_seconds(outside / executions) + " per execution outside, " +
          format_seconds(f.inside / static_cast<double>(f.run.chunks.size())) +
          " per chunk inside. It includes opening the file, building events, unpickling the "
          "processor and packing its output; 0.1 s per execution is usual.",
      unusual,
      "Timelines",
      {}}.at_most(f.won_by_saving(unusual))};
}

double phase_seconds(const Facts& f, const char* name, double Phase::*edge, double fallback) {
  const auto found = std::find_if(f.phases.begin(), f.phases.end(),
                                  [&](const Phase& p) { return p.name == name; });
  return found == f.phases.end() ? fallback : (*found).*edge;
}

// Workers connect, import the analysis's packages, are sent the processor and open their first
// files within a few seconds: likewise usual.
constexpr double usual_start = 5;  // [s]

std::vector<Finding> start_up(const Facts& f) {
  // When chunks ran is not known: neither is how long the run waited for them.
  if (f.run.chunks.size() > 0 && (!f.run.chunks.placed || !f.whole_list)) return {};
  // What was lost is in no list of chunks: the cores that ran it look as if they had waited.
  const bool has_ramp = f.filled && !(f.lost.repeated >= 1);
  // Files that are opened ahead are a finding of their own.
  const bool told = is_preprocessing(f);
  double core_seconds = 0;
  double end = 0;
  for (const Phase& p : f.phases) {
    if (p.name != "waiting for workers" && (p.name != "pre-processing" || told) &&
        (p.name != "ramp" || !has_ramp || told))
      continue;
    core_seconds += value_or(p.core_seconds, 0);
    end = p.t1;
  }
  // Chunks that ran meanwhile are no loss.
  const double used = chunk_steps(f.run).integral(0, end);
  core_seconds = std::max(0.0, core_seconds - used);
  const double share = f.share(core_seconds);
  const double first_core = phase_seconds(f, "waiting for workers", &Phase::t1, 0);
  const double first_chunk = phase_seconds(f, "pre-processing", &Phase::t1, first_core);
  if (!(end > usual_start)) return {};
  if (!(share >= worth_a_line) && !(first_chunk >= notable * f.elapsed)) return {};
  Selection selection;
  selection.time = Selection::TimeRange{0, end};
  std::string evidence = "First core at " + format_seconds(first_core);
  if (f.run.chunks.size() > 0) evidence += ", first chunk at " + format_seconds(first_chunk);
  if (has_ramp) evidence += ", chunks on 90 % of the cores at " + format_seconds(end);
  else if (f.run.chunks.size() > 0 && !f.filled)
    evidence += "; chunks never ran on 90 % of the cores";
  return {Finding{
      "start-up", by_share(std::max(share, first_chunk / f.elapsed / 2)),
      format_seconds(end) + (has_ramp                  ? " until chunks ran on nearly all cores"
                             : f.run.chunks.size() > 0 ? " until the first chunk began"
                                                       : " until the first core was available"),
      evidence + ".", core_seconds, "Timelines", selection}
              .at_most(f.won_by_starting_at_once())};
}

std::vector<Finding> preprocessing(const Facts& f) {
  if (!is_preprocessing(f)) return {};
  const double ahead = preprocessing_seconds(f);
  // Each file is opened again by the tasks that read it.
  const double again = std::max(0.0, value_or(unusual_outside(f), 0));
  const double share = f.share(ahead + again);
  const double begin = phase_seconds(f, "pre-processing", &Phase::t0, absent);
  const double end = phase_seconds(f, "pre-processing", &Phase::t1, absent);
  Selection selection;
  selection.prefixes = {"automatic_retries"};
  std::string evidence = format_core_seconds(ahead) +
                         " in tasks that open every file to count its events. coffea can keep the "
                         "result and skip this the next time.";
  if (again > 0)
    evidence += " The processor's tasks open the files again: " + format_core_seconds(again) +
                " outside process() beyond 0.1 s per execution. Fewer, larger files and a nearer "
                "storage save both.";
  Finding finding{"pre-processing", by_share(share),     "", evidence, ahead + again,
                  "Fine metrics",   std::move(selection)};
  finding.title = sentence({(again > 0 ? "Opening files took " : "Pre-processing took "),
                            format_percent(share), " of the core-time"});
  const double possible =
      again > 0 ? f.won(end, begin) + f.won_by_saving(again) : f.won(end, begin);
  return {std::move(finding).at_most(possible)};
}

std::vector<Finding> tail(const Facts& f) {
  if (f.run.chunks.size() < enough_chunks || is_absent(f.tail.core_seconds_wasted) || !f.whole_list)
    return {};
  const double share = f.share(f.tail.core_seconds_wasted);
  const double length = f.tail.end - f.tail.t95;
  // Less than 2 % is what any list of chunks leaves at its end.
  if (!(share >= 0.02)) return {};
  Selection selection;
  selection.time = Selection::TimeRange{f.tail.t95, f.tail.end};
  const double busy = 1 - f.tail.core_seconds_wasted / f.tail.core_seconds;
  const double sooner = f.tail.actual_makespan - f.tail.ideal_makespan;
  std::string evidence = "Between the end of 95 % of the chunks and the end of the last one, " +
                         format_percent(busy) + " of the cores were inside process().";
  if (sooner > 0.01 * f.tail.actual_makespan) {
    evidence += " The same tasks, longest first and without gaps, would have taken " +
                format_seconds(f.tail.ideal_makespan) + " instead of " +
                format_seconds(f.tail.actual_makespan) + ".";
  }
  return {Finding{"tail", by_share(share),
                  "The last " + format_seconds(length) + " ran on part of the cores", evidence,
                  f.tail.core_seconds_wasted, "Timelines", selection}
              .at_most(f.won(f.tail.actual_makespan, f.tail.ideal_makespan))};
}

// As many heartbeats must show idle cores: one or two may have come between two tasks.
constexpr std::size_t least_heartbeats = 3;
// A worker is asked for at most this many heartbeats; an older one says nothing of now.
constexpr double fresh_heartbeats = 2;

/// Cores that were free at a tick although as many tasks as cores were assigned.
struct FreeCores {
  std::vector<double> cores;      // by tick
  std::vector<double> heartbeat;  // [epoch s] the newest that tells so
};

FreeCores free_with_work(const Run& run) {
  const std::size_t n = run.ticks.size();
  std::vector<double> cores(n, 0), active(n, 0), executing(n, 0);
  FreeCores free{std::vector<double>(n, 0), std::vector<double>(n, absent)};
  const double interval = heartbeat_interval(run);
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickSeries& running = run.workers.of(Series::executing, w);
    for (std::size_t tick = running.first_tick; tick < running.end_tick(); ++tick) {
      const double assigned = run.workers.of(Series::active_tasks, w).at(tick);
      if (is_absent(running.at(tick)) || is_absent(assigned)) continue;
      // Without heartbeat times each tick has to do for one.
      const double seen = value_or(run.workers.of(Series::last_seen, w).at(tick), absent);
      const double now = run.clock.zero_epoch + run.ticks[tick];
      if (now - seen > fresh_heartbeats * interval) continue;
      const double heard = is_absent(seen) ? run.ticks[tick] : seen;
      if (!(free.heartbeat[tick] >= heard)) free.heartbeat[tick] = heard;
      cores[tick] += value_or(nthreads_at(run, w, tick), 0);
      active[tick] += assigned;
      executing[tick] += running.at(tick);
    }
  }
  for (std::size_t tick = 0; tick < n; ++tick) {
    if (active[tick] >= cores[tick])
      free.cores[tick] = std::max(0.0, cores[tick] - executing[tick]);
  }
  return free;
}

// Work was there, but not running.
std::vector<Finding> idle_with_work(const Facts& f) {
  const Run& run = f.run;
  const FreeCores free = free_with_work(run);
  double wasted = 0;
  std::size_t heartbeats = 0;
  double last = absent;
  for (std::size_t tick = 0; tick + 1 < run.ticks.size(); ++tick) {
    if (!(free.cores[tick] > 0)) continue;
    wasted += free.cores[tick] * (run.ticks[tick + 1] - run.ticks[tick]);
    if (free.heartbeat[tick] != last) ++heartbeats;
    last = free.heartbeat[tick];
  }
  if (heartbeats < least_heartbeats) return {};
  // Heartbeats are late and ticks a second apart: the tasks' own seconds say how much can have been
  // idle at all.
  if (const double idle = f.budget.of(BudgetPart::Kind::idle); !is_absent(idle))
    wasted = std::min(wasted, idle);
  const double share = f.share(wasted);
  if (!(share >= notable)) return {};
  return {Finding{
      "idle-with-work",
      by_share(share),
      format_percent(share) + " of the core-time was idle while tasks were waiting",
      "As many tasks as cores were assigned to workers, but fewer were running (as of the "
      "last heartbeat). Consistent with "
      "a busy scheduler, with tasks that wait for their inputs, and with workers that have "
      "just started.",
      wasted,
      "Timelines",
      {}}.at_most(f.won_without_gaps())};
}

std::vector<Finding> conversion(const Facts& f) {
  std::vector<Finding> found;
  struct Conversion {
    const char* id;
    const char* name;
    std::vector<const char*> activities;
  };
  for (const Conversion& kind :
       {Conversion{"serialization", "(De)serialization", {"serialize", "deserialize"}},
        Conversion{"compression", "(De)compression", {"compress", "decompress"}}}) {
    double seconds = 0;
    for (const char* activity : kind.activities)
      seconds += value_or(activity_sum(f.run, activity, "seconds"), 0);
    const double share = f.share(seconds);
    if (!(share >= 0.01)) continue;
    found.push_back(Finding{
        kind.id,
        by_share(share),
        std::string(kind.name) + " took " + format_percent(share) + " of the core-time",
        format_core_seconds(seconds) + " over all tasks, by Dask's own count.",
        seconds,
        "Fine metrics",
        {}}.at_most(f.won_by_saving(seconds)));
  }
  return found;
}

// Dask writes results to disk where a worker's memory runs short, and never else: any of it tells.
std::vector<Finding> spilling(const Facts& f) {
  const double bytes = activity_sum(f.run, "disk-write", "bytes");
  const double seconds = value_or(activity_sum(f.run, "disk-read", "seconds"), 0) +
                         value_or(activity_sum(f.run, "disk-write", "seconds"), 0);
  if (!(bytes > 0)) return {};
  Finding finding;
  finding.id = "spilling";
  finding.severity = std::max(by_share(f.share(seconds)), Severity::medium);
  finding.title =
      sentence({"Workers ran short of memory: ", format_bytes(bytes), " of results went to disk"});
  finding.evidence =
      sentence({format_core_seconds(seconds),
                " for writing and reading it back, by Dask's own count; pauses of workers without "
                "free memory are not included. More memory per worker, "
                "smaller chunks, or smaller "
                "results avoid it."});
  finding.view = "Fine metrics";
  finding.gain_core_seconds = seconds;
  return {std::move(finding).at_most(f.won_by_saving(seconds))};
}

// A merged result of at least this part of all that was merged holds the chunks' own columns; one
// of histograms stays as large as each of them.
constexpr double holds_columns = 0.5;

/// Results of the processor's tasks, and the largest that came of merging them [byte].
struct OutputSize {
  double results = 0, merged = 0, tasks = 0;
};

OutputSize output_size(const Facts& f) {
  OutputSize size;
  const Tasks& tasks = f.run.tasks;
  const StringId compute = f.run.names->strings.find("compute");
  const StringId reduce = f.run.names->strings.find("reduce");
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks.action[i] != compute || is_absent(tasks.nbytes[i])) continue;
    if (tasks.prefix[i] == f.processor) size.results += tasks.nbytes[i], size.tasks += 1;
    if (tasks.prefix[i] == reduce) size.merged = std::max(size.merged, tasks.nbytes[i]);
  }
  return size;
}

std::vector<Finding> reduction(const Facts& f) {
  const double seconds = f.budget.of(BudgetPart::Kind::task, "reduce");
  const double share = f.share(seconds);
  if (!(share >= 0.03)) return {};
  Selection selection;
  selection.prefixes = {"reduce"};
  const OutputSize size = output_size(f);
  const std::string each = format_bytes(size.results / size.tasks);
  const bool is_heavy = size.merged >= holds_columns * size.results && size.results > 0;
  Finding finding{"reduction",
                  by_share(share),
                  "Merging results took " + format_percent(share) + " of the core-time",
                  format_core_seconds(seconds) + " in the tasks of the tree reduction.",
                  seconds,
                  "Fine metrics",
                  std::move(selection)};
  if (is_heavy) {
    finding.id = "heavy-output";
    finding.title =
        sentence({"Results are large: ", each, " per chunk, and merging them keeps all of it"});
    finding.evidence +=
        sentence({" The largest merged result has ", format_bytes(size.merged), " of the ",
                  format_bytes(size.results),
                  " that the chunks returned: it grows with the events, as columns do and "
                  "histograms do not. Write columns to files in the tasks, and return their "
                  "names."});
  } else {
    if (size.tasks > 0) finding.evidence += sentence({" A chunk returns ", each, "."});
    finding.evidence +=
        " Smaller results, or another width of the tree (treereduction), shorten it.";
  }
  return {std::move(finding).at_most(f.won_by_saving(seconds))};
}

}  // namespace

double opening_seconds(const Facts& f) {
  return value_or(preprocessing_seconds(f), 0) + std::max(0.0, value_or(unusual_outside(f), 0));
}

const std::vector<Rule>& core_time_rules() {
  static const std::vector<Rule> rules = {outside_process, start_up,   preprocessing, tail,
                                          idle_with_work,  conversion, spilling,      reduction};
  return rules;
}

}  // namespace crema::diagnose
