#include "core/profile/regex.hpp"

#include <string>

#include "core/base/error.hpp"

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

// What stands behind a backslash.
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
    default: add_letter(set, byte_of(c)); return set;
  }
  return c == 'D' || c == 'W' || c == 'S' ? ~set : set;
}

}  // namespace

/// From text over postfix order (shunting-yard, so that nested groups need no recursion) to states.
class RegexCompiler {
 public:
  RegexCompiler(std::string_view pattern, Regex& into) : pattern_(pattern), into_(into) {}

  void compile() {
    for (at_ = 0; at_ < pattern_.size(); ++at_) token(pattern_[at_]);
    while (!operators_.empty()) {
      if (operators_.back() == '(') fail("a ( is not closed");
      reduce();
    }
    // What stands side by side was joined by '.'; an empty expression matches everywhere.
    const std::uint32_t match = add({Regex::Kind::match});
    if (pieces_.empty()) {
      into_.start_ = match;
      return;
    }
    patch(pieces_.back(), match);
    into_.start_ = pieces_.back().start;
  }

 private:
  // A part of the automaton; its open ends are pairs (state, which of its two ways).
  struct Piece {
    std::uint32_t start;
    std::vector<std::pair<std::uint32_t, bool>> ends;
  };

  [[noreturn]] void fail(const char* what) const {
    throw Failure(ErrorCode::bad_option,
                  "/" + std::string(pattern_) + "/ is not a valid expression: " + what);
  }

  std::uint32_t add(Regex::State state) {
    into_.states_.push_back(state);
    return static_cast<std::uint32_t>(into_.states_.size() - 1);
  }

  void patch(const Piece& piece, std::uint32_t to) {
    for (const auto& [state, is_other] : piece.ends)
      (is_other ? into_.states_[state].other : into_.states_[state].next) = to;
  }

  Piece pop() {
    if (pieces_.empty()) fail("there is nothing before or behind an operator");
    Piece piece = std::move(pieces_.back());
    pieces_.pop_back();
    return piece;
  }

  void token(char c) {
    switch (c) {
      case '(':
        join();
        operators_.push_back('(');
        after_piece_ = false;
        return;
      case ')':
        if (!after_piece_) fail("a group or alternative is empty");
        while (!operators_.empty() && operators_.back() != '(') reduce();
        if (operators_.empty()) fail("a ) closes nothing");
        operators_.pop_back();
        return;
      case '|':
        if (!after_piece_) fail("an alternative is empty");
        while (!operators_.empty() && operators_.back() != '(') reduce();
        operators_.push_back('|');
        after_piece_ = false;
        return;
      case '*':
      case '+':
      case '?': repeat(c); return;
      case '^': piece({Regex::Kind::begin}); return;
      case '$': piece({Regex::Kind::end}); return;
      case '.': set(Set().set()); return;
      case '[': set(bracket()); return;
      case '\\':
        if (++at_ == pattern_.size()) fail("it ends in \\");
        set(escaped(pattern_[at_]));
        return;
      default: {
        Set one;
        add_letter(one, byte_of(c));
        set(one);
      }
    }
  }

  void set(const Set& what) {
    into_.sets_.push_back(what);
    piece({Regex::Kind::set, static_cast<std::uint32_t>(into_.sets_.size() - 1)});
  }

  void piece(Regex::State state) {
    join();
    const std::uint32_t made = add(state);
    pieces_.push_back({made, {{made, false}}});
    after_piece_ = true;
  }

  void join() {
    if (!after_piece_) return;
    while (!operators_.empty() && operators_.back() == '.') reduce();
    operators_.push_back('.');
  }

  void repeat(char how) {
    if (!after_piece_) fail("there is nothing to repeat");
    Piece piece = pop();
    const std::uint32_t split = add({Regex::Kind::split, 0, piece.start});
    if (how == '?') {
      piece.ends.emplace_back(split, true);
      pieces_.push_back({split, std::move(piece.ends)});
      return;
    }
    patch(piece, split);
    pieces_.push_back({how == '+' ? piece.start : split, {{split, true}}});
  }

  void reduce() {
    const char what = operators_.back();
    operators_.pop_back();
    Piece right = pop();
    Piece left = pop();
    if (what == '.') {
      patch(left, right.start);
      pieces_.push_back({left.start, std::move(right.ends)});
      return;
    }
    const std::uint32_t split = add({Regex::Kind::split, 0, left.start, right.start});
    left.ends.insert(left.ends.end(), right.ends.begin(), right.ends.end());
    pieces_.push_back({split, std::move(left.ends)});
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
        inside |= escaped(pattern_[++at_]);
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
  bool after_piece_ = false;
  std::vector<Piece> pieces_;
  std::vector<char> operators_;
};

Regex::Regex(std::string_view pattern) {
  constexpr std::size_t longest = 1000;
  if (pattern.size() > longest)
    throw Failure(ErrorCode::bad_option, "an expression is longer than 1,000 characters");
  RegexCompiler(pattern, *this).compile();
}

bool Regex::search(std::string_view text) const {
  std::vector<std::uint32_t> now, next, open;
  std::vector<std::size_t> seen(states_.size(), 0);  // 1 + the place a state was last reached at
  for (std::size_t at = 0;; ++at) {
    open.swap(next);
    next.clear();
    open.push_back(start_);  // a match may begin anywhere
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
          if (at == 0) open.push_back(s.next);
          break;
        case Kind::end:
          if (at == text.size()) open.push_back(s.next);
          break;
        case Kind::split:
          open.push_back(s.other);
          open.push_back(s.next);
          break;
      }
    }
    if (at == text.size()) return false;
    for (const std::uint32_t state : now) {
      if (sets_[states_[state].set][byte_of(text[at])]) next.push_back(states_[state].next);
    }
  }
}

}  // namespace crema::profile
