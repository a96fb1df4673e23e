#include "core/query/parts/gate_lines.hpp"

#include <algorithm>

#include "core/table/rows.hpp"

namespace crema::query {

namespace {

std::string_view outcome_of(const std::vector<GateLine>& lines) {
  const auto any = [&](std::string_view kind, std::string_view state) {
    return std::any_of(lines.begin(), lines.end(), [&](const GateLine& line) {
      return line.kind == kind && line.state == state;
    });
  };
  if (any("condition", unknown)) return "refused";
  if (any("rule", broken)) return broken;
  return any("rule", unknown) ? "refused" : kept;
}

}  // namespace

void add_gate_lines(Table& table, const std::vector<GateLine>& lines) {
  Rows rows(table, lines);
  rows.text("kind", &GateLine::kind);
  rows.text("rule", &GateLine::rule);
  rows.text("state", &GateLine::state);
  rows.flag(
      "kept",
      [](const GateLine& line) {
        return line.state == kept ? 1.0 : line.state == broken ? 0.0 : absent;
      },
      "missing: undecided");
  rows.text("id", &GateLine::id);
  rows.text("group", &GateLine::group);
  rows.number("line", "count", &GateLine::line);
  rows.number("baseline", "", &GateLine::baseline);
  rows.number("candidate", "", &GateLine::candidate);
  rows.number("limit", "", &GateLine::limit, "the limit that the candidate is checked against");
  rows.any_text("unit", &GateLine::unit);
  rows.number("noise", "", &GateLine::noise, "standard error of candidate − baseline");
  rows.text("verdict", &GateLine::verdict);
  rows.text("note", &GateLine::note);
  table.note("outcome", outcome_of(lines));
}

}  // namespace crema::query
