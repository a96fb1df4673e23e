#include "core/compare/speed/speed_cells.hpp"

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/profile/profile.hpp"
#include "core/stats/fit.hpp"

namespace crema::compare {

using namespace profile;

namespace {

class Numbering {
 public:
  std::size_t of(std::string_view name) {
    const auto [entry, is_new] = index_.try_emplace(std::string(name), names.size());
    if (is_new) names.emplace_back(name);
    return entry->second;
  }
  std::vector<std::string> names;

 private:
  std::map<std::string, std::size_t, std::less<>> index_;
};

/// The chosen chunks of one run, with a column of seconds per section and, last, their whole
/// duration.
struct ChunkTimes {
  struct Row {
    std::size_t chunk, dataset, file;
    double events;
    std::vector<double> seconds;
  };
  std::vector<Row> rows;
  bool overlap = false;
};

ChunkTimes times_of(const Run& run, const ChunkSelection& chosen, Numbering& datasets,
                    Numbering& files, Numbering& sections, std::size_t columns) {
  const Chunks& c = run.chunks;
  ChunkTimes times;
  std::vector<std::size_t> row_of(c.size(), ~std::size_t{0});
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i] || !(c.duration[i] > 0)) continue;
    row_of[i] = times.rows.size();
    times.rows.push_back({i, datasets.of(run.text(c.dataset[i])),
                          files.of(c.file[i] == no_string ? "" : run.text(c.file[i])), c.events[i],
                          std::vector<double>(columns, 0)});
    times.rows.back().seconds[columns - 1] = c.duration[i];
  }
  for (const SectionValue& s : c.sections) {
    if (columns == 2) break;
    if (s.kind != SectionValue::Kind::seconds || row_of[s.chunk] == ~std::size_t{0}) continue;
    times.rows[row_of[s.chunk]].seconds[sections.of(run.text(s.name))] += value_or(s.value, 0);
  }
  // What the sections leave is a section, unless they lie in each other.
  for (ChunkTimes::Row& row : times.rows) {
    double inside = 0;
    for (std::size_t s = 0; s + 2 < columns; ++s) inside += row.seconds[s];
    if (sections_exceed(inside, row.seconds[columns - 1])) times.overlap = true;
    row.seconds[columns - 2] = std::max(0.0, row.seconds[columns - 1] - inside);
  }
  return times;
}

double log_ratio(double b, double a) { return b > 0 && a > 0 ? elementary::log(b / a) : absent; }

class Matching {
 public:
  Matching(const Run& a, const ChunkSelection& in_a, const Run& b, const ChunkSelection& in_b)
      : a_(a), b_(b) {
    // Where one run has no sections, there is process() to compare.
    const auto is_timed = [](const SectionValue& s) {
      return s.kind == SectionValue::Kind::seconds;
    };
    const auto& of_a = a.chunks.sections;
    const auto& of_b = b.chunks.sections;
    if (any_of(of_a, is_timed) && any_of(of_b, is_timed)) {
      for (const Run* run : {&a, &b}) {
        for (const SectionValue& s : run->chunks.sections) {
          if (is_timed(s)) sections_.of(run->text(s.name));
        }
      }
    }
    columns_ = sections_.names.size() + 2;
    times_a_ = times_of(a, in_a, datasets_, files_, sections_, columns_);
    times_b_ = times_of(b, in_b, datasets_, files_, sections_, columns_);
    // The parts that are judged: sections and their rest, or process() alone.
    for (std::size_t s = 0; s + 1 < columns_; ++s) {
      const bool is_rest = s + 2 == columns_;
      if (!is_rest || !(times_a_.overlap || times_b_.overlap)) made_.parts.push_back(s);
    }
    if (sections_.names.empty()) made_.parts = {columns_ - 1};
  }

  ChunkRatios made() {
    if (times_a_.rows.empty() || times_b_.rows.empty()) return {};
    made_.overlap = times_a_.overlap || times_b_.overlap;
    made_.paired = pair();
    if (!made_.paired) made_.resized = expect();
    made_.datasets = std::move(datasets_.names);
    made_.files = std::move(files_.names);
    for (std::string& name : sections_.names) made_.sections.push_back({.name = std::move(name)});
    made_.sections.push_back({.is_remainder = true});
    made_.columns = columns_;
    name_workers();
    if (made_.paired) set_first_apart();
    if (made_.paired) mark_other_files();
    return std::move(made_);
  }

 private:
  using Row = ChunkTimes::Row;

  void name_workers() {
    const auto worker_of = [](const Run& run, std::size_t chunk) {
      return run.chunks.worker.empty() ? no_string : run.chunks.worker[chunk];
    };
    std::map<StringId, std::size_t> places, places_a;
    for (ChunkRatios::Entry& e : made_.entries) {
      if (!e.of_b) continue;
      if (const StringId worker = worker_of(b_, e.chunk); worker != no_string) {
        const auto [place, is_new] = places.try_emplace(worker, made_.workers.size());
        if (is_new) made_.workers.push_back(profile::worker_label(b_, worker));
        e.worker = place->second;
      }
      if (e.seconds_a.empty()) continue;
      if (const StringId worker = worker_of(a_, e.chunk_a); worker != no_string)
        e.worker_a = places_a.try_emplace(worker, places_a.size()).first->second;
    }
  }

  /// Files that were exchanged for others of the same name. Where all were, that is another place.
  void mark_other_files() {
    const auto is_other = [&](const ChunkRatios::Entry& e) {
      return made_.files[e.file] != a_.text(a_.chunks.file[e.chunk_a]);
    };
    if (all_of(made_.entries, is_other)) return;
    for (ChunkRatios::Entry& e : made_.entries) e.is_of_other_file = is_other(e);
  }

  /// What workers began with says nothing of its file or dataset. Where it is most of the run, it
  /// is all that there is.
  void set_first_apart() {
    const std::vector<bool> first_a = first_of_workers(a_);
    const std::vector<bool> first_b = first_of_workers(b_);
    std::vector<ChunkRatios::Entry*> firsts;
    for (ChunkRatios::Entry& e : made_.entries)
      if (first_a[e.chunk_a] || first_b[e.chunk]) firsts.push_back(&e);
    if (2 * firsts.size() > made_.entries.size()) return;
    for (ChunkRatios::Entry* e : firsts) {
      e->is_first_a = first_a[e->chunk_a];
      e->is_first_b = first_b[e->chunk];
      e->apart = e->ratios.back();
      e->ratios.assign(columns_, absent);
    }
  }

  /// Pairs chunks by dataset, file and entry range, those that are left by the file's name without
  /// its folder; false when less than half of the seconds of either run match.
  bool pair() {
    double in_a = 0, in_b = 0;
    std::vector<bool> taken_a(times_a_.rows.size()), taken_b(times_b_.rows.size());
    for (const bool by_whole_name : {true, false}) {
      using Key = std::tuple<std::size_t, std::string_view, double, double>;
      const auto key = [&](const Run& run, const Row& row) {
        std::string_view file = files_.names[row.file];
        if (!by_whole_name) file.remove_prefix(std::min(file.rfind('/') + 1, file.size()));
        return Key{row.dataset, file, run.chunks.entry_start[row.chunk],
                   run.chunks.entry_stop[row.chunk]};
      };
      std::map<Key, std::size_t> of_a;
      for (std::size_t i = 0; i < taken_a.size(); ++i) {
        const auto& [dataset, file, start, stop] = key(a_, times_a_.rows[i]);
        if (!taken_a[i] && !file.empty() && !is_absent(start) && !is_absent(stop))
          of_a.try_emplace({dataset, file, start, stop}, i);
      }
      for (std::size_t i = 0; i < taken_b.size(); ++i) {
        const Row& row = times_b_.rows[i];
        const Key of_row = key(b_, row);
        // A range that is not recorded has no order: it must not be looked up.
        const bool has_range = !is_absent(std::get<2>(of_row)) && !is_absent(std::get<3>(of_row));
        const auto found = taken_b[i] || !has_range ? of_a.end() : of_a.find(of_row);
        if (found == of_a.end() || taken_a[found->second]) continue;
        const Row& of = times_a_.rows[found->second];
        taken_a[found->second] = taken_b[i] = true;  // a chunk pairs once
        ChunkRatios::Entry entry{.dataset = row.dataset,
                                 .file = row.file,
                                 .chunk = row.chunk,
                                 .seconds = row.seconds,
                                 .seconds_a = of.seconds,
                                 .chunk_a = of.chunk};
        for (std::size_t s = 0; s < columns_; ++s)
          entry.ratios.push_back(log_ratio(row.seconds[s], of.seconds[s]));
        made_.entries.push_back(std::move(entry));
        in_a += of.seconds.back();
        in_b += row.seconds.back();
      }
    }
    const auto all = [](const ChunkTimes& times) {
      double sum = 0;
      for (const Row& row : times.rows) sum += row.seconds.back();
      return sum;
    };
    return in_a >= all(times_a_) / 2 && in_b >= all(times_b_) / 2;
  }

  /// What a chunk of column `s` costs whatever its size, as a share of a chunk of A of its
  /// dataset's usual size: by the line of seconds on events of all datasets together, each in units
  /// of its own medians.
  struct Fixed {
    double likely = 0, least = 0, most = 1;
  };
  static double usual_size(const std::vector<const Row*>& rows) {
    return median_of(numbers_of(rows, &Row::events));
  }
  static double usual_seconds(const std::vector<const Row*>& rows, std::size_t s) {
    return median_of(numbers_of(rows, [s](const Row* row) { return row->seconds[s]; }));
  }
  Fixed fixed_share(std::size_t s, const std::vector<std::vector<const Row*>>& of_dataset) const {
    std::vector<double> sizes, costs;
    for (const auto& rows : of_dataset) {
      const double size = usual_size(rows);
      const double typical = usual_seconds(rows, s);
      for (std::size_t i = 0; typical > 0 && i < rows.size(); ++i) {
        sizes.push_back(rows[i]->events / size);
        costs.push_back(rows[i]->seconds[s] / typical);
      }
    }
    const stats::LineRange range = stats::robust_line_range(sizes, costs);
    const auto share = [](const stats::Line& line, double otherwise) {
      return is_absent(line.fixed) ? otherwise : std::clamp(line.fixed, 0.0, 1.0);
    };
    return {share(range.line, 0), share(range.steep, 0), share(range.flat, 1)};
  }

  std::vector<std::vector<const Row*>> by_dataset(const ChunkTimes& times) const {
    std::vector<std::vector<const Row*>> rows(datasets_.names.size());
    for (const Row& row : times.rows) {
      if (row.events > 0) rows[row.dataset].push_back(&row);
    }
    return rows;
  }

  /// Chunks of other ranges: each against what A's chunks of its dataset would take with as many
  /// events. What is open between a cost per chunk and a cost per event is kept in `made_.allowed`.
  /// Returns log(events per chunk in B / in A).
  double expect() {
    made_.entries.clear();
    made_.allowed.assign(datasets_.names.size() * columns_, 0);
    const auto of_a = by_dataset(times_a_);
    const auto of_b = by_dataset(times_b_);
    std::vector<Fixed> fixed;
    for (std::size_t s = 0; s < columns_; ++s) fixed.push_back(fixed_share(s, of_a));
    std::vector<double> resized;
    for (std::size_t d = 0; d < datasets_.names.size(); ++d) {
      if (of_a[d].empty() || of_b[d].empty()) continue;
      const double size_a = usual_size(of_a[d]);
      const double size_b = usual_size(of_b[d]);
      resized.push_back(elementary::log(size_b / size_a));
      for (std::size_t s = 0; s < columns_; ++s) {
        const auto cost = [&](double share, double events) {
          return share + (1 - share) * events / size_a;
        };
        for (const double other : {fixed[s].least, fixed[s].most})
          made_.allowed[d * columns_ + s] = std::max(
              made_.allowed[d * columns_ + s],
              std::fabs(elementary::log(cost(other, size_b) / cost(fixed[s].likely, size_b))));
      }
      std::vector<double> typical;
      for (std::size_t s = 0; s < columns_; ++s) typical.push_back(usual_seconds(of_a[d], s));
      for (const auto* rows : {&of_a[d], &of_b[d]}) {
        for (const Row* row : *rows) {
          ChunkRatios::Entry entry{.dataset = d,
                                   .file = row->file,
                                   .chunk = row->chunk,
                                   .of_b = rows == &of_b[d],
                                   .seconds = row->seconds};
          for (std::size_t s = 0; s < columns_; ++s) {
            const double share = fixed[s].likely;
            entry.ratios.push_back(log_ratio(
                row->seconds[s], typical[s] * (share + (1 - share) * row->events / size_a)));
          }
          made_.entries.push_back(std::move(entry));
        }
      }
    }
    return value_or(median_of(resized), 0);
  }
  const Run& a_;
  const Run& b_;
  Numbering datasets_, files_, sections_;
  std::size_t columns_ = 0;
  ChunkTimes times_a_, times_b_;
  ChunkRatios made_;
};

}  // namespace

ChunkRatios ChunkRatios::without(const std::set<std::size_t>& left_out) const {
  ChunkRatios others = *this;
  std::erase_if(others.entries, [&](const Entry& e) { return left_out.contains(e.worker); });
  return others;
}

ChunkRatios chunk_ratios(const Run& a, const ChunkSelection& in_a, const Run& b,
                         const ChunkSelection& in_b) {
  return Matching(a, in_a, b, in_b).made();
}

}  // namespace crema::compare
