#include "core/session/known_names.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/nearest.hpp"
#include "core/runtime/chunks.hpp"

namespace crema {

namespace {

/// Names in the order in which a person looks for them, each once.
using NameSet = std::set<std::string_view>;

/// Of each id once: ids are few, rows many.
template <class Rows>
void add_texts(NameSet& names, const Run& run, const Rows& ids) {
  std::set<StringId> distinct(ids.begin(), ids.end());
  distinct.erase(no_string);
  for (const StringId id : distinct) names.insert(run.text(id));
}

NameSet dataset_names(const Run& run) {
  NameSet names;
  add_texts(names, run, run.chunks.dataset);
  return names;
}

NameSet file_names(const Run& run) {
  NameSet names;
  add_texts(names, run, run.chunks.file);
  return names;
}

NameSet host_names(const Run& run) {
  NameSet names;
  // A chunk without a file has a host, too.
  for (const StringId file : std::set<StringId>(run.chunks.file.begin(), run.chunks.file.end())) {
    names.insert(runtime::host_of(run.text(file)));
    names.insert(runtime::site_of(run.text(file)));
  }
  return names;
}

NameSet worker_names(const Run& run) {
  NameSet names;
  add_texts(names, run, run.workers.address);
  add_texts(names, run, run.workers.name);
  add_texts(names, run, run.tasks.worker);
  for (const CallTree& tree : run.call_trees) {
    if (tree.worker != no_string) names.insert(run.text(tree.worker));
  }
  return names;
}

NameSet prefix_names(const Run& run) {
  NameSet names;
  add_texts(names, run, run.activities.prefix);
  add_texts(names, run, run.tasks.prefix);
  for (const CallTree& tree : run.call_trees) {
    if (tree.key != no_string) names.insert(run.text(tree.key));
  }
  return names;
}

void check_among(const char* what, const std::vector<std::string>& wanted,
                 NameSet (*names_of)(const Run&), std::span<const Run* const> runs) {
  if (wanted.empty()) return;
  NameSet known;
  for (const Run* run : runs) known.merge(names_of(*run));
  for (const std::string& name : wanted) {
    if (known.contains(name)) continue;
    const std::vector<std::string_view> list(known.begin(), known.end());
    throw Failure(ErrorCode::bad_selection,
                  std::string("no ") + what + " " + not_among(name, list));
  }
}

}  // namespace

void check_names(const Selection& selection, std::span<const Run* const> runs) {
  check_among("worker", selection.workers, worker_names, runs);
  check_among("dataset", selection.datasets, dataset_names, runs);
  check_among("file", selection.files, file_names, runs);
  check_among("host", selection.hosts, host_names, runs);
  check_among("task prefix", selection.prefixes, prefix_names, runs);
}

}  // namespace crema
