// Folded stacks: a line per stack, `outermost;...;innermost count`, a blank or a tab before the
// count.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fast_float/fast_float.h>

#include "core/base/path.hpp"
#include "core/base/string_pool.hpp"
#include "core/json/text.hpp"
#include "core/read/fault.hpp"
#include "core/read/format.hpp"
#include "core/read/frame_label.hpp"
#include "core/read/readers.hpp"
#include "core/read/stack_tree.hpp"

namespace crema::read {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// What is more is no stack: a small archive can hold a line of gigabytes, which would have to be
// held in memory.
constexpr std::size_t longest_line = std::size_t{1} << 26U;  // [byte]
constexpr std::size_t most_frames = std::size_t{1} << 20U;

struct Line {
  std::string_view stack;
  double count = absent;  ///< absent where the line is none of folded stacks
};

Line parse_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  const std::size_t gap = text.find_last_of(" \t");
  if (gap == std::string_view::npos) return {};
  const std::string_view number = text.substr(gap + 1);
  double count = absent;
  const char* const end = number.data() + number.size();
  const auto parsed = fast_float::from_chars(number.data(), end, count);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(count) || count < 0)
    return {};
  std::string_view stack = text.substr(0, gap);
  while (!stack.empty() && (stack.back() == ' ' || stack.back() == '\t')) stack.remove_suffix(1);
  return {stack, count};
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

class FoldedReader : public Reader {
 public:
  FoldedReader(Run& run, std::string path) : run_(run), path_(std::move(path)) {}

  void push(std::span<const char> bytes) override {
    std::string_view rest(bytes.data(), bytes.size());
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      if (carried_ == 0) {
        line(rest.substr(0, end), end);
      } else {
        carry(rest.substr(0, end));
        end_carried();
      }
      rest.remove_prefix(end + 1);
    }
    carry(rest);
  }

  void finish() override {
    if (carried_ > 0) end_carried();
    report();
    Names& names = *run_.names;
    std::vector<FrameId> frames;
    frames.reserve(labels_.size());
    for (StringId i = 0; i < labels_.size(); ++i) {
      const FrameLabel label = parse_frame_label(labels_[i]);
      // The notebook's line is the one that was executing, no part of the function's identity.
      frames.push_back(names.frames.intern(names.strings.intern(label.name),
                                           names.strings.intern(label.file),
                                           label.has_line_seen ? 0 : label.line));
      std::uint32_t& seen = names.frames.line_seen[frames.back()];
      if (label.has_line_seen && seen == 0) seen = label.line;
    }
    const FrameId root =
        names.frames.intern(names.strings.intern("root"), names.strings.intern(""), 0);
    std::vector<NodeId> place;
    CallTree tree = stacks_.take(frames, root, root, 1, place);
    if (!(tree.count[0] > 0) || !std::isfinite(tree.count[0])) {
      run_.add_note("empty-profile", Severity::low, "the stacks have no samples", path_);
      return;
    }
    tree.name = base_name(path_);
    tree.kind = CallTree::Kind::import;
    tree.form = CallTree::Form::stacks;
    tree.leaves = CallTree::Leaves::counted;
    tree.source = path_;
    run_.call_trees.push_back(std::move(tree));
  }

 private:
  void carry(std::string_view part) {
    carried_ += part.size();
    if (carried_ <= longest_line) carry_.append(part);
  }

  void end_carried() {
    line(carry_, carried_);
    carry_.clear();
    carried_ = 0;
  }

  /// `length`: of the whole line, of which `text` is only the beginning where it is too long.
  void line(std::string_view text, std::uint64_t length) {
    const std::uint64_t at = offset_;
    offset_ += length + 1;
    if (++lines_ == 1 && text.substr(0, byte_order_mark.size()) == byte_order_mark)
      text.remove_prefix(byte_order_mark.size());
    if (is_blank(text) || text.front() == '#') return;
    if (json::invalid_utf8(text)) {
      if (bad_text_.count == 0) bad_text_at_ = at;
      bad_text_.at(lines_);
      return;
    }
    const bool is_endless =
        length > longest_line ||
        static_cast<std::size_t>(std::count(text.begin(), text.end(), ';')) >= most_frames;
    const Line parsed = is_endless ? Line{} : parse_line(text);
    if (is_absent(parsed.count)) {
      if (bad_lines_.count == 0) bad_line_at_ = at;
      bad_lines_.at(lines_);
      return;
    }
    charge(parsed);
  }

  // The notebook's stacks begin with the tree's root, which is no function.
  void charge(const Line& line) {
    NodeId node = StackTree::root;
    std::string_view rest = line.stack;
    bool first = true;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      const std::string_view label = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (first && label == "@:0") notebook_ = true;
      else if (!label.empty()) node = stacks_.child(node, labels_.intern(label));
      first = false;
    }
    stacks_.charge(node, line.count);
  }

  void report() {
    const auto tell = [&](const Fault& fault, std::uint64_t at, const char* id,
                          const std::string& what) {
      if (fault.count == 0) return;
      run_.data_notes.push_back({id, Severity::medium, path_, at,
                                 "line " + std::to_string(fault.first),
                                 what + "; they were left out", fault.count});
    };
    tell(bad_lines_, bad_line_at_, "bad-line", "lines are no stack with a count");
    tell(bad_text_, bad_text_at_, "bad-utf8", "lines are no valid UTF-8");
    if (notebook_) {
      run_.add_note("exclusive-counts", Severity::low,
                    "these stacks are written as the founding notebook does: the time at the end "
                    "of a stack was spent in functions "
                    "it called, because Dask does not count the innermost frame of a sample. Self "
                    "times are not its own",
                    path_);
    }
  }

  Run& run_;
  std::string path_;
  std::string carry_;          // the beginning of a line
  std::uint64_t carried_ = 0;  // its length so far, which is more where it is too long to be kept
  std::uint64_t offset_ = 0;
  std::size_t lines_ = 0;
  bool notebook_ = false;
  Fault bad_lines_, bad_text_;
  std::uint64_t bad_line_at_ = 0, bad_text_at_ = 0;
  StringPool labels_;
  StackTree stacks_;
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
  std::string_view rest = head.bytes;
  if (rest.substr(0, byte_order_mark.size()) == byte_order_mark)
    rest.remove_prefix(byte_order_mark.size());
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
    if (is_absent(line.count) || json::invalid_utf8(text)) return false;
    ++stacks;
    has_frames = has_frames || line.stack.find(';') != std::string_view::npos;
  }
  return has_frames;
}

std::unique_ptr<Reader> open_folded(Run& run, const std::string& path) {
  return std::make_unique<FoldedReader>(run, path);
}

}  // namespace

const Format folded_format{"folded", "folded stacks", false, true, recognises_folded, open_folded};

}  // namespace crema::read
