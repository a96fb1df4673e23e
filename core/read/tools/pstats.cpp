// What cProfile and profile write (`python -m cProfile -o FILE`, `Stats.dump_stats`): the
// dictionary of pstats, {(file, line, name): (primitive calls, calls, own time, cumulative time,
// {caller: the same four})}, in Python's marshal format
// (https://docs.python.org/3/library/marshal.html, Python/marshal.c).
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/read/tools/byte_cursor.hpp"
#include "core/read/tools/call_graph.hpp"
#include "core/read/tools/frame_label.hpp"
#include "core/read/tools/imports.hpp"
#include "core/read/whole_file.hpp"

namespace crema::read {

namespace {

constexpr unsigned reference_flag = 0x80;  // later places may share this value, by its index
constexpr const char* a_function = "a function (file, line, name)";
constexpr const char* a_number = "a number";

/// The double with this bit pattern.
double double_of(std::uint64_t bits) {
  double number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

class Pstats {
 public:
  Pstats(Imports& imports, ByteCursor& bytes) : imports_(imports), bytes_(bytes) {}

  void read(CallGraph& graph) {
    value("pstats' dictionary", [&](unsigned type) {
      if (type != '{') bytes_.fail("pstats' dictionary");
      while (!at_end_of_dictionary()) {
        const FrameId callee = function();
        value("a function's times", [&](unsigned tuple) { read_function(graph, callee, tuple); });
      }
    });
  }

 private:
  /// Calls `read` with the type of the value that is here. A value that several places share is
  /// written at the first of them, and the others refer to it: it is read again for each.
  template <class Read>
  std::invoke_result_t<Read, unsigned> value(const char* expected, Read read) {
    const std::size_t begin = bytes_.at();
    const unsigned byte = bytes_.byte(expected);
    if (byte != 'r') {
      if ((byte & reference_flag) != 0 && !is_shared_) shared_values_.push_back(begin);
      return read(byte & ~reference_flag);
    }
    const std::uint64_t index = bytes_.little(4, expected);
    if (index >= shared_values_.size()) bytes_.fail(expected);
    const Resume resume{*this, bytes_.at(), std::exchange(is_shared_, true)};
    bytes_.seek(shared_values_[static_cast<std::size_t>(index)]);
    return read(bytes_.byte(expected) & ~reference_flag);
  }

  /// Goes on behind a reference once its value was read.
  struct Resume {
    Pstats& reader;
    std::size_t behind;
    bool was_shared;
    ~Resume() {
      reader.bytes_.seek(behind);
      reader.is_shared_ = was_shared;
    }
  };

  /// Whether the dictionary ends here, where the type of its next key would stand. A small file
  /// whose dictionaries refer to each other could hold any number of entries.
  bool at_end_of_dictionary() {
    if (++entries_ > bytes_.size()) bytes_.fail("fewer entries");
    if (bytes_.peek(a_function) != '0') return false;
    bytes_.byte(a_function);
    return true;
  }

  void require_tuple(unsigned type, std::uint64_t size, const char* expected) {
    const std::uint64_t found = type == ')'   ? bytes_.byte(expected)
                                : type == '(' ? bytes_.little(4, expected)
                                              : 0;
    if (found != size) bytes_.fail(expected);
  }

  void read_function(CallGraph& graph, FrameId callee, unsigned tuple) {
    require_tuple(tuple, 5, "a function's times");
    const CallGraph::Cost cost = times();
    graph.add_function(callee, cost);
    value("a function's callers", [&](unsigned type) {
      if (type != '{') bytes_.fail("a function's callers");
      counted_.clear();
      while (!at_end_of_dictionary()) {
        const FrameId caller = function();
        value("a call's times", [&](unsigned call) {
          if (call == 'i' || call == 'l') {
            if (caller != callee) counted_.emplace_back(caller, number_of(call));
            return;
          }
          require_tuple(call, 4, "a call's times");
          graph.add_call(caller, callee, times());
        });
      }
    });
    // The profiler that is written in Python counts calls and does not time them.
    double calls = 0;
    for (const auto& [caller, count] : counted_) calls += std::max(count, 0.0);
    for (const auto& [caller, count] : counted_) {
      if (!(count > 0)) continue;
      const double share = count / calls;
      graph.add_call(caller, callee, {share * cost.self, share * cost.total});
    }
  }

  /// Skips the two counts of calls, then reads own and cumulative time.
  CallGraph::Cost times() {
    number();
    number();
    const double self = number();
    const double total = number();
    // The clock of a virtual machine may go back.
    const auto amount = [](double time) { return time > 0 && std::isfinite(time) ? time : 0; };
    return {amount(self), amount(total)};
  }

  double number() {
    return value(a_number, [&](unsigned type) { return number_of(type); });
  }

  double number_of(unsigned type) {
    switch (type) {
      case 'i': return static_cast<std::int32_t>(bytes_.little(4, a_number));
      case 'g': return double_of(bytes_.little(8, a_number));
      case 'l': return long_number();
      default: bytes_.fail(a_number);
    }
  }

  /// A number above 2,147,483,647: digits of 15 bits, the lowest first. The sign is that of their
  /// count.
  double long_number() {
    const std::int64_t size = static_cast<std::int32_t>(bytes_.little(4, a_number));
    double value = 0;
    double factor = 1;
    for (std::int64_t i = 0; i < std::abs(size); ++i) {
      value += factor * static_cast<double>(bytes_.little(2, a_number));
      factor *= 32768;
    }
    return size < 0 ? -value : value;
  }

  FrameId function() {
    return value(a_function, [&](unsigned type) {
      require_tuple(type, 3, a_function);
      const std::string_view file = text();
      const double line = number();
      const std::string_view name = text();
      // pstats writes "~" for functions that are built into the interpreter.
      return imports_.frame(name, file == "~" ? "<built-in>" : file, as_line(line));
    });
  }

  std::string_view text() {
    constexpr const char* a_text = "a function's file, line or name";
    return value(a_text, [&](unsigned type) {
      switch (type) {
        case 'z':
        case 'Z': return bytes_.take(bytes_.byte(a_text), a_text);
        case 'a':
        case 'A':
        case 's':
        case 't':
        case 'u': return bytes_.take(bytes_.little(4, a_text), a_text);
        default: bytes_.fail(a_text);
      }
    });
  }

  Imports& imports_;
  ByteCursor& bytes_;
  std::vector<std::size_t> shared_values_;  // where each begins, by index
  bool is_shared_ = false;                  // what is being read was read before
  std::size_t entries_ = 0;
  std::vector<std::pair<FrameId, double>> counted_;  // calls, by caller
};

bool recognises_pstats(const Head& head) {
  const auto type = [&](std::size_t at) {
    return static_cast<unsigned char>(head.bytes[at]) & 0x7fU;
  };
  return head.bytes.size() >= 8 && type(0) == '{' && (type(1) == ')' || type(1) == '(') &&
         head.bytes[2] == 3 &&
         std::string_view("zZaAstu").find(static_cast<char>(type(type(1) == ')' ? 3 : 6))) !=
             std::string_view::npos;
}

void read_pstats(Run& run, const std::string& path, const std::string& text) {
  Imports imports(run, path);
  CallGraph graph;
  read_bytes(run, path, text, [&](ByteCursor& bytes) { Pstats(imports, bytes).read(graph); });
  StackProfile profile;
  profile.unit = "seconds";
  profile.has_weights = true;
  graph.make_stacks(profile.stacks);
  imports.note(
      "estimated-callers", Severity::low,
      "cProfile records which function called which, but no stacks: the times of a function are "
      "exact, its cost below each of its callers is estimated, and recursion is one level deep");
  imports.add(profile);
}

}  // namespace

extern constinit const Format pstats_format{"pstats",          "a profile of cProfile", false, true,
                                            recognises_pstats, open_whole<read_pstats>};

}  // namespace crema::read
