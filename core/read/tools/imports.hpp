#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

/// Profiles of other tools on their way into the run, with the data notes they leave.
class Imports {
 public:
  Imports(Run& run, std::string_view path) : run_(run), path_(path) {}

  /// A function by its name, file and first line; `line`: the one executing when it was first seen.
  /// Of texts that are no UTF-8 the bytes that are no ASCII become "?".
  FrameId frame(std::string_view name, std::string_view file = {}, std::uint32_t first_line = 0,
                std::uint32_t line = 0);

  /// The profile of a thread, a process or whatever the file tells apart, which begins empty, in
  /// `unit`. It holds until the next is asked for.
  StackProfile& part(std::string_view name, std::string_view unit);
  /// Adds all parts.
  void add_parts();

  /// Makes a call tree of the profile: `frames[i]` is the function of its frame i; without any, its
  /// frames are FrameIds. `where`: its place in the file. The profile is empty afterwards.
  void add(StackProfile& profile, std::span<const FrameId> frames = {},
           std::string_view where = {});

  void note(const char* id, Severity severity, std::string_view message,
            std::string_view where = {}, std::size_t count = 1,
            std::uint64_t offset = Error::no_offset);

  /// That of the trees it makes.
  CallTree::Form form = CallTree::Form::tree;

 private:
  struct Unit;
  Unit unit_of(std::string_view where, const std::string& name);
  void report(const StackProfile& profile, std::size_t frames, std::string_view where);

  Run& run_;
  std::string path_;
  StringPool part_names_;
  std::vector<StackProfile> parts_;
};

}  // namespace crema::read
