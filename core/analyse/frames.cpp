#include <algorithm>
#include <numeric>
#include <vector>

#include "core/analyse/call_trees.hpp"
#include "core/analyse/questions.hpp"
#include "core/flame/functions.hpp"

namespace crema {

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

}  // namespace

// The functions of one profile. Options: profile, leaves, search (only those with the text in name or file).
Table frames(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const LeafChoice choice = leaf_choice(options);
  const Profiles profiles = profiles_of(run, selection);
  const Profile* const profile = chosen_profile(profiles, options);
  const std::string unit = count_unit(profile);

  Table table;
  const auto frame = table.add_number("frame", "");
  const auto name = table.add_text("name");
  const auto file = table.add_text("file");
  const auto line = table.add_number("line", "");
  const auto category = table.add_text("category");
  const auto total = table.add_number("total", unit, "samples with the function on the stack, counted once under recursion");
  const auto self = table.add_number("self", unit, "samples whose innermost frame was certainly this one");
  const auto self_min = table.add_number("self_min", unit, "least possible self time");
  const auto self_max = table.add_number("self_max", unit, "self time if all that is unresolved among its siblings fell to it");
  const auto unresolved = table.add_number("unresolved", unit, "samples in direct callees, unknown in which");
  const auto own =
      table.add_number("own", unit, "self and unresolved samples below it with no other function of your analysis in between");
  const auto total_fraction = table.add_number("total_fraction", "1", "total / total of the profile");
  const auto recursive = table.add_flag("recursive", "1 = it occurs under itself");
  const auto line_seen = table.add_number("line_seen", "");
  const auto source_line = table.add_text("source_line");
  if (profile == nullptr) {
    note_no_profiles(table);
    return table;
  }

  const FrameFacts facts = frame_facts(*run.names);
  const FrameTable& frames = run.names->frames;
  const ResolvedTree tree = merged_tree(*profile, choice, facts);
  const Functions functions = functions_of(tree, facts);
  note_profile(table, run, profiles, *profile, tree, choice);

  const std::string search = options.text("search");
  const std::vector<bool> matching = frames_matching(*run.names, facts, search);
  for (const std::size_t i : in_order(functions, facts)) {
    const FrameId f = functions.frame[i];
    if (!search.empty() && !matching[f]) continue;
    table.put(frame, f);
    table.put(name, run.text(frames.name[f]));
    table.put(file, facts.file[f]);
    table.put(line, frames.first_line[f] == 0 ? absent : frames.first_line[f]);
    table.put(category, name_of(facts.category[f]));
    table.put(total, functions.total[i]);
    table.put(self, functions.self[i]);
    table.put(self_min, functions.self_min[i]);
    table.put(self_max, functions.self_max[i]);
    table.put(unresolved, functions.unresolved[i]);
    if (facts.category[f] == Category::analysis) table.put(own, functions.own[i]);
    else table.put_missing(own);
    table.put(total_fraction, ratio(functions.total[i], tree.whole()));
    table.put(recursive, functions.is_recursive[i] ? 1 : 0);
    table.put(line_seen, frames.line_seen[f] == 0 ? absent : frames.line_seen[f]);
    if (frames.source_line[f] != no_string) table.put(source_line, run.text(frames.source_line[f]));
    else table.put_missing(source_line);
  }
  return table;
}

}  // namespace crema
