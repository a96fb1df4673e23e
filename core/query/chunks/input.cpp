// How much of the input was there, used and read: `input`.
#include <unordered_map>

#include "core/base/order.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

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

static Found find(const Run& run, const Selection& selection, std::string_view by) {
  Found found;
  InputUse& use = found.use;
  std::unordered_map<std::string_view, std::size_t> places;  // of groups
  for (const FileFacts& file : find_file_facts(run, selection)) {
    if (!(file.bytes_read > 0)) {
      use.unknown += 1;
      continue;
    }
    const std::string_view path = run.text(file.name);
    const std::string_view name = by == "host"   ? host_of(path)
                                  : by == "site" ? site_of(path)
                                                 : run.text(file.dataset);
    const auto [place, is_new] = places.try_emplace(name, found.groups.size());
    if (is_new) found.groups.push_back({.name = std::string(name)});
    add(found.groups[place->second], file);
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
    {"files", "count", &InputSums::files, "files with recorded use of branches"},
    {"chunks", "count", &InputSums::chunks},
    {"tree_bytes", "byte", &InputSums::tree, "compressed size of the trees"},
    {"used_bytes", "byte", &InputSums::used,
     "compressed size of the branches that were used, each file once"},
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

extern const Question question(
    "input",
    "bytes stored in the files, of the branches used, and read: all files, then each dataset",
    columns, answer,
    {.options = {&by_option, &runtime::processor_option}, .narrowed_by = chunk_dimensions});

}  // namespace crema::query::input
