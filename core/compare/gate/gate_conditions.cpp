#include "core/compare/compared_rows.hpp"
#include "core/compare/gate.hpp"

namespace crema::compare {

namespace {

using Events = std::map<std::string_view, double>;  // by dataset

std::vector<std::string> only_in(const Events& one, const Events& other) {
  std::vector<std::string> names;
  for (const auto& [name, events] : one)
    if (!other.contains(name)) names.emplace_back(name);
  return names;
}

bool differ(double a, double b) {
  return !(std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b)));
}

void compare_datasets(GateCondition& condition, const Events& first, const Events& second) {
  if (first.empty() && second.empty()) return;  // the numbers of events decide
  if (first.empty() || second.empty())
    condition.unrecorded = first.empty() ? condition.first : condition.second;
  condition.only_in_first = only_in(first, second);
  condition.only_in_second = only_in(second, first);
  if (condition.unrecorded || !condition.only_in_first.empty() || !condition.only_in_second.empty())
    condition.state = GateState::unknown;
}

void compare_events(GateCondition& condition, const Run& a, const Run& b, const Events& of_a,
                    const Events& of_b) {
  const double in_a = total_events(a);
  const double in_b = total_events(b);
  if (is_absent(in_a) || is_absent(in_b)) {
    condition.unrecorded = is_absent(in_a) ? condition.first : condition.second;
  } else {
    if (differ(in_a, in_b)) condition.events.push_back({std::nullopt, in_a, in_b});
    // Datasets that only one run has are another condition.
    for (const auto& [name, events] : of_a) {
      const double* const other = found_in(of_b, name);
      if (other != nullptr && differ(events, *other))
        condition.events.push_back({std::string(name), events, *other});
    }
  }
  if (condition.unrecorded || !condition.events.empty()) condition.state = GateState::unknown;
}

void compare_processors(GateCondition& condition, const Run& a, const Run& b,
                        const Options& options) {
  const auto name_of = [&](const Run& run) -> std::string {
    const StringId prefix = find_processor(run, options).prefix;
    return prefix == no_string ? "" : std::string(run.text(prefix));
  };
  condition.processor_a = name_of(a);
  condition.processor_b = name_of(b);
  if (condition.processor_a == condition.processor_b) return;
  condition.state = GateState::unknown;
  if (condition.processor_a.empty() || condition.processor_b.empty())
    condition.unrecorded = condition.processor_a.empty() ? condition.first : condition.second;
}

}  // namespace

std::vector<GateCondition> gate_conditions(std::span<const Run* const> runs,
                                           const Options& options) {
  std::vector<Events> events;
  for (const Run* run : runs) events.push_back(events_by_dataset(*run));
  std::vector<GateCondition> conditions;
  GateCondition copied{.reason = GateReason::same_run};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t j = i + 1; j < runs.size() && copied.state == GateState::kept; ++j) {
      if (!is_same_run(*runs[i], *runs[j])) continue;
      copied = {.reason = copied.reason, .state = GateState::unknown, .first = i, .second = j};
    }
  }
  conditions.push_back(std::move(copied));
  for (const GateReason reason :
       {GateReason::missing_datasets, GateReason::missing_events, GateReason::another_processor}) {
    GateCondition found{.reason = reason};
    for (std::size_t i = 1; i < runs.size() && found.state == GateState::kept; ++i) {
      found.second = i;
      if (reason == GateReason::missing_datasets) compare_datasets(found, events[0], events[i]);
      if (reason == GateReason::missing_events)
        compare_events(found, *runs[0], *runs[i], events[0], events[i]);
      if (reason == GateReason::another_processor)
        compare_processors(found, *runs[0], *runs[i], options);
    }
    conditions.push_back(std::move(found));
  }
  return conditions;
}

}  // namespace crema::compare
