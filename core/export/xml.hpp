#pragma once

#include <string>
#include <string_view>

namespace crema::exports {

/// A text as XML holds it, between tags or in quotes. What XML cannot hold is left out: control
/// characters. Bytes that are no UTF-8 stay as they are.
std::string xml_text(std::string_view text);

}  // namespace crema::exports
