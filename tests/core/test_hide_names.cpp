#include "core/export/hide_names.hpp"

#include "tests/core/catch.hpp"

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

TEST_CASE("pieces may end anywhere") {
  const std::string text =
      R"({"a": "/home/jdoe/secret/x.py", "b": ["jdoe", "C:\\Users\\jdoe\\y.py"]})"
      "\nf@/home/jdoe/secret/x.py:1 2\n/home/jdoe";
  const std::string whole = hidden(text);
  CHECK(whole.find("jdoe") == std::string::npos);
  CHECK(whole.find("secret") == std::string::npos);
  for (std::size_t size = 1; size < 40; ++size) CHECK(hidden(text, size) == whole);
}
