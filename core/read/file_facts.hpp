#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "core/json/nodes.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// roastcoffea's percentages become fractions.
inline constexpr double percent = 0.01;

/// The facts of one file; the name is a member ("filename", inside a chunk) or was the key above.
class FileFactsNode : public json::Node {
 public:
  explicit FileFactsNode(Run& run) : run_(run) {}
  void begin_file(std::string_view name) { name_ = name; }
  bool begin_object() override;
  json::Node* member(std::string_view key) override;
  void end() override;

 private:
  static constexpr std::size_t number_count = 6;

  Run& run_;
  std::string name_;
  std::array<double, number_count> values_{};
  json::NumberInto number_;
  json::TextInto text_;
};

/// Node for `file_metadata` and `file_read_metrics`: `{file: {total_branches, total_tree_bytes,
/// …}}`.
std::unique_ptr<json::Node> make_file_facts_node(Run& run);

}  // namespace crema::read
