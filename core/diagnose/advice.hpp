#pragma once

#include <string>
#include <vector>

#include "core/predict/prediction.hpp"

namespace crema::diagnose {

using namespace predict;

/// A setting of coffea or Dask that is worth changing. It stands on a finding, so that a run with
/// nothing to complain about is given no advice, and on the model of `whatif`.
struct Advice {
  std::string setting;    ///< its name there: "chunksize"
  std::string now;        ///< its value in the run; "" where that is not recorded
  std::string code;       ///< Python statements that set it
  std::string finding;    ///< the finding's id
  std::string why;        ///< its title
  Prediction told;        ///< [s] what the run would have taken
  double cores = absent;  ///< that it would have had
  double gain = absent;   ///< [core-s] to be won: by what is likely, else by the middle of the band
  /// Whether it wins more than noise: "certain", the whole band does; "likely", the likely time
  /// does; "possible", some of the band.
  const char* certainty = "";
};

/// What to change, most core-time to win first. What would win no more than two recordings of the
/// same work differ by is not told.
std::vector<Advice> find_advice(const Run& run, const Options& options);

/// All of it as one block of Python, each line under what is expected of it and why; "" for none.
std::string code_block(const Run& run, const Options& options, const std::vector<Advice>& advice);

}  // namespace crema::diagnose
