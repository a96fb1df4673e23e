#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/router.hpp"

namespace crema::json {

/// Reads the elements of an array without the tokenizer: lists of scalars, and objects with the
/// same members in the same order and the same white space. The bytes between an object's values
/// are compared with those of an object that was parsed before; only the values are parsed. The
/// record's nodes get the calls that the Router would make. Everything else is left to the
/// tokenizer: no byte is accepted unchecked.
class RecordFastPath {
 public:
  /// Takes whole records from the beginning of `bytes`, where an element begins, into `record`. A
  /// record that cannot be taken is begun and not ended; it is read again, so `record` may keep
  /// nothing of it before its `end`. Returns how many bytes it took and adds the records to
  /// `count`.
  std::size_t take(std::string_view bytes, Node& record, std::size_t& count);

 private:
  struct Step {
    enum class Kind : std::uint8_t { value, open, close };

    std::string before;  // from the end of the last value, brackets of objects included
    std::string key;     // of the member, but for `close`
    Kind kind;
  };

  const char* replay(const char* p, const char* end, Node& record);
  [[gnu::cold]] bool learn(const char* p, const char* end);

  std::vector<Step> steps_;
  std::vector<Node*> open_;  // of each object that is open; nullptr = skipped
  unsigned learned_ = 0;
  bool missed_ = true;  // the last record could not be taken
};

}  // namespace crema::json
