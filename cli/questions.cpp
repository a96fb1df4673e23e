// crema questions

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/question_help.hpp"
#include "core/base/error.hpp"
#include "core/model/options.hpp"
#include "core/query/question.hpp"

namespace crema::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;
using query::Question;

std::string_view name_of(Column::Type type) {
  switch (type) {
    case Column::Type::number: return "number";
    case Column::Type::text: return "text";
    case Column::Type::flag: return "flag";
  }
  return {};
}

OrderedJson described(const Option& option) {
  OrderedJson json = {
      {"name", option.name}, {"type", crema::name_of(option.type)}, {"about", option.about}};
  if (!option.fallback.empty()) json["default"] = option.fallback;
  if (!option.unit.empty()) json["unit"] = option.unit;
  if (!option.values.empty()) json["values"] = values_of(option);
  if (std::isfinite(option.least)) json["least"] = option.least;
  if (std::isfinite(option.most)) json["most"] = option.most;
  return json;
}

/// The options with which columns can differ: none, then each value of each that has a few.
std::vector<std::map<std::string, std::string>> variations(const Question& question) {
  std::vector<std::map<std::string, std::string>> all{{}};
  for (const Option* option : question.options) {
    std::vector<std::string_view> values = values_of(*option);
    if (option->type == Option::Type::flag) values = {"true"};
    for (const std::string_view value : values)
      all.push_back({{std::string(option->name), std::string(value)}});
  }
  return all;
}

OrderedJson columns_of(const Question& question) {
  std::vector<Run> runs;
  std::vector<const Run*> open;
  runs.reserve(question.min_runs);
  const auto names = std::make_shared<Names>();
  for (std::size_t i = 0; i < question.min_runs; ++i) open.push_back(&runs.emplace_back(names));
  OrderedJson columns = OrderedJson::array();
  std::size_t tables = 0;
  std::map<std::string, std::size_t> times;  // in how many of the tables a column is
  for (const auto& values : variations(question)) {
    Table table;
    try {
      table = question(open, {}, Options(values));
    } catch (const Failure&) {
      continue;  // what a run must have for this value, an empty one has not
    }
    ++tables;
    for (const Column& column : table.columns) {
      if (times[column.name]++ > 0) continue;
      columns.push_back({{"name", column.name},
                         {"type", name_of(column.type)},
                         {"unit", column.unit},
                         {"formula", column.formula},
                         {"matrix", column.is_matrix}});
    }
  }
  for (OrderedJson& column : columns) column["always"] = times[column["name"]] == tables;
  return columns;
}

OrderedJson described(const Question& question) {
  OrderedJson options = OrderedJson::array();
  for (const Option* option : question.options) options.push_back(described(*option));
  OrderedJson narrowed = OrderedJson::array();
  for (std::size_t bit = 0; bit < Selection::dimension_names.size(); ++bit) {
    if ((question.narrowed_by >> bit & 1U) != 0)
      narrowed.push_back(Selection::dimension_names[bit]);
  }
  return {{"name", question.name},
          {"about", question.about},
          {"runs", {question.min_runs, question.max_runs}},
          {"narrowed_by", std::move(narrowed)},
          {"options", std::move(options)},
          {"columns", columns_of(question)},
          {"more_columns", question.more_columns}};
}

}  // namespace

std::string question_list_json() {
  OrderedJson list = OrderedJson::array();
  for (const Question* question : query::all()) list.push_back(described(*question));
  return list.dump(1) + "\n";
}

Command add_questions(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("questions", "all questions, with their options and columns");
  const auto json = std::make_shared<bool>(false);
  const auto text = std::make_shared<bool>(false);
  auto* as_json = command->add_flag("--json", *json, "print JSON");
  command->add_flag("--text", *text, "print text (default), without columns")->excludes(as_json);
  return {command, [json, text] {
            print(*json ? question_list_json() : question_list() + "\n");
            return done;
          }};
}

}  // namespace crema::cli
