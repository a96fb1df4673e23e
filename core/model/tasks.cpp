#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/base/text.hpp"
#include "core/model/records.hpp"
#include "core/model/worker_selection.hpp"

namespace crema {

namespace {

// A word that belongs to the name: letters only, and not the eight hex digits of a token.
bool is_name_word(std::string_view word) {
  if (word.empty() || !all_of(word, is_letter)) return false;
  return !(word.size() == 8 && all_of(word, is_lowercase_hex));
}

}  // namespace

std::string key_split(std::string_view key) {
  // str(("name-token", 0)): the name is the first element.
  if (!key.empty() && !is_letter(key.front())) {
    key = key.substr(0, key.find(','));
    const auto quoted = [](char c) {
      return c == '_' || c == '\'' || c == '(' || c == ')' || c == '"';
    };
    while (!key.empty() && quoted(key.front())) key.remove_prefix(1);
    while (!key.empty() && quoted(key.back())) key.remove_suffix(1);
  }
  std::size_t dash = key.find('-');
  std::string name(key.substr(0, dash));
  while (dash != std::string_view::npos) {
    const std::size_t next = key.find('-', dash + 1);
    const std::string_view word =
        key.substr(dash + 1, next == std::string_view::npos ? next : next - dash - 1);
    if (!is_name_word(word)) break;
    name += '-';
    name += word;
    dash = next;
  }
  if (name.size() == 32 && all_of(name, is_lowercase_hex)) return "data";
  return name.empty() ? "Other" : name;
}

Span span_of_changes(std::string name, std::map<double, double> changes, double begin, double until,
                     std::string source, Teller teller) {
  Span span{.name = std::move(name), .enqueued = begin, .start = begin, .stop = until};
  span.source = std::move(source);
  span.teller = teller;
  changes[begin] += 0;
  changes[until] += 0;
  double threads = 0;
  for (auto change = changes.begin(); std::next(change) != changes.end(); ++change) {
    threads += change->second;
    span.nthreads.push_back({change->first, std::next(change)->first, threads});
  }
  return span;
}

WorkerSelection::WorkerSelection(const Run& run, const Selection& selection)
    : chosen(run.workers.size(), true), all(selection.workers.empty()) {
  if (all) return;
  const std::unordered_set<std::string_view> wanted(selection.workers.begin(),
                                                    selection.workers.end());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] =
        wanted.contains(run.text(run.workers.address[i])) ||
        (run.workers.name[i] != no_string && wanted.contains(run.text(run.workers.name[i])));
  }
}

TickRange ticks_of(const Workers& workers, std::size_t worker) {
  TickRange range;
  for (const auto& series : workers.series) {
    const TickSeries& one = series[worker];
    if (one.empty()) continue;
    if (range.end == 0) range.begin = one.first_tick;
    range.begin = std::min<std::size_t>(range.begin, one.first_tick);
    range.end = std::max(range.end, one.end_tick());
  }
  return range;
}

TickRange ticks_within(const Run& run, double begin, double end) {
  const auto first = std::lower_bound(run.ticks.begin(), run.ticks.end(), begin);
  const auto last = std::upper_bound(first, run.ticks.end(), end);
  return {static_cast<std::size_t>(first - run.ticks.begin()),
          static_cast<std::size_t>(last - run.ticks.begin())};
}

Run::Window selected_window(const Run& run, const Selection& selection) {
  return selection.time ? Run::Window{selection.time->begin, selection.time->end} : run.window();
}

TickRange selected_ticks(const Run& run, const Selection& selection) {
  return selection.time ? ticks_within(run, selection.time->begin, selection.time->end)
                        : TickRange{0, run.ticks.size()};
}

std::string worker_series_note(const Selection& selection) {
  return selection.uses(Selection::of_chunks | Selection::by_prefix)
             ? "worker series are not split by dataset, file, host or task: only time and "
               "workers narrow them"
             : "";
}

bool present_at(const Workers& workers, std::size_t worker, std::size_t tick) {
  return any_of(workers.series,
                [&](const auto& series) { return !is_absent(series[worker].at(tick)); });
}

}  // namespace crema
