// Changes of tasks' states in the scheduler, as `crema.record` saves them (docs/record.md):
// `{format: "crema_transitions_v1", start, names: [text, …], before: [[state, worker, tasks], …],
// transitions: [[seconds, prefix, from, to, worker left, worker, stimulus], …]}`; texts are indices
// into `names`, -1 is none.
#include <algorithm>

#include "core/base/text.hpp"
#include "core/read/list.hpp"

namespace crema::read {

namespace {

bool are_numbers(const nlohmann::json& row, std::size_t count) {
  return row.is_array() && row.size() == count &&
         std::all_of(row.begin(), row.end(), [](const auto& one) { return one.is_number(); });
}

void read_transitions(Run& run, const std::string& path, const std::string& text) {
  const nlohmann::json document = parse_small(run, path, text);
  if (!document.is_object()) return;
  const double start = number_or_absent(document, "start");
  std::vector<StringId> names;
  for (const nlohmann::json& name : member_of(document, "names"))
    names.push_back(run.names->strings.intern(text_of(name)));
  const auto name_of = [&](const nlohmann::json& number) {
    const auto n = number.get<double>();
    return n >= 0 && n < static_cast<double>(names.size()) ? names[static_cast<std::size_t>(n)]
                                                           : no_string;
  };
  const nlohmann::json& rows = member_of(document, "transitions");
  std::size_t unsound = 0;
  // No transition tells when a task becomes known to the scheduler: before its first other state it
  // is in one of these, which are therefore not counted.
  const StringId released = run.names->strings.intern("released");
  const StringId forgotten = run.names->strings.intern("forgotten");
  const auto change = [&](double when, const nlohmann::json& of, const nlohmann::json& worker,
                          double tasks) {
    const StringId state = name_of(of);
    if (state != released && state != forgotten)
      run.task_states.add(when, state, name_of(worker), tasks);
  };
  // If older changes were dropped, `before` holds the state at the first change that was kept.
  double begin = start;
  if (number_or_absent(document, "forgotten") > 0 && !rows.empty() && are_numbers(rows[0], 7))
    begin += rows[0][0].get<double>();
  for (const nlohmann::json& row : member_of(document, "before")) {
    if (are_numbers(row, 3)) change(begin, row[0], row[1], row[2].get<double>());
    else ++unsound;
  }
  for (const nlohmann::json& row : rows) {
    if (are_numbers(row, 7)) {
      if (row[2] == row[3]) continue;
      const double when = start + row[0].get<double>();
      change(when, row[2], row[4], -1);
      change(when, row[3], row[5], 1);
    } else {
      ++unsound;
    }
  }
  if (unsound == 0) return;
  run.add_note("wrong-type", Severity::low,
               format_count(static_cast<double>(unsound), "change") +
                   " of a task's state left out: not a list of numbers",
               path, "transitions");
}

bool recognises_transitions(const Head& head) {
  return member_of(head.sample(), "format") == "crema_transitions_v1";
}

}  // namespace

const Format transitions_format{transitions_about, recognises_transitions,
                                open_whole<read_transitions>};

}  // namespace crema::read
