// Folded stacks: a line per stack, `outermost;...;innermost count`, a blank or a tab before the
// count.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/text.hpp"
#include "core/json/number.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/line_reader.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

constexpr std::size_t most_frames = std::size_t{1} << 20U;

struct Line {
  std::string_view stack;
  double count = absent;  ///< absent where the line is none of folded stacks
};

Line parse_line(std::string_view text) {
  text = without_trailing_blanks(text);
  const std::size_t gap = text.find_last_of(" \t");
  if (gap == std::string_view::npos) return {};
  const double count = parse_number(text.substr(gap + 1));
  if (!(count >= 0) || !std::isfinite(count)) return {};
  return {without_trailing_blanks(text.substr(0, gap)), count};
}

class FoldedReader : public LineReader {
 public:
  FoldedReader(Run& run, const std::string& path) : LineReader(run, path) {
    imports_.form = CallTree::Form::stacks;
    profile_.has_weights = true;
  }

 private:
  bool line(std::string_view text) override {
    if (is_blank(text) || text.front() == '#') return true;
    if (static_cast<std::size_t>(std::count(text.begin(), text.end(), ';')) >= most_frames)
      return false;
    const Line parsed = parse_line(text);
    if (is_absent(parsed.count)) return false;
    charge(parsed);
    return true;
  }
  std::string_view expects() const override { return "a stack with a count"; }
  bool takes_unended_line() const override { return true; }

  // The notebook's stacks begin with the tree's root, which is no function.
  void charge(const Line& line) {
    NodeId node = StackTree::root;
    std::string_view rest = line.stack;
    bool first = true;
    while (!rest.empty()) {
      const std::string_view label = take_until(rest, ';');
      if (first && label == "@:0") notebook_ = true;
      else if (!label.empty()) node = profile_.stacks.child(node, labels_.intern(label));
      first = false;
    }
    profile_.stacks.charge(node, line.count);
  }

  void finished() override {
    if (notebook_) {
      imports_.note("exclusive-counts", Severity::low,
                    "these stacks have the form of the notebook that Crema began with: because "
                    "Dask does not count the innermost frame of a sample, the time at the end of a "
                    "stack was spent in functions that it called, and self times are not its own");
    }
    std::vector<FrameLabel> labels;
    for (StringId i = 0; i < labels_.size(); ++i) labels.push_back(parse_frame_label(labels_[i]));
    // A module is defined in its first line: where it is in another, lines are those that were
    // executing, as py-spy writes them, and no part of a function's identity.
    const bool were_executing = any_of(
        labels, [](const FrameLabel& label) { return label.name == "<module>" && label.line > 1; });
    std::vector<FrameId> frames;
    for (const FrameLabel& label : labels) {
      const bool is_seen = label.has_line_seen || were_executing;
      frames.push_back(imports_.frame(label.name, label.file, is_seen ? 0 : label.line,
                                      is_seen ? label.line : 0));
    }
    imports_.add(profile_, frames);
  }

  bool notebook_ = false;
  StringPool labels_;
  StackProfile profile_;
};

// A page of the web; py-spy's stacks begin with "<module>".
bool begins_page(std::string_view text) {
  constexpr std::string_view tags[] = {"<!", "<?", "<html", "<HTML", "<head", "<HEAD"};
  return std::any_of(std::begin(tags), std::end(tags),
                     [&](std::string_view tag) { return text.starts_with(tag); });
}

// The first lines are all stacks with a count, and at least one has several frames.
bool recognises_folded(const Head& head) {
  constexpr std::size_t looked_at = 20;
  constexpr std::size_t many_frames =
      64;  // a first line longer than the head: a stack too deep for it
  std::string_view rest = without_byte_order_mark(head.bytes);
  if (rest.empty() || rest.front() == '{' || begins_page(rest)) return false;
  std::size_t stacks = 0;
  bool has_frames = false;
  for (std::size_t seen = 0; seen < looked_at && !rest.empty(); ++seen) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos && !head.complete) {
      return stacks > 0 ? has_frames
                        : static_cast<std::size_t>(std::count(rest.begin(), rest.end(), ';')) >
                              many_frames;
    }
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(text.size() + 1, rest.size()));
    if (is_blank(text) || text.front() == '#') continue;
    const Line line = parse_line(text);
    if (end == std::string_view::npos && stacks > 0 && is_absent(line.count)) break;  // cut off
    if (is_absent(line.count) || json::invalid_utf8(text)) return false;
    ++stacks;
    has_frames = has_frames || has_part(line.stack, ';');
  }
  return has_frames;
}

}  // namespace

const Format folded_format{folded_about, recognises_folded, open_reader<FoldedReader>};

}  // namespace crema::read
