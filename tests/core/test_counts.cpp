// What reading and answering cost, as counts: they are the same on a quiet machine and a busy one.
//
// Each figure is what it was when it was last looked at. One that has grown by more than 3 % fails
// with what it is now; whoever means it to grow stores what is printed, with the reason in the
// commit. `npm run bench -- --against COMMIT` tells what of it can be felt.
#include <sstream>

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

const std::vector<Cost> stored = {
    {"open metrics.json", 3285, 597295},
    {"open profile_merged.json.gz", 3454, 1064383},
    {"open task_stream.json.gz", 1773, 254260},
    {"ask summary", 719, 169901},
    {"ask core_time_tree", 14260, 4291470},
    {"ask budget", 162, 29895},
    {"ask findings", 166, 29233},
    {"ask timeline", 138, 59535},
    {"ask chunks", 217, 143994},
    {"ask throughput", 47, 29071},
    {"ask workers", 98, 17731},
    {"ask profiles", 151, 213032},
    {"ask flame", 10060, 3024570},
    {"ask frames", 1260, 570894},
};

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

TEST_CASE("Reading and answering allocate no more than they did") {
  const std::vector<Cost> now = costs();
  std::ostringstream table;
  for (const Cost& cost : now)
    table << "    {\"" << cost.what << "\", " << cost.allocations << ", " << cost.bytes << "},\n";
  INFO("now:\n" << table.str());
  REQUIRE(now.size() == stored.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    INFO(now[i].what);
    CHECK(now[i].what == stored[i].what);
    CHECK_FALSE(has_grown(now[i].allocations, stored[i].allocations, few));
    CHECK_FALSE(has_grown(now[i].bytes, stored[i].bytes, few_bytes));
  }
}

}  // namespace crema

#endif
