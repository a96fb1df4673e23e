// What tasks waited for: a lock, a CPU, input, or what is unknown.
#include <cmath>

#include "core/base/text.hpp"
#include "core/report/answer_text.hpp"

namespace crema::report {

using namespace diagnose;

std::string line_text(const runtime::CodeLine& line) {
  return fill("{}:{}", {base_name(line.file), whole_text(line.line)}) +
         (line.native.empty() ? "" : ", in " + line.native) +
         (line.text.empty() ? "" : " (" + line.text + ")");
}

std::string lines_text(const runtime::CodeLines& lines) {
  std::vector<std::string> texts;
  for (const runtime::CodeLine& line : lines) texts.push_back(line_text(line));
  return listed(texts);
}

namespace {

/// " Most of it was in section pairs, in pair_mass, and most of that at zprime.py:57.", as much as
/// is known.
std::string place_text(const runtime::WaitingPlace& place) {
  std::string text;
  if (!place.section.empty()) text += " in section " + place.section;
  if (!place.function.empty()) text += (text.empty() ? " in " : ", in ") + place.function;
  if (const std::string line = lines_text(place.lines); !line.empty())
    text += ", and most of that at " + line;
  return text.empty() ? "" : " Most of it was" + text + ".";
}

}  // namespace

FindingText text_of(const Finding& f, const Lock& e) {
  return {fill("{%} of the task time was spent waiting for a lock", {e.share}),
          fill("{core-s} according to samples that were acquiring a lock.{} One task at a "
               "time holds it: more cores do not help.",
               {f.core_seconds, place_text(e.place)})};
}

FindingText text_of(const Finding& f, const CpuContention& e) {
  const bool is_measured = !is_absent(e.for_cpu);
  const std::string blocked =
      fill(
          "{%} of the task time was off the CPU, but only {%} of the samples are in calls that are "
          "known to block.",
          {e.off_cpu, e.blocked}) +
      (is_measured
           ? fill(" For {%} of their time tasks could run and waited for a CPU.", {e.for_cpu})
           : "");
  const std::string enough_cores =
      is_absent(e.host_busy)
          ? is_measured ? "" : " Tasks that merge results do not wait, so there are enough cores."
          : fill(" The host's CPUs were busy {%} of the time, so there are enough cores.",
                 {e.host_busy});
  const std::string threads = format_count(e.threads, "thread"),
                    cores = format_count(e.cores, "core");
  const double each = e.cores / e.workers;
  const bool is_bound = !is_absent(e.usable);
  if (f.cause == FindingCause::native_lock)
    return {fill("{} on {} used only {}", {threads, e.host, cores}),
            fill("{} {}{} Possible causes: a lock in native code, for example on a file, or input "
                 "that is mapped to memory.{}",
                 {e.is_mean ? "So many ran tasks at a time, on average."
                            : "All of them ran tasks meanwhile.",
                  blocked, enough_cores, place_text(e.place)})};
  if (f.cause == FindingCause::cpu_limit && !is_absent(e.throttled))
    return {fill("{} on {} got only {} by a CPU quota", {threads, e.host, cores}),
            fill("{} A quota of a container or the batch system held threads back{}. As many CPUs "
                 "as threads, or fewer threads, keep within it.",
                 {blocked,  // of several CPUs at once it may be more than the time
                  e.throttled <= 1 ? fill(" for {%} of the time", {e.throttled}) : ""})};
  if (f.cause == FindingCause::cpu_limit)
    return {fill("{} on {} got only {}, although the host had more", {threads, e.host, cores}),
            fill("{}{}{} Possible cause: a CPU limit of a container or the batch system, or "
                 "stopped processes. The samples point to neither storage nor a lock.",
                 {blocked, enough_cores,
                  e.merging_waits ? " What only computes, such as merging and unpacking, was off "
                                    "the CPU as well."
                                  : ""})};
  if (f.cause == FindingCause::interpreter_lock)
    return {
        fill("{%} of the task time: threads of a worker waited, possibly for each other",
             {e.share}),
        fill("{} used {} cores {}. Possible causes: the interpreter lock (GIL), which lets one "
             "thread at a time execute Python code, or another lock. {}{} Workers of one thread "
             "each, in processes of their own, share neither.",
             {is_measured ? "The tasks of a worker" : "A worker", each,
              fill(e.is_mean ? "for {} tasks at a time, on average"
                             : "while all its {} threads ran tasks",
                   {format_number(e.threads / e.workers)}),
              blocked,
              each > 1.05 ? " That is more than one core: the lack of a second core does not "
                            "explain it alone."
                          : ""})};
  if (is_measured)
    return {
        fill("{} on {} got only {}{}",
             {threads, e.host, cores,
              is_bound ? fill(": each may use {} of its {}", {e.usable, e.cpus}) : ""}),
        fill("{} {}",
             {blocked,
              is_bound ? fill("A process may use {} of the {CPU} of its host, by its affinity or "
                              "its container, and they share what they may use. Unless the batch "
                              "system gave no more, workers that are not bound have all.",
                              {e.usable, e.cpus})
                       : "There were more threads than CPUs they may use; one thread per CPU is "
                         "as fast."})};
  return {fill("{} on {} got only {}", {threads, e.host, cores}),
          fill("That is the CPU that its workers used {}. {}{} Possible causes: more threads than "
               "cores, other programs on the machine, or a CPU limit. The samples point to neither "
               "storage nor a lock. If there are more threads than cores, one thread per core is "
               "as fast.",
               {e.is_mean ? "while so many tasks ran at a time, on average"
                          : "while all their threads ran tasks",
                blocked,
                e.merging_waits
                    ? " Tasks that merge results, which only compute, were off the CPU as well."
                    : ""})};
}

FindingText text_of(const Finding&, const ForeignLoad& e) {
  const bool is_by_client = 2 * e.started >= e.others;
  const std::string cpus = format_number(is_by_client ? e.started : e.others - e.started);
  return {
      fill("{} used {} of {} CPUs{}{}",
           {is_by_client ? "Programs that the client started" : "Other processes", cpus, e.usable,
            is_absent(e.begin) ? "" : " from ",
            is_absent(e.begin) ? "" : range_text(e.begin, e.end)}),
      fill("All CPUs were busy {}, {} of them with {}. The run had no more threads than CPUs: {} "
           "at once. {} tasks {} for {%} of their time.",
           {is_absent(e.begin) ? "while tasks ran" : "then", cpus,
            is_by_client ? "what the client's process started, workers aside"
                         : "processes that were not recorded: other programs, or what tasks start",
            std::ceil(e.threads), is_absent(e.begin) ? "Its" : "Over the whole run its",
            e.is_measured ? "could run and had no CPU" : "were off the CPU", e.off_cpu})};
}

FindingText text_of(const Finding&, const Bandwidth& e) {
  return {
      fill("{B}/s from {}: chunks wait for the transfer",
           {e.bytes_per_second, e.host == "local" ? "local paths" : "host " + e.host}),
      fill(e.is_measured
               ? "Chunks waited for requests of input for {} of their time, longer the more bytes "
                 "were asked for: for transfer, not for the latency of requests. {}"
               : "{} of the samples in process() wait for reading, and chunks wait longer the more "
                 "bytes they read: for transfer, not for the latency of requests. {}",
           {format_percent(e.reading),
            fill("{} chunks ran at a time: whether they share a link, or each connection has a "
                 "limit and more workers help, is unknown. Fewer branches or a copy nearby will.",
                 {e.chunks})})};
}

FindingText text_of(const Finding&, const WaitingTasks& e) {
  using For = WaitingTasks::For;
  std::string what, why, called;
  switch (e.what) {
    case For::input:
      what = " for input";
      why = fill(e.is_measured ? "Chunks waited for requests of input for {} of their time. {}{}"
                               : "{} of the samples wait for reading. {}{}",
                 {format_percent(e.reading),
                  e.knows_latency
                      ? "Most of the time does not grow with the bytes read: possibly the latency "
                        "of requests. More chunks at a time help where storage answers several "
                        "requests at once."
                      : "Latency or bandwidth: unknown, as chunks read about the same number of "
                        "bytes each, or it was not recorded.",
                  " Reading always waits for a while, so not all of it can be saved."});
      break;
    case For::cpu:
      what = " for a CPU";
      why = fill("For {%} of their time tasks could run and had no CPU. ", {e.for_cpu});
      if (!is_absent(e.client))
        why += fill("The client's process used {CPU} (a median over the run). ", {e.client});
      if (!is_absent(e.started))
        why += fill(
            "Programs that the client started, workers aside, used {CPU} (a median over the run). ",
            {e.started});
      why += is_absent(std::fmin(e.client, e.started)) ? "What had it is unknown."
                                                       : "What else had it is unknown.";
      break;
    case For::own_call:
      what = fill(", most of it in {}", {e.function});
      called = e.place.lines.size() == 1 && !e.place.lines[0].native.empty()
                   ? e.place.lines[0].native
                   : e.library;
      if (!called.empty()) what += fill(" ({})", {called});
      if (!e.is_measured) {
        why = fill(
            "{%} of the samples are in calls of the analysis that sleep or wait, neither for input "
            "nor for a known lock; most of them in {}.",
            {e.own, e.function});
        break;
      }
      why = fill(
          "By their threads' clocks tasks were off the CPU in {}{} for {%} of their time{}.{}",
          {e.function, e.library.empty() ? "" : fill(", mostly in {},", {e.library}), e.own,
           is_absent(e.for_cpu) ? ", all other code far less"
                                : fill(", besides {%} for want of one", {e.for_cpu}),
           called.empty()
               ? " Possible cause: a call that sleeps, asks a service, writes to a slow terminal "
                 "or pipe, waits for another process, threads of its own or the disk, or a lock "
                 "in native code."
               : ""});
      break;
    case For::unknown:
      if (!e.place.section.empty() || !e.place.function.empty())
        what = ", most of it in " +
               (e.place.section.empty() ? e.place.function : "section " + e.place.section);
      why = is_absent(e.for_cpu)
                ? "The cause is unknown: possibly reading input, locks (the GIL among them), or "
                  "more threads than cores."
                : fill(
                      "The cause is unknown: want of a CPU explains only {%} of the tasks' time. "
                      "Possible cause: locks{} or calls that sleep.",
                      {e.for_cpu, e.takes_turns ? " (the GIL among them)" : ""});
  }
  const double share = e.what == For::cpu     ? e.for_cpu
                       : e.what == For::input ? e.share_for_input()
                                              : e.share;
  // Samples that wait for reading are of process(): what opens files waits, too.
  const bool is_least = e.what == For::input && !e.is_measured;
  return {fill("{}{%} of the task time was spent waiting{}",
               {is_least ? "At least " : "", share, what}),
          fill("{} off a CPU, {} on a CPU. {}",
               {amount_beside(e.waited, e.on_cpu), amount_beside(e.on_cpu, e.waited),
                why + place_text(e.place)})};
}

// A host, site, worker, dataset, section, file or moment that is slow.

namespace {

std::string counted(std::size_t count, const char* noun) {
  return format_count(static_cast<double>(count), noun);
}

}  // namespace

std::string slow_place_text(const std::string& section, const SlowestFunction& function) {
  std::string text;
  if (!section.empty()) text += " in section " + section;
  if (!function.name.empty()) text += (text.empty() ? " in " : " and in ") + function.name;
  if (function.off_cpu >= 0.5)
    text += fill(", which was off the CPU for {%} of its time", {function.off_cpu});
  return text;
}

std::string entries_text(const std::string& section, const SectionEntries& entries) {
  if (is_absent(entries.most)) return "";
  const std::string times = format_number(entries.most);
  if (entries.datasets.empty())
    return fill(" Each chunk enters section {} {} times.", {section, times});
  return fill(" Each chunk of {} enters section {} {} times, of other datasets {}.",
              {listed(entries.datasets, 3), section, times,
               entries.least == 1 ? "once" : format_number(entries.least) + " times"});
}

FindingText text_of(const Finding&, const SlowGroup& e) {
  const Anomaly& a = e.anomaly;
  const std::string factor = format_number(a.factor) + " times";
  const std::string longer =
      fill("Its {} took {core-s} more than ", {counted(a.chunks, "chunk"), a.core_seconds});
  std::string cpu;
  if (!is_absent(a.cpu) && !is_absent(a.cpu_elsewhere))
    cpu = fill(" {} (CPU {%}, otherwise {%}).",
               {a.waits()             ? "The extra time was waiting, not computing"
                : a.computes()        ? "The extra time was computing"
                : a.computes_beside() ? "It waited while other threads of its process computed"
                : a.waits_as_others() ? "The extra time was waiting and computing, as of others"
                                      : "Whether it waited or computed is unknown",
                a.cpu, a.cpu_elsewhere});
  const bool waits_for_input = a.waits() && a.request_wait > 2 * a.request_wait_elsewhere;
  // Measured of exactly this: it stands in the title.
  const char* const waiting = waits_for_input ? ", waiting for input" : "";
  if (waits_for_input)
    cpu += fill(" A request for input took {s}, otherwise {s}.",
                {a.request_wait, a.request_wait_elsewhere});
  if (!is_absent(e.opened))
    cpu += fill(
        " In pre-processing it took {s} to open {}, meanwhile {s} for others.",
        {e.opened, a.kind == Anomaly::Kind::file ? "it" : "one of its files", e.opened_elsewhere});
  if (a.reads())
    cpu +=
        fill(" Most of it was reading events{}.",
             {a.asks_for_more() ? fill(": 1,000 events took {} ranges of {B}, elsewhere {} of {B}",
                                       {1000 * a.ranges, a.range_bytes, 1000 * a.ranges_elsewhere,
                                        a.range_bytes_elsewhere})
                                : std::string()});
  if (a.lacks_cpu())
    cpu += fill(" Its tasks could run and had no CPU for {%} of their time, otherwise for {%}.",
                {a.for_cpu, a.for_cpu_elsewhere});
  std::string section =
      slow_place_text(a.kind == Anomaly::Kind::section ? "" : a.section, e.function);
  if (!section.empty()) section = fill(" Most of it is{}.", {section});
  if (e.function.is_alone) section += " All other code took hardly longer.";
  else if (a.is_in_section()) section += " All other sections took hardly longer.";
  section += entries_text(a.section, e.entries);
  const std::string alone = is_absent(e.alone_from)
                                ? ""
                                : fill(" Its chunks ran from {} with few others.",
                                       {range_text(e.alone_from, e.alone_to)});
  if (e.had_no_cpu)
    return {fill("From {} tasks had no CPU for {%} of their time",
                 {range_text(a.begin, a.end), a.for_cpu}),
            fill("They could run, and at other times had none for {%}. Nearly all were chunks of "
                 "{}: {} as long per event as elsewhere, {core-s} more. {}",
                 {a.for_cpu_elsewhere, base_name(a.name), factor, a.core_seconds,
                  is_absent(e.others) ? std::string("What had the CPUs is unknown.")
                                      : fill("Other processes used {CPU} then, {} at other times.",
                                             {e.others, e.others_elsewhere})})};
  const std::string bytes = a.event_bytes > 1.2 * a.event_bytes_elsewhere
                                ? fill(" They read {B} for each event, others {B}.",
                                       {a.event_bytes, a.event_bytes_elsewhere})
                                : "";
  const std::string content = a.content > 1.2
                                  ? fill(
                                        " Its events hold more, too: half of their bytes are in "
                                        "branches with {} times as many as in any other dataset.",
                                        {a.content})
                                  : "";
  std::string of_files;
  if (!e.files.empty()) {
    of_files = fill(", in {} of its files", {e.files.size()});
    section += fill(" It is in {}: its other files took {}.",
                    {listed(e.files),
                     e.other_files > 1 ? fill("at most {} times as long as usual", {e.other_files})
                                       : "no longer than usual"});
  }
  if (!is_absent(e.small_files)) {
    of_files = fill(", in {} files of {} events", {e.small_files, e.file_events});
    section += fill(
        " What each chunk costs, whatever its size, is paid for {} events, elsewhere for {}: "
        "files merged by hadd have fewer chunks.",
        {e.file_events, e.usual_events});
  }
  switch (a.kind) {
    case Anomaly::Kind::host:
    case Anomaly::Kind::site:
      return {fill("Chunks from {} {} took {} as long per event{}",
                   {a.kind == Anomaly::Kind::host ? "host" : "site", a.name, factor, waiting}),
              a.stands_alone
                  ? fill("{}the same events of other datasets. Only it serves {}{}.{}{}",
                         {longer, a.dataset.empty() ? "its datasets" : a.dataset,
                          is_absent(e.opened) ? ": the data itself may be the cause" : "", cpu,
                          section + alone})
                  : fill("{}chunks of the same datasets from elsewhere.{}{}",
                         {longer, cpu, section + alone})};
    case Anomaly::Kind::worker:
      return {
          fill("Worker {} took {} as long per event{}", {e.worker, factor, waiting}),
          fill("{}chunks of the same datasets on other workers.{}{}{}",
               {longer, cpu, section,
                a.waits() && !waits_for_input && !a.lacks_cpu()
                    ? " Possible causes: a limit on its CPU, a process that is stopped for a time, "
                      "or something that other workers' tasks do not wait for."
                : !a.computes() ? ""
                : a.rest_factor - 1 < (a.factor - 1) / 4
                    ? fill(" The rest of its chunks took {} times as long: it is no slower core.",
                           {a.rest_factor})
                // A core that is slower is so for all code.
                : a.rest_factor - 1 < (a.factor - 1) / 2
                    ? fill(" The rest of its chunks took {} times as long.", {a.rest_factor})
                    : " Possible cause: a slower core or other programs on its machine."})};
    case Anomaly::Kind::dataset:
      return {fill("Dataset {} took {} as long per event as any other{}{}",
                   {a.name, factor, of_files, waiting}),
              fill("{}the same events of the slowest other dataset, by medians.{}{}{}{}",
                   {longer, cpu, content, alone, section})};
    case Anomaly::Kind::section:
      return {fill("Section {} of {} took {} as long as of any other dataset{}",
                   {a.name, a.dataset, factor, of_files}),
              fill("{}usual, compared with the other sections of the same chunks and with the "
                   "slowest other dataset.{}{}{}",
                   {longer, cpu, content, section + alone})};
    case Anomaly::Kind::file:
      return {fill("{} took {} as long per event as other files{}",
                   {base_name(a.name), factor, waiting}),
              fill("{}the same events in the other files of {}.{}{}{}",
                   {longer, a.dataset.empty() ? "the dataset without a name" : a.dataset, bytes,
                    cpu, section + alone})};
    case Anomaly::Kind::half:
      return {fill("The {} half of files took {} as long per event", {a.name, factor}),
              fill("{}the same events of the other half of the same files.{}{}{}",
                   {longer, bytes, cpu, section})};
    case Anomaly::Kind::first_chunks:
      if (e.for_input >= a.core_seconds / 2)
        return {fill("First chunks of workers took {} as long, waiting for input", {factor}),
                fill("{}later ones of the same datasets.{} They waited for requests of input for "
                     "{core-s}, between {s} and {s}. Possible causes: storage that did not answer "
                     "then, or input that all ask for at once.",
                     {longer, section, e.for_input, a.begin, a.end})};
      return {fill("First chunks of workers took {} as long", {factor}),
              fill("{}later ones of the same datasets.{} Possible causes: what each worker does "
                   "once, such as imports, compilation, and tables that are read and kept, or "
                   "input that all ask for at once.",
                   {longer, section})};
    case Anomaly::Kind::first_of_files:
      return {fill("A worker's first chunk of each file took {} as long", {factor}),
              fill("{}its later ones of the same files.{} Possible causes: what is made once for "
                   "each file and kept, or a cache of the file that its first chunk fills.",
                   {longer, section})};
    case Anomaly::Kind::with_each: {
      const std::string memory =
          is_absent(e.memory)
              ? ""
              : fill(" Memory of the same workers grows by {B} a chunk.", {e.memory});
      if (a.is_of_all)
        return {
            fill("Chunks of a worker take longer with every one it has done, {} as long in the end",
                 {factor}),
            fill(
                "{}if each were like the first, per event and in the same dataset.{} Possible "
                "causes: what is kept from chunk to chunk, such as objects that garbage collection "
                "goes through, later files whose events take longer, or a machine that slows down.",
                {longer, memory})};
      const std::string what = !a.section.empty()   ? "Section " + a.section
                               : a.function.empty() ? "Code outside sections"
                                                    : a.function;
      const bool is_within = !a.section.empty() && !a.function.empty();
      return {
          fill("{} takes longer with every chunk of a worker: about {} as long at the end",
               {what, factor}),
          fill("{}if each were like the first; the rest of the same chunks did not grow alike.{}{} "
               "Possible causes: what the {} keeps from chunk to chunk, such as lists and caches, "
               "a service that slows down, or later files of which it does more.",
               {longer, is_within ? fill(" {} grew, too.", {a.function}) : "", memory,
                !a.section.empty()   ? "section"
                : a.function.empty() ? "code"
                                     : "function"})};
    }
    case Anomaly::Kind::moment: break;
  }
  const std::string cause =
      a.has_more_cores()
          ? fill(" {core} were there then, {} at other times: possibly more threads than cores.",
                 {a.cores, a.cores_elsewhere})
      : !is_absent(e.others) ? fill(" Other processes used {CPU} then, {} at other times.",
                                    {e.others, e.others_elsewhere})
      : waits_for_input || a.lacks_cpu() || !section.empty()
          ? std::string()
          : std::string(" Whether these files were slow, or something at that time, is unknown.");
  return {
      fill("Chunks of several files took {} as long from {}", {factor, range_text(a.begin, a.end)}),
      fill("{}chunks of the same datasets at other times.{}{}{}", {longer, cpu, section, cause})};
}

}  // namespace crema::report
