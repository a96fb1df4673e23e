#include "cli/ask_each.hpp"

#include <utility>
#include <vector>

#include "core/table/table.hpp"

namespace crema::cli {

Result<Table> ask_each(const Session& session, const query::Question& question,
                       std::span<const RunId> runs, const Selection& selection,
                       const Options& options, bool may_be_unmade) {
  if (runs.size() <= 1 || question.run_count.most > 1)
    return session.ask(question.name, runs, selection, options, may_be_unmade);
  std::vector<NamedTable> tables;
  for (const RunId& run : runs) {
    auto answer = session.ask(question.name, {&run, 1}, selection, options);
    if (!answer) return answer;
    tables.push_back({session.run(run)->title, std::move(answer).value()});
  }
  return concatenate("run", tables);
}

}  // namespace crema::cli
