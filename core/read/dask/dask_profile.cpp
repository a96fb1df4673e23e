#include "core/read/dask/profile_trees.hpp"
#include "core/read/list.hpp"

namespace crema::read {

namespace {

/// Trees of calls, in a document of one shape or another.
class ProfileDocument : public JsonDocument {
 public:
  ProfileDocument(Run& run, const std::string& path) : JsonDocument(run, path), trees_(run, path) {}
  void ended() override { trees_.finish(); }

 protected:
  ProfileTrees trees_;
};

/// `{address: {meta, profile}}`; the notebook copies `meta` from `scheduler_info()`.
class WorkerProfiles : public ProfileDocument {
 public:
  using ProfileDocument::ProfileDocument;
  json::Node& root() override { return workers_; }

 private:
  std::string address_;
  WorkerMeta meta_{[this] { meta_.keep(run_, trees_.worker_number(address_)); }};
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

constexpr double default_interval_ms = 10;  // the notebook's own default: no word about the run

/// The founding notebook's parsed form: `{interval_ms, workers: [{worker: {address, ...}, profile:
/// {meta, tree, stacks}}]}`, or one of its profiles. The stacks repeat the tree and are left out.
class NotebookForm : public ProfileDocument {
 public:
  using ProfileDocument::ProfileDocument;
  json::Node& root() override { return root_; }

  void ended() override {
    trees_.finish();
    settle();
    for (CallTree& tree : run_.call_trees) {
      tree.form = CallTree::Form::stacks;
      if (interval_ms_ > 0 && interval_ms_ != default_interval_ms)
        tree.interval = interval_ms_ / 1000;
    }
  }

 private:
  /// Gives the trees that were read since to the worker, which may stand behind its profile.
  void settle() {
    if (worker_.address.empty()) return;
    const StringId address = run_.names->strings.intern(worker_.address);
    worker_.keep(run_, run_.workers.intern(address));
    for (; first_tree_ < run_.call_trees.size(); ++first_tree_) {
      CallTree& tree = run_.call_trees[first_tree_];
      tree.name = worker_.address;
      tree.kind = CallTree::Kind::worker;
      tree.worker = address;
    }
  }

  std::size_t first_tree_ = 0;  // of the worker
  double interval_ms_ = absent;

  WorkerMeta worker_;
  json::Map profile_{"a parsed profile", [this](std::string_view key) {
                       return key == "tree" ? trees_.single() : nullptr;
                     }};
  json::Object entry_{"a worker and its profile",
                      {{"worker", worker_}, {"profile", profile_}},
                      [this] { settle(); }};
  json::List workers_{"a list of workers", entry_,
                      [this](std::size_t) { first_tree_ = run_.call_trees.size(); }};
  json::NumberInto interval_{&interval_ms_};
  json::Object meta_{"an object", {{"interval_ms", interval_}}};
  json::Object root_{
      "the notebook's parsed profiles",
      {{"workers", workers_}, {"interval_ms", interval_}, {"meta", meta_}},
      {},
      [this](std::string_view key) { return key == "tree" ? trees_.single() : nullptr; }};
};

// Two of a node's four keys, one of them structural: `count` and `identifier` may stand behind
// megabytes of children.
bool is_tree(const nlohmann::json& value) {
  const bool children = member_of(value, "children").is_structured();
  const bool identifier = holds(value, "identifier");
  return children + identifier + holds(value, "count") + holds(value, "description") >= 2 &&
         (children || identifier);
}

// {address: {meta, profile}}: the founding notebook's dask_profiles.json.
bool recognises_worker_profiles(const Head& head) {
  if (!head.sample().is_object()) return false;
  return any_of(head.sample(), [](const nlohmann::json& entry) {
    const nlohmann::json& profile = member_of(entry, "profile");
    return is_tree(profile) || (profile.is_object() && member_of(entry, "meta").is_object());
  });
}

// {address: tree} (`client.profile(merge_workers=False)`) or {task prefix: tree}.
bool recognises_profile_map(const Head& head) {
  return head.sample().is_object() && any_of(head.sample(), is_tree);
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
  return holds(head.sample(), "root_frame") && holds(head.sample(), "sample_count");
}

bool is_parsed_profile(const nlohmann::json& value) {
  return holds(member_of(value, "meta"), "interval_ms");
}

bool recognises_notebook_form(const Head& head) {
  if (is_parsed_profile(head.sample())) return true;
  const nlohmann::json& workers = member_of(head.sample(), "workers");
  if (!workers.is_array()) return false;
  const bool has_interval = holds(head.sample(), "interval_ms");
  if (workers.empty()) return has_interval;
  return holds(workers[0], "profile") && (has_interval || is_parsed_profile(workers[0]["profile"]));
}

}  // namespace

const Format worker_profiles_format{worker_profiles_about, recognises_worker_profiles,
                                    open_reader<WorkerProfiles>};
const Format profile_map_format{profile_map_about, recognises_profile_map, open_reader<ProfileMap>};
const Format profile_tree_format{profile_tree_about, recognises_profile_tree,
                                 open_reader<WholeTree<&ProfileTrees::single>>};
const Format pyinstrument_format{pyinstrument_about, recognises_pyinstrument,
                                 open_reader<PyinstrumentSession>};
const Format nested_tree_format{nested_tree_about, recognises_nested_tree,
                                open_reader<WholeTree<&ProfileTrees::imported>>};
const Format notebook_form_format{notebook_form_about, recognises_notebook_form,
                                  open_reader<NotebookForm>};

}  // namespace crema::read
