#include "core/json/nodes.hpp"

#include <nlohmann/json.hpp>

namespace crema::json {

bool TextInto::number(double value) {
  const bool whole = value == std::floor(value) && std::fabs(value) < 9007199254740992.0;
  *target_ = whole ? std::to_string(static_cast<long long>(value)) : nlohmann::json(value).dump();
  return true;
}

}  // namespace crema::json
