#include "core/read/dask/bokeh_document.hpp"

#include <algorithm>
#include <utility>

namespace crema::read {

namespace {

constexpr std::string_view opening = "<script";
constexpr std::string_view closing = "</script";
constexpr std::size_t longest_tag = 4096;  // a '<script' without end is none

}  // namespace

std::string_view HtmlScript::step(std::string_view& bytes) {
  const auto advance = [&](std::size_t count) {
    bytes.remove_prefix(count);
    offset_ += count;
  };
  switch (state_) {
    case State::outside: {
      // `seen_` is how much of "<script" the bytes before end with.
      const char c = bytes.front();
      if (seen_.empty() && c != '<') {
        advance(std::min(bytes.find('<'), bytes.size()));
        return {};
      }
      if (c == opening[seen_.size()]) {
        seen_ += c;
        advance(1);
        if (seen_.size() == opening.size()) {
          state_ = State::tag;
          seen_.clear();
        }
      } else {
        seen_.clear();  // the byte is looked at again: it may be a '<'
      }
      return {};
    }
    case State::tag: {
      const std::size_t end = bytes.find('>');
      seen_.append(bytes.substr(0, end));
      advance(std::min(end == std::string_view::npos ? end : end + 1, bytes.size()));
      if (end == std::string_view::npos && seen_.size() <= longest_tag) return {};
      state_ = seen_.find("application/json") != std::string::npos ? State::inside : State::outside;
      seen_.clear();
      begin_ = offset_;
      return {};
    }
    case State::inside: {
      // `seen_` is how much of "</script" the bytes before end with; where it does not go on, it
      // was text.
      const char c = bytes.front();
      if (seen_.empty() && c != '<') {
        const std::string_view inside = bytes.substr(0, bytes.find('<'));
        advance(inside.size());
        return inside;
      }
      if (c != closing[seen_.size()]) {
        const std::string_view text = closing.substr(0, seen_.size());
        seen_.clear();
        return text;
      }
      seen_ += c;
      advance(1);
      if (seen_.size() == closing.size()) state_ = State::after;
      return {};
    }
    case State::after: break;
  }
  return {};
}

std::string unescape_html(std::string_view text) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'},    {"&gt;", '>'},    {"&amp;", '&'}, {"&quot;", '"'},
      {"&apos;", '\''}, {"&#x27;", '\''}, {"&#x60;", '`'}};
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('&'), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto* const entity =
        std::find_if(std::begin(entities), std::end(entities),
                     [&](const auto& e) { return text.substr(0, e.first.size()) == e.first; });
    const bool known = entity != std::end(entities);
    out += known ? entity->second : '&';
    text.remove_prefix(known ? entity->first.size() : 1);
  }
  return out;
}

}  // namespace crema::read
