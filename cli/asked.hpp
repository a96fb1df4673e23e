#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/session/session.hpp"

namespace crema::cli {

/// What commands have in common: which bundles, narrowed how, with which options.
class Asked {
 public:
  std::vector<std::string> bundles;
  std::map<std::string, std::string> options;  ///< of the question or of the export format
  Selection selection;

  void add_bundles(CLI::App& command, const std::string& placeholder, const std::string& about);
  void add_filters(CLI::App& command);
  void add_options(CLI::App& command);

  /// Takes the texts apart that were given. Throws Refusal for one that is wrong.
  void complete();

  /// Opens the bundles and says on standard error what of them could not be used. Throws Failure
  /// when nothing can be shown, or when the selection names something that none of the runs has.
  Opened open(Session& session) const;

 private:
  std::optional<std::string> time_;
  std::vector<std::string> option_texts_, ranges_;
  std::string processor_;
};

/// The value, or the error as a Failure.
template <class T>
T value_of(Result<T> result) {
  if (!result) throw Failure(result.error());
  return std::move(result).value();
}

/// The note's number; absent where there is none.
double number_note(const Table& table, std::string_view name);

}  // namespace crema::cli
