#include "core/read/tools/imports.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/text.hpp"
#include "core/json/number.hpp"

namespace crema::read {

struct Imports::Unit {
  std::string_view name;
  double scale;
  std::string_view ours;
};

FrameId Imports::frame(std::string_view name, std::string_view file, std::uint32_t first_line,
                       std::uint32_t line) {
  Names& names = *run_.names;
  const auto intern = [&](std::string_view text) {
    if (!json::invalid_utf8(text)) return names.strings.intern(text);
    std::string plain(text);
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return (c & 0x80) != 0; }, '?');
    return names.strings.intern(plain);
  };
  const FrameId frame = names.frames.intern(intern(name), intern(file), first_line);
  std::uint32_t& seen = names.frames.line_seen[frame];
  if (seen == 0) seen = line;
  return frame;
}

void Imports::note(const char* id, Severity severity, std::string_view message,
                   std::string_view where, std::size_t count, std::uint64_t offset) {
  run_.data_notes.push_back(
      {std::string(id), severity, path_, offset, std::string(where), std::string(message), count});
}

StackProfile& Imports::part(std::string_view name, std::string_view unit) {
  const StringId id = part_names_.intern(name);
  if (id == parts_.size()) {
    parts_.emplace_back();
    parts_.back().name = name;
    parts_.back().unit = unit;
    parts_.back().has_weights = true;
  }
  return parts_[id];
}

void Imports::add_parts() {
  // The first is what is looked at: times tell more than counts.
  std::stable_partition(parts_.begin(), parts_.end(),
                        [](const StackProfile& part) { return part.unit == "nanoseconds"; });
  for (StackProfile& part : parts_) add(part);
  if (parts_.empty()) note("empty-profile", Severity::low, "the file holds no samples");
}

void Imports::add(StackProfile& profile, std::span<const FrameId> frames, std::string_view where) {
  profile.complete();
  const FrameId unknown = frame("(frame not in the file)");
  const FrameId root = frame("root");
  std::vector<FrameId> own;
  if (frames.empty()) {
    own.resize(run_.names->frames.size());
    std::iota(own.begin(), own.end(), FrameId{0});
    frames = own;
  }
  report(profile, frames.size(), where);
  const Unit unit = unit_of(where, profile.unit);
  std::vector<NodeId> place;
  CallTree tree = profile.stacks.take(frames, unknown, root, unit.scale, place);
  if (!(tree.count[0] > 0)) {
    note("empty-profile", Severity::low, "a profile has no samples", where);
    return;
  }
  if (!std::isfinite(tree.count[0])) {
    note("bad-weight", Severity::high,
         "the sum of a profile's weights is not finite; the profile was left out", where);
    return;
  }
  tree.sample_node.reserve(profile.samples.size());
  tree.sample_weight.reserve(profile.samples.size());
  for (std::size_t i = 0; i < profile.samples.size(); ++i) {
    if (!(profile.weights[i] > 0)) continue;
    tree.sample_node.push_back(place[profile.samples[i]]);
    tree.sample_weight.push_back(profile.weights[i] * unit.scale);
  }
  tree.name = profile.name.empty() ? std::string(base_name(path_)) : profile.name;
  tree.kind = CallTree::Kind::import;
  tree.form = form;
  tree.leaves = CallTree::Leaves::counted;
  tree.unit = profile.has_weights || profile.type == "evented" ? std::string(unit.ours) : "samples";
  tree.source = path_;
  run_.call_trees.push_back(std::move(tree));
  profile = {};
}

Imports::Unit Imports::unit_of(std::string_view where, const std::string& name) {
  static constexpr Unit units[] = {
      {"nanoseconds", 1e-9, "s"}, {"ns", 1e-9, "s"},      {"microseconds", 1e-6, "s"},
      {"us", 1e-6, "s"},          {"\u03bcs", 1e-6, "s"}, {"milliseconds", 1e-3, "s"},
      {"ms", 1e-3, "s"},          {"seconds", 1, "s"},    {"s", 1, "s"},
      {"bytes", 1, "byte"},       {"none", 1, "samples"}, {"count", 1, "samples"}};
  for (const Unit& unit : units) {
    if (unit.name == name) return unit;
  }
  if (name.empty()) return {"", 1, "samples"};
  if (name.starts_with("samples of ")) return {name, 1, name};
  note("unknown-unit", Severity::low,
       sentence(
           {"a profile is in the unknown unit \"", name, "\"; its numbers are shown as they are"}),
       where.empty() ? "" : sentence({where, ".unit"}), 1);
  return {name, 1, name};
}

void Imports::report(const StackProfile& profile, std::size_t frames, std::string_view where) {
  const auto tell = [&](const Fault& fault, std::string_view list, const char* id,
                        Severity severity, const char* what) {
    if (fault.count > 0)
      note(id, severity, what, sentence({where, ".", list, "[", std::to_string(fault.first), "]"}),
           fault.count);
  };
  tell(profile.bad_samples, "samples", "bad-sample", Severity::medium,
       "samples are not lists of frames; they were left out");
  tell(profile.bad_weights, "weights", "bad-weight", Severity::medium,
       "weights are negative or not numbers; their samples were left out");
  if (!profile.has_weights && !profile.samples.empty() && profile.type != "evented") {
    note("no-weights", Severity::medium, "samples have no weights; each counts as one", where,
         profile.samples.size());
  } else if (profile.unpaired > 0) {
    note("weights-length", Severity::medium,
         "the numbers of weights and samples differ; those without a partner were left out", where,
         profile.unpaired);
  }
  tell(profile.bad_events, "events", "bad-event", Severity::low,
       "events have no time, or neither open nor close a frame; they were left out");
  tell(profile.late_events, "events", "unsorted-events", Severity::medium,
       "events are earlier than the event before them; events were put in the order of their "
       "times");
  tell(profile.unmatched_closes, "events", "unbalanced-events", Severity::medium,
       "events close a frame that is not open; they were left out");
  tell(profile.early_closes, "events", "unbalanced-events", Severity::medium,
       "events close a frame while frames it called are open; those were closed with it");
  if (profile.left_open > 0) {
    note("open-frames", Severity::low, "frames are never closed; they were closed at the end",
         std::string(where) + ".events", profile.left_open);
  }
  std::size_t unknown = 0;
  for (const std::uint32_t frame : profile.stacks.frames()) unknown += frame >= frames ? 1 : 0;
  if (unknown > 0) {
    note("unknown-frame", Severity::medium,
         "stacks name frames that the file does not have; they are called \"(frame not in the "
         "file)\"",
         where, unknown);
  }
}

}  // namespace crema::read
