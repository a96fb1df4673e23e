#include "cli/asked.hpp"

#include <cmath>
#include <limits>

#include "cli/arguments.hpp"
#include "cli/bundle.hpp"
#include "cli/output.hpp"
#include "core/base/numbers.hpp"
#include "core/base/text.hpp"

namespace crema::cli {

namespace {

Selection::TimeRange time_range(const std::string& text) {
  const std::string_view all = text;
  const auto colon = all.find(':');
  if (colon == std::string_view::npos || all == ":")
    throw Refusal("--select \"" + visible(text) + "\" is not BEGIN:END in seconds");
  // Either may be left out: ":5" is all before, "5:" all after.
  const auto end_of = [&](std::string_view one, double open) {
    const double seconds = one.empty() ? open : parse_number(one);
    if (!one.empty() && !std::isfinite(seconds))
      throw Refusal("--select \"" + visible(text) + "\" is not BEGIN:END in seconds");
    return seconds;
  };
  constexpr double open = std::numeric_limits<double>::infinity();
  const Selection::TimeRange range{end_of(all.substr(0, colon), -open),
                                   end_of(all.substr(colon + 1), open)};
  if (range.begin > range.end)
    throw Refusal("--select " + visible(text) + " ends before it begins");
  return range;
}

Selection::ColumnRange column_range(const std::string& text) {
  // a column's own name may hold colons
  const std::string_view all = text;
  const auto second = all.rfind(':');
  const auto first =
      second == 0 || second == std::string::npos ? std::string::npos : all.rfind(':', second - 1);
  if (first == std::string::npos)
    throw Refusal("--range " + visible(text) + " is not COLUMN:LEAST:MOST");
  const Selection::ColumnRange range{std::string(all.substr(0, first)),
                                     parse_number(all.substr(first + 1, second - first - 1)),
                                     parse_number(all.substr(second + 1))};
  if (!(range.lo <= range.hi))
    throw Refusal("--range " + visible(text) + " is not COLUMN:LEAST:MOST with two numbers");
  return range;
}

}  // namespace

void Asked::add_bundles(CLI::App& command, const std::string& placeholder,
                        const std::string& about) {
  add_positional(command, placeholder, bundles, about);
}

void Asked::add_filters(CLI::App& command) {
  const auto names = [&](const char* flag, const char* placeholder, std::vector<std::string>& into,
                         const char* about) {
    command.add_option(flag, into, about)->allow_extra_args(false)->type_name(placeholder);
  };
  command
      .add_option("--select", time_,
                  "time range in seconds since the start; without BEGIN or END up to the run's own")
      ->type_name("BEGIN:END");
  names("--worker", "NAME", selection.workers, "address or name of a worker (repeatable)");
  names("--dataset", "NAME", selection.datasets, "dataset (repeatable)");
  names("--file", "NAME", selection.files, "input file (repeatable)");
  names("--host", "NAME", selection.hosts, "storage host (repeatable)");
  names("--prefix", "NAME", selection.prefixes, "task prefix (repeatable)");
  names("--range", "COLUMN:LEAST:MOST", ranges_, "range of a column of chunks (repeatable)");
  command.add_option("--processor", processor_, "which task prefix is the processor")
      ->type_name("NAME");
}

void Asked::add_options(CLI::App& command) {
  command.add_option("--option", option_texts_, "option of the question (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

void Asked::complete() {
  if (time_) selection.time = time_range(*time_);
  for (const std::string& text : ranges_) selection.ranges.push_back(column_range(text));
  for (const std::string& text : option_texts_) {
    const auto equals = text.find('=');
    if (equals == std::string::npos)
      throw Refusal("--option " + visible(text) + " is not KEY=VALUE");
    options[text.substr(0, equals)] = text.substr(equals + 1);
  }
  if (!processor_.empty()) options["processor"] = processor_;
}

Opened Asked::open(Session& session) const {
  Opened opened = value_of(open_bundles(session, bundles));
  // what could not be had was told already
  for (const DataNote& note : opened.data_notes)
    if (note.id != "unreadable")
      remark("crema: " + (note.file.empty() ? "" : visible(note.file) + ": ") +
             visible(note.message));
  if (const auto wrong = session.check(opened.runs, selection)) throw Failure(*wrong);
  return opened;
}

double number_note(const Table& table, std::string_view name) {
  for (const Note& note : table.notes) {
    if (note.name == name && std::holds_alternative<double>(note.value))
      return std::get<double>(note.value);
  }
  return absent;
}

}  // namespace crema::cli
