#include "core/facts/noise/pace.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/elementary.hpp"
#include "core/base/fit.hpp"
#include "core/facts/sections.hpp"

namespace crema::facts {

namespace {

constexpr double least_error = 0.002;     // a ratio of seconds is hardly known better
constexpr double least_drift = 0.03;      // what a dataset may move by before it is looked at twice
constexpr double of_a_median = 1.57;      // variance of a median / variance of a mean: π/2
constexpr double straggler_noise = 6;     // a chunk of its own: so many spreads away,
constexpr double straggler_share = 0.05;  // and so much of the run

double squared(double x) { return x * x; }

/// Standard deviation with what lies more than three robust spreads away pulled in.
double robust_spread(const std::vector<double>& residuals) {
  std::vector<double> sizes(residuals.size());
  std::transform(residuals.begin(), residuals.end(), sizes.begin(),
                 [](double r) { return std::fabs(r); });
  if (sizes.size() < 2) return 0;
  const double limit = 3 * 1.4826 * median_of(sizes);
  double sum = 0;
  for (const double size : sizes) sum += squared(limit > 0 ? std::min(size, limit) : size);
  return std::sqrt(sum / static_cast<double>(sizes.size() - 1));
}

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

/// A chunk of B (or, where chunks do not pair, of either run) against what A makes one expect.
struct Entry {
  std::size_t dataset, file, chunk;
  bool of_b = true;
  std::vector<double> ratios;  // log, by column
  const std::vector<double>* seconds;
  const std::vector<double>* seconds_a = nullptr;  // of its pair
};

double log_ratio(double b, double a) { return b > 0 && a > 0 ? elementary::log(b / a) : absent; }

class Comparison {
 public:
  Comparison(const Run& a, const ChunkSelection& in_a, const Run& b, const ChunkSelection& in_b)
      : a_(a), b_(b) {
    // Where one run has no sections, there is process() to compare.
    const auto is_timed = [](const SectionValue& s) {
      return s.kind == SectionValue::Kind::seconds;
    };
    const auto& of_a = a.chunks.sections;
    const auto& of_b = b.chunks.sections;
    if (std::any_of(of_a.begin(), of_a.end(), is_timed) &&
        std::any_of(of_b.begin(), of_b.end(), is_timed)) {
      for (const Run* run : {&a, &b}) {
        for (const SectionValue& s : run->chunks.sections) {
          if (is_timed(s)) sections_.of(run->text(s.name));
        }
      }
    }
    columns_ = sections_.names.size() + 2;
    times_a_ = times_of(a, in_a, datasets_, files_, sections_, columns_);
    times_b_ = times_of(b, in_b, datasets_, files_, sections_, columns_);
    sections_.names.emplace_back("unaccounted");
    // The parts that are judged: sections and their rest, or process() alone.
    for (std::size_t s = 0; s + 1 < columns_; ++s) {
      const bool is_rest = s + 2 == columns_;
      if (!is_rest || !(times_a_.overlap || times_b_.overlap)) parts_.push_back(s);
    }
    if (sections_.names.size() == 1) parts_ = {columns_ - 1};
  }

  Pace judge(double run_spread) {
    Pace pace;
    if (times_a_.rows.empty() || times_b_.rows.empty()) return pace;
    pace.paired = pair(true) || pair(false);
    if (!pace.paired) pace.resized = expect();
    measure(pace, run_spread);
    return pace;
  }

 private:
  using Row = ChunkTimes::Row;

  /// Pairs chunks by dataset, file and entry range; false when less than half of the seconds of
  /// either run match.
  bool pair(bool by_whole_name) {
    using Key = std::tuple<std::size_t, std::string, double, double>;
    const auto key = [&](const Run& run, const Row& row) {
      std::string_view file = files_.names[row.file];
      if (!by_whole_name) file.remove_prefix(std::min(file.rfind('/') + 1, file.size()));
      return Key{row.dataset, file, run.chunks.entry_start[row.chunk],
                 run.chunks.entry_stop[row.chunk]};
    };
    const auto is_complete = [](const Key& k) {
      return !std::get<1>(k).empty() && !is_absent(std::get<2>(k)) && !is_absent(std::get<3>(k));
    };
    std::map<Key, const Row*> of_a;
    double all_a = 0, all_b = 0, in_a = 0, in_b = 0;
    for (const Row& row : times_a_.rows) {
      all_a += row.seconds.back();
      if (const Key k = key(a_, row); is_complete(k)) of_a.try_emplace(k, &row);
    }
    entries_.clear();
    for (const Row& row : times_b_.rows) {
      all_b += row.seconds.back();
      const Key k = key(b_, row);
      const auto found = is_complete(k) ? of_a.find(k) : of_a.end();
      if (found == of_a.end() || found->second == nullptr) continue;
      Entry entry{
          row.dataset, row.file, row.chunk, true, {}, &row.seconds, &found->second->seconds};
      for (std::size_t s = 0; s < columns_; ++s)
        entry.ratios.push_back(log_ratio(row.seconds[s], (*entry.seconds_a)[s]));
      entries_.push_back(std::move(entry));
      in_a += found->second->seconds.back();
      in_b += row.seconds.back();
      found->second = nullptr;  // a chunk pairs once
    }
    return in_a >= all_a / 2 && in_b >= all_b / 2;
  }

  /// What a chunk of column `s` costs whatever its size, as a share of a chunk of A of its
  /// dataset's usual size: by the line of seconds on events of all datasets together, each in units
  /// of its own medians.
  struct Fixed {
    double likely = 0, least = 0, most = 1;
  };
  Fixed fixed_share(std::size_t s, const std::vector<std::vector<const Row*>>& of_dataset) const {
    std::vector<double> sizes, costs;
    for (const auto& rows : of_dataset) {
      std::vector<double> events, seconds;
      for (const Row* row : rows) {
        events.push_back(row->events);
        seconds.push_back(row->seconds[s]);
      }
      const double size = median_of(events);
      const double typical = median_of(seconds);
      for (std::size_t i = 0; typical > 0 && i < rows.size(); ++i) {
        sizes.push_back(events[i] / size);
        costs.push_back(seconds[i] / typical);
      }
    }
    const LineRange range = robust_line_range(sizes, costs);
    const auto share = [](const Line& line, double otherwise) {
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
  /// events. What is open between a cost per chunk and a cost per event is kept in `allowed_`.
  /// Returns log(events per chunk in B / in A).
  double expect() {
    entries_.clear();
    allowed_.assign(datasets_.names.size() * columns_, 0);
    const auto of_a = by_dataset(times_a_);
    const auto of_b = by_dataset(times_b_);
    std::vector<Fixed> fixed;
    for (std::size_t s = 0; s < columns_; ++s) fixed.push_back(fixed_share(s, of_a));
    std::vector<double> resized;
    for (std::size_t d = 0; d < datasets_.names.size(); ++d) {
      if (of_a[d].empty() || of_b[d].empty()) continue;
      const auto size = [](const std::vector<const Row*>& rows) {
        std::vector<double> events;
        for (const Row* row : rows) events.push_back(row->events);
        return median_of(events);
      };
      const double size_a = size(of_a[d]);
      const double size_b = size(of_b[d]);
      resized.push_back(elementary::log(size_b / size_a));
      for (std::size_t s = 0; s < columns_; ++s) {
        const auto cost = [&](double share, double events) {
          return share + (1 - share) * events / size_a;
        };
        for (const double other : {fixed[s].least, fixed[s].most})
          allowed_[d * columns_ + s] = std::max(
              allowed_[d * columns_ + s],
              std::fabs(elementary::log(cost(other, size_b) / cost(fixed[s].likely, size_b))));
      }
      std::vector<double> typical(columns_);
      for (std::size_t s = 0; s < columns_; ++s) {
        std::vector<double> seconds;
        for (const Row* row : of_a[d]) seconds.push_back(row->seconds[s]);
        typical[s] = median_of(seconds);
      }
      for (const auto* rows : {&of_a[d], &of_b[d]}) {
        for (const Row* row : *rows) {
          Entry entry{d, row->file, row->chunk, rows == &of_b[d], {}, &row->seconds};
          for (std::size_t s = 0; s < columns_; ++s) {
            const double share = fixed[s].likely;
            entry.ratios.push_back(log_ratio(
                row->seconds[s], typical[s] * (share + (1 - share) * row->events / size_a)));
          }
          entries_.push_back(std::move(entry));
        }
      }
    }
    return value_or(median_of(resized), 0);
  }

  struct Cell {
    double typical = absent;  // median of its chunks' ratios
    double count = 0;         // of chunks, as for one mean
    double seconds_a = 0, seconds_b = 0;
    std::size_t chunks = 0;
  };

  /// The median of column `s` over the entries that `belongs` takes.
  template <class Belongs>
  Cell cell(std::size_t s, Belongs&& belongs) const {
    Cell cell;
    std::vector<double> in_a, in_b;
    for (const Entry& e : entries_) {
      if (!belongs(e)) continue;
      if (e.of_b) {
        cell.seconds_b += (*e.seconds)[s];
        cell.chunks += 1;
        if (e.seconds_a != nullptr) cell.seconds_a += (*e.seconds_a)[s];
      } else {
        cell.seconds_a += (*e.seconds)[s];
      }
      if (!is_absent(e.ratios[s])) (e.of_b ? in_b : in_a).push_back(e.ratios[s]);
    }
    const auto b = static_cast<double>(in_b.size());
    const auto a = static_cast<double>(in_a.size());
    cell.count = a > 0 ? 1 / (1 / a + 1 / b) : b;
    cell.typical = median_of(in_b) - (a > 0 ? median_of(in_a) : 0);
    return cell;
  }

  void measure(Pace& pace, double run_spread) {
    const std::size_t many = datasets_.names.size();
    const std::size_t whole = columns_ - 1;
    std::vector<Cell> cells(many * columns_);
    for (std::size_t d = 0; d < many; ++d) {
      for (std::size_t s = 0; s < columns_; ++s)
        cells[d * columns_ + s] = cell(s, [&](const Entry& e) { return e.dataset == d; });
      pace.seconds_a += cells[d * columns_ + whole].seconds_a;
      pace.seconds_b += cells[d * columns_ + whole].seconds_b;
    }
    // What the chunks of one file have in common is no spread from chunk to chunk.
    std::vector<double> of_file(files_.names.size(), absent);
    for (std::size_t f = 0; f < of_file.size(); ++f) {
      const Cell c = cell(whole, [&](const Entry& e) { return e.file == f; });
      if (c.count >= 3) of_file[f] = c.typical;
    }
    std::vector<double> wholes;
    std::vector<std::vector<double>> sections(columns_);
    for (const Entry& e : entries_) {
      const std::size_t row = e.dataset * columns_;
      const double level = e.of_b ? value_or(of_file[e.file], cells[row + whole].typical) : 0;
      wholes.push_back(e.ratios[whole] - level);
      std::vector<double> rests;
      for (const std::size_t s : parts_) {
        const double rest = e.ratios[s] - (e.of_b ? cells[row + s].typical : 0);
        if (!is_absent(rest)) rests.push_back(rest);
      }
      const double own = parts_.size() > 1 ? median_of(rests) : 0;
      for (const std::size_t s : parts_) {
        const double rest = e.ratios[s] - (e.of_b ? cells[row + s].typical : 0) - own;
        if (!is_absent(rest)) sections[s].push_back(rest);
      }
    }
    std::erase_if(wholes, is_absent);
    const double noise = robust_spread(wholes);
    std::vector<double> section_noise(columns_, 0);
    std::vector<double> typical_noise;
    for (const std::size_t s : parts_) {
      section_noise[s] = robust_spread(sections[s]);
      typical_noise.push_back(section_noise[s]);
    }
    pace.section_noise = value_or(median_of(typical_noise), 0);

    // The common factor, over all cells that are not mere crumbs.
    std::vector<double> values, errors;
    const auto white = [&](double spread, double count) {
      return squared(spread) * (of_a_median / std::max(count, 1.0) + squared(lasting_share));
    };
    const auto is_large = [&](const Cell& c) {
      return !is_absent(c.typical) &&
             c.seconds_b + c.seconds_a >=
                 0.01 * (pace.seconds_a + pace.seconds_b) / static_cast<double>(many);
    };
    for (std::size_t d = 0; d < many; ++d) {
      for (const std::size_t s : parts_) {
        const Cell& c = cells[d * columns_ + s];
        if (!is_large(c)) continue;
        values.push_back(c.typical);
        errors.push_back(std::sqrt(white(section_noise[s], c.count) + squared(least_drift)));
      }
    }
    if (values.empty()) return;
    pace.factor = common_value(values, errors, std::sqrt(2.0) * run_spread);
    std::vector<double> away(values.size());
    std::transform(values.begin(), values.end(), away.begin(),
                   [&](double v) { return std::fabs(v - pace.factor); });
    pace.error = std::sqrt(of_a_median * squared(1.4826 * median_of(away)) /
                               static_cast<double>(values.size()) +
                           squared(least_error));

    const double uneven = squared(unevenness * pace.factor) + squared(least_error);
    const auto add = [&](std::string id, Departure part) {
      if (!is_absent(part.log_ratio)) pace.parts.insert_or_assign(std::move(id), std::move(part));
    };
    struct Sum {
      double excess = 0, allowed = 0, count = 0, a = 0, b = 0;
      std::size_t chunks = 0;
      void add(const Cell& cell, double log_ratio, double may) {
        excess += cell.seconds_b * -elementary::expm1(-log_ratio);
        allowed += may * cell.seconds_b;
        count += cell.count;
        a += cell.seconds_a;
        b += cell.seconds_b;
        chunks += cell.chunks;
      }
      Departure departure(Departure::Kind kind, double error) const {
        Departure part;
        part.kind = kind;
        part.log_ratio = b > excess ? -elementary::log1p(-excess / b) : absent;
        part.error = error;
        part.allowed = ratio(allowed, b);
        part.seconds_a = a;
        part.seconds_b = b;
        part.chunks = chunks;
        return part;
      }
    };
    const auto may = [&](std::size_t d, std::size_t s) {
      return allowed_.empty() ? 0 : allowed_[d * columns_ + s];
    };
    std::map<std::size_t, Sum> of_section;
    std::vector<double> moved(many, 0);
    for (std::size_t d = 0; d < many; ++d) {
      const Cell& all = cells[d * columns_ + whole];
      if (is_absent(all.typical)) continue;
      values.clear();
      errors.clear();
      for (const std::size_t s : parts_) {
        const Cell& c = cells[d * columns_ + s];
        if (!is_large(c)) continue;
        values.push_back(c.typical - pace.factor);
        errors.push_back(std::sqrt(white(section_noise[s], c.count) + squared(least_drift)));
      }
      if (many > 1)
        moved[d] = common_value(values, errors, std::max(lasting_share * noise, least_drift));
      Sum dataset, evenly;
      for (const std::size_t s : parts_) {
        const Cell& c = cells[d * columns_ + s];
        if (is_absent(c.typical)) {
          add_only(pace, d, s, c);
          continue;
        }
        dataset.add(c, c.typical - pace.factor, may(d, s));
        evenly.add(c, moved[d], may(d, s));
        const double own = c.typical - pace.factor - moved[d];
        of_section[s].add(c, own, may(d, s));
        if (parts_.size() == 1) continue;
        Sum one;
        one.add(c, own, may(d, s));
        Departure part = one.departure(Departure::Kind::cell,
                                       std::sqrt(white(section_noise[s], c.count) + uneven));
        part.dataset = datasets_.names[d];
        part.section = sections_.names[s];
        add("cell." + part.dataset + "\n" + part.section, std::move(part));
      }
      const double error = std::sqrt(white(noise, all.count) + uneven);
      for (const bool is_total : {true, false}) {
        Departure part =
            (is_total ? dataset : evenly)
                .departure(is_total ? Departure::Kind::dataset : Departure::Kind::evenly, error);
        part.chunks = all.chunks;
        part.dataset = datasets_.names[d];
        add((is_total ? "dataset." : "evenly.") + part.dataset, std::move(part));
      }
    }
    for (const auto& [s, sum] : of_section) {
      if (parts_.size() == 1) break;
      // of the datasets where both runs have it
      Departure part = sum.departure(Departure::Kind::section,
                                     std::sqrt(white(section_noise[s], sum.count) + uneven));
      part.section = sections_.names[s];
      add("section." + part.section, std::move(part));
    }
    std::map<std::string, Sum> of_host;
    for (std::size_t f = 0; f < of_file.size(); ++f) {
      const std::string& name = files_.names[f];
      if (name.empty()) continue;
      std::size_t dataset = 0;
      const Cell c = cell(whole, [&](const Entry& e) {
        if (e.file != f) return false;
        dataset = e.dataset;
        return true;
      });
      if (is_absent(c.typical)) continue;
      Sum one;
      one.add(c, c.typical - pace.factor, may(dataset, whole));
      of_host[std::string(host_of(name))].add(c, c.typical - pace.factor, may(dataset, whole));
      Departure part =
          one.departure(Departure::Kind::file, std::sqrt(white(noise, c.count) + uneven));
      part.file = name;
      part.dataset = datasets_.names[dataset];
      add("file." + name, std::move(part));
    }
    for (const auto& [host, sum] : of_host) {
      Departure part =
          sum.departure(Departure::Kind::host, std::sqrt(white(noise, sum.count) + uneven));
      part.file = host;
      add("host." + host, std::move(part));
    }
    if (pace.paired) add_stragglers(pace, cells, of_file, noise);
  }

  /// A section that only one of the runs has.
  void add_only(Pace& pace, std::size_t d, std::size_t s, const Cell& cell) const {
    if (parts_.size() == 1 || (cell.seconds_a > 0) == (cell.seconds_b > 0)) return;
    const double infinite = std::numeric_limits<double>::infinity();
    for (const bool in_all : {false, true}) {
      const std::string id = in_all ? "section." + sections_.names[s]
                                    : "cell." + datasets_.names[d] + "\n" + sections_.names[s];
      Departure& part = pace.parts.try_emplace(id).first->second;
      part.kind = in_all ? Departure::Kind::section : Departure::Kind::cell;
      part.dataset = in_all ? "" : datasets_.names[d];
      part.section = sections_.names[s];
      part.seconds_a += cell.seconds_a;
      part.seconds_b += cell.seconds_b;
      part.chunks += cell.chunks;
      part.error = least_error;
      part.log_ratio = part.seconds_b > 0 ? infinite : -infinite;
    }
  }

  /// Single chunks that took far more than their like: no noise of a sum, and no change of it.
  void add_stragglers(Pace& pace, const std::vector<Cell>& cells,
                      const std::vector<double>& of_file, double noise) const {
    const std::size_t whole = columns_ - 1;
    for (const Entry& e : entries_) {
      const double usual = value_or(of_file[e.file], cells[e.dataset * columns_ + whole].typical);
      Departure part;
      part.kind = Departure::Kind::chunk;
      part.log_ratio = e.ratios[whole] - usual;
      part.error = std::max(noise, least_error);
      part.seconds_b = (*e.seconds)[whole];
      part.seconds_a = (*e.seconds_a)[whole];
      part.chunks = 1;
      if (!(part.errors() > straggler_noise) || !(part.excess() > straggler_share * pace.seconds_b))
        continue;
      part.dataset = datasets_.names[e.dataset];
      const Chunks& c = b_.chunks;
      part.file = files_.names[e.file] + ", entries " +
                  std::to_string(static_cast<long long>(value_or(c.entry_start[e.chunk], 0))) +
                  "–" + std::to_string(static_cast<long long>(value_or(c.entry_stop[e.chunk], 0)));
      for (const std::size_t s : parts_) {
        const double more = (*e.seconds)[s] - (*e.seconds_a)[s] * elementary::exp(usual);
        if (parts_.size() > 1 && more >= 0.8 * part.excess()) part.section = sections_.names[s];
      }
      pace.parts.insert_or_assign("chunk." + part.file, std::move(part));
    }
  }

  const Run& a_;
  const Run& b_;
  Numbering datasets_, files_, sections_;
  std::size_t columns_ = 0;
  std::vector<std::size_t> parts_;
  ChunkTimes times_a_, times_b_;
  std::vector<Entry> entries_;
  std::vector<double> allowed_;
};

}  // namespace

double Departure::excess() const {
  // what only one run has: all of it
  return std::isinf(log_ratio) ? (log_ratio > 0 ? seconds_b : -seconds_a)
                               : seconds_b * -elementary::expm1(-log_ratio);
}

double Departure::excess_error() const {
  return std::isinf(log_ratio) ? 0 : seconds_b * elementary::exp(-log_ratio) * error;
}

double Departure::errors() const {
  if (is_absent(log_ratio)) return absent;
  const double beyond = std::max(0.0, std::fabs(log_ratio) - allowed);
  if (beyond == 0) return 0;
  return std::copysign(beyond / error, log_ratio);
}

const Departure* Pace::find(const std::string& id) const {
  const auto found = parts.find(id);
  return found == parts.end() ? nullptr : &found->second;
}

double common_value(std::span<const double> values, std::span<const double> errors, double spread) {
  if (values.empty()) return absent;
  const auto cost = [&](double at) {
    double sum = spread > 0 ? squared(at / spread) / 2 : at == 0 ? 0 : 1e9;
    for (std::size_t i = 0; i < values.size(); ++i)
      sum += elementary::log1p(squared((values[i] - at) / errors[i]));
    return sum;
  };
  double best = 0;
  for (const double value : values) {
    if (cost(value) < cost(best)) best = value;
  }
  for (int step = 0; step < 20; ++step) {
    double weights = 0;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double weight = 2 / (squared(errors[i]) + squared(values[i] - best));
      weights += weight;
      sum += weight * values[i];
    }
    best = sum / weights;
  }
  return best;
}

BetweenRuns between_runs(std::span<const double> a, std::span<const double> b, double assumed) {
  const Moments of_a = moments(a);
  const Moments of_b = moments(b);
  if (of_a.count == 0 || of_b.count == 0) return {};
  const auto n = static_cast<double>(of_a.count);
  const auto m = static_cast<double>(of_b.count);
  const double measured = n + m - 2;
  const double squares = (n - 1) * squared(of_a.std) + (m - 1) * squared(of_b.std);
  BetweenRuns between;
  const double prior = is_absent(assumed) ? 0 : assumed_freedom;
  if (prior + measured == 0) return between;
  between.error = std::sqrt((prior * squared(value_or(assumed, 0)) + squares) / (prior + measured) *
                            (1 / n + 1 / m));
  if (measured > 0) between.freedom = prior + measured;
  return between;
}

Pace compare_pace(const Run& a, const ChunkSelection& in_a, const Run& b,
                  const ChunkSelection& in_b, double run_spread) {
  return Comparison(a, in_a, b, in_b).judge(run_spread);
}

Pace combine(const std::vector<Pace>& others, std::size_t runs_of_a) {
  if (others.size() == 1) return others[0];
  const std::size_t before = runs_of_a - 1;  // runs of A beside the first, against which all are
  Pace all = others[before];
  const auto joined = [&](auto&& value_of, double error) {
    std::vector<double> a{0};
    std::vector<double> b;
    for (std::size_t i = 0; i < others.size(); ++i)
      (i < before ? a : b).push_back(value_of(others[i]));
    return std::tuple(moments(b).mean - moments(a).mean,
                      between_runs(a, b, error / std::sqrt(2.0)));
  };
  for (const Pace& other : others) {
    if (!other.known()) return Pace{};
    all.resized = std::fabs(other.resized) > std::fabs(all.resized) ? other.resized : all.resized;
    all.paired = all.paired && other.paired;
  }
  all.factor = std::get<0>(joined([](const Pace& p) { return p.factor; }, all.error));
  const auto join_part = [&](const std::string& id, Departure& part) {
    // One chunk of one run is no change that replicates have.
    if (part.kind == Departure::Kind::chunk) return false;
    double seconds = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Departure* other = others[i].find(id);
      if (other == nullptr) return false;
      part.allowed = std::max(part.allowed, other->allowed);
      if (i >= before) seconds += other->seconds_b;
    }
    part.seconds_b = seconds / static_cast<double>(others.size() - before);
    const auto [log_ratio, between] =
        joined([&](const Pace& p) { return p.find(id)->log_ratio; }, part.error);
    if (is_absent(log_ratio)) return false;
    part.log_ratio = log_ratio;
    part.error = between.error;
    part.freedom = between.freedom;
    return true;
  };
  for (auto entry = all.parts.begin(); entry != all.parts.end();)
    entry = join_part(entry->first, entry->second) ? std::next(entry) : all.parts.erase(entry);
  all.seconds_b = 0;
  for (std::size_t i = before; i < others.size(); ++i)
    all.seconds_b += others[i].seconds_b / static_cast<double>(others.size() - before);
  return all;
}

}  // namespace crema::facts
