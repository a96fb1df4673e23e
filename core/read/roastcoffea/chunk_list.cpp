// Compiled for speed: it runs for every chunk.
#include "core/read/roastcoffea/chunk_list.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "core/json/nodes.hpp"
#include "core/json/record_fast_path.hpp"
#include "core/read/roastcoffea/file_facts.hpp"
#include "core/read/roastcoffea/in_order.hpp"

namespace crema::read {

namespace {

constexpr double mebibyte = 1048576;
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

/// The other keys of a record; their values count on from number_keys.
enum class Key : std::size_t {
  dataset = number_keys.size(),
  file,
  error,
  accessed_branches,
  timing,
  memory,
  bytes,
  sections,
  file_metadata,
  idle,  // known, and not needed
  extra,
};

constexpr std::pair<std::string_view, Key> other_keys[] = {
    {"dataset", Key::dataset},
    {"file", Key::file},
    {"error", Key::error},
    {"accessed_branches", Key::accessed_branches},
    {"timing", Key::timing},
    {"memory", Key::memory},
    {"bytes", Key::bytes},
    {"sections", Key::sections},
    {"memory_sections", Key::sections},
    {"file_metadata", Key::file_metadata},
    // The record's own time stamp, and ids that are always null.
    {"timestamp", Key::idle},
    {"uuid", Key::idle},
    {"chunk_id", Key::idle},
};

/// Out of line: the code for growing a column is longer than that for all else of a record.
[[gnu::noinline]] void append(std::vector<double>& column, double value) {
  column.push_back(value);
}

/// A place in number_keys, or a Key.
std::size_t key_index(std::string_view key) {
  for (std::size_t i = 0; i < number_keys.size(); ++i) {
    if (key == number_keys[i].key) return i;
  }
  for (const auto& [name, which] : other_keys) {
    if (key == name) return static_cast<std::size_t>(which);
  }
  return static_cast<std::size_t>(Key::extra);
}

/// One chunk record. Members are gathered and put into the columns at the record's end, so that a
/// record which the file cuts off leaves nothing behind.
class ChunkNode : public json::Node {
 public:
  ChunkNode(Run& run, std::string path) : run_(run), path_(std::move(path)), facts_(run) {}
  void forget() { branch_sets_.clear(); }

  bool begin_object() override {
    row_.fill(absent);
    texts_.clear();
    keys_.rewind();
    section_names_.rewind();
    sections_.clear();
    listed_.clear();
    extra_.clear();
    branches_.clear();
    has_branches_ = false;
    return true;
  }
  json::Node* member(std::string_view key) override {
    const std::size_t which = keys_.of(key, key_index);
    if (which < number_keys.size()) return &number_.at(&row_[which], number_keys[which].scale);
    switch (static_cast<Key>(which)) {
      case Key::dataset: return &dataset_.at(&texts_.dataset, &texts_.has_dataset);
      case Key::file: return &text_.at(&texts_.file);
      case Key::error: return &error_.at(&texts_.error, &texts_.has_error);
      case Key::accessed_branches: return &branch_list_;
      case Key::timing: return &section_map_.of(SectionValue::Kind::seconds, 1);
      case Key::memory: return &section_map_.of(SectionValue::Kind::memory, mebibyte);
      case Key::bytes: return &section_map_.of(SectionValue::Kind::bytes, 1);
      case Key::sections: return &section_list_;
      case Key::file_metadata: facts_.begin_file({}); return &facts_;
      case Key::idle: return nullptr;
      case Key::extra: break;
    }
    return &extra_node_.of(std::string(key));
  }
  void end() override;
  std::string_view expects() const override { return "an object for each chunk"; }

 private:
  [[gnu::noinline]] void keep_last_sections();
  [[gnu::cold]] void drop_negative(std::size_t which);
  friend class ChunkListNode;
  struct Texts {
    std::string dataset, file, error;
    bool has_dataset = false;
    bool has_error = false;

    // keeps the room of the strings
    void clear() {
      for (std::string* text : {&dataset, &file, &error}) text->clear();
      has_dataset = has_error = false;
    }
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

  struct BranchList : json::List {
    explicit BranchList(ChunkNode& owner) : List("branch names", name), of(owner) {}
    bool begin_array() override {
      of.branches_.clear();
      return of.has_branches_ = true;
    }
    ChunkNode& of;
    json::Value name{"branch names", {}, [this](std::string_view text) {
                       of.branches_.push_back(of.run_.names->strings.intern(text));
                       return true;
                     }};
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
      name_ = owner_.section_names_.of(
          key, [&](std::string_view name) { return owner_.run_.names->strings.intern(name); });
      return this;
    }
    bool number(double value) override {
      if (!inside_) return false;
      owner_.sections_.push_back({0, name_, kind_, value * scale_});
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

  /// `[{"name"|"section_name": …, "duration"|"time_delta": s, "mem_delta_mb": MiB |
  /// "memory_delta_gb": GiB}]`: the metrics reference's form, which other writers use.
  struct SectionList : json::List {
    explicit SectionList(ChunkNode& owner) : List("a list of sections", section), of(owner) {}
    void keep() {
      const StringId name = of.run_.names->strings.intern(name_);
      for (const auto& [kind, value] : {std::pair(SectionValue::Kind::seconds, seconds),
                                        std::pair(SectionValue::Kind::memory, memory)}) {
        if (!is_absent(value)) of.listed_.push_back({0, name, kind, value});
      }
    }
    ChunkNode& of;
    std::string name_;
    double seconds = absent, memory = absent;
    json::Object section{"a section",
                         {{"name", name_},
                          {"section_name", name_},
                          {"duration", seconds},
                          {"time_delta", seconds},
                          {"mem_delta_mb", memory, mebibyte},
                          {"memory_delta_gb", memory, 1024 * mebibyte}},
                         [this] { keep(); }};
  };

  /// A custom key: its numbers become extra columns ("custom_metrics.my_metric"), anything else is
  /// left.
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
  std::vector<SectionValue> sections_;       // of maps
  std::vector<SectionValue> listed_;         // of lists, where a section may occur more than once
  std::vector<std::uint64_t> section_keys_;  // of sections_, while they are looked through
  InOrder<std::size_t> keys_;
  InOrder<StringId> section_names_;
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

void ChunkNode::drop_negative(std::size_t which) {
  const std::string_view key = number_keys[which].key;
  if (key == "mem_delta_mb") return;
  row_[which] = absent;
  run_.add_note("negative-value", Severity::medium,
                "a chunk's " + std::string(key) + " is negative; it was left out", path_);
}

// A section that occurs again holds its last value, as a key does in Python.
void ChunkNode::keep_last_sections() {
  const auto key_of = [](const SectionValue& one) {
    return (std::uint64_t{one.name} << 8U) | static_cast<std::uint64_t>(one.kind);
  };
  section_keys_.clear();
  for (const SectionValue& one : sections_) section_keys_.push_back(key_of(one));
  std::sort(section_keys_.begin(), section_keys_.end());
  if (std::adjacent_find(section_keys_.begin(), section_keys_.end()) == section_keys_.end()) return;
  std::unordered_map<std::uint64_t, std::size_t> places;
  std::vector<SectionValue> kept;
  for (const SectionValue& one : sections_) {
    const auto [place, is_new] = places.try_emplace(key_of(one), kept.size());
    if (is_new) kept.push_back(one);
    else kept[place->second].value = one.value;
  }
  sections_ = std::move(kept);
}

void ChunkNode::end() {
  Chunks& chunks = run_.chunks;
  StringPool& strings = run_.names->strings;
  const auto number = static_cast<std::uint32_t>(chunks.size());
  for (std::size_t i = 0; i < number_keys.size(); ++i) {
    if (row_[i] < 0) drop_negative(i);
  }
  for (std::size_t i = 0; i + 1 < number_keys.size(); ++i)
    append(chunks.*number_keys[i].column, row_[i]);
  if (is_absent(chunks.duration.back())) chunks.duration.back() = row_.back();
  chunks.dataset.push_back(texts_.has_dataset ? strings.intern(texts_.dataset) : no_string);
  chunks.file.push_back(texts_.file.empty() ? no_string : strings.intern(texts_.file));
  chunks.error.push_back(texts_.has_error ? strings.intern(texts_.error) : no_string);

  std::uint32_t set = Chunks::no_set;
  if (has_branches_) {
    std::sort(branches_.begin(), branches_.end());
    branches_.erase(std::unique(branches_.begin(), branches_.end()), branches_.end());
    const auto [entry, is_new] =
        branch_sets_.try_emplace(branches_, static_cast<std::uint32_t>(chunks.branch_sets.size()));
    if (is_new) chunks.branch_sets.push_back(branches_);
    set = entry->second;
  }
  chunks.branch_set.push_back(set);

  keep_last_sections();
  for (const auto* sections : {&sections_, &listed_}) {
    for (SectionValue value : *sections) {
      value.chunk = number;
      chunks.sections.push_back(value);
    }
  }
  for (const auto& [key, value] : extra_) {
    // A column holds a number for every chunk before its first: keys that name files or events
    // would fill the memory.
    if (chunks.extra.size() >= most_extra && !chunks.extra.contains(key)) {
      run_.add_note("too-many-keys", Severity::low,
                    "chunks have more than " + std::to_string(most_extra) +
                        " different custom numbers; the rest was left out",
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
  bool wants_raw() const override { return true; }
  std::size_t consume_raw(std::string_view bytes, std::size_t& index) override {
    return fast_path_.take(bytes, chunk_, index);
  }
  std::string_view expects() const override { return "a list of chunks"; }

 private:
  Run& run_;
  ChunkNode chunk_;
  json::RecordFastPath fast_path_;
};

}  // namespace

void add_empty_chunk(Chunks& chunks) {
  // the last key is another name of a column
  for (std::size_t i = 0; i + 1 < number_keys.size(); ++i)
    append(chunks.*number_keys[i].column, absent);
  chunks.dataset.push_back(no_string);
  chunks.file.push_back(no_string);
  chunks.error.push_back(no_string);
  chunks.branch_set.push_back(Chunks::no_set);
}

std::unique_ptr<json::Node> make_chunk_list_node(Run& run, const std::string& path) {
  return std::make_unique<ChunkListNode>(run, path);
}

}  // namespace crema::read
