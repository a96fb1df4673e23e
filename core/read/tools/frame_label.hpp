#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/call_tree.hpp"

namespace crema::read {

/// A frame written as one text. The views point into it.
struct FrameLabel {
  std::string_view name;
  std::string_view file;       ///< "" where the label has none
  std::uint32_t line = 0;      ///< 0 = unknown
  bool has_line_seen = false;  ///< `line` was executing (the notebook's labels); else it is the
                               ///< label's own, the definition's
  bool has_file = false;       ///< of Dask's identifiers: else the description may know it
};

/// A line as it is kept: 0 where the number is none.
constexpr std::uint32_t as_line(double number) {
  return number >= 1 && number <= 0xffffffffU ? static_cast<std::uint32_t>(number) : 0;
}

/// A source line as it is kept: Dask writes its line break, too (`linecache.getline`).
inline std::string_view without_line_break(std::string_view text) {
  return text.substr(0, text.find_last_not_of("\r\n") + 1);
}

/// A function by its name, file and first line.
inline FrameId frame_in(Names& names, std::string_view name, std::string_view file = {},
                        std::uint32_t first_line = 0) {
  const StringId interned = names.strings.intern(name);
  return names.frames.intern(interned, names.strings.intern(file), first_line);
}

/// Takes the labels of folded stacks apart: "func@file:line" (the founding notebook), "func
/// (file:line)" and "func (file)" (Crema, py-spy); any other text is the name.
FrameLabel parse_frame_label(std::string_view label);

/// Takes the `identifier` of a node of a Dask profile apart (`distributed/profile.py`,
/// `identifier(frame)`): "co_name;co_filename;co_firstlineno", "name;<low-level>;0xaddress" (the
/// address is dropped: a function has many), "module.qualname:lineno" (code without co_*: Cython,
/// built-ins) and "None" (no frame). Nothing for any other text.
std::optional<FrameLabel> parse_dask_identifier(std::string_view text);

}  // namespace crema::read
