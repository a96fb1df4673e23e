#pragma once

#include <string>
#include <vector>

#include "core/session/session.hpp"

namespace crema::cli {

/// Opens BUNDLEs (folders, .zip and other archives, files, .gz of any of them) as one opening of `session`. Archives are read
/// with libarchive, one entry at a time; an archive counts as a folder named after it, unless it has a single top folder.
/// Errors: a file that cannot be read at all (the message says which and why), or nothing to show.
Result<Opened> open_bundles(Session& session, const std::vector<std::string>& bundles);

}  // namespace crema::cli
