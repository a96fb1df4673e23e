#include "core/runtime/chunks.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"
#include "core/runtime/facts.hpp"
#include "core/stats/fit.hpp"

namespace crema::runtime {

namespace {

std::vector<double> quotients(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = ratio(a[i], b[i]);
  return result;
}

/// Where a bundle collects no bytes, chunks that say 0 read an unknown number of them.
std::vector<double> if_collected(const Run& run, std::vector<double> values) {
  if (!chunk_bytes_collected(run)) std::fill(values.begin(), values.end(), absent);
  return values;
}

/// The values of the sections that `wanted` accepts, as columns.
template <class Wanted>
std::vector<SectionColumn> collect_sections(const Run& run, std::size_t most, Wanted wanted) {
  std::vector<SectionColumn> columns;
  using Key = std::pair<StringId, SectionValue::Kind>;
  std::vector<Key> keys;  // of the columns
  std::size_t at =
      0;  // chunks have the same sections in the same order: the next column is mostly the one
  for (const SectionValue& value : run.chunks.sections) {
    if (!wanted(value)) continue;
    const Key key{value.name, value.kind};
    if (++at >= keys.size()) at = 0;
    if (keys.empty() || keys[at] != key)
      at = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    if (at == keys.size()) {
      if (columns.size() == most) continue;
      keys.push_back(key);
      columns.push_back(
          {std::string(section_prefix(key.second)) + std::string(run.text(value.name)),
           key.second == SectionValue::Kind::seconds ? "s" : "byte",
           std::vector<double>(run.chunks.size(), absent)});
    }
    double& cell = columns[at].values[value.chunk];
    cell = value_or(cell, 0) + value.value;
  }
  return columns;
}

}  // namespace

std::string_view section_prefix(SectionValue::Kind kind) {
  switch (kind) {
    case SectionValue::Kind::seconds: return "section:";
    case SectionValue::Kind::memory: return "section_memory:";
    default: return "section_bytes:";
  }
}

std::vector<SectionColumn> section_columns(const Run& run) {
  return collect_sections(run, most_sections, [](const SectionValue&) { return true; });
}

std::vector<SectionEntry> section_entries(const Run& run) {
  using recorded_columns::Section;
  const auto& rows = run.recording.sections;
  std::vector<SectionEntry> entries;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint32_t task = rows.row(Section::task, row);
    const std::uint32_t chunk =
        task < run.recording.chunk.size() ? run.recording.chunk[task] : no_row;
    const SectionEntry entry{chunk, rows.text(Section::name, row), rows.at(Section::calls, row)};
    if (chunk != no_row && entry.section != no_string && !is_absent(entry.times))
      entries.push_back(entry);
  }
  return entries;
}

namespace {

struct KeptRows {
  Once<std::vector<std::size_t>> of_chunks, of_files;
};

std::vector<std::size_t> rows_of_kind(const Run& run, std::string_view name) {
  const auto& tasks = run.recording.tasks;
  const StringId kind = run.names->strings.find(name);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < tasks.size() && kind != no_string; ++row) {
    if (tasks.text(recorded_columns::Task::kind, row) == kind) rows.push_back(row);
  }
  return rows;
}

}  // namespace

const std::vector<std::size_t>& rows_of_chunks(const Run& run) {
  return run.facts.of<KeptRows>().of_chunks.of([&] { return rows_of_kind(run, "chunk"); });
}

const std::vector<std::size_t>& rows_of_files(const Run& run) {
  return run.facts.of<KeptRows>().of_files.of([&] { return rows_of_kind(run, "file"); });
}

double sum_of_rows(const Run& run, const std::vector<std::size_t>& rows,
                   recorded_columns::Task column) {
  double sum = absent;
  for (const std::size_t row : rows) {
    const double value = run.recording.tasks.at(column, row);
    if (!is_absent(value)) sum = value_or(sum, 0) + value;
  }
  return sum;
}

std::vector<double> measured_of_chunks(const Run& run, recorded_columns::Task column) {
  std::vector<double> values;
  if (run.recording.tasks.column(static_cast<std::size_t>(column)).empty()) return values;
  for (std::size_t row = 0; row < run.recording.chunk.size(); ++row) {
    const std::uint32_t chunk = run.recording.chunk[row];
    const double value = run.recording.tasks.at(column, row);
    if (chunk == no_row || is_absent(value)) continue;
    values.resize(run.chunks.size(), absent);
    values[chunk] = value;
  }
  return values;
}

std::vector<SectionColumn> task_columns(const Run& run) {
  using Kind = RecordedColumn::Kind;
  const auto& rows = run.recording.tasks;
  std::vector<SectionColumn> columns;
  for (std::size_t i = 0; i < rows.declared().size(); ++i) {
    const RecordedColumn& declared = rows.declared()[i];
    if (declared.kind != Kind::number && declared.kind != Kind::seconds) continue;
    std::vector<double> values = measured_of_chunks(run, static_cast<recorded_columns::Task>(i));
    if (values.empty()) continue;
    columns.push_back(
        {std::string(task_prefix) + std::string(declared.key), declared.unit, std::move(values)});
  }
  return columns;
}

namespace {

/// Every number of a chunk but sections and custom ones, in the order in which `chunks` has them.
constexpr ChunkColumn all_columns[] = {
    {.name = "chunk",
     .unit = "count",
     .made =
         [](const Run& run) {
           std::vector<double> numbers(run.chunks.size());
           std::iota(numbers.begin(), numbers.end(), 0.0);
           return numbers;
         }},
    {.name = "entry_start", .unit = "count", .recorded = &Chunks::entry_start},
    {.name = "entry_stop", .unit = "count", .recorded = &Chunks::entry_stop},
    {.name = "t_start", .unit = "s", .recorded = &Chunks::t_start},
    {.name = "t_end", .unit = "s", .recorded = &Chunks::t_end},
    {.name = "duration", .unit = "s", .recorded = &Chunks::duration},
    {.name = "events", .unit = "count", .recorded = &Chunks::events},
    {.name = "bytes_read",
     .unit = "byte",
     .formula = "read inside process()",
     .made = [](const Run& run) { return if_collected(run, run.chunks.bytes_read); }},
    {.name = "memory_before", .unit = "byte", .recorded = &Chunks::memory_before},
    {.name = "memory_after", .unit = "byte", .recorded = &Chunks::memory_after},
    {.name = "memory_delta",
     .unit = "byte",
     .formula = "change of the process's resident memory; shared by all threads of the worker",
     .recorded = &Chunks::memory_delta},
    {.name = "seconds_per_event",
     .unit = "s",
     .formula = "duration / events",
     .made = [](const Run& run) { return quotients(run.chunks.duration, run.chunks.events); }},
    {.name = "memory_delta_per_event",
     .unit = "byte",
     .formula = "memory_delta / events",
     .made = [](const Run& run) { return quotients(run.chunks.memory_delta, run.chunks.events); }},
    {.name = "bytes_per_second",
     .unit = "byte/s",
     .formula = "bytes_read / duration",
     .made =
         [](const Run& run) {
           return if_collected(run, quotients(run.chunks.bytes_read, run.chunks.duration));
         }},
    {.name = "host_load",
     .unit = "count",
     .formula = "mean number of chunks of files of its host while it ran, itself included",
     .made = [](const Run& run) { return host_loads(run); }},
    {.name = "branches_accessed", .unit = "count", .recorded = &Chunks::branches_accessed},
    {.name = "accessed_bytes",
     .unit = "byte",
     .formula = "a fact of the file, repeated in each of its chunks",
     .recorded = &Chunks::accessed_bytes},
    {.name = "lane",
     .unit = "count",
     .formula = "inferred: greedy packing by start time, regardless of worker",
     .made = [](const Run& run) { return pack_lanes(run); }},
    {.name = "times_expected",
     .unit = "1",
     .formula =
         "duration / the duration expected from its dataset's fixed cost and seconds per event",
     .made =
         [](const Run& run) { return quotients(run.chunks.duration, expected_durations(run)); }},
    {.name = "outlier",
     .unit = "1",
     .formula = "took more than 3 x the duration expected from its dataset's fixed cost and "
                "seconds per event",
     .is_flag = true,
     .made = [](const Run& run) { return outliers(run); }},
    {.name = "early",
     .unit = "1",
     .formula = "took less than 1/5 of that: process() most likely returned early",
     .is_flag = true,
     .made = [](const Run& run) { return early_ends(run); }},
};

const ChunkColumn* column_named(std::string_view name) {
  return first_where(all_columns, [&](const ChunkColumn& column) { return column.name == name; });
}

}  // namespace

std::span<const ChunkColumn> all_chunk_columns() { return all_columns; }

std::vector<double> chunk_column(const Run& run, std::string_view name) {
  const Chunks& c = run.chunks;
  if (const ChunkColumn* column = column_named(name))
    return column->recorded != nullptr ? c.*column->recorded : column->made(run);
  if (name.substr(0, custom_prefix.size()) == custom_prefix)
    name.remove_prefix(custom_prefix.size());
  if (const auto found = c.extra.find(std::string(name)); found != c.extra.end()) {
    std::vector<double> column = found->second;
    column.resize(c.size(), absent);
    return column;
  }
  for (const auto kind :
       {SectionValue::Kind::seconds, SectionValue::Kind::memory, SectionValue::Kind::bytes}) {
    const std::string_view prefix = section_prefix(kind);
    if (name.substr(0, prefix.size()) != prefix) continue;
    const StringId section = run.names->strings.find(name.substr(prefix.size()));
    auto found = collect_sections(run, 1, [&](const SectionValue& v) {
      return section_prefix(v.kind) == prefix && v.name == section;
    });
    if (!found.empty()) return std::move(found[0].values);
  }
  for (SectionColumn& column : task_columns(run)) {
    if (column.name == name) return std::move(column.values);
  }
  throw Failure(ErrorCode::bad_selection, "chunks have no numeric column " + std::string(name));
}

std::string_view chunk_column_unit(std::string_view name) {
  if (const ChunkColumn* column = column_named(name)) return column->unit;
  if (name.substr(0, 8) == "section:") return "s";
  for (const RecordedColumn& column : recorded_columns::of<recorded_columns::Task>) {
    if (name.starts_with(task_prefix) && name.substr(task_prefix.size()) == column.key)
      return column.unit;
  }
  return name.substr(0, 8) == "section_" && has_part(name, ':') ? "byte" : "";
}

bool sizes_differ(std::span<const double> events) {
  // Mostly nothing has to be sorted: files are cut into chunks of nearly one size.
  const Moments all = moments(events);
  if (!(all.max >= 1.5 * all.min)) return false;
  std::vector<double> present;
  std::copy_if(events.begin(), events.end(), std::back_inserter(present),
               [](double v) { return !is_absent(v); });
  return quantile_of(present, 0.9) >= 1.5 * quantile_of(present, 0.1);
}

namespace {

std::vector<double> compute_expected(const Run& run) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  std::vector<double> expected(c.size(), absent);
  std::vector<std::uint32_t> members;
  std::vector<double> events, durations, per_event;
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    members.clear();
    for (auto* values : {&events, &durations, &per_event}) values->clear();
    for (const std::uint32_t i : datasets.members(dataset)) {
      if (is_absent(c.duration[i]) || !(c.events[i] > 0)) continue;
      members.push_back(i);
      events.push_back(c.events[i]);
      durations.push_back(c.duration[i]);
      per_event.push_back(c.duration[i] / c.events[i]);
    }
    if (members.size() < outlier_least) continue;
    stats::Line line{0, quantile_of(per_event, 0.5)};
    if (sizes_differ(events)) {
      const stats::Line fitted = stats::robust_line(events, durations);
      // A line that falls, or begins below nothing, explains no cost: chunks are then compared per
      // event.
      if (fitted.slope > 0 && fitted.fixed >= 0) line = fitted;
    }
    for (const std::uint32_t i : members) expected[i] = line.fixed + line.slope * c.events[i];
  }
  return expected;
}

/// A flag for each chunk of which a duration is expected: `holds(duration, expected)`.
template <class Holds>
std::vector<double> flags_by_expected(const Run& run, Holds holds) {
  const std::vector<double>& expected = expected_durations(run);
  std::vector<double> flags(expected.size(), absent);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (!is_absent(expected[i])) flags[i] = holds(run.chunks.duration[i], expected[i]) ? 1 : 0;
  }
  return flags;
}

}  // namespace

const std::vector<double>& expected_durations(const Run& run) {
  return kept_of(run).expected_durations.of([&] { return compute_expected(run); });
}

const std::vector<double>& outliers(const Run& run) {
  return kept_of(run).outliers.of([&] {
    return flags_by_expected(
        run, [](double took, double expected) { return took > outlier_factor * expected; });
  });
}

const std::vector<double>& early_ends(const Run& run) {
  return kept_of(run).early_ends.of([&] {
    return flags_by_expected(
        run, [](double took, double expected) { return took < early_factor * expected; });
  });
}

}  // namespace crema::runtime
