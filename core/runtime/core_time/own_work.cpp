// What functions of the analysis did, chunk by chunk, by the samples that know their task.
#include <algorithm>
#include <map>
#include <set>

#include "core/profile/profile.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::runtime {

using namespace profile;
using recorded_columns::Call;
using recorded_columns::Sample;

namespace {

/// What a place in the code tells of who runs it.
struct Place {
  std::uint32_t owner = no_row;        ///< the innermost function of the analysis, of `owners`
  StringId file = no_string;           ///< of the innermost line of the analysis
  double line = absent;                ///< likewise
  bool is_own = false;                 ///< the innermost frame is of the analysis
  WaitsFor below = WaitsFor::unknown;  ///< reading: below the owner stands code that reads files
};

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

/// Of every row of `calls`; callers come before what they call.
std::vector<Place> places_of(const Run& run, const ProfileShares& shares) {
  const FrameFacts& facts = *shares.facts;
  std::map<FrameId, std::uint32_t> owner_of;
  std::set<std::string_view> files;
  for (std::uint32_t i = 0; i < shares.owners.size(); ++i) {
    if (!shares.owners[i].inside) continue;
    owner_of[shares.owners[i].frame] = i;
    files.insert(facts.file[shares.owners[i].frame]);
  }
  const auto& calls = run.recording.calls;
  std::vector<Place> places(calls.size());
  for (std::uint32_t row = 0; row < places.size(); ++row) {
    Place& place = places[row];
    const std::uint32_t caller = calls.row(Call::caller, row);
    if (caller < row) place = places[caller];
    const auto called = static_cast<FrameId>(calls.at(Call::called, row));
    const FrameId frame = facts.same_as[called];
    const bool is_called_by_own = place.is_own;
    place.is_own = files.contains(facts.file[frame]);
    const auto owner = owner_of.find(frame);
    if (owner != owner_of.end()) place.owner = owner->second;
    if (place.is_own) {
      place.file = run.names->frames.file[called];
      place.line = calls.at(Call::line, row);
    }
    place.below =
        place.is_own ? WaitsFor::unknown : waits_for(facts, frame, place.below, is_called_by_own);
  }
  return places;
}

}  // namespace

std::vector<OwnSample> own_samples(const Run& run) {
  std::vector<OwnSample> found;
  const auto shares = run.recording.samples.size() == 0 ? nullptr : profile_shares(run, {});
  if (shares == nullptr) return found;
  const std::vector<Place> places = places_of(run, *shares);
  const auto& samples = run.recording.samples;
  for (std::size_t row = 0; row < samples.size(); ++row) {
    const std::uint32_t task = samples.row(Sample::task, row);
    const std::uint32_t call = samples.row(Sample::call, row);
    const double wall = samples.at(Sample::wall, row);
    if (task == no_row || call == no_row || !(wall > 0)) continue;
    const std::uint32_t chunk =
        task < run.recording.chunk.size() ? run.recording.chunk[task] : no_row;
    const Place& place = places[call];
    if (chunk == no_row || place.owner == no_row) continue;
    found.push_back({chunk, shares->owners[place.owner].frame, place.file, place.line,
                     samples.at(Sample::looks, row), wall, samples.at(Sample::cpu, row),
                     place.below == WaitsFor::reading});
  }
  return found;
}

FunctionWork work_of(const Run& run, const std::string& function) {
  FunctionWork work;
  const auto shares = profile_shares(run, {});
  if (shares == nullptr) return work;
  Timed timed, others;
  double reading = 0, all = 0;
  struct Looks {
    double in = 0, of = 0;  // the function; all
  };
  Looks looks;
  std::map<StringId, Looks> datasets;
  std::map<std::pair<StringId, double>, double> lines;  // [s]
  for (const OwnSample& sample : own_samples(run)) {
    Looks& here = datasets[run.chunks.dataset[sample.chunk]];
    here.of += sample.looks, looks.of += sample.looks;
    const bool is_here = shares->label_of(sample.function) == function;
    (is_here ? timed : others).add(sample);
    if (!is_here) continue;
    here.in += sample.looks, looks.in += sample.looks;
    all += sample.wall;
    reading += sample.reads ? sample.wall : 0;
    if (sample.line > 0) lines[{sample.file, sample.line}] += sample.wall;
  }
  if (!(all > 0)) return work;
  work.reading = reading / all;
  work.off_cpu = timed.off_cpu();
  work.off_cpu_of_others = others.off_cpu();
  for (const auto& [place, seconds] : lines) {
    if (seconds > all / 2) work.file = run.text(place.first), work.line = place.second;
  }
  for (const auto& [dataset, here] : datasets) {
    if (here.in > 0) work.datasets.emplace_back(run.text(dataset));
    else if (here.of * looks.in / looks.of < tells) return work.datasets.clear(), work;
  }
  const std::size_t found = work.datasets.size();
  if (found > 3 || 2 * found > datasets.size()) work.datasets.clear();
  return work;
}

SlowestFunction slowest_function(const Run& run, const std::vector<double>& longer) {
  struct Seen {
    double slow = 0, usual = 0;  // [s] in slow chunks, and in all others
    double looks = 0;            // in slow ones
    Timed timed;                 // likewise
  };
  std::map<FrameId, Seen> functions;
  for (const OwnSample& sample : own_samples(run)) {
    Seen& seen = functions[sample.function];
    const bool is_slow = longer[sample.chunk] > 0;
    (is_slow ? seen.slow : seen.usual) += sample.wall;
    if (!is_slow) continue;
    seen.looks += sample.looks;
    seen.timed.add(sample);
  }
  double usually = 0, expected = 0, all = 0;  // [s]
  for (std::size_t i = 0; i < longer.size(); ++i) {
    const double more = std::max(0.0, value_or(longer[i], 0));
    (longer[i] > 0 ? expected : usually) += value_or(run.chunks.duration[i], 0) - more;
    all += more;
  }
  SlowestFunction slowest;
  double most = all / 2;
  for (const auto& [function, seen] : functions) {
    const double excess = seen.slow - expected * seen.usual / usually;
    if (!(excess > most) || !(seen.looks >= tells)) continue;
    most = excess;
    slowest = {profile_shares(run, {})->label_of(function), seen.timed.off_cpu()};
  }
  return slowest;
}

}  // namespace crema::runtime
