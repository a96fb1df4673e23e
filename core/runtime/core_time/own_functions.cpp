#include "core/runtime/core_time.hpp"

#include <algorithm>
#include <array>

#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::runtime {

using namespace profile;

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
    return {shares->facts->name[owner.frame], owner.samples.count / shares->inside};
  }
  return {};
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

// What of process() a pattern must have to be reported: a twentieth is worth a line.
constexpr double worth_changing = 0.05;

struct Pattern {
  std::string_view file;                  // a part of the path
  std::array<std::string_view, 4> names;  // of functions that the analysis calls
  std::string_view shown;                 // before their names
  std::string_view how;
  bool is_needless = false;
};
constexpr Pattern patterns[] = {
    // github.com/CoffeaTeam/coffea/discussions/497: nearest() and metric_table() for what pairs are
    // mostly made for.
    {"awkward/",
     {"cartesian", "argcartesian", "combinations", "argcombinations"},
     "ak.",
     "Cuts before the pairing leave fewer pairs; nearest() and metric_table() of coffea's objects "
     "compute distances without pairs"},
    // awkward-array.org, "How to convert to NumPy" and "to Python objects": ragged arrays are
    // copied.
    {"awkward/",
     {"to_list", "tolist", "to_pandas"},
     "ak.",
     "It copies: awkward's functions on the arrays themselves need no copy",
     true},
    {"awkward/",
     {"to_numpy"},
     "ak.",
     "It copies ragged arrays: awkward's functions on the arrays themselves need no copy"},
    // awkward-array.org, "How to filter": each cut of an array of records copies its columns.
    {"awkward/",
     {"__getitem__", "mask", "drop_none", "where"},
     "ak.",
     "Masks combined with & and applied once copy once, and only columns that are used later"},
    // pandas.pydata.org, "DataFrame": from records each item becomes an object first;
    // awkward-array.org, ak.to_dataframe.
    {"pandas/core/frame.py",
     {"__init__", "from_records", "from_dict", "groupby"},
     "pandas' DataFrame.",
     "Awkward's reducers need no data frame; ak.to_dataframe makes one without an object of each "
     "item",
     true},
    // docs.python.org, "Logging HOWTO", Optimization.
    {"/logging/__init__.py",
     {"debug", "info", "warning", "error"},
     "logging's ",
     "One message for each chunk in place of one for each event, or a level that leaves them out, "
     "costs nothing",
     true},
};
// github.com/scikit-hep/awkward/discussions/2392: 10 to 1000 times slower than array functions.
constexpr std::string_view instead_of_a_loop =
    "Functions of whole arrays, or Numba for the loop, are faster by orders of magnitude";

/// A line that goes through events one by one in Python.
bool is_event_loop(std::string_view line) {
  constexpr std::array<std::string_view, 5> signs = {".tolist()", "to_list(", "range(len(",
                                                     "in events", "iterrows("};
  return line.starts_with("for ") &&
         std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) {
           return line.find(sign) != std::string_view::npos;
         });
}

}  // namespace

std::vector<CodePattern> code_patterns(const Run& run) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr || !(shares->inside > 0)) return {};
  const FrameFacts& facts = *shares->facts;
  std::vector<CodePattern> found;
  for (const Pattern& pattern : patterns) {
    double samples = 0, most = 0;
    const ProfileShares::Call* largest = nullptr;
    for (const ProfileShares::Call& call : shares->calls) {
      if (facts.file[call.frame].find(pattern.file) == std::string::npos ||
          std::find(pattern.names.begin(), pattern.names.end(), facts.name[call.frame]) ==
              pattern.names.end())
        continue;
      samples += call.samples;
      if (call.samples > most) most = call.samples, largest = &call;
    }
    const double share = samples / shares->inside;
    if (largest == nullptr || !(share >= worth_changing)) continue;
    found.push_back({sentence({pattern.shown, facts.name[largest->frame], ", most of it called by ",
                               facts.name[largest->caller]}),
                     pattern.how, share, pattern.is_needless});
  }
  // Who takes one item of an awkward array after the other spends its time so.
  for (const ProfileShares::Owner& owner : shares->owners) {
    const double share = owner.samples.count / shares->inside;
    if (!owner.inside || !(share >= worth_changing)) continue;
    const bool iterates = std::any_of(
        shares->calls.begin(), shares->calls.end(), [&](const ProfileShares::Call& call) {
          return call.caller == owner.frame && facts.name[call.frame] == "__iter__" &&
                 facts.category[call.frame] == Category::awkward;
        });
    if (iterates)
      found.push_back({sentence({facts.name[owner.frame],
                                 ", which goes through an awkward array item by item"}),
                       instead_of_a_loop, share, true});
  }
  sort_stably(found, [](const CodePattern& a, const CodePattern& b) { return a.share > b.share; });
  const FrameTable& frames = run.names->frames;
  for (const ProfileShares::Owner& owner : shares->owners) {
    if (!owner.inside || frames.source_line[owner.frame] == no_string) continue;
    const std::string line(trimmed(run.text(frames.source_line[owner.frame])));
    if (is_event_loop(line))
      found.push_back(
          {sentence({"a loop in Python was seen in ", facts.name[owner.frame], " (", line, ")"}),
           instead_of_a_loop, absent});
  }
  return found;
}

std::string mostly_in(const Run& run, const std::string& function, const std::string& section) {
  const auto shares = profile_shares(run, {}, section);
  if (shares == nullptr) return "";
  double most = 0, all = 0;
  std::string name;
  for (const ProfileShares::Owner& owner : shares->owners)
    all += owner.inside && shares->facts->name[owner.frame] == function ? owner.samples.count : 0;
  for (const ProfileShares::Call& call : shares->calls) {
    if (shares->facts->name[call.caller] != function || !(call.samples > most)) continue;
    most = call.samples;
    name = std::string(name_of(shares->facts->category[call.frame])) + "'s " +
           shares->facts->name[call.frame];
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
  double most_locked = 0, most_elsewhere = 0;
  for (const ProfileShares::Owner& owner : shares->owners) {
    const ProfileShares::Samples& samples = owner.samples;
    blocked.all += samples.blocked / all;
    (owner.inside ? blocked.reading_inside : blocked.reading_outside) += samples.reading / all;
    blocked.locks += samples.locked / all;
    if (owner.inside && samples.locked > most_locked) {
      most_locked = samples.locked;
      blocked.lock_function = shares->facts->name[owner.frame];
    }
    const double off_cpu = samples.count - samples.on_cpu - samples.reading - samples.locked;
    if (owner.inside && off_cpu / all > value_or(blocked.off_cpu, 0)) {
      blocked.off_cpu = off_cpu / all;
      blocked.off_cpu_function = shares->facts->name[owner.frame];
    }
    const double elsewhere = samples.blocked - samples.reading - samples.locked;
    if (!owner.inside || !(elsewhere > 0)) continue;
    blocked.elsewhere += elsewhere / all;
    if (elsewhere > most_elsewhere) {
      most_elsewhere = elsewhere;
      blocked.elsewhere_function = shares->facts->name[owner.frame];
    }
  }
  blocked.inside = shares->inside / all;
  return blocked;
}

}  // namespace crema::runtime
