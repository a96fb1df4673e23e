#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/model/run.hpp"
#include "core/read/stack_profile.hpp"

namespace crema::read {

/// Profiles of other tools on their way into the run, with the data notes they leave.
class Imports {
 public:
  Imports(Run& run, std::string path) : run_(run), path_(std::move(path)) {}

  /// A function by its name, file and first line; `line`: the one executing when it was first seen.
  FrameId frame(std::string_view name, std::string_view file = {}, std::uint32_t first_line = 0,
                std::uint32_t line = 0);

  /// Makes a call tree of the profile: `frames[i]` is the function of its frame i; without any, its
  /// frames are FrameIds. `where`: its place in the file. The profile is empty afterwards.
  void add(StackProfile& profile, std::span<const FrameId> frames = {}, std::string where = {});

  void note(const char* id, Severity severity, std::string message, std::string where = {},
            std::size_t count = 1, std::uint64_t offset = Error::no_offset);

  /// That of the trees it makes.
  CallTree::Form form = CallTree::Form::tree;

 private:
  struct Unit;
  Unit unit_of(const std::string& where, const std::string& name);
  void report(const StackProfile& profile, std::size_t frames, const std::string& where);

  Run& run_;
  std::string path_;
};

}  // namespace crema::read
