#include "core/model/run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace crema {

std::optional<std::int64_t> parse_naive_time(std::string_view text) {
  constexpr std::string_view form = "0000-11-22T33:44:55";
  std::array<unsigned, 6> parts{};  // year, month, day, hour, minute, second
  if (text.size() < form.size()) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const auto part = static_cast<std::size_t>(form[i] - '0');
    const auto digit = static_cast<unsigned>(text[i] - '0');
    if (part >= parts.size() ? text[i] != form[i] && !(form[i] == 'T' && text[i] == ' ')
                             : digit > 9)
      return std::nullopt;
    if (part < parts.size()) parts[part] = 10 * parts[part] + digit;
  }
  const auto [year, month, day_of_month, hour, minute, second] = parts;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(month), std::chrono::day(day_of_month)};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  std::int64_t micros = 0;
  if (text.size() > 19 && text[19] == '.') {
    std::int64_t scale = 100000;
    for (std::size_t i = 20; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i, scale /= 10)
      micros += (text[i] - '0') * scale;
  }
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + hour) * 60 + minute) * 60000000LL + second * 1000000LL + micros;
}

std::string_view name_of(Severity severity) {
  constexpr std::string_view names[] = {"low", "medium", "high"};
  return names[static_cast<std::size_t>(severity)];
}

double Run::stored_value(std::string_view id) const {
  const Stored* const found = first_where(stored, [&](const Stored& s) { return s.id == id; });
  return found == nullptr ? absent : found->value;
}

Run::Window Run::window() const {
  if (!is_absent(elapsed)) return {0, elapsed};
  double end = absent;
  for (const std::vector<double>* times : {&ticks, &chunks.t_end, &tasks.t1})
    for (const double t : *times) end = std::fmax(end, t);
  // Spans tell how long their clusters were there, and are asked only where nothing finer is.
  for (std::size_t i = 0; i < spans.size() && ticks.empty() && chunks.size() + tasks.size() == 0;
       ++i) {
    end = std::fmax(end, spans[i].stop);
    for (const Span::Threads& threads : spans[i].nthreads) end = std::fmax(end, threads.end);
  }
  return {0, end};
}

void Run::add_note(const char* id, Severity severity, std::string_view message,
                   std::string_view file, std::string_view path, std::uint64_t offset,
                   std::size_t count) {
  // The same data note again is counted, not repeated: a broken column may have a million bad
  // values.
  for (DataNote& known : data_notes) {
    if (known.id == id && known.file == file && known.message == message) {
      known.count += count;
      return;
    }
  }
  data_notes.push_back(
      {id, severity, std::string(file), offset, std::string(path), std::string(message), count});
}

void Chunks::resize(std::size_t chunks) {
  const auto widen = [&](auto& column) {
    using Value = typename std::remove_reference_t<decltype(column)>::value_type;
    if constexpr (std::is_same_v<Value, double>) column.resize(chunks, absent);
    else column.resize(chunks, no_string);  // which is no_set, too
  };
  static_assert(no_string == no_set);
  std::apply([&](auto&... columns) { (widen(columns), ...); }, columns_of(*this));
  worker.clear();
  task.clear();
}

std::uint32_t Chunks::set_of(std::vector<StringId> branches) {
  const auto found = std::find(branch_sets.begin(), branch_sets.end(), branches);
  const auto number = static_cast<std::uint32_t>(found - branch_sets.begin());
  if (found == branch_sets.end()) branch_sets.push_back(std::move(branches));
  return number;
}

void Chunks::keep(const std::vector<bool>& kept) {
  std::vector<std::uint32_t> number(kept.size(), 0);  // of each chunk afterwards
  for (std::uint32_t i = 1; i < kept.size(); ++i) number[i] = number[i - 1] + (kept[i - 1] ? 1 : 0);
  // Columns may be shorter than the list: what they lack is absent.
  const auto keep_of = [&](auto& column) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (kept[i]) column[to++] = column[i];
    }
    column.resize(to);
  };
  std::apply([&](auto&... columns) { (keep_of(columns), ...); }, columns_of(*this));
  for (auto& [name, column] : extra) keep_of(column);
  std::erase_if(sections, [&](const SectionValue& section) { return !kept[section.chunk]; });
  for (SectionValue& section : sections) section.chunk = number[section.chunk];
}

std::size_t Files::find(StringId file_name) const {
  const auto found = index_.find(file_name);
  return found == index_.end() ? size() : found->second;
}

std::size_t Files::intern(StringId file_name) {
  const auto [entry, is_new] = index_.try_emplace(file_name, name.size());
  if (!is_new) return entry->second;
  name.push_back(file_name);
  for (auto* column : {&compression_ratio, &branches_total, &tree_bytes, &bytes_read,
                       &branches_read_fraction, &bytes_read_fraction}) {
    column->push_back(absent);
  }
  return name.size() - 1;
}

void Activities::sum(StringId in_context, StringId of_prefix, StringId an_activity,
                     StringId in_unit, double amount) {
  for (std::size_t i = 0; i < size(); ++i) {
    if (context[i] == in_context && prefix[i] == of_prefix && activity[i] == an_activity &&
        unit[i] == in_unit) {
      value[i] += amount;
      return;
    }
  }
  add(in_context, of_prefix, an_activity, in_unit, amount);
}

double TickSeries::last(TickRange ticks) const {
  const TickRange known = within(ticks);
  for (std::size_t tick = known.end; tick-- > known.begin;) {
    if (!is_absent(at(tick))) return at(tick);
  }
  return absent;
}

void TickSeries::set(std::size_t tick, double value) {
  if (values.empty()) first_tick = static_cast<std::uint32_t>(tick);
  if (tick < first_tick) {
    values.insert(values.begin(), first_tick - tick, absent);
    first_tick = static_cast<std::uint32_t>(tick);
  }
  if (tick >= end_tick()) values.resize(tick - first_tick + 1, absent);
  values[tick - first_tick] = value;
}

std::size_t Workers::intern(StringId worker_address) {
  const auto [entry, is_new] =
      index_.try_emplace(worker_address, static_cast<std::uint32_t>(size()));
  if (is_new) {
    address.push_back(worker_address);
    name.push_back(no_string);
    host.push_back(no_string);
    job.push_back(no_string);
    nthreads.push_back(absent);
    memory_limit.push_back(absent);
    machine.emplace_back();
    for (auto& one : series) one.emplace_back();
  }
  return entry->second;
}

std::size_t Workers::find(StringId worker_address) const {
  const auto found = index_.find(worker_address);
  return found == index_.end() ? size() : found->second;
}

const RunFigures::Number* RunFigures::find(std::string_view id) const {
  return first_where(numbers, [&](const Number& one) { return one.id == id; });
}

double RunFigures::number(std::string_view id) const {
  const Number* const one = find(id);
  return one == nullptr ? absent : one->value;
}

std::string_view prefix_of_row(const Run& run, std::size_t row) {
  using recorded_columns::Task;
  const std::string_view kind = run.text(run.recording.tasks.text(Task::kind, row));
  if (kind == "file") return "automatic_retries";
  if (kind == "merge") return "reduce";
  const StringId function = run.recording.tasks.text(Task::function, row);
  return function == no_string ? kind : run.text(function);
}

}  // namespace crema
