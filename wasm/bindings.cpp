// The boundary between the core and JavaScript: `crema::Session`, and `crema::exports::NameHider`
// for files that leave.
//
// Texts cross as JSON, numbers as views into the heap, failures as the JSON text {"error":
// sentence}. A view is valid until the next call; the caller copies it in the same expression.

#include <emscripten/bind.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/export/export.hpp"
#include "core/session/session.hpp"
#include "core/session/source_policy.hpp"
#include "wasm/digest.hpp"

namespace {

using nlohmann::json;

// One buffer for all input: memory that has been touched once is cheaper than memory freshly grown.
// Small enough that what was written to it is still in the processor's cache when it is read.
constexpr std::size_t input_size = std::size_t{512} << 10;

std::string failure(const std::string& sentence) { return crema::json_of({{"error", sentence}}); }

/// Runs `body`, which returns JSON text; whatever is thrown (memory that has run out) becomes a
/// failure.
template <class Body>
std::string guarded(const Body& body) {
  try {
    return body();
  } catch (const std::exception&) {
    return failure(crema::current_error().sentence());
  }
}

json describe(const crema::DataNote& note) {
  json described = {{"id", note.id},           {"severity", crema::name_of(note.severity)},
                    {"file", note.file},       {"path", note.path},
                    {"message", note.message}, {"count", note.count}};
  if (note.offset != crema::Error::no_offset) described["offset"] = note.offset;
  return described;
}

/// All of a Table but the contents of its columns and its strings.
std::string described(const crema::Table& table) {
  std::string columns, notes;
  for (const crema::Column& column : table.columns)
    columns += crema::sentence(
        {columns.empty() ? "" : ",", R"({"name":)", crema::json_text(column.name), R"(,"type":")",
         crema::name_of(column.type), R"(","unit":)", crema::json_text(column.unit),
         R"(,"formula":)", crema::json_text(column.formula), R"(,"matrix":)",
         column.is_matrix ? "true" : "false", R"(,"width":)", std::to_string(column.width), "}"});
  for (const crema::Note& note : table.notes) {
    const std::string value =
        std::visit([](const auto& one) { return crema::json_of(one); }, note.value);
    notes += crema::sentence({notes.empty() ? "" : ",", crema::json_text(note.name), ":", value});
  }
  return crema::sentence({R"({"question":)", crema::json_text(table.question), R"(,"rows":)",
                          std::to_string(table.rows()), R"(,"columns":[)", columns,
                          R"(],"notes":{)", notes, "}}"});
}

template <class T>
emscripten::val view(const std::vector<T>& values) {
  return emscripten::val(emscripten::typed_memory_view(values.size(), values.data()));
}

emscripten::val view(const std::string& bytes) {
  return emscripten::val(emscripten::typed_memory_view(
      bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data())));
}

/// Where the page puts the bytes of a file, piece by piece. Nobody reads what was not put there, so
/// nothing is cleared.
class Input {
 public:
  emscripten::val all() const {
    return emscripten::val(emscripten::typed_memory_view(input_size, bytes_.get()));
  }
  std::string_view first(unsigned count) const {
    return {reinterpret_cast<const char*>(bytes_.get()), std::min<std::size_t>(count, input_size)};
  }

 private:
  std::unique_ptr<std::uint8_t[]> bytes_{new std::uint8_t[input_size]};
};

class Binding {
 public:
  Binding() : Binding(0) {}
  /// `first_run`: the id of its first run.
  explicit Binding(unsigned first_run) : session_(first_run) {}

  /// `parent`: -1 for none.
  unsigned begin_source(const std::string& name, int parent) {
    return session_.begin_source(
        name, parent < 0 ? std::nullopt : std::optional<crema::SourceId>(parent));
  }

  unsigned begin_single_files(const std::string& name) { return session_.begin_single_files(name); }

  unsigned add_file(unsigned source, const std::string& path, double size) {
    return session_.add_file(source, path, size > 0 ? static_cast<std::uint64_t>(size) : 0);
  }

  emscripten::val input() const { return input_.all(); }

  /// Takes the first `count` bytes of the input buffer as the next ones of `file`; "" or a failure.
  std::string push(unsigned file, unsigned count) {
    return guarded([&] {
      const std::string_view bytes = input_.first(count);
      digests_[file].add(bytes);
      session_.push(file, {bytes.data(), bytes.size()});
      return std::string();
    });
  }

  /// By which the bytes of `file` are known when they are read again. As text: a number of
  /// JavaScript has 53 bits.
  std::string digest(unsigned file) { return std::to_string(digests_[file].value()); }
  /// Whether more of `file` should be pushed.
  bool wants_more(unsigned file) const { return session_.wants_more(file); }

  std::string finish_file(unsigned file) {
    return guarded([&] {
      session_.finish_file(file);
      return std::string();
    });
  }

  std::string fail_file(unsigned file, const std::string& why) {
    return guarded([&] {
      session_.fail_file(file, why);
      return std::string();
    });
  }

  void miss_file(unsigned source, const std::string& path, const std::string& why) {
    session_.miss_file(source, path, why);
  }
  void miss_rest(unsigned source, const std::string& name, const std::string& why) {
    session_.miss_rest(source, name, why);
  }

  /// {"format", "where", "stored": {id: number}}: how far `file` has been read. Not for every
  /// piece: ten times a second.
  std::string progress(unsigned file) const {
    return guarded([&] {
      const crema::FileProgress progress = session_.progress(file);
      json stored = json::object();
      for (const crema::Stored& number : progress.stored) stored[number.id] = number.value;
      return crema::json_of(
          {{"format", progress.format}, {"where", progress.where}, {"stored", std::move(stored)}});
    });
  }

  bool reuse_file(unsigned run, unsigned source, const std::string& path) {
    return session_.reuse_file(run, source, path);
  }

  /// `renewed`: the run whose place the first one takes; -1 for none.
  std::string finish(int renewed) {
    digests_.clear();
    return guarded([&] {
      const auto opened =
          renewed < 0 ? session_.finish() : session_.renew(static_cast<crema::RunId>(renewed));
      if (!opened) return failure(opened.error().sentence());
      json notes = json::array();
      for (const crema::DataNote& note : opened.value().data_notes) notes.push_back(describe(note));
      return crema::json_of({{"runs", opened.value().runs}, {"dataNotes", std::move(notes)}});
    });
  }

  /// [{"source", "path"}…]: the files that `run` was made of.
  std::string files(unsigned run) const {
    return guarded([&] {
      json files = json::array();
      for (const auto& [source, path] : session_.files(run))
        files.push_back({{"source", source}, {"path", path}});
      return crema::json_of(files);
    });
  }

  void cancel() {
    digests_.clear();
    session_.cancel();
  }
  void close(unsigned run) { session_.close(run); }

  /// The answer's header; its columns are then fetched one by one with `numbers` and `texts`, what
  /// its texts are with `strings` and `string_ends`, and `release` drops it.
  std::string ask(const std::string& request) {
    return guarded([&] {
      release();
      auto answer = session_.ask(request);
      if (!answer) return failure(answer.error().sentence());
      answer_ = std::move(answer).value();
      for (crema::StringId id = 0; id < answer_.strings.size(); ++id) {
        strings_ += answer_.strings[id];
        string_ends_.push_back(static_cast<std::uint32_t>(strings_.size()));
      }
      return described(answer_);
    });
  }

  emscripten::val numbers(unsigned column) const {
    return view(answer_.columns.at(column).numbers);
  }
  emscripten::val texts(unsigned column) const { return view(answer_.columns.at(column).texts); }

  /// The answer's strings, one after the other without a sign between them, and where each ends
  /// [byte]: as JSON, the names of fifty thousand files took half of the time of their question.
  emscripten::val strings() const { return view(strings_); }
  emscripten::val string_ends() const { return view(string_ends_); }

  /// The request has the form of a question's, with the format in its place and one run. Returns
  /// the names of the files made; their bytes are then fetched with `artefact`.
  std::string export_run(const std::string& request) {
    return guarded([&] {
      const crema::Request wanted = crema::parse_request(request);
      if (wanted.runs.size() != 1) return failure("an export is of one run");
      auto artefacts = session_.export_run(wanted.runs.front(), wanted.question, wanted.selection,
                                           wanted.options);
      if (!artefacts) return failure(artefacts.error().sentence());
      artefacts_ = std::move(artefacts).value();
      json names = json::array();
      for (const crema::exports::Artefact& artefact : artefacts_) names.push_back(artefact.name);
      return crema::json_of({{"names", std::move(names)}});
    });
  }

  emscripten::val artefact(unsigned index) const { return view(artefacts_.at(index).content); }

  /// Frees the last answer and the last export.
  void release() {
    answer_ = {};
    strings_ = {};
    string_ends_ = {};
    artefacts_.clear();
  }

 private:
  crema::Session session_;
  std::map<unsigned, crema::Digest> digests_;  // of the files of the current opening
  Input input_;
  crema::Table answer_;
  std::string strings_;
  std::vector<std::uint32_t> string_ends_;
  std::vector<crema::exports::Artefact> artefacts_;
};

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

class HiderBinding {
 public:
  /// `also`: words to hide, one per line.
  explicit HiderBinding(const std::string& also) : hider_(lines(also)) {}

  emscripten::val input() const { return input_.all(); }

  /// Learns from the first `count` bytes of the input buffer; "" or a failure.
  std::string learn(unsigned count) {
    return guarded([&] {
      hider_.learn(input_.first(count));
      return std::string();
    });
  }

  std::string end_file() {
    return guarded([&] {
      hider_.end_file();
      return std::string();
    });
  }

  /// Rewrites the first `count` bytes of the input buffer; what is certain by then is `output`.
  std::string hide(unsigned count) {
    return guarded([&] {
      output_ = hider_.hide(input_.first(count));
      return std::string();
    });
  }

  std::string end_hiding() {
    return guarded([&] {
      output_ = hider_.end_hiding();
      return std::string();
    });
  }

  emscripten::val output() const { return view(output_); }

 private:
  crema::exports::NameHider hider_;
  Input input_;
  std::string output_;
};

/// The rules of core/session/source_policy.hpp.
class PolicyBinding {
 public:
  static bool counts_as_file(const std::string& path) { return crema::counts_as_file(path); }
  static std::string entry_path(const std::string& name) { return crema::entry_path(name); }

  /// {"source", "folder"} for the archive at `path` whose entries that count are `entries`, one per
  /// line.
  static std::string place_of_archive(const std::string& path, const std::string& entries) {
    return guarded([&] {
      crema::ArchiveFolders folders;
      for (const std::string& entry : lines(entries)) folders.add(entry);
      const auto [source, folder] = folders.place_of(path);
      return crema::json_of({{"source", source}, {"folder", folder}});
    });
  }

  static bool may_unpack(double unpacked, double packed) {
    return crema::may_unpack(static_cast<std::uint64_t>(unpacked),
                             static_cast<std::uint64_t>(packed));
  }

  /// The numbers, and the sentences for what exceeds them.
  static std::string limits() {
    return crema::json_of({{"maxArchiveDepth", crema::max_archive_depth},
                           {"mostEntries", crema::most_entries},
                           {"tooMuchUnpacked", crema::too_much_unpacked()},
                           {"tooManyEntries", crema::too_many_entries()},
                           {"encryptedEntry", crema::encrypted_entry()}});
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(crema) {
  emscripten::class_<Binding>("Session")
      .constructor<>()
      .constructor<unsigned>()
      .function("beginSource", &Binding::begin_source)
      .function("beginSingleFiles", &Binding::begin_single_files)
      .function("addFile", &Binding::add_file)
      .function("reuseFile", &Binding::reuse_file)
      .function("input", &Binding::input)
      .function("push", &Binding::push)
      .function("digest", &Binding::digest)
      .function("wantsMore", &Binding::wants_more)
      .function("finishFile", &Binding::finish_file)
      .function("failFile", &Binding::fail_file)
      .function("missFile", &Binding::miss_file)
      .function("missRest", &Binding::miss_rest)
      .function("progress", &Binding::progress)
      .function("finish", &Binding::finish)
      .function("files", &Binding::files)
      .function("cancel", &Binding::cancel)
      .function("close", &Binding::close)
      .function("ask", &Binding::ask)
      .function("numbers", &Binding::numbers)
      .function("texts", &Binding::texts)
      .function("strings", &Binding::strings)
      .function("stringEnds", &Binding::string_ends)
      .function("exportRun", &Binding::export_run)
      .function("artefact", &Binding::artefact)
      .function("release", &Binding::release);
  emscripten::class_<HiderBinding>("NameHider")
      .constructor<const std::string&>()
      .function("input", &HiderBinding::input)
      .function("learn", &HiderBinding::learn)
      .function("endFile", &HiderBinding::end_file)
      .function("hide", &HiderBinding::hide)
      .function("endHiding", &HiderBinding::end_hiding)
      .function("output", &HiderBinding::output);
  emscripten::class_<PolicyBinding>("SourcePolicy")
      .class_function("countsAsFile", &PolicyBinding::counts_as_file)
      .class_function("entryPath", &PolicyBinding::entry_path)
      .class_function("placeOfArchive", &PolicyBinding::place_of_archive)
      .class_function("mayUnpack", &PolicyBinding::may_unpack)
      .class_function("limits", &PolicyBinding::limits);
}
