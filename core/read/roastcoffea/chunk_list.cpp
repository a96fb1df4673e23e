// Compiled for speed: it runs for every chunk.
#include "core/read/roastcoffea/metrics.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/read/format.hpp"

namespace crema::read {

namespace {

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
    {"mem_before_mb", &Chunks::memory_before, megabyte},
    {"mem_after_mb", &Chunks::memory_after, megabyte},
    {"mem_delta_mb", &Chunks::memory_delta, megabyte},
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

/// Out of line: the code for growing a column is longer than that for all else of a record.
[[gnu::noinline]] void append(std::vector<double>& column, double value) {
  column.push_back(value);
}

/// The records of chunks. Members are gathered and put into the columns at a record's end, so that
/// a record which the file cuts off leaves nothing behind.
class ChunkRecords {
 public:
  ChunkRecords(Run& run, std::string path) : run_(run), path_(std::move(path)) {}
  /// The node for each record.
  json::Node& node() { return record_; }
  void forget() { branch_sets_.clear(); }

 private:
  void begin() {
    dataset_id_ = file_id_ = error_id_ = no_string;
    section_count_ = 0;
    sections_.clear();
    listed_.clear();
    extra_.clear();
    branches_.clear();
    has_branches_ = false;
  }
  void keep_section(std::string_view name, SectionValue::Kind kind, double value) {
    // The names of a record's sections are mostly those of the record before.
    if (section_count_ == section_names_.size()) section_names_.push_back(strings_.intern(name));
    StringId& id = section_names_[section_count_++];
    if (strings_[id] != name) id = strings_.intern(name);
    sections_.push_back({0, id, kind, value});
  }
  void keep_listed_section() {
    const StringId name = strings_.intern(listed_name_);
    for (const auto& [kind, value] : {std::pair(SectionValue::Kind::seconds, listed_seconds_),
                                      std::pair(SectionValue::Kind::memory, listed_memory_)}) {
      if (!is_absent(value)) listed_.push_back({0, name, kind, value});
    }
  }
  std::vector<json::Object::Field> fields() {
    using Field = json::Object::Field;
    std::vector<Field> fields = {
        {"dataset", dataset_},
        {"file", file_},
        {"error", error_},
        {"accessed_branches", branch_list_},
        {"timing", timing_},
        {"memory", memory_},
        {"bytes", bytes_},
        {"sections", section_list_},
        {"memory_sections", section_list_},
        {"file_metadata", facts_},
        // The record's own time stamp, and ids that are always null.
        Field("timestamp"),
        Field("uuid"),
        Field("chunk_id"),
    };
    for (std::size_t i = 0; i < number_keys.size(); ++i)
      fields.emplace_back(number_keys[i].key, row_[i], number_keys[i].scale);
    return fields;
  }
  void end() {
    Chunks& chunks = run_.chunks;
    const auto number = static_cast<std::uint32_t>(chunks.size());
    for (std::size_t i = 0; i < number_keys.size(); ++i) {
      if (row_[i] < 0) drop_negative(i);
    }
    for (std::size_t i = 0; i + 1 < number_keys.size(); ++i)
      append(chunks.*number_keys[i].column, row_[i]);
    if (is_absent(chunks.duration.back())) chunks.duration.back() = row_.back();
    chunks.dataset.push_back(dataset_id_);
    chunks.file.push_back(strings_[file_id_].empty() ? no_string : file_id_);
    chunks.error.push_back(error_id_);

    std::uint32_t set = Chunks::no_set;
    if (has_branches_) {
      std::sort(branches_.begin(), branches_.end());
      branches_.erase(std::unique(branches_.begin(), branches_.end()), branches_.end());
      const auto [entry, is_new] = branch_sets_.try_emplace(
          branches_, static_cast<std::uint32_t>(chunks.branch_sets.size()));
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
  // A section that occurs again holds its last value, as a key does in Python.
  [[gnu::noinline]] void keep_last_sections() {
    constexpr std::size_t most_compared = 64;  // a chunk has a handful
    const auto key_of = [](const SectionValue& one) { return std::pair(one.name, one.kind); };
    bool may_repeat = sections_.size() > most_compared;
    for (std::size_t i = 1; i < sections_.size() && !may_repeat; ++i) {
      for (std::size_t j = 0; j < i; ++j)
        may_repeat = may_repeat || key_of(sections_[j]) == key_of(sections_[i]);
    }
    if (!may_repeat) return;
    std::map<std::pair<StringId, SectionValue::Kind>, std::size_t> places;
    std::vector<SectionValue> kept;
    for (const SectionValue& one : sections_) {
      const auto [place, is_new] = places.try_emplace(key_of(one), kept.size());
      if (is_new) kept.push_back(one);
      else kept[place->second].value = one.value;
    }
    sections_ = std::move(kept);
  }
  [[gnu::cold]] void drop_negative(std::size_t which) {
    const std::string_view key = number_keys[which].key;
    if (key == "mem_delta_mb") return;
    row_[which] = absent;
    run_.add_note("negative-value", Severity::medium,
                  "a chunk's " + std::string(key) + " is negative; it was left out", path_);
  }

  /// A custom key: its numbers become extra columns ("custom_metrics.my_metric"), anything else is
  /// left.
  class ExtraNode : public json::Node {
   public:
    explicit ExtraNode(std::map<std::string, double>& into) : into_(into) {}
    ExtraNode& of(std::string_view key) {
      path_ = key;
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
      into_[depth_ == 1 ? path_ + "." + member_ : path_] = value;
      return true;
    }
    bool boolean(bool value) override { return number(value ? 1 : 0); }
    bool string(std::string_view) override { return true; }

   private:
    std::map<std::string, double>& into_;
    std::string path_, member_;
    std::size_t depth_ = 0;
  };

  Run& run_;
  std::string path_;
  StringPool& strings_ = run_.names->strings;

  std::array<double, number_keys.size()> row_{};
  StringId dataset_id_ = no_string, file_id_ = no_string, error_id_ = no_string;
  std::vector<SectionValue> sections_;   // of maps
  std::vector<StringId> section_names_;  // of the maps' sections, in the order of the last record
  std::size_t section_count_ = 0;        // in `sections_`
  std::vector<SectionValue> listed_;     // of lists, where a section may occur more than once
  std::string listed_name_;
  double listed_seconds_ = absent, listed_memory_ = absent;
  std::map<std::string, double> extra_;
  std::vector<StringId> branches_;
  bool has_branches_ = false;
  std::map<std::vector<StringId>, std::uint32_t> branch_sets_;

  json::IdInto dataset_{strings_, &dataset_id_}, file_{strings_, &file_id_},
      error_{strings_, &error_id_};
  json::Value branch_{"branch names", {}, [this](std::string_view name) {
                        branches_.push_back(strings_.intern(name));
                      }};
  json::List branch_list_{"branch names", branch_, {}, [this] {
                            branches_.clear();
                            has_branches_ = true;
                          }};
  json::Numbers timing_{"a number for each section", [this](std::string_view name, double value) {
                          keep_section(name, SectionValue::Kind::seconds, value);
                        }};
  json::Numbers memory_{"a number for each section", [this](std::string_view name, double value) {
                          keep_section(name, SectionValue::Kind::memory, value * megabyte);
                        }};
  json::Numbers bytes_{"a number for each section", [this](std::string_view name, double value) {
                         keep_section(name, SectionValue::Kind::bytes, value);
                       }};
  // The metrics reference's form, which other writers use.
  json::Object listed_section_{"a section",
                               {{"name", listed_name_},
                                {"section_name", listed_name_},
                                {"duration", listed_seconds_},
                                {"time_delta", listed_seconds_},
                                {"mem_delta_mb", listed_memory_, megabyte},
                                {"memory_delta_gb", listed_memory_, 1024 * megabyte}},
                               [this] { keep_listed_section(); }};
  json::List section_list_{"a list of sections", listed_section_};
  FileFactsNode facts_{run_};
  ExtraNode extra_node_{extra_};
  json::Object record_{"an object for each chunk", fields(), [this] { end(); },
                       [this](std::string_view key) { return &extra_node_.of(key); },
                       [this] { begin(); }};
};

class ChunkList : public json::Node {
 public:
  ChunkList(Run& run, std::string path)
      : Node("a list of chunks"), run_(run), chunks_(run, std::move(path)) {}
  bool begin_array() override {
    if (run_.chunks_recorded) {
      run_.chunks = {};  // a key that occurs again holds its last value, as in Python
      chunks_.forget();
    }
    return run_.chunks_recorded = true;
  }
  json::Node* element(std::size_t) override { return &chunks_.node(); }
  bool wants_raw() const override { return true; }
  std::size_t consume_raw(std::string_view bytes, std::size_t& index) override {
    return fast_path_.take(bytes, chunks_.node(), index);
  }

 private:
  Run& run_;
  ChunkRecords chunks_;
  json::RecordFastPath fast_path_;
};

}  // namespace

std::unique_ptr<json::Node> make_chunk_list_node(Run& run, const std::string& path) {
  return std::make_unique<ChunkList>(run, path);
}

}  // namespace crema::read
