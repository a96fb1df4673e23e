#pragma once

#include <string>

namespace crema::cli {

/// The path of a file that holds all of standard input. It is read once, however often it is asked
/// for, and removed when the program ends. Throws Failure when it cannot be read or kept.
const std::string& standard_input_file();

}  // namespace crema::cli
