#pragma once

#include <string>

namespace crema::cli {

/// Whether `bundle` can be read only once: standard input ("-") or a pipe (`<(command)`).
bool is_pipe(const std::string& bundle);

/// The path of a file that holds everything that comes out of a pipe. Each pipe is read once,
/// however often it is asked for; its file is removed when the program ends. Throws Failure when
/// the pipe cannot be read or its content cannot be kept.
const std::string& kept_pipe(const std::string& bundle);

}  // namespace crema::cli
