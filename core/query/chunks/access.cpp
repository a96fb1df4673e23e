// What of the input was read, by whom and as who counts it: `access`, `branches`, `bytes`.
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/base/collect.hpp"
#include "core/base/order.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::access {

struct Of {
  const Run& run;
  std::map<std::string_view, double> slow{};  ///< how many times as long, of what a finding names
};

const Columns<FileFacts, Of> columns = {
    {"file", [](const FileFacts& f, const Of& of) { return of.run.text(f.name); }},
    {"dataset", [](const FileFacts& f, const Of& of) { return of.run.text(f.dataset); }},
    {"host",
     [](const FileFacts& f, const Of& of) {
       return f.name == no_string ? std::string_view{} : host_of(of.run.text(f.name));
     }},
    {"chunks", "count", &FileFacts::chunks, "selected chunks of the file"},
    {"compression_ratio", "1", &FileFacts::compression_ratio, "compressed / uncompressed"},
    {"branches_total", "count", &FileFacts::branches_total},
    {"branches_read", "count", &FileFacts::branches_read},
    {"branches_read_fraction", "1", &FileFacts::branches_read_fraction, "branches read / branches"},
    {"tree_bytes", "byte", &FileFacts::tree_bytes, "compressed size of the tree"},
    {"bytes_read", "byte", &FileFacts::bytes_read,
     "compressed size of the branches that were read"},
    {"bytes_read_fraction", "1", &FileFacts::bytes_read_fraction, "bytes read / bytes of the tree"},
    {"chunk_bytes", "byte", &FileFacts::chunk_bytes,
     "Σ bytes that its selected chunks read inside process(), cut to the selected time"},
    {"times_read", "1", &FileFacts::times_read,
     "chunk_bytes / bytes_read: more than 1 where chunks read baskets again"},
    {"bytes_per_second", "byte/s",
     [](const FileFacts& f) { return ratio(f.chunk_bytes, f.seconds); },
     "chunk_bytes / seconds of its chunks in process()"},
    {"times_others", "1", &FileFacts::times_others, times_others_formula},
    {"slow", as_flag,
     [](const FileFacts& f, const Of& of) { return of.slow.contains(of.run.text(f.name)); },
     "its chunks take longer than their like elsewhere, beyond chance"},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  const Of of{run, anomaly_factors(run, Anomaly::Kind::file)};
  std::vector<FileFacts> files = find_file_facts(run, selection);
  for (FileFacts& file : files) {
    const auto found = of.slow.find(run.text(file.name));
    if (found != of.slow.end() && selection.empty()) file.times_others = found->second;
  }
  Table table = columns.table(files, of);
  if (run.files.size() == 0) say(table, notes::no_file_metadata);
  if (selection.time) say(table, notes::files_are_whole);
  return table;
}

extern const Question question("access", "each file: how much of it was read", columns, answer,
                               {.narrowed_by = chunk_dimensions});

}  // namespace crema::query::access

namespace crema::query::branches {

/// Names are listed up to here; beyond, their number says enough.
constexpr std::size_t most_named = 12;

struct Use : BranchReads {
  double chunks = 0;
  std::unordered_set<StringId> files{};
  std::map<std::string_view, double> datasets{};  // by name
};

/// "a, b": the datasets of which each chunk that lists its branches read this one.
static std::string always_in(const Use& use, const std::map<std::string_view, double>& all) {
  std::string names;
  for (const auto& [name, chunks] : use.datasets) {
    if (chunks == all.at(name)) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

/// "a, b": the datasets of a branch.
static std::string names_of(const std::map<std::string_view, double>& datasets) {
  std::string names;
  std::size_t listed = 0;
  for (const auto& [name, chunks] : datasets) {
    if (listed == most_named) return names + ", …";
    names += (listed++ == 0 ? "" : ", ") + std::string(name.empty() ? "(no name)" : name);
  }
  return names;
}

/// The selected chunks that list their branches.
struct All {
  const Run& run;
  double chunks = 0;
  std::map<std::string_view, double> datasets{};
};

const Columns<Use, All> columns = {
    {"branch", as_given, [](const Use& use, const All& all) { return all.run.text(use.branch); }},
    {"files", "count", [](const Use& use) { return use.files.size(); },
     "files of which it was read"},
    {"chunks", "count", &Use::chunks, "chunks that read it"},
    {"share_of_chunks", "1",
     [](const Use& use, const All& all) { return ratio(use.chunks, all.chunks); },
     "chunks that read it / selected chunks that list their branches"},
    {"datasets", "count", [](const Use& use) { return use.datasets.size(); },
     "datasets of which some chunk read it"},
    {"dataset_names", as_given, [](const Use& use) { return names_of(use.datasets); }},
    {"always_in", as_given,
     [](const Use& use, const All& all) { return always_in(use, all.datasets); }},
    {"bytes", "byte", &Use::requested,
     "requested by its chunks, by rows of crema.record; where branches are read in bulk, the bytes "
     "of its own baskets"},
    {"requests", "count", &Use::requests,
     "of this branch alone: not known where branches are read in bulk"},
    {"baskets", "count", &Use::baskets, "that its chunks read; of an RNTuple pages"},
    {"compressed", "byte", &Use::compressed, "of these baskets"},
    {"uncompressed", "byte", &Use::uncompressed, "of these baskets"},
    {"outside_share", "1", [](const Use& use) { return ratio(use.outside, use.compressed); },
     "share of compressed that is of events of other chunks"},
    {"wait", "s", &Use::wait, "Σ seconds waited for its bytes"},
    {"cpu", "s", &Use::cpu, "Σ CPU seconds of reading it"},
    {"codec", [](const Use& use, const All& all) { return all.run.text(use.codec); }},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  const Chunks& c = run.chunks;
  const ChunkSelection chosen(run, selection);
  std::vector<Use> uses;
  std::unordered_map<StringId, std::size_t> index;
  All all{run};
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i] || c.branch_set[i] == Chunks::no_set) continue;
    const std::string_view dataset = run.text(c.dataset[i]);
    all.chunks += 1;
    all.datasets[dataset] += 1;
    for (const StringId branch : c.branch_sets[c.branch_set[i]]) {
      Use& use = one_of(index, branch, uses, {{.branch = branch}});
      use.chunks += 1;
      use.files.insert(c.file[i]);
      use.datasets[dataset] += 1;
    }
  }
  for (const BranchReads& reads : branch_reads(run, chosen)) {
    if (const auto use = index.find(reads.branch); use != index.end())
      static_cast<BranchReads&>(uses[use->second]) = reads;
  }
  // By name: sets stand in the order of ids, which depends on what else is open.
  sort_stably(uses,
              [&](const Use& a, const Use& b) { return run.text(a.branch) < run.text(b.branch); });
  Table table = columns.table(uses, all);
  table.note("chunks", all.chunks);
  table.note("datasets", static_cast<double>(all.datasets.size()));
  double most_branches = absent;
  for (const double total : run.files.branches_total) {
    if (!is_absent(total) && !(total <= most_branches)) most_branches = total;
  }
  table.note("branches_total", most_branches);
  if (uses.empty()) say(table, notes::no_branches);
  note_chunk_selection(table, run, selection);
  return table;
}

extern const Question question("branches", "each branch: how many files and chunks read it",
                               columns, answer, {.narrowed_by = chunk_dimensions});

}  // namespace crema::query::branches

namespace crema::query::bytes {

/// Each counts something else; what one explains of another is said.
struct Counter {
  std::string_view id, label;
  double bytes;
  std::string_view meaning;
};

/// The report's total is what the others are shares of.
const Columns<Counter, double> columns = {
    {"id", &Counter::id},
    {"label", &Counter::label},
    {"bytes", "byte", &Counter::bytes},
    {"share_of_report", "1",
     [](const Counter& c, double report) {
       return c.id == "memory-read" ? absent : ratio(c.bytes, report);
     },
     "bytes / the report's total; absent for what is no reading of input files"},
    {"meaning", &Counter::meaning},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const ChunkSelection chosen(run, selection);
  const double report = total_bytes_read(run);
  const double by_chunks =
      chunk_bytes_collected(run) ? chosen.prorated_sum(run.chunks.bytes_read) : absent;
  double of_files = absent;
  for (const FileFacts& file : find_file_facts(run, selection)) {
    // 0 beside bytes that were read is what roastcoffea writes when it cannot know the file
    // (RNTuple).
    if (file.bytes_read > 0) of_files = value_or(of_files, 0) + file.bytes_read;
  }
  const Processor processor = find_processor(run, options);

  const std::vector<Counter> counters = {
      {"report", "coffea report", report,
       "what uproot requested for the whole run, opening files and reading their metadata "
       "included"},
      {"chunks", "Σ chunk bytes_read", by_chunks,
       "read inside process(), of the selected chunks, cut to the selected time"},
      {"outside", "not in process()",
       selection.empty() && by_chunks <= report ? report - by_chunks : absent,
       "coffea report − Σ chunk bytes_read: read before process() begins, or by chunks without a "
       "record; absent where process() reads what coffea does not count"},
      {"files", "branches read", of_files,
       "compressed size of the branches that were read, each file once: what reading them "
       "completely would take"},
      {"memory-read", "Dask memory-read",
       selection.empty() ? activity_sum(run, "memory-read", "bytes") : absent,
       "inputs of tasks that the worker found in memory: no reading of input files"},
  };
  Table table = columns.table(counters, report);
  table.note("explained", ratio(by_chunks, report));
  table.note("processor_memory_read", activity_sum(run, processor.prefix, "memory-read", "bytes"));
  if (run.chunks_recorded && is_absent(by_chunks)) say(table, notes::no_chunk_bytes);
  if (!selection.empty()) say(table, notes::counters_are_whole);
  return table;
}

// Totals of the whole run are withheld under any selection.
extern const Question question("bytes", "bytes of the same data, as each layer counts them",
                               columns, answer,
                               {.options = {&runtime::processor_option},
                                .narrowed_by = all_dimensions});

}  // namespace crema::query::bytes

// How much of the input was there, used and read: `input`.
namespace crema::query::input {

constexpr Option by_option =
    choice_option("by", "what the files are grouped by", "dataset, host, site", "dataset");

static void add(InputSums& sums, const FileFacts& file) {
  const auto sum = [&](double& total, double value) {
    total = sums.files == 0 ? value : total + value;  // what one file does not tell, none does
  };
  sum(sums.tree, file.tree_bytes);
  sum(sums.used, file.bytes_read);
  sum(sums.read, is_absent(file.times_read) ? absent : file.chunk_bytes);
  sums.files += 1;
  sums.chunks += file.chunks;
}

struct Found {
  InputUse use;
  std::vector<InputSums> groups;
};

/// By file, what each dataset's selected chunks read of it: files may be of several datasets.
using DatasetsOfFiles = std::unordered_map<StringId, std::map<StringId, FileFacts>>;

static DatasetsOfFiles datasets_of_files(const Run& run, const Selection& selection) {
  DatasetsOfFiles found;
  const Chunks& c = run.chunks;
  const ChunkSelection chosen(run, selection);
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i] || c.file[i] == no_string) continue;
    FileFacts& part = found[c.file[i]][c.dataset[i]];
    part.chunks += 1;
    if (!is_absent(c.bytes_read[i]))
      part.chunk_bytes = value_or(part.chunk_bytes, 0) + chosen.share[i] * c.bytes_read[i];
  }
  return found;
}

static Found find(const Run& run, const Selection& selection, std::string_view by) {
  Found found;
  InputUse& use = found.use;
  const DatasetsOfFiles datasets =
      by == "dataset" ? datasets_of_files(run, selection) : DatasetsOfFiles{};
  std::unordered_map<std::string_view, std::size_t> places;  // of groups
  for (const FileFacts& file : find_file_facts(run, selection)) {
    if (!(file.bytes_read > 0)) {
      use.unknown += 1;
      continue;
    }
    const std::string_view path = run.text(file.name);
    const auto add_to = [&](std::string_view name, const FileFacts& part) {
      add(one_of(places, name, found.groups, {.name = std::string(name)}), part);
    };
    const auto parts = datasets.find(file.name);
    if (by == "host") add_to(host_of(path), file);
    else if (by == "site") add_to(site_of(path), file);
    else if (parts == datasets.end()) add_to(run.text(file.dataset), file);
    else
      for (const auto& [dataset, own] : parts->second) {
        FileFacts part = file;
        part.chunks = own.chunks;
        part.chunk_bytes = own.chunk_bytes;
        add_to(run.text(dataset), part);
      }
    add(use.all, file);
    if (file.chunks > 0) add(file.chunks == 1 ? use.of_one_chunk : use.of_several, file);
    if (!(use.fewest <= file.branches_read)) use.fewest = file.branches_read;
    if (!(use.most >= file.branches_read)) use.most = file.branches_read;
    if (!(use.branches >= file.branches_total)) use.branches = file.branches_total;
  }
  sort_stably(found.groups, [](const InputSums& a, const InputSums& b) { return a.name < b.name; });
  found.groups.insert(found.groups.begin(), use.all);
  return found;
}

const Columns<InputSums> columns = {
    {"name", as_given, &InputSums::name},
    {"files", "count", &InputSums::files,
     "files with recorded use of branches; one of several datasets counts in each"},
    {"chunks", "count", &InputSums::chunks},
    {"tree_bytes", "byte", &InputSums::tree, "compressed size of the trees"},
    {"used_bytes", "byte", &InputSums::used,
     "compressed size of the branches that were read, each file once"},
    {"read_bytes", "byte", &InputSums::read, "Σ bytes that chunks read inside process()"},
    {"used_share", "1", &InputSums::used_share, "used_bytes / tree_bytes"},
    {"times_read", "1", &InputSums::times_read, "read_bytes / used_bytes"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::string by = options.text(by_option);
  const Found found = find(run, selection, by);
  Table table = columns.table(found.groups);
  const VerdictText text = input_text(found.use);
  table.note("verdict", text.verdict);
  table.note("limits", text.limits);
  table.note("waiting", waiting_text(find_findings(run, options), diagnose::off_cpu_share(run)));
  table.note("unknown_files", found.use.unknown);
  if (found.use.all.files == 0) say(table, notes::no_file_metadata);
  if (selection.time || !selection.ranges.empty()) say(table, notes::stored_bytes_are_whole);
  return table;
}

extern const Question question("input",
                               "bytes stored in the files, of the branches read, and read in all: "
                               "all files, then each dataset",
                               columns, answer,
                               {.options = {&by_option, &runtime::processor_option},
                                .narrowed_by = chunk_dimensions});

}  // namespace crema::query::input
