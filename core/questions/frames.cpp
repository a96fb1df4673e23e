#include <algorithm>
#include <numeric>
#include <vector>

#include "core/facts/flame_tree.hpp"
#include "core/flame/functions.hpp"
#include "core/flame/pattern.hpp"
#include "core/questions/parts/profile_notes.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::frames {

namespace {

// The user's own lines first, then by self time, total, name.
std::vector<std::size_t> in_order(const Functions& functions, const FrameFacts& facts) {
  std::vector<std::size_t> order(functions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (functions.own[a] != functions.own[b]) return functions.own[a] > functions.own[b];
    if (functions.self[a] != functions.self[b]) return functions.self[a] > functions.self[b];
    if (functions.total[a] != functions.total[b]) return functions.total[a] > functions.total[b];
    return facts.rank[functions.frame[a]] < facts.rank[functions.frame[b]];
  });
  return order;
}

// The functions of one profile. Options: profile, leaves, transform (up to where it turns the tree round), search (only those
// that match).
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  FlameChoice choice = flame_choice(run, selection, options);
  const std::string unit = count_unit(choice.profile);

  Table table;
  const auto frame = table.add_number("frame", "");
  const auto name = table.add_text("name");
  const auto file = table.add_text("file");
  const auto line = table.add_number("line", "");
  const auto category = table.add_text("category");
  const auto total = table.add_number("total", unit, "samples with the function on the stack, counted once under recursion");
  const auto self =
      table.add_number("self", unit, "samples whose innermost frame was this one: certain, and what was shared out");
  const auto self_min = table.add_number("self_min", unit, "least possible self time");
  const auto self_max = table.add_number("self_max", unit, "self time if all that is unresolved among its siblings fell to it");
  const auto unresolved = table.add_number("unresolved", unit, "samples in direct callees, unknown in which");
  const auto own =
      table.add_number("own", unit, "self and unresolved samples below it with no other function of your analysis in between");
  const auto total_fraction = table.add_number("total_fraction", "1", "total / total of the profile");
  const auto recursive = table.add_flag("recursive", "1 = it occurs under itself");
  const auto line_seen = table.add_number("line_seen", "");
  const auto source_line = table.add_text("source_line");
  const auto estimated = table.add_number("estimated", unit, "the part of self that was shared out, not certain");
  const auto boxes = table.add_number("boxes", "count", "boxes of the flame graph that are calls of it");
  if (choice.profile == nullptr) {
    note_no_profiles(table);
    return table;
  }

  const FlameChoice counted = with_transform(run, choice, upright(choice.transform));
  const std::shared_ptr<const FlameTree> of = flame_tree(run, counted);
  const FrameFacts& facts = *of->facts;
  const FrameTable& recorded = run.names->frames;
  const auto kept = run.memo.of<Functions>("functions|" + counted.key, [&] { return functions_of(of->tree, facts); });
  const Functions& functions = *kept;
  note_profile(table, run, choice.profiles, *choice.profile, of->tree, choice.leaves);
  note_transform(table, counted, *of);

  const std::string search = options.text(search_option);
  const std::vector<bool> matching = frames_matching(facts, search);
  for (const std::size_t i : in_order(functions, facts)) {
    const FrameId f = functions.frame[i];
    if (!search.empty() && !matching[f]) continue;
    table.put(frame, f);
    table.put(name, facts.name[f]);
    table.put(file, facts.file[f]);
    table.put(line, facts.line[f] == 0 ? absent : facts.line[f]);
    table.put(category, name_of(facts.category[f]));
    table.put(total, functions.total[i]);
    table.put(self, functions.self[i]);
    table.put(self_min, functions.self_min[i]);
    table.put(self_max, functions.self_max[i]);
    table.put(unresolved, functions.unresolved[i]);
    if (facts.category[f] == Category::analysis) table.put(own, functions.own[i]);
    else table.put_missing(own);
    table.put(total_fraction, ratio(functions.total[i], of->tree.whole()));
    table.put(recursive, functions.is_recursive[i] ? 1 : 0);
    table.put(line_seen, !facts.recorded || recorded.line_seen[f] == 0 ? absent : recorded.line_seen[f]);
    if (facts.recorded && recorded.source_line[f] != no_string) table.put(source_line, run.text(recorded.source_line[f]));
    else table.put_missing(source_line);
    table.put(estimated, functions.estimated[i]);
    table.put(boxes, functions.boxes[i]);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "frames",
    .about = "each function: total, self, and how certain that is",
    .options = {&facts::profile_option, &facts::leaves_option, &facts::transform_option, &search_option},
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::questions::frames
