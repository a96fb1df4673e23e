#include "core/report/core_time_verdict.hpp"

#include <string_view>

#include "core/base/number_format.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/predict/saving.hpp"
#include "core/report/fill.hpp"
#include "core/report/findings_text.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::report {

using namespace diagnose;
using namespace predict;
using namespace runtime;

namespace {

// Shares of the core-time from which a part is the headline. What is lost was wasted for certain;
// a part that may have to be needs to be larger to be named.
constexpr double lost_from = 0.1;
constexpr double idle_from = 0.3;
constexpr double function_from = 0.4;
constexpr double waiting_from = 0.5;
constexpr double around_from = 0.25;

/// The first finding that is worth acting on, as a sentence; nothing where none is.
std::string first_cause(const Run& run, const Options& options) {
  for (const Finding& finding : find_findings(run, options)) {
    if (finding.severity >= Severity::medium && finding.cause != FindingCause::waiting)
      return text_of(finding).title + ".";
  }
  return {};
}

std::uint32_t of_kind(const CoreTimeTree& tree, std::uint32_t under, std::string_view kind) {
  for (const std::uint32_t child : tree.children[under]) {
    if (tree.nodes[child].kind == kind) return child;
  }
  return CoreTimeNode::none;
}

}  // namespace

CoreTimeVerdict core_time_verdict(const Run& run, const Options& options,
                                  const CoreTimeTree& tree) {
  const CoreTimeNode& whole = tree.nodes[0];
  if (!(whole.core_seconds > 0) || tree.children[0].empty()) return {};
  const auto seconds = [&](std::uint32_t node) {
    return node == CoreTimeNode::none ? 0.0 : tree.nodes[node].core_seconds;
  };
  const auto share = [&](double core_seconds) { return core_seconds / whole.core_seconds; };
  const std::uint32_t inside = of_kind(tree, 0, "inside_process");
  const std::uint32_t outside = of_kind(tree, 0, "outside_process");
  const std::uint32_t lost = of_kind(tree, 0, "lost_work");
  const std::uint32_t others = of_kind(tree, 0, "other_tasks");
  const std::uint32_t idle = of_kind(tree, 0, "idle");
  const auto percent = [&](double core_seconds) {
    return format_percent(core_seconds / whole.core_seconds);
  };
  const std::string others_text =
      fill("outside process() {}, idle {}.", {percent(seconds(outside)), percent(seconds(idle))});
  const std::string rest =
      fill("The rest: process() {}, {}", {percent(seconds(inside)), others_text});
  if (share(seconds(lost)) >= lost_from) {
    const StringId processor = find_processor(run, options).prefix;
    const LostWork work = find_lost_work(run, processor, execute_seconds(run, processor));
    const Saving saving = find_saving(run, options, tree, lost, 0);
    return {fill("{} of the core-time was repeated work: {} ({}) ran again.",
                 {percent(seconds(lost)), format_count(work.repeated, "task"),
                  format_core_seconds(seconds(lost))}),
            fill("{}{} Why work was repeated is not recorded.",
                 {is_absent(saving.saved)
                      ? ""
                      : fill("Without it the run could have been up to {} shorter; it took {}. ",
                             {format_seconds(saving.saved), format_seconds(saving.elapsed)}),
                  rest})};
  }
  if (share(seconds(idle)) >= idle_from) {
    std::uint32_t cause = CoreTimeNode::none;
    for (const std::uint32_t child : tree.children[idle]) {
      if (seconds(child) > seconds(cause)) cause = child;
    }
    return {fill("{} of the core-time was idle: {} in which a core ran no task.",
                 {percent(seconds(idle)), format_core_seconds(seconds(idle))}),
            (cause == CoreTimeNode::none
                 ? ""
                 : fill("Most of it: {}, {} ({}). ",
                        {tree.nodes[cause].label, format_core_seconds(seconds(cause)),
                         tree.nodes[cause].note})) +
                rest};
  }
  const std::uint32_t first = inside == CoreTimeNode::none || tree.children[inside].empty()
                                  ? CoreTimeNode::none
                                  : tree.children[inside][0];
  const bool is_function =
      first != CoreTimeNode::none && std::string_view(tree.nodes[first].kind) == "function";
  if (is_function && share(seconds(first)) >= function_from) {
    const CoreTimeNode& node = tree.nodes[first];
    const Saving saving = find_saving(run, options, tree, first, 0.5);
    return {
        fill("{} of {} were in one function, {}.{}",
             {format_number(node.core_seconds), format_core_seconds(whole.core_seconds), node.label,
              is_absent(saving.saved)
                  ? ""
                  : fill(" Twice as fast, it would save {} of {}.",
                         {format_seconds(saving.saved), format_seconds(saving.elapsed)})}),
        fill("{} to {} according to the profile, including the libraries that it calls.",
             {format_number(node.least), format_core_seconds(node.most)})};
  }
  const std::string cause = first_cause(run, options);
  if (share(value_or(whole.waiting, 0)) >= waiting_from) {
    const double length = run.window().end - run.window().begin;
    return {
        fill("{} of the core-time was waiting: on average {} of {} cores computed.",
             {percent(whole.waiting), format_number(ratio(whole.on_cpu, length)),
              format_number(ratio(whole.core_seconds, length))}),
        fill("process() occupied the cores {} of the time. {}",
             {percent(seconds(inside)),
              cause.empty()
                  ? "What it waited for (reading, a lock, more threads than CPUs) is not recorded."
                  : cause})};
  }
  if (share(seconds(outside)) >= around_from)
    return {fill("{} of the core-time was outside process(), in the processor's own tasks.",
                 {percent(seconds(outside))}),
            "Opening files, building events, packing results. " + rest};
  if (share(seconds(others)) >= around_from)
    return {fill("{} of the core-time was in tasks other than the processor's.",
                 {percent(seconds(others))}),
            rest};
  if (inside == CoreTimeNode::none) return {};
  std::string inside_text = percent(seconds(inside)) + " of the core-time was in process()";
  if (is_function)
    inside_text +=
        fill(", spread over {} (the largest {})",
             {format_count(static_cast<double>(tree.children[inside].size()), "function"),
              percent(seconds(first))});
  const std::string detail = "The rest: " + others_text;
  if (!cause.empty()) return {cause, inside_text + ". " + detail};
  return {"Nothing stands out: " + inside_text + ".", detail};
}

}  // namespace crema::report
