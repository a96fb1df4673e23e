#include "cli/standard_input.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "cli/bundle.hpp"

namespace crema::cli {

namespace {

constexpr const char* input_name = "standard input";

/// Archives are read more than once, and a pipe only once: what comes from it is kept in a file
/// meanwhile.
class KeptInput {
 public:
  KeptInput() : path_((std::filesystem::temp_directory_path() / "crema-XXXXXX").string()) {
    const int file = mkstemp(path_.data());
    if (file < 0) fail("cannot be kept in " + path_);
    std::FILE* const out = fdopen(file, "wb");
    std::vector<char> buffer(1UL << 20U);
    bool written = out != nullptr;
    std::size_t got = 0;
    while (written && (got = std::fread(buffer.data(), 1, buffer.size(), stdin)) > 0)
      written = std::fwrite(buffer.data(), 1, got, out) == got;
    written = out != nullptr && std::fclose(out) == 0 && written;
    if (!written || std::ferror(stdin) != 0) {
      const int error = errno;
      remove();
      errno = error;
      fail(written ? "cannot be read" : "cannot be kept in " + path_);
    }
  }
  ~KeptInput() { remove(); }
  KeptInput(const KeptInput&) = delete;
  KeptInput& operator=(const KeptInput&) = delete;

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] static void fail(const std::string& how) {
    refuse(input_name, "it " + how + " (" + std::generic_category().message(errno) + ")");
  }
  void remove() const { std::remove(path_.c_str()); }

  std::string path_;
};

}  // namespace

const std::string& standard_input_file() {
  static const KeptInput input;
  return input.path();
}

}  // namespace crema::cli
