#pragma once

#include <string_view>

namespace crema {

/// The part after the last slash: a file's name without its folders.
inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace crema
