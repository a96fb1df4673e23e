// A run whose recording goes on is made anew of its own rows and those of new parts: none is held
// twice, and none is read again.
#include <algorithm>
#include <utility>

#include "core/align/align.hpp"
#include "core/session/opening.hpp"

namespace crema {

namespace {

std::vector<std::size_t> row_counts(const RecordedTables& tables) {
  std::vector<std::size_t> counts;
  RecordedTables::each_table(tables,
                             [&](const RecordedRows& table) { counts.push_back(table.size()); });
  return counts;
}

/// Calls `visit` with each column that `align::settle` puts on the run axis.
template <class Visit>
void each_moment(RecordedTables& tables, const Visit& visit) {
  RecordedTables::each_table(tables, [&](RecordedRows& table) {
    for (std::size_t i = 0; i < table.declared().size(); ++i) {
      if (table.declared()[i].kind == RecordedColumn::Kind::moment) visit(table.columns()[i]);
    }
  });
}

}  // namespace

bool is_part(const OpeningFile& file) {
  return file.format != nullptr && file.format->id == "recorded_tasks";
}

void join_part(NewRun& run, OpeningFile&& part) {
  RecordedTables rows = std::exchange(part.run->recording, {});
  Run whole(*part.run);
  whole.recording = std::move(rows);
  align::join(*run.run, std::move(whole));
  if (!part.is_reused) part.rows_until = row_counts(run.run->recording);
  run.kept.push_back(std::move(part));
}

Reused::Reused(const Opening& opening) {
  for (const OpeningFile& file : opening.files) {
    if (!file.is_reused) continue;
    ++parts;
    rows = file.rows_until;
  }
}

void take_rows(const Reused& reused, NewRun& old, NewRun& into) {
  RecordedTables rows = std::move(old.run->recording);
  std::size_t column = 0, table = 0;
  each_moment(rows, [&](std::vector<double>& times) { times = std::move(old.moments[column++]); });
  RecordedTables::each_table(rows, [&](RecordedRows& of) { of.resize(reused.rows[table++]); });
  for (auto& [key, values] : rows.other) values.resize(std::min(values.size(), rows.tasks.size()));
  rows.chunk.clear();
  rows.key.resize(std::min(rows.key.size(), rows.tasks.size()));
  rows.index = {};
  rows.append(std::move(into.run->recording));
  into.run->recording = std::move(rows);
  for (OpeningFile& part : into.kept) {
    for (std::size_t i = 0; i < part.rows_until.size() && !part.is_reused; ++i)
      part.rows_until[i] += reused.rows[i];
    part.is_reused = false;
  }
}

void keep_moments(NewRun& run) {
  each_moment(run.run->recording,
              [&](const std::vector<double>& times) { run.moments.push_back(times); });
}

}  // namespace crema
