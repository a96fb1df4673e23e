#include "tests/core/test_data.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <stdexcept>

namespace crema::test {

std::string read_test_file(const std::string& path) {
  const std::string full = std::string(CREMA_TEST_DATA) + "/" + path;
  archive* in = archive_read_new();
  archive_read_support_filter_gzip(in);
  archive_read_support_format_raw(in);
  archive_read_support_format_empty(in);
  archive_entry* entry = nullptr;
  std::string text;
  bool well = archive_read_open_filename(in, full.c_str(), 1U << 16U) == ARCHIVE_OK;
  if (well && archive_read_next_header(in, &entry) == ARCHIVE_OK) {
    char piece[1U << 16U];
    la_ssize_t size = 0;
    while ((size = archive_read_data(in, piece, sizeof piece)) > 0) text.append(piece, static_cast<std::size_t>(size));
    well = size == 0;
  }
  archive_read_free(in);
  if (!well) throw std::runtime_error("cannot read " + full);
  return text;
}

}  // namespace crema::test
