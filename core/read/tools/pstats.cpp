// What cProfile and profile write (`python -m cProfile -o FILE`, `Stats.dump_stats`): the
// dictionary of pstats, {(file, line, name): (primitive calls, calls, own time, cumulative time,
// {caller: the same four})}, in Python's marshal format
// (https://docs.python.org/3/library/marshal.html, Python/marshal.c).
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/order.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/byte_cursor.hpp"
#include "core/read/tools/imports.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

constexpr double least_share = 1e-4;  // of all; a thousandth of a pixel
// What is beyond is a graph made to have many paths.
constexpr std::size_t most_places = 200000;
constexpr std::size_t most_work = 20000000;
constexpr std::uint32_t deepest_call = 500;

/// Which function called which, and what that cost: what a profiler knows that keeps no stacks.
class CallGraph {
 public:
  /// A call's cost: in the callee itself, and with all that it called.
  struct Cost {
    double self = 0;
    double total = 0;
  };

  void add_function(FrameId frame, Cost cost) {
    Cost& known = functions_[index(frame)].cost;
    known.self += cost.self;
    known.total += cost.total;
  }
  void add_call(FrameId caller, FrameId callee, Cost cost) {
    const std::uint32_t from = index(caller);
    const std::uint32_t to = index(callee);
    if (from == to) return;
    calls_.push_back({to, functions_[from].calls, cost});
    functions_[from].calls = static_cast<std::uint32_t>(calls_.size() - 1);
    ++functions_[from].call_count;
    functions_[to].called.self += cost.self;
    functions_[to].called.total += cost.total;
  }

  /// The tree of stacks that the graph tells best. Each function's own cost is exact; what of it
  /// was spent below which caller is shared out: a function's calls cost the same share of its
  /// total whatever led to it. No function is below itself, so that recursion ends.
  void make_stacks(StackTree& stacks) {
    double all = 0;
    for (const Function& one : functions_) all += one.cost.self;
    least_ = all * least_share;
    const std::vector<std::uint32_t> order =
        places_in_order(functions_.size(), [&](std::uint32_t a, std::uint32_t b) {
          return functions_[a].cost.total > functions_[b].cost.total;
        });
    // What nobody called, or not for all of its cost: rounding is no call.
    for (const std::uint32_t i : order) {
      const Function& one = functions_[i];
      const double rest = one.cost.total - one.called.total;
      if (rest > 1e-9 * all && rest >= least_)
        place(stacks, i, none, std::max(0.0, one.cost.self - one.called.self),
              rest / one.cost.total);
    }
    follow(stacks);
    // What is reached by none of these, as functions that call each other: the costliest first.
    for (const std::uint32_t i : order) {
      const Function& one = functions_[i];
      if (one.is_placed || !(one.cost.self > 0)) continue;
      place(stacks, i, none, one.cost.self, 1);
      follow(stacks);
    }
    for (const Place& one : places_) {
      const Function& of = functions_[one.function];
      if (of.placed > 0) stacks.charge(one.node, one.self * (of.cost.self / of.placed));
    }
    // Placed, but by calls that cost nothing themselves.
    for (const Function& one : functions_) {
      if (one.is_placed && !(one.placed > 0) && one.cost.self > 0)
        stacks.charge(stacks.child(StackTree::root, one.frame), one.cost.self);
    }
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  struct Call {
    std::uint32_t callee;
    std::uint32_t next;  // of the same caller
    Cost cost;
  };
  struct Function {
    FrameId frame;
    Cost cost;
    Cost called = {};  // by all others
    bool is_placed = false;
    bool is_followed = false;
    double placed = 0;           // of its own cost, before it is made exact
    std::uint32_t calls = none;  // the last of them
    std::uint32_t call_count = 0;
  };
  struct Place {
    NodeId node;
    std::uint32_t function;
    std::uint32_t above;  // place of the caller
    std::uint32_t depth;
    double self;
    double share;  // of the function's total
  };
  std::uint32_t index(FrameId frame) {
    if (index_.size() <= frame) index_.resize(frame + 1, none);
    if (index_[frame] == none) {
      index_[frame] = static_cast<std::uint32_t>(functions_.size());
      functions_.push_back({.frame = frame, .cost = {}});
    }
    return index_[frame];
  }
  void place(StackTree& stacks, std::uint32_t function, std::uint32_t above, double self,
             double share) {
    Function& of = functions_[function];
    const NodeId parent = above == none ? StackTree::root : places_[above].node;
    const std::uint32_t depth = above == none ? 1 : places_[above].depth + 1;
    of.is_placed = true;
    of.placed += self;
    places_.push_back(
        {stacks.child(parent, of.frame), function, above, depth, self, std::min(share, 1.0)});
  }
  bool is_above(std::uint32_t place, std::uint32_t function) const {
    while (place != none && places_[place].function != function) place = places_[place].above;
    return place != none;
  }
  void follow(StackTree& stacks) {
    for (; followed_ < places_.size(); ++followed_) {
      const Place from = places_[followed_];
      Function& caller = functions_[from.function];
      const bool matters = from.share * caller.cost.total >= least_ &&
                           places_.size() < most_places && work_ < most_work;
      if ((caller.is_followed && !matters) || from.depth >= deepest_call) continue;
      caller.is_followed = true;
      work_ += std::size_t{caller.call_count} * from.depth;
      for (std::uint32_t i = caller.calls; i != none; i = calls_[i].next) {
        const Call& call = calls_[i];
        const Function& callee = functions_[call.callee];
        const double total = from.share * call.cost.total;
        if ((total < least_ && callee.is_placed) ||
            is_above(static_cast<std::uint32_t>(followed_), call.callee))
          continue;
        place(stacks, call.callee, static_cast<std::uint32_t>(followed_),
              from.share * call.cost.self, callee.cost.total > 0 ? total / callee.cost.total : 0);
      }
    }
  }

  std::vector<std::uint32_t> index_;  // of `functions_`, by FrameId
  std::vector<Function> functions_;
  std::vector<Call> calls_;
  std::vector<Place> places_;
  std::size_t followed_ = 0;  // places
  std::size_t work_ = 0;
  double least_ = 0;  // what is less is not followed twice
};

constexpr unsigned reference_flag = 0x80;  // later places may share this value, by its index
constexpr const char* a_function = "a function (file, line, name)";
constexpr const char* a_number = "a number";

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
      case 'g': return number_of_bits<double>(bytes_.little(8, a_number));
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

const Format pstats_format{pstats_about, recognises_pstats, open_whole<read_pstats>};

}  // namespace crema::read
