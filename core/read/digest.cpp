// A digest: labels and answers of a run that is recorded elsewhere (core/write/digest.hpp).
#include <nlohmann/json.hpp>

#include "core/model/digest.hpp"
#include "core/read/readers.hpp"
#include "core/read/whole_file.hpp"

namespace crema::read {

namespace {

using Value = nlohmann::json;

bool recognises_digest(const Head& head) {
  return head.sample.is_object() && head.sample.contains("crema_digest");
}

/// The member `name`, which need not be there: documents are not copied, a season has a thousand.
const Value& member(const Value& object, const char* name) {
  static const Value none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

/// A column as table_json writes it; nothing of it where its values are not those of its type.
void read_column(Table& table, const Value& from) {
  const std::string type = text_of(member(from, "type"));
  const Value& values = member(from, "values");
  if (!values.is_array()) return;
  Column& column = table.add(type == "text"   ? Column::Type::text
                             : type == "flag" ? Column::Type::flag
                                              : Column::Type::number,
                             "");
  column.name = text_of(member(from, "name"));
  column.unit = text_of(member(from, "unit"));
  for (const Value& value : values) {
    if (column.type == Column::Type::text)
      column.texts.push_back(value.is_string()
                                 ? table.strings.intern(value.get_ref<const std::string&>())
                                 : no_string);
    else if (value.is_boolean()) column.numbers.push_back(value.get<bool>() ? 1 : 0);
    else column.numbers.push_back(value.is_number() ? value.get<double>() : absent);
  }
}

/// A Table of columns of one length; without any where they are not.
Table read_table(const Value& from) {
  Table table;
  table.question = text_of(member(from, "question"));
  const Value& columns = member(from, "columns");
  if (columns.is_array()) {
    for (const Value& column : columns) {
      if (column.is_object()) read_column(table, column);
    }
  }
  const std::size_t rows = table.rows();
  for (const Column& column : table.columns) {
    if (column.numbers.size() + column.texts.size() != rows) return {};
  }
  const Value& notes = member(from, "notes");
  if (notes.is_object()) {
    for (const auto& [name, value] : notes.items()) {
      if (value.is_number()) table.note(name.c_str(), value.get<double>());
      else if (value.is_string()) table.note(name.c_str(), value.get_ref<const std::string&>());
    }
  }
  return table;
}

void read_digest(Run& run, const std::string& path, const std::string& text) {
  const Value document = parse_small(run, path, text);
  if (!document.is_object()) return;
  const double version = number_or_absent(document, "crema_digest");
  if (!(version <= digest_version)) {
    run.add_note("newer", Severity::high,
                 "it is a digest of version " + text_of(document["crema_digest"]) +
                     ", and this Crema reads versions up to " + std::to_string(digest_version) +
                     ": a newer one reads it",
                 path, "crema_digest");
  }
  run.recorded_at = text_of(member(document, "recorded_at"));
  run.clock.zero_epoch = number_or_absent(document, "started_at");
  run.clock.zero_naive = number_or_absent(document, "started_naive");
  run.elapsed = amount_or_absent(run, path, document, "elapsed");
  run.elapsed_source = path;
  const Value& labels = member(document, "labels");
  if (labels.is_object()) {
    for (const auto& [name, value] : labels.items()) run.labels[name] = text_of(value);
  }
  run.labels.try_emplace("title", text_of(member(document, "title")));
  const Value& answers = member(document, "answers");
  if (!answers.is_array()) return note_wrong_type(run, path, "answers", "a list of answers");
  for (const Value& answer : answers) {
    Table table = answer.is_object() ? read_table(answer) : Table();
    if (table.columns.empty()) note_wrong_type(run, path, "answers", "an answer of equal columns");
    else run.kept.push_back(std::move(table));
  }
}

}  // namespace

const Format digest_format = {"digest",          "digest of a run",       true, true,
                              recognises_digest, open_whole<read_digest>, true};

}  // namespace crema::read
