#include "core/query/parts/core_time_options.hpp"
#include "core/query/parts/time_bins_option.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/table/rows.hpp"

namespace crema::query::core_time_bins {

namespace {

constexpr Option bins_option = time_bins_option();

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const auto count = static_cast<std::size_t>(options.number(bins_option));
  const bool by_dataset =
      options.choice<CoreTimeSplit>(core_time_by_option) == CoreTimeSplit::datasets;
  CoreTimeCourse course = core_time_course(run, selection, options, count, by_dataset);
  if (!course.available.empty())
    course.parts.insert(course.parts.begin(), {BudgetPart::Kind::available, "Available",
                                               std::move(course.available), true});
  // Stacked from the bottom, the whole aside.
  std::vector<double> cores, tops;
  std::vector<double> height(count, 0);
  for (const CoreTimeCourse::Part& part : course.parts) {
    const bool whole = part.kind == BudgetPart::Kind::available;
    for (std::size_t b = 0; b < count; ++b) {
      const double value = part.seconds[b] / course.bins.width();
      cores.push_back(value);
      if (!whole) height[b] += value;
      tops.push_back(whole ? value : height[b]);
    }
  }
  Table table;
  Rows rows(table, course.parts);
  rows.text("part",
            [](const CoreTimeCourse::Part& part) -> std::string_view { return id_of(part.kind); });
  rows.any_text("label",
                [](const CoreTimeCourse::Part& part) -> std::string_view { return part.label; });
  rows.flag("is_rest", &CoreTimeCourse::Part::is_rest, "1 = the smallest datasets together");
  rows.flag(
      "exact", [](const CoreTimeCourse::Part& part) { return part.exact; },
      "1 = placed where it was recorded, 0 = estimated");
  rows.matrix("cores", "count", count, std::move(cores), "core-seconds in the bin / its length");
  rows.matrix("top", "count", count, std::move(tops),
              "where the part ends when the parts are stacked; of available its cores");
  table.note("t0", course.bins.begin);
  table.note("t1", course.bins.end);
  if (!course.source.empty()) table.note("source", course.source);
  if (!course.selection_note.empty()) table.note("selection", course.selection_note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "core_time_bins",
    .about = "the parts of the core-time over time, cores in each",
    .options = {&core_time_by_option, &bins_option, &runtime::processor_option},
    .narrowed_by = Selection::by_dataset | Selection::by_file | Selection::by_host |
                   Selection::by_range | Selection::by_worker,
    .function = answer,
};

}  // namespace crema::query::core_time_bins
