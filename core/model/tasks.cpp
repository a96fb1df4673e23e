#include "core/model/tasks.hpp"

#include <algorithm>

namespace crema {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// A word that belongs to the name: letters only, and not the eight hex digits of a token.
bool is_name_word(std::string_view word) {
  if (word.empty() || !std::all_of(word.begin(), word.end(), is_letter)) return false;
  return !(word.size() == 8 && std::all_of(word.begin(), word.end(), is_hex));
}

}  // namespace

void Tasks::append(const Tasks& part) {
  const auto add = [](auto& into, const auto& from) {
    into.insert(into.end(), from.begin(), from.end());
  };
  for (const auto column : {&Tasks::key, &Tasks::prefix, &Tasks::worker, &Tasks::action,
                            &Tasks::status, &Tasks::exception})
    add(this->*column, part.*column);
  for (const auto column : {&Tasks::thread, &Tasks::t0, &Tasks::t1, &Tasks::nbytes})
    add(this->*column, part.*column);
  if (source.empty()) source = part.source;
  from_rows = part.from_rows;
}

void Activities::sum(StringId in_context, StringId of_prefix, StringId an_activity,
                     StringId in_unit, double amount) {
  for (std::size_t i = 0; i < size(); ++i) {
    if (context[i] == in_context && prefix[i] == of_prefix && activity[i] == an_activity &&
        unit[i] == in_unit) {
      value[i] += amount;
      return;
    }
  }
  add(in_context, of_prefix, an_activity, in_unit, amount);
}

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
  if (name.size() == 32 && std::all_of(name.begin(), name.end(), is_hex)) return "data";
  return name.empty() ? "Other" : name;
}

}  // namespace crema
