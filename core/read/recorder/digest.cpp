// A digest: labels and answers of a run that is recorded elsewhere (core/export/tables.cpp). A
// history has a thousand of them: each is read straight into Tables.
#include <cmath>

#include "core/base/text.hpp"
#include "core/model/run.hpp"
#include "core/read/list.hpp"

namespace crema::read {

namespace {

bool recognises_digest(const Head& head) {
  // As they are written: of a thousand files none is read twice to be recognised.
  return head.bytes.starts_with("{\"crema_digest\"") || holds(head.sample(), "crema_digest");
}

/// The cells of an answer that a digest keeps: columns have the names that they were written with.
struct KeptCells {
  const Table& kept;

  double number(const char* name, std::size_t row) const {
    const Column* const column = kept.find(name);
    return column == nullptr || column->numbers.empty() ? absent : column->numbers[row];
  }
  std::string text(const char* name, std::size_t row) const {
    const Column* const column = kept.find(name);
    return column == nullptr || column->texts.empty()
               ? std::string()
               : std::string(kept.strings[column->texts[row]]);
  }
};

/// Takes what a history needs out of an answer.
void take_figures(const Table& kept, RunFigures& figures) {
  constexpr std::string_view process = "available/inside_process";
  const KeptCells cells{kept};
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    const auto text = [&](const char* name) { return cells.text(name, i); };
    const auto number = [&](const char* name) { return cells.number(name, i); };
    if (kept.question == "summary")
      figures.numbers.push_back(
          {text("id"), text("label"), text("unit"), text("better"), number("value")});
    else if (kept.question == "datasets")
      figures.datasets.push_back({text("name"), number("seconds"), number("events")});
    else if (kept.question == "sections")
      figures.sections.push_back({text("name"), number("seconds")});
    else if (kept.question == "findings") figures.findings.push_back({text("id"), text("title")});
    else if (kept.question == "core_time_tree" && text("parent") == process &&
             text("kind") != "others")
      figures.functions[text("label")] += number("core_seconds");
  }
}

/// A digest, whose answers become Tables.
class Digest : public JsonDocument {
 public:
  using JsonDocument::JsonDocument;
  json::Node& root() override { return root_; }

  void ended() override {
    if (!(version_ <= digest_version))
      run_.add_note("newer", Severity::high,
                    "it is a digest of version " + number_text(version_) +
                        ", and this Crema reads versions up to " + std::to_string(digest_version) +
                        ": a newer one reads it",
                    path_, "crema_digest");
    if (run_.elapsed < 0) {
      run_.elapsed = absent;
      note_wrong_type(run_, path_, "elapsed", "a number, 0 or more");
    }
    keep_date(run_.clock.zero_epoch, "started_at");
    keep_date(run_.clock.zero_naive, "started_naive");
    run_.elapsed_source = path_;
    run_.labels.try_emplace("title", title_);
  }

 private:
  /// The values of a column, whichever type it will turn out to be of.
  struct Cell : json::Value {
    explicit Cell(Digest& digest)
        : Value(
              "a value", [&](double number) { return digest.add_cell(number, no_string); },
              [&](std::string_view text) {
                return digest.add_cell(absent, digest.table_.strings.intern(text));
              }) {}
    void null() override { number(absent); }
    bool boolean(bool value) override { return number(value ? 1 : 0); }
  };
  void add_cell(double number, StringId text) {
    numbers_.push_back(number);
    texts_.push_back(text);
  }

  void keep_column() {
    if (!has_values_) return;
    const bool is_text = type_ == "text";
    Column& column = table_.add(is_text           ? Column::Type::text
                                : type_ == "flag" ? Column::Type::flag
                                                  : Column::Type::number,
                                "");
    column.name = name_;
    column.unit = unit_;
    if (is_text) column.texts = texts_;
    else column.numbers = numbers_;
  }

  void keep_answer() {
    table_.question = question_;
    const std::size_t rows = table_.rows();
    bool is_whole = !table_.columns.empty();
    for (const Column& column : table_.columns)
      is_whole = is_whole && column.numbers.size() + column.texts.size() == rows;
    const bool is_first =
        none_of(run_.kept, [&](const auto& kept) { return kept->question == question_; });
    if (is_whole && is_first) take_figures(table_, run_.figures);
    if (is_whole) run_.kept.push_back(std::make_shared<const Table>(std::move(table_)));
    else note_wrong_type(run_, path_, "answers", "an answer of equal columns");
  }

  /// A number of seconds that is no date of a calendar could be anything.
  void keep_date(double& seconds, const char* name) {
    constexpr double year_10000 = 253402300800;  // since 1970
    if (is_absent(seconds) || std::fabs(seconds) < year_10000) return;
    seconds = absent;
    note_wrong_type(run_, path_, name, "seconds since 1970");
  }

  double version_ = absent;
  std::string title_;
  Table table_;  // the answer being read
  std::string question_, name_, type_, unit_, note_name_;
  bool has_values_ = false;
  std::vector<double> numbers_;
  std::vector<StringId> texts_;

  Cell cell_{*this};
  json::List cells_{"a list of values", cell_, {}, [this] {
                      numbers_.clear();
                      texts_.clear();
                      has_values_ = true;
                    }};
  json::Object column_{"a column",
                       {{"name", name_}, {"type", type_}, {"unit", unit_}, {"values", cells_}},
                       [this] { keep_column(); }};
  json::List columns_{"a list of columns", column_, [this](std::size_t) { has_values_ = false; }};
  json::Value note_{
      "a number or a text", [this](double value) { table_.note(note_name_.c_str(), value); },
      [this](std::string_view value) { table_.note(note_name_.c_str(), std::string(value)); }};
  json::Map notes_{"numbers and texts by name", [this](std::string_view name) {
                     note_name_ = name;
                     return &note_;
                   }};
  json::Object answer_{"an answer",
                       {{"question", question_}, {"columns", columns_}, {"notes", notes_}},
                       [this] { keep_answer(); }};
  json::List answers_{"a list of answers", answer_, [this](std::size_t) { table_ = {}; }};
  json::TextInto label_;
  json::Map labels_{"texts by name", [this](std::string_view name) {
                      return &label_.at(&run_.labels[std::string(name)]);
                    }};
  json::Object root_{"an object",
                     {{"crema_digest", version_},
                      {"title", title_},
                      {"recorded_at", run_.recorded_at},
                      {"started_at", run_.clock.zero_epoch},
                      {"started_naive", run_.clock.zero_naive},
                      {"elapsed", run_.elapsed},
                      {"labels", labels_},
                      {"answers", answers_}}};
};

}  // namespace

const Format digest_format{digest_about, recognises_digest, open_reader<Digest>, true};

}  // namespace crema::read
