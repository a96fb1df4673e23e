#include "core/report/answer_text.hpp"

namespace crema::report {

using namespace diagnose;
using namespace predict;
using namespace profile;
using namespace runtime;

namespace {

// Baskets that lie across the border of two chunks are read by both: so much is usual.
constexpr double read_again = 1.2;
// Chunks that read less than the branches have left events out.
constexpr double read_in_part = 0.95;

/// "once", "2.03 times".
std::string times_text(double times) {
  return format_number(times) == "1" ? "once" : format_number(times) + " times";
}

std::string input_verdict(const InputUse& f) {
  const double times = f.all.times_read();
  if (f.all.files == 0) return "How much of the files was read is not recorded.";
  if (is_absent(times))
    return fill("The branches read hold {%} of the bytes of their trees.", {f.all.used_share()});
  const std::string of = fill(": {B} for {B} of branches.", {f.all.read, f.all.used});
  if (times >= read_again)
    return fill("{B} were read to get {B} of branches ({}).",
                {f.all.read, f.all.used, times_text(times)});
  if (times < read_in_part)
    return fill("Only {%} of the bytes of these branches was read{}", {times, of});
  if (is_absent(f.all.used_share()))
    return fill("Each byte of the branches read was read once{}", {of});
  return fill("{%} of the bytes was used, and each of these was read once{}",
              {f.all.used_share(), of});
}

std::string input_limits(const InputUse& f) {
  std::string text;
  if (!is_absent(f.all.used_share()))
    text += fill("The trees hold {B}; {%} of that is in the {}{} of {} branches read. ",
                 {f.all.tree, f.all.used_share(),
                  (f.fewest < f.most ? format_number(f.fewest) + " to " : std::string()), f.most,
                  f.branches});
  const double several = f.of_several.times_read();
  if (several >= read_again) {
    const double one = f.of_one_chunk.times_read();
    text += is_absent(one)
                ? std::string()
                : fill("Bytes of files of one chunk were read {}, those of other files {}. ",
                       {times_text(one), times_text(several)});
    text +=
        "Bytes are compressed in baskets: a basket that spans several chunks is read by each of "
        "them. Larger chunks, or files with smaller baskets, read less. ";
  } else if (f.all.times_read() < read_in_part) {
    text += "The chunks left out events, or not all chunks were recorded. ";
  }
  if (f.unknown > 0) text += fill("This is not recorded for {file}. ", {f.unknown});
  return text;
}

/// Of the core-time, as everywhere; of the tasks' time where the cores are not known.
std::string fine_verdict(const Run& run, const Budget& budget) {
  const double cpu = activity_sum(run, "thread-cpu", "seconds");
  const double waiting = activity_sum(run, "thread-noncpu", "seconds");
  const double whole = is_absent(budget.available) ? budget.executing : budget.available;
  if (!(cpu + waiting >= 0) || !(whole > 0)) return "Dask counted no seconds on and off a CPU.";
  return fill(
      "{%} of the {} was waiting in tasks, {%} on a CPU.",
      {waiting / whole, (is_absent(budget.available) ? "tasks' time" : "core-time"), cpu / whole});
}

std::string spill_and_transfers(const Run& run) {
  if (activities_are_of_rows(run)) return {};
  const bool spilled = activity_sum(run, "disk-write", "seconds") > 0 ||
                       activity_sum(run, "disk-read", "seconds") > 0;
  const std::vector<StringId>& contexts = run.activities.context;
  const bool sent = any_of(contexts, [&](StringId context) {
    return run.text(context) == "get-data" || run.text(context) == "gather-dep";
  });
  return sentence({spilled ? "Results were spilled to disk" : "Nothing was spilled to disk",
                   sent ? "." : "; transfers were not recorded."});
}

/// What was spilled and sent, and what the processor's tasks took.
std::string fine_limits(const Run& run, const Budget& budget) {
  const std::string spilled = spill_and_transfers(run);
  const double inside = budget.of(BudgetPart::Kind::inside_process);
  const double outside = budget.of(BudgetPart::Kind::outside_process);
  if (is_absent(inside) || is_absent(outside)) return spilled;
  const double lost = budget.of(BudgetPart::Kind::lost_work);
  const std::string text =
      fill("{}{}{core-s}, the processor's tasks {core-s} outside it{}",
           {spilled, spilled.empty() ? "process() took " : " process() took ", inside, outside,
            (lost > 0 ? ", repeated work " + format_core_seconds(lost) : std::string())});
  return text + ".";
}

std::string whole_percent(double part) {
  return std::to_string(static_cast<int>(std::lround(100 * part))) + " %";
}

}  // namespace

bool activities_are_of_rows(const Run& run) {
  return !run.recording.source.empty() && run.activities.source == run.recording.source;
}

VerdictText input_text(const InputUse& input) {
  return {input_verdict(input), input_limits(input)};
}

std::string waiting_text(const std::vector<Finding>& findings, double waited) {
  for (const Finding& finding : findings) {
    if (part_of(finding) == CostIn::waiting) return text_of(finding).title + ".";
  }
  if (is_absent(waited)) return "Whether the tasks waited was not recorded.";
  return fill(
      "The tasks were off a CPU for {%} of their time: no finding says that storage was the limit.",
      {waited});
}

VerdictText workers_text(const WorkersSeen& seen) {
  const std::string workers = format_count(seen.workers, "worker");
  const std::string least = format_number(seen.least), most = format_number(seen.most);
  const std::string times = fill("{}{} times as long as the others for the same work.",
                                 {least, least == most ? "" : " to " + most});
  const bool is_told = seen.slow > 0 || seen.is_known;
  VerdictText text;
  if (seen.slow > 0) text.verdict = fill("{} of {} took {}", {seen.slow, workers, times});
  else if (is_told)
    text.verdict = fill(
        "No worker stands out: {}{}",
        {seen.compared < seen.workers ? "those that ran enough chunks took " : "all took ", times});
  else if (seen.workers == 1) text.verdict = "1 worker: there is no other to compare it with.";
  else if (seen.compared > 0)
    text.verdict =
        fill("No slow worker was found; {} are too few to judge one by their spread.", {workers});
  else
    text.verdict =
        workers + "; too little is recorded of their chunks to say whether one was slow.";
  // What is known comes before what cannot be told.
  if (!is_told && seen.executions > 0 && seen.left + seen.lost == 0) {
    text.limits = text.verdict + " ";
    text.verdict = "Every worker stayed to the end.";
  }
  if (seen.left > 0) text.limits = format_number(seen.left) + " left before the end. ";
  if (seen.executions > 0)
    text.limits += seen.lost > 0 ? fill("{} of {} tasks ran again. ", {seen.lost, seen.executions})
                                 : "No task ran again. ";
  else text.limits += "Which worker ran what was not recorded: a task stream shows it. ";
  if (!is_absent(seen.memory_share))
    text.limits += fill("Peak memory: {%} of the limit.", {seen.memory_share});
  return text;
}

std::string slow_worker_text(const WorkerWork& work, bool is_named, double slow_from) {
  if (is_named) return "slow: a finding names it";
  if (work.chunks < least_chunks_of_worker)
    return fill("cannot tell: {chunk} matched to it, {} are needed",
                {work.chunks, least_chunks_of_worker});
  if (std::isinf(slow_from)) return "cannot tell: too few workers to compare";
  return fill("{}{} times, by the spread of all",
              {work.times_others > slow_from ? "slow: above " : "as others: up to ", slow_from});
}

std::string label_text(const BudgetPart& part) {
  if (part.kind != BudgetPart::Kind::task) return part.label;
  if (part.label == "automatic_retries") return "Pre-processing (automatic_retries)";
  if (part.label == "reduce") return "Merging (reduce)";
  return part.label;
}

VerdictText fine_text(const Run& run, const Budget& budget) {
  return {fine_verdict(run, budget), fine_limits(run, budget)};
}

std::string leaves_text(const Profile& profile, LeafChoice choice, double certain,
                        double estimated) {
  if (!has_uncounted_leaves(profile))
    return "Self time is exact: this profile counts the innermost frame of each sample.";
  if (choice == LeafChoice::counted) {
    return "As counted by Dask, which leaves out the innermost frame of each sample: all self time "
           "is unresolved among the callees.";
  }
  if (choice == LeafChoice::notebook) {
    return "The \"exclusive\" time of the notebook that Crema began with: what a function counts "
           "more than its callees counts as its own, though Dask sampled it in one of the callees.";
  }
  const auto is_missing = [](const CallTree* tree) {
    return tree->leaves == CallTree::Leaves::missing;
  };
  if (any_of(profile.trees, is_missing)) {
    return "Dask does not count the innermost frame of a sample, and its page leaves frames "
           "without samples out: all self time is unresolved among the callees.";
  }
  const std::string known = "Dask does not record where a sample ended. For " +
                            whole_percent(certain) + " it is certain; ";
  if (choice != LeafChoice::estimated) return known + "the rest is unknown.";
  // an estimate may leave some open, too
  const bool is_all = whole_percent(certain + estimated) == whole_percent(1);
  return known + whole_percent(estimated) + " (hatched) are estimated" +
         (is_all ? "." : "; the rest is unknown.");
}

std::string sample_time_text(const SampleTime& time) {
  switch (time.source) {
    case SampleTime::Source::recorded: return "recorded";
    case SampleTime::Source::assumed_cycle:
      return "1 s assumed: Dask samples event loops once per profile cycle, and the profile does "
             "not record it";
    case SampleTime::Source::assumed_interval:
      return "10 ms assumed: Dask's default interval, which the profile does not record; late "
             "samples make it an underestimate";
    case SampleTime::Source::task_stream:
    case SampleTime::Source::spans: break;
  }
  return fill("calibrated: {core-s} in tasks{}{}{}{}, divided by {sample}{}",
              {time.task_seconds, time.prefix.empty() ? "" : " of ", time.prefix,
               time.has_others ? " (all others are below 1 %)" : "",
               time.source == SampleTime::Source::spans ? " by the spans" : " by the task stream",
               time.samples,
               time.of == SampleTime::Of::whole_run     ? " of the whole run"
               : time.of == SampleTime::Of::all_workers ? " of all workers"
                                                        : ""});
}

std::string limit_text(const TreeLimit& limit) {
  const std::string count = std::to_string(limit.count);
  if (limit.kind == TreeLimit::Kind::too_deep)
    return fill(
        "The tree is too deep to be inverted completely: callers more than {} above are left out.",
        {count});
  if (limit.count == limit.all)
    return "The time range does not narrow this: its samples have no order.";
  return fill("The time range does not narrow {} of {} call trees: their samples have no order.",
              {count, std::to_string(limit.all)});
}

std::string_view phase_text(Phase::End end) {
  switch (end) {
    case Phase::End::first_core: return "until the first core was available";
    case Phase::End::first_chunk:
      return "until the first chunk began; also building the graph and sending the processor";
    case Phase::End::first_full: return "until chunks ran on 90 % of the cores for the first time";
    case Phase::End::last_full: return "until chunks ran on 90 % of the cores for the last time";
    case Phase::End::last_chunk: return "until the last chunk ended";
    case Phase::End::client_done: return "merging results, until the client was done";
    case Phase::End::unknown:
      return "what is left of the run's length: before the first chunk or after the last, which "
             "nothing recorded separates";
    case Phase::End::no_chunks: return "no chunks were recorded: not divided further";
    case Phase::End::clocks_disagree:
      return "times of chunks do not fit the run: not divided further";
    case Phase::End::no_cores:
      return "cores over time are not known (no tracking): ramp and drain cannot be separated";
    case Phase::End::never_full: return "chunks never ran on 90 % of the cores";
  }
  return {};
}

std::string fixed_cost_text(const ChunkSizeModel& model) {
  const bool bounded = model.least_fixed > 0 || model.most_fixed < 1;
  return fill("how much of a chunk's time does not depend on its size: {}",
              {bounded ? fill("{%} to {%}, from its files", {model.least_fixed, model.most_fixed})
                       : "anything from none to all"});
}

}  // namespace crema::report
