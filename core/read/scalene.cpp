// Scalene's profile as JSON: {"elapsed_time_sec": …, "files": {PATH: {"lines": [{"lineno": …,
// "line": its text, "n_cpu_percent_python": …, "n_malloc_mb": …}, …]}}}. It has lines, but no
// callers.
#include <algorithm>
#include <vector>

#include "core/json/nodes.hpp"
#include "core/read/frame_label.hpp"
#include "core/read/imports.hpp"
#include "core/read/json_reader.hpp"
#include "core/read/readers.hpp"

namespace crema::read {

namespace {

constexpr double mebibyte = 1048576;

struct Line {
  StringId file;
  std::string text = {};
  double number = absent;
  double function = absent;  // line number where its function begins; 0 = in no function
  double percent[3] = {absent, absent, absent};  // of the elapsed time: Python, native, system
  double allocated = absent;                     // [byte]
};

/// The function's name in its first line: "mass" in "async def mass(pairs):".
std::string_view function_name(std::string_view text) {
  const std::size_t def = text.find("def ");
  const std::size_t begin = def == std::string_view::npos ? 0 : def + 4;
  return text.substr(begin, text.find_first_of("(:\n", begin) - begin);
}

/// One node for all levels of the document. `level_`: 1 the document, 2 "files", 3 a file, 4 its
/// lines, 5 a line.
class ScaleneNode : public json::Node {
 public:
  ScaleneNode(Run& run, const std::string& path) : imports_(run, path) {}
  bool begin_object() override {
    if (level_ == 4) lines_.push_back({.file = file_});
    return level_ != 3 && ++level_ > 0;
  }
  bool begin_array() override { return level_ == 3 && ++level_ > 0; }
  json::Node* element(std::size_t) override { return this; }
  json::Node* member(std::string_view key) override {
    switch (level_) {
      case 1:
        if (key == "elapsed_time_sec") return &number_.at(&elapsed_);
        return key == "files" ? this : nullptr;
      case 2: file_ = files_.intern(key); return this;
      case 3: return key == "lines" ? this : nullptr;
      default: return of_line(key, lines_.back());
    }
  }
  void end() override { --level_; }
  std::string_view expects() const override { return "a profile of Scalene"; }

  void finish() {
    imports_.note(
        "lines-only", Severity::low,
        "Scalene records lines, but no stacks: functions stand beside each other, each with "
        "its lines");
    for (const Line& line : lines_) add(line);
    imports_.add_parts();
  }

 private:
  json::Node* of_line(std::string_view key, Line& line) {
    if (key == "line") return &text_.at(&line.text);
    if (key == "lineno") return &number_.at(&line.number);
    if (key == "start_function_line") return &number_.at(&line.function);
    if (key == "n_malloc_mb") return &number_.at(&line.allocated, mebibyte);
    const std::string_view parts[] = {"n_cpu_percent_python", "n_cpu_percent_c", "n_sys_percent"};
    for (std::size_t i = 0; i < std::size(parts); ++i) {
      if (key == parts[i]) return &number_.at(&line.percent[i]);
    }
    return nullptr;
  }

  void add(const Line& line) {
    const std::string_view path = files_[line.file];
    double share = 0;
    for (const double part : line.percent) share += part > 0 ? part : 0;
    std::string_view text = line.text;
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    const auto begin = std::find_if(lines_.begin(), lines_.end(), [&](const Line& one) {
      return line.function >= 1 && one.number == line.function && one.file == line.file;
    });
    const FrameId function = begin == lines_.end() ? imports_.frame("<module>", path)
                                                   : imports_.frame(function_name(begin->text),
                                                                    path, as_line(begin->number));
    const FrameId own = imports_.frame(text.empty() ? "(line)" : text, path, as_line(line.number));
    const auto charge = [&](std::string_view name, std::string_view unit, double amount) {
      if (!(amount > 0)) return;
      StackTree& stacks = imports_.part(name, unit).stacks;
      stacks.charge(stacks.child(stacks.child(StackTree::root, function), own), amount);
    };
    // Without the elapsed time the percentages themselves are shown.
    const bool timed = elapsed_ > 0;
    charge("time", timed ? "seconds" : "none", timed ? share * 0.01 * elapsed_ : share);
    charge("allocated memory", "bytes", line.allocated);
  }

  Imports imports_;
  double elapsed_ = absent;  // [s]
  int level_ = 0;
  StringPool files_;
  StringId file_ = no_string;
  std::vector<Line> lines_;
  json::TextInto text_;
  json::NumberInto number_;
};

class ScaleneReader : public JsonReader {
 public:
  ScaleneReader(Run& run, const std::string& path)
      : JsonReader(run, path, std::make_unique<ScaleneNode>(run, path)) {}
  void finished() override { static_cast<ScaleneNode&>(root()).finish(); }
};

bool recognises_scalene(const Head& head) {
  const nlohmann::json& sample = head.sample();
  return sample.is_object() && sample.contains("alloc_samples") &&
         sample.contains("elapsed_time_sec");
}

}  // namespace

const Format scalene_format{"scalene", "a profile of Scalene", false,
                            true,      recognises_scalene,     open_reader<ScaleneReader>};

}  // namespace crema::read
