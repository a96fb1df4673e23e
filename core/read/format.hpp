#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/json/nodes.hpp"
#include "core/json/tokenizer.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// [byte] "MB", as roastcoffea, Scalene, cctools and HTCondor count them
inline constexpr double megabyte = 1048576;

/// How often something is wrong in a list, and where first.
struct Fault {
  std::size_t count = 0;
  std::size_t first = 0;
  void at(std::size_t index) {
    if (count++ == 0) first = index;
  }
};

/// What detection sees of a file: its beginning.
class Head {
 public:
  Head(std::string_view shown_path, std::string_view beginning, bool is_whole, bool binary)
      : path(shown_path), bytes(beginning), complete(is_whole), is_binary(binary) {}

  const std::string_view path;
  const std::string_view bytes;
  const bool complete;   ///< `bytes` is the whole file
  const bool is_binary;  ///< it is no text, so no JSON

  /// `bytes` as a small JSON document (four levels deep, few members per level, long strings cut),
  /// or a discarded value when the file is not JSON. It is made when it is first asked for.
  const nlohmann::json& sample() const;

 private:
  mutable std::optional<nlohmann::json> sample_;
};

/// Reads one file, given in pieces, into a Run of its own.
class Reader {
 public:
  virtual ~Reader() = default;
  /// The next bytes of the file, in any cut.
  virtual void push(std::span<const char> bytes) = 0;
  /// The file has ended. What was wrong is in the run's data notes by now.
  virtual void finish() = 0;
  /// Whether what follows could still be used; false once the file is broken beyond repair.
  virtual bool wants_more() const { return true; }
  /// The path of the value that is being read, "" where the format has none.
  virtual std::string where() const { return {}; }
};

/// What the list says of an input format.
struct FormatAbout {
  std::string_view id;     ///< "metrics", "profiles", ...
  std::string_view label;  ///< for people: "roastcoffea metrics"
  bool once_per_run;       ///< a second one starts another run
  bool makes_a_run;        ///< holds something to show on its own
};

/// An input format: one file in core/read, one line in the list.
struct Format : FormatAbout {
  bool (*recognises)(const Head& head);
  std::unique_ptr<Reader> (*open)(Run& run, const std::string& path);
  bool one_of_many = false;  ///< a folder holds many, each a run that is called by its file
};

/// `Format::open` of a format with a Reader of its own.
template <class Own>
std::unique_ptr<Reader> open_reader(Run& run, const std::string& path) {
  return std::make_unique<Own>(run, path);
}

/// All input formats, most specific first; the first that recognises a file reads it.
const std::vector<Format>& formats();

/// Whether a JSON value is an object with that key.
bool holds(const nlohmann::json& value, const char* key);
/// What an object has under that key; null where there is none. (nlohmann's own look-ups are
/// compiled anew for each length of a literal.)
const nlohmann::json& member_of(const nlohmann::json& value, const char* key);

/// What is wrong with `bytes` as one whole JSON document; nothing when they are one.
std::optional<Error> json_error(std::string_view bytes);

/// "this is not valid JSON (expected a value, found '}')".
std::string in_words(const Error& error);

/// Adds the data note about a JSON file that is cut off or broken at `error`; `where` is the path
/// of the value that was being read.
void note_json_error(Run& run, const Error& error, Severity severity, const std::string& path,
                     std::string_view where = {});

/// Reads a JSON file into a Run through nodes, and what they fill. Errors, cut-off files and values
/// of unexpected types become data notes of the run; what was complete before them stays.
class JsonDocument : public Reader {
 public:
  JsonDocument(Run& run, std::string path) : run_(run), path_(std::move(path)) {}
  void push(std::span<const char> bytes) override;
  void finish() override;
  bool wants_more() const override { return !tokenizer_ || tokenizer_->wants_more(); }
  std::string where() const override { return router_ ? router_->path() : std::string(); }

 protected:
  /// The node for the document's value.
  virtual json::Node& root() = 0;
  /// The file has ended, also one that is damaged.
  virtual void ended() {}

  Run& run_;
  const std::string path_;

 private:
  json::Tokenizer& tokenizer();
  void report_error();

  std::optional<json::Router> router_;
  std::optional<json::Tokenizer> tokenizer_;
  bool reported_ = false;
};

/// Gathers a small file and hands it over at the end. Of a file larger than any of its kind it
/// hands over the beginning, with a data note.
class WholeFileReader : public Reader {
 public:
  using Use = void (*)(Run& run, const std::string& path, const std::string& text);
  WholeFileReader(Run& run, std::string path, Use use)
      : run_(run), path_(std::move(path)), use_(use) {}
  void push(std::span<const char> bytes) override {
    text_.append(bytes.data(), std::min(bytes.size(), most_bytes + 1 - text_.size()));
  }
  bool wants_more() const override { return text_.size() <= most_bytes; }
  void finish() override {
    if (!wants_more()) {
      text_.pop_back();
      run_.add_note("too-large", Severity::medium,
                    "it is larger than " + std::to_string(most_bytes >> 20U) +
                        " MiB, too much for a file of its kind; only its beginning was read",
                    path_, {}, most_bytes);
    }
    use_(run_, path_, text_);
  }

 private:
  // A document is held whole, and takes many times the memory of its text.
  static constexpr std::size_t most_bytes = std::size_t{16} << 20U;

  Run& run_;
  std::string path_;
  Use use_;
  std::string text_;
};

/// `Format::open` of a format whose files are small.
template <WholeFileReader::Use use>
std::unique_ptr<Reader> open_whole(Run& run, const std::string& path) {
  return std::make_unique<WholeFileReader>(run, path, use);
}

/// Deeper than any small file; what nlohmann does with a document (dump, compare) recurses.
inline constexpr std::size_t most_levels = 64;

/// The document of a small JSON file as far as it is complete, with a data note when it is broken;
/// containers below the 64th level are empty.
nlohmann::json parse_small(Run& run, const std::string& path, const std::string& text);

/// The number under `key`, absent when there is none.
double number_or_absent(const nlohmann::json& object, const char* key);

/// A data note about the value at `where` of a file, which was left out.
void note_wrong_type(Run& run, const std::string& path, const std::string& where,
                     std::string_view expected, std::uint64_t offset = Error::no_offset);

/// The number under `key`, which cannot be below 0; absent when there is none, with a data note
/// when there is something else.
double amount_or_absent(Run& run, const std::string& path, const nlohmann::json& object,
                        const char* key);

/// A value as text: strings as they are, null as "", the rest as JSON.
std::string text_of(const nlohmann::json& value);

}  // namespace crema::read
