#include "core/read/dask/profile_trees.hpp"

#include <algorithm>
#include <cmath>

#include <fast_float/fast_float.h>

#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

constexpr double interval =
    0.010;                      // [s] of a sample on a saved page, whatever the configured interval
constexpr double whole = 1e-3;  // how near to a whole number a count must come
constexpr int most_multiples = 64;  // of 1 / narrowest box: no box may stand for one sample

bool makes_whole(std::span<const double> widths, double samples) {
  return std::all_of(widths.begin(), widths.end(), [&](double width) {
    const double count = width * samples;
    return std::fabs(count - std::round(count)) < whole;
  });
}

// N such that all widths x N are whole: the smallest, or the multiple of it that the root's time
// tells.
double sample_count(const ProfileBoxes& boxes, BoxFaults& faults) {
  double narrowest = absent;
  for (const double width : boxes.width) {
    if (width > 0 && !(width > narrowest)) narrowest = width;
  }
  if (is_absent(narrowest)) return 0;
  const double least = 1 / narrowest;
  for (int k = 1; k <= most_multiples; ++k) {
    if (!makes_whole(boxes.width, least * k)) continue;
    const double samples = std::round(least * k);
    const double stated = parse_dask_time(boxes.root_time) / interval;
    const double multiple = std::round(stated / samples);
    return multiple >= 2 && std::fabs(stated / samples - multiple) < 0.02 * multiple
               ? samples * multiple
               : samples;
  }
  faults.counts_rounded = true;
  return std::round(least);
}

}  // namespace

double parse_dask_time(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit units[] = {{"d", 86400}, {"hr", 3600}, {"m", 60},
                            {"s", 1},     {"ms", 1e-3}, {"us", 1e-6}};
  double sum = absent;
  while (!text.empty()) {
    double value = 0;
    const auto parsed = fast_float::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc()) return absent;
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view name = text.substr(0, text.find(' '));
    const auto* const unit = std::find_if(std::begin(units), std::end(units),
                                          [&](const Unit& u) { return u.name == name; });
    if (unit == std::end(units)) return absent;
    sum = value_or(sum, 0) + value * unit->seconds;
    text.remove_prefix(name.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return sum;
}

CallTree tree_of(const ProfileBoxes& boxes, Names& names, BoxFaults& faults) {
  CallTree tree;
  const double samples = sample_count(boxes, faults);
  const FrameId root = frame_in(names, "root");
  std::vector<NodeId> open;  // the last box of each depth
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double depth = boxes.depth[i];
    const bool is_root = tree.size() == 0;
    if (is_root
            ? depth != 0
            : !(depth >= 1 && depth <= static_cast<double>(open.size())) || !(boxes.width[i] > 0)) {
      ++faults.orphans;
      continue;
    }
    open.resize(static_cast<std::size_t>(depth));
    const std::uint32_t line = as_line(boxes.line[i]);
    FrameId frame = root;
    if (!is_root) {
      frame =
          frame_in(names, boxes.name[i] == no_string ? "(no name)" : names.strings[boxes.name[i]],
                   names.strings[boxes.file[i]]);
      if (names.frames.line_seen[frame] == 0) {
        names.frames.line_seen[frame] = line;
        names.frames.source_line[frame] = boxes.source_line[i];
      }
    }
    tree.parent.push_back(is_root ? no_node : open.back());
    tree.frame.push_back(frame);
    tree.count.push_back(std::round(boxes.width[i] * samples));
    tree.line.push_back(line);
    open.push_back(static_cast<NodeId>(tree.size() - 1));
  }
  return tree;
}

}  // namespace crema::read
