#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/session/session.hpp"

namespace crema::cli {

/// Is given the files of bundles one after the other, unpacked.
class FileTaker {
 public:
  virtual ~FileTaker() = default;
  /// `path`: as the file is known from now on, with '/' between folders; `size` is 0 when it is not known.
  virtual void begin(const std::string& path, std::uint64_t size) = 0;
  virtual void push(std::string_view piece) = 0;
  virtual void end() = 0;
};

/// Throws the Failure that `file` cannot be opened, and why.
[[noreturn]] void refuse(const std::string& file, std::string why);

/// The name of a file that was packed with gzip, without the ending that says so.
std::string without_gz(std::string name);

/// Hands the files of BUNDLEs (folders, .zip and other archives, files, .gz of any of them) to `taker`, always in the same
/// order. Archives are read with libarchive, one entry at a time; an archive counts as a folder named after it, unless it has
/// a single top folder. Throws Failure for a file that cannot be read at all: its message says which and why.
void read_bundles(const std::vector<std::string>& bundles, FileTaker& taker);

/// Opens BUNDLEs as one opening of `session`. Errors: those of read_bundles, or nothing to show.
Result<Opened> open_bundles(Session& session, const std::vector<std::string>& bundles);

}  // namespace crema::cli
