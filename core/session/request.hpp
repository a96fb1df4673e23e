#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.hpp"
#include "core/model/selection.hpp"

namespace crema {

/// A request as the binding and tests write it; see Session::ask(request).
struct Request {
  std::string question;
  std::vector<std::uint32_t> runs;  ///< empty = as many open runs as the question takes
  Selection selection;
  Options options;
};

/// Reads a request's JSON; throws Failure (bad_option, bad_selection) with a sentence when it is
/// wrong.
Request parse_request(std::string_view json);

}  // namespace crema
