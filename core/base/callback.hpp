#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

namespace crema {

template <class Signature>
class Callback;

/// A function kept for later, as a lambda that captures `this` is: two pointers at most, which are
/// copied as they are. std::function takes any, for four functions more of code each.
template <class Result, class... Arguments>
class Callback<Result(Arguments...)> {
 public:
  Callback() = default;
  template <class Call>
  requires(!std::is_same_v<Call, Callback>) Callback(Call call)  // NOLINT(*-explicit-*)
      : call_([](const void* kept, Arguments... arguments) {
          return static_cast<Result>((*static_cast<const Call*>(kept))(arguments...));
        }) {
    static_assert(sizeof(Call) <= sizeof kept_ && std::is_trivially_copyable_v<Call>);
    new (kept_) Call(call);
  }

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const { return call_(kept_, arguments...); }

 private:
  Result (*call_)(const void*, Arguments...) = nullptr;
  alignas(void*) std::byte kept_[2 * sizeof(void*)] = {};
};

}  // namespace crema
