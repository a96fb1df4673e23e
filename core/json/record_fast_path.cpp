// Compiled for speed: it runs for every value of JSON.
#include "core/json/router.hpp"

#include "core/json/block.hpp"
#include "core/json/number.hpp"

namespace crema::json {

namespace {

// A list whose records are written alike needs one form, or a few; one that changes all the time is
// left to the tokenizer.
constexpr unsigned most_forms = 64;
constexpr std::size_t most_steps = 512;
constexpr std::size_t longest_before = 1024;

/// The closing quote of the string that begins behind the quote at `p`; nullptr where it is not
/// there, or behind an escape, a control character, or what is no ASCII.
const char* plain_string_end(const char* p, const char* end) {
  p = skip_plain(p + 1, end);
  return p != end && *p == '"' ? p : nullptr;
}

/// Reads the scalar at `p` into `node`, as the Router would; returns where it ends, nullptr where
/// that is not known, or the tokenizer or the Router would have something to say.
const char* take_scalar(const char* p, const char* end, Node* node) {
  if (p == end) return nullptr;
  const auto literal = [&](std::string_view text) {
    return begins_with(p, end, text) ? p + text.size() : nullptr;
  };
  switch (*p) {
    case '"': {
      const char* const closing = plain_string_end(p, end);
      if (closing == nullptr) return nullptr;
      if (node != nullptr && !node->string({p + 1, static_cast<std::size_t>(closing - p - 1)}))
        return nullptr;
      return closing + 1;
    }
    case 'n': {
      const char* const stop = literal("null");
      if (stop != nullptr && node != nullptr) node->null();
      return stop;
    }
    case 't':
    case 'f': {
      const char* const stop = literal(*p == 't' ? "true" : "false");
      return stop == nullptr || node == nullptr || node->boolean(*p == 't') ? stop : nullptr;
    }
    default: {
      double value = 0;
      const char* const stop = take_number(p, end, value);
      return stop == nullptr || node == nullptr || node->number(value) ? stop : nullptr;
    }
  }
}

/// Reads the list of scalars at `p`, of whatever white space, likewise.
[[gnu::noinline]] const char* take_list(const char* p, const char* end, Node* node) {
  if (node != nullptr && !node->begin_array()) return nullptr;
  p = skip_blank(p + 1, end);
  for (std::size_t index = 0; p != end && (*p != ']' || index > 0); ++index) {
    p = take_scalar(p, end, node == nullptr ? nullptr : node->element(index));
    if (p == nullptr) return nullptr;
    if (p != end && is_blank(*p)) p = skip_blank(p, end);
    if (p == end) return nullptr;
    if (*p == ']') break;
    if (*p != ',') return nullptr;
    if (++p != end && is_blank(*p)) p = skip_blank(p, end);
  }
  if (p == end) return nullptr;
  if (node != nullptr) node->end();
  return p + 1;
}

const char* take_value(const char* p, const char* end, Node* node) {
  return p != end && *p == '[' ? take_list(p, end, node) : take_scalar(p, end, node);
}

}  // namespace

const char* RecordFastPath::replay(const char* p, const char* end, Node& record) {
  if (steps_.empty() || !record.begin_object()) return nullptr;
  open_.assign(1, &record);
  for (const Step& step : steps_) {
    if (!begins_with(p, end, step.before)) return nullptr;
    p += step.before.size();
    Node* const object = open_.back();
    if (step.kind == Step::Kind::close) {
      if (object != nullptr) object->end();
      open_.pop_back();
      continue;
    }
    Node* const member = object == nullptr ? nullptr : object->member(step.key);
    if (step.kind == Step::Kind::open) {
      if (member != nullptr && !member->begin_object()) return nullptr;
      open_.push_back(member);
    } else {
      p = take_value(p, end, member);
      if (p == nullptr) return nullptr;
    }
  }
  return p;
}

// Takes the form of the object at `p`, which must be right to the last byte: what is compared with
// it is not looked at again.
bool RecordFastPath::learn(const char* p, const char* end) {
  steps_.clear();
  const char* from = p;
  const auto add = [&](Step::Kind kind, std::string_view key) {
    steps_.push_back({std::string(from, p), std::string(key), kind});
    from = p;
    return steps_.back().before.size() <= longest_before && steps_.size() <= most_steps;
  };
  std::size_t depth = 1;
  bool first = true;
  for (++p; depth > 0;) {
    p = skip_blank(p, end);
    if (p != end && *p == '}') {
      ++p;
      --depth;
      first = false;
      if (!add(Step::Kind::close, {})) return false;
      continue;
    }
    if (!first) {
      if (p == end || *p != ',') return false;
      p = skip_blank(p + 1, end);
    }
    if (p == end || *p != '"') return false;
    const char* const closing = plain_string_end(p, end);
    if (closing == nullptr) return false;
    const std::string_view key(p + 1, static_cast<std::size_t>(closing - p - 1));
    p = skip_blank(closing + 1, end);
    if (p == end || *p != ':') return false;
    p = skip_blank(p + 1, end);
    first = p != end && *p == '{';
    if (first) {
      ++p;
      ++depth;
      if (!add(Step::Kind::open, key)) return false;
    } else {
      if (!add(Step::Kind::value, key)) return false;
      p = take_value(p, end, nullptr);
      if (p == nullptr) return false;
      from = p;
    }
  }
  return true;
}

std::size_t RecordFastPath::take(std::string_view bytes, Node& record, std::size_t& count) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* done = begin;
  for (const char* p = begin; p != end && (*p == '{' || *p == '[');) {
    const bool is_list = *p == '[';
    const char* stop = is_list ? take_list(p, end, &record) : replay(p, end, record);
    // it is asked again for a record that it left in the middle
    if (stop == nullptr && (is_list || p != begin)) break;
    // one record of another form is an exception, two are a new form
    if (stop == nullptr && missed_ && learned_ < most_forms) {
      ++learned_;
      if (learn(p, end)) stop = replay(p, end, record);
      else steps_.clear();
    }
    missed_ = stop == nullptr;
    if (missed_) break;
    ++count;
    done = stop;
    p = skip_blank(stop, end);
    if (p == end || *p != ',') break;
    p = skip_blank(p + 1, end);
  }
  return static_cast<std::size_t>(done - begin);
}

}  // namespace crema::json
