// The terminal where the command line runs as WebAssembly under Node: Emscripten takes any output
// for one, and knows no width.

#include <emscripten.h>

#include "cli/layout.hpp"

namespace crema::cli {

namespace {

// clang-format off
EM_JS(int, columns_of_terminal, (), { return process.stdout.isTTY ? process.stdout.columns || 100 : 0; });
// clang-format on

}  // namespace

bool is_on_terminal() { return columns_of_terminal() > 0; }

std::size_t terminal_width() {
  return is_on_terminal() ? static_cast<std::size_t>(columns_of_terminal()) : 100;
}

}  // namespace crema::cli
