// What differs between two runs before anything ran: what is not like for like.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/compare/comparison.hpp"
#include "core/model/worker_selection.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::compare {

using namespace runtime;

namespace {

ComparedNumber fact(std::string_view id, std::string unit, double a, double b) {
  return {.id = {.group = RowGroup::setup, .name = std::string(id)},
          .unit = std::move(unit),
          .a = {.value = a, .text = {}},
          .b = {.value = b, .text = {}}};
}

ComparedNumber fact(std::string_view id, std::string_view a, std::string_view b) {
  ComparedNumber row = fact(id, "", absent, absent);
  row.a.text = a;
  row.b.text = b;
  return row;
}

std::set<std::string_view> names_of(const Run& run, const std::vector<StringId>& column) {
  std::set<std::string_view> names;
  for (const StringId id : column) {
    if (id != no_string) names.insert(run.text(id));
  }
  return names;
}

/// Those that only `a` has, at most three by name.
RowNote::Names only_in(const std::set<std::string_view>& a, const std::set<std::string_view>& b) {
  constexpr std::size_t most = 3;
  RowNote::Names only;
  for (const std::string_view name : a) {
    if (b.contains(name)) continue;
    if (only.count++ < most) only.first.emplace_back(name);
  }
  return only;
}

ComparedNumber names(std::string_view id, const std::set<std::string_view>& a,
                     const std::set<std::string_view>& b) {
  ComparedNumber row =
      fact(id, "count", static_cast<double>(a.size()), static_cast<double>(b.size()));
  row.note.in_a = only_in(a, b);
  row.note.in_b = only_in(b, a);
  if (row.note.in_a.count + row.note.in_b.count > 0) row.note.kind = RowNote::Kind::names;
  return row;
}

/// Settings that differ, those that change the speed of work first. Where only one run says what it
/// has, nothing is known to differ.
void add_settings(const std::map<std::string, std::string>& a,
                  const std::map<std::string, std::string>& b, std::vector<ComparedNumber>& rows) {
  for (const bool of_speed : {true, false}) {
    for (const auto& [name, value] : a) {
      const auto other = b.find(name);
      if (other == b.end() || other->second == value) continue;
      ComparedNumber row = fact(name, value, other->second);
      if (changes_speed(row) == of_speed) rows.push_back(std::move(row));
    }
  }
}

/// The last `cores` or memory limit of each worker, as their median.
double per_worker(const Run& run, Series series, const std::vector<double>& stated) {
  std::vector<double> values;
  for (std::size_t i = 0; i < run.workers.size(); ++i) {
    const TickSeries& ticks = run.workers.of(series, i);
    values.push_back(ticks.empty() ? stated[i] : ticks.values.back());
  }
  return median_of(values);
}

}  // namespace

bool changes_speed(const ComparedNumber& row) {
  const std::string& name = row.id.name;
  return name == "nthreads" || name == "usable_cpus" || name.ends_with("_NUM_THREADS") ||
         name.ends_with("_THREAD_LIMIT") || name.starts_with("VECLIB_");
}

bool is_same_run(const Run& a, const Run& b) {
  const auto same = [](double x, double y) { return x == y || (is_absent(x) && is_absent(y)); };
  const auto& of_a = a.chunks.duration;
  const auto& of_b = b.chunks.duration;
  const bool is_timed = !of_a.empty() || !is_absent(a.elapsed);
  return is_timed && same(a.elapsed, b.elapsed) && same(a.clock.zero_epoch, b.clock.zero_epoch) &&
         std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), same);
}

std::vector<ComparedNumber> compare_setup(const Run& a, const Run& b, const Selection&,
                                          const Options& options) {
  const auto processor = [&](const Run& run) {
    return run.text(find_processor(run, options).prefix);
  };
  const auto workers = [](const Run& run) {
    const double peak = moments(run.worker_counts).max;
    return is_absent(peak) ? static_cast<double>(run.workers.size()) : peak;
  };
  const auto usable = [](const Run& run) {
    std::vector<double> cpus;
    for (const Machine& machine : run.workers.machine) cpus.push_back(machine.usable);
    return median_of(cpus);
  };
  std::vector<ComparedNumber> rows = {
      fact("schema", a.schema, b.schema),
      fact("processor", processor(a), processor(b)),
      fact("workers", "count", workers(a), workers(b)),
      fact("nthreads", "count", per_worker(a, Series::cores, a.workers.nthreads),
           per_worker(b, Series::cores, b.workers.nthreads)),
      fact("usable_cpus", "count", usable(a), usable(b)),
      fact("memory_limit", "byte", per_worker(a, Series::memory_limit, a.workers.memory_limit),
           per_worker(b, Series::memory_limit, b.workers.memory_limit)),
      names("datasets", names_of(a, a.chunks.dataset), names_of(b, b.chunks.dataset)),
      names("files", names_of(a, a.chunks.file), names_of(b, b.chunks.file)),
      fact("events", "count", total_events(a), total_events(b)),
      fact("chunks", "count", recorded_num_chunks(a), recorded_num_chunks(b)),
      fact("chunk_events", "count", median_of(a.chunks.events), median_of(b.chunks.events)),
  };
  const auto settings_a = a.settings;
  const auto settings_b = b.settings;
  add_settings(settings_a, settings_b, rows);
  // Else the configuration is the user's own text: Crema can say that it differs, not in what.
  const bool is_told = !settings_a.empty() && !settings_b.empty();
  if (!is_told && (!a.config.empty() || !b.config.empty())) {
    rows.push_back(
        fact("config", a.config.empty() ? "none" : "there", b.config.empty() ? "none" : "there"));
    if (!a.config.empty() && !b.config.empty() && a.config != b.config)
      rows.back().b.text = "there, another";
  }
  return rows;
}

}  // namespace crema::compare
