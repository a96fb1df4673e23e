// Damaged, odd and hostile files: no crash, no hang, and either a run whose data notes tell what is
// wrong or one clear error.
#include <cmath>
#include <functional>

#include <nlohmann/json.hpp>

#include "core/export/export.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::exports;
using namespace crema::test;

namespace {

using Json = nlohmann::ordered_json;

const std::string report_text =
    R"({"bytesread": 8000000, "entries": 3000, "processtime": 5.0, "chunks": 2, "columns": ["pt", "eta"]})";
const std::string scheduler_info =
    R"({"type": "Scheduler", "address": "tcp://h:1", "workers": {"tcp://10.0.0.1:1001": {"name": 0, "host": "10.0.0.1",
  "nthreads": 2, "memory_limit": 1000}, "tcp://10.0.0.2:1002": {"name": "b", "host": "10.0.0.2", "nthreads": 1, "memory_limit": 500}}})";
const std::string spans =
    R"j({"('execute', 'P', 'thread-cpu', 'seconds')": 4.0, "('execute', 'P', 'thread-noncpu', 'seconds')": 2, "latency": 0.5})j";
const std::string metadata =
    R"({"timestamp": "2026-11-21T10:00:05", "elapsed_time_seconds": 4.0, "format": "roastcoffea_measurement_v1"})";
const std::string nested =
    R"j({"raw": {"workers": {"worker_counts": {"2026-11-21T10:00:00": 1}, "worker_cores": {"w": [["2026-11-21T10:00:00", 2]]},
  "worker_last_seen": {"w": [["2026-11-21T10:00:00", 1795255200.0]]}}, "tasks": {"('execute', 'P', 'thread-cpu', 'seconds')": 1.5},
  "chunks": [{"t_start": 1795255200.5, "t_end": 1795255201.5, "duration": 1.0, "num_events": 10, "bytes_read": 100}], "sections": null},
  "summary": {"events": {"total": 10}, "timing": {"wall_seconds": 3.0, "cpu_seconds": 1.0, "num_chunks": 1}, "throughput": {"bytes_read": 120}}})j";
const std::string chunk_info =
    R"j({"data_rate_gbps": 1.0, "chunk_info": {"('f.root', 0, 10)": [1795255200.0, 1795255202.0, 5000]}})j";
const std::string old_flat =
    R"({"overall_rate_gbps": 0.1, "wall_time": 4.0, "event_rate_core_hz": 25000.0, "total_cpu_time": 5.0, "avg_cpu_time_per_chunk": 2.5,
  "raw_chunk_metrics": [{"t_start": 1795255200, "t_end": 1795255203, "wall_time": 3.0, "num_events": 5, "custom_metrics": {"n": 3},
  "sections": [{"section_name": "s", "time_delta": 1.0}], "file_metadata": {"filename": "f", "total_branches": 64, "compression_ratio": 0.5}}]})";
const std::string task_stream =
    R"([{"key": ["P-1", 0], "worker": "tcp://10.0.0.1:1001", "thread": 140, "status": "OK", "nbytes": 5, "typename": "bytes",
  "startstops": [{"action": "compute", "start": 1795255200.5, "stop": 1795255202.5}]},
  {"key": "P-2", "worker": "tcp://10.0.0.2:1002", "thread": 141, "status": "OK", "nbytes": 6,
  "startstops": [{"action": "compute", "start": 1795255201.0, "stop": 1795255204.0}]}])";
const std::string span_object =
    R"j([{"id": "s", "name": ["coffea"], "enqueued": 1795255200.0, "start": 1795255200.25, "stop": 1795255203.5,
  "nthreads_intervals": [[1795255200.0, 1795255202.0, 3], [1795255202.0, 1795255203.5, 2]],
  "cumulative_worker_metrics": {"('execute', 'P', 'thread-cpu', 'seconds')": 4.0, "('execute', 'P', 'executor', 'seconds')": 1}}])j";
const std::string times = "829.75,833.75\n";

struct Sample {
  std::string name;
  std::string text;
};

/// A small valid file for every reader of this part of the core.
const std::vector<Sample> samples = {{"metrics.json", small_metrics()},
                                     {"nested.json", nested},
                                     {"chunk_info.json", chunk_info},
                                     {"old.json", old_flat},
                                     {"report.json", report_text},
                                     {"info.json", scheduler_info},
                                     {"spans.json", spans},
                                     {"tasks.json", task_stream},
                                     {"span.json", span_object},
                                     {"metadata.json", metadata},
                                     {"start_end_time.txt", times}};

/// Files beside a sample that is no run on its own.
std::vector<File> bundle_of(const Sample& sample) {
  std::vector<File> files = {{"m/" + sample.name, sample.text}};
  if (sample.name == "info.json" || sample.name == "metadata.json" ||
      sample.name == "start_end_time.txt" || sample.name == "tasks.json" ||
      sample.name == "span.json")
    files.push_back({"m/metrics.json", without(small_metrics(), "tracking_data")});
  return files;
}

/// All answers of all runs as text, or the error. Throws nothing, whatever the files hold; checks
/// what must hold of any answer.
std::string answers(const std::vector<File>& files, std::size_t piece = 1U << 16U,
                    HeadSize head = {}) {
  Session session(0, head);
  const auto opened = open_files(session, files, piece);
  if (!opened) {
    CHECK_FALSE(opened.error().sentence().empty());
    return "ERROR " + opened.error().sentence();
  }
  std::string text;
  for (const RunId id : opened.value().runs) {
    for (const query::Question* question : query::all()) {
      if (question->run_count.least > 1) continue;
      const auto answer = session.ask(question->name, {&id, 1}, {}, {});
      text += std::string(question->name) + "\n" +
              (answer ? table_json(answer.value()) : "ERROR " + answer.error().sentence()) + "\n";
      if (!answer) continue;
      for (const Column& column : answer.value().columns) {
        const std::size_t cells =
            column.type == Column::Type::text ? column.texts.size() : column.numbers.size();
        if (cells != answer.value().rows() * column.width)
          FAIL_CHECK(std::string(question->name) + "." + column.name + " has another length");
      }
    }
  }
  return text;
}

/// The rows of `quality`, each "id file path message"; empty when nothing opened.
std::vector<std::string> notes_of(const std::vector<File>& files) {
  Session session;
  std::vector<std::string> rows;
  if (!open_files(session, files)) return rows;
  const RunId first = session.runs().front();
  const Table quality = session.ask("quality", {&first, 1}, {}, {}).value();
  for (std::size_t row = 0; row < quality.rows(); ++row) rows.emplace_back(quality.text("id", row));
  return rows;
}

bool tells(const std::vector<File>& files, std::string_view id) {
  const auto rows = notes_of(files);
  return std::find(rows.begin(), rows.end(), id) != rows.end();
}

/// JSON text with the stand-ins for what JSON has no word for.
std::string text_of(const Json& document) {
  std::string text = document.dump();
  for (const auto& [word, bare] : std::vector<std::pair<std::string, std::string>>{
           {"\"@NaN\"", "NaN"}, {"\"@Infinity\"", "Infinity"}, {"\"@1e999\"", "1e999"}}) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at))
      text.replace(at, word.size(), bare);
  }
  return text;
}

/// Calls `use` with a pointer to every value of a document.
void each_value(const Json& document, const std::function<void(const Json::json_pointer&)>& use) {
  std::vector<std::pair<const Json*, Json::json_pointer>> open = {
      {&document, Json::json_pointer()}};
  while (!open.empty()) {
    const auto [value, pointer] = open.back();
    open.pop_back();
    use(pointer);
    if (value->is_object()) {
      for (auto member = value->begin(); member != value->end(); ++member)
        open.emplace_back(&member.value(), pointer / member.key());
    } else if (value->is_array()) {
      for (std::size_t i = 0; i < value->size(); ++i) open.emplace_back(&(*value)[i], pointer / i);
    }
  }
}

}  // namespace

TEST_CASE("Every sample opens without a complaint") {
  for (const Sample& sample : samples) {
    CAPTURE(sample.name);
    for (const char* id :
         {"cut-off", "broken-json", "wrong-type", "negative-value", "chunk-time", "not-recognised"})
      CHECK_FALSE(tells(bundle_of(sample), id));
    CHECK(answers(bundle_of(sample)).substr(0, 5) != "ERROR");
  }
}

TEST_CASE(
    "A file that is cut off at any byte gives a run that says so, or one error with file and "
    "byte") {
  for (const Sample& sample : samples) {
    if (sample.name == "start_end_time.txt") continue;  // a shorter number is a number: see below
    CAPTURE(sample.name);
    const std::size_t length = sample.text.find_last_not_of(" \n") + 1;
    for (std::size_t cut = 1; cut < length; ++cut) {
      CAPTURE(cut);
      Session session;
      const auto opened = open_files(session, {{"m/" + sample.name, sample.text.substr(0, cut)}});
      if (!opened) {
        const std::string error = opened.error().sentence();
        CHECK(error.find("m/" + sample.name) != std::string::npos);
        CHECK((error.find("byte " + std::to_string(cut)) != std::string::npos ||
               error.find("no metrics") != std::string::npos));
        continue;
      }
      CHECK(has_note(*session.run(0), "cut-off"));
      // Everything is asked at some of the cuts: each costs as much as reading the sample a hundred
      // times.
      if (cut % 37 == 0 || length - cut < 3)
        answers({{"m/" + sample.name, sample.text.substr(0, cut)}});
    }
  }
}

TEST_CASE("A cut-off start_end_time.txt contradicts metrics.json, which a data note tells") {
  const std::string whole = "829.75,833.75";
  for (std::size_t cut = 0; cut + 1 < whole.size(); ++cut) {
    const std::vector<File> files = {{"m/metrics.json", small_metrics()},
                                     {"m/start_end_time.txt", whole.substr(0, cut)}};
    CAPTURE(cut);
    const auto rows = notes_of(files);
    CHECK(std::any_of(rows.begin(), rows.end(), [](const std::string& id) {
      return id == "elapsed" || id == "not-recognised" || id == "empty-file";
    }));
  }
}

TEST_CASE("The answers do not depend on where a file is split", "[slow]") {
  for (const Sample& sample : samples) {
    CAPTURE(sample.name);
    const std::vector<File> files = bundle_of(sample);
    const std::string whole = answers(files);
    const HeadSize head = least_head(files);
    CHECK((head.most < 200 ||
           head.most == sample.text.size()));  // so that a reader gets pieces at all
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7},
                                    std::size_t{64}, std::size_t{1000}})
      CHECK((answers(files, piece, head) == whole));
  }
  // Two pieces, split at every byte of the smaller samples and at some of the big one.
  for (const Sample& sample : samples) {
    CAPTURE(sample.name);
    const std::vector<File> files = bundle_of(sample);
    const std::string expected = answers(files);
    const HeadSize head = least_head(files);
    const std::size_t step = 1 + sample.text.size() / 100;
    for (std::size_t cut = 1; cut < sample.text.size(); cut += step) {
      CAPTURE(cut);
      CHECK((answers(files, cut, head) == expected));
    }
  }
}

TEST_CASE("A value of any other type in any place breaks nothing", "[slow]") {
  const std::vector<Json> others = {nullptr,
                                    "text",
                                    "",
                                    7,
                                    -1,
                                    1e308,
                                    "@NaN",
                                    "@Infinity",
                                    true,
                                    Json::array(),
                                    Json::object(),
                                    Json::array({1, "a", nullptr}),
                                    Json{{"a", {{"b", 1}}}}};
  for (const Sample& sample : samples) {
    if (sample.name == "start_end_time.txt") continue;
    CAPTURE(sample.name);
    const Json document = Json::parse(sample.text);
    std::size_t turn = 0;
    each_value(document, [&](const Json::json_pointer& place) {
      for (const Json& other : others) {
        Json changed = document;
        changed[place] = other;
        CAPTURE(place.to_string(), other.dump());
        const std::vector<File> files = bundle_of({sample.name, text_of(changed)});
        // All are opened; the big sample is asked everything in turn, the others always.
        if (sample.text.size() < 1000 || ++turn % 5 == 0) {
          answers(files);
        } else {
          Session session;
          open_files(session, files);
        }
      }
    });
  }
}

TEST_CASE("A number that is a text, a list or an object is told in the data notes") {
  for (const Sample& sample : samples) {
    if (sample.name == "start_end_time.txt" || sample.name == "metadata.json")
      continue;  // its one number is not used
    CAPTURE(sample.name);
    const Json document = Json::parse(sample.text);
    each_value(document, [&](const Json::json_pointer& place) {
      if (!document[place].is_number()) return;
      const std::string key = place.back();
      // Carried by no column: the record's own stamp, custom numbers, Dask's names of workers.
      if (key == "timestamp" || key == "n" || key == "name") return;
      if (place.to_string().find("/key/") != std::string::npos)
        return;  // a part of a tuple, which may be anything
      for (const Json& other : {Json("text"), Json::array({1}), Json{{"a", 1}}}) {
        Json changed = document;
        changed[place] = other;
        CAPTURE(place.to_string(), other.dump());
        const std::vector<File> files = bundle_of({sample.name, text_of(changed)});
        CHECK((tells(files, "wrong-type") || answers(files).find("ERROR") == 0));
      }
    });
  }
}

TEST_CASE(
    "NaN is missing everywhere, infinite and overflowing numbers are told and never reach an "
    "answer") {
  for (const Sample& sample : samples) {
    if (sample.name == "start_end_time.txt" || sample.name == "metadata.json") continue;
    CAPTURE(sample.name);
    const Json document = Json::parse(sample.text);
    each_value(document, [&](const Json::json_pointer& place) {
      if (!document[place].is_number()) return;
      const std::string key = place.back();
      if (key == "timestamp" || key == "name" || key == "n") return;
      // A part of a tuple may be anything; an interval without an end is of no use, which is told.
      if (place.to_string().find("/key/") != std::string::npos ||
          place.to_string().find("intervals") != std::string::npos)
        return;
      CAPTURE(place.to_string());
      Json changed = document;
      changed[place] = "@NaN";
      CHECK_FALSE(tells(bundle_of({sample.name, text_of(changed)}), "wrong-type"));
      for (const char* infinite : {"@Infinity", "@1e999"}) {
        changed[place] = infinite;
        const std::vector<File> files = bundle_of({sample.name, text_of(changed)});
        CHECK((tells(files, "wrong-type") || answers(files).find("ERROR") == 0));
      }
    });
  }
}

TEST_CASE("Any key may be absent", "[slow]") {
  for (const Sample& sample : samples) {
    if (sample.name == "start_end_time.txt") continue;
    CAPTURE(sample.name);
    const Json document = Json::parse(sample.text);
    each_value(document, [&](const Json::json_pointer& place) {
      if (place.empty()) return;
      Json changed = document;
      Json& parent = changed[place.parent_pointer()];
      if (parent.is_object()) parent.erase(place.back());
      else parent.erase(static_cast<std::size_t>(std::stoul(place.back())));
      CAPTURE(place.to_string());
      const std::vector<File> files = bundle_of({sample.name, text_of(changed)});
      answers(files);
      CHECK_FALSE(tells(files, "broken-json"));
    });
  }
}

TEST_CASE("Unknown keys in any object change no answer") {
  for (const Sample& sample : samples) {
    if (sample.name == "start_end_time.txt" || sample.name == "spans.json")
      continue;  // any key is an activity there
    CAPTURE(sample.name);
    const Json document = Json::parse(sample.text);
    const auto without_sources = [](std::string text) {
      return text.substr(text.find("\nsummary\n"));
    };
    const std::string expected =
        without_sources(answers(bundle_of({sample.name, document.dump()})));
    each_value(document, [&](const Json::json_pointer& place) {
      if (!document[place].is_object()) return;
      const std::string path = place.to_string();
      // Keys are data in these: addresses, times, names of sections, metrics of tasks, custom
      // numbers.
      for (const char* open_ended : {"worker_", "timing", "memory", "bytes", "raw_span_metrics",
                                     "tasks", "chunk_info", "custom_metrics", "/workers"}) {
        if (path.find(open_ended) != std::string::npos) return;
      }
      Json changed = document;
      changed[place]["zzz_unknown"] = {{"a", {1, 2, {{"b", nullptr}}}}, {"c", "text"}};
      CAPTURE(path);
      CHECK((without_sources(answers(bundle_of({sample.name, text_of(changed)}))) == expected));
    });
  }
}

TEST_CASE("Keys that occur twice do not count twice") {
  const std::string text = small_metrics();
  const std::string body = text.substr(1, text.rfind('}') - 1);
  const OpenSession once("metrics.json", text);
  const OpenSession twice("metrics.json", "{" + body + "," + body + "}");
  CHECK((table_json(once.ask("summary")) == table_json(twice.ask("summary"))));
  CHECK((table_json(once.ask("budget")) == table_json(twice.ask("budget"))));
  CHECK((table_json(once.ask("chunks")) == table_json(twice.ask("chunks"))));
  CHECK((table_json(once.ask("timeline")) == table_json(twice.ask("timeline"))));
}

TEST_CASE("Series and lists may be empty, or of one") {
  for (
      const char* text :
      {R"({"tracking_data": {}})", R"({"tracking_data": {"worker_counts": {}}})",
       R"({"tracking_data": {"worker_memory": {}}})",
       R"({"tracking_data": {"worker_memory": {"w": []}}, "raw_chunk_metrics": []})",
       R"({"raw_chunk_metrics": [{}]})", R"({"raw_chunk_metrics": [[], null, 5]})",
       R"({"tracking_data": {"worker_counts": {"2026-11-21T10:00:00": 1}}})",
       R"({"tracking_data": {"worker_cores": {"w": [["2026-11-21T10:00:00", 1]]}}})",
       R"({"raw_span_metrics": {}, "elapsed_time_seconds": 5})", R"({"chunk_info": {}})",
       R"({"raw": {}, "summary": {}})", R"({"raw": null, "summary": null})",
       R"({"raw_chunk_metrics": [{"t_start": 1795255200, "t_end": 1795255200, "num_events": 0, "bytes_read": 0, "duration": 0}], "elapsed_time_seconds": 1e-9})"}) {
    CAPTURE(text);
    const std::string all = answers({{"metrics.json", text}});
    CHECK(all.find("ERROR") == std::string::npos);
  }
}

TEST_CASE("Huge numbers stay numbers or become missing, and no answer says infinity") {
  std::string text = small_metrics();
  for (const char* amount : {"100", "200", "300"})
    text = with(text, std::string(", ") + amount + "]", ", 1e308]");
  text = with(text, "\"duration\": 2.0", "\"duration\": 1e308");
  text = with(text, "\"duration\": 3.0", "\"duration\": 1e308");
  const std::string all = answers({{"metrics.json", text}});
  for (const char* word : {" inf ", " inf,", " inf.", ",inf", ":inf", "-inf ", " nan "}) {
    CAPTURE(word);
    CHECK(all.find(word) == std::string::npos);
  }
  CHECK(nlohmann::json::accept(table_json(OpenSession("metrics.json", text).ask("summary"))));
}

TEST_CASE("Negative durations, counts and amounts are told") {
  for (const char* key : {"\"duration\": 2.0", "\"num_events\": 1000", "\"bytes_read\": 3000000",
                          "\"mem_before_mb\": 100.0"}) {
    const std::string from = key;
    const std::string negative =
        with(small_metrics(), from, from.substr(0, from.find(':') + 1) + " -5");
    CHECK(tells({{"metrics.json", negative}}, "negative-value"));
  }
  CHECK(tells({{"metrics.json", with(small_metrics(), "\"elapsed_time_seconds\": 4.0",
                                     "\"elapsed_time_seconds\": -4.0")}},
              "elapsed"));
  CHECK(tells({{"metrics.json",
                with(small_metrics(), "\"t_end\": 1795255202.5", "\"t_end\": 1795255199.5")}},
              "chunk-time"));
}

TEST_CASE("Ticks out of order give the core-time of the ordered ones") {
  const std::string disordered =
      with(small_metrics(),
           R"("2026-11-21T10:00:00": 2, "2026-11-21T10:00:01": 2, "2026-11-21T10:00:02": 1})",
           R"("2026-11-21T10:00:02": 1, "2026-11-21T10:00:00": 2, "2026-11-21T10:00:01": 2})");
  const OpenSession session("metrics.json", disordered);
  CHECK(core_seconds(session.ask("budget"), "available") == Approx(10));
  CHECK((table_json(session.ask("timeline")) ==
         table_json(OpenSession("metrics.json", small_metrics()).ask("timeline"))));
  CHECK(tells({{"metrics.json", disordered}}, "ticks-out-of-order"));
}

TEST_CASE("Nesting of 10,000 in any place is passed by") {
  const std::string arrays = std::string(10000, '[') + std::string(10000, ']');
  std::string objects;
  for (int i = 0; i < 10000; ++i) objects += "{\"a\":";
  objects += "1" + std::string(10000, '}');
  for (const Sample& sample : samples) {
    if (sample.name == "start_end_time.txt") continue;
    CAPTURE(sample.name);
    const Json document = Json::parse(sample.text);
    std::size_t turn = 0;
    each_value(document, [&](const Json::json_pointer& place) {
      if (sample.text.size() > 1000 && ++turn % 11 != 0) return;
      Json changed = document;
      changed[place] = "@deep";
      CAPTURE(place.to_string());
      answers(bundle_of(
          {sample.name, with(changed.dump(), "\"@deep\"", turn % 2 == 0 ? arrays : objects)}));
    });
  }
  CHECK(answers({{"m.json", arrays}}).find("ERROR") == 0);
  CHECK(answers({{"m.json", std::string(10000, '[')}}).find("ERROR") == 0);
  CHECK(answers({{"m.json", "{\"tracking_data\": " + std::string(3000000, '[')}})
            .find("nested too deeply") != std::string::npos);
}

TEST_CASE("Files that are no bundle are one error with their reasons") {
  for (const std::string& text :
       std::vector<std::string>{"", " ", "x", "null", "[]", "{}", std::string(100000, ' '),
                                std::string(100000, '1'), std::string(1000, '\0'), "\xff\xfe",
                                "{\"a\":\"" + std::string(2000000, 'x'), "%PDF-1.5"}) {
    const std::string error = answers({{"dir/file.json", text}});
    CHECK(error.find("ERROR") == 0);
    CHECK(error.find("dir/file.json") != std::string::npos);
  }
}
