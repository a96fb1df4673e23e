#include <vector>

#include "core/base/error.hpp"
#include "core/base/nearest.hpp"
#include "core/query/list.hpp"

namespace crema::query {

namespace {

/// A digest answers what it keeps, and of all the run.
Table kept_answer(const Run& run, std::string_view name, const Selection& selection,
                  const Options& given) {
  std::string names;
  for (const Table& table : run.kept) {
    if (table.question == name && selection.empty() && given.all().empty()) return copy_of(table);
    names += (names.empty() ? "" : ", ") + table.question;
  }
  throw Failure(ErrorCode::not_kept, run.title + " is a digest, which keeps the answers " + names +
                                         " of the whole run: open its recording for more");
}

}  // namespace

std::span<const Question* const> all() {
#define CREMA_ADDRESS(name) &name::question,
  static constexpr const Question* list[] = {CREMA_QUESTIONS(CREMA_ADDRESS)};
#undef CREMA_ADDRESS
  return list;
}

const Question& named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Question* question : all()) {
    if (question->name == name) return *question;
    known.push_back(question->name);
  }
  throw Failure(ErrorCode::unknown_question, not_among(name, known));
}

Table Question::operator()(std::span<const Run* const> runs, const Selection& selection,
                           const Options& given) const {
  if (!of_digests) {
    for (const Run* run : runs) {
      if (run->is_digest()) return kept_answer(*run, name, selection, given);
    }
  }
  Table table = function(runs, selection, given);
  table.question = name;
  return table;
}

}  // namespace crema::query
