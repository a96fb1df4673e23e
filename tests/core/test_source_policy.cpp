#include "core/session/source_policy.hpp"

#include <nlohmann/json.hpp>

#include "tests/core/catch.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;

TEST_CASE("What of folders and archives counts is as in the cases that Python is held to, too") {
  const auto cases = nlohmann::json::parse(test::read_test_file("../source_policy.json"));
  for (const auto& file : cases["files"]) {
    CAPTURE(file);
    CHECK(counts_as_file(file["path"].get<std::string>()) == file["counts"].get<bool>());
  }
  for (const auto& entry : cases["entries"]) {
    CAPTURE(entry);
    CHECK(entry_path(entry["name"].get<std::string>()) == entry["path"].get<std::string>());
  }
  for (const auto& archive : cases["archives"]) {
    CAPTURE(archive);
    ArchiveFolders folders;
    for (const auto& entry : archive["entries"]) folders.add(entry.get<std::string>());
    const auto [source, folder] = folders.place_of(archive["archive"].get<std::string>());
    CHECK(source == archive["source"].get<std::string>());
    CHECK(folder == archive["folder"].get<std::string>());
  }
  for (const auto& size : cases["sizes"]) {
    CAPTURE(size);
    CHECK(may_unpack(size["unpacked"].get<std::uint64_t>(), size["packed"].get<std::uint64_t>()) ==
          size["allowed"].get<bool>());
  }
  CHECK(cases["mostEntries"] == most_entries);
  CHECK(cases["maxArchiveDepth"] == max_archive_depth);
}

TEST_CASE("A name that is no UTF-8 is taken for Latin-1") {
  CHECK(readable_name("run/\xe9.json") == "run/é.json");
  CHECK(readable_name("run/é.json") == "run/é.json");
}
