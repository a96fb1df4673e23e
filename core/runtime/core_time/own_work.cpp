// What functions of the analysis did, chunk by chunk, by the samples that know their task.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/collect.hpp"
#include "core/base/order.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"
#include "core/runtime/facts.hpp"
#include "core/stats/p_value.hpp"

namespace crema::runtime {

using namespace profile;
using recorded_columns::Call;
using recorded_columns::Sample;
using recorded_columns::Section;

namespace {

struct PlacedLine {
  StringId file = no_string;
  double number = absent;
  StringId text = no_string;
};

/// What a place in the code tells of who runs it.
struct Place {
  std::uint32_t owner = no_row;  ///< the innermost function of the analysis
  FrameId own = no_row;          ///< likewise, though it was not seen itself
  FrameId caller = no_row;       ///< the next one of the analysis that is another function
  PlacedLine caller_line;        ///< where that calls it
  FrameId library = no_row;      ///< the outermost of a library that `own` calls
  /// Of all calls, the innermost of a library that calls the analysis back, and who calls that.
  FrameId via = no_row, via_caller = no_row;
  PlacedLine line;              ///< the innermost one of the analysis: calls of C stand in one
  StringId native = no_string;  ///< what that calls, where nothing with a frame was called
  bool reads = false;           ///< below the owner stands code that reads ROOT files
  bool writes = false;          ///< or that writes them
};

bool writes_files(const std::string& file) {
  return has_part(file, "/writing/") || has_part(file, "/sink/");
}

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
    place.native = no_string;
    const auto called = static_cast<FrameId>(calls.at(Call::called, row));
    const FrameId frame = facts.same_as[called];
    if (owner_of[frame] != no_row) place.owner = owner_of[frame];
    const bool is_own = owner_of[frame] != no_row || facts.category[frame] == Category::analysis;
    if (!is_own) {
      if (place.library == no_row && place.own != no_row) place.library = frame;
      // What packs and unpacks is in the same files.
      const bool is_uproot = facts.category[frame] == Category::uproot;
      place.writes = place.writes || (is_uproot && writes_files(facts.file[frame]));
      place.reads = !place.writes && (place.reads || is_uproot);
      continue;
    }
    place.reads = place.writes = false;
    // Wrappers of the standard library, as of a context manager, call on what they are given.
    if (place.library != no_row && facts.category[place.library] != Category::stdlib &&
        facts.name[place.own] != "process")
      place.via = place.library, place.via_caller = place.own;
    place.library = no_row;
    // A lambda, or a generator, is of the function that has it.
    const bool is_of_caller = facts.name[frame].starts_with('<') && place.own != no_row;
    if (frame != place.own && !is_of_caller) {
      place.caller = std::exchange(place.own, frame);
      place.caller_line = place.line;
    }
    place.line = {run.names->frames.file[called], calls.at(Call::line, row),
                  calls.text(Call::text, row)};
    place.native = calls.text(Call::native, row);
  }
  return places;
}

/// A sample of a chunk in process().
struct OwnSample {
  std::uint32_t chunk;
  StringId section;  // the innermost
  const Place& place;
  double looks, wall;  // [s]
  double cpu;          // [s] of `wall`; absent where not recorded
};

/// The samples whose chunk and owner are known.
class OwnSamples {
 public:
  explicit OwnSamples(const Run& run)
      : shares_(run.recording.samples.size() == 0 ? nullptr : profile_shares(run, {})) {
    if (shares_ != nullptr) places_ = places_of(run, *shares_);
  }

  bool are_known() const { return shares_ != nullptr; }
  const ProfileShares& shares() const { return *shares_; }

  /// In a section where one is named, and in none within it.
  template <class Use>
  void each(const Run& run, std::string_view section, const Use& use) const {
    const auto& samples = run.recording.samples;
    const auto& sections = run.recording.sections;
    for (std::size_t row = 0; row < samples.size(); ++row) {
      const std::uint32_t task = samples.row(Sample::task, row);
      const std::uint32_t call = samples.row(Sample::call, row);
      const double wall = samples.at(Sample::wall, row);
      if (!(task < run.recording.chunk.size()) || call == no_row || !(wall > 0)) continue;
      const std::uint32_t chunk = run.recording.chunk[task];
      if (chunk == no_row || places_[call].owner == no_row) continue;
      const std::uint32_t open = samples.row(Sample::section, row);
      const StringId within = open == no_row ? no_string : sections.text(Section::name, open);
      if (!section.empty() && (within == no_string || run.text(within) != section)) continue;
      use(OwnSample{chunk, within, places_[call], samples.at(Sample::looks, row), wall,
                    samples.at(Sample::cpu, row)});
    }
  }

 private:
  std::shared_ptr<const ProfileShares> shares_;
  std::vector<Place> places_;  // of calls
};

struct KeptSamples {
  Once<OwnSamples> samples;
};

const OwnSamples& own_samples(const Run& run) {
  return run.facts.of<KeptSamples>().samples.of([&] { return OwnSamples(run); });
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

/// [s] for which each chunk was off the CPU in process(), by its thread's clock, and did not wait
/// for one, where that was recorded; absent where the first was not.
std::vector<double> off_cpu_of_chunks(const Run& run) {
  std::vector<double> off(run.chunks.size(), absent);
  const std::vector<double> wall = measured_of_chunks(run, recorded_columns::Task::process_wall);
  const std::vector<double> cpu = measured_of_chunks(run, recorded_columns::Task::process_cpu);
  const std::vector<double> delay = measured_of_chunks(run, recorded_columns::Task::run_delay);
  for (std::size_t i = 0; i < std::min(wall.size(), cpu.size()); ++i)
    off[i] = std::max(0.0, wall[i] - cpu[i] - (i < delay.size() ? value_or(delay[i], 0) : 0));
  return off;
}

/// Part off the CPU of `wall` seconds of samples, by those that know it, and no more than their
/// chunks were in all: samples cannot be taken while code without frames holds the interpreter's
/// lock, and the CPU time of that code is charged to none.
double off_cpu_at_most(const Timed& timed, double wall, const std::vector<double>& of_chunks) {
  const Moments off_cpu = moments(of_chunks);
  const double most = off_cpu.count > 0 ? off_cpu.sum / wall : absent;
  return most < timed.off_cpu() ? most : timed.off_cpu();
}

// Where as many could have been anywhere, none of them elsewhere is chance once in 20,000 times.
constexpr double tells = 10;
constexpr double mostly = 0.6;      // a half, beyond what samples scatter by
constexpr double nearly_all = 0.9;  // of a function's time: one calls it
// What a reader follows: a line of less is none of the largest.
constexpr std::size_t most_lines = 4;
constexpr double least_of_line = 0.1;

/// The datasets that alone have chunks in which the function was seen: half of all and three at
/// most; empty where that is not certain.
std::vector<std::string> only_datasets(const Run& run, const std::vector<bool>& was_looked_at,
                                       const std::vector<bool>& was_in) {
  const ChunkGroups& groups = chunk_groups(run, ChunkKey::dataset);
  std::vector<double> in(groups.size(), 0), of(groups.size(), 0);
  double all_in = 0, all = 0;
  for (std::size_t chunk = 0; chunk < was_in.size(); ++chunk) {
    if (!was_looked_at[chunk]) continue;
    of[groups.of[chunk]] += 1, all += 1;
    if (was_in[chunk]) in[groups.of[chunk]] += 1, all_in += 1;
  }
  std::vector<std::string> only;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (in[i] > 0 && !groups.name[i].empty()) only.emplace_back(groups.name[i]);
    else if (in[i] > 0 || of[i] * all_in / all < tells) return {};
  }
  if (only.size() > 3 || 2 * only.size() > groups.size()) only.clear();
  return only;
}

/// How long each line was seen, and what it called that has no frame.
class LineSeconds {
 public:
  void add(const OwnSample& sample, double seconds) {
    const Place& place = sample.place;
    if (Line* line = add(place.line, place.native, seconds, sample.looks)) line->timed.add(sample);
  }
  /// Where the owner is called.
  void add_caller(const OwnSample& sample) {
    add(sample.place.caller_line, no_string, sample.wall, sample.looks);
  }

  double all() const { return all_; }

  CodeLines most(const Run& run) const {
    CodeLines found;
    std::vector<const Lines::value_type*> taken;
    double seconds = 0;
    while (taken.size() < most_lines) {
      const Lines::value_type* largest = nullptr;
      for (const auto& line : lines_)
        if ((largest == nullptr || line.second.seconds > largest->second.seconds) &&
            !contains(taken, &line))
          largest = &line;
      if (largest == nullptr || largest->second.seconds < least_of_line * all_) break;
      taken.push_back(largest);
      seconds += largest->second.seconds;
      found.push_back(described(run, *largest));
      if (is_most(seconds, all_)) return found;
    }
    return {};
  }

  /// Each, and the part of its time off the CPU.
  template <class Use>
  void each(const Run& run, const Use& use) const {
    for (const auto& line : lines_) use(described(run, line), line.second.timed.off_cpu());
  }

 private:
  struct Line {
    StringId text = no_string;
    double seconds = 0;
    Timed timed;
    std::map<StringId, double> natives;
  };
  using Lines = std::map<std::pair<StringId, double>, Line>;  // by file and number

  CodeLine described(const Run& run, const Lines::value_type& one) const {
    const auto& [at, line] = one;
    return {std::string(run.text(at.first)), at.second, line.seconds / all_, called(run, line),
            std::string(line.text == no_string ? "" : run.text(line.text))};
  }

  Line* add(const PlacedLine& at, StringId native, double seconds, double looks) {
    all_ += seconds, looks_ += looks;
    if (is_absent(at.number)) return nullptr;
    Line& line = lines_[{at.file, at.number}];
    line.text = at.text;
    line.seconds += seconds;
    if (native != no_string) line.natives[native] += seconds;
    return &line;
  }

  /// More than half of `of` seconds, beyond what so many looks scatter by.
  bool is_most(double seconds, double of) const {
    const double looks = looks_ * of / all_, part = std::min(1.0, ratio(seconds, of));
    return looks >= tells && stats::share_range(part * looks, looks).low > 0.5;
  }

  std::string called(const Run& run, const Line& line) const {
    std::pair<double, std::string_view> most, next;
    for (const auto& [native, seconds] : line.natives) {
      if (seconds > most.first) next = std::exchange(most, {seconds, run.text(native)});
      else if (seconds > next.first) next = {seconds, run.text(native)};
    }
    if (is_most(most.first, line.seconds)) return std::string(most.second);
    if (!is_most(most.first + next.first, line.seconds)) return "";
    return std::string(most.second) + " and " + std::string(next.second);
  }

  double all_ = 0, looks_ = 0;
  Lines lines_;
};

}  // namespace

FunctionWork work_of(const Run& run, const std::string& function, const std::string& section) {
  FunctionWork work;
  const OwnSamples& samples = own_samples(run);
  if (!samples.are_known() || function.empty()) return work;
  const ProfileShares& shares = samples.shares();
  std::vector<bool> is_of(shares.owners.size(), false);
  for (std::size_t i = 0; i < is_of.size(); ++i)
    is_of[i] = shares.owners[i].inside && shares.label_of(shares.owners[i].frame) == function;
  Timed timed, others;
  LineSeconds lines;
  std::map<StringId, double> sections;  // [s]
  std::map<FrameId, LineSeconds> callers;
  std::map<FrameId, double> called_back;  // [s] by the library's function
  std::map<FrameId, FrameId> by_whom;     // likewise, who calls that
  double reading = 0, all = 0;
  samples.each(run, section, [&](const OwnSample& sample) {
    if (!is_of[sample.place.owner]) return;
    timed.add(sample);
    all += sample.wall;
    sections[sample.section] += sample.wall;
    callers[sample.place.caller].add_caller(sample);
    if (sample.place.via != no_row) {
      called_back[sample.place.via] += sample.wall;
      by_whom[sample.place.via] = sample.place.via_caller;
    }
    reading += sample.place.reads ? sample.wall : 0;
    lines.add(sample, sample.wall);
  });
  if (!(all > 0)) return work;
  std::vector<bool> was_looked_at(run.chunks.size(), false), was_in = was_looked_at;
  double elsewhere = 0;
  samples.each(run, {}, [&](const OwnSample& sample) {
    was_looked_at[sample.chunk] = true;
    if (is_of[sample.place.owner]) was_in[sample.chunk] = true;
    else others.add(sample), elsewhere += sample.wall;
  });
  work.reading = reading / all;
  const std::vector<double> off_cpu = off_cpu_of_chunks(run);
  work.off_cpu = off_cpu_at_most(timed, all, off_cpu);
  work.off_cpu_of_others = off_cpu_at_most(others, elsewhere, off_cpu);
  work.lines = lines.most(run);
  work.datasets = only_datasets(run, was_looked_at, was_in);
  for (const auto& [name, seconds] : sections) {
    if (name == no_string) continue;
    work.sections.emplace_back(run.text(name), seconds / all);
    if (seconds >= mostly * all) work.section = run.text(name);
  }
  for (const auto& [by, seconds] : called_back) {
    if (!(seconds >= mostly * all)) continue;
    work.called_back_by = called_text(*shares.facts, by);
    work.called_back = seconds / all;
    work.by_whom = shares.label_of(by_whom[by]);
  }
  for (const auto& [caller, lines_of_caller] : callers) {
    if (caller == no_row || !(lines_of_caller.all() >= nearly_all * all) ||
        shares.facts->name[caller] == "process")
      continue;
    work.caller = shares.label_of(caller);
    work.called_at = lines_of_caller.most(run);
  }
  return work;
}

std::vector<LineWork> line_work(const Run& run, const Selection& selection,
                                const Options& options) {
  std::vector<LineWork> found;
  const OwnSamples& samples = own_samples(run);
  if (!samples.are_known()) return found;
  const ProfileShares& shares = samples.shares();
  const ChunkSelection chosen(run, selection);
  std::vector<LineSeconds> owners(shares.owners.size());
  samples.each(run, {}, [&](const OwnSample& sample) {
    if (chosen[sample.chunk])
      owners[sample.place.owner].add(sample, chosen.share[sample.chunk] * sample.wall);
  });
  // A function's samples were calibrated by sections: each line has its part of what that came to.
  const auto tree = core_time_tree(run, selection, options, CoreTimeSplit::functions);
  const std::uint32_t inside = tree->find("available/inside_process");
  std::map<std::string_view, double> calibrated;
  for (const CoreTimeNode& node : tree->nodes)
    if (node.parent == inside && std::string_view(node.kind) == "function")
      calibrated[node.label] = node.core_seconds;
  double all = 0;
  for (std::size_t owner = 0; owner < owners.size(); ++owner) {
    if (!(owners[owner].all() > 0)) continue;
    const std::string function = shares.label_of(shares.owners[owner].frame);
    const double* const known = found_in(calibrated, function);
    const double seconds = known == nullptr ? owners[owner].all() : *known;
    all += seconds;
    owners[owner].each(run, [&](CodeLine line, double waiting) {
      found.push_back({.function = function,
                       .at = line,
                       .core_seconds = line.share * seconds,
                       .of_function = line.share,
                       .waiting = waiting * line.share * seconds});
    });
  }
  for (LineWork& line : found) line.at.share = line.core_seconds / all;
  sort_stably(found,
              [](const LineWork& a, const LineWork& b) { return a.core_seconds > b.core_seconds; });
  return found;
}

WaitingPlace waiting_place(const Run& run) {
  const OwnSamples& samples = own_samples(run);
  if (!samples.are_known()) return {};
  const MeasuredWaiting measured = measured_waiting(run);
  const double for_cpu = value_or(measured.for_cpu / (measured.wall - measured.off_cpu), 0);
  double all = 0;
  std::map<StringId, double> sections;
  std::vector<LineSeconds> owners(samples.shares().owners.size());
  samples.each(run, {}, [&](const OwnSample& sample) {
    const double off = sample.wall - (1 + for_cpu) * sample.cpu;
    if (is_absent(off)) return;
    all += off;
    sections[sample.section] += off;
    owners[sample.place.owner].add(sample, off);
  });
  WaitingPlace place;
  const auto has_most = [&](double seconds) { return all > 0 && seconds >= mostly * all; };
  for (const auto& [section, seconds] : sections)
    if (section != no_string && has_most(seconds)) place.section = run.text(section);
  for (std::size_t owner = 0; owner < owners.size(); ++owner) {
    if (!has_most(owners[owner].all())) continue;
    place.function = samples.shares().label_of(samples.shares().owners[owner].frame);
    place.lines = owners[owner].most(run);
  }
  return place;
}

SlowestFunction slowest_function(const Run& run, const std::vector<double>& longer,
                                 const std::string& section, const std::vector<double>& seconds) {
  SlowestFunction slowest;
  const OwnSamples& samples = own_samples(run);
  if (!samples.are_known() || longer.size() != run.chunks.size()) return slowest;
  const ProfileShares& shares = samples.shares();
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  struct Seen {
    double slow = 0, usual = 0;  // [s] in slow chunks, and in all others
  };
  const std::size_t n = shares.owners.size();
  std::vector<Seen> of(n * datasets.size()), whole(datasets.size()), anywhere(n);
  Seen all;
  std::vector<double> looks(n, 0);  // in slow chunks
  std::vector<Timed> timed(n);      // likewise
  std::vector<bool> was_seen(longer.size(), false);
  samples.each(run, section, [&](const OwnSample& sample) {
    const std::size_t dataset = datasets.of[sample.chunk], owner = sample.place.owner;
    const bool is_slow = longer[sample.chunk] > 0;
    was_seen[sample.chunk] = true;
    for (Seen* seen : {&of[dataset * n + owner], &whole[dataset], &anywhere[owner], &all})
      (is_slow ? seen->slow : seen->usual) += sample.wall;
    if (!is_slow) return;
    looks[owner] += sample.looks;
    timed[owner].add(sample);
  });
  // What slow chunks would have taken, and what they took more.
  std::vector<double> expected(datasets.size(), 0);
  double more = 0, unseen = 0;
  for (std::size_t chunk = 0; chunk < longer.size(); ++chunk) {
    if (!(longer[chunk] > 0)) continue;
    (was_seen[chunk] ? more : unseen) += longer[chunk];
    const double usually =
        value_or((section.empty() ? run.chunks.duration : seconds)[chunk], 0) - longer[chunk];
    if (was_seen[chunk]) expected[datasets.of[chunk]] += std::max(0.0, usually);
  }
  if (!(more > unseen)) return slowest;
  std::vector<double> off_cpu = off_cpu_of_chunks(run);
  for (std::size_t chunk = 0; chunk < longer.size(); ++chunk) {
    if (!(longer[chunk] > 0)) off_cpu[chunk] = absent;
  }
  double most = more / 2, usually = 0;
  for (const double one : expected) usually += one;
  for (std::size_t owner = 0; owner < n; ++owner) {
    double excess = 0;
    const double elsewhere = value_or(anywhere[owner].usual / all.usual, 0);
    double rest = 0;  // [s] that the other functions would have taken
    for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
      const Seen& seen = of[dataset * n + owner];
      const Seen& both = whole[dataset];
      // A dataset that was slow as a whole has no usual share: what says least, of others' and its.
      const double share = both.usual > 0 ? seen.usual / both.usual
                                          : std::max(elsewhere, value_or(seen.slow / both.slow, 0));
      excess += seen.slow - expected[dataset] * share;
      rest += expected[dataset] * (1 - (both.usual > 0 ? share : elsewhere));
    }
    const FrameId frame = shares.owners[owner].frame;
    if (!(excess > most) || !(looks[owner] >= tells) || shares.facts->name[frame] == "process")
      continue;
    most = excess;
    const double rest_factor = (all.slow - anywhere[owner].slow) / rest;
    slowest = {shares.label_of(frame), off_cpu_at_most(timed[owner], anywhere[owner].slow, off_cpu),
               rest_factor < hardly_longer && rest_factor - 1 < (all.slow / usually - 1) / 4};
  }
  return slowest;
}

std::vector<SectionColumn> function_seconds(const Run& run, double least) {
  std::vector<SectionColumn> columns;
  const OwnSamples& samples = own_samples(run);
  if (!samples.are_known()) return columns;
  const ProfileShares& shares = samples.shares();
  std::vector<double> sums(shares.owners.size(), 0), none(run.chunks.size(), absent);
  samples.each(run, {}, [&](const OwnSample& sample) {
    sums[sample.place.owner] += sample.wall;
    none[sample.chunk] = 0;
  });
  std::vector<std::size_t> column_of(sums.size(), sums.size());
  for (std::size_t owner = 0; owner < sums.size(); ++owner) {
    const FrameId frame = shares.owners[owner].frame;
    if (!(sums[owner] >= least) || !(sums[owner] > 0) || shares.facts->name[frame] == "process")
      continue;
    column_of[owner] = columns.size();
    columns.push_back({shares.label_of(frame), "s", none});
  }
  samples.each(run, {}, [&](const OwnSample& sample) {
    const std::size_t column = column_of[sample.place.owner];
    if (column < columns.size()) columns[column].values[sample.chunk] += sample.wall;
  });
  return columns;
}

}  // namespace crema::runtime
