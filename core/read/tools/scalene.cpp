// Scalene's profile as JSON: {"elapsed_time_sec": …, "files": {PATH: {"lines": [{"lineno": …,
// "line": its text, "n_cpu_percent_python": …, "n_malloc_mb": …}, …]}}}. It has lines, but no
// callers.
#include <algorithm>
#include <vector>

#include "core/read/list.hpp"
#include "core/read/tools/imports.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

struct SourceLine {
  StringId file = no_string;
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

class Scalene : public JsonDocument {
 public:
  using JsonDocument::JsonDocument;
  json::Node& root() override { return root_; }

  void ended() override {
    imports_.note(
        "lines-only", Severity::low,
        "Scalene records lines, but no stacks: functions stand beside each other, each with "
        "its lines");
    for (const SourceLine& line : lines_) add(line);
    imports_.add_parts();
  }

 private:
  void add(const SourceLine& line) {
    const std::string_view path = files_[line.file];
    double share = 0;
    for (const double part : line.percent) share += part > 0 ? part : 0;
    const std::string_view text = trimmed(line.text);
    const auto begin = std::find_if(lines_.begin(), lines_.end(), [&](const SourceLine& one) {
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

  Imports imports_{run_, path_};
  double elapsed_ = absent;  // [s]
  StringPool files_;
  std::vector<SourceLine> lines_;

  SourceLine line_;
  json::Object one_line_{"a line",
                         {{"line", line_.text},
                          {"lineno", line_.number},
                          {"start_function_line", line_.function},
                          {"n_malloc_mb", line_.allocated, megabyte},
                          {"n_cpu_percent_python", line_.percent[0]},
                          {"n_cpu_percent_c", line_.percent[1]},
                          {"n_sys_percent", line_.percent[2]}},
                         [this] { lines_.push_back(line_); }};
  json::List line_list_{"a list of lines", one_line_};
  json::Object file_{"a file", {{"lines", line_list_}}};
  json::Map file_map_{"files by path", [this](std::string_view path) {
                        line_.file = files_.intern(path);
                        return &file_;
                      }};
  json::Object root_{"a profile of Scalene",
                     {{"elapsed_time_sec", elapsed_}, {"files", file_map_}}};
};

bool recognises_scalene(const Head& head) {
  return holds(head.sample(), "alloc_samples") && holds(head.sample(), "elapsed_time_sec");
}

}  // namespace

const Format scalene_format{scalene_about, recognises_scalene, open_reader<Scalene>};

}  // namespace crema::read
