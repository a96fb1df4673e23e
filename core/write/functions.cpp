#include "core/write/functions.hpp"

#include "core/analyse/questions.hpp"
#include "core/write/export_profiles.hpp"
#include "core/write/table_text.hpp"

namespace crema {

namespace {

std::vector<Artefact> write_functions(const Run& run, const Selection& selection, const Options& options) {
  const Profiles profiles = profiles_of(run, selection);
  const ExportedProfile one = exported_profile(run, profiles, options);
  const Run* const runs[] = {&run};
  const Options asked(std::map<std::string, std::string>{
      {"profile", one.profile->id}, {"leaves", options.text("leaves", "forced")}, {"transform", options.text("transform")}});
  Table table = frames({runs, 1}, selection, asked);
  // A frame's number means nothing outside, and what a source line says may be as private as its path.
  const bool hide_paths = options.flag("hide-paths");
  std::erase_if(table.columns, [&](const Column& c) { return c.name == "frame" || (hide_paths && c.name == "source_line"); });
  for (Column& column : table.columns) {
    if (!hide_paths || column.name != "file") continue;
    for (StringId& text : column.texts) {
      if (text != no_string) text = table.strings.intern(private_path(std::string(table.strings[text])));
    }
  }
  return {{one.file_name + ".functions.csv", table_csv(table)}};
}

}  // namespace

const Writer functions_writer{"functions", write_functions, {std::begin(profile_options), std::end(profile_options)}};

}  // namespace crema
