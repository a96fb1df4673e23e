// How much of the input was there, used and read: `input`.
#include <unordered_map>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/findings_text.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::input {

constexpr Option by_option{.name = "by",
                           .about = "what the files are grouped by",
                           .fallback = "dataset",
                           .values = "dataset, host, site"};

// Baskets that lie across the border of two chunks are read by both: so much is usual.
constexpr double read_again = 1.2;
// Chunks that read less than the branches have left events out.
constexpr double read_in_part = 0.95;

/// Files of which it is known what the branches that were used hold.
struct Sums {
  std::string name;
  double files = 0, chunks = 0;
  double tree = absent, used = absent, read = absent;  ///< [byte]

  double times_read() const { return ratio(read, used); }
  double used_share() const { return ratio(used, tree); }
  void add(const FileFacts& file) {
    const auto sum = [&](double& total, double value) {
      total = files == 0 ? value : total + value;  // what one file does not tell, none does
    };
    sum(tree, file.tree_bytes);
    sum(used, file.bytes_read);
    sum(read, is_absent(file.times_read) ? absent : file.chunk_bytes);
    files += 1;
    chunks += file.chunks;
  }
};

struct Found {
  Sums all{.name = "all files"};
  Sums of_one_chunk, of_several;
  std::vector<Sums> groups;
  double unknown = 0;  ///< files that do not tell
  double fewest = absent, most = absent, branches = absent;
};

static Found find(const Run& run, const Selection& selection, std::string_view by) {
  Found found;
  std::unordered_map<std::string_view, std::size_t> places;  // of groups
  for (const FileFacts& file : find_file_facts(run, selection)) {
    if (!(file.bytes_read > 0)) {
      found.unknown += 1;
      continue;
    }
    const std::string_view path = run.text(file.name);
    const std::string_view name = by == "host"   ? host_of(path)
                                  : by == "site" ? site_of(path)
                                                 : run.text(file.dataset);
    const auto [place, is_new] = places.try_emplace(name, found.groups.size());
    if (is_new) found.groups.push_back({.name = std::string(name)});
    found.groups[place->second].add(file);
    found.all.add(file);
    if (file.chunks > 0) (file.chunks == 1 ? found.of_one_chunk : found.of_several).add(file);
    if (!(found.fewest <= file.branches_read)) found.fewest = file.branches_read;
    if (!(found.most >= file.branches_read)) found.most = file.branches_read;
    if (!(found.branches >= file.branches_total)) found.branches = file.branches_total;
  }
  sort_stably(found.groups, [](const Sums& a, const Sums& b) { return a.name < b.name; });
  found.groups.insert(found.groups.begin(), found.all);
  return found;
}

/// "once", "2.03 times".
static std::string times_text(double times) {
  return format_number(times) == "1" ? "once" : format_number(times) + " times";
}

static std::string verdict_of(const Found& f) {
  const double times = f.all.times_read();
  if (f.all.files == 0) return "How much of the files was read is not recorded.";
  if (is_absent(times))
    return sentence({"The used branches hold ", format_percent(f.all.used_share()),
                     " of the bytes of their trees."});
  const std::string of = sentence(
      {": ", format_bytes(f.all.read), " for ", format_bytes(f.all.used), " of branches."});
  if (times >= read_again)
    return sentence({"Each byte of the used branches was read ", times_text(times), of});
  if (times < read_in_part)
    return sentence(
        {"Only ", format_percent(times), " of the bytes of the used branches was read", of});
  if (is_absent(f.all.used_share()))
    return sentence({"Each byte of the used branches was read once", of});
  return sentence({format_percent(f.all.used_share()),
                   " of the bytes was used, and each of these was read once", of});
}

static std::string limits_of(const Found& f) {
  std::string text;
  if (!is_absent(f.all.used_share()))
    text +=
        sentence({"The trees hold ", format_bytes(f.all.tree), "; ",
                  format_percent(f.all.used_share()), " of that is in the ",
                  (f.fewest < f.most ? format_number(f.fewest) + " to " : std::string()),
                  format_number(f.most), " of ", format_number(f.branches), " used branches. "});
  const double several = f.of_several.times_read();
  if (several >= read_again) {
    const double one = f.of_one_chunk.times_read();
    text += is_absent(one) ? std::string()
                           : sentence({"Bytes of files of one chunk were read ", times_text(one),
                                       ", those of other files ", times_text(several), ". "});
    text +=
        "Bytes are compressed in baskets: a basket that spans several chunks is read by each of "
        "them. Larger chunks, or files with smaller baskets, read less. ";
  } else if (f.all.times_read() < read_in_part) {
    text += "The chunks left out events, or not all chunks were recorded. ";
  }
  if (f.unknown > 0)
    text += sentence({"This is not recorded for ", format_count(f.unknown, "file"), ". "});
  return text;
}

/// What the threads waited for, by the findings.
static std::string waiting_of(const Run& run, const Options& options) {
  for (const Finding& finding : find_findings(run, options)) {
    switch (finding.cause) {
      case FindingCause::bandwidth_limited:
      case FindingCause::waiting:
      case FindingCause::oversubscribed:
      case FindingCause::interpreter_lock:
      case FindingCause::lock:
      case FindingCause::native_lock: return text_of(finding).title + ".";
      default: break;
    }
  }
  return run.activities_recorded ? "The tasks were mostly on a CPU: storage was not the limit."
                                 : "Whether the tasks waited was not recorded.";
}

const Columns<Sums> columns = {
    {"name", as_given, &Sums::name},
    {"files", "count", &Sums::files, "files with recorded use of branches"},
    {"chunks", "count", &Sums::chunks},
    {"tree_bytes", "byte", &Sums::tree, "compressed size of the trees"},
    {"used_bytes", "byte", &Sums::used,
     "compressed size of the branches that were used, each file once"},
    {"read_bytes", "byte", &Sums::read, "Σ bytes that chunks read inside process()"},
    {"used_share", "1", &Sums::used_share, "used_bytes / tree_bytes"},
    {"times_read", "1", &Sums::times_read, "read_bytes / used_bytes"},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const Run& run = *runs[0];
  const std::string by = options.text(by_option);
  const Found found = find(run, selection, by);
  Table table = columns.table(found.groups);
  table.note("verdict", verdict_of(found));
  table.note("limits", limits_of(found));
  table.note("waiting", waiting_of(run, options));
  table.note("unknown_files", found.unknown);
  if (found.all.files == 0) table.note("missing", missing::file_metadata);
  if (selection.time || !selection.ranges.empty())
    table.note("selection",
               "stored and used bytes are those of whole files: how often they were read is known "
               "where all chunks of a file are selected");
  return table;
}

extern const Question question{
    .name = "input",
    .about =
        "bytes stored in the files, of the branches used, and read: all files, then each dataset",
    .options = {&by_option, &runtime::processor_option},
    .narrowed_by = chunk_dimensions,
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::input
