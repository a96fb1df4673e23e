#pragma once

#include "core/predict/scaling_study.hpp"
#include "core/table/rows.hpp"

namespace crema::query {

/// The columns `ideal`, `fit`, `fit_low` and `fit_high` of a scaling study; `cores` is the number
/// of cores of a row, where the fit begins at one core.
template <class Filler, class Cores>
void add_fit_columns(Filler& rows, const predict::ScalingStudy& study, Cores cores) {
  using Band = predict::Scalability::Band;
  const auto band = [&](std::size_t row) {
    return study.law && cores(row) > 0 ? study.law->at(cores(row)) : Band{};
  };
  rows.number(
      "ideal", study.unit, [&](std::size_t row) { return study.per_core * cores(row); },
      "rate per core of the smallest run x cores");
  rows.number(
      "fit", study.unit, [&](std::size_t row) { return band(row).rate; },
      "Universal Scalability Law, least squares");
  rows.number(
      "fit_low", study.unit, [&](std::size_t row) { return band(row).low; }, "95 % band");
  rows.number(
      "fit_high", study.unit, [&](std::size_t row) { return band(row).high; }, "95 % band");
}

}  // namespace crema::query
