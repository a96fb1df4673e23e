#include "core/model/run.hpp"

#include <algorithm>

namespace crema {

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
