#include "core/export/export.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/profile/profile.hpp"
#include "core/query/question.hpp"

namespace crema::exports {

namespace {

/// Every question that one run answers without choosing options, as one Artefact each.
template <std::string (*to_text)(const Table&)>
std::vector<Artefact> write_tables(const Run& run, const Selection& selection,
                                   std::string_view extension) {
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

std::string json_with_formulas(const Table& table) { return table_json(table, true); }

std::vector<Artefact> write_json(const Run& run, const Selection& selection, const Options&) {
  return write_tables<json_with_formulas>(run, selection, ".json");
}

std::vector<Artefact> write_csv(const Run& run, const Selection& selection, const Options&) {
  return write_tables<table_csv>(run, selection, ".csv");
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

std::vector<const Profile*> sum_and_parts(const Profiles& profiles) {
  const Profile& all = profiles.list.front();
  std::vector<const Profile*> chosen{&all};
  if (all.trees.size() < 2) return chosen;
  for (const Profile& one : profiles.list) {
    if (one.counted) chosen.push_back(&one);
  }
  return chosen;
}

std::string ExportedTree::file(FrameId frame) const {
  const FrameFacts& facts = *of->facts;
  const bool recorded = facts.recorded && frame < run->names->frames.size();
  return exported_file(
      recorded ? run->text(run->names->frames.file[frame]) : std::string_view(facts.file[frame]),
      hide_paths);
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

}  // namespace crema::exports
