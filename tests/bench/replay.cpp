// Recordings by `crema.record`, replayed as a page follows them: part by part, with the parts that
// were left in the end and with each cut into ten, and so with up to a hundred new parts a look. At
// half time and at the end every question must be answered as by a fresh reader of the same files.
//
// crema_bench_replay FOLDER...: one line for each, the questions that differ; 1 where one does.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/inflate.hpp"
#include "core/export/export.hpp"
#include "core/query/question.hpp"
#include "core/session/session.hpp"

namespace {

using namespace crema;
using nlohmann::json;

struct File {
  std::string path, content;
};

/// Rows [begin, end) of a table, of an array per column.
json rows_of(const json& table, std::size_t begin, std::size_t end) {
  json rows = json::object();
  for (const auto& [name, column] : table.items())
    rows[name] = json(std::vector<json>(column.begin() + std::ptrdiff_t(begin),
                                        column.begin() + std::ptrdiff_t(end)));
  return rows;
}

std::size_t size_of(const json& table) { return table.empty() ? 0 : table.begin()->size(); }

/// The rows whose task is in [begin, end), tasks counted from `begin`; where they came from.
json rows_of_tasks(const json& table, std::size_t begin, std::size_t end,
                   std::vector<std::size_t>& from) {
  json rows = json::object();
  for (const auto& [name, column] : table.items()) rows[name] = json::array();
  if (!table.contains("task")) return rows;
  const json& tasks = table["task"];
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    const auto task = tasks[row].get<std::size_t>();
    if (task < begin || task >= end) continue;
    from.push_back(row);
    for (const auto& [name, column] : table.items())
      rows[name].push_back(name == "task" ? json(task - begin) : column[row]);
  }
  return rows;
}

/// A column of row numbers of another table, as that table's rows are numbered now.
void renumber(json& table, const char* column, const std::vector<std::size_t>& from) {
  if (!table.contains(column)) return;
  for (json& value : table[column]) {
    if (value.is_null()) continue;
    const auto at = std::lower_bound(from.begin(), from.end(), value.get<std::size_t>());
    value = static_cast<std::size_t>(at - from.begin());
  }
}

/// The part cut into `count`, each with the tasks and ticks of its turn.
std::vector<json> cut(const json& part, std::size_t count) {
  std::vector<json> pieces;
  const std::size_t tasks = size_of(part["tasks"]);
  for (std::size_t k = 0; k < count; ++k) {
    const auto first = [&](std::size_t size) { return size * k / count; };
    const auto last = [&](std::size_t size) { return size * (k + 1) / count; };
    json piece = part;
    piece["tasks"] = rows_of(part["tasks"], first(tasks), last(tasks));
    piece["rows"] = last(tasks) - first(tasks);
    for (const char* name : {"machine", "client", "changes"}) {
      if (!part.contains(name)) continue;
      const std::size_t size = size_of(part[name]);
      piece[name] = rows_of(part[name], first(size), last(size));
    }
    std::vector<std::size_t> sections, others;
    for (const char* name : {"branches", "sections", "samples"}) {
      if (!part.contains(name)) continue;
      auto& from = name == std::string("sections") ? sections : others;
      piece[name] = rows_of_tasks(part[name], first(tasks), last(tasks), from);
    }
    if (piece.contains("sections")) renumber(piece["sections"], "parent", sections);
    if (piece.contains("samples")) renumber(piece["samples"], "section", sections);
    if (k > 0) piece["processes"] = json::array();
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::string answer_text(Session& session, RunId run, const query::Question& question) {
  const Result<Table> answer = session.ask(question.name, {&run, 1}, {}, {});
  return answer ? exports::table_json(answer.value()) : answer.error().sentence();
}

void add(Session& session, const File& file) {
  const FileId id = session.add_file(0, file.path, file.content.size());
  session.push(id, file.content);
  session.finish_file(id);
}

/// The names of the questions that `following` answers otherwise than a fresh reader of `files`.
std::string differing(Session& following, RunId run, const std::vector<File>& files) {
  Session anew;
  for (const File& file : files) add(anew, file);
  if (!anew.finish()) return " (cannot be opened)";
  std::string names;
  for (const query::Question* question : query::all()) {
    if (question->run_count.least > 1) continue;
    if (answer_text(following, run, *question) != answer_text(anew, 0, *question))
      names += " " + std::string(question->name);
  }
  return names;
}

bool is_part(const std::string& name) { return name.starts_with("tasks-"); }

/// Replays the recording, of whose parts each becomes `cuts`, and `stride` are new at each look;
/// what differs, in words.
std::string replay(const std::filesystem::path& folder, std::size_t cuts, std::size_t stride) {
  std::vector<File> parts, others;
  json index;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    std::ifstream stream(entry.path(), std::ios::binary);
    std::string content(std::istreambuf_iterator<char>(stream), {});
    if (name.ends_with(".gz")) {
      content = gunzip(content, std::size_t{1} << 30U).value();
      name.resize(name.size() - 3);
    }
    if (name == "tasks.json") index = json::parse(content);
    else if (is_part(name)) parts.push_back({"run/" + name, content});
    else if (name != "truth.json") others.push_back({"run/" + name, content});
  }
  if (parts.empty() || index.is_null()) return " (no recording by crema.record)";
  std::sort(parts.begin(), parts.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  std::sort(others.begin(), others.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  std::vector<File> pieces;
  for (const File& part : parts) {
    for (const json& piece : cut(json::parse(part.content), cuts)) {
      char name[32];
      std::snprintf(name, sizeof name, "run/tasks-%06zu.json", pieces.size());
      pieces.push_back({name, piece.dump()});
    }
  }
  std::string told;
  Session following;
  RunId run = 0;
  bool is_half = false;
  for (std::size_t known = 1, next; known <= pieces.size(); known = next) {
    next = known < pieces.size() ? std::min(known + stride, pieces.size()) : known + 1;
    const bool is_last = known == pieces.size();
    json now = index;
    if (!is_last) now["state"] = "running";
    std::vector<File> files(pieces.begin(), pieces.begin() + std::ptrdiff_t(known));
    files.push_back({"run/tasks.json", now.dump()});
    if (is_last) files.insert(files.end(), others.begin(), others.end());
    if (known == 1) {
      for (const File& file : files) add(following, file);
      const auto opened = following.finish();
      if (!opened) return " (cannot be opened)";
      run = opened.value().runs.at(0);
    } else {
      for (const File& file : files) {
        if (!following.reuse_file(run, 0, file.path)) add(following, file);
      }
      if (!following.renew(run)) return " (cannot be renewed)";
    }
    if (is_last || (!is_half && 2 * known >= pieces.size())) {
      is_half = true;
      if (const std::string names = differing(following, run, files); !names.empty())
        told += " after part " + std::to_string(known) + ":" + names;
    }
  }
  return told;
}

}  // namespace

int main(int argc, char** argv) {
  int different = 0, same = 0;
  for (int k = 1; k < argc; ++k) {
    using Pace = std::pair<std::size_t, std::size_t>;
    for (const auto& [cuts, stride] : {Pace(1, 1), Pace(10, 1), Pace(10, 100)}) {
      std::string told;
      try {
        told = replay(argv[k], cuts, stride);
      } catch (const std::exception& problem) {
        told = std::string(" (") + problem.what() + ")";
      }
      (told.empty() ? same : different) += 1;
      if (!told.empty())
        std::printf("%s, %zu parts each, %zu a look:%s\n", argv[k], cuts, stride, told.c_str());
    }
  }
  std::printf("%d replays answer as fresh readers, %d do not\n", same, different);
  return different == 0 ? 0 : 1;
}
