#include "core/facts/own_functions.hpp"

#include "core/facts/core_time/profile_shares.hpp"

namespace crema::facts {

OwnFunction largest_own_function(const Run& run) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr || !(shares->inside > 0)) return {};
  OwnFunction process;
  for (const ProfileShares::Owner& owner : shares->owners) {  // most first
    if (!owner.inside) continue;
    const OwnFunction one{shares->facts->name[owner.frame], owner.samples.count / shares->inside};
    if (one.name != "process") return one;
    if (process.name.empty()) process = one;
  }
  return process;
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

BlockedShares blocked_shares(const Run& run) {
  BlockedShares blocked;
  const auto shares = profile_shares(run, {});
  if (shares == nullptr) return blocked;
  const double all = shares->inside + shares->outside;
  if (!(all > 0)) return blocked;
  blocked.all = blocked.reading_inside = blocked.reading_outside = blocked.locks = 0;
  double most_locked = 0;
  for (const ProfileShares::Owner& owner : shares->owners) {
    const ProfileShares::Samples& samples = owner.samples;
    blocked.all += samples.blocked / all;
    (owner.inside ? blocked.reading_inside : blocked.reading_outside) += samples.reading / all;
    blocked.locks += samples.locked / all;
    if (owner.inside && samples.locked > most_locked) {
      most_locked = samples.locked;
      blocked.lock_function = shares->facts->name[owner.frame];
    }
  }
  blocked.inside = shares->inside / all;
  return blocked;
}

}  // namespace crema::facts
