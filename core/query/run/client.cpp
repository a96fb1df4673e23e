// What the client did before, between, after and while workers ran tasks.
#include "core/profile/profile.hpp"
#include "core/query/question.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::client {

/// A function in one of the times.
struct Row {
  std::string_view when;
  ClientFunction function;
  double all;  ///< [s] that the client was looked at then
};

const Columns<Row, FrameFacts> columns = {
    {"when", &Row::when},
    {"function",
     [](const Row& row, const FrameFacts& facts) -> std::string_view {
       return facts.name[row.function.frame];
     }},
    {"file",
     [](const Row& row, const FrameFacts& facts) -> std::string_view {
       return facts.file[row.function.frame];
     }},
    {"line", "count", [](const Row& row) { return row.function.line; },
     "of the function, where it was most"},
    {"seconds", "s", [](const Row& row) { return row.function.seconds; },
     "that the looks at it stand for"},
    {"cpu_seconds", "s", [](const Row& row) { return row.function.cpu; }, "of these on a CPU"},
    {"share", "1", [](const Row& row) { return ratio(row.function.seconds, row.all); },
     "seconds / Σ seconds of that time"},
    {"looks", "count", [](const Row& row) { return row.function.looks; }},
};

static Table answer(const Run& run, const Selection&, const Options&) {
  const ClientHour& hour = client_hour(run);
  std::vector<Row> rows;
  for (std::size_t when = 0; when < client_times.size(); ++when) {
    double all = 0;
    for (const ClientFunction& function : hour.functions[when]) all += function.seconds;
    for (const ClientFunction& function : hour.functions[when])
      rows.push_back({client_times[when], function, all});
  }
  Table table = columns.table(rows, *facts_of(run));
  if (run.recording.client.size() == 0) say(table, notes::no_client);
  return table;
}

extern const Question question(
    "client", "each function that the client's thread was in, before, between and after tasks",
    columns, answer);

}  // namespace crema::query::client
