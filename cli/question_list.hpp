#pragma once

#include <string>

namespace crema::cli {

/// All questions, one per line: name, a sentence about the answer, and the options it takes. Ends `crema ask --help`.
std::string question_list();

/// The same as JSON, with all that questions say of themselves: a list of {"name", "about", "runs": [least, most],
/// "narrowed_by": [...], "options": [{"name", "type", "about", "default", "unit", "values", "least", "most"}],
/// "columns": [{"name", "type", "unit", "formula", "matrix", "always"}], "more_columns"}. The columns are those of an empty run;
/// one that only some values of the options bring is not "always" there. Types, docs and completions are made from it.
std::string question_list_json();

}  // namespace crema::cli
