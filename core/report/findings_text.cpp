// A finding as sentences: one function for each struct of evidence.
#include "core/report/findings_text.hpp"

#include <algorithm>

#include "core/base/number_format.hpp"
#include "core/base/sentence.hpp"

namespace crema::report {

using namespace diagnose;

namespace {

std::string counted(std::size_t count, const char* noun) {
  return format_count(static_cast<double>(count), noun);
}

std::string text_of(const Measurement& measured) {
  using Unit = Measurement::Unit;
  if (const auto* name = std::get_if<std::string>(&measured.value)) return *name;
  const double number = std::get<double>(measured.value);
  switch (measured.unit) {
    case Unit::seconds: return format_seconds(number);
    case Unit::bytes: return format_bytes(number);
    case Unit::share: return format_percent(number);
    case Unit::chunks: return format_count(number, "chunk");
    case Unit::number: break;
  }
  return format_number(number);
}

/// What stands for a name in the list of causes; an unknown one for itself, so that it is seen.
std::string named(std::string_view name, const Finding& finding) {
  if (name == "share") return format_percent(finding.share);
  if (name == "cost") return format_core_seconds(finding.core_seconds);
  if (name == "saving") return format_core_seconds(finding.gain_core_seconds);
  for (const Measurement& measured : std::get<Measurements>(finding.evidence)) {
    if (measured.name == name) return text_of(measured);
  }
  return sentence({"{", name, "}"});
}

std::string filled(std::string_view text, const Finding& finding) {
  std::string made;
  while (true) {
    const std::size_t begin = text.find('{'), end = text.find('}');
    made += text.substr(0, begin);
    if (begin == std::string_view::npos) return made;
    made += named(text.substr(begin + 1, end - begin - 1), finding);
    text.remove_prefix(end + 1);
  }
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string range_text(double begin, double end) {
  return format_seconds(begin) + " to " + format_seconds(end);
}

/// Dask does not say in which section a sample was taken.
std::string functions_text(const std::vector<std::string>& functions) {
  std::string list;
  for (const std::string& name : functions) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? ""
                      : sentence({" Functions that probably belong to it, by name and share of "
                                  "the samples: ",
                                  list, "."});
}

std::string patterns_text(const std::vector<CodePattern>& patterns) {
  std::string text;
  for (const CodePattern& pattern : patterns) {
    text +=
        is_absent(pattern.share)
            ? sentence({" Judged by its source line, ", pattern.what, ". ", pattern.how, "."})
            : sentence({" ", format_percent(pattern.share), " of the samples in process() are in ",
                        pattern.what, ". ", pattern.how, "."});
  }
  return text;
}

std::string code_text(const LargestCode& code) {
  if (code.function.name.empty()) return "";
  return sentence({" The largest function of the analysis is ", code.function.name, " (",
                   format_percent(code.function.share), " of the samples in process())",
                   code.section.section.empty() ? "" : ", the largest section ",
                   code.section.section, ".", functions_text(code.section.functions)});
}

FindingText text_of(const Finding& f, const Measurements&) {
  return report::text_of(f, fields_of(f.cause));
}

// Failures

FindingText text_of(const Finding& f, const FailedTasks& e) {
  std::string title = sentence({format_number(e.failed), " of ", format_count(e.executions, "task"),
                                " failed", e.worker.empty() ? "" : " on worker ", e.worker,
                                e.exception.empty() ? "" : ": ", e.exception});
  std::string evidence =
      sentence({e.missing > 0 ? format_count(e.missing, "task") +
                                    " never succeeded: their results are missing"
                              : std::string("All of them succeeded when they were run again"),
                "; ", format_core_seconds(f.core_seconds), " were wasted."});
  if (e.exceptions > 1)
    evidence +=
        sentence({" ", e.exception, " ", format_count(e.exception_times, "time"),
                  ", other exceptions ", format_count(e.failed - e.exception_times, "time"), "."});
  return {std::move(title), std::move(evidence)};
}

FindingText text_of(const Finding&, const LostChunks& e) {
  return {format_count(e.lost, "chunk") +
              (e.lost == 1 ? " is missing from the recording" : " are missing from the recording"),
          sentence({format_number(e.recorded), " of ", format_number(e.submitted),
                    " chunks are recorded. With skipbadfiles=True coffea drops unreadable files "
                    "silently: their events are missing from the result."})};
}

// Where the core-time went

FindingText text_of(const Finding&, const StartUp& e) {
  std::string evidence = "First core at " + format_seconds(e.first_core);
  if (e.has_chunks) evidence += ", first chunk at " + format_seconds(e.first_chunk);
  if (e.has_ramp) evidence += ", chunks on 90 % of the cores at " + format_seconds(e.end);
  else if (e.has_chunks && !e.filled) evidence += "; chunks never ran on 90 % of the cores";
  return {format_seconds(e.end) + (e.has_ramp     ? " until chunks ran on nearly all cores"
                                   : e.has_chunks ? " until the first chunk began"
                                                  : " until the first core was available"),
          evidence + "."};
}

FindingText text_of(const Finding& f, const Preprocessing& e) {
  return {
      sentence({e.again > 0 ? "Opening files took " : "Pre-processing took ",
                format_percent(f.share), " of the core-time"}),
      sentence({format_core_seconds(e.ahead),
                " in tasks that open every file to count its events. coffea can keep the result "
                "and skip this the next time.",
                e.again > 0
                    ? sentence({" The processor's tasks open the files again: ",
                                format_core_seconds(e.again),
                                " outside process() beyond 0.1 s per execution. Fewer, larger "
                                "files and a nearer storage save both."})
                    : ""})};
}

FindingText text_of(const Finding&, const LastChunks& e) {
  std::string evidence =
      sentence({"Between the end of 95 % of the chunks and the end of the last one, ",
                format_percent(e.busy), " of the cores were inside process()."});
  if (e.actual - e.ideal > 0.01 * e.actual)
    evidence += sentence({" The same tasks, longest first and without gaps, would have taken ",
                          format_seconds(e.ideal), " instead of ", format_seconds(e.actual), "."});
  return {"The last " + format_seconds(e.length) + " ran on part of the cores",
          std::move(evidence)};
}

FindingText text_of(const Finding& f, const Merging& e) {
  const std::string each = format_bytes(e.results / e.tasks);
  const std::string seconds =
      format_core_seconds(f.core_seconds) + " in the tasks of the tree reduction.";
  if (f.cause == FindingCause::heavy_output)
    return {sentence({"Results are large: ", each, " per chunk, and merging them keeps all of it"}),
            sentence({seconds, " The largest merged result has ", format_bytes(e.merged),
                      " of the ", format_bytes(e.results),
                      " that the chunks returned: it grows with the events, as columns do and "
                      "histograms do not. Write columns to files in the tasks, and return their "
                      "names."})};
  return {sentence({"Merging results took ", format_percent(f.share), " of the core-time"}),
          sentence({seconds, e.tasks > 0 ? " A chunk returns " + each + "." : "",
                    " Smaller results, or another width of the tree (treereduction), shorten "
                    "it."})};
}

// Waiting

FindingText text_of(const Finding& f, const Lock& e) {
  return {
      sentence({"Tasks waited ", format_percent(e.share), " of their time for a lock"}),
      sentence({format_core_seconds(f.core_seconds), " by the samples that were acquiring a lock",
                e.function.empty() ? "" : ", most in ", e.function,
                ". Not for storage: ", format_percent(e.reading),
                " of the samples wait for reading. Work that only one task at a time may do "
                "is no faster on more cores."})};
}

FindingText text_of(const Finding& f, const CpuContention& e) {
  const std::string blocked = sentence(
      {format_percent(e.off_cpu), " of the tasks' time was off the CPU, but only ",
       format_percent(e.blocked), " of the samples are in calls that are known to block."});
  const std::string enough_cores =
      is_absent(e.host_busy)
          ? " Tasks that merge results do not wait, so there are enough cores."
          : sentence({" The host's CPUs were busy for ", format_percent(e.host_busy),
                      " of the time, so there are enough cores."});
  const std::string threads = format_count(e.threads, "thread");
  const std::string cores = format_count(e.cores, "core");
  const double each = e.cores / e.workers;
  if (f.cause == FindingCause::native_lock)
    return {sentence({"Tasks run one at a time for ", format_percent(e.share), " of their time"}),
            sentence({"The ", threads, " of ", e.host, " use ", cores,
                      " in all while each runs a task. ", blocked, enough_cores,
                      " Consistent with a lock that native code takes, such as one on a file.",
                      code_text(e.code)})};
  if (f.cause == FindingCause::cpu_limit)
    return {sentence({"Something limits ", threads, " of ", e.host, " to ", cores, " in total"}),
            sentence({blocked, enough_cores,
                      " Tasks that merge results, which only compute and take no lock, are off "
                      "the CPU as well. Consistent with a limit on the CPU of the workers (of a "
                      "container, or of the batch system), and with processes that are stopped; "
                      "neither storage nor a lock has this effect.",
                      code_text(e.code)})};
  if (f.cause == FindingCause::interpreter_lock) {
    // Loops in Python are what holds the interpreter's lock.
    const auto loop = std::find_if(e.patterns.begin(), e.patterns.end(),
                                   [](const CodePattern& p) { return is_absent(p.share); });
    return {
        sentence({"Threads of a worker wait for each other: ", format_percent(e.share),
                  " of the tasks' time"}),
        sentence(
            {"Workers of ", format_number(e.threads / e.workers), " threads used ",
             format_number(each),
             " cores each while all their threads ran tasks: one thread at a time "
             "executes Python code (the interpreter lock, GIL). ",
             blocked, code_text(e.code),
             loop == e.patterns.end() ? "" : " Judged by its source line, " + loop->what + ".",
             each > 1.05 ? " Too few cores do not explain it: a process got more than one." : "",
             " Workers of one thread each do not wait for one another."})};
  }
  return {sentence({threads, " on ", e.host, e.threads == 1 ? " gets only " : " get only ", cores}),
          sentence({"While all their threads ran tasks, its workers used ", cores, ". ", blocked,
                    e.merging_waits
                        ? " Tasks that merge results, which only compute, are off the CPU as well."
                        : "",
                    " Consistent with more threads than cores, with other programs on the "
                    "machine, and with a limit on its CPU; neither storage nor a lock has this "
                    "effect. If there are more threads than cores, one thread per core takes no "
                    "longer."})};
}

std::string served_text(const ServedRate& served) {
  return sentence({format_number(served.chunks), " chunks at a time each had ",
                   format_bytes(served.bytes_per_second), "/s (",
                   format_bytes(served.chunks * served.bytes_per_second), "/s in all)"});
}

FindingText text_of(const Finding&, const Bandwidth& e) {
  return {sentence({e.host == "local" ? "The local storage" : "Host " + e.host, " gives ",
                    format_bytes(e.bytes_per_second), "/s in total: that is the limit"}),
          sentence({format_percent(e.reading),
                    " of the samples in process() wait for reading, and the time that chunks wait "
                    "grows with the bytes they read: it is transfer time, not the latency of "
                    "requests. ",
                    format_number(e.chunks),
                    " chunks at a time shared it; more workers do not make it faster. Fewer "
                    "branches, a copy nearby or a faster link do.",
                    is_absent(e.few.chunks)
                        ? ""
                        : " With " + served_text(e.few) + ", with " + served_text(e.many) + "."})};
}

FindingText text_of(const Finding&, const WaitingTasks& e) {
  std::string cause;
  if (e.what == WaitingTasks::For::input)
    cause = sentence(
        {format_percent(e.reading), " of the samples wait for reading. ",
         e.knows_latency
             ? "The time does not grow with the bytes read: the latency of requests is the limit. "
               "More chunks at a time would wait in parallel."
             : "Whether the latency of requests or the bandwidth of the link is the limit, the "
               "chunks do not show: they read about the same number of bytes each, or it was not "
               "recorded."});
  else if (e.what == WaitingTasks::For::own_call)
    cause = sentence({format_percent(e.own),
                      " of the samples are in calls of the analysis that sleep or wait, neither "
                      "for input nor for a known lock; most in ",
                      e.function, "."});
  else
    cause =
        "Consistent with reading input, with locks (the GIL among them), or with more threads "
        "than cores on the machine.";
  return {sentence({e.what == WaitingTasks::For::input ? "Tasks waited for input for "
                                                       : "Tasks waited for ",
                    format_percent(e.share), " of their time",
                    e.what == WaitingTasks::For::own_call ? ", most of it in " + e.function : ""}),
          sentence({format_core_seconds(e.waited), " on a thread but not on a CPU, ",
                    format_core_seconds(e.on_cpu), " on a CPU. ", cause,
                    " Part of it is what any reading takes, so not all of it can be saved."})};
}

// Anomalies

FindingText text_of(const Finding&, const SlowGroup& e) {
  const Anomaly& a = e.anomaly;
  const std::string factor = format_number(a.factor);
  const std::string cost =
      sentence({format_core_seconds(a.core_seconds), " more than usual, by the median of ",
                counted(a.chunks, "chunk")});
  std::string cpu;
  if (!is_absent(a.cpu) && !is_absent(a.cpu_elsewhere))
    cpu = sentence({a.waits() ? " The extra time is waiting, not computing: "
                              : " The extra time is computing: ",
                    "the workers' CPU was busy ", format_percent(a.cpu), " meanwhile, ",
                    format_percent(a.cpu_elsewhere), " otherwise."});
  const std::string section = a.section.empty() ? ""
                                                : " Most of it is in section " + a.section + "." +
                                                      functions_text(e.functions);
  switch (a.kind) {
    case Anomaly::Kind::host:
    case Anomaly::Kind::site:
      return {sentence({a.kind == Anomaly::Kind::host ? "Host " : "Site ", a.name, " takes ",
                        factor, " times as long per event"}),
              sentence({cost,
                        a.dataset.empty() ? ", each compared with chunks of its dataset elsewhere."
                                          : ": only it serves " + a.dataset +
                                                ", which is compared with other datasets.",
                        cpu, section})};
    case Anomaly::Kind::worker:
      return {
          sentence({"Worker ", e.worker, " takes ", factor, " times as long for the same work"}),
          sentence({cost, " (worker ", e.worker, ", ", a.name,
                    "), each compared with chunks of its dataset on other workers.", cpu, section,
                    a.waits() || is_absent(a.cpu)
                        ? ""
                        : " Consistent with a slower core, and with other programs on its "
                          "machine."})};
    case Anomaly::Kind::dataset:
      return {
          sentence({a.name, " costs ", factor, " times as much per event as any other dataset"}),
          sentence({cost, ", compared with the slowest other dataset.", cpu,
                    is_absent(e.alone_from)
                        ? ""
                        : sentence({" They ran from ", range_text(e.alone_from, e.alone_to),
                                    " with few others: anything else that happened then "
                                    "would look the same."}),
                    section})};
    case Anomaly::Kind::section:
      return {sentence({"Section ", a.name, " takes ", factor, " times as long in ", a.dataset,
                        " as in any other dataset"}),
              sentence({cost,
                        ", compared with the other sections of the same chunks and with the "
                        "slowest other dataset.",
                        cpu, functions_text(e.functions)})};
    case Anomaly::Kind::file:
      return {sentence({"File ", file_name(a.name), " takes ", factor,
                        " times as long per event as the other files of its dataset"}),
              sentence({cost, " of ", a.dataset.empty() ? "the dataset without a name" : a.dataset,
                        ", each compared with its other files.", cpu, section})};
    case Anomaly::Kind::moment: break;
  }
  constexpr std::string_view storage = "storage or a network that others used";
  constexpr std::string_view programs = "other programs on the workers' machines";
  return {sentence({"From ", range_text(a.begin, a.end), " chunks took ", factor,
                    " times as long, whatever their file"}),
          sentence({cost, ", each compared with chunks of its dataset at other times.", cpu,
                    a.has_more_cores()
                        ? sentence({" ", format_count(a.cores, "core"), " were there then, ",
                                    format_number(a.cores_elsewhere),
                                    " at other times: consistent with more threads than cores."})
                        : sentence({" Consistent with ", e.may_be_storage ? storage : "",
                                    e.may_be_storage && e.may_be_programs ? ", or " : "",
                                    e.may_be_programs ? programs : "", " meanwhile."})})};
}

// Workers

FindingText text_of(const Finding& f, const WorkerWarnings& e) {
  std::string title, worst, advice;
  if (f.cause == FindingCause::memory_near_limit) {
    title = "Workers paused for lack of memory";
    worst = sentence(
        {" was paused for ", format_seconds(e.total), " at ", format_percent(e.most),
         " of its memory",
         e.idle > 0 ? "; cores of paused workers idled for " + format_core_seconds(e.idle) : ""});
    advice = "Smaller chunks, or more memory per worker, would avoid that";
  } else if (f.cause == FindingCause::garbage_collection) {
    title = "Workers spent much time in garbage collection";
    worst = sentence({" spent up to ", format_percent(e.most), " of its CPU time on it at once"});
    advice = "Many small Python objects cause that: lists of lists, one object per event";
  } else {
    title = "Event loops of workers were blocked";
    worst = sentence({" was blocked for ", format_seconds(e.total), " in total, at most for ",
                      format_seconds(e.most)});
    advice = "Consistent with code that holds the interpreter lock (GIL), and with swapping";
  }
  return {std::move(title),
          sentence({e.worker.empty() ? "" : e.worker + worst + ". ", format_count(e.times, "time"),
                    " by their logs, on ", format_count(e.workers, "worker"), "; the first: \"",
                    e.first, "\". ", advice, "."})};
}

FindingText text_of(const Finding&, const NearMemoryLimit& e) {
  return {format_count(e.workers, "worker") + " came near the memory limit",
          sentence({e.worker, " reached ", format_memory(e.bytes), ", ", format_percent(e.share),
                    " of its limit. Dask pauses a worker at 80 % and restarts it at 95 %: smaller "
                    "chunks, or more memory per worker, would avoid that."})};
}

/// "worker 1 at 5.01 s, worker 4 at 12 s, …"
std::string last_seen_text(const WorkersThatLeft& left) {
  std::string text;
  for (const auto& [worker, seconds] : left.last_seen)
    text += (text.empty() ? "" : ", ") + worker + " at " + format_seconds(seconds);
  return static_cast<double>(left.last_seen.size()) < left.count ? text + ", …" : text;
}

FindingText text_of(const Finding&, const WorkersThatLeft& e) {
  return {format_count(e.count, "worker") + " left before the end",
          sentence({"Of ", format_number(e.seen), " seen; last seen: ", last_seen_text(e),
                    ". Scaling down, a time limit of the batch system and a crash look the same "
                    "here."})};
}

FindingText text_of(const Finding& f, const RepeatedWork& e) {
  return {sentence({e.left.count == 0 ? ""
                                      : format_count(e.left.count, "worker") +
                                            (e.left.count == 1 ? " was lost: " : " were lost: "),
                    format_percent(f.share), " of the core-time was repeated work"}),
          sentence({format_count(e.repeated, "execution"), " of ", format_number(e.executions),
                    " were repeated (", e.exact ? "from the task stream" : "estimated",
                    "): results held by a worker that leaves must be computed again.",
                    e.left.count == 0 ? "" : " Last seen: " + last_seen_text(e.left) + "."})};
}

FindingText text_of(const Finding& f, const LateWorkers& e) {
  return {sentence({format_count(e.workers, "worker"),
                    e.workers == 1 ? " joined late, at " : " joined late, the last one at ",
                    format_seconds(e.last)}),
          sentence({"The first worker arrived at ", format_seconds(e.first), "; until ",
                    format_seconds(e.last), " up to ", format_count(e.threads, "core"),
                    e.threads == 1 ? " was" : " were",
                    " missing: ", format_core_seconds(f.core_seconds),
                    " in total. The run waited for cores, not for work: start the workers before "
                    "it, or wait for them (client.wait_for_workers)."})};
}

FindingText text_of(const Finding& f, const NotedByReading& e) {
  if (f.cause != FindingCause::clock_skew)
    return {f.cause == FindingCause::versions_differ ? "Workers run different versions"
                                                     : "Workers have different settings",
            sentence({"According to the recorder, ", e.message,
                      ". The same chunk may give different results, or take a different time, on "
                      "another worker."})};
  if (e.note != "worker-clock")
    return {"Clocks disagree: chunks lie outside the run or their tasks",
            sentence({"It slows nothing down: ", e.message, "."})};
  const std::size_t colon = e.message.find(": ");
  return {
      "Clocks disagree: " + e.message.substr(0, colon),
      sentence({"It slows nothing down. ",
                colon == std::string::npos ? e.message : "I" + e.message.substr(colon + 3), "."})};
}

FindingText text_of(const Finding&, const SilentWorkers& e) {
  return {sentence({format_count(e.workers, "worker"), e.workers == 1 ? " was" : " were",
                    " unresponsive for more than ", format_seconds(e.limit)}),
          sentence({e.worker, " was silent for ", format_seconds(e.most), " before ",
                    format_seconds(e.at), "; a heartbeat is due every ", format_seconds(e.interval),
                    ". Consistent with a task that holds the GIL, with swapping, and with a lost "
                    "connection."})};
}

// Chunks and what they read

FindingText text_of(const Finding& f, const SmallChunks& e) {
  return {"Chunks are too small: " + format_percent(e.share) +
              " of their time is a fixed cost per chunk",
          sentence({"Per chunk ", format_seconds(e.fixed), " of ", format_seconds(e.all),
                    " (fixed part of process() by a robust line per dataset, and the time outside "
                    "it, assuming that is a cost per chunk). Chunks twice as large would save up "
                    "to ",
                    format_core_seconds(f.gain_core_seconds), "."})};
}

FindingText text_of(const Finding&, const LargeChunks& e) {
  return {e.are_few()
              ? "Only " + format_number(e.chunks / e.cores) + " chunks per core"
              : "One chunk ran for " + format_percent(e.longest / e.elapsed) + " of the run",
          sentence({format_count(e.chunks, "chunk"), " on ", format_count(e.cores, "core"),
                    "; the longest took ", format_seconds(e.longest), " of ",
                    format_seconds(e.elapsed), ". Smaller chunks fill the cores more evenly."})};
}

FindingText text_of(const Finding& f, const Stragglers& e) {
  std::string place;
  if (!e.file.empty()) place = " of " + file_name(e.file);
  if (!is_absent(e.entry_start))
    place += sentence(
        {" (entries ", format_number(e.entry_start), " to ", format_number(e.entry_stop), ")"});
  return {sentence({format_count(e.chunks, "chunk"), place,
                    " took more than three times as long as expected"}),
          sentence({"Expected by dataset and events, ", format_core_seconds(f.core_seconds),
                    " too long", e.code.section.empty() ? "" : ", most of it in section ",
                    e.code.section, "; the longest took ", format_seconds(e.longest), ".",
                    functions_text(e.code.functions)})};
}

FindingText text_of(const Finding& f, const BytesOfFiles& e) {
  return {
      sentence({"The analysis reads ", format_percent(e.share), " of its files",
                e.function.empty() ? "" : "; most of these branches are probably never used"}),
      sentence(
          {format_percent(e.branches), " of the branches, ", format_bytes(e.read), " of ",
           format_bytes(e.all), ".",
           e.function.empty()
               ? ""
               : sentence(
                     {" Most reading is in ", e.function, ", ", format_core_seconds(f.core_seconds),
                      " according to the profile",
                      e.section.empty() ? "" : ", about as much as section " + e.section + " takes",
                      "."})})};
}

FindingText text_of(const Finding& f, const BasketsReadAgain& e) {
  return {sentence({"The same baskets are read ", format_number(e.times), " times"}),
          sentence({"Chunks read ", format_bytes(e.read), " from branches that hold ",
                    format_bytes(e.held),
                    ": baskets are much larger than chunks, and each chunk reads and unpacks all "
                    "those that it overlaps. Larger chunks, or files with smaller baskets, read "
                    "less.",
                    is_absent(f.core_seconds)
                        ? ""
                        : sentence({" According to the profile, the repeated reading cost about ",
                                    format_core_seconds(f.core_seconds), "."})})};
}

FindingText text_of(const Finding& f, const LargestPart& e) {
  const bool is_section = !e.code.section.empty();
  return {sentence({is_section ? "Section " + e.code.section + " (" + e.function + ")" : e.function,
                    " is the largest part of the analysis: ", format_percent(e.share),
                    " of process()"}),
          sentence({"It took ", format_core_seconds(f.core_seconds),
                    is_section ? "" : " according to the profile",
                    e.library.empty() ? "" : ", of " + e.function + " mostly in " + e.library,
                    ". If it were twice as fast, that would save about ",
                    format_core_seconds(f.gain_core_seconds), ", ", format_seconds(e.sooner),
                    " of the run.", functions_text(e.code.functions), patterns_text(e.patterns)})};
}

}  // namespace

FindingText text_of(const Finding& finding, const CauseFields& cause) {
  return {filled(cause.title, finding), filled(cause.evidence, finding)};
}

FindingText text_of(const Finding& finding) {
  return std::visit([&](const auto& evidence) { return text_of(finding, evidence); },
                    finding.evidence);
}

std::string_view name_of(Recording recording) {
  switch (recording) {
    case Recording::chunks: return "the chunk list";
    case Recording::sections: return "sections of chunks";
    case Recording::tracking: return "tracking of workers";
    case Recording::task_stream: return "the task stream";
    case Recording::profile: return "a profile";
    case Recording::activities: return "Dask's fine metrics";
    case Recording::files: return "facts of the input files";
    case Recording::warnings: return "the workers' warnings";
    case Recording::notes: break;
  }
  return "nothing";
}

std::string unseen_text(const Run& run) {
  constexpr std::pair<Recording, std::string_view> all[] = {
      {Recording::warnings,
       "workers that paused, collected garbage or were blocked (crema.record keeps their "
       "warnings)"},
      {Recording::task_stream, "single tasks, and which worker ran a chunk (the task stream)"},
      {Recording::profile, "functions (a profile)"},
      {Recording::tracking, "memory and CPU of workers (tracking)"}};
  std::string list;
  for (const auto& [recording, unseen] : all) {
    // Warnings are not expected of a recording without chunks.
    if (is_recorded(run, recording) || (recording == Recording::warnings && run.chunks.size() == 0))
      continue;
    list += list.empty() ? "cannot be seen in this recording: " : "; ";
    list += unseen;
  }
  return list;
}

}  // namespace crema::report
