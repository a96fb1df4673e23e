#include <cmath>

#include "core/json/document.hpp"
#include "core/read/list.hpp"

namespace crema::read {

const std::vector<Format>& formats() {
#define CREMA_NAME(name, ...) name##_format,
  static const std::vector<Format> all = {CREMA_FORMATS(CREMA_NAME)};
#undef CREMA_NAME
  return all;
}

const nlohmann::json& Head::sample() const {
  if (!sample_)
    sample_ = is_binary ? nlohmann::json(nlohmann::json::value_t::discarded)
                        : json::build_document(bytes, {4, 40, 200}).json;
  return *sample_;
}

const nlohmann::json& member_of(const nlohmann::json& value, const char* key) {
  static const nlohmann::json none;
  if (!value.is_object()) return none;
  const auto found = value.find(key);
  return found == value.end() ? none : *found;
}

bool holds(const nlohmann::json& value, const char* key) {
  return value.is_object() && value.find(key) != value.end();
}

std::optional<Error> json_error(std::string_view bytes) {
  return json::build_document(bytes, {.levels = 0}).error;
}

std::string in_words(const Error& error) {
  return sentence({describe(error.code), error.detail.empty() ? "" : " (", error.detail,
                   error.detail.empty() ? "" : ")"});
}

void note_json_error(Run& run, const Error& error, Severity severity, const std::string& path,
                     std::string_view where) {
  run.add_note(error.code == ErrorCode::truncated ? "cut-off" : "broken-json", severity,
               in_words(error) + "; what comes before it was read", path, where, error.offset);
}

json::Tokenizer& JsonDocument::tokenizer() {
  if (tokenizer_) return *tokenizer_;
  router_.emplace(
      root(), [this](const std::string& where, std::uint64_t offset, std::string_view expected) {
        note_wrong_type(run_, path_, where, expected, offset);
      });
  return tokenizer_.emplace(*router_);
}

void JsonDocument::push(std::span<const char> bytes) {
  if (!tokenizer().push({bytes.data(), bytes.size()})) report_error();
}

void JsonDocument::finish() {
  if (!tokenizer().finish()) report_error();
  ended();
}

void JsonDocument::report_error() {
  if (reported_ || !tokenizer_->error()) return;
  reported_ = true;
  note_json_error(run_, *tokenizer_->error(), Severity::high, path_, router_->path());
}

nlohmann::json parse_small(Run& run, const std::string& path, const std::string& text) {
  json::Document document = json::build_document(text, {.levels = most_levels});
  if (document.error) note_json_error(run, *document.error, Severity::medium, path);
  return std::move(document.json);
}

double number_or_absent(const nlohmann::json& object, const char* key) {
  const nlohmann::json& found = member_of(object, key);
  return found.is_number() ? found.get<double>() : absent;
}

void note_wrong_type(Run& run, const std::string& path, const std::string& where,
                     std::string_view expected, std::uint64_t offset) {
  run.add_note("wrong-type", Severity::low,
               "a value has an unexpected type and was left out; expected " + std::string(expected),
               path, where, offset);
}

double amount_or_absent(Run& run, const std::string& path, const nlohmann::json& object,
                        const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return absent;
  const double value = found->is_number() ? found->get<double>() : -1;
  if (value >= 0 && std::isfinite(value)) return value;
  if (!std::isnan(value)) note_wrong_type(run, path, key, "a number, 0 or more");
  return absent;
}

std::string text_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::string() : json_of(value);
}

}  // namespace crema::read
