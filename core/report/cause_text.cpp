#include <algorithm>
#include <cctype>

#include "core/base/text.hpp"
#include "core/report/comparison_text.hpp"

namespace crema::report {

using namespace compare;

namespace {

constexpr std::string_view remainder = "process() outside its sections";

/// "f (a.py)"; what has no name of its own with those who call it: "<genexpr> of f, g (a.py)".
std::string function_label(const Cause::Function& function) {
  std::string name = function.name;
  if (name.starts_with('<')) {
    std::string by;
    for (const std::string& caller : function.callers)
      by += (by.empty() ? " of " : ", ") + caller.substr(0, caller.find(" ("));
    name.insert(std::min(name.find(" ("), name.size()), by);
  }
  return visible(name);
}

std::string phase_label(const OutsidePhase& phase) {
  if (phase.kind == BudgetPart::Kind::idle) return "idle cores";
  if (phase.kind == BudgetPart::Kind::task) return visible(phase.label) + " tasks";
  std::string label = phase.label;
  label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
  return label;
}

std::string_view unpaired_label(Cause::Unpaired why) {
  switch (why) {
    case Cause::Unpaired::cut: return "chunks that the selected time cuts, or in one run only";
    case Cause::Unpaired::repeated: return "chunks that ran again";
    case Cause::Unpaired::other_chunks: return "chunks that only one of the runs has";
    case Cause::Unpaired::other_datasets: break;
  }
  return "datasets that only one of the runs has";
}

/// "waiting for a CPU, on worker 1"
std::string measured_label(const MeasuredTime& time) {
  constexpr std::string_view names[] = {"computing", "waiting for a CPU", "waiting for input",
                                        "waiting for what is not recorded"};
  const std::string name(names[static_cast<std::size_t>(time.kind)]);
  return time.place ? fill("{}, {}", {name, place_of(*time.place)}) : name;
}

}  // namespace

std::string place_of(const PartId& id) {
  return sentence({id.kind == PartId::Kind::worker ? "on " : "in ",
                   label_of(Effect{.id = id, .dataset = id.dataset})});
}

std::string label_of(const Effect& part) {
  const auto named = [](const char* what, const std::string& name) {
    return what + visible(name.empty() ? "(unnamed)" : name);
  };
  const std::string in = !part.section                ? ""
                         : part.section->is_remainder ? std::string(remainder)
                                                      : named("section ", part.section->name);
  const std::string of_dataset = named("dataset ", part.dataset.value_or(""));
  switch (part.id.kind) {
    case PartId::Kind::dataset:
    case PartId::Kind::evenly: return of_dataset;
    case PartId::Kind::section: return in;
    case PartId::Kind::cell: return in + " of " + of_dataset;
    case PartId::Kind::file: return named("file ", part.id.place);
    case PartId::Kind::host:
      return named("host ", part.id.place) +
             (part.dataset ? ", which serves only " + of_dataset : "");
    case PartId::Kind::worker: return named("worker ", part.id.place);
    case PartId::Kind::other_files:
      return part.dataset ? named("file ", part.id.place) + ", which was exchanged"
                          : named("files that were exchanged, ", part.id.place);
    case PartId::Kind::first_chunks:
      return "the first chunks of workers" + (in.empty() ? "" : " in " + in);
    case PartId::Kind::chunk:
      return "one chunk (" + named("", part.id.place) + (in.empty() ? ")" : ") in " + in);
  }
  return {};
}

std::string label_of(const Cause& cause) {
  switch (cause.kind) {
    case Cause::Kind::evenly: return "all parts alike";
    case Cause::Kind::part: return label_of(cause.part);
    case Cause::Kind::unpaired: return std::string(unpaired_label(cause.unpaired));
    case Cause::Kind::function: return function_label(cause.function);
    case Cause::Kind::outside: return phase_label(cause.phase);
    case Cause::Kind::cores: return fill("{core} instead of {}", {cause.cores_b, cause.cores_a});
    case Cause::Kind::unexplained: return "not explained";
    case Cause::Kind::measured: return measured_label(cause.measured);
    case Cause::Kind::elapsed: break;
  }
  return std::string(name_of(cause.step));
}

std::string_view only_in_text(const Cause::Function& function) {
  return function.only_in_b ? ", hardly seen in A" : function.only_in_a ? ", hardly seen in B" : "";
}

std::string sections_text(const std::vector<SectionId>& sections) {
  std::string text;
  for (const SectionId& section : sections)
    text += (text.empty() ? "" : ", ") +
            (section.is_remainder ? std::string(remainder) : visible(section.name));
  return text;
}

std::string_view name_of(ElapsedChange::Step::Kind step) {
  constexpr std::string_view names[] = {"process()",   "tasks outside process()",
                                        "other tasks", "waiting between tasks",
                                        "start-up",    "workers",
                                        "lost work",   "after the last chunk",
                                        "not replayed"};
  return names[static_cast<std::size_t>(step)];
}

namespace {

std::string_view setup_label(std::string_view id) {
  constexpr std::pair<std::string_view, std::string_view> labels[] = {
      {"schema", "Written by"},
      {"processor", "Processor"},
      {"commit", "Commit of the code"},
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
  std::string text = fill("{} only in {}: ", {std::to_string(names.count), side});
  for (std::size_t i = 0; i < names.first.size(); ++i)
    text += (i == 0 ? "" : ", ") + names.first[i];
  return names.count > names.first.size() ? text + ", …" : text;
}

}  // namespace

std::string label_of(const ComparedNumber& row) {
  if (!row.label.empty()) return row.label;
  if (row.id.group == RowGroup::setup) return std::string(setup_label(row.id.name));
  if (row.id.group == RowGroup::summary) return "Outside process(), per execution";
  if (row.id.kind == RowId::Kind::total) return fill("All {}", {plural_of(row.id.group)});
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
    case RowNote::Kind::not_recorded_in_a: return fill("not recorded in A{}{}", {colon, why});
    case RowNote::Kind::not_recorded_in_b: return fill("not recorded in B{}{}", {colon, why});
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
    text += fill("{}{}: only {} has them",
                 {text.empty() ? "" : "; ", plural_of(one.group), one.is_a ? "A" : "B"});
  return text;
}

}  // namespace crema::report
