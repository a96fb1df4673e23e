// A run as a whole: `summary`, its `phases`, and the machine of its scheduler: `system`.
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/core_time.hpp"
#include "core/runtime/headlines.hpp"

namespace crema::query::summary {

/// Rounding, relative.
constexpr double same_within = 1e-6;

static const Stored* stored(const Headline& h, const Run& run) {
  return first_where(run.stored, [&](const Stored& s) { return s.id == h.id; });
}

static double stored_value(const Headline& h, const Run& run) {
  const Stored* const of = stored(h, run);
  return of == nullptr ? absent : of->value;
}

static double differs(const Headline& h, const Run& run) {
  const double value = stored_value(h, run);
  if (is_absent(value)) return absent;
  // Written so that a value of ours that is missing differs, too.
  const double most = std::max(std::fabs(value), std::fabs(h.value));
  return std::fabs(value - h.value) <= same_within * most ? 0.0 : 1.0;
}

const Columns<Headline, Run> columns = {
    {"id", &Headline::id},
    {"label", &Headline::label},
    {"value", "as the row's unit", &Headline::value},
    {"unit", &Headline::unit},
    {"stored", "as the row's unit", stored_value, "the value stored in the bundle under this key"},
    {"stored_differs", as_flag, differs,
     "1 = the bundle states a value that differs by more than rounding"},
    {"better",
     [](const Headline& h) {
       return h.better == Better::neither ? "" : h.better == Better::higher ? "higher" : "lower";
     }},
    {"formula", &Headline::formula},
    {"note", &Headline::note},
    {"group", &Headline::group},
    {"whole_run", as_flag, &Headline::whole_run,
     "1 = of the whole run: the selection does not narrow it"},
    {"stored_key",
     [](const Headline& h, const Run& run) {
       return stored(h, run) == nullptr ? std::string_view{} : stored(h, run)->key;
     }},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  Table table = columns.table(headlines(run, selection, options), run);
  if (!selection.empty()) say(table, notes::totals_are_whole);
  return table;
}

extern const Question question("summary", "the headline numbers, with formulas", columns, answer,
                               {.options = {&runtime::processor_option},
                                .narrowed_by = all_dimensions & ~Selection::by_prefix});

}  // namespace crema::query::summary

namespace crema::query::phases {

/// A phase as far as it is selected.
struct Shown {
  Phase phase;
  double seconds;
  std::string client{};  ///< the function that the client was in most
  ClientFunction function{.seconds = absent, .cpu = absent};
};

/// Of so many seconds in all.
const Columns<Shown, double> columns = {
    {"phase", [](const Shown& s) -> std::string_view { return s.phase.name; }},
    {"t0", "s", [](const Shown& s) { return s.phase.t0; }},
    {"t1", "s", [](const Shown& s) { return s.phase.t1; }},
    {"seconds", "s", &Shown::seconds, "t1 − t0, cut to the selected time"},
    {"share", "1", [](const Shown& s, double all) { return ratio(s.seconds, all); },
     "seconds / Σ seconds"},
    {"core_seconds", "s", [](const Shown& s) { return s.phase.core_seconds; },
     "available in the phase"},
    {"note", [](const Shown& s) { return phase_text(s.phase.end); }},
    {"client_function", &Shown::client},
    {"client_seconds", "s", [](const Shown& s) { return s.function.seconds; },
     "in which the client was in that function, by looks at its thread"},
    {"client_cpu_seconds", "s", [](const Shown& s) { return s.function.cpu; }, "of these on a CPU"},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  std::vector<Shown> shown;
  double all = 0;
  for (const Phase& p : find_phases(run)) {
    const Selection::TimeRange time = selection.time.value_or(Selection::TimeRange{p.t0, p.t1});
    if (selection.time && (p.t1 <= time.begin || p.t0 >= time.end)) continue;
    const double begin = std::max(p.t0, time.begin), end = std::min(p.t1, time.end);
    shown.push_back({p, end - begin});
    if (const auto client = client_functions(run, begin, end); !client.empty()) {
      shown.back().function = client.front();
      shown.back().client = facts_of(run)->name[client.front().frame];
    }
    all += shown.back().seconds;
  }
  Table table = columns.table(shown, all);
  if (!selection.empty()) say(table, notes::phases_are_whole);
  return table;
}

extern const Question question("phases",
                               "the phases of the run, from waiting for workers to the end",
                               columns, answer, {.narrowed_by = Selection::by_time});

}  // namespace crema::query::phases

// When the scheduler's event loop is the limit, workers wait for tasks though there are some.
namespace crema::query::system {

const Columns<std::size_t, SystemLoad> columns = {
    {"t", "s", &SystemLoad::t},
    {"cpu", "1", &SystemLoad::cpu},
    {"memory", "byte", &SystemLoad::memory},
    {"network_read", "byte/s", &SystemLoad::network_read},
    {"network_write", "byte/s", &SystemLoad::network_write},
    {"disk_read", "byte/s", &SystemLoad::disk_read},
    {"disk_write", "byte/s", &SystemLoad::disk_write},
    {"open_files", "count", &SystemLoad::open_files},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  const SystemLoad& load = run.system;
  std::vector<std::size_t> moments;
  for (std::size_t i = 0; i < load.size(); ++i) {
    if (!selection.time || (load.t[i] >= selection.time->begin && load.t[i] <= selection.time->end))
      moments.push_back(i);
  }
  Table table = columns.table(moments, load);
  if (load.size() == 0) {
    say(table, notes::no_scheduler_load);
  }
  if (!selection.without_time().empty()) say(table, notes::scheduler_is_one);
  return table;
}

extern const Question question("system", "the load of the scheduler's machine", columns, answer,
                               {.narrowed_by = Selection::by_time});

}  // namespace crema::query::system

// What the client did before, between, after and while workers ran tasks.
namespace crema::query::client {

/// A function in one of the times.
struct Row {
  std::string_view when, name, file;
  ClientFunction function;
  double all;  ///< [s] that the client was looked at then
};

const Columns<Row> columns = {
    {"when", &Row::when},
    {"function", &Row::name},
    {"file", &Row::file},
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
  const auto facts = facts_of(run);
  std::vector<Row> rows;
  for (std::size_t when = 0; when < client_times.size(); ++when) {
    double all = 0;
    for (const ClientFunction& function : hour.functions[when]) all += function.seconds;
    for (const ClientFunction& of : hour.functions[when])
      rows.push_back({client_times[when], facts->name[of.frame], facts->file[of.frame], of, all});
  }
  Table table = columns.table(rows);
  if (run.recording.client.size() == 0) say(table, notes::no_client);
  return table;
}

extern const Question question(
    "client", "each function that the client's thread was in, before, between and after tasks",
    columns, answer);

}  // namespace crema::query::client
