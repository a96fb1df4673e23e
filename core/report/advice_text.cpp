#include "core/report/advice_text.hpp"

#include <cmath>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/report/fill.hpp"
#include "core/report/findings_text.hpp"
#include "core/report/prediction_text.hpp"

namespace crema::report {

using namespace diagnose;

std::string_view name_of(Certainty certainty) {
  return certainty == Certainty::very_likely ? "very likely"
         : certainty == Certainty::likely    ? "likely"
                                             : "possible";
}

std::string assumption_of(const Advice& advice) {
  if (const std::string text = assumed_text(advice.expected.basis); !text.empty()) return text;
  return is_absent(advice.expected.low) ? "" : std::string(fields_of(advice.setting).assumption);
}

std::string code_block(const Run& run, const Options& options, const std::vector<Advice>& advice) {
  const Run::Window window = run.window();
  const double cores = std::round(load_of(run, options).cores);
  std::vector<Advice> in_order = advice;
  sort_stably(in_order, [](const Advice& a, const Advice& b) { return a.setting < b.setting; });
  std::string text;
  for (const Advice& one : in_order) {
    const Prediction& expected = one.expected;
    text += fill("{}# {}.\n", {text.empty() ? "" : "\n", text_of(one.finding).title});
    if (!is_absent(expected.low)) {
      const bool is_band = expected.low < expected.high;
      text +=
          fill("# Expected: {}{} instead of {}{}{} ({}).\n",
               {is_band ? format_seconds(expected.low) + " to " : "", format_seconds(expected.high),
                format_seconds(window.end - window.begin),
                is_absent(expected.likely) || !is_band
                    ? ""
                    : ", best guess " + format_seconds(expected.likely),
                one.cores < cores ? fill(", on {} instead of {}",
                                         {format_count(one.cores, "core"), format_number(cores)})
                                  : "",
                name_of(one.certainty)});
    }
    text += one.code + "\n";
  }
  return text;
}

}  // namespace crema::report
