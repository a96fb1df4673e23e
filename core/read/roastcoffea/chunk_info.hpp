#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/json/nodes.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// Node for `chunk_info`: `{"(file, start, stop)": [t_start, t_end, bytes_read]}`. Used only when
/// no chunk list is there: call `use_chunk_info` at the end of the file.
class ChunkInfoNode : public json::Map {
 public:
  explicit ChunkInfoNode(Run& run);

  void use_chunk_info();

 private:
  struct Entry {
    std::string key;
    double t_start = absent, t_end = absent, bytes_read = absent;
  };
  void keep_entry();

  Run& run_;
  std::vector<Entry> entries_;
  Entry entry_;
  json::NumberInto start_{&entry_.t_start}, end_{&entry_.t_end}, bytes_{&entry_.bytes_read};
  json::Tuple triple_{
      "[t_start, t_end, bytes_read]", {&start_, &end_, &bytes_}, [this] { keep_entry(); }};
};

}  // namespace crema::read
