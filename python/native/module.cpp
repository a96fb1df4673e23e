// The boundary between the core and Python: a Session, its answers, and the command line.
// What is nice to use is made of it in Python (cremascope/runs.py, cremascope/answer.py).
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/aligned_table.hpp"
#include "cli/ask_each.hpp"
#include "cli/bundle.hpp"
#include "cli/program.hpp"
#include "cli/question_help.hpp"
#include "cli/trace.hpp"
#include "core/base/numbers.hpp"
#include "core/export/export.hpp"
#include "core/query/question.hpp"
#include "core/session/session.hpp"
#include "native/arrow.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using crema::Column;
using crema::Table;

template <class T>
T value_of(crema::Result<T> result) {
  if (!result) throw crema::Failure(result.error());
  return std::move(result).value();
}

nb::str text_of(std::string_view text) {
  // what a bundle says need not be UTF-8
  return nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

/// One after the other: a Session is of one thread, and Python's other threads go on meanwhile.
class Session {
 public:
  using Files = std::map<std::string, nb::bytes>;

  /// Opens bundles of this machine's files; returns the runs, and what could not be used.
  std::pair<std::vector<crema::RunId>, std::vector<std::string>> open(
      const std::vector<std::string>& bundles) {
    const nb::gil_scoped_release others_run;
    const std::scoped_lock alone(mutex_);
    std::ostringstream told;  // is in the data notes, too
    return noted(crema::cli::open_bundles(session_, bundles, told));
  }

  /// Opens files that are in memory, by path.
  std::pair<std::vector<crema::RunId>, std::vector<std::string>> open_files(const Files& files) {
    const std::scoped_lock alone(mutex_);
    const crema::SourceId source = session_.begin_source("");
    for (const auto& [path, bytes] : files) {
      const crema::FileId file = session_.add_file(source, path, bytes.size());
      session_.push(file, {bytes.c_str(), bytes.size()});
      session_.finish_file(file);
    }
    return noted(session_.finish());
  }

  nb::str title(crema::RunId id) const { return text_of(known(id).title); }

  /// `request` is that of core/session/session.hpp; it names its runs.
  std::shared_ptr<const Table> ask(const std::string& request) {
    const nb::gil_scoped_release others_run;
    const std::scoped_lock alone(mutex_);
    const crema::Request asked = crema::parse_request(request);
    if (const auto wrong = session_.check(asked.runs, asked.selection))
      throw crema::Failure(*wrong);
    return std::make_shared<const Table>(
        value_of(crema::cli::ask_each(session_, crema::query::named(asked.question), asked.runs,
                                      asked.selection, asked.options)));
  }

  /// Tasks and series of a run as trace events (cli/trace.hpp).
  nb::bytes trace(crema::RunId run) {
    const std::string text = [&] {
      const nb::gil_scoped_release others_run;
      const std::scoped_lock alone(mutex_);
      return value_of(session_.export_run(run, crema::cli::trace_writer, {}, {})).at(0).content;
    }();
    return nb::bytes(text.data(), text.size());
  }

 private:
  const crema::Run& known(crema::RunId id) const {
    const crema::Run* run = session_.run(id);
    if (run == nullptr) throw crema::Failure(crema::ErrorCode::unknown_run, std::to_string(id));
    return *run;
  }

  static std::pair<std::vector<crema::RunId>, std::vector<std::string>> noted(
      crema::Result<crema::Opened> result) {
    const crema::Opened opened = value_of(std::move(result));
    std::vector<std::string> notes;
    for (const crema::DataNote& note : opened.data_notes)
      notes.push_back((note.file.empty() ? "" : note.file + ": ") + note.message);
    return {opened.runs, notes};
  }

  crema::Session session_;
  std::mutex mutex_;
};

/// A cell as a value of Python, a number an int where its column is `whole`; what is missing is
/// None.
nb::object cell(const Table& table, const Column& column, bool whole, std::size_t at) {
  if (column.type == Column::Type::text)
    return column.texts[at] == crema::no_string ? nb::object(nb::none())
                                                : text_of(table.strings[column.texts[at]]);
  const double number = column.numbers[at];
  if (crema::is_absent(number)) return nb::none();
  if (column.type == Column::Type::flag) return nb::bool_(number == 1);
  return whole ? nb::object(nb::int_(static_cast<std::int64_t>(number)))
               : nb::object(nb::float_(number));
}

nb::list values(const Table& table, std::size_t index) {
  const Column& column = table.columns.at(index);
  const bool whole = crema::arrow::is_whole(column);
  nb::list list;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!column.is_matrix) {
      list.append(cell(table, column, whole, row));
      continue;
    }
    nb::list cells;
    for (std::size_t i = 0; i < column.width; ++i)
      cells.append(cell(table, column, whole, row * column.width + i));
    list.append(cells);
  }
  return list;
}

std::string_view type_name(Column::Type type) {
  return type == Column::Type::text ? "text" : type == Column::Type::flag ? "flag" : "number";
}

nb::list columns(const Table& table) {
  nb::list list;
  for (const Column& column : table.columns) {
    nb::dict about;
    about["name"] = text_of(column.name);
    about["type"] = type_name(column.type);
    about["unit"] = column.unit;
    about["formula"] = column.formula;
    about["matrix"] = column.is_matrix;
    about["width"] = column.width;
    list.append(about);
  }
  return list;
}

nb::dict notes(const Table& table) {
  nb::dict dict;
  for (const crema::Note& note : table.notes) {
    const auto* text = std::get_if<std::string>(&note.value);
    dict[text_of(note.name)] =
        text != nullptr ? nb::object(text_of(*text)) : nb::cast(std::get<double>(note.value));
  }
  return dict;
}

/// A capsule of an Arrow struct: who takes it clears its release, else it ends with the capsule.
template <class Struct>
nb::capsule arrow_capsule(std::unique_ptr<Struct> content, const char* name) {
  return {content.release(), name, [](void* given) noexcept {
            auto* const owned = static_cast<Struct*>(given);
            if (owned->release != nullptr) owned->release(owned);
            delete owned;
          }};
}

/// The command line; its exit status. It writes to the process's own streams.
int run_command(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const nb::gil_scoped_release others_run;
  return crema::cli::run_program(static_cast<int>(arguments.size()), pointers.data());
}

}  // namespace

NB_MODULE(_core, module) {
  nb::exception<crema::Failure>(module, "CoreError", PyExc_ValueError);

  nb::class_<Table>(module, "Table")
      .def_prop_ro("question", [](const Table& table) { return table.question; })
      .def_prop_ro("rows", &Table::rows)
      .def_prop_ro("columns", &columns)
      .def_prop_ro("notes", &notes)
      .def("values", &values, "column"_a)
      .def(
          "text",
          [](const Table& table, bool explain) {
            return text_of(crema::cli::aligned_table(table, explain));
          },
          "explain"_a)
      .def(
          "fitted",
          [](const Table& table, std::size_t width, std::size_t most, const std::string& all) {
            return text_of(crema::whole_text([&](crema::TextSink& out) {
              crema::cli::write_fitted(table, width, out, most, all);
            }));
          },
          "width"_a, "most"_a, "all"_a)
      .def("csv", [](const Table& table) { return text_of(crema::exports::table_csv(table)); })
      .def(
          "json",
          [](const Table& table, bool explain) {
            return text_of(crema::exports::table_json(table, explain));
          },
          "explain"_a)
      .def("schema_capsule",
           [](const Table& table) {
             auto schema = std::make_unique<ArrowSchema>();
             crema::arrow::export_schema(table, *schema);
             return arrow_capsule(std::move(schema), "arrow_schema");
           })
      .def("stream_capsule", [](std::shared_ptr<const Table> table) {
        auto stream = std::make_unique<ArrowArrayStream>();
        crema::arrow::export_stream(std::move(table), *stream);
        return arrow_capsule(std::move(stream), "arrow_array_stream");
      });

  nb::class_<Session>(module, "Session")
      .def(nb::init<>())
      .def("open", &Session::open, "bundles"_a)
      .def("open_files", &Session::open_files, "files"_a)
      .def("title", &Session::title, "run"_a)
      .def("ask", &Session::ask, "request"_a)
      .def("trace", &Session::trace, "run"_a);

  module.def("questions", [] { return text_of(crema::cli::question_list_json()); });
  module.def("command", &run_command, "arguments"_a);
}
