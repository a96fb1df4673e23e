// Each chunk with all its numbers: `chunks`, and which numbers there are: `chunk_columns`.
#include <algorithm>

#include "core/base/order.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::chunks {

constexpr Option columns_option = text_option("columns", "only these columns, separated by commas");

constexpr Option most_option =
    count_option("most",
                 "only this many with the largest `by`, the largest first, of equal ones the "
                 "longest first; 0 = all, in recorded order",
                 "0", {0});
constexpr Option by_option = text_option("by", "the column that `most` goes by", "t_end");
constexpr Option rank_option =
    text_option("rank", "a column to rank by: adds `rank`, from 1 for the smallest value");

struct GroupColumn {
  const char* name;
  ChunkKey key;
};
constexpr GroupColumn group_columns[] = {{"dataset", ChunkKey::dataset},
                                         {"file", ChunkKey::file},
                                         {"host", ChunkKey::host},
                                         {"site", ChunkKey::site}};

/// The columns that all runs have: the numbers of chunks, and after the first of them the groups.
static std::vector<DeclaredColumn> of_all_runs() {
  std::vector<DeclaredColumn> list;
  for (const ChunkColumn& column : all_chunk_columns())
    list.emplace_back(column.name, column.is_flag ? Column::Type::flag : Column::Type::number,
                      column.is_flag ? "" : column.unit, column.formula);
  for (std::size_t i = 0; i < std::size(group_columns); ++i)
    list.emplace(list.begin() + 1 + static_cast<std::ptrdiff_t>(i), group_columns[i].name);
  return list;
}
const Schema columns(of_all_runs());

constexpr const char* section_formula =
    "of a section of process(), summed where its name was used several times";
constexpr const char* task_formula =
    "of the task that ran it, as crema.record measured it (docs/format.md)";

/// A number that each chunk has, in one run.
struct Number {
  std::string_view name;
  const char* unit;
  const char* formula;
  std::span<const double> values;
  bool is_flag = false;
};

/// A custom number may be called like a column of ours; chunk_column knows it by the same name.
static std::string custom_name(const std::string& key, const std::vector<SectionColumn>& sections) {
  const auto is_it = [&](const auto& column) { return key == column.name; };
  const auto ours = all_chunk_columns();
  const bool is_ours =
      any_of(ours, is_it) || any_of(group_columns, is_it) || any_of(sections, is_it);
  return is_ours ? std::string(custom_prefix) + key : key;
}

/// Calls `use` with each number whose name is wanted, and `after_first` behind the first.
template <class Wants, class Use, class AfterFirst>
static void each_number(const Run& run, const Wants& wants, bool sections_wanted, const Use& use,
                        const AfterFirst& after_first) {
  const Chunks& c = run.chunks;
  bool is_first = true;
  for (const ChunkColumn& column : all_chunk_columns()) {
    const char* const unit = column.is_flag ? "" : column.unit;
    if (wants(column.name)) {
      const std::vector<double> made =
          column.made != nullptr ? column.made(run) : std::vector<double>();
      use(Number{column.name, unit, column.formula,
                 column.made != nullptr ? made : c.*column.recorded, column.is_flag});
    }
    if (is_first) after_first();
    is_first = false;
  }
  const std::vector<SectionColumn> sections =
      sections_wanted ? section_columns(run) : std::vector<SectionColumn>{};
  for (const SectionColumn& section : sections) {
    if (wants(section.name))
      use(Number{section.name, section.unit, section_formula, section.values});
  }
  for (const SectionColumn& column :
       sections_wanted ? task_columns(run) : std::vector<SectionColumn>{}) {
    if (wants(column.name)) use(Number{column.name, column.unit, task_formula, column.values});
  }
  for (const auto& [key, values] : c.extra) {
    const std::string name = custom_name(key, sections);
    if (wants(name)) use(Number{name, "", "", values});
  }
}

static Table answer(const Run& run, const Selection& selection, const Options& options) {
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
  const std::string asked = options.text(columns_option);
  std::vector<std::string_view> wanted = split(asked, ",");
  const bool all_columns = !options.has(columns_option);
  const auto wants = [&](std::string_view name) {
    const auto found = std::find(wanted.begin(), wanted.end(), name);
    if (found == wanted.end()) return all_columns;
    wanted.erase(found);
    return true;
  };
  Table table;
  table.columns.reserve(columns.columns().size() + c.extra.size());
  const auto add = [&](const Number& number) {
    Column& column = table.columns.emplace_back();
    column.name = number.name;
    column.type = number.is_flag ? Column::Type::flag : Column::Type::number;
    column.unit = number.unit;
    column.formula = number.formula;
    column.numbers.reserve(rows.size());
    for (const std::uint32_t i : rows)
      column.numbers.push_back(i < number.values.size() ? number.values[i] : absent);
    if (number.name == "early")
      table.note("early", static_cast<double>(
                              std::count(column.numbers.begin(), column.numbers.end(), 1.0)));
  };
  const auto add_groups = [&] {
    for (const GroupColumn& group : group_columns) {
      if (!wants(group.name)) continue;
      const ChunkGroups& groups = chunk_groups(run, group.key);
      Column& column = table.add(Column::Type::text, group.name);
      column.texts.reserve(rows.size());
      TextCells cells(column, table.strings, false);
      // A group has many chunks: its name is looked up once.
      for (const std::uint32_t i : rows) {
        const std::string_view name = groups.name[groups.of[i]];
        cells.put(Shared{name.empty() ? no_string : groups.of[i], [&] { return name; }});
      }
    }
  };
  const bool section_wanted = any_of(wanted, [](std::string_view name) {
    return name.starts_with("section") || name.starts_with(task_prefix);
  });
  each_number(run, wants, all_columns || section_wanted, add, add_groups);
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
    const std::string formula = "place by " + by + ", from 1 for the least";
    add({"rank", "count", formula.c_str(), ranks});
  }
  const bool any_error = any_of(c.error, [](StringId error) { return error != no_string; });
  if (any_error && wants("error")) {
    TextCells cells(table.add(Column::Type::text, "error"), table.strings, false);
    for (const std::uint32_t i : rows) cells.put(run.text(c.error[i]));
  }

  // "error" is there only where a chunk has one
  std::erase(wanted, "error");
  if (!wanted.empty())
    throw Failure(ErrorCode::bad_option,
                  "columns=" + std::string(wanted.front()) + ": chunks have no such column");

  note_chunks(table, run, selection);
  table.note("chunks_total", static_cast<double>(c.size()));
  // The filter bar's totals, prorated by the selected time.
  table.note("events", chosen.prorated_sum(c.events));
  table.note("seconds", chosen.prorated_sum(c.duration));
  return table;
}

extern const Question question("chunks", "each chunk of work, with all that is known of it",
                               columns, answer,
                               {.options = {&columns_option, &most_option, &by_option,
                                            &rank_option},
                                .narrowed_by = chunk_dimensions,
                                .more_columns = true});

}  // namespace crema::query::chunks

namespace crema::query::chunk_columns {

struct Entry {
  std::string name;
  const char* unit;
  const char* formula;
  double known;
};

const Columns<Entry> columns = {
    {"column", &Entry::name},
    {"unit", as_given, &Entry::unit},
    {"formula", as_given, &Entry::formula},
    {"known", "count", &Entry::known, "chunks that have it"},
};

static Table answer(const Run& run, const Selection&, const Options&) {
  if (!run.chunks_recorded) {
    Table table = columns.table(std::vector<Entry>{});
    say(table, notes::no_chunks);
    return table;
  }
  const auto& entries = run.facts.of<Once<std::vector<Entry>>>().of([&] {
    std::vector<Entry> made;
    chunks::each_number(
        run, [](std::string_view) { return true; }, true,
        [&](const chunks::Number& number) {
          const auto unknown = count_if(number.values, is_absent);
          made.push_back(
              {std::string(number.name), number.unit, number.formula,
               static_cast<double>(number.values.size()) - static_cast<double>(unknown)});
        },
        [] {});
    return made;
  });
  Table table = columns.table(entries);
  table.note("chunks_total", static_cast<double>(run.chunks.size()));
  return table;
}

extern const Question question("chunk_columns",
                               "the numeric columns of chunks, and how many chunks have a value",
                               columns, answer);

}  // namespace crema::query::chunk_columns
