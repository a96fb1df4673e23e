#pragma once

#include <string_view>
#include <vector>

#include "core/profile/frame_facts.hpp"

namespace crema::profile {

/// Which frames a pattern names, by FrameId.
///
///     TEXT                        the text occurs in the name or the file, whatever the case of
///     ASCII letters /EXPRESSION/                the expression (core/profile/regex.hpp) matches in
///     the name or the file name=…  file=…  category=…  package=…   the same in that alone
///     function=NAME@FILE:LINE     exactly this function (file as on the page; `@FILE`, `:LINE`
///     only where known)
///
/// An empty pattern names none. Failure bad_option for an expression that is none.
std::vector<bool> frames_matching(const FrameFacts& facts, std::string_view pattern);

/// The pattern that names exactly this function.
std::string exact_pattern(const FrameFacts& facts, FrameId frame);

}  // namespace crema::profile
