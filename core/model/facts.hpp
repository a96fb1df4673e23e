#pragma once

#include <list>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace crema {

/// A result that is made when it is first asked for, and stays.
template <class T>
class Once {
 public:
  template <class Make>
  const T& of(const Make& make) {
    if (!made_) made_ = std::make_unique<const T>(make());
    return *made_;
  }

 private:
  std::unique_ptr<const T> made_;
};

/// A result for each of a few keys (a processor, a kind of group); all of them stay, at their
/// addresses.
template <class Key, class T>
class Each {
 public:
  template <class Make>
  const T& of(const Key& key, const Make& make) {
    // What is made may ask for another key: the place is taken afterwards.
    if (const auto known = made_.find(key); known != made_.end()) return *known->second;
    auto result = std::make_unique<const T>(make());
    return *made_.try_emplace(key, std::move(result)).first->second;
  }

 private:
  std::map<Key, std::unique_ptr<const T>> made_;
};

/// Results for choices that a user makes one after the other (a profile, a series): the last few
/// are kept, as there can be many.
template <class Key, class T>
class Recent {
 public:
  template <class Make>
  std::shared_ptr<const T> of(const Key& key, const Make& make) {
    for (auto entry = made_.begin(); entry != made_.end(); ++entry) {
      if (entry->first != key) continue;
      made_.splice(made_.begin(), made_, entry);
      return made_.front().second;
    }
    auto result = std::make_shared<const T>(make());
    made_.emplace_front(key, result);
    if (made_.size() > most) made_.pop_back();
    return result;
  }

 private:
  static constexpr std::size_t most = 8;  // Timelines shows seven series at once
  std::list<std::pair<Key, std::shared_ptr<const T>>> made_;  // last used first
};

/// Costly results that the subjects keep of a run: each has a `Once`, `Each` or `Recent` of a type
/// of its own here, or declares a struct of several. They depend only on the run, which does not
/// change while it is open, so that keeping them never changes an answer. One thread asks at a
/// time.
class Facts {
 public:
  Facts() = default;
  /// A copy of a run keeps nothing: either of the two may be changed.
  Facts(const Facts&) {}
  Facts& operator=(const Facts&) {
    kept_.clear();
    return *this;
  }
  Facts(Facts&&) = default;
  Facts& operator=(Facts&&) = default;
  ~Facts() = default;

  template <class Subject>
  Subject& of() {
    for (const auto& [subject, kept] : kept_) {
      if (subject == &subject_id<Subject>) return *static_cast<Subject*>(kept.get());
    }
    kept_.emplace_back(&subject_id<Subject>, std::make_shared<Subject>());
    return *static_cast<Subject*>(kept_.back().second.get());
  }

 private:
  // Its address tells the types apart; it is not constant, so that linkers do not merge them.
  template <class Subject>
  static inline char subject_id = 0;

  std::vector<std::pair<const void*, std::shared_ptr<void>>> kept_;
};

}  // namespace crema
