#include "core/read/readers.hpp"

#include <algorithm>

#include "core/read/json_reader.hpp"
#include "core/read/profile_trees.hpp"

namespace crema::read {

namespace {

/// The `meta` of one worker, as the notebook copies it from `scheduler_info()`.
class WorkerMeta : public json::Node {
 public:
  explicit WorkerMeta(ProfileTrees& trees) : trees_(trees) {}
  void of(std::string_view address) { worker_ = trees_.worker_number(address); }

  bool begin_object() override {
    name_.clear();
    host_.clear();
    return true;
  }
  json::Node* member(std::string_view key) override {
    Workers& workers = trees_.run().workers;
    if (key == "name") return &text_.at(&name_);
    if (key == "host") return &text_.at(&host_);
    if (key == "nthreads") return &number_.at(&workers.nthreads[worker_]);
    if (key == "memory_limit") return &number_.at(&workers.memory_limit[worker_]);
    return nullptr;
  }
  void end() override {
    Workers& workers = trees_.run().workers;
    StringPool& strings = trees_.run().names->strings;
    if (!name_.empty()) workers.name[worker_] = strings.intern(name_);
    if (!host_.empty()) workers.host[worker_] = strings.intern(host_);
  }
  std::string_view expects() const override { return "the meta of a worker"; }

 private:
  ProfileTrees& trees_;
  std::size_t worker_ = 0;
  std::string name_, host_;
  json::TextInto text_;
  json::NumberInto number_;
};

class WorkerEntry : public json::Node {
 public:
  explicit WorkerEntry(ProfileTrees& trees) : trees_(trees), meta_(trees) {}
  void of(std::string_view address) { address_.assign(address); }

  bool begin_object() override {
    meta_.of(address_);
    return true;
  }
  json::Node* member(std::string_view key) override {
    if (key == "meta") return &meta_;
    if (key == "profile") return trees_.worker(address_);
    return nullptr;
  }
  std::string_view expects() const override { return "a worker's meta and profile"; }

 private:
  ProfileTrees& trees_;
  std::string address_;
  WorkerMeta meta_;
};

class WorkerProfiles : public json::Node {
 public:
  explicit WorkerProfiles(ProfileTrees& trees) : entry_(trees) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view address) override {
    entry_.of(address);
    return &entry_;
  }
  std::string_view expects() const override { return "profiles by worker"; }

 private:
  WorkerEntry entry_;
};

class ProfileMap : public json::Node {
 public:
  explicit ProfileMap(ProfileTrees& trees) : trees_(trees) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override { return trees_.labelled(key); }
  std::string_view expects() const override { return "a map of profiles"; }

 private:
  ProfileTrees& trees_;
};

// The document itself is the tree: hands everything on to the tree's node.
class SingleTree : public json::Node {
 public:
  explicit SingleTree(ProfileTrees& trees) : SingleTree(trees.single()) {}
  bool begin_object() override { return tree_.begin_object(); }
  json::Node* member(std::string_view key) override { return tree_.member(key); }
  void end() override { tree_.end(); }
  std::string_view expects() const override { return tree_.expects(); }

 protected:
  explicit SingleTree(json::Node* tree) : tree_(*tree) {}

 private:
  json::Node& tree_;
};

class ImportedTree : public SingleTree {
 public:
  explicit ImportedTree(ProfileTrees& trees) : SingleTree(trees.imported()) {}
};

// {"duration": …, "root_frame": tree}: `pyinstrument -r json`.
class PyinstrumentSession : public json::Node {
 public:
  explicit PyinstrumentSession(ProfileTrees& trees) : trees_(trees) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    return key == "root_frame" ? trees_.imported() : nullptr;
  }
  std::string_view expects() const override { return "a profile of pyinstrument"; }

 private:
  ProfileTrees& trees_;
};

class ProfileReader : public JsonReader {
 public:
  ProfileReader(Run& run, const std::string& path, std::unique_ptr<ProfileTrees> trees,
                std::unique_ptr<json::Node> root)
      : JsonReader(run, path, std::move(root)), trees_(std::move(trees)) {}
  void finished() override { trees_->finish(); }

 private:
  std::unique_ptr<ProfileTrees> trees_;
};

template <class Root>
std::unique_ptr<Reader> open_profiles(Run& run, const std::string& path) {
  auto trees = std::make_unique<ProfileTrees>(run, path);
  auto root = std::make_unique<Root>(*trees);
  return std::make_unique<ProfileReader>(run, path, std::move(trees), std::move(root));
}

// Two of a node's four keys, one of them structural: `count` and `identifier` may stand behind
// megabytes of children.
bool is_tree(const nlohmann::json& value) {
  if (!value.is_object()) return false;
  const bool children =
      holds(value, "children") && (value["children"].is_object() || value["children"].is_array());
  const int others = static_cast<int>(holds(value, "count")) +
                     static_cast<int>(holds(value, "identifier")) +
                     static_cast<int>(holds(value, "description"));
  return others + static_cast<int>(children) >= 2 && (children || holds(value, "identifier"));
}

// {address: {meta, profile}}: the founding notebook's dask_profiles.json.
bool recognises_worker_profiles(const Head& head) {
  if (!head.sample().is_object()) return false;
  return std::any_of(head.sample().begin(), head.sample().end(), [](const nlohmann::json& entry) {
    if (!entry.is_object() || !holds(entry, "profile")) return false;
    const nlohmann::json& profile = entry["profile"];
    return is_tree(profile) ||
           (profile.is_object() && holds(entry, "meta") && entry["meta"].is_object());
  });
}

// {address: tree} (`client.profile(merge_workers=False)`) or {task prefix: tree}.
bool recognises_profile_map(const Head& head) {
  return head.sample().is_object() &&
         std::any_of(head.sample().begin(), head.sample().end(), is_tree);
}

// `client.profile()`.
bool recognises_profile_tree(const Head& head) { return is_tree(head.sample()); }

// d3-flame-graph's nested nodes: what else they hold may stand behind megabytes of children.
bool recognises_nested_tree(const Head& head) {
  const auto has = [&](const char* key, const char* short_key,
                       bool (*is_right)(const nlohmann::json&)) {
    for (const char* one : {key, short_key}) {
      if (head.sample().contains(one)) return is_right(head.sample()[one]);
    }
    return false;
  };
  if (!head.sample().is_object()) return false;
  const bool name = has("name", "n", [](const nlohmann::json& text) { return text.is_string(); });
  const bool value =
      has("value", "v", [](const nlohmann::json& number) { return number.is_number(); });
  const bool children = has("children", "c", [](const nlohmann::json& list) {
    return list.is_array() && (list.empty() || list[0].is_object());
  });
  return children && (name || value);
}

bool recognises_pyinstrument(const Head& head) {
  const nlohmann::json& sample = head.sample();
  return sample.is_object() && sample.contains("root_frame") && sample.contains("sample_count");
}

}  // namespace

const Format worker_profiles_format{
    "worker_profiles",          "Dask profiles by worker",    false, true,
    recognises_worker_profiles, open_profiles<WorkerProfiles>};
const Format profile_map_format{"profile_map", "a map of Dask profiles", false,
                                true,          recognises_profile_map,   open_profiles<ProfileMap>};
const Format profile_tree_format{"profile_tree",          "a Dask profile",         false, true,
                                 recognises_profile_tree, open_profiles<SingleTree>};
const Format pyinstrument_format{
    "pyinstrument", "a profile of pyinstrument", false,
    true,           recognises_pyinstrument,     open_profiles<PyinstrumentSession>};
const Format nested_tree_format{"nested_tree",          "a d3-flame-graph tree",    false, true,
                                recognises_nested_tree, open_profiles<ImportedTree>};

}  // namespace crema::read
