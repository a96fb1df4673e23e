// The lines of the analysis, by what they and what they call took in chunks: `lines`.
#include <algorithm>

#include "core/base/text.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::lines {

constexpr Option most_option = count_option("most", "maximum number of rows", "100", {1, 1e9});

const Columns<LineWork> columns = {
    {"at",
     [](const LineWork& line) {
       return sentence({base_name(line.at.file), ":", whole_text(line.at.line)});
     }},
    {"function", as_given, &LineWork::function},
    {"file", as_given, [](const LineWork& line) -> std::string_view { return line.at.file; }},
    {"line", "", [](const LineWork& line) { return line.at.line; }},
    {"source", as_given, [](const LineWork& line) -> std::string_view { return line.at.text; }},
    {"core_seconds", "s", &LineWork::core_seconds,
     "what the function's time has at the line, or in what it calls that is of no function of the "
     "analysis"},
    {"share", "1", [](const LineWork& line) { return line.at.share; },
     "core_seconds / of all lines"},
    {"share_of_function", "1", &LineWork::of_function, "core_seconds / of the function's lines"},
    {"waiting", "s", &LineWork::waiting, "of core_seconds, off the CPU"},
    {"calls", [](const LineWork& line) -> std::string_view { return line.at.native; }},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  std::vector<LineWork> found = line_work(run, selection, options);
  const bool any = !found.empty();
  found.resize(std::min(found.size(), static_cast<std::size_t>(options.number(most_option))));
  Table table = columns.table(found);
  if (!any) say(table, notes::no_lines);
  note_chunk_selection(table, run, selection);
  return table;
}

extern const Question question("lines", "each line of the analysis, with what it calls: its time",
                               columns, answer,
                               {.options = {&most_option, &processor_option},
                                .narrowed_by = chunk_dimensions});

}  // namespace crema::query::lines
