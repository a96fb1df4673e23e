// Compiled for speed: it runs for every node of a call tree.
//
// The fast path of DaskTree: nodes are read where they stand, without the tokenizer and without
// recursion.
//
// What it takes is checked as the tokenizer would check it, and counts as it would count. Where it
// finds the end of the bytes or something rare, as null or a value of a type that is not expected,
// it leaves the nodes that are open to the tokenizer, which goes on behind what was last complete
// and asks again where children begin.
#include "core/json/block.hpp"
#include "core/json/number.hpp"
#include "core/read/dask/dask_tree.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

using json::skip_blank;
using json::take_number;

/// Behind the `c` that stands at `p` but for blanks; nullptr where it does not.
const char* behind(char c, const char* p, const char* end) {
  p = skip_blank(p, end);
  return p != end && *p == c ? skip_blank(p + 1, end) : nullptr;
}

}  // namespace

// The string whose quote is at `p`; nullptr where it is not wholly there, or not well.
const char* DaskTree::take_string(const char* p, const char* end, Raw& into) {
  if (p == end || *p != '"') return nullptr;
  const char* const begin = ++p;
  bool is_plain = true;
  bool has_unicode = false;
  for (;;) {
    p = json::skip_plain(p, end);
    if (p == end) return nullptr;
    const char c = *p;
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20) return nullptr;
    ++p;
    if (c == '\\') {
      is_plain = false;
      if (p == end) return nullptr;
      if (std::string_view("\"\\/bfnrt").find(*p) == std::string_view::npos) has_unicode = true;
      ++p;
    } else if (static_cast<unsigned char>(c) > 0x7e) {
      is_plain = false;
      has_unicode = true;
    }
  }
  into = {{begin, static_cast<std::size_t>(p - begin)}, is_plain};
  if (has_unicode) {
    std::string decoded;
    if (json::invalid_utf8(into.text) || json::unescape(into.text, decoded)) return nullptr;
  }
  return p + 1;
}

// The plain key at `p` and its colon; returns where the value begins.
const char* DaskTree::take_key(const char* p, const char* end, Raw& into) {
  p = take_string(p, end, into);
  if (p == nullptr || !into.is_plain) return nullptr;
  p = behind(':', p, end);
  return p == end ? nullptr : p;
}

// The description whose brace is at `p`; returns where it ends.
const char* DaskTree::take_description(const char* p, const char* end, RawNode& into) {
  p = skip_blank(p + 1, end);
  for (bool is_first = true; p != end && *p != '}'; is_first = false) {
    if (!is_first) {
      if (*p != ',') return nullptr;
      p = skip_blank(p + 1, end);
    }
    Raw key;
    if ((p = take_key(p, end, key)) == nullptr) return nullptr;
    Raw skipped;
    double number = 0;
    if (key.text == "name") p = take_string(p, end, into.name);
    else if (key.text == "filename") p = take_string(p, end, into.file);
    else if (key.text == "line") p = take_string(p, end, into.source);
    else if (key.text == "line_number") p = take_number(p, end, into.line);
    else p = *p == '"' ? take_string(p, end, skipped) : take_number(p, end, number);
    if (p == nullptr) return nullptr;
    p = skip_blank(p, end);
  }
  return p == end ? nullptr : p + 1;
}

// The member whose key is at `p`, but children; returns where it ends.
const char* DaskTree::take_member(const char* p, const char* end, RawNode& into) {
  Raw key;
  if ((p = take_key(p, end, key)) == nullptr) return nullptr;
  const auto is = [&](std::string_view name) { return key.text == name; };
  if (is("count") || is("count_incl") || is("value") || is("v") || is("time")) {
    if (is("time")) tree_.unit = "s";
    double count = 0;
    p = take_number(p, end, count);
    if (p == nullptr) return nullptr;
    keep_count(into.node, count);
    return p;
  }
  if (is("description") && *p == '{') return take_description(p, end, into);
  if (is("identifier")) return take_string(p, end, into.identifier);
  if (is("name") || is("n")) {
    into.is_labelled = true;
    return take_string(p, end, into.name);
  }
  if (is("func") || is("function") || is("description")) return take_string(p, end, into.name);
  if (is("file") || is("file_path")) return take_string(p, end, into.file);
  if (is("line")) return take_number(p, end, into.line);
  if (is("line_no")) return take_number(p, end, into.first_line);
  Raw skipped;
  double number = 0;
  return *p == '"' ? take_string(p, end, skipped) : take_number(p, end, number);
}

void DaskTree::close(const RawNode& one) {
  if (is_own_time(one.name.text, one.node)) return drop_last();
  if (is_absent(tree_.count[one.node])) ++faults_.missing_counts;
  // Of a function that is known nothing else has to be looked at.
  FrameId frame = unknown_frame;
  if (one.identifier.is_plain && !one.identifier.text.empty()) {
    if (const StringId id = identifiers_.find(one.identifier.text); id != no_string)
      frame = known_[id];
  } else if (one.identifier.text.empty() && one.is_labelled && one.name.is_plain) {
    if (const StringId id = labels_.find(one.name.text); id != no_string)
      frame = frame_of_label_[id];
  }
  if (frame != unknown_frame) {
    tree_.frame[one.node] = frame;
    tree_.line[one.node] = as_line(one.line);
    return;
  }
  decode(one, decoded_);
  close(decoded_);
}

void DaskTree::decode(const RawNode& one, Open& into) {
  const auto text_of = [](const Raw& raw, std::string& text) {
    if (raw.is_plain) text.assign(raw.text);
    else json::unescape(raw.text, text);
  };
  text_of(one.identifier, into.identifier);
  text_of(one.name, into.name);
  text_of(one.file, into.file);
  text_of(one.source, into.source);
  into.node = one.node;
  into.line = one.line;
  into.first_line = one.first_line;
  into.is_labelled = one.is_labelled;
}

// The node at `p` with all below it; false where it did not get to its end.
bool DaskTree::take_subtree(const char* p, const char* end, bool named, Progress& progress) {
  fast_path_.clear();
  for (;;) {
    // a node begins
    RawNode begun;
    if (named && ((p = take_string(p, end, begun.identifier)) == nullptr ||
                  (p = behind(':', p, end)) == nullptr))
      return false;
    if (p == end || *p != '{') return false;
    begun.node = tree_.add(fast_path_.empty() ? innermost().node : fast_path_.back().node,
                           unknown_frame, absent, 0);
    if (!fast_path_.empty()) ++fast_path_.back().children;
    fast_path_.push_back(begun);
    progress = {++p, false, true};

    // the members of the innermost node, until a child of it begins
    for (;;) {
      p = skip_blank(p, end);
      if (p == end) return false;
      if (*p == '}') {
        close(fast_path_.back());
        fast_path_.pop_back();
        progress = {++p, true, false};
        if (fast_path_.empty()) return true;
        p = skip_blank(p, end);
        if (p == end) return false;
        named = fast_path_.back().children_named;
        if (*p == ',') {
          p = skip_blank(p + 1, end);
          break;
        }
        if (*p != (named ? '}' : ']')) return false;
        progress = {++p, false, false};
        continue;
      }
      if (!progress.is_empty) {
        if (*p != ',') return false;
        p = skip_blank(p + 1, end);
      }
      RawNode& top = fast_path_.back();
      const bool in_short = json::begins_with(p, end, "\"c\"");
      if (!in_short && !json::begins_with(p, end, "\"children\"")) {
        p = take_member(p, end, top);
        if (p == nullptr) return false;
        progress = {p, false, false};
        continue;
      }
      p = behind(':', p + (in_short ? 3 : 10), end);
      if (p == nullptr || p == end || (*p != '{' && *p != '[')) return false;
      named = top.children_named = *p == '{';
      top.children = 0;
      progress = {++p, true, true};
      p = skip_blank(p, end);
      if (p == end) return false;
      if (*p != (named ? '}' : ']')) break;
      progress = {++p, false, false};
    }
  }
}

// The nodes that are open, handed over to the tokenizer.
void DaskTree::enter(const Progress& progress) {
  for (std::size_t i = 0; i < fast_path_.size(); ++i) {
    const RawNode& one = fast_path_[i];
    if (depth_ == open_.size()) open_.emplace_back();
    decode(one, open_[depth_++]);
    const bool is_last = i + 1 == fast_path_.size();
    entered_.push_back({this, true, 0, progress.is_empty});
    if (!is_last || progress.in_children)
      entered_.push_back({&children_, one.children_named, one.children, progress.is_empty});
  }
}

std::size_t DaskTree::take_children(std::string_view bytes, std::size_t& count) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* done = begin;
  entered_.clear();
  for (const char* p = begin; p != end;) {
    Progress progress;
    const bool is_whole = take_subtree(p, end, bytes.front() == '"', progress);
    if (progress.at == nullptr) break;
    ++count;
    done = progress.at;
    if (!is_whole) {
      enter(progress);
      break;
    }
    p = skip_blank(done, end);
    if (p == end || *p != ',') break;
    p = skip_blank(p + 1, end);
  }
  return static_cast<std::size_t>(done - begin);
}

}  // namespace crema::read
