#include "core/read/roastcoffea/metrics.hpp"

#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

Run read_chunks(const std::string& list) {
  return read_as(metrics_format, "{\"raw_chunk_metrics\": " + list + "}");
}
Run read_chunk(const std::string& members) { return read_chunks("[{" + members + "}]"); }

std::string sections_of(const Run& run) {
  std::string text;
  for (const SectionValue& s : run.chunks.sections) {
    const char kind = s.kind == SectionValue::Kind::seconds  ? 's'
                      : s.kind == SectionValue::Kind::memory ? 'm'
                                                             : 'b';
    text += std::to_string(s.chunk) + kind + ":" + std::string(run.text(s.name)) + "=" +
            std::to_string(static_cast<std::int64_t>(s.value)) + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("A chunk record becomes a row, in SI units") {
  const Run run = read_chunk(
      R"("t_start": 100.5, "t_end": 102.5, "duration": 2, "mem_before_mb": 10, "mem_after_mb": 11, "mem_delta_mb": 1,
    "bytes_read": 4096, "timestamp": 102.5, "num_events": 1000, "dataset": "zprime", "file": "root://h//f.root", "uuid": null,
    "entry_start": 5, "entry_stop": 1005, "num_branches_accessed": 2, "accessed_bytes": 77, "accessed_uncompressed_bytes": 99,
    "branches_read_percent": 25, "bytes_read_percent": 50, "accessed_branches": ["pt", "eta"])");
  const Chunks& c = run.chunks;
  REQUIRE(c.size() == 1);
  CHECK(c.t_start[0] == 100.5);
  CHECK(c.t_end[0] == 102.5);
  CHECK(c.duration[0] == 2);
  CHECK(c.memory_before[0] == 10 * 1048576.0);
  CHECK(c.memory_delta[0] == 1048576.0);
  CHECK(c.bytes_read[0] == 4096);
  CHECK(c.events[0] == 1000);
  CHECK(run.text(c.dataset[0]) == "zprime");
  CHECK(run.text(c.file[0]) == "root://h//f.root");
  CHECK(c.entry_stop[0] == 1005);
  CHECK(c.branches_accessed[0] == 2);
  CHECK(c.accessed_bytes[0] == 77);
  CHECK(c.branches_read_fraction[0] == 0.25);
  CHECK(c.bytes_read_fraction[0] == 0.5);
  CHECK(c.branch_sets.at(c.branch_set[0]).size() == 2);
  CHECK(c.error[0] == no_string);
  CHECK(c.extra.empty());
  CHECK(run.data_notes.empty());
}

TEST_CASE("What a record lacks, or has as null, is absent") {
  for (
      const Run& run :
      {read_chunk(""),
       read_chunk(
           R"("t_start": null, "t_end": null, "duration": null, "num_events": null, "dataset": null,
        "file": null, "bytes_read": NaN, "timing": null, "accessed_branches": null, "error": null, "file_metadata": null)")}) {
    REQUIRE(run.chunks.size() == 1);
    CHECK(is_absent(run.chunks.t_start[0]));
    CHECK(is_absent(run.chunks.events[0]));
    CHECK(is_absent(run.chunks.bytes_read[0]));
    CHECK(run.chunks.dataset[0] == no_string);
    CHECK(run.chunks.file[0] == no_string);
    CHECK(run.chunks.error[0] == no_string);
    CHECK(run.chunks.branch_set[0] == Chunks::no_set);
    CHECK(run.data_notes.empty());
  }
}

TEST_CASE("Sections are read from the maps, in seconds, bytes of memory and bytes") {
  const Run run = read_chunks(
      R"([{"timing": {"a": 1, "b": 2}, "memory": {"a": -3}, "bytes": {"a": 4}}, {"timing": {"a": 5}}])");
  CHECK(sections_of(run) == "0s:a=1 0s:b=2 0m:a=-3145728 0b:a=4 1s:a=5 ");
}

TEST_CASE("Sections are read from the lists of other writers") {
  const Run run = read_chunk(
      R"("sections": [{"section_name": "jets", "time_delta": 2}, {"name": "fill", "duration": 3, "mem_delta_mb": 1}],
                                "memory_sections": [{"section_name": "fill", "memory_delta_gb": 2}])");
  CHECK(sections_of(run) == "0s:jets=2 0s:fill=3 0m:fill=1048576 0m:fill=2147483648 ");
}

TEST_CASE("A section named twice in one map holds its last value") {
  CHECK(sections_of(read_chunk(R"("timing": {"a": 1, "b": 2, "a": 3})")) == "0s:a=3 0s:b=2 ");
}

TEST_CASE("Custom numbers become extra columns") {
  const Run run = read_chunks(
      R"([{"n_jets": 5}, {"custom_metrics": {"met": 7, "ok": true, "name": "x"}, "n_jets": 6, "list": [1, 2]}])");
  CHECK(run.chunks.extra.size() == 3);
  CHECK(run.chunks.extra.at("n_jets") == std::vector<double>{5, 6});
  CHECK(is_absent(run.chunks.extra.at("custom_metrics.met")[0]));
  CHECK(run.chunks.extra.at("custom_metrics.met")[1] == 7);
  CHECK(run.chunks.extra.at("custom_metrics.ok")[1] == 1);
  CHECK(run.data_notes.empty());
}

TEST_CASE("Of more than 200 custom numbers the rest is left out, with a note that counts them") {
  std::string members = "\"n0\": 0";
  for (int i = 1; i < 203; ++i) members += ", \"n" + std::to_string(i) + "\": " + std::to_string(i);
  const Run run = read_chunk(members);
  CHECK(run.chunks.extra.size() == 200);
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "too-many-keys");
  CHECK(run.data_notes[0].count == 3);
}

TEST_CASE("A chunk with an error's text failed") {
  const Run run = read_chunks(R"([{"error": "OSError: broken"}, {"error": null}, {"error": ""}])");
  CHECK(run.text(run.chunks.error[0]) == "OSError: broken");
  CHECK(run.chunks.error[1] == no_string);
  CHECK(run.chunks.error[2] != no_string);
}

TEST_CASE("Old writers' wall_time is the duration") {
  CHECK(read_chunk(R"("wall_time": 3)").chunks.duration[0] == 3);
  CHECK(read_chunk(R"("wall_time": 3, "duration": 2)").chunks.duration[0] == 2);
}

TEST_CASE("Equal lists of branches are kept once, whatever their order") {
  const Run run = read_chunks(
      R"([{"accessed_branches": ["b", "a"]}, {"accessed_branches": ["a", "b", "a"]}, {"accessed_branches": []}])");
  CHECK(run.chunks.branch_sets.size() == 2);
  CHECK(run.chunks.branch_set == std::vector<std::uint32_t>{0, 0, 1});
}

TEST_CASE("A file's facts stand with the file, once") {
  const Run run = read_chunks(
      R"([{"file_metadata": {"filename": "f", "compression_ratio": 0.5, "total_branches": 64, "total_tree_bytes": 1000}},
                                  {"file_metadata": {"filename": "f", "compression_ratio": 0.5, "total_branches": 64}},
                                  {"file_metadata": {"filename": "g", "total_branches": 60}}])");
  REQUIRE(run.files.size() == 2);
  CHECK(run.text(run.files.name[1]) == "g");
  CHECK(run.files.compression_ratio[0] == 0.5);
  CHECK(run.files.branches_total == std::vector<double>{64, 60});
  CHECK(run.files.tree_bytes[0] == 1000);
  CHECK(is_absent(run.files.tree_bytes[1]));
}

TEST_CASE("Values that cannot be negative are left out when they are, with a note") {
  const Run run = read_chunk(
      R"("duration": -1, "num_events": -5, "bytes_read": -1, "mem_delta_mb": -2, "t_start": 5, "t_end": 7)");
  CHECK(is_absent(run.chunks.duration[0]));
  CHECK(is_absent(run.chunks.events[0]));
  CHECK(is_absent(run.chunks.bytes_read[0]));
  CHECK(run.chunks.memory_delta[0] == -2 * 1048576.0);
  CHECK(has_note(run, "negative-value"));
}

TEST_CASE("Values of another type are left out, each with its path") {
  const Run run = read_chunk(
      R"("t_start": "x", "num_events": [1], "timing": 5, "memory": {"a": "b"}, "accessed_branches": "pt", "sections": {}, "file_metadata": 3)");
  REQUIRE(run.chunks.size() == 1);
  CHECK(run.chunks.sections.empty());
  CHECK(run.chunks.branch_set[0] == Chunks::no_set);
  std::size_t count = 0;
  for (const DataNote& d : run.data_notes) count += d.id == "wrong-type" ? d.count : 0;
  CHECK(count == 7);
}

TEST_CASE("A dataset may be named by a number or a boolean") {
  const Run run = read_chunks(R"([{"dataset": 2016}, {"dataset": true}, {"dataset": ""}])");
  CHECK(run.text(run.chunks.dataset[0]) == "2016");
  CHECK(run.text(run.chunks.dataset[1]) == "True");
  CHECK(run.chunks.dataset[2] != no_string);
}

TEST_CASE("The chunk list given twice counts once") {
  const Run run = read_as(metrics_format,
                          R"({"raw_chunk_metrics": [{"num_events": 1, "accessed_branches": ["a"]}],
                                              "raw_chunk_metrics": [{"num_events": 2, "accessed_branches": ["a"]}]})");
  CHECK(run.chunks.events == std::vector<double>{2});
  CHECK(run.chunks.branch_sets.size() == 1);
}

TEST_CASE("chunk_info stands in where there is no chunk list") {
  const std::string info =
      R"j("chunk_info": {"('f.root', 0, 10)": [100, 102, 5000], "('g, h.root', 0, 9)": [101, 104, null]})j";
  const Run run = read_as(metrics_format, "{" + info + "}");
  REQUIRE(run.chunks.size() == 2);
  CHECK(run.text(run.chunks.file[1]) == "g, h.root");
  CHECK(run.chunks.t_start == std::vector<double>{100, 101});
  CHECK(run.chunks.bytes_read[0] == 5000);
  CHECK(is_absent(run.chunks.bytes_read[1]));
  CHECK(is_absent(run.chunks.events[0]));
  CHECK(has_note(run, "chunk-info-only"));

  const Run both = read_as(metrics_format,
                           "{" + info + R"(, "raw_chunk_metrics": [{"t_start": 1, "t_end": 2}]})");
  CHECK(both.chunks.size() == 1);
  CHECK_FALSE(has_note(both, "chunk-info-only"));
}
