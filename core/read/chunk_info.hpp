#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/json/router.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// Node for `chunk_info`: `{"(file, start, stop)": [t_start, t_end, bytes_read]}`. Used only when
/// no chunk list is there: call `use_chunk_info` at the end of the file.
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

}  // namespace crema::read
