#include "core/runtime/cluster/processor.hpp"

#include <cmath>
#include <map>

#include "core/base/error.hpp"

namespace crema::runtime {

namespace {

template <class Matches>
double sum_activities(const Run& run, Matches matches) {
  const Activities& a = run.activities;
  double sum = 0;
  bool any = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.context[i]) != "execute" || run.text(a.prefix[i]) == "N/A" || !matches(i))
      continue;
    sum += a.value[i];
    any = true;
  }
  return any ? sum : absent;
}

}  // namespace

double execute_seconds(const Run& run, StringId prefix) {
  const Activities& a = run.activities;
  return sum_activities(run, [&](std::size_t i) {
    return a.prefix[i] == prefix && run.text(a.unit[i]) == "seconds";
  });
}

std::unordered_map<StringId, double> execute_seconds(const Run& run) {
  const Activities& a = run.activities;
  std::unordered_map<StringId, double> seconds;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.context[i]) != "execute" || run.text(a.prefix[i]) == "N/A" ||
        run.text(a.unit[i]) != "seconds")
      continue;
    seconds[a.prefix[i]] += a.value[i];
  }
  return seconds;
}

double activity_sum(const Run& run, StringId prefix, std::string_view activity,
                    std::string_view unit) {
  if (prefix == no_string) return absent;
  const Activities& a = run.activities;
  return sum_activities(run, [&](std::size_t i) {
    return a.prefix[i] == prefix && run.text(a.activity[i]) == activity &&
           run.text(a.unit[i]) == unit;
  });
}

double activity_sum(const Run& run, std::string_view activity, std::string_view unit) {
  const Activities& a = run.activities;
  return sum_activities(run, [&](std::size_t i) {
    return run.text(a.activity[i]) == activity && run.text(a.unit[i]) == unit;
  });
}

Processor find_processor(const Run& run, const Options& options) {
  const Activities& a = run.activities;
  if (options.has(processor_option)) {
    const std::string wanted = options.text(processor_option);
    const StringId id = run.names->strings.find(wanted);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a.prefix[i] == id && id != no_string) return {id, "chosen", false};
    }
    if (a.size() > 0)
      throw Failure(ErrorCode::bad_option,
                    "processor=" + wanted + " is no task prefix of this run");
    return {};
  }
  // In order of first appearance, so that ties do not depend on the order of ids.
  std::vector<StringId> prefixes;
  struct Seconds {
    double cpu = 0, thread = 0, all = 0;
  };
  std::map<StringId, Seconds> seconds;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.context[i]) != "execute" || a.prefix[i] == no_string ||
        run.text(a.prefix[i]) == "N/A")
      continue;
    if (run.text(a.unit[i]) != "seconds") continue;
    if (!seconds.contains(a.prefix[i])) prefixes.push_back(a.prefix[i]);
    const std::string_view activity = run.text(a.activity[i]);
    Seconds& of_prefix = seconds[a.prefix[i]];
    if (activity == "thread-cpu") of_prefix.cpu += a.value[i];
    if (activity == "thread-cpu" || activity == "thread-noncpu") of_prefix.thread += a.value[i];
    of_prefix.all += a.value[i];
  }
  const double stored = run.stored_value("processor_cpu_time_seconds");
  Processor most;
  std::pair<double, double> most_seconds{-1, -1};  // thread time first: other labels may overlap it
  for (const StringId prefix : prefixes) {
    const Seconds& s = seconds[prefix];
    if (stored > 0 && std::fabs(s.cpu - stored) <= 1e-9 * stored) {
      return {prefix, "recognised: its time equals the processor time that roastcoffea stored",
              false};
    }
    if (std::pair(s.thread, s.all) > most_seconds) {
      most_seconds = {s.thread, s.all};
      most = {prefix, "guessed: the task prefix with the most time", true};
    }
  }
  return most;
}

}  // namespace crema::runtime
