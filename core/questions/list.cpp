#include <vector>

#include "core/base/error.hpp"
#include "core/base/nearest.hpp"
#include "core/questions/list.hpp"

namespace crema::questions {

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
  Table table = function(runs, selection, given);
  table.question = name;
  return table;
}

}  // namespace crema::questions
