#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crema::read {

/// Finds the first `<script type="application/json">` of an HTML page that comes in pieces.
class HtmlScript {
 public:
  /// Reads the next bytes; `take(std::string_view)` gets those that stand in the script.
  template <class Take>
  void push(std::string_view bytes, const Take& take) {
    while (!bytes.empty() && state_ != State::after) {
      if (const std::string_view inside = step(bytes); !inside.empty()) take(inside);
    }
  }

  bool found() const { return state_ == State::inside || state_ == State::after; }
  std::uint64_t begin() const { return begin_; }  ///< [byte] of the script's text in the page

 private:
  enum class State : std::uint8_t { outside, tag, inside, after };

  // Takes some bytes off the front; returns those of them that stand in the script.
  std::string_view step(std::string_view& bytes);

  State state_ = State::outside;
  std::string seen_;  // of "<script", of the tag's attributes, of "</script"
  std::uint64_t offset_ = 0;
  std::uint64_t begin_ = 0;
};

/// The text with `&lt; &gt; &amp; &quot; &apos; &#x27; &#x60;` replaced, which Bokeh writes for the
/// sake of HTML, and HTCondor in XML.
std::string unescape_html(std::string_view text);

}  // namespace crema::read
