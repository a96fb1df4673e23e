#include "core/read/json_reader.hpp"

namespace crema::read {

void note_json_error(Run& run, const Error& error, Severity severity, const std::string& path,
                     std::string_view where) {
  std::string message{describe(error.code)};
  if (!error.detail.empty()) message += " (" + error.detail + ")";
  message += "; what comes before it was read";
  run.add_note(error.code == ErrorCode::truncated ? "cut-off" : "broken-json", severity, message,
               path, where, error.offset);
}

JsonReader::JsonReader(Run& run, std::string path, std::unique_ptr<JsonDocument> document)
    : run_(run),
      path_(std::move(path)),
      document_(std::move(document)),
      router_(document_->root(),
              [this](const std::string& where, std::uint64_t offset, std::string_view expected) {
                run_.add_note("wrong-type", Severity::low,
                              "a value has an unexpected type and was left out; expected " +
                                  std::string(expected),
                              path_, where, offset);
              }),
      tokenizer_(router_) {}

void JsonReader::push(std::span<const char> bytes) {
  if (!tokenizer_.push({bytes.data(), bytes.size()})) report_error();
}

void JsonReader::finish() {
  if (!tokenizer_.finish()) report_error();
  document_->finish();
}

void JsonReader::report_error() {
  if (reported_ || !tokenizer_.error()) return;
  reported_ = true;
  note_json_error(run_, *tokenizer_.error(), Severity::high, path_, router_.path());
}

}  // namespace crema::read
