#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

namespace crema::json {

/// Where a document is cut: containers below `levels` are empty, levels below the top hold at most
/// `members`, strings are cut to `text_length` bytes.
struct DocumentLimits {
  std::size_t levels = ~std::size_t{0};
  std::size_t members = ~std::size_t{0};
  std::size_t text_length = ~std::size_t{0};
};

/// A small document as nlohmann's tree, read by our Tokenizer: with NaN and Infinity, and as far as
/// it is complete (a discarded value when not even its beginning is JSON). `error` says what is
/// wrong with it.
struct Document {
  nlohmann::json json;
  std::optional<Error> error;
};
Document build_document(std::string_view bytes, const DocumentLimits& limits = {});

}  // namespace crema::json
