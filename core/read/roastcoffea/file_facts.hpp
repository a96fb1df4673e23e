#pragma once

#include <string>
#include <string_view>

#include "core/json/nodes.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// roastcoffea's percentages become fractions.
inline constexpr double percent = 0.01;

/// The facts of one file; the name is a member ("filename", inside a chunk) or was the key above.
class FileFactsNode : public json::Object {
 public:
  explicit FileFactsNode(Run& run);
  bool begin_object() override;
  void end() override;
  /// The next object is about this file, if it does not say otherwise.
  void begin_file(std::string_view name) { given_name_ = name; }

 private:
  Run& run_;
  std::string given_name_, name_;
  double compression_ratio_ = absent, branches_ = absent, tree_bytes_ = absent;
  double bytes_read_ = absent, branches_read_ = absent, bytes_read_fraction_ = absent;
};

/// Node for `file_metadata` and `file_read_metrics`: `{file: {total_branches, total_tree_bytes,
/// …}}`.
class FileMapNode : public json::Map {
 public:
  explicit FileMapNode(Run& run)
      : Map("an object of files",
            [this](std::string_view key) {
              facts_.begin_file(key);
              return &facts_;
            }),
        facts_(run) {}

 private:
  FileFactsNode facts_;
};

}  // namespace crema::read
