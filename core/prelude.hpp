#pragma once

// What nearly every file of the core includes, compiled once for all of them. Each file still
// includes what it uses, but for what the headers of its own room bring: editors and clang-tidy
// read them one by one, without this.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/table/table.hpp"
