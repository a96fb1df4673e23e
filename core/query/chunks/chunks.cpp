#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/table/rows.hpp"

namespace crema::query::chunks {

namespace {

constexpr Option columns_option{.name = "columns",
                                .about = "only these columns, separated by commas"};

constexpr Option most_option{
    .name = "most",
    .type = Option::Type::count,
    .about =
        "only this many with the largest `by`, the largest first, of equal "
        "ones the longest first; 0 = all, in recorded order",
    .fallback = "0",
    .least = 0};
constexpr Option by_option{
    .name = "by", .about = "the column that `most` goes by", .fallback = "t_end"};
constexpr Option rank_option{
    .name = "rank", .about = "a column to rank by: adds `rank`, from 1 for the smallest value"};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const ChunkSelection chosen(run, selection);
  std::vector<std::uint32_t> rows;
  rows.reserve(chosen.count);
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (chosen[i]) rows.push_back(static_cast<std::uint32_t>(i));
  }

  if (const auto most = static_cast<std::size_t>(options.number(most_option)); most > 0) {
    const std::vector<double> values = chunk_column(run, options.text(by_option));
    std::vector<double> known;
    gather(values, rows, known);
    known = sorted_present(known);
    // of a hundred thousand only those that can be among them are put in order
    if (known.size() > most) {
      const double least = known[known.size() - most];
      std::erase_if(rows, [&](std::uint32_t i) { return !(values[i] >= least); });
    }
    sort_stably(rows, [&](std::uint32_t a, std::uint32_t b) {
      const double of_a = value_or(values[a], -1e308), of_b = value_or(values[b], -1e308);
      return of_a != of_b ? of_a > of_b : value_or(c.duration[a], 0) > value_or(c.duration[b], 0);
    });
    if (rows.size() > most) rows.resize(most);
  }

  // A picture of a hundred thousand chunks needs a few of the columns, a total none: the others are
  // not made.
  const std::string columns = options.text(columns_option);
  std::vector<std::string_view> wanted = split(columns, ",");
  const bool all_columns = !options.has(columns_option);
  const auto wants = [&](std::string_view name) {
    const auto found = std::find(wanted.begin(), wanted.end(), name);
    if (found == wanted.end()) return all_columns;
    wanted.erase(found);
    return true;
  };
  Table table;
  Rows picked(table, rows);
  const auto at = [](const std::vector<double>& values) {
    return [&values](std::uint32_t i) { return i < values.size() ? values[i] : absent; };
  };
  const auto add = [&](const char* name, const char* unit, const std::vector<double>& values,
                       const char* formula = "") {
    if (wants(name)) picked.number(name, unit, at(values), formula);
  };
  // A group has many chunks: its name is looked up once.
  const auto add_group = [&](const char* name, ChunkKey key) {
    if (!wants(name)) return;
    const ChunkGroups& groups = chunk_groups(run, key);
    std::vector<StringId> known(groups.size(), no_string);
    picked.text(name, [&](std::uint32_t i) {
      StringId& id = known[groups.of[i]];
      const std::string_view text = groups.name[groups.of[i]];
      if (id == no_string && !text.empty()) id = table.strings.intern(text);
      return id;
    });
  };
  for (const ChunkColumn& column : all_chunk_columns()) {
    const std::string_view name = column.name;
    if (wants(name)) {
      const std::vector<double> made =
          column.made != nullptr ? column.made(run) : std::vector<double>();
      const std::vector<double>& values = column.made != nullptr ? made : c.*column.recorded;
      if (column.is_flag) picked.flag(column.name, at(values), column.formula);
      else picked.number(column.name, column.unit, at(values), column.formula);
      if (name == "early")
        table.note("early",
                   static_cast<double>(std::count(table.columns.back().numbers.begin(),
                                                  table.columns.back().numbers.end(), 1.0)));
    }
    if (name == "chunk") {
      add_group("dataset", ChunkKey::dataset);
      add_group("file", ChunkKey::file);
      add_group("host", ChunkKey::host);
      add_group("site", ChunkKey::site);
    }
  }
  const bool section_wanted = std::any_of(wanted.begin(), wanted.end(), [](std::string_view name) {
    return name.substr(0, 7) == "section";
  });
  if (all_columns || section_wanted) {
    for (const SectionColumn& section : section_columns(run)) {
      add(section.name.c_str(), section.unit, section.values,
          "of a section of process(), summed where its name was used several times");
    }
  }
  for (const auto& [key, values] : c.extra) {
    // A custom number may be called like a column of ours; chunk_column knows it by the same name.
    const std::string name = table.find(key) == nullptr ? key : std::string(custom_prefix) + key;
    add(name.c_str(), "", values);
  }
  if (options.has(rank_option)) {
    const std::string by = options.text(rank_option);
    const std::vector<double> values = chunk_column(run, by);
    std::vector<std::uint32_t> ranked = rows;
    std::erase_if(ranked, [&](std::uint32_t i) { return is_absent(values[i]); });
    sort_stably(ranked, [&](std::uint32_t a, std::uint32_t b) {
      return values[a] != values[b] ? values[a] < values[b] : a < b;
    });
    std::vector<double> ranks(c.size(), absent);
    for (std::size_t place = 0; place < ranked.size(); ++place)
      ranks[ranked[place]] = static_cast<double>(place + 1);
    picked.number("rank", "count", at(ranks),
                  ("place by " + by + ", from 1 for the least").c_str());
  }
  for (const StringId error : c.error) {
    if (error == no_string) continue;
    if (wants("error")) picked.text("error", [&](std::uint32_t i) { return run.text(c.error[i]); });
    break;
  }

  // "error" is there only where a chunk has one
  std::erase(wanted, "error");
  if (!wanted.empty())
    throw Failure(ErrorCode::bad_option,
                  "columns=" + std::string(wanted.front()) + ": chunks have no such column");

  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  table.note("chunks_total", static_cast<double>(c.size()));
  // The filter bar's totals, prorated by the selected time.
  table.note("events", chosen.prorated_sum(c.events));
  table.note("seconds", chosen.prorated_sum(c.duration));
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "chunks",
    .about = "each chunk of work, with all that is known of it",
    .options = {&columns_option, &most_option, &by_option, &rank_option},
    .narrowed_by = chunk_dimensions,
    .more_columns = true,
    .function = answer,
};

}  // namespace crema::query::chunks
