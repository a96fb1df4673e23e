#include "core/read/roastcoffea/file_facts.hpp"

namespace crema::read {

FileFactsNode::FileFactsNode(Run& run)
    : Object("the facts of a file", {{"filename", name_},
                                     {"compression_ratio", compression_ratio_},
                                     {"total_branches", branches_},
                                     {"total_tree_bytes", tree_bytes_},
                                     {"bytes_read", bytes_read_},
                                     {"branches_read_percent", branches_read_, percent},
                                     {"bytes_read_percent", bytes_read_fraction_, percent}}),
      run_(run) {}

bool FileFactsNode::begin_object() {
  Object::begin_object();
  name_ = given_name_;
  return true;
}

void FileFactsNode::end() {
  if (name_.empty()) return;
  Files& files = run_.files;
  const std::size_t file = files.intern(run_.names->strings.intern(name_));
  const auto keep = [&](std::vector<double>& column, double value) {
    if (is_absent(column[file])) column[file] = value;
  };
  keep(files.compression_ratio, compression_ratio_);
  keep(files.branches_total, branches_);
  keep(files.tree_bytes, tree_bytes_);
  keep(files.bytes_read, bytes_read_);
  keep(files.branches_read_fraction, branches_read_);
  keep(files.bytes_read_fraction, bytes_read_fraction_);
}

}  // namespace crema::read
