#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>

// Included ahead of every source of a mutated build (mutate.mjs). A mutation stands in the code
// twice, as it was and as it is mutated; the environment variable CREMA_MUTANT says which one runs,
// so that one build holds all of them. CREMA_TRACE is the file that lists, one a line, which of
// them were executed.

namespace crema::mutant {

struct Trace {
  bool executed[100000];

  ~Trace() {
    const char* const path = std::getenv("CREMA_TRACE");
    std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return;
    for (int i = 0; i < 100000; ++i)
      if (executed[i]) std::fprintf(file, "%d\n", i);
    std::fclose(file);
  }
};
inline Trace trace{};

inline bool is_active(int number) {
  trace.executed[number] = true;
  static const int active = [] {
    const char* text = std::getenv("CREMA_MUTANT");
    return text == nullptr ? -1 : std::atoi(text);
  }();
  return number == active;
}

/// The status with which a program ends whose mutation means nothing for these types.
inline constexpr int not_applicable = 99;

/// `a <Boundary{7}> b` is `a < b`, mutated `a <= b`; AtMost is the other way round. The operators
/// around it have the precedence of the one that was there.
struct Boundary {
  int number;
};
struct AtMost {
  int number;
};
/// `a +Sign{7}+ b` is `a + b`, mutated `a - b`.
struct Sign {
  int number;
};

template <typename Operator, typename Left>
struct Half {
  Operator how;
  const Left& left;
};

template <typename Left>
Half<Boundary, Left> operator<(const Left& left, Boundary how) {
  return {how, left};
}
template <typename Left, typename Right>
bool operator>(Half<Boundary, Left> half, const Right& right) {
  return is_active(half.how.number) ? half.left <= right : half.left < right;
}

template <typename Left>
Half<AtMost, Left> operator<(const Left& left, AtMost how) {
  return {how, left};
}
template <typename Left, typename Right>
bool operator>(Half<AtMost, Left> half, const Right& right) {
  return is_active(half.how.number) ? half.left < right : half.left <= right;
}

template <typename Left>
Half<Sign, Left> operator+(const Left& left, Sign how) {
  return {how, left};
}
template <typename Left, typename Right>
auto operator+(Half<Sign, Left> half, const Right& right) -> decltype(half.left + right) {
  if constexpr (std::is_arithmetic_v<Left> && std::is_arithmetic_v<Right>) {
    if (is_active(half.how.number)) return half.left - right;
  } else if (is_active(half.how.number)) {
    std::_Exit(not_applicable);
  }
  return half.left + right;
}

template <typename T>
T most_or_least(int number, T a, T b) {
  return is_active(number) == (a < b) ? a : b;
}

/// `a` of two expressions, mutated `b`.
template <typename T>
T either(int number, T a, T b) {
  return is_active(number) ? b : a;
}

}  // namespace crema::mutant
