// Which branches the chunks read: `branches`.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/order.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/table/rows.hpp"

namespace crema::query::branches {

namespace {

/// Names are listed up to here; beyond, their number says enough.
constexpr std::size_t most_named = 12;

struct Use {
  StringId branch;
  double chunks = 0;
  double files = 0;
  std::size_t last_file_mark = 0;
  std::map<std::string_view, double> datasets;  // by name
};

/// "a, b": the datasets of which each chunk that lists its branches read this one.
std::string always_in(const Use& use, const std::map<std::string_view, double>& all) {
  std::string names;
  for (const auto& [name, chunks] : use.datasets) {
    if (chunks == all.at(name)) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

/// "a, b": the datasets of a branch.
std::string names_of(const std::map<std::string_view, double>& datasets) {
  std::string names;
  std::size_t listed = 0;
  for (const auto& [name, chunks] : datasets) {
    if (listed == most_named) return names + ", …";
    names += (listed++ == 0 ? "" : ", ") + std::string(name.empty() ? "(no name)" : name);
  }
  return names;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const ChunkSelection chosen(run, selection);
  std::vector<Use> uses;
  std::unordered_map<StringId, std::size_t> index;
  // Chunks by file and set: a file's branches are counted once for it.
  std::unordered_map<StringId, std::vector<std::size_t>> by_file;
  std::vector<StringId> order;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i] || c.branch_set[i] == Chunks::no_set) continue;
    auto& list = by_file[c.file[i]];
    if (list.empty()) order.push_back(c.file[i]);
    list.push_back(i);
  }
  double listed = 0;
  std::map<std::string_view, double> all_datasets;
  std::size_t mark = 0;
  for (const StringId file : order) {
    ++mark;
    for (const std::size_t chunk : by_file[file]) {
      const std::string_view dataset = run.text(c.dataset[chunk]);
      listed += 1;
      all_datasets[dataset] += 1;
      for (const StringId branch : c.branch_sets[c.branch_set[chunk]]) {
        const auto [entry, is_new] = index.try_emplace(branch, uses.size());
        if (is_new) uses.push_back({branch, 0, 0, 0, {}});
        Use& use = uses[entry->second];
        use.chunks += 1;
        use.datasets[dataset] += 1;
        if (use.last_file_mark != mark) {
          use.last_file_mark = mark;
          use.files += 1;
        }
      }
    }
  }
  // By name: sets stand in the order of ids, which depends on what else is open.
  sort_stably(uses,
              [&](const Use& a, const Use& b) { return run.text(a.branch) < run.text(b.branch); });
  Table table;
  Rows rows(table, uses);
  rows.any_text("branch", [&](const Use& use) { return run.text(use.branch); });
  rows.number("files", "count", &Use::files, "files of which it was read");
  rows.number("chunks", "count", &Use::chunks, "chunks that read it");
  rows.number(
      "share_of_chunks", "1", [&](const Use& use) { return ratio(use.chunks, listed); },
      "chunks that read it / selected chunks that list their branches");
  rows.number(
      "datasets", "count", [](const Use& use) { return use.datasets.size(); },
      "datasets of which some chunk read it");
  rows.any_text("dataset_names", [](const Use& use) { return names_of(use.datasets); });
  rows.any_text("always_in", [&](const Use& use) { return always_in(use, all_datasets); });
  rows.number(
      "bytes", "byte", [](const Use&) { return absent; },
      "not recorded per branch since roastcoffea 0.1.2");
  table.note("chunks", listed);
  table.note("datasets", static_cast<double>(all_datasets.size()));
  double most_branches = absent;
  for (const double total : run.files.branches_total) {
    if (!is_absent(total) && !(total <= most_branches)) most_branches = total;
  }
  table.note("branches_total", most_branches);
  if (uses.empty())
    table.note("missing",
               "branches were not recorded: @track_metrics of roastcoffea 0.1.2 lists them for "
               "each chunk");
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "branches",
    .about = "each branch: how many files and chunks read it",
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::branches
