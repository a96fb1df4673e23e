#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/layout.hpp"

namespace crema::cli {

bool is_on_terminal() { return isatty(STDOUT_FILENO) != 0; }

std::size_t terminal_width() {
  winsize size{};
  if (is_on_terminal() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 100;
}

}  // namespace crema::cli
