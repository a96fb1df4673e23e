#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/base/collect.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::runtime {

namespace {

using recorded_columns::Task;

/// One attempt at an item, whichever source tells it.
struct Attempt {
  StringId prefix = no_string, worker = no_string, dataset = no_string, file = no_string;
  double call = absent, entry_start = absent, entry_stop = absent;
  double begin = absent, seconds = absent;
  bool is_failed = false, is_library = false;
  std::string_view status, exception, message, frame;
  StringId item = no_string;  ///< attempts at one item have one
};

/// What a text of Dask's says beside the class: "no room" of "MemoryError('no room')".
std::string_view message_in(std::string_view text) {
  text.remove_prefix(exception_class(text).size());
  const auto is_quote = [](char c) { return c == '(' || c == ')' || c == '\'' || c == '"'; };
  while (!text.empty() && is_quote(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_quote(text.back())) text.remove_suffix(1);
  return text;
}

/// What succeeded of each file: a chunk that its executor split is done when its parts are.
class Parts {
  std::map<std::tuple<StringId, StringId, double>, std::map<double, double>>
      done_;  // stop by start

 public:
  void add(const Attempt& attempt) {
    if (!(attempt.entry_stop > attempt.entry_start)) return;
    double& stop = done_[{attempt.prefix, attempt.file, attempt.call}][attempt.entry_start];
    stop = std::max(stop, attempt.entry_stop);
  }
  bool cover(const Attempt& attempt) const {
    const auto found = done_.find({attempt.prefix, attempt.file, attempt.call});
    if (found == done_.end()) return false;
    double until = attempt.entry_start;
    auto part = found->second.find(until);
    while (until < attempt.entry_stop && part != found->second.end() && part->first == until)
      until = (part++)->second;
    return until == attempt.entry_stop;
  }
};

std::vector<Attempt> of_rows(const Run& run) {
  const auto& rows = run.recording.tasks;
  std::vector<Attempt> attempts;
  std::map<std::tuple<StringId, StringId, StringId, double, double, double>, StringId> items;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto text = [&](Task column) { return run.text(rows.text(column, row)); };
    const std::string_view status = text(Task::status);
    Attempt attempt{.prefix = rows.text(Task::function, row),
                    .worker = rows.text(Task::address, row),
                    .dataset = rows.text(Task::dataset, row),
                    .file = rows.text(Task::file, row),
                    .call = value_or(rows.at(Task::call, row), -1),
                    .entry_start = rows.at(Task::entry_start, row),
                    .entry_stop = rows.at(Task::entry_stop, row),
                    .begin = rows.at(Task::begin, row),
                    .seconds = rows.at(Task::wall, row),
                    .is_failed = status != "ok",
                    .is_library = is_library(run, row),
                    .status = status,
                    .exception = text(Task::error),
                    .message = text(Task::message),
                    .frame = text(Task::frame)};
    const StringId name = rows.text(Task::item, row);
    const std::tuple item(name, attempt.prefix, attempt.file, attempt.call,
                          value_or(attempt.entry_start, -1), value_or(attempt.entry_stop, -1));
    // Items without a file or a name, as merges, are told apart by nothing: each is its own.
    attempt.item = attempt.file == no_string && name == no_string
                       ? static_cast<StringId>(rows.size() + row)
                       : items.try_emplace(item, static_cast<StringId>(items.size())).first->second;
    attempts.push_back(attempt);
  }
  return attempts;
}

/// Without what differs from item to item: paths, and names that hold three digits or more. A
/// number by itself stays: a limit, an error's. "No space: '/store/a_12000.npy'" → "No space: '…'".
std::string without_names(std::string_view message) {
  constexpr std::string_view ends = " '\"(),;=[]";
  std::string kept;
  for (std::size_t at = 0; at < message.size();) {
    std::size_t end = at;
    std::size_t digits = 0;
    bool is_path = false;
    while (end < message.size() && !contains(ends, message[end])) {
      digits += is_digit(message[end]) ? 1 : 0;
      is_path = is_path || (message[end] == '/' && (end == at || message[end - 1] == '/'));
      ++end;
    }
    if ((digits >= 3 && digits < end - at) || is_path) kept += "…";
    else kept += message.substr(at, end - at);
    if (end < message.size()) kept += message[end++];
    at = end;
  }
  return kept;
}

std::vector<Attempt> of_stream(const Run& run) {
  const Tasks& tasks = run.tasks;
  std::vector<Attempt> attempts;
  for_each_execution(run, [&](std::size_t i) {
    const bool is_failed = run.text(tasks.status[i]) == "error";
    const std::string_view text = run.text(tasks.exception[i]);
    attempts.push_back({.prefix = tasks.prefix[i],
                        .worker = tasks.worker[i],
                        .begin = tasks.t0[i],
                        .seconds = tasks.t1[i] - tasks.t0[i],
                        .is_failed = is_failed,
                        .status = is_failed ? "failed" : "ok",
                        .exception = exception_class(text),
                        .message = message_in(text),
                        .item = tasks.key[i]});
  });
  return attempts;
}

}  // namespace

std::vector<GoneWorker> gone_workers(const Run& run, const Selection& selection) {
  using recorded_columns::Change;
  const auto& changes = run.recording.changes;
  const WorkerSelection workers(run, selection);
  double last = absent;  // when the last task began: a manager ends its pool when all is done
  for (const double moment : run.tasks.t0) last = std::fmax(last, moment);
  std::vector<GoneWorker> gone;
  for (std::size_t row = 0; row < changes.size(); ++row) {
    if (run.text(changes.text(Change::change, row)) != "removed") continue;
    const StringId worker = changes.text(Change::worker, row);
    const double at = changes.at(Change::begin, row);
    const std::string_view reason = run.text(changes.text(Change::reason, row));
    const WorkerEnd end = worker_end(reason);
    if (end == WorkerEnd::retired || (is_of_manager(reason) && at >= last) ||
        !(workers.all || workers.holds(run, worker)) ||
        (selection.time && !(at >= selection.time->begin && at < selection.time->end)))
      continue;
    gone.push_back({worker, at, end, std::string(reason)});
  }
  sort_stably(gone, [](const GoneWorker& a, const GoneWorker& b) { return a.at < b.at; });
  return gone;
}

bool is_library(const Run& run, std::size_t row) {
  return run.text(run.recording.tasks.text(Task::kind, row)) == "library";
}

bool any_failed(const Run& run) {
  const auto& rows = run.recording.tasks;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (run.text(rows.text(Task::status, row)) != "ok") return true;
  }
  const std::vector<StringId>& all = run.tasks.status;
  return rows.size() == 0 && contains(all, run.names->strings.find("error"));
}

std::vector<Failed> find_failures(const Run& run, const Selection& selection) {
  const bool by_rows = run.recording.tasks.size() > 0;
  if (!any_failed(run)) return {};  // as in most runs, which may have 10^5 attempts
  const std::vector<Attempt> attempts = by_rows ? of_rows(run) : of_stream(run);
  const WorkerSelection workers(run, selection);
  std::set<StringId> succeeded, given_up;
  Parts parts;
  for (const Attempt& attempt : attempts) {
    if (!attempt.is_failed) {
      succeeded.insert(attempt.item);
      parts.add(attempt);
    }
    if (attempt.status == "skipped") given_up.insert(attempt.item);
  }
  struct Items {
    std::map<StringId, double> all;  // attempts
    std::set<StringId> files, workers;
  };
  std::vector<Failed> failures;
  std::vector<Items> items;
  std::map<std::tuple<StringId, std::string_view, std::string_view, std::string_view>, std::size_t>
      places;
  std::set<std::string> messages;  // that places point to
  for (const Attempt& attempt : attempts) {
    const double end = attempt.begin + value_or(attempt.seconds, 0);
    if (!attempt.is_failed || !(workers.all || workers.holds(run, attempt.worker)) ||
        !leaves(selection.datasets, run.text(attempt.dataset)) ||
        !leaves(selection.files, run.text(attempt.file)) ||
        !leaves(selection.prefixes, run.text(attempt.prefix)) ||
        (selection.time && !(attempt.begin < selection.time->end && end > selection.time->begin)))
      continue;
    const std::string_view message = *messages.insert(without_names(attempt.message)).first;
    const std::tuple key(attempt.prefix, attempt.exception, message, attempt.frame);
    const auto [place, is_new] = places.try_emplace(key, failures.size());
    if (is_new) {
      failures.push_back({.prefix = std::string(run.text(attempt.prefix)),
                          .exception = std::string(attempt.exception),
                          .message = std::string(attempt.message),
                          .frame = std::string(attempt.frame),
                          .dataset = std::string(run.text(attempt.dataset)),
                          .file = std::string(run.text(attempt.file)),
                          .entry_start = attempt.entry_start,
                          .entry_stop = attempt.entry_stop,
                          .worker_end = worker_end(attempt.message),
                          .worker = std::string(run.text(attempt.worker)),
                          .is_library = attempt.is_library,
                          .first = attempt.begin});
      items.emplace_back();
    }
    Failed& failed = failures[place->second];
    Items& of = items[place->second];
    failed.attempts += 1;
    if (failed.message != attempt.message) failed.message = message;
    if (attempt.status == "skipped") failed.skipped += 1;
    if (attempt.status == "lost") failed.lost += 1;
    const double times = of.all[attempt.item] += 1;
    const bool in_parts = !succeeded.contains(attempt.item) && parts.cover(attempt);
    const bool is_recovered = in_parts || succeeded.contains(attempt.item);
    failed.in_parts = failed.in_parts || in_parts;
    if (times == 1 && is_recovered) failed.recovered += 1;
    else if (by_rows && attempt.item >= run.recording.tasks.size()) failed.untold += 1;
    else if (times == 1) failed.unfinished.push_back(attempt.item);
    if (times == 2 && !is_recovered && !given_up.contains(attempt.item) &&
        !attempt.exception.empty())
      failed.repeated.push_back({attempt.file, attempt.entry_start, attempt.entry_stop});
    if (attempt.file != no_string) of.files.insert(attempt.file);
    of.workers.insert(attempt.worker);
    if (!is_absent(attempt.seconds))
      failed.core_seconds = value_or(failed.core_seconds, 0) + attempt.seconds;
    failed.last = std::fmax(failed.last, attempt.begin);
  }
  for (std::size_t i = 0; i < failures.size(); ++i) {
    failures[i].items = static_cast<double>(items[i].all.size());
    failures[i].files = by_rows ? static_cast<double>(items[i].files.size()) : absent;
    failures[i].workers = static_cast<double>(items[i].workers.size());
  }
  sort_stably(failures, [](const Failed& a, const Failed& b) {
    return value_or(a.core_seconds, 0) > value_or(b.core_seconds, 0);
  });
  return failures;
}

}  // namespace crema::runtime
