#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/model/selection.hpp"
#include "core/session/session.hpp"

namespace crema::cli {

/// The one-file page to fill: `named` when it is not empty, else what the environment's CREMA_PAGE
/// says, else crema.html beside the program or in ../share/crema. Throws Failure, whose sentence
/// says where it was looked for.
std::string find_page(const std::string& named);

/// What a report is made of.
struct Report {
  std::vector<std::string> bundles;
  /// those that are wanted, as read_bundles knows them
  std::set<std::pair<SourceId, std::string>> files;
  std::size_t folders =
      0;  ///< so many of those around the bundles are named: as many as tell the runs' titles apart
  Selection selection;  ///< where it begins
  std::string view;     ///< and in which view; "" = the first
  /// users' names and folders (core/export/hide_names.hpp), and these words
  std::optional<std::vector<std::string>> hide;
};

/// A report of all that `session` opened of BUNDLEs.
Report report_of(const Session& session, const std::vector<std::string>& bundles);

/// The text of the page with the report's files inside (docs/embedding.md), each packed with gzip.
/// Throws Failure.
std::string report_page(const std::string& page, const Report& report);

}  // namespace crema::cli
