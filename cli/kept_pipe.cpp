#include "cli/kept_pipe.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <vector>

#include "cli/bundle.hpp"

namespace crema::cli {

namespace {

/// Files are opened more than once, and a pipe gives its bytes only once: a temporary file keeps
/// them.
class KeptPipe {
 public:
  KeptPipe(std::FILE* in, const std::string& name)
      : path_((std::filesystem::temp_directory_path() / "crema-XXXXXX").string()) {
    const auto fail = [&](const std::string& how) {
      refuse(name, "it " + how + " (" + std::generic_category().message(errno) + ")");
    };
    if (in == nullptr) fail("cannot be read");
    const int file = mkstemp(path_.data());
    if (file < 0) fail("cannot be kept in " + path_);
    std::FILE* const out = fdopen(file, "wb");
    std::vector<char> buffer(1UL << 20U);
    bool written = out != nullptr;
    std::size_t got = 0;
    while (written && (got = std::fread(buffer.data(), 1, buffer.size(), in)) > 0)
      written = std::fwrite(buffer.data(), 1, got, out) == got;
    written = out != nullptr && std::fclose(out) == 0 && written;
    if (!written || std::ferror(in) != 0) {
      const int error = errno;
      remove();
      errno = error;
      fail(written ? "cannot be read" : "cannot be kept in " + path_);
    }
  }
  ~KeptPipe() { remove(); }
  KeptPipe(const KeptPipe&) = delete;
  KeptPipe& operator=(const KeptPipe&) = delete;

  const std::string& path() const { return path_; }

 private:
  void remove() const { std::remove(path_.c_str()); }

  std::string path_;
};

}  // namespace

bool is_pipe(const std::string& bundle) {
  std::error_code unknown;
  return bundle == "-" || std::filesystem::is_fifo(bundle, unknown);
}

const std::string& kept_pipe(const std::string& bundle) {
  static std::map<std::string, KeptPipe> kept;
  const auto known = kept.find(bundle);
  if (known != kept.end()) return known->second.path();
  if (bundle == "-") return kept.try_emplace(bundle, stdin, "standard input").first->second.path();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(bundle.c_str(), "rb"),
                                                           std::fclose);
  return kept.try_emplace(bundle, in.get(), bundle).first->second.path();
}

}  // namespace crema::cli
