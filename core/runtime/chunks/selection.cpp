#include "core/runtime/chunks.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace crema::runtime {

namespace {

/// Whether the text of an id is wanted. Texts are few and chunks many: each text is looked at once.
class Wanted {
 public:
  Wanted(const Run& run, const std::vector<std::string>& wanted, bool by_host = false)
      : run_(run),
        wanted_(wanted),
        by_host_(by_host),
        known_(wanted.empty() ? 0 : run.names->strings.size() + 1, unknown) {}

  bool operator()(StringId id) {
    if (wanted_.empty()) return true;
    std::uint8_t& known = known_[id == no_string ? known_.size() - 1 : id];
    if (known == unknown) {
      const std::string_view text = run_.text(id);
      known = leaves(wanted_, by_host_ ? host_of(text) : text) ||
                      (by_host_ && leaves(wanted_, site_of(text)))
                  ? yes
                  : no;
    }
    return known == yes;
  }

 private:
  static constexpr std::uint8_t unknown = 0, no = 1, yes = 2;
  const Run& run_;
  const std::vector<std::string>& wanted_;
  bool by_host_;
  std::vector<std::uint8_t> known_;
};

}  // namespace

ChunkSelection::ChunkSelection(const Run& run, const Selection& selection)
    : share(run.chunks.size(), 1) {
  const Chunks& chunks = run.chunks;
  std::vector<std::vector<double>> ranged;
  for (const auto& range : selection.ranges) ranged.push_back(chunk_column(run, range.column));

  Wanted dataset(run, selection.datasets);
  Wanted file(run, selection.files);
  Wanted host(run, selection.hosts, true);
  const WorkerSelection workers(run, selection);
  // All workers are no selection: chunks whose worker is unknown stay.
  const bool any_worker = chunks.worker.empty() || !contains(workers.chosen, false);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (!dataset(chunks.dataset[i]) || !file(chunks.file[i]) || !host(chunks.file[i]) ||
        !(any_worker || workers.holds(run, chunks.worker[i]))) {
      share[i] = 0;
      continue;
    }
    for (std::size_t r = 0; r < ranged.size(); ++r) {
      const double value = ranged[r][i];
      if (!(value >= selection.ranges[r].lo && value <= selection.ranges[r].hi)) share[i] = 0;
    }
    if (selection.time && share[i] > 0) {
      const double begin = chunks.t_start[i];
      const double end = chunks.t_end[i];
      const double overlap =
          std::min(end, selection.time->end) - std::max(begin, selection.time->begin);
      if (is_absent(overlap) || overlap < 0) share[i] = 0;
      else share[i] = end > begin ? overlap / (end - begin) : 1;
    }
  }
  count = static_cast<std::size_t>(count_if(share, [](double s) { return s > 0; }));
  all = all_of(share, [](double s) { return s == 1; });
}

bool selects_chunks(const Run& run, const Selection& selection) {
  return selection.uses(Selection::of_chunks) && !ChunkSelection(run, selection.without_time()).all;
}

double chunk_seconds(const Run& run, std::size_t chunk) {
  const double timed = run.chunks.t_end[chunk] - run.chunks.t_start[chunk];
  return value_or(is_absent(timed) ? run.chunks.duration[chunk] : timed, 0);
}

double ChunkSelection::prorated_sum(const std::vector<double>& values) const {
  double sum = 0;
  bool any = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (share[i] > 0 && !is_absent(values[i])) {
      sum += share[i] == 1 ? values[i] : share[i] * values[i];
      any = true;
    }
  }
  return any ? sum : absent;
}

std::vector<double> ChunkSelection::whole(const std::vector<double>& values) const {
  std::vector<double> selected;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (share[i] > 0 && !is_absent(values[i])) selected.push_back(values[i]);
  }
  return selected;
}

namespace {

/// The port that a server of a scheme has when nobody says another (XRootD, dCache, RFC 9110).
std::string_view usual_port(std::string_view scheme) {
  if (scheme == "https" || scheme == "davs") return "443";
  if (scheme == "http" || scheme == "dav") return "80";
  return scheme == "dcap" ? "22125" : "1094";
}

}  // namespace

std::string_view host_of(std::string_view file) {
  const auto scheme = file.find("://");
  if (file.empty() || scheme == std::string_view::npos) return "local";
  std::string_view rest = file.substr(scheme + 3);
  const auto slash = rest.find('/');
  rest = rest.substr(0, slash);
  if (const auto user = rest.rfind('@'); user != std::string_view::npos)
    rest = rest.substr(user + 1);
  if (rest.empty()) return "local";
  const auto colon = rest.front() == '[' ? rest.find(':', rest.find(']')) : rest.find(':');
  if (colon == std::string_view::npos) return rest;
  // Two servers of one machine are two.
  const std::string_view port = rest.substr(colon + 1);
  const bool is_usual = port.empty() || port == usual_port(file.substr(0, scheme));
  return colon == 0 ? std::string_view("local") : is_usual ? rest.substr(0, colon) : rest;
}

std::string_view site_of(std::string_view file) {
  const auto scheme = file.rfind("://");
  if (scheme == std::string_view::npos) return host_of(file);
  // Letters alone: a scheme that is part of a file's name is none.
  std::size_t begin = scheme;
  while (begin > 0 && is_letter(file[begin - 1])) --begin;
  return begin == scheme ? host_of(file) : host_of(file.substr(begin));
}

bool are_of_all_workers(const Run& run, const Selection& selection) {
  return !selection.workers.empty() && run.chunks.worker.empty();
}

std::string chunk_selection_note(const Run& run, const Selection& selection) {
  std::string what;
  if (are_of_all_workers(run, selection)) what = "workers";
  if (!selection.prefixes.empty()) what += what.empty() ? "task prefixes" : " and task prefixes";
  return what.empty() ? what : "filter of " + what + " not applied: not recorded for chunks";
}

bool chunk_bytes_collected(const Run& run) {
  return any_of(run.chunks.bytes_read, [](double b) { return b > 0; });
}

bool sections_exceed(double sections, double duration) { return sections > duration * 1.001; }

SectionSums sum_sections(const Run& run, const ChunkSelection& chosen) {
  SectionSums sums;
  std::unordered_map<StringId, std::size_t> index;
  std::vector<double> per_chunk(run.chunks.size(), 0);
  for (const SectionValue& value : run.chunks.sections) {
    if (value.kind != SectionValue::Kind::seconds || !chosen[value.chunk]) continue;
    const auto [entry, is_new] = index.try_emplace(value.name, sums.seconds.size());
    if (is_new) sums.seconds.emplace_back(std::string(run.text(value.name)), 0.0);
    sums.seconds[entry->second].second += chosen.share[value.chunk] * value.value;
    per_chunk[value.chunk] += value.value;
  }
  for (std::size_t i = 0; i < per_chunk.size(); ++i) {
    if (sections_exceed(per_chunk[i], run.chunks.duration[i])) sums.may_overlap = true;
  }
  return sums;
}

namespace {

double first_present(std::initializer_list<double> candidates) {
  for (const double value : candidates) {
    if (!is_absent(value)) return value;
  }
  return absent;
}

// Counters of events agree to the event where all chunks are there; below this some are not.
constexpr double whole_list_share = 0.99;

/// [byte] What tasks of chunks requested of their files, opening them included, as coffea counts
/// it.
std::vector<double> requested_of_chunks(const Run& run) {
  const auto& rows = run.recording.tasks;
  std::vector<double> bytes;
  for (std::size_t row = 0; row < run.recording.chunk.size(); ++row) {
    if (run.recording.chunk[row] != no_row)
      bytes.push_back(rows.at(recorded_columns::Task::requested_bytes, row));
  }
  return bytes;
}

double sum_present(const std::vector<double>& values) {
  const Moments m = moments(values);
  return m.count == 0 ? absent : m.sum;
}

/// The first that coffea and roastcoffea tell of the whole run; absent where that is of an earlier
/// one, too.
double told(const Run& run, std::initializer_list<double> sums) {
  return run.chunks.earlier > 0 ? absent : first_present(sums);
}

}  // namespace

double report_num_chunks(const Run& run) {
  const double per_chunk = run.stored_value("avg_cpu_time_per_chunk");
  const double recovered = std::round(ratio(run.stored_value("total_cpu_time"), per_chunk));
  // Without a chunk list the stored count was not overwritten.
  const double stored = run.chunks_recorded ? absent : run.stored_value("num_chunks");
  return told(run, {run.report.chunks, run.stored_value("report_num_chunks"), stored, recovered});
}

double recorded_num_chunks(const Run& run) {
  return run.chunks_recorded ? static_cast<double>(run.chunks.size())
                             : run.stored_value("num_chunks");
}

double listed_share_of_events(const Run& run) {
  if (!run.chunks_recorded) return absent;
  return ratio(sum_present(run.chunks.events),
               told(run, {run.stored_value("total_events"), run.report.events}));
}

bool chunk_list_is_cut(const Run& run) {
  if (!run.chunks_recorded) return false;
  if (const double share = listed_share_of_events(run); !is_absent(share))
    return share < whole_list_share;
  return any_of(run.data_notes, [&](const DataNote& note) {
    if (note.id != "cut-off" && note.id != "broken-json" && note.id != "unreadable") return false;
    return any_of(run.sources, [&](const Source& source) {
      return source.path == note.file && source.format == "metrics";
    });
  });
}

double lost_num_chunks(const Run& run) {
  if (!run.chunks_recorded || chunk_list_is_cut(run)) return absent;
  const double difference = report_num_chunks(run) - static_cast<double>(run.chunks.size());
  return difference < 0 ? 0 : difference;
}

double total_bytes_read(const Run& run) {
  return first_present({told(run, {run.stored_value("total_bytes_read"), run.report.bytes_read}),
                        sum_present(requested_of_chunks(run))});
}

double total_process_time(const Run& run) {
  return first_present({told(run, {run.stored_value("total_cpu_time"), run.report.process_time}),
                        sum_present(run.chunks.duration)});
}

double total_events(const Run& run) {
  return first_present({told(run, {run.stored_value("total_events"), run.report.events}),
                        sum_present(run.chunks.events)});
}

}  // namespace crema::runtime
