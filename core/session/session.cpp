#include "core/session/session.hpp"

#include <set>

#include "core/align/align.hpp"
#include "core/session/opening.hpp"

namespace crema {

namespace {

/// A range that is open on a side ends there with the runs; one that lies beyond them is empty.
Selection with_both_ends(Selection selection, std::span<const Run* const> runs) {
  if (!selection.time) return selection;
  double begin = absent;
  double end = absent;
  for (const Run* run : runs) {
    begin = std::fmin(begin, run->window().begin);
    end = std::fmax(end, run->window().end);
  }
  Selection::TimeRange& time = *selection.time;
  if (std::isinf(time.begin)) time.begin = std::fmin(begin, time.end);
  if (std::isinf(time.end)) time.end = std::fmax(end, time.begin);
  return selection;
}

/// A time range that holds all of every run narrows nothing: the answers are those without it.
Selection effective_selection(const Selection& selection, std::span<const Run* const> runs) {
  Selection effective = with_both_ends(selection, runs);
  const auto holds_all = [&](const Run* run) {
    const Run::Window window = run->window();
    return effective.time->begin <= window.begin && effective.time->end >= window.end;
  };
  if (effective.time && all_of(runs, holds_all)) effective.time.reset();
  return effective;
}

/// Names in the order in which a person looks for them, each once.
using NameSet = std::set<std::string_view>;

/// Of each id once: ids are few, rows many.
void add_texts(NameSet& names, const Run& run, const std::vector<StringId>& ids) {
  for (const StringId id : std::set<StringId>(ids.begin(), ids.end())) {
    if (id != no_string) names.insert(run.text(id));
  }
}

void add_texts_of_trees(NameSet& names, const Run& run, StringId CallTree::*of) {
  for (const CallTree& tree : run.call_trees) {
    if (tree.*of != no_string) names.insert(run.text(tree.*of));
  }
}

/// Throws Failure where none of `runs` has a name that the selection wants.
void check_names(const Selection& selection, std::span<const Run* const> runs) {
  const auto check = [&](const char* what, const std::vector<std::string>& wanted,
                         void (*add)(NameSet&, const Run&)) {
    NameSet known;
    for (const Run* run : runs) {
      if (!wanted.empty()) add(known, *run);
    }
    for (const std::string& name : wanted) {
      if (known.contains(name)) continue;
      const std::vector<std::string_view> list(known.begin(), known.end());
      throw Failure(ErrorCode::bad_selection,
                    std::string("no ") + what + " " + not_among(name, list));
    }
  };
  check("worker", selection.workers, [](NameSet& names, const Run& run) {
    for (const auto* ids : {&run.workers.address, &run.workers.name, &run.tasks.worker})
      add_texts(names, run, *ids);
    add_texts_of_trees(names, run, &CallTree::worker);
  });
  check("dataset", selection.datasets,
        [](NameSet& names, const Run& run) { add_texts(names, run, run.chunks.dataset); });
  check("file", selection.files,
        [](NameSet& names, const Run& run) { add_texts(names, run, run.chunks.file); });
  check("host", selection.hosts, [](NameSet& names, const Run& run) {
    // A chunk without a file has a host, too.
    const std::vector<StringId>& files = run.chunks.file;
    for (const StringId file : std::set<StringId>(files.begin(), files.end())) {
      names.insert(runtime::host_of(run.text(file)));
      names.insert(runtime::site_of(run.text(file)));
    }
  });
  check("task prefix", selection.prefixes, [](NameSet& names, const Run& run) {
    add_texts(names, run, run.activities.prefix);
    add_texts(names, run, run.tasks.prefix);
    add_texts_of_trees(names, run, &CallTree::key);
  });
}

std::vector<const Run*> open_among(const Session& session, std::span<const RunId> ids) {
  std::vector<const Run*> open;
  for (const RunId id : ids) {
    if (const Run* one = session.run(id)) open.push_back(one);
  }
  return open;
}

const exports::Writer& find_writer(std::string_view id) {
  std::vector<std::string_view> known;
  for (const exports::Writer& writer : exports::writers()) {
    if (writer.id == id) return writer;
    known.push_back(writer.id);
  }
  throw Failure(ErrorCode::unknown_format, not_among(id, known));
}

DataNote unreadable(std::string file, std::string why) {
  return {"unreadable", Severity::high, std::move(file), Error::no_offset, {}, std::move(why), 1};
}

}  // namespace

std::string shown_path(const std::vector<OpeningSource>& sources, SourceId source,
                       std::string path) {
  for (; sources[source].parent; source = *sources[source].parent) {
    const std::string& around = sources[source].name;
    if (!around.empty()) path.insert(0, around + "/");
  }
  return path;
}

Session::Session(RunId first_run, HeadSize head)
    : names_(std::make_shared<Names>()), next_run_(first_run), head_(head) {}
Session::~Session() = default;

Opening& Session::opening() {
  if (!opening_) opening_ = std::make_unique<Opening>();
  return *opening_;
}

SourceId Session::begin_source(std::string name, std::optional<SourceId> parent) {
  std::vector<OpeningSource>& sources = opening().sources;
  if (parent && *parent >= sources.size()) parent.reset();
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  sources.push_back({std::move(name), parent, false});
  return static_cast<SourceId>(sources.size() - 1);
}

SourceId Session::begin_single_files(std::string name) {
  const SourceId source = begin_source(std::move(name));
  opening().sources[source].one_by_one = true;
  return source;
}

FileId Session::add_file(SourceId source, std::string path, std::uint64_t size) {
  // a source that was not begun is one like others
  while (source >= opening().sources.size()) begin_source({});
  OpeningFile& file = opening().files.emplace_back();
  file.source = source;
  file.shown = shown_path(opening().sources, source, path);
  file.path = std::move(path);
  file.size = size;
  file.head_size = head_;
  file.run = std::make_unique<Run>(names_);
  return static_cast<FileId>(opening().files.size() - 1);
}

void Session::push(FileId file, std::span<const char> bytes) {
  if (opening_ && file < opening_->files.size())
    opening_->files[file].guarded([&](OpeningFile& f) { f.push(bytes); });
}

bool Session::wants_more(FileId file) const {
  return opening_ && file < opening_->files.size() && opening_->files[file].wants_more();
}

void Session::finish_file(FileId file) {
  if (opening_ && file < opening_->files.size())
    opening_->files[file].guarded([](OpeningFile& f) { f.finish(); });
}

void Session::fail_file(FileId file, std::string why) {
  if (opening_ && file < opening_->files.size())
    opening_->files[file].guarded([&](OpeningFile& f) { f.fail(why); });
}

void Session::miss_file(SourceId source, std::string path, std::string why) {
  while (source >= opening().sources.size()) begin_source({});
  std::string shown = shown_path(opening().sources, source, path);
  opening().missing.push_back(
      {source, std::move(path), unreadable(std::move(shown), std::move(why))});
}

void Session::miss_rest(SourceId source, std::string name, std::string why) {
  while (source >= opening().sources.size()) begin_source({});
  opening().missing.push_back({source, {}, unreadable(std::move(name), std::move(why))});
}

std::string_view Session::format_of(FileId file) const {
  if (!opening_ || file >= opening_->files.size()) return {};
  const read::Format* format = opening_->files[file].format;
  return format == nullptr ? std::string_view{} : format->id;
}

FileProgress Session::progress(FileId file) const {
  if (!opening_ || file >= opening_->files.size()) return {};
  const OpeningFile& one = opening_->files[file];
  return {format_of(file), one.reader ? one.reader->where() : std::string(), one.run->stored};
}

bool Session::reuse_file(RunId id, SourceId source, const std::string& path) {
  const auto found = runs_.find(id);
  if (found == runs_.end()) return false;
  // Rows are in the order of their parts: after one that was read none is taken.
  std::deque<OpeningFile>& files = opening().files;
  const bool is_late =
      any_of(files, [](const OpeningFile& file) { return is_part(file) && !file.is_reused; });
  std::vector<OpeningFile>& kept = found->second->kept;
  if (is_late || kept.empty() || kept.front().path != path || opening().reuses.value_or(id) != id)
    return false;
  while (source >= opening().sources.size()) begin_source({});
  opening().reuses = id;
  files.push_back(std::move(kept.front()));
  kept.erase(kept.begin());
  files.back().source = source;
  files.back().is_reused = true;
  return true;
}

Result<Opened> Session::finish() {
  return guarded([&] { return make_runs({}); });
}

Result<Opened> Session::renew(RunId run) {
  return guarded([&] { return make_runs(run); });
}

Opened Session::make_runs(std::optional<RunId> renewed) {
  const std::unique_ptr<Opening> opening = std::move(opening_);
  Opened opened;
  if (!opening) throw Failure(ErrorCode::nothing_to_show, "no file was given");
  for (OpeningFile& file : opening->files) {
    if (!file.finished) file.guarded([](OpeningFile& f) { f.finish(); });
  }
  const Reused reused(*opening);
  auto made = group_into_runs(*opening, names_, opened.data_notes);
  if (made.empty()) {
    // a line for each file: a list on screen
    std::string reasons;
    for (const DataNote& note : opened.data_notes) {
      if (reasons.size() > 2000) {
        reasons += "\n…";
        break;
      }
      reasons += sentence({"\n", visible(note.file), note.file.empty() ? "" : ": ", note.message});
      if (note.offset != Error::no_offset && note.offset > 0)
        reasons += sentence({", at byte ", std::to_string(note.offset),
                             note.path.empty() ? "" : " in ", visible(note.path)});
    }
    throw Failure(ErrorCode::nothing_to_show, reasons);
  }
  if (reused.parts > 0) {
    if (opening->reuses != renewed || made.front().reused != reused.parts)
      throw Failure(ErrorCode::unknown_run, "the parts that were reused are not of one run");
    // A client that begins again, or another, numbers its parts alike.
    const auto begin_of = [](const NewRun& one) {
      return value_or(one.run->recording.index.begin, 0);
    };
    if (begin_of(made.front()) != begin_of(*runs_.at(*renewed)))
      throw Failure(ErrorCode::unknown_run, "the parts that were reused are of another recording");
    take_rows(reused, *runs_.at(*renewed), made.front());
    runs_.erase(*renewed);  // it has lost its rows
  }
  for (NewRun& one : made) {
    if (one.run->recording.index.is_running) keep_moments(one);
    align::settle(*one.run);
    // Columns grow by doubling: what they have too much goes back, unless it is little.
    for_each_column(*one.run, [](auto& column) {
      if (column.capacity() - column.size() > column.size() / 4) column.shrink_to_fit();
    });
    const RunId id = renewed && opened.runs.empty() ? *renewed : next_run_++;
    one.run->number = id;
    opened.runs.push_back(id);
    runs_[id] = std::make_unique<NewRun>(std::move(one));
  }
  tell_runs_apart();
  return opened;
}

void Session::cancel() { opening_.reset(); }

std::vector<RunId> Session::runs() const {
  std::vector<RunId> ids;
  for (const auto& [id, run] : runs_) ids.push_back(id);
  return ids;
}

const Run* Session::run(RunId id) const {
  const auto found = runs_.find(id);
  return found == runs_.end() ? nullptr : found->second->run.get();
}

const Run& Session::open_run(RunId id) const {
  if (const Run* const one = run(id)) return *one;
  std::string open;
  for (const RunId other : runs()) open += (open.empty() ? "" : ", ") + std::to_string(other);
  throw Failure(ErrorCode::unknown_run,
                sentence({std::to_string(id), "; open are ", open.empty() ? "none" : open}));
}

std::vector<FilePlace> Session::files(RunId id) const {
  const auto found = runs_.find(id);
  return found == runs_.end() ? std::vector<FilePlace>{} : found->second->files;
}

void Session::close(RunId id) {
  runs_.erase(id);
  tell_runs_apart();
}

void Session::tell_runs_apart() {
  std::vector<NewRun*> open;
  open.reserve(runs_.size());
  for (const auto& [id, run] : runs_) open.push_back(run.get());
  tell_apart(open);
}

Session::Chosen Session::choose(std::string_view name, std::span<const RunId> ids,
                                const Selection& selection, const Options& options) const {
  const query::Question& question = query::named(name);
  crema::check(options, question.options);
  std::vector<const Run*> chosen;
  for (const RunId id : ids) {
    chosen.push_back(&open_run(id));
  }
  if (ids.empty()) {
    for (const auto& [id, one] : runs_) {
      if (chosen.size() < question.run_count.most) chosen.push_back(one->run.get());
    }
  }
  if (chosen.size() < question.run_count.least || chosen.size() > question.run_count.most) {
    throw Failure(ErrorCode::wrong_run_count,
                  sentence({name, " takes ",
                            question.run_count.least == question.run_count.most ? "" : "at least ",
                            std::to_string(question.run_count.least), ", not ",
                            std::to_string(chosen.size())}));
  }
  return {question, chosen, effective_selection(selection, chosen)};
}

Result<Table> Session::ask(std::string_view name, std::span<const RunId> ids,
                           const Selection& selection, const Options& options,
                           bool may_be_unmade) const {
  return guarded([&] {
    const Chosen chosen = choose(name, ids, selection, options);
    return chosen.question(chosen.runs, chosen.selection, options, may_be_unmade);
  });
}

Result<Table> Session::ask(std::string_view text) const {
  const auto request = guarded([&] {
    Request asked = parse_request(text);
    // Which tasks are the processor's is known of a run: it may be said with any question.
    const auto& taken = query::named(asked.question).options;
    if (!contains(taken, &runtime::processor_option)) {
      std::map<std::string, std::string> others = asked.options.all();
      others.erase(std::string(runtime::processor_option.name));
      asked.options = Options(std::move(others));
    }
    return asked;
  });
  if (!request) return request.error();
  return ask(request.value().question, request.value().runs, request.value().selection,
             request.value().options);
}

std::optional<Error> Session::check(std::span<const RunId> ids, const Selection& selection) const {
  const auto checked = guarded([&] {
    check_names(selection, open_among(*this, ids));
    return true;
  });
  if (checked) return std::nullopt;
  return checked.error();
}

Selection Session::closed(const Selection& selection, std::span<const RunId> ids) const {
  return with_both_ends(selection, open_among(*this, ids));
}

std::vector<exports::Artefact> Session::written(RunId id, const exports::Writer& writer,
                                                const Selection& selection,
                                                const Options& options) const {
  crema::check(options, {writer.options.begin(), writer.options.size()});
  const Run* const one = &open_run(id);
  return writer.write(*one, effective_selection(selection, {&one, 1}), options);
}

Result<std::vector<exports::Artefact>> Session::export_run(RunId id, std::string_view to,
                                                           const Selection& selection,
                                                           const Options& options) const {
  return guarded([&] { return written(id, find_writer(to), selection, options); });
}

Result<std::vector<exports::Artefact>> Session::export_run(RunId id, const exports::Writer& writer,
                                                           const Selection& selection,
                                                           const Options& options) const {
  return guarded([&] { return written(id, writer, selection, options); });
}

}  // namespace crema
