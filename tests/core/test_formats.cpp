#include "core/read/format.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

std::string format_of(const std::string& text, const std::string& path = "unknown",
                      std::size_t piece = 1U << 16U) {
  Session session;
  const FileId file = session.add_file(0, path, text.size());
  for (std::size_t at = 0; at < text.size(); at += piece)
    session.push(file, {text.data() + at, std::min(piece, text.size() - at)});
  session.finish_file(file);
  return std::string(session.format_of(file));
}

}  // namespace

TEST_CASE("Every recorded file is recognised by its content, whatever its name") {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"metrics.json", "metrics"},
      {"start_end_time.txt", "start_end_time"},
      {"metadata.json", "metadata"},
      {"report.json", "report"},
      {"scheduler_info.json", "scheduler_info"},
      {"span_metrics.json", "activities"}};
  for (const char* bundle :
       {"ab-after", "ab-before", "adaptive", "local-4x1", "no-decorator", "no-tracking",
        "preproc-none", "scale-1", "scale-2", "scale-4", "schema-0.1.0", "schema-flat-old-528a064",
        "schema-improve-api", "skipbad"}) {
    for (const auto& [name, format] : files) {
      CAPTURE(bundle, name);
      CHECK(format_of(read_test_file(std::string(bundle) + "/" + name)) == format);
    }
  }
  CHECK(format_of(read_test_file("local-4x1/dask_profiles.json.gz")) == "worker_profiles");
  CHECK(format_of(read_test_file("adaptive/dask_profiles.json.gz")) == "worker_profiles");
  CHECK(format_of(read_test_file("local-4x1/profile_by_key.json.gz")) == "profile_map");
  CHECK(format_of(read_test_file("local-4x1/profile_merged.json.gz")) == "profile_tree");
}

TEST_CASE("What a file is recognised as does not depend on the pieces in which it comes") {
  for (const auto& [file, format] : std::vector<std::pair<std::string, std::string>>{
           {"scale-1/metrics.json", "metrics"},
           {"local-4x1/scheduler_info.json", "scheduler_info"},
           {"skipbad/span_metrics.json", "activities"}}) {
    const std::string text = read_test_file(file);
    for (const std::size_t piece :
         {std::size_t{1}, std::size_t{1000}, std::size_t{65537}, text.size()})
      CHECK(format_of(text, "unknown", piece) == format);
  }
}

TEST_CASE("A metrics.json is recognised behind a long first member") {
  const std::string far = "{\"history\": \"" + std::string(300000, 'x') +
                          "\", \"tracking_data\": null, \"total_events\": 1}";
  for (const std::size_t piece : {std::size_t{7}, std::size_t{65536}, far.size()})
    CHECK(format_of(far, "unknown", piece) == "metrics");
}

TEST_CASE("A single characteristic key is enough for a metrics.json") {
  for (const char* text :
       {R"({"tracking_data": null})", R"({"raw_chunk_metrics": []})", R"({"data_rate_gbps": 1})",
        R"({"overall_rate_gbps": 1})", R"({"raw": {"workers": null}, "summary": {}})",
        R"({"raw": {"chunks": []}})"})
    CHECK(format_of(text) == "metrics");
}

TEST_CASE("config.json is the one file that is known by its name") {
  CHECK(format_of(R"({"executor": "dask"})", "run/config.json") == "config");
  CHECK(format_of(R"({"executor": "dask"})", "run/my_config.json").empty());
  CHECK(format_of("not JSON", "config.json").empty());
}

TEST_CASE("Files of something else are not recognised") {
  for (const std::string& text :
       std::vector<std::string>{"", " ", "{}", "[]", "null", "5", "\"text\"", "[1, 2]",
                                "{\"a\": 1}", "{\"latency\": 1.5}", "{\"timestamp\": \"2026\"}",
                                "{\"chunks\": 3}", "{\"workers\": {}}", "{\"type\": \"Scheduler\"}",
                                "{\"raw\": {}}", "{\"raw\": 5, \"summary\": 5, \"x\": {}}"}) {
    CAPTURE(text);
    const std::string format = format_of(text);
    CHECK((format.empty() || format == "metrics"));
    if (text.find("summary") == std::string::npos) CHECK(format.empty());
  }
  CHECK(format_of("12.5").empty());
  CHECK(format_of("12.5,").empty());
  CHECK(format_of("1,2,3").empty());
  CHECK(format_of("a,b\n1,2\n").empty());
  CHECK(format_of("1,2\n3,4\n").empty());
  CHECK(format_of("<html><body>1</body></html>").empty());
  CHECK(format_of("\x89PNG\r\n\x1a\n").empty());
  CHECK(format_of(R"({"name": "crema", "version": "0.1.0", "dependencies": {"d3": "7"}})").empty());
  CHECK(format_of(R"({"cells": [], "metadata": {}, "nbformat": 4})").empty());
  CHECK(format_of(R"({"type": "FeatureCollection", "features": []})").empty());
}

TEST_CASE("Every format is in the list once, with a name for people") {
  for (const Format& format : formats()) {
    CAPTURE(std::string(format.id));
    CHECK_FALSE(format.label.empty());
    CHECK(std::count_if(formats().begin(), formats().end(),
                        [&](const Format& f) { return f.id == format.id; }) == 1);
  }
}
