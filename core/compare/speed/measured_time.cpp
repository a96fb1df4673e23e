#include "core/compare/speed/speed_cells.hpp"

#include "core/base/order.hpp"
#include "core/compare/sides.hpp"
#include "core/profile/profile.hpp"

namespace crema::compare {

namespace {

using recorded_columns::Task;

constexpr std::size_t kinds = 4;
constexpr std::size_t beside = kinds;      ///< what a task took beside process()
constexpr double beyond_chunks = 1.0 / 3;  // its share of the waiting, beyond that of the chunks

/// What one run's chunks did: [core-s] of each chunk by kind, once they are split.
struct Measured {
  const Run& run;
  const ChunkSelection& chosen;
  std::vector<double> computed, for_cpu,
      for_input;  ///< as rows say [core-s]; empty where none does
  std::array<std::vector<double>, kinds + 1> seconds{};
  bool known = true;

  Measured(const Run& of, const ChunkSelection& selected)
      : run(of),
        chosen(selected),
        computed(measured_of_chunks(run, Task::process_cpu)),
        for_cpu(measured_of_chunks(run, Task::run_delay)),
        for_input(measured_of_chunks(run, Task::request_wait)) {}

  void split(bool with_cpu, bool with_input) {
    for (auto& of_kind : seconds) of_kind.assign(run.chunks.size(), 0);
    for (std::size_t i = 0; known && i < run.chunks.size(); ++i) {
      if (!chosen[i]) continue;
      const double inside = chosen.share[i] * run.chunks.duration[i];
      const double computing = std::min(inside, chosen.share[i] * computed[i]);
      known = !is_absent(inside + computed[i]);  // std::min leaves out what is absent
      double left = inside - computing;
      const auto take = [&](bool with, const std::vector<double>& values) {
        const double taken = with ? std::min(left, value_or(values[i], 0)) : 0;
        left -= taken;
        return taken;
      };
      const double input = take(with_input, for_input);
      const double cpu = take(with_cpu, for_cpu);
      const std::array<double, kinds> all = {computing, cpu, input, left};
      for (std::size_t kind = 0; kind < kinds; ++kind) seconds[kind][i] = all[kind];
    }
    const std::vector<double> wall = measured_of_chunks(run, Task::wall);
    const std::vector<bool> is_first = first_of_workers(run);
    for (std::size_t i = 0; i < wall.size(); ++i)
      if (chosen[i] && !is_first[i])
        seconds[beside][i] = chosen.share[i] * value_or(wall[i] - run.chunks.duration[i], 0);
  }

  std::set<std::string_view> files() const {
    std::set<std::string_view> names;
    for (const StringId file : run.chunks.file) names.insert(run.text(file));
    return names;
  }

  double sum(std::size_t kind) const { return moments(seconds[kind]).sum; }

  /// Of the sum: chunks are alike within their dataset.
  double variance(std::size_t kind) const {
    const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
    double all = 0;
    for (std::size_t d = 0; d < datasets.size(); ++d) {
      std::vector<double> values;
      for (const std::uint32_t i : datasets.members(d))
        if (chosen[i]) values.push_back(seconds[kind][i]);
      if (values.size() > 1)
        all += static_cast<double>(values.size()) * stats::squared(moments(values).std);
    }
    return all;
  }
};

/// Chunks of one name, and what they did.
struct Group {
  double chunks = 0, seconds = 0;
};

ChunkKey key_of(PartId::Kind place) {
  return place == PartId::Kind::host   ? ChunkKey::host
         : place == PartId::Kind::file ? ChunkKey::file
                                       : ChunkKey::dataset;
}

/// By name: of workers, of files that the `other` run has not, or of places that chunks are grouped
/// by.
std::map<std::string, Group> groups_of(const Measured& m, const Measured& other, std::size_t kind,
                                       PartId::Kind place) {
  const Run& run = m.run;
  std::map<std::string, Group> groups;
  const auto add = [&](Group& group, std::size_t i) {
    group.chunks += m.chosen[i] ? 1 : 0;
    group.seconds += m.seconds[kind][i];  // of a chunk that is not chosen 0
  };
  if (place == PartId::Kind::worker) {
    const auto& workers = run.chunks.worker;
    for (std::size_t i = 0; i < run.chunks.size(); ++i) {
      const bool is_known = !workers.empty() && workers[i] != no_string;
      add(groups[is_known ? profile::worker_label(run, workers[i]) : ""], i);
    }
  } else if (place == PartId::Kind::other_files) {
    const std::set<std::string_view> known = other.files();
    for (std::size_t i = 0; i < run.chunks.size(); ++i)
      add(groups[known.contains(run.text(run.chunks.file[i])) ? "" : "exchanged"], i);
  } else {
    const ChunkGroups& of = chunk_groups(run, key_of(place));
    for (std::size_t group = 0; group < of.size(); ++group)
      for (const std::uint32_t i : of.members(group)) add(groups[std::string(of.name[group])], i);
  }
  std::erase_if(groups, [](const auto& group) { return group.second.chunks == 0; });
  return groups;
}

/// "a.root and 2 more": B's files that A has not.
std::string exchanged(const Measured& a, const Measured& b) {
  const std::set<std::string_view> known = a.files();
  std::set<std::string_view> others = b.files();
  std::erase_if(others, [&](std::string_view file) { return known.contains(file); });
  return first_of(std::string(*others.begin()), others.size());
}

PartId id_of(PartId::Kind kind, const std::string& name) {
  PartId id{.kind = kind};
  if (kind == PartId::Kind::dataset) id.dataset = name;
  else id.place = name;
  return id;
}

/// [core-s] more in B by place of that kind, with the share of its chunks. Workers of two runs are
/// not the same: each is held against its share of all.
struct Change {
  double seconds = 0, chunks = 0;
};
std::map<std::string, Change> changes_of(const Measured& a, const Measured& b, std::size_t kind,
                                         PartId::Kind place) {
  const auto in_a = groups_of(a, b, kind, place);
  const auto in_b = groups_of(b, a, kind, place);
  const double all_of_a = a.sum(kind);
  double chunks = 0;
  for (const auto& [name, group] : in_b) chunks += group.chunks;
  std::map<std::string, Change> changes;
  for (const auto& [name, group] : in_b) {
    const auto before = in_a.find(name);
    const double share = group.chunks / chunks;
    const double usual = place == PartId::Kind::worker ? all_of_a * share
                         : before == in_a.end()        ? absent
                                                       : before->second.seconds;
    if (!name.empty()) changes[name] = {group.seconds - usual, share};
  }
  return changes;
}

/// Where most of the `seconds` more are.
std::optional<PartId> place_of(const Measured& a, const Measured& b, std::size_t kind,
                               double seconds, std::span<const PartId::Kind> places) {
  for (const PartId::Kind place : places) {
    for (const auto& [name, change] : changes_of(a, b, kind, place)) {
      const double share = change.seconds / seconds;
      if (change.chunks <= most_of_parent && share >= most_of_parent &&
          share - change.chunks >= beyond_chunks)
        return id_of(place, place == PartId::Kind::other_files ? exchanged(a, b) : name);
    }
  }
  return {};
}

using Place = PartId::Kind;
constexpr Place input_places[] = {Place::host, Place::dataset};
constexpr Place waiting_places[] = {Place::worker};
constexpr Place places_beside[] = {Place::other_files, Place::file, Place::dataset};

}  // namespace

MeasuredChange measured_change(std::span<const Run* const> a, std::span<const Run* const> b,
                               std::span<const ChunkSelection> chosen) {
  MeasuredChange made;
  const auto beside_workers = [](const Run* run) {
    const MachineUse& use = machine_use(*run);
    const auto mean = [](const std::vector<double>& values) { return moments(values).mean; };
    return mean(use.others) + value_or(mean(use.started), 0) + value_or(mean(use.client), 0);
  };
  made.others = beside_workers(b[0]) - beside_workers(a[0]);
  std::vector<Measured> of_a, of_b;
  for (std::size_t i = 0; i < a.size(); ++i) of_a.emplace_back(*a[i], chosen[i]);
  for (std::size_t i = 0; i < b.size(); ++i) of_b.emplace_back(*b[i], chosen[a.size() + i]);
  const auto all_tell = [&](std::vector<double> Measured::*column) {
    const auto tells = [&](const Measured& one) { return !(one.*column).empty(); };
    return all_of(of_a, tells) && all_of(of_b, tells);
  };
  if (!all_tell(&Measured::computed)) return made;
  const bool with_cpu = all_tell(&Measured::for_cpu);
  const bool with_input = all_tell(&Measured::for_input);
  for (std::vector<Measured>* side : {&of_a, &of_b}) {
    for (Measured& one : *side) {
      one.split(with_cpu, with_input);
      if (!one.known) return made;
    }
  }
  double change = 0;
  for (std::size_t kind = 0; kind <= kinds; ++kind) {
    MeasuredTime time{.kind = static_cast<MeasuredTime::Kind>(kind)};
    double variance = 0;
    const auto add = [&](const std::vector<Measured>& side, double sign) {
      const auto runs = static_cast<double>(side.size());
      for (const Measured& one : side) {
        time.seconds += sign * one.sum(kind) / runs;
        variance += one.variance(kind) / stats::squared(runs);
      }
    };
    add(of_a, -1);
    add(of_b, 1);
    time.error = std::sqrt(variance);
    const auto place = [&](std::span<const Place> places) {
      return time.seconds > z_bonferroni * time.error
                 ? place_of(of_a[0], of_b[0], kind, time.seconds, places)
                 : std::nullopt;
    };
    if (kind == beside) {
      made.beside = place(places_beside);
      break;
    }
    change += time.seconds;
    if (time.kind == MeasuredTime::Kind::for_input) time.place = place(input_places);
    else if (time.kind != MeasuredTime::Kind::computing) time.place = place(waiting_places);
    made.times.push_back(std::move(time));
  }
  sort_stably(made.times, [&](const MeasuredTime& x, const MeasuredTime& y) {
    return x.seconds * change > y.seconds * change;
  });
  if (!with_cpu && !(made.others >= much_others)) return made;
  const auto waits = static_cast<std::size_t>(with_cpu ? MeasuredTime::Kind::for_cpu
                                                       : MeasuredTime::Kind::waiting);
  for (const PartId::Kind place : {PartId::Kind::dataset, PartId::Kind::file}) {
    for (const auto& [name, more] : changes_of(of_a[0], of_b[0], waits, place))
      made.for_cpu[id_of(place, name)] = more.seconds;
  }
  return made;
}

}  // namespace crema::compare
