#pragma once

#include <list>
#include <memory>
#include <string>
#include <utility>

namespace crema {

/// Costly results that questions keep for a run. They depend only on the run, which does not change
/// while it is open, and on the key; keeping them never changes an answer. A key begins with the
/// name of its result, so that one key always has one type.
class Memo {
 public:
  /// A result for a choice of the user's (a profile, a series); the last few are kept.
  template <class T, class Make>
  std::shared_ptr<const T> of(const std::string& key, const Make& make) {
    return kept<T>(recent_, key, make, most_recent);
  }

  /// A result that many answers use; it stays, at its address, while the run is open.
  template <class T, class Make>
  const T& index(const std::string& key, const Make& make) {
    return *kept<T>(indexes_, key, make, no_limit);
  }

 private:
  using Kept = std::list<std::pair<std::string, std::shared_ptr<const void>>>;  // last used first

  template <class T, class Make>
  static std::shared_ptr<const T> kept(Kept& kept, const std::string& key, const Make& make,
                                       std::size_t most) {
    for (auto entry = kept.begin(); entry != kept.end(); ++entry) {
      if (entry->first != key) continue;
      kept.splice(kept.begin(), kept, entry);
      return std::static_pointer_cast<const T>(kept.front().second);
    }
    auto made = std::make_shared<const T>(make());
    kept.emplace_front(key, made);
    if (kept.size() > most) kept.pop_back();
    return made;
  }

  static constexpr std::size_t most_recent = 12;
  static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
  Kept recent_;
  Kept indexes_;
};

}  // namespace crema
