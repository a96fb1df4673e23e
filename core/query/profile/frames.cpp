#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/order.hpp"
#include "core/profile/flame_tree.hpp"
#include "core/profile/pattern.hpp"
#include "core/query/parts/flame_boxes.hpp"
#include "core/query/parts/profile_notes.hpp"
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::frames {

namespace {

// The user's own lines first, then by self time, total, name.
std::vector<std::size_t> in_order(const Functions& functions, const FrameFacts& facts) {
  std::vector<std::size_t> order(functions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_stably(order, [&](std::size_t a, std::size_t b) {
    if (functions.own[a] != functions.own[b]) return functions.own[a] > functions.own[b];
    if (functions.self[a] != functions.self[b]) return functions.self[a] > functions.self[b];
    if (functions.total[a] != functions.total[b]) return functions.total[a] > functions.total[b];
    return facts.rank[functions.frame[a]] < facts.rank[functions.frame[b]];
  });
  return order;
}

// The functions of one profile. Options: profile, leaves, transform (up to where it turns the tree
// round), search (only those that match).
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  FlameChoice choice = flame_choice(run, selection, options);
  const bool any = choice.profile != nullptr;
  const FlameChoice counted =
      any ? with_transform(run, choice, upright(choice.transform)) : FlameChoice{};
  const std::shared_ptr<const FlameTree> of =
      any ? flame_tree(run, counted) : std::make_shared<const FlameTree>();
  const FrameFacts no_facts{};
  const FrameFacts& facts = any ? *of->facts : no_facts;
  const FrameTable& recorded = run.names->frames;
  const auto kept = any ? functions_in(run, counted) : std::make_shared<const Functions>();
  const Functions& functions = *kept;
  std::vector<std::size_t> shown = in_order(functions, facts);
  if (const std::string search = options.text(search_option); !search.empty()) {
    const std::vector<bool> matching = frames_matching(facts, search);
    std::erase_if(shown, [&](std::size_t i) { return !matching[functions.frame[i]]; });
  }
  const auto frame = [&](std::size_t i) { return functions.frame[i]; };

  Table table;
  const std::string counts = count_unit(choice.profile);
  const char* const unit = counts.c_str();
  Rows rows(table, shown);
  rows.number("frame", "", frame);
  rows.any_text("name", [&](std::size_t i) -> std::string_view { return facts.name[frame(i)]; });
  rows.any_text("file", [&](std::size_t i) -> std::string_view { return facts.file[frame(i)]; });
  rows.number("line", "", [&](std::size_t i) {
    return facts.line[frame(i)] == 0 ? absent : facts.line[frame(i)];
  });
  rows.any_text("category", [&](std::size_t i) { return name_of(facts.category[frame(i)]); });
  rows.number(
      "total", unit, [&](std::size_t i) { return functions.total[i]; },
      "samples with the function on the stack, counted once under recursion");
  rows.number(
      "self", unit, [&](std::size_t i) { return functions.self[i]; },
      "samples whose innermost frame was this one: certain and shared-out ones");
  rows.number(
      "self_min", unit, [&](std::size_t i) { return functions.self_min[i]; },
      "least possible self time");
  rows.number(
      "self_max", unit, [&](std::size_t i) { return functions.self_max[i]; },
      "self time if all the unresolved time among its siblings were its own");
  rows.number(
      "unresolved", unit, [&](std::size_t i) { return functions.unresolved[i]; },
      "samples in direct callees; in which of them is unknown");
  rows.number(
      "own", unit,
      [&](std::size_t i) {
        return facts.category[frame(i)] == Category::analysis ? functions.own[i] : absent;
      },
      "self and unresolved samples below it with no other function of your analysis in between");
  rows.number(
      "total_fraction", "1",
      [&](std::size_t i) { return ratio(functions.total[i], of->tree.whole()); },
      "total / total of the profile");
  rows.flag(
      "recursive", [&](std::size_t i) { return functions.is_recursive[i]; },
      "1 = it occurs under itself");
  rows.number("line_seen", "", [&](std::size_t i) {
    return !facts.recorded || recorded.line_seen[frame(i)] == 0 ? absent
                                                                : recorded.line_seen[frame(i)];
  });
  rows.text("source_line", [&](std::size_t i) {
    return facts.recorded ? run.text(recorded.source_line[frame(i)]) : std::string_view{};
  });
  rows.number(
      "estimated", unit, [&](std::size_t i) { return functions.estimated[i]; },
      "the part of self that was shared out, so not certain");
  rows.number(
      "boxes", "count", [&](std::size_t i) { return functions.boxes[i]; },
      "boxes of the flame graph that are calls of it");
  if (!any) {
    note_no_profiles(table);
    return table;
  }
  note_profile(table, run, *choice.profile, of->tree, choice.leaves);
  note_transform(table, counted, *of);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "frames",
    .about = "each function: total, self, and how certain that is",
    .options = {&profile::profile_option, &profile::leaves_option, &profile::transform_option,
                &search_option},
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::query::frames
