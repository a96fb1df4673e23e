#pragma once

#include <cstdint>
#include <string_view>

namespace crema::read {

/// A frame written as one text. The views point into it.
struct FrameLabel {
  std::string_view name;
  std::string_view file;       ///< "" where the label has none
  std::uint32_t line = 0;      ///< 0 = unknown
  bool has_line_seen = false;  ///< `line` was executing (the notebook's labels); else it is the
                               ///< label's own, the definition's
};

/// A line as it is kept: 0 where the number is none.
constexpr std::uint32_t as_line(double number) {
  return number >= 1 && number <= 0xffffffffU ? static_cast<std::uint32_t>(number) : 0;
}

/// Takes the labels of folded stacks apart: "func@file:line" (the founding notebook), "func
/// (file:line)" and "func (file)" (Crema, py-spy); any other text is the name.
FrameLabel parse_frame_label(std::string_view label);

}  // namespace crema::read
