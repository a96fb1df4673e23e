#include "native/arrow.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/text.hpp"

namespace crema::arrow {

namespace {

using Type = Column::Type;

/// Numbers of bits, the first lowest in the first byte.
class Bits {
 public:
  explicit Bits(std::size_t count) : bytes_((count + 7) / 8) {}
  void set(std::size_t at) {
    bytes_[at / 8] = static_cast<std::uint8_t>(bytes_[at / 8] | 1U << (at % 8));
  }
  const std::uint8_t* data() const { return bytes_.data(); }

 private:
  std::vector<std::uint8_t> bytes_;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Key and value pairs as metadata has them: numbers of 32 bits in the machine's order, each text
/// behind its length. Empty for none.
std::string encoded(const Pairs& pairs) {
  std::string bytes;
  const auto add = [&](std::size_t number) {
    const auto length = static_cast<std::int32_t>(number);
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  };
  if (pairs.empty()) return bytes;
  add(pairs.size());
  for (const auto& [key, value] : pairs) {
    for (const std::string& text : {key, value}) {
      add(text.size());
      bytes += text;
    }
  }
  return bytes;
}

/// What a schema points to. Its children can be moved out, which clears their release.
struct SchemaContent {
  std::string format, name, metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> places;
};

/// What an array points to.
struct ArrayContent {
  std::shared_ptr<const Table> table;
  std::vector<std::int64_t> offsets, whole;
  std::vector<Bits> bits;
  std::string characters;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> places;
};

template <class Struct, class Content>
void release(Struct* given) {
  const auto* content = static_cast<Content*>(given->private_data);
  for (Struct* child : content->places) {
    if (child->release != nullptr) child->release(child);
  }
  delete content;
  given->release = nullptr;
}

template <class Struct, class Content>
void publish(std::unique_ptr<Content> content, Struct& out) {
  for (Struct& child : content->children) content->places.push_back(&child);
  out.n_children = static_cast<std::int64_t>(content->places.size());
  out.children = content->places.empty() ? nullptr : content->places.data();
  out.dictionary = nullptr;
  out.release = release<Struct, Content>;
  out.private_data = content.release();
}

constexpr std::int64_t nullable = 2;

void export_field(std::string format, std::string name, const Pairs& metadata,
                  std::vector<ArrowSchema> children, ArrowSchema& out) {
  auto content = std::make_unique<SchemaContent>();
  content->format = std::move(format);
  content->name = std::move(name);
  content->metadata = encoded(metadata);
  content->children = std::move(children);
  out.format = content->format.c_str();
  out.name = content->name.c_str();
  out.metadata = content->metadata.empty() ? nullptr : content->metadata.data();
  out.flags = nullable;
  publish(std::move(content), out);
}

std::string_view format_of(const Column& column) {
  if (column.type == Type::text) return "U";
  if (column.type == Type::flag) return "b";
  return is_whole(column) ? "l" : "g";
}

void export_column_schema(const Column& column, ArrowSchema& out) {
  Pairs metadata;
  if (!column.unit.empty()) metadata.emplace_back("unit", column.unit);
  if (!column.formula.empty()) metadata.emplace_back("formula", column.formula);
  const std::string format(format_of(column));
  if (!column.is_matrix) return export_field(format, column.name, metadata, {}, out);
  std::vector<ArrowSchema> item(1);
  export_field(format, "item", {}, {}, item[0]);
  export_field("+w:" + std::to_string(column.width), column.name, metadata, std::move(item), out);
}

void publish_array(std::unique_ptr<ArrayContent> content, std::size_t length, std::size_t missing,
                   ArrowArray& out) {
  out.length = static_cast<std::int64_t>(length);
  out.null_count = static_cast<std::int64_t>(missing);
  out.offset = 0;
  out.n_buffers = static_cast<std::int64_t>(content->buffers.size());
  out.buffers = content->buffers.data();
  publish(std::move(content), out);
}

/// Which of `count` values are there, as the first buffer, where any is not; returns how many are
/// missing.
template <class IsMissing>
std::size_t add_validity(ArrayContent& content, std::size_t count, const IsMissing& is_missing) {
  std::size_t missing = 0;
  for (std::size_t i = 0; i < count; ++i) missing += is_missing(i) ? 1 : 0;
  if (missing == 0) {
    content.buffers.push_back(nullptr);
    return 0;
  }
  Bits there(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_missing(i)) there.set(i);
  }
  content.bits.push_back(std::move(there));
  content.buffers.push_back(content.bits.back().data());
  return missing;
}

/// The cells of a column, of a matrix one after the other.
void export_cells(const std::shared_ptr<const Table>& table, const Column& column,
                  ArrowArray& out) {
  auto content = std::make_unique<ArrayContent>();
  content->table = table;
  if (column.type == Type::text) {
    const auto& texts = column.texts;
    const std::size_t missing =
        add_validity(*content, texts.size(), [&](std::size_t i) { return texts[i] == no_string; });
    auto& offsets = content->offsets;
    offsets.reserve(texts.size() + 1);
    std::int64_t end = 0;
    offsets.push_back(end);
    for (const StringId text : texts)
      offsets.push_back(end += static_cast<std::int64_t>(table->strings[text].size()));
    content->characters.reserve(static_cast<std::size_t>(end));
    for (const StringId text : texts) content->characters += table->strings[text];
    content->buffers.insert(content->buffers.end(), {offsets.data(), content->characters.data()});
    return publish_array(std::move(content), texts.size(), missing, out);
  }
  const auto& numbers = column.numbers;
  const std::size_t missing =
      add_validity(*content, numbers.size(), [&](std::size_t i) { return is_absent(numbers[i]); });
  if (column.type == Type::flag) {
    Bits values(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] == 1) values.set(i);
    }
    content->bits.push_back(std::move(values));
    content->buffers.push_back(content->bits.back().data());
  } else if (is_whole(column)) {
    for (const double number : numbers)
      content->whole.push_back(is_absent(number) ? 0 : static_cast<std::int64_t>(number));
    content->buffers.push_back(content->whole.data());
  } else {
    content->buffers.push_back(numbers.data());
  }
  publish_array(std::move(content), numbers.size(), missing, out);
}

void export_column(const std::shared_ptr<const Table>& table, const Column& column,
                   ArrowArray& out) {
  if (!column.is_matrix) return export_cells(table, column, out);
  auto content = std::make_unique<ArrayContent>();
  content->buffers.push_back(nullptr);
  content->children.resize(1);
  export_cells(table, column, content->children[0]);
  publish_array(std::move(content), table->rows(), 0, out);
}

void export_rows(const std::shared_ptr<const Table>& table, ArrowArray& out) {
  auto content = std::make_unique<ArrayContent>();
  content->buffers.push_back(nullptr);
  content->children.resize(table->columns.size());
  for (std::size_t i = 0; i < table->columns.size(); ++i)
    export_column(table, table->columns[i], content->children[i]);
  publish_array(std::move(content), table->rows(), 0, out);
}

struct StreamContent {
  std::shared_ptr<const Table> table;
  bool is_given = false;
};

StreamContent& content_of(ArrowArrayStream* stream) {
  return *static_cast<StreamContent*>(stream->private_data);
}

/// No exception may cross into C.
template <class Body>
int guarded(const Body& body) {
  try {
    body();
    return 0;
  } catch (const std::exception&) {
    return ENOMEM;  // nothing else can be thrown
  }
}

}  // namespace

bool is_whole(const Column& column) {
  constexpr double most = 9007199254740992;  // 2^53: beyond, a double is no count any more
  return column.type == Type::number && column.unit == "count" &&
         std::all_of(column.numbers.begin(), column.numbers.end(), [](double number) {
           return is_absent(number) || (std::fabs(number) <= most && number == std::trunc(number));
         });
}

void export_schema(const Table& table, ArrowSchema& out) {
  std::vector<ArrowSchema> fields(table.columns.size());
  for (std::size_t i = 0; i < fields.size(); ++i) export_column_schema(table.columns[i], fields[i]);
  Pairs metadata = {{"question", table.question}};
  for (const Note& note : table.notes) {
    const auto* text = std::get_if<std::string>(&note.value);
    metadata.emplace_back(note.name,
                          text != nullptr ? *text : number_text(std::get<double>(note.value)));
  }
  export_field("+s", "", metadata, std::move(fields), out);
  out.flags = 0;
}

void export_stream(std::shared_ptr<const Table> table, ArrowArrayStream& out) {
  out.get_schema = [](ArrowArrayStream* stream, ArrowSchema* schema) {
    return guarded([&] { export_schema(*content_of(stream).table, *schema); });
  };
  out.get_next = [](ArrowArrayStream* stream, ArrowArray* rows) {
    return guarded([&] {
      StreamContent& content = content_of(stream);
      rows->release = nullptr;  // the end of the stream
      if (!std::exchange(content.is_given, true)) export_rows(content.table, *rows);
    });
  };
  out.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  out.release = [](ArrowArrayStream* stream) {
    delete &content_of(stream);
    stream->release = nullptr;
  };
  out.private_data = new StreamContent{std::move(table)};
}

}  // namespace crema::arrow
