#pragma once

#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace crema::test {

/// A run made by chance, as metrics.json, and the truth about it: workers that come and go,
/// restarts, missing samples, any time zone, chunks in no order. All times are whole milliseconds,
/// so that sums can be compared closely.
struct RandomBundle {
  std::string metrics;
  double zone_offset = 0;   ///< [s]
  double elapsed = 0;       ///< [s]
  double core_seconds = 0;  ///< available, each tick held until the next
  double chunk_seconds = 0, chunk_events = 0, chunk_bytes = 0;
  std::size_t chunks = 0, workers = 0, ticks = 0;

  explicit RandomBundle(unsigned seed) : random_(seed) { make(); }

 private:
  std::mt19937 random_;

  // std::uniform_int_distribution differs between standard libraries; this does not.
  std::size_t below(std::size_t n) { return random_() % n; }

  static std::string naive(double epoch_seconds) {
    const auto millis = static_cast<long long>(epoch_seconds * 1000 + 0.5);
    const long long second = millis / 1000;
    const long long day = second / 86400;
    // All runs are in November 2026, whose first day is day 20758 since 1970.
    const long long of_day = second % 86400;
    char text[64];
    std::snprintf(text, sizeof text, "2026-11-%02lldT%02lld:%02lld:%02lld.%03lld000",
                  day - 20758 + 1, of_day / 3600, of_day / 60 % 60, of_day % 60, millis % 1000);
    return text;
  }

  static std::string number(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  }

  void make() {
    const double zones[] = {0, 3600, -18000, 19800, 20700, -12600};
    zone_offset = zones[below(6)];
    const double start = 20767.0 * 86400 + 43200;  // 10 November 2026, noon UTC
    ticks = 3 + below(20);
    std::vector<double> at;
    double t = 0;
    for (std::size_t i = 0; i < ticks; ++i) {
      at.push_back(t);
      t += 1 + 0.001 * static_cast<double>(below(200));
    }
    elapsed = at.back() + 0.001 * static_cast<double>(below(900));
    workers = 1 + below(5);

    struct Worker {
      std::size_t first, end;
      double threads;
    };
    std::vector<Worker> list;
    for (std::size_t w = 0; w < workers; ++w) {
      const std::size_t first = below(ticks);
      list.push_back({first, first + 1 + below(ticks - first), static_cast<double>(1 + below(4))});
    }
    list[0].first = 0;
    for (const Worker& w : list) {
      for (std::size_t i = w.first; i < w.end; ++i)
        core_seconds += w.threads * ((i + 1 < ticks ? at[i + 1] : elapsed) - at[i]);
    }

    const auto stamp = [&](std::size_t i) {
      return "\"" + naive(start + zone_offset + at[i]) + "\"";
    };
    const auto series = [&](auto value, bool with_holes) {
      std::string text = "{";
      for (std::size_t w = 0; w < workers; ++w) {
        text +=
            (w > 0 ? ", " : "") + std::string("\"tcp://10.0.0.") + std::to_string(w) + ":1\": [";
        bool any = false;
        for (std::size_t i = list[w].first; i < list[w].end; ++i) {
          if (with_holes && below(5) == 0) continue;
          text += (any ? ", [" : "[") + stamp(i) + ", " + value(w, i) + "]";
          any = true;
        }
        text += "]";
      }
      return text + "}";
    };
    std::string counts = "{";
    for (std::size_t i = 0; i < ticks; ++i) {
      std::size_t present = 0;
      for (const Worker& w : list) present += i >= w.first && i < w.end ? 1 : 0;
      counts += (i > 0 ? ", " : "") + stamp(i) + ": " + std::to_string(present);
    }
    counts += "}";
    const std::string cores =
        series([&](std::size_t w,
                   std::size_t) { return std::to_string(static_cast<int>(list[w].threads)); },
               false);
    const std::string memory =
        series([&](std::size_t, std::size_t) { return std::to_string(1000 + below(1000)); }, true);
    const std::string seen = series(
        [&](std::size_t, std::size_t i) {
          return number(start + at[i] - 0.001 * static_cast<double>(below(500)));
        },
        false);

    chunks = below(30);
    std::string list_of_chunks = "[";
    for (std::size_t c = 0; c < chunks; ++c) {
      const double begin =
          0.001 * static_cast<double>(below(static_cast<std::size_t>(elapsed * 1000)));
      const double duration = 0.001 * static_cast<double>(1 + below(3000));
      const auto events = static_cast<double>(below(10000));
      const auto bytes = static_cast<double>(1 + below(1000000));
      chunk_seconds += duration;
      chunk_events += events;
      chunk_bytes += bytes;
      list_of_chunks +=
          (c > 0 ? ", " : "") + std::string("{\"t_start\": ") + number(start + begin) +
          ", \"t_end\": " + number(start + begin + duration) +
          ", \"duration\": " + number(duration) + ", \"num_events\": " + number(events) +
          ", \"bytes_read\": " + number(bytes) + ", \"dataset\": \"d" + std::to_string(below(3)) +
          "\", \"file\": \"f" + std::to_string(below(4)) + "\"}";
    }
    list_of_chunks += "]";
    metrics = "{\"elapsed_time_seconds\": " + number(elapsed) +
              ", \"tracking_data\": {\"worker_counts\": " + counts +
              ", \"worker_cores\": " + cores + ", \"worker_memory\": " + memory +
              ", \"worker_last_seen\": " + seen + "}, \"raw_chunk_metrics\": " + list_of_chunks +
              "}";
  }
};

}  // namespace crema::test
