#pragma once

#include "core/model/run.hpp"

namespace crema::compare {

/// Of a recording made from its facts, and kept by the run; of a digest those that it kept.
const RunFigures& figures_of(const Run& run);

}  // namespace crema::compare
