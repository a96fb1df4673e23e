#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/read/format.hpp"
#include "core/session/session.hpp"
#include "core/table/table.hpp"
#include "tests/core/drawn_tree.hpp"
#include "tests/core/test_data.hpp"

namespace crema::exports {}

namespace crema::test {

using namespace exports;  // what a table is compared as

struct File {
  std::string path;
  std::string content;
};

/// All files of a recorded run, by name.
inline std::vector<File> recorded_files(const std::string& run) {
  std::vector<File> files;
  for (const auto& entry : std::filesystem::directory_iterator(test_data_path(run))) {
    const std::string path = run + "/" + entry.path().filename().string();
    files.push_back({path, read_test_file(path)});
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

/// Opens files in a session as a user would: every file in pieces of `piece` bytes.
inline Result<Opened> open_files(Session& session, const std::vector<File>& files,
                                 std::size_t piece = 1U << 16U) {
  for (const File& file : files) {
    const FileId id = session.add_file(0, file.path, file.content.size());
    for (std::size_t at = 0; at < file.content.size(); at += piece)
      session.push(id, {file.content.data() + at, std::min(piece, file.content.size() - at)});
    session.finish_file(id);
  }
  return session.finish();
}

/// A session that must have opened at least one run. Questions that fail throw, with the core's
/// sentence.
class OpenSession {
 public:
  explicit OpenSession(const std::vector<File>& files, std::size_t piece = 1U << 16U,
                       HeadSize head = {})
      : session_(0, head), opened_(open_files(session_, files, piece)) {
    if (!opened_) throw std::runtime_error(opened_.error().sentence());
  }

  OpenSession(const std::string& path, const std::string& content)
      : OpenSession(std::vector<File>{{path, content}}) {}

  Session& session() { return session_; }
  const Opened& opened() const { return opened_.value(); }
  std::size_t runs() const { return opened().runs.size(); }
  const Run& run(std::size_t index = 0) const { return *session_.run(opened().runs.at(index)); }

  Table ask(std::string_view question, const Selection& selection = {}, const Options& options = {},
            std::size_t index = 0) const {
    const RunId id = opened().runs.at(index);
    Result<Table> answer = session_.ask(question, {&id, 1}, selection, options);
    if (!answer) throw std::runtime_error(std::string(question) + ": " + answer.error().sentence());
    return std::move(answer).value();
  }

  /// A question of several runs, of all that are open.
  Table ask_all(std::string_view question, const Options& options = {},
                const Selection& selection = {}) const {
    Result<Table> answer = session_.ask(question, opened().runs, selection, options);
    if (!answer) throw std::runtime_error(std::string(question) + ": " + answer.error().sentence());
    return std::move(answer).value();
  }

  /// A report of all runs that are open.
  template <class T>
  T report_all(std::string_view question,
               T (*make)(std::span<const Run* const>, const Selection&, const Options&),
               const Options& options = {}) const {
    Result<T> made = session_.report(question, opened().runs, {}, options, make);
    if (!made) throw std::runtime_error(std::string(question) + ": " + made.error().sentence());
    return std::move(made).value();
  }

 private:
  Session session_;
  Result<Opened> opened_;
};

/// The smallest head by which all files are still read as what they are: behind it, readers get
/// them piece by piece.
inline HeadSize least_head(const std::vector<File>& files) {
  const auto formats = [&](HeadSize head) {
    Session session(0, head);
    std::string ids;
    for (const File& file : files) {
      const FileId id = session.add_file(0, file.path, file.content.size());
      session.push(id, file.content);
      session.finish_file(id);
      ids += std::string(session.format_of(id)) + " ";
    }
    return ids;
  };
  const std::string expected = formats({});
  HeadSize head{1, 1};
  while (formats(head) != expected) ++head.first, ++head.most;
  return head;
}

/// Reads one file with one format, whatever it looks like.
inline Run read_as(const read::Format& format, const std::string& text,
                   std::size_t piece = 1U << 16U, const std::string& path = "file.json") {
  Run run(std::make_shared<Names>());
  const auto reader = format.open(run, path);
  for (std::size_t at = 0; at < text.size(); at += piece)
    reader->push({text.data() + at, std::min(piece, text.size() - at)});
  reader->finish();
  return run;
}

inline Options option(const std::string& name, const std::string& text) {
  return Options(std::map<std::string, std::string>{{name, text}});
}

/// The value of a row of `summary` by its id.
inline double value(const Table& summary, std::string_view id, std::string_view column = "value") {
  const std::size_t row = summary.row_of("id", id);
  if (row == summary.rows())
    throw std::runtime_error("no " + std::string(id) + " in " + summary.question);
  return summary.number(column, row);
}

/// The core-seconds of a part of the `budget`; absent when it has no such part.
inline double core_seconds(const Table& budget, std::string_view part) {
  const std::size_t row = budget.row_of("part", part);
  return row == budget.rows() ? absent : budget.number("core_seconds", row);
}

/// The note as text, a number as a table's text shows it; "" when there is none.
inline std::string note(const Table& table, std::string_view name) {
  for (const Note& one : table.notes) {
    if (one.name != name) continue;
    return std::holds_alternative<std::string>(one.value) ? std::get<std::string>(one.value)
                                                          : plain(std::get<double>(one.value));
  }
  return {};
}

/// The note's number; absent when there is no such note or it is a sentence.
inline double number_note(const Table& table, std::string_view name) {
  for (const Note& one : table.notes) {
    if (one.name == name && std::holds_alternative<double>(one.value))
      return std::get<double>(one.value);
  }
  return absent;
}

/// Whether the `quality` table has a row of that id.
inline bool notes(const Table& quality, std::string_view id) {
  return quality.row_of("id", id) < quality.rows();
}

inline bool has_note(const Run& run, std::string_view id) {
  return std::any_of(run.data_notes.begin(), run.data_notes.end(),
                     [&](const DataNote& d) { return d.id == id; });
}

}  // namespace crema::test
