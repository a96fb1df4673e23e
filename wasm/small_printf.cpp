// All that the JSON library formats by printf are code units, "\u%04x" and "<U+%.4X>". The C
// library's printf would come with its floating-point numbers for that, 5 kB to download.
#include <cstdarg>
#include <cstddef>

extern "C" int snprintf(char* into, std::size_t size, const char* format, ...) {
  va_list given;
  va_start(given, format);
  std::size_t length = 0;
  const auto put = [&](char character) {
    if (length + 1 < size) into[length] = character;
    ++length;
  };
  for (; *format != '\0'; ++format) {
    if (*format != '%') {
      put(*format);
      continue;
    }
    while (*format != 'x' && *format != 'X' && *format != '\0') ++format;
    if (*format == '\0') break;
    const unsigned value = va_arg(given, unsigned);
    for (int shift = 12; shift >= 0; shift -= 4)
      put((*format == 'x' ? "0123456789abcdef" : "0123456789ABCDEF")[(value >> shift) & 15]);
  }
  va_end(given);
  if (size > 0) into[length < size ? length : size - 1] = '\0';
  return static_cast<int>(length);
}
