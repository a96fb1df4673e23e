// Austin's text format (of `austin`, or of `mojo2austin` for the binary format of newer versions):
// a line per sample, "P<process>;T<thread>;FILE:FUNCTION:LINE;… METRIC", outermost frame first,
// after lines of metadata ("# mode: wall"). METRIC is the time since the thread's previous sample
// [µs]; in memory mode the memory [byte]; in full mode that time, the same or 0 while the thread
// was idle, and the memory.
#include <charconv>

#include "core/read/tools/line_reader.hpp"

namespace crema::read {

namespace {

constexpr std::string_view austin_header = "# austin";

/// Length of "P12;T0:13;", after which the frames begin; 0 if the line is not a sample.
std::size_t thread_prefix_length(std::string_view text) {
  if (text.size() < 2 || text[0] != 'P' || text[1] < '0' || text[1] > '9') return 0;
  const std::size_t thread = text.find(";T");
  const std::size_t end =
      thread == std::string_view::npos ? thread : text.find_first_of("; ", thread + 1);
  return end == std::string_view::npos ? 0 : end;
}

class AustinReader : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  bool line(std::string_view text) override {
    text = without_trailing_blanks(text);
    if (text.empty()) return true;
    if (text.front() == '#') {
      if (text == "# mode: memory") unit_ = "bytes";
      return true;
    }
    const std::size_t begin = thread_prefix_length(text);
    const std::size_t gap = text.rfind(' ');
    std::uint64_t metric = 0;
    if (begin == 0 || gap == std::string_view::npos || gap < begin ||
        std::from_chars(text.data() + gap + 1, text.data() + text.size(), metric).ec != std::errc())
      return false;
    StackProfile& thread = imports_.part(text.substr(0, begin), unit_);
    NodeId node = StackTree::root;
    for (std::string_view rest = text.substr(begin, gap - begin); !rest.empty();) {
      const std::string_view label = take_until(rest, ';');
      if (!label.empty()) node = thread.stacks.child(node, frame_of(label));
    }
    thread.samples.push_back(node);
    thread.weights.push_back(static_cast<double>(metric));
    return true;
  }
  std::string_view expects() const override { return "a sample of Austin"; }
  bool takes_unended_line() const override { return true; }

  /// A frame is "FILE:FUNCTION:LINE"; special frames such as "GC" have neither file nor line.
  FrameId frame_of(std::string_view label) {
    const std::size_t line = label.rfind(':');
    const std::size_t name = line == 0 || line == std::string_view::npos
                                 ? std::string_view::npos
                                 : label.rfind(':', line - 1);
    if (name == std::string_view::npos) return imports_.frame(label);
    std::uint32_t seen = 0;
    std::from_chars(label.data() + line + 1, label.data() + label.size(), seen);
    return imports_.frame(label.substr(name + 1, line - name - 1), label.substr(0, name), 0, seen);
  }

  std::string_view unit_ = "microseconds";
};

bool recognises_austin(const Head& head) {
  const std::string_view text = without_byte_order_mark(head.bytes);
  return text.starts_with(austin_header) ||
         thread_prefix_length(text.substr(0, text.find('\n'))) > 0;
}

}  // namespace

const Format austin_format{austin_about, recognises_austin, open_reader<AustinReader>};

}  // namespace crema::read
