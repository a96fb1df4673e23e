#pragma once

#include "core/export/writer.hpp"

namespace crema::exports {

/// A digest: what can be compared of a run, in one small file: labels, and answers as `crema ask
/// --json` prints them, some of their columns, at most 200 rows each (docs/history.md). The run
/// that is read from it answers the questions that it keeps.
extern const Writer digest_writer;

}  // namespace crema::exports
