#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/read/list.hpp"

// What targets share that read a file by the format that recognises it, cut in several ways.

inline void demand(bool holds) {
  if (!holds) std::abort();
}

/// The file `bytes`, read in pieces of this size.
inline crema::Run read_in_pieces(const crema::read::Format& format, std::string_view bytes,
                                 std::size_t piece) {
  crema::Run run(std::make_shared<crema::Names>());
  const auto reader = format.open(run, "file");
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::string_view part = bytes.substr(at, piece);
    reader->push({part.data(), part.size()});
  }
  reader->finish();
  return run;
}

/// Demands that `told` says the same however the file is cut, by the first of `formats` that
/// recognises it. What libFuzzer is to return: -1 where none does, as that is not worth being
/// changed further.
template <class Told>
int demand_same_of_pieces(std::span<const crema::read::Format* const> formats,
                          std::string_view bytes, bool is_binary, Told&& told) {
  const crema::read::Head head("file", bytes, true, is_binary);
  const auto known =
      std::find_if(formats.begin(), formats.end(),
                   [&](const crema::read::Format* format) { return format->recognises(head); });
  if (known == formats.end()) return -1;
  const auto told_of = [&](std::size_t piece) {
    return told(read_in_pieces(**known, bytes, piece));
  };
  const std::string whole = told_of(std::max<std::size_t>(bytes.size(), 1));
  for (const std::size_t piece : {1 + bytes.size() / 3, 1 + bytes.size() / 100})
    demand(told_of(piece) == whole);
  return 0;
}
