#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bundle.hpp"
#include "core/session/opening.hpp"

namespace crema::cli {

// What a report holds, as docs/embedding.md says: written by report.cpp, web/state/report.ts and
// python/cremascope/page.py.
constexpr std::string_view enclosed_begin =
    "<script type=\"application/json\" id=\"crema-report\">";
constexpr std::string_view enclosed_end = "</script>";

struct EnclosedFile {
  FilePlace place;
  std::optional<std::string> bytes;  ///< mostly packed with gzip; absent when they are no base64
};

struct Enclosed {
  std::vector<OpeningSource> sources;  ///< at least one
  std::vector<EnclosedFile> files;
  std::string damage;  ///< a sentence when there was more; empty when it is whole
};

/// The runs inside a page; nothing when it is no report. Throws Failure when it is one of which
/// nothing can be had.
std::optional<Enclosed> enclosed_in(std::string_view page);

/// Begins the sources of a report; their ids, in its order.
std::vector<SourceId> begin_sources(FileTaker& taker, const Enclosed& enclosed);

}  // namespace crema::cli
