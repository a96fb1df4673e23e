#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace crema::read {

/// What the `identifier` of a node of a Dask profile says of its function
/// (`distributed/profile.py`, `identifier(frame)`). The views point into the text it was parsed
/// from.
struct DaskIdentifier {
  std::string_view name;
  std::string_view file;         ///< "" where the identifier has none: the description may know it
  std::uint32_t first_line = 0;  ///< of the definition; 0 = unknown
  bool has_file = false;
};

/// Reads "co_name;co_filename;co_firstlineno", "name;<low-level>;0xaddress" (the address is
/// dropped: a function has many), "module.qualname:lineno" (code without co_*: Cython, built-ins)
/// and "None" (no frame). Nothing for any other text.
std::optional<DaskIdentifier> parse_dask_identifier(std::string_view text);

}  // namespace crema::read
