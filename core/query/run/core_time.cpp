// Where the core-time went: `budget`, over time: `core_time_bins`, and what of it a good run would
// not have needed: `excess`.
#include "core/runtime/core_time.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"

namespace crema::query::budget {

struct All {
  const Budget& budget;
  double whole;  ///< [core-s] how long the longest bar is
};

// Small task prefixes share one segment of a bar: names on hover, not five lines of labels.
constexpr double own_segment_from = 0.02;
static bool is_small(const BudgetPart& part, const All& all) {
  return part.kind == BudgetPart::Kind::task && part.core_seconds < own_segment_from * all.whole;
}

const Columns<BudgetPart, All> columns = {
    {"part", &BudgetPart::id},
    {"parent", &BudgetPart::parent},
    {"core_seconds", "s", &BudgetPart::core_seconds},
    {"fraction", "1",
     [](const BudgetPart& p, const All& all) {
       return ratio(p.core_seconds, all.budget.available);
     },
     "core_seconds / available core-seconds"},
    {"source", &BudgetPart::source},
    {"label", [](const BudgetPart& p) { return report::label_text(p); }},
    {"split", &BudgetPart::split},
    {"shortfall", "s", &BudgetPart::shortfall,
     "by how much the part came out below 0, where it is shown as 0"},
    {"share", "1",
     [](const BudgetPart& p, const All& all) { return ratio(p.core_seconds, all.whole); },
     "core_seconds / the available ones, or the sum of the phases or activities where that is "
     "more"},
    {"small", as_flag, is_small, "a task prefix of less than 2 % of that"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Budget found = compute_budget(run, selection, options);
  // A picture's axis ends where the longest of its bars does: parts may exceed what was available.
  double phases = 0;
  double activities = 0;
  double processor = 0;
  for (const BudgetPart& part : found.parts) {
    const double seconds = std::max(part.core_seconds, 0.0);
    if (part.split() == "phase") phases += seconds;
    if (part.split() == "activity") activities += seconds;
    using enum BudgetPart::Kind;
    if (part.kind == inside_process || part.kind == outside_process || part.kind == lost_work)
      processor += seconds;
  }
  const double whole = std::max({value_or(found.available, 0), phases, activities});
  double small_seconds = 0;
  for (const BudgetPart& part : found.parts)
    small_seconds += is_small(part, {found, whole}) ? part.core_seconds : 0;

  Table table = columns.table(found.parts, {found, whole});
  if (is_absent(found.available)) say(table, notes::no_cores);
  if (found.estimated) say(table, notes::cores_estimated);
  if (!found.processor_basis.empty()) table.note("processor", found.processor_basis);
  if (!found.selection_note.empty()) table.note("selection", found.selection_note);
  if (!found.source.empty()) table.note("placed", found.source);
  table.note("whole", whole);
  table.note("processor_seconds", processor);
  table.note("small_seconds", small_seconds);
  table.note("small_fraction", ratio(small_seconds, found.available));
  table.note("small_share", ratio(small_seconds, whole));
  table.note("processor_share", ratio(processor, whole));
  const Activities& a = run.activities;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.prefix[i]) == "N/A" && run.text(a.unit[i]) == "seconds")
      table.note("dask_idle", a.value[i]);
  }
  return table;
}

extern const Question question("budget", "where the available core-time went", columns, answer,
                               {.options = {&runtime::processor_option},
                                .narrowed_by = chunk_dimensions});

}  // namespace crema::query::budget

namespace crema::query::core_time_bins {

constexpr Option bins_option = time_bins_option();

/// A part and its cores in each bin; `top` is where it ends when the parts are stacked.
struct Part {
  CoreTimeSeries::Part of;
  std::vector<double> cores{}, top{};
};

const Columns<Part> columns = {
    {"part", [](const Part& part) { return id_of(part.of.kind); }},
    {"label", as_given, [](const Part& part) -> std::string_view { return part.of.label; }},
    {"is_rest", as_flag, [](const Part& part) { return part.of.is_rest; },
     "1 = the smallest datasets together"},
    {"exact", as_flag, [](const Part& part) { return part.of.exact; },
     "1 = placed where it was recorded, 0 = estimated"},
    {"cores", "count", &Part::cores, "core-seconds in the bin / its length"},
    {"top", "count", &Part::top,
     "where the part ends when the parts are stacked; of available its cores"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const auto count = static_cast<std::size_t>(options.number(bins_option));
  const bool by_dataset =
      options.choice<CoreTimeSplit>(core_time_by_option) == CoreTimeSplit::datasets;
  CoreTimeSeries over_time = core_time_series(run, selection, options, count, by_dataset);
  if (!over_time.available.empty())
    over_time.parts.insert(over_time.parts.begin(), {BudgetPart::Kind::available, "Available",
                                                     std::move(over_time.available), true});
  // Stacked from the bottom, the whole aside.
  std::vector<Part> parts;
  std::vector<double> height(count, 0);
  for (CoreTimeSeries::Part& of : over_time.parts) {
    Part& part = parts.emplace_back(Part{std::move(of)});
    const bool whole = part.of.kind == BudgetPart::Kind::available;
    for (std::size_t b = 0; b < count; ++b) {
      const double value = part.of.seconds[b] / over_time.bins.width();
      part.cores.push_back(value);
      if (!whole) height[b] += value;
      part.top.push_back(whole ? value : height[b]);
    }
  }
  Table table = columns.table(parts, {}, {.width = count});
  table.note("t0", over_time.bins.begin);
  table.note("t1", over_time.bins.end);
  if (!over_time.source.empty()) table.note("source", over_time.source);
  if (!over_time.selection_note.empty()) table.note("selection", over_time.selection_note);
  return table;
}

extern const Question question(
    "core_time_bins", "the parts of the core-time over time, cores in each", columns, answer,
    {.options = {&core_time_by_option, &bins_option, &runtime::processor_option},
     .narrowed_by = Selection::by_dataset | Selection::by_file | Selection::by_host |
                    Selection::by_range | Selection::by_worker});

}  // namespace crema::query::core_time_bins

namespace crema::query::excess {

using namespace diagnose;

static std::string causes_of(const ExcessPart& part) {
  std::string list;
  for (const ExcessPart::Explained& one : part.by)
    list += (list.empty() ? "" : ", ") + std::string(id_of(one.cause));
  return list;
}

const Columns<ExcessPart> columns = {
    {"part", [](const ExcessPart& part) { return fields_of(part.kind).id; }},
    {"label",
     [](const ExcessPart& part) {
       return part.idle            ? std::string(idle_causes[static_cast<std::size_t>(*part.idle)])
              : part.label.empty() ? std::string(fields_of(part.kind).label)
                                   : part.label;
     }},
    {"core_seconds", "s", &ExcessPart::core_seconds, "as in budget"},
    {"baseline", "s", [](const ExcessPart& part) { return part.baseline(); },
     "what a good run would have needed, estimated within the run: core_seconds − excess"},
    {"excess", "s", [](const ExcessPart& part) { return part.excess(); }, "explained + unknown"},
    {"explained", "s", [](const ExcessPart& part) { return part.explained(); },
     "by findings, the largest saving first; none of it twice"},
    {"unknown", "s", &ExcessPart::unknown, "what no finding explains"},
    {"causes", causes_of},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::vector<ExcessPart> parts = excess_account(run, selection, options);
  double all = 0, excess = 0, unknown = 0;
  for (const ExcessPart& part : parts) {
    all += part.core_seconds;
    excess += part.excess();
    unknown += part.unknown;
  }
  Table table = columns.table(parts);
  table.note("excess", excess);
  table.note("unknown", unknown);
  table.note("unknown_share", ratio(unknown, all));
  if (!selection.empty()) say(table, notes::excess_is_whole);
  return table;
}

extern const Question question(
    "excess",
    "what a good run would not have needed of the core-time, and which findings explain it",
    columns, answer, {.options = {&runtime::processor_option}, .narrowed_by = chunk_dimensions});

}  // namespace crema::query::excess
