#pragma once

#include "core/export/writer.hpp"

namespace crema::exports {

/// Folded stacks, "outermost;...;innermost count", a line per stack, frames as "name (file:line)".
/// Options as for speedscope; the sum unless one is chosen. `leaves=notebook` writes, for every
/// worker, the founding notebook's `flamegraph_tsv`: exclusive count at the node (count − Σ
/// children), labels "name@file:line" with the line seen first, a tab before the count, most
/// frequent first, ties in the notebook's post-order.
extern const Writer folded_writer;

}  // namespace crema::exports
