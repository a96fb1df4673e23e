// What `perf script` prints: for each sample a line "COMMAND PID[/TID] [CPU] TIME: PERIOD EVENT:",
// its stack, innermost frame first, with a line "ADDRESS SYMBOL+OFFSET (FILE)" per frame, and an
// empty line. Recorded without stacks, the one frame is on the sample's own line. With
// `python -X perf` Python functions are among the frames ("py::NAME:FILE").
#include <vector>

#include "core/read/tools/line_reader.hpp"

namespace crema::read {

namespace {

bool consists_of_digits(std::string_view text, std::string_view signs) {
  return !text.empty() && is_digit(text.front()) &&
         all_of(text, [&](char c) { return is_digit(c) || signs.find(c) != signs.npos; });
}

struct Sample {
  std::string_view thread;  ///< "COMMAND PID/TID"; empty if the line does not begin a sample
  std::string_view event;
  double period = absent;
  std::string_view frame;  ///< where there are no stacks
};

// A command may contain blanks, so the first word that can be PID/TID ends it.
Sample parse_sample(std::string_view text) {
  text = without_trailing_blanks(text);
  if (text.empty() || text.front() == '\t') return {};
  text.remove_prefix(text.find_first_not_of(' '));  // commands are aligned at their ends
  Sample sample;
  std::string_view rest = text;
  take_word(rest);
  while (!rest.empty() && sample.thread.empty()) {
    const std::string_view word = take_word(rest);
    if (consists_of_digits(word, "/") && (rest.starts_with('[') || rest.find(':') < rest.find(' ')))
      sample.thread = text.substr(0, static_cast<std::size_t>(word.end() - text.begin()));
  }
  if (rest.starts_with('[')) take_word(rest);
  if (!consists_of_digits(take_word(rest), ".:")) return {};  // TIME:
  if (consists_of_digits(rest.substr(0, rest.find(' ')), ""))
    sample.period = parse_number(take_word(rest));
  sample.event = take_word(rest);
  if (!sample.event.ends_with(':')) return {};
  sample.frame = rest;
  return sample;
}

struct ParsedFrame {
  std::string_view name;  ///< empty if the line is not a frame
  std::string_view file;
};

ParsedFrame parse_frame(std::string_view text) {
  text = without_trailing_blanks(text);
  const std::string_view address = take_until(text, ' ');
  if (!all_of(address, is_lowercase_hex)) return {};
  ParsedFrame frame{text, {}};
  if (const std::size_t open = text.rfind(" ("); open != text.npos && text.back() == ')')
    frame = {text.substr(0, open), text.substr(open + 2, text.size() - open - 3)};
  if (frame.file == "inlined") frame.file = {};
  frame.name = frame.name.substr(0, frame.name.rfind("+0x"));
  if (constexpr std::string_view python = "py::"; frame.name.starts_with(python)) {
    frame.name.remove_prefix(python.size());
    frame.file = frame.name;
    frame.name = take_until(frame.file, ':');
  }
  return frame;
}

ParsedFrame parse_frame_line(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == 0 || begin == text.npos) return {};
  return parse_frame(text.substr(begin));
}

// CPUs of two kinds count one event apart: "cpu_core/cycles/P:", "cpu_atom/cycles/P:".
std::string_view without_cpu(std::string_view event) {
  event = event.substr(0, event.find_last_not_of(':') + 1);
  if (event.starts_with("cpu_")) event.remove_prefix(event.find('/') + 1);
  return event;
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
    const Sample sample = parse_sample(text);
    if (sample.thread.empty()) {
      const ParsedFrame frame = parse_frame_line(text);
      if (frame.name.empty()) return false;
      stack_.push_back(imports_.frame(frame.name, frame.file));
      return is_open_;
    }
    end_sample();
    is_open_ = true;
    // The period of these two events is a time [ns], that of others a count of events.
    const std::string_view event = without_cpu(sample.event);
    const bool is_time = !is_absent(sample.period) &&
                         (event.starts_with("cpu-clock") || event.starts_with("task-clock"));
    weight_ = is_time ? sample.period : 1;
    thread_ = sample.thread;
    unit_ = is_time ? "nanoseconds" : "none";
    // Samples of another event add up to nothing with those of the first.
    if (first_event_.empty()) first_event_ = event;
    if (event != first_event_) {
      thread_ += sentence({", ", event});
      if (!is_time) unit_ = sentence({"samples of ", event});
    }
    if (const ParsedFrame frame = parse_frame(sample.frame); !frame.name.empty()) {
      stack_.push_back(imports_.frame(frame.name, frame.file));
      end_sample();
    }
    return true;
  }
  std::string_view expects() const override { return "a sample or a frame of perf script"; }

  void end_sample() {
    if (is_open_) {
      StackProfile& thread = imports_.part(thread_, unit_);
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
  double weight_ = 1;
  std::string thread_;
  std::string unit_;
  std::string first_event_;
  std::vector<FrameId> stack_;
};

// The first lines that are not comments are a sample and its first frame.
bool recognises_perf_script(const Head& head) {
  if (head.is_binary) return false;
  std::string_view rest = without_byte_order_mark(head.bytes);
  while (!rest.empty()) {
    const std::string_view text = take_until(rest, '\n');
    if (is_blank(text) || text.front() == '#') continue;
    const Sample sample = parse_sample(text);
    return !sample.thread.empty() && (!parse_frame(sample.frame).name.empty() ||
                                      !parse_frame_line(take_until(rest, '\n')).name.empty());
  }
  return false;
}

}  // namespace

const Format perf_script_format{perf_script_about, recognises_perf_script,
                                open_reader<PerfScriptReader>};

}  // namespace crema::read
