#include "cli/question_list.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/analyse/question.hpp"

namespace crema::cli {

namespace {

/// What a row of each answer is.
std::string_view about(std::string_view question) {
  static const std::map<std::string_view, std::string_view> sentences = {
      {"runs", "the open runs"},
      {"sources", "the files of a run, and what they were read as"},
      {"summary", "the headline numbers, with formulas"},
      {"budget", "where the available core-time went"},
      {"findings", "what is worth acting on, most core-time first"},
      {"quality", "what could not be read, or is doubtful"},
      {"timeline", "the cluster at each tick"},
      {"worker_matrix", "one series of every worker over time, in bins"},
      {"worker_spread", "one series over time: its spread over the workers"},
      {"workers", "each worker: when it was there, memory, CPU"},
      {"throughput", "bytes and events per second over time"},
      {"concurrency", "chunks inside process() over time, by dataset"},
      {"chunks", "each chunk of work, with all that is known of it"},
      {"chunk_columns", "the numbers that chunks have, and how many have each"},
      {"datasets", "chunks by dataset: rates, durations, fixed cost"},
      {"files", "chunks by input file"},
      {"hosts", "chunks by storage host"},
      {"sites", "chunks by site (the domain of the storage host)"},
      {"distribution", "a histogram of any number of the chunks"},
      {"runtime_histogram", "chunk durations"},
      {"compression_histogram", "compression ratios of the files"},
      {"access_histogram", "shares of the files' bytes that were read"},
      {"branch_histogram", "shares of the files' branches that were read"},
      {"sections", "named sections inside process()"},
      {"custom_metrics", "numbers that the analysis itself recorded per chunk"},
      {"access", "each file: how much of it was read"},
      {"bytes", "the same data as each layer counts it"},
      {"branches", "each branch: how many files and chunks read it"},
      {"fine", "Dask's activities by task prefix"},
      {"task_prefixes", "how many tasks each prefix had, and what one took"},
      {"phases", "from waiting for workers to the end"},
      {"tail", "what the last 5 % of the chunks cost"},
      {"system", "the load of the scheduler's machine"},
      {"chunk_sizes", "what other chunk sizes would change"},
      {"tasks", "each task of the task stream"},
      {"profiles", "the call trees there are"},
      {"flame", "boxes of a flame graph"},
      {"callers", "who calls a function, bottom-up"},
      {"callees", "what a function calls"},
      {"stacks", "distinct stacks, most frequent first"},
      {"frames", "each function: total, self, and how certain that is"},
      {"worker_frames", "functions whose share differs between workers"},
      {"profile_spread", "workers whose profile differs from the others'"},
      {"flame_diff", "two runs on one flame graph"},
      {"compare", "every number of two runs, and whether they differ"},
      {"check", "rules on two runs: kept or broken"},
      {"scaling", "runs of several sizes against the ideal, with a fit"},
      {"scaling_curve", "the ideal and the fit as curves"},
      {"whatif", "the recorded chunks replayed on another cluster"},
  };
  const auto found = sentences.find(question);
  return found == sentences.end() ? std::string_view{} : found->second;
}

}  // namespace

std::string question_list() {
  std::string text = "Questions:\n";
  for (const Question& question : questions()) {
    std::string line = "  " + std::string(question.name);
    line.resize(std::max<std::size_t>(line.size() + 1, 24), ' ');
    line += about(question.name);
    std::string_view before = "  [";
    for (const std::string_view option : question.options) {
      line += std::string(before) + std::string(option);
      before = ", ";
    }
    text += line + (question.options.empty() ? "\n" : "]\n");
  }
  return text + "\nIn brackets: names for --option NAME=VALUE. Columns and formulas: docs/metrics.md, or --explain.";
}

}  // namespace crema::cli
