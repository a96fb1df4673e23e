#include "core/model/tasks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text.hpp"

namespace crema {

namespace {

// A word that belongs to the name: letters only, and not the eight hex digits of a token.
bool is_name_word(std::string_view word) {
  if (word.empty() || !std::all_of(word.begin(), word.end(), is_letter)) return false;
  return !(word.size() == 8 && std::all_of(word.begin(), word.end(), is_lowercase_hex));
}

}  // namespace

std::string key_split(std::string_view key) {
  // str(("name-token", 0)): the name is the first element.
  if (!key.empty() && !is_letter(key.front())) {
    key = key.substr(0, key.find(','));
    const auto quoted = [](char c) {
      return c == '_' || c == '\'' || c == '(' || c == ')' || c == '"';
    };
    while (!key.empty() && quoted(key.front())) key.remove_prefix(1);
    while (!key.empty() && quoted(key.back())) key.remove_suffix(1);
  }
  std::size_t dash = key.find('-');
  std::string name(key.substr(0, dash));
  while (dash != std::string_view::npos) {
    const std::size_t next = key.find('-', dash + 1);
    const std::string_view word =
        key.substr(dash + 1, next == std::string_view::npos ? next : next - dash - 1);
    if (!is_name_word(word)) break;
    name += '-';
    name += word;
    dash = next;
  }
  if (name.size() == 32 && std::all_of(name.begin(), name.end(), is_lowercase_hex)) return "data";
  return name.empty() ? "Other" : name;
}

Span span_of_changes(std::string name, std::map<double, double> changes, double begin, double until,
                     std::string source, Teller teller) {
  Span span{.name = std::move(name), .enqueued = begin, .start = begin, .stop = until};
  span.source = std::move(source);
  span.teller = teller;
  changes[begin] += 0;
  changes[until] += 0;
  double threads = 0;
  for (auto change = changes.begin(); std::next(change) != changes.end(); ++change) {
    threads += change->second;
    span.nthreads.push_back({change->first, std::next(change)->first, threads});
  }
  return span;
}

}  // namespace crema
