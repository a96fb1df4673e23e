#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/order.hpp"
#include "core/query/parts/time_bins_option.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks/chunk_groups.hpp"
#include "core/runtime/chunks/chunk_selection.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster/time_bins.hpp"
#include "core/table/rows.hpp"

namespace crema::query::concurrency {

namespace {

constexpr Option bins_option = time_bins_option();
constexpr Option by_option{.name = "by",
                           .about = "what the chunks are grouped by",
                           .fallback = "dataset",
                           .values = "dataset, host, site, file, compression"};
constexpr Option most_option{.name = "most",
                             .type = Option::Type::count,
                             .about = "maximum number of groups; the others are merged; 0 = all",
                             .fallback = "0",
                             .least = 0};
constexpr std::string_view others = "others";

ChunkKey key_of(std::string_view by) {
  return by == "host"          ? ChunkKey::host
         : by == "site"        ? ChunkKey::site
         : by == "file"        ? ChunkKey::file
         : by == "compression" ? ChunkKey::compression
                               : ChunkKey::dataset;
}

/// A row: what its chunks come to in each bin.
struct Course {
  std::string_view name;
  std::vector<double> running, bytes;
  double seconds = 0;  ///< chunk-seconds in all bins
};

/// Leaves the `most` with most time, by name, and one for all others.
void merge_smallest(std::vector<Course>& courses, std::size_t most) {
  if (most == 0 || courses.size() <= most) return;
  std::vector<std::size_t> order(courses.size());
  std::iota(order.begin(), order.end(), 0);
  sort_stably(
      order, [&](std::size_t a, std::size_t b) { return courses[a].seconds > courses[b].seconds; });
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most) - 1);
  std::vector<Course> kept;
  for (std::size_t place = 0; place < order.size(); ++place) {
    Course& course = courses[order[place]];
    if (place < most) {
      kept.push_back(std::move(course));
      continue;
    }
    Course& rest = kept.back();
    rest.name = others;
    for (std::size_t bin = 0; bin < rest.running.size(); ++bin) {
      rest.running[bin] += course.running[bin];
      rest.bytes[bin] += course.bytes[bin];
    }
  }
  courses = std::move(kept);
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const std::string by = options.text(by_option);
  const bool collected = chunk_bytes_collected(run);
  const Run::Window window = run.window();
  const TimeBins bins{selection.time ? selection.time->begin : window.begin,
                      selection.time ? selection.time->end : window.end,
                      static_cast<std::size_t>(options.number(bins_option))};

  // The time range is the axis here: it must not also prorate.
  Selection without_time = selection;
  without_time.time.reset();
  const ChunkSelection chosen(run, without_time);
  const ChunkGroups& groups = chunk_groups(run, key_of(by));
  std::vector<Course> courses;  // by name, so that rows keep their order under any selection
  for (std::size_t group = 0; group < groups.size() && bins.end > bins.begin; ++group) {
    Course course{groups.name[group], {}, {}};
    for (const std::uint32_t i : groups.members(group)) {
      if (!chosen[i] || is_absent(c.t_start[i])) continue;
      if (course.running.empty()) {
        course.running.resize(bins.count, 0);
        course.bytes.resize(bins.count, collected ? 0 : absent);
      }
      const double rate = value_or(c.bytes_read[i] / (c.t_end[i] - c.t_start[i]), 0);
      bins.each_overlap(c.t_start[i], c.t_end[i], [&](std::size_t bin, double seconds) {
        course.running[bin] += seconds / bins.width();
        course.bytes[bin] += rate * seconds / bins.width();
        course.seconds += seconds;
      });
    }
    if (!course.running.empty()) courses.push_back(std::move(course));
  }
  merge_smallest(courses, static_cast<std::size_t>(options.number(most_option)));

  Table table;
  std::vector<double> running, bytes;
  for (const Course& course : courses) {
    running.insert(running.end(), course.running.begin(), course.running.end());
    bytes.insert(bytes.end(), course.bytes.begin(), course.bytes.end());
  }
  Rows rows(table, courses);
  rows.any_text(by.c_str(), &Course::name);
  rows.matrix("chunks_running", "count", bins.count, std::move(running),
              "chunk-seconds in the bin / its length");
  rows.matrix("bytes_per_second", "byte/s", bins.count, std::move(bytes),
              "chunk bytes_read spread evenly over the chunk's time, integrated over the bin");
  table.note("t0", bins.begin);
  table.note("t1", bins.end);
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "concurrency",
    .about = "chunks inside process() and what they read over time, by dataset, host or file",
    .options = {&bins_option, &by_option, &most_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::concurrency
