#include <algorithm>
#include <cmath>
#include <map>
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
    const auto [place, is_new] =
        places.try_emplace(rows.text(BranchField::branch, row), reads.size());
    if (is_new)
      reads.push_back({.branch = place->first, .codec = rows.text(BranchField::codec, row)});
    BranchReads& of = reads[place->second];
    if (of.codec != rows.text(BranchField::codec, row)) of.codec = no_string;
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
    const double own = rows.at(BranchField::compressed, row) - rows.at(BranchField::outside, row);
    if (chunk != no_row && !is_absent(own)) bytes[chunk] = value_or(bytes[chunk], 0) + own;
  }
  return bytes;
}

std::vector<double> dataset_contents(const Run& run) {
  // Less can hardly take most of the time.
  constexpr double enough_bytes = 0.1;
  const auto& rows = run.recording.branches;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  std::vector<double> contents(datasets.size(), absent);
  struct Sum {
    double bytes = 0, events = 0;
  };
  std::map<StringId, std::vector<Sum>> branches;  // by dataset
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint32_t chunk = chunk_of(run, row);
    if (chunk == no_row || !(run.chunks.events[chunk] > 0)) continue;
    const double packed = rows.at(BranchField::compressed, row);
    const double share_outside = value_or(rows.at(BranchField::outside, row) / packed, 0);
    const double bytes = rows.at(BranchField::uncompressed, row) * (1 - share_outside);
    if (!(bytes > 0)) continue;
    std::vector<Sum>& of = branches[rows.text(BranchField::branch, row)];
    of.resize(datasets.size());
    of[datasets.of[chunk]].bytes += bytes;
    of[datasets.of[chunk]].events += run.chunks.events[chunk];
  }
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    std::vector<std::pair<double, double>> times;  // as many bytes an event, bytes an event
    double all = 0;
    for (const auto& [branch, sums] : branches) {
      if (!(sums[dataset].events > 0)) continue;
      const double own = sums[dataset].bytes / sums[dataset].events;
      double most = absent;
      for (std::size_t other = 0; other < sums.size(); ++other)
        if (other != dataset) most = std::fmax(most, ratio(sums[other].bytes, sums[other].events));
      all += own;
      if (!is_absent(most)) times.emplace_back(own / most, own);
    }
    std::sort(times.rbegin(), times.rend());
    double bytes = 0;
    for (const auto& [ratio, own] : times) {
      bytes += own;
      if (bytes < enough_bytes * all) continue;
      contents[dataset] = ratio;
      break;
    }
  }
  return contents;
}

}  // namespace crema::runtime
