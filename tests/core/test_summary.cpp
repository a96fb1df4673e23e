// The formulas of the founding metrics reference (and ours beside them), on the bundle that is
// drawn in small_bundle.hpp.
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

double of(const std::string& id, const std::string& text = small_metrics()) {
  return value(OpenSession("metrics.json", text).ask("summary"), id);
}

std::string note_of(const std::string& id, const std::string& text) {
  const Table summary = OpenSession("metrics.json", text).ask("summary");
  return std::string(summary.text("note", summary.row_of("id", id)));
}

}  // namespace

TEST_CASE("Data rate: bytes read x 8 / elapsed, and in MB/s") {
  CHECK(of("data_rate_gbps") == Approx(8e6 * 8 / 4 / 1e9));
  CHECK(of("data_rate_mb_per_s") == Approx(2));
}

TEST_CASE("Event rate: events / elapsed, and events / process time") {
  CHECK(of("total_events") == 3000);
  CHECK(of("event_rate_elapsed_khz") == Approx(0.75));
  CHECK(of("event_rate_cpu_total_khz") == Approx(0.6));
}

TEST_CASE("Event rate per core: events / available core-seconds, not the stored number of cores") {
  CHECK(of("core_seconds_available") == Approx(10));
  CHECK(of("event_rate_core_khz") == Approx(0.3));
}

TEST_CASE("Time-averaged workers: the trapezoid over ticks, the step average and the plain mean") {
  CHECK(of("avg_workers") == Approx(((2 + 2) / 2.0 + (2 + 1) / 2.0) / 2));
  CHECK(of("workers_time_average") == Approx((2 * 1 + 2 * 1 + 1 * 2) / 4.0));
  CHECK(of("workers_mean") == Approx(5.0 / 3));
  CHECK(of("peak_workers") == 2);
}

TEST_CASE(
    "Total cores: the time average of the threads present, beside the stored sum over all "
    "workers") {
  CHECK(of("total_cores") == Approx(2.5));
  CHECK(of("cores_time_average") == Approx(2.5));
  CHECK(of("cores_per_worker") == Approx(1.5));
  const Table summary = OpenSession("metrics.json", small_metrics()).ask("summary");
  CHECK(value(summary, "total_cores", "stored") == 3);
  CHECK(value(summary, "total_cores", "stored_differs") == 1);
  CHECK_FALSE(summary.text("note", summary.row_of("id", "total_cores")).empty());
}

TEST_CASE(
    "Core efficiency: process time / available core-seconds; speedup: process time / elapsed") {
  CHECK(of("core_efficiency") == Approx(0.5));
  CHECK(of("speedup_factor") == Approx(1.25));
  CHECK(of("efficiency_ratio_percent") == Approx(125));
}

TEST_CASE(
    "Memory: the largest sample, the mean over workers of their trapezoids, the share of the "
    "limit") {
  CHECK(of("peak_memory_bytes") == 400);
  CHECK(of("memory_enough_bytes") == 128 * 1024 * 1024);  // twice 400 B, in whole steps
  CHECK(of("avg_memory_per_worker_bytes") == Approx((200 + 400) / 2.0));
  CHECK(of("memory_utilization_mean") == Approx((0.1 + 0.2 + 0.3 + 0.8 + 0.8) / 5));
  CHECK(of("memory_utilization_min") == Approx(0.1));
  CHECK(of("memory_utilization_peak") == Approx(0.8));
}

TEST_CASE("A worker without a memory limit has no share of it") {
  std::string text = small_metrics();
  for (auto at = text.find("\", 1000]"); at != std::string::npos; at = text.find("\", 1000]"))
    text.replace(at, 8, "\", 0]");
  CHECK(of("memory_utilization_min", text) == Approx(0.8));
}

TEST_CASE("Chunk counts: recorded, submitted, lost") {
  CHECK(of("num_chunks") == 2);
  CHECK(of("report_num_chunks") == 2);
  CHECK(of("lost_chunks") == 0);
  CHECK(of("avg_cpu_time_per_chunk") == 2.5);
  // 5 s of process time at 1.25 s per chunk are four chunks, of which two left a record.
  const std::string lossy =
      with(small_metrics(), "\"avg_cpu_time_per_chunk\": 2.5", "\"avg_cpu_time_per_chunk\": 1.25");
  CHECK(of("report_num_chunks", lossy) == 4);
  CHECK(of("lost_chunks", lossy) == 2);
}

TEST_CASE("Time to the first chunk counts from the first tick") {
  CHECK(of("time_to_first_chunk") == Approx(0.5));
}

TEST_CASE("Processor CPU and waiting: the sums of its task prefix, and their shares") {
  CHECK(of("processor_cpu_time_seconds") == 4);
  CHECK(of("processor_io_wait_time_seconds") == 2);
  CHECK(of("processor_cpu_percent") == Approx(100 * 4 / 6.0));
  CHECK(of("processor_io_wait_percent") == Approx(100 * 2 / 6.0));
}

TEST_CASE("Overhead CPU and waiting: those of all other prefixes") {
  CHECK(of("overhead_cpu_time_seconds") == 1);
  CHECK(of("overhead_io_wait_time_seconds") == 0);
}

TEST_CASE(
    "Memory read by Dask: sizes of task inputs; what did not happen is 0, what was not recorded is "
    "missing") {
  CHECK(of("total_bytes_memory_read") == 500);
  CHECK(of("disk_read_bytes") == 0);
  CHECK(of("compression_time_seconds") == 0);
  const std::string bare = without(small_metrics(), "raw_span_metrics");
  CHECK(is_absent(of("disk_read_bytes", bare)));
  CHECK(is_absent(of("total_bytes_memory_read", bare)));
  CHECK(note_of("disk_read_bytes", bare).substr(0, 12) == "not recorded");
}

TEST_CASE("I/O overhead: waiting / elapsed, beside the share of task time") {
  CHECK(of("io_overhead_percent") == Approx(50));
  CHECK(of("waiting_fraction") == Approx(2.0 / 7));
}

TEST_CASE("Compression and serialization overheads are the sums of their two parts") {
  const std::string text = with(
      small_metrics(), "\"('execute', 'lambda', 'thread-cpu', 'seconds')\": 1.0,",
      R"j("('execute', 'lambda', 'thread-cpu', 'seconds')": 1.0, "('execute', 'lambda', 'compress', 'seconds')": 0.25,
                                    "('execute', 'P', 'decompress', 'seconds')": 0.5, "('execute', 'P', 'serialize', 'seconds')": 1.5,
                                    "('execute', 'P', 'deserialize', 'seconds')": 2, "('execute', 'P', 'disk-read', 'bytes')": 7,)j");
  CHECK(of("total_compression_overhead_seconds", text) == 0.75);
  CHECK(of("total_serialization_overhead_seconds", text) == 3.5);
  CHECK(of("disk_read_bytes", text) == 7);
}

TEST_CASE("Chunk statistics: durations, changes of memory, events") {
  CHECK(of("chunk_duration_mean") == 2.5);
  CHECK(of("chunk_duration_min") == 2);
  CHECK(of("chunk_duration_max") == 3);
  CHECK(of("chunk_duration_std") == Approx(std::sqrt(0.5)));
  CHECK(of("chunk_seconds_p50") == Approx(2.5));
  CHECK(of("chunk_seconds_p95") == Approx(2.95));
  CHECK(of("chunk_mem_delta_mean_mb") == Approx(-1));
  CHECK(of("chunk_mem_delta_min_mb") == -3);
  CHECK(of("chunk_mem_delta_max_mb") == 1);
  CHECK(of("chunk_mem_delta_std_mb") == Approx(std::sqrt(8)));
  CHECK(of("total_events_from_chunks") == 3000);
  CHECK(of("chunk_events_mean") == 1500);
  CHECK(of("num_successful_chunks") == 2);
  CHECK(of("num_failed_chunks") == 0);
}

TEST_CASE("A failed chunk counts as failed and in no statistic") {
  const std::string text = with(small_metrics(), "\"timestamp\": 1795255204.0,",
                                "\"timestamp\": 1795255204.0, \"error\": \"OSError\",");
  CHECK(of("num_failed_chunks", text) == 1);
  CHECK(of("num_successful_chunks", text) == 1);
  CHECK(of("chunk_duration_max", text) == 2);
}

TEST_CASE("Branches read: the distinct ones over all chunks") {
  CHECK(of("total_branches_read") == 3);
}

TEST_CASE("Shares of the core-time: busy, on CPU, inside process()") {
  CHECK(of("busy_fraction") == Approx(0.7));
  CHECK(of("cpu_fraction") == Approx(0.5));
  CHECK(of("process_fraction") == Approx(0.5));
}

TEST_CASE("Without tracking, what needs it is missing with the reason") {
  const std::string text = without(small_metrics(), "tracking_data");
  for (const char* id : {"avg_workers", "peak_workers", "total_cores", "peak_memory_bytes",
                         "core_efficiency", "event_rate_core_khz", "busy_fraction"}) {
    CAPTURE(id);
    CHECK(is_absent(of(id, text)));
    CHECK_FALSE(note_of(id, text).empty());
  }
  CHECK(of("speedup_factor", text) == Approx(1.25));
}

TEST_CASE("Totals that metrics.json lacks come from coffea's report, then from the chunks") {
  std::string text = with(small_metrics(), "\"total_events\": 3000, ", "");
  CHECK(of("total_events", text) == 3000);  // Σ over chunks
  text = with(with(text, "\"total_bytes_read\": 8000000, ", ""), "\"total_cpu_time\": 5.0,", "");
  CHECK(is_absent(
      of("total_bytes_read", text)));  // chunks do not know what was read outside process()
  const OpenSession joined(std::vector<File>{
      {"m/metrics.json", text},
      {"m/report.json",
       R"({"bytesread": 9000000, "entries": 3003, "processtime": 6, "chunks": 3})"}});
  const Table summary = joined.ask("summary");
  CHECK(value(summary, "total_bytes_read") == 9000000);
  CHECK(value(summary, "total_events") == 3003);
  CHECK(value(summary, "total_cpu_time") == 6);
  CHECK(value(summary, "report_num_chunks") == 3);
  CHECK(value(summary, "lost_chunks") == 1);
}

TEST_CASE("Every number has a label, a unit, a formula and a group, and missing ones a reason") {
  for (const std::string& text : {small_metrics(), std::string("{\"data_rate_gbps\": 1}")}) {
    const Table summary = OpenSession("metrics.json", text).ask("summary");
    for (std::size_t row = 0; row < summary.rows(); ++row) {
      CAPTURE(std::string(summary.text("id", row)));
      for (const char* column : {"label", "unit", "formula", "group"})
        CHECK_FALSE(summary.text(column, row).empty());
      if (is_absent(summary.number("value", row))) CHECK_FALSE(summary.text("note", row).empty());
    }
  }
}

TEST_CASE("Numbers that a selection does not narrow are marked as of the whole run") {
  const OpenSession open("metrics.json", small_metrics());
  const auto whole = [&](const Selection& selection, const std::string& id) {
    return value(open.ask("summary", selection), id, "whole_run") == 1;
  };
  for (const char* id :
       {"total_events", "elapsed_time_seconds", "processor_cpu_time_seconds", "peak_workers"}) {
    CHECK_FALSE(whole({}, id));
  }
  Selection time;
  time.time = Selection::TimeRange{0, 1};
  CHECK_FALSE(whole(time, "total_events"));
  CHECK_FALSE(whole(time, "elapsed_time_seconds"));
  CHECK_FALSE(whole(time, "peak_workers"));
  CHECK(whole(time, "processor_cpu_time_seconds"));
  CHECK(whole(time, "lost_chunks"));
  Selection worker;
  worker.workers = {"tcp://10.0.0.1:1001"};
  CHECK(whole(worker, "total_events"));
  CHECK(whole(worker, "elapsed_time_seconds"));
  CHECK_FALSE(whole(worker, "peak_workers"));
}
