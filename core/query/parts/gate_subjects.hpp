#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/compare/gate_rule.hpp"
#include "core/runtime/headlines/headlines.hpp"
#include "core/table/table.hpp"

namespace crema::query {

using namespace crema::compare;

/// Which row of which comparison a rule is about.
struct GateSubject {
  std::string group;  ///< "dataset ttbar"; "" of the whole run
  std::string name;   ///< as a rule would have it: "dataset:ttbar.seconds"
  std::string id;     ///< of the row
  Selection selection;
  std::string per;
};

/// What rules may be about: the numbers of a comparison.
struct GateSubjects {
  const Table& compared;  ///< answer of `compare` on all of the runs
  const std::map<std::string, runtime::Headline>& headlines;
  const Selection& selection;
  std::string per;

  /// Several where the rule is on all of a group. Throws Failure bad_option where there is no such
  /// number, with the nearest there is.
  std::vector<GateSubject> of(const GateRule& rule) const;
};

/// As a rule has a name: in quotes where something in it would end it.
std::string quoted_subject(const std::string& name);

}  // namespace crema::query
