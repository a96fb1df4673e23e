#include "core/report/advice_text.hpp"

#include <cmath>

#include "core/base/number_format.hpp"
#include "core/base/sentence.hpp"
#include "core/report/findings_text.hpp"

namespace crema::report {

using namespace diagnose;

namespace {

struct SettingText {
  std::string_view name, assumption;
};

SettingText words_of(Setting setting) {
  switch (setting) {
    case Setting::chunk_size: return {"chunksize", "the model of chunk_sizes"};
    case Setting::workers:
      return {"n_workers, threads_per_worker",
              "the machine has a core for each process; at best tasks compute all the time"};
    case Setting::memory_limit:
      return {"memory_limit", "results that were written to disk stay in memory"};
    case Setting::tree_reduction:
      return {"treereduction", "merging two results takes as long as merging any other two"};
    case Setting::preload:
      return {"preload", "all waiting is for requests, of which one per chunk remains"};
    case Setting::preprocess: break;
  }
  return {"preprocess", "files and chunk size do not change"};
}

}  // namespace

std::string_view name_of(Setting setting) { return words_of(setting).name; }

std::string_view name_of(Certainty certainty) {
  return certainty == Certainty::certain  ? "certain"
         : certainty == Certainty::likely ? "likely"
                                          : "possible";
}

std::string assumption_of(const Advice& advice) {
  if (!advice.expected.assumed.empty()) return advice.expected.assumed;
  return is_absent(advice.expected.low) ? "" : std::string(words_of(advice.setting).assumption);
}

std::string code_block(const Run& run, const Options& options, const std::vector<Advice>& advice) {
  const Run::Window window = run.window();
  const double cores = std::round(load_of(run, options).cores);
  std::string text;
  // As a script has them: the cluster before what runs on it.
  for (const std::string_view begin : {"client", "runner", "for", "coffea"}) {
    for (const Advice& one : advice) {
      if (!one.code.starts_with(begin)) continue;
      const Prediction& expected = one.expected;
      text += sentence({text.empty() ? "" : "\n", "# ", text_of(one.finding).title, ".\n"});
      if (!is_absent(expected.low)) {
        const bool is_band = expected.low < expected.high;
        text += sentence({"# Expected: ", is_band ? format_seconds(expected.low) + " to " : "",
                          format_seconds(expected.high), " instead of ",
                          format_seconds(window.end - window.begin),
                          is_absent(expected.likely) || !is_band
                              ? ""
                              : ", most likely " + format_seconds(expected.likely),
                          one.cores < cores
                              ? ", on " + format_count(one.cores, "core") + " instead of " +
                                    std::to_string(static_cast<long long>(cores))
                              : "",
                          "; ", name_of(one.certainty), ".\n"});
      }
      text += one.code + "\n";
    }
  }
  return text;
}

}  // namespace crema::report
