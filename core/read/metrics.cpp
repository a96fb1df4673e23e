#include <memory>
#include <string>

#include "core/json/nodes.hpp"
#include "core/read/activities.hpp"
#include "core/read/chunk_list.hpp"
#include "core/read/json_reader.hpp"
#include "core/read/readers.hpp"
#include "core/read/stored_names.hpp"
#include "core/read/tracking_data.hpp"

namespace crema {

namespace {

/// What the root and its branches share.
struct Shared {
  Run& run;
  std::unique_ptr<json::Node> tracking;
  std::unique_ptr<json::Node> chunks;
  std::unique_ptr<json::Node> file_facts;
  ActivitiesNode activities;
  ChunkInfoNode chunk_info;
  bool old_keys = false;
  bool nested = false;

  Shared(Run& into, const std::string& path)
      : run(into),
        tracking(make_tracking_data_node(into)),
        chunks(make_chunk_list_node(into)),
        file_facts(make_file_facts_node(into)),
        activities(into, path),
        chunk_info(into) {}
};

/// A number the bundle states; containers below it are named by their path ("per_dataset.zprime.num_chunks").
class StoredNode : public json::Node {
 public:
  StoredNode(Shared& shared, bool nested) : shared_(shared), nested_(nested) {}
  StoredNode& of(std::string path) {
    path_ = std::move(path);
    return *this;
  }
  void null() override { store(absent); }
  bool number(double value) override {
    store(value);
    return true;
  }
  bool boolean(bool) override { return true; }
  bool string(std::string_view) override { return true; }
  bool begin_object() override {
    stack_.push_back(path_);
    return true;
  }
  bool begin_array() override {
    stack_.push_back(path_);
    return true;
  }
  json::Node* member(std::string_view key) override {
    if (nested_) {
      if (key == "file_metadata" || key == "file_read_metrics") return shared_.file_facts.get();
    }
    path_ = stack_.back() + "." + std::string(key);
    return this;
  }
  void end() override { stack_.pop_back(); }

 private:
  void store(double value) {
    // A part that was not computed ("sections": null) is no number; a number that could not be is (core_efficiency: null).
    if (is_absent(value) && nested_ && nested_name(path_).id == path_) return;
    const StoredName name = nested_ ? nested_name(path_) : flat_name(path_);
    if (name.old_flat) shared_.old_keys = true;
    shared_.run.stored.push_back({std::string(name.id), value * name.factor, nested_ ? "summary." + path_ : path_});
  }

  Shared& shared_;
  bool nested_;
  std::string path_;
  std::vector<std::string> stack_;
};

/// `raw` of the nested schema.
class RawNode : public json::Node {
 public:
  explicit RawNode(Shared& shared) : shared_(shared) {}
  bool begin_object() override { return shared_.nested = true; }
  json::Node* member(std::string_view key) override {
    if (key == "workers") return shared_.tracking.get();
    if (key == "tasks") return &shared_.activities;
    if (key == "chunks") return shared_.chunks.get();
    if (key == "chunk_info") return &shared_.chunk_info;
    return nullptr;
  }

 private:
  Shared& shared_;
};

/// `summary` of the nested schema: groups of numbers.
class SummaryNode : public json::Node {
 public:
  explicit SummaryNode(Shared& shared) : stored_(shared, true) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override { return &stored_.of(std::string(key)); }

 private:
  StoredNode stored_;
};

class MetricsNode : public json::Node {
 public:
  MetricsNode(Run& run, const std::string& path) : shared_(run, path) {}

  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    if (key == "tracking_data") return shared_.tracking.get();
    if (key == "raw_chunk_metrics") return shared_.chunks.get();
    if (key == "raw_span_metrics") return &shared_.activities;
    if (key == "chunk_info") return &shared_.chunk_info;
    if (key == "file_metadata" || key == "file_read_metrics") return shared_.file_facts.get();
    if (key == "raw") return &raw_;
    if (key == "summary") return &summary_;
    return &stored_.of(std::string(key));
  }
  std::string_view expects() const override { return "an object"; }

  void finished() {
    shared_.chunk_info.use_chunk_info();
    Run& run = shared_.run;
    run.schema = shared_.nested     ? "roastcoffea nested"
                 : shared_.old_keys ? "roastcoffea flat, before 2025-12-13"
                                    : "roastcoffea flat 0.1.x";
    run.elapsed = run.stored_value("elapsed_time_seconds");
  }

 private:
  Shared shared_;
  StoredNode stored_{shared_, false};
  RawNode raw_{shared_};
  SummaryNode summary_{shared_};
};

class MetricsReader : public JsonReader {
 public:
  using JsonReader::JsonReader;
  void finished() override { static_cast<MetricsNode&>(root()).finished(); }
};

bool recognises_metrics(const Head& head) {
  const auto& sample = head.sample;
  if (!sample.is_object()) return false;
  if (sample.contains("raw") && sample.contains("summary")) return true;
  // The nested form may be longer than the head, so that its summary is out of sight.
  if (sample.contains("raw") && sample["raw"].is_object() &&
      (sample["raw"].contains("workers") || sample["raw"].contains("chunks")))
    return true;
  for (const char* key :
       {"tracking_data", "raw_chunk_metrics", "raw_span_metrics", "chunk_info", "data_rate_gbps", "overall_rate_gbps",
        "event_rate_elapsed_khz", "event_rate_wall_khz", "avg_cpu_time_per_chunk", "processor_cpu_time_seconds"}) {
    if (sample.contains(key)) return true;
  }
  return false;
}

std::unique_ptr<Reader> open_metrics(Run& run, const std::string& path) {
  return std::make_unique<MetricsReader>(run, path, std::make_unique<MetricsNode>(run, path));
}

}  // namespace

const Format metrics_format = {"metrics", "roastcoffea metrics", true, true, recognises_metrics, open_metrics};

}  // namespace crema
