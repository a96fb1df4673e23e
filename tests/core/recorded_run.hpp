// What tests of findings put into the rows of `crema.record`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/diagnose/rules.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "tests/core/small_run.hpp"

namespace crema::test {

using recorded_columns::Task;
using MachineRow = recorded_columns::Machine;

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

using Values = std::vector<std::pair<Task, double>>;

/// Tasks that are off the CPU for 70 of 158 s, in code that computes.
inline void let_compute_without_cpu(SmallRun& small) {
  small.set_activity("thread-noncpu", 70);
  small.set_activity("thread-cpu", 88);
  small.draw_profile("root 100\n  process@analysis.py 100\n");
}

/// The machine of all four workers in each second of the run: CPUs in use by all, and by the run.
inline void set_machine(SmallRun& small, double busy, double own) {
  for (std::size_t second = 0; second < 40; ++second)
    add(small.run.recording.machine, {{MachineRow::host, small.id("10.0.0.0")},
                                      {MachineRow::worker, small.id("tcp://10.0.0.0:1000")},
                                      {MachineRow::address, small.id("tcp://10.0.0.0:1000")},
                                      {MachineRow::begin, static_cast<double>(second)},
                                      {MachineRow::wall, 1},
                                      {MachineRow::busy, busy},
                                      {MachineRow::own, own},
                                      {MachineRow::usable, 4}});
}

/// Each worker's 39 chunks, one after the other, with the times of two sections.
template <class Seconds>
void set_workers(SmallRun& small, const Seconds& seconds_of) {
  Chunks& c = small.run.chunks;
  double begin = 0;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    const std::size_t place = i % SmallRun::chunks_each;
    if (place == 0) begin = 0.5;
    const auto [fit, fill] = seconds_of(place);
    c.t_start[i] = begin;
    small.stretch(i, fit + fill);
    begin = c.t_end[i];
    c.sections.push_back({i, small.id("fit"), SectionValue::Kind::seconds, fit});
    c.sections.push_back({i, small.id("fill"), SectionValue::Kind::seconds, fill});
  }
  small.run.elapsed = 60;
  small.stream();
}

}  // namespace crema::test
