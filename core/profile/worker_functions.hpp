#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/profile/flame_tree.hpp"

namespace crema::profile {

/// How each worker's samples are spread over functions, as shares of the worker's own.
struct WorkerFunctions {
  std::shared_ptr<const FrameFacts> facts;
  struct Worker {
    std::string id, label;
  };
  std::vector<Worker> workers;
  std::vector<double> wholes;                    // by worker
  std::map<FrameId, std::vector<double>> self;   // share by worker: innermost frame
  std::map<FrameId, std::vector<double>> total;  // share by worker: on the stack
};

/// Kept by the run: several questions are made of it. Without workers where the run has no
/// profiles.
std::shared_ptr<const WorkerFunctions> worker_functions(const Run& run, const FlameChoice& choice);

/// The share of all workers' samples that the workers' own `shares` come to.
double mean_of(const std::vector<double>& shares, const std::vector<double>& wholes);

/// The choice that the options make, before its tree is turned round.
FlameChoice upright_choice(const Run& run, const Selection& selection, const Options& options);

}  // namespace crema::profile
