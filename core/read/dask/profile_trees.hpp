#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/call_tree.hpp"
#include "core/model/run.hpp"
#include "core/read/dask/dask_tree.hpp"

namespace crema::read {

/// The boxes of a flame graph as Dask draws it (`distributed.profile.plot_data`), in columns of
/// equal length, in preorder.
struct ProfileBoxes {
  std::vector<double> depth;  ///< `bottom`: 0 for the root
  std::vector<double> width;  ///< share of the root's count
  std::vector<StringId> name, file, source_line;
  std::vector<double> line;    ///< executing when first sampled
  std::string_view root_time;  ///< text of the root's time, "77.03 s"; "" when unknown

  std::size_t size() const { return width.size(); }
};

/// What could not be taken as it stands.
struct BoxFaults {
  std::size_t orphans = 0;      ///< boxes that stand on none; left out
  bool counts_rounded = false;  ///< no number of samples makes all widths whole
};

/// The counts behind the boxes: widths are counts / N, so that N is what makes all of them whole.
/// Frames without samples have no box, so of a worker's profile the leaves are missing.
CallTree tree_of(const ProfileBoxes& boxes, Names& names, BoxFaults& faults);

/// Seconds of a time as Dask writes it ("77.03 s", "140.00 ms", "12m 34s", "2hr 5m"); absent when
/// it is none.
double parse_dask_time(std::string_view text);

/// What the documents around trees say of a worker, as `scheduler_info()` does.
struct WorkerMeta : json::Object {
  explicit WorkerMeta(Callback<void()> ended = {})
      : Object("a worker",
               {{"address", address},
                {"name", name},
                {"host", host},
                {"nthreads", nthreads},
                {"memory_limit", memory_limit}},
               ended) {}

  void keep(Run& run, std::size_t worker) const {
    StringPool& strings = run.names->strings;
    if (!name.empty()) run.workers.name[worker] = strings.intern(name);
    if (!host.empty()) run.workers.host[worker] = strings.intern(host);
    if (!is_absent(nthreads)) run.workers.nthreads[worker] = nthreads;
    if (!is_absent(memory_limit)) run.workers.memory_limit[worker] = memory_limit;
  }

  std::string address, name, host;
  double nthreads = absent, memory_limit = absent;
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
