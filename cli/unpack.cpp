#include "cli/unpack.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/enclosed.hpp"
#include "cli/gunzip.hpp"
#include "cli/read_ahead.hpp"
#include "core/session/source_policy.hpp"

namespace crema::cli {

namespace {

constexpr std::size_t piece = 1UL << 20U;

// What of a file is unpacked and read in turn before a thread unpacks the rest [byte]: for less, it
// is not worth its beginning.
constexpr std::size_t small = std::size_t{16} << 20U;

/// The bytes of a file, or those in memory, from their beginning.
class Bytes {
 public:
  explicit Bytes(const std::string& file)
      : in_(file, std::ios::binary), buffer_(std::size_t{1} << 18U) {}
  explicit Bytes(std::string_view memory) : rest_(memory) {}

  /// The next ones, valid until the next call; empty at the end.
  std::string_view next() {
    if (buffer_.empty()) return std::exchange(rest_, {});
    in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    return {buffer_.data(), static_cast<std::size_t>(in_.gcount())};
  }

 private:
  std::ifstream in_;
  std::vector<char> buffer_;
  std::string_view rest_;
};

/// What gzip packed, as libarchive reads it: its own filter does not compare checksums. No more of
/// it than any run is.
class GzipInput {
 public:
  explicit GzipInput(Bytes packed)
      : packed_(std::move(packed)), gunzip_([this] { return packed_.next(); }) {}

  std::string_view next() {
    const std::string_view bytes = is_too_much_ ? std::string_view() : gunzip_.next();
    unpacked_ += bytes.size();
    is_too_much_ = !may_unpack(unpacked_, taken());
    return is_too_much_ ? std::string_view() : bytes;
  }
  std::uint64_t taken() const {
    return static_cast<std::uint64_t>(gunzip_.taken());
  }  ///< [byte] of what is packed
  bool is_too_much() const { return is_too_much_; }
  const std::string& problem() const { return gunzip_.problem(); }

 private:
  Bytes packed_;
  Gunzip gunzip_;
  std::uint64_t unpacked_ = 0;
  bool is_too_much_ = false;
};

struct ArchiveCloser {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, ArchiveCloser>;

std::string reason_of(archive* reader) {
  const char* text = archive_error_string(reader);
  return text == nullptr ? "it is cut off" : text;
}

la_ssize_t read_unpacked(archive*, void* input, const void** bytes) {
  const std::string_view next = static_cast<GzipInput*>(input)->next();
  *bytes = next.data();
  return static_cast<la_ssize_t>(next.size());
}

/// A file that may be packed, or an archive: read from its beginning, entry by entry.
class Unpacking {
 public:
  /// Of `file`, or of `memory` when that is given. Where `on` is set, a tar is read on behind what
  /// looks like its end.
  Unpacking(const std::string& file, const std::string* memory, bool on)
      : reader_(archive_read_new()) {
    archive_read_support_filter_all(reader());
    archive_read_support_format_zip(reader());
    archive_read_support_format_tar(reader());
    archive_read_support_format_raw(reader());  // a plain or compressed single file
    archive_read_support_format_empty(reader());
    if (on) archive_read_set_format_option(reader(), "tar", "read_concatenated_archives", "1");
    const auto bytes = [&] {
      return memory != nullptr ? Bytes(std::string_view(*memory)) : Bytes(file);
    };
    Bytes beginning = bytes();
    const std::string_view head = beginning.next().substr(0, 2);
    int opened = ARCHIVE_OK;
    if (head == "\x1f\x8b") {
      gzip_ = std::make_unique<GzipInput>(bytes());
      opened = archive_read_open(reader(), gzip_.get(), nullptr, read_unpacked, nullptr);
    } else if (memory != nullptr) {
      opened = archive_read_open_memory(reader(), memory->data(), memory->size());
    } else {
      opened = archive_read_open_filename(reader(), file.c_str(), piece);
    }
    if (opened != ARCHIVE_OK) failure_ = reason_of(reader());
  }

  /// Goes to the next entry; nullptr at the end. What is damaged is skipped.
  archive_entry* next_entry() {
    archive_entry* entry = nullptr;
    while (failure_.empty()) {
      const std::int64_t before = archive_filter_bytes(reader(), 0);
      const int result = archive_read_next_header(reader(), &entry);
      if (result == ARCHIVE_EOF) break;
      // of warnings most are about names that the C locale does not know
      if (result == ARCHIVE_OK || result == ARCHIVE_WARN) return entry;
      damage_ = reason_of(reader());
      // after damage in a tar the next header is looked for
      if (result == ARCHIVE_FATAL || archive_filter_bytes(reader(), 0) == before) break;
    }
    return nullptr;
  }

  /// The next bytes of the current entry, valid until the next call; empty at its end, and where it
  /// cannot be read on: then `fault` says why.
  std::string_view next(std::string& fault) {
    const void* bytes = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    while (fault.empty() && size == 0) {
      const int result = archive_read_data_block(reader(), &bytes, &size, &offset);
      if (result == ARCHIVE_EOF) return {};
      if (result != ARCHIVE_OK) fault = reason_of(reader());
      // with a warning, of a wrong checksum, come the last bytes
      if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return {};
    }
    return {static_cast<const char*>(bytes), size};
  }

  bool is_archive() const {
    return archive_format(reader()) != ARCHIVE_FORMAT_RAW &&
           archive_format(reader()) != ARCHIVE_FORMAT_EMPTY;
  }
  bool is_tar() const {
    return (archive_format(reader()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;
  }
  bool is_plain() const {
    return !gzip_ && archive_filter_code(reader(), 0) == ARCHIVE_FILTER_NONE;
  }
  /// [byte] of what is packed, so far
  std::uint64_t taken() const {
    return gzip_ ? gzip_->taken() : static_cast<std::uint64_t>(archive_filter_bytes(reader(), -1));
  }

  /// Why it cannot be opened, or what is damaged; empty when all is well so far.
  const std::string& failure() const { return failure_; }
  const std::string& damage() const {
    return gzip_ && !gzip_->problem().empty() ? gzip_->problem() : damage_;
  }
  bool is_too_much() const { return gzip_ && gzip_->is_too_much(); }

 private:
  archive* reader() const { return reader_.get(); }

  std::unique_ptr<GzipInput> gzip_;  // outlives the reader
  Archive reader_;
  std::string failure_;
  std::string damage_;
};

bool is_packed(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::string_view gzip = "\x1f\x8b"sv;
  constexpr std::string_view xz = "\xfd\x37zXZ\0"sv;
  for (const std::string_view begin : {gzip, "PK\x03\x04"sv, xz, "\x28\xb5\x2f\xfd"sv, "BZh"sv}) {
    if (bytes.starts_with(begin)) return true;
  }
  return bytes.size() > 262 && bytes.substr(257, 5) == "ustar";
}

bool is_html(std::string_view bytes) {
  const auto first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes.substr(first, 2) == "<!";
}

/// The path of an entry, whatever it is written in; empty when it has none.
std::string path_of(archive_entry* entry) {
  const char* name = archive_entry_pathname_utf8(entry);
  if (name == nullptr) name = archive_entry_pathname(entry);
  return name == nullptr ? std::string() : entry_path(readable_name(name));
}

/// Thrown where unpacking is given up; the sentence is about all of what was given.
struct GivenUp {
  std::string why;
};

class Unpacker {
 public:
  explicit Unpacker(FileTaker& taker) : taker_(taker) {}

  /// `memory`: what was packed in another file, which is called `file`.
  void add(const std::string& file, const std::string* memory, const GivenFile& given, int depth) {
    Unpacking packed(file, memory, false);
    if (depth == 1) outermost_ = &packed;
    archive_entry* entry = packed.failure().empty() ? packed.next_entry() : nullptr;
    if (!packed.failure().empty() || (entry == nullptr && !packed.damage().empty())) {
      miss(given, packed.failure().empty() ? packed.damage() : packed.failure());
    } else if (entry == nullptr && !packed.is_archive()) {
      begin(given.place.source, given.place.path, 0);
      taker_.end();
    } else if (packed.is_archive()) {
      add_archive(file, memory, given, depth);
    } else {
      std::error_code unknown;
      const std::uintmax_t size =
          memory != nullptr ? memory->size() : std::filesystem::file_size(file, unknown);
      const bool has_size = packed.is_plain() && !unknown;
      add_single(packed, given, has_size ? size : 0);
    }
  }

  /// The file that was begun, and what was given as a whole, cannot be read on.
  void give_up(const GivenFile& given, const std::string& why) {
    if (begun_) taker_.fail(why);
    else if (!archive_) miss(given, why);
    if (archive_) taker_.miss_rest(*archive_, given.own.value_or(given.place.path), why);
  }

 private:
  void begin(SourceId source, const std::string& path, std::uint64_t size) {
    taker_.begin(source, path, size);
    begun_ = true;
  }
  void end(const std::string& fault) {
    begun_ = false;
    if (fault.empty()) taker_.end();
    else taker_.fail(fault);
  }

  void miss(const GivenFile& given, const std::string& why) {
    if (given.own) refuse(*given.own, why);
    taker_.miss_file(given.place.source, given.place.path, why);
  }

  std::string_view next(Unpacking& packed, std::string& fault) {
    const std::string_view bytes = packed.next(fault);
    unpacked_ += bytes.size();
    if (packed.is_too_much() || !may_unpack(unpacked_, outermost_->taken()))
      throw GivenUp{too_much_unpacked()};
    return bytes;
  }

  std::string rest_of(Unpacking& packed, std::string_view first, std::string& fault) {
    std::string all;
    for (std::string_view bytes = first; !bytes.empty(); bytes = next(packed, fault)) all += bytes;
    return all;
  }

  /// Hands over what is left of the current entry, as far as it is wanted: false when it is not
  /// wanted to its end. What is wrong behind that nobody asks, as it may have been looked at or
  /// not.
  bool hand_over(Unpacking& packed, std::string_view first, std::string& fault) {
    std::optional<ReadAhead> ahead;
    bool alone = std::thread::hardware_concurrency() < 2;
    std::size_t taken = 0;
    const auto next_one = [&] {
      if (!ahead && !alone && taken >= small) {
        try {
          ahead.emplace([&] { return next(packed, fault); });
        } catch (const std::system_error&) {
          alone = true;  // no more threads are to be had: it goes on in turn
        }
      }
      const std::string_view bytes = ahead ? ahead->next() : next(packed, fault);
      taken += bytes.size();
      return bytes;
    };
    std::string_view bytes = first;
    while (!bytes.empty() && taker_.push(bytes)) bytes = next_one();
    // The next entry of a tar is reached only by unpacking the rest of this one: here it is
    // weighed.
    while (!bytes.empty() && packed.is_tar()) bytes = next_one();
    ahead.reset();
    if (!bytes.empty()) fault.clear();
    return bytes.empty();
  }

  /// Hands over what is left of the file that was begun.
  void push(Unpacking& packed, std::string_view first, std::string& fault) {
    if (hand_over(packed, first, fault) && fault.empty()) fault = packed.damage();
    end(fault);
  }

  /// `size` is 0 when it is not known.
  void add_single(Unpacking& packed, const GivenFile& given, std::uint64_t size) {
    std::string fault;
    std::string_view first = next(packed, fault);
    if (given.own && is_html(first)) {
      const std::string page = rest_of(packed, first, fault);
      if (add_enclosed(page, given)) return;
      begin(given.place.source, without_gz(given.place.path), page.size());
      taker_.push(page);
      end(fault.empty() ? packed.damage() : fault);
      return;
    }
    begin(given.place.source, without_gz(given.place.path), size);
    push(packed, first, fault);
  }

  /// The runs in a report; false when the page is none. One that lies in a folder is a copy of
  /// runs, and not looked into.
  bool add_enclosed(const std::string& page, const GivenFile& given) {
    const auto enclosed = enclosed_in(page);
    if (!enclosed) return false;
    const std::vector<SourceId> sources = begin_sources(taker_, *enclosed);
    archive_ = sources.front();
    for (const auto& [place, bytes] : enclosed->files) {
      const FilePlace here{sources[place.source], place.path};
      if (bytes) add(*given.own + "/" + place.path, &*bytes, {here, {}}, 2);
      else taker_.miss_file(here.source, here.path, "it is not base64, as files in reports are");
    }
    if (!enclosed->damage.empty()) taker_.miss_rest(sources.front(), *given.own, enclosed->damage);
    return true;
  }

  void add_archive(const std::string& file, const std::string* memory, const GivenFile& given,
                   int depth) {
    // Where its files stand is known when all have been seen.
    ArchiveFolders folders;
    std::size_t count = 0;
    Unpacking listing(file, memory, false);
    while (archive_entry* entry = listing.next_entry()) {
      const std::string path = path_of(entry);
      if (archive_entry_filetype(entry) == AE_IFDIR || !counts_as_file(path)) continue;
      folders.add(path);
      if (++count > most_entries) {
        miss(given, too_many_entries());
        return;
      }
    }
    if (listing.is_too_much()) throw GivenUp{too_much_unpacked()};
    const auto [name, folder] = folders.place_of(given.own.value_or(given.place.path));
    const SourceId source =
        taker_.begin_source(name, given.own ? std::nullopt : std::optional(given.place.source));
    if (depth == 1) archive_ = source;
    // What was overwritten in a tar may look like its end.
    Unpacking packed(file, memory, !listing.damage().empty());
    if (depth == 1) outermost_ = &packed;
    bool any = false;
    while (archive_entry* entry = packed.next_entry()) {
      const std::string path = path_of(entry);
      if (archive_entry_filetype(entry) == AE_IFDIR || !counts_as_file(path)) continue;
      any = true;
      add_entry(packed, entry, file + "/" + path, {source, folder + path}, depth);
    }
    if (depth == 1) outermost_ = nullptr;
    const std::string& damage = packed.damage().empty() ? listing.damage() : packed.damage();
    if (damage.empty()) {
      if (!any && given.own) refuse(*given.own, "the archive holds no file that could be of a run");
      return;
    }
    const std::string sentence =
        "the archive is damaged or cut off: a part is missing (" + damage + ")";
    if (any) taker_.miss_rest(source, given.own.value_or(given.place.path), sentence);
    else miss(given, sentence);
  }

  void add_entry(Unpacking& packed, archive_entry* entry, const std::string& file,
                 const FilePlace& place, int depth) {
    if (archive_entry_is_data_encrypted(entry) != 0)
      return taker_.miss_file(place.source, place.path, encrypted_entry());
    if (const char* target = archive_entry_hardlink(entry); target != nullptr)
      return taker_.miss_file(
          place.source, place.path,
          "it is a link to " + readable_name(target) + ", which holds its content");
    if (archive_entry_filetype(entry) == AE_IFLNK) {
      // nothing that could be read, as in the page: said with what else was left out
      begin(place.source, place.path, 0);
      if (const char* target = archive_entry_symlink(entry); target != nullptr && *target != 0)
        taker_.push(target);
      return end({});
    }
    std::string fault;
    const std::string_view first = next(packed, fault);
    if (first.empty() && !fault.empty())
      return taker_.miss_file(place.source, place.path, damaged(fault));
    if (depth < max_archive_depth && is_packed(first)) {
      const std::string inner = rest_of(packed, first, fault);
      add(file, &inner, {place, {}}, depth + 1);
      if (!fault.empty()) taker_.miss_file(place.source, place.path, damaged(fault));
      return;
    }
    begin(place.source, place.path, static_cast<std::uint64_t>(archive_entry_size(entry)));
    hand_over(packed, first, fault);
    end(fault.empty() ? "" : damaged(fault));
  }

  static std::string damaged(const std::string& fault) {
    return "it is damaged in the archive (" + fault + ")";
  }

  FileTaker& taker_;
  const Unpacking* outermost_ = nullptr;
  std::uint64_t unpacked_ = 0;       // of all that was given with this file [byte]
  std::optional<SourceId> archive_;  // the outermost
  bool begun_ = false;
};

}  // namespace

void add_file(FileTaker& taker, const std::string& file, const GivenFile& given) {
  Unpacker unpacker(taker);
  if (const std::string why = why_unreadable(file); !why.empty()) {
    if (given.own) refuse(*given.own, why);
    return taker.miss_file(given.place.source, given.place.path, why);
  }
  try {
    unpacker.add(file, nullptr, given, 1);
  } catch (const GivenUp& failure) {
    unpacker.give_up(given, failure.why);
  }
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
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                       archive_entry_free);
  archive_entry_set_pathname(entry.get(), "file");
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  state_->check(archive_write_header(writer, entry.get()));
}

Gzip::~Gzip() = default;

void Gzip::push(std::string_view bytes) {
  if (archive_write_data(state_->writer.get(), bytes.data(), bytes.size()) < 0)
    state_->check(ARCHIVE_FATAL);
}

std::string Gzip::finish() {
  state_->check(archive_write_close(state_->writer.get()));
  return std::move(state_->packed);
}

}  // namespace crema::cli
