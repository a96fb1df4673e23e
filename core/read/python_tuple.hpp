#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crema::read {

/// An element of a Python tuple.
struct PythonItem {
  enum class Kind { string, none, other } kind;
  std::string text;  ///< strings decoded; numbers, booleans, nested tuples and object reprs as
                     ///< written; "None" for none
};

/// The elements of `repr(tuple)`, such as "('execute', \"O'Hara\", None, ('a', 1))". Nothing when
/// the text is not a tuple. Strings may have either quote and escapes; nested tuples and any object
/// reprs may occur.
std::optional<std::vector<PythonItem>> parse_python_tuple(std::string_view text);

}  // namespace crema::read
