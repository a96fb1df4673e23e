#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/profile/profile.hpp"
#include "core/runtime/core_time.hpp"
#include "core/runtime/core_time/branches.hpp"

namespace crema::runtime {

using namespace profile;

namespace {

/// Half the width that holds 95 % of a normal distribution.
constexpr double two_sided_95 = 1.96;

// Dask's sampler needs the interpreter's lock. Code that releases it, as numpy does, is sampled
// whenever it is time; code that holds it, as Python itself, is sampled late: in the laboratory's
// runs there are 1.2 samples inside process() for one outside in the same time, 1.8 where workers
// share cores. A ratio above two must have another reason.
constexpr double most_apart = 2;

/// How samples become core-seconds.
struct Scale {
  double seconds = 0;    ///< that a sample stands for
  double whole = 0;      ///< samples that are shared out
  double certainly = 1;  ///< the part of `seconds` that is certain
};

/// Sets the bounds of a sampled part: between what is certain and what is possible.
void set_samples(const TreeInput& input, CoreTimeNode& node, const ProfileShares::Samples& samples,
                 const Scale& scale) {
  const double share = scale.whole > 0 ? std::min(1.0, samples.count / scale.whole) : 0;
  const double error = two_sided_95 * std::sqrt(samples.count * (1 - share));
  const auto seconds = [&](double count) {
    return scale.seconds * std::clamp(count, 0.0, scale.whole);
  };
  node.least = std::min(node.core_seconds, scale.certainly * seconds(samples.least - error));
  node.most = std::max(node.core_seconds, seconds(samples.most + error));
  node.open = scale.seconds * samples.open;
  node.blocked = scale.seconds * samples.blocked;
  node.samples = samples.count;
  node.certainty = "sampled";
  if (is_absent(samples.on_cpu)) {
    split_threads(node, input.of_processor);
    return;
  }
  node.on_cpu = std::min(node.core_seconds, scale.seconds * samples.on_cpu);
  node.waiting = node.core_seconds - node.on_cpu;
  node.split_measured = true;
}

/// Owners with their libraries, and libraries with the functions in which samples ended.
class Owners {
 public:
  Owners(const TreeInput& input, const Scale& scale)
      : input_(input), shares_(*input.shares), scale_(scale) {}

  /// The owners that `wanted` accepts, with all below them.
  template <class Wanted>
  std::vector<Branch> all(const Wanted& wanted) const {
    std::vector<std::size_t> sizes(shares_.libraries.size(), 0);
    for (const ProfileShares::Leaf& leaf : shares_.leaves) ++sizes[leaf.library];
    std::vector<Branch> libraries(sizes.size());
    for (const ProfileShares::Leaf& leaf : shares_.leaves) {
      if (!wanted(owner_of(shares_.libraries[leaf.library]))) continue;
      std::vector<Branch>& below = libraries[leaf.library].below;
      below.reserve(sizes[leaf.library]);
      below.push_back({frame_node("leaf", leaf.frame, leaf.samples,
                                  "samples whose innermost frame was this function"),
                       {}});
    }
    std::vector<Branch> owners(shares_.owners.size());
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      const ProfileShares::Library& library = shares_.libraries[i];
      if (!wanted(owner_of(library))) continue;
      libraries[i].node = library_node(library);
      owners[library.owner].below.push_back(std::move(libraries[i]));
    }
    std::vector<Branch> branches;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      if (!wanted(shares_.owners[i])) continue;
      owners[i].node = owner_node(shares_.owners[i]);
      branches.push_back(std::move(owners[i]));
    }
    return branches;
  }

 private:
  const ProfileShares::Owner& owner_of(const ProfileShares::Library& library) const {
    return shares_.owners[library.owner];
  }

  CoreTimeNode owner_node(const ProfileShares::Owner& owner) const {
    const double seconds = scale_.seconds * owner.samples.count;
    if (owner.inside)
      return frame_node("function", owner.frame, owner.samples,
                        "own time: samples of which this was the innermost function of your "
                        "analysis, libraries below it included");
    CoreTimeNode made =
        part_of("purpose", owner.purpose, seconds,
                "samples outside process(), by what was on the stack", owner.purpose)
            .node;
    set_samples(input_, made, owner.samples, scale_);
    return made;
  }

  CoreTimeNode library_node(const ProfileShares::Library& library) const {
    const std::string name = library.unknown ? "not separated"
                             : owner_of(library).inside && library.category == Category::analysis
                                 ? "its own lines"
                                 : std::string(name_of(library.category));
    CoreTimeNode made = part_of("library", name, scale_.seconds * library.samples.count,
                                library.unknown ? "samples whose innermost frame is unknown"
                                : library.category == Category::io
                                    ? "samples whose innermost frame was in this code, or waited "
                                      "for input"
                                    : "samples whose innermost frame was in this code",
                                name)
                            .node;
    if (!library.unknown) made.category = name_of(library.category);
    set_samples(input_, made, library.samples, scale_);
    if (library.unknown) made.certainty = "not known";
    return made;
  }

  CoreTimeNode frame_node(const char* kind, FrameId frame, const ProfileShares::Samples& samples,
                          const char* note) const {
    const FrameFacts& facts = *shares_.facts;
    const std::string& name = facts.name[frame];
    CoreTimeNode made =
        part_of(kind, name, scale_.seconds * samples.count, note,
                name + "@" + facts.file[frame] + ":" + std::to_string(facts.line[frame]))
            .node;
    made.frame = frame;
    made.file = facts.file[frame];
    if (facts.line[frame] > 0) made.line = facts.line[frame];
    made.category = name_of(facts.category[frame]);
    set_samples(input_, made, samples, scale_);
    return made;
  }

  const TreeInput& input_;
  const ProfileShares& shares_;
  Scale scale_;
};

}  // namespace

std::vector<Branch> function_branches(const TreeInput& input, double seconds, double& per_sample) {
  const ProfileShares* const shares = input.shares.get();
  if (shares == nullptr || !(shares->inside > 0) || !(seconds > 0)) return {};
  per_sample = seconds / shares->inside;
  return Owners(input, {per_sample, shares->inside}).all([](const ProfileShares::Owner& owner) {
    return owner.inside;
  });
}

std::vector<Branch> outside_branches(const TreeInput& input, double seconds, double around,
                                     double per_sample_inside) {
  const ProfileShares* const shares = input.shares.get();
  if (shares == nullptr || !(shares->outside > 0) || !(seconds > 0)) return {};
  // Dask samples a task as long as its thread runs it: that part is the samples', as inside.
  Scale scale{(seconds - around) / shares->outside, shares->outside};
  if (per_sample_inside > 0) {
    scale.seconds = std::min(scale.seconds, most_apart * per_sample_inside);
    scale.certainly = std::min(1.0, per_sample_inside / scale.seconds);
  }
  std::vector<Branch> branches =
      Owners(input, scale).all([](const ProfileShares::Owner& owner) { return !owner.inside; });
  double known = around;
  for (const ProfileShares::Owner& owner : shares->owners) {
    if (!owner.inside) known += scale.seconds * owner.samples.count;
  }
  const auto add = [&](const char* kind, const char* label, double of, const char* note) {
    CoreTimeNode& node = branches.emplace_back(part_of(kind, label, of, note, label)).node;
    split_threads(node, input.of_processor);
    return &node;
  };
  if (around > 0) {
    add("purpose", "Before and after (Dask)", around,
        "handing the task to a thread and back, unpacking and packing: Σ of Dask's fine metrics "
        "of the tasks, without the time of their threads");
  }
  if (seconds - known > 1e-9 * seconds) {
    add("unsampled", "Not sampled", seconds - known,
        "time of the tasks' threads for which there are too few samples: the profile was cut, or "
        "forgot")
        ->certainty = "not known";
  }
  return branches;
}

std::vector<Branch> task_branches(const TreeInput& input, double seconds) {
  const ProfileShares* const shares = input.shares.get();
  const double samples = shares == nullptr ? 0 : shares->inside + shares->outside;
  if (!(samples > 0) || !(seconds > 0)) return {};
  return Owners(input, {seconds / samples, samples}).all([](const ProfileShares::Owner&) {
    return true;
  });
}

namespace {

/// Functions are called alike in a section and in all of process().
std::shared_ptr<const ProfileShares> names_of(const Run& run,
                                              const std::shared_ptr<const ProfileShares>& shares,
                                              const std::string& section) {
  if (section.empty()) return shares;
  const auto whole = profile_shares(run, {});
  return whole == nullptr ? shares : whole;
}

}  // namespace

OwnFunction largest_own_function(const Run& run, const std::string& section) {
  const auto shares = profile_shares(run, {}, section);
  if (shares == nullptr || !(shares->inside > 0)) return {};
  double certain = 0;
  for (const ProfileShares::Owner& owner : shares->owners)
    certain += owner.inside ? owner.samples.least : 0;
  for (const ProfileShares::Owner& owner : shares->owners) {  // most first
    if (!owner.inside || shares->facts->name[owner.frame] == "process") continue;
    const bool is_known = owner.samples.least >= shares->inside - certain;
    if (!is_known) break;
    return {names_of(run, shares, section)->label_of(owner.frame),
            owner.samples.count / shares->inside};
  }
  return {};
}

std::vector<OwnFunction> own_functions(const Run& run, double least) {
  const auto shares = profile_shares(run, {});
  std::vector<OwnFunction> found;
  if (shares == nullptr || !(shares->inside > 0)) return found;
  for (const ProfileShares::Owner& owner : shares->owners) {  // most first
    const std::string& name = shares->facts->name[owner.frame];
    const double share = owner.samples.least / shares->inside;
    if (owner.inside && name != "process" && !name.starts_with('<') && share >= least)
      found.push_back({shares->label_of(owner.frame), share});
  }
  return found;
}

namespace {

bool reads_files(const ProfileShares::Library& library) {
  return !library.unknown &&
         (library.category == Category::uproot || library.category == Category::io);
}

}  // namespace

/// Samples that unpack and convert what was read, without those that wait for it.
static double code_of(const ProfileShares::Library& library) {
  return library.samples.count - library.samples.reading;
}

OwnFunction largest_reader(const Run& run) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr || !(shares->inside > 0)) return {};
  OwnFunction largest;
  double most = 0, all = 0;
  for (const ProfileShares::Library& library : shares->libraries) {
    const ProfileShares::Owner& owner = shares->owners[library.owner];
    if (!owner.inside || !reads_files(library)) continue;
    const double code = code_of(library);
    all += code;
    if (!(code > most)) continue;
    most = code;
    largest = {shares->facts->name[owner.frame], owner.samples.count / shares->inside};
  }
  if (!(2 * most > all)) return {};
  return largest;
}

double reading_code_share(const Run& run) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr || !(shares->inside > 0)) return absent;
  double reading = 0;
  for (const ProfileShares::Library& library : shares->libraries) {
    if (shares->owners[library.owner].inside && reads_files(library)) reading += code_of(library);
  }
  return reading / shares->inside;
}

namespace {

/// "numpy", "pandas", "gzip", "awkward": whose code a library's function is.
std::string whose(const FrameFacts& facts, FrameId frame) {
  const Category category = facts.category[frame];
  const bool is_of_many = category == Category::numeric || category == Category::other ||
                          category == Category::io || category == Category::stdlib;
  std::string name = is_of_many ? package_of(facts.file[frame]) : "";
  // "<frozen importlib._bootstrap>", a path
  if (name.empty() || name.find_first_of("<./") != std::string::npos)
    name = category == Category::other ? base_name(facts.file[frame]) : name_of(category);
  return name.starts_with('<') ? "generated code" : name;
}

}  // namespace

std::string called_text(const FrameFacts& facts, FrameId frame) {
  if (facts.imports(frame)) return "Python's import of modules";
  const std::string name = whose(facts, frame);
  const std::string& called = facts.name[frame];
  for (const char* empty : {"func", "wrapper", "inner", "<lambda>", "<module>"})
    if (called == empty || name == "numba") return name;
  return name + (name.ends_with('s') ? "' " : "'s ") + called;
}

static OwnFunction own_of(const FrameFacts& facts, const ProfileShares::Outer& outer, double of) {
  // A library's function is also charged with code without frames that ran before it: it needs
  // more of the samples.
  constexpr double two_thirds = 2.0 / 3;
  const bool is_own = facts.category[outer.frame] == Category::analysis;
  if (!(outer.samples > 0) || outer.samples < (is_own ? 0.5 : two_thirds) * of) return {};
  return {is_own ? facts.name[outer.frame] : called_text(facts, outer.frame), outer.samples / of};
}

OwnFunction own_outside(const Run& run) {
  const auto shares = profile_shares(run, {});
  return shares == nullptr ? OwnFunction{}
                           : own_of(*shares->facts, shares->of_tasks, shares->of_tasks.of);
}

OwnFunction own_in_merging(const Run& run, double part) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr) return {};
  const ProfileShares::Outer& outer = shares->of_merging;
  return own_of(*shares->facts, outer, std::max(outer.of, part * shares->inside));
}

namespace {

/// Whether its place tells what an event loop does: not of the code that runs any loop and call.
bool is_work_of_dask(const FrameFacts& facts, FrameId frame) {
  if (facts.category[frame] != Category::dask) return false;
  const std::string& file = facts.file[frame];
  constexpr std::array runs_all = {"distributed/core.py", "distributed/nanny.py",
                                   "distributed/process.py", "distributed/utils.py"};
  return has_part(file, "distributed/") &&
         none_of(runs_all, [&](const char* part) { return has_part(file, part); });
}

}  // namespace

LoopFunction function_in_loop(const Run& run, CallTree::Kind of) {
  const auto facts = profile::facts_of(run);
  struct Seen {
    double samples = 0, depths = 0;  // with all that it calls; Σ samples x depth
  };
  std::map<FrameId, Seen> own, of_dask;
  double all = 0;
  for (const CallTree& tree : run.call_trees) {
    if (tree.kind != of) continue;
    all += profile::whole_count(tree);
    std::vector<bool> is_own(tree.size(), false);  // the node, or one above it, is the analysis's
    std::vector<double> depth(tree.size(), 0);
    for (std::size_t node = 1; node < tree.size(); ++node) {
      const FrameId frame = tree.frame[node];
      is_own[node] = is_own[tree.parent[node]];
      depth[node] = depth[tree.parent[node]] + 1;
      const bool is_first = !is_own[node] && facts->category[frame] == Category::analysis;
      if (is_first) is_own[node] = true;
      if (!is_first && !is_work_of_dask(*facts, frame)) continue;
      // One that calls itself counts once.
      std::uint32_t above = is_first ? 0 : tree.parent[node];
      while (above != 0 && tree.frame[above] != frame) above = tree.parent[above];
      if (above != 0) continue;
      Seen& seen = (is_first ? own : of_dask)[facts->same_as[frame]];
      seen.samples += tree.count[node];
      seen.depths += tree.count[node] * depth[node];
    }
  }
  constexpr double few = 3;  // Dask looks at workers' loops once a second
  LoopFunction most;
  double deepest = -1;
  for (const auto* functions : {&own, &of_dask}) {
    for (const auto& [frame, seen] : *functions) {
      const double mean = seen.depths / seen.samples;
      if (!(seen.samples >= few && seen.samples > all / 2) || mean <= deepest) continue;
      deepest = mean;
      most = {{profile::place_of(*facts, frame), std::min(1.0, seen.samples / all)},
              functions == &of_dask};
    }
    if (!most.name.empty()) break;
  }
  return most;
}

std::string collecting_function(const Run& run, double share) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr) return "";
  std::map<std::uint32_t, double> of_owner;
  double all = 0;
  for (const ProfileShares::Leaf& leaf : shares->leaves) {
    if (!shares->facts->collects(leaf.frame)) continue;
    of_owner[shares->libraries[leaf.library].owner] += leaf.samples.count;
    all += leaf.samples.count;
  }
  if (2 * all < share * (shares->inside + shares->outside)) return "";
  for (const auto& [place, samples] : of_owner) {
    const ProfileShares::Owner& owner = shares->owners[place];
    if (2 * samples > all && owner.inside) return shares->label_of(owner.frame);
  }
  return "";
}

std::string mostly_in(const Run& run, const std::string& function, const std::string& section) {
  const auto shares = profile_shares(run, {}, section);
  if (shares == nullptr) return "";
  const auto names = names_of(run, shares, section);
  double most = 0, all = 0;
  std::string name;
  for (const ProfileShares::Owner& owner : shares->owners)
    all += owner.inside && names->label_of(owner.frame) == function ? owner.samples.count : 0;
  for (const ProfileShares::Call& call : shares->calls) {
    if (!(call.samples > most) || names->label_of(call.caller) != function) continue;
    most = call.samples;
    name = shares->facts->collects(call.frame) ? "Python's garbage collector"
                                               : called_text(*shares->facts, call.frame);
  }
  return most > all / 2 ? name : "";
}

BlockedShares blocked_shares(const Run& run) {
  BlockedShares blocked;
  const auto shares = profile_shares(run, {});
  if (shares == nullptr) return blocked;
  const double all = shares->inside + shares->outside;
  if (!(all > 0)) return blocked;
  blocked.all = blocked.reading_inside = blocked.reading_outside = blocked.locks = 0;
  blocked.elsewhere = 0;
  double most_locked = 0, most_elsewhere = 0, all_off_cpu = 0, off_cpu_samples = 0;
  for (const ProfileShares::Owner& owner : shares->owners) {
    const ProfileShares::Samples& samples = owner.samples;
    blocked.all += samples.blocked / all;
    (owner.inside ? blocked.reading_inside : blocked.reading_outside) += samples.reading / all;
    blocked.locks += samples.locked / all;
    if (owner.inside && samples.locked > most_locked) {
      most_locked = samples.locked;
      blocked.lock_function = shares->label_of(owner.frame);
    }
    const double off_cpu = samples.count - samples.on_cpu - samples.reading - samples.locked;
    if (owner.inside) all_off_cpu += off_cpu;
    if (owner.inside && off_cpu / all > value_or(blocked.off_cpu, 0)) {
      blocked.off_cpu = off_cpu / all;
      blocked.off_cpu_function = shares->label_of(owner.frame);
      blocked.off_cpu_of_function = off_cpu / samples.count;
      off_cpu_samples = samples.count;
    }
    const double elsewhere = samples.blocked - samples.reading - samples.locked;
    if (!owner.inside || !(elsewhere > 0)) continue;
    blocked.elsewhere += elsewhere / all;
    if (elsewhere > most_elsewhere) {
      most_elsewhere = elsewhere;
      blocked.elsewhere_function = shares->label_of(owner.frame);
    }
  }
  blocked.inside = shares->inside / all;
  blocked.off_cpu_of_others =
      (all_off_cpu - blocked.off_cpu * all) / (shares->inside - off_cpu_samples);
  return blocked;
}

}  // namespace crema::runtime
