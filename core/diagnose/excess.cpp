// The excess account: what of each part a good run would not have needed, and what explains it.
#include <algorithm>
#include <numeric>

#include "core/diagnose/rules.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose {

namespace {

// Gaps between tasks are usual up to this part of the core-time: more is noticed.
constexpr double usual_idle = 0.1;

/// [core-s] by which selected chunks took longer than expected. What anomalies explain counts as a
/// whole; of the rest what is left of a dataset's chunks together, quick and slow.
struct ExcessInside {
  double computing = 0, waiting = 0, other = 0;

  ExcessInside(const Run& run, const ChunkSelection& chosen) {
    std::vector<double> left = run.chunks.duration;
    for (const Anomaly& anomaly : anomalies(run)) {
      for (std::size_t i = 0; i < left.size(); ++i) {
        left[i] -= anomaly.saved[i];
        (anomaly.waits() ? waiting : computing) += chosen.share[i] * anomaly.saved[i];
      }
    }
    const std::vector<double>& expected = expected_durations(run);
    const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
    for (std::size_t d = 0; d < datasets.size(); ++d) {
      double more = 0;
      for (const std::uint32_t i : datasets.members(d))
        more += chosen.share[i] * value_or(left[i] - expected[i], 0);
      other += std::max(0.0, more);
    }
  }
};

/// What is not known to be idle for another reason is idle for an unknown one.
void add_idle(IdleTime idle, const Budget& budget, const Run::Window& time, double seconds,
              std::vector<ExcessPart>& parts) {
  if (!(std::accumulate(idle.seconds.begin(), idle.seconds.end(), 0.0) > 0))
    idle.seconds[static_cast<std::size_t>(IdleCause::unknown)] = 1;
  const double sum = std::accumulate(idle.seconds.begin(), idle.seconds.end(), 0.0);
  const double usual = usual_idle * budget.available;
  for (std::size_t i = 0; i < idle.seconds.size(); ++i) {
    if (!(idle.seconds[i] > 0)) continue;
    const auto why = static_cast<IdleCause>(i);
    const double own = seconds * idle.seconds[i] / sum;
    const double at_start = usual_start * budget.available / (time.end - time.begin);
    double baseline = 0;
    if (why == IdleCause::starting) baseline = std::min(own, at_start);
    if (why == IdleCause::between_tasks) baseline = std::min(own, usual);
    parts.push_back(
        {.kind = CostIn::idle, .idle = why, .core_seconds = own, .unknown = own - baseline});
  }
}

/// Whether a cause explains why cores were idle.
bool explains(const Finding& finding, IdleCause why) {
  using enum IdleCause;
  if (why == unknown) return true;
  const bool is_end = why == tail || why == after_last;
  switch (finding.cause) {
    case Cause::start_up:
    case Cause::pre_processing: return why == starting;
    case Cause::memory_near_limit: return why == paused;
    case Cause::library_start: return why == library;
    case Cause::tasks_elsewhere:
    case Cause::tasks_bound: return why == elsewhere;
    case Cause::lost_work: return why == leaving || why == nothing_ready;
    case Cause::runs_in_series: return is_end || why == nothing_ready || why == held_back;
    case Cause::client_beside:
    case Cause::blocked_scheduler:
      return why != leaving && why != library && (why != starting || finding.is_of_start);
    default: return is_end || why == nothing_ready || (why == starting && finding.is_of_start);
  }
}

/// Where else a cost is, as far as it exceeds its part: what a part is, is partly an estimate.
CostIn next_part(CostIn part) {
  switch (part) {
    case CostIn::computing: return CostIn::waiting;
    case CostIn::other_tasks: return CostIn::outside_process;
    case CostIn::outside_process: return CostIn::computing;
    default: return CostIn::nothing;
  }
}

}  // namespace

double ExcessPart::explained() const {
  double sum = 0;
  for (const Explained& one : by) sum += one.core_seconds;
  return sum;
}

std::vector<ExcessPart> excess_parts(const Run& run, const Selection& selection,
                                     const Budget& budget, const IdleTime& idle, StringId processor,
                                     double importing) {
  using Part = BudgetPart::Kind;
  const ChunkSelection chosen(run, selection);
  const double chunks = std::accumulate(chosen.share.begin(), chosen.share.end(), 0.0);
  const auto files = static_cast<double>(chunk_groups(run, ChunkKey::file).size());
  std::vector<ExcessPart> parts;
  const auto add = [&](CostIn kind, double seconds, double baseline, std::string label = {}) {
    const double rest = std::max(0.0, seconds - std::max(0.0, baseline));
    parts.push_back(
        {.kind = kind, .label = std::move(label), .core_seconds = seconds, .unknown = rest});
  };
  for (const BudgetPart& part : budget.parts) {
    const double seconds = part.core_seconds;
    switch (part.kind) {
      case Part::inside_process: {
        const double waits = activity_sum(run, processor, "thread-noncpu", "seconds");
        const double cpu = activity_sum(run, processor, "thread-cpu", "seconds");
        const double waiting = seconds * value_or(ratio(waits, waits + cpu), 0);
        const ExcessInside excess(run, chosen);
        // How much of the other excess is computing the CPU of all tasks says.
        const double computing = seconds - waiting;
        add(CostIn::computing, computing,
            computing - excess.computing - value_or(excess.other * computing / seconds, 0));
        add(CostIn::waiting, waiting, 0);
        break;
      }
      case Part::outside_process:
        add(CostIn::outside_process, seconds, usual_outside * chunks + importing);
        break;
      case Part::lost_work: add(CostIn::lost_work, seconds, 0); break;
      case Part::task:
        if (part.label == "reduce") add(CostIn::merging, seconds, 0);
        else
          add(CostIn::other_tasks, seconds,
              part.label == "automatic_retries" ? usual_outside * files : seconds, part.label);
        break;
      case Part::idle:
        add_idle(idle, budget, selected_window(run, selection), seconds, parts);
        break;
      case Part::processor_tasks:
      case Part::other_tasks:
      case Part::not_in_process: add(CostIn::nothing, seconds, seconds, part.label); break;
      default: break;
    }
  }
  return parts;
}

CostIn part_of(const Finding& finding) {
  const auto* slow = finding.evidence.as<SlowGroup>();
  return slow && slow->anomaly.waits() ? CostIn::waiting : fields_of(finding.cause).cost;
}

double explain(std::vector<ExcessPart>& parts, const Finding& finding) {
  const auto take = [&](CostIn kind, double seconds) {
    double left = value_or(seconds, 0);
    for (ExcessPart& part : parts) {
      if (part.kind != kind || (part.idle && !explains(finding, *part.idle))) continue;
      const double taken = std::min(left, part.core_seconds - part.explained());
      if (!(taken > 0)) continue;
      part.by.push_back({finding.cause, taken});
      part.unknown = std::max(0.0, part.unknown - taken);
      left -= taken;
    }
    return left;
  };
  if (finding.grounds == Grounds::unknown) return 0;
  const CostIn part = part_of(finding);
  double left = finding.core_seconds;
  for (CostIn kind = part; kind != CostIn::nothing; kind = next_part(kind)) left = take(kind, left);
  const double idle = part == CostIn::idle ? finding.core_seconds : finding.idle_core_seconds;
  return idle - (part == CostIn::idle ? left : take(CostIn::idle, idle));
}

std::vector<ExcessPart> excess_account(const Run& run, const Selection& selection,
                                       const Options& options) {
  const StringId processor = find_processor(run, options).prefix;
  const Run::Window time = selected_window(run, selection);
  std::vector<ExcessPart> parts =
      excess_parts(run, selection, compute_budget(run, selection, options),
                   find_idle(run, WorkerSelection(run, selection), processor, time.begin, time.end),
                   processor, selection.empty() ? HeldUp(run).importing() : 0);
  const bool is_whole =
      !selection.time && selection.workers.empty() && !selects_chunks(run, selection);
  if (!is_whole) return parts;
  for (const Finding& finding : find_findings(run, options)) explain(parts, finding);
  return parts;
}

}  // namespace crema::diagnose
