#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace crema::cli {

/// The shells there are completions for.
std::vector<std::string_view> shells();

/// A script that teaches `shell` the arguments of `program` and the questions with their options.
/// Throws Refusal for a shell that is none of shells().
std::string completions(const CLI::App& program, std::string_view shell);

}  // namespace crema::cli
