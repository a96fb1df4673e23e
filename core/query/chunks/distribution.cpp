#include <algorithm>
#include <map>

#include "core/query/parts/histogram.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/table/rows.hpp"

namespace crema::query::distribution {

namespace {

constexpr Option column_option{.name = "column",
                               .about = "which number of the chunks: a column of `chunks`",
                               .fallback = "duration"};
constexpr Option by_option{
    .name = "by", .about = "one histogram per dataset instead of one for all", .values = "dataset"};
constexpr Option scale_option{
    .name = "scale",
    .about = "the axis on which bins are equally wide; a logarithmic one has only numbers above 0",
    .fallback = "linear",
    .values = "linear, log"};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const std::string column = options.text(column_option);
  const std::string by = options.text(by_option);
  const bool logarithmic = options.text(scale_option) == "log";
  const double wanted = options.number(bins_option);
  const ChunkSelection chosen(run, selection);
  const std::vector<double> values = chunk_column(run, column);
  std::vector<std::size_t> kept;
  std::vector<double> sorted;
  double not_positive = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!chosen[i] || is_absent(values[i])) continue;
    if (logarithmic && !(values[i] > 0)) {
      not_positive += 1;
      continue;
    }
    kept.push_back(i);
    sorted.push_back(values[i]);
  }
  std::sort(sorted.begin(), sorted.end());

  /// A bin of a dataset's chunks, or of all.
  struct Bin {
    std::string_view dataset;
    double lo, hi, count;
  };
  std::vector<Bin> found;
  if (!sorted.empty()) {
    const HistogramBins bins(sorted, wanted, logarithmic);
    std::map<std::string_view, std::vector<double>>
        groups;  // by name: the same order whatever the selection
    for (const std::size_t i : kept) {
      auto& counts = groups[by.empty() ? std::string_view{} : run.text(c.dataset[i])];
      counts.resize(bins.count(), 0);
      counts[bins.of(values[i])] += 1;
    }
    for (const auto& [name, counts] : groups) {
      for (std::size_t bin = 0; bin < counts.size(); ++bin)
        found.push_back({name, bins.lo(bin), bins.hi(bin), counts[bin]});
    }
  }

  Table table;
  const std::string unit(chunk_column_unit(column));
  Rows rows(table, found);
  if (!by.empty()) rows.text("dataset", &Bin::dataset);
  rows.number("lo", unit.c_str(), &Bin::lo);
  rows.number("hi", unit.c_str(), &Bin::hi);
  rows.number("count", "count", &Bin::count, what_is_counted);
  rows.number(
      "density", ("1/" + (unit.empty() ? "1" : unit)).c_str(),
      [&](const Bin& bin) {
        return ratio(bin.count, static_cast<double>(sorted.size()) * (bin.hi - bin.lo));
      },
      "count / number of values / (hi − lo); missing where all values are equal");
  if (sorted.empty())
    table.note("missing", run.chunks_recorded ? "no selected chunk has a value of " + column
                                              : std::string(missing::chunks));
  else note_moments(table, sorted);
  if (logarithmic) table.note("not_positive", not_positive);
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "distribution",
    .about = "a histogram of any number of the chunks",
    .options = {&column_option, &by_option, &bins_option, &scale_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::distribution
