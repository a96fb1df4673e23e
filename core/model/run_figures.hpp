#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"

namespace crema {

/// What a history is made of, of one run: of a recording what its facts say, of a digest what it
/// kept of them.
struct RunFigures {
  struct Number {
    std::string id, label, unit, better;  ///< as in `summary`
    double value = absent;
  };
  struct Part {
    std::string name;
    double seconds = absent, events = absent;
  };
  struct Found {
    std::string cause;    ///< its id
    std::string title{};  ///< where a digest keeps it
  };
  std::vector<Number> numbers;
  std::vector<Part> datasets;  ///< by name
  std::vector<Part> sections;  ///< in order of first appearance, what they leave last
  std::map<std::string, double, std::less<>> functions;  ///< [core-s] of those of the analysis
  std::vector<Found> findings;

  const Number* find(std::string_view id) const;  ///< nullptr where there is none
  double number(std::string_view id) const;       ///< absent where there is none
};

}  // namespace crema
