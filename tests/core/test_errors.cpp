// Every error code there is comes from somewhere: what produces it, and how it reads.
#include <map>
#include <new>
#include <stdexcept>
#include <string>

#include "cli/bundle.hpp"
#include "core/export/export.hpp"
#include "core/json/tokenizer.hpp"
#include "core/model/run.hpp"
#include "core/read/format.hpp"
#include "tests/core/allocations.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/random_bundle.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::exports;
using namespace crema::test;

namespace {

ErrorCode code_of_json(const std::string& text) { return json_error(text).value().code; }

/// The error of `ask` when its first allocation fails.
template <class Ask>
ErrorCode without_memory(const Ask& ask) {
  const FailingAllocation first(0);
  return ask().error().code;
}

/// What becomes of an exception that no Failure is.
template <class Exception>
ErrorCode code_of(const Exception& thrown) {
  try {
    throw thrown;
  } catch (const std::exception&) {
    return current_error().code;
  }
}

std::map<ErrorCode, ErrorCode> produced() {
  OpenSession open("metrics.json", small_metrics());
  const Session& session = open.session();
  const auto asked = [&](const char* request) { return session.ask(request).error().code; };
  const auto exported = [&](std::string_view to) {
    return session.export_run(0, to, {}, {}).error().code;
  };
  Session other;
  OpenSession kept("a.digest.json",
                   R"({"crema_digest": 1, "answers": [{"question": "summary", "columns":
                         [{"name": "id", "type": "text", "values": []}]}]})");
  return {
      {ErrorCode::cannot_open, cli::open_bundles(other, {"no/such/file"}).error().code},
      {ErrorCode::empty_file, code_of_json("")},
      {ErrorCode::not_json, code_of_json("{]")},
      {ErrorCode::truncated, code_of_json("{")},
      {ErrorCode::too_deep, code_of_json(std::string(json::max_depth + 1, '['))},
      {ErrorCode::bad_utf8, code_of_json("\"\xff\"")},
      {ErrorCode::out_of_memory,
       without_memory([&] { return session.ask("timeline", {}, {}, {}); })},
      {ErrorCode::nothing_to_show, open_files(other, {{"notes.txt", "some words"}}).error().code},
      {ErrorCode::unknown_question, asked(R"({"question": "x"})")},
      {ErrorCode::unknown_format, exported("x")},
      {ErrorCode::unknown_option, asked(R"({"question": "runs", "options": {"x": 1}})")},
      {ErrorCode::bad_option, asked(R"({"question": "throughput", "options": {"bins": "x"}})")},
      {ErrorCode::bad_selection, asked(R"({"question": "runs", "selection": {"x": 1}})")},
      {ErrorCode::unknown_run, asked(R"({"question": "runs", "runs": [7]})")},
      {ErrorCode::wrong_run_count, asked(R"({"question": "compare"})")},
      {ErrorCode::not_kept, kept.session().ask(R"({"question": "chunks"})").error().code},
      {ErrorCode::nothing_to_export, exported("speedscope")},
      {ErrorCode::internal_fault, code_of(std::out_of_range("no column x"))},
  };
}

}  // namespace

TEST_CASE("Every error code is produced by something, and has a sentence of its own") {
  const auto all = produced();
  std::map<std::string, int> sentences;
  int code = 0;
  // the codes count up from 0, and what is no code has no sentence
  for (; describe(static_cast<ErrorCode>(code)) != "unknown error"; ++code) {
    const std::string sentence(describe(static_cast<ErrorCode>(code)));
    CAPTURE(code, sentence);
    CHECK(++sentences[sentence] == 1);
    const auto found = all.find(static_cast<ErrorCode>(code));
    REQUIRE(found != all.end());
    CHECK(static_cast<int>(found->second) == code);
  }
  CHECK(static_cast<std::size_t>(code) == all.size());
}

TEST_CASE(
    "Whichever allocation fails, a question is answered as always or there is not enough memory") {
  OpenSession open("metrics.json", small_metrics());
  for (const char* question : {"timeline", "summary", "quality", "chunks"}) {
    CAPTURE(question);
    const std::string expected = table_json(open.ask(question));
    std::size_t failures = 0;
    for (bool happened = true; happened; ++failures) {
      Result<Table> answer = [&] {
        const FailingAllocation failing(failures);
        Result<Table> made = open.session().ask(question, {}, {}, {});
        happened = FailingAllocation::happened();
        return made;
      }();
      if (!answer) CHECK(answer.error().code == ErrorCode::out_of_memory);
      else CHECK(table_json(answer.value()) == expected);
    }
    CHECK(failures > 50);
  }
}

TEST_CASE(
    "Whichever allocation fails, a file is read as always, left out with a data note, or there is "
    "not enough memory") {
  // Not the smallest allocations: nlohmann's destructor makes some, and ends the program where they
  // fail.
  constexpr std::size_t least = 1000;
  const std::string text = RandomBundle(3).metrics;
  const std::string expected = table_json(OpenSession("metrics.json", text).ask("budget"));
  std::size_t failures = 0;
  std::size_t left_out = 0;
  for (bool happened = true; happened; ++failures) {
    Session session;
    const FileId file = session.add_file(0, "metrics.json", text.size());
    const Result<Opened> opened = [&] {
      const FailingAllocation failing(failures, least);
      session.push(file, text);
      session.finish_file(file);
      Result<Opened> made = session.finish();
      happened = FailingAllocation::happened();
      return made;
    }();
    if (opened) {
      const RunId run = opened.value().runs.front();
      CHECK(table_json(session.ask("budget", {&run, 1}, {}, {}).value()) == expected);
    } else if (opened.error().code == ErrorCode::nothing_to_show) {
      CHECK(opened.error().sentence().find("not enough memory") != std::string::npos);
      ++left_out;
    } else {
      CHECK(opened.error().code == ErrorCode::out_of_memory);
    }
  }
  CHECK(left_out > 0);
  CHECK(failures > 3);
}

TEST_CASE("A data note that is known already is counted there, whatever was noted meanwhile") {
  Run run(std::make_shared<Names>());
  const auto note = [&](const char* id, std::size_t count) {
    run.add_note(id, Severity::low, "boxes have no parent", "page.html", {}, Error::no_offset,
                 count);
  };
  note("box-without-parent", 3);
  note("task-time", 5);
  note("box-without-parent", 4);
  REQUIRE(run.data_notes.size() == 2);
  CHECK(run.data_notes[0].count == 7);
  CHECK(run.data_notes[1].count == 5);
}
