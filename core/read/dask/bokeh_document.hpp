#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.hpp"
#include "core/json/nodes.hpp"

namespace crema::read {

/// Finds the first `<script type="application/json">` of an HTML page that comes in pieces.
class HtmlScript {
 public:
  /// Reads the next bytes; `take(std::string_view)` gets those that stand in the script.
  template <class Take>
  void push(std::string_view bytes, const Take& take) {
    while (!bytes.empty() && state_ != State::after) {
      if (const std::string_view inside = step(bytes); !inside.empty()) take(inside);
    }
  }

  bool found() const { return state_ == State::inside || state_ == State::after; }
  std::uint64_t begin() const { return begin_; }  ///< [byte] of the script's text in the page

 private:
  enum class State : std::uint8_t { outside, tag, inside, after };

  // Takes some bytes off the front; returns those of them that stand in the script.
  std::string_view step(std::string_view& bytes);

  State state_ = State::outside;
  std::string seen_;  // of "<script", of the tag's attributes, of "</script"
  std::uint64_t offset_ = 0;
  std::uint64_t begin_ = 0;
};

/// The text with `&lt; &gt; &amp; &quot; &apos; &#x27; &#x60;` replaced, which Bokeh writes for the
/// sake of HTML, and HTCondor in XML.
std::string unescape_html(std::string_view text);

/// An array of numbers that Bokeh stored as bytes: `{"type": "ndarray", "array": {"type": "bytes",
/// "data": base64 of gzip}, "dtype", "order"}` of Bokeh 3, `{"__ndarray__": base64, "dtype",
/// "order"}` of Bokeh 2.
class BokehArray : public json::Object {
 public:
  BokehArray()
      : Object("an array",
               {{"array", bytes_}, {"__ndarray__", data_}, {"dtype", type_}, {"order", order_}}) {}

  /// Its numbers; nothing when the bytes are damaged or of a type unknown here (known: signed,
  /// unsigned and floating numpy types of 1 to 8 bytes in both byte orders).
  std::optional<std::vector<double>> numbers() const;

 private:
  std::string data_;  // as written
  std::string type_;
  std::string order_;
  json::Object bytes_{"bytes", {{"data", data_}}};
};

/// The columns of Bokeh's ColumnDataSources that mean something in Dask's pages. "name" is that of
/// profiles and of the task stream, "time" a text in profiles and a number [ms] in the scheduler's
/// load.
enum class BokehColumn : std::uint8_t {
  bottom,
  width,
  filename,
  line,
  line_number,
  name,
  time,
  start,
  duration,
  key,
  worker,
  thread,
  color,
  cpu,
  memory,
  network_read,
  network_write,
  disk_read,
  disk_write,
  open_files,
  count
};

/// A ColumnDataSource: each column as numbers and as texts (a cell is one of them), and the tab of
/// the report it stands in.
struct BokehSource {
  static constexpr std::size_t columns = static_cast<std::size_t>(BokehColumn::count);

  const std::vector<double>& numbers(BokehColumn c) const {
    return numbers_of[static_cast<std::size_t>(c)];
  }
  const std::vector<StringId>& texts(BokehColumn c) const {
    return texts_of[static_cast<std::size_t>(c)];
  }
  bool has(BokehColumn c) const { return is_there[static_cast<std::size_t>(c)]; }
  bool has_all(std::initializer_list<BokehColumn> wanted) const {
    return std::all_of(wanted.begin(), wanted.end(), [&](BokehColumn c) { return has(c); });
  }
  /// Rows that every wanted column has.
  std::size_t rows(std::initializer_list<BokehColumn> wanted) const {
    std::size_t least = ~std::size_t{0};
    for (const BokehColumn c : wanted) least = std::min(least, numbers(c).size());
    return least;
  }

  std::array<std::vector<double>, columns> numbers_of;
  std::array<std::vector<StringId>, columns> texts_of;
  std::array<bool, columns> is_there{};
  bool unreadable = false;  ///< a column is stored as bytes of an unknown kind
  std::string tab;
};

/// Any value of a Bokeh document, with all below it. `data` of any object may be a source; a text
/// `title` names the tab that the sources in its object stand in, whichever comes first.
class BokehDocument : public json::Node {
 public:
  explicit BokehDocument(StringPool& strings) : strings_(strings) {}

  bool begin_object() override { return open(); }
  bool begin_array() override { return open(); }
  json::Node* member(std::string_view key) override {
    is_title_ = key == "title";
    return key == "data" ? static_cast<json::Node*>(&data_) : this;
  }
  json::Node* element(std::size_t) override {
    is_title_ = false;
    return this;
  }
  bool string(std::string_view text) override {
    if (is_title_) open_.back().title = unescape_html(text);
    return true;
  }
  void end() override { close(); }

  /// The sources of the document; also when it is cut off.
  std::vector<BokehSource>& finish() {
    while (!open_.empty()) close();
    return sources_;
  }

 private:
  struct Open {
    std::size_t first_source;
    std::string title;
  };

  /// One column: a list, or an array that Bokeh stored as bytes.
  struct Column : BokehArray {
    explicit Column(BokehDocument& document) : of(document) {}
    bool begin_object() override { return of.is_known_ && BokehArray::begin_object(); }
    bool begin_array() override;
    json::Node* element(std::size_t) override;
    void end() override;
    BokehDocument& of;
  };

  bool open() {
    open_.push_back({sources_.size(), {}});
    return true;
  }
  void close();
  Column* column(std::string_view name);
  bool keep_cell(double value) {
    source().numbers_of[column_].back() = value;
    return true;
  }
  bool keep_cell(std::string_view text);
  void end_source();
  BokehSource& source() { return sources_.back(); }

  StringPool& strings_;
  std::vector<BokehSource> sources_;
  std::vector<Open> open_;
  bool is_title_ = false;   // the value that begins now is the title of its object
  std::size_t column_ = 0;  // that is being read
  bool is_list_ = false;    // it is a list of values
  bool is_known_ = false;   // its name is that of a column

  json::Value cell_{"a number or a text", [this](double value) { return keep_cell(value); },
                    [this](std::string_view text) { return keep_cell(text); }};
  Column column_node_{*this};
  // Bokeh 3: {"type": "map", "entries": [[name, column], ...]}; Bokeh 2: {name: column}.
  json::Value name_{"the name of a column", {}, [this](std::string_view name) {
                      return column(name) != nullptr;
                    }};
  json::Tuple entry_{"a name and a column", {&name_, &column_node_}};
  json::List entries_{"a list of columns", entry_, [this](std::size_t) { is_known_ = false; }};
  json::Object data_{"the columns of a source",
                     {{"entries", entries_}},
                     [this] { end_source(); },
                     [this](std::string_view name) { return column(name); },
                     [this] { sources_.emplace_back(); }};
};

}  // namespace crema::read
