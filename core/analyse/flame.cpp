#include <string>
#include <vector>

#include "core/analyse/call_trees.hpp"
#include "core/analyse/questions.hpp"
#include "core/flame/layout.hpp"

namespace crema {

namespace {

SiblingOrder sibling_order(const Options& options) {
  const std::string text = options.text("order", "heavy");
  if (text == "heavy") return SiblingOrder::heavy;
  if (text == "name") return SiblingOrder::name;
  throw Failure(ErrorCode::bad_option, "order=" + text + "; it is heavy or name");
}

double min_fraction(const Options& options) {
  const double fraction = options.number("min_fraction", 0);
  if (fraction >= 0 && fraction <= 1) return fraction;
  throw Failure(ErrorCode::bad_option, "min_fraction=" + options.text("min_fraction") + "; it is between 0 and 1");
}

std::vector<bool> matching_nodes(const ResolvedTree& tree, const std::vector<bool>& frames) {
  std::vector<bool> matching(tree.size(), false);
  for (std::size_t i = 1; i < tree.size(); ++i) matching[i] = frames[tree.frame[i]];
  return matching;
}

// What matches, counted once where a match is inside another.
double matched_total(const ResolvedTree& tree, const std::vector<bool>& matching) {
  std::vector<bool> covered(tree.size(), false);
  double sum = 0;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const bool outside = !covered[tree.parent[i]];
    if (matching[i] && outside) sum += tree.total[i];
    covered[i] = matching[i] || !outside;
  }
  return sum;
}

// The functions among which the unresolved samples of each node were taken: its children whose self time is uncertain.
std::vector<std::string> candidates(const Run& run, const ResolvedTree& tree) {
  constexpr std::size_t shown = 5;
  std::vector<std::string> texts(tree.size());
  std::vector<std::size_t> found(tree.size(), 0);
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const NodeId parent = tree.parent[i];
    if (tree.unresolved[parent] == 0 || tree.self_max[i] <= tree.self[i] || found[parent]++ >= shown) continue;
    if (found[parent] > 1) texts[parent] += ", ";
    texts[parent] += run.text(run.names->frames.name[tree.frame[i]]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (found[i] > shown) texts[i] += " and " + std::to_string(found[i] - shown) + " more";
  }
  return texts;
}

/// The texts of a frame as ids of a Table's strings: a function has many boxes, its texts are looked up once.
struct FrameTexts {
  StringId name = no_string;
  StringId file = no_string;
  StringId category = no_string;
};

}  // namespace

// The boxes of one profile's flame graph, root first, from left to right. Options: profile, leaves (forced, counted), order (heavy,
// name), min_fraction (narrower boxes are left out), search (text in name or file: marked, and summed up in the notes).
Table flame(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const LeafChoice choice = leaf_choice(options);
  const SiblingOrder order = sibling_order(options);
  const double narrowest = min_fraction(options);

  const Profiles profiles = profiles_of(run, selection);
  const Profile* const profile = chosen_profile(profiles, options);
  const std::string unit = count_unit(profile);
  Table table;
  const auto node = table.add_number("node", "");
  const auto depth = table.add_number("depth", "count");
  const auto x0 = table.add_number("x0", "1", "left edge as a fraction of the profile's total");
  const auto x1 = table.add_number("x1", "1", "right edge as a fraction of the profile's total");
  const auto frame = table.add_text("frame");
  const auto file = table.add_text("file");
  const auto line = table.add_number("line", "");
  const auto total = table.add_number("total", unit, "self + total of the callees + unresolved");
  const auto self = table.add_number("self", unit, "samples whose innermost frame was certainly this one");
  const auto self_min = table.add_number("self_min", unit, "least possible self time");
  const auto self_max = table.add_number("self_max", unit, "self time if all that is unresolved among its siblings fell to it");
  const auto unresolved = table.add_number("unresolved", unit, "samples in direct callees, unknown in which");
  const auto category = table.add_text("category");
  const auto matched = table.add_flag("matched", "1 = the search text occurs in its name or file");
  const auto parent = table.add_number("parent", "");
  const auto is_unresolved = table.add_flag("is_unresolved", "1 = the box is the unresolved part of its parent");
  const auto candidates_of = table.add_text("candidates");
  const auto frame_id = table.add_number("frame_id", "");

  if (profile == nullptr) {
    note_no_profiles(table);
    return table;
  }
  const FrameFacts facts = frame_facts(*run.names);
  const FrameTable& frames = run.names->frames;
  const ResolvedTree tree = merged_tree(*profile, choice, facts);
  const Layout layout = lay_out(tree, facts, order, narrowest * tree.whole());
  const std::string search = options.text("search");
  const std::vector<bool> matching = matching_nodes(tree, frames_matching(*run.names, facts, search));
  const std::string title = title_of(*profile);
  const std::vector<std::string> possible = candidates(run, tree);

  note_profile(table, run, profiles, *profile, tree, choice);
  if (!search.empty()) table.note("matched_total", matched_total(tree, matching));

  std::vector<FrameTexts> known(frames.size());
  const auto texts_of = [&](FrameId f) -> const FrameTexts& {
    FrameTexts& texts = known[f];
    if (texts.name == no_string) {
      texts = {table.strings.intern(run.text(frames.name[f])), table.strings.intern(facts.file[f]),
               table.strings.intern(name_of(facts.category[f]))};
    }
    return texts;
  };
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const NodeId n = layout.node[i];
    const FrameId f = tree.frame[n];
    const bool open = layout.is_unresolved[i];
    table.put(node, static_cast<double>(open ? tree.size() + n : n));
    table.put(depth, layout.depth[i]);
    table.put(x0, layout.begin[i] / tree.whole());
    table.put(x1, layout.end[i] / tree.whole());
    table.put(total, open ? tree.unresolved[n] : tree.total[n]);
    table.put(self, open ? 0 : tree.self[n]);
    table.put(self_min, open ? 0 : tree.self_min[n]);
    table.put(self_max, open ? 0 : tree.self_max[n]);
    table.put(unresolved, tree.unresolved[n]);
    table.put(is_unresolved, open ? 1 : 0);
    table.put(matched, !open && matching[n] ? 1 : 0);
    if (open) {
      table.put(parent, n);
    } else if (n == 0) {
      table.put_missing(parent);
    } else {
      table.put(parent, tree.parent[n]);
    }
    if (open || n == 0) {
      table.put(frame, open ? unresolved_label : std::string_view(title));
      for (const auto column : {file, line, category, frame_id}) table.put_missing(column);
    } else {
      const FrameTexts& texts = texts_of(f);
      table.columns[frame].texts.push_back(texts.name);
      table.columns[file].texts.push_back(texts.file);
      table.columns[category].texts.push_back(texts.category);
      table.put(line, frames.first_line[f] == 0 ? absent : frames.first_line[f]);
      table.put(frame_id, f);
    }
    if (open) table.put(candidates_of, possible[n]);
    else table.put_missing(candidates_of);
  }
  return table;
}

}  // namespace crema
