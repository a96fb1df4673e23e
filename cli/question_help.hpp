#pragma once

#include <string>
#include <vector>

#include "core/query/question.hpp"

namespace crema::cli {

// Questions for people: all that is said here the questions say of themselves.

/// All questions, one per line: name, what a row of the answer is, names of options. Ends `crema
/// ask --help`.
std::string question_list();

/// All questions with all they say of themselves: a list of {"name", "about", "runs": [least,
/// most], "narrowed_by": [...], "options": [{"name", "type", "about", "default", "unit", "values",
/// "least", "most"}], "columns": [{"name", "type", "unit", "formula", "matrix", "always"}],
/// "more_columns"}. The columns are those of an empty run; one that only some values of the options
/// bring is not "always" there. Types and docs are made from it.
std::string question_list_json();

/// All about one question and its options, for `crema ask QUESTION --help`.
std::string question_help(const query::Question& question);

/// What an option takes, a fragment: "mean, min or max; default mean", "a whole number from 1 to
/// 10000; default 400".
std::string values_help(const Option& option);

/// The flags that narrow a question: "--select, --worker"; "" when there are none.
std::string narrowing_flags(const query::Question& question);

/// The texts that may follow `--option` of a question, each whole ("stat=mean") or, where anything
/// may follow, up to its "=".
std::vector<std::string> option_texts(const query::Question& question);

}  // namespace crema::cli
