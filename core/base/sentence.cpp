#include "core/base/sentence.hpp"

namespace crema {

std::string sentence(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

}  // namespace crema
