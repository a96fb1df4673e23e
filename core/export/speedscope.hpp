#pragma once

#include "core/export/writer.hpp"

namespace crema::exports {

using namespace profile;

/// speedscope JSON (https://www.speedscope.app/file-format-schema.json): sampled profiles, the sum
/// first, then one per tree it is made of. A node's certain self time is a sample of its stack; its
/// unresolved part one with an explicit frame on top. In seconds where the interval between samples
/// was recorded, else plain counts (unit "none"). Options: `profile`, `worker`, `key` (only that
/// one), `merged` (only the sum), `leaves` (forced, estimated, counted, notebook), `transform`
/// (core/profile/tree/transform.hpp), `hide-paths`. Failure nothing_to_export without profiles,
/// bad_option for a profile there is not.
extern const Writer speedscope_writer;

}  // namespace crema::exports
