#include "core/model/run.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace crema {

namespace {

std::optional<unsigned> digits(std::string_view text, std::size_t at, std::size_t count) {
  unsigned value = 0;
  if (at + count > text.size()) return std::nullopt;
  const auto parsed = std::from_chars(text.data() + at, text.data() + at + count, value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + at + count) return std::nullopt;
  return value;
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
  if (text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' ') || text[13] != ':' ||
      text[16] != ':')
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month),
                                         std::chrono::day(*day_of_month)};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  std::int64_t micros = 0;
  if (text.size() > 19 && text[19] == '.') {
    std::int64_t scale = 100000;
    for (std::size_t i = 20; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i, scale /= 10)
      micros += (text[i] - '0') * scale;
  }
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + *hour) * 60 + *minute) * 60000000LL + *second * 1000000LL + micros;
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::low: return "low";
    case Severity::medium: return "medium";
    case Severity::high: return "high";
  }
  return "low";
}

bool Run::has_stored(std::string_view id) const {
  return std::any_of(stored.begin(), stored.end(), [&](const Stored& s) { return s.id == id; });
}

double Run::stored_value(std::string_view id) const {
  const auto found =
      std::find_if(stored.begin(), stored.end(), [&](const Stored& s) { return s.id == id; });
  return found == stored.end() ? absent : found->value;
}

Run::Window Run::window() const {
  if (!is_absent(elapsed)) return {0, elapsed};
  double end = ticks.empty() ? absent : *std::max_element(ticks.begin(), ticks.end());
  for (const double t : chunks.t_end) {
    if (!is_absent(t) && (is_absent(end) || t > end)) end = t;
  }
  for (const double t : tasks.t1) {
    if (!is_absent(t) && (is_absent(end) || t > end)) end = t;
  }
  // Spans tell how long their clusters were there, and are asked only where nothing finer is.
  for (std::size_t i = 0; i < spans.size() && ticks.empty() && chunks.size() + tasks.size() == 0;
       ++i) {
    if (!(end >= spans[i].stop) && !is_absent(spans[i].stop)) end = spans[i].stop;
    for (const Span::Threads& threads : spans[i].nthreads) {
      if (!(end >= threads.end)) end = threads.end;
    }
  }
  return {0, end};
}

void Run::add_note(const char* id, Severity severity, std::string_view message,
                   std::string_view file, std::string_view path, std::uint64_t offset) {
  // The same data note again is counted, not repeated: a broken column may have a million bad
  // values.
  for (DataNote& known : data_notes) {
    if (known.id == id && known.file == file && known.message == message) {
      ++known.count;
      return;
    }
  }
  data_notes.push_back(
      {id, severity, std::string(file), offset, std::string(path), std::string(message), 1});
}

}  // namespace crema
