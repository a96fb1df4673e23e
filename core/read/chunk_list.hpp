#pragma once

#include <memory>

#include "core/json/router.hpp"
#include "core/model/run.hpp"

namespace crema {

/// Node for `raw_chunk_metrics` (flat) and `raw.chunks` (nested): the list of chunk records of `@track_metrics`.
/// `path` is the file, for doubts.
std::unique_ptr<json::Node> make_chunk_list_node(Run& run, const std::string& path);

/// Node for `chunk_info`: `{"(file, start, stop)": [t_start, t_end, bytes_read]}`. Used only when no chunk list is there:
/// call `use_chunk_info` at the end of the file.
class ChunkInfoNode : public json::Node {
 public:
  explicit ChunkInfoNode(Run& run);
  ~ChunkInfoNode() override;
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override;

  void use_chunk_info();

 private:
  struct Entry;
  class Triple;
  Run& run_;
  std::vector<Entry> entries_;
  std::unique_ptr<Triple> triple_;
};

/// Node for `file_metadata` and `file_read_metrics`: `{file: {total_branches, total_tree_bytes, …}}`.
std::unique_ptr<json::Node> make_file_facts_node(Run& run);

}  // namespace crema
