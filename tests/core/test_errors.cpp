// Every error code there is comes from somewhere: what produces it, and how it reads.
#include <map>
#include <string>

#include "cli/bundle.hpp"
#include "core/json/tokenizer.hpp"
#include "core/read/format.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

ErrorCode code_of_json(const std::string& text) { return json_error(text).value().code; }

std::map<ErrorCode, ErrorCode> produced() {
  OpenSession open("metrics.json", small_metrics());
  const Session& session = open.session();
  const auto asked = [&](const char* request) { return session.ask(request).error().code; };
  const auto exported = [&](std::string_view to) { return session.export_run(0, to, {}, {}).error().code; };
  Session other;
  return {
      {ErrorCode::cannot_open, cli::open_bundles(other, {"no/such/file"}).error().code},
      {ErrorCode::empty_file, code_of_json("")},
      {ErrorCode::not_json, code_of_json("{]")},
      {ErrorCode::truncated, code_of_json("{")},
      {ErrorCode::too_deep, code_of_json(std::string(json::max_depth + 1, '['))},
      {ErrorCode::bad_utf8, code_of_json("\"\xff\"")},
      // memory that runs out is made by tests/wasm/outOfMemory.test.ts
      {ErrorCode::out_of_memory, ErrorCode::out_of_memory},
      {ErrorCode::nothing_to_show, open_files(other, {{"notes.txt", "some words"}}).error().code},
      {ErrorCode::unknown_question, asked(R"({"question": "x"})")},
      {ErrorCode::unknown_format, exported("x")},
      {ErrorCode::unknown_option, asked(R"({"question": "runs", "options": {"x": 1}})")},
      {ErrorCode::bad_option, asked(R"({"question": "throughput", "options": {"bins": "x"}})")},
      {ErrorCode::bad_selection, asked(R"({"question": "runs", "selection": {"x": 1}})")},
      {ErrorCode::unknown_run, asked(R"({"question": "runs", "runs": [7]})")},
      {ErrorCode::wrong_run_count, asked(R"({"question": "compare"})")},
      {ErrorCode::nothing_to_export, exported("speedscope")},
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
