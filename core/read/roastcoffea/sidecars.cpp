// The small files beside metrics.json: start_end_time.txt, metadata.json, config.json, coffea's
// report, scheduler_info(). They are read whole; none of them is ever large.
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "core/base/text.hpp"
#include "core/json/document.hpp"
#include "core/read/list.hpp"

namespace crema::read {

namespace {

bool parse_pair(std::string_view text, double& first, double& second) {
  const std::vector<std::string_view> numbers = split(text, ",");
  if (numbers.size() != 2) return false;
  first = parse_number(numbers[0]);
  second = parse_number(numbers[1]);
  const auto is_number = [](std::string_view one, double value) {
    return !is_absent(value) || one == "nan";
  };
  return is_number(numbers[0], first) && is_number(numbers[1], second);
}

// --- start_end_time.txt: "t0,t1" of a clock with any origin; only the difference means something.

bool recognises_start_end(const Head& head) {
  double t0 = 0;
  double t1 = 0;
  return head.complete && parse_pair(head.bytes, t0, t1);
}

void read_start_end(Run& run, const std::string& path, const std::string& text) {
  double t0 = 0;
  double t1 = 0;
  if (!parse_pair(text, t0, t1)) return;
  if (!(t1 > t0) || !std::isfinite(t1 - t0)) {
    run.add_note("elapsed", Severity::medium,
                 "the end time is not after the start time; the file was left out", path);
    return;
  }
  run.elapsed = t1 - t0;
  run.elapsed_source = path;
}

// --- metadata.json

bool recognises_metadata(const Head& head) {
  const nlohmann::json& s = head.sample();
  return holds(s, "timestamp") &&
         (holds(s, "elapsed_time_seconds") || holds(s, "wall_time") || holds(s, "format"));
}

void read_metadata(Run& run, const std::string& path, const std::string& text) {
  const nlohmann::json document = parse_small(run, path, text);
  if (holds(document, "timestamp")) run.recorded_at = text_of(document["timestamp"]);
}

// --- config.json: whatever the user wrote, or the recorder; known by its name only

bool recognises_config(const Head& head) {
  return base_name(head.path) == "config.json" && !head.sample().is_discarded();
}

/// Texts and numbers by name.
void read_labels(Run& run, const nlohmann::json& labels) {
  if (!labels.is_object()) return;
  for (const auto& [name, value] : labels.items()) {
    if (!value.is_structured() && !value.is_null()) run.labels.try_emplace(name, text_of(value));
  }
}

/// What a history tells runs apart by, besides what people write: the versions of what the time is
/// spent in.
void read_versions(Run& run, const nlohmann::json& packages) {
  if (!packages.is_object()) return;
  for (const char* name :
       {"awkward", "coffea", "dask", "distributed", "numpy", "python", "uproot"}) {
    if (const auto version = packages.find(name); version != packages.end() && version->is_string())
      run.labels.try_emplace(name, *version);
  }
}

/// Of the workers' packages or settings their values, and what several have differently: "numpy:
/// 2.4.6 on 3, 2.3.1 on 1 worker". The recorder counts workers that are alike together.
void read_settings(Run& run, const std::string& path, const nlohmann::json& kinds, const char* id,
                   const char* what) {
  std::map<std::string, std::map<std::string, double>> workers;  // by name and value
  for (const nlohmann::json& one : kinds) {
    if (!one.is_object()) continue;
    const nlohmann::json& settings = member_of(one, "settings");
    const nlohmann::json& values =
        settings.is_null() ? member_of(member_of(one, "environment"), "packages") : settings;
    const double count = amount_or_absent(run, path, one, "workers");
    for (const auto& [name, value] : values.items())
      workers[name][value.is_null() ? "none" : text_of(value)] += count;
  }
  std::string differ;
  for (const auto& [name, versions] : workers) {
    std::string& all = run.settings[name];
    for (const auto& [version, count] : versions) all += (all.empty() ? "" : " or ") + version;
    if (versions.size() < 2) continue;
    differ += (differ.empty() ? "" : "; ") + name + ":";
    for (const auto& [version, count] : versions)
      differ +=
          (differ.back() == ':' ? " " : ", ") + version + " on " + format_count(count, "worker");
  }
  if (differ.empty()) return;
  run.add_note(id, Severity::medium, std::string(what) + ": " + differ, path);
}

// --- labels.json: what a run is called, beside a recording that cannot be changed

bool recognises_labels(const Head& head) {
  return base_name(head.path) == "labels.json" && head.sample().is_object();
}

void read_labels_file(Run& run, const std::string& path, const std::string& text) {
  read_labels(run, parse_small(run, path, text));
}

/// `crema.record` leaves here how the block ended and what could not be had, a sentence each.
void read_config(Run& run, const std::string& path, const std::string& text) {
  run.config = text;
  const auto [document, error] = json::build_document(text, {.levels = most_levels});
  if (error || !document.is_object()) return;
  read_labels(run, member_of(document, "labels"));
  if (!holds(document, "recorded_by")) return;
  const nlohmann::json& versions = member_of(document, "versions");
  for (const char* process : {"scheduler", "client"})
    read_versions(run, member_of(member_of(versions, process), "packages"));
  read_settings(run, path, member_of(versions, "workers"), "versions-differ",
                "workers run different versions");
  read_settings(run, path, member_of(document, "settings"), "settings-differ",
                "workers have different settings");
  if (const nlohmann::json& reason = member_of(document, "incomplete"); reason.is_string())
    run.add_note("incomplete", Severity::high,
                 "the recorded block ended with an exception, so the run is not complete: " +
                     reason.get<std::string>(),
                 path);
  if (const nlohmann::json& warned = member_of(document, "warnings"); warned.is_object()) {
    run.warnings_recorded = true;
    for (const auto& [kind, about] : warned.items()) {
      if (about.is_object())
        run.warnings.push_back({kind, text_of(member_of(about, "first")),
                                amount_or_absent(run, path, about, "times"),
                                amount_or_absent(run, path, about, "workers")});
    }
  }
  for (const nlohmann::json& event : member_of(document, "worker_events")) {
    WorkerEvent one{run.names->strings.intern(text_of(member_of(event, "worker"))),
                    text_of(member_of(event, "kind")), number_or_absent(event, "time"),
                    number_or_absent(event, "value")};
    if (one.kind != "unresponsive") one.value /= 100;  // percent
    run.worker_events.push_back(std::move(one));
  }
  for (const nlohmann::json& note : member_of(document, "notes")) {
    if (note.is_string())
      run.add_note("recorder", Severity::low, "the recorder: " + note.get<std::string>(), path);
  }
}

// --- coffea's report

bool recognises_report(const Head& head) {
  int known = 0;
  for (const char* key : {"bytesread", "entries", "processtime", "chunks", "columns"})
    known += holds(head.sample(), key) ? 1 : 0;
  return known >= 3;
}

void read_report(Run& run, const std::string& path, const std::string& text) {
  const nlohmann::json document = parse_small(run, path, text);
  if (!document.is_object()) return;
  run.report.bytes_read = amount_or_absent(run, path, document, "bytesread");
  run.report.events = amount_or_absent(run, path, document, "entries");
  run.report.process_time = amount_or_absent(run, path, document, "processtime");
  run.report.chunks = amount_or_absent(run, path, document, "chunks");
  run.report.source = path;
  const nlohmann::json& columns = member_of(document, "columns");
  if (columns.is_array()) {
    for (const nlohmann::json& column : columns)
      run.report.columns.push_back(run.names->strings.intern(text_of(column)));
  } else if (!columns.is_null()) {
    note_wrong_type(run, path, "columns", "a list of names");
  }
}

// --- scheduler_info(): worker names, hosts, threads and limits as of the moment it was called

bool recognises_scheduler_info(const Head& head) {
  const nlohmann::json& s = head.sample();
  return member_of(s, "type") == "Scheduler" && (holds(s, "workers") || holds(s, "address"));
}

void read_scheduler_info(Run& run, const std::string& path, const std::string& text) {
  const nlohmann::json document = parse_small(run, path, text);
  if (!holds(document, "workers")) return;
  if (!document["workers"].is_object())
    return note_wrong_type(run, path, "workers", "an object of workers");
  StringPool& strings = run.names->strings;
  for (const auto& [address, info] : document["workers"].items()) {
    if (!info.is_object()) {
      note_wrong_type(run, path, "workers", "an object for each worker");
      continue;
    }
    const std::size_t worker = run.workers.intern(strings.intern(address));
    if (const nlohmann::json& name = member_of(info, "name"); !name.is_null())
      run.workers.name[worker] = strings.intern(text_of(name));
    if (const nlohmann::json& host = member_of(info, "host"); host.is_string())
      run.workers.host[worker] = strings.intern(text_of(host));
    run.workers.nthreads[worker] = amount_or_absent(run, path, info, "nthreads");
    run.workers.memory_limit[worker] = amount_or_absent(run, path, info, "memory_limit");
    const nlohmann::json& machine = member_of(info, "machine");  // which `crema.record` adds
    if (!machine.is_object()) continue;
    const auto amount = [&](const char* name) {
      return amount_or_absent(run, path, machine, name);
    };
    run.workers.machine[worker] = {amount("cpus"), amount("cores"), amount("usable"),
                                   amount("busy"), amount("own")};
  }
}

}  // namespace

const Format start_end_time_format{start_end_time_about, recognises_start_end,
                                   open_whole<read_start_end>};
const Format metadata_format{metadata_about, recognises_metadata, open_whole<read_metadata>};
const Format config_format{config_about, recognises_config, open_whole<read_config>};
const Format labels_format{labels_about, recognises_labels, open_whole<read_labels_file>};
const Format report_format{report_about, recognises_report, open_whole<read_report>};
const Format scheduler_info_format{scheduler_info_about, recognises_scheduler_info,
                                   open_whole<read_scheduler_info>};

}  // namespace crema::read
