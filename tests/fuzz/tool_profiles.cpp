// The readers of other tools' profiles, each of what it recognises itself: however a file is cut,
// it becomes the same call trees with the same data notes, and no tree says what cannot be.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/pieces.hpp"

namespace {

using namespace crema;
using namespace crema::read;

const Format* const profile_formats[] = {&pyinstrument_format, &scalene_format,    &trace_format,
                                         &pstats_format,       &pprof_format,      &austin_format,
                                         &memray_table_format, &perf_script_format};

/// What a tree counts is a number of zero or more, and no less than its callees' together, unless a
/// data note says so.
void check(const CallTree& tree, std::size_t frames, bool may_be_less) {
  demand(tree.frame.size() == tree.size() && tree.count.size() == tree.size());
  demand(tree.line.empty() || tree.line.size() == tree.size());
  demand(tree.sample_node.size() == tree.sample_weight.size());
  std::vector<double> callees(tree.size(), 0);
  for (std::size_t node = 0; node < tree.size(); ++node) {
    demand(std::isfinite(tree.count[node]) && tree.count[node] >= 0);
    if (node == 0) continue;
    demand(tree.parent[node] < node && tree.frame[node] < frames);
    callees[tree.parent[node]] += tree.count[node];
  }
  for (std::size_t node = 0; node < tree.size(); ++node)
    demand(may_be_less || callees[node] <= tree.count[node] + 1e-9 * callees[node]);
  for (const NodeId node : tree.sample_node) demand(node < tree.size());
}

std::string told(const Run& run) {
  std::string text;
  // Where JSON ends or is broken, and how that is described, depends on whether a piece ended
  // within a value.
  for (const DataNote& note : run.data_notes)
    text +=
        note.id + " " + std::to_string(note.count) +
        (note.id == "broken-json" || note.id == "cut-off" ? ""
                                                          : " " + note.path + " " + note.message) +
        "\n";
  const bool may_be_less =
      std::any_of(run.data_notes.begin(), run.data_notes.end(),
                  [](const DataNote& note) { return note.id == "count-below-children"; });
  for (const CallTree& tree : run.call_trees) {
    check(tree, run.names->frames.size(), may_be_less);
    text += tree.name + " " + tree.unit + "\n";
    for (std::size_t node = 0; node < tree.size(); ++node)
      text += std::to_string(tree.parent[node]) + " " + std::to_string(tree.frame[node]) + " " +
              std::to_string(tree.count[node]) + "\n";
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool is_binary = std::any_of(bytes.begin(), bytes.end(),
                                     [](char c) { return static_cast<unsigned char>(c) < 0x09; });
  return demand_same_of_pieces(profile_formats, bytes, is_binary, told);
}
