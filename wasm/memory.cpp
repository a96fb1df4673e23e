// memcpy and memmove in place of Emscripten's, which move bytes one by one where the target lies
// behind the source, as the text of a file's name lies behind the bytes that were read. Every
// string and vector uses them. And siprintf, which Embind alone calls, for the name of a type
// without RTTI: its address. Printing in all its forms is 1.5 kB to download.
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

using Vector = std::uint64_t __attribute__((vector_size(16)));

/// Moves `size` bytes that are between one and two words, or exactly one or two: both words are
/// read before either is written.
template <class Word>
[[gnu::always_inline]] inline void move_ends(char* to, const char* from, std::size_t size) {
  Word first;
  Word last;
  __builtin_memcpy(&first, from, sizeof first);
  __builtin_memcpy(&last, from + size - sizeof last, sizeof last);
  __builtin_memcpy(to, &first, sizeof first);
  __builtin_memcpy(to + size - sizeof last, &last, sizeof last);
}

}  // namespace

extern "C" {

void* memmove(void* target, const void* source, std::size_t size) {
  auto* const to = static_cast<char*>(target);
  const auto* const from = static_cast<const char*>(source);
  if (size > 2 * sizeof(Vector)) return __builtin_memmove(to, from, size);  // one instruction
  if (size >= sizeof(Vector)) move_ends<Vector>(to, from, size);
  else if (size >= 8) move_ends<std::uint64_t>(to, from, size);
  else if (size >= 4) move_ends<std::uint32_t>(to, from, size);
  else if (size >= 2) move_ends<std::uint16_t>(to, from, size);
  else if (size == 1) *to = *from;
  return target;
}

void* memcpy(void* __restrict target, const void* __restrict source, std::size_t size) {
  return memmove(target, source, size);
}

int siprintf(char* to, const char* format, ...) {
  if (std::strcmp(format, "%p") != 0) __builtin_trap();
  va_list arguments;
  va_start(arguments, format);
  const auto address = reinterpret_cast<std::uintptr_t>(va_arg(arguments, void*));
  va_end(arguments);
  char* end = to;
  for (int shift = 28; shift >= 0; shift -= 4) *end++ = "0123456789abcdef"[address >> shift & 15];
  *end = '\0';
  return static_cast<int>(end - to);
}
}
