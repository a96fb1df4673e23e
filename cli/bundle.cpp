#include "cli/bundle.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace crema::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece = 1UL << 20U;

struct ArchiveCloser {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, ArchiveCloser>;

[[noreturn]] void refuse(const std::string& file, std::string why) {
  throw Failure(Error{.code = ErrorCode::cannot_open, .detail = std::move(why), .file = file, .path = {}});
}

Archive open_archive(const std::string& file) {
  Archive reader(archive_read_new());
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_zip(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_raw(reader.get());  // a plain or compressed single file
  archive_read_support_format_empty(reader.get());
  if (archive_read_open_filename(reader.get(), file.c_str(), piece) != ARCHIVE_OK)
    refuse(file, archive_error_string(reader.get()));
  return reader;
}

std::string without_ending(std::string name, std::string_view ending) {
  if (name.size() > ending.size() && std::string_view(name).substr(name.size() - ending.size()) == ending)
    name.resize(name.size() - ending.size());
  return name;
}

// As for the page (web/engine/unpacking.ts): recorded runs unpack to 10 to 40 times their size.
constexpr std::int64_t most_times = 250;
constexpr std::int64_t always_allowed = 32LL << 20U;

/// Feeds the current entry to the taker, piece by piece. `unpacked` [byte] counts over all entries of the archive.
void push_entry(FileTaker& taker, archive* reader, const std::string& file, std::int64_t& unpacked) {
  std::vector<char> buffer(piece);
  while (true) {
    const la_ssize_t got = archive_read_data(reader, buffer.data(), buffer.size());
    if (got < 0) refuse(file, archive_error_string(reader));
    if (got == 0) break;
    unpacked += got;
    if (unpacked > always_allowed && unpacked > most_times * archive_filter_bytes(reader, -1))
      refuse(file,
             "what is packed here is more than " + std::to_string(most_times) + " times as large as the archive, as in no run");
    taker.push({buffer.data(), static_cast<std::size_t>(got)});
  }
  taker.end();
}

/// The one folder that holds all entries of an archive, with its "/"; empty when there is none.
std::string single_top_folder(const std::string& file) {
  const Archive reader = open_archive(file);
  archive_entry* entry = nullptr;
  std::string top;
  while (archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK) {
    const char* path = archive_entry_pathname_utf8(entry);
    const std::string name = path == nullptr ? "" : path;
    const auto slash = name.find('/');
    if (slash == std::string::npos) return {};
    const std::string folder = name.substr(0, slash + 1);
    if (top.empty()) top = folder;
    if (folder != top) return {};
  }
  return top;
}

void add_file(FileTaker& taker, const std::string& file, const std::string& shown) {
  const Archive reader = open_archive(file);
  archive_entry* entry = nullptr;
  std::int64_t unpacked = 0;
  const int first = archive_read_next_header(reader.get(), &entry);
  if (first == ARCHIVE_EOF) {
    taker.begin(shown, 0);
    taker.end();
    return;
  }
  if (first != ARCHIVE_OK) refuse(file, archive_error_string(reader.get()));
  if (archive_format(reader.get()) == ARCHIVE_FORMAT_RAW) {
    taker.begin(without_ending(shown, ".gz"), 0);
    push_entry(taker, reader.get(), file, unpacked);
    return;
  }
  std::string folder = single_top_folder(file).empty() ? fs::path(shown).stem().string() + "/" : std::string();
  do {
    const char* path = archive_entry_pathname_utf8(entry);
    if (path == nullptr || archive_entry_filetype(entry) != AE_IFREG) continue;
    const std::string name = path;
    if (name.rfind("__MACOSX/", 0) == 0) continue;
    const auto size = static_cast<std::uint64_t>(archive_entry_size(entry));
    taker.begin(folder + name, size);
    push_entry(taker, reader.get(), file + "/" + name, unpacked);
  } while (archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK);
}

void add_folder(FileTaker& taker, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    if (entry.is_regular_file() && entry.path().filename().string().front() != '.') files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  const fs::path name = folder.filename().empty() ? folder.parent_path().filename() : folder.filename();
  for (const fs::path& file : files) {
    const std::string inner = fs::relative(file, folder).generic_string();
    add_file(taker, file.string(),
             (name == "." || name == ".." ? fs::weakly_canonical(folder).filename() : name).generic_string() + "/" + inner);
  }
}

class SessionTaker : public FileTaker {
 public:
  explicit SessionTaker(Session& session) : session_(session) {}
  void begin(const std::string& path, std::uint64_t size) override { file_ = session_.add_file(path, size); }
  void push(std::string_view bytes) override { session_.push(file_, bytes); }
  void end() override { session_.finish_file(file_); }

 private:
  Session& session_;
  FileId file_ = 0;
};

}  // namespace

void read_bundles(const std::vector<std::string>& bundles, FileTaker& taker) {
  try {
    for (const std::string& bundle : bundles) {
      if (fs::is_directory(bundle)) add_folder(taker, bundle);
      else if (fs::exists(bundle)) add_file(taker, bundle, fs::path(bundle).filename().string());
      else refuse(bundle, "there is no such file or folder");
    }
  } catch (const fs::filesystem_error& error) {
    refuse(error.path1().string(), error.code().message());
  }
}

Result<Opened> open_bundles(Session& session, const std::vector<std::string>& bundles) {
  SessionTaker taker(session);
  try {
    read_bundles(bundles, taker);
  } catch (const Failure& failure) {
    session.cancel();
    return failure.error();
  }
  return session.finish();
}

}  // namespace crema::cli
