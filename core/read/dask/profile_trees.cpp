#include "core/read/dask/profile_trees.hpp"

#include <algorithm>
#include <vector>

#include "core/base/text.hpp"

namespace crema::read {

namespace {

// tcp://10.0.0.5:1234, tls://, inproc://, ucx://; a task prefix never has "://".
bool looks_like_address(std::string_view text) {
  return text.find("://") != std::string_view::npos;
}

bool has_samples(const CallTree& tree) {
  return tree.size() > 1 || (tree.size() == 1 && tree.count[0] > 0);
}

}  // namespace

// Worker threads are sampled without counting the innermost frame, event loops with it
// (docs/meanings.md, Leaves). The tree shows which: in the first, every leaf has count 0. Native
// frames (low-level profiling) make Dask count the leaf as well.
CallTree::Leaves leaves_of(const CallTree& tree, const Names& names) {
  const StringId native = names.strings.find("<low-level>");
  std::vector<bool> has_child(tree.size(), false);
  for (std::size_t i = 1; i < tree.size(); ++i) has_child[tree.parent[i]] = true;
  bool empty_leaf = tree.size() == 1;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    if (native != no_string && names.frames.file[tree.frame[i]] == native)
      return CallTree::Leaves::counted;
    if (!has_child[i] && tree.count[i] == 0) empty_leaf = true;
  }
  return empty_leaf ? CallTree::Leaves::uncounted : CallTree::Leaves::counted;
}

ProfileTrees::ProfileTrees(Run& run, std::string path)
    : run_(run),
      path_(std::move(path)),
      node_(*run.names,
            [this](CallTree tree, const DaskTreeFaults& faults) { add(std::move(tree), faults); }) {
}

json::Node* ProfileTrees::labelled(std::string_view key) {
  return expect(key, looks_like_address(key) ? CallTree::Kind::worker : CallTree::Kind::key);
}

json::Node* ProfileTrees::single() {
  const std::string_view name = base_name(path_);
  const auto says = [&](std::string_view word) {
    return name.find(word) != std::string_view::npos;
  };
  return expect(name, says("server")      ? CallTree::Kind::server
                      : says("scheduler") ? CallTree::Kind::scheduler
                                          : CallTree::Kind::merged);
}

json::Node* ProfileTrees::imported() { return expect(base_name(path_), CallTree::Kind::import); }

void ProfileTrees::finish() {
  node_.cut_off();
  report_faults();
  if (empty_ > 0) {
    run_.add_note("empty-profile", Severity::low,
                  "a profile was recorded but is empty (" + std::to_string(empty_) +
                      " in this file): nothing ran while it was recorded, or profiling was off",
                  path_, first_empty_, Error::no_offset, empty_);
  }
}

json::Node* ProfileTrees::expect(std::string_view name, CallTree::Kind kind) {
  name_.assign(name);
  kind_ = kind;
  return &node_;
}

void ProfileTrees::add(CallTree tree, const DaskTreeFaults& faults) {
  faults_.bad_counts += faults.bad_counts;
  faults_.missing_counts += faults.missing_counts;
  faults_.too_small += faults.too_small;
  if (kind_ == CallTree::Kind::worker) tree.worker = run_.workers.address[worker_number(name_)];
  if (kind_ == CallTree::Kind::key) tree.key = run_.names->strings.intern(name_);
  if (!has_samples(tree)) {
    if (empty_++ == 0)
      first_empty_ =
          kind_ == CallTree::Kind::worker || kind_ == CallTree::Kind::key ? name_ : std::string{};
    return;
  }
  tree.name = name_;
  tree.kind = kind_;
  tree.leaves =
      kind_ == CallTree::Kind::import ? CallTree::Leaves::counted : leaves_of(tree, *run_.names);
  tree.source = path_;
  run_.call_trees.push_back(std::move(tree));
}

void ProfileTrees::report_faults() {
  const auto report = [&](std::size_t count, const char* id, Severity severity,
                          std::string_view what) {
    if (count == 0) return;
    run_.add_note(id, severity,
                  std::string(what) + " (" + std::to_string(count) +
                      " in this file); the sum of the node's children is used instead",
                  path_, {}, Error::no_offset, count);
  };
  report(faults_.bad_counts, "bad-count", Severity::medium,
         "a node of a profile has a sample count that is negative or not finite");
  report(faults_.missing_counts - std::min(faults_.missing_counts, faults_.bad_counts),
         "missing-count", Severity::low, "a node of a profile has no sample count");
  report(faults_.too_small, "count-below-children", Severity::medium,
         "a node of a profile counts less than its children together");
}

}  // namespace crema::read
