#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/string_pool.hpp"

namespace crema {

/// A function of a profile as a number: equal ids mean equal (name, file, first line).
using FrameId = std::uint32_t;

/// Every distinct function once, in columns indexed by FrameId. Identity is (name, file, first
/// line), as in Dask's `co_name;co_filename;co_firstlineno`; the label's line is the one seen first
/// and is no part of it (docs/meanings.md, Frames).
struct FrameTable {
  std::vector<StringId> name;
  std::vector<StringId> file;             ///< as recorded; "" when unknown
  std::vector<std::uint32_t> first_line;  ///< of the definition; 0 = unknown
  std::vector<std::uint32_t> line_seen;   ///< the line executing when first sampled; 0 = unknown
  std::vector<StringId> source_line;      ///< its text; no_string when unknown

  FrameId intern(StringId frame_name, StringId frame_file, std::uint32_t line);
  std::size_t size() const { return name.size(); }

 private:
  struct Key {
    StringId name, file;
    std::uint32_t line;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const;
  };
  std::unordered_map<Key, FrameId, Hash> ids_;
};

/// What all runs of a session share, so that ids can be compared between runs.
struct Names {
  StringPool strings;
  FrameTable frames;
};

}  // namespace crema
