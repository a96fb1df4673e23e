// Dask span objects: `[{id, name, enqueued, start, stop, nthreads_intervals, cumulative_worker_metrics, …}]`, or one of them.
#include <nlohmann/json.hpp>

#include "core/read/activities.hpp"
#include "core/read/readers.hpp"
#include "core/read/whole_file.hpp"

namespace crema {

namespace {

using nlohmann::json;

bool is_span(const json& value) {
  return value.is_object() && value.contains("enqueued") &&
         (value.contains("nthreads_intervals") || value.contains("cumulative_worker_metrics") ||
          value.contains("active_cpu_seconds"));
}

bool recognises(const Head& head) {
  return is_span(head.sample) || (head.sample.is_array() && !head.sample.empty() && is_span(head.sample[0]));
}

std::string name_of(const json& span) {
  const auto name = span.find("name");
  if (name == span.end()) return {};
  if (!name->is_array()) return text_of(*name);
  std::string tags;
  for (const json& tag : *name) tags += (tags.empty() ? "" : "/") + text_of(tag);
  return tags;
}

void read_span(Run& run, const std::string& path, const json& given) {
  Span span{name_of(given),
            number_or_absent(given, "enqueued"),
            number_or_absent(given, "start"),
            number_or_absent(given, "stop"),
            {},
            path};
  if (const auto intervals = given.find("nthreads_intervals"); intervals != given.end() && intervals->is_array()) {
    for (const json& one : *intervals) {
      if (one.is_array() && one.size() == 3 && one[0].is_number() && one[1].is_number() && one[2].is_number()) {
        span.nthreads.push_back({one[0].get<double>(), one[1].get<double>(), one[2].get<double>()});
      } else {
        run.doubt("wrong-type", Severity::low, "an interval of a span is not [begin, end, threads] and was left out", path,
                  "nthreads_intervals");
      }
    }
  }
  run.spans.push_back(std::move(span));
  if (const auto metrics = given.find("cumulative_worker_metrics"); metrics != given.end() && metrics->is_object()) {
    run.activities_recorded = true;
    run.activities.source = path;
    for (const auto& [key, value] : metrics->items()) {
      if (value.is_number()) add_activity(run.activities, run.names->strings, key, value.get<double>());
    }
  }
}

void read(Run& run, const std::string& path, const std::string& text) {
  const json document = parse_small(run, path, text);
  if (is_span(document)) {
    read_span(run, path, document);
  } else if (document.is_array()) {
    // A parent span includes its children: only the first, which roastcoffea opened, counts.
    if (!document.empty() && is_span(document[0])) read_span(run, path, document[0]);
    if (document.size() > 1) run.doubt("more-spans", Severity::low, "the file holds several spans; the first is used", path);
  }
}

}  // namespace

const Format spans_format = {"spans", "Dask span", true, true, recognises, open_whole<read>};

}  // namespace crema
