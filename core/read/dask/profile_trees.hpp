#pragma once

#include <string>
#include <string_view>

#include "core/model/run.hpp"
#include "core/read/dask/dask_tree.hpp"

namespace crema::read {

/// What the documents around trees say of a worker, as `scheduler_info()` does.
struct WorkerMeta {
  std::string name, host;
  double nthreads = absent, memory_limit = absent;

  void keep(Run& run, std::size_t worker) const {
    StringPool& strings = run.names->strings;
    if (!name.empty()) run.workers.name[worker] = strings.intern(name);
    if (!host.empty()) run.workers.host[worker] = strings.intern(host);
    if (!is_absent(nthreads)) run.workers.nthreads[worker] = nthreads;
    if (!is_absent(memory_limit)) run.workers.memory_limit[worker] = memory_limit;
  }
};

/// The Dask trees of one file on their way into the run, with the data notes they leave.
class ProfileTrees {
 public:
  ProfileTrees(Run& run, std::string path);

  /// Nodes for the tree of a worker (by address), of a worker or task prefix, and of the whole
  /// file.
  json::Node* worker(std::string_view address) { return expect(address, CallTree::Kind::worker); }
  json::Node* labelled(std::string_view key);
  json::Node* single();
  /// The node for a tree of another tool.
  json::Node* imported();

  std::size_t worker_number(std::string_view address) {
    return run_.workers.intern(run_.names->strings.intern(address));
  }

  /// Call at the end of the file, also of a damaged one.
  void finish();

 private:
  json::Node* expect(std::string_view name, CallTree::Kind kind);
  void add(CallTree tree, const DaskTreeFaults& faults);
  void report_faults();

  Run& run_;
  std::string path_;
  std::string name_;
  CallTree::Kind kind_ = CallTree::Kind::merged;
  DaskTreeFaults faults_;
  std::size_t empty_ = 0;
  std::string first_empty_;
  DaskTree node_;
};

/// Whether Dask counted the innermost frames of `tree`: in the tree of a worker's threads it does
/// not, nor then in any part of it.
CallTree::Leaves leaves_of(const CallTree& tree, const Names& names);

}  // namespace crema::read
