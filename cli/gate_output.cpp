#include "cli/gate_output.hpp"

#include <cstdint>

#include <nlohmann/json.hpp>

#include "core/base/numbers.hpp"
#include "core/base/text.hpp"
#include "core/export/export.hpp"
#include "core/report/comparison_text.hpp"

namespace crema::cli {

namespace {

using namespace compare;
using Json = nlohmann::ordered_json;

const Gate no_gate;

constexpr int json_version = 1;

Json number_or_null(double value) { return is_absent(value) ? Json(nullptr) : Json(value); }

std::string text_of(const Gate& gate, const GateLine& line) {
  return line.result != nullptr ? report::rule_text(gate.rules[line.result->rule], *line.result)
                                : std::string(report::condition_text(line.condition->reason));
}

/// The numbers of a rule, and what they come to.
std::string numbers_of(const GateResult& result) {
  const std::string note = report::result_text(result);
  if (is_absent(result.candidate)) return note;
  const auto said = [&](double value) { return format_quantity(result.id, result.unit, value); };
  return said(result.baseline) + " → " + said(result.candidate) +
         (is_absent(result.limit) ? "" : ", limit " + said(result.limit)) + "; " + note;
}

/// What a line comes to.
std::string sentence_of(const Gate& gate, const GateLine& line) {
  if (line.result != nullptr) return text_of(gate, line) + " – " + numbers_of(*line.result);
  return report::failure_text(*line.condition, gate.titles) + " (--allow " +
         std::string(name_of(line.condition->reason)) + ")";
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

std::string gate_json(const GateReport& result) {
  Json json = {{"format", "crema check"}, {"version", json_version}};
  json["outcome"] = result.gate ? report::outcome_text(*result.gate) : "refused";
  json["exit"] = result.status;
  json["error"] = result.error.empty() ? Json(nullptr) : Json(result.error);
  json["baseline"] = result.gate ? report::baseline_text(*result.gate) : "";
  json["candidate"] = result.gate ? report::candidate_text(*result.gate) : "";
  json["conditions"] = Json::array();
  json["rules"] = Json::array();
  const Gate& gate = result.gate ? *result.gate : no_gate;
  for (const GateCondition& condition : gate.conditions)
    json["conditions"].push_back({{"name", name_of(condition.reason)},
                                  {"condition", report::condition_text(condition.reason)},
                                  {"state", name_of(condition.state)},
                                  {"note", report::failure_text(condition, gate.titles)}});
  for (const GateResult& one : gate.results)
    json["rules"].push_back({{"rule", report::rule_text(gate.rules[one.rule], one)},
                             {"line", gate.rules[one.rule].line},
                             {"state", name_of(one.state)},
                             {"group", one.group},
                             {"id", one.id},
                             {"baseline", number_or_null(one.baseline)},
                             {"candidate", number_or_null(one.candidate)},
                             {"limit", number_or_null(one.limit)},
                             {"noise", number_or_null(one.noise)},
                             {"unit", one.unit},
                             {"verdict", report::verdict_text(one)},
                             {"note", report::result_text(one)}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string gate_junit(const GateReport& result) {
  const Gate& gate = result.gate ? *result.gate : no_gate;
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
  const std::vector<GateLine> lines = gate.lines();
  for (const GateLine& line : lines) {
    const GateState state = line.state();
    const char* const element = state == GateState::broken    ? "failure"
                                : state == GateState::allowed ? "skipped"
                                : state == GateState::kept    ? ""
                                                              : "error";
    failures += state == GateState::broken ? 1 : 0;
    errors += state == GateState::unknown || state == GateState::undecided ? 1 : 0;
    skipped += state == GateState::allowed ? 1 : 0;
    add(line.result == nullptr ? "condition" : "rule", text_of(gate, line), element,
        sentence_of(gate, line));
  }
  const std::size_t tests = lines.size() + (result.error.empty() ? 0 : 1);
  const std::string counts = " tests=\"" + std::to_string(tests) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"" + std::to_string(errors) +
                             "\" skipped=\"" + std::to_string(skipped) + "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts +
         ">\n  <testsuite name=\"crema check\"" + counts + ">\n" + cases +
         "  </testsuite>\n</testsuites>\n";
}

std::string gate_screen(const Gate& gate, std::size_t width, const Style& style) {
  constexpr std::size_t state_width = 11;
  const std::string indent(2 + state_width, ' ');
  std::string text = style.bold(report::headline_text(gate)) + "\n";
  for (const GateLine& line : gate.lines()) {
    const GateState state = line.state();
    const bool is_rule = line.result != nullptr;
    if (is_rule ? !gate.is_comparable() : state == GateState::kept) continue;
    const std::string said(name_of(state));
    const std::string shown = state == GateState::broken ? style.red(said)
                              : state == GateState::kept ? style.green(said)
                                                         : said;
    const std::string lines =
        wrapped(visible(is_rule ? text_of(gate, line) : sentence_of(gate, line)), width, indent);
    text += "\n  " + padded(shown, state_width, false) + lines.substr(indent.size());
    if (is_rule) text += wrapped(visible(numbers_of(*line.result)), width, indent);
  }
  return text;
}

std::string gate_annotations(const GateReport& result) {
  if (!result.gate) return command("error", "", result.error);
  const Gate& gate = *result.gate;
  std::string text;
  for (const GateLine& line : gate.lines()) {
    const GateState state = line.state();
    if (state == GateState::kept) continue;
    const std::size_t at = line.result == nullptr ? 0 : gate.rules[line.result->rule].line;
    const bool of_file = !result.rules_file.empty() && at > 0 && at <= result.rules_lines;
    const std::string place = of_file ? ",file=" + escaped_command(result.rules_file, true) +
                                            ",line=" + std::to_string(at)
                                      : "";
    text += command(state == GateState::allowed ? "warning" : "error", place,
                    std::string(name_of(state)) + ": " + sentence_of(gate, line));
  }
  return text.empty() ? command("notice", "", report::headline_text(gate)) : text;
}

}  // namespace crema::cli
