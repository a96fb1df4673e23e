#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::exports {

/// A file to be saved.
struct Artefact {
  std::string name;     ///< suggested file name, no folder
  std::string content;  ///< its bytes
};

/// An output format: one file in core/export, one line in the list.
struct Writer {
  std::string_view id;  ///< "speedscope", "folded", "json", "csv"
  std::vector<Artefact> (*write)(const Run& run, const Selection& selection,
                                 const Options& options);
  std::initializer_list<const Option*> options{};
  bool several = false;  ///< it writes several files, into a folder
};

const std::vector<Writer>& writers();

}  // namespace crema::exports
