#include "cli/trace.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/base/numbers.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/export/export.hpp"
#include "core/query/question.hpp"

namespace crema::cli {

namespace {

using namespace exports;

/// The series of workers that become counters, and their units.
struct Counter {
  const char* name;
  const char* unit;
};
constexpr Counter counters[] = {{"memory", "byte"},        {"cpu", "cores"},
                                {"nbytes", "byte"},        {"executing", "tasks"},
                                {"active_tasks", "tasks"}, {"occupancy", "s"}};

class Trace {
 public:
  Trace(const Run& run, const Selection& selection) : run_(run), selection_(selection) {
    add_tasks();
    for (const Counter& counter : counters) add_counter(counter);
  }

  bool is_empty() const { return events_.empty(); }
  std::string text() const { return "{\"traceEvents\":[" + events_ + "]}"; }

 private:
  Table ask(std::string_view question, std::map<std::string, std::string> options = {}) const {
    const Run* const runs[] = {&run_};
    return query::named(question)({runs, 1}, selection_, Options(std::move(options)));
  }

  /// An event: its kind and the number of its worker, then `members` (`,"name":…`).
  void add(const char* kind, std::size_t process, const std::string& members) {
    if (!events_.empty()) events_ += ",\n";
    events_.append("{\"ph\":\"").append(kind).append("\",\"pid\":");
    events_ += std::to_string(process) + members + "}";
  }

  std::size_t process(std::string_view worker) {
    const auto [known, is_new] = processes_.try_emplace(std::string(worker), processes_.size() + 1);
    if (is_new)
      add("M", known->second,
          R"(,"name":"process_name","args":{"name":)" + json_text(worker) + "}");
    return known->second;
  }

  void add_tasks() {
    const Table tasks = ask("tasks");
    const auto begin = [&](std::size_t row) { return tasks.number("t0", row); };
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < tasks.rows(); ++row)
      if (!is_absent(begin(row)) && !is_absent(tasks.number("t1", row))) order.push_back(row);
    sort_stably(order, [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
    std::map<double, double> done;  // [s] by thread, what was computed on it until then
    for (const std::size_t row : order) add_task(tasks, row, done);
  }

  void add_task(const Table& tasks, std::size_t row, std::map<double, double>& done) {
    double begin = tasks.number("t0", row);
    double end = tasks.number("t1", row);
    const double lane = tasks.number("lane", row);
    const std::string_view action = tasks.text("action", row);
    const std::string_view prefix = tasks.text("prefix", row);
    const bool is_computed = action == "compute";
    if (is_computed) {
      // Dask corrects times by the worker's clock of the moment: a task may begin a few ms before
      // the last one's end, and events of a thread must not overlap.
      double& until = done.try_emplace(lane, begin).first->second;
      begin = std::max(begin, until);
      until = end = std::max(begin, end);
    }
    const std::size_t worker = process(tasks.text("worker", row));
    const std::string name =
        is_computed ? std::string(prefix) : std::string(action) + ": " + std::string(prefix);
    const std::string what = ",\"tid\":" + number_text(lane + 1) + ",\"cat\":" + json_text(action) +
                             ",\"name\":" + json_text(name);
    const std::string arguments = ",\"args\":" + about(tasks, row);
    if (is_computed) {
      add("X", worker,
          what + at(begin) + ",\"dur\":" + number_text((end - begin) * 1e6) + arguments);
    } else {
      const std::string id = ",\"id\":" + std::to_string(row);
      add("b", worker, what + at(begin) + id + arguments);
      add("e", worker, what + at(end) + id);
    }
  }

  /// What is known of a task besides.
  static std::string about(const Table& tasks, std::size_t row) {
    std::string members;
    for (const char* name : {"key", "status", "exception"}) {
      if (const std::string_view text = tasks.text(name, row); !text.empty())
        members += "\"" + std::string(name) + "\":" + json_text(text) + ",";
    }
    const double bytes = tasks.number("nbytes", row);
    if (!is_absent(bytes)) members += "\"nbytes\":" + number_text(bytes) + ",";
    if (!members.empty()) members.pop_back();
    return "{" + members + "}";
  }

  void add_counter(const Counter& counter) {
    const Table series = ask("worker_matrix", {{"series", counter.name}, {"stat", "tick"}});
    const Column& cells = *series.find(counter.name);
    const auto first = std::find_if(series.notes.begin(), series.notes.end(),
                                    [](const Note& note) { return note.name == "first_tick"; });
    if (first == series.notes.end()) return;
    const auto first_tick = static_cast<std::size_t>(std::get<double>(first->value));
    for (std::size_t row = 0; row < series.rows(); ++row) {
      double last = absent;
      for (std::size_t i = 0; i < cells.width; ++i) {
        const double value = cells.numbers[row * cells.width + i];
        if (is_absent(value) || value == last) continue;
        last = value;
        add("C", process(series.text("worker", row)),
            ",\"name\":\"" + std::string(counter.name) + "\"" + at(run_.ticks[first_tick + i]) +
                ",\"args\":{\"" + counter.unit + "\":" + number_text(value) + "}");
      }
    }
  }

  static std::string at(double seconds) { return ",\"ts\":" + number_text(seconds * 1e6); }

  const Run& run_;
  const Selection& selection_;
  std::map<std::string, std::size_t> processes_;  // by worker
  std::string events_;
};

std::vector<Artefact> write_trace(const Run& run, const Selection& selection, const Options&) {
  Trace trace(run, selection);
  if (trace.is_empty())
    throw Failure(ErrorCode::nothing_to_export, "the run has neither tasks nor series of workers");
  return {{as_file_name(run.title) + ".trace.json", trace.text()}};
}

}  // namespace

const exports::Writer trace_writer{.id = "perfetto", .write = write_trace};

}  // namespace crema::cli
