#include "core/runtime/core_time.hpp"

#include <map>

#include "core/profile/profile.hpp"

namespace crema::runtime {

using namespace profile;

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

OwnFunction own_outside(const Run& run, bool in_merging) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr) return {};
  const ProfileShares::Outer& outer = in_merging ? shares->of_merging : shares->of_tasks;
  if (!(outer.samples > 0) || 2 * outer.samples < outer.of) return {};
  return {shares->facts->name[outer.frame], outer.samples / outer.of};
}

namespace {

bool reads_files(const ProfileShares::Library& library) {
  return !library.unknown &&
         (library.category == Category::uproot || library.category == Category::io);
}

}  // namespace

OwnFunction largest_reader(const Run& run) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr || !(shares->inside > 0)) return {};
  OwnFunction largest;
  double most = 0;
  for (const ProfileShares::Library& library : shares->libraries) {
    const ProfileShares::Owner& owner = shares->owners[library.owner];
    if (!owner.inside || !reads_files(library) || !(library.samples.count > most)) continue;
    most = library.samples.count;
    largest = {shares->facts->name[owner.frame], owner.samples.count / shares->inside};
  }
  return largest;
}

double reading_code_share(const Run& run) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr || !(shares->inside > 0)) return absent;
  double reading = 0;
  for (const ProfileShares::Library& library : shares->libraries) {
    if (shares->owners[library.owner].inside && reads_files(library))
      reading += library.samples.count;
  }
  return reading / shares->inside;
}

namespace {

/// Dask's callback of Python's garbage collector: samples of a collection, which no frame shows,
/// come when it begins and ends.
bool is_collector(const FrameFacts& facts, FrameId frame) {
  return facts.name[frame] == "_gc_callback" && facts.category[frame] == Category::dask;
}

/// "numpy's", "pandas'", "standard library's": whose code a library's function is.
std::string whose(const FrameFacts& facts, FrameId frame) {
  const bool is_installed = facts.category[frame] == Category::numeric;
  const std::string name =
      is_installed ? package_of(facts.file[frame]) : std::string(name_of(facts.category[frame]));
  return name + (name.ends_with('s') ? "' " : "'s ");
}

}  // namespace

std::string collecting_function(const Run& run) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr) return "";
  std::map<std::uint32_t, double> of_owner;
  double all = 0;
  for (const ProfileShares::Leaf& leaf : shares->leaves) {
    if (!is_collector(*shares->facts, leaf.frame)) continue;
    of_owner[shares->libraries[leaf.library].owner] += leaf.samples.count;
    all += leaf.samples.count;
  }
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
    name = is_collector(*shares->facts, call.frame)
               ? "Python's garbage collector"
               : whose(*shares->facts, call.frame) + shares->facts->name[call.frame];
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
