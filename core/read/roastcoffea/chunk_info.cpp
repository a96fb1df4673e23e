#include "core/read/roastcoffea/chunk_info.hpp"

#include "core/read/python_tuple.hpp"
#include "core/read/roastcoffea/chunk_list.hpp"

namespace crema::read {

ChunkInfoNode::ChunkInfoNode(Run& run)
    : Map("an object",
          [this](std::string_view key) {
            entry_ = {.key = std::string(key)};
            return &triple_;
          }),
      run_(run) {}

void ChunkInfoNode::keep_entry() {
  // A key that occurs again holds its last value; only neighbours are looked at, as a writer would
  // repeat itself.
  if (!entries_.empty() && entries_.back().key == entry_.key) entries_.pop_back();
  entries_.push_back(entry_);
}

void ChunkInfoNode::use_chunk_info() {
  Chunks& chunks = run_.chunks;
  if (chunks.size() > 0 || entries_.empty()) return;
  run_.chunks_recorded = true;
  for (const Entry& entry : entries_) {
    add_empty_chunk(chunks);
    chunks.t_start.back() = entry.t_start;
    chunks.t_end.back() = entry.t_end;
    chunks.bytes_read.back() = entry.bytes_read;
    if (const auto items = parse_python_tuple(entry.key); items && !items->empty())
      chunks.file.back() = run_.names->strings.intern(items->front().text);
  }
  run_.add_note("chunk-info-only", Severity::low,
                "there is no chunk list; times and bytes were taken from chunk_info, without "
                "events and datasets");
}

}  // namespace crema::read
