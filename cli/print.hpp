#pragma once

#include <string>

#include "core/session/session.hpp"

namespace crema::cli {

/// A Table as aligned text: a header with units, a line per row, notes below; with `explain` the formulas of its columns.
std::string table_text(const Table& table, bool explain);

/// The report of `crema summary`: what a person reads of one run, at most `width` columns wide, with terminal colours only
/// when `colour`.
std::string summary_text(const Session& session, RunId run, std::size_t width, bool colour, bool explain);

/// A number for people: about four significant digits, thousands with commas, bytes and times in fitting units.
std::string human(double value, const std::string& unit);

}  // namespace crema::cli
