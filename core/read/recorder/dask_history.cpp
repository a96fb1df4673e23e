// What Dask knows only while a run lasts, as `crema.record` saves it (docs/record.md).

#include "core/base/text.hpp"
#include "core/read/dask/profile_trees.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

// --- The profile in slices of time: `{format: "crema_profile_slices_v1", frames: [[identifier,
// line], …], slices: [{start, stop, worker, key, nodes: [depth, frame, samples, …]}, …]}`.

struct Frame {
  FrameId id;
  std::uint32_t line;
};

Frame frame_of(const nlohmann::json& frame, Names& names) {
  const bool sound = frame.is_array() && frame.size() == 2 && frame[1].is_number();
  const std::string identifier = sound ? text_of(frame[0]) : std::string();
  const auto parsed = parse_dask_identifier(identifier).value_or(FrameLabel{identifier, {}});
  return {frame_in(names, parsed.name, parsed.file, parsed.line),
          sound ? as_line(frame[1].get<double>()) : 0};
}

/// Reads nodes in preorder into `tree`; false if they do not form a tree.
bool read_nodes(CallTree& tree, const nlohmann::json& nodes, const std::vector<Frame>& frames) {
  if (!nodes.is_array() || nodes.empty() || nodes.size() % 3 != 0) return false;
  std::vector<NodeId> path;
  for (std::size_t i = 0; i < nodes.size(); i += 3) {
    for (std::size_t k = i; k < i + 3; ++k) {
      if (!nodes[k].is_number_unsigned()) return false;
    }
    const auto depth = nodes[i].get<std::size_t>();
    const auto frame = nodes[i + 1].get<std::size_t>();
    // Only the root is at depth 0; a node is at most one level deeper than the node before it.
    if (depth > path.size() || (depth == 0) != path.empty() || frame >= frames.size()) return false;
    path.resize(depth);
    path.push_back(tree.add(path.empty() ? no_node : path.back(), frames[frame].id,
                            nodes[i + 2].get<double>(), frames[frame].line));
  }
  return true;
}

void read_slices(Run& run, const std::string& path, const std::string& text) {
  const nlohmann::json document = parse_small(run, path, text);
  std::vector<Frame> frames;
  for (const nlohmann::json& frame : member_of(document, "frames"))
    frames.push_back(frame_of(frame, *run.names));
  StringPool& strings = run.names->strings;
  std::size_t unsound = 0;
  for (const nlohmann::json& slice : member_of(document, "slices")) {
    CallTree tree;
    const auto text_at = [&](const char* key, CallTree::Kind kind) {
      const nlohmann::json& name = member_of(slice, key);
      if (name.is_null()) return no_string;
      tree.kind = kind;
      return strings.intern(text_of(name));
    };
    const bool sound = read_nodes(tree, member_of(slice, "nodes"), frames);
    if (sound) {
      tree.begin = number_or_absent(slice, "start");
      tree.end = number_or_absent(slice, "stop");
    }
    if (!(tree.end > tree.begin)) {
      ++unsound;
      continue;
    }
    tree.key = text_at("key", CallTree::Kind::key);
    tree.worker = text_at("worker", CallTree::Kind::worker);
    tree.leaves = leaves_of(tree, *run.names);
    tree.source = path;
    run.profile_slices.push_back(std::move(tree));
  }
  if (unsound == 0) return;
  run.add_note("profile-slice", Severity::medium,
               format_count(static_cast<double>(unsound), "slice") +
                   " of the profile left out: not a call tree of a time interval",
               path, "slices");
}

bool recognises_slices(const Head& head) {
  return member_of(head.sample(), "format") == "crema_profile_slices_v1";
}

// --- Changes of tasks' states in the scheduler: `{format: "crema_transitions_v1", start, names:
// [text, …], before: [[state, worker, tasks], …], transitions: [[seconds, prefix, from, to, worker
// left, worker, stimulus], …]}`; texts are indices into `names`, -1 is none.

bool are_numbers(const nlohmann::json& row, std::size_t count) {
  return row.is_array() && row.size() == count &&
         all_of(row, [](const auto& one) { return one.is_number(); });
}

void read_transitions(Run& run, const std::string& path, const std::string& text) {
  const nlohmann::json document = parse_small(run, path, text);
  if (!document.is_object()) return;
  const double start = number_or_absent(document, "start");
  std::vector<StringId> names;
  for (const nlohmann::json& name : member_of(document, "names"))
    names.push_back(run.names->strings.intern(text_of(name)));
  const auto name_of = [&](const nlohmann::json& number) {
    const auto n = number.get<double>();
    return n >= 0 && n < static_cast<double>(names.size()) ? names[static_cast<std::size_t>(n)]
                                                           : no_string;
  };
  const nlohmann::json& rows = member_of(document, "transitions");
  std::size_t unsound = 0;
  // No transition tells when a task becomes known to the scheduler: before its first other state it
  // is in one of these, which are therefore not counted.
  const StringId released = run.names->strings.intern("released");
  const StringId forgotten = run.names->strings.intern("forgotten");
  const auto change = [&](double when, const nlohmann::json& of, const nlohmann::json& worker,
                          double tasks) {
    const StringId state = name_of(of);
    if (state != released && state != forgotten)
      run.task_states.add(when, state, name_of(worker), tasks);
  };
  // If older changes were dropped, `before` holds the state at the first change that was kept.
  double begin = start;
  if (number_or_absent(document, "forgotten") > 0 && !rows.empty() && are_numbers(rows[0], 7))
    begin += rows[0][0].get<double>();
  for (const nlohmann::json& row : member_of(document, "before")) {
    if (are_numbers(row, 3)) change(begin, row[0], row[1], row[2].get<double>());
    else ++unsound;
  }
  for (const nlohmann::json& row : rows) {
    if (are_numbers(row, 7)) {
      if (row[2] == row[3]) continue;
      const double when = start + row[0].get<double>();
      change(when, row[2], row[4], -1);
      change(when, row[3], row[5], 1);
    } else {
      ++unsound;
    }
  }
  if (unsound == 0) return;
  run.add_note("wrong-type", Severity::low,
               format_count(static_cast<double>(unsound), "change") +
                   " of a task's state left out: not a list of numbers",
               path, "transitions");
}

bool recognises_transitions(const Head& head) {
  return member_of(head.sample(), "format") == "crema_transitions_v1";
}

}  // namespace

const Format profile_slices_format{profile_slices_about, recognises_slices,
                                   open_whole<read_slices>};
const Format transitions_format{transitions_about, recognises_transitions,
                                open_whole<read_transitions>};

}  // namespace crema::read
