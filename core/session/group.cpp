#include <algorithm>
#include <set>

#include "core/align/align.hpp"
#include "core/base/order.hpp"
#include "core/session/opening.hpp"

namespace crema {

namespace {

std::string joined(std::string_view above, std::string_view below) {
  return std::string(above) + (above.empty() || above.back() == '/' || below.empty() ? "" : "/") +
         std::string(below);
}

/// One data note for all files of a run that were not recognised: a folder may hold a hundred
/// plots.
void gather_not_recognised(Run& run) {
  const auto is_one = [](const DataNote& d) { return d.id == "not-recognised"; };
  const auto count = count_if(run.data_notes, is_one);
  if (count < 2) return;
  constexpr std::size_t most_named = 12;
  std::string names;
  std::size_t named = 0;
  for (const DataNote& note : run.data_notes) {
    if (!is_one(note) || ++named > most_named) continue;
    names += (names.empty() ? "" : ", ") + std::string(base_name(note.file));
  }
  if (named > most_named) names += ", …";
  std::erase_if(run.data_notes, is_one);
  run.add_note(
      "not-recognised", Severity::low,
      std::to_string(count) + " files have no format that Crema knows and were left out: " + names,
      {}, {}, Error::no_offset, static_cast<std::size_t>(count));
}

/// "metrics" of "a/metrics.json.gz": what the ending says, the format says too.
std::string stem_of(std::string_view path) {
  std::string_view name = base_name(path);
  for (const std::string_view ending : {".gz", ".json", ".digest", ".html", ".txt", ".folded"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  return std::string(name);
}

/// A run of loose files has no folder to be named after, and roastcoffea calls all of them
/// metrics.json: the processor then says more.
void name_after_processor(NewRun& made) {
  if (made.name != "metrics") return;
  const Run& run = *made.run;
  const StringId prefix = runtime::find_processor(run, {}).prefix;
  const std::string_view name = prefix == no_string ? std::string_view{} : run.text(prefix);
  // a class's name; Dask's own prefixes ("automatic_retries") are written small
  if (!name.empty() && name.front() >= 'A' && name.front() <= 'Z') made.name = std::string(name);
}

/// A folder of a source: what identifies the files in it. Its name alone says nothing.
struct Place {
  SourceId source = 0;
  std::string folder;
  bool operator<(const Place& other) const {
    return std::tie(source, folder) < std::tie(other.source, other.folder);
  }
};

/// A recording that goes on is there to be followed before its first task has ended.
bool makes_a_run(const OpeningFile& file) {
  return file.format != nullptr &&
         (file.format->makes_a_run || file.run->recording.index.is_running);
}
bool is_once(const OpeningFile& file) {
  return file.format != nullptr && file.format->once_per_run;
}
bool is_metrics(const OpeningFile& file) {
  return file.format != nullptr && file.format->id == "metrics";
}

/// Where files lie, and in which of these places runs are at home.
class Places {
 public:
  explicit Places(const Opening& opening)
      : sources_(opening.sources), gathered_(gathered_sources(opening)) {
    for (const OpeningFile& file : opening.files) {
      if (is_metrics(file)) homes_.insert(of(file));
    }
    // where no metrics are above or beside, the topmost folder with anything to show
    std::vector<Place> others;
    for (const OpeningFile& file : opening.files) {
      if (makes_a_run(file) && !home_of(of(file))) others.push_back(of(file));
    }
    sort_stably(others, [&](const Place& a, const Place& b) { return depth(a) < depth(b); });
    for (const Place& place : others) {
      if (!home_of(place)) homes_.insert(place);
    }
  }

  Place of(const OpeningFile& file) const { return of(file.source, file.path); }
  Place of(SourceId source, std::string_view path) const {
    return {source, gathered_.contains(source) ? std::string() : std::string(directory_of(path))};
  }

  /// The home of what lies in `place`: itself, or the nearest above.
  std::optional<Place> home_of(std::optional<Place> place) const {
    for (; place; place = above(*place)) {
      if (homes_.contains(*place)) return place;
    }
    return std::nullopt;
  }

  /// The folder that `place` lies in; an archive lies in a folder of the source that it was found
  /// in.
  std::optional<Place> above(const Place& place) const {
    if (!place.folder.empty()) return Place{place.source, std::string(directory_of(place.folder))};
    const OpeningSource& source = sources_[place.source];
    if (source.parent) return Place{*source.parent, source.name};
    return std::nullopt;
  }

  /// The whole name of a folder, for people.
  std::string name_of(const Place& place) const {
    const OpeningSource& source = sources_[place.source];
    return joined(source.parent ? name_of({*source.parent, source.name}) : source.name,
                  place.folder);
  }

  bool is_within(SourceId source, SourceId outer) const {
    std::optional<SourceId> at = source;
    while (at && *at != outer) at = sources_[*at].parent;
    return at.has_value();
  }

 private:
  /// Files that were given one by one belong together wherever they lie, unless metrics lie in
  /// several folders of theirs.
  static std::set<SourceId> gathered_sources(const Opening& opening) {
    std::map<SourceId, std::set<std::string_view>> folders;
    for (const OpeningFile& file : opening.files) {
      if (is_metrics(file)) folders[file.source].insert(directory_of(file.path));
    }
    std::set<SourceId> gathered;
    for (SourceId id = 0; id < opening.sources.size(); ++id) {
      if (opening.sources[id].one_by_one && folders[id].size() < 2) gathered.insert(id);
    }
    return gathered;
  }

  std::size_t depth(const Place& place) const {
    std::size_t count = 0;
    for (auto at = above(place); at; at = above(*at)) ++count;
    return count;
  }

  const std::vector<OpeningSource>& sources_;
  std::set<SourceId> gathered_;
  std::set<Place> homes_;
};

/// The runs of one home: mostly one. Where files of a kind that a run has once come again, there
/// are as many runs as metrics, or without metrics as files of the most frequent such kind that
/// shows something. Which of them another file belongs to is told by its name ("b_config.json"
/// stands with "b_metrics.json"), else by its number among those of its kind where each run can
/// have one, else by the order in which the files were given.
class Split {
 public:
  explicit Split(const std::vector<OpeningFile*>& files) : anchors_(find_anchors(files)) {
    kinds_.resize(std::max<std::size_t>(1, anchors_.size()));
    for (std::size_t run = 0; run < anchors_.size(); ++run)
      kinds_[run].insert(anchors_[run]->format->id);
    find_beginnings();
    std::map<const read::Format*, std::size_t> of_kind;
    for (const OpeningFile* file : files) ++of_kind[file->format];
    std::map<const read::Format*, std::size_t> seen;
    std::size_t last = 0;
    for (const OpeningFile* file : files) {
      const auto anchor = std::find(anchors_.begin(), anchors_.end(), file);
      if (anchor != anchors_.end()) {
        last = static_cast<std::size_t>(anchor - anchors_.begin());
        runs_.push_back(last);
        continue;
      }
      std::optional<std::size_t> run = by_name(*file);
      const std::size_t number = seen[file->format]++;
      if (!run && file->format != nullptr && of_kind[file->format] == anchors_.size()) run = number;
      runs_.push_back(free_run(*file, run.value_or(last)));
    }
  }

  std::size_t run_of(std::size_t file) const { return runs_[file]; }
  std::size_t count() const { return kinds_.size(); }
  /// The metrics, or whatever else makes it a run of its own; nullptr where nothing came again.
  const OpeningFile* anchor(std::size_t run) const {
    return run < anchors_.size() ? anchors_[run] : nullptr;
  }

 private:
  static std::vector<const OpeningFile*> find_anchors(const std::vector<OpeningFile*>& files) {
    std::map<const read::Format*, std::vector<const OpeningFile*>> by_kind;
    std::vector<const OpeningFile*> anchors;
    for (const OpeningFile* file : files) {
      if (!is_once(*file) || !makes_a_run(*file)) continue;
      by_kind[file->format].push_back(file);
      if (is_metrics(*file)) anchors = by_kind[file->format];
    }
    if (!anchors.empty()) return anchors;
    for (const read::Format& format : read::formats()) {
      if (const auto kind = by_kind.find(&format);
          kind != by_kind.end() && kind->second.size() > anchors.size())
        anchors = kind->second;
    }
    return anchors;
  }

  /// How the names of a run's files begin: as its anchor's does, up to what all anchors end with.
  void find_beginnings() {
    if (anchors_.size() < 2) return;
    std::vector<std::string> stems;
    stems.reserve(anchors_.size());
    for (const OpeningFile* anchor : anchors_) stems.push_back(stem_of(anchor->path));
    std::size_t same = 0;
    const auto ends_alike = [&] {
      return all_of(stems, [&](const std::string& stem) {
        return stem.size() > same &&
               stem[stem.size() - 1 - same] == stems[0][stems[0].size() - 1 - same];
      });
    };
    while (ends_alike()) ++same;
    for (std::string& stem : stems) stem.resize(stem.size() - same);
    beginnings_ = std::move(stems);
  }

  std::optional<std::size_t> by_name(const OpeningFile& file) const {
    const std::string_view name = base_name(file.path);
    std::optional<std::size_t> best;
    for (std::size_t run = 0; run < beginnings_.size(); ++run) {
      const std::string& beginning = beginnings_[run];
      if (beginning.empty() || !name.starts_with(beginning)) continue;
      if (!best || beginning.size() > beginnings_[*best].size()) best = run;
    }
    return best;
  }

  /// `run`, or where it has such a file already the next that has none; else a new one, if this
  /// file makes one.
  std::size_t free_run(const OpeningFile& file, std::size_t run) {
    if (!is_once(file)) return run;
    const std::string_view kind = file.format->id;
    std::size_t free = run;
    while (free < kinds_.size() && kinds_[free].contains(kind)) ++free;
    if (free == kinds_.size()) {
      if (!makes_a_run(file)) return run;
      kinds_.emplace_back();
    }
    kinds_[free].insert(kind);
    return free;
  }

  std::vector<const OpeningFile*> anchors_;
  std::vector<std::string> beginnings_;
  std::vector<std::set<std::string_view>> kinds_;  // those that a run has once, per run
  std::vector<std::size_t> runs_;                  // per file
};

/// Makes the runs of `home` of `files`, which are given in their order.
std::vector<NewRun> make_runs(const Place& home, const std::vector<OpeningFile*>& files,
                              const Places& places, const std::shared_ptr<Names>& names) {
  const Split split(files);
  const bool is_recorded_still =
      any_of(files, [](const auto* file) { return file->run->recording.index.is_running; });
  std::vector<NewRun> runs(split.count());
  std::vector<std::set<std::string_view>> kinds(split.count());
  for (std::size_t i = 0; i < files.size(); ++i) {
    OpeningFile& file = *files[i];
    const std::size_t number = split.run_of(i);
    NewRun& made = runs[number];
    if (!made.run) {
      made.run = std::make_unique<Run>(names);
      const OpeningFile* anchor = split.anchor(number);
      const OpeningFile& named = anchor != nullptr && is_metrics(*anchor) ? *anchor : file;
      const bool is_one_of_many = anchor != nullptr && anchor->format->one_of_many;
      const bool is_folder = number == 0 && !home.folder.empty() && !is_one_of_many;
      made.name = is_folder ? std::string(base_name(home.folder)) : stem_of(named.path);
      made.above = places.name_of(is_folder ? *places.above(home) : home);
      if (number > 0 && !home.folder.empty() && !is_one_of_many) {
        const OpeningFile& second = anchor == nullptr ? file : *anchor;
        made.run->add_note("second-of-its-kind", Severity::medium,
                           "the folder holds more than one file of " +
                               std::string(second.format->label) +
                               "; this one was opened as a separate run",
                           second.shown);
      }
    }
    if (is_once(file) && !kinds[number].insert(file.format->id).second) {
      made.run->add_note("second-of-its-kind", Severity::medium,
                         "the run has more than one file of " + std::string(file.format->label) +
                             "; where they differ, the first is used",
                         file.shown);
    }
    made.files.push_back({file.source, file.path});
    if (file.is_reused) ++made.reused;
    if (is_recorded_still && is_part(file)) join_part(made, std::move(file));
    else align::join(*made.run, std::move(*file.run));
  }
  for (NewRun& made : runs) {
    gather_not_recognised(*made.run);
    if (home.folder.empty()) name_after_processor(made);
  }
  return runs;
}

void note_no_run(OpeningFile& file, std::vector<DataNote>& notes) {
  std::move(file.run->data_notes.begin(), file.run->data_notes.end(), std::back_inserter(notes));
  if (file.format == nullptr) return;
  notes.push_back({.id = "no-run",
                   .file = file.shown,
                   .message = "this is " + std::string(file.format->label) +
                              ", but there are no metrics or profiles that it belongs to"});
}

}  // namespace

std::vector<NewRun> group_into_runs(Opening& opening, const std::shared_ptr<Names>& names,
                                    std::vector<DataNote>& notes) {
  const Places places(opening);
  std::map<Place, std::vector<OpeningFile*>> files_of;
  std::vector<const Place*> order;
  std::map<SourceId, std::set<Place>> homes_in;  // of files of each source
  for (OpeningFile& file : opening.files) {
    const auto home = places.home_of(places.of(file));
    if (!home) {
      note_no_run(file, notes);
      continue;
    }
    const auto [here, is_new] = files_of.try_emplace(*home);
    if (is_new) order.push_back(&here->first);
    here->second.push_back(&file);
    homes_in[file.source].insert(*home);
  }

  std::vector<NewRun> runs;
  std::map<Place, std::vector<Run*>> runs_of;
  for (const Place* home : order) {
    for (NewRun& made : make_runs(*home, files_of.at(*home), places, names)) {
      runs_of[*home].push_back(made.run.get());
      runs.push_back(std::move(made));
    }
  }

  for (const Missing& missing : opening.missing) {
    std::set<Place> homes;
    if (missing.path.empty()) {
      for (const auto& [source, in_it] : homes_in) {
        if (places.is_within(source, missing.source)) homes.insert(in_it.begin(), in_it.end());
      }
    }
    if (homes.empty()) {
      if (const auto home = places.home_of(places.of(missing.source, missing.path)))
        homes.insert(*home);
    }
    for (const Place& home : homes) {
      for (Run* run : runs_of[home]) run->data_notes.push_back(missing.note);
    }
    if (homes.empty()) notes.push_back(missing.note);
  }
  return runs;
}

}  // namespace crema
