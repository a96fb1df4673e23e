#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/json/tokenizer.hpp"

namespace crema::test {

/// Writes each event as a word, so that two streams of events can be compared: `{ k:a i:-1 u:1
/// f:0x1p+0 s:x t n } [ ]`.
class EventLog : public json::Handler {
 public:
  std::string text;

  bool null() override { return put("n"); }
  bool boolean(bool value) override { return put(value ? "t" : "f"); }
  bool number_integer(std::int64_t value) override { return put("i:" + std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return put("u:" + std::to_string(value)); }
  bool number_float(double value, std::string_view) override {
    char exact[64];
    std::snprintf(exact, sizeof exact, "d:%a", value);
    return put(exact);
  }
  bool string(std::string_view value) override { return put("s:" + std::string(value)); }
  bool start_object() override { return put("{"); }
  bool key(std::string_view value) override { return put("k:" + std::string(value)); }
  bool end_object() override { return put("}"); }
  bool start_array() override { return put("["); }
  bool end_array() override { return put("]"); }

 private:
  bool put(std::string_view word) {
    if (!text.empty()) text += ' ';
    text += word;
    return true;
  }
};

/// What a reader makes of a document: its events, and whether it refused it.
struct Reading {
  std::string events;
  bool refused = false;
  bool operator==(const Reading&) const = default;
};

/// nlohmann's parser driving a Handler of ours.
class FromNlohmann : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit FromNlohmann(json::Handler& handler) : handler_(handler) {}
  bool null() override { return handler_.null(); }
  bool boolean(bool value) override { return handler_.boolean(value); }
  bool number_integer(std::int64_t value) override { return handler_.number_integer(value); }
  bool number_unsigned(std::uint64_t value) override { return handler_.number_unsigned(value); }
  bool number_float(double value, const std::string& text) override {
    return handler_.number_float(value, text);
  }
  bool string(std::string& value) override { return handler_.string(value); }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return handler_.start_object(); }
  bool key(std::string& value) override { return handler_.key(value); }
  bool end_object() override { return handler_.end_object(); }
  bool start_array(std::size_t) override { return handler_.start_array(); }
  bool end_array() override { return handler_.end_array(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  json::Handler& handler_;
};

inline Reading read_by_nlohmann(std::string_view text) {
  EventLog log;
  FromNlohmann forward(log);
  const bool well = nlohmann::json::sax_parse(text.begin(), text.end(), &forward);
  return {log.text, !well};
}

/// By our own tokenizer, in pieces of `piece` bytes.
inline Reading read_by_tokenizer(std::string_view text, std::size_t piece = ~std::size_t{0}) {
  EventLog log;
  json::Tokenizer tokenizer(log);
  for (std::size_t at = 0; at < text.size();) {
    // A copy of its own, so that the sanitizer sees a read beyond the piece.
    const std::string bytes(text.substr(at, piece));
    tokenizer.push(bytes);
    at += bytes.size();
  }
  const bool well = tokenizer.finish();
  return {log.text, !well};
}

}  // namespace crema::test
