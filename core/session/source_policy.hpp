#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace crema {

// Which files of folders and archives are read, and what unpacking may cost. This is the one home
// of these rules: the command lines, the page's worker and Node's package ask here.
// python/cremascope/bundle.py says the same again; tests/data/source_policy.json holds both to it.

/// Whether a file of a folder or archive is read at all. `path` begins below what was opened, with
/// "/" between folders. Not what is hidden (`.ipynb_checkpoints/metrics-checkpoint.json`, `.git/…`,
/// `._x`), nor what operating systems leave there (`__MACOSX/…`, `Thumbs.db`, `desktop.ini`). A
/// file that was given itself is always read.
bool counts_as_file(std::string_view path);

/// The name of an archive's entry as UTF-8: a name that is not UTF-8 is read as Latin-1.
std::string readable_name(std::string_view name);

/// Normalises the path of an archive's entry: "/" between folders, no "./", no "//". Empty when it
/// is no path or leads out of the archive.
std::string entry_path(std::string_view name);

/// Where the files of an archive are: `source` is the name of their source, and `folder` is put in
/// front of each path.
struct ArchivePlace {
  std::string source;
  std::string folder;  ///< ends with "/", or is empty
};

/// Finds out whether an archive holds a single folder, from its entries that count.
class ArchiveFolders {
 public:
  /// `path` as entry_path() made it.
  void add(std::string_view path);
  /// For the archive at `path`. One that holds a single folder is that folder; else it stands for a
  /// folder of its own name.
  ArchivePlace place_of(std::string_view path) const;

 private:
  std::set<std::string, std::less<>> tops_;  // no more than two: that is enough to know
};

/// Archives may be nested this deep; what is packed deeper is not unpacked.
constexpr int max_archive_depth = 3;

constexpr std::size_t most_entries = 10'000;

// Recorded runs unpack to 10 to 40 times their size.
constexpr std::uint64_t most_times_unpacked = 250;
constexpr std::uint64_t always_unpacked = 32ULL << 20U;  ///< [byte]

/// Whether `unpacked` bytes may come out of `packed` ones [byte], each counted over all of one
/// archive with those in it.
constexpr bool may_unpack(std::uint64_t unpacked, std::uint64_t packed) {
  return unpacked <= always_unpacked || unpacked <= most_times_unpacked * packed;
}

// Why an archive is not unpacked (further), as sentences that follow its name.
std::string too_much_unpacked();
std::string too_many_entries();
std::string encrypted_entry();

}  // namespace crema
