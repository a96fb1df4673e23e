#include "core/model/recording.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/collect.hpp"

namespace crema {

using Kind = RecordedColumn::Kind;
using recorded_columns::Call;
using recorded_columns::Sample;
using recorded_columns::Section;
using recorded_columns::Task;

std::string whole_text(double number) {
  // Doubles of 2^53 and more may be beyond any integer.
  return std::fabs(number) < 9007199254740992.0 ? std::to_string(static_cast<std::int64_t>(number))
                                                : number_text(number);
}

std::string process_address(std::string_view worker, std::string_view host, double pid) {
  if (is_dask_worker(worker) || worker == "client" || !std::isfinite(pid))
    return std::string(worker);
  return std::string(host) + "/" + whole_text(pid);
}

void RecordedRows::resize(std::size_t rows) {
  size_ = rows;
  for (std::vector<double>& column : columns_) {
    if (!column.empty()) column.resize(rows, absent);
  }
}

void RecordedRows::append(const RecordedRows& part, const First& first) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::vector<double>& into = columns_[i];
    const std::vector<double>& from = part.columns_[i];
    if (into.empty() && from.empty()) continue;
    const Kind kind = declared_[i].kind;
    const std::size_t before = kind == Kind::task      ? first.task
                               : kind == Kind::section ? first.section
                               : kind == Kind::call    ? first.call
                                                       : 0;
    const std::size_t rows = size_ + part.size_;
    // a recording that is followed grows part by part: a quarter more is room enough
    if (into.capacity() < rows) into.reserve(rows + rows / 4);
    into.resize(size_, absent);
    for (const double value : from) into.push_back(value + static_cast<double>(before));
    into.resize(rows, absent);
  }
  size_ += part.size_;
}

void RecordedTables::append(RecordedTables&& part) {
  if (is_absent(index.begin)) index = std::move(part.index);
  if (part.source.empty() || (!source.empty() && part.teller > teller)) return;
  if (teller == Teller::batch)  // a log for each job
    index.begin = std::fmin(index.begin, part.index.begin);
  if (source.empty() || part.teller < teller) {
    part.index = std::move(index);
    *this = std::move(part);
    return;
  }
  for (auto& [name, column] : part.other) {
    std::vector<double>& into = other[name];
    into.resize(tasks.size(), absent);
    into.insert(into.end(), column.begin(), column.end());
  }
  const RecordedRows::First first{tasks.size(), sections.size(), calls.size()};
  std::vector<const RecordedRows*> parts;
  each_table(part, [&](const RecordedRows& table) { parts.push_back(&table); });
  std::size_t next = 0;
  each_table(*this, [&](RecordedRows& table) { table.append(*parts[next++], first); });
}

namespace {

/// Of the seconds for which each call was seen, and those of them on a CPU. The recorder measures
/// from within what it wraps: what it calls is its caller's, and only what it does itself is shown.
CallTree tree_of(const RecordedTable<Call>& calls, Names& names, std::vector<double> seconds,
                 const std::vector<double>& on_cpu) {
  // Callers come before those that they call, so sums run backwards.
  std::vector<std::vector<std::uint32_t>> called(seconds.size());
  std::vector<std::uint32_t> outermost;
  double whole = 0;
  for (auto i = static_cast<std::uint32_t>(seconds.size()); i-- > 0;) {
    if (seconds[i] == 0) continue;
    const std::uint32_t caller = calls.row(Call::caller, i);
    if (caller < i) {
      seconds[caller] += seconds[i];
      called[caller].push_back(i);
    } else {
      whole += seconds[i];
      outermost.push_back(i);
    }
  }
  CallTree tree;
  tree.kind = CallTree::Kind::worker;
  tree.by_rows = true;
  tree.leaves = CallTree::Leaves::counted;
  tree.unit = "s";
  const auto add = [&](NodeId parent, FrameId frame, double amount, double line, double cpu) {
    tree.on_cpu.push_back(cpu);
    return tree.add(parent, frame, amount, line > 0 ? static_cast<std::uint32_t>(line) : 0);
  };
  const FrameId root =
      names.frames.intern(names.strings.intern("root"), names.strings.intern(""), 0);
  const StringId recorder = names.strings.find("<crema>");
  const NodeId top = add(no_node, root, whole, 0, 0);
  std::vector<std::pair<std::uint32_t, NodeId>> open;  // a call, and the node of its caller
  for (const std::uint32_t call : outermost) open.emplace_back(call, top);
  while (!open.empty()) {
    const auto [call, parent] = open.back();
    open.pop_back();
    const auto frame = static_cast<FrameId>(calls.at(Call::called, call));
    const bool passes_on = parent != top && names.frames.file[frame] == recorder;
    double own = seconds[call];
    for (std::size_t i = 0; passes_on && i < called[call].size(); ++i)
      own -= seconds[called[call][i]];
    if (passes_on && !(own > 1e-9 * seconds[call])) {
      for (const std::uint32_t inner : called[call]) open.emplace_back(inner, parent);
      continue;
    }
    const NodeId node = add(parent, frame, own, calls.at(Call::line, call), on_cpu[call]);
    for (const std::uint32_t inner : called[call])
      open.emplace_back(inner, passes_on ? parent : node);
  }
  if (any_of(tree.on_cpu, is_absent)) tree.on_cpu.clear();
  return tree;
}

/// What `sum` of something is, shared out by `weights`, where none may have more than its `most`:
/// what one cannot have is the others'.
std::vector<double> shared_out(double sum, const std::vector<double>& weights,
                               const std::vector<double>& most) {
  std::vector<double> shares(weights.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) open.push_back(i);
  while (!open.empty() && sum > 0) {
    double all = 0;
    for (const std::size_t i : open) all += weights[i];
    const auto is_full = [&](std::size_t i) { return sum * weights[i] >= all * most[i]; };
    const auto full = std::partition(open.begin(), open.end(), std::not_fn(is_full));
    if (full == open.end()) {
      for (const std::size_t i : open) shares[i] = sum * weights[i] / all;
      break;
    }
    for (auto i = full; i != open.end(); ++i) sum -= shares[*i] = most[*i];
    open.erase(full, open.end());
  }
  return shares;
}

/// [s] Of each sample, on a CPU: the samples of a task are so for as much of their time as the task
/// was. How that is shared out between those that tell, the looks themselves say; the others have
/// the task's mean. All absent where it was not recorded.
std::vector<double> seconds_on_cpu(const RecordedTables& of) {
  const std::size_t count = of.samples.size();
  std::vector<double> on_cpu(count, absent);
  if (of.samples.column(static_cast<std::size_t>(Sample::cpu)).empty()) return on_cpu;
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    const std::uint32_t task = of.samples.row(Sample::task, begin);
    while (end < count && of.samples.row(Sample::task, end) == task) ++end;
    if (task == no_row) continue;
    const double mean = std::fmin(of.tasks.at(Task::cpu, task) / of.tasks.at(Task::wall, task), 1);
    std::vector<double> weights, most;
    double known = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_known = !is_absent(of.samples.at(Sample::cpu, i));
      most.push_back(value_or(of.samples.at(Sample::wall, i), 0));
      weights.push_back(is_known ? of.samples.at(Sample::cpu, i) : 0);
      known += is_known ? most.back() : 0;
    }
    const std::vector<double> shares =
        is_absent(mean) ? weights : shared_out(mean * known, weights, most);
    for (std::size_t i = begin; i < end; ++i)
      on_cpu[i] = is_absent(of.samples.at(Sample::cpu, i)) ? mean * of.samples.at(Sample::wall, i)
                                                           : shares[i - begin];
  }
  return on_cpu;
}

/// Of each section, which of the run's different ones it is: from 1, by its name and those that it
/// lies in. 0 stands for none.
std::vector<std::uint32_t> kinds_of_sections(const RecordedTables& of) {
  std::map<std::pair<std::uint32_t, StringId>, std::uint32_t> known;
  std::vector<std::uint32_t> kinds(of.sections.size());
  for (std::uint32_t i = 0; i < kinds.size(); ++i) {
    const std::uint32_t parent = of.sections.row(Section::parent, i);
    const std::pair key(parent < i ? kinds[parent] : 0, of.sections.text(Section::name, i));
    kinds[i] = known.try_emplace(key, static_cast<std::uint32_t>(known.size()) + 1).first->second;
  }
  return kinds;
}

/// Scales the samples in process() of each section, without those in it, to what was measured of
/// it, and of the rest likewise.
void scale_to_sections(const RecordedTables& of, const std::vector<std::uint32_t>& inside,
                       std::vector<double>& seconds, std::vector<double>& on_cpu) {
  const std::vector<std::uint32_t> kinds = kinds_of_sections(of);
  if (kinds.empty()) return;
  const std::size_t count = *std::max_element(kinds.begin(), kinds.end()) + std::size_t{1};
  std::vector<double> measured(count, 0), seen(count, 0);
  for (std::size_t task = 0; task < of.tasks.size(); ++task)
    measured[0] += value_or(of.tasks.at(Task::process_wall, task), 0);
  for (std::uint32_t i = 0; i < kinds.size(); ++i) {
    const std::uint32_t task = of.sections.row(Section::task, i);
    const std::uint32_t parent = of.sections.row(Section::parent, i);
    const double wall = of.sections.at(Section::wall, i);
    if (task == no_row || is_absent(of.tasks.at(Task::process_wall, task)) || !(wall > 0)) continue;
    measured[kinds[i]] += wall;
    measured[parent < i ? kinds[parent] : 0] -= wall;
  }
  const auto kind_of = [&](std::uint32_t sample) {
    const std::uint32_t section = of.samples.row(Sample::section, sample);
    return section == no_row ? 0 : kinds[section];
  };
  double all = 0, known = 0;
  for (const std::uint32_t i : inside) seen[kind_of(i)] += seconds[i], all += seconds[i];
  for (std::size_t kind = 0; kind < count; ++kind) {
    measured[kind] = seen[kind] > 0 ? std::max(0.0, measured[kind]) : 0;
    known += measured[kind];
  }
  if (!(known > 0)) return;
  // The time of a section without a sample is spread over the others.
  for (const std::uint32_t i : inside) {
    const double by = measured[kind_of(i)] / seen[kind_of(i)] * all / known;
    seconds[i] *= by;
    on_cpu[i] *= by;
  }
}

/// What each sample stands for [s], and of that on a CPU.
struct SampledSeconds {
  std::vector<double> wall, on_cpu;
};

/// What was seen of the tasks whose process() was measured, in it and outside of it, and of all
/// others is scaled to what was measured of each. Looks come by chance, and none comes when a task
/// ends.
SampledSeconds seconds_of_samples(const RecordedTables& of, const Names& names) {
  const StringId called_process = names.strings.find("process");
  std::vector<bool> in_process(of.calls.size(), false);
  for (std::uint32_t i = 0; i < in_process.size(); ++i) {
    const std::uint32_t caller = of.calls.row(Call::caller, i);
    const auto frame = static_cast<FrameId>(of.calls.at(Call::called, i));
    in_process[i] =
        (caller < i && in_process[caller]) || names.frames.name[frame] == called_process;
  }
  enum : std::uint8_t { inside, outside, other, parts };
  std::array<double, parts> seen{}, measured{};
  std::vector<std::uint8_t> part(of.samples.size(), parts);
  std::vector<std::uint32_t> in_chunks;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const std::uint32_t task = of.samples.row(Sample::task, i);
    const std::uint32_t call = of.samples.row(Sample::call, i);
    const double wall = of.samples.at(Sample::wall, i);
    if (task == no_row || !(wall > 0)) continue;
    part[i] = is_absent(of.tasks.at(Task::process_wall, task)) ? other
              : call != no_row && in_process[call]             ? inside
                                                               : outside;
    seen[part[i]] += wall;
    if (part[i] == inside) in_chunks.push_back(i);
  }
  // A lost task and one that only Dask told of have no CPU seconds, and nobody looked at them.
  const bool tell_of_cpu = !of.tasks.column(static_cast<std::size_t>(Task::cpu)).empty();
  for (std::size_t task = 0; task < of.tasks.size(); ++task) {
    if (tell_of_cpu && is_absent(of.tasks.at(Task::cpu, task))) continue;
    const double process = of.tasks.at(Task::process_wall, task);
    const double wall = value_or(of.tasks.at(Task::wall, task), 0);
    measured[inside] += value_or(process, 0);
    measured[is_absent(process) ? other : outside] += wall - value_or(process, 0);
  }
  SampledSeconds sampled{std::vector<double>(part.size(), absent), seconds_on_cpu(of)};
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] == parts) continue;
    const double by = measured[part[i]] / seen[part[i]];
    sampled.wall[i] = of.samples.at(Sample::wall, i) * by;
    sampled.on_cpu[i] *= by;
  }
  scale_to_sections(of, in_chunks, sampled.wall, sampled.on_cpu);
  return sampled;
}

}  // namespace

std::vector<CallTree> RecordedTables::trees(Names& names,
                                            const std::function<Taken(std::size_t)>& taken) const {
  struct Seen {
    std::vector<double> seconds, on_cpu;  // of each call
    double all = 0, looks = 0;
  };
  const SampledSeconds sampled = seconds_of_samples(*this, names);
  std::map<StringId, Seen> workers;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::uint32_t call = samples.row(Sample::call, i);
    const double wall = sampled.wall[i];
    const auto [worker, part] = call == no_row || !(wall > 0) ? Taken{} : taken(i);
    if (worker == no_string || !(part > 0)) continue;
    Seen& seen = workers[worker];
    seen.seconds.resize(calls.size(), 0.0);
    seen.on_cpu.resize(calls.size(), 0.0);
    seen.seconds[call] += part * wall;
    seen.on_cpu[call] += part * sampled.on_cpu[i];
    seen.all += part * wall;
    seen.looks += part * samples.at(Sample::looks, i);
  }
  std::vector<CallTree> made;
  for (auto& [worker, seen] : workers) {
    CallTree& tree = made.emplace_back(tree_of(calls, names, std::move(seen.seconds), seen.on_cpu));
    tree.worker = worker;
    tree.source = source;
    tree.interval = ratio(seen.all, seen.looks);
  }
  return made;
}

}  // namespace crema
