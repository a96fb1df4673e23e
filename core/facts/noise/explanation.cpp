#include "core/facts/noise/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/base/elementary.hpp"
#include "core/base/error.hpp"
#include "core/base/number_format.hpp"
#include "core/base/visible.hpp"
#include "core/facts/budget.hpp"
#include "core/facts/comparison.hpp"
#include "core/facts/noise/discoveries.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/report_counts.hpp"

namespace crema::facts {

namespace {

using Kind = Departure::Kind;

constexpr double enough = 0.8;  // of a change, to say what it is
constexpr std::size_t most_said = 3;
constexpr double small = 0.1;  // of the largest part: counted, not named
constexpr double even = 0.03;  // a common factor nearer to 1 is not worth a word

std::string with_sign(const std::string& text, double value) {
  return (value < 0 ? "−" : "+") + text;
}
std::string core_seconds(double value) {
  return with_sign(format_core_seconds(std::fabs(value)), value);
}

std::string faster_or_slower(double ratio) {
  return format_percent(std::fabs(ratio - 1)) + (ratio < 1 ? " faster" : " slower");
}

std::string in_all(double ratio, bool same_work) {
  return faster_or_slower(ratio) + (same_work ? "" : " per event");
}

double more_events_in(const Explanation& e) { return value_or(ratio(e.b.events, e.a.events), 1); }
bool is_same_work(const Explanation& e) { return std::fabs(more_events_in(e) - 1) < least_share; }

std::string part_text(const Cause& cause, double change) {
  std::string text = core_seconds(cause.seconds);
  const double share = ratio(cause.seconds, change);
  if (share > 0 && share < 1.005) text += " (" + format_percent(share) + ")";
  const Departure& part = cause.part;
  text += (part.kind == Kind::worker ? " on " : " in ") + cause.label;
  if (part.chunks > 1) {
    text += part.seconds_a == 0 ? ", which A does not have"
            : part.seconds_b == 0
                ? ", which B does not have"
                : ": " + format_count(static_cast<double>(part.chunks), "chunk") + ", " +
                      with_sign(format_seconds(std::fabs(cause.seconds) /
                                               static_cast<double>(part.chunks)),
                                cause.seconds) +
                      " each";
  }
  return text;
}

/// "+1.2 s of the elapsed time beside process(): idle cores (+2.1 core-s)"
std::string outside_text(const Outside& outside) {
  std::string text = with_sign(format_seconds(std::fabs(outside.elapsed)), outside.elapsed) +
                     " of the elapsed time beside process(): ";
  for (std::size_t i = 0; i < outside.causes.size(); ++i) {
    const Cause& cause = outside.causes[i];
    text += (i == 0 ? "" : "; ") + cause.label + " (" + core_seconds(cause.seconds) + ")";
  }
  return text;
}

/// What the two sides have not alike, with values where they are short.
std::string unlike(std::span<const Run* const> runs, std::size_t runs_of_a,
                   const Selection& selection, const Options& options) {
  std::string text;
  for (const Compared& row : compare_setup(*runs[0], *runs[runs_of_a], selection, options)) {
    const bool both = !is_absent(row.a.value) && !is_absent(row.b.value);
    const bool differs =
        row.a.text != row.b.text || (both && row.a.value != row.b.value) || !row.note.empty();
    if (!differs) continue;
    std::string label = row.label;
    label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
    text += (text.empty() ? "" : "; ") + label;
    const auto amount = [&](const Side& side) {
      return row.unit == "byte" ? format_memory(side.value) : format_number(side.value);
    };
    if (both && row.a.value != row.b.value) text += " " + amount(row.a) + " → " + amount(row.b);
    else if (!row.a.text.empty() && row.id != "setup.config")
      text += " " + visible(row.a.text) + " → " + visible(row.b.text);
  }
  return text;
}

double mean_of(std::span<const Run* const> runs, const std::function<double(const Run&)>& value) {
  std::vector<double> values;
  for (const Run* run : runs) values.push_back(value(*run));
  return moments(values).mean;
}

/// The share from which on a part of that kind would typically have shown.
double shown(const Pace& pace, Kind kind) {
  std::vector<double> least;
  for (const auto& [id, part] : pace.parts) {
    if (part.kind == kind && std::isfinite(part.log_ratio))
      least.push_back(elementary::expm1(seen * part.error + part.allowed));
  }
  return median_of(least);
}

/// Waiting is recorded for the whole run only: what it says is "consistent with".
std::string waiting_text(std::span<const Run* const> a, std::span<const Run* const> b,
                         const Options& options, double change) {
  const auto of = [&](std::span<const Run* const> runs, const char* activity) {
    return mean_of(runs, [&](const Run& run) {
      return run.activities_recorded
                 ? activity_sum(run, find_processor(run, options).prefix, activity, "seconds")
                 : absent;
    });
  };
  const double on_cpu = of(b, "thread-cpu") - of(a, "thread-cpu");
  const double waiting = of(b, "thread-noncpu") - of(a, "thread-noncpu");
  const double all = on_cpu + waiting;
  if (is_absent(all) || all * change <= 0 || std::fabs(all) < std::fabs(change) / 2) return {};
  const bool waits = waiting / all >= enough;
  if (!waits && on_cpu / all < enough) return {};
  return "Consistent with " +
         std::string(waits ? "waiting rather than computing: "
                           : "computing rather than waiting: ") +
         core_seconds(waits ? waiting : on_cpu) + " of " + core_seconds(all) +
         " in the processor's tasks, known for the whole run only. ";
}

void put_in_words(Explanation& e, std::span<const Run* const> runs, std::size_t runs_of_a,
                  const Selection& selection, const Options& options) {
  const auto a = runs.first(runs_of_a);
  const auto b = runs.subspan(runs_of_a);
  const double change = e.b.process - e.a.process;
  const double elapsed_ratio = ratio(e.b.elapsed, e.a.elapsed);
  // Less work is not faster work.
  const double more_events = more_events_in(e);
  const bool same_work = is_same_work(e);
  const double told = value_or(elapsed_ratio, ratio(e.b.process, e.a.process)) / more_events;
  const std::string amounts =
      is_absent(elapsed_ratio)
          ? is_absent(change) ? "" : " (" + core_seconds(change) + " in process())"
          : " (" + format_seconds(e.a.elapsed) + " → " + format_seconds(e.b.elapsed) +
                (is_absent(change) ? "" : ", " + core_seconds(change)) + ")";
  const bool same = std::fabs(told - 1) < least_share;
  const bool one_each = runs.size() == 2;
  const double log_factor = e.pace.known() ? e.pace.factor : elementary::log(told);
  const auto is_sure = [&](double log_change) {
    return chance_of(ratio(log_change, e.between.error), e.between.freedom) < false_discoveries;
  };
  const bool sure = is_sure(log_factor);
  // Where chunks tell nothing, what is known of the whole.
  const double outside = e.b.available - e.a.available - change;
  const bool is_outside = !e.pace.known() && std::fabs(outside) > std::fabs(change) &&
                          std::fabs(outside) > even * e.a.process;
  const std::string not_inside =
      is_outside ? core_seconds(outside) + " outside process(), idle cores included" : "";
  const bool has_unpaired = std::any_of(e.causes.begin(), e.causes.end(), [](const Cause& c) {
    return c.kind == Cause::Kind::unpaired;
  });
  std::vector<const Cause*> parts;
  for (const Cause& cause : e.causes) {
    if (cause.kind == Cause::Kind::part) parts.push_back(&cause);
  }
  const double factor = elementary::exp(log_factor);
  const bool paced = std::fabs(factor - 1) >= even;
  std::string text;
  std::string limits;
  if (is_absent(told)) {
    text = "Neither elapsed time nor chunks are known of both sides: nothing can be compared.";
  } else if (parts.empty() && e.outside.causes.empty() && !has_unpaired) {
    const bool told_sure = sure || is_sure(elementary::log(told));
    const std::string so_much =
        "B is " + (same ? "as fast as A" : in_all(told, same_work)) + amounts;
    text = told_sure        ? so_much
           : same || !paced ? "No change" + amounts
                            : "No change that is certain: " + so_much;
    if (e.pace.resized != 0)
      text +=
          ": its chunks are of another size, and costs per chunk may explain what differs "
          "between its parts.";
    else if (is_outside) text += ": " + not_inside + ".";
    else if (!e.pace.known() || (!told_sure && !paced)) text += ".";
    else if (told_sure) text += ", evenly: no dataset or section stands out.";
    else text += ", evenly, as on a slower or busier machine.";
    if (e.shown_dataset < 1) {
      text += " A dataset slower by " + format_percent(std::ceil(e.shown_dataset * 100) / 100) +
              " or more";
      if (e.shown_section < 1)
        text += ", a section by " + format_percent(std::ceil(e.shown_section * 100) / 100) +
                " or more,";
      text += " would have shown.";
    }
  } else {
    text = "B is " + (same ? "as fast as A" : in_all(told, same_work)) + amounts + ". ";
    // Parts are in order of size, but for those that only have a verdict.
    std::size_t said = 0;
    std::string causes;
    for (const Cause* part : parts) {
      if (said == most_said || std::fabs(part->seconds) < small * std::fabs(parts[0]->seconds))
        continue;
      causes += (said++ == 0 ? "" : "; ") + part_text(*part, change);
    }
    if (parts.size() > said)
      causes += "; and " + format_count(static_cast<double>(parts.size() - said), "smaller part");
    for (const Cause& cause : e.causes) {
      if (cause.kind == Cause::Kind::unpaired)
        causes += (causes.empty() ? "" : "; ") + core_seconds(cause.seconds) + " in " + cause.label;
    }
    if (!e.outside.causes.empty())
      causes += (causes.empty() ? "" : ". Besides, ") + outside_text(e.outside);
    // Where other chunks leave most of the change open, the pace is not known either.
    const double open = e.causes.empty() ? 0 : e.causes.back().seconds;
    if (e.pace.resized != 0 && std::fabs(open) > std::fabs(change) / 2)
      text += "Its chunks are of another size: costs per chunk may explain " + core_seconds(open) +
              ". Beyond that, ";
    else if (paced)
      text += (e.outside.causes.empty() ? "Everything " : "In process() everything ") +
              faster_or_slower(factor) + ", evenly" +
              (sure ? "; beyond that, "
                    : ": another pace of the machine would look the same. Beyond that, ");
    text += causes + ".";
    if (!parts.empty()) limits += "Not explained: " + core_seconds(e.causes.back().seconds) + ". ";
    limits += waiting_text(a, b, options, change);
  }
  if (is_outside && !parts.empty()) limits += not_inside + ". ";
  if (!e.pace.known() && !is_absent(told))
    limits += "Where it changed is not known: chunks are not recorded in both. ";
  else if (e.pace.resized != 0)
    limits += "Chunks do not pair: parts are judged beyond what costs per chunk can explain. ";
  if (one_each && !is_absent(told))
    limits += "One run a side: runs of one job are taken to differ in pace by " +
              format_percent(options.number(run_spread_option)) + ". ";
  if (const std::string differs = unlike(runs, runs_of_a, selection, options); !differs.empty())
    limits += "Not like for like: " + differs + ". ";
  if (!limits.empty()) limits.pop_back();
  if (!same_work)
    text = "Not the same work: B has " + format_percent(std::fabs(more_events - 1)) +
           (more_events < 1 ? " fewer" : " more") + " events. " + text;
  e.sentence = text;
  e.limits = limits;
}

}  // namespace

namespace {

Spent spent_of(const Run& run, const ChunkSelection& chosen, const Selection& selection,
               const Options& options) {
  Spent spent;
  spent.elapsed = selection.time ? selection.time->end - selection.time->begin : run.elapsed;
  if (run.chunks.size() > 0) spent.process = chosen.prorated_sum(run.chunks.duration);
  spent.events = total_events(run);
  const Budget budget = compute_budget(run, selection, options);
  spent.available = budget.available;
  for (const BudgetPart& part : budget.parts) {
    if (part.split() != "phase" || part.kind == BudgetPart::Kind::inside_process) continue;
    std::string label = part.label;
    if (part.kind == BudgetPart::Kind::idle) label = "idle cores";
    else if (part.kind == BudgetPart::Kind::task) label = "tasks " + visible(label);
    else label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
    spent.outside[label] += value_or(part.core_seconds, 0);
  }
  return spent;
}

Spent mean_of(std::span<const Spent> runs) {
  const auto mean = [&](double Spent::*member) {
    std::vector<double> values;
    for (const Spent& run : runs) values.push_back(run.*member);
    return moments(values).mean;
  };
  Spent all{.elapsed = mean(&Spent::elapsed),
            .process = mean(&Spent::process),
            .available = mean(&Spent::available),
            .events = mean(&Spent::events)};
  for (const Spent& run : runs) {
    for (const auto& [label, seconds] : run.outside)
      all.outside[label] += seconds / static_cast<double>(runs.size());
  }
  return all;
}

/// Chunks of files that only one run has do not pair: what they cost more is known, and not why.
void add_unpaired(Explanation& e) {
  const double alone = e.b.process - e.pace.seconds_b -
                       elementary::exp(e.pace.factor) * (e.a.process - e.pace.seconds_a);
  const double floor = least_share * value_or(e.b.available, e.b.process);
  if (!e.pace.paired || !(std::fabs(alone) >= floor)) return;
  e.causes.insert(e.causes.end() - 1, {.kind = Cause::Kind::unpaired,
                                       .label = "chunks that only one of the runs has",
                                       .seconds = alone});
}

}  // namespace

std::size_t runs_of_a(const Options& options, std::size_t runs) {
  const auto of_a = static_cast<std::size_t>(options.number(runs_of_a_option));
  if (of_a >= runs)
    throw Failure(ErrorCode::bad_option, "runs_of_a=" + std::to_string(of_a) + ": of " +
                                             std::to_string(runs) + " runs that leaves none for B");
  return of_a;
}

Explanation explain(std::span<const Run* const> runs, std::size_t runs_of_a,
                    const Selection& selection, const Options& options) {
  Explanation e;
  const double spread = options.number(run_spread_option);
  std::vector<ChunkSelection> chosen;
  for (const Run* run : runs) chosen.emplace_back(*run, selection);
  std::vector<Pace> paces;
  std::vector<double> pace_of_a = {0};
  std::vector<double> pace_of_b;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    paces.push_back(compare_pace(*runs[0], chosen[0], *runs[i], chosen[i], spread));
    (i < runs_of_a ? pace_of_a : pace_of_b).push_back(paces.back().factor);
  }
  e.pace = combine(paces, runs_of_a);
  std::vector<Spent> spent;
  for (std::size_t i = 0; i < runs.size(); ++i)
    spent.push_back(spent_of(*runs[i], chosen[i], selection, options));
  e.a = mean_of(std::span(spent).first(runs_of_a));
  e.b = mean_of(std::span(spent).subspan(runs_of_a));
  if (!e.pace.known()) {
    pace_of_a.clear();
    pace_of_b.clear();
    for (std::size_t i = 0; i < runs.size(); ++i)
      (i < runs_of_a ? pace_of_a : pace_of_b).push_back(elementary::log(spent[i].elapsed));
  }
  e.between = between_runs(pace_of_a, pace_of_b, spread);
  if (e.pace.known()) {
    tell(e.pace, value_or(e.b.available, e.pace.seconds_b));
    e.causes = causes_of(e.pace);
    if (runs.size() == 2) add_unpaired(e);
    // Other chunks cost otherwise, and not per event.
    if (is_same_work(e) && e.pace.resized == 0) e.outside = outside_of(e.a, e.b, e.pace.factor);
    e.shown_dataset = shown(e.pace, Kind::dataset);
    e.shown_section = shown(e.pace, Kind::section);
  }
  put_in_words(e, runs, runs_of_a, selection, options);
  return e;
}

}  // namespace crema::facts
