#pragma once

#include <memory>
#include <string>

#include "core/json/nodes.hpp"
#include "core/json/tokenizer.hpp"
#include "core/read/format.hpp"

namespace crema::read {

/// Adds the data note about a JSON file that is cut off or broken at `error`; `where` is the path
/// of the value that was being read.
void note_json_error(Run& run, const Error& error, Severity severity, const std::string& path,
                     std::string_view where = {});

/// What a format of JSON is made of: nodes, and what they fill.
class JsonDocument {
 public:
  virtual ~JsonDocument() = default;
  /// The node for the document's value.
  virtual json::Node& root() = 0;
  /// The file has ended, also one that is damaged.
  virtual void finish() {}
};

/// Reads a JSON file into a Run through the nodes of a document. Errors, cut-off files and values
/// of unexpected types become data notes of the run; what was complete before them stays.
class JsonReader : public Reader {
 public:
  JsonReader(Run& run, std::string path, std::unique_ptr<JsonDocument> document);

  void push(std::span<const char> bytes) override;
  void finish() override;
  bool wants_more() const override { return tokenizer_.wants_more(); }
  std::string where() const override { return router_.path(); }

 private:
  void report_error();

  Run& run_;
  std::string path_;
  std::unique_ptr<JsonDocument> document_;
  json::Router router_;
  json::Tokenizer tokenizer_;
  bool reported_ = false;
};

/// `Format::open` of a format that is a JsonDocument, made from a Run and a path.
template <class Document>
std::unique_ptr<Reader> open_json(Run& run, const std::string& path) {
  return std::make_unique<JsonReader>(run, path, std::make_unique<Document>(run, path));
}

}  // namespace crema::read
