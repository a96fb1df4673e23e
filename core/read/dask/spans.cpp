// Dask span objects: `[{id, name, enqueued, start, stop, nthreads_intervals,
// cumulative_worker_metrics, …}]`, or one of them.
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/read/list.hpp"
#include "core/read/roastcoffea/metrics.hpp"

namespace crema::read {

namespace {

bool is_span(const nlohmann::json& value) {
  return holds(value, "enqueued") &&
         (holds(value, "nthreads_intervals") || holds(value, "cumulative_worker_metrics") ||
          holds(value, "active_cpu_seconds"));
}

bool recognises_spans(const Head& head) {
  return is_span(head.sample()) ||
         (head.sample().is_array() && !head.sample().empty() && is_span(head.sample()[0]));
}

std::string name_of(const nlohmann::json& span) {
  const nlohmann::json& name = member_of(span, "name");
  if (!name.is_array()) return text_of(name);
  std::string tags;
  for (const nlohmann::json& tag : name) tags += (tags.empty() ? "" : "/") + text_of(tag);
  return tags;
}

/// [begin, end, threads]
bool is_interval(const nlohmann::json& value) {
  if (!value.is_array() || value.size() != 3) return false;
  for (const nlohmann::json& part : value) {
    if (!part.is_number() || !std::isfinite(part.get<double>())) return false;
  }
  return value[1].get<double>() >= value[0].get<double>() && value[2].get<double>() >= 0;
}

void read_span(Run& run, const std::string& path, const nlohmann::json& given) {
  Span span{name_of(given),
            amount_or_absent(run, path, given, "enqueued"),
            amount_or_absent(run, path, given, "start"),
            amount_or_absent(run, path, given, "stop"),
            {},
            path};
  const nlohmann::json& intervals = member_of(given, "nthreads_intervals");
  if (!intervals.is_array()) {
    if (!intervals.is_null())
      note_wrong_type(run, path, "nthreads_intervals", "a list of [begin, end, threads]");
  } else {
    for (const nlohmann::json& one : intervals) {
      if (is_interval(one)) {
        span.nthreads.push_back({one[0].get<double>(), one[1].get<double>(), one[2].get<double>()});
      } else {
        run.add_note("wrong-type", Severity::low,
                     "an interval of a span is not [begin, end, threads] and was left out", path,
                     "nthreads_intervals");
      }
    }
  }
  run.spans.push_back(std::move(span));
  if (const nlohmann::json& metrics = member_of(given, "cumulative_worker_metrics");
      !metrics.is_null()) {
    if (!metrics.is_object())
      return note_wrong_type(run, path, "cumulative_worker_metrics", "an object of numbers");
    for (const auto& [key, value] : metrics.items()) {
      const double amount = value.is_number() ? value.get<double>() : absent;
      if (std::isfinite(amount)) {
        run.activities_recorded = true;
        run.activities.source = path;
        add_activity(run.activities, run.names->strings, key, amount);
      } else if (!value.is_null() && !(value.is_number() && std::isnan(amount))) {
        note_wrong_type(run, path, "cumulative_worker_metrics", "a number under a metric's key");
      }
    }
  }
}

void read_spans(Run& run, const std::string& path, const std::string& text) {
  const nlohmann::json document = parse_small(run, path, text);
  if (is_span(document)) {
    read_span(run, path, document);
  } else if (document.is_array()) {
    // A parent span includes its children: only the first, which roastcoffea opened, counts.
    if (!document.empty() && is_span(document[0])) read_span(run, path, document[0]);
    if (document.size() > 1)
      run.add_note("more-spans", Severity::low, "the file has several spans; the first is used",
                   path);
  }
}

}  // namespace

const Format spans_format{spans_about, recognises_spans, open_whole<read_spans>};

}  // namespace crema::read
