#include "core/export/export.hpp"

#include <set>

#include <nlohmann/json.hpp>

#include "core/base/text.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/test_data.hpp"

using crema::exports::NameHider;

namespace {

/// `text` as the only file, cut into pieces of `size` bytes.
std::string hidden(const std::string& text, std::size_t size = 1000,
                   std::vector<std::string> also = {}) {
  NameHider hider(std::move(also));
  for (std::size_t at = 0; at < text.size(); at += size)
    hider.learn(std::string_view(text).substr(at, size));
  hider.end_file();
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += size)
    out += hider.hide(std::string_view(text).substr(at, size));
  return out + hider.end_hiding();
}

}  // namespace

TEST_CASE("homes name neither their user nor the folders below") {
  CHECK(hidden(R"("/home/jdoe/secret/plan/x.py")") == R"("/home/user1/folder1/x.py")");
  CHECK(hidden(R"("/home/jdoe/x.py")") == R"("/home/user1/x.py")");
  CHECK(hidden(R"("/Users/jane.doe/my work/x y.py")") == R"("/Users/user1/folder1/x y.py")");
  CHECK(hidden(R"("root://xcache//store/user/jdoe/run3/nano.root")") ==
        R"("root://xcache//store/user/user1/folder1/nano.root")");
  CHECK(hidden(R"("/afs/cern.ch/user/j/jdoe/a/x.py")") ==
        R"("/afs/cern.ch/user/j/user1/folder1/x.py")");
  CHECK(hidden(R"("/afs/cern.ch/work/j/jdoe/a/x.py")") ==
        R"("/afs/cern.ch/work/j/user1/folder1/x.py")");
  CHECK(hidden(R"("/eos/home-j/jdoe/a/x.py")") == R"("/eos/home-j/user1/folder1/x.py")");
  CHECK(hidden(R"("C:\\Users\\jdoe\\secret\\x.py")") == R"("C:\\Users\\user1\\folder1\\x.py")");
  CHECK(hidden(R"("\/home\/jdoe\/a\/x.py")") == R"("\/home\/user1\/folder1\/x.py")");
  CHECK(hidden(R"("/home/jos\u00e9/a/x.py")") == R"("/home/user1/folder1/x.py")");
}

TEST_CASE("what tells code apart stays") {
  CHECK(hidden(R"("/home/jdoe/env/lib/python3.11/site-packages/dask/core.py")") ==
        R"("/home/user1/folder1/lib/python3.11/site-packages/dask/core.py")");
  CHECK(hidden(R"("/home/jdoe/roastcoffea/src/roastcoffea/decorator.py")") ==
        R"("/home/user1/folder1/src/roastcoffea/decorator.py")");
  CHECK(hidden(R"("/home/jdoe/plan/src/secret/x.py")") == R"("/home/user1/folder1/x.py")");
  CHECK(hidden(R"("/opt/conda/lib/python3.11/json/decoder.py")") ==
        R"("/opt/conda/lib/python3.11/json/decoder.py")");
}

TEST_CASE("alike everywhere: one name for a folder, one for a user, also outside of paths") {
  CHECK(
      hidden(
          R"(["/home/jdoe/a/x.py", "/home/jdoe/b/y.py", "/home/jdoe/a/z.py", "jdoe", "dask-jdoe-1", "jdoes"])") ==
      R"(["/home/user1/folder1/x.py", "/home/user1/folder2/y.py", "/home/user1/folder1/z.py", "user1", "dask-user1-1", "jdoes"])");
  CHECK(hidden("main@/home/jdoe/a/x.py:12;f@/home/ada/b/y.py:3 45\n") ==
        "main@/home/user1/folder1/x.py:12;f@/home/user2/folder2/y.py:3 45\n");
}

TEST_CASE("accounts that name no person stay, their folders do not") {
  CHECK(hidden(R"({"user": "jovyan", "file": "/home/jovyan/secret/x.py"})") ==
        R"({"user": "jovyan", "file": "/home/jovyan/folder1/x.py"})");
}

TEST_CASE("a home in a home is none") {
  CHECK(hidden(R"({"a": "/home/user/analysis/x.py", "b": "analysis"})") ==
        R"({"a": "/home/user/folder1/x.py", "b": "analysis"})");
}

TEST_CASE("what is no home stays as it is") {
  for (const std::string text :
       {R"("tcp://10.0.0.1:4321")", R"("a/b and/or c")",
        R"("/usr/bin/x", "\n", "\\d+", "\\n\\name\\n")", R"("/store/mc/NANOAOD/1.root")",
        R"("/home")", R"("home/", "/home/")"}) {
    CHECK(hidden(text) == text);
  }
}

TEST_CASE("further words are hidden where they stand alone") {
  CHECK(hidden(R"("node7.site.edu site sites")", 1000, {"site"}) ==
        R"("node7.hidden1.edu hidden1 sites")");
}

TEST_CASE("whatever a user is called, the files stay readable: only paths and words are hidden") {
  // A field, a part of a field, a number, a part of a number, a literal, a word of a format.
  CHECK(hidden(R"({"dataset": "ttbar by dataset", "dataset_size": 3, "f": "/home/dataset/x"})") ==
        R"({"dataset": "ttbar by user1", "dataset_size": 3, "f": "/home/user1/x"})");
  CHECK(
      hidden(
          R"({"events": 1000, "s": 0.12, "t": 5e10, "f": ["/home/1000/x", "/home/12/x", "/home/5e10/y"]})") ==
      R"({"events": 1000, "s": 0.12, "t": 5e10, "f": ["/home/user1/x", "/home/user2/x", "/home/user3/y"]})");
  CHECK(hidden(R"({"a": null, "f": "/home/null/x"})") == R"({"a": null, "f": "/home/user1/x"})");
  CHECK(hidden(R"j({"('execute', 'P', 'thread-cpu', 'seconds')": 3, "f": "/home/execute/x"})j") ==
        R"j({"('execute', 'P', 'thread-cpu', 'seconds')": 3, "f": "/home/user1/x"})j");
  // A key that is no plain word is data.
  CHECK(hidden(R"({"tcp://jdoe-pc:1" : {"f": "/home/jdoe/x"}})") ==
        R"({"tcp://user1-pc:1" : {"f": "/home/user1/x"}})");
  // What is asked for is hidden in keys as well.
  CHECK(hidden(R"({"zprime_mass": 1})", 1000, {"zprime"}) == R"({"hidden1_mass": 1})");
}

TEST_CASE("a recording stays the same recording whatever its fields' words a user is called") {
  const std::string text = crema::test::read_test_file("local-4x1/metrics.json");
  const auto whole = nlohmann::json::parse(text);
  std::set<std::string> words;
  for (const auto& object :
       {whole, whole.at("tracking_data"), whole.at("raw_chunk_metrics").at(0)}) {
    for (const auto& [key, value] : object.items()) {
      if (key.find(':') != std::string::npos || key.find('\'') != std::string::npos) continue;
      words.insert(key);
      for (const std::string_view word : crema::split(key, "_")) words.emplace(word);
    }
  }
  std::string paths;
  for (const std::string& word : words) paths += "\"/home/" + word + "/x\" ";
  NameHider hider;
  hider.learn(paths + text);
  hider.end_file();
  std::string out = hider.hide(text);
  out += hider.end_hiding();
  const auto result = nlohmann::json::parse(out);
  CHECK(result.at("raw_chunk_metrics").at(0).at("duration") ==
        whole.at("raw_chunk_metrics").at(0).at("duration"));
  for (const auto& [key, value] : whole.items()) CHECK(result.contains(key));
  CHECK(result.at("raw_span_metrics").size() == whole.at("raw_span_metrics").size());
}

TEST_CASE("pieces may end anywhere") {
  const std::string text =
      R"({"a": "/home/jdoe/secret/x.py", "b": ["jdoe", "C:\\Users\\jdoe\\y.py"]})"
      "\nf@/home/jdoe/secret/x.py:1 2\n/home/jdoe";
  const std::string whole = hidden(text);
  CHECK(whole.find("jdoe") == std::string::npos);
  CHECK(whole.find("secret") == std::string::npos);
  for (std::size_t size = 1; size < 40; ++size) CHECK(hidden(text, size) == whole);
}
