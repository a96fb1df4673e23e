// pprof's profile.proto (https://github.com/google/pprof/blob/main/proto/profile.proto), written by
// Go and by many other profilers, compressed with gzip. A sample is a stack of locations, innermost
// first; a location is one or more lines of functions (inlined calls); texts are indices into a
// list of strings. The fields of a Protobuf message may come in any order.
#include <algorithm>
#include <vector>

#include "core/base/order.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/byte_cursor.hpp"
#include "core/read/tools/imports.hpp"

namespace crema::read {

namespace {

constexpr const char* a_field = "a field of a pprof profile";

/// A field of a Protobuf message.
struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;  ///< of a numeric field
  std::string_view bytes;   ///< of a text, a nested message or a packed list of numbers
  bool has_bytes = false;
};

std::uint64_t varint(ByteCursor& from) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = from.byte(a_field);
    value |= (byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
  from.fail("a number of ten bytes at most");
}

Field take_field(ByteCursor& from) {
  const std::uint64_t key = varint(from);
  Field field{.number = key >> 3U, .bytes = {}};
  switch (key & 7U) {
    case 0: field.value = varint(from); break;
    case 1: field.value = from.little(8, a_field); break;
    case 2:
      field.bytes = from.take(varint(from), a_field);
      field.has_bytes = true;
      break;
    case 5: field.value = from.little(4, a_field); break;
    default: from.fail(a_field);
  }
  return field;
}

/// The fields of a message up to its first damaged byte, if any; counts damaged messages.
std::vector<Field> fields_of(std::string_view message, std::size_t& damaged) {
  std::vector<Field> fields;
  try {
    for (ByteCursor from(message); !from.at_end();) fields.push_back(take_field(from));
  } catch (const ByteCursor::Unexpected&) {
    ++damaged;
  }
  return fields;
}

/// A location or a function, which others refer to by its id.
struct Entry {
  std::uint64_t id = 0;
  std::string_view message;
  std::size_t first_frame = 0;  ///< of a location: index into `frames_`, innermost first
  std::size_t frame_count = 0;  ///< 0 until its lines are read
};

class Pprof {
 public:
  explicit Pprof(Imports& imports) : imports_(imports) {}

  void read(ByteCursor& bytes) {
    while (!bytes.at_end()) {
      const Field field = take_field(bytes);
      switch (field.number) {
        case 1: types_.push_back(field.bytes); break;
        case 2: samples_.push_back(field.bytes); break;
        case 4: add_entry(locations_, field.bytes); break;
        case 5: add_entry(functions_, field.bytes); break;
        case 6: texts_.push_back(field.bytes); break;
        case 14: default_type_ = field.value; break;
        default: break;
      }
    }
  }

  /// Adds the profile. Of several types of values it shows the one that pprof shows: the default
  /// type that the profile names, else the last.
  void add() {
    for (std::vector<Entry>* entries : {&locations_, &functions_})
      sort_stably(*entries, [](const Entry& a, const Entry& b) { return a.id < b.id; });
    StackProfile profile;
    profile.has_weights = true;
    std::size_t shown = types_.empty() ? 0 : types_.size() - 1;
    std::string others;
    // From the last to the first, so that the default type replaces the last.
    for (std::size_t i = types_.size(); i-- > 0;) {
      const std::uint64_t type = number(types_[i], 1);
      const std::string name(text(type));
      if (i + 1 == types_.size() || (type != 0 && type == default_type_)) {
        std::swap(profile.name, others);
        others += (others.empty() || profile.name.empty() ? "" : ", ") + profile.name;
        profile.name = name;
        profile.unit = text(number(types_[i], 2));
        shown = i;
      } else {
        others += (others.empty() ? "" : ", ") + name;
      }
    }
    for (const std::string_view sample : samples_) charge(profile.stacks, sample, shown);
    if (!others.empty())
      imports_.note("other-values", Severity::low,
                    "each sample has several values; " + profile.name + " is shown, not " + others);
    if (negative_ > 0)
      imports_.note("bad-weight", Severity::medium,
                    "samples have no value or one below 0, as of a difference; they were left out",
                    {}, negative_);
    if (damaged_ > 0)
      imports_.note("broken-file", Severity::high,
                    "parts of it are damaged; what comes before the damage in each was read", {},
                    damaged_);
    imports_.add(profile);
  }

 private:
  /// The value of a numeric field of a message, 0 if it is missing.
  std::uint64_t number(std::string_view message, std::uint64_t which) {
    std::uint64_t value = 0;
    for (const Field& field : fields_of(message, damaged_))
      if (field.number == which) value = field.value;
    return value;
  }
  /// The values of a repeated numeric field, packed or not.
  std::vector<std::uint64_t> numbers(std::string_view message, std::uint64_t which) {
    std::vector<std::uint64_t> values;
    for (const Field& field : fields_of(message, damaged_)) {
      if (field.number != which) continue;
      if (!field.has_bytes) values.push_back(field.value);
      // A packed list has its numbers one after the other, without keys.
      try {
        for (ByteCursor from(field.bytes); !from.at_end();) values.push_back(varint(from));
      } catch (const ByteCursor::Unexpected&) {
        ++damaged_;
      }
    }
    return values;
  }
  void add_entry(std::vector<Entry>& entries, std::string_view message) {
    entries.push_back({.id = number(message, 1), .message = message});
  }
  static Entry* find(std::vector<Entry>& entries, std::uint64_t id) {
    const auto found = std::lower_bound(entries.begin(), entries.end(), id,
                                        [](const Entry& e, std::uint64_t i) { return e.id < i; });
    return found != entries.end() && found->id == id ? &*found : nullptr;
  }
  std::string_view text(std::uint64_t index) const {
    return index < texts_.size() ? texts_[static_cast<std::size_t>(index)] : std::string_view{};
  }

  FrameId frame_of(std::string_view line) {
    const Entry* const entry = find(functions_, number(line, 1));
    const std::string_view function = entry == nullptr ? std::string_view{} : entry->message;
    const std::string_view name = text(number(function, 2));
    return imports_.frame(name.empty() ? "(no name)" : name, text(number(function, 4)),
                          static_cast<std::uint32_t>(number(function, 5)),
                          static_cast<std::uint32_t>(number(line, 2)));
  }

  /// The location with this id, its lines read. One without lines was not symbolised.
  const Entry& location(std::uint64_t id) {
    Entry* const known = find(locations_, id);
    Entry& entry = known == nullptr ? unknown_ : *known;
    if (entry.frame_count > 0) return entry;
    entry.first_frame = frames_.size();
    for (const Field& field : fields_of(entry.message, damaged_))
      if (field.number == 4) frames_.push_back(frame_of(field.bytes));
    if (entry.first_frame == frames_.size()) frames_.push_back(imports_.frame("(not resolved)"));
    entry.frame_count = frames_.size() - entry.first_frame;
    return entry;
  }

  void charge(StackTree& stacks, std::string_view sample, std::size_t shown) {
    const std::vector<std::uint64_t> values = numbers(sample, 2);
    if (shown >= values.size() || static_cast<std::int64_t>(values[shown]) < 0) {
      ++negative_;
      return;
    }
    NodeId node = StackTree::root;
    const std::vector<std::uint64_t> path = numbers(sample, 1);
    for (std::size_t i = path.size(); i-- > 0;) {
      const Entry& at = location(path[i]);
      for (std::size_t j = at.frame_count; j-- > 0;)
        node = stacks.child(node, frames_[at.first_frame + j]);
    }
    stacks.charge(node, static_cast<double>(values[shown]));
  }

  Imports& imports_;
  std::vector<std::string_view> types_, samples_, texts_;
  std::vector<Entry> locations_, functions_;
  std::vector<FrameId> frames_;
  Entry unknown_;
  std::uint64_t default_type_ = 0;
  std::size_t negative_ = 0;
  std::size_t damaged_ = 0;  // messages
};

void read_pprof(Run& run, const std::string& path, const std::string& text) {
  Imports imports(run, path);
  Pprof profile(imports);
  read_bytes(run, path, text, [&](ByteCursor& bytes) { profile.read(bytes); });
  profile.add();
}

// The types of the samples' values are among the first fields: messages of two small numbers.
bool recognises_pprof(const Head& head) {
  if (!head.is_binary) return false;
  bool has_type = false;
  try {
    for (ByteCursor from(head.bytes); !from.at_end();) {
      const Field field = take_field(from);
      // 11 is the type of the sampling period, 13 are comments.
      const bool may_be_list = field.number <= 6 || field.number == 11 || field.number == 13;
      if (field.number < 1 || field.number > 15 || (field.has_bytes && !may_be_list)) break;
      if (field.number > 6) continue;
      if (field.number != 1) return has_type && field.has_bytes;
      std::size_t damaged = 0;
      for (const Field& part : fields_of(field.bytes.substr(0, 16), damaged))
        damaged += part.has_bytes || part.number < 1 || part.number > 2 ? 1 : 0;
      if (damaged > 0) return false;
      has_type = true;
    }
  } catch (const ByteCursor::Unexpected&) {
  }
  return false;
}

}  // namespace

const Format pprof_format{pprof_about, recognises_pprof, open_whole<read_pprof>};

}  // namespace crema::read
