#pragma once

#include <string>
#include <vector>

#include "core/compare/comparison.hpp"

namespace crema::report {

/// "Workers, most at once", "All datasets", "ttbar"
std::string label_of(const compare::ComparedNumber& row);

/// "only in A", "noise unknown: it needs replicates"
std::string note_text(const compare::RowNote& note, bool has_replicates);

/// Where the noise of a row comes from; "" where it has none.
std::string noise_source_text(const compare::ComparedNumber& row, bool has_replicates);

/// "datasets: only B has them; hosts: only A has them"
std::string not_compared_text(const std::vector<compare::OnlyOneSide>& groups);

}  // namespace crema::report
