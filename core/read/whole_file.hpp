#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "core/read/format.hpp"

namespace crema::read {

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
                     std::string_view expected);

/// The number under `key`, which cannot be below 0; absent when there is none, with a data note
/// when there is something else.
double amount_or_absent(Run& run, const std::string& path, const nlohmann::json& object,
                        const char* key);

/// A value as text: strings as they are, null as "", the rest as JSON.
std::string text_of(const nlohmann::json& value);

}  // namespace crema::read
