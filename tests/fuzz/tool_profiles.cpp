// The readers of other tools' profiles, each of what it recognises itself: however a file is cut,
// it becomes the same call trees with the same data notes, and no tree says what cannot be.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/read/list.hpp"

namespace {

using namespace crema;
using namespace crema::read;

const Format* const profile_formats[] = {&pyinstrument_format, &scalene_format,    &trace_format,
                                         &pstats_format,       &pprof_format,      &austin_format,
                                         &memray_table_format, &perf_script_format};

void demand(bool holds) {
  if (!holds) std::abort();
}

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

std::string told(const Format& format, std::string_view bytes, std::size_t piece) {
  Run run(std::make_shared<Names>());
  const auto reader = format.open(run, "file");
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::string_view part = bytes.substr(at, piece);
    reader->push({part.data(), part.size()});
  }
  reader->finish();
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
  const Head head("file", bytes, true, is_binary);
  const auto* const known =
      std::find_if(std::begin(profile_formats), std::end(profile_formats),
                   [&](const Format* format) { return format->recognises(head); });
  if (known == std::end(profile_formats)) return -1;  // nothing that is worth being changed further
  const std::string whole = told(**known, bytes, std::max<std::size_t>(size, 1));
  for (const std::size_t piece : {1 + size / 3, 1 + size / 100})
    demand(told(**known, bytes, piece) == whole);
  return 0;
}
