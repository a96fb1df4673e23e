#include "core/compare/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/base/error.hpp"
#include "core/predict/prediction.hpp"
#include "core/stats/p_value.hpp"

namespace crema::compare {

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
  const bool is_reserved = std::find(reserved.begin(), reserved.end(), name) != reserved.end();
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

}  // namespace crema::compare
