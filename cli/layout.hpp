#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crema::cli {

// Text in columns of a terminal.

/// Width on screen, near enough: characters, not bytes.
std::size_t width_of(const std::string& text);

/// `text` with blanks behind it, or before it where it stands to the `right`, until it is `width`
/// wide.
std::string padded(const std::string& text, std::size_t width, bool right);

/// Lines of at most `width`, each with `indent` before it, broken at blanks.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent);

/// At most so wide: of a path its end, of another text its beginning, with "…" for the rest.
std::string shortened(const std::string& text, std::size_t width);

/// A text in pieces, each of which ends with one of these characters.
std::vector<std::string> pieces_of(const std::string& text, std::string_view ends);

/// In lines of that width, broken behind these characters; what is longer without one is shortened.
std::vector<std::string> lines_of(const std::string& text, std::size_t width,
                                  std::string_view breaks);

/// A bar of `width` cells; that fraction of them is full.
std::string bar(double fraction, std::size_t width);

/// Whether the answer goes to a terminal, where people look at it.
bool is_on_terminal();

/// Of the terminal; 100 where the answer goes elsewhere.
std::size_t terminal_width();

/// How wide help texts are.
std::size_t help_width();

/// How texts look: plain where not `on`.
struct Style {
  bool on = false;
  std::string bold(const std::string& text) const { return as("1", text); }
  std::string dim(const std::string& text) const { return as("2", text); }
  std::string red(const std::string& text) const { return as("31", text); }
  std::string green(const std::string& text) const { return as("32", text); }

 private:
  std::string as(const char* code, const std::string& text) const {
    return on ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
  }
};

/// Plain where the answer goes elsewhere, where the terminal knows no colours (TERM=dumb), and
/// where nobody wants them (https://no-color.org).
Style style_of_terminal();

}  // namespace crema::cli
