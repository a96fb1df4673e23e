#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/selection.hpp"

namespace crema::cli {

/// The one-file page to fill: `named` when it is not empty, else what the environment's CREMA_PAGE says, else crema.html beside
/// the program or in ../share/crema. Throws Failure, whose sentence says where it was looked for.
std::string find_page(const std::string& named);

/// What a report is made of.
struct Report {
  std::vector<std::string> bundles;
  std::set<std::string> paths;                   ///< of the files that are wanted, as read_bundles knows them
  Selection selection;                           ///< where it begins
  std::optional<std::vector<std::string>> hide;  ///< users' names and folders (core/write/hide_names.hpp), and these words
};

/// The text of the page with the report's files inside (docs/embedding.md), each packed with gzip. Throws Failure.
std::string report_page(const std::string& page, const Report& report);

}  // namespace crema::cli
