#include "core/profile/profile.hpp"

#include <algorithm>
#include <array>

#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/model/call_tree.hpp"

namespace crema::profile {

namespace {

using Samples = ProfileShares::Samples;

constexpr std::uint32_t nobody = 0xffffffffU;

// A function that has nearly all of process() is process() by another name.
constexpr double nearly_all = 0.9;
constexpr int most_wrappers = 8;

/// What a frame outside process() tells about what its task was doing; "" = nothing.
struct Purpose {
  std::string_view label;
  bool is_processor = true;  ///< false: it is of other tasks than the processor's
};
constexpr std::array<Purpose, 8> purposes = {{
    {"Opening files, building events"},
    {"Packing results"},
    {"Unpacking the processor"},
    {"Merging results", false},
    {"Pre-processing", false},
    {"Measuring (roastcoffea)"},
    {"Importing modules"},
    {"Other code"},
}};
constexpr std::size_t other_code = purposes.size() - 1;
constexpr std::size_t unpacking = 2, merging = 3, importing = 6;

std::size_t purpose_of(const FrameFacts& facts, FrameId frame) {
  const std::string_view name = facts.name[frame];
  const std::string_view file = facts.file[frame];
  const auto in = [&](std::string_view part) { return has_part(file, part); };
  if (facts.imports(frame)) return importing;
  if (in("coffea/processor/accumulator")) return merging;
  if (name.starts_with("metadata_fetcher")) return 4;
  if (name == "_compress") return 1;
  if (name == "_decompress") return unpacking;
  // Unpickling is C code without a frame: it calls functions of cloudpickle that make modules,
  // functions and classes anew.
  if (in("cloudpickle/")) {
    const bool packs =
        name.starts_with("dump") || has_part(name, "reduc") || name.ends_with("getstate");
    return packs ? 1 : unpacking;
  }
  if (in("roastcoffea/") && name != "wrapper") return 5;
  if (facts.category[frame] == Category::uproot || facts.category[frame] == Category::io ||
      in("coffea/nanoevents"))
    return 0;
  return other_code;
}

/// A function that does nothing but wait: for a lock, another thread, a socket.
bool only_waits(const FrameFacts& facts, FrameId frame) {
  if (facts.category[frame] != Category::stdlib) return false;
  constexpr std::array<std::string_view, 6> files = {"threading.py", "selectors.py", "socket.py",
                                                     "ssl.py",       "queue.py",     "_base.py"};
  constexpr std::array<std::string_view, 12> names = {
      "wait",    "wait_for",  "_wait_for_tstate_lock",
      "acquire", "join",      "select",
      "recv",    "recv_into", "readinto",
      "read",    "get",       "result"};
  const std::string_view file = facts.file[frame];
  return any_of(files, [&](auto f) { return file.ends_with(f); }) &&
         contains(names, facts.name[frame]);
}

/// What waiting below a frame is for: what the frame nearest to it says. Requests that the analysis
/// makes itself are not for its input.
enum class WaitsFor : std::uint8_t { unknown, something, reading, lock };

WaitsFor waits_for(const FrameFacts& facts, FrameId frame, WaitsFor caller, bool is_called_by_own) {
  const Category category = facts.category[frame];
  if (category == Category::uproot) return WaitsFor::reading;
  if (category == Category::io) {
    if (is_called_by_own) return WaitsFor::something;
    return caller == WaitsFor::unknown ? WaitsFor::reading : caller;
  }
  const std::string_view name = facts.name[frame];
  const bool takes = name == "acquire" || name == "lock" || name == "__enter__";
  constexpr std::array<std::string_view, 3> files = {"lock.py", "semaphore.py", "filelock/"};
  const std::string_view file = facts.file[frame];
  const bool is_lock = any_of(files, [&](std::string_view part) { return has_part(file, part); });
  return takes && is_lock ? WaitsFor::lock : caller;
}

/// What a function waits for by its line that Dask saw first, where it calls what no frame shows: C
/// functions of fcntl, of the time module, of locks.
WaitsFor waits_by_line(std::string_view line) {
  const auto has = [&](std::string_view part) { return has_part(line, part); };
  if (has("flock(") || has("lockf(") || has(".acquire(") ||
      (has("with ") && (has("Lock(") || has(" lock") || has("_lock") || has(".lock"))))
    return WaitsFor::lock;
  return has("sleep(") || has(".recv(") ? WaitsFor::something : WaitsFor::unknown;
}

/// Which frames are the user's process(), and which are code of the same analysis; what of that has
/// no name of its own (a lambda, a comprehension) is part of the function that it is in.
struct OwnCode {
  std::vector<bool> is_process, is_own, is_named;
};

OwnCode own_code(const ResolvedTree& tree, const FrameFacts& facts) {
  const std::vector<bool> none(facts.size(), false);
  OwnCode code{none, none, none};
  std::vector<std::string> installed;  // packages of processors that are installed
  const auto known = [&](const std::string& package) { return contains(installed, package); };
  bool any = false;
  std::vector<bool> inside(tree.size(), false);
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const FrameId f = tree.frame[i];
    const bool other = facts.category[f] == Category::other;
    // What process() calls may have functions of that name, as matplotlib has.
    inside[i] = inside[tree.parent[i]] || code.is_process[tree.frame[tree.parent[i]]];
    if (inside[i] || facts.name[f] != "process" ||
        !(facts.category[f] == Category::analysis || other))
      continue;
    code.is_process[f] = true;
    any = true;
    if (other && !known(package_of(facts.file[f]))) installed.push_back(package_of(facts.file[f]));
  }
  for (FrameId f = 0; f < facts.size(); ++f) {
    code.is_own[f] = facts.category[f] == Category::analysis ||
                     (!installed.empty() && facts.category[f] == Category::other &&
                      known(package_of(facts.file[f])));
    code.is_named[f] = code.is_own[f] && !facts.name[f].starts_with('<');
    // Without a process() all of the analysis is what would be in it.
    if (!any) code.is_process[f] = code.is_own[f];
  }
  return code;
}

/// An owner, a library of one, or an innermost function of one; in one list, so that what is
/// counted for one is counted for those that it is part of.
struct Group {
  enum class Kind : std::uint8_t { owner, library, leaf };
  Kind kind;
  std::uint32_t part_of;  // nobody: of none
  std::uint32_t what;     // a function's frame, or the place of a purpose; a category; a frame
  bool inside = false;    // of an owner: it is a function of the analysis
  Samples samples{};
  double room = 0;  // how much of what is being shared out can be of it
};

/// What the passes below are made from, and the groups that they add.
struct Attribution {
  const ResolvedTree& tree;
  const FrameFacts& facts;
  OwnCode code;
  std::vector<Group> groups{};         // owners come first
  std::vector<std::uint32_t> owner{};  // by node, of `groups`
  std::vector<WaitsFor> waits_for{};   // by node

  FrameId frame(std::size_t node) const { return facts.same_as[tree.frame[node]]; }
  std::uint32_t add(Group::Kind kind, std::uint32_t part_of, std::uint32_t what, bool inside) {
    groups.push_back({kind, part_of, what, inside});
    if (!tree.on_cpu.empty()) groups.back().samples.on_cpu = 0;
    return static_cast<std::uint32_t>(groups.size() - 1);
  }
};

// noinline: browsers translate a function as a whole, and well where it runs long.

/// To whom each node belongs, and what waiting below it is for.
[[gnu::noinline]] void assign_owners(Attribution& to) {
  const std::size_t n = to.tree.size();
  std::vector<std::uint32_t> of_frame(to.facts.size(), nobody);
  std::array<std::uint32_t, purposes.size()> of_purpose;
  of_purpose.fill(nobody);
  std::vector<std::uint8_t> purpose(n, other_code);
  std::vector<bool> inside(n, false);
  to.waits_for.assign(n, WaitsFor::unknown);
  const auto known = [&](std::uint32_t& owner, std::uint32_t what, bool is_inside) {
    if (owner == nobody) owner = to.add(Group::Kind::owner, nobody, what, is_inside);
    return owner;
  };
  to.owner.assign(n, known(of_purpose[other_code], other_code, false));
  for (std::size_t i = 1; i < n; ++i) {
    const NodeId parent = to.tree.parent[i];
    const FrameId frame = to.frame(i);
    const bool is_called_by_own = inside[parent] && to.code.is_own[to.frame(parent)];
    to.waits_for[i] = waits_for(to.facts, frame, to.waits_for[parent], is_called_by_own);
    inside[i] = inside[parent] || to.code.is_process[frame];
    if (inside[i]) {
      const bool owns = to.code.is_named[frame] || (to.code.is_own[frame] && !inside[parent]);
      to.owner[i] = owns ? known(of_frame[frame], frame, true) : to.owner[parent];
      continue;
    }
    purpose[i] = purpose[parent];
    // Unpacking the processor imports the modules that it needs.
    if (purpose[i] == other_code || purpose[i] == unpacking) {
      const std::size_t own = purpose_of(to.facts, frame);
      if (purpose[i] == other_code || own == importing) purpose[i] = static_cast<std::uint8_t>(own);
    }
    to.owner[i] = known(of_purpose[purpose[i]], purpose[i], false);
  }
}

/// The functions of the analysis that process() calls; where nearly all is in one, those that this
/// one calls.
[[gnu::noinline]] std::vector<ProfileShares::Callee> callees_of(const Attribution& of) {
  std::vector<ProfileShares::Callee> callees;
  std::vector<bool> is_outer = of.code.is_process;
  for (int round = 0; round < most_wrappers; ++round) {
    std::vector<double> samples(of.facts.size(), 0);
    double whole = 0;
    for (std::size_t i = 1; i < of.tree.size(); ++i) {
      const FrameId frame = of.frame(i);
      const Group& caller = of.groups[of.owner[of.tree.parent[i]]];
      if (of.code.is_process[frame] && !caller.inside) whole += of.tree.total[i];
      if (of.code.is_own[frame] && !is_outer[frame] && caller.inside && is_outer[caller.what])
        samples[frame] += of.tree.total[i] - of.tree.estimated(i);
    }
    callees.clear();
    for (const std::uint32_t frame : most_first(samples)) {
      if (samples[frame] > 0 && of.code.is_named[frame]) callees.push_back({frame, samples[frame]});
    }
    if (callees.empty() || callees.front().samples < nearly_all * whole) break;
    is_outer[callees.front().frame] = true;
  }
  return callees;
}

/// What stands between a caller and the function of awkward that it calls (ak._dispatch).
bool is_between(const FrameFacts& facts, FrameId frame) {
  return facts.category[frame] == Category::awkward && facts.name[frame] == "dispatch" &&
         facts.file[frame].ends_with("awkward/_dispatch.py");
}

/// The functions of libraries that the analysis calls.
[[gnu::noinline]] std::vector<ProfileShares::Call> calls_of(const Attribution& of) {
  std::vector<ProfileShares::Call> calls;
  // By node: the call that it is in, and the outermost that it is in by a callback.
  std::vector<std::uint32_t> call(of.tree.size(), nobody), behind(of.tree.size(), nobody);
  ChildIndex index;
  for (std::size_t i = 1; i < of.tree.size(); ++i) {
    const NodeId parent = of.tree.parent[i];
    const FrameId frame = of.frame(i);
    if (!of.groups[of.owner[i]].inside || of.waits_for[i] == WaitsFor::reading) continue;
    const double samples = of.tree.self[i] - of.tree.estimated(i) + of.tree.unresolved(i);
    const bool calls_back = of.code.is_named[frame] && behind[parent] == nobody;
    behind[i] = calls_back ? call[parent] : behind[parent];
    if (behind[i] != nobody) calls[behind[i]].called_back += samples;
    if (of.code.is_named[frame]) continue;
    call[i] = call[parent];
    const bool is_called = is_between(of.facts, of.frame(parent)) && parent > 0;
    const NodeId caller = is_called ? of.tree.parent[parent] : parent;
    const bool begins = of.code.is_own[of.frame(caller)] && call[caller] == nobody;
    if (begins && !of.code.is_own[frame] && !is_between(of.facts, frame)) {
      const auto added = static_cast<NodeId>(calls.size());
      const FrameId owner = of.groups[of.owner[caller]].what;
      call[i] = index.find_or_add(owner, frame, added);
      if (call[i] == added) calls.push_back({owner, frame});
    }
    if (call[i] != nobody) calls[call[i]].samples += samples;
  }
  return calls;
}

/// The functions outside process(): of the processor's tasks, and of merging, where libraries do
/// what the analysis does not.
[[gnu::noinline]] void find_outer(const Attribution& of, ProfileShares& into) {
  std::vector<FrameId> own(of.tree.size(), nobody);  // by node
  std::vector<double> of_tasks(of.facts.size(), 0), of_merging(of.facts.size(), 0);
  for (std::size_t i = 1; i < of.tree.size(); ++i) {
    const Group& group = of.groups[of.owner[i]];
    if (group.inside) continue;
    const FrameId frame = of.frame(i);
    own[i] = of.code.is_named[frame] ? frame : own[of.tree.parent[i]];
    const bool is_task = purposes[group.what].is_processor;
    if (!is_task && group.what != merging) continue;
    ProfileShares::Outer& outer = is_task ? into.of_tasks : into.of_merging;
    const double all = of.tree.self[i] - of.tree.estimated(i) + of.tree.unresolved(i);
    outer.of += all;
    const FrameId by = own[i] == nobody && !is_task ? frame : own[i];
    if (by == nobody) continue;
    double& samples = (is_task ? of_tasks : of_merging)[by];
    samples += all;
    if (samples > outer.samples) outer.samples = samples, outer.frame = by;
  }
}

/// How the certain part of a node's own samples waited.
struct Waiting {
  bool at_all, reading, locked;
};

Waiting waiting_at(const Attribution& of, const Names& names, std::size_t node) {
  const FrameId frame = of.frame(node);
  const FrameTable& frames = names.frames;
  // Of code that is no library's: its innermost line may be a call that no frame shows.
  const bool has_line =
      of.code.is_own[frame] && frame < frames.size() && frames.source_line[frame] != no_string;
  const WaitsFor by_line =
      has_line ? waits_by_line(names.strings[frames.source_line[frame]]) : WaitsFor::unknown;
  const bool locked = of.waits_for[node] == WaitsFor::lock || by_line == WaitsFor::lock;
  return {locked || by_line != WaitsFor::unknown || only_waits(of.facts, of.tree.frame[node]),
          of.waits_for[node] == WaitsFor::reading, locked};
}

/// Calls `visit` with a group and with all that it is part of.
template <class Visit>
void upwards(std::vector<Group>& groups, std::uint32_t from, const Visit& visit) {
  for (std::uint32_t at = from; at != nobody; at = groups[at].part_of) visit(groups[at]);
}

/// Sums the samples by owner, library and innermost function.
[[gnu::noinline]] void sum_samples(Attribution& to, const Names& names) {
  ChildIndex libraries;  // of an owner and a category
  ChildIndex leaves;     // of an owner and a frame, twice where some of its samples wait for input
  constexpr FrameId reading_bit = 0x80000000U;
  const auto library_of = [&](std::uint32_t owner, std::uint32_t category) {
    const auto added = static_cast<NodeId>(to.groups.size());
    const NodeId found = libraries.find_or_add(owner, category, added);
    return found == added ? to.add(Group::Kind::library, owner, category, false) : found;
  };
  const auto leaf_at = [&](std::size_t node) {
    const FrameId frame = to.frame(node);
    const std::uint32_t owner = to.owner[node];
    // What the standard library waits for below code that reads files is input.
    const bool reads = to.waits_for[node] == WaitsFor::reading && only_waits(to.facts, frame);
    const auto added = static_cast<NodeId>(to.groups.size());
    const NodeId found = leaves.find_or_add(owner, reads ? frame | reading_bit : frame, added);
    if (found == added) {
      to.add(Group::Kind::leaf, nobody, frame, false);
      const Category category = reads ? Category::io : to.facts.category[frame];
      const std::uint32_t library = library_of(owner, static_cast<std::uint32_t>(category));
      to.groups[found].part_of = library;
    }
    return found;
  };
  struct Candidate {
    std::uint32_t group;
    double room;  // how much of what is open it can be
  };
  std::vector<Candidate> candidates;
  const Children children = children_of(to.tree.parent);
  for (std::size_t i = 0; i < to.tree.size(); ++i) {
    const double self = to.tree.self[i];
    const Unsettled open = to.tree.unsettled_at(i);
    if (i > 0 && self > 0) {
      const Waiting waits = waiting_at(to, names, i);
      const double certain = self - open.estimated;
      upwards(to.groups, leaf_at(i), [&](Group& group) {
        Samples& samples = group.samples;
        samples.count += self;
        samples.open += open.estimated;
        samples.least += certain;
        samples.most += certain;
        if (!to.tree.on_cpu.empty()) samples.on_cpu += to.tree.on_cpu[i];
        if (!waits.at_all) return;
        samples.blocked += certain;
        if (waits.reading) samples.reading += certain;
        if (waits.locked) samples.locked += certain;
      });
    }
    // What was sampled in its direct callees, nobody knows in which.
    const double left = open.unresolved + (i == 0 ? self : 0);
    double unsettled = left;
    candidates.clear();
    for (std::uint32_t c = children.first[i]; c < children.first[i + 1]; ++c) {
      const NodeId child = children.child[c];
      unsettled += to.tree.estimated(child);
      const double room = to.tree.self_max(child) - to.tree.self_min(child);
      if (room > 0) candidates.push_back({leaf_at(child), room});
    }
    if (!(unsettled > 0)) continue;
    if (left > 0) {
      const std::uint32_t unknown = library_of(to.owner[i], category_names.size());
      upwards(to.groups, unknown, [&](Group& group) {
        group.samples.count += left;
        group.samples.open += left;
      });
      candidates.push_back({unknown, left});
    }
    double all = 0;
    for (const Candidate& candidate : candidates) {
      all += candidate.room;
      upwards(to.groups, candidate.group, [&](Group& group) { group.room += candidate.room; });
    }
    for (const Candidate& candidate : candidates) {
      upwards(to.groups, candidate.group, [&](Group& group) {
        if (group.room == 0) return;  // it is that of an earlier candidate, too
        group.samples.least += std::max(0.0, unsettled - (all - group.room));
        group.samples.most += std::min(unsettled, group.room);
        group.room = 0;
      });
    }
  }
}

/// The groups that count anything of the processor's tasks, most first; sums of the two sides.
void list_groups(const Attribution& from, ProfileShares& into) {
  const std::vector<Group>& groups = from.groups;
  const auto is_processor = [&](std::uint32_t at) {
    while (groups[at].part_of != nobody) at = groups[at].part_of;
    return groups[at].inside || purposes[groups[at].what].is_processor;
  };
  std::vector<double> counts;
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    const double count = groups[i].samples.count;
    counts.push_back(count);
    if (groups[i].kind == Group::Kind::owner && is_processor(i))
      (groups[i].inside ? into.inside : into.outside) += count;
  }
  std::vector<std::uint32_t> place(groups.size(), nobody);  // among those of its kind
  const auto count_of = [&](Group::Kind kind) {
    return static_cast<std::size_t>(
        count_if(groups, [&](const Group& group) { return group.kind == kind; }));
  };
  into.owners.reserve(count_of(Group::Kind::owner));
  into.libraries.reserve(count_of(Group::Kind::library));
  into.leaves.reserve(count_of(Group::Kind::leaf));
  for (const std::uint32_t i : most_first(counts)) {
    const Group& group = groups[i];
    if (!(group.samples.count > 0) || !is_processor(i)) continue;
    const auto take = [&](auto& list, auto entry) {
      place[i] = static_cast<std::uint32_t>(list.size());
      list.push_back(std::move(entry));
    };
    if (group.kind == Group::Kind::owner) {
      const std::string purpose(group.inside ? "" : purposes[group.what].label);
      take(into.owners, ProfileShares::Owner{group.inside ? group.what : 0, purpose, group.inside,
                                             group.samples});
      if (!group.inside) continue;
      const auto [named, is_first] =
          into.named.try_emplace(from.facts.name[group.what], group.what);
      if (!is_first) named->second = ProfileShares::several;
    } else if (group.kind == Group::Kind::library) {
      const bool unknown = group.what >= category_names.size();
      take(into.libraries,
           ProfileShares::Library{group.part_of,
                                  unknown ? Category::other : static_cast<Category>(group.what),
                                  unknown, group.samples});
    } else {
      take(into.leaves, ProfileShares::Leaf{group.part_of, group.what, group.samples});
    }
  }
  for (ProfileShares::Library& library : into.libraries) library.owner = place[library.owner];
  for (ProfileShares::Leaf& leaf : into.leaves) leaf.library = place[leaf.library];
}

void scale(ProfileShares& shares, double by) {
  if (by == 1) return;
  const auto scale_all = [&](auto& list) {
    for (auto& entry : list) {
      Samples& s = entry.samples;
      for (double* number :
           {&s.count, &s.least, &s.most, &s.open, &s.blocked, &s.reading, &s.locked, &s.on_cpu})
        *number *= by;
    }
  };
  scale_all(shares.owners);
  scale_all(shares.libraries);
  scale_all(shares.leaves);
  for (ProfileShares::Callee& callee : shares.callees) callee.samples *= by;
  for (ProfileShares::Call& call : shares.calls) call.samples *= by, call.called_back *= by;
  for (ProfileShares::Outer* outer : {&shares.of_tasks, &shares.of_merging})
    outer->samples *= by, outer->of *= by;
  shares.inside *= by;
  shares.outside *= by;
}

}  // namespace

std::string ProfileShares::label_of(FrameId frame) const {
  const std::string& name = facts->name[frame];
  const auto owner = named.find(name);
  if (owner == named.end() || owner->second == frame) return name;
  return sentence(
      {name, " (", base_name(facts->file[frame]), ":", std::to_string(facts->line[frame]), ")"});
}

std::shared_ptr<const ProfileShares> profile_shares(const Run& run, const Selection& selection,
                                                    const std::string& section) {
  Selection narrowing;
  narrowing.time = selection.time;
  narrowing.workers = selection.workers;
  narrowing.prefixes = selection.prefixes;
  if (samples_follow(run, selection)) {
    narrowing.datasets = selection.datasets;
    narrowing.files = selection.files;
  }
  Profiles within;
  FlameChoice choice{.leaves = LeafChoice::estimated};
  if (section.empty()) {
    choice = flame_choice(run, narrowing,
                          Options(std::map<std::string, std::string>{
                              {std::string(leaves_option.name), "estimated"}}));
  } else {
    if (run.recording.samples.size() == 0) return nullptr;
    within = profiles_within(run, narrowing, section, absent, false);
    if (within.list.empty()) return nullptr;
    choice = with_profile(run, choice, within.list.front());
  }
  // Boxes of another program's recording are no time of these tasks.
  const bool of_tasks = choice.profile != nullptr && !choice.profile->trees.empty() &&
                        samples_per_count(*choice.profile) > 0 &&
                        choice.profile->kind != CallTree::Kind::server &&
                        choice.profile->kind != CallTree::Kind::scheduler;
  if (!of_tasks) return nullptr;
  return run.facts.of<Recent<std::string, ProfileShares>>().of(choice.key, [&] {
    const std::shared_ptr<const FlameTree> flame = flame_tree(run, choice);
    ProfileShares shares;
    shares.facts = flame->facts;
    shares.note = choice.profile->note;
    Attribution attribution{flame->tree, *flame->facts, own_code(flame->tree, *flame->facts)};
    assign_owners(attribution);
    shares.callees = callees_of(attribution);
    shares.calls = calls_of(attribution);
    find_outer(attribution, shares);
    sum_samples(attribution, *run.names);
    list_groups(attribution, shares);
    scale(shares, samples_per_count(*choice.profile));
    return shares;
  });
}

}  // namespace crema::profile
