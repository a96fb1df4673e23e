#include "core/export/export.hpp"

#include <algorithm>
#include <optional>

#include "core/base/numbers.hpp"

namespace crema::exports {

using namespace profile;

namespace {

// What stands before a user's name in a path.
constexpr std::string_view home_folders[] = {"home", "homes", "Users", "users", "user"};

// Accounts that name no person.
constexpr std::string_view impersonal[] = {
    "root", "jovyan", "user",   "users",  "dask",     "coffea", "worker", "runner",
    "work", "data",   "public", "Public", "shared",   "Shared", "ubuntu", "debian",
    "app",  "admin",  "centos", "condor", "ec2-user", "nobody", "group",  "local"};

// From here on a path says nothing about its owner.
constexpr std::string_view telling_folders[] = {"site-packages", "dist-packages",
                                                "dask-scratch-space", "dask-worker-space"};

// What formats write as values: a user of such a name is hidden in paths only.
constexpr std::string_view format_words[] = {
    "null",       "true",        "false",        "NaN",         "Infinity", "None",
    "True",       "False",       "execute",      "executing",   "executor", "thread",
    "cpu",        "noncpu",      "memory",       "disk",        "read",     "write",
    "compress",   "decompress",  "serialize",    "deserialize", "offload",  "other",
    "idle",       "spans",       "get",          "gather",      "data",     "dep",
    "monitor",    "p2p",         "count",        "bytes",       "byte",     "seconds",
    "compute",    "transfer",    "OK",           "error",       "erred",    "finished",
    "processing", "released",    "waiting",      "forgotten",   "queued",   "no",
    "number",     "text",        "flag",         "Scheduler",   "sampled",  "evented",
    "none",       "nanoseconds", "microseconds", "milliseconds"};

// Text without any place to cut it is not waited for longer than this.
constexpr std::size_t longest_rest = std::size_t{1} << 20U;

/// The length of the folder separator at `at`, also in JSON's escapes (`\\`, `\/`); 0 when there is
/// none.
std::size_t separator_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  if (text[at] == '/') return 1;
  return text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '\\' || text[at + 1] == '/')
             ? 2
             : 0;
}

bool ends_path(char c) {
  constexpr std::string_view ends = "\"',;:()[]{}<>|*?&\n\r\t";
  return has_part(ends, c);
}

/// Where the folder or file name that begins at `at` ends. A space belongs to it when a separator
/// follows before the next one.
std::size_t name_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && !ends_path(text[end]) && separator_at(text, end) == 0) {
    // "\n" and the like; an escaped letter ("\u00e9") is part of the name
    if (text[end] == '\\' && text.substr(end + 1, 1) != "u") break;
    if (text[end] == ' ') {
      std::size_t next = end + 1;
      while (next < text.size() && text[next] != ' ' && !ends_path(text[next]) &&
             separator_at(text, next) == 0)
        ++next;
      if (next == end + 1 || separator_at(text, next) == 0) break;
    }
    ++end;
  }
  return end;
}

struct Part {
  std::size_t begin;
  std::size_t end;
  std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

/// The name behind the separators at `at`; nothing when there is no separator or no name.
std::optional<Part> part_behind(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (const std::size_t length = separator_at(text, begin)) begin += length;
  const std::size_t end = name_end(text, begin);
  if (begin == at || begin == end) return std::nullopt;
  return Part{begin, end};
}

/// Whose home the path is in that goes on at the separator `at`.
std::optional<Part> user_behind(std::string_view text, std::size_t at) {
  const auto first = part_behind(text, at);
  if (!first) return std::nullopt;
  auto user = part_behind(text, first->end);
  if (!user) return std::nullopt;
  // "/home-j/jdoe" as well as "/j/jdoe"
  const std::string_view folder = first->in(text);
  // in source code "\\n\\n" is no path
  const bool slashes = text[at] == '/' && text[first->end] == '/';
  const bool letter =
      slashes && (folder.size() == 1 || (folder.size() == 6 && folder.substr(0, 5) == "home-"));
  const bool home = contains(home_folders, folder);
  if (home && user->end - user->begin == 1) {
    const auto next = part_behind(text, user->end);
    if (next && text[next->begin] == text[user->begin]) user = next;
  }
  const std::string_view name = user->in(text);
  if (!home &&
      !(letter && folder.back() >= 'a' && folder.back() <= 'z' && name.front() == folder.back()))
    return std::nullopt;
  if (name.size() < 2) return std::nullopt;
  // a file in a folder of that name
  const bool last = separator_at(text, user->end) == 0;
  if (last && (!home || has_part(name, '.'))) return std::nullopt;
  return user;
}

/// Whether `name` is "lib" before "pythonX", "Lib", or another folder behind which paths are alike
/// everywhere.
bool is_telling(std::string_view text, const Part& part) {
  const std::string_view name = part.in(text);
  // the checkout of a known package
  if (name == "src") return category_of(text.substr(part.begin - 1, 200)) != Category::analysis;
  if (contains(telling_folders, name) || name == "Lib") return true;
  if (name.substr(0, 3) != "lib") return false;
  const auto next = part_behind(text, part.end);
  return next && next->in(text).substr(0, 6) == "python";
}

bool is_in_identifier(char c) { return is_alphanumeric(c) || c == '_'; }

/// Whether what stands at `begin` up to `end` belongs to a key of letters, digits and `_`, as the
/// fields of formats are called.
bool is_in_field_name(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin > 0 && is_in_identifier(text[begin - 1])) --begin;
  while (end < text.size() && is_in_identifier(text[end])) ++end;
  if (begin == 0 || text[begin - 1] != '"' || end == text.size() || text[end] != '"') return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", end + 1);
  return next != std::string_view::npos && text[next] == ':';
}

bool is_in_number(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::string_view of_numbers = "0123456789.eE+-";
  while (begin > 0 && has_part(of_numbers, text[begin - 1])) --begin;
  while (end < text.size() && has_part(of_numbers, text[end])) ++end;
  return !is_absent(parse_number(text.substr(begin, end - begin)));
}

/// Replaces `word` in `text` wherever it stands alone and is no part of a number, nor of a field's
/// name unless `in_fields`.
void replace_word(std::string& text, std::string_view word, std::string_view by, bool in_fields) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool alone = (at == 0 || !is_alphanumeric(text[at - 1])) &&
                       (end == text.size() || !is_alphanumeric(text[end]));
    if (!alone || at < done || is_in_number(text, at, end) ||
        (!in_fields && is_in_field_name(text, at, end)))
      continue;
    out.append(text, done, at - done).append(by);
    done = end;
  }
  if (done == 0) return;
  text = out.append(text, done);
}

}  // namespace

NameHider::NameHider(std::vector<std::string> also) {
  for (std::string& word : also) {
    if (!word.empty())
      words_.emplace(std::move(word), "hidden" + std::to_string(words_.size() + 1));
  }
}

/// What is known up to a byte that no path, key or number contains.
std::string_view NameHider::complete_part(std::string_view piece) {
  buffer_.erase(0, complete_);
  const std::size_t known = buffer_.size();
  buffer_.append(piece);
  const std::size_t end = std::string_view(buffer_).find_last_of(":,\n");
  complete_ = end != std::string_view::npos && end >= known ? end + 1
              : buffer_.size() > longest_rest               ? buffer_.size()
                                                            : 0;
  return std::string_view(buffer_).substr(0, complete_);
}

void NameHider::learn(std::string_view piece) { learn_from(complete_part(piece)); }

void NameHider::end_file() {
  learn_from(std::string_view(buffer_).substr(complete_));
  buffer_.clear();
  complete_ = 0;
}

std::string NameHider::hide(std::string_view piece) { return hidden(complete_part(piece)); }

std::string NameHider::end_hiding() {
  std::string rest = hidden(std::string_view(buffer_).substr(complete_));
  buffer_.clear();
  complete_ = 0;
  return rest;
}

void NameHider::learn_from(std::string_view text) {
  for (std::size_t at = text.find_first_of("/\\"); at != std::string_view::npos;
       at = text.find_first_of("/\\", at)) {
    const auto user = user_behind(text, at);
    if (!user) {
      ++at;
      continue;
    }
    // "/home/user/analysis" is not the home of "analysis"
    at = user->end + separator_at(text, user->end);
    const std::string_view name = user->in(text);
    if (contains(impersonal, name) || words_.contains(name) || names_.contains(name)) continue;
    names_.emplace(name, "user" + std::to_string(++users_));
  }
}

std::string_view NameHider::shown_name(std::string_view user) const {
  for (const auto* known : {&words_, &names_}) {
    if (const auto found = known->find(user); found != known->end()) return found->second;
  }
  return user;  // it names no person
}

std::string NameHider::hidden(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t done = 0;
  for (std::size_t at = text.find_first_of("/\\"); at != std::string_view::npos;
       at = text.find_first_of("/\\", at)) {
    const auto user = user_behind(text, at);
    if (!user) {
      at += std::max<std::size_t>(1, separator_at(text, at));
      continue;
    }
    // From the user's name on: folders to be hidden, then what may stay.
    std::size_t end = user->end;
    auto part = part_behind(text, end);
    while (part && !is_telling(text, *part) && separator_at(text, part->end) != 0) {
      end = part->end;
      part = part_behind(text, end);
    }
    out.append(text, done, user->begin - done).append(shown_name(user->in(text)));
    if (end > user->end) {
      const std::string_view folder = text.substr(user->begin, end - user->begin);
      auto known = folders_.find(folder);
      if (known == folders_.end())
        known = folders_.emplace(folder, "folder" + std::to_string(folders_.size() + 1)).first;
      out.append(text, user->end, separator_at(text, user->end)).append(known->second);
    }
    done = end;
    at = end;
    // what may stay holds no home of its own
    if (part && !is_telling(text, *part)) at = part->end;
  }
  out.append(text, done);
  for (const auto& [word, by] : words_) replace_word(out, word, by, true);
  for (const auto& [name, by] : names_) {
    if (!contains(format_words, name)) replace_word(out, name, by, false);
  }
  return out;
}

}  // namespace crema::exports
