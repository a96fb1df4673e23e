#pragma once

#include <string>

namespace crema::cli {

/// All questions, one per line: name, a sentence about the answer, and the options it takes. Ends `crema ask --help`, and heads
/// the tables of docs/metrics.md.
std::string question_list();

}  // namespace crema::cli
