#include "core/query/list.hpp"

#include "core/report/answer_text.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query {

namespace {

/// A question with options set, under a name of its own.
struct Alias {
  std::string_view name;
  const Question& of;
  std::string_view given;  ///< "of=files column=compression_ratio"
  std::string_view about;
  std::string_view without = {};  ///< a column that it leaves out
};

// The aliases, one a line.
// clang-format off
const Alias aliases[] = {
    {"datasets", groups::question, "by=dataset", "chunks by dataset: rates, durations, fixed cost"},
    {"files", groups::question, "by=file", "chunks by input file"},
    {"hosts", groups::question, "by=host", "chunks by storage host"},
    {"sites", groups::question, "by=site", "chunks by site (the domain of the storage host)"},
    {"runtime_histogram", distribution::question, "column=duration", "chunk durations", "density"},
    {"compression_histogram", distribution::question, "of=files column=compression_ratio", "compression ratios of the files", "density"},
    {"access_histogram", distribution::question, "of=files column=bytes_read_fraction", "shares of the files' bytes that were read", "density"},
    {"branch_histogram", distribution::question, "of=files column=branches_read_fraction", "shares of the files' branches that were read", "density"},
    {"callers", sandwich::question, "side=callers", "who calls a function, bottom-up"},
    {"callees", sandwich::question, "side=callees", "what a function calls"},
};
// clang-format on

Question made(const Alias& alias) {
  Question question = alias.of;
  question.alias_of = alias.of.name;
  question.name = alias.name;
  question.about = alias.about;
  question.without = alias.without;
  for (const std::string_view one : split(alias.given, " ")) {
    const std::size_t equals = one.find('=');
    const std::string_view name = one.substr(0, equals);
    question.given.emplace_back(name, one.substr(equals + 1));
    std::erase_if(question.options, [&](const Option* option) { return option->name == name; });
  }
  return question;
}

std::vector<const Question*> with_aliases() {
#define CREMA_ADDRESS(name) &name::question,
  std::vector<const Question*> list{CREMA_QUESTIONS(CREMA_ADDRESS)};
#undef CREMA_ADDRESS
  static std::deque<Question> short_ones;
  for (const Alias& alias : aliases) list.push_back(&short_ones.emplace_back(made(alias)));
  return list;
}

/// A digest answers what it keeps, and of all the run.
Table kept_answer(const Run& run, std::string_view name, const Selection& selection,
                  const Options& given) {
  std::string names;
  for (const std::shared_ptr<const Table>& table : run.kept) {
    if (table->question == name && selection.empty() && given.all().empty()) return *table;
    names += (names.empty() ? "" : ", ") + table->question;
  }
  throw Failure(ErrorCode::not_kept, run.title + " is a digest, which keeps the answers " + names +
                                         " of the whole run: open its recording for more");
}

/// What a recording lacks that goes on, it lacks so far; how to record it need not be said.
void say_so_far(Table& table) {
  for (Note& note : table.notes) {
    auto* const text = std::get_if<std::string>(&note.value);
    if (text == nullptr) continue;
    constexpr std::string_view ending = "recorded.";
    if (note.name == std::string_view("verdict") && text->ends_with(ending))
      text->insert(text->size() - 1, " so far");
    if (note.name != std::string_view("missing")) continue;
    if (text->find("record") == std::string::npos) continue;  // it is a selection that has nothing
    const std::size_t end = text->find_first_of(";:.(");
    *text = std::string(trimmed(std::string_view(*text).substr(0, end))) + " so far";
  }
}

}  // namespace

std::span<const Question* const> all() {
  static const std::vector<const Question*> list = with_aliases();
  return list;
}

void say(Table& table, const report::AnswerNote& note,
         std::initializer_list<report::FillValue> values) {
  table.note(note.name, report::fill(note.text, values));
}

const Question& named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Question* question : all()) {
    if (question->name == name) return *question;
    known.push_back(question->name);
  }
  throw Failure(ErrorCode::unknown_question, not_among(name, known));
}

Table Question::operator()(std::span<const Run* const> runs, const Selection& selection,
                           const Options& asked, bool may_be_unmade) const {
  if (!of_digests) {
    for (const Run* run : runs) {
      if (run->is_digest()) return kept_answer(*run, name, selection, asked);
    }
  }
  std::map<std::string, std::string> with = asked.all();
  for (const auto& [option, value] : given) with[std::string(option)] = value;
  const Options all(std::move(with));
  const auto answer = [&] {
    if (of_run != nullptr) return of_run(*runs[0], selection, all);
    Selection of_all = selection;
    if ((narrowed_by & Selection::by_worker) == 0)
      of_all.workers.clear();  // a worker is of one run
    return of_runs(runs, of_all, all);
  };
  Table table = answer();
  table.question = name;
  if (of_run != nullptr && runs[0]->recording.index.is_running) say_so_far(table);
  if (!may_be_unmade || !without.empty()) table.make();
  if (!without.empty())
    std::erase_if(table.columns, [&](const Column& column) { return column.name == without; });
  return table;
}

void note_chunk_selection(Table& table, const Run& run, const Selection& selection) {
  if (const std::string note = chunk_selection_note(run, selection); !note.empty())
    table.note("selection", note);
}

void note_chunks(Table& table, const Run& run, const Selection& selection) {
  if (!run.chunks_recorded) say(table, notes::no_chunks);
  note_chunk_selection(table, run, selection);
}

void note_worker_series(Table& table, const Run& run, const Selection& selection) {
  if (!run.tracked && run.ticks.empty()) say(table, notes::no_tracking);
  if (const std::string note = worker_series_note(selection); !note.empty())
    table.note("selection", note);
  table.note("window_end", run.window().end);
}

void note_time_mean(Table& table, const char* name, const Run& run, const Selection& selection,
                    std::size_t first, std::span<const double> values) {
  const Run::Window window = selected_window(run, selection);
  table.note(name, time_mean(run, first, values, window.begin, window.end));
}

void note_profile(Table& table, const Run& run, const Profile& profile, const ResolvedTree& tree,
                  LeafChoice choice) {
  table.note("profile", title_of(profile));
  if (!profile.note.empty()) table.note("selection", profile.note);
  if (profile.sums_selected) table.note("sums_selected", 1.0);
  if (profile.trees.empty()) {
    say(table, notes::no_profile_selected);
    return;
  }
  const profile::Certainty known = certainty(tree);
  const double all = known.certain + known.estimated + known.open;
  const double certain = ratio(known.certain, all);
  table.note("total", tree.whole());
  // Seconds of the threads of a cluster are core time; those of a tool's profile are its own.
  const CallTree& first = *profile.trees.front();
  table.note("unit", first.unit == "s" && is_of_tasks(first.kind) ? "core-s" : first.unit);
  if (!is_absent(certain)) {
    table.note("forced_share", certain);
    table.note("estimated_share", known.estimated / all);
    table.note("unresolved_share", known.open / all);
  }
  table.note("leaves", leaves_text(profile, choice, value_or(certain, 0),
                                   value_or(ratio(known.estimated, all), 0)));
  note_sample_time(table, run, profile);
}

void note_sample_time(Table& table, const Run& run, const Profile& profile) {
  const SampleTime time = calibrated_time(run, profile);
  if (is_absent(time.seconds)) return;
  table.note("seconds_per_sample", time.seconds);
  table.note("seconds_per_sample_source", sample_time_text(time));
}

void note_no_workers(Table& table, const FlameChoice& choice) {
  if (choice.profile == nullptr) say(table, notes::no_profile);
  else say(table, notes::no_worker_profiles);
}

void note_transform(Table& table, const FlameChoice& choice, const FlameTree& tree) {
  if (!choice.transform.empty()) table.note("transform", choice.transform);
  std::string limits;
  for (const TreeLimit& limit : tree.limits)
    limits += (limits.empty() ? "" : " ") + limit_text(limit);
  if (!limits.empty()) table.note("limits", limits);
}

}  // namespace crema::query
