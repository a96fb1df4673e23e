// A host, site, worker, dataset, section, file or moment that is slow.
#include "core/base/number_format.hpp"
#include "core/base/text.hpp"
#include "core/report/evidence_text.hpp"
#include "core/report/fill.hpp"

namespace crema::report {

using namespace diagnose;

namespace {

std::string counted(std::size_t count, const char* noun) {
  return format_count(static_cast<double>(count), noun);
}

}  // namespace

FindingText text_of(const Finding&, const SlowGroup& e) {
  const Anomaly& a = e.anomaly;
  const std::string factor = format_number(a.factor) + " times";
  const std::string longer =
      fill("Its {} took {} more than ",
           {counted(a.chunks, "chunk"), format_core_seconds(a.core_seconds)});
  std::string cpu;
  if (!is_absent(a.cpu) && !is_absent(a.cpu_elsewhere))
    cpu = fill(" {} (CPU {}, otherwise {}).",
               {a.waits()      ? "The extra time was waiting, not computing"
                : a.computes() ? "The extra time was computing"
                               : "Whether it waited or computed is unknown",
                format_percent(a.cpu), format_percent(a.cpu_elsewhere)});
  const bool waits_for_input = a.waits() && a.request_wait > 2 * a.request_wait_elsewhere;
  if (waits_for_input)
    cpu += fill(" A request for input took {}, otherwise {}.",
                {format_seconds(a.request_wait), format_seconds(a.request_wait_elsewhere)});
  if (a.lacks_cpu())
    cpu += fill(" Its tasks could run and had no CPU for {} of their time, otherwise for {}.",
                {format_percent(a.for_cpu), format_percent(a.for_cpu_elsewhere)});
  const std::string section =
      a.section.empty() ? "" : fill(" Most of it is in section {}.", {a.section});
  const std::string alone = is_absent(e.alone_from)
                                ? ""
                                : fill(" Its chunks ran from {} with few others.",
                                       {range_text(e.alone_from, e.alone_to)});
  switch (a.kind) {
    case Anomaly::Kind::host:
    case Anomaly::Kind::site:
      return {
          fill("{} as long per event from {} {}",
               {factor, a.kind == Anomaly::Kind::host ? "host" : "site", a.name}),
          a.stands_alone
              ? fill("{}the same events of other datasets. Only it serves {}: the "
                     "data itself may be the cause.{}{}",
                     {longer, a.dataset.empty() ? "its datasets" : a.dataset, cpu, section})
              : fill("{}chunks of the same datasets from elsewhere.{}{}", {longer, cpu, section})};
    case Anomaly::Kind::worker:
      return {
          fill("{} as long for the same work on worker {}", {factor, e.worker}),
          fill("{}chunks of the same datasets on other workers ({}).{}{}{}",
               {longer, a.name, cpu, section,
                !a.computes() ? ""
                : a.rest_factor - 1 < (a.factor - 1) / 4
                    ? fill(" The rest of its chunks took {} times as long: it is no slower core.",
                           {format_number(a.rest_factor)})
                    : " Possible cause: a slower core or other programs on its machine."})};
    case Anomaly::Kind::dataset:
      return {fill("{} as long per event in dataset {} as in any other", {factor, a.name}),
              fill("{}the same events of the slowest other dataset.{}{}{}",
                   {longer, cpu, alone, section})};
    case Anomaly::Kind::section:
      return {fill("{} as long in section {} of {} as of any other dataset",
                   {factor, a.name, a.dataset}),
              fill("{}usual, compared with the other sections of the same chunks and with the "
                   "slowest other dataset.{}",
                   {longer, cpu})};
    case Anomaly::Kind::file:
      return {fill("{} as long per event in {} as in other files", {factor, base_name(a.name)}),
              fill("{}the same events in the other files of {}.{}{}",
                   {longer, a.dataset.empty() ? "the dataset without a name" : a.dataset, cpu,
                    section + alone})};
    case Anomaly::Kind::half:
      return {fill("{} as long per event in the {} half of files", {factor, a.name}),
              fill("{}the same events of the other half of the same files.{}{}{}",
                   {longer,
                    a.event_bytes > 1.2 * a.event_bytes_elsewhere
                        ? fill(" They read {} for each event, others {}.",
                               {format_bytes(a.event_bytes), format_bytes(a.event_bytes_elsewhere)})
                        : "",
                    cpu, section})};
    case Anomaly::Kind::first_chunks:
      return {
          fill("{} as long in the first chunk of every worker", {factor}),
          fill("{}later ones of the same datasets.{} Possible causes: what each worker does "
               "once, such as imports, compilation, and tables that are read and kept, or input "
               "that all ask for at once.",
               {longer, section})};
    case Anomaly::Kind::first_of_files:
      return {fill("{} as long in a worker's first chunk of each file", {factor}),
              fill("{}its later ones of the same files.{} Possible causes: what is made once for "
                   "each file and kept, or a cache of the file that its first chunk fills.",
                   {longer, section})};
    case Anomaly::Kind::with_each:
      return {
          fill("Section {} takes longer with every chunk of a worker: {} as long at the end",
               {a.section, factor}),
          fill("{}if each were like the first; other sections of the same chunks did not grow "
               "alike, so it is no slower core. Possible causes: what the section keeps from chunk "
               "to chunk, such as lists and caches, or a service that slows down.",
               {longer})};
    case Anomaly::Kind::moment: break;
  }
  const std::string cause =
      a.has_more_cores()
          ? fill(" {} were there then, {} at other times: possibly more threads than cores.",
                 {format_count(a.cores, "core"), format_number(a.cores_elsewhere)})
      : !is_absent(e.others)
          ? fill(" Other processes used {} then, {} at other times.",
                 {format_count(e.others, "CPU"), format_number(e.others_elsewhere)})
      : waits_for_input || a.lacks_cpu() ? std::string()
                                         : std::string(" What was slow at that time is unknown.");
  return {fill("Chunks took {} as long from {}, whatever their file",
               {factor, range_text(a.begin, a.end)}),
          fill("{}chunks of the same datasets at other times.{}{}", {longer, cpu, cause})};
}

}  // namespace crema::report
