#include "core/read/readers.hpp"

#include <algorithm>
#include <vector>

#include "core/read/dask_tree.hpp"
#include "core/read/json_reader.hpp"

namespace crema {

namespace {

// tcp://10.0.0.5:1234, tls://, inproc://, ucx://; a task prefix never has "://".
bool looks_like_address(std::string_view text) { return text.find("://") != std::string_view::npos; }

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// Worker threads are sampled without counting the innermost frame, event loops with it (domain.md 3.16). The tree shows
// which: in the first, every leaf has count 0. Native frames (low-level profiling) make Dask count the leaf as well.
CallTree::Leaves leaves_of(const CallTree& tree, const Names& names) {
  const StringId native = names.strings.find("<low-level>");
  std::vector<bool> has_child(tree.size(), false);
  for (std::size_t i = 1; i < tree.size(); ++i) has_child[tree.parent[i]] = true;
  bool empty_leaf = tree.size() == 1;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    if (native != no_string && names.frames.file[tree.frame[i]] == native) return CallTree::Leaves::counted;
    if (!has_child[i] && tree.count[i] == 0) empty_leaf = true;
  }
  return empty_leaf ? CallTree::Leaves::uncounted : CallTree::Leaves::counted;
}

bool has_samples(const CallTree& tree) { return tree.size() > 1 || (tree.size() == 1 && tree.count[0] > 0); }

/// The trees of one file on their way into the run, with the doubts they leave.
class Trees {
 public:
  Trees(Run& run, std::string path)
      : run_(run),
        path_(std::move(path)),
        node_(*run.names, [this](CallTree tree, const DaskTreeFaults& faults) { add(std::move(tree), faults); }) {}

  /// The node for the tree of a worker (an address) or of a task prefix.
  json::Node* worker(std::string_view address) { return expect(address, CallTree::Kind::worker); }
  json::Node* labelled(std::string_view key) {
    return expect(key, looks_like_address(key) ? CallTree::Kind::worker : CallTree::Kind::key);
  }
  json::Node* single() {
    const std::string_view name = base_name(path_);
    const auto says = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
    return expect(name, says("server")      ? CallTree::Kind::server
                        : says("scheduler") ? CallTree::Kind::scheduler
                                            : CallTree::Kind::merged);
  }

  std::size_t worker_number(std::string_view address) { return run_.workers.intern(run_.names->strings.intern(address)); }
  Run& run() { return run_; }

  void finish() {
    node_.cut_off();
    report_faults();
    if (empty_ > 0) {
      run_.doubt("empty-profile", Severity::low,
                 "a profile was recorded but is empty (" + std::to_string(empty_) +
                     " in this file): nothing ran while it was recorded, or profiling was off",
                 path_, first_empty_);
      run_.doubts.back().count = empty_;
    }
  }

 private:
  json::Node* expect(std::string_view name, CallTree::Kind kind) {
    name_.assign(name);
    kind_ = kind;
    return &node_;
  }

  void add(CallTree tree, const DaskTreeFaults& faults) {
    faults_.bad_counts += faults.bad_counts;
    faults_.missing_counts += faults.missing_counts;
    faults_.too_small += faults.too_small;
    if (kind_ == CallTree::Kind::worker) tree.worker = run_.workers.address[worker_number(name_)];
    if (kind_ == CallTree::Kind::key) tree.key = run_.names->strings.intern(name_);
    if (!has_samples(tree)) {
      if (empty_++ == 0) first_empty_ = kind_ == CallTree::Kind::worker || kind_ == CallTree::Kind::key ? name_ : std::string{};
      return;
    }
    tree.name = name_;
    tree.kind = kind_;
    tree.leaves = leaves_of(tree, *run_.names);
    tree.source = path_;
    run_.call_trees.push_back(std::move(tree));
  }

  void report_faults() {
    const auto report = [&](std::size_t count, std::string_view id, Severity severity, std::string_view what) {
      if (count == 0) return;
      run_.doubt(
          std::string(id), severity,
          std::string(what) + " (" + std::to_string(count) + " in this file); the sum of the node's children is used instead",
          path_);
      run_.doubts.back().count = count;
    };
    report(faults_.bad_counts, "bad-count", Severity::medium,
           "a node of a profile has a sample count that is negative or not finite");
    report(faults_.missing_counts - std::min(faults_.missing_counts, faults_.bad_counts), "missing-count", Severity::low,
           "a node of a profile has no sample count");
    report(faults_.too_small, "count-below-children", Severity::medium,
           "a node of a profile counts less than its children together");
  }

  Run& run_;
  std::string path_;
  std::string name_;
  CallTree::Kind kind_ = CallTree::Kind::merged;
  DaskTreeFaults faults_;
  std::size_t empty_ = 0;
  std::string first_empty_;
  DaskTree node_;
};

/// The `meta` of one worker, as the notebook copies it from `scheduler_info()`.
class WorkerMeta : public json::Node {
 public:
  explicit WorkerMeta(Trees& trees) : trees_(trees) {}
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
  Trees& trees_;
  std::size_t worker_ = 0;
  std::string name_, host_;
  json::TextInto text_;
  json::NumberInto number_;
};

class WorkerEntry : public json::Node {
 public:
  explicit WorkerEntry(Trees& trees) : trees_(trees), meta_(trees) {}
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
  Trees& trees_;
  std::string address_;
  WorkerMeta meta_;
};

class WorkerProfiles : public json::Node {
 public:
  explicit WorkerProfiles(Trees& trees) : entry_(trees) {}
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
  explicit ProfileMap(Trees& trees) : trees_(trees) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override { return trees_.labelled(key); }
  std::string_view expects() const override { return "a map of profiles"; }

 private:
  Trees& trees_;
};

// The document itself is the tree: hands everything on to the tree's node.
class SingleTree : public json::Node {
 public:
  explicit SingleTree(Trees& trees) : tree_(*trees.single()) {}
  bool begin_object() override { return tree_.begin_object(); }
  json::Node* member(std::string_view key) override { return tree_.member(key); }
  void end() override { tree_.end(); }
  std::string_view expects() const override { return tree_.expects(); }

 private:
  json::Node& tree_;
};

class ProfileReader : public JsonReader {
 public:
  ProfileReader(Run& run, const std::string& path, std::unique_ptr<Trees> trees, std::unique_ptr<json::Node> root)
      : JsonReader(run, path, std::move(root)), trees_(std::move(trees)) {}
  void finished() override { trees_->finish(); }

 private:
  std::unique_ptr<Trees> trees_;
};

template <class Root>
std::unique_ptr<Reader> open_profiles(Run& run, const std::string& path) {
  auto trees = std::make_unique<Trees>(run, path);
  auto root = std::make_unique<Root>(*trees);
  return std::make_unique<ProfileReader>(run, path, std::move(trees), std::move(root));
}

// Two of a node's four keys, one of them structural: `count` and `identifier` may stand behind megabytes of children.
bool is_tree(const nlohmann::json& value) {
  if (!value.is_object()) return false;
  const bool children = value.contains("children") && (value["children"].is_object() || value["children"].is_array());
  const int others = static_cast<int>(value.contains("count")) + static_cast<int>(value.contains("identifier")) +
                     static_cast<int>(value.contains("description"));
  return others + static_cast<int>(children) >= 2 && (children || value.contains("identifier"));
}

// {address: {meta, profile}}: the founding notebook's dask_profiles.json.
bool recognises_worker_profiles(const Head& head) {
  if (!head.sample.is_object()) return false;
  return std::any_of(head.sample.begin(), head.sample.end(), [](const nlohmann::json& entry) {
    if (!entry.is_object() || !entry.contains("profile")) return false;
    const nlohmann::json& profile = entry["profile"];
    return is_tree(profile) || (profile.is_object() && entry.contains("meta") && entry["meta"].is_object());
  });
}

// {address: tree} (`client.profile(merge_workers=False)`) or {task prefix: tree}.
bool recognises_profile_map(const Head& head) {
  return head.sample.is_object() && std::any_of(head.sample.begin(), head.sample.end(), is_tree);
}

// `client.profile()`.
bool recognises_profile_tree(const Head& head) { return is_tree(head.sample); }

}  // namespace

const Format worker_profiles_format{"worker_profiles",          "Dask profiles by worker",    false, true,
                                    recognises_worker_profiles, open_profiles<WorkerProfiles>};
const Format profile_map_format{"profile_map", "a map of Dask profiles", false,
                                true,          recognises_profile_map,   open_profiles<ProfileMap>};
const Format profile_tree_format{"profile_tree", "a Dask profile",        false,
                                 true,           recognises_profile_tree, open_profiles<SingleTree>};

}  // namespace crema
