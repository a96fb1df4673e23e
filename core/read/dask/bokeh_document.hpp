#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
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

/// A ColumnDataSource: those of its columns that mean something in Dask's pages, by name, and the
/// tab of the report it stands in. "name" is that of profiles and of the task stream, "time" a text
/// in profiles and a number [ms] in the scheduler's load.
struct BokehSource {
  /// As numbers and as texts: a cell is one of them.
  struct Column {
    std::vector<double> numbers;
    std::vector<StringId> texts;
  };
  using Names = std::initializer_list<std::string_view>;

  bool has(std::string_view name) const { return columns.contains(name); }
  bool has_all(Names wanted) const {
    return std::all_of(wanted.begin(), wanted.end(), [&](auto name) { return has(name); });
  }
  /// Empty where there is no such column.
  const std::vector<double>& numbers(std::string_view name) const { return column(name).numbers; }
  const std::vector<StringId>& texts(std::string_view name) const { return column(name).texts; }
  /// Rows that every wanted column has.
  std::size_t rows(Names wanted) const {
    std::size_t least = ~std::size_t{0};
    for (const std::string_view name : wanted) least = std::min(least, numbers(name).size());
    return least;
  }

  std::map<std::string, Column, std::less<>> columns;
  bool unreadable = false;  ///< a column is stored as bytes of an unknown kind
  std::string tab;

 private:
  const Column& column(std::string_view name) const {
    static const Column none;
    const auto found = columns.find(name);
    return found == columns.end() ? none : found->second;
  }
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
    bool begin_object() override { return !of.name_.empty() && BokehArray::begin_object(); }
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
  json::Node* column(std::string_view name);
  void keep_cell(std::string_view text);
  void end_source();
  BokehSource& source() { return sources_.back(); }

  StringPool& strings_;
  std::vector<BokehSource> sources_;
  std::vector<Open> open_;
  bool is_title_ = false;  // the value that begins now is the title of its object
  std::string name_;       // of the column that is being read; empty: it means nothing here
  BokehSource::Column* column_ = nullptr;  // where it is a list of values

  json::Value cell_{"a number or a text", [this](double value) { column_->numbers.back() = value; },
                    [this](std::string_view text) { keep_cell(text); }};
  Column column_node_{*this};
  // Bokeh 3: {"type": "map", "entries": [[name, column], ...]}; Bokeh 2: {name: column}.
  json::Value name_node_{"the name of a column", {}, [this](std::string_view name) {
                           return column(name) != nullptr;
                         }};
  json::Tuple entry_{"a name and a column", {&name_node_, &column_node_}};
  json::List entries_{"a list of columns", entry_, [this](std::size_t) { name_.clear(); }};
  json::Object data_{"the columns of a source",
                     {{"entries", entries_}},
                     [this] { end_source(); },
                     [this](std::string_view name) { return column(name); },
                     [this] { sources_.emplace_back(); }};
};

}  // namespace crema::read
