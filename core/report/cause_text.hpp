#pragma once

#include <string>
#include <vector>

#include "core/compare/causes.hpp"

namespace crema::report {

/// "section skim_selection of dataset wjets"
std::string label_of(const compare::Effect& part);

/// "on worker 1", "in dataset wjets"
std::string place_of(const compare::PartId& id);

/// What a part of a change is: of a function its name alone.
std::string label_of(const compare::Cause& cause);

/// ", which A does not have", of a function that one run has.
std::string_view only_in_text(const compare::Cause::Function& function);

/// "jets, process() outside its sections"
std::string sections_text(const std::vector<compare::SectionId>& sections);

/// "tasks outside process()"
std::string_view name_of(compare::ElapsedChange::Step::Kind step);

}  // namespace crema::report
