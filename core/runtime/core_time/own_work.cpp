// What functions of the analysis did, chunk by chunk, by the samples that know their task.
#include <algorithm>

#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::runtime {

using namespace profile;
using recorded_columns::Call;
using recorded_columns::Sample;

namespace {

/// What a place in the code tells of who runs it.
struct Place {
  std::uint32_t owner = no_row;  ///< the innermost function of the analysis
  StringId file = no_string;     ///< of the innermost line of the analysis: calls of C stand in one
  double line = absent;          ///< likewise
  bool is_own = false;           ///< the innermost frame is of the analysis
  WaitsFor below = WaitsFor::unknown;  ///< reading: below the owner stands code that reads files
};

/// Of every row of `calls`; callers come before what they call.
std::vector<Place> places_of(const Run& run, const ProfileShares& shares) {
  const FrameFacts& facts = *shares.facts;
  std::vector<std::uint32_t> owner_of(facts.size(), no_row);
  for (std::uint32_t i = 0; i < shares.owners.size(); ++i)
    if (shares.owners[i].inside) owner_of[shares.owners[i].frame] = i;
  const auto& calls = run.recording.calls;
  std::vector<Place> places(calls.size());
  for (std::uint32_t row = 0; row < places.size(); ++row) {
    Place& place = places[row];
    const std::uint32_t caller = calls.row(Call::caller, row);
    if (caller < row) place = places[caller];
    const auto called = static_cast<FrameId>(calls.at(Call::called, row));
    const FrameId frame = facts.same_as[called];
    const bool is_called_by_own = place.is_own;
    if (owner_of[frame] != no_row) place.owner = owner_of[frame];
    place.is_own = owner_of[frame] != no_row || facts.category[frame] == Category::analysis;
    if (place.is_own) {
      place.file = run.names->frames.file[called];
      place.line = calls.at(Call::line, row);
    }
    place.below =
        place.is_own ? WaitsFor::unknown : waits_for(facts, frame, place.below, is_called_by_own);
  }
  return places;
}

/// A sample of a chunk in process().
struct OwnSample {
  std::uint32_t chunk;
  Place place;
  double looks, wall;  // [s]
  double cpu;          // [s] of `wall`; absent where not recorded
};

/// Calls `use` with each sample whose chunk and owner are known.
template <class Use>
void each_sample(const Run& run, const ProfileShares& shares, const Use& use) {
  const std::vector<Place> places = places_of(run, shares);
  const auto& samples = run.recording.samples;
  for (std::size_t row = 0; row < samples.size(); ++row) {
    const std::uint32_t task = samples.row(Sample::task, row);
    const std::uint32_t call = samples.row(Sample::call, row);
    const double wall = samples.at(Sample::wall, row);
    if (!(task < run.recording.chunk.size()) || call == no_row || !(wall > 0)) continue;
    const std::uint32_t chunk = run.recording.chunk[task];
    if (chunk != no_row && places[call].owner != no_row)
      use(OwnSample{chunk, places[call], samples.at(Sample::looks, row), wall,
                    samples.at(Sample::cpu, row)});
  }
}

/// Samples that know their CPU time.
struct Timed {
  double wall = 0, cpu = 0;  // [s]

  void add(const OwnSample& sample) {
    if (is_absent(sample.cpu)) return;
    wall += sample.wall;
    cpu += sample.cpu;
  }
  double off_cpu() const { return wall > 0 ? std::max(0.0, 1 - cpu / wall) : absent; }
};

// So many looks tell: where they could have been anywhere, none of them elsewhere is chance once in
// 20,000 times.
constexpr double tells = 10;

std::shared_ptr<const ProfileShares> shares_with_samples(const Run& run) {
  return run.recording.samples.size() == 0 ? nullptr : profile_shares(run, {});
}

}  // namespace

FunctionWork work_of(const Run& run, const std::string& function) {
  FunctionWork work;
  const auto shares = shares_with_samples(run);
  if (shares == nullptr) return work;
  const auto is_of = [&](const OwnSample& sample) {
    return shares->label_of(shares->owners[sample.place.owner].frame) == function;
  };
  struct Looks {
    double in = 0, of = 0;  // the function; all
  };
  const ChunkGroups& groups = chunk_groups(run, ChunkKey::dataset);
  std::vector<Looks> datasets(groups.size());
  Looks looks;
  Timed timed, others;
  Place most;  // the line that has more than half of the time, if one has
  double reading = 0, all = 0, lead = 0;
  each_sample(run, *shares, [&](const OwnSample& sample) {
    const bool is_here = is_of(sample);
    for (Looks* of : {&looks, &datasets[groups.of[sample.chunk]]}) {
      of->of += sample.looks;
      of->in += is_here ? sample.looks : 0;
    }
    (is_here ? timed : others).add(sample);
    if (!is_here) return;
    all += sample.wall;
    reading += sample.place.below == WaitsFor::reading ? sample.wall : 0;
    const bool is_same = sample.place.line == most.line && sample.place.file == most.file;
    lead += is_same ? sample.wall : -sample.wall;
    if (lead < 0) most = sample.place, lead = -lead;
  });
  if (!(all > 0)) return work;
  work.reading = reading / all;
  work.off_cpu = timed.off_cpu();
  work.off_cpu_of_others = others.off_cpu();
  double at_most = 0;
  each_sample(run, *shares, [&](const OwnSample& sample) {
    const bool is_same = sample.place.line == most.line && sample.place.file == most.file;
    at_most += is_same && is_of(sample) ? sample.wall : 0;
  });
  if (at_most > all / 2) work.file = run.text(most.file), work.line = most.line;
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    if (datasets[i].in > 0) work.datasets.emplace_back(groups.name[i]);
    else if (datasets[i].of * looks.in / looks.of < tells) return work.datasets.clear(), work;
  }
  const std::size_t found = work.datasets.size();
  if (found > 3 || 2 * found > datasets.size()) work.datasets.clear();
  return work;
}

SlowestFunction slowest_function(const Run& run, const std::vector<double>& longer) {
  SlowestFunction slowest;
  const auto shares = shares_with_samples(run);
  if (shares == nullptr) return slowest;
  struct Seen {
    double slow = 0, usual = 0;  // [s] in slow chunks, and in all others
    double looks = 0;            // in slow ones
    Timed timed;                 // likewise
  };
  std::vector<Seen> owners(shares->owners.size());
  each_sample(run, *shares, [&](const OwnSample& sample) {
    Seen& seen = owners[sample.place.owner];
    const bool is_slow = longer[sample.chunk] > 0;
    (is_slow ? seen.slow : seen.usual) += sample.wall;
    if (!is_slow) return;
    seen.looks += sample.looks;
    seen.timed.add(sample);
  });
  double usually = 0, expected = 0, all = 0;  // [s]
  for (std::size_t i = 0; i < longer.size(); ++i) {
    const double more = std::max(0.0, value_or(longer[i], 0));
    (longer[i] > 0 ? expected : usually) += value_or(run.chunks.duration[i], 0) - more;
    all += more;
  }
  double most = all / 2;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const double excess = owners[i].slow - expected * owners[i].usual / usually;
    if (!(excess > most) || !(owners[i].looks >= tells)) continue;
    most = excess;
    slowest = {shares->label_of(shares->owners[i].frame), owners[i].timed.off_cpu()};
  }
  return slowest;
}

}  // namespace crema::runtime
