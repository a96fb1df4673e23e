// The rule about the analysis's own functions: the largest one, and what commonly makes it faster.
#include <algorithm>

#include "core/base/number_format.hpp"
#include "core/base/sentence.hpp"
#include "core/diagnose/finding.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

// What is no cause of anything is told only where half of it would be noticed in a queue: twice as
// fast, a tenth of the core-time is won.
constexpr double worth_a_day = 0.1;
constexpr double twice_as_fast = 0.5;

/// The largest part of process() that has a name: a section, as the chunks time it, or a function,
/// as the profile samples it.
struct LargestPart {
  std::string section, function;
  double core_seconds = 0;
  std::vector<double> saved;  ///< [s] were it twice as fast, by chunk
};

LargestPart largest_section_of(const Run& run) {
  const SectionSums sums = sum_sections(run, ChunkSelection(run, {}));
  LargestPart part;
  if (sums.may_overlap) return part;
  for (const auto& [name, seconds] : sums.seconds) {
    if (seconds > part.core_seconds) part.core_seconds = seconds, part.section = name;
  }
  part.saved.assign(run.chunks.size(), 0);
  for (const SectionValue& value : run.chunks.sections) {
    if (value.kind == SectionValue::Kind::seconds && run.text(value.name) == part.section)
      part.saved[value.chunk] += twice_as_fast * value.value;
  }
  return part;
}

LargestPart largest_function_of(const Facts& f) {
  const OwnFunction largest = largest_own_function(f.run);
  LargestPart part;
  if (largest.name.empty() || largest.name == "process") return part;
  part.function = largest.name;
  part.core_seconds = largest.share * f.inside;
  part.saved = f.run.chunks.duration;
  for (double& seconds : part.saved) seconds *= twice_as_fast * largest.share;
  return part;
}

std::string pattern_sentences(const Run& run) {
  std::string text;
  for (const CodePattern& pattern : code_patterns(run)) {
    text +=
        is_absent(pattern.share)
            ? sentence({" Judged by its source line, ", pattern.what, ". ", pattern.how, "."})
            : sentence({" ", format_percent(pattern.share), " of the samples in process() are in ",
                        pattern.what, ". ", pattern.how, "."});
  }
  return text;
}

std::vector<Finding> largest_part(const Facts& f) {
  if (!f.whole_list || !(f.inside > 0)) return {};
  LargestPart part = largest_section_of(f.run);
  const std::vector<std::string> functions =
      part.section.empty() ? std::vector<std::string>{} : functions_of_section(f.run, part.section);
  if (functions.empty() && largest_function_of(f).core_seconds > 0) part = largest_function_of(f);
  else if (!functions.empty()) part.function = functions.front();
  if (part.function.empty()) return {};
  const double won = f.won_by_saving(part.saved);
  if (!(f.share(won) >= worth_a_day)) return {};
  Finding finding;
  finding.id = "own-function";
  finding.title = sentence(
      {(part.section.empty() ? part.function
                             : "Section " + part.section + " (" + part.function + ")"),
       " is the largest part of the analysis: ", format_percent(part.core_seconds / f.inside),
       " of process()"});
  const std::string library = mostly_in(f.run, part.function);
  finding.evidence =
      sentence({"It took ", format_core_seconds(part.core_seconds),
                (part.section.empty() ? " by the profile" : ""),
                (library.empty() ? "" : ", of " + part.function + " mostly in " + library),
                ". If it were twice as fast, that would save about ", format_core_seconds(won),
                ", ", format_seconds(won / f.cores), " of the run.",
                (part.section.empty() ? "" : functions_sentence(f.run, part.section)),
                pattern_sentences(f.run)});
  finding.view = "Flame graph";
  finding.core_seconds = part.core_seconds;
  finding.gain_core_seconds = won;
  finding.stake = stake_of_code;
  return {finding};
}

}  // namespace

const std::vector<Rule>& function_rules() {
  static const std::vector<Rule> rules = {largest_part};
  return rules;
}

}  // namespace crema::diagnose
