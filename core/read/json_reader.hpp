#pragma once

#include <memory>
#include <string>

#include "core/json/router.hpp"
#include "core/json/tokenizer.hpp"
#include "core/read/format.hpp"

namespace crema::read {

/// Adds the data note about a JSON file that is cut off or broken at `error`; `where` is the path
/// of the value that was being read.
void note_json_error(Run& run, const Error& error, Severity severity, const std::string& path,
                     std::string_view where = {});

/// Reads a JSON file into a Run through Nodes. Errors, cut-off files and values of unexpected types
/// become data notes of the run; what was complete before them stays.
class JsonReader : public Reader {
 public:
  /// `root` takes the document's value; the reader owns it.
  JsonReader(Run& run, std::string path, std::unique_ptr<json::Node> root);

  void push(std::span<const char> bytes) override;
  void finish() override;
  bool wants_more() const override { return tokenizer_.wants_more(); }
  std::string where() const override { return router_.path(); }

  /// Called once at the end, after the last event, also for a damaged file.
  virtual void finished() {}

 protected:
  Run& run() { return run_; }
  json::Node& root() { return *root_; }
  json::Router& router() { return router_; }
  json::Tokenizer& tokenizer() { return tokenizer_; }
  const std::string& path() const { return path_; }

 private:
  void report_error();

  Run& run_;
  std::string path_;
  std::unique_ptr<json::Node> root_;
  json::Router router_;
  json::Tokenizer tokenizer_;
  bool reported_ = false;
};

}  // namespace crema::read
