// What cProfile and profile write (`python -m cProfile -o FILE`, `Stats.dump_stats`): the
// dictionary of pstats, {(file, line, name): (primitive calls, calls, own time, cumulative time,
// {caller: the same four})}, in Python's marshal format
// (https://docs.python.org/3/library/marshal.html, Python/marshal.c).
#include <cmath>
#include <cstring>
#include <vector>

#include "core/read/byte_cursor.hpp"
#include "core/read/call_graph.hpp"
#include "core/read/frame_label.hpp"
#include "core/read/imports.hpp"
#include "core/read/readers.hpp"
#include "core/read/whole_file.hpp"

namespace crema::read {

namespace {

constexpr unsigned reference_flag = 0x80;  // later values may refer to this one by its index
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
    begin('{', "pstats' dictionary");
    while (has_entry()) {
      const FrameId callee = function();
      open_tuple(5, "a function's times");
      const CallGraph::Cost cost = times();
      graph.add_function(callee, cost);
      begin('{', "a function's callers");
      while (has_entry()) {
        const FrameId caller = function();
        open_tuple(4, "a call's times");
        graph.add_call(caller, callee, times());
      }
    }
  }

 private:
  struct Value {
    enum class Kind : std::uint8_t { other, number, text, function } kind = Kind::other;
    double number = 0;
    std::string_view text = {};
    FrameId frame = 0;
  };

  void begin(char type, const char* expected) {
    const unsigned char byte = bytes_.byte(expected);
    if ((byte & reference_flag) != 0) references_.emplace_back();
    if ((byte & ~reference_flag) != static_cast<unsigned char>(type)) bytes_.fail(expected);
  }

  /// Whether another entry follows. Reads the type of its key into `peeked_`; '0' there ends the
  /// dictionary.
  bool has_entry() {
    peeked_ = bytes_.byte(a_function);
    return peeked_ != '0';
  }

  void open_tuple(std::uint64_t size, const char* expected) {
    const unsigned char byte = bytes_.byte(expected);
    if ((byte & reference_flag) != 0) references_.emplace_back();
    if (size_of_tuple(byte & ~reference_flag) != size) bytes_.fail(expected);
  }

  std::uint64_t size_of_tuple(unsigned type) {
    return type == ')' ? bytes_.byte(a_function) : type == '(' ? bytes_.little(4, a_function) : 0;
  }

  FrameId function() {
    const Value key = value(peeked_, a_function);
    if (key.kind != Value::Kind::function) bytes_.fail(a_function);
    return key.frame;
  }

  double number() {
    const Value read = value(bytes_.byte(a_number), a_number);
    if (read.kind != Value::Kind::number) bytes_.fail(a_number);
    return read.number;
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

  Value value(unsigned byte, const char* expected) {
    const std::size_t reference = references_.size();
    if ((byte & reference_flag) != 0) references_.emplace_back();
    const unsigned type = byte & ~reference_flag;
    Value read;
    const auto text = [&](std::uint64_t size) {
      read.kind = Value::Kind::text;
      read.text = bytes_.take(size, expected);
    };
    const auto number = [&](double value) {
      read.kind = Value::Kind::number;
      read.number = value;
    };
    switch (type) {
      case 'i': number(static_cast<std::int32_t>(bytes_.little(4, expected))); break;
      case 'g': number(double_of(bytes_.little(8, expected))); break;
      case 'l': number(long_number()); break;
      case 'z':
      case 'Z': text(bytes_.byte(expected)); break;
      case 'a':
      case 'A':
      case 's':
      case 't':
      case 'u': text(bytes_.little(4, expected)); break;
      case 'r': {
        const std::uint64_t index = bytes_.little(4, expected);
        if (index >= references_.size()) bytes_.fail(expected);
        return references_[static_cast<std::size_t>(index)];
      }
      case '(':
      case ')':
        if (size_of_tuple(type) != 3 || expected != a_function) bytes_.fail(expected);
        read = function_parts();
        break;
      default: bytes_.fail(expected);
    }
    if ((byte & reference_flag) != 0) references_[reference] = read;
    return read;
  }

  // A number above 2,147,483,647: digits of 15 bits, the lowest first.
  double long_number() {
    const auto size = static_cast<std::int32_t>(bytes_.little(4, a_number));
    double value = 0;
    double factor = 1;
    for (std::int32_t i = 0; i < std::abs(size); ++i) {
      value += factor * static_cast<double>(bytes_.little(2, a_number));
      factor *= 32768;
    }
    return size < 0 ? -value : value;
  }

  Value function_parts() {
    const auto part = [&](Value::Kind kind) {
      const Value read = value(bytes_.byte(a_function), "a function's file, line or name");
      if (read.kind != kind) bytes_.fail(a_function);
      return read;
    };
    const Value file = part(Value::Kind::text);
    const double line = part(Value::Kind::number).number;
    const Value name = part(Value::Kind::text);
    // pstats writes "~" for functions that are built into the interpreter.
    const std::string_view path = file.text == "~" ? "<built-in>" : file.text;
    return {.kind = Value::Kind::function, .frame = imports_.frame(name.text, path, as_line(line))};
  }

  Imports& imports_;
  ByteCursor& bytes_;
  std::vector<Value> references_;
  unsigned peeked_ = 0;
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

const Format pstats_format{"pstats", "a profile of cProfile", false,
                           true,     recognises_pstats,       open_whole<read_pstats>};

}  // namespace crema::read
