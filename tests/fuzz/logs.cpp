// The readers of workflow managers' and batch systems' logs, each of what it recognises itself:
// however a log is cut, it becomes the same attempts with the same data notes, and no attempt takes
// less than no time.
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/pieces.hpp"

namespace {

using namespace crema;
using namespace crema::read;

const Format* const log_formats[] = {&transactions_log_format, &performance_log_format,
                                     &debug_log_format, &job_events_format};

std::string told(Run run) {
  std::string text;
  for (const DataNote& note : run.data_notes)
    text += note.id + " " + std::to_string(note.count) + " " + note.message + "\n";
  for (const auto& [worker, reason] : run.last_words)
    text += std::string(run.text(worker)) + " " + std::string(run.text(reason)) + "\n";
  for (const BatchJob& job : run.jobs) {
    for (const StringId word : {job.id, job.host, job.address, job.words})
      text += std::string(run.text(word)) + " ";
    text += std::to_string(job.begin) + " " + std::to_string(job.end) + "\n";
  }
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
  return demand_same_of_pieces(log_formats, bytes, false, told);
}
