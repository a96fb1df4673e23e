// The readers of workflow managers' and batch systems' logs, each of what it recognises itself:
// however a log is cut, it becomes the same attempts with the same data notes, and no attempt takes
// less than no time.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "core/read/list.hpp"

namespace {

using namespace crema;
using namespace crema::read;

const Format* const log_formats[] = {&transactions_log_format, &performance_log_format,
                                     &job_events_format};

void demand(bool holds) {
  if (!holds) std::abort();
}

std::string told(const Format& format, std::string_view bytes, std::size_t piece) {
  Run run(std::make_shared<Names>());
  const auto reader = format.open(run, "log");
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::string_view part = bytes.substr(at, piece);
    reader->push({part.data(), part.size()});
  }
  reader->finish();
  std::string text;
  for (const DataNote& note : run.data_notes)
    text += note.id + " " + std::to_string(note.count) + " " + note.message + "\n";
  using recorded_columns::Task;
  auto& rows = run.recording.tasks;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    demand(!(rows.at(Task::wall, row) < 0));
    for (const auto& column : rows.columns())  // what was not recorded is empty
      text += column.empty() ? "" : std::to_string(column[row]) + " ";
    text += "\n";
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Head head("log", bytes, true, false);
  const auto* const known =
      std::find_if(std::begin(log_formats), std::end(log_formats),
                   [&](const Format* format) { return format->recognises(head); });
  if (known == std::end(log_formats)) return -1;  // nothing that is worth being changed further
  const std::string whole = told(**known, bytes, std::max<std::size_t>(size, 1));
  for (const std::size_t piece : {1 + size / 3, 1 + size / 100})
    demand(told(**known, bytes, piece) == whole);
  return 0;
}
