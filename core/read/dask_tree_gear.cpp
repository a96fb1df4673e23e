// The second gear of DaskTree: subtrees that are wholly at hand, without the tokenizer and without recursion.
//
// What it takes is checked as the tokenizer would check it, and counts as it would count. Where it finds something else, a node
// of a type that is not expected or the end of the bytes, it takes back the nodes it has made since the subtree began and leaves
// it to the tokenizer, whose nodes ask again for what lies below. So it is with what is rare, as null.
#include <bit>
#include <cmath>

#include "core/json/expected.hpp"
#include "core/json/number.hpp"
#include "core/json/text.hpp"
#include "core/read/dask_tree.hpp"

namespace crema {

namespace {

using json::skip_blank;
using json::simd::Sixteen;

// It is left alone where it fails more often than once in so many bytes.
constexpr std::size_t bytes_per_failure = 4096;
constexpr std::size_t first_failures = 64;

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
    while (static_cast<std::size_t>(end - p) >= Sixteen::width) {
      const Sixteen v = Sixteen::load(p);
      const std::uint64_t stops = (v.equals('"') | v.equals('\\') | v.control() | v.high()).marks();
      p += stops == 0 ? Sixteen::width : static_cast<std::size_t>(std::countr_zero(stops));
      if (stops != 0) break;
    }
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

const char* DaskTree::take_number(const char* p, const char* end, double& into) {
  json::Number number;
  const char* const stop = json::scan_number(p, end, number);
  if (stop == nullptr || stop == end) return nullptr;
  // Python's integers have no negative zero
  if (number.kind == json::Number::Kind::integer && number.digits == 0) number.negative = false;
  into = json::value_of(number, p, stop);
  return std::isfinite(into) ? stop : nullptr;
}

// The description whose brace is at `p`; returns where it ends.
const char* DaskTree::take_description(const char* p, const char* end, GearNode& into) {
  p = skip_blank(p + 1, end);
  for (bool is_first = true; p != end && (*p != '}' || !is_first); is_first = false) {
    if (!is_first) {
      if (*p == '}') break;
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
const char* DaskTree::take_member(const char* p, const char* end, GearNode& into) {
  Raw key;
  if ((p = take_key(p, end, key)) == nullptr) return nullptr;
  const auto is = [&](std::string_view name) { return key.text == name; };
  if (is("count") || is("count_incl") || is("value") || is("v")) {
    double count = 0;
    p = take_number(p, end, count);
    if (count >= 0) tree_.count[into.node] = count;
    else ++faults_.bad_counts;
    return p;
  }
  if (is("description") && *p == '{') return take_description(p, end, into);
  if (is("identifier")) return take_string(p, end, into.identifier);
  if (is("name") || is("n")) {
    into.is_labelled = true;
    return take_string(p, end, into.name);
  }
  if (is("func") || is("description")) return take_string(p, end, into.name);
  if (is("file")) return take_string(p, end, into.file);
  if (is("line")) return take_number(p, end, into.line);
  Raw skipped;
  double number = 0;
  return *p == '"' ? take_string(p, end, skipped) : take_number(p, end, number);
}

void DaskTree::close(const GearNode& one) {
  if (is_absent(tree_.count[one.node])) ++faults_.missing_counts;
  // Of a function that is known nothing else has to be looked at.
  FrameId frame = unknown_frame;
  if (one.identifier.is_plain && !one.identifier.text.empty()) {
    if (const StringId id = identifiers_.find(one.identifier.text); id != no_string) frame = known_[id];
  } else if (one.identifier.text.empty() && one.is_labelled && one.name.is_plain) {
    if (const StringId id = labels_.find(one.name.text); id != no_string) frame = frame_of_label_[id];
  }
  if (frame != unknown_frame) {
    tree_.frame[one.node] = frame;
    tree_.line[one.node] = as_line(one.line);
    return;
  }
  const auto decode = [](const Raw& raw, std::string& text) {
    if (raw.is_plain) text.assign(raw.text);
    else json::unescape(raw.text, text);
  };
  decode(one.identifier, decoded_.identifier);
  decode(one.name, decoded_.name);
  decode(one.file, decoded_.file);
  decode(one.source, decoded_.source);
  decoded_.node = one.node;
  decoded_.line = one.line;
  decoded_.is_labelled = one.is_labelled;
  close(decoded_);
}

const char* DaskTree::take_subtree(const char* p, const char* end, bool named) {
  gear_.clear();
  for (;;) {
    // a node begins
    const NodeId parent = gear_.empty() ? innermost().node : gear_.back().node;
    GearNode& begun = gear_.emplace_back();
    begun.begin = p;
    if (named && ((p = take_string(p, end, begun.identifier)) == nullptr || (p = behind(':', p, end)) == nullptr)) return nullptr;
    if (p == end || *p != '{') return nullptr;
    begun.node = add_node(parent);
    p = skip_blank(p + 1, end);

    // the members of the innermost node, until a child of it begins
    for (bool is_first = true;; is_first = false) {
      if (p == end) return nullptr;
      GearNode& top = gear_.back();
      if (*p == '}') {
        close(top);
        gear_.pop_back();
        ++p;
        if (gear_.empty()) return p;
        p = skip_blank(p, end);
        if (p == end) return nullptr;
        named = gear_.back().children_named;
        if (*p == ',') {
          p = skip_blank(p + 1, end);
          break;
        }
        if (*p != (named ? '}' : ']')) return nullptr;
        p = skip_blank(p + 1, end);
        continue;
      }
      if (!is_first) {
        if (*p != ',') return nullptr;
        p = skip_blank(p + 1, end);
      }
      const bool in_short = json::begins_with(p, end, "\"c\"");
      if (in_short || json::begins_with(p, end, "\"children\"")) {
        const char* const list = behind(':', p + (in_short ? 3 : 10), end);
        if (list == nullptr || list == end || (*list != '{' && *list != '[')) return nullptr;
        named = top.children_named = *list == '{';
        p = skip_blank(list + 1, end);
        if (p == end) return nullptr;
        if (*p != (named ? '}' : ']')) break;
        p = skip_blank(p + 1, end);
        continue;
      }
      p = take_member(p, end, top);
      if (p == nullptr) return nullptr;
      p = skip_blank(p, end);
    }
  }
}

std::size_t DaskTree::take_children(std::string_view bytes, bool named, std::size_t& count) {
  if (failures_ > first_failures + taken_ / bytes_per_failure) return 0;
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* done = begin;
  for (const char* p = begin; p != end;) {
    if (!hopeless_.empty() && hopeless_.back() == p) {
      hopeless_.pop_back();
      break;
    }
    const std::size_t size = tree_.size();
    const DaskTreeFaults faults = faults_;
    const char* const stop = take_subtree(p, end, named);
    if (stop == nullptr) {
      ++failures_;
      drop_nodes_from(size);
      faults_ = faults;
      // Nor can those be taken, on the way to where it failed: they are the tokenizer's, too.
      hopeless_.clear();
      for (std::size_t i = gear_.size(); i-- > 1;) hopeless_.push_back(gear_[i].begin);
      break;
    }
    taken_ += static_cast<std::size_t>(stop - done);
    done = stop;
    ++count;
    p = skip_blank(stop, end);
    if (p == end || *p != ',') break;
    p = skip_blank(p + 1, end);
  }
  return static_cast<std::size_t>(done - begin);
}

}  // namespace crema
