#include "core/read/tools/stack_profile.hpp"

#include "tests/core/catch.hpp"

using namespace crema;
using namespace crema::read;

TEST_CASE("an identifier is split from both ends") {
  const auto plain = parse_dask_identifier("process;/home/u/ana.py;168");
  REQUIRE(plain);
  CHECK(plain->name == "process");
  CHECK(plain->file == "/home/u/ana.py");
  CHECK(plain->line == 168);
  CHECK(plain->has_file);

  const auto odd = parse_dask_identifier("<lambda>;C:\\a;b\\ana.py;3");
  REQUIRE(odd);
  CHECK(odd->name == "<lambda>");
  CHECK(odd->file == "C:\\a;b\\ana.py");
  CHECK(odd->line == 3);
}

TEST_CASE("code without co_*, native frames and no frame at all") {
  const auto built_in = parse_dask_identifier("uproot.Reader.read:12");
  REQUIRE(built_in);
  CHECK(built_in->name == "uproot.Reader.read");
  CHECK(built_in->line == 12);
  CHECK(!built_in->has_file);

  const auto native = parse_dask_identifier("std::sort;<low-level>;0x7f0012");
  REQUIRE(native);
  CHECK(native->name == "std::sort");
  CHECK(native->file == "<low-level>");
  CHECK(native->line == 0);

  REQUIRE(parse_dask_identifier("None"));
  CHECK(parse_dask_identifier("None")->name == "None");
}

TEST_CASE("any other text is no identifier") {
  for (const char* text :
       {"", "root", "a;b", "a;b;c", "a;b;-1", "a;b;", ":3", "a:b", "a;b;99999999999"})
    CHECK(!parse_dask_identifier(text));
}
