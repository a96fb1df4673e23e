// The tokenizer against nlohmann's reader: the same events, or both refuse; whatever the cuts.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/core/recorded_events.hpp"

using namespace crema::test;

namespace {

void must(bool well) {
  if (!well) std::abort();
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Where the two differ on purpose (tests/core/test_tokenizer.cpp, "Differs from nlohmann").
bool may_differ(std::string_view text, const Reading& ours) {
  return holds(text, "NaN") || holds(text, "Infinity") || holds(text, "\\u") ||
         holds(ours.events, "d:inf") || holds(ours.events, "d:-inf");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = data[0] + 1U;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Reading ours = read_by_tokenizer(text);
  must(ours == read_by_tokenizer(text, piece));
  // nlohmann's reader ends at a NUL, and ours at a scalar of more than 4096 bytes.
  if (holds(text, std::string_view("\0", 1)) || size > 4096) return 0;
  const Reading theirs = read_by_nlohmann(text);
  if (!theirs.refused) must(ours == theirs);
  else must(ours.refused || may_differ(text, ours));
  return 0;
}
