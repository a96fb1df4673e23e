#pragma once

#include <list>
#include <memory>
#include <string>
#include <utility>

namespace crema {

/// What questions keep of a run from one ask to the next: results that are costly and depend on nothing but the run (which
/// does not change while it is open) and the key. It holds the last few and never changes an answer. A key begins with the
/// name of what it keeps, so that one key is always one type.
class Memo {
 public:
  template <class T, class Make>
  std::shared_ptr<const T> of(const std::string& key, const Make& make) {
    for (auto entry = kept_.begin(); entry != kept_.end(); ++entry) {
      if (entry->first != key) continue;
      kept_.splice(kept_.begin(), kept_, entry);
      return std::static_pointer_cast<const T>(kept_.front().second);
    }
    auto made = std::make_shared<const T>(make());
    kept_.emplace_front(key, made);
    if (kept_.size() > most) kept_.pop_back();
    return made;
  }

 private:
  static constexpr std::size_t most = 12;
  std::list<std::pair<std::string, std::shared_ptr<const void>>> kept_;  // last used first
};

}  // namespace crema
