// Which settings of coffea and Dask to change: each for the findings that it remedies.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/diagnose/rules.hpp"
#include "core/predict/chunk_size.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

/// What advice is made from.
struct Asked {
  const Run& run;
  const Options& options;
  RunFacts facts;
  double cores;  ///< whole ones

  Asked(const Run& of, const Options& with)
      : run(of), options(with), facts(of, with), cores(std::round(load_of(of, with).cores)) {}
};

/// A JSON string is a string of Python, too.
std::string python_string(std::string_view text) { return json_text(text); }

std::string python_list(const std::vector<std::string_view>& texts) {
  std::string list;
  for (const std::string_view text : texts)
    list += (list.empty() ? "[" : ", ") + python_string(text);
  return list + "]";
}

std::string digits_of(double number) { return std::to_string(static_cast<long long>(number)); }

/// Between `low` and `high` [s], in another recording.
Prediction between(const Asked& asked, double low, double high) {
  Prediction expected{.low = std::min(low, high), .high = high};
  widen(expected, asked.facts.elapsed, between_recordings(asked.run, asked.options));
  return expected;
}

/// At best `low` [s], at worst as long as it took.
Prediction up_to(const Asked& asked, double low) {
  return between(asked, low, asked.facts.elapsed);
}

using MaybeAdvice = std::optional<Advice>;

/// Whether Dask ran the tasks: the first row tells of no other executor.
bool is_of_dask(const Run& run) {
  const auto& rows = run.recording.tasks;
  if (rows.size() == 0) return true;
  const std::string_view name = run.text(rows.text(recorded_columns::Task::executor, 0));
  return !run.recording.of_log() && (name.empty() || name.find("Dask") != std::string_view::npos);
}

/// Whether a line makes such a cluster: Dask's, on one host.
bool is_local_cluster(const Run& run) {
  const std::vector<StringId>& hosts = run.workers.host;
  return is_of_dask(run) &&
         std::adjacent_find(hosts.begin(), hosts.end(), std::not_equal_to<>()) == hosts.end();
}

MaybeAdvice chunk_size(const Asked& asked, const Finding& finding) {
  const ChunkOffers offers =
      chunk_offers(asked.run, ChunkSelection(asked.run, {}), true, asked.options);
  Advice advice{.setting = Setting::chunk_size};
  advice.now = digits_of(offers.model.median_events);
  // What chunks as large as baskets save is measured; what they save of the rest is not known.
  const auto* small = finding.evidence.as<SmallChunks>();
  if (small != nullptr && small->again > 0) {
    const double size = small->larger * offers.model.median_events;
    advice.code = "runner.chunksize = " + digits_of(two_digits(size));
    advice.expected = between(asked, offers.model.at(offers.model.cut_at(size)).low,
                              asked.facts.elapsed - finding.gain_elapsed);
    return advice;
  }
  if (is_absent(offers.best_low) || !offers.is_better()) return {};
  // Of sizes that are as good, the one that is nearest to what was tried.
  const double size = std::clamp(offers.model.median_events, offers.best_low, offers.best_high);
  if (finding.cause == Cause::large_chunks && size >= offers.model.median_events) return {};
  advice.code = "runner.chunksize = " + digits_of(two_digits(size));
  advice.expected = offers.best;
  // What may well be worse is no advice.
  if (elementary::log(advice.expected.high / asked.facts.elapsed) >
      z_90 * between_recordings(asked.run, asked.options))
    return {};
  return advice;
}

/// As many threads, each in a process of its own; or as many as there are cores for.
MaybeAdvice workers(const Asked& asked, const Finding& finding) {
  const double most = moments(asked.run.workers.nthreads).max;
  const bool shares_cores = finding.cause == Cause::oversubscribed;
  // Those that may use a part of the host's CPUs need the others, where these can be had.
  const auto* of_cpus = finding.evidence.as<CpuContention>();
  if (shares_cores && of_cpus != nullptr && !is_absent(of_cpus->usable)) return {};
  const double tasks = activity_sum(asked.run, asked.facts.processor, "thread-noncpu", "seconds") +
                       activity_sum(asked.run, asked.facts.processor, "thread-cpu", "seconds");
  const double got = std::ceil(asked.cores * (1 - finding.core_seconds / tasks));
  Advice advice{.setting = Setting::workers};
  const double usable = rules::usable_cpus(asked.run);
  const double limit = std::isfinite(usable) ? std::max(1.0, std::floor(usable)) : absent;
  advice.cores = shares_cores ? value_or(limit, std::max(1.0, got)) : std::fmin(limit, asked.cores);
  if (is_absent(asked.cores) || (shares_cores && !(advice.cores < asked.cores)) ||
      !is_local_cluster(asked.run))
    return {};
  // Of a cluster that grew or shrank it is not what the script says.
  if (static_cast<double>(asked.run.workers.size()) * most == std::round(asked.cores))
    advice.now = sentence({digits_of(std::round(asked.cores / most)), ", ", digits_of(most)});
  advice.code =
      sentence({"client = Client(n_workers=", digits_of(advice.cores), ", threads_per_worker=1)"});
  const Run* run = &asked.run;
  advice.expected = predict_cluster({&run, 1}, asked.options, {advice.cores, 1});
  return advice;
}

MaybeAdvice memory(const Asked& asked, const Finding& finding) {
  const TightestWorker worker = tightest_worker(asked.run);
  const double enough = memory_enough(worker.peak);
  if (!(enough > worker.limit) || finding.severity == Severity::low || !is_local_cluster(asked.run))
    return {};
  // By default Dask gives a worker its part of all the memory there is: no more can be had.
  const auto& machine = asked.run.recording.machine;
  constexpr auto memory = static_cast<std::size_t>(recorded_columns::Machine::memory);
  const double there = moments(machine.column(memory)).max;
  // Workers that came after others had gone are no more at once.
  const double threads = moments(asked.run.workers.nthreads).max;
  const double workers =
      std::fmin(static_cast<double>(asked.run.workers.size()), std::ceil(asked.cores / threads));
  if (enough * workers > there) return {};
  Advice advice{.setting = Setting::memory_limit};
  advice.now = format_memory(worker.limit);
  advice.code =
      sentence({"client = Client(memory_limit=", python_string(format_memory(enough)), ")"});
  if (!is_absent(finding.gain_elapsed))
    advice.expected = up_to(asked, asked.facts.elapsed - finding.gain_elapsed);
  return advice;
}

/// coffea's tree of merges: groups of `width` results, level by level (`DaskExecutor`).
struct MergeTree {
  double merges = 0, inputs = 0;
  double path = 0;  ///< inputs from the last chunk to the result, one level after the other

  MergeTree(double results, double width) {
    while (results > 1) {
      const double level = std::ceil(results / width);
      merges += level;
      inputs += results;
      path += std::min(results, width);
      results = level;
    }
  }
};

constexpr double widest = 1000;

MaybeAdvice merging(const Asked& asked, const Finding& finding) {
  const auto chunks = static_cast<double>(asked.run.chunks.size());
  const auto files = static_cast<double>(chunk_groups(asked.run, ChunkKey::file).size());
  const TaskCounts counts = count_tasks(asked.run, asked.facts.processor);
  const auto counted = counts.executed.find(asked.run.names->strings.find("reduce"));
  if (counted == counts.executed.end() || counts.stream_cut || !(chunks > 1) ||
      !is_of_dask(asked.run))
    return {};
  // Counts of events are merged in the same way.
  double now = 2;
  while (now < widest &&
         MergeTree(chunks, now).merges + MergeTree(files, now).merges > counted->second.tasks)
    now += 1;
  const MergeTree present(chunks, now);
  const double each = finding.core_seconds / present.inputs;  // [s]
  const auto saved = [&](double width) {
    const MergeTree tree(chunks, width);
    return each * ((present.inputs - tree.inputs) / asked.cores + present.path - tree.path);
  };
  double best = now;
  for (const double width : {2.0, 4.0, 8.0, 20.0, 50.0}) {
    if (saved(width) > saved(best)) best = width;
  }
  if (best == now) return {};
  Advice advice{.setting = Setting::tree_reduction};
  advice.now = digits_of(now);
  advice.code = "runner.executor.treereduction = " + digits_of(best);
  advice.expected = up_to(asked, asked.facts.elapsed - saved(best));
  return advice;
}

/// Branches that every selected chunk of a dataset read, in the order of their names.
std::map<std::string_view, std::vector<std::string_view>> read_always(const Run& run,
                                                                      const Selection& selection) {
  const Chunks& c = run.chunks;
  std::map<std::string_view, std::map<std::string_view, double>> reads;
  std::map<std::string_view, double> chunks;
  const ChunkSelection chosen(run, selection);
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i]) continue;
    const std::string_view dataset = run.text(c.dataset[i]);
    chunks[dataset] += 1;
    if (c.branch_set[i] == Chunks::no_set) continue;
    for (const StringId branch : c.branch_sets[c.branch_set[i]])
      reads[dataset][run.text(branch)] += 1;
  }
  std::map<std::string_view, std::vector<std::string_view>> always;
  for (const auto& [dataset, branches] : reads) {
    for (const auto& [branch, times] : branches) {
      if (times == chunks[dataset]) always[dataset].push_back(branch);
    }
  }
  return always;
}

/// One request for all columns of a chunk, instead of one for each.
MaybeAdvice preload(const Asked& asked, const Finding& finding) {
  const auto* waiting = finding.evidence.as<WaitingTasks>();
  if (waiting != nullptr && waiting->what != WaitingTasks::For::input) return {};
  // A host whose chunks compute is not helped.
  const auto* slow = finding.evidence.as<SlowGroup>();
  if (slow != nullptr && !slow->anomaly.waits()) return {};
  // Datasets that read the same have one line.
  std::map<std::vector<std::string_view>, std::vector<std::string_view>> datasets;
  for (const auto& [dataset, branches] : read_always(asked.run, finding.selection))
    datasets[branches].push_back(dataset);
  std::string code;
  for (const auto& [branches, names] : datasets) {
    code += sentence({code.empty() ? "" : "\n", "for name in ", python_list(names),
                      ": fileset[name][\"preload\"] = ", python_list(branches)});
  }
  if (code.empty()) return {};
  const std::vector<std::string>& hosts = finding.selection.hosts;
  const double requests = measured_waiting(asked.run).share_for_input();
  const WorkPart part = hosts.empty() && !is_absent(requests)
                            ? WorkPart{.waiting = requests, .on_cpu = 1}
                            : part_named(asked.run, asked.options,
                                         hosts.empty() ? "waiting" : "throughput:" + hosts.front());
  Advice advice{.setting = Setting::preload};
  advice.code = std::move(code);
  advice.expected = up_to(asked, predict_part(asked.run, asked.options, part, 0).ideal);
  return advice;
}

MaybeAdvice counted_once(const Asked& asked, const Finding& finding) {
  for (const Phase& phase : asked.facts.phases) {
    if (phase.name != "pre-processing") continue;
    Advice advice{.setting = Setting::preprocess};
    advice.code =
        "coffea.util.save(list(runner.preprocess(fileset)), \"work.coffea\")  # once\n"
        "output = runner(coffea.util.load(\"work.coffea\"), processor_instance=processor)";
    // Workers may start meanwhile: at least what the tasks themselves took is saved.
    const double ahead = finding.evidence.as<Preprocessing>()->ahead;
    advice.expected = between(asked, asked.facts.elapsed - (phase.t1 - phase.t0),
                              asked.facts.elapsed - ahead / asked.cores);
    return advice;
  }
  return {};
}

/// Which setting remedies what.
struct Remedy {
  Cause cause;
  MaybeAdvice (*advise)(const Asked&, const Finding&);
};
constexpr Remedy remedies[] = {
    {Cause::small_chunks, chunk_size},
    {Cause::large_chunks, chunk_size},
    {Cause::baskets_read_again, chunk_size},
    {Cause::interpreter_lock, workers},
    {Cause::oversubscribed, workers},
    {Cause::memory_near_limit, memory},
    {Cause::spilling, memory},
    {Cause::reduction, merging},
    {Cause::waiting, preload},
    {Cause::slow_host, preload},
    {Cause::slow_site, preload},
    {Cause::slow_dataset, preload},
    {Cause::pre_processing, counted_once},
};

/// What it saves, and how certain that is; whether it is more than noise. Unknown stays unknown.
/// Where a band is all that is known of it, it is no more than what the finding costs.
bool is_worth_it(const Asked& asked, const Finding& finding, Advice& advice) {
  const Prediction& expected = advice.expected;
  if (is_absent(advice.cores)) advice.cores = asked.cores;
  const double available = asked.facts.elapsed * asked.cores;
  const auto saved = [&](double elapsed) { return available - elapsed * advice.cores; };
  // A saving is noteworthy where one run would hardly be as much faster by itself.
  const double of_one = z_90 * between_recordings(asked.run, asked.options) / std::sqrt(2.0);
  const double noise = available * -elementary::expm1(-of_one);
  const double gain = saved(value_or(expected.likely, std::sqrt(expected.low * expected.high)));
  advice.gain = is_absent(expected.likely) ? std::fmin(gain, finding.gain_core_seconds) : gain;
  if (saved(expected.high) > 0) advice.certainty = Certainty::very_likely;
  else if (!is_absent(expected.likely) && saved(expected.likely) > noise)
    advice.certainty = Certainty::likely;
  return !(gain <= noise);
}

}  // namespace

std::vector<Advice> find_advice(const Run& run, const Options& options) {
  const Asked asked(run, options);
  std::vector<Advice> found;
  for (const Finding& finding : find_findings(run, options)) {
    for (const Remedy& remedy : remedies) {
      if (remedy.cause != finding.cause) continue;
      MaybeAdvice advice = remedy.advise(asked, finding);
      // The first finding that asks for a setting is the reason.
      if (!advice || !is_worth_it(asked, finding, *advice) ||
          std::any_of(found.begin(), found.end(),
                      [&](const Advice& other) { return other.setting == advice->setting; }))
        continue;
      advice->finding = finding;
      found.push_back(std::move(*advice));
    }
  }
  sort_stably(found, [](const Advice& a, const Advice& b) {
    return value_or(a.gain, 0) > value_or(b.gain, 0);
  });
  return found;
}

}  // namespace crema::diagnose
