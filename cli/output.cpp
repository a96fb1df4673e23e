#include "cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "cli/layout.hpp"
#include "core/base/text.hpp"

namespace crema::cli {

namespace {

namespace fs = std::filesystem;

std::string shown(const fs::path& path) { return visible(path.string()); }

[[noreturn]] void fail(const std::string& what, int error) {
  throw OutputFailed(what + " cannot be written: " + std::generic_category().message(error));
}

/// All of `text` into a file that is there or not, or into a device.
void write(const fs::path& path, const std::string& text) {
  errno = 0;
  std::FILE* const file = std::fopen(path.string().c_str(), "wb");
  if (file == nullptr) fail(shown(path), errno);
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const int error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) fail(shown(path), written ? errno : error);
}

/// Written beside its place and then put there: what stood there is kept until then, and nothing is
/// left half written.
void write_whole(const fs::path& place, const std::string& text) {
  std::error_code ignored;
  // A device or a pipe is written to; a link's target is what is replaced.
  if (fs::exists(place, ignored) && !fs::is_regular_file(place, ignored)) return write(place, text);
  const fs::path path = fs::is_symlink(place, ignored) ? fs::canonical(place) : place;
  fs::path part = path;
  part += ".part";
  std::error_code error;
  try {
    write(part, text);
  } catch (const OutputFailed&) {
    fs::remove(part, ignored);
    throw;
  }
  fs::rename(part, path, error);
  if (error) {
    fs::remove(part, ignored);
    fail(shown(path), error.value());
  }
}

/// Whether writing there would take something away.
bool is_taken(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

void refuse_overwriting(const std::vector<fs::path>& paths, const Target& target) {
  if (target.overwrite) return;
  std::string first;
  std::size_t taken = 0;
  for (const fs::path& path : paths) {
    if (!is_taken(path)) continue;
    if (taken++ == 0) first = shown(path);
  }
  if (taken == 0) return;
  throw Refusal(first + (taken > 1 ? " and " + std::to_string(taken - 1) + " more are" : " is") +
                " there already; nothing was written. --force overwrites");
}

void save_all(const std::vector<Artefact>& files, const std::vector<fs::path>& paths,
              const Target& target) {
  refuse_overwriting(paths, target);
  for (std::size_t i = 0; i < files.size(); ++i) {
    write_whole(paths[i], files[i].content);
    remark("wrote " + shown(paths[i]));
  }
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(shown(folder), error.value());
}

}  // namespace

void print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return;
  if (errno == EPIPE) throw PipeClosed();
  fail("standard output", errno);
}

void remark(std::string_view sentence) {
  const bool is_line = sentence.find('\n') == sentence.npos;
  const std::string text = is_line && is_on_terminal()
                               ? wrapped(std::string(sentence), terminal_width(), "")
                               : std::string(sentence) + "\n";
  std::fprintf(stderr, "%s", text.c_str());
  std::fflush(stderr);
}

void save(const Artefact& file, const Target& target) {
  if (target.is_standard_output()) return print(file.content);
  fs::path path(target.path);
  // "reports/" is a folder even when it is not there yet.
  if (path.filename().empty()) make_folder(path);
  if (fs::is_directory(path)) path /= file.name;
  save_all({file}, {path}, target);
}

void save_into_folder(const std::vector<Artefact>& files, const Target& target) {
  const fs::path folder(target.path);
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
    throw Refusal(shown(folder) + " is no folder; several files are written");
  std::vector<fs::path> paths;
  for (const Artefact& file : files) paths.push_back(folder / file.name);
  refuse_overwriting(paths, target);
  make_folder(folder);
  save_all(files, paths, target);
}

}  // namespace crema::cli
