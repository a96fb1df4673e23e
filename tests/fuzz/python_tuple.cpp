// The tokenizer of Python's tuples and the reader of Dask's identifiers, which run on every key of
// a bundle.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/read/python_tuple.hpp"
#include "core/read/tools/stack_profile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto items = crema::read::parse_python_tuple(text)) {
    std::size_t length = 0;
    for (const crema::read::PythonItem& item : *items) length += item.text.size();
    // \xff becomes two bytes of UTF-8 and None is written out: no element is longer than what it
    // was read from.
    if (length > size * 4) std::abort();
  }
  if (const auto identifier = crema::read::parse_dask_identifier(text)) {
    if (identifier->name.size() + identifier->file.size() > size) std::abort();
  }
  return 0;
}
