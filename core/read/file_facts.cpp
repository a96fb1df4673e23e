#include "core/read/file_facts.hpp"

namespace crema::read {

namespace {

struct FileKey {
  std::string_view key;
  std::vector<double> Files::*column;
  double scale;
};

constexpr FileKey file_keys[] = {
    {"compression_ratio", &Files::compression_ratio, 1},
    {"total_branches", &Files::branches_total, 1},
    {"total_tree_bytes", &Files::tree_bytes, 1},
    {"bytes_read", &Files::bytes_read, 1},
    {"branches_read_percent", &Files::branches_read_fraction, percent},
    {"bytes_read_percent", &Files::bytes_read_fraction, percent},
};

class FileMapNode : public json::Node {
 public:
  explicit FileMapNode(Run& run) : facts_(run) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    facts_.begin_file(key);
    return &facts_;
  }

 private:
  FileFactsNode facts_;
};

}  // namespace

bool FileFactsNode::begin_object() {
  values_.fill(absent);
  return true;
}

json::Node* FileFactsNode::member(std::string_view key) {
  if (key == "filename") return &text_.at(&name_);
  for (std::size_t i = 0; i < number_count; ++i) {
    if (key == file_keys[i].key) return &number_.at(&values_[i], file_keys[i].scale);
  }
  return nullptr;
}

void FileFactsNode::end() {
  if (name_.empty()) return;
  const std::size_t file = run_.files.intern(run_.names->strings.intern(name_));
  for (std::size_t i = 0; i < number_count; ++i) {
    double& known = (run_.files.*file_keys[i].column)[file];
    if (is_absent(known)) known = values_[i];
  }
}

std::unique_ptr<json::Node> make_file_facts_node(Run& run) {
  return std::make_unique<FileMapNode>(run);
}

}  // namespace crema::read
