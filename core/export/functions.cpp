#include "core/export/functions.hpp"

#include "core/export/export_profiles.hpp"
#include "core/export/table_text.hpp"
#include "core/profile/flame_tree.hpp"
#include "core/query/list.hpp"

namespace crema::exports {

namespace {

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

}  // namespace

const Writer functions_writer{"functions", write_functions, profile_options};

}  // namespace crema::exports
