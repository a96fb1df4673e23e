#include "core/facts/noise/pace.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/facts/noise/chunk_ratios.hpp"
#include "core/facts/noise/robust.hpp"

namespace crema::facts {

namespace {

constexpr double least_error = 0.002;     // a ratio of seconds is hardly known better
constexpr double least_drift = 0.03;      // what a dataset may move by before it is looked at twice
constexpr double straggler_noise = 6;     // a chunk of its own: so many spreads away,
constexpr double straggler_share = 0.05;  // and so much of the run

class Comparison {
 public:
  Comparison(const Run& b, const ChunkRatios& ratios) : b_(b), ratios_(ratios) {}

  Pace judge(double run_spread) {
    Pace pace;
    pace.paired = ratios_.paired;
    pace.resized = ratios_.resized;
    if (!ratios_.entries.empty()) measure(pace, run_spread);
    return pace;
  }

 private:
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
    for (const ChunkRatios::Entry& e : ratios_.entries) {
      if (!belongs(e)) continue;
      if (e.of_b) {
        cell.seconds_b += e.seconds[s];
        cell.chunks += 1;
        if (!e.seconds_a.empty()) cell.seconds_a += e.seconds_a[s];
      } else {
        cell.seconds_a += e.seconds[s];
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
    const std::size_t many = ratios_.datasets.size();
    const std::size_t whole = ratios_.whole();
    std::vector<Cell> cells(many * ratios_.columns);
    for (std::size_t d = 0; d < many; ++d) {
      for (std::size_t s = 0; s < ratios_.columns; ++s)
        cells[d * ratios_.columns + s] =
            cell(s, [&](const ChunkRatios::Entry& e) { return e.dataset == d; });
      pace.seconds_a += cells[d * ratios_.columns + whole].seconds_a;
      pace.seconds_b += cells[d * ratios_.columns + whole].seconds_b;
    }
    // What the chunks of one file have in common is no spread from chunk to chunk.
    std::vector<double> of_file(ratios_.files.size(), absent);
    for (std::size_t f = 0; f < of_file.size(); ++f) {
      const Cell c = cell(whole, [&](const ChunkRatios::Entry& e) { return e.file == f; });
      if (c.count >= 3) of_file[f] = c.typical;
    }
    std::vector<double> wholes;
    std::vector<std::vector<double>> sections(ratios_.columns);
    for (const ChunkRatios::Entry& e : ratios_.entries) {
      const std::size_t row = e.dataset * ratios_.columns;
      const double level = e.of_b ? value_or(of_file[e.file], cells[row + whole].typical) : 0;
      wholes.push_back(e.ratios[whole] - level);
      std::vector<double> rests;
      for (const std::size_t s : ratios_.parts) {
        const double rest = e.ratios[s] - (e.of_b ? cells[row + s].typical : 0);
        if (!is_absent(rest)) rests.push_back(rest);
      }
      const double own = ratios_.parts.size() > 1 ? median_of(rests) : 0;
      for (const std::size_t s : ratios_.parts) {
        const double rest = e.ratios[s] - (e.of_b ? cells[row + s].typical : 0) - own;
        if (!is_absent(rest)) sections[s].push_back(rest);
      }
    }
    std::erase_if(wholes, is_absent);
    const double noise = robust_spread(wholes);
    std::vector<double> section_noise(ratios_.columns, 0);
    std::vector<double> typical_noise;
    for (const std::size_t s : ratios_.parts) {
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
      for (const std::size_t s : ratios_.parts) {
        const Cell& c = cells[d * ratios_.columns + s];
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
    pace.error = std::sqrt(of_a_median * squared(gaussian_spread * median_of(away)) /
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
    const auto may = [&](std::size_t d, std::size_t s) { return ratios_.may(d, s); };
    std::map<std::size_t, Sum> of_section;
    std::vector<double> moved(many, 0);
    for (std::size_t d = 0; d < many; ++d) {
      const Cell& all = cells[d * ratios_.columns + whole];
      if (is_absent(all.typical)) continue;
      values.clear();
      errors.clear();
      for (const std::size_t s : ratios_.parts) {
        const Cell& c = cells[d * ratios_.columns + s];
        if (!is_large(c)) continue;
        values.push_back(c.typical - pace.factor);
        errors.push_back(std::sqrt(white(section_noise[s], c.count) + squared(least_drift)));
      }
      if (many > 1)
        moved[d] = common_value(values, errors, std::max(lasting_share * noise, least_drift));
      Sum dataset, evenly;
      for (const std::size_t s : ratios_.parts) {
        const Cell& c = cells[d * ratios_.columns + s];
        if (is_absent(c.typical)) {
          add_only(pace, d, s, c);
          continue;
        }
        dataset.add(c, c.typical - pace.factor, may(d, s));
        evenly.add(c, moved[d], may(d, s));
        const double own = c.typical - pace.factor - moved[d];
        of_section[s].add(c, own, may(d, s));
        if (ratios_.parts.size() == 1) continue;
        Sum one;
        one.add(c, own, may(d, s));
        Departure part = one.departure(Departure::Kind::cell,
                                       std::sqrt(white(section_noise[s], c.count) + uneven));
        part.dataset = ratios_.datasets[d];
        part.section = ratios_.sections[s];
        add("cell." + part.dataset + "\n" + part.section, std::move(part));
      }
      const double error = std::sqrt(white(noise, all.count) + uneven);
      for (const bool is_total : {true, false}) {
        Departure part =
            (is_total ? dataset : evenly)
                .departure(is_total ? Departure::Kind::dataset : Departure::Kind::evenly, error);
        part.chunks = all.chunks;
        part.dataset = ratios_.datasets[d];
        add((is_total ? "dataset." : "evenly.") + part.dataset, std::move(part));
      }
    }
    for (const auto& [s, sum] : of_section) {
      if (ratios_.parts.size() == 1) break;
      // of the datasets where both runs have it
      Departure part = sum.departure(Departure::Kind::section,
                                     std::sqrt(white(section_noise[s], sum.count) + uneven));
      part.section = ratios_.sections[s];
      add("section." + part.section, std::move(part));
    }
    std::map<std::string, Sum> of_host;
    for (std::size_t f = 0; f < of_file.size(); ++f) {
      const std::string& name = ratios_.files[f];
      if (name.empty()) continue;
      std::size_t dataset = 0;
      const Cell c = cell(whole, [&](const ChunkRatios::Entry& e) {
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
      part.dataset = ratios_.datasets[dataset];
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
    if (ratios_.parts.size() == 1 || (cell.seconds_a > 0) == (cell.seconds_b > 0)) return;
    const double infinite = std::numeric_limits<double>::infinity();
    for (const bool in_all : {false, true}) {
      const std::string id = in_all ? "section." + ratios_.sections[s]
                                    : "cell." + ratios_.datasets[d] + "\n" + ratios_.sections[s];
      Departure& part = pace.parts.try_emplace(id).first->second;
      part.kind = in_all ? Departure::Kind::section : Departure::Kind::cell;
      part.dataset = in_all ? "" : ratios_.datasets[d];
      part.section = ratios_.sections[s];
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
    const std::size_t whole = ratios_.whole();
    for (const ChunkRatios::Entry& e : ratios_.entries) {
      const double usual =
          value_or(of_file[e.file], cells[e.dataset * ratios_.columns + whole].typical);
      Departure part;
      part.kind = Departure::Kind::chunk;
      part.log_ratio = e.ratios[whole] - usual;
      part.error = std::max(noise, least_error);
      part.seconds_b = e.seconds[whole];
      part.seconds_a = e.seconds_a[whole];
      part.chunks = 1;
      if (!(part.errors() > straggler_noise) || !(part.excess() > straggler_share * pace.seconds_b))
        continue;
      part.dataset = ratios_.datasets[e.dataset];
      const Chunks& c = b_.chunks;
      part.file = ratios_.files[e.file] + ", entries " +
                  std::to_string(static_cast<long long>(value_or(c.entry_start[e.chunk], 0))) +
                  "–" + std::to_string(static_cast<long long>(value_or(c.entry_stop[e.chunk], 0)));
      for (const std::size_t s : ratios_.parts) {
        const double more = e.seconds[s] - e.seconds_a[s] * elementary::exp(usual);
        if (ratios_.parts.size() > 1 && more >= 0.8 * part.excess())
          part.section = ratios_.sections[s];
      }
      pace.parts.insert_or_assign("chunk." + part.file, std::move(part));
    }
  }

  const Run& b_;
  const ChunkRatios& ratios_;
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

Pace compare_pace(const Run& a, const ChunkSelection& in_a, const Run& b,
                  const ChunkSelection& in_b, double run_spread) {
  return Comparison(b, chunk_ratios(a, in_a, b, in_b)).judge(run_spread);
}

}  // namespace crema::facts
