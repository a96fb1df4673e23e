// A finding as sentences: one function for each struct of evidence.
#include "core/report/answer_text.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/report/notes.hpp"

namespace crema::report {

using namespace diagnose;

namespace {

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
  for (const Measurement& measured : std::get<Measurements>(finding.evidence.any())) {
    if (measured.name == name) return text_of(measured);
  }
  return "{" + std::string(name) + "}";
}

std::string filled(std::string_view text, const Finding& finding) {
  std::string made;
  while (true) {
    const std::size_t begin = text.find_first_of("{[");
    made += text.substr(0, begin);
    if (begin == std::string_view::npos) return made;
    const bool is_optional = text[begin] == '[';
    const std::size_t end = text.find(is_optional ? ']' : '}', begin);
    const std::string_view within = text.substr(begin + 1, end - begin - 1);
    const std::string part = is_optional ? filled(within, finding) : named(within, finding);
    bool is_whole = true;
    for (std::size_t slot = within.find('{'); is_optional && slot != within.npos;
         slot = within.find('{', slot + 1)) {
      const std::string_view name = within.substr(slot + 1, within.find('}', slot) - slot - 1);
      is_whole = is_whole && named(name, finding) != "{" + std::string(name) + "}";
    }
    if (is_whole) made += part;
    text.remove_prefix(end + 1);
  }
}

std::string patterns_text(const std::vector<CodePattern>& patterns) {
  std::string text;
  for (const CodePattern& pattern : patterns)
    text += fill(" {} of the samples in process() are in {}. {}.",
                 {format_percent(pattern.share), pattern.what, pattern.how});
  return text;
}

FindingText text_of(const Finding& f, const Measurements&) {
  return report::text_of(f, fields_of(f.cause));
}

// Failures

/// What aiohttp, requests, urllib3, XRootD and Python raise where a server or the way to it fails.
constexpr std::string_view storage_errors[] = {"ClientResponseError",  "ServerDisconnectedError",
                                               "ClientConnectorError", "ClientPayloadError",
                                               "ServerTimeoutError",   "HTTPError",
                                               "ConnectTimeout",       "ReadTimeout",
                                               "ConnectionResetError", "ConnectionRefusedError",
                                               "XRootD error"};

/// The error of storage that tasks failed with, also where another exception speaks of it; "" else.
std::string_view storage_error(const FailedTasks& e) {
  for (const std::string_view error : storage_errors) {
    for (const runtime::Failed& way : e.ways)
      if (way.exception == error || has_part(way.message, error)) return error;
  }
  return "";
}

FindingText text_of(const Finding& f, const FailedTasks& e) {
  if (e.of_libraries)
    return {
        fill("{} failed{}{}", {format_count(e.failed, "library instance"),
                               e.exception.empty() ? "" : ": ", e.exception}),
        "Calls run in these instances only, and wait for one that starts. How long the failed ones "
        "held their cores is not recorded. With manager.tune(\"watch-library-logfiles\", 1) "
        "TaskVine "
        "brings back what they print."};
  std::string evidence =
      e.missing > 0  ? fill("{} never succeeded{}",
                            {format_count(e.missing, "task"),
                            e.is_open ? " in this recording" : ", so their results are missing"})
      : e.untold > 0 ? fill("Whether {} of them {} run again is not recorded",
                            {format_number(e.untold), e.untold == 1 ? "was" : "were"})
                     : "All of them succeeded when they were run again";
  evidence += is_absent(f.core_seconds)
                  ? "."
                  : fill("; {} were wasted.", {format_core_seconds(f.core_seconds)});
  constexpr std::size_t most = 2;
  for (std::size_t i = 0; i < std::min(most, e.ways.size()); ++i)
    evidence += fill(" {}.", {failure_text(e.ways[i])});
  if (e.exceptions > 1 && e.ways.empty())
    evidence += fill(" {}: {}; other exceptions: {}.",
                     {e.exception, format_count(e.exception_times, "time"),
                      format_count(e.failed - e.exception_times, "time")});
  if (const std::string_view error = storage_error(e); !error.empty())
    evidence += fill(
        " {} is what storage that fails raises, or the way to it; services that tasks ask raise it "
        "too.",
        {error});
  if (e.skipped > 0)
    evidence += fill(" What {} read was left out: its events are missing from the result.",
                     {format_count(e.skipped, "attempt")});
  return {
      fill("{} of {} failed{}{}{}{}{}{}{}",
           {format_number(e.failed),
            format_count(e.executions, e.failed == e.missing ? "task" : "attempt"),
            e.worker.empty() ? "" : ", all on worker ", e.worker, e.file.empty() ? "" : ", all of ",
            base_name(e.file), e.exception.empty() ? "" : ": ", e.exception,
            e.exceptions > 1 ? " and others" : ""}),
      std::move(evidence)};
}

FindingText text_of(const Finding& f, const ProcessedTwice& e) {
  const bool is_one = e.datasets.size() == 1;
  return {
      fill("{} of {} were processed more than once, {} {}",
           {format_count(e.events, "event"), format_count(e.files, "file"),
            is_one ? "in dataset" : "in datasets", listed(e.datasets)}),
      fill("{} did the entries of another one again, {}: of {}{}{}. {}",
           {format_count(e.chunks, "chunk"), format_core_seconds(f.core_seconds), base_name(e.file),
            e.files > 1 ? " and others" : "",
            e.by_other_paths
                ? ", under another path: files of the same name, of whose entries as many bytes "
                  "were read"
                : "",
            !e.are_shared
                ? "These events count twice in the result. The fileset has the files twice."
                : "Where results of these datasets are added up, the events count twice. "
                  "The fileset has the files in each of them."})};
}

FindingText text_of(const Finding&, const LostChunks& e) {
  return {fill("{} {} missing from the recording",
               {format_count(e.lost, "chunk"), e.lost == 1 ? "is" : "are"}),
          fill("{} of {} chunks are recorded. With skipbadfiles=True coffea drops unreadable files "
               "silently: their events are then missing from the result.",
               {format_number(e.recorded), format_number(e.submitted)})};
}

// Where the core-time went

std::string in_loop_text(const LoopFunction& function) {
  return fill("{} of the samples of the workers' event loops are in {}{}{}",
              {format_percent(function.share), function.is_of_dask ? "Dask's " : "", function.name,
               function.is_of_dask ? "" : ", which is not Dask's code"});
}

std::string own_text(const OwnFunction& function, std::string_view where) {
  return function.name.empty() ? ""
                               : fill(" {} of the samples {} are in {}.",
                                      {format_percent(function.share), where, function.name});
}

/// How slowly coffea's executor packs results; "" where it does not, or that is not known.
std::string compression_text(double level) {
  return is_absent(level)
             ? ""
             : fill(
                   " The executor packs results at level {} of LZ4 (compression=, 1 by default): "
                   "from 3 on that takes many times as long.",
                   {format_number(level)});
}

/// What more than half of the time outside process() went to; "" where that is not known.
std::string mostly_outside(const OutsideProcess& e) {
  if (2 * e.other > e.outside && e.function.share > 0.5)
    return ", most of it in " + e.function.name;
  if (2 * e.packing > e.outside) return ", most of it packing results";
  if (2 * e.opening > e.outside) return ", most of it opening files and building events";
  if (2 * e.unpacking > e.outside) return ", most of it unpacking the processor";
  return 2 * e.starting > e.outside ? ", most of it starting Python" : "";
}

FindingText text_of(const Finding&, const OutsideProcess& e) {
  return {fill("{} of the processor tasks' time was outside process(){}",
               {format_percent(e.share), mostly_outside(e)}),
          fill("Each task took {} outside process() and {} inside. {}; counted is {}.{}",
               {format_seconds(e.outside), format_seconds(e.inside),
                is_absent(e.other)
                    ? "Outside, files are opened, events built, the processor unpickled and "
                      "results packed"
                    : fill("{} the file and building events took {}, unpacking the processor {}, "
                           "packing the result {}: none of these was running for {}",
                           {is_absent(e.starting) ? "Opening"
                                                  : "Starting Python took " +
                                                        format_seconds(e.starting) + ", opening",
                            format_seconds(e.opening), format_seconds(e.unpacking),
                            format_seconds(e.packing), format_seconds(e.other)}),
                e.counts_other ? "that beyond 20 ms a task" : "what is beyond 0.1 s a task",
                own_text(e.function, "outside") +
                    // coffea, DaskExecutor: "compression (default 1)", a level of LZ4
                    compression_text(e.compression) +
                    (is_absent(e.compression) && 2 * e.packing > e.outside
                         ? " coffea packs results by LZ4 at the level that the executor is given "
                           "(compression, 1 by default): higher ones take longer."
                         : "") +
                    (e.in_loop.name.empty() ? ""
                                            : sentence({" Event loops begin and end tasks: ",
                                                        in_loop_text(e.in_loop), "."}))})};
}

FindingText text_of(const Finding&, const StartUp& e) {
  std::string evidence = "First core at " + format_seconds(e.first_core);
  if (e.has_chunks) evidence += ", first chunk at " + format_seconds(e.first_chunk);
  if (e.has_ramp) evidence += ", chunks on 90 % of the cores at " + format_seconds(e.end);
  else if (e.has_chunks && !e.filled) evidence += "; chunks never ran on 90 % of the cores";
  if (e.opening > e.end / 2)
    evidence += fill(
        ". The client opened {} one after the other to count their events, in {}: Runner without "
        "pre_executor opens them on the workers",
        {format_count(e.files, "file"), format_seconds(e.opening)});
  if (e.imports)
    evidence += fill(". The client imported modules for {} of it", {format_seconds(e.in_function)});
  else if (!e.function.empty())
    evidence +=
        fill(". The client was in {} for {} of it", {e.function, format_seconds(e.in_function)});
  if (!e.tasks.empty())
    evidence += fill(". Tasks of {} ran for {} of it", {e.tasks, format_seconds(e.in_tasks)});
  if (!is_absent(e.by_first))
    evidence +=
        fill(". First tasks of workers took {} outside process(), possibly to import modules",
             {format_core_seconds(e.by_first)});
  std::string whose;
  if (!e.tasks.empty()) whose = fill(", {} of it {}", {format_seconds(e.in_tasks), e.tasks});
  else if (!e.function.empty() && !e.imports)
    whose = fill(", {} of it {} in the client", {format_seconds(e.in_function), e.function});
  return {fill("{} until {}{}", {format_seconds(e.end),
                                 e.has_ramp     ? "chunks ran on nearly all cores"
                                 : e.has_chunks ? "the first chunk began"
                                                : "the first core was available",
                                 whose}),
          evidence + "."};
}

FindingText text_of(const Finding&, const SlowOpening& e) {
  const bool in_chunks = e.again > 0;
  std::vector<std::string> names;
  for (const std::string& name : e.names)
    names.emplace_back(e.key == runtime::ChunkKey::file ? base_name(name) : name);
  const std::string whose =
      (e.key == runtime::ChunkKey::file ? "" : "Files of ") + listed(std::move(names));
  std::string where;
  if (in_chunks && e.ahead > 0)
    where = fill(", {} of it in chunks and {} before them, to count events",
                 {amount_beside(e.again, e.seconds()), amount_beside(e.ahead, e.seconds())});
  else if (!in_chunks) where = ", before chunks, to count events";
  const std::string why =
      e.computes() ? fill(
                         "Tasks computed for {} of the time. Possible causes: many branches, many "
                         "small baskets or clusters, many objects beside the tree, or other large "
                         "descriptions in the files.",
                         {format_percent(e.computing)})
                   : fill(
                         "Tasks waited for {} of the time. Possible causes: files that are copied "
                         "when they are opened (simplecache::, filecache::), or a slow server.",
                         {format_percent(1 - e.computing)});
  return {fill("{} took {} to open, others {}",
               {whose, format_seconds(in_chunks ? e.each : e.each_ahead),
                format_seconds(in_chunks ? e.elsewhere : e.elsewhere_ahead)}),
          fill("{} more than others{}. {}", {format_core_seconds(e.seconds()), where, why})};
}

FindingText text_of(const Finding& f, const Preprocessing& e) {
  std::string evidence = fill(
      "{} in tasks that open every file to count its events. coffea can save the result and skip "
      "this next time.",
      {format_core_seconds(e.ahead)});
  if (!e.file.empty())
    evidence +=
        fill(" {} alone took {}; its task {}.",
             {base_name(e.file), amount_beside(e.of_file, e.ahead),
              e.file_computing >= 0.5
                  ? "computed for most of that"
                  : "waited for most of that: the file may have been staged or copied first"});
  if (e.again > 0)
    evidence += fill(
        " The processor's tasks, which open the files again, took {} outside process() beyond 0.1 "
        "s "
        "each. {}",
        {amount_beside(e.again, e.ahead),
         e.computing >= 0.5
             ? fill(
                   "For {} of the time in which files were opened tasks computed. Possible causes: "
                   "many branches, objects or small clusters in the files.",
                   {format_percent(e.computing)})
             : "Fewer and larger files, or closer storage, may reduce both."});
  if (e.copies)
    evidence +=
        " Some files are copied when they are first opened (simplecache::, filecache::): chunks "
        "may "
        "copy them then.";
  return {fill("{} of the core-time was spent in pre-processing{}{}",
               {format_percent(f.share), e.again > 0 ? " and outside process()" : "",
                e.file.empty() ? "" : fill(", most of it on {}", {base_name(e.file)})}),
          std::move(evidence)};
}

/// What is known of most unexplained idle time, and what can have made it.
struct IdleKind {
  std::string_view title;
  std::string is_known;
  std::string_view possible;
};
IdleKind idle_kind(const UnexplainedIdle& e) {
  constexpr double nearly_all = 0.8;
  double all = 0;
  for (const double seconds : e.seconds) all += seconds;
  const auto is = [&](runtime::IdleCause why) {
    return e.seconds[static_cast<std::size_t>(why)] >= nearly_all * all;
  };
  if (e.computing > 0)
    return {"{} of the core-time was idle while a process of the run computed outside tasks",
            fill(" While no task ran, workers used {} of CPU.{}",
                 {format_core_seconds(e.computing),
                  e.in_loop.name.empty() ? "" : " " + in_loop_text(e.in_loop) + "."}),
            "packing, compressing and sending of results, and code of plugins or client.run"};
  if (is(runtime::IdleCause::held_back))
    return {"{} of the core-time was idle on workers that had tasks",
            " A worker had been given more tasks than it executed.",
            "resources that tasks claim (resources= of Dask), inputs that they wait for, and a "
            "worker that is blocked"};
  // What waits at the scheduler is seen in the states of tasks alone.
  if (e.states && is(runtime::IdleCause::nothing_ready))
    return {"{} of the core-time was idle: no task was ready", "",
            "a client that computes or waits between tasks, a busy scheduler, and tasks that wait "
            "for results of others"};
  return {"{} of the core-time was idle: unknown why", "",
          "a client that computes or waits between tasks, a busy scheduler, and tasks that wait "
          "for their inputs"};
}

FindingText text_of(const Finding& f, const UnexplainedIdle& e) {
  std::string list;
  for (std::size_t i = 0; i < e.seconds.size(); ++i) {
    if (e.seconds[i] > 0)
      list += fill("{}{} {}", {list.empty() ? "" : ", ", idle_causes[i],
                               amount_beside(e.seconds[i], f.core_seconds)});
  }
  const IdleKind kind = idle_kind(e);
  return {fill(kind.title, {format_percent(f.share)}),
          fill("No other finding explains {}{}.{} Possible causes: {}.",
               {format_core_seconds(f.core_seconds), !has_part(list, ", ") ? "" : " (" + list + ")",
                kind.is_known, std::string(kind.possible)})};
}

FindingText text_of(const Finding&, const LastChunks& e) {
  std::string evidence = "The last 5 % of the chunks ended in this time.";
  if (e.actual - e.ideal > 0.01 * e.actual)
    evidence += fill(
        " The same tasks, longest first and without longer gaps, would have taken {} instead of "
        "{}.",
        {format_seconds(e.ideal), format_seconds(e.actual)});
  return {fill("In the last {} only {} of the cores were inside process()",
               {format_seconds(e.length), format_percent(e.busy)}),
          std::move(evidence)};
}

FindingText text_of(const Finding& f, const Merging& e) {
  const std::string cost = format_core_seconds(f.core_seconds),
                    each = format_bytes(e.results / e.tasks);
  const std::string packed =
      is_absent(e.compression) ? "" : fill(", packed at level {}", {format_number(e.compression)});
  const std::string slow = is_absent(e.compression) ? ""
                                                    : compression_text(e.compression) +
                                                          fill(" Chunks took {} to pack theirs.",
                                                               {format_core_seconds(e.packing)});
  if (f.cause == FindingCause::heavy_output)
    return {fill("{} of results per chunk{}, and merging keeps most of it", {each, packed}),
            fill("The largest merged result has {} of the {} that the chunks returned, packed. "
                 "Merging took {}.{}{} Possible causes: columns, which tasks can write to files to "
                 "return their names, sets and lists of Python objects, axes that get categories "
                 "with the events, or large histograms, which pack well while most of their bins "
                 "are empty.",
                 {format_bytes(e.merged), format_bytes(e.results), cost,
                  own_text(e.function, "of merging"), slow})};
  const std::string& function = e.function.name;
  return {fill("{} of the core-time was spent merging results{}{}",
               {format_percent(f.share), packed,
                function.empty() ? "" : ", most of it in " + function}),
          fill("{} in tasks that merge.{}{}{} Results with fewer bins, categories or objects,{} "
               "shorten it.",
               {cost,
                e.tasks > 0 ? " A chunk returns " + each + (e.are_packed ? ", packed." : ".") : "",
                own_text(e.function, "of merging"), slow,
                function.empty() ? "" : " or less work to add them,"})};
}

// Workers

FindingText text_of(const Finding& f, const WorkerWarnings& e) {
  const std::string workers = format_count(e.workers, "worker"), total = format_seconds(e.total),
                    percent = format_percent(e.most);
  std::string title, worst, advice;
  if (f.cause == FindingCause::memory_near_limit) {
    title = workers + " paused for lack of memory";
    worst = fill(
        "was paused for {} at {} of its memory{}",
        {total, percent,
         e.idle > 0 ? fill("; cores of paused workers idled for {}", {format_core_seconds(e.idle)})
                    : ""});
    advice = "Smaller chunks or more memory per worker may avoid it";
  } else if (f.cause == FindingCause::garbage_collection) {
    title = workers + " spent much time in garbage collection";
    worst = fill("spent up to {} of its CPU time on it at once", {percent});
    advice =
        "Possible cause: many small Python objects, such as lists of lists, or one object per "
        "event";
  } else {
    title = fill("{} warned of a blocked event loop", {workers});
    worst = fill("was blocked for {} in total, at most for {}", {total, format_seconds(e.most)});
    advice =
        "Possible causes: code that holds the interpreter lock (GIL), or that waits in the event "
        "loop (plugins, metrics, client.run), swapping, or a process that was stopped";
    if (!e.in.name.empty()) advice += ". " + in_loop_text(e.in);
  }
  return {std::move(title), fill("{}{} in the workers' logs; the first: \"{}\". {}.",
                                 {e.worker.empty() ? "" : fill("Worker {} {}. ", {e.worker, worst}),
                                  format_count(e.times, "time"), e.first, advice})};
}

FindingText text_of(const Finding&, const NearMemoryLimit& e) {
  return {format_count(e.workers, "worker") + " came near the memory limit",
          fill("Worker {} reached {}, {} of its limit. Dask pauses a worker at 80 % and restarts "
               "it at 95 "
               "%: smaller chunks or more memory per worker may avoid that.",
               {e.worker, format_memory(e.bytes), format_percent(e.share)})};
}

/// "worker 1 at 5.01 s, worker 4 at 12 s, …"
std::string last_seen_text(const WorkersThatLeft& left) {
  std::string text;
  for (const WorkersThatLeft::Worker& worker : left.named)
    text += (text.empty() ? "worker " : ", worker ") + worker.name + " at " +
            format_seconds(worker.last_seen);
  return static_cast<double>(left.named.size()) < left.count ? text + ", …" : text;
}

/// "Each was killed near its memory limit."; "" where nobody said why they left.
std::string why_left_text(const WorkersThatLeft& left) {
  std::string text;
  for (const WorkersThatLeft::Worker& worker : left.named) {
    if (worker.reason.empty()) continue;
    const std::string end = worker_end_text(worker_end(worker.reason), worker.reason);
    const bool is_of_all = all_of(left.named, [&](const WorkersThatLeft::Worker& other) {
      return other.reason == worker.reason;
    });
    if (is_of_all) return fill("{} {}.", {left.count == 1 ? "It" : "Each", end});
    text += fill("{} {} {}", {text.empty() ? "Worker" : "; worker", worker.name, end});
  }
  return text.empty() ? text : text + ".";
}

FindingText text_of(const Finding&, const WorkersThatLeft& e) {
  const std::string why = why_left_text(e);
  return {format_count(e.count, "worker") + " left before the end" +
              (e.came == 0 ? "" : fill(", {} joined later", {format_number(e.came)})),
          fill("{} were seen; last seen: {}. {}{}",
               {format_number(e.seen), last_seen_text(e),
                why.empty() ? "Why they left is unknown: scaling down, a time limit and a crash "
                              "look the same here."
                            : why,
                e.came == 0
                    ? ""
                    : fill(" Later {} joined, {}{}{}.",
                           {format_count(e.came, "worker"),
                            e.came == 1 ? "at " : "the last one at ", format_seconds(e.last_came),
                            e.missing > 0 ? fill(": until then {} of cores were fewer",
                                                 {format_core_seconds(e.missing)})
                                          : ""})})};
}

FindingText text_of(const Finding& f, const RepeatedWork& e) {
  const std::string runs = fill(
      "{} of {} executions were repeated ({}).",
      {format_number(e.repeated), format_number(e.executions), e.exact ? "counted" : "estimated"});
  const std::string why = why_left_text(e.left);
  return {
      fill("{} of the core-time was repeated work{}",
           {format_percent(f.share),
            e.left.count == 0 ? "" : fill("; {} left", {format_count(e.left.count, "worker")})}),
      sentence({runs,
                e.none_raised ? " No attempt raised an exception. Possible cause: lost results of "
                                "workers that left."
                              : " Possible cause: failed attempts, or lost results of workers that "
                                "left.",
                e.left.count == 0 ? "" : fill(" Last seen: {}.", {last_seen_text(e.left)}),
                why.empty() ? why : " " + why})};
}

FindingText text_of(const Finding& f, const LateWorkers& e) {
  return {fill("{} joined late, {}{} into the run",
               {format_count(e.workers, "worker"), e.workers == 1 ? "" : "the last one ",
                format_seconds(e.last)}),
          fill("The first worker joined at {}. Until {} up to {} {} missing, {} in total. Start "
               "workers before the run, or wait for them.",
               {format_seconds(e.first), format_seconds(e.last), format_count(e.threads, "core"),
                e.threads == 1 ? "was" : "were", format_core_seconds(f.core_seconds)})};
}

FindingText text_of(const Finding& f, const NotedByReading& e) {
  if (f.cause == FindingCause::clock_skew)
    return {
        e.note == "worker-clock" ? "Times of a worker's chunks and of its tasks differ"
                                 : "Times of chunks do not fit the run or their tasks",
        fill("No time is lost by it; {}. Possible causes: a clock that is off, or an event loop of "
             "the scheduler or a worker that is busy and hears of the others' clock late.",
             {e.message})};
  return {
      f.cause == FindingCause::versions_differ ? "Workers run different versions"
                                               : "Workers have different settings",
      fill("According to the recorder, {}. Results or times of a chunk may depend on its worker.",
           {e.message})};
}

// Chunks and what they read

FindingText text_of(const Finding& f, const SmallChunks& e) {
  const bool is_of_baskets = e.again > 0;
  return {
      fill("{} of the chunks' time is a fixed cost per chunk: they are too small",
           {format_percent(e.share)}),
      fill("The fixed cost is {} of {} per chunk: {}{}the time outside process(), assuming that "
           "is a cost per chunk. {} {}.",
           {format_seconds(e.fixed), format_seconds(e.all),
            is_of_baskets ? fill("{} for reading baskets that other chunks read as well, ",
                                 {format_seconds(e.again)})
                          : "",
            !e.is_inside_known ? ""
            : is_of_baskets
                ? "the part of process() that does not grow with the events, as far as is "
                  "known, and "
                : "the part of process() that does not grow with the events, and ",
            is_of_baskets
                ? fill("Chunks as large as a basket, {} times as large, would save most of it:",
                       {format_number(e.larger)})
                : "Chunks twice as large would save up to",
            format_core_seconds(f.gain_core_seconds)})};
}

FindingText text_of(const Finding&, const LargeChunks& e) {
  return {e.are_few() ? fill("Only {} chunks per core", {format_number(e.chunks / e.cores)})
                      : fill("One chunk{}{} ran for {} of the run",
                             {e.file.empty() ? "" : " of ", base_name(e.file),
                              format_percent(e.longest / e.elapsed)}),
          fill("{} on {}; {}{}{} took {} of {}. Smaller chunks fill the cores more evenly.",
               {format_count(e.chunks, "chunk"), format_count(e.cores, "core"),
                e.are_few() ? "one" : "it", e.are_few() && !e.file.empty() ? " of " : "",
                e.are_few() ? base_name(e.file) : "", format_seconds(e.longest),
                format_seconds(e.elapsed)})};
}

FindingText text_of(const Finding& f, const Stopped& e) {
  const bool are_several = e.workers > 1;
  const std::string who =
      !are_several ? "Worker " + e.worker
      : e.workers == e.all
          ? fill("All {}", {format_count(e.workers, "worker")})
          : fill("{} of {}", {format_number(e.workers), format_count(e.all, "worker")});
  return {
      fill("{} stood still{}{}{}",
           {who, are_several && e.at_once ? " at one moment" : "",
            are_several ? ", the longest for " : " for ", format_seconds(e.longest)}),
      fill("{} in {}, between {} and {} of the run. Looks at {}, which come at equal intervals, "
           "were missing {}, and {} used a CPU for {} at most.{} Possible causes: {} that {} "
           "stopped from outside, memory that is "
           "swapped, or code that holds the interpreter lock (GIL) while it waits{}.",
           {format_core_seconds(f.core_seconds), format_count(e.chunks, "chunk"),
            format_seconds(e.begin), format_seconds(e.end),
            are_several ? "these processes" : "its process", e.at_once ? "there" : "at times",
            are_several ? "each" : "it", format_seconds(e.cpu),
            e.others_ran ? " Another process of the host went on, so the machine did not stop."
                         : " Or the machine stood still.",
            are_several ? "processes" : "a process", are_several ? "were" : "was",
            are_several && e.at_once ? ", in each of them for the same thing" : ""})};
}

FindingText text_of(const Finding& f, const Stragglers& e) {
  const std::string place = slow_place_text(e.section, e.function);
  return {
      fill("{}{}{} took more than 3 times as long as expected",
           {format_count(e.chunks, "chunk"), e.file.empty() ? "" : " of ", base_name(e.file)}),
      fill("{} more than expected for {} dataset and events{}; {} took {}.{}",
           {format_core_seconds(f.core_seconds), e.chunks == 1 ? "its" : "their",
            place.empty() ? place : ", most of it" + place, e.chunks == 1 ? "it" : "the longest",
            format_seconds(e.longest),
            is_absent(e.entry_start) ? ""
                                     : fill(" Entries {} to {}.", {format_number(e.entry_start),
                                                                   format_number(e.entry_stop)})})};
}

FindingText text_of(const Finding& f, const BytesOfFiles& e) {
  std::string reader;
  if (!e.function.empty())
    reader = fill(" According to the profile, most reading is in {}, which took {} in all.",
                  {e.function, format_core_seconds(f.core_seconds)});
  return {fill("The analysis reads {} of its input", {format_percent(e.share)}),
          fill("{} of the branches, {} of {}. Whether it uses all of them is unknown.{}",
               {format_percent(e.branches), format_bytes(e.read), format_bytes(e.all), reader})};
}

FindingText text_of(const Finding& f, const BasketsReadAgain& e) {
  return {
      fill("Chunks read the bytes of their branches {} times", {format_number(e.times)}),
      fill(
          e.is_measured
              ? "{} were read from branches that hold {}. Baskets are larger than chunks, and each "
                "chunk reads and unpacks all of those that it overlaps. Larger chunks, or files "
                "with smaller baskets, read less.{}"
              : "{} were read from branches that hold {}. Possible causes: baskets much larger "
                "than chunks, of which each chunk reads and unpacks all that it overlaps (larger "
                "chunks, or files with smaller baskets, read less then), or code that reads more "
                "than its chunk's events.{}",
          {format_bytes(e.read), format_bytes(e.held),
           is_absent(f.core_seconds)
               ? ""
               : fill(" {} the repeated reading cost about {}.",
                      {e.is_by_bytes   ? "By how long branches of more bytes took,"
                       : e.is_measured ? "As measured,"
                                       : "According to the profile,",
                       format_core_seconds(f.core_seconds)})})};
}

/// What takes veto's time, on a line of its own: "veto: mostly at wz.py:85, called by select at
/// wz.py:30, 80 % reading files, in chunks of DoubleMuon only."
std::string work_text(const LargeFunction& e, std::string parts = {}, std::string_view share = {}) {
  const runtime::CodeLines& lines = e.work.lines;
  const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : ", ") + part; };
  for (const runtime::CodeLine& line : lines)
    add(fill("{} at {}",
             {lines.size() == 1 ? "mostly" : format_percent(line.share), line_text(line)}));
  if (!e.work.caller.empty() && e.work.caller != e.work.section &&
      e.work.caller != e.function.name) {
    const std::string at = lines_text(e.work.called_at);
    add(fill("called by {}{}", {e.work.caller, at.empty() ? at : " at " + at}));
  }
  if (!e.work.called_back_by.empty())
    add(fill("mostly in calls of {}", {e.work.called_back_by}) +
        (e.work.by_whom == e.function.name ? "" : " by " + e.work.by_whom));
  if (e.reads) add(fill("{} reading files", {format_percent(e.work.reading)}));
  if (e.waits) add(fill("off the CPU for {} of its time", {format_percent(e.work.off_cpu)}));
  if (!e.work.datasets.empty()) add(fill("in chunks of {} only", {listed(e.work.datasets)}));
  std::string text;
  if (!parts.empty()) text = fill("\n{}{}: {}.", {e.function.name, share, parts});
  for (const runtime::CodeLine& line : lines) text += line_hint(line.text);
  return text;
}

/// ", which chunks enter 3 times", or " of 4 datasets enter"; "" where chunks enter it once.
std::string entries_title(const SectionEntries& entries) {
  if (is_absent(entries.most)) return "";
  const auto datasets = static_cast<double>(entries.datasets.size());
  return fill(", which chunks{} enter {} times",
              {datasets == 0   ? ""
               : datasets == 1 ? " of " + entries.datasets[0]
                               : " of " + format_count(datasets, "dataset"),
               format_number(entries.most)});
}

const char* what_it_does(const LargeFunction& e) {
  return e.reads ? ", which reads files" : e.waits ? ", which waits" : "";
}

FindingText text_of(const Finding& f, const LargestPart& e) {
  const bool is_section = !e.section.empty();
  const OwnFunction& most = e.most.function;
  const auto mostly = [](const LargeFunction& of) {
    return of.library.empty() ? "" : ", mostly by " + of.library;
  };
  const bool has_most = e.is_within && f.core_seconds < e.seconds;
  std::string function = " Which function takes most of the time is unknown.";
  if (has_most)
    function = fill(
        " The section took {}; {} of its samples are in {}{}.",
        {format_core_seconds(e.seconds), format_percent(most.share), most.name, mostly(e.most)});
  else if (e.is_within)
    function = fill(" {} of the samples in this section are in {}{}.",
                    {format_percent(most.share), most.name, mostly(e.most)});
  else if (!most.name.empty())
    function = fill(" According to the profile, {} of process() is in {}{}.",
                    {format_percent(most.share), most.name, mostly(e.most)});
  function += entries_text(e.section, e.entries) + work_text(e.most);
  const OwnFunction& next = e.next.function;
  function += work_text(e.next,
                        !e.next.work.section.empty()
                            ? fill("mostly in section {}{}", {e.next.work.section, mostly(e.next)})
                        : e.next.library.empty() ? std::string()
                                                 : "mostly in " + e.next.library,
                        fill(", {} of process()", {format_percent(next.share)}));
  const bool is_most = e.is_within && most.share >= 0.6;  // beyond what samples scatter by
  const bool is_called_back = is_most && most.share * e.most.work.called_back >= 0.6;
  const bool is_told = (is_most && !is_called_back) || !is_section;
  const std::string entered = entries_title(e.entries);
  std::string title = fill(
      "{} of process() is in {}{}{}{}",
      {format_percent(e.share), is_section ? "section " : "", is_section ? e.section : most.name,
       !entered.empty() ? entered
       : is_called_back ? ", most of it in calls of " + e.most.work.called_back_by
       : is_most && most.name != e.section ? ", most of it in " + most.name
                                           : "",
       is_told ? what_it_does(e.most) : ""});
  const std::string beside =
      next.name.empty()
          ? ""
          : fill(", {} in {}{}", {format_percent(next.share), next.name, what_it_does(e.next)});
  // With "No fault found: " and a full stop 90.
  constexpr std::size_t longest = 73;
  if (title.size() + beside.size() <= longest) title += beside;
  return {std::move(title),
          fill("{}{}. {}, it would make the run about {} shorter ({}).{}{}",
               {format_core_seconds(f.core_seconds),
                has_most ? " in " + most.name + " in this section" : "",
                is_told && e.most.waits ? "Half as long" : "Twice as fast",
                format_seconds(e.sooner), amount_beside(f.gain_core_seconds, f.core_seconds),
                function, patterns_text(e.patterns)})};
}

/// What is slow, where something else may be.
std::string_view slow_one(FindingCause cause) {
  switch (cause) {
    case FindingCause::slow_host: return "the host";
    case FindingCause::slow_dataset: return "the dataset";
    case FindingCause::slow_site: return "the site";
    case FindingCause::slow_file: return "the file";
    case FindingCause::slow_opening: return "what was opened";
    case FindingCause::longer_with_each: return "their number";
    case FindingCause::slow_worker: return "the worker";
    case FindingCause::slow_cell: return "the section";
    default: return "it";
  }
}

/// What tells two causes apart.
std::string_view separator_of(FindingCause one, FindingCause other) {
  const Rivals* const both =
      first_where(all_rivals, [&](const Rivals& rivals) { return rivals.are(one, other); });
  return both == nullptr ? std::string_view() : both->separator;
}

}  // namespace

FindingText text_of(const Finding& finding, const CauseFields& cause) {
  return {filled(cause.title, finding), filled(cause.evidence, finding)};
}

FindingText text_of(const Finding& finding) {
  FindingText text = std::visit([&](const auto& evidence) { return text_of(finding, evidence); },
                                finding.evidence.any());
  for (const FindingCause open : finding.open) {
    text.title += open == FindingCause::oversubscribed
                      ? ", or for a core"
                      : fill(": {}, or {}",
                             {slow_one(finding.cause),
                              open == FindingCause::slow_moment ? "that moment" : "its dataset"});
    text.evidence += fill(" What would tell: {}.", {separator_of(finding.cause, open)});
  }
  return text;
}

std::string_view name_of(LookedAt::State state) {
  switch (state) {
    case LookedAt::State::ruled_out: return "ruled out";
    case LookedAt::State::open: return "open";
    case LookedAt::State::not_recorded: break;
  }
  return "not recorded";
}

std::string looked_at_text(const Finding& finding, const LookedAt& one) {
  if (one.rival) return fill("{} would tell", {separator_of(finding.cause, *one.rival)});
  if (!is_absent(one.share)) return fill("peak {} of it", {format_percent(one.share)});
  if (is_absent(one.core_seconds)) return "";
  return one.core_seconds == 0 ? "none" : format_core_seconds(one.core_seconds);
}

std::string_view name_of(Grounds grounds) {
  switch (grounds) {
    case Grounds::measured: return "measured";
    case Grounds::bounded: return "bounded";
    case Grounds::consistent: return "consistent with";
    case Grounds::unknown: break;
  }
  return "unknown";
}

std::string rivals_text(FindingCause cause) {
  std::string text;
  for (const Rivals& both : all_rivals) {
    if (both.one == cause || both.other == cause)
      text += fill("{}{}: {}", {text.empty() ? "" : "; ",
                                id_of(both.one == cause ? both.other : both.one), both.separator});
  }
  return text;
}

std::string_view name_of(Recording recording) {
  switch (recording) {
    case Recording::chunks: return "the chunk list";
    case Recording::sections: return "sections of chunks";
    case Recording::tracking: return "tracking of workers";
    case Recording::task_stream: return "the task stream";
    case Recording::profile: return "a profile";
    case Recording::activities: return "fine metrics";
    case Recording::files: return "facts of the input files";
    case Recording::rows: return "what crema.record measures of tasks and machines";
    case Recording::warnings: return "the workers' warnings";
    case Recording::notes: break;
  }
  return "nothing";
}

namespace {

/// Only Dask's workers warn of pauses; chunks that name no worker are of Dask. Warnings are not
/// expected of a recording without chunks.
bool can_warn(const Run& run) {
  const std::vector<StringId>& workers = run.chunks.worker;
  if (run.recording.index.awaits_cluster) return !workers.empty();
  return any_of(workers, [&](StringId worker) {
    return worker == no_string || is_dask_worker(run.text(worker));
  });
}

}  // namespace

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
    if (is_recorded(run, recording) || (recording == Recording::warnings && !can_warn(run)))
      continue;
    if (list.empty())
      list = run.recording.index.is_running ? "cannot be seen so far: "
                                            : "cannot be seen in this recording: ";
    else list += "; ";
    list += unseen;
  }
  return list;
}

}  // namespace crema::report
