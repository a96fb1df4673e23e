// What reading and answering cost, as counts: they are the same on a quiet machine and a busy one.
//
// Each is held against the best that it has ever been (tests/bench/best.json): one that is more
// than 3 % above fails, so that small steps do not add up. What is better is kept when the test
// runs with CREMA_KEEP_BEST set; whoever means a count to grow says why in the commit that changes
// the file. `npm run bench -- --against COMMIT` tells what of it can be felt.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/session/session.hpp"
#include "tests/core/allocations.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"

// How often a container allocates is its library's matter: the counts are those of the one that
// most compilers of Linux share.
#ifdef __GLIBCXX__

namespace crema {

namespace {

using namespace crema::test;

struct Cost {
  std::string what;
  std::size_t allocations;
  std::size_t bytes;
};

std::string best_path() { return test_data_path("../bench/best.json"); }

// What is compiled with less optimization keeps allocations that a compiler may leave out, and how
// many these are is the compiler's matter: under the sanitizers only what grows by half is news.
#if defined(__SANITIZE_ADDRESS__)
#define CREMA_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CREMA_SANITIZED
#endif
#endif
#ifdef CREMA_SANITIZED
constexpr double tolerance = 1.5;
#else
constexpr double tolerance = 1.03;
#endif

/// What has grown by more than both: a column more is no news, a thirtieth of ten thousand is.
constexpr std::size_t few = 20;            // allocations
constexpr std::size_t few_bytes = 10'000;  // bytes

bool has_grown(std::size_t now, std::size_t before, std::size_t little) {
  return now > before + little &&
         static_cast<double>(now) > tolerance * static_cast<double>(before);
}

template <class Work>
Cost cost_of(std::string what, Work work) {
  const AllocationCount count;
  work();
  return {std::move(what), AllocationCount::allocations(), AllocationCount::bytes()};
}

std::vector<File> files_of(const std::vector<std::string>& names) {
  std::vector<File> files;
  for (const std::string& name : names)
    files.push_back({name, read_test_file("local-4x1/" + name)});
  return files;
}

/// Opening files of local-4x1, and asking about them what the page's first views ask.
std::vector<Cost> costs() {
  std::vector<Cost> found;
  for (const char* name : {"metrics.json", "profile_merged.json.gz", "task_stream.json.gz"}) {
    const std::vector<File> files = files_of({name});
    found.push_back(cost_of(std::string("open ") + name, [&] { const OpenSession open(files); }));
  }
  const OpenSession open(files_of({"metrics.json", "profile_merged.json.gz", "span_metrics.json",
                                   "scheduler_info.json", "start_end_time.txt"}));
  for (const char* question : {"summary", "core_time_tree", "budget", "findings", "timeline",
                               "chunks", "throughput", "workers", "profiles", "flame", "frames"})
    found.push_back(cost_of(std::string("ask ") + question, [&] { open.ask(question); }));
  return found;
}

}  // namespace

TEST_CASE("Reading and answering allocate no more than they ever did") {
  const std::vector<Cost> now = costs();
  std::ostringstream table;
  for (const Cost& cost : now)
    table << "  " << cost.what << ": " << cost.allocations << ", " << cost.bytes << " bytes\n";
  INFO("now:\n" << table.str());
  auto best = nlohmann::ordered_json::parse(std::ifstream(best_path()));
  auto& stored = best["counts"]["core"];
  const bool keeps = std::getenv("CREMA_KEEP_BEST") != nullptr;
  for (const Cost& cost : now) {
    INFO(cost.what);
    if (keeps) {
      const auto least = stored.value(cost.what, nlohmann::ordered_json::object());
      stored[cost.what] = {
          {"allocations", std::min(cost.allocations, least.value("allocations", cost.allocations))},
          {"bytes", std::min(cost.bytes, least.value("bytes", cost.bytes))}};
    }
    REQUIRE(stored.contains(cost.what));
    const auto& least = stored[cost.what];
    CHECK_FALSE(has_grown(cost.allocations, least["allocations"], few));
    CHECK_FALSE(has_grown(cost.bytes, least["bytes"], few_bytes));
  }
  if (keeps) std::ofstream(best_path()) << best.dump(2) << "\n";
}

}  // namespace crema

#endif
