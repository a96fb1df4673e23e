#include "core/profile/profile.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace crema::profile {

namespace {

using Kind = CallTree::Kind;

constexpr double default_interval = 0.010;  // [s] distributed.worker.profile.interval
constexpr double default_cycle =
    1.0;  // [s] distributed.worker.profile.cycle: event loops are sampled once per cycle

std::string id_of(const Run& run, const CallTree& tree) {
  if (tree.worker != no_string) return std::string(run.text(tree.worker));
  if (tree.key != no_string) return "key:" + std::string(run.text(tree.key));
  if (tree.kind == Kind::import) return "import:" + tree.name;
  return "file:" + std::string(base_name(tree.source));
}

std::string label_of(const Run& run, const CallTree& tree) {
  if (tree.worker != no_string) return worker_label(run, tree.worker);
  if (tree.key != no_string) return std::string(run.text(tree.key));
  return tree.name;
}

// Which sources say the same, finest first. Samples that know their task and count the innermost
// frame come before Dask's; a page's boxes come behind imported stacks, which have no less and are
// whole.
struct Rank {
  Kind kind;
  bool boxes;
  bool by_rows = false;
};
constexpr Rank finest_first[] = {{Kind::worker, false, true}, {Kind::worker, false},
                                 {Kind::key, false},          {Kind::merged, false},
                                 {Kind::import, false},       {Kind::merged, true},
                                 {Kind::server, false},       {Kind::server, true},
                                 {Kind::scheduler, false},    {Kind::scheduler, true}};

bool of_rank(const CallTree& tree, const Rank& rank) {
  return tree.kind == rank.kind && (tree.form == CallTree::Form::boxes) == rank.boxes &&
         tree.by_rows == rank.by_rows;
}

// Event loops run beside the tasks, and a speedscope file may be of anything: they repeat nothing.
bool repeats_tasks(const CallTree& tree) {
  return is_of_tasks(tree.kind) || (tree.kind == Kind::import && tree.form != CallTree::Form::tree);
}

// The first profile of a file may be the sum of the others, as in Crema's own export: it then
// counts as much as they do.
void drop_sums(std::vector<const CallTree*>& trees) {
  struct File {
    const CallTree* first = nullptr;
    std::size_t trees = 0;
    double others = 0;
  };
  std::map<std::string_view, File> files;
  for (const CallTree* tree : trees) {
    File& file = files[tree->source];
    if (++file.trees == 1) file.first = tree;
    else file.others += whole_count(*tree);
  }
  const auto is_sum = [&](const CallTree* tree) {
    const File& file = files[tree->source];
    return tree == file.first && file.trees > 2 &&
           std::fabs(file.others - whole_count(*tree)) <= 1e-9 * file.others;
  };
  std::erase_if(trees, is_sum);
}

// Of two trees of one subject the finer counts, of equally fine ones the larger, of equals the
// first.
std::vector<const CallTree*> counted_trees(const Run& run) {
  std::vector<const CallTree*> counted;
  for (const Rank& rank : finest_first) {
    std::map<std::pair<StringId, StringId>, std::size_t> place;
    for (const CallTree& tree : run.call_trees) {
      if (!of_rank(tree, rank)) continue;
      const auto known = place.find(subject_of(tree));
      if (is_of_tasks(rank.kind) && known != place.end()) {
        const CallTree& other = *counted[known->second];
        if (tree.form < other.form ||
            (tree.form == other.form && whole_count(tree) > whole_count(other)))
          counted[known->second] = &tree;
        continue;
      }
      place.emplace(subject_of(tree), counted.size());
      counted.push_back(&tree);
    }
    if (!counted.empty()) break;
  }
  // Of imports, whole trees before folded stacks, which may repeat them.
  const auto finest =
      std::min_element(counted.begin(), counted.end(),
                       [](const CallTree* a, const CallTree* b) { return a->form < b->form; });
  if (finest != counted.end() && (*finest)->kind == Kind::import) {
    const CallTree::Form form = (*finest)->form;
    std::erase_if(counted, [&](const CallTree* tree) { return tree->form != form; });
    drop_sums(counted);
  }
  // Only what counts the same can be added up.
  const auto other_unit = [&](const CallTree* tree) { return tree->unit != counted.front()->unit; };
  std::erase_if(counted, other_unit);
  return counted;
}

/// Whether it is recorded what was sampled when, in slices.
bool has_slices(const Run& run) {
  return !run.profile_slices.empty() && !is_absent(run.profile_slices.front().begin);
}

/// The slices that overlap a selected time.
struct Slices {
  std::vector<const CallTree*> trees;
  std::string note;  ///< which they are, a sentence; "" where no time is selected or none recorded
};

Slices slices_within(const Run& run, const Selection& selection) {
  Slices within;
  if (!selection.time || !has_slices(run)) return within;
  double begin = absent;
  double end = absent;
  for (const CallTree& slice : run.profile_slices) {
    if (!(slice.begin < selection.time->end && slice.end > selection.time->begin)) continue;
    within.trees.push_back(&slice);
    if (!(begin <= slice.begin)) begin = slice.begin;
    if (!(end >= slice.end)) end = slice.end;
  }
  within.note = within.trees.empty()
                    ? "Nothing was sampled in the selected time."
                    : "Samples of " + format_seconds(std::max(begin, run.window().begin)) + " to " +
                          format_seconds(end) +
                          ": the recorded slices that overlap the selected time.";
  return within;
}

/// What of the slices a recorded tree has: all, those of its worker, or of its prefix.
Profile part_of(const Slices& slices, Profile whole) {
  const CallTree& tree = *whole.trees.front();
  std::vector<const CallTree*> parts = slices.trees;
  std::erase_if(parts, [&](const CallTree* slice) {
    return (tree.worker != no_string && slice->worker != tree.worker) ||
           (tree.key != no_string && slice->key != tree.key);
  });
  const bool separated =
      slices.trees.empty() || tree.worker == no_string || slices.trees.front()->worker != no_string;
  if (separated) whole.trees = std::move(parts);
  whole.note = separated ? slices.note
                         : "The selected time does not narrow this: the recorded slices are of all "
                           "workers together.";
  return whole;
}

/// By its address or its name.
bool leaves_worker(const Run& run, const Selection& selection, StringId address) {
  return leaves(selection.workers, run.text(address)) ||
         leaves(selection.workers, worker_label(run, address));
}

/// Keeps of `trees` those that are selected, and notes that in `all`.
void narrow(const Run& run, const Selection& selection, std::vector<const CallTree*>& trees,
            const std::string& time_note, Profile& all) {
  std::string& note = all.note;
  note.clear();
  const auto explain = [&](std::string_view sentence) {
    if (!note.empty()) note += ' ';
    note += sentence;
  };
  const bool by_worker = !trees.empty() && trees.front()->worker != no_string;
  const bool by_prefix = !trees.empty() && trees.front()->key != no_string;
  const auto keep = [&](const auto& wanted) {
    std::erase_if(trees, [&](const CallTree* tree) { return !wanted(*tree); });
    all.sums_selected = true;
  };
  if (!selection.workers.empty()) {
    if (by_worker) {
      keep([&](const CallTree& tree) { return leaves_worker(run, selection, tree.worker); });
      explain("Only the selected workers' profiles are added up.");
    } else {
      explain("The selection of workers does not narrow this: no profile per worker was recorded.");
    }
  }
  if (!selection.prefixes.empty()) {
    if (by_prefix) {
      keep([&](const CallTree& tree) { return leaves(selection.prefixes, run.text(tree.key)); });
      explain("Only the selected task prefixes' profiles are added up.");
    } else {
      explain(
          "The selection of task prefixes does not narrow this sum; choose a prefix's own profile "
          "where one was recorded.");
    }
  }
  if (!time_note.empty()) explain(time_note);
  else if (selection.time)
    explain("The selected time does not narrow this: Dask's call trees carry no times.");
  if (selection.uses(Selection::of_chunks))
    explain("The selection of chunks does not narrow this: samples do not record their chunk.");
}

using recorded_columns::Sample;
using recorded_columns::Section;
using recorded_columns::Task;

/// What of the samples of `crema.record` is wanted.
struct WantedSamples {
  const Selection& selection;
  std::string section{};    ///< "" = all
  double chunk = absent;    ///< by its number; absent = all
  bool with_nested = true;  ///< and those in sections within the section
  bool by_section = false;  ///< below process() they lie under their sections

  /// What tells it from others.
  std::string key() const {
    std::string text = format_number(chunk) +
                       (by_section    ? "|by section "
                        : with_nested ? "|"
                                      : "|own ") +
                       section;
    if (selection.time)
      text += "|" + number_text(selection.time->begin) + " " + number_text(selection.time->end);
    for (const auto& names :
         {selection.workers, selection.prefixes, selection.datasets, selection.files}) {
      text += '|';
      for (const std::string& name : names) text += std::to_string(name.size()) + ":" + name;
    }
    return text;
  }
};

/// Whether a section is called so, or lies in one that is.
bool is_within(const Run& run, std::uint32_t section, StringId name, bool with_nested) {
  const auto& sections = run.recording.sections;
  if (!with_nested) return section != no_row && sections.text(Section::name, section) == name;
  while (section != no_row && sections.text(Section::name, section) != name) {
    const std::uint32_t parent = sections.row(Section::parent, section);
    section = parent < section ? parent : no_row;
  }
  return section != no_row;
}

/// The part of each task's samples that is wanted, 0 … 1: of one that is only partly in the
/// selected time that part, as if its samples were spread evenly.
std::vector<double> wanted_parts(const Run& run, const WantedSamples& wanted) {
  const auto& tasks = run.recording.tasks;
  const Selection& of = wanted.selection;
  std::vector<double> parts(tasks.size(), 0);
  for (std::size_t row = 0; row < parts.size(); ++row) {
    if (run.text(tasks.text(Task::worker, row)) == "client" ||
        (!is_absent(wanted.chunk) &&
         static_cast<double>(run.recording.chunk[row]) != wanted.chunk) ||
        !leaves_worker(run, of, tasks.text(Task::address, row)) ||
        !leaves(of.prefixes, prefix_of_row(run, row)) ||
        !leaves(of.datasets, run.text(tasks.text(Task::dataset, row))) ||
        !leaves(of.files, run.text(tasks.text(Task::file, row))))
      continue;
    parts[row] = 1;
    if (!of.time) continue;
    const double begin = tasks.at(Task::begin, row), wall = tasks.at(Task::wall, row);
    const double within = std::min(of.time->end, begin + wall) - std::max(of.time->begin, begin);
    parts[row] = std::clamp(value_or(within / wall, 0), 0.0, 1.0);
  }
  return parts;
}

/// The name under which a section stands in a tree, as a function's.
FrameId frame_of_section(const Run& run, std::uint32_t section) {
  Names& names = *run.names;
  return names.frames.intern(run.recording.sections.text(Section::name, section),
                             names.strings.intern("(section)"), 0);
}

/// Adds a tree of samples of one section: what it has below the outermost process() lies under
/// `sections` there, the outermost first.
void add_below(CallTree& tree, ChildIndex& index, const CallTree& from, const Names& names,
               const std::vector<FrameId>& sections) {
  const StringId process = names.strings.find("process");
  std::vector<NodeId> place(from.size()), below(from.size());
  std::vector<bool> is_inside(from.size(), false);
  const auto add = [&](NodeId parent, FrameId frame, double count, double on_cpu,
                       std::uint32_t line) {
    const auto next = static_cast<NodeId>(tree.size());
    const NodeId node = index.find_or_add(parent, frame, next);
    if (node == next) tree.add(parent, frame, 0, line), tree.on_cpu.push_back(0);
    tree.count[node] += count;
    tree.on_cpu[node] += on_cpu;
    return node;
  };
  for (NodeId i = 0; i < from.size(); ++i) {
    const NodeId caller = from.parent[i];
    const bool is_process = i > 0 && !is_inside[caller] &&
                            names.frames.name[from.frame[i]] == process && !sections.empty();
    is_inside[i] = is_process || (i > 0 && is_inside[caller]);
    // What process() itself computed there is the section's.
    place[i] = below[i] = add(i == 0 ? no_node : below[caller], from.frame[i], from.count[i],
                              is_process ? 0 : from.on_cpu[i], from.line[i]);
    for (std::size_t k = 0; is_process && k < sections.size(); ++k)
      below[i] = add(below[i], sections[k], from.count[i],
                     k + 1 == sections.size() ? from.on_cpu[i] : 0, 0);
  }
}

/// The trees of all workers, of each section's samples one upon the other; `tree_of` makes those of
/// one section.
template <class TreesOf>
std::vector<CallTree> by_sections(const Run& run, const TreesOf& trees_of_section) {
  const RecordedTables& recording = run.recording;
  std::map<std::vector<FrameId>, std::vector<std::uint32_t>>
      kinds;  // sections that are called alike
  kinds[{}] = {no_row};
  for (std::uint32_t section = 0; section < recording.sections.size(); ++section) {
    std::vector<FrameId> names;
    for (std::uint32_t at = section; at < recording.sections.size();) {
      names.push_back(frame_of_section(run, at));
      const std::uint32_t parent = recording.sections.row(Section::parent, at);
      at = parent < at ? parent : no_row;
    }
    std::reverse(names.begin(), names.end());
    kinds[std::move(names)].push_back(section);
  }
  std::map<StringId, std::pair<CallTree, ChildIndex>> workers;
  for (const auto& [sections, rows] : kinds) {
    for (const CallTree& from : trees_of_section(rows)) {
      auto& [tree, index] = workers[from.worker];
      if (tree.size() == 0) {
        tree = from;
        for (auto* values : {&tree.count, &tree.on_cpu}) values->clear();
        tree.parent.clear(), tree.frame.clear(), tree.line.clear();
      }
      add_below(tree, index, from, *run.names, sections);
    }
  }
  std::vector<CallTree> made;
  for (auto& [worker, built] : workers) made.push_back(std::move(built.first));
  return made;
}

std::shared_ptr<const std::vector<CallTree>> trees_of(const Run& run, const WantedSamples& wanted) {
  return run.facts.of<Recent<std::string, std::vector<CallTree>>>().of(wanted.key(), [&] {
    const RecordedTables& recording = run.recording;
    const std::vector<double> parts = wanted_parts(run, wanted);
    if (wanted.by_section)
      return by_sections(run, [&](const std::vector<std::uint32_t>& rows) {
        return recording.trees(*run.names, [&](std::size_t sample) -> RecordedTables::Taken {
          const std::uint32_t task = recording.samples.row(Sample::task, sample);
          if (task == no_row || !std::binary_search(rows.begin(), rows.end(),
                                                    recording.samples.row(Sample::section, sample)))
            return {};
          return {recording.tasks.text(Task::address, task), parts[task]};
        });
      });
    const StringId name = run.names->strings.find(wanted.section);
    return recording.trees(*run.names, [&](std::size_t sample) -> RecordedTables::Taken {
      const std::uint32_t task = recording.samples.row(Sample::task, sample);
      if (task == no_row || (!wanted.section.empty() &&
                             !is_within(run, recording.samples.row(Sample::section, sample), name,
                                        wanted.with_nested)))
        return {};
      return {recording.tasks.text(Task::address, task), parts[task]};
    });
  });
}

// What of a selection rows of tasks do not know, and what they do.
constexpr Selection::Dimensions of_storage = Selection::by_host | Selection::by_range;
bool narrows_tasks(const Selection& of) {
  return of.uses(static_cast<Selection::Dimensions>(~of_storage));
}

std::string not_narrowed(const Selection& of) {
  return of.uses(of_storage) ? "The selection of hosts and of ranges does not narrow this." : "";
}

std::string joined(const std::string& a, const std::string& b) {
  return a + (a.empty() || b.empty() ? "" : " ") + b;
}

// In the order of CallTree::Kind.
constexpr std::string_view kind_names[] = {"worker", "server", "scheduler",
                                           "key",    "merged", "import"};
constexpr std::string_view all_labels[] = {"all workers",       "all event loops", "scheduler",
                                           "all task prefixes", "all workers",     "all profiles"};

}  // namespace

bool samples_follow(const Run& run, const Selection& selection) {
  const bool selects_storage = selection.uses(of_storage);
  const std::vector<CallTree>& trees = run.call_trees;
  if (any_of(trees, [](const CallTree& tree) { return tree.by_rows; })) return !selects_storage;
  return !selects_storage && selection.datasets.empty() && selection.files.empty() &&
         (!selection.time || has_slices(run));
}

std::string_view name_of(CallTree::Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::string worker_label(const Run& run, StringId address) {
  const std::size_t worker = run.workers.find(address);
  const StringId name = worker < run.workers.size() ? run.workers.name[worker] : no_string;
  return std::string(run.text(name == no_string ? address : name));
}

Profiles profiles_of(const Run& run, const Selection& selection) {
  Profiles profiles;
  if (run.call_trees.empty()) return profiles;
  std::vector<const CallTree*> counted = counted_trees(run);
  const std::set<const CallTree*> in_all(counted.begin(), counted.end());
  const CallTree& example = *counted.front();
  const auto is_repeated = [&](const CallTree& tree) {
    if (in_all.contains(&tree)) return false;
    if (example.kind == Kind::import && tree.kind == Kind::import) return tree.unit == example.unit;
    return repeats_tasks(tree) && (is_of_tasks(example.kind) || example.kind == Kind::import);
  };
  const bool of_rows = example.by_rows && narrows_tasks(selection);
  const WantedSamples wanted{selection};
  if (of_rows) profiles.trees = trees_of(run, wanted);
  const Slices slices = slices_within(run, selection);
  const bool sliced = !slices.note.empty() && is_of_tasks(example.kind);

  Profile all;
  all.id = "all";
  all.label = all_labels[static_cast<std::size_t>(example.kind)];
  std::set<StringId> workers;
  for (const CallTree* tree : counted) workers.insert(tree->worker);
  if (example.kind == Kind::worker && workers.size() < run.workers.size())
    all.label = sentence(
        {std::to_string(workers.size()), " of ", std::to_string(run.workers.size()), " workers"});
  all.kind = Kind::merged;
  /// Puts in the place of recorded trees what of their samples is selected.
  const auto narrow_rows = [&](Profile& of, StringId worker) {
    of.part = wanted.key();
    of.note = not_narrowed(selection);
    of.trees.clear();
    for (const CallTree& tree : *profiles.trees) {
      if (worker == no_string || tree.worker == worker) of.trees.push_back(&tree);
    }
  };
  if (example.by_rows) all.note = not_narrowed(selection);
  else narrow(run, selection, counted, {}, all);
  const std::set<const CallTree*> chosen(counted.begin(), counted.end());
  if (sliced && !example.by_rows) {
    counted = slices.trees;
    narrow(run, selection, counted, slices.note, all);
  }
  all.trees = std::move(counted);
  if (of_rows) narrow_rows(all, no_string);
  profiles.list.push_back(std::move(all));

  std::map<std::string, int> taken{{"all", 1}};
  for (const CallTree& tree : run.call_trees) {
    Profile one;
    one.id = id_of(run, tree);
    if (const int times = ++taken[one.id]; times > 1) one.id += "#" + std::to_string(times);
    one.label = label_of(run, tree);
    one.trees = {&tree};
    one.kind = tree.kind;
    one.alternative = is_repeated(tree);
    one.counted = chosen.contains(&tree);
    if (of_rows && tree.by_rows) {
      narrow_rows(one, tree.worker);
      one.counted = !one.trees.empty();
    } else if (sliced && is_of_tasks(tree.kind)) {
      one = part_of(slices, std::move(one));
    }
    profiles.list.push_back(std::move(one));
  }
  return profiles;
}

Profiles profiles_by_section(const Run& run, const Selection& selection) {
  Profiles all = profiles_of(run, selection);
  const auto& rows = run.recording;
  if (rows.samples.size() == 0 || rows.sections.size() == 0) return all;
  const WantedSamples wanted{.selection = selection, .by_section = true};
  all.trees = trees_of(run, wanted);
  for (Profile& one : all.list) {
    if (one.id != "all" && one.kind != CallTree::Kind::worker) continue;
    const StringId worker = one.id == "all"     ? no_string
                            : one.trees.empty() ? no_string
                                                : one.trees.front()->worker;
    if (one.id != "all" && worker == no_string) continue;
    one.part = wanted.key();
    one.trees.clear();
    for (const CallTree& tree : *all.trees)
      if (worker == no_string || tree.worker == worker) one.trees.push_back(&tree);
  }
  return all;
}

Profiles profiles_within(const Run& run, const Selection& selection, const std::string& section,
                         double chunk, bool with_nested) {
  if (run.recording.samples.size() == 0)
    throw Failure(ErrorCode::bad_option,
                  "no sample says in which section or chunk it was taken: crema.record keeps that");
  const WantedSamples wanted{selection, section, chunk, with_nested};
  Profiles within;
  within.trees = trees_of(run, wanted);
  std::string note = "Only samples";
  if (!section.empty()) note += " in the section " + section;
  if (!is_absent(chunk)) note += " of chunk " + format_number(chunk);
  if (narrows_tasks(selection)) note += " of the selected tasks";
  note = joined(note + ".", not_narrowed(selection));
  Profile all{.id = "all", .label = "all workers", .note = note, .part = wanted.key()};
  for (const CallTree& tree : *within.trees) all.trees.push_back(&tree);
  if (all.trees.empty()) return within;
  within.list.push_back(std::move(all));
  for (const CallTree& tree : *within.trees) {
    within.list.push_back({.id = std::string(run.text(tree.worker)),
                           .label = worker_label(run, tree.worker),
                           .trees = {&tree},
                           .kind = tree.kind,
                           .counted = true,
                           .note = note,
                           .part = wanted.key()});
  }
  return within;
}

std::string title_of(const Profile& profile) {
  if (profile.kind == Kind::worker) return "worker " + profile.label;
  if (profile.kind == Kind::key) return "task prefix " + profile.label;
  return profile.label;
}

const Profile& find_profile(const Profiles& profiles, std::string_view id) {
  const auto having = [&](auto text) {
    return std::find_if(profiles.list.begin(), profiles.list.end(),
                        [&](const Profile& p) { return p.*text == id; });
  };
  auto found = having(&Profile::id);
  if (found == profiles.list.end()) found = having(&Profile::label);
  if (found != profiles.list.end()) return *found;
  std::string known;
  for (std::size_t i = 0; i < profiles.list.size() && i < 10; ++i)
    known += (i == 0 ? "" : ", ") + profiles.list[i].id;
  if (profiles.list.size() > 10) known += ", ...";
  throw Failure(ErrorCode::bad_option,
                "no profile is called \"" + std::string(id) + "\"; there are " + known);
}

SampleTime sample_time(const Profile& profile) {
  if (profile.trees.empty() || profile.trees.front()->unit != "samples") return {};
  const Kind kind = profile.trees.front()->kind;
  const auto differs = [&](const CallTree* tree) {
    return !(tree->interval == profile.trees.front()->interval);
  };  // also when absent
  if (none_of(profile.trees, differs))
    return {profile.trees.front()->interval, SampleTime::Source::recorded};
  if (kind == Kind::import) return {};
  if (kind == Kind::server || kind == Kind::scheduler) {
    return {default_cycle, SampleTime::Source::assumed_cycle};
  }
  return {default_interval, SampleTime::Source::assumed_interval};
}

bool has_uncounted_leaves(const Profile& profile) {
  return any_of(profile.trees,
                [](const CallTree* tree) { return tree->leaves != CallTree::Leaves::counted; });
}

}  // namespace crema::profile
