#include "core/read/dask/profile_trees.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

constexpr double interval =
    0.010;                      // [s] of a sample on a saved page, whatever the configured interval
constexpr double whole = 1e-3;  // how near to a whole number a count must come
constexpr int most_multiples = 64;  // of 1 / narrowest box: no box may stand for one sample

bool makes_whole(std::span<const double> widths, double samples) {
  return all_of(widths, [&](double width) {
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

bool has_samples(const CallTree& tree) {
  return tree.size() > 1 || (tree.size() == 1 && tree.count[0] > 0);
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
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const double value = parse_number(text.substr(0, digits));
    text = trimmed(text.substr(digits));
    const std::string_view name = text.substr(0, text.find(' '));
    const Unit* const unit = first_where(units, [&](const Unit& u) { return u.name == name; });
    if (is_absent(value) || unit == nullptr) return absent;
    sum = value_or(sum, 0) + value * unit->seconds;
    text = trimmed(text.substr(name.size()));
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
    open.push_back(tree.add(is_root ? no_node : open.back(), frame,
                            std::round(boxes.width[i] * samples), line));
  }
  return tree;
}

// Worker threads are sampled without counting the innermost frame, event loops with it
// (docs/meanings.md, Leaves). The tree shows which: in the first, every leaf has count 0. Native
// frames (low-level profiling) make Dask count the leaf as well.
CallTree::Leaves leaves_of(const CallTree& tree, const Names& names) {
  const StringId native = names.strings.find("<low-level>");
  std::vector<bool> has_child(tree.size(), false);
  for (std::size_t i = 1; i < tree.size(); ++i) has_child[tree.parent[i]] = true;
  bool empty_leaf = tree.size() == 1;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    if (native != no_string && names.frames.file[tree.frame[i]] == native)
      return CallTree::Leaves::counted;
    if (!has_child[i] && tree.count[i] == 0) empty_leaf = true;
  }
  return empty_leaf ? CallTree::Leaves::uncounted : CallTree::Leaves::counted;
}

ProfileTrees::ProfileTrees(Run& run, std::string path)
    : run_(run),
      path_(std::move(path)),
      node_(*run.names,
            [this](CallTree tree, const DaskTreeFaults& faults) { add(std::move(tree), faults); }) {
}

json::Node* ProfileTrees::labelled(std::string_view key) {
  // A task prefix never has "://".
  return expect(key, is_dask_worker(key) ? CallTree::Kind::worker : CallTree::Kind::key);
}

json::Node* ProfileTrees::single() {
  const std::string_view name = base_name(path_);
  const auto says = [&](std::string_view word) { return has_part(name, word); };
  return expect(name, says("server")      ? CallTree::Kind::server
                      : says("scheduler") ? CallTree::Kind::scheduler
                                          : CallTree::Kind::merged);
}

json::Node* ProfileTrees::imported() { return expect(base_name(path_), CallTree::Kind::import); }

void ProfileTrees::finish() {
  node_.cut_off();
  report_faults();
  if (empty_ > 0) {
    run_.add_note("empty-profile", Severity::low,
                  sentence({"a profile was recorded but is empty (", std::to_string(empty_),
                            " in this file): nothing ran while it was recorded, or profiling was "
                            "off"}),
                  path_, first_empty_, Error::no_offset, empty_);
  }
}

json::Node* ProfileTrees::expect(std::string_view name, CallTree::Kind kind) {
  name_.assign(name);
  kind_ = kind;
  return &node_;
}

void ProfileTrees::add(CallTree tree, const DaskTreeFaults& faults) {
  faults_.bad_counts += faults.bad_counts;
  faults_.missing_counts += faults.missing_counts;
  faults_.too_small += faults.too_small;
  if (kind_ == CallTree::Kind::worker) tree.worker = run_.workers.address[worker_number(name_)];
  if (kind_ == CallTree::Kind::key) tree.key = run_.names->strings.intern(name_);
  if (!has_samples(tree)) {
    if (empty_++ == 0)
      first_empty_ =
          kind_ == CallTree::Kind::worker || kind_ == CallTree::Kind::key ? name_ : std::string{};
    return;
  }
  tree.name = name_;
  tree.kind = kind_;
  tree.leaves =
      kind_ == CallTree::Kind::import ? CallTree::Leaves::counted : leaves_of(tree, *run_.names);
  tree.source = path_;
  run_.call_trees.push_back(std::move(tree));
}

void ProfileTrees::report_faults() {
  const auto report = [&](std::size_t count, const char* id, Severity severity,
                          std::string_view what) {
    if (count == 0) return;
    run_.add_note(id, severity,
                  sentence({what, " (", std::to_string(count),
                            " in this file); the sum of the node's children is used instead"}),
                  path_, {}, Error::no_offset, count);
  };
  report(faults_.bad_counts, "bad-count", Severity::medium,
         "a node of a profile has a sample count that is negative or not finite");
  report(faults_.missing_counts - std::min(faults_.missing_counts, faults_.bad_counts),
         "missing-count", Severity::low, "a node of a profile has no sample count");
  report(faults_.too_small, "count-below-children", Severity::medium,
         "a node of a profile counts less than its children together");
}

}  // namespace crema::read
