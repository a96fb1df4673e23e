// What `perf script` prints: for each sample a line "COMMAND PID[/TID] [CPU] TIME: PERIOD EVENT:",
// its stack, innermost frame first, with a line "ADDRESS SYMBOL+OFFSET (FILE)" per frame, and an
// empty line. With `python -X perf` Python functions are among the frames ("py::NAME:FILE").
#include <algorithm>
#include <vector>

#include <fast_float/fast_float.h>

#include "core/read/tools/line_reader.hpp"

namespace crema::read {

namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789/") == std::string_view::npos;
}

struct Sample {
  std::string_view thread;  ///< "COMMAND PID/TID"; empty if the line does not begin a sample
  std::string_view event;
  double period = 1;
};

// A command may contain blanks, so the first word that can be PID/TID ends it.
Sample parse_sample(std::string_view text) {
  text = without_trailing_blanks(text);
  if (text.empty() || text.front() == ' ' || text.front() == '\t') return {};
  Sample sample;
  std::string_view rest = text;
  take_until(rest, ' ');
  while (!rest.empty() && sample.thread.empty()) {
    const std::string_view word = take_until(rest, ' ');
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (is_number(word) && (rest.starts_with('[') || rest.find(':') < rest.find(' ')))
      sample.thread = text.substr(0, static_cast<std::size_t>(word.end() - text.begin()));
  }
  // TIME: PERIOD EVENT:
  const std::size_t time = rest.find(": ");
  if (sample.thread.empty() || time == std::string_view::npos || text.back() != ':') return {};
  rest.remove_prefix(std::min(rest.find_first_not_of(' ', time + 1), rest.size()));
  const auto parsed = fast_float::from_chars(rest.data(), rest.data() + rest.size(), sample.period);
  rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
  sample.event = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  return sample;
}

struct ParsedFrame {
  std::string_view name;  ///< empty if the line is not a frame
  std::string_view file;
};

ParsedFrame parse_frame(std::string_view text) {
  text = without_trailing_blanks(text);
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == 0 || begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  const std::string_view address = take_until(text, ' ');
  const std::size_t open = text.rfind(" (");
  if (address.find_first_not_of("0123456789abcdef") != std::string_view::npos ||
      open == std::string_view::npos || text.back() != ')')
    return {};
  ParsedFrame frame{text.substr(0, open), text.substr(open + 2, text.size() - open - 3)};
  frame.name = frame.name.substr(0, frame.name.rfind("+0x"));
  if (constexpr std::string_view python = "py::"; frame.name.starts_with(python)) {
    frame.name.remove_prefix(python.size());
    frame.file = frame.name;
    frame.name = take_until(frame.file, ':');
  }
  return frame;
}

class PerfScriptReader : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  bool line(std::string_view text) override {
    if (is_blank(text)) {
      end_sample();
      return true;
    }
    if (text.front() == '#') return true;
    if (const ParsedFrame frame = parse_frame(text); !frame.name.empty()) {
      stack_.push_back(imports_.frame(frame.name, frame.file));
      return is_open_;
    }
    const Sample sample = parse_sample(text);
    if (sample.thread.empty()) return false;
    end_sample();
    is_open_ = true;
    thread_ = sample.thread;
    // The period of these two events is a time [ns], that of others a count of events.
    is_time_ = sample.event.starts_with("cpu-clock") || sample.event.starts_with("task-clock");
    weight_ = is_time_ ? sample.period : 1;
    return true;
  }
  std::string_view expects() const override { return "a sample or a frame of perf script"; }

  void end_sample() {
    if (is_open_) {
      StackProfile& thread = imports_.part(thread_, is_time_ ? "nanoseconds" : "none");
      thread.samples.push_back(thread.stacks.stack(stack_));
      thread.weights.push_back(weight_);
    }
    is_open_ = false;
    stack_.clear();
  }

  void finished() override {
    // A sample ends in an empty line; of one that was cut within a line the outer frames are
    // missing.
    if (is_open_ && !is_cut_off()) {
      note_cut_off(Severity::low,
                   "no empty line ends the last sample: if the file was cut off there, the outer "
                   "functions of that sample are missing");
      end_sample();
    }
    LineReader::finished();
  }

  bool is_open_ = false;
  bool is_time_ = false;
  double weight_ = 1;
  std::string thread_;
  std::vector<FrameId> stack_;
};

// The first lines that are not comments are a sample and its first frame.
bool recognises_perf_script(const Head& head) {
  if (head.is_binary) return false;
  std::string_view rest = without_byte_order_mark(head.bytes);
  while (!rest.empty()) {
    const std::string_view text = take_until(rest, '\n');
    if (is_blank(text) || text.front() == '#') continue;
    return !parse_sample(text).thread.empty() && !parse_frame(take_until(rest, '\n')).name.empty();
  }
  return false;
}

}  // namespace

const Format perf_script_format{perf_script_about, recognises_perf_script,
                                open_reader<PerfScriptReader>};

}  // namespace crema::read
