#include "core/report/row_text.hpp"

#include "core/base/text.hpp"

namespace crema::report {

using namespace compare;

namespace {

std::string_view setup_label(std::string_view id) {
  constexpr std::pair<std::string_view, std::string_view> labels[] = {
      {"schema", "Written by"},
      {"processor", "Processor"},
      {"workers", "Workers, most at once"},
      {"nthreads", "Threads per worker, median"},
      {"usable_cpus", "Usable CPUs per worker, median"},
      {"memory_limit", "Memory limit per worker, median"},
      {"datasets", "Datasets"},
      {"files", "Input files"},
      {"events", "Events"},
      {"chunks", "Chunks"},
      {"chunk_events", "Events per chunk, median"},
      {"config", "config.json"},
  };
  for (const auto& [of, label] : labels)
    if (of == id) return label;
  return id;
}

/// What the rows of a group are.
std::string_view plural_of(RowGroup group) {
  constexpr std::string_view names[] = {
      "",           "",      "parts of the core-time", "datasets", "sections",
      "activities", "hosts", "your own functions",     "functions"};
  return names[static_cast<std::size_t>(group)];
}

/// "12 only in A: x, y, z, …"
std::string only_text(const RowNote::Names& names, const char* side) {
  if (names.count == 0) return {};
  std::string text = sentence({std::to_string(names.count), " only in ", side, ": "});
  for (std::size_t i = 0; i < names.first.size(); ++i)
    text += (i == 0 ? "" : ", ") + names.first[i];
  return names.count > names.first.size() ? text + ", …" : text;
}

}  // namespace

std::string label_of(const ComparedNumber& row) {
  if (!row.label.empty()) return row.label;
  if (row.id.group == RowGroup::setup) return std::string(setup_label(row.id.name));
  if (row.id.group == RowGroup::summary) return "Outside process(), per execution";
  if (row.id.kind == RowId::Kind::total) return sentence({"All ", plural_of(row.id.group)});
  if (row.id.kind == RowId::Kind::others) return std::to_string(row.parts) + " others";
  return row.id.label();
}

std::string note_text(const RowNote& note, bool has_replicates) {
  const std::string_view why = note.why;
  const std::string_view colon = why.empty() ? "" : ": ";
  switch (note.kind) {
    case RowNote::Kind::none: break;
    case RowNote::Kind::only_in_a: return "only in A";
    case RowNote::Kind::only_in_b: return "only in B";
    case RowNote::Kind::not_recorded_in_a: return sentence({"not recorded in A", colon, why});
    case RowNote::Kind::not_recorded_in_b: return sentence({"not recorded in B", colon, why});
    case RowNote::Kind::noise_unknown:
      return has_replicates ? "noise unknown" : "noise unknown: it needs replicates";
    case RowNote::Kind::other_events:
      return "not judged: the runs have different numbers of events";
    case RowNote::Kind::other_parts: return "not judged: parts of one run are missing in the other";
    case RowNote::Kind::or_moment: return "unknown: it changed, or the machine did while it ran";
    case RowNote::Kind::by_process: return "not judged: it follows the time in process()";
    case RowNote::Kind::names: {
      const std::string a = only_text(note.in_a, "A");
      const std::string b = only_text(note.in_b, "B");
      return sentence({a, a.empty() || b.empty() ? "" : "; ", b});
    }
  }
  return {};
}

std::string noise_source_text(const ComparedNumber& row, bool has_replicates) {
  if (is_absent(row.noise)) return {};
  switch (row.source) {
    case Noise::none: return "none: it is counted exactly";
    case Noise::run:
      return has_replicates ? "replicates, and the assumed spread of runs"
                            : "the assumed spread of runs";
    case Noise::chunks:
      return has_replicates ? "chunks against the common factor, and replicates"
                            : "chunks against the common factor";
    case Noise::samples: return "samples, and chunks against the common factor";
    case Noise::unknown: break;
  }
  return "replicates";
}

std::string not_compared_text(const std::vector<OnlyOneSide>& groups) {
  std::string text;
  for (const OnlyOneSide& one : groups)
    text += sentence({text.empty() ? "" : "; ", plural_of(one.group), ": only ",
                      one.is_a ? "A" : "B", " has them"});
  return text;
}

}  // namespace crema::report
