#include "core/compare/comparison.hpp"

#include <set>

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/predict/prediction.hpp"
#include "core/stats/p_value.hpp"

namespace crema::compare {

using namespace runtime;

std::size_t runs_of_a(const Options& options, std::size_t runs) {
  const auto of_a = static_cast<std::size_t>(options.number(runs_of_a_option));
  if (of_a >= runs)
    throw Failure(ErrorCode::bad_option, "runs_of_a=" + std::to_string(of_a) + ": of " +
                                             std::to_string(runs) + " runs that leaves none for B");
  return of_a;
}

std::string RowId::label() const {
  switch (kind) {
    case Kind::remainder: return "unaccounted";
    case Kind::others: return "rest";
    case Kind::total: return "total";
    case Kind::part: break;
  }
  constexpr std::array<std::string_view, 4> reserved = {"unnamed", "unaccounted", "rest", "total"};
  const bool is_reserved = contains(reserved, name);
  if (name.empty()) return "unnamed";
  return is_reserved || name.starts_with('"') ? '"' + name + '"' : name;
}

std::string RowId::text() const {
  if (group == RowGroup::summary) return name;
  return std::string(name_of(group)) + "." + label();
}

double ComparedNumber::delta() const {
  constexpr double rounding = 1e-12;
  const double size = std::max(std::fabs(a.value), std::fabs(b.value));
  const double change = adds_up ? value_or(b.value, 0) - value_or(a.value, 0) : b.value - a.value;
  return std::fabs(change) <= rounding * size ? 0 : change;
}

double ComparedNumber::relative_noise() const {
  const bool is_of_ratio = source == Noise::run || source == Noise::chunks;
  return ratio(noise, is_of_ratio
                          ? log_mean(std::fabs(value_or(expected, a.value)), std::fabs(b.value))
                          : std::fabs(b.value));
}

bool ComparedNumber::is_worse() const {
  return better != Better::neither && (excess() > 0) == (better == Better::lower);
}

double ComparedNumber::noteworthy() const {
  if (!a.text.empty() || !b.text.empty()) return a.text != b.text ? 1 : 0;
  if (id.group == RowGroup::setup && is_absent(delta()))
    return is_absent(a.value) != is_absent(b.value) ? 1 : 0;
  if (id.group == RowGroup::setup) return !is_same() || note.any() ? 1 : 0;
  return is_same() ? 0 : is_absent(noise) ? absent : is_significant ? 1 : 0;
}

std::string_view ComparedNumber::verdict() const {
  if (!is_significant || better == Better::neither || is_absent(delta())) return "";
  return is_worse() ? "worse" : "better";
}

std::string_view ComparedNumber::alike() const {
  constexpr double little = 0.01;
  const double change = delta();
  if (id.group == RowGroup::setup || is_absent(change)) return "";
  if (change == 0) return "equal";
  if (std::fabs(change) <= little * std::fabs(a.value)) return "within 1 %";
  const double is_noteworthy = noteworthy();
  return is_absent(is_noteworthy) ? "" : is_noteworthy == 1 ? "no" : "within noise";
}

double ComparedNumber::worse_by(double from, double errors) const {
  const double size = std::fabs(a.value);
  const double sign = better == Better::higher ? -1 : 1;
  switch (source) {
    case Noise::none: return absent;
    case Noise::run: {
      const double log_change =
          sign * elementary::log(ratio(from, a.value)) + errors * relative_noise();
      return sign * elementary::expm1(sign * log_change);
    }
    case Noise::chunks: {
      const double log_change = errors * relative_noise() + allowed;
      return ratio(from * elementary::exp(log_change), size) - 1;
    }
    case Noise::samples:
    case Noise::unknown: break;
  }
  return ratio(sign * (from - a.value) + errors * value_or(error_if_worse, noise) + allowed, size);
}

double ComparedNumber::detectable(double level) const {
  const double from = source == Noise::run ? a.value : value_or(expected, a.value);
  const double share = worse_by(from, stats::errors_of_p_value(level, dof) + predict::z_90);
  return share < 0 ? 0 : share;
}

double ComparedNumber::worse_at_most() const {
  return worse_by(b.value, stats::errors_of_p_value(2 * stats::false_discovery_rate, dof));
}

// What differs between two runs before anything ran: what is not like for like.

namespace {

ComparedNumber fact(std::string_view id, std::string unit, double a, double b) {
  return {.id = {.group = RowGroup::setup, .name = std::string(id)},
          .unit = std::move(unit),
          .a = {.value = a},
          .b = {.value = b}};
}

ComparedNumber fact(std::string_view id, std::string_view a, std::string_view b) {
  ComparedNumber row = fact(id, "", absent, absent);
  row.a.text = a;
  row.b.text = b;
  return row;
}

std::set<std::string_view> names_of(const Run& run, const std::vector<StringId>& column) {
  std::set<std::string_view> names;
  for (const StringId id : column) {
    if (id != no_string) names.insert(run.text(id));
  }
  return names;
}

/// Those that only `a` has, at most three by name.
RowNote::Names only_in(const std::set<std::string_view>& a, const std::set<std::string_view>& b) {
  constexpr std::size_t most = 3;
  RowNote::Names only;
  for (const std::string_view name : a) {
    if (b.contains(name)) continue;
    if (only.count++ < most) only.first.emplace_back(name);
  }
  return only;
}

ComparedNumber names(std::string_view id, const std::set<std::string_view>& a,
                     const std::set<std::string_view>& b) {
  ComparedNumber row =
      fact(id, "count", static_cast<double>(a.size()), static_cast<double>(b.size()));
  row.note.in_a = only_in(a, b);
  row.note.in_b = only_in(b, a);
  if (row.note.in_a.count + row.note.in_b.count > 0) row.note.kind = RowNote::Kind::names;
  return row;
}

/// Settings that differ, those that change the speed of work first. Where only one run says what it
/// has, nothing is known to differ.
void add_settings(const std::map<std::string, std::string>& a,
                  const std::map<std::string, std::string>& b, std::vector<ComparedNumber>& rows) {
  for (const bool of_speed : {true, false}) {
    for (const auto& [name, value] : a) {
      const auto other = b.find(name);
      if (other == b.end() || other->second == value) continue;
      ComparedNumber row = fact(name, value, other->second);
      if (changes_speed(row) == of_speed) rows.push_back(std::move(row));
    }
  }
}

/// The last `cores` or memory limit of each worker, as their median.
double per_worker(const Run& run, Series series, const std::vector<double>& stated) {
  std::vector<double> values;
  for (std::size_t i = 0; i < run.workers.size(); ++i) {
    const TickSeries& ticks = run.workers.of(series, i);
    values.push_back(ticks.empty() ? stated[i] : ticks.values.back());
  }
  return median_of(values);
}

}  // namespace

bool changes_speed(const ComparedNumber& row) {
  const std::string& name = row.id.name;
  return name == "nthreads" || name == "usable_cpus" || name.ends_with("_NUM_THREADS") ||
         name.ends_with("_THREAD_LIMIT") || name.starts_with("VECLIB_");
}

bool is_same_run(const Run& a, const Run& b) {
  const auto same = [](double x, double y) { return x == y || (is_absent(x) && is_absent(y)); };
  const auto& of_a = a.chunks.duration;
  const auto& of_b = b.chunks.duration;
  const bool is_timed = !of_a.empty() || !is_absent(a.elapsed);
  return is_timed && same(a.elapsed, b.elapsed) && same(a.clock.zero_epoch, b.clock.zero_epoch) &&
         std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), same);
}

std::vector<ComparedNumber> compare_setup(const Run& a, const Run& b, const Selection&,
                                          const Options& options) {
  const auto processor = [&](const Run& run) {
    return run.text(find_processor(run, options).prefix);
  };
  const auto label = [](const Run& run, const char* name) -> std::string_view {
    const auto found = run.labels.find(name);
    return found == run.labels.end() ? std::string_view() : found->second;
  };
  const auto workers = [](const Run& run) {
    const double peak = moments(run.worker_counts).max;
    return is_absent(peak) ? static_cast<double>(run.workers.size()) : peak;
  };
  const auto usable = [](const Run& run) {
    return median_of(numbers_of(run.workers.machine, &Machine::usable));
  };
  std::vector<ComparedNumber> rows = {
      fact("schema", a.schema, b.schema),
      fact("processor", processor(a), processor(b)),
      fact("commit", label(a, "commit"), label(b, "commit")),
      fact("workers", "count", workers(a), workers(b)),
      fact("nthreads", "count", per_worker(a, Series::cores, a.workers.nthreads),
           per_worker(b, Series::cores, b.workers.nthreads)),
      fact("usable_cpus", "count", usable(a), usable(b)),
      fact("memory_limit", "byte", per_worker(a, Series::memory_limit, a.workers.memory_limit),
           per_worker(b, Series::memory_limit, b.workers.memory_limit)),
      names("datasets", names_of(a, a.chunks.dataset), names_of(b, b.chunks.dataset)),
      names("files", names_of(a, a.chunks.file), names_of(b, b.chunks.file)),
      fact("events", "count", total_events(a), total_events(b)),
      fact("chunks", "count", recorded_num_chunks(a), recorded_num_chunks(b)),
      fact("chunk_events", "count", median_of(a.chunks.events), median_of(b.chunks.events)),
  };
  add_settings(a.settings, b.settings, rows);
  // Else the configuration is the user's own text: Crema can say that it differs, not in what.
  const bool is_told = !a.settings.empty() && !b.settings.empty();
  if (!is_told && (!a.config.empty() || !b.config.empty())) {
    rows.push_back(
        fact("config", a.config.empty() ? "none" : "there", b.config.empty() ? "none" : "there"));
    if (!a.config.empty() && !b.config.empty() && a.config != b.config)
      rows.back().b.text = "there, another";
  }
  return rows;
}

}  // namespace crema::compare
