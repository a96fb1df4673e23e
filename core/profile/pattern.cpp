#include "core/profile/pattern.hpp"

#include <optional>

#include "core/profile/regex.hpp"

namespace crema::profile {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string function_text(const FrameFacts& facts, FrameId f) {
  std::string text = facts.name[f];
  if (!facts.file[f].empty()) text += "@" + facts.file[f];
  if (facts.line[f] > 0) text += ":" + std::to_string(facts.line[f]);
  return text;
}

}  // namespace

std::string exact_pattern(const FrameFacts& facts, FrameId frame) {
  return "function=" + function_text(facts, frame);
}

std::vector<bool> frames_matching(const FrameFacts& facts, std::string_view pattern) {
  const std::size_t n = facts.size();
  std::vector<bool> matching(n, false);
  if (take_prefix(pattern, "function=")) {
    for (FrameId f = 0; f < n; ++f) matching[f] = function_text(facts, f) == pattern;
    return matching;
  }
  const bool by_name = take_prefix(pattern, "name=");
  const bool by_file = !by_name && take_prefix(pattern, "file=");
  const bool by_category = !by_name && !by_file && take_prefix(pattern, "category=");
  const bool by_package = !by_name && !by_file && !by_category && take_prefix(pattern, "package=");
  if (pattern.empty()) return matching;

  std::optional<Regex> expression;
  if (pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/')
    expression.emplace(pattern.substr(1, pattern.size() - 2));
  const std::string needle = lowered(pattern);
  const auto holds = [&](std::string_view text) {
    return expression ? expression->search(text) : lowered(text).find(needle) != std::string::npos;
  };
  for (std::size_t f = 0; f < n; ++f) {
    if (by_category) matching[f] = f != facts.unresolved() && holds(name_of(facts.category[f]));
    else if (by_package) matching[f] = !facts.file[f].empty() && holds(package_of(facts.file[f]));
    else matching[f] = (!by_file && holds(facts.name[f])) || (!by_name && holds(facts.file[f]));
  }
  return matching;
}

}  // namespace crema::profile
