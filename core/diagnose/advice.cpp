// What to set otherwise in coffea and Dask: each setting for the findings that it mends.
#include "core/diagnose/advice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/base/sentence.hpp"
#include "core/diagnose/finding.hpp"
#include "core/predict/chunk_offers.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

/// What advice is made from.
struct Asked {
  const Run& run;
  const Options& options;
  Facts facts;
  double cores;  ///< whole ones

  Asked(const Run& of, const Options& with)
      : run(of), options(with), facts(of, with), cores(std::round(load_of(of, with).cores)) {}
};

/// A JSON string is a string of Python, too.
std::string python_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string python_list(const std::vector<std::string_view>& texts) {
  std::string list;
  for (const std::string_view text : texts)
    list += (list.empty() ? "[" : ", ") + python_string(text);
  return list + "]";
}

std::string digits_of(double number) { return std::to_string(static_cast<long long>(number)); }

/// [s] Were each task shorter by its part of `core_seconds`, on the first `cores` of the recorded
/// ones.
double elapsed_without(const Asked& asked, double core_seconds, double cores) {
  if (asked.facts.script == nullptr) return absent;
  Script script = *asked.facts.script;
  std::vector<double> tasks = tasks_of(script, script.inside, script.outside);
  const double each =
      core_seconds / value_or(asked.facts.lost.executions, static_cast<double>(tasks.size()));
  for (double& seconds : tasks) seconds = std::max(0.0, seconds - each);
  script.slots.resize(std::min(script.slots.size(), static_cast<std::size_t>(cores)));
  return elapsed_after(asked.run, asked.options, on_recorded_cluster(script, std::move(tasks)));
}

/// Two recordings of this work differ by so much: a factor.
double noise_of(const Asked& asked) {
  return between_recordings(load_of(asked.run, asked.options), asked.options);
}

/// At best `low` [s], at worst as long as it took.
Prediction up_to(const Asked& asked, double low, std::string_view assumed) {
  Prediction told;
  told.low = std::min(low, asked.facts.elapsed);
  told.high = asked.facts.elapsed;
  told.assumed = assumed;
  return told;
}

Advice chunk_size(const Asked& asked, const Finding&) {
  const ChunkOffers offers =
      chunk_offers(asked.run, ChunkSelection(asked.run, {}), true, asked.options);
  if (is_absent(offers.best_low) || !offers.is_better()) return {};
  Advice advice;
  advice.setting = "chunksize";
  advice.now = digits_of(offers.model.median_events);
  // Of sizes that are as good, the one that is nearest to what was tried.
  const double size = std::clamp(offers.model.median_events, offers.best_low, offers.best_high);
  advice.code = "runner.chunksize = " + digits_of(two_digits(size));
  advice.told.likely = offers.best.likely();
  advice.told.low = offers.best.low;
  advice.told.high = offers.best.high;
  advice.told.assumed = "the model of chunk_sizes";
  return advice;
}

/// As many threads, each in a process of its own; or as many as there are cores for.
Advice workers(const Asked& asked, const Finding& finding) {
  double most = 0;
  for (const double threads : asked.run.workers.nthreads) {
    if (threads > most) most = threads;
  }
  const bool shares_cores = finding.id == "oversubscribed";
  const double off_cpu = activity_sum(asked.run, asked.facts.processor, "thread-noncpu", "seconds");
  const double tasks =
      off_cpu + activity_sum(asked.run, asked.facts.processor, "thread-cpu", "seconds");
  const double got = std::ceil(asked.cores * (1 - finding.core_seconds / tasks));
  Advice advice;
  advice.cores = shares_cores ? std::max(1.0, got) : asked.cores;
  if (is_absent(advice.cores) || (shares_cores && !(advice.cores < asked.cores))) return {};
  advice.setting = "n_workers, threads_per_worker";
  if (most > 0)
    advice.now = sentence({digits_of(std::round(asked.cores / most)), ", ", digits_of(most)});
  advice.code =
      sentence({"client = Client(n_workers=", digits_of(advice.cores), ", threads_per_worker=1)"});
  if (shares_cores) {
    const Run* run = &asked.run;
    advice.told = predict_cores({&run, 1}, asked.options, advice.cores);
    return advice;
  }
  // Another cluster is another recording.
  const double low = elapsed_without(asked, off_cpu, asked.cores) / noise_of(asked);
  advice.told = up_to(
      asked, low, "the machine has a core for each process; at best tasks compute all the time");
  return advice;
}

Advice memory(const Asked& asked, const Finding& finding) {
  const TightestWorker worker = tightest_worker(asked.run);
  const double enough = memory_enough(worker.peak);
  if (!(enough > worker.limit) || finding.severity == Severity::low) return {};
  Advice advice;
  advice.setting = "memory_limit";
  advice.now = format_memory(worker.limit);
  advice.code =
      sentence({"client = Client(memory_limit=", python_string(format_memory(enough)), ")"});
  if (!is_absent(finding.gain_core_seconds))
    advice.told = up_to(asked, asked.facts.elapsed - finding.gain_core_seconds / asked.cores,
                        "results that were written to disk stay in memory");
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

Advice merging(const Asked& asked, const Finding& finding) {
  const auto chunks = static_cast<double>(asked.run.chunks.size());
  const auto files = static_cast<double>(chunk_groups(asked.run, ChunkKey::file).size());
  const TaskCounts counts = count_tasks(asked.run, asked.facts.processor);
  const auto counted = counts.executed.find(asked.run.names->strings.find("reduce"));
  if (counted == counts.executed.end() || counts.stream_cut || !(chunks > 1)) return {};
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
  Advice advice;
  advice.setting = "treereduction";
  advice.now = digits_of(now);
  advice.code = "runner.executor.treereduction = " + digits_of(best);
  advice.told = up_to(asked, asked.facts.elapsed - saved(best),
                      "merging two results takes as long as merging any other two");
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
Advice preload(const Asked& asked, const Finding& finding) {
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
  const WorkPart part = part_named(asked.run, asked.options,
                                   hosts.empty() ? "waiting" : "throughput:" + hosts.front());
  Advice advice;
  advice.setting = "preload";
  advice.code = std::move(code);
  advice.told = up_to(asked, predict_part(asked.run, asked.options, part, 0).likely,
                      "all waiting is for requests, of which one per chunk remains");
  return advice;
}

Advice counted_once(const Asked& asked, const Finding&) {
  for (const Phase& phase : asked.facts.phases) {
    if (phase.name != "pre-processing") continue;
    Advice advice;
    advice.setting = "preprocess";
    advice.code =
        "coffea.util.save(list(runner.preprocess(fileset)), \"work.coffea\")  # once\n"
        "output = runner(coffea.util.load(\"work.coffea\"), processor_instance=processor)";
    Prediction& told = advice.told;
    told.likely = told.low = told.high = asked.facts.elapsed - (phase.t1 - phase.t0);
    told.assumed = "files and chunk size do not change";
    return advice;
  }
  return {};
}

/// Which setting mends what.
struct Remedy {
  std::string_view finding;
  Advice (*advise)(const Asked&, const Finding&);
};
constexpr std::array<Remedy, 12> remedies = {{
    {"small-chunks", chunk_size},
    {"large-chunks", chunk_size},
    {"baskets-read-again", chunk_size},
    {"interpreter-lock", workers},
    {"oversubscribed", workers},
    {"memory-near-limit", memory},
    {"spilling", memory},
    {"reduction", merging},
    {"waiting", preload},
    {"slow-host", preload},
    {"slow-site", preload},
    {"pre-processing", counted_once},
}};

/// What it wins, and how certain that is. Unknown stays unknown.
void weigh(const Asked& asked, Advice& advice) {
  const Prediction& told = advice.told;
  if (is_absent(advice.cores)) advice.cores = asked.cores;
  const double available = asked.facts.elapsed * asked.cores;
  const auto won = [&](double elapsed) { return available - elapsed * advice.cores; };
  const double noise = available * (1 - 1 / noise_of(asked));
  advice.gain = won(value_or(told.likely, (told.low + told.high) / 2));
  const bool is_planned = is_narrow(told.low, told.high) && won(told.high) > noise;
  advice.certainty = is_planned                                            ? "certain"
                     : !is_absent(told.likely) && won(told.likely) > noise ? "likely"
                                                                           : "possible";
  if (advice.gain <= noise) advice.setting.clear();
}

}  // namespace

std::vector<Advice> find_advice(const Run& run, const Options& options) {
  const Asked asked(run, options);
  std::vector<Advice> found;
  for (const Finding& finding : find_findings(run, options)) {
    for (const Remedy& remedy : remedies) {
      if (remedy.finding != finding.id) continue;
      Advice advice = remedy.advise(asked, finding);
      if (!advice.setting.empty()) weigh(asked, advice);
      // The gravest finding that asks for a setting tells why.
      const bool is_told = std::any_of(found.begin(), found.end(), [&](const Advice& other) {
        return other.setting == advice.setting;
      });
      if (advice.setting.empty() || is_told) continue;
      advice.finding = finding.id;
      advice.why = finding.title;
      found.push_back(std::move(advice));
    }
  }
  sort_stably(found, [](const Advice& a, const Advice& b) {
    return value_or(a.gain, 0) > value_or(b.gain, 0);
  });
  return found;
}

std::string code_block(const Run& run, const Options& options, const std::vector<Advice>& advice) {
  const Run::Window window = run.window();
  const double cores = std::round(load_of(run, options).cores);
  std::string text;
  // As a script has them: the cluster before what runs on it.
  for (const std::string_view begin : {"client", "runner", "for", "coffea"}) {
    for (const Advice& one : advice) {
      if (!one.code.starts_with(begin)) continue;
      const Prediction& told = one.told;
      text += sentence({text.empty() ? "" : "\n", "# ", one.why, ".\n"});
      if (!is_absent(told.low)) {
        text += sentence(
            {"# Expected: ", told.low < told.high ? format_seconds(told.low) + " to " : "",
             format_seconds(told.high), " instead of ", format_seconds(window.end - window.begin),
             is_absent(told.likely) || !(told.low < told.high)
                 ? ""
                 : ", most likely " + format_seconds(told.likely),
             one.cores < cores
                 ? ", on " + format_count(one.cores, "core") + " instead of " + digits_of(cores)
                 : "",
             "; ", one.certainty, ".\n"});
      }
      text += one.code + "\n";
    }
  }
  return text;
}

}  // namespace crema::diagnose
