// What `memray transform csv` writes: a line for each stack that held memory at the moment of peak
// use; the stack, innermost frame first, as "FUNCTION;FILE;LINE|FUNCTION;FILE;LINE".
#include <algorithm>
#include <charconv>
#include <vector>

#include "core/base/text.hpp"
#include "core/read/tools/line_reader.hpp"

namespace crema::read {

namespace {

constexpr std::string_view memray_header =
    "allocator,num_allocations,size,tid,thread_name,stack_trace";

/// Takes the next value off a line of CSV as Python writes it: in quotes if it contains a comma,
/// with its own quotes doubled.
std::string take_value(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::string(take_until(rest, ','));
  std::string value;
  while (rest.starts_with('"')) {
    rest.remove_prefix(1);
    value += take_until(rest, '"');
    if (rest.starts_with('"')) value += '"';
  }
  take_until(rest, ',');
  return value;
}

class MemrayTableReader : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  bool line(std::string_view text) override {
    text = without_trailing_blanks(text);
    if (text.empty() || text == memray_header) return true;
    std::string_view rest = text;
    for (int skipped = 0; skipped < 2; ++skipped) take_value(rest);
    const std::string size = take_value(rest);
    const std::string thread_id = take_value(rest);
    const std::string thread = take_value(rest);
    const double bytes = parse_number(size);
    if (!(bytes >= 0)) return false;
    add(thread.empty() ? thread_id : thread, take_value(rest), bytes);
    return true;
  }
  std::string_view expects() const override { return "an allocation with a size and a stack"; }

  void add(const std::string& thread, const std::string& stack, double bytes) {
    frames_.clear();
    for (std::string_view rest = stack; !rest.empty();) {
      std::string_view place = take_until(rest, '|');
      const std::string_view name = take_until(place, ';');
      const std::string_view file = place.substr(0, place.rfind(';'));
      std::uint32_t line = 0;
      std::from_chars(place.data() + std::min(file.size() + 1, place.size()),
                      place.data() + place.size(), line);
      if (!name.empty()) frames_.push_back(imports_.frame(name, file, 0, line));
    }
    StackTree& stacks = imports_.part("thread " + thread, "bytes").stacks;
    stacks.charge(stacks.stack(frames_), bytes);
  }

  std::vector<FrameId> frames_;
};

bool recognises_memray_table(const Head& head) {
  return without_byte_order_mark(head.bytes).starts_with(memray_header);
}

}  // namespace

const Format memray_table_format{memray_table_about, recognises_memray_table,
                                 open_reader<MemrayTableReader>};

}  // namespace crema::read
