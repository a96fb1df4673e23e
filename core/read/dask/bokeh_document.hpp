#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "core/base/string_pool.hpp"
#include "core/json/nodes.hpp"

namespace crema::read {

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
  bool has_all(std::initializer_list<BokehColumn> wanted) const;
  /// Rows that every wanted column has.
  std::size_t rows(std::initializer_list<BokehColumn> wanted) const;

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
  json::Node* member(std::string_view member_key) override;
  json::Node* element(std::size_t) override { return this; }
  bool boolean(bool) override { return true; }
  bool number(double) override { return true; }
  bool string(std::string_view) override { return true; }
  void end() override { close(); }

  /// The sources of the document; also when it is cut off.
  std::vector<BokehSource>& finish();

 private:
  struct Open {
    std::size_t first_source;
    std::string title;
  };

  bool open();
  void close();

  /// `title`: a text, or an object like any other.
  class TitleNode : public json::Node {
   public:
    explicit TitleNode(BokehDocument& owner) : owner_(owner) {}
    bool begin_object() override { return owner_.open(); }
    bool begin_array() override { return owner_.open(); }
    json::Node* member(std::string_view member_key) override { return owner_.member(member_key); }
    json::Node* element(std::size_t) override { return &owner_; }
    void end() override { owner_.close(); }
    bool string(std::string_view text) override;
    bool boolean(bool) override { return true; }
    bool number(double) override { return true; }

   private:
    BokehDocument& owner_;
  };

  /// One column: a list, or an array that Bokeh stored as bytes.
  class ColumnNode : public json::Node {
   public:
    explicit ColumnNode(BokehDocument& owner) : cell_(owner) {}
    json::Node* of(std::string_view column_name);
    bool begin_array() override;
    bool begin_object() override { return array_.begin_object(); }
    json::Node* member(std::string_view member_key) override { return array_.member(member_key); }
    json::Node* element(std::size_t) override;
    void end() override;
    std::string_view expects() const override { return "a column"; }

   private:
    struct Cell : json::Node {
      explicit Cell(BokehDocument& document) : owner(document) {}
      bool number(double value) override;
      bool string(std::string_view text) override;
      bool boolean(bool) override { return true; }
      bool begin_array() override { return true; }
      bool begin_object() override { return true; }
      BokehDocument& owner;
      std::size_t column = 0;
    };

    BokehSource& source() { return cell_.owner.sources_.back(); }
    Cell cell_;
    BokehArray array_;
    bool is_list_ = false;
  };

  /// `data`: {"type": "map", "entries": [[name, column], ...]} of Bokeh 3, {name: column} of Bokeh
  /// 2, or something else.
  class DataNode : public json::Node {
   public:
    explicit DataNode(BokehDocument& owner) : owner_(owner), entry_(owner) {}
    bool begin_object() override;
    json::Node* member(std::string_view member_key) override;
    void end() override;
    bool boolean(bool) override { return true; }
    bool number(double) override { return true; }
    bool string(std::string_view) override { return true; }

   private:
    struct Entry : json::Node {
      explicit Entry(BokehDocument& owner) : column(owner) {}
      bool begin_array() override;
      json::Node* element(std::size_t index) override;
      std::string name;
      json::TextInto text;
      ColumnNode column;
    };
    struct Entries : json::Node {
      explicit Entries(Entry& one) : entry(one) {}
      bool begin_array() override { return true; }
      json::Node* element(std::size_t) override { return &entry; }
      Entry& entry;
    };

    BokehDocument& owner_;
    Entry entry_;
    Entries entries_{entry_};
  };

  StringPool& strings_;
  std::vector<BokehSource> sources_;
  std::vector<Open> open_;
  TitleNode title_{*this};
  DataNode data_{*this};
};

}  // namespace crema::read
