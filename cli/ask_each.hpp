#pragma once

#include <span>

#include "core/session/session.hpp"

namespace crema::cli {

/// The answer of `runs` to a question. One of a single run is answered for each of them: a column
/// "run" in front then has its title. Errors are those of Session::ask, and so is `may_be_unmade`.
Result<Table> ask_each(const Session& session, const query::Question& question,
                       std::span<const RunId> runs, const Selection& selection,
                       const Options& options, bool may_be_unmade = false);

}  // namespace crema::cli
