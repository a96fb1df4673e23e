#include "core/report/answer_text.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/profile/profile.hpp"

namespace crema::report {

using namespace diagnose;

namespace {

std::string percent_of(const CoreTimeTree& tree, std::string_view kind) {
  double share = 0;
  for (const std::uint32_t child : tree.children[0]) {
    if (tree.nodes[child].kind == kind)
      share = tree.nodes[child].core_seconds / tree.nodes[0].core_seconds;
  }
  return share > 0 ? format_percent(share) : "";
}

/// Where chunks were not recorded, process() is known only as part of the processor's tasks, if at
/// all: no share of it is 0 %.
std::string inside_text(const CoreTimeTree& tree) {
  constexpr std::pair<const char*, const char*> parts[] = {
      {"inside_process", "process()"}, {"processor_tasks", "the processor's tasks"}};
  for (const auto& [kind, name] : parts)
    if (const std::string percent = percent_of(tree, kind); !percent.empty())
      return fill(tree.nodes[0].label.starts_with("Recorded")
                      ? "{} of the recorded core-time was in {}"
                      : "{} of the core-time was in {}",
                  {percent, name});
  return "";
}

/// What is beside process(), of what there is.
std::string rest_text(const CoreTimeTree& tree) {
  constexpr std::pair<const char*, const char*> parts[] = {{"outside_process", "outside process()"},
                                                           {"lost_work", "repeated work"},
                                                           {"other_tasks", "other tasks"},
                                                           {"idle", "idle"}};
  std::string text;
  for (const auto& [kind, name] : parts)
    if (const std::string percent = percent_of(tree, kind); !percent.empty())
      text += fill("{}{} {}", {text.empty() ? "" : ", ", name, percent});
  return text.empty() ? "nothing." : text + ".";
}

}  // namespace

VerdictText core_time_verdict(const Run& run, const Options& options, const CoreTimeTree& tree) {
  if (!(tree.nodes[0].core_seconds > 0) || tree.children[0].empty()) return {};
  const std::string inside = inside_text(tree);
  const std::string rest = rest_text(tree);
  const std::vector<Finding>& findings = find_findings(run, options);
  const auto is_own = [](const Finding& finding) {
    return finding.cause == FindingCause::own_function;
  };
  const auto largest = std::find_if(findings.begin(), findings.end(), is_own);
  const std::string of_all = inside.empty() ? "Core-time: " + rest : inside + "; " + rest;
  // The analysis's own code is what a run is for, and no cause.
  if (const auto cause = std::find_if_not(findings.begin(), findings.end(), is_own);
      cause != findings.end())
    return {text_of(*cause).title + ".", of_all};
  if (largest != findings.end())
    return {"No fault found: " + text_of(*largest).title + ".", of_all};
  if (inside.empty()) return {"No fault found.", of_all};
  return {"No fault found: " + inside + ".", "The rest: " + rest};
}

namespace {

/// A value with less of the selected chunks is not what they have in common: one of the thousands
/// of files that were read in a stretch of time.
constexpr double least_share = 0.05;

std::string number_text(ChunkFeature::Unit unit, double value) {
  switch (unit) {
    case ChunkFeature::Unit::seconds: return format_number(value) + " s";
    case ChunkFeature::Unit::bytes: return format_bytes(value);
    case ChunkFeature::Unit::memory: return format_memory(value);
    case ChunkFeature::Unit::times: return format_number(value) + " times";
    case ChunkFeature::Unit::number:
    case ChunkFeature::Unit::name: break;
  }
  return format_number(value);
}

}  // namespace

std::string value_text(const FeatureAssociation& association) {
  if (!association.value) return {};
  const ChunkFeature& feature = *association.feature;
  if (feature.unit == ChunkFeature::Unit::name)
    return std::string(feature.names[*association.value]);
  const auto& [low, high] = feature.ranges[*association.value];
  const std::string from = number_text(feature.unit, low), to = number_text(feature.unit, high);
  return from == to ? from : from + " to " + to;
}

std::string verdict_text(const std::vector<FeatureAssociation>& associations, double selected,
                         double others) {
  const std::string these = format_count(selected, "chunk");
  if (std::min(selected, others) < least_selected)
    return fill("{} against {}: too few to be distinguished from chance", {these, others});
  if (associations.empty() || !associations[0].is_significant)
    return fill("Nothing recorded distinguishes these {} beyond chance", {these});
  const FeatureAssociation& first = associations[0];
  std::string text =
      first.selected < least_share * selected
          ? fill(
                "The {} explains {%} of what separates these {} from the others, no single one "
                "much",
                {first.feature->name, first.explained, these})
          : fill("{} {}: {} of these {}, {} times as often as chance",
                 {first.feature->name, value_text(first), first.selected, these, first.lift});
  const auto also = std::find_if(associations.begin() + 1, associations.end(),
                                 [](const auto& other) { return other.is_significant_then; });
  return also == associations.end()
             ? text
             : fill("{}; at equal times also the {}", {text, also->feature->name});
}

std::string_view name_of(diagnose::Certainty certainty) {
  using enum diagnose::Certainty;
  return certainty == very_likely ? "very likely" : certainty == likely ? "likely" : "possible";
}

std::string assumption_of(const Advice& advice) {
  if (const std::string text = assumed_text(advice.expected.basis); !text.empty()) return text;
  return is_absent(advice.expected.low) ? "" : std::string(fields_of(advice.setting).assumption);
}

std::string code_block(const Run& run, const Options& options, const std::vector<Advice>& advice) {
  const Run::Window window = run.window();
  const double cores = std::round(load_of(run, options).cores);
  std::vector<Advice> in_order = advice;
  sort_stably(in_order, [](const Advice& a, const Advice& b) { return a.setting < b.setting; });
  std::string text;
  for (const Advice& one : in_order) {
    const Prediction& expected = one.expected;
    text += fill("{}# {}.\n", {text.empty() ? "" : "\n", text_of(one.finding).title});
    if (!is_absent(expected.low)) {
      const bool is_band = expected.low < expected.high;
      text += fill("# Expected: {}{s} instead of {s}{}{} ({}).\n",
                   {is_band ? format_seconds(expected.low) + " to " : "", expected.high,
                    window.end - window.begin,
                    is_absent(expected.likely) || !is_band
                        ? ""
                        : ", best guess " + format_seconds(expected.likely),
                    one.cores < cores ? fill(", on {core} instead of {}", {one.cores, cores}) : "",
                    name_of(one.certainty)});
    }
    text += one.code + "\n";
  }
  return text;
}

namespace {

constexpr std::size_t most_named = 3;

std::string text_of(const Run& run, const WorkItem& item) {
  std::string text(base_name(run.text(item.file)));
  if (!is_absent(item.entry_start + item.entry_stop))
    text += fill(":{}-{}", {whole_text(item.entry_start), whole_text(item.entry_stop)});
  return text;
}

std::string repeated_text(const Run& run, const Failed& failed, bool is_running) {
  std::vector<std::string> names;
  for (const WorkItem& item : failed.repeated) {
    if (item.file != no_string) names.push_back(text_of(run, item));
  }
  return fill("{task} failed twice with {}{}{}{}",
              {failed.repeated.size(), failed.exception,
               is_running ? " and may fail again" : " and never ended well",
               names.empty() ? "" : ": ", listed(names, most_named)});
}

std::string silent_text(const Run& run, const Now& now) {
  std::vector<std::string> names;
  for (const SilentWorker& worker : now.silent)
    names.push_back(profile::worker_label(run, worker.address));
  return fill("No task of {} has ended for {s} or more; the longest one so far took {s}",
              {listed(names, most_named), now.silent.back().seconds, now.longest});
}

std::string idle_text(const Now& now, double idle) {
  std::vector<std::size_t> causes;
  for (std::size_t i = 0; i < idle_causes.size(); ++i) {
    if (now.idle.seconds[i] > 0.001 * now.available) causes.push_back(i);
  }
  sort_stably(causes, [&](std::size_t a, std::size_t b) {
    return now.idle.seconds[a] > now.idle.seconds[b];
  });
  std::vector<std::string> names;
  for (const std::size_t cause : causes)
    names.push_back(std::string(idle_causes[cause]) + " " +
                    format_percent(now.idle.seconds[cause] / now.available));
  return fill("{%} of the core-time from {s} to {s} was idle: {}",
              {idle / now.available, now.from, now.until, listed(names, most_named)});
}

/// The setting as code, where that is short.
std::string setting_text(const Advice& advice) {
  constexpr std::size_t short_line = 60;
  const bool is_short = advice.code.size() <= short_line && !has_part(advice.code, '\n');
  return is_short ? advice.code : std::string(fields_of(advice.setting).name) + " changed";
}

std::string range_text(double low, double high, std::string (*format)(double)) {
  return format(low) + " to " + format(high);
}

std::string restart_text(const Restart& restart, const predict::Progress& progress) {
  using enum Restart::Verdict;
  const std::string setting = setting_text(restart.advice);
  const std::string left = range_text(progress.left_low, progress.left_high, format_seconds);
  if (is_absent(restart.low + restart.high))
    return fill("Whether a restart with {} would end sooner is unknown", {setting});
  const std::string all = range_text(restart.low, restart.high, format_seconds);
  return fill(restart.verdict == sooner
                  ? "A restart with {} would end sooner: {} for all of it, {} for the rest as it is"
              : restart.verdict == later
                  ? "A restart with {} would end later: {} for all of it, {} for the rest as it is"
                  : "Whether a restart with {} would end sooner is unknown: {} for all of it, "
                    "{} for the rest as it is",
              {setting, all, left});
}

/// Of the core-time: less idle time than this is usual.
constexpr double worth_saying = 0.05;

}  // namespace

std::vector<NowLine> now_lines(const Run& run, const Now& now) {
  constexpr std::string_view failures = "Failures", moment = "Now", rest = "If it goes on";
  std::vector<NowLine> lines;
  for (const Failed& failed : now.failures) {
    if (!failed.repeated.empty())
      lines.push_back({failures, "repeated", failed.exception,
                       repeated_text(run, failed, now.progress.is_running)});
  }
  for (const Failed& failed : now.failures)
    lines.push_back({failures, "failure", failed.exception, failure_text(failed)});
  if (!now.silent.empty())
    lines.push_back(
        {moment, "silent", std::string(run.text(now.silent[0].address)), silent_text(run, now)});
  double idle = 0;
  for (const double seconds : now.idle.seconds) idle += seconds;
  if (idle > worth_saying * now.available)
    lines.push_back({moment, "idle", "", idle_text(now, idle)});
  for (const Finding* slow : now.slow_files)
    lines.push_back({moment, "slow-file",
                     slow->selection.files.empty() ? "" : slow->selection.files[0],
                     text_of(*slow).title});
  for (const RestOfFinding& one : now.rest) {
    lines.push_back(
        {rest, "rest", std::string(id_of(one.finding->cause)),
         fill("{}; {} in the rest of the run",
              {text_of(*one.finding).title, range_text(one.low, one.high, format_core_seconds)}),
         one.low, one.high});
  }
  for (const Restart& one : now.restarts)
    lines.push_back({rest, "restart", std::string(fields_of(one.advice.setting).name),
                     restart_text(one, now.progress), one.low, one.high});
  return lines;
}

}  // namespace crema::report
