#pragma once

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/session/session.hpp"

namespace crema::cli {

/// Is given the files of bundles one after the other, unpacked, and is told what cannot be had. The
/// sources are those of Session::begin_source, and counted like them.
class FileTaker {
 public:
  virtual ~FileTaker() = default;
  virtual SourceId begin_source(const std::string&, std::optional<SourceId>) { return sources_++; }
  virtual SourceId begin_single_files(const std::string& name) { return begin_source(name, {}); }

  /// `path`: within its source, with '/' between folders; `size` is 0 when it is not known.
  virtual void begin(SourceId source, const std::string& path, std::uint64_t size) = 0;
  /// Whether more of the file is wanted; if not, `end` follows.
  virtual bool push(std::string_view piece) = 0;
  virtual void end() = 0;
  /// The rest of the file that was begun cannot be had; ends it.
  virtual void fail(const std::string&) { end(); }

  virtual void miss_file(SourceId, const std::string&, const std::string&) {}
  virtual void miss_rest(SourceId, const std::string&, const std::string&) {}

 private:
  SourceId sources_ = 0;
};

/// Gives them to a session.
class SessionTaker : public FileTaker {
 public:
  explicit SessionTaker(Session& session) : session_(session) {}
  SourceId begin_source(const std::string& name, std::optional<SourceId> parent) override {
    return session_.begin_source(name, parent);
  }
  SourceId begin_single_files(const std::string& name) override {
    return session_.begin_single_files(name);
  }
  void begin(SourceId source, const std::string& path, std::uint64_t size) override {
    file_ = session_.add_file(source, path, size);
  }
  bool push(std::string_view bytes) override {
    session_.push(file_, bytes);
    return session_.wants_more(file_);
  }
  void end() override { session_.finish_file(file_); }
  void fail(const std::string& why) override { session_.fail_file(file_, why); }
  void miss_file(SourceId source, const std::string& path, const std::string& why) override {
    session_.miss_file(source, path, why);
  }
  void miss_rest(SourceId source, const std::string& name, const std::string& why) override {
    session_.miss_rest(source, name, why);
  }

 protected:
  Session& session() { return session_; }

 private:
  Session& session_;
  FileId file_ = 0;
};

/// Throws the Failure that `file` cannot be opened, and why.
[[noreturn]] void refuse(const std::string& file, std::string why);

/// Why a file or folder of this machine cannot be read, a clause; empty when it can.
std::string why_unreadable(const std::string& path);

/// The name of a file that was packed with gzip, without the ending that says so.
std::string without_gz(std::string name);

/// Hands the files of BUNDLEs (folders, .zip and other archives, files, .gz of any of them, "-" for
/// standard input) to `taker`, always in the same order. Each folder and each archive is a source
/// of its own, also when it is given twice; files that are given one by one are one source
/// together. What of a folder or archive is looked at is told by core/session/source_policy.hpp.
/// Archives are read with libarchive, one entry at a time. Throws Failure for a BUNDLE that cannot
/// be read at all.
void read_bundles(const std::vector<std::string>& bundles, FileTaker& taker);

/// Opens BUNDLEs as one opening of `session`. Errors: those of read_bundles, or nothing to show.
/// `told` is told of what could not be had: no answer is without that word.
Result<Opened> open_bundles(Session& session, const std::vector<std::string>& bundles,
                            std::ostream& told = std::cerr);

}  // namespace crema::cli
