#include "core/profile/regex.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
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

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

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

/// From text over postfix order (shunting-yard, so that nested groups need no recursion) to states.
class RegexCompiler {
 public:
  RegexCompiler(std::string_view pattern, Regex& into) : pattern_(pattern), into_(into) {}

  void compile() {
    for (at_ = 0; at_ < pattern_.size(); ++at_) token(pattern_[at_]);
    while (!operators_.empty()) {
      if (operators_.back().operation == '(') fail("a ( is not closed");
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
  /// A part of the automaton: the states from `first` up to those of the next piece. Its open ends
  /// are pairs (state, which of its two ways).
  struct Piece {
    std::uint32_t first;
    std::uint32_t start;
    std::vector<std::pair<std::uint32_t, bool>> ends;
  };
  struct Operator {
    char operation;
    std::uint32_t first;  ///< state of a group
  };

  /// A repeat copies states, and a search takes time in proportion to their number.
  static constexpr std::size_t most_states = 4000;
  static constexpr unsigned unlimited = ~0U;

  [[noreturn]] void fail(const char* what) const {
    throw Failure(ErrorCode::bad_option,
                  "/" + std::string(pattern_) + "/ is not a valid expression: " + what);
  }

  std::uint32_t add(Regex::State state) {
    if (into_.states_.size() == most_states) fail("its repeats are too large");
    into_.states_.push_back(state);
    return static_cast<std::uint32_t>(into_.states_.size() - 1);
  }

  std::uint32_t state_count() const { return static_cast<std::uint32_t>(into_.states_.size()); }

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
        operators_.push_back({'(', state_count()});
        after_piece_ = false;
        if (pattern_.substr(at_ + 1, 2) == "?:") at_ += 2;
        return;
      case ')':
        if (!after_piece_) fail("a group or alternative is empty");
        reduce_group();
        if (operators_.empty()) fail("a ) closes nothing");
        pieces_.back().first = operators_.back().first;
        operators_.pop_back();
        return;
      case '|':
        if (!after_piece_) fail("an alternative is empty");
        reduce_group();
        operators_.push_back({'|', 0});
        after_piece_ = false;
        return;
      case '*': repeat(0, unlimited); return;
      case '+': repeat(1, unlimited); return;
      case '?': repeat(0, 1); return;
      case '{': count(); return;
      case '^': piece({Regex::Kind::begin}); return;
      case '$': piece({Regex::Kind::end}); return;
      case '.': set(Set().set()); return;
      case '[': set(bracket()); return;
      case '\\':
        if (++at_ == pattern_.size()) fail("it ends in \\");
        if (pattern_[at_] == 'b') piece({Regex::Kind::boundary});
        else if (pattern_[at_] == 'B') piece({Regex::Kind::no_boundary});
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
    piece({Regex::Kind::set, static_cast<std::uint32_t>(into_.sets_.size() - 1)});
  }

  void piece(Regex::State state) {
    join();
    const std::uint32_t made = add(state);
    pieces_.push_back({made, made, {{made, false}}});
    after_piece_ = true;
  }

  void join() {
    if (!after_piece_) return;
    while (!operators_.empty() && operators_.back().operation == '.') reduce();
    operators_.push_back({'.', 0});
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

  /// Repeats the last piece: `least` copies of it, then optional ones, or a loop if their number is
  /// unlimited.
  void repeat(unsigned least, unsigned most) {
    if (!after_piece_) fail("there is nothing to repeat");
    const Piece original = pop();
    const std::uint32_t size = state_count() - original.first;
    const bool loops = most == unlimited;
    const unsigned copies = loops ? std::max(least, 1U) : most;
    Piece whole{original.first, 0, {}};
    std::vector<std::pair<std::uint32_t, bool>> skips;
    // The original is taken last: until then its open ends stay open in every copy.
    for (unsigned left = copies; left > 0; --left) {
      Piece one = left == 1 ? original : copy_of(original, size);
      const unsigned place = copies - left;
      if (loops && left == 1) {
        const std::uint32_t split = add({Regex::Kind::split, 0, one.start});
        patch(one, split);
        if (place >= least) one.start = split;
        one.ends = {{split, true}};
      } else if (place >= least) {
        one.start = add({Regex::Kind::split, 0, one.start});
        skips.emplace_back(one.start, true);
      }
      if (place == 0) whole.start = one.start;
      else patch(whole, one.start);
      whole.ends = std::move(one.ends);
    }
    if (copies == 0) {
      whole.start = add({Regex::Kind::split});
      skips = {{whole.start, false}, {whole.start, true}};
    }
    whole.ends.insert(whole.ends.end(), skips.begin(), skips.end());
    pieces_.push_back(std::move(whole));
  }

  Piece copy_of(const Piece& piece, std::uint32_t size) {
    const std::uint32_t offset = state_count() - piece.first;
    for (std::uint32_t i = piece.first; i < piece.first + size; ++i) {
      Regex::State state = into_.states_[i];
      state.next += offset;
      state.other += offset;
      add(state);
    }
    Piece copy = piece;
    copy.start += offset;
    for (auto& [state, is_other] : copy.ends) state += offset;
    return copy;
  }

  void reduce_group() {
    while (!operators_.empty() && operators_.back().operation != '(') reduce();
  }

  void reduce() {
    const char what = operators_.back().operation;
    operators_.pop_back();
    Piece right = pop();
    Piece left = pop();
    if (what == '.') {
      patch(left, right.start);
      pieces_.push_back({left.first, left.start, std::move(right.ends)});
      return;
    }
    const std::uint32_t split = add({Regex::Kind::split, 0, left.start, right.start});
    left.ends.insert(left.ends.end(), right.ends.begin(), right.ends.end());
    pieces_.push_back({left.first, split, std::move(left.ends)});
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
  bool after_piece_ = false;
  std::vector<Piece> pieces_;
  std::vector<Operator> operators_;
};

Regex::Regex(std::string_view pattern) {
  constexpr std::size_t longest = 1000;
  if (pattern.size() > longest)
    throw Failure(ErrorCode::bad_option, "an expression is longer than 1,000 characters");
  RegexCompiler(pattern, *this).compile();
}

bool Regex::search(std::string_view text) const {
  std::vector<std::uint32_t> now, next, open;
  const auto is_boundary = [&](std::size_t at) {
    return (at > 0 && is_word(text[at - 1])) != (at < text.size() && is_word(text[at]));
  };
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
        case Kind::boundary:
        case Kind::no_boundary:
          if (is_boundary(at) == (s.kind == Kind::boundary)) open.push_back(s.next);
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
