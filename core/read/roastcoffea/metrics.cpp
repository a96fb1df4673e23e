#include <map>
#include <memory>
#include <string>

#include "core/model/stored_names.hpp"
#include "core/read/list.hpp"
#include "core/read/python_tuple.hpp"
#include "core/read/roastcoffea/metrics.hpp"

namespace crema::read {

namespace {

/// `{"(file, start, stop)": [t_start, t_end, bytes_read]}`, which is used only where there is no
/// list of chunks.
class ChunkInfo {
 public:
  explicit ChunkInfo(Run& run) : run_(run) {}
  json::Node& node() { return entries_by_key_; }

  /// The file has ended.
  void finish() {
    Chunks& chunks = run_.chunks;
    if (chunks.size() > 0 || entries_.empty()) return;
    run_.chunks_recorded = true;
    chunks.resize(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      chunks.t_start[i] = entries_[i].t_start;
      chunks.t_end[i] = entries_[i].t_end;
      chunks.bytes_read[i] = entries_[i].bytes_read;
      if (const auto items = parse_python_tuple(entries_[i].key); items && !items->empty())
        chunks.file[i] = run_.names->strings.intern(items->front().text);
    }
    run_.add_note("chunk-info-only", Severity::low,
                  "there is no chunk list; times and bytes were taken from chunk_info, without "
                  "events and datasets");
  }

 private:
  struct Entry {
    std::string key;
    double t_start = absent, t_end = absent, bytes_read = absent;
  };
  void keep_entry() {
    // A key that occurs again holds its last value; only neighbours are looked at, as a writer
    // would repeat itself.
    if (!entries_.empty() && entries_.back().key == entry_.key) entries_.pop_back();
    entries_.push_back(entry_);
  }

  Run& run_;
  std::vector<Entry> entries_;
  Entry entry_;
  json::NumberInto start_{&entry_.t_start}, end_{&entry_.t_end}, bytes_{&entry_.bytes_read};
  json::Tuple triple_{
      "[t_start, t_end, bytes_read]", {&start_, &end_, &bytes_}, [this] { keep_entry(); }};
  json::Map entries_by_key_{"an object", [this](std::string_view key) {
                              entry_ = {.key = std::string(key)};
                              return &triple_;
                            }};
};

/// What the root and its branches share.
struct Shared {
  Run& run;
  std::unique_ptr<TrackingNode> tracking;
  std::unique_ptr<json::Node> chunks;
  FileMapNode file_facts;
  ActivitiesNode activities;
  ChunkInfo chunk_info;
  bool old_keys = false;
  std::map<std::string, std::size_t> stored;  // id -> its entry in run.stored

  Shared(Run& into, const std::string& path)
      : run(into),
        tracking(make_tracking_node(into)),
        chunks(make_chunk_list_node(into, path)),
        file_facts(into),
        activities(into, path),
        chunk_info(into) {}
};

/// A number the bundle states; containers below it are named by their path
/// ("per_dataset.zprime.num_chunks").
class StoredNode : public json::Node {
 public:
  StoredNode(Shared& shared, bool nested) : Node("a number"), shared_(shared), nested_(nested) {}
  StoredNode& of(std::string path) {
    path_ = std::move(path);
    return *this;
  }
  void null() override { store(absent); }
  bool number(double value) override {
    store(value);
    return true;
  }
  bool boolean(bool) override { return !is_number(); }
  bool string(std::string_view) override { return !is_number(); }
  bool begin_object() override { return begin(); }
  bool begin_array() override { return begin(); }
  json::Node* member(std::string_view key) override {
    if (nested_) {
      if (key == "file_metadata" || key == "file_read_metrics") return &shared_.file_facts;
    }
    if (stack_.size() > most_levels) return nullptr;
    path_ = stack_.back() + "." + std::string(key);
    return this;
  }
  void end() override { stack_.pop_back(); }

 private:
  // The deepest number of any writer is per_dataset.NAME.KEY.
  static constexpr std::size_t most_levels = 4;

  StoredName name() const { return nested_ ? nested_name(path_) : flat_name(path_); }
  bool is_number() const { return is_stored_number(name().id); }
  bool begin() {
    if (is_number()) return false;
    stack_.push_back(path_);
    return true;
  }
  void store(double value) {
    // A part that was not computed ("sections": null) is no number; a number that could not be is
    // (core_efficiency: null).
    if (is_absent(value) && nested_ && nested_name(path_).id == path_) return;
    const StoredName known = name();
    if (known.old_flat) shared_.old_keys = true;
    Stored number{std::string(known.id), value * known.factor,
                  nested_ ? "summary." + path_ : path_};
    std::vector<Stored>& all = shared_.run.stored;
    const auto [entry, is_new] = shared_.stored.try_emplace(number.id, all.size());
    if (is_new) {
      all.push_back(std::move(number));
    } else if (Stored& before = all[entry->second];
               before.key == number.key || before.key != before.id) {
      before =
          std::move(number);  // the same key again, or the 0.1.2 key beside one of its older names
    }
  }

  Shared& shared_;
  bool nested_;
  std::string path_;
  std::vector<std::string> stack_;
};

class Metrics : public JsonDocument {
 public:
  using JsonDocument::JsonDocument;
  json::Node& root() override { return root_; }

  void ended() override {
    shared_.tracking->finish();
    shared_.chunk_info.finish();
    run_.schema = !is_nested_ && run_.stored.empty() ? "cluster tracking alone"
                  : is_nested_                       ? "roastcoffea nested"
                  : shared_.old_keys                 ? "roastcoffea flat, before 2025-12-13"
                                                     : "roastcoffea flat 0.1.x";
    run_.elapsed = run_.stored_value("elapsed_time_seconds");
    if (run_.elapsed <= 0) {
      run_.add_note("elapsed", Severity::medium,
                    "the stated length of the run is not above 0 and was left out", path_);
      run_.elapsed = absent;
    }
    if (!is_absent(run_.elapsed)) run_.elapsed_source = path_;
  }

 private:
  Shared shared_{run_, path_};
  StoredNode stored_{shared_, false}, nested_{shared_, true};
  bool is_nested_ = false;
  json::Object raw_{"an object of raw data",
                    {{"workers", *shared_.tracking},
                     {"tasks", shared_.activities},
                     {"chunks", *shared_.chunks},
                     {"chunk_info", shared_.chunk_info.node()}},
                    {},
                    {},
                    [this] { is_nested_ = true; }};
  json::Map summary_{"an object of groups of numbers",
                     [this](std::string_view key) { return &nested_.of(std::string(key)); }};
  // What the table does not name is a number that the bundle states.
  json::Object root_{"an object",
                     {{"tracking_data", *shared_.tracking},
                      {"raw_chunk_metrics", *shared_.chunks},
                      {"raw_span_metrics", shared_.activities},
                      {"chunk_info", shared_.chunk_info.node()},
                      {"file_metadata", shared_.file_facts},
                      {"file_read_metrics", shared_.file_facts},
                      {"raw", raw_},
                      {"summary", summary_}},
                     {},
                     [this](std::string_view key) { return &stored_.of(std::string(key)); }};
};

bool recognises_metrics(const Head& head) {
  const nlohmann::json& sample = head.sample();
  // The nested form may be longer than the head, so that its summary is out of sight.
  const nlohmann::json& raw = member_of(sample, "raw");
  if ((holds(sample, "raw") && holds(sample, "summary")) || holds(raw, "workers") ||
      holds(raw, "chunks"))
    return true;
  constexpr const char* keys[] = {"tracking_data",          "raw_chunk_metrics",
                                  "raw_span_metrics",       "chunk_info",
                                  "data_rate_gbps",         "overall_rate_gbps",
                                  "event_rate_elapsed_khz", "event_rate_wall_khz",
                                  "avg_cpu_time_per_chunk", "processor_cpu_time_seconds"};
  return std::any_of(std::begin(keys), std::end(keys),
                     [&](const char* key) { return holds(sample, key); });
}

}  // namespace

const Format metrics_format{metrics_about, recognises_metrics, open_reader<Metrics>};

}  // namespace crema::read
