#include "core/base/text.hpp"

#include "core/base/numbers.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

TEST_CASE("Memory of processes is binary, volumes of data are decimal") {
  CHECK(format_quantity("peak_memory_bytes", "byte", 245153792) == "234 MiB");
  CHECK(format_quantity("setup.memory_limit", "byte", 2147483648.0) == "2 GiB");
  CHECK(format_quantity("total_bytes_read", "byte", 245153792) == "245 MB");
  CHECK(format_quantity("total_bytes_memory_read", "byte", 245153792) == "245 MB");
}

TEST_CASE("Shares are in percent, a speedup in times") {
  CHECK(format_quantity("core_efficiency", "1", 0.4583) == "45.8 %");
  CHECK(format_quantity("processor_cpu_percent", "%", 45.83) == "45.8 %");
  CHECK(format_quantity("speedup_factor", "1", 3.456) == "3.46 ×");
}

TEST_CASE("Core-seconds are told from seconds by the name of the number") {
  CHECK(format_quantity("elapsed_time_seconds", "s", 114.3) == "1 min 54.3 s");
  CHECK(format_quantity("core_seconds_available", "s", 457.2) == "457 core-s");
  CHECK(format_quantity("dataset.ttbar", "s", 457.2) == "457 core-s");
  CHECK(format_quantity("dataset.ttbar", "s/10⁶ events", 4.5) == "4.5 core-s/10⁶ events");
  CHECK(format_quantity("", "core-s", 400000) == "111 core-h");
}

TEST_CASE("Rates take the prefix that fits") {
  CHECK(format_quantity("event_rate_core_khz", "kHz", 0.00523) == "5.23 Hz");
  CHECK(format_quantity("event_rate_core_khz", "kHz", 52.3) == "52.3 kHz");
  CHECK(format_quantity("data_rate_gbps", "Gbps", 0.2331) == "233 Mbps");
  CHECK(format_quantity("data_rate_mb_per_s", "MB/s", 1234) == "1.23 GB/s");
  CHECK(format_quantity("bytes_per_second", "byte/s", 1500) == "1.5 kB/s");
}

TEST_CASE("Counts are whole and exact, what is missing is a dash") {
  CHECK(format_quantity("total_events", "count", 2140000) == "2,140,000");
  CHECK(format_quantity("avg_workers", "count", 3.876) == "3.88");
  CHECK(format_quantity("total_events", "count", absent) == "–");
  CHECK(format_quantity("chunk_mem_delta_mean_mb", "MiB", 12.34) == "12.3 MiB");
}

TEST_CASE("Nothing is rounded up to a thousand of its unit") {
  CHECK(format_quantity("total_bytes_read", "byte", 999.9e3) == "1 MB");
  CHECK(format_quantity("", "s", 0.9997) == "1 s");
  CHECK(format_quantity("", "s", 59.97) == "1 min 0 s");
  CHECK(format_quantity("", "s", 3599.99) == "1 h 0 min");
  CHECK(format_quantity("", "s", 0.35) == "350 ms");
  CHECK(format_quantity("", "", 999.7) == "1,000");
}

TEST_CASE("An infinite number has no digits and no unit, whatever it is of") {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const char* unit : {"s", "core-s", "byte", "1", "%", "count", "kHz", "Gbps"}) {
    INFO(unit);
    CHECK(format_quantity("", unit, infinite).substr(0, std::string("∞").size()) == "∞");
  }
  CHECK(format_seconds(infinite) == "∞");
  CHECK(format_seconds(-infinite) == "-∞");
  CHECK(format_core_seconds(infinite) == "∞");
  CHECK(format_bytes(infinite) == "∞");
  CHECK(format_percent(infinite) == "∞");
}

TEST_CASE("Numbers beyond all reason keep three digits") {
  CHECK(format_number(1e300) == "1e300");
  CHECK(format_number(-2.345678e20) == "-2.35e20");
  CHECK(format_number(5e-324) == "0");
  CHECK(format_seconds(3.6e303) == "1e300 h");
  CHECK(format_number(123456789012345) == "123,456,789,012,345");
}

TEST_CASE("Differences have a sign, those of percentages are in points") {
  CHECK(format_difference("core_efficiency", "1", 0.0234) == "+2.34 pp");
  CHECK(format_difference("processor_cpu_percent", "%", -2.34) == "−2.34 pp");
  CHECK(format_difference("speedup_factor", "1", 0.5) == "+0.5 ×");
  CHECK(format_difference("peak_memory_bytes", "byte", -12582912) == "−12 MiB");
  CHECK(format_difference("elapsed_time_seconds", "s", 0) == "0 s");
  CHECK(format_difference("elapsed_time_seconds", "s", absent) == "–");
  CHECK(is_percentage("core_efficiency", "1"));
  CHECK_FALSE(is_percentage("speedup_factor", "1"));
  CHECK_FALSE(is_percentage("elapsed_time_seconds", "s"));
}

TEST_CASE("Relative changes have a sign, but for what is too small to have one") {
  CHECK(format_relative(0.321) == "+32.1 %");
  CHECK(format_relative(-0.12) == "−12 %");
  CHECK(format_relative(-0.0005) == "< 0.1 %");
  CHECK(format_relative(0) == "0 %");
  CHECK(format_relative(-1.5e-16) == "0 %");  // as the last bits of 2.9999999999999996 / 3 leave
  CHECK(format_relative(absent) == "–");
}
