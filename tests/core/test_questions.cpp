// The registry of questions: what each says of itself is so.
#include <set>

#include "catch.hpp"
#include "core/base/text.hpp"
#include "core/export/export.hpp"
#include "core/query/question.hpp"
#include "open_run.hpp"
#include "test_data.hpp"

using namespace crema;
using namespace crema::exports;
using namespace crema::test;
using query::Question;

namespace {

OpenSession recorded() { return {"metrics.json", read_test_file("local-4x1/metrics.json")}; }

/// The columns as text, without the notes, which may say what was selected, and without
/// `whole_run`, which says just that.
std::string columns(Table table) {
  table.notes.clear();
  std::erase_if(table.columns, [](const Column& column) { return column.name == "whole_run"; });
  return table_json(table);
}

/// A selection of something in each dimension, which leaves a part of the run.
Selection narrow(const OpenSession& session, Selection::Dimension dimension) {
  const Run& run = session.run();
  Selection selection;
  switch (dimension) {
    case Selection::by_time:
      selection.time = Selection::TimeRange{run.window().end / 4, run.window().end / 2};
      break;
    case Selection::by_worker:
      selection.workers = {std::string(run.text(run.workers.address[0]))};
      break;
    case Selection::by_dataset:
      selection.datasets = {std::string(run.text(run.chunks.dataset[0]))};
      break;
    case Selection::by_file: selection.files = {std::string(run.text(run.chunks.file[0]))}; break;
    case Selection::by_host: selection.hosts = {"nowhere"}; break;
    case Selection::by_prefix: selection.prefixes = {"reduce"}; break;
    case Selection::by_range: selection.ranges = {{"events", 0, 1}}; break;
  }
  return selection;
}

Options options_for(const Question& question) {
  std::map<std::string, std::string> values;
  if (question.name == "callers" || question.name == "callees") values["frame"] = "process";
  return Options(std::move(values));
}

}  // namespace

TEST_CASE("Questions: names are unique, sentences are there, options too") {
  std::set<std::string_view> names;
  for (const Question* question : query::all()) {
    CAPTURE(std::string(question->name));
    CHECK(names.insert(question->name).second);
    CHECK(&query::named(question->name) == question);
    CHECK_FALSE(question->about.empty());
    CHECK(question->run_count.least <= question->run_count.most);
    std::set<std::string_view> options;
    for (const Option* option : question->options) {
      CAPTURE(std::string(option->name));
      CHECK(options.insert(option->name).second);
      CHECK_FALSE(option->about.empty());
      CHECK_NOTHROW(
          Options().check(*option));  // what holds where nothing is given is a value it takes
    }
  }
}

TEST_CASE("Questions: an answer has the columns that are declared, in their order") {
  const OpenSession session = recorded();
  for (const Question* question : query::all()) {
    if (question->run_count.least > 1) continue;
    CAPTURE(std::string(question->name));
    const auto& declared = question->columns->columns();
    const Table table = session.ask(std::string(question->name), {}, options_for(*question));
    auto next = declared.begin();
    for (const Column& column : table.columns) {
      CAPTURE(column.name);
      const auto is_it = [&](const DeclaredColumn& one) {
        const auto names = split(one.name, ", ");
        return one.is_one_of ? std::find(names.begin(), names.end(), column.name) != names.end()
                             : one.name == column.name;
      };
      next = std::find_if(next, declared.end(), is_it);
      if (next == declared.end() && question->more_columns) break;
      REQUIRE(next != declared.end());
      CHECK(next->type == column.type);
      CHECK(next->is_matrix == column.is_matrix);
      const bool varies = std::string(next->unit).find('$') != std::string::npos;
      CHECK((varies || next->unit == column.unit));
    }
  }
}

TEST_CASE("Questions: a former name stands for a question with options set") {
  OpenSession session = recorded();
  const auto same = [&](const char* alias, const char* name,
                        std::map<std::string, std::string> given, const char* without = "") {
    CAPTURE(alias);
    Table expected = session.ask(name, {}, Options(std::move(given)));
    expected.question = alias;
    std::erase_if(expected.columns, [&](const Column& column) { return column.name == without; });
    CHECK(table_json(session.ask(alias)) == table_json(expected));
  };
  same("datasets", "groups", {});
  same("files", "groups", {{"by", "file"}});
  same("hosts", "groups", {{"by", "host"}});
  same("sites", "groups", {{"by", "site"}});
  same("runtime_histogram", "distribution", {{"column", "duration"}}, "density");
  same("access_histogram", "distribution", {{"of", "files"}, {"column", "bytes_read_fraction"}},
       "density");
  same("callees", "sandwich", {{"side", "callees"}});
  // What an alias sets cannot be set again.
  const auto answer = session.session().ask("hosts", {}, {}, option("by", "file"));
  REQUIRE_FALSE(answer);
  CHECK(answer.error().sentence() == "there is no such option: by; there are none");
}

TEST_CASE("Questions: what narrows an answer is what the question says") {
  const OpenSession session = recorded();
  unsigned changed = 0;
  for (const Question* question : query::all()) {
    if (question->run_count.most > 1) continue;
    CAPTURE(std::string(question->name));
    const std::string whole =
        columns(session.ask(std::string(question->name), {}, options_for(*question)));
    for (unsigned bit = 0; bit < Selection::dimension_names.size(); ++bit) {
      const auto dimension = static_cast<Selection::Dimension>(1U << bit);
      CAPTURE(std::string(Selection::dimension_names[bit]));
      const std::string narrowed = columns(session.ask(
          std::string(question->name), narrow(session, dimension), options_for(*question)));
      if ((question->narrowed_by & dimension) == 0) CHECK(narrowed == whole);
      else if (narrowed != whole) ++changed;
    }
  }
  CHECK(changed > 80);
}

TEST_CASE("Options: a value that an option does not take is refused before the question runs") {
  OpenSession session = recorded();
  const auto refused = [&](const char* question, const char* name, const char* value) {
    const auto answer = session.session().ask(question, {}, {}, option(name, value));
    return answer ? std::string() : answer.error().sentence();
  };
  CHECK(refused("throughput", "bins", "0") ==
        "the option's value cannot be used: bins=0 is not a whole number between 1 and 100000");
  CHECK(refused("throughput", "bins", "1.5") ==
        "the option's value cannot be used: bins=1.5 is not a whole number between 1 and 100000");
  CHECK(refused("throughput", "window", "x") ==
        "the option's value cannot be used: window=x; there are run, selection");
  CHECK(refused("flame", "runs", "maybe") ==
        "the option's value cannot be used: runs=maybe is neither true nor false");
  CHECK(refused("stacks", "most", "0") ==
        "the option's value cannot be used: most=0 is not a whole number between 1 and 1000000000");
  CHECK(refused("throughput", "size", "1") ==
        "there is no such option: size; there are bins, window");
  CHECK(refused("timeline", "size", "1") == "there is no such option: size; there are none");
}
