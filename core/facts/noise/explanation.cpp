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

constexpr double enough = 0.8;          // of what is to be explained
constexpr double most_of_parent = 0.6;  // a finer place that holds more is no finer place
constexpr std::size_t most_causes = 6;
constexpr std::size_t most_said = 3;
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

std::string label_of(const Departure& part) {
  const auto named = [](const char* what, const std::string& name) {
    return what + visible(name.empty() ? "(unnamed)" : name);
  };
  const std::string in = part.section.empty() ? "" : named("section ", part.section);
  switch (part.kind) {
    case Kind::dataset:
    case Kind::evenly: return named("dataset ", part.dataset);
    case Kind::section: return in;
    case Kind::cell: return in + " of " + named("dataset ", part.dataset);
    case Kind::file: return named("file ", part.file);
    case Kind::host: return named("host ", part.file);
    case Kind::chunk:
      return "one chunk (" + named("", part.file) + (in.empty() ? ")" : ") in " + in);
  }
  return {};
}

/// Whether seconds of `x` may be seconds of `picked`, too.
bool overlaps(const Departure& x, const Departure& picked) {
  const auto is_whole = [](const Departure& p) {
    return p.kind == Kind::file || p.kind == Kind::host || p.kind == Kind::evenly;
  };
  if (x.kind == Kind::chunk || picked.kind == Kind::chunk) return false;
  if (x.kind == Kind::host || picked.kind == Kind::host) return is_whole(x) && is_whole(picked);
  if (is_whole(x) != is_whole(picked)) {
    const Departure& whole = is_whole(x) ? x : picked;
    const Departure& fine = is_whole(x) ? picked : x;
    // a dataset's own share is what its sections have in common; a file's is all
    return whole.kind == Kind::file && (fine.dataset.empty() || fine.dataset == whole.dataset);
  }
  if (is_whole(x)) {
    return x.kind == picked.kind
               ? (x.kind == Kind::file ? x.file == picked.file : x.dataset == picked.dataset)
               : x.dataset == picked.dataset;
  }
  return x.section == picked.section &&
         (x.dataset.empty() || picked.dataset.empty() || x.dataset == picked.dataset);
}

bool is_finer(const Departure& child, const Departure& parent) {
  if (parent.kind == Kind::section)
    return child.kind == Kind::cell && child.section == parent.section;
  if (parent.kind == Kind::evenly)
    return child.kind == Kind::file && child.dataset == parent.dataset;
  return false;
}

/// What survived the many, by how much it explains.
std::vector<const Departure*> certain(const Pace& pace, double floor) {
  std::vector<const Departure*> all;
  std::vector<double> chances;
  std::set<std::string_view> hosts;
  for (const auto& [id, part] : pace.parts) {
    if (part.kind == Kind::host) hosts.insert(part.file);
  }
  for (const auto& [id, part] : pace.parts) {
    if (part.kind == Kind::dataset || (part.kind == Kind::host && hosts.size() < 2)) continue;
    all.push_back(&part);
    chances.push_back(chance_of(part.errors(), part.freedom));
  }
  const std::vector<bool> found = discoveries(chances);
  std::vector<const Departure*> sure_ones;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (found[i] && std::fabs(all[i]->excess()) >= floor) sure_ones.push_back(all[i]);
  }
  // A file is its dataset, where it explains no more.
  std::stable_sort(sure_ones.begin(), sure_ones.end(), [](const Departure* x, const Departure* y) {
    const auto weight = [](const Departure& p) {
      return std::fabs(p.excess()) * (p.kind == Kind::file ? 0.9 : 1);
    };
    return weight(*x) > weight(*y);
  });
  return sure_ones;
}

std::vector<Cause> causes_of(const Pace& pace, double floor) {
  const double evenly = pace.seconds_a * elementary::expm1(pace.factor);
  const double beyond = pace.seconds_b - pace.seconds_a - evenly;
  std::vector<Cause> causes = {
      {.kind = Cause::Kind::evenly,
       .label = "all parts alike",
       .seconds = evenly,
       .error = pace.seconds_a * elementary::exp(pace.factor) * pace.error}};
  const std::vector<const Departure*> candidates = certain(pace, floor);
  std::vector<const Departure*> picked;
  double left = beyond;
  for (const Departure* part : candidates) {
    if (picked.size() == most_causes) break;
    if (!picked.empty() && std::fabs(left) <= (1 - enough) * std::fabs(beyond)) break;
    for (const Departure* child : candidates) {
      if (is_finer(*child, *part) && child->excess() / part->excess() >= enough &&
          child->seconds_b - child->excess() <=
              most_of_parent * (part->seconds_b - part->excess())) {
        part = child;
        break;
      }
    }
    if (std::any_of(picked.begin(), picked.end(),
                    [&](const Departure* p) { return p == part || overlaps(*part, *p); }))
      continue;
    picked.push_back(part);
    left -= part->excess();
    causes.push_back(
        {Cause::Kind::part, *part, label_of(*part), part->excess(), part->excess_error()});
  }
  causes.push_back({.kind = Cause::Kind::unexplained, .label = "not explained", .seconds = left});
  return causes;
}

std::string part_text(const Cause& cause, double change) {
  std::string text = core_seconds(cause.seconds);
  const double share = ratio(cause.seconds, change);
  if (share > 0 && share < 1.005) text += " (" + format_percent(share) + ")";
  text += " in " + cause.label;
  const Departure& part = cause.part;
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
  const double change = e.process_b - e.process_a;
  const double elapsed_ratio = ratio(e.elapsed_b, e.elapsed_a);
  // Less work is not faster work.
  const double more_events = value_or(ratio(e.events_b, e.events_a), 1);
  const bool same_work = std::fabs(more_events - 1) < least_share;
  const double told = value_or(elapsed_ratio, ratio(e.process_b, e.process_a)) / more_events;
  const std::string amounts =
      is_absent(elapsed_ratio)
          ? is_absent(change) ? "" : " (" + core_seconds(change) + " in process())"
          : " (" + format_seconds(e.elapsed_a) + " → " + format_seconds(e.elapsed_b) +
                (is_absent(change) ? "" : ", " + core_seconds(change)) + ")";
  const bool same = std::fabs(told - 1) < least_share;
  const bool one_each = runs.size() == 2;
  const double log_factor = e.pace.known() ? e.pace.factor : elementary::log(told);
  const auto is_sure = [&](double log_change) {
    return chance_of(ratio(log_change, e.between.error), e.between.freedom) < false_discoveries;
  };
  const bool sure = is_sure(log_factor);
  // Elapsed time that process() does not tell.
  const double outside = e.available_b - e.available_a - change;
  const bool is_outside =
      std::fabs(outside) > std::fabs(change) && std::fabs(outside) > even * e.process_a;
  const std::string not_inside =
      is_outside ? core_seconds(outside) + " outside process(), idle cores included" : "";
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
  } else if (parts.empty()) {
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
    if (paced)
      text += "Everything " + faster_or_slower(factor) + ", evenly" +
              (sure ? "; beyond that, "
                    : ": another pace of the machine would look the same. Beyond that, ");
    for (std::size_t i = 0; i < std::min(parts.size(), most_said); ++i)
      text += (i == 0 ? "" : "; ") + part_text(*parts[i], change);
    text += parts.size() > most_said
                ? "; and " +
                      format_count(static_cast<double>(parts.size() - most_said), "smaller part") +
                      "."
                : ".";
    limits += "Not explained: " + core_seconds(e.causes.back().seconds) + ". ";
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

Explanation explain(std::span<const Run* const> runs, std::size_t runs_of_a,
                    const Selection& selection, const Options& options) {
  if (runs_of_a >= runs.size())
    throw Failure(ErrorCode::bad_option, "runs_of_a=" + std::to_string(runs_of_a) + ": of " +
                                             std::to_string(runs.size()) +
                                             " runs that leaves none for B");
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
  std::vector<double> elapsed, process, events, available;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = *runs[i];
    elapsed.push_back(selection.time ? selection.time->end - selection.time->begin : run.elapsed);
    process.push_back(run.chunks.size() == 0 ? absent
                                             : chosen[i].prorated_sum(run.chunks.duration));
    events.push_back(total_events(run));
    available.push_back(compute_budget(run, selection, options).available);
  }
  const auto means = [&](const std::vector<double>& of, double& in_a, double& in_b) {
    in_a = moments(std::span(of).first(runs_of_a)).mean;
    in_b = moments(std::span(of).subspan(runs_of_a)).mean;
  };
  means(elapsed, e.elapsed_a, e.elapsed_b);
  means(process, e.process_a, e.process_b);
  means(events, e.events_a, e.events_b);
  means(available, e.available_a, e.available_b);
  if (!e.pace.known()) {
    pace_of_a.clear();
    pace_of_b.clear();
    for (std::size_t i = 0; i < runs.size(); ++i)
      (i < runs_of_a ? pace_of_a : pace_of_b).push_back(elementary::log(elapsed[i]));
  }
  e.between = between_runs(pace_of_a, pace_of_b, spread);
  if (e.pace.known()) {
    e.causes = causes_of(e.pace, least_share * value_or(e.available_b, e.pace.seconds_b));
    e.shown_dataset = shown(e.pace, Kind::dataset);
    e.shown_section = shown(e.pace, Kind::section);
  }
  put_in_words(e, runs, runs_of_a, selection, options);
  return e;
}

}  // namespace crema::facts
