#include <functional>
#include <random>

#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/told_series.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

/// How a writer lays out a series; every call may give another text.
struct Notation {
  std::function<std::string()> open = [] { return std::string(); };  // behind '['
  std::function<std::string()> comma = [] { return std::string(","); };
  std::function<std::string()> close = [] { return std::string(); };  // before ']'
  std::function<std::string()> next = [] { return std::string(","); };
  std::function<std::string()> dash = [] { return std::string("-"); };  // of a timestamp
};

Notation constant(std::string open, std::string comma, std::string close, std::string next) {
  return {[=] { return open; }, [=] { return comma; }, [=] { return close; }, [=] { return next; },
          [] { return "-"; }};
}

std::vector<Notation> layouts() {
  std::vector<Notation> all = {
      constant("\n          ", ",\n          ", "\n        ", ",\n        "),  // roastcoffea's own
      constant("", ", ", "", ", "),
      constant("", ",", "", ","),
      constant("\r\n\t\t\t\t\t", ",\r\n\t\t\t\t\t", "\r\n\t\t\t\t", ",\r\n\t\t\t\t"),
      constant("  ", " , ", " ", "  ,"),
      constant(std::string(100, ' '), ",", "", ","),
  };
  auto random = std::make_shared<std::mt19937>(4);
  const auto blank = [random] {
    std::string text;
    for (unsigned n = (*random)() % 4; n > 0; --n) text += " \n\t\r"[(*random)() % 4];
    return text;
  };
  all.push_back({blank, [=] { return blank() + "," + blank(); }, blank,
                 [=] { return blank() + "," + blank(); }, [] { return "-"; }});
  all.push_back(all.front());
  all.back().dash = [] { return "\\u002d"; };
  all.push_back(all.front());
  all.back().dash = [random] { return (*random)() % 2 == 0 ? "-" : "\\u002D"; };
  return all;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;  // time, value as text

std::string series_text(const Notation& layout, const Pairs& pairs) {
  std::string text = "[";
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i > 0) text += layout.next();
    text += "[" + layout.open();
    for (const char c : pairs[i].first) text += c == '-' ? layout.dash() : std::string(1, c);
    text += layout.comma() + pairs[i].second + layout.close() + "]";
  }
  return text + "]";
}

std::string time_of(int second) {
  return "\"2026-11-21T10:00:" + std::to_string(10 + second) + ".25\"";
}

std::string document(const std::string& memory_of_a, const std::string& memory_of_b = "[]",
                     const std::string& cpu_of_a = "[]") {
  return R"({"tracking_data": {"worker_memory": {"a": )" + memory_of_a + R"(, "b": )" +
         memory_of_b + R"(}, "worker_cpu": {"a": )" + cpu_of_a + "}}}";
}

std::string told(const std::string& text, std::size_t piece = 1U << 20U) {
  return crema::test::told(read_as(metrics_format, text, piece));
}

}  // namespace

TEST_CASE("A series in any layout is the same, wherever it is cut") {
  const std::vector<std::string> numbers = {
      "0", "1", "200000000", "0.5", "17.234567890123456", "1e3", "1.25E-2", "3000000000.0"};
  Pairs pairs;
  for (int i = 0; i < 24; ++i)
    pairs.emplace_back(time_of(i), numbers[static_cast<std::size_t>(i) % numbers.size()]);
  const Pairs late(pairs.begin() + 5, pairs.begin() + 19);
  std::string expected;
  for (const Notation& layout : layouts()) {
    const std::string text =
        document(series_text(layout, pairs), series_text(layout, late), series_text(layout, pairs));
    const Run run = read_as(metrics_format, text);
    const TickSeries& a = run.workers.of(Series::memory, 0);
    REQUIRE(a.values.size() == 24);
    for (std::size_t i = 0; i < 24; ++i)
      CHECK(a.values[i] == std::stod(numbers[i % numbers.size()]));
    CHECK(run.workers.of(Series::memory, 1).first_tick == 5);
    CHECK(run.workers.of(Series::memory, 1).values.size() == 14);
    CHECK(run.workers.of(Series::cpu, 0).at(4) == std::stod(numbers[4]) * 0.01);
    CHECK(run.data_notes.empty());
    if (expected.empty()) expected = told(run);
    CHECK(told(run) == expected);
    for (const std::size_t piece : {1, 2, 7, 64, 100, 1000})
      CHECK(told(text, static_cast<std::size_t>(piece)) == expected);
  }
}

TEST_CASE("A pair of another form among the others is read as the tokenizer reads it") {
  const std::vector<std::pair<std::string, std::string>> odd = {
      {time_of(3), "null"},
      {time_of(3), "NaN"},
      {time_of(3), "-1"},
      {time_of(3), "-0.0"},
      {time_of(3), "1e400"},
      {time_of(3), "\"7\""},
      {time_of(3), "7, 8"},
      {time_of(3), "[7]"},
      {time_of(3), "{\"x\": 7}"},
      {time_of(3), "true"},
      {"\"soon\"", "7"},
      {"3", "7"},
      {time_of(2), "7"},
      {time_of(20), "7"},
      {"\"2026-11-21T10:00:1\\u0033.25\"", "7"},
      {"\"\"", "7"},
      {"\"2026-11-21 10:00:13\"", "7"},
      {time_of(3), "Infinity"},
      {time_of(3), "12345678901234567890123"},
      {time_of(3), "0.00000000000000000000000012345"}};
  for (const auto& [time, value] : odd) {
    for (const Notation& layout : layouts()) {
      Pairs pairs;
      for (int i = 0; i < 6; ++i) pairs.emplace_back(time_of(i), std::to_string(i));
      const Pairs well = pairs;
      pairs[3] = {time, value};
      const std::string text = document(series_text(layout, well), series_text(layout, pairs));
      CAPTURE(text);
      const std::string byte_by_byte = told(text, 1);
      CHECK(told(text) == byte_by_byte);
      CHECK(told(text, 50) == byte_by_byte);
      CHECK(read_as(metrics_format, text).workers.of(Series::memory, 1).at(5) == 5);
    }
  }
}

TEST_CASE("A series that the file breaks or cuts off keeps what is complete, whatever read it") {
  for (const Notation& layout : layouts()) {
    Pairs pairs;
    for (int i = 0; i < 5; ++i) pairs.emplace_back(time_of(i), std::to_string(10 + i));
    const std::string whole = document(series_text(layout, pairs), series_text(layout, pairs));
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const std::string text = whole.substr(0, length);
      CHECK(told(text) == told(text, 1));
      std::string broken = whole;
      broken[length] = length % 2 == 0 ? '#' : '"';
      CHECK(told(broken) == told(broken, 1));
    }
  }
  const Run run = read_as(
      metrics_format,
      R"({"tracking_data": {"worker_memory": {"a": [["2026-11-21T10:00:00", 1], ["2026-11)");
  CHECK(run.workers.of(Series::memory, 0).values == std::vector<double>{1});
}

TEST_CASE("The layout may change from series to series and within one") {
  const std::vector<Notation> all = layouts();
  std::mt19937 random(9);
  for (int round = 0; round < 50; ++round) {
    Pairs pairs;
    for (int i = 0; i < 30; ++i) pairs.emplace_back(time_of(i), std::to_string(i * i));
    const auto any = [&] { return all[random() % all.size()]; };
    const Notation mixed = {[&] { return any().open(); }, [&] { return any().comma(); },
                            [&] { return any().close(); }, [&] { return any().next(); }};
    const std::string text =
        document(series_text(any(), pairs), series_text(any(), pairs), series_text(mixed, pairs));
    const std::string expected = told(document(
        series_text(all[1], pairs), series_text(all[1], pairs), series_text(all[1], pairs)));
    CHECK(told(text) == expected);
    CHECK(told(text, 1 + random() % 200) == expected);
  }
}

TEST_CASE("A series may come in any order of its ticks, and a worker twice") {
  Pairs pairs;
  for (int i = 0; i < 40; ++i) pairs.emplace_back(time_of(i), std::to_string(i));
  Pairs back(pairs.rbegin() + 5, pairs.rend() - 10);
  std::swap(back[3], back[17]);
  const Notation plain = layouts()[2];
  const Run run =
      read_as(metrics_format, document(series_text(plain, pairs), series_text(plain, back)));
  const TickSeries& series = run.workers.of(Series::memory, 1);
  CHECK(series.first_tick == 10);
  CHECK(series.values.size() == 25);
  for (std::size_t tick = 10; tick < 35; ++tick)
    CHECK(series.at(tick) == static_cast<double>(tick));

  const Pairs again = {{time_of(30), "7"}, {time_of(2), "8"}, {time_of(38), "9"}};
  const Run twice = read_as(metrics_format, R"({"tracking_data": {"worker_memory": {"a": )" +
                                                series_text(plain, pairs) + R"(, "b": )" +
                                                series_text(plain, back) + R"(, "b": )" +
                                                series_text(plain, again) + "}}}");
  const TickSeries& later = twice.workers.of(Series::memory, 1);
  CHECK(later.first_tick == 2);
  CHECK(later.at(2) == 8);
  CHECK(is_absent(later.at(9)));
  CHECK(later.at(10) == 10);
  CHECK(later.at(30) == 7);
  CHECK(later.at(38) == 9);
}
