// crema questions

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/question_help.hpp"
#include "core/base/text.hpp"
#include "core/model/selection.hpp"
#include "core/query/question.hpp"

namespace crema::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;
using query::Question;

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

OrderedJson columns_of(const Question& question) {
  OrderedJson columns = OrderedJson::array();
  for (const DeclaredColumn& column : question.columns->columns()) {
    if (column.name == question.without) continue;
    const auto add = [&](std::string_view name) {
      const bool varies = std::string_view(column.unit).find('$') != std::string_view::npos;
      columns.push_back({{"name", name},
                         {"type", crema::name_of(column.type)},
                         {"unit", varies ? "varies" : column.unit},
                         {"formula", column.formula},
                         {"matrix", column.is_matrix},
                         {"always", !column.is_one_of}});
    };
    if (!column.is_one_of) add(column.name);
    else
      for (const std::string_view name : split(column.name, ", ")) add(name);
  }
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
  OrderedJson given = OrderedJson::object();
  for (const auto& [option, value] : question.given) given[std::string(option)] = value;
  return {{"name", question.name},
          {"about", question.about},
          {"runs", {question.run_count.least, question.run_count.most}},
          {"narrowed_by", std::move(narrowed)},
          {"options", std::move(options)},
          {"columns", columns_of(question)},
          {"more_columns", question.more_columns},
          {"alias_of", question.alias_of},
          {"given", std::move(given)}};
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
