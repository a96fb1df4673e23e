#include "core/export/digest.hpp"
#include "core/export/folded.hpp"
#include "core/export/functions.hpp"
#include "core/export/speedscope.hpp"
#include "core/export/svg.hpp"
#include "core/export/table_text.hpp"
#include "core/export/writer.hpp"
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
    if (question->min_runs != 1) continue;
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

}  // namespace crema::exports
