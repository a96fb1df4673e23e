#include <algorithm>
#include <iterator>

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/compare/compared_rows.hpp"

namespace crema::compare {

using namespace stats;
using namespace runtime;

bool tell_spread(std::span<const Run* const> runs, std::size_t runs_of_a) {
  constexpr std::size_t least_replicates = 3;
  if (runs_of_a < least_replicates || runs.size() < runs_of_a + least_replicates) return false;
  std::map<double, bool> by_start;  // whether it is of A
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double start = runs[i]->clock.zero_epoch;
    // Two that began at one moment are a run and its copy.
    if (is_absent(start) || !by_start.emplace(start, i < runs_of_a).second) return false;
  }
  std::size_t turns = 0;
  for (auto next = std::next(by_start.begin()); next != by_start.end(); ++next)
    turns += next->second != std::prev(next)->second ? 1 : 0;
  return turns > 1;
}

BetweenRuns between_runs(std::span<const double> a, std::span<const double> b, double assumed,
                         double dof) {
  const Moments of_a = moments(a);
  const Moments of_b = moments(b);
  if (of_a.count == 0 || of_b.count == 0) return {};
  const auto n = static_cast<double>(of_a.count);
  const auto m = static_cast<double>(of_b.count);
  const double measured = n + m - 2;
  const double squares =
      (n - 1) * squared(value_or(of_a.std, 0)) + (m - 1) * squared(value_or(of_b.std, 0));
  BetweenRuns between;
  const double prior = is_absent(assumed) ? 0 : dof;
  if (prior + measured == 0) return between;
  between.error = std::sqrt((prior * squared(value_or(assumed, 0)) + squares) / (prior + measured) *
                            (1 / n + 1 / m));
  if (measured > 0) between.dof = prior + measured;
  return between;
}

SpeedRatio combine(const std::vector<SpeedRatio>& others, std::size_t runs_of_a) {
  if (others.size() == 1) return others[0];
  const std::size_t before = runs_of_a - 1;  // runs of A beside the first, against which all are
  SpeedRatio all = others[before];
  const auto joined = [&](auto&& value_of, double error, double dof = assumed_dof) {
    std::vector<double> a{0};
    std::vector<double> b;
    for (std::size_t i = 0; i < others.size(); ++i)
      (i < before ? a : b).push_back(value_of(others[i]));
    return std::tuple(moments(b).mean - moments(a).mean,
                      between_runs(a, b, error / std::sqrt(2.0), dof));
  };
  for (const SpeedRatio& other : others) {
    if (!other.known()) return SpeedRatio{};
    all.resized = std::fabs(other.resized) > std::fabs(all.resized) ? other.resized : all.resized;
    all.paired = all.paired && other.paired;
  }
  all.factor = std::get<0>(joined([](const SpeedRatio& p) { return p.factor; }, all.error));
  const double slower = std::get<0>(joined(
      [](const SpeedRatio& p) { return elementary::log(p.seconds_b / p.seconds_a); }, all.error));
  const auto join_part = [&](const PartId& id, Effect& part) {
    // A chunk stands out in all of B against the first of A, and in none of the rest of A.
    if (id.kind == PartId::Kind::chunk) {
      for (std::size_t i = 0; i < others.size(); ++i)
        if ((others[i].find(id) != nullptr) != (i >= before)) return false;
      return true;
    }
    double seconds = 0;
    part.is_of_moment = true;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Effect* other = others[i].find(id);
      if (other == nullptr) return false;
      part.allowed = std::max(part.allowed, other->allowed);
      if (i < before) continue;
      seconds += other->seconds_b;
      part.is_of_moment = part.is_of_moment && other->is_of_moment;
    }
    part.seconds_b = seconds / static_cast<double>(others.size() - before);
    const auto [log_ratio, between] =
        joined([&](const SpeedRatio& p) { return p.find(id)->log_ratio; }, part.error, part.dof);
    if (is_absent(log_ratio)) return false;
    part.log_ratio = log_ratio;
    part.error = between.error;
    part.dof = between.dof;
    return true;
  };
  for (auto entry = all.parts.begin(); entry != all.parts.end();)
    entry = join_part(entry->first, entry->second) ? std::next(entry) : all.parts.erase(entry);
  all.seconds_b = 0;
  for (std::size_t i = before; i < others.size(); ++i)
    all.seconds_b += others[i].seconds_b / static_cast<double>(others.size() - before);
  all.seconds_a = all.seconds_b * elementary::exp(-slower);
  return all;
}

namespace {

/// Judges one row at a time.
struct Judging {
  const Judge& by;

  void judge(ComparedNumber& row) const {
    if (is_absent(row.a.value) || is_absent(row.b.value)) return;
    switch (row.source) {
      case Noise::none: row.noise = 0; break;
      case Noise::run: judge_run(row); break;
      case Noise::chunks: judge_part(row); break;
      case Noise::samples: judge_samples(row); break;
      case Noise::unknown: judge_replicates(row); break;
    }
    if (is_absent(row.noise) && !row.note.any()) row.note.kind = RowNote::Kind::noise_unknown;
  }

  void judge_run(ComparedNumber& row) const {
    if (by.runs == Comparability::nothing || (by.runs == Comparability::mix && row.unit != "kHz")) {
      row.note.kind =
          by.runs == Comparability::mix ? RowNote::Kind::other_events : RowNote::Kind::other_parts;
      return;
    }
    std::vector<double> a, b;
    for (const double x : row.a.runs) a.push_back(x > 0 ? elementary::log(x) : absent);
    for (const double x : row.b.runs) b.push_back(x > 0 ? elementary::log(x) : absent);
    const BetweenRuns between =
        between_runs(a, b, by.run_spread, by.explanation.spread_is_told ? 0 : assumed_dof);
    row.noise = log_mean(std::fabs(row.a.value), std::fabs(row.b.value)) * between.error;
    row.dof = between.dof;
    row.p_value =
        stats::p_value(elementary::log(row.b.value / row.a.value) / between.error, row.dof);
  }

  void judge_part(ComparedNumber& row) const {
    PartId id;
    if (row.id.group == RowGroup::dataset) id.dataset = row.id.name;
    if (row.id.group == RowGroup::host) id = {.kind = PartId::Kind::host, .place = row.id.name};
    if (row.id.group == RowGroup::section)
      id = {.kind = PartId::Kind::section,
            .section = SectionId{row.id.name, row.id.kind == RowId::Kind::remainder}};
    const Effect* const part = by.explanation.speed.find(id);
    if (part == nullptr || !std::isfinite(part->log_ratio)) return;
    row.expected = row.b.value * elementary::exp(-part->log_ratio);
    if (part->is_of_moment) {
      row.note.kind = RowNote::Kind::or_moment;
      return;
    }
    row.noise = log_mean(row.expected, row.b.value) * part->error;
    row.dof = part->dof;
    row.p_value = part->p_value();
    row.allowed = part->allowed;
    row.is_significant = part->is_significant;  // as the explanation has it, with all parts in mind
  }

  void judge_samples(ComparedNumber& row) const {
    const SpeedRatio& speed = by.explanation.speed;
    if (!speed.known() || is_absent(row.a.noise) || is_absent(row.b.noise)) return;
    row.expected = row.a.value * by.factor;
    const double relative = elementary::hypot(
        elementary::hypot(speed.error, autocorrelated_share * speed.section_noise),
        speed.between_group_spread);
    // So much another chunk size or threads in each other's way explain, of A's samples as well.
    const double more = row.excess();
    const double oversubscribed = more * speed.oversubscription_allowance > 0
                                      ? std::fabs(speed.oversubscription_allowance)
                                      : 0;
    const double most = elementary::exp(std::fabs(speed.resized) + oversubscribed);
    // anywhere between none and all of what is unclear: a twelfth of the square
    const double unclear = (row.b.unclear - by.factor * row.a.unclear) / std::sqrt(12.0);
    const auto error_below = [&](double times) {
      return elementary::hypot(elementary::hypot(row.b.noise, times * by.factor * row.a.noise),
                               times * row.expected * relative);
    };
    const auto error_at = [&](double times) {
      return elementary::hypot(error_below(times), unclear);
    };
    std::vector<double> a = row.a.runs;
    for (double& x : a) x *= by.factor;
    const BetweenRuns between = between_runs(a, row.b.runs, error_at(1) / std::sqrt(2.0));
    const double allowed = row.expected * (most - 1);
    row.noise = by.has_replicates ? between.error : error_at(1);
    const double error = row.noise * (more > 0 ? error_at(most) / error_at(1) : 1);
    const double beyond = std::max(0.0, std::fabs(more) - allowed);
    row.dof = between.dof;
    row.allowed = allowed;
    row.error_if_worse = row.noise * error_at(most) / error_at(1);
    row.p_value = stats::p_value(beyond / error, row.dof);
    row.errors_below = beyond / error_below(more > 0 ? most : 1);
  }

  void judge_replicates(ComparedNumber& row) const {
    const BetweenRuns between = between_runs(row.a.runs, row.b.runs, absent);
    if (is_absent(between.error)) return;
    row.noise = between.error;
    row.dof = between.dof;
    row.p_value = stats::p_value(ratio(row.delta(), between.error), row.dof);
  }

  /// A share of the cores' time in process() rises when process() takes longer: that is no better
  /// run, nor is the other way a worse one.
  bool is_by_process(const ComparedNumber& row) const {
    return (row.id.name == "core_efficiency" || row.id.name == "speedup_factor") &&
           row.excess() * change_of(by.explanation) > 0;
  }

  /// What is too small to matter, whatever its noise.
  double floor(const ComparedNumber& row) const {
    return least_share * (row.id.group == RowGroup::summary
                              ? std::max(std::fabs(row.a.value), std::fabs(row.b.value))
                              : by.core_time);
  }
};

/// What share of its events each dataset has, by the chunk list.
std::map<std::string_view, double> mix_of(std::span<const Run* const> runs) {
  std::map<std::string_view, double> mix;
  double all = 0;
  for (const Run* run : runs) {
    for (const auto& [name, events] : events_by_dataset(*run)) {
      mix[name] += events;
      all += events;
    }
  }
  for (auto& [name, events] : mix) events = ratio(events, all);
  return mix;
}

double mean_events(std::span<const Run* const> runs) {
  return moments(numbers_of(runs, [](const Run* run) { return total_events(*run); })).mean;
}

/// Datasets whose shares differ by more are other work.
constexpr double other_mix = 0.01;

}  // namespace

Comparability comparability_of(std::span<const Run* const> a, std::span<const Run* const> b) {
  const auto listed = [](const Run* run) { return value_or(listed_share_of_events(*run), 1); };
  const auto is_cut = [&](const Run* run) { return listed(run) < 1 - least_share; };
  const auto mix_a = mix_of(a);
  auto mix_b = mix_of(b);
  const bool both_listed = !mix_a.empty() && !mix_b.empty();
  for (const auto& [name, share] : mix_a) mix_b[name] -= share;
  const bool same_mix = !both_listed || all_of(mix_b, [](const auto& entry) {
    return !(std::fabs(entry.second) > other_mix);
  });
  if (!same_mix || any_of(a, is_cut) || any_of(b, is_cut)) return Comparability::nothing;
  const double more = value_or(ratio(mean_events(b), mean_events(a)), 1);
  return std::fabs(more - 1) < least_share ? Comparability::work : Comparability::mix;
}

void Judge::judge(std::vector<ComparedNumber>& rows) const {
  const Judging judging{*this};
  // Parts of process() were tested among themselves already.
  std::vector<double> p_values;
  for (ComparedNumber& row : rows) {
    if (row.id.group != RowGroup::setup) judging.judge(row);
    p_values.push_back(row.source == Noise::chunks ? absent : row.p_value);
  }
  const std::vector<bool> found = benjamini_hochberg(p_values);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ComparedNumber& row = rows[i];
    if (row.id.group == RowGroup::setup || row.source == Noise::chunks) continue;
    row.is_significant = row.source == Noise::none
                             ? row.noise == 0 && !row.is_same()
                             : found[i] && std::fabs(row.excess()) >= judging.floor(row);
    if (row.is_significant && judging.is_by_process(row)) {
      row.is_significant = false;
      row.note.kind = RowNote::Kind::by_process;
    }
  }
}

}  // namespace crema::compare
