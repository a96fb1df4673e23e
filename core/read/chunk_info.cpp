#include "core/read/chunk_info.hpp"

#include <array>
#include <string>

#include "core/json/nodes.hpp"
#include "core/read/chunk_list.hpp"
#include "core/read/python_tuple.hpp"

namespace crema::read {

struct ChunkInfoNode::Entry {
  std::string key;
  std::array<double, 3> values;  // t_start, t_end, bytes_read
};

class ChunkInfoNode::Triple : public json::Node {
 public:
  explicit Triple(std::vector<Entry>& entries) : entries_(entries) {}
  void begin_entry(std::string_view key) { entry_ = {std::string(key), {absent, absent, absent}}; }
  bool begin_array() override { return true; }
  json::Node* element(std::size_t index) override {
    return index < 3 ? &number_.at(&entry_.values[index]) : nullptr;
  }
  void end() override {
    // A key that occurs again holds its last value; only neighbours are looked at, as a writer
    // would repeat itself.
    if (!entries_.empty() && entries_.back().key == entry_.key) entries_.pop_back();
    entries_.push_back(entry_);
  }
  std::string_view expects() const override { return "[t_start, t_end, bytes_read]"; }

 private:
  std::vector<Entry>& entries_;
  Entry entry_;
  json::NumberInto number_;
};

ChunkInfoNode::ChunkInfoNode(Run& run) : run_(run), triple_(std::make_unique<Triple>(entries_)) {}
ChunkInfoNode::~ChunkInfoNode() = default;

json::Node* ChunkInfoNode::member(std::string_view key) {
  triple_->begin_entry(key);
  return triple_.get();
}

void ChunkInfoNode::use_chunk_info() {
  Chunks& chunks = run_.chunks;
  if (chunks.size() > 0 || entries_.empty()) return;
  run_.chunks_recorded = true;
  for (const Entry& entry : entries_) {
    add_empty_chunk(chunks);
    chunks.t_start.back() = entry.values[0];
    chunks.t_end.back() = entry.values[1];
    chunks.bytes_read.back() = entry.values[2];
    if (const auto items = parse_python_tuple(entry.key); items && !items->empty())
      chunks.file.back() = run_.names->strings.intern(items->front().text);
  }
  run_.add_note("chunk-info-only", Severity::low,
                "there is no chunk list; times and bytes were taken from chunk_info, without "
                "events and datasets");
}

}  // namespace crema::read
