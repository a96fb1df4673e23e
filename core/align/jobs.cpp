// A batch system's jobs beside the tasks of others: the jobs hold their workers. The log names a
// job's machine, and when it ran; of the processes in it, it knows nothing.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/align/align.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/model/worker_selection.hpp"

namespace crema::align {

namespace {

using recorded_columns::Change;
using recorded_columns::Task;

// Clocks of machines agree to some seconds; events have whole ones.
constexpr double clock_error = 5;
// Time zones are whole quarters of an hour apart, and at most 26 h.
constexpr double quarter = 900;
constexpr int most_quarters = 26 * 4;
// A log whose dates have no year is thousands of days off.
constexpr double half_a_year = 180 * 86400.0;

/// When a worker gave signs of life, on the run axis.
struct Life {
  double first = absent, last = absent;
  void add(double begin, double end) {
    first = std::fmin(first, begin);
    last = std::fmax(last, end);
  }
};

std::vector<Life> lives_of(const Run& run) {
  std::vector<Life> lives(run.workers.size());
  const auto add = [&](StringId worker, double begin, double end) {
    const std::size_t i = run.workers.find(worker);
    if (i < lives.size()) lives[i].add(begin, end);
  };
  for_each_execution(
      run, [&](std::size_t i) { add(run.tasks.worker[i], run.tasks.t0[i], run.tasks.t1[i]); });
  const auto& machine = run.recording.machine;
  using recorded_columns::Machine;
  for (std::size_t row = 0; row < machine.size(); ++row) {
    const double begin = machine.at(Machine::begin, row);
    add(machine.text(Machine::address, row), begin, begin + machine.at(Machine::wall, row));
  }
  // A scheduler may have a worker for minutes that is gone: what it has is no sign of life.
  const auto& changes = run.recording.changes;
  for (std::size_t row = 0; row < changes.size(); ++row) {
    const double when = changes.at(Change::begin, row);
    if (run.text(changes.text(Change::change, row)) == "added")
      add(changes.text(Change::worker, row), when, when);
  }
  for (std::size_t i = 0; i < lives.size(); ++i) {
    const TickRange present = ticks_of(run.workers, i);
    if (present.end > 0) lives[i].add(run.ticks[present.begin], run.ticks[present.begin]);
  }
  return lives;
}

/// What names a machine: "node7" of "node7.site.org", an address as it is.
std::string_view short_host(std::string_view host) {
  return !host.empty() && is_letter(host.front()) ? host.substr(0, host.find('.')) : host;
}

/// The job that a worker's name names, as dask-jobqueue does: "htcondor--12.0--".
std::string_view job_in(std::string_view name) {
  const std::size_t begin = name.find("--");
  if (begin == std::string_view::npos) return {};
  name.remove_prefix(begin + 2);
  return name.substr(0, name.find("--"));
}

/// A worker and a job on its machine.
struct Pair {
  std::size_t worker, job;
  bool is_named;  ///< the worker's name has the job's id
};

class JobMatch {
 public:
  explicit JobMatch(Run& run) : run_(run), jobs_(run.jobs), lives_(lives_of(run)) {}

  void match() {
    if (is_absent(run_.clock.zero_epoch))
      return tell("jobs-not-matched",
                  "no date is known of the run: its workers were not matched to the jobs of the "
                  "batch system's log");
    for (BatchJob& job : jobs_) {
      job.begin -= run_.clock.zero_epoch;
      job.end -= run_.clock.zero_epoch;
    }
    find_pairs();
    set_clock();
    assign();
    if (matched_ == 0)
      return tell("jobs-not-matched",
                  "no worker has host and time of a job in the batch system's log: these are "
                  "others' jobs, or hosts have other names there");
    explain();
    describe();
  }

 private:
  void tell(const char* id, const std::string& message, Severity severity = Severity::medium) {
    run_.add_note(id, severity, message);
  }

  void find_pairs() {
    std::map<std::string_view, std::vector<std::size_t>> on_host, by_id;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const std::set<std::string_view> names = {short_host(run_.text(jobs_[i].host)),
                                                run_.text(jobs_[i].address)};
      for (const std::string_view name : names) on_host[name].push_back(i);
      by_id[run_.text(jobs_[i].id)].push_back(i);
    }
    const Workers& workers = run_.workers;
    for (std::size_t worker = 0; worker < lives_.size(); ++worker) {
      if (is_absent(lives_[worker].first)) continue;
      if (const auto named = by_id.find(job_in(run_.text(workers.name[worker])));
          named != by_id.end()) {
        for (const std::size_t job : named->second) pairs_.push_back({worker, job, true});
        continue;
      }
      std::set<std::size_t> near;
      for (const std::string_view host : {short_host(run_.text(workers.host[worker])),
                                          host_of_address(run_.text(workers.address[worker]))}) {
        const auto found = on_host.find(host);
        if (!host.empty() && found != on_host.end())
          near.insert(found->second.begin(), found->second.end());
      }
      for (const std::size_t job : near) pairs_.push_back({worker, job, false});
    }
  }

  /// [s] from the job's begin to the worker's first sign, and from its last to the job's end, by
  /// the log's clock as it is now; the second absent where the job has not ended.
  std::pair<double, double> lags(const Pair& pair) const {
    const BatchJob& job = jobs_[pair.job];
    return {lives_[pair.worker].first - job.begin, job.end - lives_[pair.worker].last};
  }

  bool fits(const Pair& pair) const {
    const auto [before, after] = lags(pair);
    return before >= -clock_error && !(after < -clock_error);
  }

  void move_clock(double seconds) {
    offset_ += seconds;
    for (BatchJob& job : jobs_) {
      job.begin += seconds;
      job.end += seconds;
    }
  }

  /// Workers for which some job fits were the clock so much later, and how long these jobs ran
  /// without them.
  std::pair<std::size_t, double> fit_with(double offset) const {
    constexpr double none = std::numeric_limits<double>::infinity();
    std::size_t workers = 0;
    double sum = 0;
    for (std::size_t i = 0; i < pairs_.size();) {  // those of a worker follow each other
      double least = none;
      for (const std::size_t worker = pairs_[i].worker;
           i < pairs_.size() && pairs_[i].worker == worker; ++i) {
        const auto [before, after] = lags(pairs_[i]);
        if (before - offset < -clock_error || after + offset < -clock_error) continue;
        least = std::min(least, before - offset + value_or(after + offset, 0));
      }
      if (least == none) continue;
      ++workers;
      sum += least;
    }
    return {workers, sum};
  }

  /// The log is in local time of the machine that submitted, or in UTC, which it mostly does not
  /// say. Of shifts with which equally many workers fit none, and then the scheduler's zone, are
  /// taken before others.
  void set_clock() {
    std::vector<double> apart;
    for (const Pair& pair : pairs_) apart.push_back(lags(pair).first);
    const double median = median_of(apart);
    if (std::fabs(median) > half_a_year) move_clock(86400 * std::round(median / 86400));
    std::vector<double> shifts = {0};
    if (const double zone = run_.clock.zone_offset; !is_absent(zone)) shifts.push_back(-zone);
    const std::size_t preferred = shifts.size();
    for (int k = 1; k <= most_quarters; ++k) {
      for (const int sign : {1, -1}) shifts.push_back(sign * k * quarter);
    }
    std::pair<std::size_t, double> best;
    double shift = 0;
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      const auto fit = fit_with(shifts[i]);
      const bool is_better =
          fit.first > best.first || (i >= preferred && shift_is_guessed_ &&
                                     fit.first == best.first && fit.second < best.second);
      if (!is_better) continue;
      shift_is_guessed_ = i >= preferred;
      best = fit;
      shift = shifts[i];
    }
    move_clock(shift);
  }

  /// Each worker its job: first a job of its own, the one that ran least without it; then workers
  /// share one.
  void assign() {
    std::vector<Pair> fitting;
    std::copy_if(pairs_.begin(), pairs_.end(), std::back_inserter(fitting),
                 [&](const Pair& pair) { return fits(pair); });
    sort_stably(fitting, [&](const Pair& a, const Pair& b) {
      const auto alone = [&](const Pair& pair) {
        const auto [before, after] = lags(pair);
        return before + value_or(after, 0);
      };
      return alone(a) < alone(b);
    });
    of_worker_.assign(lives_.size(), jobs_.size());
    of_job_.assign(jobs_.size(), 0);
    for (const bool may_share : {false, true}) {
      for (const Pair& pair : fitting) {
        if (of_worker_[pair.worker] < jobs_.size() || (!may_share && of_job_[pair.job] > 0))
          continue;
        of_worker_[pair.worker] = pair.job;
        of_job_[pair.job] += 1;
        run_.workers.job[pair.worker] = jobs_[pair.job].id;
        ++matched_;
      }
    }
    std::vector<std::size_t> choices(lives_.size(), 0);
    for (const Pair& pair : fitting) choices[pair.worker] += pair.is_named ? 0 : 1;
    by_time_ =
        static_cast<std::size_t>(count_if(choices, [](std::size_t jobs) { return jobs > 1; }));
  }

  /// Gives workers their job's reason, where no other source has one.
  void explain() {
    struct End {
      StringId reason;
      double at;
    };
    std::map<StringId, End> ends;  // by address
    for (std::size_t worker = 0; worker < lives_.size(); ++worker) {
      if (of_worker_[worker] == jobs_.size()) continue;
      const BatchJob& job = jobs_[of_worker_[worker]];
      if (job.how == WorkerEnd::not_said) continue;
      const std::string words = sentence({run_.text(job.id), ", ", run_.text(job.words)});
      ends[run_.workers.address[worker]] = {
          run_.names->strings.intern(reason_of_job(job.how, words)), job.end};
    }
    const auto tell_reason = [&](StringId worker, std::vector<double>& reasons, std::size_t row) {
      const auto found = ends.find(worker);
      if (found == ends.end()) return;
      const double now = reasons[row];
      const WorkerEnd end =
          worker_end(run_.text(is_absent(now) ? no_string : static_cast<StringId>(now)));
      // By these a batch system ends what it stops.
      if (end == WorkerEnd::not_said || end == WorkerEnd::signal || end == WorkerEnd::killed ||
          end == WorkerEnd::silent)
        reasons[row] = found->second.reason;
    };
    auto& rows = run_.recording.tasks;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (run_.text(rows.text(Task::error, row)) == "WorkerLost")
        tell_reason(rows.text(Task::address, row), rows.of(Task::message), row);
    }
    auto& changes = run_.recording.changes;
    std::set<StringId> told;
    for (std::size_t row = 0; row < changes.size(); ++row) {
      if (run_.text(changes.text(Change::change, row)) != "removed") continue;
      tell_reason(changes.text(Change::worker, row), changes.of(Change::reason), row);
      told.insert(changes.text(Change::worker, row));
    }
    const StringId removed = run_.names->strings.intern("removed");
    for (const auto& [address, end] : ends) {
      if (told.contains(address) || !(end.at < run_.window().end)) continue;
      const std::size_t row = changes.size();
      changes.resize(row + 1);
      changes.of(Change::begin)[row] = end.at;
      changes.of(Change::worker)[row] = address;
      changes.of(Change::change)[row] = removed;
      changes.of(Change::reason)[row] = end.reason;
    }
  }

  void describe() {
    const std::size_t all = lives_.size();
    const bool has_year = std::fabs(offset_) < half_a_year;
    std::string text = sentence({std::to_string(matched_), " of ",
                                 format_count(static_cast<double>(all), "worker"),
                                 " ran in jobs of the batch system's log"});
    if (by_time_ > 0)
      text += sentence({"; for ", std::to_string(by_time_),
                        " of them other jobs on the same host fit as well: the one nearest in time "
                        "was taken"});
    if (!has_year) text += "; its dates, which have no year, are of the run's";
    else if (offset_ != 0)
      text += sentence({"; its clock was taken to be ", format_seconds(std::fabs(offset_)),
                        offset_ < 0 ? " ahead of" : " behind", " the workers'"});
    if (shift_is_guessed_) text += ", with which most workers fit";
    tell("workers-of-jobs", text,
         matched_ < all || by_time_ > 0 ? Severity::medium : Severity::low);
    std::erase_if(run_.data_notes, [&](const DataNote& note) {
      return note.id == "local-time" || (note.id == "no-year" && !has_year);
    });
    std::size_t unused = 0, failed = jobs_.size();
    for (std::size_t i = jobs_.size(); i-- > 0;) {
      if (of_job_[i] > 0) continue;
      ++unused;
      if (jobs_[i].how != WorkerEnd::not_said) failed = i;
    }
    if (unused == 0) return;
    text = format_count(static_cast<double>(unused), "attempt") +
           " at a job had no worker that is known: they failed before, or are others'";
    if (failed < jobs_.size())
      text +=
          sentence({" (", run_.text(jobs_[failed].id), ", ", run_.text(jobs_[failed].words), ")"});
    tell("jobs-without-worker", text);
  }

  Run& run_;
  std::vector<BatchJob>& jobs_;
  std::vector<Life> lives_;             // of each worker
  std::vector<Pair> pairs_;             // of one machine, whatever the time
  std::vector<std::size_t> of_worker_;  // its job, jobs_.size() where none fits
  std::vector<std::size_t> of_job_;     // workers
  std::size_t matched_ = 0, by_time_ = 0;
  double offset_ = 0;  // [s] that the log's times were moved
  bool shift_is_guessed_ = false;
};

/// Whether anybody but a batch system tells of tasks.
bool tells_tasks(const Run& run) {
  return run.tasks.size() > 0 || run.chunks_recorded || run.tracked || !run.spans.empty() ||
         (!run.recording.source.empty() && run.recording.teller != Teller::batch);
}

}  // namespace

void leave_jobs(Run& run) {
  if (!tells_tasks(run)) return run.jobs.clear();
  if (run.recording.teller == Teller::batch) run.recording = {};
  if (run.task_states.teller == Teller::batch) run.task_states = {};
}

void match_jobs(Run& run) {
  if (run.jobs.empty()) return;
  JobMatch(run).match();
  run.jobs.clear();
}

}  // namespace crema::align
