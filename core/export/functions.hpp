#pragma once

#include "core/export/writer.hpp"

namespace crema::exports {

/// The functions of one profile (question `frames`) as CSV. Options as for folded stacks.
extern const Writer functions_writer;

}  // namespace crema::exports
