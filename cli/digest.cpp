// crema digest: what can be compared of runs, a small file of each.
#include <memory>

#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"

namespace crema::cli {

namespace {

struct Digest {
  Asked asked;
  Target folder;

  int run() {
    asked.complete();
    Session session;
    std::vector<Artefact> files;
    for (const RunId run : asked.open(session).runs) {
      for (Artefact& file : value_of(session.export_run(run, "digest", {}, Options(asked.options))))
        files.push_back(std::move(file));
    }
    if (folder.is_standard_output() && files.size() == 1) save(files.front(), folder);
    else if (folder.is_standard_output())
      throw Refusal("several runs make several files: name a folder for them with -o");
    else save_into_folder(files, folder);
    return done;
  }
};

}  // namespace

Command add_digest(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "digest", "keeps what can be compared of each run in one small file, for its history");
  const auto digest = std::make_shared<Digest>();
  digest->asked.add_bundles(*command, "BUNDLE", "a folder, an archive, or files");
  command
      ->add_option("-o,--output", digest->folder.path,
                   "folder to write to; standard output when it is one run")
      ->type_name("FOLDER");
  command->add_flag("--force", digest->folder.overwrite, "overwrite files that are there already");
  return {command, [digest] { return digest->run(); }};
}

}  // namespace crema::cli
