#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace crema::cli {

/// Lays out `--help`. CLI11's own layout differs between its releases, and it can name only one
/// value per positional argument; this one is the same with every release.
class Help : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace crema::cli
