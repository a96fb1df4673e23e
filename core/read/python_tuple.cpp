#include "core/read/python_tuple.hpp"

#include "core/json/number.hpp"

namespace crema::read {

namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char c) {
    if (peek() != c || at_end()) return false;
    ++at_;
    return true;
  }
  void blanks() {
    while (peek() == ' ') ++at_;
  }

  std::optional<PythonItem> item() {
    if (peek() == '\'' || peek() == '"') return string();
    const std::size_t begin = at_;
    if (!skip_other()) return std::nullopt;
    std::string text(text_.substr(begin, at_ - begin));
    while (!text.empty() && text.back() == ' ') text.pop_back();
    if (text.empty()) return std::nullopt;
    return PythonItem{text == "None" ? PythonItem::Kind::none : PythonItem::Kind::other, text};
  }

 private:
  // Anything that is no string, up to the comma or bracket that ends it; brackets and quotes inside
  // are balanced.
  bool skip_other() {
    std::size_t open = 0;
    while (!at_end()) {
      const char c = peek();
      if (c == '\'' || c == '"') {
        if (open == 0 && (at_ == 0 || text_[at_ - 1] != 'b')) return false;
        if (!string()) return false;
        continue;
      }
      if (open == 0 && (c == ',' || c == ')')) return true;
      if (c == '(' || c == '[' || c == '{' || c == '<') ++open;
      if (open > 0 && (c == ')' || c == ']' || c == '}' || c == '>')) --open;
      ++at_;
    }
    return open == 0;
  }

  std::optional<PythonItem> string() {
    const char quote = text_[at_++];
    std::string value;
    while (!at_end()) {
      const char c = text_[at_++];
      if (c == quote) return PythonItem{PythonItem::Kind::string, std::move(value)};
      if (c != '\\') {
        value += c;
        continue;
      }
      if (at_end()) return std::nullopt;
      const char escape = text_[at_++];
      switch (escape) {
        case 'n': value += '\n'; break;
        case 't': value += '\t'; break;
        case 'r': value += '\r'; break;
        case '\\':
        case '\'':
        case '"': value += escape; break;
        case 'x':
        case 'u':
        case 'U': {
          const std::size_t digits = escape == 'x' ? 2 : escape == 'u' ? 4 : 8;
          const auto code = json::parse_hex(text_.substr(at_, digits), digits);
          if (!code) return std::nullopt;
          at_ += digits;
          json::append_utf8(value, *code);
          break;
        }
        default: value += '\\', value += escape;
      }
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<PythonItem>> parse_python_tuple(std::string_view text) {
  Scanner scan(text);
  std::vector<PythonItem> items;
  if (!scan.take('(')) return std::nullopt;
  scan.blanks();
  while (!scan.take(')')) {
    auto item = scan.item();
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
    scan.blanks();
    if (scan.take(',')) {
      scan.blanks();
    } else if (scan.peek() != ')') {
      return std::nullopt;
    }
  }
  return scan.at_end() ? std::optional(std::move(items)) : std::nullopt;
}

}  // namespace crema::read
