// The founding notebook's parsed form: `{interval_ms, workers: [{worker: {address, ...}, profile:
// {meta, tree, stacks}}]}`, or one of its profiles. The stacks repeat the tree and are left out.
#include "core/read/dask/profile_trees.hpp"
#include "core/read/list.hpp"

namespace crema::read {

namespace {

constexpr double default_interval_ms = 10;  // the notebook's own default: no word about the run

class NotebookForm : public JsonDocument {
 public:
  NotebookForm(Run& run, const std::string& path) : run_(run), trees_(run, path) {}
  json::Node& root() override { return root_; }

  void finish() override {
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
    if (address_.empty()) return;
    const StringId address = run_.names->strings.intern(address_);
    about_.keep(run_, run_.workers.intern(address));
    for (; first_tree_ < run_.call_trees.size(); ++first_tree_) {
      CallTree& tree = run_.call_trees[first_tree_];
      tree.name = address_;
      tree.kind = CallTree::Kind::worker;
      tree.worker = address;
    }
  }

  Run& run_;
  ProfileTrees trees_;
  std::size_t first_tree_ = 0;  // of the worker
  std::string address_;
  WorkerMeta about_;
  double interval_ms_ = absent;

  json::Object worker_{"a worker",
                       {{"address", address_},
                        {"name", about_.name},
                        {"host", about_.host},
                        {"nthreads", about_.nthreads},
                        {"memory_limit", about_.memory_limit}}};
  json::Map profile_{"a parsed profile", [this](std::string_view key) {
                       return key == "tree" ? trees_.single() : nullptr;
                     }};
  json::Object entry_{"a worker and its profile",
                      {{"worker", worker_}, {"profile", profile_}},
                      [this] { settle(); }};
  json::List workers_{"a list of workers", entry_,
                      [this](std::size_t) { first_tree_ = run_.call_trees.size(); }};
  json::NumberInto interval_{&interval_ms_};
  json::Map meta_{"an object", [this](std::string_view key) {
                    return key == "interval_ms" ? &interval_ : nullptr;
                  }};
  json::Map root_{"the notebook's parsed profiles", [this](std::string_view key) -> json::Node* {
                    if (key == "tree") return trees_.single();
                    if (key == "workers") return &workers_;
                    if (key == "interval_ms") return &interval_;
                    return key == "meta" ? &meta_ : nullptr;
                  }};
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

}  // namespace

const Format notebook_form_format{notebook_form_about, recognises_notebook_form,
                                  open_json<NotebookForm>};

}  // namespace crema::read
