// Rules about places: hosts, sites, workers, datasets, their sections, files and moments that are
// slow.
#include <algorithm>

#include "core/base/number_format.hpp"
#include "core/base/sentence.hpp"
#include "core/diagnose/anomalies.hpp"
#include "core/diagnose/finding.hpp"
#include "core/predict/contention.hpp"
#include "core/profile/profiles.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::diagnose {

using namespace profile;
using namespace runtime;
using namespace predict;

namespace {

constexpr double grave_place = 0.1;  // of the core-time: what people notice in a queue

std::string quantity_of(const Anomaly& place) { return format_number(place.factor) + " times"; }

/// Whether its chunks wait or compute, as far as the workers' CPU tells.
std::string busy_sentence(const Anomaly& place) {
  if (is_absent(place.cpu) || is_absent(place.cpu_elsewhere)) return "";
  const std::string shares =
      sentence({"the workers' CPU was busy ", format_percent(place.cpu), " meanwhile, ",
                format_percent(place.cpu_elsewhere), " otherwise"});
  return place.waits() ? " They wait, and do not compute: " + shares + "."
                       : " They compute: " + shares + ".";
}

std::string section_sentence(const Facts& f, const Anomaly& place) {
  return place.section.empty() ? ""
                               : " Most of it is in section " + place.section + "." +
                                     functions_sentence(f.run, place.section);
}

std::string cost_sentence(const Anomaly& place) {
  return sentence({format_core_seconds(place.core_seconds), " more than usual, by the median of ",
                   format_count(static_cast<double>(place.chunks), "chunk")});
}

Finding finding_of(const Facts& f, const Anomaly& place, const char* id) {
  Finding finding;
  finding.id = id;
  finding.severity = f.share(place.core_seconds) >= grave_place ? Severity::medium : Severity::low;
  finding.view = "Chunks";
  finding.core_seconds = place.core_seconds;
  finding.gain_core_seconds = place.core_seconds;
  return finding;
}

Finding slow_storage(const Facts& f, const Anomaly& place) {
  const bool is_host = place.kind == Anomaly::Kind::host;
  Finding finding = finding_of(f, place, is_host ? "slow-host" : "slow-site");
  finding.severity = Severity::medium;
  finding.title = sentence({(is_host ? "Host " : "Site "), place.name, " is ",
                            format_number(place.factor), " times slower per event"});
  finding.evidence =
      sentence({cost_sentence(place),
                (place.dataset.empty() ? ", each compared with chunks of its dataset elsewhere."
                                       : ": only it serves " + place.dataset +
                                             ", which is compared with other datasets."),
                busy_sentence(place), section_sentence(f, place)});
  finding.selection.hosts = {place.name};
  return finding;
}

Finding slow_worker(const Facts& f, const Anomaly& place) {
  Finding finding = finding_of(f, place, "slow-worker");
  const StringId address = f.run.names->strings.find(place.name);
  finding.title = sentence({"Worker ", profile::worker_label(f.run, address), " takes ",
                            quantity_of(place), " as long for the same work"});
  finding.evidence =
      sentence({cost_sentence(place), " (worker ", profile::worker_label(f.run, address), ", ",
                place.name, "), each compared with chunks of its dataset on other workers.",
                busy_sentence(place), section_sentence(f, place)});
  if (!place.waits() && !is_absent(place.cpu))
    finding.evidence += " Consistent with a slower core, and with other programs on its machine.";
  finding.selection.workers = {place.name};
  return finding;
}

// Of the chunks that began while a dataset's ran: from here on its own are nearly all of them.
constexpr double alone_in_time = 0.75;

/// A dataset that waits, and had the cluster to itself: it may have been the moment.
std::string moment_sentence(const Facts& f, const Anomaly& place) {
  const Chunks& c = f.run.chunks;
  const ChunkGroups& datasets = chunk_groups(f.run, ChunkKey::dataset);
  const auto is_own = [&](std::size_t i) { return datasets.name[datasets.of[i]] == place.name; };
  double begin = absent, end = absent, own = 0, all = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!is_own(i)) continue;
    if (!(begin <= c.t_start[i])) begin = c.t_start[i];
    if (!(end >= c.t_start[i])) end = c.t_start[i];
  }
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!(c.t_start[i] >= begin && c.t_start[i] <= end)) continue;
    own += is_own(i) ? 1 : 0;
    all += 1;
  }
  if (!place.waits() || !(own >= alone_in_time * all)) return "";
  return sentence({" They ran from ", format_seconds(begin), " to ", format_seconds(end),
                   " with few others: anything else that happened then would look the same."});
}

Finding slow_dataset(const Facts& f, const Anomaly& place) {
  Finding finding = finding_of(f, place, "slow-dataset");
  finding.severity = Severity::low;  // it may be meant so
  finding.title = sentence(
      {place.name, " costs ", quantity_of(place), " as much per event as any other dataset"});
  finding.evidence =
      sentence({cost_sentence(place), ", compared with the slowest other dataset.",
                busy_sentence(place), moment_sentence(f, place), section_sentence(f, place)});
  finding.selection.datasets = {place.name};
  return finding;
}

Finding slow_section(const Facts& f, const Anomaly& place) {
  Finding finding = finding_of(f, place, "slow-cell");
  finding.severity = Severity::low;  // it may be meant so
  finding.title = sentence({"Section ", place.name, " takes ", quantity_of(place), " as long in ",
                            place.dataset, " as in any other dataset"});
  finding.evidence = sentence(
      {cost_sentence(place),
       ", compared with the other sections of the same chunks and with the slowest other dataset.",
       busy_sentence(place)});
  finding.evidence += functions_sentence(f.run, place.section);
  finding.selection.datasets = {place.dataset};
  return finding;
}

Finding slow_file(const Facts& f, const Anomaly& place) {
  Finding finding = finding_of(f, place, "slow-file");
  const std::string dataset = place.dataset.empty() ? "the dataset without a name" : place.dataset;
  finding.title = sentence({"File ", place.name.substr(place.name.rfind('/') + 1), " is ",
                            format_number(place.factor),
                            " times slower per event than the other files of its dataset"});
  finding.evidence =
      sentence({cost_sentence(place), " of ", dataset, ", each compared with its other files.",
                busy_sentence(place), section_sentence(f, place)});
  finding.selection.files = {place.name};
  return finding;
}

/// What others did meanwhile: where chunks wait, the samples of the whole run tell for what.
std::string cause_of_moment(const Facts& f, const Anomaly& place) {
  const Load& load = load_of(f.run, {});
  const bool computes = !is_absent(place.cpu) && !place.waits();
  const bool blocks = load.blocked * load.task >= load.waiting() / 2;
  return sentence({" Consistent with ",
                   computes || (!blocks && !is_absent(load.blocked))
                       ? "other programs on the workers' machines"
                   : blocks ? "storage or a network that others used"
                            : "storage or a network that others used, or other programs on the "
                              "workers' machines",
                   " meanwhile."});
}

Finding slow_moment(const Facts& f, const Anomaly& place) {
  Finding finding = finding_of(f, place, "slow-moment");
  finding.title = sentence({"From ", format_seconds(place.begin), " to ", format_seconds(place.end),
                            " chunks took ", quantity_of(place), " as long, whatever their file"});
  if (place.has_more_cores())
    finding.severity = Severity::low;  // the number of threads is what is to be told
  finding.evidence =
      sentence({cost_sentence(place), ", each compared with chunks of its dataset at other times.",
                busy_sentence(place),
                (place.has_more_cores()
                     ? sentence({" ", format_count(place.cores, "core"), " were there then, ",
                                 format_number(place.cores_elsewhere),
                                 " at other times: consistent with more threads than cores."})
                     : cause_of_moment(f, place))});
  finding.view = "Timelines";
  finding.selection.time = {place.begin, place.end};
  return finding;
}

std::vector<Finding> places(const Facts& f) {
  std::vector<Finding> found;
  for (const Anomaly& place : anomalies(f.run)) {
    Finding finding;
    switch (place.kind) {
      case Anomaly::Kind::host:
      case Anomaly::Kind::site: finding = slow_storage(f, place); break;
      case Anomaly::Kind::worker: finding = slow_worker(f, place); break;
      case Anomaly::Kind::dataset: finding = slow_dataset(f, place); break;
      case Anomaly::Kind::section: finding = slow_section(f, place); break;
      case Anomaly::Kind::file: finding = slow_file(f, place); break;
      case Anomaly::Kind::moment: finding = slow_moment(f, place); break;
    }
    found.push_back(std::move(finding).at_most(f.won_by_saving(place.saved)));
  }
  return found;
}

}  // namespace

const std::vector<Rule>& place_rules() {
  static const std::vector<Rule> rules = {places};
  return rules;
}

}  // namespace crema::diagnose
