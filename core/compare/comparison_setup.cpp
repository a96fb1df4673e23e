// What differs between two runs before anything ran: what is not like for like.
#include <algorithm>
#include <set>

#include "core/base/number_format.hpp"
#include "core/compare/comparison.hpp"
#include "core/model/worker_selection.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::compare {

using namespace runtime;

namespace {

ComparedNumber fact(std::string_view id, std::string label, std::string unit, double a, double b,
                    std::string note = {}) {
  return {.id = {.group = RowGroup::setup, .name = std::string(id)},
          .label = std::move(label),
          .unit = std::move(unit),
          .a = {.value = a, .text = {}},
          .b = {.value = b, .text = {}},
          .note = std::move(note)};
}

ComparedNumber fact(std::string_view id, std::string label, std::string_view a,
                    std::string_view b) {
  ComparedNumber row = fact(id, std::move(label), "", absent, absent);
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

/// "only in the first: x, y, z, …", at most three names.
std::string only_in(const std::set<std::string_view>& a, const std::set<std::string_view>& b,
                    const char* where) {
  std::vector<std::string_view> only;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(only.size(), 3); ++i)
    text += (i == 0 ? "" : ", ") + std::string(only[i]);
  if (only.size() > 3) text += ", …";
  return only.empty() ? text : std::to_string(only.size()) + " only in " + where + ": " + text;
}

ComparedNumber names(std::string_view id, std::string label, const std::set<std::string_view>& a,
                     const std::set<std::string_view>& b) {
  std::string note = only_in(a, b, "A");
  const std::string other = only_in(b, a, "B");
  note += (note.empty() || other.empty() ? "" : "; ") + other;
  return fact(id, std::move(label), "count", static_cast<double>(a.size()),
              static_cast<double>(b.size()), std::move(note));
}

/// The last `cores` or memory limit of each worker, as their median.
double per_worker(const Run& run, Series series, const std::vector<double>& told) {
  std::vector<double> values;
  for (std::size_t i = 0; i < run.workers.size(); ++i) {
    const TickSeries& ticks = run.workers.of(series, i);
    values.push_back(ticks.empty() ? told[i] : ticks.values.back());
  }
  return median_of(values);
}

}  // namespace

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
  std::vector<ComparedNumber> rows = {
      fact("schema", "Written by", a.schema, b.schema),
      fact("processor", "Processor", processor(a), processor(b)),
      fact("workers", "Workers, most at once", "count", workers(a), workers(b)),
      fact("nthreads", "Threads per worker, median", "count",
           per_worker(a, Series::cores, a.workers.nthreads),
           per_worker(b, Series::cores, b.workers.nthreads)),
      fact("memory_limit", "Memory limit per worker, median", "byte",
           per_worker(a, Series::memory_limit, a.workers.memory_limit),
           per_worker(b, Series::memory_limit, b.workers.memory_limit)),
      names("datasets", "Datasets", names_of(a, a.chunks.dataset), names_of(b, b.chunks.dataset)),
      names("files", "Input files", names_of(a, a.chunks.file), names_of(b, b.chunks.file)),
      fact("events", "Events", "count", total_events(a), total_events(b)),
      fact("chunks", "Chunks", "count", recorded_num_chunks(a), recorded_num_chunks(b)),
      fact("chunk_events", "Events per chunk, median", "count", median_of(a.chunks.events),
           median_of(b.chunks.events)),
  };
  // The configuration is the user's own text: that it differs can be told, not in what.
  if (!a.config.empty() || !b.config.empty()) {
    rows.push_back(fact("config", "config.json", a.config.empty() ? "none" : "there",
                        b.config.empty() ? "none" : "there"));
    if (!a.config.empty() && !b.config.empty() && a.config != b.config)
      rows.back().b.text = "there, another";
  }
  return rows;
}

}  // namespace crema::compare
