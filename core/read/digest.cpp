// A digest: labels and answers of a run that is recorded elsewhere (core/export/digest.hpp). A
// season has a thousand of them: each is read straight into Tables.
#include <cmath>
#include <map>
#include <memory>

#include "core/base/text.hpp"
#include "core/json/nodes.hpp"
#include "core/model/digest.hpp"
#include "core/read/json_reader.hpp"
#include "core/read/readers.hpp"
#include "core/read/whole_file.hpp"

namespace crema::read {

namespace {

using json::Node;
using json::NumberInto;
using json::TextInto;

bool recognises_digest(const Head& head) {
  // As they are written: of a thousand files none is read twice to be recognised.
  if (head.bytes.starts_with("{\"crema_digest\"")) return true;
  return head.sample().is_object() && holds(head.sample(), "crema_digest");
}

/// The values of a column, whichever type it will turn out to be of.
class Values : public Node {
 public:
  Table* table = nullptr;
  std::vector<double> numbers;
  std::vector<StringId> texts;

  bool begin_array() override {
    numbers.clear();
    texts.clear();
    return true;
  }
  Node* element(std::size_t) override { return &value_; }
  std::string_view expects() const override { return "a list of values"; }

 private:
  class Value : public Node {
   public:
    explicit Value(Values& all) : all_(all) {}
    void null() override { put(absent, no_string); }
    bool boolean(bool value) override { return put(value ? 1 : 0, no_string); }
    bool number(double value) override { return put(value, no_string); }
    bool string(std::string_view value) override {
      return put(absent, all_.table->strings.intern(value));
    }

   private:
    bool put(double number, StringId text) {
      all_.numbers.push_back(number);
      all_.texts.push_back(text);
      return true;
    }
    Values& all_;
  };
  Value value_{*this};
};

/// The columns of a Table, as table_json writes them.
class Columns : public Node {
 public:
  Table table;

  void begin() {
    table = {};
    values_.table = &table;
  }
  bool begin_array() override { return true; }
  Node* element(std::size_t) override { return &column_; }
  std::string_view expects() const override { return "a list of columns"; }

 private:
  class OneColumn : public Node {
   public:
    explicit OneColumn(Columns& all) : all_(all) {}
    bool begin_object() override {
      for (std::string* text : {&name_, &type_, &unit_}) text->clear();
      has_values_ = false;
      return true;
    }
    Node* member(std::string_view name) override {
      if (name == "name") return &text_.at(&name_);
      if (name == "type") return &text_.at(&type_);
      if (name == "unit") return &text_.at(&unit_);
      if (name != "values") return nullptr;
      has_values_ = true;
      return &all_.values_;
    }
    void end() override {
      if (!has_values_) return;
      const bool is_text = type_ == "text";
      Column& column = all_.table.add(is_text           ? Column::Type::text
                                      : type_ == "flag" ? Column::Type::flag
                                                        : Column::Type::number,
                                      "");
      column.name = name_;
      column.unit = unit_;
      if (is_text) column.texts = all_.values_.texts;
      else column.numbers = all_.values_.numbers;
    }

   private:
    Columns& all_;
    TextInto text_;
    std::string name_, type_, unit_;
    bool has_values_ = false;
  };
  Values values_;
  OneColumn column_{*this};
};

/// Numbers and texts by name, as notes of a Table.
class Notes : public Node {
 public:
  explicit Notes(Table& table) : table_(table) {}
  bool begin_object() override { return true; }
  Node* member(std::string_view name) override {
    name_ = name;
    return this;
  }
  bool number(double value) override {
    table_.note(name_.c_str(), value);
    return true;
  }
  std::string_view expects() const override { return "numbers and texts by name"; }
  bool string(std::string_view value) override {
    table_.note(name_.c_str(), std::string(value));
    return true;
  }

 private:
  Table& table_;
  std::string name_;
};

/// Texts by name.
class Labels : public Node {
 public:
  explicit Labels(std::map<std::string, std::string>& labels) : labels_(labels) {}
  bool begin_object() override { return true; }
  Node* member(std::string_view name) override { return &text_.at(&labels_[std::string(name)]); }
  std::string_view expects() const override { return "texts by name"; }

 private:
  std::map<std::string, std::string>& labels_;
  TextInto text_;
};

class Answers : public Node {
 public:
  Answers(Run& run, const std::string& path) : run_(run), path_(path) {}
  bool begin_array() override { return true; }
  Node* element(std::size_t) override { return &answer_; }
  std::string_view expects() const override { return "a list of answers"; }

 private:
  class Answer : public Node {
   public:
    explicit Answer(Answers& all) : all_(all) {}
    bool begin_object() override {
      columns_.begin();
      return true;
    }
    Node* member(std::string_view name) override {
      if (name == "question") return &question_.at(&columns_.table.question);
      if (name == "columns") return &columns_;
      return name == "notes" ? &notes_ : nullptr;
    }
    void end() override { all_.keep(columns_.table); }

   private:
    Answers& all_;
    Columns columns_;
    TextInto question_;
    Notes notes_{columns_.table};
  };

  void keep(Table& table) {
    const std::size_t rows = table.rows();
    bool is_whole = !table.columns.empty();
    for (const Column& column : table.columns)
      is_whole = is_whole && column.numbers.size() + column.texts.size() == rows;
    if (is_whole) run_.kept.push_back(std::move(table));
    else note_wrong_type(run_, path_, "answers", "an answer of equal columns");
  }

  Run& run_;
  const std::string& path_;
  Answer answer_{*this};
};

class Root : public Node {
 public:
  Root(Run& run, std::string path)
      : path_(std::move(path)),
        version_(&version),
        started_at_(&run.clock.zero_epoch),
        started_naive_(&run.clock.zero_naive),
        elapsed_(&run.elapsed),
        title_(&title),
        recorded_at_(&run.recorded_at),
        labels_(run.labels),
        answers_(run, path_) {}

  double version = absent;
  std::string title;

  bool begin_object() override { return true; }
  Node* member(std::string_view name) override {
    if (name == "crema_digest") return &version_;
    if (name == "title") return &title_;
    if (name == "recorded_at") return &recorded_at_;
    if (name == "started_at") return &started_at_;
    if (name == "started_naive") return &started_naive_;
    if (name == "elapsed") return &elapsed_;
    if (name == "labels") return &labels_;
    return name == "answers" ? &answers_ : nullptr;
  }

 private:
  std::string path_;
  NumberInto version_, started_at_, started_naive_, elapsed_;
  TextInto title_, recorded_at_;
  Labels labels_;
  Answers answers_;
};

class DigestReader : public JsonReader {
 public:
  DigestReader(Run& run, const std::string& path)
      : JsonReader(run, path, std::make_unique<Root>(run, path)) {}

  void finished() override {
    const Root& root = static_cast<const Root&>(this->root());
    if (!(root.version <= digest_version))
      run().add_note("newer", Severity::high,
                     "it is a digest of version " + number_text(root.version) +
                         ", and this Crema reads versions up to " + std::to_string(digest_version) +
                         ": a newer one reads it",
                     path(), "crema_digest");
    if (run().elapsed < 0) {
      run().elapsed = absent;
      note_wrong_type(run(), path(), "elapsed", "a number, 0 or more");
    }
    keep_date(run().clock.zero_epoch, "started_at");
    keep_date(run().clock.zero_naive, "started_naive");
    run().elapsed_source = path();
    run().labels.try_emplace("title", root.title);
  }

 private:
  /// A number of seconds that is no date of a calendar could be anything.
  void keep_date(double& seconds, const char* name) {
    constexpr double year_10000 = 253402300800;  // since 1970
    if (is_absent(seconds) || std::fabs(seconds) < year_10000) return;
    seconds = absent;
    note_wrong_type(run(), path(), name, "seconds since 1970");
  }
};

}  // namespace

const Format digest_format = {"digest",          "digest of a run",         true, true,
                              recognises_digest, open_reader<DigestReader>, true};

}  // namespace crema::read
