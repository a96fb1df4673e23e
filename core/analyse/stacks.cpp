#include <algorithm>
#include <cmath>
#include <vector>

#include "core/analyse/flame_tree.hpp"
#include "core/analyse/questions.hpp"
#include "core/flame/stacks.hpp"

namespace crema {

namespace {

std::size_t most_rows(const Options& options) {
  const double most = options.number("most", 1000);
  if (most >= 1 && most == std::floor(most) && most < 1e9) return static_cast<std::size_t>(most);
  throw Failure(ErrorCode::bad_option, "most=" + options.text("most") + "; it is a number of rows, 1 or more");
}

std::string label_of(const FrameFacts& facts, FrameId frame) {
  std::string label = facts.name[frame];
  if (facts.file[frame].empty()) return label;
  label += " (" + facts.file[frame];
  if (facts.line[frame] > 0) label += ":" + std::to_string(facts.line[frame]);
  return label + ")";
}

/// Which of the stacks, by their number in the walk, are the most frequent, most frequent first; ties in the walk's order.
std::vector<std::size_t> most_frequent(const std::vector<double>& counts, std::size_t most) {
  std::vector<std::size_t> order(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), middle, order.end(),
                    [&](std::size_t a, std::size_t b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  order.erase(middle, order.end());
  return order;
}

}  // namespace

// The distinct stacks of one profile that have samples of their own. Options: profile, leaves, transform,
// most (rows).
Table stacks(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const std::size_t most = most_rows(options);
  const FlameChoice choice = flame_choice(run, selection, options);
  const Profile* const profile = choice.profile;

  Table table;
  const auto stack_column = table.add_text("stack");
  const auto depth = table.add_number("depth", "count");
  const auto count = table.add_number("count", count_unit(profile), "samples whose innermost frame is the last of the stack");
  const auto seconds = table.add_number("seconds", "s", "count x seconds per sample");
  const auto fraction = table.add_number("fraction", "1", "count / total of the profile");
  if (profile == nullptr) {
    note_no_profiles(table);
    return table;
  }
  const std::shared_ptr<const FlameTree> of = flame_tree(run, choice);
  const FrameFacts& facts = *of->facts;
  const ResolvedTree& tree = of->tree;
  note_profile(table, run, choice.profiles, *profile, tree, choice.leaves);
  note_transform(table, choice, *of);
  if (profile->trees.empty()) return table;

  // First which, then their texts: a deep profile has far more text than anybody reads.
  std::vector<double> counts;
  for_each_stack(tree, facts, [&](const std::vector<FrameId>&, double weight, bool) { counts.push_back(weight); });
  const std::vector<std::size_t> chosen = most_frequent(counts, most);
  std::vector<std::size_t> row_of(counts.size(), chosen.size());
  for (std::size_t row = 0; row < chosen.size(); ++row) row_of[chosen[row]] = row;
  std::vector<std::string> texts(chosen.size());
  std::vector<double> depths(chosen.size());
  std::size_t next = 0;
  for_each_stack(tree, facts, [&](const std::vector<FrameId>& frames, double, bool is_unresolved) {
    const std::size_t row = row_of[next++];
    if (row == chosen.size()) return;
    std::string& text = texts[row];
    for (const FrameId frame : frames) text += (text.empty() ? "" : ";") + label_of(facts, frame);
    if (is_unresolved) text += (text.empty() ? "" : ";") + std::string(unresolved_label);
    depths[row] = static_cast<double>(frames.size() + (is_unresolved ? 1 : 0));
  });

  const bool in_seconds = profile->trees.front()->unit == "s";
  const double per_sample = in_seconds ? 1 : calibration_of(run)->of(*profile).seconds;
  for (std::size_t row = 0; row < chosen.size(); ++row) {
    table.put(stack_column, texts[row]);
    table.put(depth, depths[row]);
    table.put(count, counts[chosen[row]]);
    table.put(seconds, counts[chosen[row]] * per_sample);
    table.put(fraction, ratio(counts[chosen[row]], tree.whole()));
  }
  table.note("stacks", static_cast<double>(counts.size()));
  return table;
}

}  // namespace crema
