#include "core/json/document.hpp"

#include "core/json/tokenizer.hpp"

namespace crema::json {

namespace {

/// Builds a document, cut at the limits.
class Builder : public Handler {
 public:
  explicit Builder(const DocumentLimits& limits) : limits_(limits) {}

  nlohmann::json document = nlohmann::json::value_t::discarded;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(value); }
  bool number_unsigned(std::uint64_t value) override { return put(value); }
  bool number_float(double value, std::string_view) override { return put(value); }
  bool string(std::string_view value) override {
    return put(std::string(value.substr(0, limits_.text_length)));
  }
  bool key(std::string_view value) override {
    key_ = value;
    return true;
  }
  bool start_object() override { return start(nlohmann::json::object()); }
  bool start_array() override { return start(nlohmann::json::array()); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }

 private:
  // Where the next value goes, nullptr when it is cut.
  nlohmann::json* place(nlohmann::json value) {
    if (open_.empty()) {
      document = std::move(value);
      return &document;
    }
    nlohmann::json& parent = *open_.back();
    if (open_.size() > 1 && parent.size() >= limits_.members) return nullptr;
    if (parent.is_array()) {
      if (parent.size() >= limits_.members) return nullptr;
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }
  bool put(nlohmann::json value) {
    place(std::move(value));
    return true;
  }
  bool start(nlohmann::json container) {
    nlohmann::json* child = place(std::move(container));
    if (child == nullptr || open_.size() == limits_.levels) skip = true;
    else open_.push_back(child);
    return true;
  }
  bool end() {
    open_.pop_back();
    return true;
  }

  // Only the last child of each open container is open itself, so that growing it moves nothing
  // that is pointed to.
  std::vector<nlohmann::json*> open_;
  DocumentLimits limits_;
  std::string key_;
};

}  // namespace

Document build_document(std::string_view bytes, const DocumentLimits& limits) {
  Builder builder(limits);
  Tokenizer tokenizer(builder);
  tokenizer.push(bytes);
  tokenizer.finish();
  return {std::move(builder.document), tokenizer.error()};
}

}  // namespace crema::json
