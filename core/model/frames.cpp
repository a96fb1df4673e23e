#include "core/model/frames.hpp"

namespace crema {

std::size_t FrameTable::Hash::operator()(const Key& k) const {
  std::uint64_t h = (std::uint64_t{k.name} << 32U) | k.file;
  h = (h ^ (std::uint64_t{k.line} * 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL;
  return static_cast<std::size_t>(h ^ (h >> 33U));
}

FrameId FrameTable::intern(StringId frame_name, StringId frame_file, std::uint32_t line) {
  const auto id = static_cast<FrameId>(name.size());
  const auto [entry, is_new] = ids_.try_emplace(Key{frame_name, frame_file, line}, id);
  if (is_new) {
    name.push_back(frame_name);
    file.push_back(frame_file);
    first_line.push_back(line);
    line_seen.push_back(0);
    source_line.push_back(no_string);
  }
  return entry->second;
}

}  // namespace crema
