#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/json/nodes.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// Node for `raw_chunk_metrics` (flat) and `raw.chunks` (nested): the list of chunk records of
/// `@track_metrics`. `path` is the file, for data notes.
std::unique_ptr<json::Node> make_chunk_list_node(Run& run, const std::string& path);

/// Adds the value of one fine-metric key to `activities`. Keys are Python tuples (context, prefix,
/// activity, unit), with the variants of Dask's containers: a span id after the context (5 items),
/// no prefix (get-data, gather-dep, memory-monitor), no unit, or a plain string. False when it is
/// not a tuple at all; it is kept as text then.
bool add_activity(Activities& activities, StringPool& strings, std::string_view key, double value);

/// Node for `raw_span_metrics`, `raw.tasks` and span-metric dumps: `{"('execute', …)": number}`.
class ActivitiesNode : public json::Numbers {
 public:
  ActivitiesNode(Run& run, std::string path)
      : Numbers("a number under a metric's key",
                [this](std::string_view key, double value) { keep(key, value); }),
        run_(run),
        path_(std::move(path)) {}

 private:
  void keep(std::string_view key, double value);

  Run& run_;
  std::string path_;
  // key -> its entry: a key that occurs again holds its last value
  std::map<std::string, std::size_t> known_;
};

/// roastcoffea's percentages become fractions.
inline constexpr double percent = 0.01;

/// The facts of one file; the name is a member ("filename", inside a chunk) or was the key above.
class FileFactsNode : public json::Object {
 public:
  explicit FileFactsNode(Run& run)
      : Object("the facts of a file", {{"filename", name_},
                                       {"compression_ratio", compression_ratio_},
                                       {"total_branches", branches_},
                                       {"total_tree_bytes", tree_bytes_},
                                       {"bytes_read", bytes_read_},
                                       {"branches_read_percent", branches_read_, percent},
                                       {"bytes_read_percent", bytes_read_fraction_, percent}}),
        run_(run) {}
  bool begin_object() override {
    Object::begin_object();
    name_ = given_name_;
    return true;
  }
  void end() override {
    if (name_.empty()) return;
    Files& files = run_.files;
    const std::size_t file = files.intern(run_.names->strings.intern(name_));
    const auto keep = [&](std::vector<double>& column, double value) {
      if (is_absent(column[file])) column[file] = value;
    };
    keep(files.compression_ratio, compression_ratio_);
    keep(files.branches_total, branches_);
    keep(files.tree_bytes, tree_bytes_);
    keep(files.bytes_read, bytes_read_);
    keep(files.branches_read_fraction, branches_read_);
    keep(files.bytes_read_fraction, bytes_read_fraction_);
  }
  /// The next object is about this file, if it does not say otherwise.
  void begin_file(std::string_view name) { given_name_ = name; }

 private:
  Run& run_;
  std::string given_name_, name_;
  double compression_ratio_ = absent, branches_ = absent, tree_bytes_ = absent;
  double bytes_read_ = absent, branches_read_ = absent, bytes_read_fraction_ = absent;
};

/// Node for `file_metadata` and `file_read_metrics`: `{file: {total_branches, total_tree_bytes,
/// …}}`.
class FileMapNode : public json::Map {
 public:
  explicit FileMapNode(Run& run)
      : Map("an object of files",
            [this](std::string_view key) {
              facts_.begin_file(key);
              return &facts_;
            }),
        facts_(run) {}

 private:
  FileFactsNode facts_;
};

/// Node for `tracking_data` (flat schemas) and `raw.workers` (nested): worker counts and the nine
/// per-worker series, `{"tcp://…": [["2025-…", v], …], …}` each.
struct TrackingNode : json::Node {
  TrackingNode() : Node("an object of series") {}
  /// The file has ended, wherever it did: what was read goes into the run.
  virtual void finish() = 0;
};
std::unique_ptr<TrackingNode> make_tracking_node(Run& run);

}  // namespace crema::read
