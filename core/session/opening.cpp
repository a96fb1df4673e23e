#include "core/session/opening.hpp"

#include "core/align/align.hpp"

namespace crema {

namespace {

const read::Format* recognise(const read::Head& head) {
  return first_where(read::formats(), [&](const read::Format& f) { return f.recognises(head); });
}

bool is_text(std::string_view bytes) {
  return none_of(bytes, [](char c) { return static_cast<unsigned char>(c) < 0x09; });
}

// Recordings that their own tools turn into what can be read.
struct Recording {
  std::string_view mark;
  const char* what;
};
constexpr const char* line_profiler =
    "lines of single functions, of line_profiler: profiles of cProfile, pyinstrument and py-spy "
    "open here";
constexpr const char* pickle =
    "a pickle of Python, which is not read, because reading one runs code: json.dump writes what "
    "may "
    "open here";
constexpr Recording recordings[] = {
    {"Timer unit: ", line_profiler},
    {"\x04\x22M\x18",
     "compressed with LZ4, as recordings of memray are: memray transform csv FILE writes a table "
     "that opens here"},
    // as the command line sees it, which unpacks
    {"memray", "a recording of memray: memray transform csv FILE writes a table that opens here"},
    {"PERFILE2", "a recording of perf: what perf script -i FILE prints opens here"},
    {"MOJ", "a recording of Austin: mojo2austin FILE TEXT writes a text that opens here"},
    {"{\"start_time\"", "a session of pyinstrument: pyinstrument --load FILE -r json opens here"},
    {"\x80\x04\x95", pickle},
    {"\x80\x05\x95", pickle},
    {"\x83\xa9scheduler",
     "a dump of a Dask cluster's state, which has no times: performance_report(filename=...) "
     "around "
     "the run writes a page that opens here"},
};

// What tools draw where they are not asked for anything else: by what stands near its beginning.
constexpr const char* memray_numbers =
    "numbers of memray: memray transform csv writes, of the recording, a table that opens here";
constexpr Recording pictures[] = {
    {"github.com/jonhoo/inferno",
     "a picture of a flame graph, which py-spy draws by default: py-spy record --format speedscope "
     "writes a profile that opens here"},
    {"brendangregg/FlameGraph",
     "a picture of a flame graph: the folded stacks from which it was drawn open here"},
    {"<title>memray",
     "a page of memray: memray transform csv writes, of the recording, a table that opens here"},
    {"pyinstrumentHTMLRenderer",
     "a page of pyinstrument: pyinstrument -r json writes a profile that opens here"},
    {"_     ._   __/__   _ _",
     "a text of pyinstrument: pyinstrument -r json writes a profile that opens here"},
    {"   Ordered by: ",
     "a table that cProfile prints: python -m cProfile -o FILE writes a profile that opens here"},
    {"# To display the perf.data header info",
     "a table that perf report prints: what perf script prints opens here"},
    {"catapult-project/catapult",
     "a page of viztracer: viztracer -o FILE.json writes a trace that opens here"},
    {"YFuncStats", "statistics of yappi: yappi -f pstat writes a profile that opens here"},
    {"creator: yappi", "callgrind's format: yappi -f pstat writes a profile that opens here"},
    {"\nfn=", "callgrind's format, which is not read: a file of cProfile opens here as it is"},
    {"line_profiler.line_profiler", line_profiler},
    {" Time per hit|", line_profiler},
    {"Clock type: ", "statistics of yappi: yappi -f pstat writes a profile that opens here"},
    {"Performance counter stats for",
     "counters of perf stat, which are of no function: what perf script prints opens here"},
    {"\nPython v",
     "the stacks of one moment, of py-spy dump: py-spy record --format speedscope writes a profile "
     "that opens here"},
    {"Total memory allocated:", memray_numbers},
    {"\u2503 Location ", memray_numbers},
    {"\"total_num_allocations\"", memray_numbers},
    {"\"costs\": [{\"description\": \"Memory\"", memray_numbers},
};
constexpr std::size_t picture_head = 1000;

/// What a file is that another tool turns into what can be read; nullptr where it is not known.
const Recording* known_recording(std::string_view head) {
  for (const Recording& one : recordings) {
    if (head.starts_with(one.mark)) return &one;
  }
  for (const Recording& one : pictures) {
    if (head.substr(0, picture_head).find(one.mark) != head.npos) return &one;
  }
  return nullptr;
}

}  // namespace

void OpeningFile::leave_out(const nlohmann::json& sample, bool is_binary, bool complete) {
  DataNote note{"not-recognised", Severity::low, shown, Error::no_offset, {}, {}, 1};
  if (head.empty()) {
    note.id = "empty-file";
    note.offset = 0;
    note.message = describe(ErrorCode::empty_file);
  } else if (const Recording* known = known_recording(head)) {
    note.message = known->what;
  } else if (is_binary) {
    note.message = "its content was not recognised (a binary file)";
  } else if (const auto error = sample.is_structured() ? read::json_error(head) : std::nullopt;
             error && (complete || error->code != ErrorCode::truncated)) {
    note.id = error->code == ErrorCode::truncated ? "cut-off" : "broken-json";
    note.offset = error->offset;
    note.message = read::in_words(*error) + "; what comes before it was not recognised";
  } else {
    note.message =
        sample.is_structured()
            ? "its content was not recognised (JSON of another kind)"
            : "its content was not recognised (neither JSON nor a text format that Crema knows)";
  }
  run->data_notes.push_back(std::move(note));
}

/// [byte] The length at which `head` is looked at next. Lengths are fixed, so that what is
/// recognised does not depend on the pieces in which a file comes.
std::size_t OpeningFile::next_look() const {
  std::size_t length = head_size.first;
  while (length <= head.size()) length = std::min(16 * length, head_size.most);
  return length;
}

void OpeningFile::decide(bool complete) {
  const bool is_binary = !is_text(head.substr(0, 512));
  const read::Head seen(shown, head, complete, is_binary);
  format = recognise(seen);
  // An object may have any members before those that tell its format; a list is of one kind.
  const bool may_come =
      seen.sample().is_object() || (seen.sample().is_array() && head.size() == head_size.first);
  if (format == nullptr && !complete && may_come && head.size() < head_size.most) return;
  undecided = false;
  if (format != nullptr) {
    reader = format->open(*run, shown);
    reader->push(head);
  } else {
    leave_out(seen.sample(), is_binary, complete);
  }
  head.clear();
  head.shrink_to_fit();
}

void OpeningFile::give_up(const std::string& why) {
  reader.reset();
  undecided = false;
  head.clear();
  run->add_note("reader-failed", Severity::high, "reading stopped: " + why, shown, {}, received);
}

void OpeningFile::run_out() {
  reader.reset();  // it writes to the run
  run = std::make_unique<Run>(run->names);
  format = nullptr;  // nothing of it is left that could make a run
  give_up(
      "there is not enough memory for it. Close other runs, or open the run without this file or "
      "with fewer workers");
}

void OpeningFile::push(std::span<const char> bytes) {
  received += bytes.size();
  if (reader) {
    reader->push(bytes);
  } else if (undecided) {
    while (!bytes.empty() && undecided) {
      const std::size_t length = next_look();
      const std::size_t more = std::min(bytes.size(), length - head.size());
      head.append(bytes.data(), more);
      bytes = bytes.subspan(more);
      if (head.size() == length) decide(false);
    }
    if (reader && !bytes.empty()) reader->push(bytes);
  }
}

void OpeningFile::finish() {
  if (finished) return;
  finished = true;
  const bool is_whole = wants_more();  // else its rest may have been kept back
  if (undecided) decide(true);
  if (reader) reader->finish();
  reader.reset();
  const double bytes = is_whole    ? static_cast<double>(received)
                       : size == 0 ? absent
                                   : static_cast<double>(std::max(size, received));
  run->sources.push_back(
      {shown, bytes, format == nullptr ? "" : std::string(format->id), run->schema});
}

void OpeningFile::fail(const std::string& why) {
  run->add_note("unreadable", Severity::high, why, shown, {}, received);
  finish();
}

// A run whose recording goes on is made anew of its own rows and those of new parts: none is held
// twice, and none is read again.

namespace {

std::vector<std::size_t> row_counts(const RecordedTables& tables) {
  std::vector<std::size_t> counts;
  RecordedTables::each_table(tables,
                             [&](const RecordedRows& table) { counts.push_back(table.size()); });
  return counts;
}

/// Calls `visit` with each column that `align::settle` puts on the run axis.
template <class Visit>
void each_moment(RecordedTables& tables, const Visit& visit) {
  RecordedTables::each_table(tables, [&](RecordedRows& table) {
    for (std::size_t i = 0; i < table.declared().size(); ++i) {
      if (table.declared()[i].kind == RecordedColumn::Kind::moment) visit(table.columns()[i]);
    }
  });
}

}  // namespace

bool is_part(const OpeningFile& file) {
  return file.format != nullptr && file.format->id == "recorded_tasks";
}

void join_part(NewRun& run, OpeningFile&& part) {
  // A part has rows, which are the run's from now on, and what there is to note of it.
  Run joined(part.run->names);
  joined.recording = std::exchange(part.run->recording, {});
  joined.data_notes = part.run->data_notes;
  joined.sources = part.run->sources;
  align::join(*run.run, std::move(joined));
  if (!part.is_reused) part.rows_until = row_counts(run.run->recording);
  run.kept.push_back(std::move(part));
}

Reused::Reused(const Opening& opening) {
  for (const OpeningFile& file : opening.files) {
    if (!file.is_reused) continue;
    ++parts;
    rows = file.rows_until;
  }
}

void take_rows(const Reused& reused, NewRun& old, NewRun& into) {
  RecordedTables rows = std::move(old.run->recording);
  std::size_t column = 0, table = 0;
  each_moment(rows, [&](std::vector<double>& times) { times = std::move(old.moments[column++]); });
  RecordedTables::each_table(rows, [&](RecordedRows& of) { of.resize(reused.rows[table++]); });
  for (auto& [key, values] : rows.other) values.resize(std::min(values.size(), rows.tasks.size()));
  rows.chunk.clear();
  rows.key.resize(std::min(rows.key.size(), rows.tasks.size()));
  rows.index = {};
  rows.append(std::move(into.run->recording));
  into.run->recording = std::move(rows);
  for (OpeningFile& part : into.kept) {
    for (std::size_t i = 0; i < part.rows_until.size() && !part.is_reused; ++i)
      part.rows_until[i] += reused.rows[i];
    part.is_reused = false;
  }
}

void keep_moments(NewRun& run) {
  each_moment(run.run->recording,
              [&](const std::vector<double>& times) { run.moments.push_back(times); });
}

}  // namespace crema
