#include "core/report/comparison_text.hpp"

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"

namespace crema::report {

using namespace stats;
using namespace runtime;

namespace {

using Kind = PartId::Kind;

constexpr std::size_t most_said = 3;
constexpr std::size_t short_note = 250;

std::string with_sign(const std::string& text, double value) {
  return (value < 0 ? "−" : "+") + text;
}
std::string core_seconds(double value) {
  return with_sign(format_core_seconds(std::fabs(value)), value);
}

std::string with_capital(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// "+0.865 ± 0.45 core-s", the unit once where it is the same.
std::string with_margin(double seconds, double margin) {
  std::string text = core_seconds(seconds);
  if (!(margin > 0)) return text;
  const std::string other = format_core_seconds(margin);
  const auto unit_of = [](const std::string& amount) {
    return amount.substr(std::min(amount.rfind(' '), amount.size()));
  };
  if (unit_of(text) == unit_of(other)) text.resize(text.size() - unit_of(text).size());
  return text + " ± " + other;
}

/// Whole percents from ten on.
std::string percent(double fraction) {
  return format_percent(fraction >= 0.1 ? std::round(fraction * 100) / 100 : fraction);
}

/// "is 32.4 % slower", "takes 3.5 times as long", "is 4 times as fast": as the numbers beside it.
std::string of_elapsed(double ratio) {
  if (ratio >= 2) return fill("takes {} times as long", {ratio});
  if (ratio <= 0.5) return fill("is {} times as fast", {1 / ratio});
  return fill("is {%}{}", {std::fabs(ratio - 1), ratio < 1 ? " faster" : " slower"});
}

/// "takes 32 % longer", "takes 3.5 times as long", "takes 12 % less"
std::string of_work(double ratio) {
  if (ratio >= 2) return of_elapsed(ratio);
  return fill("takes {}{}", {percent(std::fabs(ratio - 1)), ratio < 1 ? " less time" : " longer"});
}

/// " (64 %)", where it is a share of the change.
std::string share_text(double seconds, double change) {
  const double share = ratio(seconds, change);
  return share > 0 && share < 1.005 ? fill(" ({})", {percent(share)}) : "";
}

/// [core-s] `seconds` of it are the cause's.
std::string part_text(const Cause& cause, double seconds, double change) {
  const Effect& part = cause.part;
  std::string text = sentence({core_seconds(seconds), share_text(seconds, change),
                               part.id.kind == Kind::worker ? " on " : " in ", label_of(cause)});
  if (part.chunks > 1 && part.id.kind != Kind::first_chunks) {
    const auto chunks = static_cast<double>(part.chunks);
    text += part.seconds_a == 0 ? ", which A does not have"
            : part.seconds_b == 0
                ? ", which B does not have"
                : fill(": {chunk}, {} each",
                       {chunks, with_sign(format_seconds(std::fabs(seconds) / chunks), seconds)});
  }
  return text;
}

/// "According to the profile, +8.08 core-s ± 0.418 core-s (65 %) are in f (a.py) or what it calls.
/// ", "According to the profile, the change is in f (a.py) or what it calls, most likely g (a.py).
/// "; of a change that parts were named for: "According to the profile, that is f (a.py) or what it
/// calls: +8.08 core-s. ". `named` are the parts' core-seconds.
std::string function_text(const Cause* function, double change, double named) {
  if (function == nullptr) return {};
  constexpr double plain = 0.02;  // bounds nearer than this are none to speak of
  const double seconds = function->seconds;
  std::string text = "According to the profile, ";
  std::string amount;
  if (!is_absent(function->low)) {
    const bool is_open = function->high - function->low > plain * std::fabs(seconds);
    amount = is_open ? fill("between {} and {}",
                            {core_seconds(function->low), core_seconds(function->high)})
             : is_absent(function->error)
                 ? core_seconds(seconds)
                 : fill("{} ± {core-s}", {core_seconds(seconds), function->error});
  }
  const std::string& likely = function->function.likely;
  const std::string_view only_in = only_in_text(function->function);
  const std::string name =
      fill("{}{}{} or what it calls{}",
           {label_of(*function), only_in, only_in.empty() ? "" : ",",
            likely.empty() ? "" : fill(", most likely {}", {visible(likely)})});
  if (amount.empty()) return fill("{}the change is in {}. ", {text, name});
  // Amounts that are alike do not say that it is what the parts took.
  if (named != 0 && function->function.sections.empty())
    return fill("{}{} took {} in all. ", {text, name, amount});
  // Parts were named with their seconds: these are no further ones.
  const double of_parts = ratio(seconds, named);
  if (std::fabs(of_parts - 1) <= alike) return fill("{}that is {}: {}. ", {text, name, amount});
  const bool is_within = of_parts > 0 && of_parts < 1;
  return fill("{}{}{} are in {}. ",
              {text, amount, is_within ? " of that" : share_text(seconds, change), name});
}

/// "127.0.0.1:9101, 127.0.0.1:9102 and 3 more"
std::string places_text(const std::vector<std::string>& places) {
  std::vector<std::string> names;
  for (const std::string& place : places) names.push_back(visible(place));
  return listed(names, 2);
}

bool differs(const ComparedNumber& row) {
  const bool both = !is_absent(row.a.value) && !is_absent(row.b.value);
  return row.a.text != row.b.text || (both && row.a.value != row.b.value) || row.note.any();
}

/// "threads per worker, median 1 → 2", "OPENBLAS_NUM_THREADS 8 → 1"; without values where they are
/// not short.
std::string setting_text(const ComparedNumber& row) {
  std::string text = label_of(row);
  // a label is a sentence's beginning, the name of a setting is as it is
  if (text != row.id.name)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  const auto amount = [&](const Side& side) {
    if (row.id.name == "memory_limit" && side.value == 0) return std::string("none");
    return row.unit == "byte" ? format_memory(side.value) : format_number(side.value);
  };
  if (!is_absent(row.a.value + row.b.value) && row.a.value != row.b.value)
    return fill("{} {} → {}", {text, amount(row.a), amount(row.b)});
  if (!row.a.text.empty() && row.id.name != "config")
    return fill("{} {} → {}",
                {text, visible(row.a.text), row.b.text.empty() ? "unknown" : visible(row.b.text)});
  return text;
}

/// "With B's times in process(), A would have taken 11.7 s; the 6.98 s more come with reduce tasks
/// (+7.46 core-s): after the last chunk +4.07 s, other tasks +1.93 s. "
std::string outside_text(const Explanation& e, const std::vector<ComparedNumber>& setup) {
  const double more = e.outside.elapsed;
  const std::vector<Cause>& causes = e.outside.causes;
  std::vector<std::string> names;
  for (const Cause& cause : causes) {
    const bool is_task = cause.phase.kind == BudgetPart::Kind::outside_process;
    const std::string where = is_task && e.measured.beside && cause.seconds > 0
                                  ? fill(", most of it {}", {place_of(*e.measured.beside)})
                                  : "";
    names.push_back(cause.kind == Cause::Kind::outside
                        ? fill("{} ({}{})", {label_of(cause), core_seconds(cause.seconds), where})
                        : label_of(cause));
  }
  std::string text =
      fill("With B's times in process(), A would have taken {s}; the {s}{} come with {}",
           {e.outside.expected, std::fabs(more), more > 0 ? " more" : " less", listed(names)});
  // When, in seconds of the run, but where it is the cores, which are said already.
  std::vector<ElapsedChange::Step> steps;
  if (causes.front().kind != Cause::Kind::cores) steps = e.elapsed.steps;
  if (!steps.empty()) steps.erase(steps.begin());  // process()
  std::string when;
  double left = more;
  while (!steps.empty() && left * more > (1 - most_of_change) * more * more) {
    const auto step = std::max_element(
        steps.begin(), steps.end(),
        [&](const auto& x, const auto& y) { return x.seconds * more < y.seconds * more; });
    if (step->seconds * more <= 0) break;
    left -= step->seconds;
    when += fill("{}{} {}", {when.empty() ? ": " : ", ", name_of(step->kind),
                             with_sign(format_seconds(std::fabs(step->seconds)), step->seconds)});
    steps.erase(step);
  }
  text += when;
  // Workers near their limit spill, pause and restart.
  for (const ComparedNumber& row : setup) {
    const bool is_lower = row.b.value > 0 && (row.b.value < row.a.value || row.a.value == 0);
    if (row.id.name == "memory_limit" && is_lower && more > 0)
      text += fill("; possible cause: {}", {setting_text(row)});
  }
  return text + ". ";
}

/// "After the last chunk B took 4.9 s longer. ", where that alone is much of the elapsed time.
std::string alone_text(const Explanation& e) {
  using StepKind = ElapsedChange::Step::Kind;
  std::string text;
  for (const auto& [kind, seconds] : e.elapsed.steps) {
    const bool is_after = kind == StepKind::after_last_chunk;
    if ((!is_after && kind != StepKind::start_up) ||
        !(std::fabs(seconds) >= much_elapsed * e.a.elapsed))
      continue;
    text += sentence({is_after ? "After the last chunk B took " : "Before the first chunk B took ",
                      format_seconds(std::fabs(seconds)), seconds > 0 ? " longer. " : " less. "});
  }
  return text;
}

/// What differs between the two sides, what changes the speed of work first.
std::string unlike_text(const Explanation& e, std::vector<ComparedNumber> setup) {
  std::stable_partition(setup.begin(), setup.end(), changes_speed);
  std::string text;
  for (const ComparedNumber& row : setup) {
    if (!differs(row)) continue;
    text += (text.empty() ? "" : "; ") + setting_text(row);
    if (row.id.name == "files" && e.config.input)
      text += fill(", {} → {}", {places_text(e.input_a), places_text(e.input_b)});
    else if (const std::string note = note_text(row.note, false);
             !note.empty() && note.size() < short_note)
      text += fill(" ({})", {visible(note)});
  }
  return text.empty() ? text : fill("Not like for like: {}. ", {text});
}

/// "Tasks waited for a CPU +8.08 core-s ± 0.418 core-s (93 %), most of it on worker 1. ", for what
/// explains the change.
std::string measured_text(const Explanation& e) {
  constexpr std::string_view names[] = {"computed", "waited for a CPU", "waited for input",
                                        "waited, for what is not recorded,"};
  const double change = change_of(e);
  if (!(std::fabs(change) >= even * e.a.process)) return {};
  std::string text;
  double left = change;
  for (const MeasuredTime& time : e.measured.times) {
    if (time.seconds * change <= 0 || left / change <= 1 - most_of_change ||
        std::fabs(time.seconds) < z_95 * time.error)
      break;
    left -= time.seconds;
    text += fill("{}{} {} ± {core-s}{}",
                 {text.empty() ? "Tasks " : ", and ", names[static_cast<std::size_t>(time.kind)],
                  core_seconds(time.seconds), time.error, share_text(time.seconds, change)});
    if (time.place) text += ", most of it " + place_of(*time.place);
  }
  return text.empty() ? text : text + ". ";
}

/// What tasks did more of. Where only sums of the whole run tell, they are possible causes.
VerdictText waiting_in(std::span<const Run* const> a, std::span<const Run* const> b,
                       const Options& options, const Explanation& e) {
  if (!e.measured.times.empty()) return {measured_text(e), ""};
  const auto of = [&](std::span<const Run* const> runs, const char* activity) {
    const auto seconds = [&](const Run* run) {
      return run->activities_recorded
                 ? activity_sum(*run, find_processor(*run, options).prefix, activity, "seconds")
                 : absent;
    };
    return moments(numbers_of(runs, seconds)).mean;
  };
  const double change = change_of(e);
  const double on_cpu = of(b, "thread-cpu") - of(a, "thread-cpu");
  const double waiting = of(b, "thread-noncpu") - of(a, "thread-noncpu");
  const double all = on_cpu + waiting;
  if (is_absent(all) || all * change <= 0 || std::fabs(all) < std::fabs(change) / 2 ||
      std::fabs(all) < even * e.a.process)
    return {};
  const bool waits = waiting / all >= most_of_change;
  if (!waits && on_cpu / all < most_of_change) return {};
  return {waits ? "Most of the change is waiting, not computing. "
                : "Most of the change is computing, not waiting. ",
          fill("Change of the processor's tasks: waiting {}, computing {}; in which parts is not "
               "recorded. ",
               {core_seconds(waiting), core_seconds(on_cpu)})};
}

/// "dataset ttbar, +8.08 core-s ± 0.418 core-s. "
std::string excess_text(const Effect& part) {
  return fill("{}, {} ± {core-s}. ",
              {label_of(part), core_seconds(part.excess()), part.excess_error()});
}

/// The part that is farthest from chance of those that have no verdict.
std::string nearest_text(const SpeedRatio& speed, double core_time) {
  const Effect* nearest = nullptr;
  for (const auto& [id, part] : speed.parts) {
    if ((part.id.kind == Kind::dataset || part.id.kind == Kind::section) &&
        std::isfinite(part.log_ratio) && part.seconds_b >= least_share * core_time &&
        !part.is_of_moment && !part.is_significant &&
        (nearest == nullptr || part.p_value() < nearest->p_value()))
      nearest = &part;
  }
  if (nearest == nullptr || std::fabs(nearest->errors()) < 1) return {};
  return "The largest difference within noise: " + excess_text(*nearest);
}

/// The part with the largest excess of those that `counts`; null where none does.
template <class Counts>
const Effect* largest_part(const SpeedRatio& speed, const Counts& counts) {
  const Effect* largest = nullptr;
  for (const auto& [id, part] : speed.parts) {
    if (counts(part) &&
        (largest == nullptr || std::fabs(part.excess()) > std::fabs(largest->excess())))
      largest = &part;
  }
  return largest;
}

/// The largest of what differs from the rest, and explains nothing.
std::string unlike_rest_text(const SpeedRatio& speed) {
  const Effect* const largest = largest_part(speed, [&](const Effect& part) {
    return part.is_significant && explains_nothing(speed, part);
  });
  return largest == nullptr ? ""
                            : "Unlike the rest, without explaining it: " + excess_text(*largest);
}

/// What changed together with the chunks beside it: the largest of those.
std::string moment_text(const SpeedRatio& speed) {
  const Effect* const largest = largest_part(speed, [](const Effect& part) {
    return part.is_of_moment && (part.id.kind == Kind::dataset || part.id.kind == Kind::file);
  });
  return largest == nullptr
             ? ""
             : fill("{} in {}{}",
                    {core_seconds(largest->excess()), label_of(*largest),
                     largest->is_of_cpu
                         ? ", whose chunks waited for a CPU. "
                         : " or in the moment it ran in: other chunks changed then, too. "});
}

/// What all of process() took, or what the parts with names leave of it, and what can cause that.
std::string rest_text(const Explanation& e, const std::vector<ComparedNumber>& setup, double factor,
                      bool is_sure, bool has_parts) {
  std::vector<std::string> reasons;
  for (const ComparedNumber& row : setup)
    if (changes_speed(row) && differs(row)) reasons.push_back(setting_text(row));
  // What waits does so on any machine.
  const auto waits = [&](const MeasuredTime& time) {
    const double share = time.kind == MeasuredTime::Kind::for_cpu ? 0.5 : most_of_change;
    return time.kind != MeasuredTime::Kind::computing && time.seconds / change_of(e) >= share;
  };
  const bool is_waiting = any_of(e.measured.times, waits);
  if (is_waiting && e.measured.others * change_of(e) > 0 &&
      std::fabs(e.measured.others) >= much_others)
    reasons.push_back(
        fill("programs beside the workers, which used {}{}",
             {std::fabs(e.measured.others), e.measured.others > 0 ? " more CPUs" : " fewer CPUs"}));
  if (!is_sure && !is_waiting)
    reasons.push_back(e.machines.empty() ? "a machine of another speed"
                                         : places_text(e.machines) + " at another speed");
  const double cores_a = ratio(e.a.available, e.a.elapsed);
  const double cores_b = ratio(e.b.available, e.b.elapsed);
  // n times as many threads make work that computes up to n times slower, and seldom more
  if (const double share = e.config.threads / elementary::log(factor); share > 0.5)
    reasons.push_back(
        fill("threads that slow each other down ({} instead of {})", {cores_b, cores_a}));
  if (e.speed.resized != 0) reasons.emplace_back("another chunk size");
  if (e.config.input)
    reasons.push_back(
        fill("input at {} instead of {}", {places_text(e.input_b), places_text(e.input_a)}));
  std::string text = sentence(
      {has_parts ? "The rest of process() " : "process() ", of_work(factor),
       has_parts || !moment_text(e.speed).empty() ? "" : ", and no part of it stands out"});
  if (reasons.empty()) return text + ". ";
  return fill("{}: possibly {}. ", {text, listed(reasons, reasons.size(), ", or ")});
}

/// "A dataset slower by 6 %, or a section slower by 2 %, would have been detected."
std::string would_have_shown(const Explanation& e) {
  constexpr double useless = 9;  // ten times as slow is no promise
  std::string text;
  const auto add = [&](const char* part, double share) {
    if (!(share < useless)) return;
    const double times = std::ceil(share * 100) / 100;
    text += sentence({text.empty() ? "A " : ", or a ", part,
                      times < 1 ? " slower by " + format_percent(times)
                                : " that takes " + format_number(times + 1) + " times as long"});
  };
  add("dataset", e.shown_dataset);
  const bool is_one = text.empty();
  add("section", e.shown_section);
  return text.empty() ? text
                      : text + (is_one || !(e.shown_section < useless) ? "" : ",") +
                            " would have been detected. ";
}

/// "B's chunks have another size (4,000 → 2,000 events) and are compared per event. ", of the usual
/// chunk or, where that is as before, of the largest.
std::string resized_text(const SpeedRatio& speed, const Run& a, const Run& b) {
  if (!speed.known() || speed.paired) return {};
  for (const bool is_largest : {false, true}) {
    const auto size = [&](const Run& run) {
      return is_largest ? moments(run.chunks.events).max : median_of(run.chunks.events);
    };
    const double much = is_largest ? 2 : 1.1;
    const double more = size(b) / size(a);
    if (more > much || more < 1 / much)
      return fill("B's chunks have another size ({}{} → {} events) and are compared per event. ",
                  {is_largest ? "the largest " : "", size(a), size(b)});
  }
  return {};
}

bool is_with_itself(std::span<const Run* const> runs) {
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t j = i + 1; j < runs.size(); ++j)
      if (is_same_run(*runs[i], *runs[j])) return true;
  return false;
}

}  // namespace

VerdictText in_words(const Explanation& e, std::span<const Run* const> runs, std::size_t runs_of_a,
                     const Selection& selection, const Options& options) {
  const auto a = runs.first(runs_of_a);
  const auto b = runs.subspan(runs_of_a);
  const bool same_run = is_with_itself(runs);
  const std::string itself = "A run is compared with itself: all times are the same.";
  if (same_run && runs.size() == 2) return {itself, ""};
  const double change = change_of(e);
  const double elapsed_ratio = ratio(e.b.elapsed, e.a.elapsed);
  // Less work is not faster work.
  const bool same_work = is_same_work(e);
  const double more_events = more_events_in(e);
  const double slowdown =
      value_or(elapsed_ratio, ratio(e.b.process, e.a.process)) / (same_work ? 1 : more_events);
  const std::vector<ComparedNumber> setup = compare_setup(*a[0], *b[0], selection, options);
  const VerdictText waiting = waiting_in(a, b, options, e);
  const std::string in_process = is_absent(change) ? "" : core_seconds(change) + " in process()";
  const std::string amounts =
      is_absent(elapsed_ratio)
          ? in_process.empty() ? "" : fill(" ({})", {in_process})
          : fill(" ({s} → {s}{}{})",
                 {e.a.elapsed, e.b.elapsed, in_process.empty() ? "" : ", ", in_process});
  const bool same = std::fabs(slowdown - 1) < least_share;
  const double log_factor = e.speed.known() ? e.speed.factor : elementary::log(slowdown);
  const auto is_sure = [&](double log_change) {
    return stats::p_value(ratio(log_change, e.between.error), e.between.dof) < false_discovery_rate;
  };
  const bool is_sure_of_pace = is_sure(log_factor);
  // Where chunks tell nothing, what is known of the whole.
  const double outside = e.b.available - e.a.available - change;
  const bool is_outside = !e.speed.known() && std::fabs(outside) > std::fabs(change) &&
                          std::fabs(outside) > even * e.a.process;
  const std::string not_inside =
      is_outside ? core_seconds(outside) + " outside process(), idle cores included" : "";
  std::vector<const Cause*> parts;
  const Cause* function = nullptr;
  const Cause* unpaired = nullptr;
  for (const Cause& cause : e.causes) {
    if (cause.kind == Cause::Kind::part) parts.push_back(&cause);
    if (cause.kind == Cause::Kind::unpaired) unpaired = &cause;
    if (cause.kind == Cause::Kind::function) function = &cause;
  }
  const double factor = elementary::exp(log_factor);
  const bool paced = std::fabs(factor - 1) >= even;
  const std::string so_much = fill("B {}{}{}", {same ? "is as fast as A" : of_elapsed(slowdown),
                                                same || same_work ? "" : " per event", amounts});
  const std::string resized = resized_text(e.speed, *a[0], *b[0]);
  VerdictText words;
  std::string& text = words.verdict;
  std::string& limits = words.limits;
  const auto say_waiting = [&] {
    text += waiting.verdict;
    limits += waiting.limits;
  };
  if (is_absent(slowdown)) {
    text = "Neither elapsed time nor chunks are known for both runs: nothing can be compared. ";
  } else if (parts.empty() && function == nullptr && e.outside.causes.empty() &&
             unpaired == nullptr) {
    const bool is_sure_of_time = is_sure_of_pace || is_sure(elementary::log(slowdown));
    const std::string alone = alone_text(e);
    text = is_sure_of_time || !alone.empty()          ? so_much
           : same || (!paced && e.speed.resized == 0) ? "No change" + amounts
           : is_absent(e.between.error)
               ? so_much + "; whether runs differ by that much anyway is unknown"
           : runs.size() == 2 ? so_much + ", within the assumed run-to-run spread"
                              : so_much + ", within the spread of these runs";
    text += (is_outside && e.speed.resized == 0 ? ": " + not_inside : "") + ". " + resized + alone;
    if (e.speed.resized != 0)
      text += "A cost per chunk may explain what differs between its parts. ";
    if (e.speed.resized == 0 && e.speed.known() && (paced || is_sure_of_time)) {
      text += rest_text(e, setup, factor, is_sure_of_pace, false);
      if (is_sure_of_time || !e.measured.times.empty()) say_waiting();
    }
    if (!is_sure_of_time) text += would_have_shown(e);
    if (e.speed.resized == 0 && e.speed.known())
      limits += nearest_text(e.speed, value_or(e.b.available, e.b.process));
  } else {
    text = so_much + ". ";
    // Where chunks leave most of the change open, the speed ratio is not known either.
    const bool is_open = compare::is_open(e);
    const bool is_paced = compare::is_paced(e);
    // All of the part's change, as it stands elsewhere, not only what is beyond the common pace.
    const auto seconds_of = [&](const Cause& cause) {
      const double all = cause.part.seconds_b - cause.part.seconds_a;
      return e.speed.paired && !is_open && all * cause.seconds > 0 ? all : cause.seconds;
    };
    // Parts are in order of size, but for those that only have a verdict.
    std::size_t said = 0;
    std::string causes;
    for (const Cause* part : parts) {
      if (said == most_said) break;
      causes += (said++ == 0 ? "" : "; ") + part_text(*part, seconds_of(*part), change);
    }
    if (parts.size() > said)
      causes += "; and " + format_count(static_cast<double>(parts.size() - said), "smaller part");
    if (unpaired != nullptr)
      causes += fill("{}{} in {}", {causes.empty() ? "" : "; ", core_seconds(unpaired->seconds),
                                    label_of(*unpaired)});
    if (!causes.empty()) causes += ". ";
    if (!causes.empty() && is_open) causes = "Beyond a cost per chunk, " + causes;
    double named = 0;
    for (const Cause* part : parts) named += seconds_of(*part);
    const std::string by_profile = function_text(function, change, named);
    // The larger one is first.
    const bool has_most = function != nullptr && !is_absent(function->low) &&
                          std::fabs(function->seconds) > (1 + alike) * std::fabs(named);
    text += has_most ? by_profile + causes : causes + by_profile;
    const bool is_named = function != nullptr || !parts.empty();
    if (is_named) say_waiting();
    if (is_paced) text += rest_text(e, setup, factor, is_sure_of_pace, is_named);
    if (is_paced && !is_named) say_waiting();
    text += resized;
    if (is_open)
      text += fill("A cost per chunk may explain {}",
                   {function != nullptr || !causes.empty() ? "the rest. " : "that. "});
    text += e.outside.causes.empty() ? alone_text(e) : outside_text(e, setup);
    // A rounding error is nothing to explain.
    if (!parts.empty() && !is_open &&
        std::fabs(e.causes.back().seconds) > least_share * std::fabs(change))
      limits += fill("Not explained: {}. ", {core_seconds(e.causes.back().seconds)});
  }
  limits += moment_text(e.speed);
  // Beside a function alone, the rest is another than what parts were judged against; and of files
  // that were exchanged, a section that took as long as ever is unlike them, not unlike the rest.
  const bool is_of_exchanged =
      any_of(parts, [](const Cause* part) { return part->part.id.kind == Kind::other_files; });
  if (!is_of_exchanged && (function == nullptr || !parts.empty()))
    limits += unlike_rest_text(e.speed);
  if (e.speed.overlap)
    limits +=
        "Sections take longer than process() in some chunks: they lie in each other, or one was "
        "recorded twice. Their times are not added up, and may be wrong. ";
  if (is_outside && !parts.empty()) limits += not_inside + ". ";
  if (same_run) limits += itself + " ";
  if (!e.speed.known() && !is_absent(slowdown))
    limits += "Where it changed is not known: chunks are not recorded in both runs. ";
  else if (e.speed.resized != 0)
    limits +=
        "Chunks have another size: parts are judged beyond what a cost per chunk can explain. ";
  if (runs.size() == 2 && !is_absent(slowdown))
    limits += fill(
        "One run per side: runs of one job are assumed to differ in speed by {} (--run-spread); "
        "replicates would measure that. ",
        {percent(options.number(predict::run_spread_option))});
  limits += unlike_text(e, setup);
  if (text.ends_with(' ')) text.pop_back();
  if (!limits.empty()) limits.pop_back();
  if (!same_work)
    text = fill("Not the same work: B has {%}{} events. {}",
                {std::fabs(more_events - 1), more_events < 1 ? " fewer" : " more", text});
  return words;
}

ChangeLines change_lines(const Explanation& e, std::span<const Run* const> runs,
                         const Options& options) {
  ChangeLines lines;
  if (is_with_itself(runs) && runs.size() == 2) {
    lines.headline = "A and B are one run: nothing differs.";
    return lines;
  }
  const bool same_work = is_same_work(e);
  const double elapsed = ratio(e.b.elapsed, e.a.elapsed);
  const double times =
      value_or(elapsed, ratio(e.b.process, e.a.process)) / (same_work ? 1 : more_events_in(e));
  const bool is_known = !is_absent(times);
  const bool same = is_known && std::fabs(times - 1) < least_share;
  const std::string amounts =
      is_absent(elapsed) ? "" : fill(" ({s} → {s})", {e.a.elapsed, e.b.elapsed});
  lines.headline =
      !is_known ? "Neither run says how long it took."
      : same    ? fill("B took as long as A{}{}.", {same_work ? "" : ", per event", amounts})
      : times > 1
          ? fill("B took {} times as long{}{}.", {times, same_work ? "" : " per event", amounts})
          : fill("B took {%} less time{}{}.", {1 - times, same_work ? "" : " per event", amounts});
  std::vector<const Cause*> parts;
  const Cause* function = nullptr;
  for (const Cause& cause : e.causes) {
    if (cause.kind == Cause::Kind::part) parts.push_back(&cause);
    if (cause.kind == Cause::Kind::function) function = &cause;
  }
  const double factor = elementary::exp(e.speed.known() ? e.speed.factor : elementary::log(times));
  const bool paced = compare::is_paced(e);
  const auto is_sure = [&](double log_change) {
    return stats::p_value(ratio(log_change, e.between.error), e.between.dof) < false_discovery_rate;
  };
  const auto grew = [](double seconds) { return seconds > 0 ? "grew" : "shrank"; };
  const Cause* const most = parts.empty() ? function : parts.front();
  if (most != nullptr)
    lines.headline += fill(" {} {} most{}.", {most == function ? "Function " + label_of(*most)
                                                               : with_capital(label_of(*most)),
                                              grew(most->seconds),
                                              !paced       ? ""
                                              : factor > 1 ? "; the rest grew evenly"
                                                           : "; the rest shrank evenly"});
  else if (!e.outside.causes.empty())
    lines.headline += fill(" {s}{} came from outside process(): {}.",
                           {std::fabs(e.outside.elapsed), e.outside.elapsed > 0 ? "" : " less",
                            label_of(e.outside.causes.front())});
  else if (is_known && !same && !is_sure(elementary::log(factor)) &&
           !is_sure(elementary::log(times)))
    lines.headline += runs.size() == 2 ? " Runs of one job may differ by that much."
                                       : " These runs differ by that much among themselves.";
  else if (paced) lines.headline += fill(" All of process() {} evenly.", {grew(factor - 1)});

  const std::string beyond = !paced ? "beyond the rest"
                             : factor > 1
                                 ? fill("beyond the general slow-down of {}", {percent(factor - 1)})
                                 : fill("beyond the general speed-up of {}", {percent(1 - factor)});
  if (!parts.empty()) {
    const Cause& first = *parts.front();
    const Effect& part = first.part;
    lines.line = fill("{}: {} {}", {part.id.kind == Kind::section && !part.section->is_remainder
                                        ? visible(part.section->name)
                                        : with_capital(label_of(first)),
                                    with_margin(first.seconds, margin_of(e.speed, part)), beyond});
    double told = 0, all = 0;
    for (const auto& [id, cell] : e.speed.parts) {
      if (part.id.kind != Kind::section || id.kind != Kind::cell || cell.section != part.section)
        continue;
      all += 1;
      told += cell.is_significant ? 1 : 0;
    }
    if (all > 1 && told > 0)
      lines.line += told == all ? fill(", in all {} datasets", {all})
                                : fill(", in {} of {} datasets", {told, all});
    lines.line += ".";
  } else if (function != nullptr) {
    lines.line = fill("{} in it and what it calls, according to the profile.",
                      {with_margin(function->seconds, z_95 * function->error)});
  } else if (e.speed.resized != 0) {
    lines.line = "Chunks have another size: a cost per chunk may explain it.";
  } else if (paced) {
    lines.line = fill("All of process() is {} {}, as on a {} machine.",
                      {percent(std::fabs(factor - 1)), factor > 1 ? "slower" : "faster",
                       factor > 1 ? "slower" : "faster"});
  } else if (e.speed.known()) {
    lines.line = "No part of process() differs by more than its error.";
  }
  if (runs.size() == 2)
    lines.assumed = fill("One run each: a {} run-to-run spread is assumed",
                         {percent(options.number(predict::run_spread_option))});
  constexpr double useless = 9;  // ten times as slow is no promise
  const auto above = [](double share) { return format_percent(std::ceil(share * 100) / 100); };
  std::vector<std::string> missed;
  if (e.shown_section < useless)
    missed.push_back(fill("below {} in a section", {above(e.shown_section)}));
  if (e.shown_dataset < useless)
    missed.push_back(fill("below {} in a dataset", {above(e.shown_dataset)}));
  if (!missed.empty())
    lines.missed =
        fill("Could have been missed: changes {}.", {listed(missed, missed.size(), ", or ")});
  return lines;
}

std::string side_text(std::string_view first, std::size_t runs) {
  return runs == 1 ? std::string(first) : fill("{} and {} more", {first, std::to_string(runs - 1)});
}

std::string_view noise_text(std::size_t runs) {
  return runs == 2 ? "datasets, sections, hosts and functions are judged against what all of them "
                     "have in common, by the spread of their chunks; whole runs by an assumed "
                     "spread of runs. Of all verdicts at most 5 % are false on average."
                   : "datasets, sections, hosts and functions are judged against what all of them "
                     "have in common, by the spread of chunks and of replicates; the rest by "
                     "replicates. Of all verdicts at most 5 % are false on average.";
}

}  // namespace crema::report
