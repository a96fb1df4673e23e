#include "core/report/answer_text.hpp"

#include "core/base/elementary.hpp"

namespace crema::report {

using namespace predict;

namespace {

std::string cores_text(double cores) { return format_count(std::round(cores), "core"); }

std::string_view name_of_factor(double Efficiency::*factor) {
  if (factor == &Efficiency::load_balance) return "load balance";
  if (factor == &Efficiency::start_and_end) return "share after start-up";
  if (factor == &Efficiency::scheduling) return "share of cores with a task";
  if (factor == &Efficiency::outside) return "share of task time inside process()";
  if (factor == &Efficiency::lost) return "share not lost";
  return "share of task time on a CPU";
}

std::string machine_text(const Load& load) {
  return fill("; the host has {CPU}{}{}",
              {load.cpus, load.physical < load.cpus ? fill(" ({core})", {load.physical}) : "",
               is_absent(load.foreign) ? "" : fill(", of which others used {}", {load.foreign})});
}

std::string contention_text(const Contention& seen, bool is_within_run) {
  return fill("; from {} to {} tasks at once each took {} longer (± {%}){}",
              {seen.least, seen.most, seen.is_seen() ? format_percent(seen.growth) : "no",
               seen.error, is_within_run ? ", within the run" : ""});
}

}  // namespace

std::string difference_text(const WorkDifference& d) {
  switch (d.kind) {
    case WorkDifference::Kind::none: break;
    case WorkDifference::Kind::processor:
      return fill("another processor: {}, not {}", {d.processor_b, d.processor_a});
    case WorkDifference::Kind::datasets: return "other datasets";
    case WorkDifference::Kind::events: return fill("{} events, not {}", {d.b, d.a});
    case WorkDifference::Kind::chunk_events: return fill("chunks of {} events, not {}", {d.b, d.a});
  }
  return {};
}

std::string withheld_text(double replay_error) {
  return fill("withheld: a replay of the unchanged run is off by {%}", {std::fabs(replay_error)});
}

std::string assumed_text(const PredictionBasis& basis) {
  switch (basis.assumed) {
    case PredictionBasis::Assumed::nothing: break;
    case PredictionBasis::Assumed::same_cluster: return "the same cluster again";
    case PredictionBasis::Assumed::fewer_threads:
      return "fewer threads on the same hosts and storage";
    case PredictionBasis::Assumed::more_threads: return "more threads on the same host and storage";
    case PredictionBasis::Assumed::more_hosts:
      return "more hosts of the same kind, each with its own cores; the same storage";
    case PredictionBasis::Assumed::other_workers: return "as many threads on the same hosts";
    case PredictionBasis::Assumed::rest_as_recorded:
      return "everything else takes as long as recorded";
  }
  return {};
}

std::string seen_text(const PredictionBasis& basis) {
  if (basis.assumed == PredictionBasis::Assumed::rest_as_recorded)
    return "each task as recorded, on the recorded cluster";
  if (basis.load == nullptr) return {};
  const Load& load = *basis.load;
  std::string text = cores_text(load.cores);
  if (is_absent(load.on_cpu)) text += "; how long tasks computed was not recorded";
  else
    text += fill(": {} tasks computed at once on average, and waited {%} of their time{}",
                 {load.busy() * load.hosts, 1 - load.on_cpu,
                  load.measured_cpu ? "" : " (by what their workers used of a CPU)"});
  if (!is_absent(load.cpus)) text += machine_text(load);
  if (!is_absent(basis.contention.least))
    text += contention_text(basis.contention, basis.is_within_run);
  return text;
}

std::string unseen_text(const PredictionBasis& basis) {
  std::string text;
  switch (basis.unseen) {
    case PredictionBasis::Unseen::nothing: break;
    case PredictionBasis::Unseen::cores: return "the number of cores is not realistic";
    case PredictionBasis::Unseen::replay: return withheld_text(basis.replay_error);
    case PredictionBasis::Unseen::part:
      return basis.missing.kind == MissingPart::Kind::fine_metrics
                 ? notes::no_fine_metrics.text
                 : fill("this run has no {}", {basis.missing.name});
    case PredictionBasis::Unseen::growth:
      text = fill("whether cores or storage made tasks longer: the first gives {s}, the other {s}",
                  {basis.by_cores, basis.by_storage});
      break;
    case PredictionBasis::Unseen::other_use: text = "what else uses the machines"; break;
    case PredictionBasis::Unseen::waiting:
      text =
          "what tasks waited for: for each other, which fewer tasks do less, or for something "
          "that stays";
      break;
    case PredictionBasis::Unseen::interpreter:
      text = "how long threads hold the interpreter's lock";
      break;
    case PredictionBasis::Unseen::slowdown:
      text =
          fill("how long tasks take with {}: whether {}storage serves that many",
               {cores_text(basis.cores),
                is_absent(basis.load->cpus) ? "their hosts have that many free cores, and " : ""});
      break;
    case PredictionBasis::Unseen::between_runs:
      text = "another recording of the same differs from this one by its own noise";
      break;
  }
  // Below a twentieth it is lost among what recordings differ by.
  if (basis.load != nullptr && basis.load->by_others > 0.05) {
    text +=
        fill("{}what else uses the CPUs: without it tasks would have taken at most {%} less time",
             {text.empty() ? "" : "; ", -elementary::expm1(-basis.load->by_others)});
  }
  if (basis.is_wide)
    text += fill("; a recording of one minute with {} would settle it", {cores_text(basis.cores)});
  return text;
}

std::string saving_text(const Saving& saving) {
  switch (saving.basis) {
    case Saving::Basis::not_recorded:
      return "nothing to replay: chunks, cores or the run's length were not recorded";
    case Saving::Basis::no_work: return "no work that could take less time";
    case Saving::Basis::bad_replay: return withheld_text(saving.replay_error);
    case Saving::Basis::replay: break;
  }
  return fill(
      "a replay of the recorded chunks on the recorded cluster; lower end: only the time on a CPU "
      "shrinks; widened by the error of a replay of the unchanged run ({%})",
      {saving.replay_error});
}

std::string missing_text(const Efficiency& efficiency) {
  switch (efficiency.missing) {
    case Efficiency::Missing::nothing: break;
    case Efficiency::Missing::chunks: return notes::no_chunks.text;
    case Efficiency::Missing::tracking: return notes::no_tracking.text;
    case Efficiency::Missing::idle_causes:
      return "why cores idled was not recorded: all idle time is counted as scheduling";
    case Efficiency::Missing::fine_metrics: return notes::no_fine_metrics.text;
  }
  return {};
}

std::string fell_text(const EfficiencyLoss& loss) {
  if (loss.factor == nullptr) return {};
  return fill("{} fell from {%} to {%}", {name_of_factor(loss.factor), loss.from, loss.to});
}

std::string costs_text(const EfficiencyLoss& loss) {
  if (loss.factor == nullptr) return {};
  return fill("{}: {%}", {name_of_factor(loss.factor), loss.to});
}

VerdictText scaling_text(const ScalingStudy& study, const ScalingVerdict& v) {
  if (!v.is_known) return {};
  const bool is_events = std::string_view(study.unit) == "kHz";
  const auto rate = [&](const ScalingPoint* of) {
    return format_decimal(of->rate * (is_events ? 1e3 : 1e9), is_events ? "Hz" : "bps");
  };
  const auto cores = [](const ScalingPoint* of) { return cores_text(of->cores); };
  VerdictText text;
  text.verdict = v.best == v.most ? fill("{} gave {}", {cores(v.most), rate(v.most)})
                                  : fill("{} {} best: {}. {} gave {}",
                                         {cores(v.best), v.best->cores < 1.5 ? "was" : "were",
                                          rate(v.best), cores(v.most), rate(v.most)});
  const double share = ratio(v.most->rate, study.per_core * v.most->cores);
  text.verdict += fill(", {%} of ideal", {share});
  // What the last step gave: of runs on one number of cores the fastest.
  const ScalingPoint* before = nullptr;
  for (const ScalingPoint& point : study.points) {
    if (!point.is_in() || std::round(point.cores) >= std::round(v.most->cores)) continue;
    if (before == nullptr || std::round(point.cores) > std::round(before->cores) ||
        (std::round(point.cores) == std::round(before->cores) && point.rate > before->rate))
      before = &point;
  }
  if (before != nullptr && v.best == v.most) {
    const double gain =
        (v.most->rate - before->rate) / (v.most->cores - before->cores) / study.per_core;
    text.verdict += fill(". From {} to {} each added core gave {%} of the first",
                         {before->cores, cores(v.most), std::round(100 * gain) / 100});
  }
  if (const std::string fell = fell_text(v.fell); !fell.empty())
    text.limits = fill("The {}. ", {fell});
  if (!is_absent(v.knee))
    text.limits += fill("Beyond about {} cores ({} to {}) more cores gain little. ",
                        {v.knee, v.knee_low, v.knee_high});
  text.limits += fill("Nothing is measured beyond {}, nor on more machines.", {cores(v.most)});
  if (v.others > 0) text.limits += fill(" Other work, shown in grey: {run}.", {v.others});
  return text;
}

namespace {

/// [s] Of times that a person waits for, two digits are enough.
double step_of(double seconds) { return seconds < 60 ? 1 : seconds < 600 ? 10 : 60; }

/// "52 s", "1 min 50 s", "2 min", "1 h 5 min": whole seconds.
std::string whole_time(double seconds) {
  if (seconds < 60) return format_seconds(seconds);
  const bool is_short = seconds < 3600;
  const double unit = is_short ? 60 : 3600;
  const double rest = std::fmod(seconds, unit);
  const std::string text = format_number(std::floor(seconds / unit)) + (is_short ? " min" : " h");
  if (rest == 0) return text;
  return text + " " + format_number(is_short ? rest : std::floor(rest / 60)) +
         (is_short ? " s" : " min");
}

}  // namespace

std::string progress_headline(const predict::Progress& progress) {
  const predict::PartProgress& all = progress.all;
  if (!(all.planned > 0) && all.done == 0) {
    return progress.files_planned > 0
               ? format_number(progress.files) + " of " +
                     format_count(progress.files_planned, "file") + " looked at; no chunk yet"
               : "No chunk has ended yet";
  }
  const std::string done = is_absent(all.planned)
                               ? format_count(all.done, "chunk") + " done"
                               : format_percent(all.done / all.planned) + " of " +
                                     format_count(all.planned, "chunk") + " done";
  if (!progress.is_running) return done;
  if (is_absent(progress.left)) return done + "; how long the rest takes is not known yet";
  // outwards, to steps that one can plan with
  const double low = progress.left_low - std::fmod(progress.left_low, step_of(progress.left_low));
  const double step = step_of(progress.left_high);
  const double high = step * std::ceil(progress.left_high / step);
  return done + "; " + (low > 0 ? whole_time(low) + " to " : "at most ") + whole_time(high) +
         " left";
}

std::string memory_headline(const predict::ChunkMemory& chunks, double limit,
                            const predict::ChunkSizes& sizes) {
  const predict::MemoryAt at = chunks.at(sizes);
  const predict::ShareAbove above = chunks.above(limit, sizes);
  const double events = sizes.of(chunks.median_events());
  const std::string what = events > 0 ? "chunk" : "attempt";
  const auto of_100 = [](double share) {
    return share > 0 && share < 0.005 ? "fewer than 1" : format_number(std::round(100 * share));
  };
  std::string text;
  if (events > 0) text = fill("At {} events a chunk, ", {std::round(events)});
  if (is_absent(above.likely))
    text +=
        fill("none of {} takes more than {GiB}", {format_count(chunks.count(), what), at.largest});
  else
    text += fill("{} of 100 {}s pass {GiB} ({} to {})",
                 {of_100(above.likely), what, limit, of_100(above.low), of_100(above.high)});
  return text +
         fill(
             ". A request of {GiB} holds all {}; of further ones at most {} of 100 take "
             "more (90 % certainty)",
             {in_steps(at.largest), chunks.count(), std::ceil(100 * chunks.above_largest())});
}

}  // namespace crema::report
