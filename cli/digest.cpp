// crema digest: what can be compared of runs, a small file of each.
#include "cli/digest.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "core/base/text.hpp"

namespace crema::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* index_name = "index.json";

nlohmann::json json_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return nlohmann::json::parse(text, nullptr, false);
}

/// Whether the digest at `file` is of a run that began at another time than `run`.
bool is_of_another_run(const fs::path& file, const Run& run) {
  const nlohmann::json kept = json_in(file);
  return kept.is_object() && kept.contains("started_at") && kept["started_at"].is_number() &&
         !is_absent(run.clock.zero_epoch) &&
         kept["started_at"].get<double>() != run.clock.zero_epoch;
}

/// "2026-11-22T235900", in UTC.
std::string time_in_name(double epoch) {
  const auto seconds = static_cast<std::time_t>(epoch);
  char text[32];
  const std::size_t length =
      std::strftime(text, sizeof text, "%Y-%m-%dT%H%M%S", std::gmtime(&seconds));
  return {text, length};
}

/// What the index names already and is still there, and all digests: a list of names.
Artefact index_of(const fs::path& folder) {
  std::set<std::string> names;
  const nlohmann::json before = json_in(folder / index_name);
  for (const nlohmann::json& name : before.is_array() ? before : nlohmann::json::array()) {
    if (name.is_string() && fs::exists(folder / name.get<std::string>())) names.insert(name);
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".digest.json")) names.insert(name);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "[" : ",\n ") + json_text(name);
  return {index_name, text + "]\n"};
}

struct Digest {
  Asked asked;
  Target folder;

  int run() {
    asked.complete();
    Session session;
    const std::vector<RunId> runs = asked.open(session).runs;
    if (folder.is_standard_output() && runs.size() > 1)
      throw Refusal("several runs make several files: name a folder for them with -o");
    save_digests(session, runs, Options(asked.options), folder);
    return done;
  }
};

}  // namespace

void save_digests(Session& session, std::span<const RunId> runs, const Options& options,
                  const Target& folder) {
  std::vector<Artefact> files;
  for (const RunId id : runs) {
    const Run& run = *session.run(id);
    for (Artefact& file : value_of(session.export_run(id, "digest", {}, options))) {
      if (!folder.is_standard_output() && is_of_another_run(fs::path(folder.path) / file.name, run))
        file.name.insert(file.name.find(".digest.json"), "." + time_in_name(run.clock.zero_epoch));
      files.push_back(std::move(file));
    }
  }
  if (folder.is_standard_output()) return save(files.front(), folder);
  save_into_folder(files, folder);
  save_into_folder({index_of(folder.path)}, {folder.path, true});
}

Command add_digest(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "digest",
      "keeps the numbers of each run that can be compared, in one small file for its history");
  const auto digest = std::make_shared<Digest>();
  digest->asked.add_bundles(*command, "BUNDLE...", "a folder, an archive, or files");
  command
      ->add_option("-o,--output", digest->folder.path,
                   "folder to write to, and its index.json; standard output when it is one run")
      ->type_name("FOLDER");
  command
      ->add_option("--note", digest->asked.options["note"],
                   "a note about the run for readers of the history")
      ->type_name("TEXT");
  command->add_flag("--force", digest->folder.overwrite, "overwrite files that are there already");
  return {command, [digest] { return digest->run(); }};
}

}  // namespace crema::cli
