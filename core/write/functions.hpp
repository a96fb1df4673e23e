#pragma once

#include "core/write/writer.hpp"

namespace crema::write {

/// The functions of one profile (question `frames`) as CSV. Options as for folded stacks.
extern const Writer functions_writer;

}  // namespace crema::write
