#include "core/compare/sides.hpp"

#include <iterator>

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/compare/compared_rows.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/replay.hpp"

namespace crema::compare {

using namespace runtime;
using namespace predict;

namespace {

constexpr double much_cores = 0.25;  // natural log: another number of them

/// By what share a part of that kind must be slower to be found in 9 of 10 comparisons: the part
/// that is hardest to judge.
double shown(const SpeedRatio& speed, double core_time, Effect::Kind kind) {
  const std::vector<const Effect*> tested = tested_parts(speed, core_time, true);
  double least = absent;
  for (const Effect* part : tested) {
    if (part->id.kind != kind || !std::isfinite(part->log_ratio)) continue;
    const double errors = stats::errors_of_p_value(level_of_one(tested.size()), part->dof) + z_90;
    // A dataset that changes also moves what all parts have in common, by up to five of its errors
    // (changes of the promised size in three sets of replicates); a section hardly does.
    const double moved = kind == Effect::Kind::dataset ? 5 * speed.error : 0;
    const double share = elementary::expm1(errors * part->error + moved + part->allowed);
    least = std::max(value_or(least, share), share);
  }
  return least;
}

Spent spent_of(const Run& run, const ChunkSelection& chosen, const Selection& selection,
               const Options& options) {
  Spent spent;
  spent.elapsed = selection.time ? selection.time->end - selection.time->begin : run.elapsed;
  if (run.chunks.size() > 0) spent.process = chosen.prorated_sum(run.chunks.duration);
  std::set<std::tuple<StringId, StringId, double, double>> seen;
  double listed = 0, events_again = 0;
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    const Chunks& c = run.chunks;
    const double events = value_or(c.events[i], 0);
    listed += events;
    if (is_absent(c.entry_start[i] + c.entry_stop[i]) ||
        seen.emplace(c.dataset[i], c.file[i], c.entry_start[i], c.entry_stop[i]).second)
      continue;
    events_again += events;
    spent.repeated += chosen[i] ? chosen.share[i] * value_or(c.duration[i], 0) : 0;
  }
  spent.events = total_events(run);
  // Where chunks are all that tells it, those that ran again are among them.
  if (spent.events == listed) spent.events -= events_again;
  const Budget budget = compute_budget(run, selection, options);
  spent.available = budget.available;
  for (const BudgetPart& part : budget.parts) {
    if (part.split() != "phase" || part.kind == BudgetPart::Kind::inside_process) continue;
    spent.outside[{part.kind, part.label}] += value_or(part.core_seconds, 0);
  }
  return spent;
}

/// Ports from here on are given out anew at each start (Linux): another one is no other place.
constexpr double first_passing_port = 32768;

/// "cache.example.org", without a port that is another one the next time.
std::string_view lasting_name(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool is_passing =
      colon < host.size() && parse_number(host.substr(colon + 1)) >= first_passing_port;
  return is_passing ? host.substr(0, colon) : host;
}

/// Where files are: hosts, and folders of those that are local.
std::set<std::string> places_of(const Run& run) {
  std::set<std::string> places;
  for (const StringId id : run.chunks.file) {
    if (id == no_string) continue;
    const std::string_view file = run.text(id);
    const std::string_view host = host_of(file);
    places.emplace(host == "local" ? file.substr(0, file.rfind('/') + 1) : lasting_name(host));
  }
  return places;
}

/// The hosts that ran tasks, as the recorder names them.
std::set<std::string> machines_of(const Run& run) {
  const auto& tasks = run.recording.tasks;
  std::set<StringId> hosts;
  for (std::size_t row = 0; row < tasks.size(); ++row)
    hosts.insert(tasks.text(recorded_columns::Task::host, row));
  hosts.erase(no_string);
  std::set<std::string> machines;
  for (const StringId host : hosts) machines.emplace(run.text(host));
  return machines;
}

/// log(cores of B / of A), where it is more than workers that come and go.
double more_threads(const Spent& a, const Spent& b) {
  const double more =
      elementary::log(ratio(b.available, b.elapsed) / ratio(a.available, a.elapsed));
  return std::fabs(more) > much_cores ? more : 0;
}

Spent mean_of(std::span<const Spent> runs) {
  const auto mean = [&](double Spent::*member) { return moments(numbers_of(runs, member)).mean; };
  Spent all{.elapsed = mean(&Spent::elapsed),
            .process = mean(&Spent::process),
            .available = mean(&Spent::available),
            .events = mean(&Spent::events),
            .repeated = mean(&Spent::repeated)};
  for (const Spent& run : runs) {
    for (const auto& [phase, seconds] : run.outside)
      all.outside[phase] += seconds / static_cast<double>(runs.size());
  }
  return all;
}

/// Whether what changed against what cells agree on did so against the rest as well; what did not
/// is judged anew in `speed`.
bool all_stand_out(const SpeedRatio& told, SpeedRatio& speed) {
  bool stands = true;
  for (auto& [id, part] : speed.parts) {
    if (!part.is_significant || !std::isfinite(part.log_ratio)) continue;
    const Effect& now = *told.find(id);
    if (now.errors() * part.errors() > 0 && std::fabs(now.errors()) > z_95) continue;
    part.is_significant = stands = false;
  }
  return stands;
}

/// Whether a dataset or a file took longer because its chunks had no CPU: that is nothing of
/// theirs.
bool waited_for_cpu(const Effect& part, const MeasuredChange& measured) {
  PartId id = part.id;
  if (id.kind == PartId::Kind::evenly) id.kind = PartId::Kind::dataset;
  const auto waited = measured.for_cpu.find(id);
  return waited != measured.for_cpu.end() && part.errors() > z_95 &&
         waited->second >= most_of_change * part.excess();
}

/// B's times in process(), by chunk of A: of a chunk without a pair what the others leave.
std::vector<double> inside_of_a(const Explanation& e, const Run& a, const Options& options) {
  std::vector<double> inside = replay_trace_of(a, options).inside;
  double paired = 0, unpaired = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (is_absent(e.speed.inside[i])) unpaired += inside[i];
    else paired += e.speed.inside[i];
  }
  const double left = unpaired > 0 ? std::max(0.0, e.b.process - paired) / unpaired : 0;
  for (std::size_t i = 0; i < inside.size(); ++i)
    inside[i] = value_or(e.speed.inside[i], inside[i] * left);
  return inside;
}

}  // namespace

Explanation explain(std::span<const Run* const> runs, std::size_t runs_of_a,
                    const Selection& selection, const Options& options) {
  Explanation e;
  const double spread = options.number(run_spread_option);
  std::vector<ChunkSelection> chosen;
  std::vector<Spent> spent;
  for (const Run* run : runs) {
    chosen.emplace_back(*run, selection);
    spent.push_back(spent_of(*run, chosen.back(), selection, options));
  }
  e.a = mean_of(std::span(spent).first(runs_of_a));
  e.b = mean_of(std::span(spent).subspan(runs_of_a));
  e.measured = measured_change(runs.first(runs_of_a), runs.subspan(runs_of_a), chosen);
  const std::set<std::string> places = places_of(*runs[0]);
  std::set<std::string> machines = machines_of(*runs[0]);
  std::vector<SpeedRatio> speeds;
  std::vector<double> speed_of_a = {0};
  std::vector<double> speed_of_b;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const std::set<std::string> others = places_of(*runs[i]);
    if (!machines.empty() && machines_of(*runs[i]) != machines) machines.clear();
    const bool is_elsewhere =
        !places.empty() && !others.empty() &&
        none_of(places, [&](const std::string& place) { return others.contains(place); });
    const auto setup = compare_setup(*runs[0], *runs[i], selection, options);
    const bool is_layout = any_of(setup, [](const ComparedNumber& row) {
      const double more = row.delta();
      return changes_speed(row) && (row.a.text != row.b.text || (!is_absent(more) && more != 0));
    });
    const ConfigDifference config{
        .threads = more_threads(spent[0], spent[i]), .input = is_elsewhere, .layout = is_layout};
    speeds.push_back(compare_speed(*runs[0], chosen[0], *runs[i], chosen[i], spread, config));
    (i < runs_of_a ? speed_of_a : speed_of_b).push_back(speeds.back().factor);
    if (i != runs_of_a) continue;
    e.config = config;
    e.input_a.assign(places.begin(), places.end());
    e.input_b.assign(others.begin(), others.end());
  }
  e.machines.assign(machines.begin(), machines.end());
  e.speed = combine(speeds, runs_of_a);
  if (!e.speed.known()) {
    speed_of_a.clear();
    speed_of_b.clear();
    for (std::size_t i = 0; i < runs.size(); ++i)
      (i < runs_of_a ? speed_of_a : speed_of_b).push_back(elementary::log(spent[i].elapsed));
  }
  e.spread_is_told = tell_spread(runs, runs_of_a);
  e.between = between_runs(speed_of_a, speed_of_b, spread, e.spread_is_told ? 0 : assumed_dof);
  const double core_time = value_or(e.b.available, e.b.process);
  for (auto& [id, part] : e.speed.parts) {
    part.is_of_cpu = waited_for_cpu(part, e.measured);
    part.is_of_moment = part.is_of_moment || part.is_of_cpu;
  }
  if (e.speed.known()) mark_significant(e.speed, core_time);
  // Of several runs a side, pairs are of the first of A alone: what they leave says nothing.
  const double floor =
      runs.size() == 2 ? least_share * core_time : std::numeric_limits<double>::infinity();
  for (;;) {
    e.causes = causes_of(e.speed, e.a, e.b, floor, selection.time.has_value());
    // Where a cost per chunk is open, so is what the rest has in common.
    if (!e.speed.known() || e.speed.resized != 0) break;
    SpeedRatio told = e.speed;
    settle_on_rest(told, e.causes, e.a, e.b);
    if (!all_stand_out(told, e.speed) || !are_all_needed(e.causes, e.speed)) continue;
    e.speed = std::move(told);
    break;
  }
  if (e.speed.known()) {
    // Beside process() more chunks cost as much more.
    const double beside = e.speed.resized == 0 ? e.speed.factor : -e.speed.resized;
    if (is_same_work(e)) {
      if (runs.size() == 2 && selection.empty())
        e.elapsed =
            elapsed_change(*runs[0], *runs[1], inside_of_a(e, *runs[0], options), beside, options);
      e.outside = outside_of(e.a, e.b, beside, e.elapsed);
    }
    e.shown_dataset = shown(e.speed, core_time, Effect::Kind::dataset);
    e.shown_section = shown(e.speed, core_time, Effect::Kind::section);
  }
  return e;
}

bool is_open(const Explanation& e) {
  return e.speed.resized != 0 && !e.causes.empty() &&
         std::fabs(e.causes.back().seconds) > std::fabs(change_of(e)) / 2;
}

bool is_paced(const Explanation& e) {
  return e.speed.known() && std::fabs(elementary::expm1(e.speed.factor)) >= even && !is_open(e);
}

double more_events_in(const Explanation& e) { return value_or(ratio(e.b.events, e.a.events), 1); }
bool is_same_work(const Explanation& e) { return std::fabs(more_events_in(e) - 1) < least_share; }

Options options_for(const Run& run, const Options& options) {
  if (!options.has(processor_option)) return {};
  const StringId id = run.names->strings.find(options.text(processor_option));
  const auto& prefixes = run.activities.prefix;
  return !contains(prefixes, id) || id == no_string
             ? Options{}
             : Options(processor_option, options.text(processor_option));
}

std::vector<ComparedRun> compared_runs(std::span<const Run* const> runs, std::size_t of_a,
                                       const Selection& selection, const Options& options) {
  const Per per = options.choice<Per>(per_option);
  std::vector<ComparedRun> all;
  for (const Run* run : runs) {
    all.emplace_back(*run, selection, options_for(*run, options), per);
    if (is_absent(all.back().scale))
      throw Failure(
          ErrorCode::bad_option,
          "per=" + options.text(per_option) + ": " + (all.size() <= of_a ? "A" : "B") +
              (per == Per::share ? " has no available core-time" : " has no number of events"));
  }
  return all;
}

Comparison compare_sides(std::span<const Run* const> runs, const Selection& selection,
                         const Options& options) {
  const Per per = options.choice<Per>(per_option);
  const auto of_a = runs_of_a(options, runs.size());
  // which also says when that leaves none for B
  Comparison made{.explanation = explain(runs, of_a, selection, options),
                  .has_replicates = runs.size() > 2};
  const std::vector<ComparedRun> all = compared_runs(runs, of_a, selection, options);
  const ComparedSide a = std::span(all).first(of_a);
  const ComparedSide b = std::span(all).subspan(of_a);
  ComparedRows compared = compared_rows(a, b, per);
  made.rows = compare_setup(a[0].run, b[0].run, selection, options);
  std::move(compared.rows.begin(), compared.rows.end(), std::back_inserter(made.rows));
  made.not_compared = std::move(compared.not_compared);

  const auto mean = [](ComparedSide side, const auto& value) {
    return moments(numbers_of(side, value)).mean;
  };
  const auto core_time = [](const ComparedRun& one) {
    const double of_process = one.budget.of(BudgetPart::Kind::inside_process);
    return value_or(value_or(one.budget.available, of_process), 0) * one.scale;
  };
  const double more_events =
      value_or(ratio(mean(b, &ComparedRun::events), mean(a, &ComparedRun::events)), 1);
  const double more =
      more_events * ratio(mean(b, &ComparedRun::scale), mean(a, &ComparedRun::scale));
  Judge judge{.explanation = made.explanation,
              .factor = elementary::exp(made.explanation.speed.factor) * more,
              .core_time = mean(b, core_time),
              .has_replicates = made.has_replicates,
              .runs = comparability_of(runs.first(of_a), runs.subspan(of_a)),
              .run_spread = options.number(predict::run_spread_option)};
  Explanation& e = made.explanation;
  const double beside_one =
      per == Per::absolute ? factor_beside_one(compared, made.rows, e) : absent;
  const std::optional<SpeedRatio> common =
      is_absent(beside_one) ? std::nullopt : std::optional(e.speed);
  if (common) {
    // what follows a common factor in its own way does so within a part of it
    e.speed.between_group_spread *= std::fabs(beside_one / common->factor);
    e.speed.factor = beside_one;
    judge.factor *= elementary::exp(beside_one - common->factor);
  }
  judge.judge(made.rows);
  const std::size_t causes = e.causes.size();
  if (per == Per::absolute)
    add_changed_function(compared, made.rows, judge.factor, judge.core_time, e);
  // Where it is not certain which of the readings holds, rows have a verdict by the milder one.
  if (common && e.causes.size() == causes) e.speed = *common;
  show_as_in_tree(compared, judge.factor, made.rows);
  return made;
}

}  // namespace crema::compare
