#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/model/run.hpp"
#include "core/profile/profiles.hpp"

namespace crema::profile {

/// Tells seconds per sample: as recorded; else what the tasks of the same workers or prefixes took
/// (task stream, else the spans' thread time) divided by the samples, because samples come late or
/// not at all while Python holds the interpreter (docs/meanings.md, Samples: 28 to 76 % of the task
/// time at 10 ms); else Dask's default interval, said to be assumed. `source` is a sentence that
/// says which.
///
/// Workers that left took their samples with them: their seconds must not be spread over the
/// others'. The task stream knows the worker of each task; spans do not, and are used only where no
/// worker is missing from the profile.
class Calibration {
 public:
  explicit Calibration(const Run& run);
  SampleTime of(const Profile& profile) const;

 private:
  using Trees = std::vector<const CallTree*>;
  using Seconds = std::map<StringId, double>;  // by task prefix

  Seconds stream_seconds(const Trees& trees) const;
  Seconds span_seconds(const Trees& trees) const;
  SampleTime divided(const Seconds& seconds, std::string_view source, double samples) const;
  SampleTime calibrated(const Trees& trees) const;
  SampleTime of_slices(const Trees& slices, const SampleTime& told) const;

  const Run& run_;
  std::map<StringId, Seconds> stream_;  // of compute actions, by worker
  Seconds spans_;                       // thread time
  std::set<StringId> workers_;          // that are known to have been there
  bool any_left_ = false;
  // of a worker or prefix, by the fullest of its trees
  std::map<std::pair<StringId, StringId>, double> samples_;
  SampleTime all_;  // of all workers together, where that is known
};

}  // namespace crema::profile
