#include <cmath>
#include <unordered_map>

#include "core/runtime/chunks.hpp"

namespace crema::runtime {

namespace {

using BranchField = recorded_columns::Branch;

struct Summed {
  BranchField column;
  double BranchReads::*into;
};
constexpr Summed summed[] = {{BranchField::baskets, &BranchReads::baskets},
                             {BranchField::compressed, &BranchReads::compressed},
                             {BranchField::uncompressed, &BranchReads::uncompressed},
                             {BranchField::outside, &BranchReads::outside},
                             {BranchField::requests, &BranchReads::requests},
                             {BranchField::requested, &BranchReads::requested},
                             {BranchField::wait, &BranchReads::wait},
                             {BranchField::cpu, &BranchReads::cpu}};

/// The chunk that read it; `no_row` where it is not known.
std::uint32_t chunk_of(const Run& run, std::size_t row) {
  const std::uint32_t task = run.recording.branches.row(BranchField::task, row);
  return task < run.recording.chunk.size() ? run.recording.chunk[task] : no_row;
}

}  // namespace

std::vector<BranchReads> branch_reads(const Run& run, const ChunkSelection& chosen) {
  const auto& rows = run.recording.branches;
  std::vector<BranchReads> reads;
  std::unordered_map<StringId, std::size_t> places;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint32_t chunk = chunk_of(run, row);
    if (chunk == no_row || !chosen[chunk]) continue;
    const StringId branch = rows.text(BranchField::branch, row);
    const StringId codec = rows.text(BranchField::codec, row);
    BranchReads& of = one_of(places, branch, reads, {.branch = branch, .codec = codec});
    if (of.codec != codec) of.codec = no_string;
    for (const Summed& sum : summed) {
      const double amount = rows.at(sum.column, row);
      if (!is_absent(amount))
        of.*sum.into = value_or(of.*sum.into, 0) + chosen.share[chunk] * amount;
    }
  }
  return reads;
}

std::vector<double> branch_bytes(const Run& run) {
  const auto& rows = run.recording.branches;
  if (rows.size() == 0) return {};
  std::vector<double> bytes(run.chunks.size(), absent);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint32_t chunk = chunk_of(run, row);
    const double own = rows.at(BranchField::compressed, row) - rows.at(BranchField::outside, row) -
                       value_or(rows.at(BranchField::again, row), 0);
    if (chunk != no_row && !is_absent(own)) bytes[chunk] = value_or(bytes[chunk], 0) + own;
  }
  return bytes;
}

double dataset_content(const Run& run, std::uint32_t dataset) {
  const auto& rows = run.recording.branches;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const std::size_t n = datasets.size();
  std::unordered_map<StringId, std::size_t> places;
  std::vector<double> bytes, events;  // by branch and dataset
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint32_t chunk = chunk_of(run, row);
    if (chunk == no_row || !(run.chunks.events[chunk] > 0)) continue;
    const double packed = rows.at(BranchField::compressed, row);
    const double share_outside = value_or(rows.at(BranchField::outside, row) / packed, 0);
    const double own = rows.at(BranchField::uncompressed, row) * (1 - share_outside);
    if (!(own > 0)) continue;
    const std::size_t branch =
        places.try_emplace(rows.text(BranchField::branch, row), places.size()).first->second;
    bytes.resize(n * places.size(), 0), events.resize(n * places.size(), 0);
    bytes[branch * n + datasets.of[chunk]] += own;
    events[branch * n + datasets.of[chunk]] += run.chunks.events[chunk];
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = ratio(bytes[i], events[i]);
  double all = 0;
  std::vector<double> own(places.size(), 0), times(places.size(), absent);
  for (std::size_t branch = 0; branch < own.size(); ++branch) {
    double most = absent;
    for (std::size_t other = 0; other < n; ++other)
      if (other != dataset) most = std::fmax(most, bytes[branch * n + other]);
    own[branch] = value_or(bytes[branch * n + dataset], 0);
    times[branch] = own[branch] / most;
    all += own[branch];
  }
  double content = absent;
  for (const double least : times) {
    double those = 0;
    for (std::size_t branch = 0; branch < own.size(); ++branch)
      those += times[branch] >= least ? own[branch] : 0;
    if (those >= all / 2) content = std::fmax(content, least);
  }
  return content;
}

}  // namespace crema::runtime
