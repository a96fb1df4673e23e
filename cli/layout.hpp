#pragma once

#include <string>

namespace crema::cli {

// Text in columns of a terminal.

/// How wide help texts are.
constexpr std::size_t help_width = 100;

/// Width on screen, near enough: characters, not bytes.
std::size_t width_of(const std::string& text);

/// `text` with blanks behind it, or before it where it stands to the `right`, until it is `width`
/// wide.
std::string padded(const std::string& text, std::size_t width, bool right);

/// Lines of at most `width`, each with `indent` before it, broken at blanks.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent);

/// A bar of `width` cells; that fraction of them is full.
std::string bar(double fraction, std::size_t width);

/// Of the terminal; 100 where the answer goes elsewhere.
std::size_t terminal_width();

/// How texts look: plain where not `on`.
struct Style {
  bool on;
  std::string bold(const std::string& text) const {
    return on ? "\x1b[1m" + text + "\x1b[0m" : text;
  }
  std::string dim(const std::string& text) const {
    return on ? "\x1b[2m" + text + "\x1b[0m" : text;
  }
};

}  // namespace crema::cli
