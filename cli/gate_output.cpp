#include "cli/gate_output.hpp"

#include <cstdint>

#include <nlohmann/json.hpp>

#include "core/base/numbers.hpp"
#include "core/base/quantity.hpp"
#include "core/base/visible.hpp"
#include "core/export/gate_markdown.hpp"
#include "core/export/xml.hpp"

namespace crema::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int json_version = 1;

bool is_condition(const Table& table, std::size_t row) {
  return table.text("kind", row) == "condition";
}

Json number_or_null(double value) { return is_absent(value) ? Json(nullptr) : Json(value); }

/// What a person is told of a row.
std::string sentence_of(const Table& table, std::size_t row) {
  const std::string rule(table.text("rule", row));
  const std::string note(table.text("note", row));
  if (is_condition(table, row))
    return note + " (--allow " + std::string(table.text("id", row)) + ")";
  const double candidate = table.number("candidate", row);
  if (is_absent(candidate)) return rule + " – " + note;
  const auto said = [&](const char* column) {
    return format_quantity(table.text("id", row), table.text("unit", row),
                           table.number(column, row));
  };
  const bool has_limit = !is_absent(table.number("limit", row));
  return rule + " – " + said("baseline") + " → " + said("candidate") +
         (has_limit ? ", limit " + said("limit") : "") + "; " + note;
}

std::string xml_attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + exports::xml_text(visible(value)) + "\"";
}

/// A message of a workflow command may hold anything but what ends it.
std::string escaped_command(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '%') out += "%25";
    else if (c == ',' && is_property) out += "%2C";
    else if (c == ':' && is_property) out += "%3A";
    else out += c;
  }
  return out;
}

std::string command(const char* name, const std::string& properties, std::string_view message) {
  return std::string("::") + name + " title=crema check" + properties +
         "::" + escaped_command(message, false) + "\n";
}

}  // namespace

std::string gate_json(const GateResult& result) {
  const Table& table = result.checked;
  Json json = {{"format", "crema check"}, {"version", json_version}};
  json["outcome"] = result.error.empty() ? table.text_note("outcome") : "refused";
  json["exit"] = result.status;
  json["error"] = result.error.empty() ? Json(nullptr) : Json(result.error);
  json["baseline"] = table.text_note("a");
  json["candidate"] = table.text_note("b");
  json["conditions"] = Json::array();
  json["rules"] = Json::array();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto text = [&](const char* column) { return std::string(table.text(column, row)); };
    if (is_condition(table, row)) {
      json["conditions"].push_back({{"name", text("id")},
                                    {"condition", text("rule")},
                                    {"state", text("state")},
                                    {"note", text("note")}});
      continue;
    }
    Json rule = {{"rule", text("rule")},
                 {"line", static_cast<std::int64_t>(table.number("line", row))},
                 {"state", text("state")},
                 {"group", text("group")},
                 {"id", text("id")}};
    for (const char* column : {"baseline", "candidate", "limit", "noise"})
      rule[column] = number_or_null(table.number(column, row));
    for (const char* column : {"unit", "verdict", "note"}) rule[column] = text(column);
    json["rules"].push_back(std::move(rule));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string gate_junit(const GateResult& result) {
  const Table& table = result.checked;
  std::string cases;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  const auto add = [&](const char* kind, std::string_view name, const char* element,
                       std::string_view message) {
    cases += "    <testcase" + xml_attribute("classname", std::string("crema.check.") + kind) +
             xml_attribute("name", name);
    if (*element == '\0') cases += "/>\n";
    else
      cases += std::string(">\n      <") + element + xml_attribute("message", message) +
               "/>\n    </testcase>\n";
  };
  if (!result.error.empty()) {
    add("condition", "the rules can be used", "error", result.error);
    ++errors;
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view state = table.text("state", row);
    const char* const element = state == "broken"    ? "failure"
                                : state == "unknown" ? "error"
                                : state == "allowed" ? "skipped"
                                                     : "";
    failures += state == "broken" ? 1 : 0;
    errors += state == "unknown" ? 1 : 0;
    skipped += state == "allowed" ? 1 : 0;
    add(is_condition(table, row) ? "condition" : "rule", table.text("rule", row), element,
        sentence_of(table, row));
  }
  const std::size_t tests = table.rows() + (result.error.empty() ? 0 : 1);
  const std::string counts = " tests=\"" + std::to_string(tests) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"" + std::to_string(errors) +
                             "\" skipped=\"" + std::to_string(skipped) + "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts +
         ">\n  <testsuite name=\"crema check\"" + counts + ">\n" + cases +
         "  </testsuite>\n</testsuites>\n";
}

std::string gate_annotations(const GateResult& result) {
  if (!result.error.empty()) return command("error", "", result.error);
  const Table& table = result.checked;
  std::string text;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view state = table.text("state", row);
    if (state == "kept") continue;
    const double line = table.number("line", row);
    const bool of_file = !result.rules_file.empty() && !is_absent(line) &&
                         line <= static_cast<double>(result.rules_lines);
    const std::string place = of_file ? ",file=" + escaped_command(result.rules_file, true) +
                                            ",line=" + std::to_string(static_cast<long>(line))
                                      : "";
    text += command(state == "allowed" ? "warning" : "error", place,
                    (state == "broken"    ? "broken: "
                     : state == "allowed" ? "allowed: "
                                          : "") +
                        sentence_of(table, row));
  }
  return text.empty() ? command("notice", "", exports::gate_headline(table)) : text;
}

}  // namespace crema::cli
