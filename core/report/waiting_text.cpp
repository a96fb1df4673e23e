// What tasks waited for: a lock, a CPU, input, or what is unknown.
#include "core/base/number_format.hpp"
#include "core/report/evidence_text.hpp"
#include "core/report/fill.hpp"

namespace crema::report {

using namespace diagnose;

FindingText text_of(const Finding& f, const Lock& e) {
  return {fill("{} of the task time was spent waiting for a lock", {format_percent(e.share)}),
          fill("{} according to samples that were acquiring a lock{}{}. More cores do not speed up "
               "work that one task at a time may do.",
               {format_core_seconds(f.core_seconds), e.function.empty() ? "" : ", most of them in ",
                e.function})};
}

FindingText text_of(const Finding& f, const CpuContention& e) {
  const bool is_measured = !is_absent(e.for_cpu);
  const std::string blocked =
      fill(
          "{} of the task time was off the CPU, but only {} of the samples are in calls that are "
          "known to block.",
          {format_percent(e.off_cpu), format_percent(e.blocked)}) +
      (is_measured ? fill(" For {} of their time tasks could run and waited for a CPU.",
                          {format_percent(e.for_cpu)})
                   : "");
  const std::string enough_cores =
      is_absent(e.host_busy)
          ? is_measured ? "" : " Tasks that merge results do not wait, so there are enough cores."
          : fill(" The host's CPUs were busy {} of the time, so there are enough cores.",
                 {format_percent(e.host_busy)});
  const std::string threads = format_count(e.threads, "thread"),
                    cores = format_count(e.cores, "core");
  const double each = e.cores / e.workers;
  if (f.cause == FindingCause::native_lock)
    return {
        fill("{} on {} used only {}", {threads, e.host, cores}),
        fill("All of them ran tasks meanwhile. {}{} Possible causes: a lock in native code, for "
             "example on a file, or input that is mapped to memory.",
             {blocked, enough_cores})};
  if (f.cause == FindingCause::cpu_limit)
    return {
        fill("{} on {} got only {}, although the host had more", {threads, e.host, cores}),
        fill("{}{}{} Possible cause: a CPU limit of a container or the batch system, or stopped "
             "processes. The samples point to neither storage nor a lock.",
             {blocked, enough_cores,
              e.merging_waits ? " What only computes, such as merging and unpacking, was off "
                                "the CPU as well."
                              : ""})};
  if (f.cause == FindingCause::interpreter_lock)
    return {
        fill("{} of the task time: threads of a worker waited, possibly for each other",
             {format_percent(e.share)}),
        fill(
            "Workers of {} threads used {} cores each while all their threads ran tasks. "
            "Possible cause: the interpreter lock (GIL), which lets one thread at a time execute "
            "Python code. {}{} Workers of one thread each do not share a GIL.",
            {format_number(e.threads / e.workers), format_number(each), blocked,
             each > 1.05 ? " Too few cores do not explain it: a process got more than one." : ""})};
  if (is_measured)
    return {
        fill("{} on {} got only {}", {threads, e.host, cores}),
        fill("{} There were more threads than CPUs they may use: one thread per CPU is as fast.",
             {blocked})};
  return {fill("{} on {} got only {}", {threads, e.host, cores}),
          fill("That is the CPU that its workers used while all their threads ran tasks. {}{} "
               "Possible causes: more threads than cores, other programs on the machine, or a CPU "
               "limit. The samples point to neither storage nor a lock. If there are more threads "
               "than cores, one thread per core is as fast.",
               {blocked,
                e.merging_waits
                    ? " Tasks that merge results, which only compute, were off the CPU as well."
                    : ""})};
}

FindingText text_of(const Finding&, const ForeignLoad& e) {
  return {
      fill("Other processes used {} of {} CPUs{}{}",
           {format_number(e.others), format_number(e.usable), is_absent(e.begin) ? "" : " from ",
            is_absent(e.begin) ? "" : range_text(e.begin, e.end)}),
      fill(
          "All CPUs were busy {}, {} of them with processes that were not recorded: other "
          "programs, or what tasks start. The run's {} are no more than the CPUs. Its tasks {} for "
          "{} of their time.",
          {is_absent(e.begin) ? "while tasks ran" : "then", format_number(e.others),
           format_count(e.threads, "thread"),
           e.is_measured ? "could run and had no CPU" : "were off the CPU",
           format_percent(e.off_cpu)})};
}

FindingText text_of(const Finding&, const Bandwidth& e) {
  return {
      fill(
          "{}/s from {}: chunks wait for the transfer",
          {format_bytes(e.bytes_per_second), e.host == "local" ? "local paths" : "host " + e.host}),
      fill(e.is_measured
               ? "Chunks waited for requests of input for {} of their time, longer the more bytes "
                 "were asked for: for transfer, not for the latency of requests. {}"
               : "{} of the samples in process() wait for reading, and chunks wait longer the more "
                 "bytes they read: for transfer, not for the latency of requests. {}",
           {format_percent(e.reading),
            fill("{} chunks ran at a time: whether they share a link, or each connection has a "
                 "limit and more workers help, is unknown. Fewer branches or a copy nearby will.",
                 {format_number(e.chunks)})})};
}

FindingText text_of(const Finding&, const WaitingTasks& e) {
  using For = WaitingTasks::For;
  std::string what, why;
  switch (e.what) {
    case For::input:
      what = " for input";
      why = fill(e.is_measured ? "Chunks waited for requests of input for {} of their time. {}{}"
                               : "{} of the samples wait for reading. {}{}",
                 {format_percent(e.reading),
                  e.knows_latency
                      ? "The time does not grow with the bytes read: possibly the latency "
                        "of requests. More chunks at a time help where storage answers several "
                        "requests at once."
                      : "Latency or bandwidth: unknown, as chunks read about the same number of "
                        "bytes each, or it was not recorded.",
                  " Reading always waits for a while, so not all of it can be saved."});
      break;
    case For::cpu:
      what = " for a CPU";
      why = fill("For {} of their time tasks could run and had no CPU. {}",
                 {format_percent(e.for_cpu),
                  is_absent(e.client) ? "What had it is unknown."
                                      : fill("The client's process used {} (a median over the "
                                             "run); what else had it is unknown.",
                                             {format_count(e.client, "CPU")})});
      break;
    case For::own_call:
      what = fill(", most of it in {}", {e.function});
      if (!e.is_measured) {
        why = fill(
            "{} of the samples are in calls of the analysis that sleep or wait, neither for "
            "input nor for a known lock; most of them in {}.",
            {format_percent(e.own), e.function});
        break;
      }
      why = fill(
          "By their threads' clocks tasks were off the CPU in {}{} for {} of their time{}. "
          "Possible cause: a call that sleeps, asks a service, waits for another process, threads "
          "of its own or the disk, or a lock in native code.",
          {e.function, e.library.empty() ? "" : fill(", mostly in {},", {e.library}),
           format_percent(e.own),
           is_absent(e.for_cpu)
               ? ", all other code far less"
               : fill(", besides {} for want of one", {format_percent(e.for_cpu)})});
      break;
    case For::unknown:
      why = is_absent(e.for_cpu)
                ? "The cause is unknown: possibly reading input, locks (the GIL among them), or "
                  "more threads than cores."
                : fill(
                      "The cause is unknown: want of a CPU explains only {} of the tasks' time. "
                      "Possible cause: locks{} or calls that sleep.",
                      {format_percent(e.for_cpu), e.takes_turns ? " (the GIL among them)" : ""});
  }
  const double share = e.what == For::cpu                      ? e.for_cpu
                       : e.what == For::input && e.is_measured ? e.reading
                                                               : e.share;
  return {fill("{} of the task time was spent waiting{}", {format_percent(share), what}),
          fill("{} off a CPU, {} on a CPU. {}",
               {format_core_seconds(e.waited), format_core_seconds(e.on_cpu), why})};
}

}  // namespace crema::report
