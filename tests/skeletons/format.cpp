// The skeleton of an input format: {"function_times": [{"name", "file", "line", "seconds"}, …]},
// which a profiler without stacks could write. To add a format, copy this file into a folder of
// core/read, rename what is in it, and move what its format is called into a line of
// core/read/list.hpp, above the formats that would recognise its files, too.
#include "core/read/format.hpp"
#include "core/read/tools/imports.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

/// Which values go where: a table for each kind of object, a line in it for each member.
class FunctionTimes : public JsonDocument {
 public:
  using JsonDocument::JsonDocument;
  json::Node& root() override { return document_; }

  /// The file has ended, or is cut off: what is complete of it goes into the run.
  void ended() override { imports_.add_parts(); }

 private:
  void keep_function() {
    if (!(seconds_ >= 0))
      return imports_.note("bad-weight", Severity::medium, "a function has no time, or one below 0",
                           name_);
    StackTree& stacks = imports_.part("functions", "seconds").stacks;
    stacks.charge(stacks.child(StackTree::root, imports_.frame(name_, file_, as_line(line_))),
                  seconds_);
  }

  Imports imports_{run_, path_};
  std::string name_, file_;
  double line_ = absent, seconds_ = absent;
  json::Object function_{"a function",
                         {{"name", name_}, {"file", file_}, {"line", line_}, {"seconds", seconds_}},
                         [this] { keep_function(); }};
  json::List functions_{"a list of functions", function_};
  json::Object document_{"times of functions", {{"function_times", functions_}}};
};

/// How it is recognised: by a key that no other format has.
bool recognises_function_times(const Head& head) { return holds(head.sample(), "function_times"); }

}  // namespace

extern constinit const Format skeleton_format{
    {"function_times", "times of functions",
     false,  // a run may have several
     true},  // it makes a run on its own
    recognises_function_times,
    open_reader<FunctionTimes>,
};

}  // namespace crema::read
