#include "core/profile/profile.hpp"

#include <algorithm>
#include <array>

#include "core/base/order.hpp"
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
constexpr std::array<Purpose, 7> purposes = {{
    {"Opening files, building events"},
    {"Packing results"},
    {"Unpacking the processor"},
    {"Merging results", false},
    {"Pre-processing", false},
    {"Measuring (roastcoffea)"},
    {"Other code"},
}};
constexpr std::size_t other_code = purposes.size() - 1;

std::size_t purpose_of(const FrameFacts& facts, FrameId frame) {
  const std::string_view name = facts.name[frame];
  const std::string_view file = facts.file[frame];
  const auto in = [&](std::string_view part) { return file.find(part) != std::string_view::npos; };
  if (in("coffea/processor/accumulator")) return 3;
  if (name.starts_with("metadata_fetcher")) return 4;
  if (name == "_compress") return 1;
  if (name == "_decompress") return 2;
  if (in("cloudpickle/")) return name.starts_with("load") ? 2 : 1;
  if (in("roastcoffea/") && name != "wrapper") return 5;
  if (facts.category[frame] == Category::uproot || facts.category[frame] == Category::io ||
      in("coffea/nanoevents"))
    return 0;
  return other_code;
}

bool is_other_package(Category category) { return category == Category::other; }

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
  return std::any_of(files.begin(), files.end(), [&](auto f) { return file.ends_with(f); }) &&
         std::find(names.begin(), names.end(), facts.name[frame]) != names.end();
}

/// What waiting below a frame is for: what the frame nearest to it says.
enum class WaitsFor : std::uint8_t { unknown, something, reading, lock };

WaitsFor waits_for(const FrameFacts& facts, FrameId frame, WaitsFor caller) {
  const Category category = facts.category[frame];
  if (category == Category::uproot || category == Category::io) return WaitsFor::reading;
  const std::string_view name = facts.name[frame];
  const bool takes = name == "acquire" || name == "lock" || name == "__enter__";
  constexpr std::array<std::string_view, 3> files = {"lock.py", "semaphore.py", "filelock/"};
  const std::string_view file = facts.file[frame];
  const bool is_lock = std::any_of(files.begin(), files.end(), [&](std::string_view part) {
    return file.find(part) != std::string_view::npos;
  });
  return takes && is_lock ? WaitsFor::lock : caller;
}

/// What a function waits for by its line that Dask saw first, where it calls what no frame shows: C
/// functions of fcntl, of the time module, of locks.
WaitsFor waits_by_line(std::string_view line) {
  const auto has = [&](std::string_view part) { return line.find(part) != std::string_view::npos; };
  if (has("flock(") || has("lockf(") || has(".acquire(") ||
      (has("with ") && (has("Lock(") || has(" lock") || has("_lock") || has(".lock"))))
    return WaitsFor::lock;
  return has("sleep(") || has(".recv(") ? WaitsFor::something : WaitsFor::unknown;
}

/// Which frames are the user's process(), and which are code of the same analysis.
struct OwnCode {
  std::vector<bool> is_process, is_own;

  [[gnu::noinline]] OwnCode(const ResolvedTree& tree, const FrameFacts& facts)
      : is_process(facts.size(), false), is_own(facts.size(), false) {
    std::vector<std::string> installed;  // of processors that are installed
    const auto known = [&](const std::string& package) {
      return std::find(installed.begin(), installed.end(), package) != installed.end();
    };
    bool any = false;
    for (std::size_t i = 1; i < tree.size(); ++i) {
      const FrameId f = tree.frame[i];
      const bool other = is_other_package(facts.category[f]);
      if (facts.name[f] != "process" || !(facts.category[f] == Category::analysis || other))
        continue;
      is_process[f] = true;
      any = true;
      if (other && !known(package_of(facts.file[f])))
        installed.push_back(package_of(facts.file[f]));
    }
    for (FrameId f = 0; f < facts.size(); ++f) {
      is_own[f] = facts.category[f] == Category::analysis ||
                  (!installed.empty() && is_other_package(facts.category[f]) &&
                   known(package_of(facts.file[f])));
      // Without a process() all of the analysis is what would be in it.
      if (!any) is_process[f] = is_own[f];
    }
  }
};

/// Sums samples by owner, library and innermost function.
class Sums {
 public:
  Sums(const ResolvedTree& tree, const FrameFacts& facts, const Names& names, ProfileShares& into)
      : tree_(tree), facts_(facts), names_(names), into_(into), code_(tree, facts) {
    assign_owners();
    find_callees();
    find_calls();
    sum();
  }

 private:
  struct Place {
    std::uint32_t owner, library, leaf;  // leaf: nobody where it is unknown
  };

  // noinline: browsers translate a function as a whole, and well where it runs long.
  // Before owners are sorted: `owner_` says of each node to which function of the analysis it is.
  [[gnu::noinline]] void find_callees() {
    std::vector<bool> is_outer = code_.is_process;
    for (int round = 0; round < most_wrappers; ++round) {
      std::vector<double> samples(facts_.size(), 0);
      double whole = 0;
      for (std::size_t i = 1; i < tree_.size(); ++i) {
        const FrameId frame = facts_.same_as[tree_.frame[i]];
        const ProfileShares::Owner& caller = into_.owners[owner_[tree_.parent[i]]];
        if (code_.is_process[frame] && !caller.inside) whole += tree_.total[i];
        if (!code_.is_own[frame] || is_outer[frame] || !caller.inside || !is_outer[caller.frame])
          continue;
        samples[frame] += tree_.total[i] - tree_.estimated(i);
      }
      into_.callees.clear();
      for (const std::uint32_t frame : most_first(samples)) {
        // What has no name of its own is part of who calls it.
        if (samples[frame] > 0 && !facts_.name[frame].starts_with('<'))
          into_.callees.push_back({frame, samples[frame]});
      }
      if (into_.callees.empty() || into_.callees.front().samples < nearly_all * whole) return;
      is_outer[into_.callees.front().frame] = true;
    }
  }

  [[gnu::noinline]] void find_calls() {
    std::vector<std::uint32_t> call(tree_.size(), nobody);  // by node
    ChildIndex index;
    for (std::size_t i = 1; i < tree_.size(); ++i) {
      const NodeId parent = tree_.parent[i];
      const FrameId frame = facts_.same_as[tree_.frame[i]];
      if (!into_.owners[owner_[i]].inside || code_.is_own[frame] ||
          waits_for_[i] == WaitsFor::reading)
        continue;
      call[i] = call[parent];
      const FrameId caller = facts_.same_as[tree_.frame[parent]];
      if (code_.is_own[caller]) {
        const auto added = static_cast<NodeId>(into_.calls.size());
        call[i] = index.find_or_add(caller, frame, added);
        if (call[i] == added) into_.calls.push_back({caller, frame});
      }
      if (call[i] != nobody)
        into_.calls[call[i]].samples += tree_.self[i] - tree_.estimated(i) + tree_.unresolved(i);
    }
  }

  [[gnu::noinline]] void assign_owners() {
    const std::size_t n = tree_.size();
    owner_.assign(n, nobody);
    std::vector<std::uint32_t> of_frame(facts_.size(), nobody);
    std::array<std::uint32_t, purposes.size()> of_purpose;
    of_purpose.fill(nobody);
    std::vector<std::uint8_t> purpose(n, other_code);
    std::vector<bool> inside(n, false);
    waits_for_.assign(n, WaitsFor::unknown);
    const auto outside_owner = [&](std::size_t which) {
      if (of_purpose[which] == nobody) {
        of_purpose[which] = static_cast<std::uint32_t>(into_.owners.size());
        into_.owners.push_back({0, std::string(purposes[which].label), false, {}});
        is_processor_.push_back(purposes[which].is_processor);
      }
      return of_purpose[which];
    };
    for (std::size_t i = 0; i < n; ++i) {
      if (i == 0) {
        owner_[0] = outside_owner(other_code);
        continue;
      }
      const NodeId parent = tree_.parent[i];
      const FrameId frame = facts_.same_as[tree_.frame[i]];
      waits_for_[i] = waits_for(facts_, frame, waits_for_[parent]);
      inside[i] = inside[parent] || code_.is_process[frame];
      if (inside[i]) {
        if (!code_.is_own[frame]) {
          owner_[i] = owner_[parent];
          continue;
        }
        if (of_frame[frame] == nobody) {
          of_frame[frame] = static_cast<std::uint32_t>(into_.owners.size());
          into_.owners.push_back({frame, {}, true, {}});
          is_processor_.push_back(true);
        }
        owner_[i] = of_frame[frame];
        continue;
      }
      purpose[i] = purpose[parent];
      if (purpose[i] == other_code)
        purpose[i] = static_cast<std::uint8_t>(purpose_of(facts_, frame));
      owner_[i] = outside_owner(purpose[i]);
    }
  }

  std::uint32_t library(std::uint32_t owner, std::uint32_t category) {
    const auto added = static_cast<NodeId>(into_.libraries.size());
    const NodeId found = library_index_.find_or_add(owner, category, added);
    if (found == added) {
      const bool unknown = category >= category_names.size();
      into_.libraries.push_back(
          {owner, unknown ? Category::other : static_cast<Category>(category), unknown, {}});
    }
    return found;
  }

  Place place_of(std::size_t node) {
    const FrameId frame = facts_.same_as[tree_.frame[node]];
    const std::uint32_t owner = owner_[node];
    const auto added = static_cast<NodeId>(into_.leaves.size());
    const NodeId leaf = leaf_index_.find_or_add(owner, frame, added);
    if (leaf == added) {
      const auto category = static_cast<std::uint32_t>(facts_.category[frame]);
      into_.leaves.push_back({library(owner, category), frame, {}});
    }
    return {owner, into_.leaves[leaf].library, leaf};
  }

  Samples* at(const Place& place, int level) {
    if (level == 0) return &into_.owners[place.owner].samples;
    if (level == 1) return &into_.libraries[place.library].samples;
    return place.leaf == nobody ? nullptr : &into_.leaves[place.leaf].samples;
  }

  /// Of code that is no library's: its innermost line may be a call that no frame shows.
  WaitsFor by_line_of(std::size_t node) const {
    const FrameId frame = facts_.same_as[tree_.frame[node]];
    const FrameTable& frames = names_.frames;
    if (!code_.is_own[frame] || frame >= frames.size() || frames.source_line[frame] == no_string)
      return WaitsFor::unknown;
    return waits_by_line(names_.strings[frames.source_line[frame]]);
  }

  [[gnu::noinline]] void sum() {
    const std::size_t n = tree_.size();
    const Children children = children_of(tree_.parent);
    struct Candidate {
      Place place;
      double room;  // how much of what is open it can be
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < n; ++i) {
      const double self = tree_.self[i];
      const Unsettled open = tree_.unsettled_at(i);
      if (i > 0 && self > 0) {
        const Place place = place_of(i);
        const WaitsFor by_line = by_line_of(i);
        const bool locked = waits_for_[i] == WaitsFor::lock || by_line == WaitsFor::lock;
        const bool waits =
            locked || by_line != WaitsFor::unknown || only_waits(facts_, tree_.frame[i]);
        for (int level = 0; level < 3; ++level) {
          Samples& to = *at(place, level);
          to.count += self;
          to.open += open.estimated;
          to.least += self - open.estimated;
          to.most += self - open.estimated;
          if (!waits) continue;
          to.blocked += self - open.estimated;
          if (waits_for_[i] == WaitsFor::reading) to.reading += self - open.estimated;
          if (locked) to.locked += self - open.estimated;
        }
      }
      // What was sampled in its direct callees, nobody knows in which.
      double unsettled = open.unresolved + (i == 0 ? self : 0);
      const double left = unsettled;
      candidates.clear();
      for (std::uint32_t c = children.first[i]; c < children.first[i + 1]; ++c) {
        const NodeId child = children.child[c];
        unsettled += tree_.estimated(child);
        const double room = tree_.self_max(child) - tree_.self_min(child);
        if (room > 0) candidates.push_back({place_of(child), room});
      }
      if (!(unsettled > 0)) continue;
      if (left > 0) {
        const Place unknown{owner_[i], library(owner_[i], category_names.size()), nobody};
        for (int level = 0; level < 2; ++level) {
          at(unknown, level)->count += left;
          at(unknown, level)->open += left;
        }
        candidates.push_back({unknown, left});
      }
      double all = 0;
      for (const Candidate& candidate : candidates) all += candidate.room;
      for (int level = 0; level < 3; ++level) {
        rooms_.clear();
        for (const Candidate& candidate : candidates) {
          Samples* const to = at(candidate.place, level);
          if (to == nullptr) continue;
          const std::uint32_t key = level == 0   ? candidate.place.owner
                                    : level == 1 ? candidate.place.library
                                                 : candidate.place.leaf;
          // A slot of another parent's or level's rooms holds another key, or none.
          if (slot_.size() <= key) slot_.resize(key + 1, 0);
          std::uint32_t& slot = slot_[key];
          if (slot >= rooms_.size() || rooms_[slot].of != to) {
            slot = static_cast<std::uint32_t>(rooms_.size());
            rooms_.push_back({to, 0});
          }
          rooms_[slot].room += candidate.room;
        }
        for (const Room& room : rooms_) {
          room.of->least += std::max(0.0, unsettled - (all - room.room));
          room.of->most += std::min(unsettled, room.room);
        }
      }
    }
    settle();
  }

  // In order, most first; sums of the two sides.
  void settle() {
    for (std::size_t i = 0; i < into_.owners.size(); ++i) {
      const double count = into_.owners[i].samples.count;
      if (into_.owners[i].inside) into_.inside += count;
      else if (is_processor_[i]) into_.outside += count;
    }
    const auto by_count = [](const auto& list) {
      std::vector<double> counts;
      counts.reserve(list.size());
      for (const auto& entry : list) counts.push_back(entry.samples.count);
      return most_first(counts);
    };
    // Renumbers: where an entry went, nobody where it counts nothing or is of other tasks.
    std::vector<std::uint32_t> owner_to(into_.owners.size(), nobody);
    std::vector<ProfileShares::Owner> owners;
    for (const std::uint32_t i : by_count(into_.owners)) {
      if (!is_processor_[i] || !(into_.owners[i].samples.count > 0)) continue;
      owner_to[i] = static_cast<std::uint32_t>(owners.size());
      owners.push_back(into_.owners[i]);
    }
    std::vector<std::uint32_t> library_to(into_.libraries.size(), nobody);
    std::vector<ProfileShares::Library> libraries;
    for (const std::uint32_t i : by_count(into_.libraries)) {
      ProfileShares::Library entry = into_.libraries[i];
      if (owner_to[entry.owner] == nobody || !(entry.samples.count > 0)) continue;
      entry.owner = owner_to[entry.owner];
      library_to[i] = static_cast<std::uint32_t>(libraries.size());
      libraries.push_back(entry);
    }
    std::vector<ProfileShares::Leaf> leaves;
    for (const std::uint32_t i : by_count(into_.leaves)) {
      ProfileShares::Leaf entry = into_.leaves[i];
      if (library_to[entry.library] == nobody || !(entry.samples.count > 0)) continue;
      entry.library = library_to[entry.library];
      leaves.push_back(entry);
    }
    into_.owners = std::move(owners);
    into_.libraries = std::move(libraries);
    into_.leaves = std::move(leaves);
  }

  const ResolvedTree& tree_;
  const FrameFacts& facts_;
  const Names& names_;
  ProfileShares& into_;
  OwnCode code_;
  /// How much of what is open can be of one.
  struct Room {
    Samples* of;
    double room;
  };
  std::vector<Room> rooms_;
  std::vector<std::uint32_t> slot_;   // of a key in `rooms_`
  std::vector<std::uint32_t> owner_;  // by node
  std::vector<WaitsFor> waits_for_;   // by node
  std::vector<bool> is_processor_;    // by owner
  ChildIndex library_index_;          // of an owner and a category
  ChildIndex leaf_index_;             // of an owner and a frame
};

}  // namespace

namespace {

/// Samples that one of the profile's unit stands for: of seconds for which tasks were seen, by the
/// time between two looks; 0 of what are neither samples nor these.
double samples_in(const Profile& profile) {
  if (profile.trees.front()->unit == "samples") return 1;
  double seconds = 0, samples = 0;
  for (const CallTree* tree : profile.trees) {
    if (tree->unit != "s" || is_absent(tree->interval)) return 0;
    seconds += tree->count[0];
    samples += tree->count[0] / tree->interval;
  }
  return seconds > 0 ? samples / seconds : 0;
}

void scale(ProfileShares& shares, double by) {
  if (by == 1) return;
  const auto scale_all = [&](auto& list) {
    for (auto& entry : list) {
      Samples& s = entry.samples;
      for (double* number :
           {&s.count, &s.least, &s.most, &s.open, &s.blocked, &s.reading, &s.locked})
        *number *= by;
    }
  };
  scale_all(shares.owners);
  scale_all(shares.libraries);
  scale_all(shares.leaves);
  for (ProfileShares::Callee& callee : shares.callees) callee.samples *= by;
  for (ProfileShares::Call& call : shares.calls) call.samples *= by;
  shares.inside *= by;
  shares.outside *= by;
}

struct KeptShares {
  Recent<std::string, ProfileShares> by_choice;
};

}  // namespace

std::shared_ptr<const ProfileShares> profile_shares(const Run& run, const Selection& selection) {
  const Options estimated(
      std::map<std::string, std::string>{{std::string(leaves_option.name), "estimated"}});
  Selection narrowing;
  narrowing.time = selection.time;
  narrowing.workers = selection.workers;
  narrowing.prefixes = selection.prefixes;
  const FlameChoice choice = flame_choice(run, narrowing, estimated);
  // Boxes of another program's recording are no time of these tasks.
  const bool of_tasks = choice.profile != nullptr && !choice.profile->trees.empty() &&
                        samples_in(*choice.profile) > 0 &&
                        choice.profile->kind != CallTree::Kind::server &&
                        choice.profile->kind != CallTree::Kind::scheduler;
  if (!of_tasks) return nullptr;
  return run.facts.of<KeptShares>().by_choice.of(choice.key, [&] {
    const std::shared_ptr<const FlameTree> flame = flame_tree(run, choice);
    ProfileShares shares;
    shares.facts = flame->facts;
    shares.note = choice.profile->note;
    Sums(flame->tree, *flame->facts, *run.names, shares);
    scale(shares, samples_in(*choice.profile));
    return shares;
  });
}

}  // namespace crema::profile
