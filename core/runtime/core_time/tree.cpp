#include "core/runtime/core_time.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "core/base/most_first.hpp"
#include "core/base/number_format.hpp"
#include "core/profile/profile_shares.hpp"
#include "core/profile/profiles.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

using namespace profile;

namespace {

using PartKind = BudgetPart::Kind;
using Node = CoreTimeNode;

/// Into how many bins the run is cut where a selected time is looked up in its course.
constexpr std::size_t course_bins = 2000;
/// Of a normal distribution, half the width that holds 95 %.
constexpr double two_sided_95 = 1.96;

struct ThreadTime {
  StringId prefix = no_string;
  double cpu = 0, waiting = 0, all = 0;  // [s]
  double around = 0;                     // [s] of Dask's own work before and after the thread
};

/// What Dask does for a task while no thread runs it (distributed.worker, Worker.execute).
bool is_around_thread(std::string_view activity) {
  constexpr std::string_view all[] = {"executor", "other",      "deserialize", "serialize",
                                      "compress", "decompress", "disk-read",   "disk-write"};
  return std::find(std::begin(all), std::end(all), activity) != std::end(all);
}

// Dask's sampler needs the interpreter's lock. Code that gives it away, as numpy does, is sampled
// whenever it is time; code that holds it, as Python itself, late: the laboratory's runs have 1.2
// samples inside process() for one outside in the same time, 1.8 where workers share cores. Twice
// as many must have another reason.
constexpr double most_apart = 2;

bool is_of_chunks(const Selection& selection) {
  return !selection.datasets.empty() || !selection.files.empty() || !selection.hosts.empty() ||
         !selection.ranges.empty();
}

/// What of a selection narrows anything: all chunks are no selection of chunks, and task prefixes
/// narrow none of the parts.
Selection effective(const Run& run, Selection selection) {
  selection.prefixes.clear();
  Selection of_chunks = selection;
  of_chunks.time.reset();
  if (is_of_chunks(selection) && ChunkSelection(run, of_chunks).all) {
    selection.datasets.clear();
    selection.files.clear();
    selection.hosts.clear();
    selection.ranges.clear();
  }
  return selection;
}

class Builder {
 public:
  Builder(const Run& run, Selection selection, const Options& options, CoreTimeSplit by,
          CoreTimeTree& into)
      : run_(run),
        selection_(std::move(selection)),
        options_(options),
        by_(by),
        into_(into),
        processor_(find_processor(run, options).prefix),
        budget_(compute_budget(run, selection_, options)) {
    const Run::Window window = run.window();
    begin_ = selection_.time ? selection_.time->begin : window.begin;
    end_ = selection_.time ? selection_.time->end : window.end;
    of_chunks_ = is_of_chunks(selection_);
    sampled_ = !of_chunks_ && (!selection_.time || has_slices(run));
    const Activities& a = run.activities;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (run.text(a.context[i]) != "execute" || run.text(a.unit[i]) != "seconds" ||
          run.text(a.prefix[i]) == "N/A")
        continue;
      ThreadTime& time = of_prefix(a.prefix[i]);
      time.all += a.value[i];
      if (run.text(a.activity[i]) == "thread-cpu") time.cpu += a.value[i];
      if (run.text(a.activity[i]) == "thread-noncpu") time.waiting += a.value[i];
      if (is_around_thread(run.text(a.activity[i]))) time.around += a.value[i];
    }
  }

  void build() {
    Node root;
    root.kind = "available";
    root.segment = "available";
    root.label = "Available core-time";
    into_.nodes.push_back(std::move(root));
    into_.selection_note = budget_.selection_note;
    if (!selection_.workers.empty()) of_workers();
    else if (selection_.time && !of_chunks_ && !threads_.empty()) of_time();
    else if (by_ == CoreTimeSplit::activities && selection_.empty()) of_prefixes();
    else of_budget();
    finish_root();
  }

 private:
  bool narrowed() const { return !selection_.empty(); }

  /// A part whose name somebody else chose: a dataset, a section, a worker. Its name is its
  /// segment; '(' begins the segments of parts without a name, so that no name is taken for one.
  std::uint32_t add(std::uint32_t parent, const char* kind, std::string label,
                    double core_seconds) {
    std::string segment = (label.starts_with('(') ? "(" : "") + label;
    return add(parent, kind, std::move(label), core_seconds, std::move(segment));
  }
  std::uint32_t add(std::uint32_t parent, const char* kind, std::string label, double core_seconds,
                    std::string segment) {
    Node node;
    node.parent = parent;
    node.kind = kind;
    node.segment = std::move(segment);
    node.label = std::move(label);
    node.core_seconds = std::max(0.0, value_or(core_seconds, 0));
    node.least = node.most = node.core_seconds;
    into_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(into_.nodes.size() - 1);
  }
  Node& at(std::uint32_t node) { return into_.nodes[node]; }

  void split_threads(std::uint32_t node, const ThreadTime& time, bool measured) {
    if (!(time.all > 0) || !(time.cpu + time.waiting > 0)) return;
    at(node).on_cpu = measured ? time.cpu : at(node).core_seconds * time.cpu / time.all;
    at(node).waiting = measured ? time.waiting : at(node).core_seconds * time.waiting / time.all;
    at(node).split_measured = measured;
  }
  // Prefixes are few.
  ThreadTime& of_prefix(StringId prefix) {
    for (ThreadTime& time : threads_) {
      if (time.prefix == prefix) return time;
    }
    threads_.push_back({.prefix = prefix});
    return threads_.back();
  }
  ThreadTime of_processor() const {
    for (const ThreadTime& time : threads_) {
      if (time.prefix == processor_ && processor_ != no_string) return time;
    }
    return {};
  }
  void split_as_processor(std::uint32_t node) { split_threads(node, of_processor(), false); }

  // --- what the whole is made of ---

  std::uint32_t add_processor_part(const char* kind, const char* label, double seconds,
                                   std::string note, bool estimated) {
    const std::uint32_t node = add(0, kind, label, seconds, kind);
    at(node).note = std::move(note);
    if (estimated) at(node).certainty = "estimated";
    split_as_processor(node);
    return node;
  }

  void of_budget() {
    const bool lost_is_estimate =
        budget_.of(PartKind::lost_work) > 0 &&
        !find_lost_work(run_, processor_, execute_seconds(run_, processor_)).exact;
    const double spread = value_or(budget_.of(PartKind::outside_process), 0) +
                          value_or(budget_.of(PartKind::lost_work), 0);
    for (const BudgetPart& part : budget_.parts) {
      switch (part.kind) {
        case PartKind::inside_process:
          unfold_inside(add_processor_part("inside_process", "Inside process()", part.core_seconds,
                                           part.source, false));
          break;
        case PartKind::processor_tasks:
          unfold_tasks(add_processor_part("processor_tasks", "Processor tasks", part.core_seconds,
                                          part.source, false));
          break;
        case PartKind::outside_process:
        case PartKind::lost_work: {
          const bool outside = part.kind == PartKind::outside_process;
          const std::uint32_t node =
              add_processor_part(outside ? "outside_process" : "lost_work",
                                 outside ? "Outside process()" : "Lost work", part.core_seconds,
                                 part.source, lost_is_estimate);
          // How much of the two is which is an estimate: it may be all of one.
          if (lost_is_estimate) {
            at(node).least = 0;
            at(node).most = spread;
          }
          if (outside) unfold_outside(node);
          else unfold_lost(node, begin_, end_, lost_is_estimate);
          break;
        }
        case PartKind::not_in_process: {
          const std::uint32_t node =
              add(0, "not_in_process", part.label, part.core_seconds, "not_in_process");
          at(node).certainty = "not known";
          at(node).note = part.source;
          break;
        }
        case PartKind::idle: idle_ = part.core_seconds; break;
        default: break;
      }
    }
    add_other_tasks();
    add_idle(idle_, "available − Σ execute seconds of all task prefixes", true);
  }

  /// Of a range of time, by the course of the whole run.
  void of_time() {
    const CoreTimeCourse course = core_time_course(run_, selection_, options_, course_bins);
    const TimeBins& bins = course.bins;
    const auto within = [&](const std::vector<double>& seconds) {
      double sum = 0;
      bins.each_overlap(begin_, end_, [&](std::size_t bin, double overlap) {
        sum += seconds[bin] * std::min(1.0, overlap / bins.width());
      });
      return sum;
    };
    const ChunkSelection chosen(run_, selection_);
    double used = 0;
    double of_tasks = 0;
    for (const CoreTimeCourse::Part& part : course.parts) {
      if (part.kind == PartKind::inside_process || part.kind == PartKind::outside_process ||
          part.kind == PartKind::lost_work)
        of_tasks += within(part.seconds);
    }
    for (const CoreTimeCourse::Part& part : course.parts) {
      double seconds = within(part.seconds);
      const std::string note = "in the selected time; " + course.source;
      switch (part.kind) {
        case PartKind::inside_process: {
          if (run_.chunks.placed) seconds = inside_of(chosen);
          const std::uint32_t node = add_processor_part(
              "inside_process", "Inside process()", seconds,
              "Σ (t_end − t_start) over chunks, cut to the selected time", !part.exact);
          unfold_inside(node);
          break;
        }
        case PartKind::outside_process:
          unfold_outside(add_processor_part("outside_process", "Outside process()", seconds, note,
                                            !part.exact),
                         value_or(ratio(of_tasks, of_processor().all), 1));
          break;
        case PartKind::lost_work: {
          const std::uint32_t node =
              add_processor_part("lost_work", "Lost work", seconds, note, !part.exact);
          unfold_lost(node, begin_, end_, !part.exact);
          break;
        }
        case PartKind::processor_tasks:
          unfold_tasks(
              add_processor_part("processor_tasks", "Processor tasks", seconds, note, !part.exact));
          break;
        case PartKind::task: {
          const std::uint32_t node = add(0, "other_tasks", "Other tasks", seconds, "other_tasks");
          at(node).note = note;
          if (!part.exact) at(node).certainty = "estimated";
          break;
        }
        default: continue;
      }
      used += seconds;
    }
    if (!is_absent(budget_.available))
      add_idle(budget_.available - used, "available − the other parts", !run_.tasks.key.empty());
    into_.source = course.source;
    into_.selection_note =
        by_ == CoreTimeSplit::functions && sampled_ ? (shares() == nullptr ? "" : shares()->note)
        : by_ == CoreTimeSplit::functions
            ? "Profiles keep no times: functions are of the whole run, and not shown for a range "
              "of it."
        : by_ == CoreTimeSplit::activities
            ? "Activities are totals of the whole run, and not shown for a range of it."
            : "";
  }

  /// Of some workers, by the task stream: chunks carry no worker.
  void of_workers() {
    const WorkerSelection chosen(run_, selection_);
    const Tasks& tasks = run_.tasks;
    const StringId compute = run_.names->strings.find("compute");
    double processor = 0;
    double others = 0;
    bool any = false;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks.action[i] != compute) continue;
      any = true;
      const std::size_t w = run_.workers.find(tasks.worker[i]);
      if (w == run_.workers.size() || !chosen[w]) continue;
      const double seconds =
          std::max(0.0, value_or(std::min(tasks.t1[i], end_) - std::max(tasks.t0[i], begin_), 0));
      (tasks.prefix[i] == processor_ ? processor : others) += seconds;
    }
    if (!any) {
      at(0).core_seconds = value_or(budget_.available, 0);
      return;
    }
    const std::uint32_t node =
        add_processor_part("processor_tasks", "Processor tasks", processor,
                           "compute seconds of these workers, from the task stream; chunks carry "
                           "no worker, so process() is not separated",
                           false);
    unfold_tasks(node);
    at(add(0, "other_tasks", "Other tasks", others, "other_tasks")).note =
        "compute seconds of these workers, from the task stream";
    add_idle(budget_.available - processor - others, "available − tasks of the task stream", true);
    into_.selection_note =
        "Chunks carry no worker: inside and outside process() are together, repeated work among "
        "them.";
    if (!sampled_) into_.selection_note += " Profiles keep no times.";
  }

  /// By task prefix, whose activities Dask counted.
  void of_prefixes() {
    for (const BudgetPart& part : budget_.parts) {
      if (part.kind == PartKind::idle) idle_ = part.core_seconds;
    }
    if (of_processor().all > 0) {
      const std::uint32_t node =
          add(0, "processor_tasks", "Processor tasks", of_processor().all, "processor_tasks");
      at(node).note = "Σ execute seconds of " + std::string(run_.text(processor_)) +
                      ": inside and outside process(), and work done again";
      split_threads(node, of_processor(), true);
      unfold_activities(node, processor_);
    }
    add_other_tasks();
    add_idle(idle_, "available − Σ execute seconds of all task prefixes", true);
    if (threads_.empty()) of_budget();
  }

  void add_other_tasks() {
    if (narrowed()) return;
    std::vector<const ThreadTime*> others;
    std::vector<double> seconds;
    ThreadTime all;
    for (const ThreadTime& time : threads_) {
      if (time.prefix == processor_) continue;
      others.push_back(&time);
      seconds.push_back(time.all);
      all.all += time.all;
      all.cpu += time.cpu;
      all.waiting += time.waiting;
    }
    if (others.empty()) return;
    const std::uint32_t node = add(0, "other_tasks", "Other tasks", all.all, "other_tasks");
    at(node).note = "Σ execute seconds of all task prefixes but the processor's";
    split_threads(node, all, true);
    for (const std::uint32_t i : most_first(seconds)) {
      const ThreadTime& time = *others[i];
      const bool named = time.prefix != no_string;
      const std::string name = named ? std::string(run_.text(time.prefix)) : "(no task prefix)";
      const std::uint32_t child = named ? add(node, "task", name, time.all)
                                        : add(node, "task", name, time.all, "(no_task_prefix)");
      at(child).note = "Σ execute seconds of " + name;
      split_threads(child, time, true);
      if (by_ == CoreTimeSplit::activities) unfold_activities(child, time.prefix);
    }
  }

  void add_idle(double seconds, const char* note, bool causes) {
    if (is_absent(seconds)) return;
    const std::uint32_t node = add(0, "idle", "Idle", seconds, "idle");
    at(node).note = note;
    at(node).on_cpu = at(node).waiting = 0;
    at(node).split_measured = true;
    seconds = at(node).core_seconds;
    if (!causes || !(seconds > 0)) return;
    const IdleTime idle =
        find_idle(run_, WorkerSelection(run_, selection_), processor_, begin_, end_);
    const double sum = std::accumulate(idle.seconds.begin(), idle.seconds.end(), 0.0);
    if (!(sum > 0)) return;
    for (std::size_t i = 0; i < idle.seconds.size(); ++i) {
      if (!(idle.seconds[i] > 0)) continue;
      const std::uint32_t child =
          add(node, "idle_cause", std::string(idle_causes[i]), seconds * idle.seconds[i] / sum);
      at(child).note = idle_note(static_cast<IdleCause>(i), idle.exact);
      const auto cause = static_cast<IdleCause>(i);
      if (cause == IdleCause::unknown) {
        at(child).certainty = "not known";
      } else if (!idle.exact || (!idle.states && (cause == IdleCause::nothing_ready ||
                                                  cause == IdleCause::held_back))) {
        at(child).certainty = "estimated";
        at(child).least = 0;
        at(child).most = seconds;
      }
    }
  }

  static std::string idle_note(IdleCause cause, bool exact) {
    const char* const basis = exact ? "; gaps of the task stream, scaled to the idle time"
                                    : "; by heartbeats at each tick, scaled to the idle time";
    const auto with = [&](const char* text) { return std::string(text) + basis; };
    switch (cause) {
      case IdleCause::starting: return with("before the worker's first task of the processor");
      case IdleCause::between_tasks: return with("gaps shorter than 150 ms");
      case IdleCause::nothing_ready:
        return with("no more tasks were assigned to the worker than it executed");
      case IdleCause::held_back:
        return with("more tasks were assigned to the worker than it executed");
      case IdleCause::fetching: return with("while the worker fetched results of others");
      case IdleCause::leaving: return with("after the last task of a worker that left");
      case IdleCause::tail: return with("after the last task of the processor had begun");
      case IdleCause::unassigned:
        return with("tasks were ready, and none was assigned to the worker");
      case IdleCause::paused: return with("Dask had paused the worker: its memory was nearly full");
      case IdleCause::unknown: break;
    }
    return with("nothing recorded says why");
  }

  /// The whole is its parts: where they are more than was available, so is it.
  void finish_root() {
    double sum = 0;
    ThreadTime all;
    for (std::size_t i = 1; i < into_.nodes.size(); ++i) {
      if (into_.nodes[i].parent == 0) sum += into_.nodes[i].core_seconds;
    }
    Node& root = at(0);
    const double available = budget_.available;
    root.note = "the time that the cores could have worked";
    for (const BudgetPart& part : budget_.parts) {
      if (part.kind == PartKind::available) root.note = part.source;
    }
    if (budget_.estimated) root.certainty = "estimated";
    if (is_absent(available)) {
      root.label = "Recorded core-time";
      root.note = "the number of cores was not recorded: the total is unknown";
      root.core_seconds = sum;
    } else {
      root.core_seconds = available;
      if (sum > available * (1 + 1e-9)) {
        into_.excess = sum - available;
        root.note += "; its parts sum to " + format_core_seconds(into_.excess) + " more";
      }
      if (sum < available * (1 - 1e-12) && into_.nodes.size() > 1) {
        const std::uint32_t rest =
            add(0, "not_in_process", "Not separated", available - sum, "not_in_process");
        at(rest).certainty = "not known";
        at(rest).note = "available − the parts that are known";
      }
    }
    if (into_.nodes.size() == 1 && !(root.core_seconds > 0)) {
      into_.missing =
          "neither the number of cores nor chunks nor fine metrics were recorded: there is no "
          "core-time to split";
    }
    Node& whole = at(0);
    whole.least = whole.most = whole.core_seconds;
    if (narrowed()) return;
    for (const ThreadTime& time : threads_) {
      all.cpu += time.cpu;
      all.waiting += time.waiting;
      all.all += time.all;
    }
    split_threads(0, all, true);
  }

  // --- what the parts are made of ---

  double chunk_seconds(std::size_t i) const {
    const double timed = run_.chunks.t_end[i] - run_.chunks.t_start[i];
    return value_or(is_absent(timed) ? run_.chunks.duration[i] : timed, 0);
  }
  double inside_of(const ChunkSelection& chosen) const {
    double sum = 0;
    for (std::size_t i = 0; i < run_.chunks.size(); ++i) sum += chosen.share[i] * chunk_seconds(i);
    return sum;
  }

  void unfold_inside(std::uint32_t node) {
    switch (by_) {
      case CoreTimeSplit::functions:
        if (sampled_) unfold_functions(node);
        else
          into_.selection_note +=
              std::string(into_.selection_note.empty() ? "" : "; ") +
              "profiles hold neither times nor chunks: functions are not shown for a selection";
        break;
      case CoreTimeSplit::datasets: unfold_chunks(node, true); break;
      case CoreTimeSplit::sections: unfold_chunks(node, false); break;
      case CoreTimeSplit::activities: break;
    }
  }

  /// Sections of one dataset, or datasets of one section.
  struct Cell {
    std::string name;
    double seconds = 0;
  };

  void unfold_chunks(std::uint32_t node, bool datasets_first) {
    const ChunkSelection chosen(run_, selection_);
    const Chunks& c = run_.chunks;
    const ChunkGroups& datasets = chunk_groups(run_, ChunkKey::dataset);
    // Seconds by dataset and section; what a chunk's sections leave over, and chunks whose
    // sections exceed them, are sections of their own.
    std::vector<std::string> sections = {"in no section", "overlapping sections"};  // by kind
    std::unordered_map<StringId, std::size_t> number;
    std::vector<double> in_sections(c.size(), 0);
    for (const SectionValue& value : c.sections) {
      if (value.kind != SectionValue::Kind::seconds || is_absent(value.value)) continue;
      in_sections[value.chunk] += value.value;
      if (number.try_emplace(value.name, sections.size()).second)
        sections.emplace_back(run_.text(value.name));
    }
    std::vector<std::vector<double>> seconds(datasets.size(),
                                             std::vector<double>(sections.size(), 0));
    std::vector<bool> exceeded(c.size(), false);
    for (std::size_t i = 0; i < c.size(); ++i) {
      const double whole = chosen.share[i] * chunk_seconds(i);
      exceeded[i] = sections_exceed(in_sections[i], chunk_seconds(i));
      auto& row = seconds[datasets.of[i]];
      if (exceeded[i]) row[1] += whole;
      else row[0] += std::max(0.0, whole - chosen.share[i] * in_sections[i]);
    }
    for (const SectionValue& value : c.sections) {
      if (value.kind != SectionValue::Kind::seconds || is_absent(value.value) ||
          exceeded[value.chunk])
        continue;
      // A section may end a blink after its chunk: it has no more than there is.
      const double fits =
          std::min(1.0, value_or(ratio(chunk_seconds(value.chunk), in_sections[value.chunk]), 1));
      seconds[datasets.of[value.chunk]][number[value.name]] +=
          chosen.share[value.chunk] * value.value * fits;
    }
    const std::size_t outer = datasets_first ? datasets.size() : sections.size();
    const std::size_t inner = datasets_first ? sections.size() : datasets.size();
    const auto cell = [&](std::size_t o, std::size_t i) {
      return datasets_first ? seconds[o][i] : seconds[i][o];
    };
    const bool any_section = !number.empty();
    if (!datasets_first && !any_section) {
      at(node).note += "; no sections were recorded (track_section)";
      return;
    }
    std::vector<double> sums(outer, 0);
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) sums[o] += cell(o, i);
    }
    std::vector<double> cells(inner);
    for (const std::uint32_t o : most_first(sums)) {
      if (!(sums[o] > 0)) continue;
      const auto part = [&](std::uint32_t parent, bool is_dataset, std::size_t i, double value) {
        return is_dataset ? add_dataset(parent, datasets.name[i], value)
                          : add_section(parent, sections[i], value,
                                        i == 0   ? SectionKind::none
                                        : i == 1 ? SectionKind::overlapping
                                                 : SectionKind::named);
      };
      const std::uint32_t child = part(node, datasets_first, o, sums[o]);
      if (datasets_first && !any_section) continue;
      for (std::size_t i = 0; i < inner; ++i) cells[i] = cell(o, i);
      for (const std::uint32_t i : most_first(cells)) {
        if (cell(o, i) > 0) part(child, !datasets_first, i, cell(o, i));
      }
    }
  }

  std::uint32_t add_dataset(std::uint32_t parent, std::string_view name, double seconds) {
    const std::uint32_t node = name.empty()
                                   ? add(parent, "dataset", "(no dataset)", seconds, "(no_dataset)")
                                   : add(parent, "dataset", std::string(name), seconds);
    at(node).note = "Σ (t_end − t_start) over its chunks";
    split_as_processor(node);
    return node;
  }

  enum class SectionKind : std::uint8_t { named, none, overlapping };

  std::uint32_t add_section(std::uint32_t parent, const std::string& name, double seconds,
                            SectionKind kind) {
    const std::uint32_t node =
        kind == SectionKind::named ? add(parent, "section", name, seconds)
        : kind == SectionKind::none
            ? add(parent, "no_section", name, seconds, "(no_section)")
            : add(parent, "overlapping_sections", name, seconds, "(overlapping_sections)");
    at(node).note = kind == SectionKind::named  ? "Σ of the section's seconds"
                    : kind == SectionKind::none ? "time in process() outside all sections"
                                                : "chunks whose sections sum to more than the "
                                                  "chunk: nested, or used twice";
    if (kind == SectionKind::overlapping) at(node).certainty = "not known";
    split_as_processor(node);
    return node;
  }

  void unfold_activities(std::uint32_t node, StringId prefix) {
    const Activities& a = run_.activities;
    std::vector<StringId> activities;
    std::vector<double> seconds;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a.prefix[i] != prefix || run_.text(a.context[i]) != "execute" ||
          run_.text(a.unit[i]) != "seconds")
        continue;
      const auto known = std::find(activities.begin(), activities.end(), a.activity[i]);
      const auto place = static_cast<std::size_t>(known - activities.begin());
      if (known == activities.end()) {
        activities.push_back(a.activity[i]);
        seconds.push_back(0);
      }
      seconds[place] += a.value[i];
    }
    for (const std::uint32_t i : most_first(seconds)) {
      const double value = seconds[i];
      if (!(value > 0)) continue;
      const std::string name(run_.text(activities[i]));
      const std::uint32_t child = add(node, "activity", name, value);
      at(child).note = "Σ seconds of " + name + ", by Dask's fine metrics";
      at(child).on_cpu = name == "thread-cpu" ? value : 0;
      at(child).waiting = name == "thread-noncpu" ? value : 0;
      at(child).split_measured = true;
    }
  }

  /// By what it was lost to: what tasks raised, then workers whose results were needed again.
  void unfold_lost(std::uint32_t node, double begin, double end, bool estimated) {
    const Tasks& tasks = run_.tasks;
    if (estimated || !(at(node).core_seconds > 0)) return;
    std::vector<double> by_worker(run_.workers.size() + 1, 0);  // the last: of unknown ones
    std::map<std::string_view, double> by_exception;
    double sum = 0;
    for (const std::size_t record : executions_in_vain(run_, processor_)) {
      const double seconds =
          value_or(std::min(tasks.t1[record], end) - std::max(tasks.t0[record], begin), 0);
      if (!(seconds > 0)) continue;
      if (run_.text(tasks.status[record]) == "error")
        by_exception[exception_class(run_.text(tasks.exception[record]))] += seconds;
      else by_worker[run_.workers.find(tasks.worker[record])] += seconds;
      sum += seconds;
    }
    if (!(sum > 0)) return;
    const double scale = at(node).core_seconds / sum;
    for (const auto& [name, seconds] : by_exception) {
      const std::uint32_t child =
          name.empty() ? add(node, "exception", "failed", seconds * scale, "(failed)")
                       : add(node, "exception", std::string(name), seconds * scale);
      at(child).note = "executions that failed with it and were run again: from the task stream";
      split_as_processor(child);
    }
    for (const std::uint32_t w : most_first(by_worker)) {
      if (!(by_worker[w] > 0)) break;
      const double seconds = by_worker[w] * scale;
      const std::uint32_t child =
          w == run_.workers.size()
              ? add(node, "worker", "(unknown)", seconds, "(unknown)")
              : add(node, "worker", worker_label(run_, run_.workers.address[w]), seconds,
                    std::string(run_.text(run_.workers.address[w])));
      at(child).note = "done by this worker, and again elsewhere: from the task stream";
      split_as_processor(child);
    }
  }

  // --- by the profile ---

  /// Samples as core-seconds, between what is certain and what is possible.
  void set_samples(std::uint32_t node, const ProfileShares::Samples& samples, double scale,
                   double whole) {
    Node& to = at(node);
    const double share = whole > 0 ? std::min(1.0, samples.count / whole) : 0;
    const double error = two_sided_95 * std::sqrt(samples.count * (1 - share));
    const auto seconds = [&](double count) { return scale * std::clamp(count, 0.0, whole); };
    to.least = std::min(to.core_seconds, least_ * seconds(samples.least - error));
    to.most = std::max(to.core_seconds, seconds(samples.most + error));
    to.open = scale * samples.open;
    to.blocked = scale * samples.blocked;
    to.samples = samples.count;
    to.certainty = "sampled";
    split_as_processor(node);
  }

  void add_owner(std::uint32_t parent, const ProfileShares& shares, std::size_t owner, double scale,
                 double whole) {
    const ProfileShares::Owner& own = shares.owners[owner];
    const FrameFacts& facts = *shares.facts;
    const auto segment = [&](FrameId frame) {
      return facts.name[frame] + "@" + facts.file[frame] + ":" + std::to_string(facts.line[frame]);
    };
    const auto place = [&](std::uint32_t node, FrameId frame) {
      at(node).frame = frame;
      at(node).file = facts.file[frame];
      if (facts.line[frame] > 0) at(node).line = facts.line[frame];
      at(node).category = name_of(facts.category[frame]);
    };
    const bool is_function = own.inside;
    const std::uint32_t node =
        add(parent, is_function ? "function" : "purpose",
            is_function ? facts.name[own.frame] : own.purpose, scale * own.samples.count,
            is_function ? segment(own.frame) : own.purpose);
    if (is_function) place(node, own.frame);
    at(node).note = is_function
                        ? "own time: samples of which this was the innermost function of your "
                          "analysis, libraries below it included"
                        : "samples outside process(), by what was on the stack";
    set_samples(node, own.samples, scale, whole);
    for (const std::uint32_t l : libraries_of_[owner]) {
      const ProfileShares::Library& library = shares.libraries[l];
      const std::string name = library.unknown ? "not separated"
                               : is_function && library.category == Category::analysis
                                   ? "its own lines"
                                   : std::string(name_of(library.category));
      const std::uint32_t below = add(node, "library", name, scale * library.samples.count);
      at(below).note = library.unknown ? "samples whose innermost frame is unknown"
                                       : "samples whose innermost frame was in this code";
      if (!library.unknown) at(below).category = name_of(library.category);
      set_samples(below, library.samples, scale, whole);
      if (library.unknown) at(below).certainty = "not known";
      for (const std::uint32_t i : leaves_of_[l]) {
        const ProfileShares::Leaf& leaf = shares.leaves[i];
        const std::uint32_t last = add(below, "leaf", facts.name[leaf.frame],
                                       scale * leaf.samples.count, segment(leaf.frame));
        place(last, leaf.frame);
        at(last).note = "samples whose innermost frame was this function";
        set_samples(last, leaf.samples, scale, whole);
      }
    }
  }

  const ProfileShares* shares() {
    if (asked_) return shares_.get();
    asked_ = true;
    shares_ = profile_shares(run_, selection_);
    if (!shares_) return nullptr;
    libraries_of_.resize(shares_->owners.size());
    leaves_of_.resize(shares_->libraries.size());
    for (std::uint32_t l = 0; l < shares_->libraries.size(); ++l)
      libraries_of_[shares_->libraries[l].owner].push_back(l);
    for (std::uint32_t i = 0; i < shares_->leaves.size(); ++i)
      leaves_of_[shares_->leaves[i].library].push_back(i);
    return shares_.get();
  }

  void unfold_functions(std::uint32_t node) {
    const ProfileShares* const profile = shares();
    const double seconds = at(node).core_seconds;
    if (profile == nullptr || !(profile->inside > 0) || !(seconds > 0)) {
      at(node).note += profile == nullptr
                           ? "; no profile was recorded, so functions are not separated"
                           : "; the profile has no sample of it";
      return;
    }
    scale_ = seconds / profile->inside;
    at(node).note += "; " + format_count(profile->inside, "sample") + " under process(), " +
                     format_seconds(scale_) + " each";
    for (std::size_t owner = 0; owner < profile->owners.size(); ++owner) {
      if (profile->owners[owner].inside) add_owner(node, *profile, owner, scale_, profile->inside);
    }
  }

  /// `part` of the time of the processor's tasks is in what is selected.
  void unfold_outside(std::uint32_t node, double part = 1) {
    if (by_ != CoreTimeSplit::functions || !sampled_ || !selection_.workers.empty()) return;
    const ProfileShares* const profile = shares();
    const double seconds = at(node).core_seconds;
    if (profile == nullptr || !(profile->outside > 0) || !(seconds > 0)) return;
    const ThreadTime all = of_processor();
    const double lost = value_or(ratio(budget_.of(PartKind::lost_work), all.all), 0);
    const double around = std::clamp(all.around * (part - lost), 0.0, seconds);
    // Dask samples a task as long as its thread runs it: that part is the samples', as inside.
    double scale = (seconds - around) / profile->outside;
    if (scale_ > 0) scale = std::min(scale, most_apart * scale_);
    if (scale_ > 0) least_ = std::min(1.0, scale_ / scale);
    double told = around;
    for (std::size_t owner = 0; owner < profile->owners.size(); ++owner) {
      if (profile->owners[owner].inside) continue;
      add_owner(node, *profile, owner, scale, profile->outside);
      told += scale * profile->owners[owner].samples.count;
    }
    least_ = 1;
    if (around > 0) {
      const std::uint32_t dask = add(node, "purpose", "Before and after (Dask)", around);
      at(dask).note =
          "handing the task to a thread and back, unpacking and packing: Σ of Dask's fine metrics "
          "of the tasks, without the time of their threads";
      split_as_processor(dask);
    }
    if (seconds - told > 1e-9 * seconds) {
      const std::uint32_t rest = add(node, "unsampled", "Not sampled", seconds - told);
      at(rest).certainty = "not known";
      at(rest).note =
          "time of the tasks' threads for which there are too few samples: the profile was cut, or "
          "forgot";
      split_as_processor(rest);
    }
  }

  void unfold_tasks(std::uint32_t node) {
    if (by_ != CoreTimeSplit::functions || !sampled_) return;
    const ProfileShares* const profile = shares();
    const double samples = profile == nullptr ? 0 : profile->inside + profile->outside;
    if (!(samples > 0) || !(at(node).core_seconds > 0)) return;
    const double scale = at(node).core_seconds / samples;
    for (std::size_t owner = 0; owner < profile->owners.size(); ++owner)
      add_owner(node, *profile, owner, scale, samples);
    if (!profile->note.empty()) at(node).note += "; " + profile->note;
  }

  const Run& run_;
  const Selection selection_;
  const Options& options_;
  CoreTimeSplit by_;
  CoreTimeTree& into_;
  StringId processor_;
  Budget budget_;
  double begin_ = 0, end_ = 0;
  bool of_chunks_ = false;
  bool sampled_ = true;  // a profile can be had of what is selected
  double idle_ = absent;
  std::vector<ThreadTime> threads_;  // by task prefix, in order of first appearance
  bool asked_ = false;
  std::shared_ptr<const ProfileShares> shares_;
  std::vector<std::vector<std::uint32_t>> libraries_of_, leaves_of_;
  double scale_ = absent;  // [s] a sample stands for, inside process()
  double least_ = 1;       // of what samples are scaled to: at the scale inside
};

}  // namespace

std::string CoreTimeTree::id(std::uint32_t node) const {
  std::string id = nodes[node].segment;
  for (std::uint32_t up = nodes[node].parent; up != CoreTimeNode::none; up = nodes[up].parent)
    id = nodes[up].segment + "/" + id;
  return id;
}

std::uint32_t CoreTimeTree::depth(std::uint32_t node) const {
  std::uint32_t depth = 0;
  for (std::uint32_t up = nodes[node].parent; up != CoreTimeNode::none; up = nodes[up].parent)
    ++depth;
  return depth;
}

double CoreTimeTree::begin(std::uint32_t node) const {
  double begin = 0;
  for (std::uint32_t up = nodes[node].parent; up != CoreTimeNode::none;
       node = up, up = nodes[up].parent) {
    for (const std::uint32_t sibling : children[up]) {
      if (sibling == node) break;
      begin += nodes[sibling].core_seconds;
    }
  }
  return begin;
}

std::uint32_t CoreTimeTree::find(std::string_view id) const {
  if (id.empty()) return 0;
  std::uint32_t node = 0;
  std::string_view rest = id;
  if (!rest.starts_with(nodes[0].segment)) return CoreTimeNode::none;
  rest.remove_prefix(nodes[0].segment.size());
  while (!rest.empty()) {
    // Names may hold a '/': of two that fit, the longer one is meant.
    std::uint32_t best = CoreTimeNode::none;
    for (const std::uint32_t child : children[node]) {
      const std::string& name = nodes[child].segment;
      const bool fits = rest.substr(1).starts_with(name) &&
                        (rest.size() == name.size() + 1 || rest[name.size() + 1] == '/');
      if (fits && (best == CoreTimeNode::none || name.size() > nodes[best].segment.size()))
        best = child;
    }
    if (best == CoreTimeNode::none) return best;
    node = best;
    rest.remove_prefix(nodes[best].segment.size() + 1);
  }
  return node;
}

std::shared_ptr<const CoreTimeTree> core_time_tree(const Run& run, const Selection& selection,
                                                   const Options& options, CoreTimeSplit by) {
  const Selection narrowing = effective(run, selection);
  const auto make = [&] {
    CoreTimeTree tree;
    Builder(run, narrowing, options, by, tree).build();
    tree.children.resize(tree.nodes.size());
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i)
      tree.children[tree.nodes[i].parent].push_back(i);
    return tree;
  };
  if (!narrowing.empty()) return std::make_shared<const CoreTimeTree>(make());
  return kept_of(run).trees.of({by, find_processor(run, options).prefix}, make);
}

}  // namespace crema::runtime
