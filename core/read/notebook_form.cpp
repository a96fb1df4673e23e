// The founding notebook's parsed form: `{interval_ms, workers: [{worker: {address, ...}, profile:
// {meta, tree, stacks}}]}`, or one of its profiles. The stacks repeat the tree and are left out.
#include "core/json/nodes.hpp"
#include "core/read/json_reader.hpp"
#include "core/read/profile_trees.hpp"
#include "core/read/readers.hpp"

namespace crema::read {

namespace {

constexpr double default_interval_ms = 10;  // the notebook's own default: no word about the run

/// `{address, name, host, nthreads, memory_limit}`.
class WorkerNode : public json::Node {
 public:
  std::string address;

  bool begin_object() override {
    name_.clear();
    host_.clear();
    nthreads_ = memory_limit_ = absent;
    return true;
  }
  json::Node* member(std::string_view key) override {
    if (key == "address") return &text_.at(&address);
    if (key == "name") return &text_.at(&name_);
    if (key == "host") return &text_.at(&host_);
    if (key == "nthreads") return &number_.at(&nthreads_);
    if (key == "memory_limit") return &number_.at(&memory_limit_);
    return nullptr;
  }
  std::string_view expects() const override { return "a worker"; }

  void put_into(Run& run) const {
    StringPool& strings = run.names->strings;
    const std::size_t worker = run.workers.intern(strings.intern(address));
    if (!name_.empty()) run.workers.name[worker] = strings.intern(name_);
    if (!host_.empty()) run.workers.host[worker] = strings.intern(host_);
    run.workers.nthreads[worker] = nthreads_;
    run.workers.memory_limit[worker] = memory_limit_;
  }

 private:
  std::string name_, host_;
  double nthreads_ = absent, memory_limit_ = absent;
  json::TextInto text_;
  json::NumberInto number_;
};

class ProfileNode : public json::Node {
 public:
  explicit ProfileNode(ProfileTrees& trees) : trees_(trees) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    return key == "tree" ? trees_.single() : nullptr;
  }
  std::string_view expects() const override { return "a parsed profile"; }

 private:
  ProfileTrees& trees_;
};

/// A worker and its profile, in any order.
class EntryNode : public json::Node {
 public:
  explicit EntryNode(ProfileTrees& trees) : trees_(trees), profile_(trees) {}
  bool begin_object() override {
    first_tree_ = trees_.run().call_trees.size();
    worker_.address.clear();
    return true;
  }
  json::Node* member(std::string_view key) override {
    if (key == "worker") return &worker_;
    if (key == "profile") return &profile_;
    return nullptr;
  }
  void end() override { settle(); }
  std::string_view expects() const override { return "a worker and its profile"; }

  /// Gives the trees read since to the worker.
  void settle() {
    Run& run = trees_.run();
    if (worker_.address.empty()) return;
    worker_.put_into(run);
    for (; first_tree_ < run.call_trees.size(); ++first_tree_) {
      CallTree& tree = run.call_trees[first_tree_];
      tree.name = worker_.address;
      tree.kind = CallTree::Kind::worker;
      tree.worker = run.names->strings.intern(worker_.address);
    }
  }

 private:
  ProfileTrees& trees_;
  std::size_t first_tree_ = 0;
  WorkerNode worker_;
  ProfileNode profile_;
};

class FormNode : public json::Node {
 public:
  explicit FormNode(ProfileTrees& trees) : trees_(trees), workers_(trees) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    if (key == "workers") return &workers_;
    if (key == "tree") return trees_.single();
    if (key == "interval_ms") return &number_.at(&interval_ms_);
    if (key == "meta") return &meta_;
    return nullptr;
  }
  std::string_view expects() const override { return "the notebook's parsed profiles"; }

  void finish() {
    trees_.finish();
    workers_.entry.settle();
    for (CallTree& tree : trees_.run().call_trees) {
      tree.form = CallTree::Form::stacks;
      if (interval_ms_ > 0 && interval_ms_ != default_interval_ms)
        tree.interval = interval_ms_ / 1000;
    }
  }

 private:
  struct Workers : json::Node {
    explicit Workers(ProfileTrees& trees) : entry(trees) {}
    bool begin_array() override { return true; }
    json::Node* element(std::size_t) override { return &entry; }
    std::string_view expects() const override { return "a list of workers"; }
    EntryNode entry;
  };
  struct Meta : json::Node {
    explicit Meta(FormNode& form) : owner(form) {}
    bool begin_object() override { return true; }
    json::Node* member(std::string_view key) override {
      return key == "interval_ms" ? &owner.number_.at(&owner.interval_ms_) : nullptr;
    }
    FormNode& owner;
  };

  ProfileTrees& trees_;
  Workers workers_;
  Meta meta_{*this};
  double interval_ms_ = absent;
  json::NumberInto number_;
};

class NotebookReader : public JsonReader {
 public:
  NotebookReader(Run& run, const std::string& path, std::unique_ptr<ProfileTrees> trees,
                 std::unique_ptr<FormNode> root)
      : JsonReader(run, path, std::move(root)), trees_(std::move(trees)) {}
  void finished() override { static_cast<FormNode&>(root()).finish(); }

 private:
  std::unique_ptr<ProfileTrees> trees_;
};

bool is_parsed_profile(const nlohmann::json& value) {
  return value.is_object() && holds(value, "meta") && value["meta"].is_object() &&
         holds(value["meta"], "interval_ms");
}

bool recognises_notebook_form(const Head& head) {
  if (is_parsed_profile(head.sample())) return true;
  if (!head.sample().is_object() || !holds(head.sample(), "workers")) return false;
  const nlohmann::json& workers = head.sample()["workers"];
  if (!workers.is_array()) return false;
  if (workers.empty()) return holds(head.sample(), "interval_ms");
  return workers[0].is_object() && holds(workers[0], "profile") &&
         (is_parsed_profile(workers[0]["profile"]) || holds(head.sample(), "interval_ms"));
}

std::unique_ptr<Reader> open_notebook_form(Run& run, const std::string& path) {
  auto trees = std::make_unique<ProfileTrees>(run, path);
  auto root = std::make_unique<FormNode>(*trees);
  return std::make_unique<NotebookReader>(run, path, std::move(trees), std::move(root));
}

}  // namespace

const Format notebook_form_format{
    "notebook_form",   "the notebook's parsed profiles", false, true, recognises_notebook_form,
    open_notebook_form};

}  // namespace crema::read
