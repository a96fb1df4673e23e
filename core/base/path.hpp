#pragma once

#include <string_view>

namespace crema {

/// What stands behind the last slash: the name of a file without its folders.
inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace crema
