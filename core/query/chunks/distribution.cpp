// Histograms of numbers of chunks and files: `distribution`.
#include <algorithm>

#include "core/base/collect.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::distribution {

constexpr Option of_option =
    choice_option("of", "whose numbers: the chunks' or the files'", "chunks, files", "chunks");
constexpr Option column_option = text_option(
    "column", "which number: a column of `chunks`, or of files a share or a ratio of `access`",
    "duration");
constexpr Option by_option =
    choice_option("by", "one histogram per dataset instead of one for all", "dataset");
constexpr Option bins_option =
    count_option("bins", "number of bins; 0 = chosen from the values", "0", {0, 10000});
constexpr Option scale_option = choice_option(
    "scale", "the axis on which bins are equally wide; a logarithmic one has only numbers above 0",
    "linear, log", "linear");

/// From so many values on a histogram has at least so many bins; fewer values would leave most of
/// them empty.
constexpr std::size_t many = 30;

/// Bins from the data where none are asked for: width 2 · IQR / n^(1/3) (D. Freedman and P.
/// Diaconis, 1981), 30 to 60 of them, fewer for less than 30 values.
static std::size_t bins_for(const std::vector<double>& sorted) {
  const std::size_t least = sorted.size() >= many ? many : 10;
  const double spread = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  const double width = 2 * spread / std::cbrt(static_cast<double>(sorted.size()));
  const double range = sorted.back() - sorted.front();
  const double count =
      std::ceil(range / width);  // not a number where values are beyond all measure
  return count > static_cast<double>(least) ? static_cast<std::size_t>(std::min(count, 60.0))
                                            : least;
}

/// Equal bins between the extremes of some values, on a linear or logarithmic axis.
class Bins {
 public:
  /// Of `sorted`, which is not empty; as many as wanted, or as they ask for.
  Bins(const std::vector<double>& sorted, double wanted, bool logarithmic)
      : low_(sorted.front()), high_(sorted.back()), logarithmic_(logarithmic) {
    std::vector<double> places = sorted;
    for (double& value : places) value = place(value);
    begin_ = places.front();
    const double range = places.back() - begin_;
    count_ = range > 0 ? (wanted >= 1 ? static_cast<std::size_t>(wanted) : bins_for(places)) : 1;
    width_ = range / static_cast<double>(count_);
  }

  std::size_t count() const { return count_; }
  std::size_t of(double value) const {
    const double bin = (place(value) - begin_) / width_;
    return bin >= 1 ? static_cast<std::size_t>(std::min(bin, static_cast<double>(count_ - 1))) : 0;
  }
  double lo(std::size_t bin) const { return bin == 0 ? low_ : edge(bin); }
  double hi(std::size_t bin) const { return bin + 1 == count_ ? high_ : edge(bin + 1); }

 private:
  double place(double value) const { return logarithmic_ ? std::log10(value) : value; }
  double edge(std::size_t bin) const {
    const double at = begin_ + static_cast<double>(bin) * width_;
    return logarithmic_ ? std::pow(10, at) : at;
  }

  double low_, high_;
  bool logarithmic_;
  double begin_ = 0, width_ = 0;
  std::size_t count_ = 1;
};

/// What is counted, and of which dataset it is.
struct Value {
  double value;
  std::string_view dataset;
};

static std::vector<Value> values_of_chunks(const Run& run, const Selection& selection,
                                           const std::string& column) {
  const ChunkSelection chosen(run, selection);
  const std::vector<double> values = chunk_column(run, column);
  std::vector<Value> found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (chosen[i]) found.push_back({values[i], run.text(run.chunks.dataset[i])});
  }
  return found;
}

/// What is known of each file as a number without a unit.
struct FileColumn {
  std::string_view name;
  double FileFacts::*value;
};
constexpr FileColumn file_columns[] = {
    {"compression_ratio", &FileFacts::compression_ratio},
    {"branches_read_fraction", &FileFacts::branches_read_fraction},
    {"bytes_read_fraction", &FileFacts::bytes_read_fraction},
    {"times_read", &FileFacts::times_read},
    {"times_others", &FileFacts::times_others},
};

static std::vector<Value> values_of_files(const Run& run, const Selection& selection,
                                          const std::string& column) {
  std::vector<std::string_view> known;
  for (const FileColumn& one : file_columns) {
    known.push_back(one.name);
    if (one.name != column) continue;
    std::vector<Value> found;
    for (const FileFacts& file : find_file_facts(run, selection)) {
      const double value = file.*one.value;
      // a ratio of 0 is that of a file whose sizes are not known
      const bool is_known = one.value != &FileFacts::compression_ratio || value > 0;
      found.push_back({is_known ? value : absent, run.text(file.dataset)});
    }
    return found;
  }
  throw Failure(ErrorCode::bad_selection, "files have no number " + not_among(column, known));
}

/// A bin of a dataset's values, or of all.
struct Bin {
  std::string_view dataset;
  double lo, hi, count;
};

/// Of so many values.
const Columns<Bin, double> columns = {
    {OneOf{by_option.values}, &Bin::dataset},
    {"lo", "$", &Bin::lo},
    {"hi", "$", &Bin::hi},
    {"count", "count", &Bin::count, "values in [lo, hi); the last bin includes its end"},
    {"density", "1/$",
     [](const Bin& bin, double values) { return ratio(bin.count, values * (bin.hi - bin.lo)); },
     "count / number of values / (hi − lo); missing where all values are equal"},
};

static void note_moments(Table& table, const std::vector<double>& sorted) {
  const Moments all = moments(sorted);
  table.note("count", static_cast<double>(all.count));
  table.note("mean", all.mean);
  table.note("median", quantile(sorted, 0.5));
  table.note("p95", quantile(sorted, 0.95));
  table.note("max", all.max);
  table.note("zeros", static_cast<double>(std::count(sorted.begin(), sorted.end(), 0.0)));
}

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::string column = options.text(column_option);
  const std::string by = options.text(by_option);
  const bool of_files = options.text(of_option) == "files";
  const bool logarithmic = options.text(scale_option) == "log";
  std::vector<Value> values =
      of_files ? values_of_files(run, selection, column) : values_of_chunks(run, selection, column);
  std::erase_if(values, [](const Value& one) { return is_absent(one.value); });
  const auto all = static_cast<double>(values.size());
  if (logarithmic) std::erase_if(values, [](const Value& one) { return !(one.value > 0); });
  const std::vector<double> sorted = sorted_present(numbers_of(values, &Value::value));

  std::vector<Bin> found;
  if (!sorted.empty()) {
    const Bins bins(sorted, options.number(bins_option), logarithmic);
    std::map<std::string_view, std::vector<double>>
        groups;  // by name: the same order whatever the selection
    for (const Value& one : values) {
      auto& counts = groups[by.empty() ? std::string_view{} : one.dataset];
      counts.resize(bins.count(), 0);
      counts[bins.of(one.value)] += 1;
    }
    for (const auto& [name, counts] : groups) {
      for (std::size_t bin = 0; bin < counts.size(); ++bin)
        found.push_back({name, bins.lo(bin), bins.hi(bin), counts[bin]});
    }
  }

  const std::string_view unit = of_files ? "1" : chunk_column_unit(column);
  Table table =
      columns.table(found, static_cast<double>(sorted.size()), {.name = by, .unit = unit});
  if (!sorted.empty()) note_moments(table, sorted);
  else if (of_files) say(table, notes::no_file_metadata);
  else if (run.chunks_recorded) say(table, notes::no_values, {column});
  else say(table, notes::no_chunks);
  if (logarithmic) table.note("not_positive", all - static_cast<double>(sorted.size()));
  if (!of_files) note_chunk_selection(table, run, selection);
  return table;
}

extern const Question question(
    "distribution", "a histogram of any number of the chunks, or of a ratio of the files", columns,
    answer,
    {.options = {&column_option, &of_option, &by_option, &bins_option, &scale_option},
     .narrowed_by = chunk_dimensions});

}  // namespace crema::query::distribution
