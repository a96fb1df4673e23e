#pragma once

#include "core/export/writer.hpp"

namespace crema::exports {

/// The icicle of one profile as one SVG file that needs nothing else: boxes coloured by category,
/// texts that can be selected and searched, a title per box with its numbers. Boxes narrower than a
/// tenth of a pixel are left out and counted below the picture. Options as for folded stacks, and
/// `order` (heavy, name), `width` [px].
extern const Writer svg_writer;

}  // namespace crema::exports
