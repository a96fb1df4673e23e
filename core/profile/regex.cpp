#include "core/profile/transform.hpp"

#include <charconv>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace crema::profile {

namespace {

using Set = std::bitset<256>;

unsigned char byte_of(char c) { return static_cast<unsigned char>(c); }

void add_letter(Set& set, unsigned char c) {
  set.set(c);
  if (c >= 'a' && c <= 'z') set.set(c - 'a' + 'A');
  if (c >= 'A' && c <= 'Z') set.set(c - 'A' + 'a');
}

void add_range(Set& set, unsigned char first, unsigned char last) {
  for (unsigned c = first; c <= last; ++c) add_letter(set, static_cast<unsigned char>(c));
}

bool is_word(char c) { return is_alphanumeric(c) || c == '_'; }

/// The bytes that `c` stands for behind a backslash; none if it means nothing there.
Set escaped(char c) {
  Set set;
  switch (c) {
    case 'd':
    case 'D': add_range(set, '0', '9'); break;
    case 'w':
    case 'W':
      add_range(set, 'a', 'z');
      add_range(set, '0', '9');
      set.set('_');
      break;
    case 's':
    case 'S':
      for (const char space : {' ', '\t', '\n', '\r', '\f', '\v'}) set.set(byte_of(space));
      break;
    case 't': set.set('\t'); return set;
    case 'n': set.set('\n'); return set;
    case 'r': set.set('\r'); return set;
    case 'f': set.set('\f'); return set;
    case 'v': set.set('\v'); return set;
    default:
      if (!is_letter(c) && !is_digit(c)) set.set(byte_of(c));
      return set;
  }
  return c == 'D' || c == 'W' || c == 'S' ? ~set : set;
}

}  // namespace

/// Reads an expression from left to right. What is read of a group waits in `Open`, so that nested
/// groups need no recursion; states name each other by their distance, so that copies of a program
/// and programs behind each other are programs as they are.
class RegexCompiler {
 public:
  explicit RegexCompiler(std::string_view pattern, Regex& into) : pattern_(pattern), into_(into) {}

  void compile() {
    for (at_ = 0; at_ < pattern_.size(); ++at_) token(pattern_[at_]);
    if (open_.size() > 1) fail("a ( is not closed");
    if (!pattern_.empty()) into_.states_ = closed();
    append(into_.states_, {{Kind::match}});
  }

 private:
  using Kind = Regex::Kind;
  using Program = std::vector<Regex::State>;

  /// A group whose end has not come.
  struct Open {
    std::vector<Program> alternatives;  ///< that are complete
    Program sequence;                   ///< of the current one, up to its last part
    std::optional<Program> last;        ///< which a repeat is of
  };

  /// A repeat copies states, and a search takes time in proportion to their number.
  static constexpr std::size_t most_states = 4000;
  static constexpr unsigned unlimited = ~0U;

  [[noreturn]] void fail(const char* what) const {
    throw Failure(ErrorCode::bad_option,
                  "/" + std::string(pattern_) + "/ is not a valid expression: " + what);
  }

  void append(Program& program, const Program& part) const {
    if (program.size() + part.size() > most_states) fail("its repeats are too large");
    program.insert(program.end(), part.begin(), part.end());
  }

  /// A state that goes on at either distance.
  static Program split(std::size_t one, std::size_t other) {
    return {{Kind::split, 0, static_cast<int>(one), static_cast<int>(other)}};
  }

  void token(char c) {
    switch (c) {
      case '(':
        open_.emplace_back();
        if (pattern_.substr(at_ + 1, 2) == "?:") at_ += 2;
        return;
      case ')': {
        Program group = closed();
        if (open_.size() == 1) fail("a ) closes nothing");
        open_.pop_back();
        part(std::move(group));
        return;
      }
      case '|': end_alternative(); return;
      case '*': repeat(0, unlimited); return;
      case '+': repeat(1, unlimited); return;
      case '?': repeat(0, 1); return;
      case '{': count(); return;
      case '^': part({{Kind::begin}}); return;
      case '$': part({{Kind::end}}); return;
      case '.': set(Set().set()); return;
      case '[': set(bracket()); return;
      case '\\':
        if (++at_ == pattern_.size()) fail("it ends in \\");
        if (pattern_[at_] == 'b') part({{Kind::boundary}});
        else if (pattern_[at_] == 'B') part({{Kind::no_boundary}});
        else set(known_escape());
        return;
      default: byte(c);
    }
  }

  Set known_escape() const {
    const Set meant = escaped(pattern_[at_]);
    if (meant.none()) fail("a \\ stands before a letter or digit that it gives no meaning");
    return meant;
  }

  void byte(char c) {
    Set one;
    add_letter(one, byte_of(c));
    set(one);
  }

  void set(const Set& what) {
    into_.sets_.push_back(what);
    part({{Kind::set, static_cast<std::uint32_t>(into_.sets_.size() - 1)}});
  }

  void part(Program program) {
    Open& group = open_.back();
    if (group.last) append(group.sequence, *group.last);
    group.last = std::move(program);
  }

  void end_alternative() {
    Open& group = open_.back();
    if (!group.last) fail("a group or alternative is empty");
    append(group.sequence, *group.last);
    group.alternatives.push_back(std::move(group.sequence));
    group.sequence.clear();
    group.last.reset();
  }

  /// All of the innermost group.
  Program closed() {
    end_alternative();
    std::vector<Program>& alternatives = open_.back().alternatives;
    Program whole = std::move(alternatives.back());
    for (std::size_t i = alternatives.size() - 1; i-- > 0;) {
      // Either this one, then past all that follow, or one of those.
      const Program& one = alternatives[i];
      Program both = split(1, one.size() + 2);
      append(both, one);
      append(both, split(whole.size() + 1, whole.size() + 1));
      append(both, whole);
      whole = std::move(both);
    }
    return whole;
  }

  /// {n}, {n,}, {,m} or {n,m}; any other { means itself, as in other programs.
  void count() {
    const std::size_t end = pattern_.find('}', at_);
    const std::string_view inside =
        end == std::string_view::npos ? "" : pattern_.substr(at_ + 1, end - at_ - 1);
    const std::size_t comma = inside.find(',');
    const auto least = count_in(inside.substr(0, comma), 0);
    const auto most =
        comma == std::string_view::npos ? least : count_in(inside.substr(comma + 1), unlimited);
    if (inside.empty() || inside == "," || !least || !most) {
      byte('{');
      return;
    }
    if (*least > *most) fail("a repeat's bounds are reversed");
    repeat(*least, *most);
    at_ = end;
  }

  static std::optional<unsigned> count_in(std::string_view digits, unsigned without) {
    if (digits.empty()) return without;
    unsigned value = 0;
    const char* const end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (parsed.ptr != end || !is_digit(digits.front())) return std::nullopt;
    return parsed.ec == std::errc() ? value : unlimited - 1;
  }

  /// `least` copies of the last part, then as many more that can be passed over, or a loop.
  void repeat(unsigned least, unsigned most) {
    if (!open_.back().last) fail("there is nothing to repeat");
    const Program one = std::move(*open_.back().last);
    if (one.empty()) most = least;  // as much of it as there may be is nothing
    Program whole;
    for (unsigned i = 0; i < least && !one.empty(); ++i) append(whole, one);
    if (most == unlimited) {
      const auto back = -static_cast<int>(one.size());
      // A loop ends in a split that leads back; it is entered there where nothing is needed.
      if (least == 0) {
        append(whole, split(one.size() + 1, one.size() + 1));
        append(whole, one);
      }
      append(whole, {{Kind::split, 0, back, 1}});
    } else {
      for (unsigned i = least; i < most; ++i) {
        append(whole, split(1, one.size() + 1));
        append(whole, one);
      }
    }
    open_.back().last = std::move(whole);
  }

  Set bracket() {
    Set inside;
    bool negated = false;
    ++at_;
    if (at_ < pattern_.size() && pattern_[at_] == '^') {
      negated = true;
      ++at_;
    }
    for (bool first = true;; first = false, ++at_) {
      if (at_ >= pattern_.size()) fail("a [ is not closed");
      const char c = pattern_[at_];
      if (c == ']' && !first) break;
      if (c == '\\' && at_ + 1 < pattern_.size()) {
        ++at_;
        inside |= known_escape();
        continue;
      }
      const bool is_range =
          at_ + 2 < pattern_.size() && pattern_[at_ + 1] == '-' && pattern_[at_ + 2] != ']';
      if (!is_range) {
        add_letter(inside, byte_of(c));
        continue;
      }
      if (byte_of(pattern_[at_ + 2]) < byte_of(c)) fail("a range runs backwards");
      add_range(inside, byte_of(c), byte_of(pattern_[at_ + 2]));
      at_ += 2;
    }
    return negated ? ~inside : inside;
  }

  std::string_view pattern_;
  Regex& into_;
  std::size_t at_ = 0;
  std::vector<Open> open_{1};  // from the whole expression to the innermost group
};

Regex::Regex(std::string_view pattern) {
  constexpr std::size_t longest = 1000;
  if (pattern.size() > longest)
    throw Failure(ErrorCode::bad_option, "an expression is longer than 1,000 characters");
  RegexCompiler(pattern, *this).compile();
}

bool Regex::search(std::string_view text) const {
  std::vector<std::uint32_t> now, next, open;
  const auto from = [](std::uint32_t state, int distance) {
    return state + static_cast<std::uint32_t>(distance);
  };
  const auto is_boundary = [&](std::size_t at) {
    return (at > 0 && is_word(text[at - 1])) != (at < text.size() && is_word(text[at]));
  };
  std::vector<std::size_t> seen(states_.size(), 0);  // 1 + the place a state was last reached at
  for (std::size_t at = 0;; ++at) {
    open.swap(next);
    next.clear();
    open.push_back(0);  // a match may begin anywhere
    now.clear();
    while (!open.empty()) {
      const std::uint32_t state = open.back();
      open.pop_back();
      if (seen[state] == at + 1) continue;
      seen[state] = at + 1;
      const State& s = states_[state];
      switch (s.kind) {
        case Kind::match: return true;
        case Kind::set: now.push_back(state); break;
        case Kind::begin:
          if (at == 0) open.push_back(from(state, s.next));
          break;
        case Kind::end:
          if (at == text.size()) open.push_back(from(state, s.next));
          break;
        case Kind::boundary:
        case Kind::no_boundary:
          if (is_boundary(at) == (s.kind == Kind::boundary)) open.push_back(from(state, s.next));
          break;
        case Kind::split:
          open.push_back(from(state, s.other));
          open.push_back(from(state, s.next));
          break;
      }
    }
    if (at == text.size()) return false;
    for (const std::uint32_t state : now) {
      if (sets_[states_[state].set][byte_of(text[at])]) next.push_back(state + 1);
    }
  }
}

}  // namespace crema::profile
