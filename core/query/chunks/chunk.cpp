// One chunk against its like: `chunk`.
#include <algorithm>

#include "core/profile/profile.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::chunk {

/// A section of the chunk, or what else of it can be compared.
struct Part {
  std::string_view kind, name;
  double seconds = absent, usual = absent, times = absent;
  double others = 0;  ///< chunks that it is compared with
};

const Columns<Part> columns = {
    // process (all of it), section, unaccounted (what they leave of process()), file, worker,
    // moment or bytes
    {"kind", &Part::kind},
    {"name", as_given, &Part::name},
    {"seconds", "s", &Part::seconds, "of process() and of a section: what it took"},
    {"usual", "s", &Part::usual,
     "of process() what is expected of it; of a section the median seconds per event of its "
     "dataset's other chunks, times its events"},
    {"times", "1", &Part::times,
     "seconds / usual; of a file, a worker and a moment the median of the other chunks' "
     "times_expected; of bytes those per event / the median of its dataset's other chunks"},
    {"others", "count", &Part::others, "chunks that it is compared with"},
};

namespace {

/// The one that took longest for what is expected of it, else longest; none of none.
std::size_t slowest(const Run& run, const ChunkSelection& chosen) {
  const std::vector<double> times = chunk_column(run, "times_expected");
  const auto most_of = [&](const std::vector<double>& values) {
    std::size_t most = values.size();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (chosen[i] && !is_absent(values[i]) && (most == values.size() || values[i] > values[most]))
        most = i;
    return most;
  };
  const std::size_t found = most_of(times);
  return found < times.size() ? found : most_of(run.chunks.duration);
}

/// What it spent in each section, in order of first appearance, with what the others did.
void add_sections(const Run& run, std::size_t one, std::vector<Part>& parts) {
  const Chunks& c = run.chunks;
  struct Section {
    double seconds = absent;
    std::vector<double> per_event;  // of the others
  };
  std::vector<std::pair<StringId, Section>> sections;
  std::unordered_map<StringId, std::size_t> index;
  std::vector<double> sums(c.size(), 0);
  for (const SectionValue& value : c.sections) {
    if (value.kind != SectionValue::Kind::seconds || is_absent(value.value)) continue;
    sums[value.chunk] += value.value;
    if (c.dataset[value.chunk] != c.dataset[one]) continue;
    Section& section = one_of(index, value.name, sections, {value.name, {}}).second;
    if (value.chunk == one) section.seconds = value_or(section.seconds, 0) + value.value;
    else section.per_event.push_back(ratio(value.value, c.events[value.chunk]));
  }
  const auto add = [&](std::string_view kind, std::string_view name, double seconds,
                       std::vector<double>& per_event) {
    std::erase_if(per_event, is_absent);
    const double usual = quantile_of(per_event, 0.5) * c.events[one];
    parts.push_back({.kind = kind,
                     .name = name,
                     .seconds = seconds,
                     .usual = usual,
                     .times = ratio(seconds, usual),
                     .others = static_cast<double>(per_event.size())});
  };
  for (auto& [name, section] : sections)
    if (!is_absent(section.seconds))
      add("section", run.text(name), section.seconds, section.per_event);
  if (sections.empty() || sections_exceed(sums[one], c.duration[one])) return;
  std::vector<double> rest;
  for (const std::uint32_t i :
       chunk_groups(run, ChunkKey::dataset).members(chunk_groups(run, ChunkKey::dataset).of[one]))
    if (i != one && !sections_exceed(sums[i], c.duration[i]))
      rest.push_back(ratio(c.duration[i] - sums[i], c.events[i]));
  add("unaccounted", "unaccounted", c.duration[one] - sums[one], rest);
}

}  // namespace

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Chunks& c = run.chunks;
  const ChunkSelection chosen(run, selection);
  const double wanted = options.number(profile::chunk_option);
  const std::size_t one =
      is_absent(wanted) ? slowest(run, chosen) : static_cast<std::size_t>(std::max(wanted, 0.0));
  std::vector<Part> parts;
  if (one < c.size()) {
    const double expected = expected_durations(run)[one];
    parts.push_back({.kind = "process",
                     .seconds = c.duration[one],
                     .usual = expected,
                     .times = ratio(c.duration[one], expected)});
    add_sections(run, one, parts);
    const std::vector<double> times = chunk_column(run, "times_expected");
    // Of the other chunks for which `is_like` holds.
    const auto add = [&](std::string_view kind, std::string_view name, const auto& is_like) {
      std::vector<double> others;
      for (std::size_t i = 0; i < c.size(); ++i)
        if (i != one && !is_absent(times[i]) && is_like(i)) others.push_back(times[i]);
      const auto count = static_cast<double>(others.size());
      if (count > 0)
        parts.push_back(
            {.kind = kind, .name = name, .times = quantile_of(others, 0.5), .others = count});
    };
    if (c.file[one] != no_string)
      add("file", run.text(c.file[one]), [&](std::size_t i) { return c.file[i] == c.file[one]; });
    if (one < c.worker.size() && c.worker[one] != no_string)
      add("worker", run.text(c.worker[one]),
          [&](std::size_t i) { return c.worker[i] == c.worker[one]; });
    add("moment", "",
        [&](std::size_t i) { return c.t_start[i] < c.t_end[one] && c.t_end[i] > c.t_start[one]; });
    std::vector<double> bytes;
    for (std::size_t i = 0; i < c.size(); ++i)
      if (i != one && c.dataset[i] == c.dataset[one])
        bytes.push_back(ratio(c.bytes_read[i], c.events[i]));
    std::erase_if(bytes, is_absent);
    const double read = ratio(ratio(c.bytes_read[one], c.events[one]), quantile_of(bytes, 0.5));
    if (!is_absent(read))
      parts.push_back(
          {.kind = "bytes", .times = read, .others = static_cast<double>(bytes.size())});
  }
  Table table = columns.table(parts);
  if (one < c.size()) table.note("chunk", static_cast<double>(one));
  note_chunks(table, run, selection);
  return table;
}

extern const Question question(
    "chunk", "one chunk against its like: its sections, file, worker and moment", columns, answer,
    {.options = {&profile::chunk_option}, .narrowed_by = chunk_dimensions});

}  // namespace crema::query::chunk
