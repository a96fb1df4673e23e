#pragma once

#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "core/read/format.hpp"

namespace crema {

/// Gathers a small file and hands it over at the end.
class WholeFileReader : public Reader {
 public:
  using Use = void (*)(Run& run, const std::string& path, const std::string& text);
  WholeFileReader(Run& run, std::string path, Use use) : run_(run), path_(std::move(path)), use_(use) {}
  void push(std::span<const char> bytes) override { text_.append(bytes.data(), bytes.size()); }
  void finish() override { use_(run_, path_, text_); }

 private:
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

/// The document of a small JSON file as far as it is complete, with a doubt when it is broken; containers below the 64th level
/// are empty.
nlohmann::json parse_small(Run& run, const std::string& path, const std::string& text);

/// The number under `key`, absent when there is none.
double number_or_absent(const nlohmann::json& object, const char* key);

/// A doubt about the value at `where` of a file, which was left out.
void doubt_type(Run& run, const std::string& path, const std::string& where, std::string_view expected);

/// The number under `key`, which cannot be below 0; absent when there is none, with a doubt when there is something else.
double amount_or_absent(Run& run, const std::string& path, const nlohmann::json& object, const char* key);

/// A value as text: strings as they are, null as "", the rest as JSON.
std::string text_of(const nlohmann::json& value);

}  // namespace crema
