#include "cli/pair.hpp"

#include <algorithm>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "core/compare/sides.hpp"
#include "core/predict/prediction.hpp"

namespace crema::cli {

namespace {

/// The commit that the runs are labelled with; empty where they are not all, or with anything that
/// a shell would not take as it is.
std::string commit_of(std::span<const Run* const> runs) {
  std::string commit;
  for (const Run* run : runs) {
    const auto label = run->labels.find("commit");
    if (label == run->labels.end() || (!commit.empty() && commit != label->second)) return {};
    commit = label->second;
  }
  const bool is_plain = std::all_of(commit.begin(), commit.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return is_plain ? commit : std::string();
}

/// Where B is of another commit and worse: the command that finds which commit made it so.
std::string bisect_text(std::span<const Run* const> runs, const Selection& selection,
                        const Options& options) {
  const std::size_t runs_of_a = compare::runs_of_a(options, runs.size());
  const std::string good = commit_of(runs.first(runs_of_a));
  const std::string bad = commit_of(runs.subspan(runs_of_a));
  if (good.empty() || bad.empty() || good == bad) return {};
  std::string number;
  for (const compare::ComparedNumber& row : compare::compare_sides(runs, selection, options).rows) {
    if (row.id.group != compare::RowGroup::summary || row.verdict() != "worse") continue;
    if (number.empty() || row.id.name == usual_number) number = row.id.name;
  }
  if (number.empty()) return {};
  return "\nWhich commit did it: crema bisect " + good + " " + bad + " --number " + number +
         " --run 'COMMAND that records a run into $CREMA_RUN'\n";
}

}  // namespace

void Pair::add_arguments(CLI::App& command, const std::string& placeholder) {
  asked.add_bundles(command, placeholder,
                    "two bundles, of one run each; replicates, as said below");
  auto* as_json = command.add_flag("--json", json, "print JSON");
  command
      .add_flag("--markdown", markdown, "print Markdown (default where the output is no terminal)")
      ->excludes(as_json);
  command.add_option("--run-spread", run_spread_, std::string(predict::run_spread_option.about))
      ->type_name("SHARE");
}

std::vector<RunId> Pair::open(Session& session) {
  const std::vector<RunId> runs = open_sides(session);
  for (const RunId run : runs) {
    for (const DataNote& note : session.run(run)->data_notes) {
      if (note.file.empty() || note.id == "unreadable" ||
          (note.severity != Severity::high && note.id != "broken-json" && note.id != "cut-off"))
        continue;
      damage.push_back(visible(note.file) + ": " + visible(note.message));
      remark("crema: " + damage.back());
    }
  }
  return runs;
}

std::vector<RunId> Pair::open_sides(Session& session) {
  if (!run_spread_.empty()) sides[std::string(predict::run_spread_option.name)] = run_spread_;
  const auto divider = std::find(asked.bundles.begin(), asked.bundles.end(), side_divider);
  if (divider != asked.bundles.end()) {
    // of A1 A2 -- B1 B2 those before the -- are A
    const std::vector<std::string> of_b(divider + 1, asked.bundles.end());
    asked.bundles.erase(divider, asked.bundles.end());
    if (of_b.empty()) throw Refusal("no bundles stand behind --: A1 A2 -- B1 B2");
    std::vector<RunId> runs = asked.open(session).runs;
    sides[std::string(compare::runs_of_a_option.name)] = std::to_string(runs.size());
    asked.bundles = of_b;
    for (const RunId run : asked.open(session).runs) runs.push_back(run);
    return runs;
  }
  if (asked.bundles.size() > 2)
    throw Refusal("two bundles are compared, not " + std::to_string(asked.bundles.size()) +
                  "; a -- stands between the replicates of two sides: A1 A2 -- B1 B2");
  Opened opened = asked.open(session);
  if (opened.runs.size() != 2) {
    const std::string runs =
        std::to_string(opened.runs.size()) + (opened.runs.size() == 1 ? " run" : " runs");
    throw Refusal(
        "two runs are compared, a baseline and a candidate; " +
        std::string(asked.bundles.size() < 2 ? "this bundle holds " : "these bundles hold ") +
        runs);
  }
  return std::move(opened.runs);
}

Result<std::string> Pair::compared(const Session& session, std::span<const RunId> runs,
                                   const Selection& selection, const Options& options) const {
  auto text = session.report("compare", runs, selection, options,
                             is_screen() ? comparison_brief : comparison_markdown);
  const auto more = session.report("compare", runs, selection, options, bisect_text);
  if (text && more) text.value() += more.value();
  return text;
}

}  // namespace crema::cli
