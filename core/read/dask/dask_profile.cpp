#include <algorithm>

#include "core/read/dask/profile_trees.hpp"
#include "core/read/list.hpp"

namespace crema::read {

namespace {

/// Trees of calls, in a document of one shape or another.
class ProfileDocument : public JsonDocument {
 public:
  ProfileDocument(Run& run, const std::string& path) : run_(run), trees_(run, path) {}
  void finish() override { trees_.finish(); }

 protected:
  Run& run_;
  ProfileTrees trees_;
};

/// `{address: {meta, profile}}`; the notebook copies `meta` from `scheduler_info()`.
class WorkerProfiles : public ProfileDocument {
 public:
  using ProfileDocument::ProfileDocument;
  json::Node& root() override { return workers_; }

 private:
  std::string address_;
  WorkerMeta about_;
  json::Object meta_{"the meta of a worker",
                     {{"name", about_.name},
                      {"host", about_.host},
                      {"nthreads", about_.nthreads},
                      {"memory_limit", about_.memory_limit}},
                     [this] { about_.keep(run_, trees_.worker_number(address_)); }};
  json::Map entry_{"a worker's meta and profile", [this](std::string_view key) -> json::Node* {
                     trees_.worker_number(address_);
                     if (key == "meta") return &meta_;
                     return key == "profile" ? trees_.worker(address_) : nullptr;
                   }};
  json::Map workers_{"profiles by worker", [this](std::string_view address) {
                       address_ = address;
                       return &entry_;
                     }};
};

/// `{address or prefix: tree}`
class ProfileMap : public ProfileDocument {
 public:
  using ProfileDocument::ProfileDocument;
  json::Node& root() override { return profiles_; }

 private:
  json::Map profiles_{"a map of profiles",
                      [this](std::string_view key) { return trees_.labelled(key); }};
};

/// The document itself is the tree.
template <json::Node* (ProfileTrees::*node)()>
class WholeTree : public ProfileDocument {
 public:
  using ProfileDocument::ProfileDocument;
  json::Node& root() override { return *(trees_.*node)(); }
};

/// `{"duration": …, "root_frame": tree}`: `pyinstrument -r json`.
class PyinstrumentSession : public ProfileDocument {
 public:
  using ProfileDocument::ProfileDocument;
  json::Node& root() override { return session_; }

 private:
  json::Map session_{"a profile of pyinstrument", [this](std::string_view key) {
                       return key == "root_frame" ? trees_.imported() : nullptr;
                     }};
};

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

const Format worker_profiles_format{worker_profiles_about, recognises_worker_profiles,
                                    open_json<WorkerProfiles>};
const Format profile_map_format{profile_map_about, recognises_profile_map, open_json<ProfileMap>};
const Format profile_tree_format{profile_tree_about, recognises_profile_tree,
                                 open_json<WholeTree<&ProfileTrees::single>>};
const Format pyinstrument_format{pyinstrument_about, recognises_pyinstrument,
                                 open_json<PyinstrumentSession>};
const Format nested_tree_format{nested_tree_about, recognises_nested_tree,
                                open_json<WholeTree<&ProfileTrees::imported>>};

}  // namespace crema::read
