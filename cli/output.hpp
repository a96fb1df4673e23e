#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/export.hpp"

namespace crema::cli {

using namespace exports;  // what is printed and saved

/// What was asked cannot be done as it was asked; a sentence that says why. The program ends with
/// status 2.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An answer could not be written; a sentence. The program ends with status 1.
struct OutputFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Nobody reads the answer any more (`crema ... | head`): the program ends without a word.
struct PipeClosed {};

/// Writes to standard output, at once. Throws OutputFailed or PipeClosed.
void print(std::string_view text);

/// Says something on standard error; names in it must be visible() already.
void remark(std::string_view sentence);

/// Where an export goes: a file or a folder; "" or "-" is standard output.
struct Target {
  std::string path;
  bool overwrite = false;
  bool is_standard_output() const { return path.empty() || path == "-"; }
};

/// Writes one file to the target: into it when it is a folder, else as it. All of a file is written
/// or nothing. Throws Refusal when it would overwrite something unasked, OutputFailed, PipeClosed.
void save(const Artefact& file, const Target& target);

/// Writes files into the folder that the target names, and makes it when it is not there. Throws
/// like save, before anything is written when one of them is there already.
void save_into_folder(const std::vector<Artefact>& files, const Target& target);

}  // namespace crema::cli
