#pragma once

namespace crema {

/// The version of digests that is written. Readers take every version up to it.
inline constexpr int digest_version = 1;

}  // namespace crema
