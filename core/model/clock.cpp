#include "core/model/clock.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace crema {

namespace {

constexpr double quarter_hour = 900;
constexpr double day = 86400;

// Days since 1970-01-01 of a date in the proleptic Gregorian calendar (H. Hinnant, "chrono-Compatible Low-Level Date
// Algorithms"): years begin in March so that the leap day is the last.
std::int64_t days_since_1970(std::int64_t year, unsigned month, unsigned day_of_month) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const auto year_of_era = static_cast<std::int64_t>(year - era * 400);
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day_of_month - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

std::optional<unsigned> digits(std::string_view text, std::size_t at, std::size_t count) {
  unsigned value = 0;
  if (at + count > text.size()) return std::nullopt;
  const auto parsed = std::from_chars(text.data() + at, text.data() + at + count, value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + at + count) return std::nullopt;
  return value;
}

double nearest_quarter(double seconds) { return std::round(seconds / quarter_hour) * quarter_hour; }

// Local time minus the newest heartbeat at each tick [s]: the zone offset plus at most a heartbeat's lag.
std::vector<double> tick_minus_heartbeat(const Run& run) {
  std::vector<double> newest(run.tick_naive.size(), absent);
  for (const TickSeries& series : run.workers.series[static_cast<std::size_t>(Series::last_seen)]) {
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      const double seen = series.values[i];
      double& best = newest[series.first_tick + i];
      if (seen > 0 && (is_absent(best) || seen > best)) best = seen;
    }
  }
  for (std::size_t i = 0; i < newest.size(); ++i) newest[i] = static_cast<double>(run.tick_naive[i]) * 1e-6 - newest[i];
  return newest;
}

// The zone offset at each tick; empty when no heartbeat was recorded.
std::vector<double> offsets_from_heartbeats(const Run& run) {
  const std::vector<double> difference = tick_minus_heartbeat(run);
  const std::vector<double> present = sorted_present(difference);
  if (present.empty()) return {};
  const std::size_t n = difference.size();
  const auto first = std::find_if(difference.begin(), difference.end(), [](double d) { return !is_absent(d); });
  const auto last = std::find_if(difference.rbegin(), difference.rend(), [](double d) { return !is_absent(d); });
  const double before = nearest_quarter(*first);
  const double after = nearest_quarter(*last);

  // One offset for the whole run, unless it changes by a clock change's amount and stays so to the end: a scheduler that
  // stalls for minutes must not look like a clock change.
  const double jump = std::fabs(after - before);
  if (jump != 3600 && jump != 1800) return std::vector<double>(n, nearest_quarter(quantile(present, 0.5)));
  std::size_t change = n;
  while (change > 0 && (is_absent(difference[change - 1]) || nearest_quarter(difference[change - 1]) == after)) --change;
  std::vector<double> offsets(n, after);
  std::fill_n(offsets.begin(), change, before);
  return offsets;
}

// The multiple of 15 min that puts most chunk time inside the ticks.
std::optional<double> offset_from_overlap(const Run& run) {
  if (run.tick_naive.empty() || run.chunks.size() == 0) return std::nullopt;
  const double first = static_cast<double>(run.tick_naive.front()) * 1e-6;
  const double last = first + value_or(run.elapsed, static_cast<double>(run.tick_naive.back()) * 1e-6 - first);
  double best = 0;
  std::optional<double> offset;
  for (double candidate = -14 * 3600; candidate <= 14 * 3600; candidate += quarter_hour) {
    double inside = 0;
    for (std::size_t i = 0; i < run.chunks.size(); ++i) {
      const double overlap = std::min(run.chunks.t_end[i], last - candidate) - std::max(run.chunks.t_start[i], first - candidate);
      if (overlap > 0) inside += overlap;
    }
    if (inside > best) {
      best = inside;
      offset = candidate;
    }
  }
  return offset;
}

}  // namespace

std::optional<std::int64_t> parse_naive_time(std::string_view text) {
  const auto year = digits(text, 0, 4);
  const auto month = digits(text, 5, 2);
  const auto day_of_month = digits(text, 8, 2);
  const auto hour = digits(text, 11, 2);
  const auto minute = digits(text, 14, 2);
  const auto second = digits(text, 17, 2);
  if (!year || !month || !day_of_month || !hour || !minute || !second) return std::nullopt;
  if (text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  if (*month < 1 || *month > 12 || *day_of_month < 1 || *day_of_month > 31 || *hour > 23 || *minute > 59 || *second > 60)
    return std::nullopt;
  std::int64_t micros = 0;
  if (text.size() > 19 && text[19] == '.') {
    std::int64_t scale = 100000;
    for (std::size_t i = 20; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i, scale /= 10)
      micros += (text[i] - '0') * scale;
  }
  const std::int64_t days = days_since_1970(*year, *month, *day_of_month);
  return ((days * 24 + *hour) * 60 + *minute) * 60000000LL + *second * 1000000LL + micros;
}

void settle_clock(Run& run) {
  const std::size_t n = run.tick_naive.size();
  Clock& clock = run.clock;
  std::vector<double> offsets = offsets_from_heartbeats(run);
  bool zone_known = !offsets.empty();
  if (zone_known) {
    clock.basis = "the scheduler's zone is known from the workers' heartbeats";
    if (offsets.front() != offsets.back()) {
      run.doubt("clock-change", Severity::low,
                "the scheduler's clock changed by " + std::to_string(std::lround((offsets.back() - offsets.front()) / 60)) +
                    " min during the run; times were put right");
    }
  } else if (n > 0) {
    const auto offset = offset_from_overlap(run);
    offsets.assign(n, offset.value_or(0));
    zone_known = offset.has_value();
    if (offset) {
      clock.basis = "the scheduler's zone was guessed: it makes chunks and ticks overlap best";
      run.doubt(
          "zone-guessed", Severity::medium,
          "no heartbeat times (worker_last_seen): the scheduler's time zone was guessed from the overlap of chunks and ticks");
    } else {
      clock.basis = "the scheduler's zone is not known: its local time is shown";
    }
  }

  run.ticks.resize(n);
  if (n > 0) {
    const auto utc = [&](std::size_t i) { return run.tick_naive[i] - static_cast<std::int64_t>(offsets[i] * 1e6); };
    for (std::size_t i = 0; i < n; ++i) run.ticks[i] = static_cast<double>(utc(i) - utc(0)) * 1e-6;
    clock.zero_naive = static_cast<double>(run.tick_naive[0]) * 1e-6;
    if (zone_known) {
      clock.zone_offset = offsets.front();
      clock.zero_epoch = static_cast<double>(utc(0)) * 1e-6;
    }
  }

  Chunks& chunks = run.chunks;
  const std::vector<double> starts = sorted_present(chunks.t_start);
  const double typical = quantile(starts, 0.5);
  std::size_t outside = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const double begin = chunks.t_start[i];
    const double end = chunks.t_end[i];
    if (is_absent(begin) || is_absent(end) || !(std::fabs(begin - typical) < day) || !(std::fabs(end - typical) < day) ||
        end < begin) {
      chunks.t_start[i] = chunks.t_end[i] = absent;
      ++outside;
    }
  }
  if (outside > 0) {
    run.doubt("chunk-time", Severity::medium,
              std::to_string(outside) + " chunks have no usable start and end time; they are counted but not drawn");
  }
  if (is_absent(clock.zero_epoch)) {
    const std::vector<double> usable = sorted_present(chunks.t_start);
    const std::vector<double> of_tasks = sorted_present(run.tasks.t0);
    if (!usable.empty()) {
      clock.zero_epoch = usable.front();
      if (n == 0) clock.basis = "times count from the first chunk (no tracking)";
    } else if (!of_tasks.empty()) {
      clock.zero_epoch = of_tasks.front();
      if (n == 0) clock.basis = "times count from the first task (no tracking, no chunks)";
    }
  }
  for (auto* column : {&chunks.t_start, &chunks.t_end, &run.tasks.t0, &run.tasks.t1}) {
    for (double& t : *column) t -= clock.zero_epoch;
  }
  for (Span& span : run.spans) {
    for (double* t : {&span.enqueued, &span.start, &span.stop}) *t -= clock.zero_epoch;
    for (Span::Threads& threads : span.nthreads) {
      threads.begin -= clock.zero_epoch;
      threads.end -= clock.zero_epoch;
    }
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (is_absent(chunks.duration[i])) chunks.duration[i] = chunks.t_end[i] - chunks.t_start[i];
  }
}

}  // namespace crema
