#include "core/query/parts/sandwich.hpp"

namespace crema::query {

namespace {

std::string step_of(std::string_view verb, std::string_view pattern) {
  std::string step(verb);
  for (const char c : pattern) step += c == ';' ? "\\;" : std::string(1, c);
  return step;
}

}  // namespace

Table sandwiched(const Run& run, const Selection& selection, const Options& options,
                 std::string_view verb) {
  if (options.text(frame_option).empty()) {
    Table table = flame_boxes(run, {}, options);
    table.notes.clear();
    table.note("missing", "Choose a function: frame=PATTERN, such as function=NAME@FILE:LINE.");
    return table;
  }
  FlameChoice choice = flame_choice(run, selection, options);
  std::string transform = upright(choice.transform);
  const std::string step = step_of(verb, options.text(frame_option));
  transform += (transform.empty() ? "" : ";") + step;
  FlameChoice turned = with_transform(run, choice, std::move(transform));
  turned.profiles = std::move(choice.profiles);
  return flame_boxes(run, turned, options);
}

}  // namespace crema::query
