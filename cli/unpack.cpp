#include "cli/unpack.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/session/source_policy.hpp"

namespace crema::cli {

namespace {

constexpr std::size_t piece = 1UL << 20U;

struct ArchiveCloser {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, ArchiveCloser>;

Archive new_reader() {
  Archive reader(archive_read_new());
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_zip(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_raw(reader.get());  // a plain or compressed single file
  archive_read_support_format_empty(reader.get());
  return reader;
}

/// Reads what is packed from its beginning, as often as it is asked to.
using Opener = std::function<Archive()>;

Opener file_opener(const std::string& file) {
  return [&file] {
    Archive reader = new_reader();
    if (archive_read_open_filename(reader.get(), file.c_str(), piece) != ARCHIVE_OK)
      refuse(file, archive_error_string(reader.get()));
    return reader;
  };
}

Opener memory_opener(const std::string& bytes, const std::string& file) {
  return [&] {
    Archive reader = new_reader();
    if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
      refuse(file, archive_error_string(reader.get()));
    return reader;
  };
}

/// An archive that is being read, entry by entry.
class Unpacking {
 public:
  explicit Unpacking(Archive reader) : reader_(std::move(reader)), buffer_(piece) {}

  archive* reader() const { return reader_.get(); }

  /// The next bytes of the current entry, valid until the next call; empty at its end.
  std::string_view next(const std::string& file) {
    const la_ssize_t got = archive_read_data(reader(), buffer_.data(), buffer_.size());
    if (got < 0) refuse(file, archive_error_string(reader()));
    unpacked_ += got;
    if (!may_unpack(static_cast<std::uint64_t>(unpacked_), static_cast<std::uint64_t>(archive_filter_bytes(reader(), -1))))
      refuse(file, too_much_unpacked());
    return {buffer_.data(), static_cast<std::size_t>(got)};
  }

  /// Feeds the current entry to the taker, piece by piece; `bytes` is the first.
  void push(FileTaker& taker, std::string_view bytes, const std::string& file) {
    for (; !bytes.empty(); bytes = next(file)) taker.push(bytes);
    taker.end();
  }

 private:
  Archive reader_;
  std::vector<char> buffer_;
  std::int64_t unpacked_ = 0;  // over all entries [byte]
};

bool is_packed(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b" || bytes.substr(0, 4) == "PK\x03\x04"; }

/// The paths of its entries that count, to know where they stand.
ArchiveFolders folders_of(const Opener& open) {
  const Archive reader = open();
  archive_entry* entry = nullptr;
  ArchiveFolders folders;
  while (archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK) {
    const char* path = archive_entry_pathname_utf8(entry);
    const std::string name = entry_path(path == nullptr ? "" : path);
    if (archive_entry_filetype(entry) == AE_IFREG && counts_as_file(name)) folders.add(name);
  }
  return folders;
}

void add_opened(FileTaker& taker, const Opener& open, const std::string& file, const GivenFile& given, int depth) {
  Unpacking archive(open());
  auto* const reader = archive.reader();
  archive_entry* entry = nullptr;
  const int first = archive_read_next_header(reader, &entry);
  if (first == ARCHIVE_EOF) {
    taker.begin(given.place.source, given.place.path, 0);
    taker.end();
    return;
  }
  if (first != ARCHIVE_OK) refuse(file, archive_error_string(reader));
  if (archive_format(reader) == ARCHIVE_FORMAT_RAW) {
    taker.begin(given.place.source, without_gz(given.place.path), 0);
    archive.push(taker, archive.next(file), file);
    return;
  }
  const auto [name, folder] = folders_of(open).place_of(given.own.value_or(given.place.path));
  const SourceId source = taker.begin_source(name, given.own ? std::nullopt : std::optional(given.place.source));
  do {
    const char* path = archive_entry_pathname_utf8(entry);
    const std::string inner = entry_path(path == nullptr ? "" : path);
    if (inner.empty() || archive_entry_filetype(entry) != AE_IFREG || !counts_as_file(inner)) continue;
    const std::string where = file + "/" + inner;
    const auto size = static_cast<std::uint64_t>(archive_entry_size(entry));
    std::string_view bytes = archive.next(where);
    if (depth < deepest_archive && is_packed(bytes)) {
      std::string packed;
      for (; !bytes.empty(); bytes = archive.next(where)) packed += bytes;
      add_opened(taker, memory_opener(packed, where), where, {{source, folder + inner}, {}}, depth + 1);
      continue;
    }
    taker.begin(source, folder + inner, size);
    archive.push(taker, bytes, where);
  } while (archive_read_next_header(reader, &entry) == ARCHIVE_OK);
}

}  // namespace

void add_file(FileTaker& taker, const std::string& file, const GivenFile& given) {
  add_opened(taker, file_opener(file), file, given, 1);
}

/// libarchive's writer, and what it has written so far.
struct Gzip::State {
  std::string packed;
  std::unique_ptr<archive, int (*)(archive*)> writer{archive_write_new(), archive_write_free};

  void check(int result) const {
    if (result < ARCHIVE_WARN) refuse("the report", archive_error_string(writer.get()));
  }
};

Gzip::Gzip() : state_(std::make_unique<State>()) {
  const auto keep = [](archive*, void* packed, const void* bytes, std::size_t size) {
    static_cast<std::string*>(packed)->append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
  };
  archive* writer = state_->writer.get();
  archive_write_add_filter_gzip(writer);
  archive_write_set_format_raw(writer);
  archive_write_set_bytes_per_block(writer, 0);
  state_->check(archive_write_open(writer, &state_->packed, nullptr, keep, nullptr));
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_pathname(entry.get(), "file");
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  state_->check(archive_write_header(writer, entry.get()));
}

Gzip::~Gzip() = default;

void Gzip::push(std::string_view bytes) {
  if (archive_write_data(state_->writer.get(), bytes.data(), bytes.size()) < 0) state_->check(ARCHIVE_FATAL);
}

std::string Gzip::finish() {
  state_->check(archive_write_close(state_->writer.get()));
  return std::move(state_->packed);
}

}  // namespace crema::cli
