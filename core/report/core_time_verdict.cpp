#include "core/report/core_time_verdict.hpp"

#include <string_view>

#include "core/base/number_format.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/predict/saving.hpp"
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

/// "18 [11 to 19] s of 1 min 19.5 s".
std::string saving_text(const Saving& saving) {
  if (is_absent(saving.saved)) return {};
  return format_seconds(saving.saved) + " of " + format_seconds(saving.elapsed);
}

/// The first finding that is worth acting on, as a sentence; nothing where none is.
std::string first_cause(const Run& run, const Options& options) {
  for (const Finding& finding : find_findings(run, options)) {
    // What was not recorded is a data note.
    if (finding.severity >= Severity::medium && finding.cause != FindingCause::waiting &&
        finding.cause != FindingCause::own_function &&
        finding.cause != FindingCause::bytes_not_recorded)
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
  const std::string rest = "process() " + format_percent(share(seconds(inside))) + ", outside it " +
                           format_percent(share(seconds(outside))) + ", idle " +
                           format_percent(share(seconds(idle))) + ".";
  if (share(seconds(lost)) >= lost_from) {
    const LostWork work = find_lost_work(run, find_processor(run, options).prefix,
                                         execute_seconds(run, find_processor(run, options).prefix));
    const Saving saving = find_saving(run, options, tree, lost, 0);
    return {format_percent(share(seconds(lost))) + " of the core-time was work done twice: " +
                format_count(work.repeated, "execution") + ", " +
                format_core_seconds(seconds(lost)) + ", ran again.",
            (is_absent(saving.saved)
                 ? std::string()
                 : "Without it this run would end up to " + format_seconds(saving.saved) +
                       " sooner; it took " + format_seconds(saving.elapsed) + ". ") +
                "The rest: " + rest + " Why workers left is not recorded."};
  }
  if (share(seconds(idle)) >= idle_from) {
    std::uint32_t cause = CoreTimeNode::none;
    for (const std::uint32_t child : tree.children[idle]) {
      if (seconds(child) > seconds(cause)) cause = child;
    }
    return {format_percent(share(seconds(idle))) + " of the core-time was idle: " +
                format_core_seconds(seconds(idle)) + " in which a core ran no task.",
            (cause == CoreTimeNode::none ? std::string()
                                         : "Most of it: " + tree.nodes[cause].label + ", " +
                                               format_core_seconds(seconds(cause)) + " (" +
                                               tree.nodes[cause].note + "). ") +
                "The rest: " + rest};
  }
  const std::uint32_t first = inside == CoreTimeNode::none || tree.children[inside].empty()
                                  ? CoreTimeNode::none
                                  : tree.children[inside][0];
  const bool is_function =
      first != CoreTimeNode::none && std::string_view(tree.nodes[first].kind) == "function";
  if (is_function && share(seconds(first)) >= function_from) {
    const CoreTimeNode& node = tree.nodes[first];
    const Saving saving = find_saving(run, options, tree, first, 0.5);
    return {"One function, " + node.label + ", took " + format_number(node.core_seconds) + " of " +
                format_core_seconds(whole.core_seconds) +
                (is_absent(saving.saved)
                     ? "."
                     : ". Twice as fast, it would save " + saving_text(saving) + "."),
            "By the profile, " + format_number(node.least) + " to " +
                format_core_seconds(node.most) + "; this includes the libraries that it calls."};
  }
  if (share(value_or(whole.waiting, 0)) >= waiting_from) {
    const double length = run.window().end - run.window().begin;
    const std::string cause = first_cause(run, options);
    return {
        format_percent(share(whole.waiting)) + " of the core-time was waiting: on average only " +
            format_number(ratio(whole.on_cpu, length)) + " of " +
            format_number(ratio(whole.core_seconds, length)) + " cores computed.",
        "process() ran on the cores " + format_percent(share(seconds(inside))) + " of the time. " +
            (cause.empty() ? "What it waited for (reading, a lock, more threads than CPUs) is "
                             "not recorded."
                           : cause)};
  }
  if (share(seconds(outside)) >= around_from) {
    return {format_percent(share(seconds(outside))) +
                " of the core-time was outside process(), in the processor's own tasks.",
            "Opening files, building events, packing results. The rest: " + rest};
  }
  if (share(seconds(others)) >= around_from) {
    return {format_percent(share(seconds(others))) +
                " of the core-time was in tasks other than the processor's.",
            "The rest: " + rest};
  }
  if (inside == CoreTimeNode::none) return {};
  std::string inside_text =
      format_percent(share(seconds(inside))) + " of the core-time was in process()";
  if (is_function) {
    inside_text += ", spread over " +
                   format_count(static_cast<double>(tree.children[inside].size()), "function") +
                   "; the largest is " + format_percent(share(seconds(first)));
  }
  const std::string cause = first_cause(run, options);
  const std::string detail = "The rest: outside it " + format_percent(share(seconds(outside))) +
                             ", idle " + format_percent(share(seconds(idle))) + ".";
  if (!cause.empty()) return {cause, inside_text + ". " + detail};
  return {"No single cause: " + inside_text + ".", detail};
}

}  // namespace crema::report
