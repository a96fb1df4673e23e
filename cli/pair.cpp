#include "cli/pair.hpp"

#include "cli/output.hpp"

namespace crema::cli {

void Pair::add_arguments(CLI::App& command, const std::string& placeholder) {
  asked.add_bundles(command, placeholder, "two bundles, of one run each");
  auto* as_json = command.add_flag("--json", json, "print JSON");
  command.add_flag("--markdown", markdown, "print Markdown (default)")->excludes(as_json);
}

std::vector<RunId> Pair::open(Session& session) const {
  if (asked.bundles.size() > 2)
    throw Refusal("two bundles are compared, not " + std::to_string(asked.bundles.size()));
  Opened opened = asked.open(session);
  if (opened.runs.size() != 2) {
    const std::string runs =
        std::to_string(opened.runs.size()) + (opened.runs.size() == 1 ? " run" : " runs");
    throw Refusal(
        "two runs are compared; " +
        std::string(asked.bundles.size() < 2 ? "this bundle holds " : "these bundles hold ") +
        runs);
  }
  return std::move(opened.runs);
}

}  // namespace crema::cli
