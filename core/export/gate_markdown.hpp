#pragma once

#include <string>

#include "core/table/table.hpp"

namespace crema::exports {

/// "2 of 5 rules broken": what an answer of `check` comes to, in a few words.
std::string gate_headline(const Table& checked);

/// An answer of `check`: the headline, what keeps the runs from being held against rules, and a
/// line per rule with the verdict first.
std::string gate_markdown(const Table& checked);

}  // namespace crema::exports
