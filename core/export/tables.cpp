#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/export/export.hpp"
#include "core/model/run.hpp"
#include "core/profile/profile.hpp"
#include "core/query/list.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::exports {

namespace {

/// Every question that one run answers without choosing options, as one Artefact each.
std::vector<Artefact> write_tables(const Run& run, const Selection& selection,
                                   std::string_view extension,
                                   std::string (*to_text)(const Table&)) {
  std::vector<Artefact> artefacts;
  const Run* const runs[] = {&run};
  for (const query::Question* question : query::all()) {
    if (question->run_count.least != 1) continue;
    const Table table = (*question)(std::span<const Run* const>(runs, 1), selection, Options());
    if (table.rows() == 0) continue;
    artefacts.push_back({std::string(question->name) + std::string(extension), to_text(table)});
  }
  return artefacts;
}

std::vector<Artefact> write_json(const Run& run, const Selection& selection, const Options&) {
  return write_tables(run, selection, ".json",
                      [](const Table& table) { return table_json(table, true); });
}

std::vector<Artefact> write_csv(const Run& run, const Selection& selection, const Options&) {
  return write_tables(run, selection, ".csv", table_csv);
}

std::vector<Artefact> write_functions(const Run& run, const Selection& selection,
                                      const Options& options) {
  const Profiles profiles = profiles_of(run, selection);
  const ExportedProfile one = exported_profile(run, profiles, options);
  const Run* const runs[] = {&run};
  std::map<std::string, std::string> asked{
      {std::string(profile::profile_option.name), one.profile->id}};
  for (const Option* option : {&profile::leaves_option, &profile::transform_option})
    asked[std::string(option->name)] = options.text(*option);
  Table table = query::frames::question({runs, 1}, selection, Options(std::move(asked)));
  // A frame's number means nothing outside, and what a source line says may be as private as its
  // path.
  const bool hide_paths = options.flag(hide_paths_option);
  std::erase_if(table.columns, [&](const Column& c) {
    return c.name == "frame" || (hide_paths && c.name == "source_line");
  });
  for (Column& column : table.columns) {
    if (!hide_paths || column.name != "file") continue;
    for (StringId& text : column.texts) {
      if (text != no_string)
        text = table.strings.intern(private_path(std::string(table.strings[text])));
    }
  }
  return {{one.file_name + ".functions.csv", table_csv(table)}};
}

/// A history is a thousand runs: what is kept must be small.
constexpr std::size_t most_kept = 200;

constexpr Option note_option{
    .name = "note", .about = "a note about the run for readers of the history, kept in the digest"};

/// An answer that is kept, which of its columns, and how it is asked for.
struct Kept {
  std::string_view question;
  std::initializer_list<std::string_view> columns;
  std::map<std::string, std::string> options = {};
};
const Kept kept_answers[] = {
    {"summary",
     {"id", "label", "value", "unit", "stored", "better", "formula", "note", "group", "whole_run"}},
    {"core_time_tree",
     {"id", "parent", "depth", "label", "kind", "core_seconds", "least", "most", "on_cpu",
      "waiting"},
     // Datasets, sections and functions; what libraries do below them is the recording's.
     {{"depth", "2"}}},
    {"datasets", {"name", "chunks", "seconds", "events", "bytes"}},
    {"sections", {"name", "chunks", "seconds"}},
    {"files", {"name", "chunks", "seconds", "events", "bytes"}},
    {"workers", {"name", "host", "nthreads", "memory_limit", "memory_peak", "cpu_mean", "chunks"}},
    {"findings",
     {"id", "severity", "title", "evidence", "core_seconds", "gain_core_seconds", "gain_elapsed"}},
};

Table reduced(Table table, const Kept& kept) {
  const std::size_t rows = std::min(table.rows(), most_kept);
  std::erase_if(table.columns,
                [&](const Column& column) { return !contains(kept.columns, column.name); });
  for (Column& column : table.columns) {
    column.texts.resize(column.type == Column::Type::text ? rows : 0);
    column.numbers.resize(column.type == Column::Type::text ? 0 : rows);
  }
  return table;
}

std::vector<Artefact> write_digest(const Run& run, const Selection&, const Options& options) {
  std::string out = "{\"crema_digest\":" + std::to_string(digest_version) +
                    ",\n\"title\":" + json_text(run.title) +
                    ",\n\"recorded_at\":" + json_text(run.recorded_at);
  const auto number = [&](const char* name, double value) {
    if (!is_absent(value)) out += std::string(",\n\"") + name + "\":" + number_text(value);
  };
  number("started_at", run.clock.zero_epoch);
  number("started_naive", run.clock.zero_naive);
  number("elapsed", run.elapsed);
  const StringId processor = runtime::find_processor(run, options).prefix;
  std::map<std::string, std::string> labels = run.labels;
  if (processor != no_string) labels.try_emplace("processor", run.text(processor));
  const std::string note = options.text(note_option);
  if (!note.empty()) labels["note"] = note;
  out += ",\n\"labels\":" + json_of(labels) + ",\n\"answers\":[";
  const char* separator = "\n";
  const Run* const runs[] = {&run};
  for (const Kept& kept : kept_answers) {
    // a digest answers what it keeps, and nothing else
    const Options asked(run.is_digest() ? Options() : Options(kept.options));
    out += separator + table_json(reduced(query::named(kept.question)(runs, {}, asked), kept));
    separator = ",\n";
  }
  return {{as_file_name(run.title) + ".digest.json", out + "]}\n"}};
}

}  // namespace

const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      speedscope_writer,
      folded_writer,
      svg_writer,
      functions_writer,
      digest_writer,
      {"json", write_json, {}, true},
      {"csv", write_csv, {}, true},
  };
  return all;
}

const Profile* named_profile(const Run& run, const Profiles& profiles, const Options& options) {
  if (profiles.list.empty()) throw Failure(ErrorCode::nothing_to_export, "the run has no profiles");
  if (options.has(worker_option)) {
    const std::string wanted = options.text(worker_option);
    const auto found =
        std::find_if(profiles.list.begin() + 1, profiles.list.end(), [&](const Profile& p) {
          return p.kind == CallTree::Kind::worker && !p.alternative &&
                 (p.label == wanted || run.text(p.trees[0]->worker) == wanted);
        });
    if (found == profiles.list.end())
      throw Failure(ErrorCode::bad_option,
                    "no profile of a worker \"" + wanted + "\" was recorded");
    return &*found;
  }
  if (options.has(key_option)) return &find_profile(profiles, "key:" + options.text(key_option));
  return options.has(profile::profile_option)
             ? &find_profile(profiles, options.text(profile::profile_option))
             : nullptr;
}

std::string ExportedTree::file(FrameId frame) const {
  const FrameFacts& facts = *of->facts;
  const bool recorded = facts.recorded && frame < run->names->frames.size();
  return exported_file(
      recorded ? run->text(run->names->frames.file[frame]) : std::string_view(facts.file[frame]),
      hide_paths);
}

std::string ExportedTree::label(FrameId frame) const {
  std::string place = file(frame);
  if (!place.empty() && line(frame) > 0) place += ":" + std::to_string(line(frame));
  return std::string(name(frame)) + (place.empty() ? "" : " (" + place + ")");
}

ExportedTree exported_tree(const Run& run, const Profile& profile, const Options& options) {
  const profile::FlameChoice choice{
      {}, nullptr, profile::leaf_choice(options), options.text(profile::transform_option), {}};
  return {profile::flame_tree(run, profile::with_profile(run, choice, profile)), &run,
          options.flag(hide_paths_option)};
}

ExportedProfile exported_profile(const Run& run, const Profiles& profiles, const Options& options) {
  const Profile* const named = named_profile(run, profiles, options);
  const std::string title = run.title.empty() ? "run" : run.title;
  if (named == nullptr) return {&profiles.list.front(), as_file_name(title)};
  return {named, as_file_name(title + " " + title_of(*named))};
}

std::string exported_file(std::string_view file, bool hide_paths) {
  return hide_paths ? private_path(file) : std::string(file);
}

std::string as_file_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool plain = is_alphanumeric(c) || c == '.' || c == '-' || c == '_' ||
                       static_cast<unsigned char>(c) >= 0x80;
    if (!plain) c = '_';
  }
  return name.empty() ? "profile" : name;
}

const Writer functions_writer{"functions", write_functions, profile_options};

extern const Writer digest_writer{"digest", write_digest, {&note_option}, false};

}  // namespace crema::exports
