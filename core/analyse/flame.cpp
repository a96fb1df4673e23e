#include "core/analyse/flame_boxes.hpp"
#include "core/analyse/questions.hpp"

namespace crema {

namespace {

std::string step_of(std::string_view verb, std::string_view pattern) {
  std::string step(verb);
  for (const char c : pattern) step += c == ';' ? "\\;" : std::string(1, c);
  return step;
}

Table sandwiched(const Run& run, const Selection& selection, const Options& options, std::string_view verb) {
  if (options.text("frame").empty()) {
    Table table;
    table.note("missing", "Choose a function: frame=PATTERN, such as function=NAME@FILE:LINE.");
    return table;
  }
  FlameChoice choice = flame_choice(run, selection, options);
  std::string transform = upright(choice.transform);
  const std::string step = step_of(verb, options.text("frame"));
  transform += (transform.empty() ? "" : ";") + step;
  FlameChoice turned = with_transform(run, choice, std::move(transform));
  turned.profiles = std::move(choice.profiles);
  return flame_boxes(run, turned, options);
}

}  // namespace

// The boxes of one profile's flame graph, root first, from left to right. Options: `box_options`.
Table flame(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  return flame_boxes(*runs[0], flame_choice(*runs[0], selection, options), options);
}

// Who calls the function that `frame` names, bottom-up, with the function below the root.
Table callers(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  return sandwiched(*runs[0], selection, options, "callers:");
}

// What it calls, all its calls as one.
Table callees(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  return sandwiched(*runs[0], selection, options, "focus:");
}

}  // namespace crema
