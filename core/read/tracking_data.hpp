#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/json/router.hpp"
#include "core/model/run.hpp"

namespace crema {

/// Finds the number of a tick by its timestamp's text. roastcoffea stamps one text per tick for all workers and series, so
/// that the next tick's text is nearly always the one after the last found: no time is parsed twice.
class TickIndex {
 public:
  explicit TickIndex(Run& run) : run_(run) {}

  static constexpr std::uint32_t none = 0xffffffffU;
  /// The tick stamped `text`, added to the run when new; none when it is no time.
  std::uint32_t find(std::string_view text);
  /// A new series begins: its first tick may be any.
  void rewind() { expected_ = 0; }

 private:
  Run& run_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> index_;
  std::uint32_t expected_ = 0;
};

/// Node for `tracking_data` (flat schemas) and `raw.workers` (nested): worker counts and the nine per-worker series.
std::unique_ptr<json::Node> make_tracking_data_node(Run& run);

}  // namespace crema
