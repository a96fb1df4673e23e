#include "cli/question_help.hpp"

#include <cmath>

#include "cli/layout.hpp"
#include "core/base/text.hpp"
#include "core/model/selection.hpp"

namespace crema::cli {

namespace {

std::string listed(const std::vector<std::string_view>& values) {
  std::string text;
  std::size_t left = values.size();
  for (const std::string_view value : values) {
    text.append(text.empty() ? "" : left == 1 ? " or " : ", ").append(value);
    --left;
  }
  return text;
}

std::string bounded(const Option& option) {
  std::string text = option.type == Option::Type::count ? "a whole number" : "a number";
  if (std::isfinite(option.least)) text += " from " + number_text(option.least);
  if (std::isfinite(option.most))
    text += (std::isfinite(option.least) ? " to " : " up to ") + number_text(option.most);
  if (!option.unit.empty() && option.unit != "1" && option.unit != "count")
    text.append(" [").append(option.unit) += ']';
  return text;
}

}  // namespace

std::string values_help(const Option& option) {
  std::string text;
  switch (option.type) {
    case Option::Type::text: text = listed(values_of(option)); break;
    case Option::Type::number:
    case Option::Type::count: text = bounded(option); break;
    case Option::Type::flag: text = "true or false"; break;
  }
  if (option.fallback.empty()) return text;
  return text.append(text.empty() ? "default " : "; default ").append(option.fallback);
}

std::string narrowing_flags(const query::Question& question) {
  // In the order of Selection::Dimension.
  constexpr std::string_view flags[] = {"--select", "--worker", "--dataset", "--file",
                                        "--host",   "--prefix", "--range"};
  std::string text;
  for (std::size_t i = 0; i < std::size(flags); ++i) {
    if ((question.narrowed_by >> i & 1U) != 0)
      text.append(text.empty() ? "" : ", ").append(flags[i]);
  }
  return text;
}

std::vector<std::string> option_texts(const query::Question& question) {
  std::vector<std::string> texts;
  for (const Option* option : question.options) {
    const std::string key = std::string(option->name) + "=";
    if (option->type == Option::Type::flag)
      texts.insert(texts.end(), {key + "true", key + "false"});
    else if (option->values.empty()) texts.push_back(key);
    for (const std::string_view value : values_of(*option))
      texts.push_back(key + std::string(value));
  }
  return texts;
}

std::string question_list() {
  std::string text = "Questions:\n";
  for (const query::Question* question : query::all()) {
    std::string about(question->about);
    std::string_view before = "  [";
    for (const Option* option : question->options) {
      about.append(before).append(option->name);
      before = ", ";
    }
    if (question->options.size() > 0) about += ']';
    const std::string begin = padded("  " + std::string(question->name), 24, false);
    // a line each where programs look for a word
    text +=
        begin + (is_on_terminal() ? wrapped(about, help_width(), std::string(24, ' ')).substr(24)
                                  : about + "\n");
  }
  return text +
         "\nIn brackets: names for --option NAME=VALUE; crema ask QUESTION --help says what they "
         "take. Columns and formulas: "
         "docs/metrics.md, or --explain.";
}

std::string question_help(const query::Question& question) {
  std::string text = std::string(question.name) + ": " + std::string(question.about) + "\n";
  text += "Usage: crema ask BUNDLE... " + std::string(question.name) + " [OPTIONS]\n";
  if (question.run_count.least > 1)
    text += "It takes " + number_text(static_cast<double>(question.run_count.least)) + " runs.\n";
  const std::string flags = narrowing_flags(question);
  text += flags.empty() ? "Nothing narrows it.\n" : "Narrowed by " + flags + ".\n";
  if (question.options.size() > 0) text += "\nOptions, as --option NAME=VALUE:\n";
  for (const Option* option : question.options) {
    const std::string values = values_help(*option);
    text += "  " + std::string(option->name) + "\n" +
            wrapped(std::string(option->about) + (values.empty() ? "" : " (" + values + ")"),
                    help_width(), "      ");
  }
  return text;
}

}  // namespace crema::cli
