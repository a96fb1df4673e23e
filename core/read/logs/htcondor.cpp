// HTCondor's job event log, in its three forms: events as text, "005 (12.003.000) 2026-05-01
// 12:00:00 Job terminated.", lines that belong to it, and "..."; an XML or a JSON object for each
// (htcondor: src/condor_utils/condor_event.cpp). A job waits from its submission, runs from
// "executing" until it ends, is evicted or held, and may run again.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/base/text.hpp"
#include "core/json/document.hpp"
#include "core/read/logs/attempts.hpp"

namespace crema::read {

namespace {

using recorded_columns::Task;

// Dates in the old form have no year. This one has a 29 February.
constexpr int assumed_year = 2000;

/// The numbers of events (condor_event.h).
struct EventNumber {
  enum : int {
    submit = 0,
    execute = 1,
    evicted = 4,
    terminated = 5,
    image_size = 6,
    shadow_exception = 7,
    aborted = 9,
    suspended = 10,
    unsuspended = 11,
    held = 12,
    released = 13,
    reconnect_failed = 24,
  };
};

/// An event with its attributes, by the names that they have in its ClassAd.
struct JobEvent {
  int number = -1;
  std::string job;    ///< "12.3"
  double t = absent;  ///< [epoch s]
  std::map<std::string, std::string, std::less<>> attributes;

  std::string_view text(std::string_view name) const {
    const auto found = attributes.find(name);
    return found == attributes.end() ? std::string_view{} : std::string_view(found->second);
  }
  double value(std::string_view name) const { return parse_number(text(name)); }
};

/// The text after `begin` in `line`, up to `end`; empty where there is none.
std::string_view between(std::string_view line, std::string_view begin, std::string_view end) {
  const std::size_t at = line.find(begin);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + begin.size());
  return line.substr(0, line.find(end));
}

/// "Usr 0 01:02:03, Sys 1 00:00:00", days and a time of day each, in seconds.
double usage_seconds(std::string_view usage) {
  double seconds = 0;
  for (const std::string_view what : {"Usr ", "Sys "}) {
    std::string_view rest = between(usage, what, ",");
    seconds += 86400 * parse_number(take_word(rest));
    std::string_view time = take_word(rest);
    for (const double unit : {3600.0, 60.0, 1.0})
      seconds += unit * parse_number(take_until(time, ':'));
  }
  return seconds;
}

/// A table's row of "Memory (MB) : 0 98 2001"; `columns` are those of "Usage Request Allocated"
/// that its head names. A usage that nobody measured is blank.
void read_memory(JobEvent& event, std::string_view row, std::size_t columns) {
  std::vector<std::string_view> values = split(row, " \t");
  if (values.size() + 1 == columns) values.insert(values.begin(), std::string_view{});
  if (values.size() != columns || columns < 2) return;
  event.attributes["MemoryUsage"] = values[0];
  event.attributes["RequestMemory"] = values[1];
}

/// "<10.0.0.1:9618?addrs=…>" as "10.0.0.1:9618"; other names as they are.
std::string_view plain_address(std::string_view name) {
  if (!name.starts_with('<')) return name;
  name.remove_prefix(1);
  return name.substr(0, name.find_first_of("?>"));
}

class JobEvents : public LineReader {
 public:
  JobEvents(Run& run, const std::string& path)
      : LineReader(run, path), attempts_(run, Teller::batch, path) {}

 private:
  struct Job {
    double since = absent;  ///< [epoch s] when it began to wait
    double begin = absent;  ///< [epoch s] of its attempt, absent while it does not run
    double ended = absent;  ///< [epoch s] the attempt before
    double peak = absent;   ///< [byte] of memory
    double suspended = 0, suspended_since = absent;  ///< [s] of the attempt; [epoch s] while it is
    double requested = absent;                       ///< [byte] of memory
    StringId worker = no_string, host = no_string, address = no_string, state = no_string;
    std::size_t row = 0, ended_job = 0;  ///< of the attempt that ended, in rows and in `run.jobs`
    std::uint32_t attempts = 0;
    bool is_held = false;
  };

  std::string_view expects() const override { return "an event of a job"; }

  // --- the three forms

  bool line(std::string_view line) override {
    line = without_trailing_blanks(line);
    if (!json_.empty() || (!is_open_ && line.starts_with('{'))) return of_json(line);
    if (line.starts_with('<') || (is_open_ && is_xml_)) return of_xml(line);
    if (line == "...") {
      if (is_open_) happened();
      return true;
    }
    if (is_open_) of_body(trimmed(line));
    else return line.empty() || begin(line);
    return true;
  }

  /// "005 (12.003.000) 05/01 12:00:00 Job terminated."
  bool begin(std::string_view rest) {
    event_ = {};
    if (!is_number(take_word(rest), event_.number)) return false;
    std::string_view id = take_word(rest);
    if (!id.starts_with('(')) return false;
    id.remove_prefix(1);
    std::int64_t cluster = 0, proc = 0;
    if (!is_number(take_until(id, '.'), cluster) || !is_number(take_until(id, '.'), proc))
      return false;
    name_job(cluster, proc);
    const std::string_view date = take_word(rest);
    event_.t = moment(date, take_word(rest));
    if (rest.starts_with("Job executing on host: "))
      event_.attributes["ExecuteHost"] = rest.substr(rest.find(':') + 2);
    is_open_ = true;
    is_xml_ = false;
    body_ = 0;
    columns_ = 0;
    return true;
  }

  void of_body(std::string_view line) {
    auto& attributes = event_.attributes;
    const bool is_first = body_++ == 0;
    if (const auto code = between(line, "(return value ", ")"); !code.empty()) {
      attributes["ReturnValue"] = code;
    } else if (const auto signal = between(line, "(signal ", ")"); !signal.empty()) {
      attributes["TerminatedBySignal"] = signal;
    } else if (line.ends_with("Run Remote Usage")) {
      attributes["RunRemoteUsage"] = line;
    } else if (line.ends_with("MemoryUsage of job (MB)")) {
      attributes["MemoryUsage"] = take_word(line);
    } else if (line.starts_with("Partitionable Resources")) {
      columns_ = split(line.substr(std::min(line.find(':') + 1, line.size())), " ").size();
    } else if (line.starts_with("Memory (MB)") && has_part(line, ':')) {
      read_memory(event_, line.substr(line.find(':') + 1), columns_);
    } else if (line.starts_with("SlotName:")) {
      attributes["SlotName"] = trimmed(line.substr(line.find(':') + 1));
    } else if (line.starts_with("Reason: ")) {
      attributes["Reason"] = line.substr(line.find(':') + 2);
    } else if (event_.number == EventNumber::held && line.starts_with("Code ")) {
      attributes["HoldReasonCode"] = between(line, "Code ", " ");
    } else if (is_first) {
      attributes[event_.number == EventNumber::held ? "HoldReason" : "Reason"] = line;
    }
  }

  bool of_json(std::string_view line) {
    constexpr std::size_t longest = 1U << 20U;
    bool in_text = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (in_text && line[i] == '\\') ++i;
      else if (line[i] == '"') in_text = !in_text;
      else if (!in_text) depth_ += line[i] == '{' ? 1 : line[i] == '}' ? -1 : 0;
    }
    json_.append(line).append("\n");
    if (depth_ > 0 && json_.size() < longest) return true;
    depth_ = 0;
    const nlohmann::json ad = json::build_document(std::exchange(json_, {}), {2, 200, 4096}).json;
    if (!ad.is_object()) return false;
    event_ = {};
    for (const auto& [name, value] : ad.items())
      event_.attributes[name] = value.is_string() ? value.get<std::string>() : json_of(value);
    return of_ad();
  }

  bool of_xml(std::string_view rest) {
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find("</c>"), rest.size());
      std::string_view part = rest.substr(0, end);
      if (has_part(part, "<c>")) {
        event_ = {};
        is_open_ = is_xml_ = true;
      }
      for (std::size_t at = part.find("<a n=\""); at != std::string_view::npos;
           at = part.find("<a n=\"")) {
        part.remove_prefix(at + 6);
        const std::string_view name = take_until(part, '"');
        std::string_view value = part.substr(std::min(part.find('<'), part.size()));
        value.remove_prefix(std::min(value.find('>') + 1, value.size()));
        if (is_open_)
          event_.attributes[std::string(name)] = unescape_html(value.substr(0, value.find('<')));
      }
      if (end == rest.size()) break;
      rest.remove_prefix(end + 4);
      if (is_open_ && !of_ad()) return false;
    }
    return true;
  }

  /// The event is in attributes alone.
  bool of_ad() {
    is_open_ = false;
    const double number = event_.value("EventTypeNumber");
    std::string_view time = event_.text("EventTime");
    if (!(number >= 0 && number < 1000)) return false;
    event_.number = static_cast<int>(number);
    std::int64_t cluster = 0, proc = 0;
    if (!is_number(event_.text("Cluster"), cluster) || !is_number(event_.text("Proc"), proc))
      return true;  // of no job
    name_job(cluster, proc);
    const std::string_view date = take_until(time, 'T');
    event_.t = moment(date, time);
    if (!event_.text("Message").empty()) event_.attributes["Reason"] = event_.text("Message");
    happened();
    return true;
  }

  void name_job(std::int64_t cluster, std::int64_t proc) {
    event_.job = std::to_string(cluster) + "." + std::to_string(proc);
  }

  /// [epoch s] "2026-05-01" and "12:00:00.123Z", or "05/01"; absent where it is none of both. The
  /// year of dates without one goes on where they step back by half a year.
  double moment(std::string_view date, std::string_view time) {
    constexpr double half_a_year = 180 * 86400.0;
    const std::string_view month = take_until(date, '/');
    const bool has_year = date.empty();
    for (;; ++year_) {
      const std::string year = std::to_string(year_);
      const auto micros =
          parse_naive_time(has_year ? sentence({month, "T", time})
                                    : sentence({year, "-", month, "-", date, "T", time}));
      if (!micros) return absent;
      const double t = static_cast<double>(*micros) * 1e-6;
      if (!has_year && t < last_ - half_a_year) continue;
      lacks_year_ = lacks_year_ || !has_year;
      is_local_ = is_local_ || !time.ends_with('Z');
      return t;
    }
  }

  // --- what happened

  void happened() {
    is_open_ = false;
    if (is_absent(event_.t) || event_.job.starts_with('-')) return;
    first_ = std::fmin(first_, event_.t);
    last_ = std::fmax(last_, event_.t);
    Job& job = jobs_[event_.job];
    job.peak = std::fmax(job.peak, event_.value("MemoryUsage") * megabyte);
    job.requested = value_or(event_.value("RequestMemory") * megabyte, job.requested);
    const bool runs = !is_absent(job.begin);
    const std::string_view reason = event_.text("Reason");
    switch (event_.number) {
      case EventNumber::submit: wait(job); break;
      case EventNumber::execute:
        if (runs) end(job, "lost", "Unknown", "no event tells how it ended", WorkerEnd::job_ended);
        run(job);
        break;
      case EventNumber::terminated: terminate(job); break;
      case EventNumber::evicted:
        if (runs) end(job, "lost", "Evicted", reason, WorkerEnd::job_evicted, "evicted: ");
        wait(job);
        break;
      case EventNumber::shadow_exception:
        if (runs)
          end(job, "failed", "ShadowException", reason, WorkerEnd::job_ended, "shadow exception: ");
        wait(job);
        break;
      case EventNumber::reconnect_failed:
        if (runs) end(job, "lost", "WorkerLost", reason, WorkerEnd::job_evicted, "machine lost: ");
        wait(job);
        break;
      case EventNumber::aborted:
        if (runs) end(job, "failed", "Aborted", reason, WorkerEnd::job_ended, "removed: ");
        job.is_held = false;
        enter(job, no_string);
        break;
      case EventNumber::held: hold(job); break;
      case EventNumber::released:
        job.is_held = false;
        wait(job);
        break;
      case EventNumber::suspended:
        if (runs && is_absent(job.suspended_since)) job.suspended_since = event_.t;
        break;
      case EventNumber::unsuspended: go_on(job); break;
      default: break;
    }
  }

  void enter(Job& job, StringId state) { attempts_.enter(job.state, state, job.worker, event_.t); }

  void go_on(Job& job) {
    job.suspended += std::max(0.0, value_or(event_.t - job.suspended_since, 0));
    job.suspended_since = absent;
  }

  void wait(Job& job) {
    job.since = event_.t;
    enter(job, attempts_.queued);
  }

  void run(Job& job) {
    const std::string_view host = plain_address(event_.text("ExecuteHost"));
    const std::string_view slot = event_.text("SlotName");
    const std::size_t machine = slot.find('@');
    job.begin = event_.t;
    job.peak = absent;
    job.suspended = 0;
    job.attempts += 1;
    job.worker = attempts_.text(slot.empty() ? host : slot);
    job.address = attempts_.text(host.substr(0, host.rfind(':')));
    job.host =
        machine == std::string_view::npos ? job.address : attempts_.text(slot.substr(machine + 1));
    if (event_.t >= job.since) waits_.push_back(event_.t - job.since);
    enter(job, attempts_.processing);
  }

  void terminate(Job& job) {
    const std::string_view code = event_.text("ReturnValue"),
                           signal = event_.text("TerminatedBySignal");
    if (is_absent(job.begin)) return;
    // An ad has both, of which -1 is none.
    if (!signal.empty() && signal != "-1" && (code.empty() || code == "-1"))
      end(job, "failed", "Signal", sentence({"signal ", signal}), WorkerEnd::job_ended);
    else if (!code.empty() && code != "0")
      end(job, "failed", sentence({"exit code ", code}), "", WorkerEnd::job_ended);
    else end(job, "ok", "", "", WorkerEnd::not_said);
    enter(job, no_string);
  }

  /// Jobs wait on hold for somebody who releases them: after an attempt that was stopped for it, or
  /// before any.
  void hold(Job& job) {
    constexpr double at_once = 2;  // [s]
    const std::string_view code = event_.text("HoldReasonCode");
    const std::string why = sentence(
        {event_.text("HoldReason"), code.empty() ? "" : " (code ", code, code.empty() ? "" : ")"});
    if (!is_absent(job.begin)) {
      end(job, "failed", "Held", why, end_of_hold(code), "held: ");
    } else if (event_.t - job.ended <= at_once) {
      attempts_.set(Task::status, job.row, "failed");
      attempts_.set(Task::error, job.row, "Held");
      attempts_.set(Task::message, job.row, why);
      tell_end(run_.jobs[job.ended_job], end_of_hold(code), "held: ", why);
    } else if (code != "1" && code != "15" &&
               code != "16") {  // by its user, at submission, spooling
      begin_row(job, "failed", "Held", why);
      attempts_.put(Task::begin, event_.t);
      attempts_.next();
    }
    job.is_held = true;
    enter(job, no_string);
  }

  void begin_row(const Job& job, std::string_view status, std::string_view error,
                 std::string_view message) {
    attempts_.put(Task::kind, "job");
    attempts_.put(Task::function, "job");
    attempts_.put(Task::item, event_.job);
    attempts_.put(Task::attempt, static_cast<double>(job.attempts));
    attempts_.put(Task::status, status);
    attempts_.put(Task::error, error);
    attempts_.put(Task::message, message);
  }

  /// Of the codes of holds, those of limits (HTCondor manual: JobHoldReasonCode).
  static WorkerEnd end_of_hold(std::string_view code) {
    if (code == "34") return WorkerEnd::job_memory;
    return code == "46" || code == "47" ? WorkerEnd::job_time : WorkerEnd::job_ended;
  }

  void tell_end(BatchJob& job, WorkerEnd how, std::string_view event, std::string_view why) {
    job.how = how;
    if (how != WorkerEnd::not_said) job.words = attempts_.text(sentence({event, why}));
  }

  BatchJob attempt_of(const std::string& id, const Job& job) {
    return {attempts_.text(id), job.host, job.address, job.begin};
  }

  void end(Job& job, std::string_view status, std::string_view error, std::string_view message,
           WorkerEnd how, std::string_view event = {}) {
    BatchJob ended = attempt_of(event_.job, job);
    ended.end = event_.t;
    tell_end(ended, how, event, message.empty() ? error : message);
    job.ended_job = run_.jobs.size();
    run_.jobs.push_back(ended);
    begin_row(job, status, error, message);
    attempts_.put(Task::host, run_.text(job.host));
    attempts_.put(Task::address, run_.text(job.worker));
    attempts_.put_time(job.begin, event_.t - job.begin);
    attempts_.put(Task::rss_peak, job.peak);
    go_on(job);
    if (job.suspended > 0) attempts_.put(Task::suspended, job.suspended);
    suspended_ += job.suspended;
    attempts_.put(Task::requested_memory, job.requested);
    if (const double cpu = usage_seconds(event_.text("RunRemoteUsage")); cpu > 0)
      attempts_.put(Task::cpu_of_process, cpu);
    if (job.requested > 0 && job.peak > 0) {
      with_memory_ += 1;
      above_ += job.peak > job.requested ? 1 : 0;
      largest_ = std::fmax(largest_, job.peak);
      requested_ = std::fmax(requested_, job.requested);
    }
    job.row = attempts_.row();
    job.ended = event_.t;
    job.begin = absent;
    attempts_.next();
  }

  void finished() override {
    attempts_.finish();
    run_.recording.index.begin = first_;
    double waiting = 0, running = 0, on_hold = 0;
    for (const auto& [name, job] : jobs_) {
      if (!is_absent(job.begin)) run_.jobs.push_back(attempt_of(name, job));
      if (job.is_held) on_hold += 1;
      else if (job.state == attempts_.queued) waiting += 1;
      else if (job.state == attempts_.processing) running += 1;
    }
    if (is_open_ || !json_.empty())
      note("cut-off", Severity::medium, {"its last event is not complete and was left out"});
    if (waiting + running + on_hold > 0)
      note("incomplete", Severity::medium,
           {"at the log's end ", format_count(waiting, "job"), " waited, ", format_number(running),
            " ran and ", format_number(on_hold),
            " were on hold. What these do after it is not counted"});
    if (lacks_year_)
      note("no-year", Severity::low,
           {"its dates have no year: ", std::to_string(assumed_year), " stands for the first"});
    if (is_local_)
      note("local-time", Severity::low,
           {"its times are the local time of the host that submitted the jobs, read as UTC"});
    if (!waits_.empty())
      note(
          "waited-for-slot", Severity::low,
          {"jobs waited ", format_seconds(median_of(waits_)), " before they ran, by the median of ",
           format_number(static_cast<double>(waits_.size())), "; at most ",
           format_seconds(*std::max_element(waits_.begin(), waits_.end()))});
    if (suspended_ > 0)
      note("suspended", Severity::medium,
           {"jobs were suspended for ", format_seconds(suspended_),
            " in all: that time is theirs in the core-time, as the activity suspended"});
    if (with_memory_ > 0)
      note("memory-requested", above_ > 0 ? Severity::medium : Severity::low,
           {format_number(above_), " of ", format_count(with_memory_, "attempt"),
            " used more memory than they had requested; the most used was ", format_bytes(largest_),
            ", the most requested ", format_bytes(requested_)});
  }

  Attempts attempts_;
  std::map<std::string, Job> jobs_;
  JobEvent event_;        // that is being read
  bool is_open_ = false;  // whether more of it may follow
  bool is_xml_ = false;
  std::size_t body_ = 0, columns_ = 0;  // lines of it; columns of its table of resources
  std::string json_;
  int depth_ = 0;  // of json_
  int year_ = assumed_year;
  bool lacks_year_ = false, is_local_ = false;
  double first_ = absent, last_ = absent;         // [epoch s]
  std::vector<double> waits_;                     // [s]
  double suspended_ = 0;                          // [s]
  double with_memory_ = 0, above_ = 0;            // attempts
  double largest_ = absent, requested_ = absent;  // [byte]
};

bool recognises_job_events(const Head& head) {
  const std::string_view text = trimmed(without_byte_order_mark(head.bytes));
  if (text.starts_with('<') || text.starts_with('{'))
    return has_part(text, "EventTypeNumber") && has_part(text, "Cluster");
  // "000 (12.000.000) "
  std::string_view rest = text.substr(0, 64);
  const std::string_view number = take_word(rest), id = take_word(rest);
  int event = 0;
  return number.size() == 3 && is_number(number, event) && id.size() >= 7 && id.front() == '(' &&
         id.back() == ')' && std::count(id.begin(), id.end(), '.') == 2;
}

}  // namespace

const Format job_events_format{job_events_about, recognises_job_events, open_reader<JobEvents>};

}  // namespace crema::read
