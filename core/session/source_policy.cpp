#include "core/session/source_policy.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/json/number.hpp"

namespace crema {

namespace {

/// Calls `use` with each name between the slashes of `path`.
template <class Use>
void for_each_name(std::string_view path, Use use) {
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    use(path.substr(at, end - at));
    at = end + 1;
  }
}

bool is_litter(std::string_view name) {
  // index.json: which files a server's folder holds (docs/history.md)
  return name == "__MACOSX" || name == "Thumbs.db" || name == "desktop.ini" || name == "index.json";
}

/// The name of an archive without the endings that say so: "run" of "run.tar.gz".
std::string_view without_archive_endings(std::string_view name) {
  const auto drop = [&](std::string_view ending) {
    if (name.size() <= ending.size()) return false;
    const std::string_view last = name.substr(name.size() - ending.size());
    if (!std::equal(last.begin(), last.end(), ending.begin(),
                    [](char a, char b) { return as_small(a) == b; }))
      return false;
    name.remove_suffix(ending.size());
    return true;
  };
  for (const std::string_view ending : {".gz", ".xz", ".zst", ".bz2"}) {
    if (drop(ending)) break;
  }
  for (const std::string_view ending : {".zip", ".tar", ".tgz", ".txz", ".tbz2"}) {
    if (drop(ending)) break;
  }
  return name;
}

}  // namespace

bool counts_as_file(std::string_view path) {
  bool counts = true;
  for_each_name(path, [&](std::string_view name) {
    if (name.substr(0, 1) == "." || is_litter(name)) counts = false;
  });
  return counts;
}

std::string readable_name(std::string_view name) {
  if (!json::invalid_utf8(name)) return std::string(name);
  std::string text;
  for (const char c : name) json::append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

std::string entry_path(std::string_view name) {
  // a backslash is what Windows programs of old put between folders
  std::string slashed(name);
  std::replace(slashed.begin(), slashed.end(), '\\', '/');
  std::string path;
  bool leads_out = false;
  for_each_name(slashed, [&](std::string_view part) {
    if (part == "..") leads_out = true;
    if (part.empty() || part == ".") return;
    path.append(path.empty() ? "" : "/").append(part);
  });
  return leads_out ? std::string() : path;
}

void ArchiveFolders::add(std::string_view path) {
  if (tops_.size() > 1) return;
  const auto slash = path.find('/');
  tops_.emplace(slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash));
}

ArchivePlace ArchiveFolders::place_of(std::string_view path) const {
  if (tops_.size() == 1 && !tops_.begin()->empty()) return {std::string(path), {}};
  return {std::string(directory_of(path)),
          std::string(without_archive_endings(base_name(path))) + "/"};
}

std::string too_much_unpacked() {
  return "the unpacked files are more than " + std::to_string(most_times_unpacked) +
         " times as large as the archive, unlike any run; the rest is not unpacked";
}

std::string too_many_entries() {
  return "the archive holds more than " + format_number(most_entries) +
         " files: unpack it and open the run in it";
}

std::string encrypted_entry() {
  return "it is encrypted: unpack it with its password and open the files";
}

}  // namespace crema
