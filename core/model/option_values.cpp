#include "core/model/option_values.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/nearest.hpp"

namespace crema {

std::vector<std::string_view> values_of(const Option& option) {
  std::vector<std::string_view> values;
  for (std::string_view left = option.values; !left.empty();) {
    const std::size_t end = std::min(left.find(", "), left.size());
    values.push_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 2, left.size()));
  }
  return values;
}

void check(const Options& options, std::initializer_list<const Option*> known) {
  for (const auto& given : options.all()) {
    const std::string& name = given.first;
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Option* option) { return option->name == name; });
    if (found != known.end()) {
      options.check(**found);
      continue;
    }
    std::vector<std::string_view> names;
    for (const Option* option : known) names.push_back(option->name);
    throw Failure(ErrorCode::unknown_option, not_among(name, names));
  }
}

}  // namespace crema
