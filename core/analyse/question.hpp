#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/table/table.hpp"

namespace crema {

/// The form of every question: a pure function of runs, selection and options. It may throw Failure, which Session
/// hands out as an error.
using QuestionFunction = Table (*)(std::span<const Run* const> runs, const Selection& selection, const Options& options);

/// An entry of the registry of questions (`questions()` in core/analyse/questions.cpp).
struct Question {
  std::string_view name;
  QuestionFunction answer;
  std::size_t min_runs = 1;
  std::size_t max_runs = 1;
  std::vector<std::string_view> options;  ///< names it takes; `processor` where the processor prefix matters
};

/// All questions, in the order of questions.md.
const std::vector<Question>& questions();

}  // namespace crema
