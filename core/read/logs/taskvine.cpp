// The log `transactions` of TaskVine and Work Queue: a line per event, "MICROSECONDS PID SUBJECT
// …", after comments that describe them (of which "WAITING" is written "READY", and sizes are
// bytes; cctools: taskvine/src/manager/vine_txn_log.c, work_queue/src/work_queue.c). An attempt at
// a task lasts from RUNNING to RETRIEVED, or to its next READY where its worker was lost. What else
// lies beside the log repeats it, or says how it came about.
#include <algorithm>
#include <map>
#include <vector>

#include "core/base/text.hpp"
#include "core/read/logs/attempts.hpp"

namespace crema::read {

namespace {

using recorded_columns::Change;
using recorded_columns::Task;

/// A quantity of `{"wall_time":[33.06,"s"], …}`, in SI units; absent where there is none.
double quantity(std::string_view resources, std::string_view quoted_name) {
  const std::size_t at = resources.find(quoted_name);
  if (at == std::string_view::npos) return absent;
  std::string_view rest = resources.substr(at + quoted_name.size());
  if (!rest.starts_with(":[")) return absent;
  rest.remove_prefix(2);
  const double number = parse_number(trimmed(take_until(rest, ',')));
  const std::string_view unit = trimmed(take_until(rest, ']'));
  return number * (unit == "\"MB\"" ? megabyte : unit == "\"us\"" ? 1e-6 : 1);
}

/// `{"memory":[2000,"MB"]}` as "memory 2000 MB".
std::string plain_text(std::string_view resources) {
  std::string text;
  for (const char c : resources) {
    if (c == ':' || c == ',') text += ' ';
    else if (is_alphanumeric(c) || c == '_' || c == '.' || c == '-') text += c;
  }
  return text;
}

class Transactions : public LineReader {
 public:
  Transactions(Run& run, const std::string& path)
      : LineReader(run, path), attempts_(run, Teller::manager, path) {}

 private:
  /// A task that is not done.
  struct Open {
    double sent = absent;  ///< [epoch s] when its attempt began, absent while it waits
    StringId category = no_string, worker = no_string;
    StringId state = no_string;  ///< in the words of Dask's scheduler
    std::uint32_t attempts = 0;
    bool is_library = false;
    bool is_starting = false;  ///< an instance of a library that runs no tasks yet
  };
  struct Worker {
    double cores = 0;  ///< while it is connected
    bool is_connected = false;
    double left = absent;  ///< [epoch s]
    StringId reason = no_string;
  };
  using Id = std::int64_t;

  std::string_view expects() const override { return "an event of a manager"; }

  bool line(std::string_view rest) override {
    rest = without_trailing_blanks(rest);
    if (rest.empty() || rest.front() == '#') return true;
    std::int64_t microseconds = 0;
    std::uint64_t pid = 0;
    if (!is_number(take_word(rest), microseconds) || !is_number(take_word(rest), pid)) return false;
    now_ = static_cast<double>(microseconds) * 1e-6;
    first_ = std::fmin(first_, now_);
    last_ = std::fmax(last_, now_);
    const std::string_view subject = take_word(rest);
    if (subject == "TASK") return task(rest);
    if (subject == "WORKER") return worker(rest);
    if (subject == "LIBRARY") return library(rest);
    if (subject == "MANAGER") manager(rest);
    return !subject.empty();
  }

  void manager(std::string_view rest) {
    const bool starts = has_part(rest, "START");
    if (starts) leave_open();  // another manager appends to the log of the one before
    is_ended_ = !starts;
  }

  bool library(std::string_view rest) {
    Id id = 0;
    if (!is_number(take_word(rest), id)) return false;
    const auto found = open_.find(id);
    if (found == open_.end()) return true;
    Open& instance = found->second;
    instance.is_library = true;
    const std::string_view state = take_word(rest);
    set_starting(instance, state == "SENT" || (instance.is_starting && state == "WAITING"));
    return true;
  }

  void set_starting(Open& instance, bool is_starting) {
    if (instance.is_starting == is_starting) return;
    instance.is_starting = is_starting;
    run_.task_states.add(now_, library_starting_, instance.worker, is_starting ? 1 : -1);
  }

  bool task(std::string_view rest) {
    Id id = 0;
    if (!is_number(take_word(rest), id)) return false;
    const std::string_view state = take_word(rest);
    if (state == "READY" || state == "WAITING") {
      Open& task = open_[id];
      if (!is_absent(task.sent)) lose(id, task);
      task.category = text(take_word(rest));
      enter(task, attempts_.queued);
    } else if (state == "RUNNING") {
      Open& task = open_[id];
      task.sent = now_;
      task.attempts += 1;
      task.worker = worker_called(take_word(rest));
      // Of an instance of a library no READY is written, nor where the log begins later.
      if (task.category != no_string) enter(task, attempts_.processing);
      most_cores_ = std::fmax(most_cores_, quantity(rest, "\"cores\""));
    } else if (state == "RETRIEVED" || state == "DONE" || state == "CANCELED") {
      const auto found = open_.find(id);
      if (found == open_.end()) return true;
      set_starting(found->second, false);
      if (!is_absent(found->second.sent)) end(id, found->second, state, rest);
      enter(found->second, no_string);
      if (state != "RETRIEVED") open_.erase(found);
    } else if (state == "WAITING_RETRIEVAL") {
      if (const auto found = open_.find(id); found != open_.end()) enter(found->second, no_string);
    } else {
      return !state.empty();
    }
    return true;
  }

  void enter(Open& task, StringId state) { attempts_.enter(task.state, state, task.worker, now_); }

  /// The attempt is over: `rest` is "RESULT EXIT_CODE {limits exceeded} {resources measured}".
  void end(Id id, Open& task, std::string_view state, std::string_view rest) {
    std::string_view result = take_word(rest);
    if (result.empty()) result = state;
    const std::string_view code = take_word(rest);
    const std::size_t limits = rest.find('{'), limits_end = rest.find('}');
    const std::string_view measured =
        limits_end == std::string_view::npos ? std::string_view{} : rest.substr(limits_end + 1);
    // The time that the worker counted, on its clock.
    double wall = quantity(measured, "\"wall_time\"");
    double begin = quantity(measured, "\"start\"");
    if (task.is_library || !(wall >= 0)) wall = absent;
    if (begin < task.sent - clocks_agree || begin + wall > now_ + clocks_agree) clocks_apart_ += 1;
    // What says when it ran is the manager's clock.
    if (!(begin + wall <= now_)) begin = value_or(now_ - wall, task.sent);
    if (!(begin >= task.sent)) begin = task.sent;
    std::string error, message;
    if (result != "SUCCESS") {
      error = result;
      if (limits < limits_end && result == "RESOURCE_EXHAUSTION")
        message = plain_text(rest.substr(limits, limits_end - limits));
      else if (!code.empty())
        message = sentence({result == "SIGNAL" ? "signal " : "exit code ", code});
    } else if (code != "0" && !code.empty()) {
      error = sentence({"exit code ", code});
      // as shells tell a signal, of which there are 64
      if (const double number = parse_number(code); number > 128 && number <= 128 + 64)
        message = "as of signal " + format_number(number - 128);
    }
    // Without its monitor TaskVine repeats here what the task was given.
    const double cpu = quantity(measured, "\"cpu_time\"");
    if (!is_absent(cpu)) {
      attempts_.put(Task::cpu_of_process, cpu);
      attempts_.put(Task::rss_peak, quantity(measured, "\"memory\""));
    }
    add(id, task, begin, wall, error.empty() ? "ok" : "failed", error, message);
  }

  /// It waits again: there will be no result of this attempt.
  void lose(Id id, Open& task) {
    set_starting(task, false);
    const auto known = workers_.find(task.worker);
    const bool left = known != workers_.end() && known->second.left >= task.sent;
    add(id, task, task.sent, task.is_library ? absent : now_ - task.sent, "lost",
        left ? "WorkerLost" : "Requeued", left ? run_.text(known->second.reason) : "");
  }

  void add(Id id, Open& task, double begin, double wall, std::string_view status,
           std::string_view error, std::string_view message) {
    attempts_.put(Task::kind, task.is_library ? "library" : "call");
    attempts_.put(Task::function, task.is_library              ? "library"
                                  : task.category == no_string ? "unknown"
                                                               : run_.text(task.category));
    attempts_.put(Task::address, task.worker);
    attempts_.put(Task::attempt, task.attempts);
    attempts_.put(Task::status, status);
    attempts_.put(Task::error, error);
    attempts_.put(Task::message, message);
    attempts_.put_time(begin, wall);
    attempts_.put(Task::item, std::to_string(id));
    attempts_.next();
    task.sent = absent;
  }

  /// "ID CONNECTION HOST:PORT", of Work Queue "ID HOST:PORT CONNECTION", and so on.
  bool worker(std::string_view rest) {
    const std::string_view id = take_word(rest);
    std::string_view event = take_word(rest);
    if (event == "CACHE_UPDATE" || event == "TRANSFER") return true;
    std::string_view place;
    if (has_part(event, ':')) place = std::exchange(event, take_word(rest));
    if (event == "CONNECTION") {
      if (place.empty()) place = take_word(rest);
      connect(text(id), place);
    } else if (event == "DISCONNECTION") {
      if (id == "(null)") nameless_ += 1;
      else disconnect(text(id), take_word(rest));
    } else if (event == "RESOURCES") {
      const StringId address = text(id);
      Worker& worker = workers_[address];
      if (!worker.is_connected) connect(address, {});
      set_cores(worker, quantity(rest, "\"cores\""));
      const std::size_t number = run_.workers.intern(address);
      run_.workers.nthreads[number] = std::fmax(run_.workers.nthreads[number], worker.cores);
      run_.workers.memory_limit[number] = quantity(rest, "\"memory\"");
    }
    return !event.empty();
  }

  void connect(StringId address, std::string_view place) {
    Worker& worker = workers_[address];
    const std::size_t number = run_.workers.intern(address);
    if (const std::string_view host = place.substr(0, place.rfind(':')); !host.empty()) {
      run_.workers.host[number] = text(host);
      called_[text(place)] = address;
    }
    if (worker.is_connected) return;
    worker.is_connected = true;
    worker.left = absent;
    connected_ += 1;
    change(address, "added", no_string);
  }

  void disconnect(StringId address, std::string_view reason) {
    Worker& worker = workers_[address];
    worker.left = now_;
    worker.reason = reason.empty() ? no_string : text(reason);
    set_cores(worker, 0);
    connected_ -= worker.is_connected ? 1 : 0;
    worker.is_connected = false;
    change(address, "removed", worker.reason);
  }

  void change(StringId address, std::string_view what, StringId reason) {
    const auto add = [&](Change column, double value) {
      std::vector<double>& values =
          run_.recording.changes.columns()[static_cast<std::size_t>(column)];
      values.push_back(value);
    };
    add(Change::begin, now_);
    add(Change::worker, address);
    add(Change::change, text(what));
    add(Change::reason, reason == no_string ? absent : reason);
    add(Change::workers, connected_);
  }

  void set_cores(Worker& worker, double cores) {
    if (!(cores >= 0)) return;
    if (cores != worker.cores) threads_[now_] += cores - worker.cores;
    worker.cores = cores;
  }

  /// Tasks of Work Queue run on "HOST:PORT", which `called_` knows.
  StringId worker_called(std::string_view name) {
    const StringId id = text(name);
    const auto found = called_.find(id);
    return found == called_.end() ? id : found->second;
  }

  StringId text(std::string_view text) { return attempts_.text(text); }
  /// The log ends, or another manager's begins in it.
  void leave_open() {
    for (const auto& [id, task] : open_) {
      if (is_absent(task.sent)) waiting_ += 1;
      else if (task.is_library) libraries_ += 1;
      else running_ += 1, unfinished_ += last_ - task.sent;
    }
    open_.clear();
  }

  void finished() override {
    leave_open();
    attempts_.finish();
    run_.recording.changes.resize(
        run_.recording.changes.column(static_cast<std::size_t>(Change::begin)).size());
    if (!(last_ > first_)) return;
    run_.recording.index.begin = first_;
    run_.elapsed = last_ - first_;
    run_.elapsed_source = path_;
    if (!threads_.empty())
      run_.spans.push_back(
          span_of_changes("manager", std::move(threads_), first_, last_, path_, Teller::manager));
    tell();
  }

  void tell() {
    if (running_ + libraries_ + waiting_ > 0 || !is_ended_)
      note("incomplete", Severity::medium,
           {is_ended_ ? "when the manager ended, "
                      : "the log does not tell that the manager ended: it still runs, or was "
                        "killed; at the log's end ",
            format_count(waiting_, "task"), " waited, ", format_count(running_, "task"), " and ",
            format_count(libraries_, "library instance"),
            " still ran. They are not counted: the tasks had run for ", format_number(unfinished_),
            " s"});
    if (most_cores_ > 1)
      note("cores-of-tasks", Severity::medium,
           {"tasks and libraries were given up to ", format_number(most_cores_),
            " cores each. A second of a task counts as one core-second, because the log does not "
            "tell how many it used: what is idle then includes the others"});
    if (nameless_ > 0)
      note("worker-unnamed", Severity::low,
           {format_count(nameless_, "connection"),
            " ended before the worker had said its name; they are left out"});
    if (clocks_apart_ > 0)
      note("worker-clock", Severity::low,
           {format_count(clocks_apart_, "task"),
            " ran, by the worker's clock, when the manager had not sent it or had its result; the "
            "manager's time is used, and the worker's duration"});
  }

  static constexpr double clocks_agree = 1;  // [s]

  Attempts attempts_;
  std::map<Id, Open> open_;
  std::map<StringId, Worker> workers_;   // by address
  std::map<StringId, StringId> called_;  // address by "HOST:PORT"
  std::map<double, double> threads_;     // more cores, or fewer, at [epoch s]
  const StringId library_starting_ = text("library-starting");
  double now_ = absent, first_ = absent, last_ = absent;  // [epoch s]
  double connected_ = 0, most_cores_ = absent;
  double waiting_ = 0, running_ = 0, libraries_ = 0, nameless_ = 0, clocks_apart_ = 0;
  double unfinished_ = 0;  // [s]
  bool is_ended_ = false;
};

// --- performance

/// `performance`: numbers of the manager every few seconds, of which the first line, "# timestamp
/// workers_connected …", says which they are. What transactions tell to the event comes before it.
class Performance : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  std::string_view expects() const override { return "a row of numbers"; }

  bool line(std::string_view rest) override {
    rest = without_trailing_blanks(rest);
    if (rest.starts_with('#')) {
      rest.remove_prefix(1);
      columns_.clear();
      while (!rest.empty()) columns_.emplace_back(take_word(rest));
      values_.assign(columns_.size(), absent);
      return true;
    }
    if (rest.empty()) return true;
    for (double& value : values_) value = parse_number(take_word(rest));
    const double now = at("timestamp") * 1e-6;
    if (is_absent(now)) return false;
    first_ = std::fmin(first_, now);
    last_ = std::fmax(last_, now);
    change(now, "queued", queued_, at("tasks_waiting"));
    change(now, "processing", processing_, value_or(at("tasks_running"), at("tasks_on_workers")));
    if (const double cores = at("total_cores"); cores >= 0 && cores != cores_) {
      threads_[now] += cores - cores_;
      cores_ = cores;
    }
    return true;
  }

  double at(std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return found == columns_.end() ? absent
                                   : values_[static_cast<std::size_t>(found - columns_.begin())];
  }

  void change(double now, const char* state, double& tasks, double now_tasks) {
    if (!(now_tasks >= 0) || now_tasks == tasks) return;
    run_.task_states.add(now, run_.names->strings.intern(state), no_string, now_tasks - tasks);
    tasks = now_tasks;
  }

  void finished() override {
    run_.task_states.teller = Teller::manager_samples;
    if (!(last_ > first_)) return;
    run_.spans.push_back(span_of_changes("manager", std::move(threads_), first_, last_, path_,
                                         Teller::manager_samples));
    if (const double seconds = at("time_execute") * 1e-6; seconds >= 0) {
      StringPool& strings = run_.names->strings;
      run_.activities.add(strings.intern("execute"), no_string, strings.intern("compute"),
                          strings.intern("seconds"), seconds);
      run_.activities.source = path_;
    }
    std::string totals;
    for (const auto& [column, what] :
         {std::pair("tasks_submitted", "tasks submitted"), std::pair("tasks_done", "done"),
          std::pair("tasks_failed", "failed"), std::pair("workers_lost", "workers lost")}) {
      if (const double total = at(column); !is_absent(total))
        totals += sentence({totals.empty() ? "" : ", ", format_number(total), " ", what});
    }
    if (!totals.empty()) note("manager-totals", Severity::low, {"the manager counted: ", totals});
  }

  std::vector<std::string> columns_;
  std::vector<double> values_;             // of the last row, by column
  std::map<double, double> threads_;       // more cores, or fewer, at [epoch s]
  double first_ = absent, last_ = absent;  // [epoch s]
  double queued_ = 0, processing_ = 0, cores_ = 0;
};

bool recognises_performance(const Head& head) {
  std::string_view text = without_byte_order_mark(head.bytes);
  const std::string_view first = take_until(text, '\n');
  return first.starts_with("# timestamp ") && has_part(first, " workers_");
}

// --- debug

/// The manager's debug log, of which only is read why workers left and why tasks were given back:
/// transactions say "FAILURE" of all workers that it did not send away itself.
class DebugLog : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  std::string_view expects() const override { return "a line"; }

  /// "… rx from HOST (HOST:PORT): info WORD VALUE", or what the manager did by itself.
  bool line(std::string_view text) override {
    if (const std::size_t task = text.find(" exhausted disk sandbox on "); task < text.size()) {
      text = text.substr(0, task);
      run_.last_words[intern(text.substr(text.rfind(' ') + 1))] = intern("SANDBOX_EXHAUSTION");
      return true;
    }
    const std::size_t close = text.find("): "), open = text.rfind(" (", close);
    if (close == std::string_view::npos || open == std::string_view::npos) return true;
    std::string_view rest = text.substr(close + 3);
    const bool is_silent = rest.starts_with("hasn't responded to keepalive");
    if (!is_silent && take_word(rest) != "info") return true;
    const StringId place = intern(text.substr(open + 2, close - open - 2));
    if (is_silent) tell(place, "keepalive");
    const std::string_view word = take_word(rest);
    if (word == "worker-id") workers_[place] = intern(take_word(rest));
    else if (word == "vacating") tell(place, sentence({"signal-", take_word(rest)}));
    else if (word == "wall_time_exhausted") tell(place, "wall-time-exhausted");
    else if (word == "disk_error") tell(place, "disk-error");
    return true;
  }

  void tell(StringId place, std::string_view reason) {
    if (const auto worker = workers_.find(place); worker != workers_.end())
      run_.last_words[worker->second] = intern(reason);
  }
  void finished() override {}
  StringId intern(std::string_view text) { return run_.names->strings.intern(text); }

  std::map<StringId, StringId> workers_;  // by "HOST:PORT"
};

bool recognises_debug(const Head& head) {
  const std::string_view text = head.bytes;
  return text.substr(0, text.find('\n')).find(" vine_manager[") != std::string_view::npos;
}

// --- what lies beside the log

/// TaskVine writes these into the same folder, and the log says the same: its graph of tasks and
/// files, and who ran it.
bool recognises_beside(const Head& head) {
  const std::string_view text = head.bytes;
  if (text.starts_with("digraph \"taskvine\"")) return true;
  return head.sample().is_object() && has_part(text, "ccl.cse.nd.edu/software/taskvine");
}

class Unread : public Reader {
 public:
  Unread(Run&, const std::string&) {}
  void push(std::span<const char>) override {}
  void finish() override {}
  bool wants_more() const override { return false; }
};

bool recognises_transactions(const Head& head) {
  std::string_view text = without_byte_order_mark(head.bytes);
  if (text.starts_with("# time manager_pid ") || text.starts_with("# time master_pid "))
    return true;
  std::string_view first = take_until(text, '\n');
  std::uint64_t number = 0;
  if (!is_number(take_word(first), number) || !is_number(take_word(first), number)) return false;
  const std::string_view subject = take_word(first);
  for (const std::string_view one : {"MANAGER", "TASK", "WORKER", "CATEGORY", "LIBRARY"}) {
    if (subject == one) return true;
  }
  return false;
}

}  // namespace

const Format transactions_log_format{transactions_log_about, recognises_transactions,
                                     open_reader<Transactions>};
const Format performance_log_format{performance_log_about, recognises_performance,
                                    open_reader<Performance>};
const Format debug_log_format{debug_log_about, recognises_debug, open_reader<DebugLog>};
const Format beside_transactions_format{beside_transactions_about, recognises_beside,
                                        open_reader<Unread>};

}  // namespace crema::read
