#include "core/compare/gate_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/number_format.hpp"
#include "core/compare/comparison.hpp"
#include "core/runtime/chunks/report_counts.hpp"
#include "core/runtime/cluster/processor.hpp"

namespace crema::compare {

using namespace runtime;

namespace {

/// Events of each dataset by its chunks.
std::map<std::string_view, double> dataset_events(const Run& run) {
  std::map<std::string_view, double> events;
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    const StringId name = run.chunks.dataset[i];
    events[name == no_string ? "" : run.text(name)] += value_or(run.chunks.events[i], 0);
  }
  return events;
}

std::string shown(std::string_view name) { return name.empty() ? "unnamed" : std::string(name); }

/// "ttbar, wjets and 3 more"
std::string some_of(const std::vector<std::string_view>& names) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i > 0 ? ", " : "") + shown(names[i]);
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more"
                             : text;
}

using Events = std::map<std::string_view, double>;

std::vector<std::string_view> only_in(const Events& one, const Events& other) {
  std::vector<std::string_view> names;
  for (const auto& [name, events] : one) {
    if (!other.contains(name)) names.push_back(name);
  }
  return names;
}

/// One of the runs, and what it is called: "the baseline", or its title where there are several.
struct NamedRun {
  const Run& run;
  std::string name;
  Events events;
};

std::string missing_datasets_in(const NamedRun& a, const NamedRun& b) {
  if (a.events.empty() && b.events.empty()) return {};  // the events tell
  if (a.events.empty() || b.events.empty())
    return (a.events.empty() ? a : b).name +
           " has no chunk list: whether its datasets are the same is unknown";
  std::string text;
  const auto add = [&](const std::vector<std::string_view>& names, const NamedRun& where) {
    if (names.empty()) return;
    text += (text.empty() ? "" : "; ") + where.name + " lacks the " +
            (names.size() == 1 ? "dataset " : "datasets ") + some_of(names);
  };
  add(only_in(a.events, b.events), b);
  add(only_in(b.events, a.events), a);
  return text;
}

bool differ(double a, double b) {
  return !(std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b)));
}

std::string missing_events_in(const NamedRun& a, const NamedRun& b) {
  const double in_a = total_events(a.run);
  const double in_b = total_events(b.run);
  if (is_absent(in_a) || is_absent(in_b))
    return (is_absent(in_a) ? a : b).name +
           " does not record its number of events: whether some are missing is unknown";
  std::string text;
  // "the candidate lacks 40 % of the events (2,000,000 → 1,200,000)"
  const auto add = [&](double of_a, double of_b, const std::string& what) {
    text += (text.empty() ? "" : "; ") + (of_b < of_a ? b : a).name + " lacks " +
            format_percent(std::fabs(of_a - of_b) / std::max(of_a, of_b)) + " of the events" +
            what + " (" + format_number(of_a) + " → " + format_number(of_b) + ")";
  };
  if (differ(in_a, in_b)) add(in_a, in_b, "");
  // Datasets that only one run has are told of already.
  for (const auto& [name, events] : a.events) {
    const auto other = b.events.find(name);
    if (other != b.events.end() && differ(events, other->second))
      add(events, other->second, " of dataset " + shown(name));
  }
  return text;
}

std::string another_processor_in(const NamedRun& a, const NamedRun& b, const Options& options) {
  const auto name_of = [&](const Run& run) -> std::string_view {
    const StringId prefix = find_processor(run, options).prefix;
    return prefix == no_string ? "" : run.text(prefix);
  };
  const std::string_view in_a = name_of(a.run);
  const std::string_view in_b = name_of(b.run);
  if (in_a == in_b) return {};
  if (in_a.empty() || in_b.empty())
    return "the processor of " + (in_a.empty() ? a : b).name +
           " is not recorded: whether it is the same is unknown";
  return "the processor differs: " + std::string(in_a) + " → " + std::string(in_b);
}

std::string same_run_as(const NamedRun& a, const NamedRun& b) {
  if (!is_same_run(a.run, b.run)) return {};
  return b.name + " is " + a.name + " itself: all their times are the same to the last digit";
}

}  // namespace

std::vector<GateCondition> gate_conditions(std::span<const Run* const> runs,
                                           const Options& options) {
  std::vector<NamedRun> named;
  for (const Run* run : runs) named.push_back({*run, run->title, dataset_events(*run)});
  if (runs.size() == 2) {
    named[0].name = "the baseline";
    named[1].name = "the candidate";
  }
  const auto against_first = [&](auto&& reason) {
    std::string text;
    for (std::size_t i = 1; i < named.size() && text.empty(); ++i)
      text = reason(named[0], named[i]);
    return text;
  };
  std::string copied;
  for (std::size_t i = 0; i < named.size(); ++i) {
    for (std::size_t j = i + 1; j < named.size() && copied.empty(); ++j)
      copied = same_run_as(named[i], named[j]);
  }
  return {{same_run, "no run is compared with itself", std::move(copied)},
          {missing_datasets, "all runs have the same datasets", against_first(missing_datasets_in)},
          {missing_events, "all runs have the same events", against_first(missing_events_in)},
          {another_processor, "all runs have the same processor",
           against_first([&](const NamedRun& a, const NamedRun& b) {
             return another_processor_in(a, b, options);
           })}};
}

}  // namespace crema::compare
