#pragma once

#include <string_view>

namespace crema {

/// A number of another schema under its roastcoffea 0.1.2 key: value in our unit = stored value x
/// factor.
struct StoredName {
  std::string_view id;
  double factor;
  bool old_flat;  ///< the key occurs only in the flat schema before 2025-12-13
};

/// The 0.1.2 name of a top-level key of a flat metrics.json: the key itself unless it is one of the
/// older keys.
StoredName flat_name(std::string_view key);

/// The 0.1.2 name of `summary.PATH` of the nested schema ("events.total"); the path itself when
/// 0.1.2 has no such number.
StoredName nested_name(std::string_view path);

/// Whether 0.1.2 writes a number (or null) under this key, so that anything else there is a
/// mistake.
bool is_stored_number(std::string_view id);

}  // namespace crema
