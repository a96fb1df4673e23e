// How fast a host serves a chunk when it serves several: `host_load`.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/table/rows.hpp"

namespace crema::query::host_load {

namespace {

struct Level {
  std::string_view host;
  double load;
  std::vector<double> rates;  // [byte/s] of its chunks, ascending
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const ChunkSelection chosen(run, selection);
  const ChunkGroups& hosts = chunk_groups(run, ChunkKey::host);
  const std::vector<double>& loads = host_loads(run);
  const std::vector<double> rates = chunk_column(run, "bytes_per_second");
  std::vector<Level> levels;
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    std::map<double, std::vector<double>> by_load;
    for (const std::uint32_t i : hosts.members(host)) {
      if (chosen[i] && !is_absent(loads[i]) && !is_absent(rates[i]))
        by_load[std::round(loads[i])].push_back(rates[i]);
    }
    for (auto& [load, list] : by_load) {
      std::sort(list.begin(), list.end());
      levels.push_back({hosts.name[host], load, std::move(list)});
    }
  }
  Table table;
  Rows rows(table, levels);
  const auto at = [](double fraction) {
    return [fraction](const Level& level) { return quantile(level.rates, fraction); };
  };
  rows.text("host", &Level::host);
  rows.number("chunks_open", "count", &Level::load, "the chunks' host_load, rounded");
  rows.number("chunks", "count", [](const Level& level) { return level.rates.size(); });
  rows.number("p25", "byte/s", at(0.25), "of the chunks' bytes_read / duration");
  rows.number("p50", "byte/s", at(0.5));
  rows.number("p75", "byte/s", at(0.75));
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "host_load",
    .about = "the read rate of a chunk by how many chunks its host served at the same time",
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::host_load
