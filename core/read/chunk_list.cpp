#include "core/read/chunk_list.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "core/json/nodes.hpp"
#include "core/read/python_tuple.hpp"

namespace crema {

namespace {

constexpr double mebibyte = 1048576;
constexpr double percent = 0.01;
constexpr std::size_t most_extra = 200;

struct NumberKey {
  std::string_view key;
  std::vector<double> Chunks::*column;
  double scale;
};

constexpr std::array<NumberKey, 16> number_keys = {{
    {"t_start", &Chunks::t_start, 1},
    {"t_end", &Chunks::t_end, 1},
    {"duration", &Chunks::duration, 1},
    {"num_events", &Chunks::events, 1},
    {"bytes_read", &Chunks::bytes_read, 1},
    {"mem_before_mb", &Chunks::memory_before, mebibyte},
    {"mem_after_mb", &Chunks::memory_after, mebibyte},
    {"mem_delta_mb", &Chunks::memory_delta, mebibyte},
    {"entry_start", &Chunks::entry_start, 1},
    {"entry_stop", &Chunks::entry_stop, 1},
    {"num_branches_accessed", &Chunks::branches_accessed, 1},
    {"accessed_bytes", &Chunks::accessed_bytes, 1},
    {"accessed_uncompressed_bytes", &Chunks::accessed_uncompressed_bytes, 1},
    {"branches_read_percent", &Chunks::branches_read_fraction, percent},
    {"bytes_read_percent", &Chunks::bytes_read_fraction, percent},
    // Old writers put the wall time here instead.
    {"wall_time", &Chunks::duration, 1},
}};

// Keys that carry nothing a column needs: the record's own time stamp, ids that are always null, and what is kept elsewhere.
constexpr std::array<std::string_view, 3> idle_keys = {"timestamp", "uuid", "chunk_id"};

struct FileKey {
  std::string_view key;
  std::vector<double> Files::*column;
  double scale;
};

constexpr std::array<FileKey, 6> file_keys = {{
    {"compression_ratio", &Files::compression_ratio, 1},
    {"total_branches", &Files::branches_total, 1},
    {"total_tree_bytes", &Files::tree_bytes, 1},
    {"bytes_read", &Files::bytes_read, 1},
    {"branches_read_percent", &Files::branches_read_fraction, percent},
    {"bytes_read_percent", &Files::bytes_read_fraction, percent},
}};

/// The facts of one file; the name is a member ("filename", inside a chunk) or was the key above.
class FileFactsNode : public json::Node {
 public:
  explicit FileFactsNode(Run& run) : run_(run) {}
  void begin_file(std::string_view name) { name_ = name; }
  bool begin_object() override {
    values_.fill(absent);
    return true;
  }
  json::Node* member(std::string_view key) override {
    if (key == "filename") return &text_.at(&name_);
    for (std::size_t i = 0; i < file_keys.size(); ++i) {
      if (key == file_keys[i].key) return &number_.at(&values_[i], file_keys[i].scale);
    }
    return nullptr;
  }
  void end() override {
    if (name_.empty()) return;
    const std::size_t file = run_.files.intern(run_.names->strings.intern(name_));
    for (std::size_t i = 0; i < file_keys.size(); ++i) {
      double& known = (run_.files.*file_keys[i].column)[file];
      if (is_absent(known)) known = values_[i];
    }
  }

 private:
  Run& run_;
  std::string name_;
  std::array<double, file_keys.size()> values_{};
  json::NumberInto number_;
  json::TextInto text_;
};

class FileMapNode : public json::Node {
 public:
  explicit FileMapNode(Run& run) : facts_(run) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    facts_.begin_file(key);
    return &facts_;
  }

 private:
  FileFactsNode facts_;
};

/// One chunk record. Members are gathered and put into the columns at the record's end, so that a record which the file cuts
/// off leaves nothing behind.
class ChunkNode : public json::Node {
 public:
  ChunkNode(Run& run, std::string path) : run_(run), path_(std::move(path)), facts_(run) {}
  void forget() { branch_sets_.clear(); }

  bool begin_object() override {
    row_.fill(absent);
    texts_ = {};
    sections_.clear();
    section_index_.clear();
    extra_.clear();
    branches_.clear();
    has_branches_ = false;
    return true;
  }
  json::Node* member(std::string_view key) override {
    for (std::size_t i = 0; i < number_keys.size(); ++i) {
      if (key == number_keys[i].key) return &number_.at(&row_[i], number_keys[i].scale);
    }
    if (key == "dataset") return &dataset_.at(&texts_.dataset, &texts_.has_dataset);
    if (key == "file") return &text_.at(&texts_.file);
    if (key == "error") return &error_.at(&texts_.error, &texts_.has_error);
    if (key == "accessed_branches") return &branch_list_.fresh();
    if (key == "timing") return &section_map_.of(SectionValue::Kind::seconds, 1);
    if (key == "memory") return &section_map_.of(SectionValue::Kind::memory, mebibyte);
    if (key == "bytes") return &section_map_.of(SectionValue::Kind::bytes, 1);
    if (key == "sections" || key == "memory_sections") return &section_list_;
    if (key == "file_metadata") {
      facts_.begin_file({});
      return &facts_;
    }
    if (std::find(idle_keys.begin(), idle_keys.end(), key) != idle_keys.end()) return nullptr;
    return &extra_node_.of(std::string(key));
  }
  void end() override;
  std::string_view expects() const override { return "an object for each chunk"; }

 private:
  friend class ChunkListNode;
  struct Texts {
    std::string dataset, file, error;
    bool has_dataset = false;
    bool has_error = false;
  };

  /// A text that may be empty and still be there.
  class PresentText : public json::TextInto {
   public:
    PresentText& at(std::string* target, bool* present) {
      TextInto::at(target);
      present_ = present;
      return *this;
    }
    bool string(std::string_view value) override { return *present_ = TextInto::string(value); }
    bool number(double value) override { return *present_ = TextInto::number(value); }
    bool boolean(bool value) override { return *present_ = TextInto::boolean(value); }

   private:
    bool* present_ = nullptr;
  };

  class BranchList : public json::Node {
   public:
    explicit BranchList(ChunkNode& owner) : owner_(owner) {}
    BranchList& fresh() {
      inside_ = false;
      return *this;
    }
    bool begin_array() override {
      if (inside_) return false;
      owner_.branches_.clear();
      return inside_ = owner_.has_branches_ = true;
    }
    json::Node* element(std::size_t) override { return this; }
    bool string(std::string_view value) override {
      if (!inside_) return false;
      owner_.branches_.push_back(owner_.run_.names->strings.intern(value));
      return true;
    }
    std::string_view expects() const override { return "branch names"; }

   private:
    ChunkNode& owner_;
    bool inside_ = false;
  };

  /// `{"name": number}`
  class SectionMap : public json::Node {
   public:
    explicit SectionMap(ChunkNode& owner) : owner_(owner) {}
    SectionMap& of(SectionValue::Kind kind, double scale) {
      kind_ = kind;
      scale_ = scale;
      inside_ = false;
      return *this;
    }
    bool begin_object() override { return !inside_ && (inside_ = true); }
    json::Node* member(std::string_view key) override {
      name_ = owner_.run_.names->strings.intern(key);
      return this;
    }
    bool number(double value) override {
      if (!inside_) return false;
      const std::uint64_t key = (std::uint64_t{name_} << 8U) | static_cast<std::uint64_t>(kind_);
      const auto [entry, is_new] = owner_.section_index_.try_emplace(key, owner_.sections_.size());
      if (is_new) owner_.sections_.push_back({0, name_, kind_, value * scale_});
      else owner_.sections_[entry->second].value = value * scale_;  // a key that occurs again holds its last value
      return true;
    }
    std::string_view expects() const override { return "a number for each section"; }

   private:
    ChunkNode& owner_;
    SectionValue::Kind kind_{};
    double scale_ = 1;
    bool inside_ = false;
    StringId name_ = no_string;
  };

  /// `[{"name"|"section_name": …, "duration"|"time_delta": s, "mem_delta_mb": MiB | "memory_delta_gb": GiB}]`: the metrics
  /// reference's form, which other writers use.
  class SectionList : public json::Node {
   public:
    explicit SectionList(ChunkNode& owner) : item_(owner) {}
    bool begin_array() override { return true; }
    json::Node* element(std::size_t) override { return &item_; }
    std::string_view expects() const override { return "a list of sections"; }

   private:
    class Item : public json::Node {
     public:
      explicit Item(ChunkNode& owner) : owner_(owner) {}
      bool begin_object() override {
        name_.clear();
        seconds_ = memory_ = absent;
        return true;
      }
      json::Node* member(std::string_view key) override {
        if (key == "name" || key == "section_name") return &text_.at(&name_);
        if (key == "duration" || key == "time_delta") return &number_.at(&seconds_);
        if (key == "mem_delta_mb") return &number_.at(&memory_, mebibyte);
        if (key == "memory_delta_gb") return &number_.at(&memory_, 1024 * mebibyte);
        return nullptr;
      }
      void end() override {
        const StringId name = owner_.run_.names->strings.intern(name_);
        if (!is_absent(seconds_)) owner_.sections_.push_back({0, name, SectionValue::Kind::seconds, seconds_});
        if (!is_absent(memory_)) owner_.sections_.push_back({0, name, SectionValue::Kind::memory, memory_});
      }

     private:
      ChunkNode& owner_;
      std::string name_;
      double seconds_ = absent;
      double memory_ = absent;
      json::TextInto text_;
      json::NumberInto number_;
    };

    Item item_;
  };

  /// A custom key: its numbers become extra columns ("custom_metrics.my_metric"), anything else is left.
  class ExtraNode : public json::Node {
   public:
    explicit ExtraNode(ChunkNode& owner) : owner_(owner) {}
    ExtraNode& of(std::string key) {
      path_ = std::move(key);
      depth_ = 0;
      return *this;
    }
    bool begin_object() override { return ++depth_ > 0; }
    bool begin_array() override { return ++depth_ > 0; }
    void end() override { --depth_; }
    json::Node* member(std::string_view key) override {
      member_ = key;
      return depth_ == 1 ? this : nullptr;
    }
    bool number(double value) override {
      owner_.extra_[depth_ == 1 ? path_ + "." + member_ : path_] = value;
      return true;
    }
    bool boolean(bool value) override { return number(value ? 1 : 0); }
    bool string(std::string_view) override { return true; }

   private:
    ChunkNode& owner_;
    std::string path_, member_;
    std::size_t depth_ = 0;
  };

  Run& run_;
  std::string path_;
  std::array<double, number_keys.size()> row_{};
  Texts texts_;
  std::vector<SectionValue> sections_;
  std::unordered_map<std::uint64_t, std::size_t> section_index_;  // of (name, kind) in sections_
  std::map<std::string, double> extra_;
  std::vector<StringId> branches_;
  bool has_branches_ = false;
  std::map<std::vector<StringId>, std::uint32_t> branch_sets_;

  json::NumberInto number_;
  json::TextInto text_;
  PresentText dataset_, error_;
  BranchList branch_list_{*this};
  SectionMap section_map_{*this};
  SectionList section_list_{*this};
  ExtraNode extra_node_{*this};
  FileFactsNode facts_;
};

void ChunkNode::end() {
  Chunks& chunks = run_.chunks;
  StringPool& strings = run_.names->strings;
  const auto number = static_cast<std::uint32_t>(chunks.size());
  for (std::size_t i = 0; i < number_keys.size(); ++i) {
    if (number_keys[i].key == "mem_delta_mb" || !(row_[i] < 0)) continue;
    row_[i] = absent;
    run_.doubt("negative-value", Severity::medium,
               "a chunk's " + std::string(number_keys[i].key) + " is below 0, which it cannot be; it was left out", path_);
  }
  for (std::size_t i = 0; i + 1 < number_keys.size(); ++i) (chunks.*number_keys[i].column).push_back(row_[i]);
  if (is_absent(chunks.duration.back())) chunks.duration.back() = row_.back();
  chunks.dataset.push_back(texts_.has_dataset ? strings.intern(texts_.dataset) : no_string);
  chunks.file.push_back(texts_.file.empty() ? no_string : strings.intern(texts_.file));
  chunks.error.push_back(texts_.has_error ? strings.intern(texts_.error) : no_string);

  std::uint32_t set = Chunks::no_set;
  if (has_branches_) {
    std::sort(branches_.begin(), branches_.end());
    branches_.erase(std::unique(branches_.begin(), branches_.end()), branches_.end());
    const auto [entry, is_new] = branch_sets_.try_emplace(branches_, static_cast<std::uint32_t>(chunks.branch_sets.size()));
    if (is_new) chunks.branch_sets.push_back(branches_);
    set = entry->second;
  }
  chunks.branch_set.push_back(set);

  for (SectionValue value : sections_) {
    value.chunk = number;
    chunks.sections.push_back(value);
  }
  for (const auto& [key, value] : extra_) {
    // A column holds a number for every chunk before its first: keys that name files or events would fill the memory.
    if (chunks.extra.size() >= most_extra && !chunks.extra.contains(key)) {
      run_.doubt("too-many-keys", Severity::low,
                 "chunks have more than " + std::to_string(most_extra) + " different numbers of their own; the rest was left out",
                 path_);
      continue;
    }
    std::vector<double>& column = chunks.extra[key];
    column.resize(number, absent);
    column.push_back(value);
  }
}

class ChunkListNode : public json::Node {
 public:
  ChunkListNode(Run& run, std::string path) : run_(run), chunk_(run, std::move(path)) {}
  bool begin_array() override {
    if (run_.chunks_recorded) {
      run_.chunks = {};  // a key that occurs again holds its last value, as in Python
      chunk_.forget();
    }
    return run_.chunks_recorded = true;
  }
  json::Node* element(std::size_t) override { return &chunk_; }
  std::string_view expects() const override { return "a list of chunks"; }

 private:
  Run& run_;
  ChunkNode chunk_;
};

}  // namespace

std::unique_ptr<json::Node> make_chunk_list_node(Run& run, const std::string& path) {
  return std::make_unique<ChunkListNode>(run, path);
}
std::unique_ptr<json::Node> make_file_facts_node(Run& run) { return std::make_unique<FileMapNode>(run); }

struct ChunkInfoNode::Entry {
  std::string key;
  std::array<double, 3> values;  // t_start, t_end, bytes_read
};

class ChunkInfoNode::Triple : public json::Node {
 public:
  explicit Triple(std::vector<Entry>& entries) : entries_(entries) {}
  void begin_entry(std::string_view key) { entry_ = {std::string(key), {absent, absent, absent}}; }
  bool begin_array() override { return true; }
  json::Node* element(std::size_t index) override { return index < 3 ? &number_.at(&entry_.values[index]) : nullptr; }
  void end() override {
    // A key that occurs again holds its last value; only neighbours are looked at, as a writer would repeat itself.
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
    for (const NumberKey& known : number_keys) {
      if (known.key != "wall_time") (chunks.*known.column).push_back(absent);
    }
    chunks.t_start.back() = entry.values[0];
    chunks.t_end.back() = entry.values[1];
    chunks.bytes_read.back() = entry.values[2];
    chunks.dataset.push_back(no_string);
    chunks.error.push_back(no_string);
    chunks.branch_set.push_back(Chunks::no_set);
    StringId file = no_string;
    if (const auto items = parse_python_tuple(entry.key); items && !items->empty())
      file = run_.names->strings.intern(items->front().text);
    chunks.file.push_back(file);
  }
  run_.doubt("chunk-info-only", Severity::low,
             "there is no chunk list; times and bytes were taken from chunk_info, without events and datasets");
}

}  // namespace crema
