// Question `compare`: what changed between two runs, and where. Groups are dimensions along which
// the same core-time is cut: each begins with its total, and its rows' differences add up to the
// total's.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/elementary.hpp"
#include "core/base/error.hpp"
#include "core/base/number_format.hpp"
#include "core/base/quantity.hpp"
#include "core/facts/budget.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/comparison.hpp"
#include "core/facts/headlines.hpp"
#include "core/facts/lost_work.hpp"
#include "core/facts/noise/discoveries.hpp"
#include "core/facts/noise/explanation.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/report_counts.hpp"
#include "core/questions/list.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::compare {

namespace {

constexpr double rounding = 1e-12;
constexpr std::size_t most_frames = 200;  // rows of group "frame"; the rest is one row

/// One of the runs, with what its rows are made of.
struct One {
  const Run& run;
  Selection selection;
  Options options;
  Budget budget;
  double events;
  double scale;  // from core-seconds to what is compared

  One(const Run& of, const Selection& narrowed, const Options& given, Per per)
      : run(of), selection(narrowed), options(given), budget(compute_budget(of, narrowed, given)) {
    const ChunkSelection chosen(of, narrowed);
    events = chosen.all ? total_events(run) : chosen.prorated_sum(run.chunks.events);
    scale = per == Per::absolute         ? 1
            : per == Per::million_events ? ratio(1e6, events)
                                         : ratio(1, budget.available);
  }

  /// Core-seconds as compared.
  Side seconds(double core_seconds) const {
    Side side;
    side.value = core_seconds * scale;
    return side;
  }
};

/// The runs of one side.
using Several = std::span<const One>;

/// The mean over runs of what is there.
Side mean_of(const std::vector<Side>& runs) {
  Side mean;
  double squares = 0;
  for (const Side& run : runs) {
    if (is_absent(run.value)) continue;
    mean.runs.push_back(run.value);
    squares += value_or(run.noise * run.noise, 0);
  }
  const auto count = static_cast<double>(mean.runs.size());
  mean.value = moments(mean.runs).mean;
  if (squares > 0) mean.noise = std::sqrt(squares) / count;
  return mean;
}

/// What one side has of a group, by the name under which the other side's is looked for.
using Amounts = std::map<std::string, Side>;

Amounts means_of(const std::vector<Amounts>& runs) {
  std::map<std::string, std::vector<Side>> sides;
  for (const Amounts& run : runs) {
    for (const auto& [name, side] : run) sides[name].push_back(side);
  }
  Amounts means;
  for (const auto& [name, all] : sides) means[name] = mean_of(all);
  return means;
}

template <class Question>
Amounts amounts_of(Several side, Question&& question) {
  std::vector<Amounts> runs;
  for (const One& one : side) runs.push_back(question(one));
  return means_of(runs);
}

class Changes {
 public:
  explicit Changes(std::string unit) : unit_(std::move(unit)) {}

  void add(Compared row) { rows_.push_back(std::move(row)); }

  /// A group whose rows add up to its total; nothing when neither run has any.
  void add_group(const std::string& group, const std::string& what, const Amounts& a,
                 const Amounts& b, Noise source, std::size_t most = ~std::size_t{0}) {
    if (a.empty() && b.empty()) return;
    if (a.empty() || b.empty()) {
      not_compared_ += (not_compared_.empty() ? "" : "; ") + what + ": only " +
                       (a.empty() ? "B" : "A") + " has them";
      return;
    }
    std::vector<Compared> rows;
    const Side nothing{.value = 0, .text = {}};
    Compared total = row_of(group, "total", nothing, nothing);
    total.label = "All " + what;
    // Each is as the whole run is, where its parts are judged against that.
    total.source = source == Noise::unknown ? source : Noise::run;
    const auto sum = [](Side& into, const Side& part) {
      into.value += value_or(part.value, 0);
      into.runs.resize(std::max(into.runs.size(), part.runs.size()));
      for (std::size_t i = 0; i < part.runs.size(); ++i) into.runs[i] += part.runs[i];
    };
    for (const auto& [name, side] : a) {
      const auto other = b.find(name);
      rows.push_back(row_of(group, name, side, other == b.end() ? Side{} : other->second));
    }
    for (const auto& [name, side] : b) {
      if (!a.contains(name)) rows.push_back(row_of(group, name, Side{}, side));
    }
    for (Compared& row : rows) row.source = source;
    for (const Compared& row : rows) {
      if (!is_absent(row.a.value)) sum(total.a, row.a);
      if (!is_absent(row.b.value)) sum(total.b, row.b);
    }
    std::sort(rows.begin(), rows.end(), [](const Compared& x, const Compared& y) {
      const double dx = std::fabs(x.delta());
      const double dy = std::fabs(y.delta());
      return dx != dy ? dx > dy : x.id < y.id;
    });
    if (rows.size() > most) {
      Compared rest = row_of(group, "rest", nothing, nothing);
      rest.label = std::to_string(rows.size() - most) + " others";
      for (std::size_t i = most; i < rows.size(); ++i) {
        if (!is_absent(rows[i].a.value)) sum(rest.a, rows[i].a);
        if (!is_absent(rows[i].b.value)) sum(rest.b, rows[i].b);
      }
      rows.resize(most);
      rows.push_back(std::move(rest));
    }
    rows_.push_back(std::move(total));
    std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
  }

  /// Gives rows the labels that stand under their ids.
  void relabel(const std::map<std::string, std::string>& labels) {
    for (Compared& row : rows_) {
      if (const auto label = labels.find(row.id); label != labels.end()) row.label = label->second;
    }
  }

  std::vector<Compared>& all() { return rows_; }
  const std::string& not_compared() const { return not_compared_; }

 private:
  Compared row_of(const std::string& group, const std::string& name, Side a, Side b) const {
    Compared row{.id = group + "." + name,
                 .group = group,
                 .label = name,
                 .unit = unit_,
                 .a = std::move(a),
                 .b = std::move(b),
                 .better = Better::lower,
                 .note = {},
                 .adds_up = true};
    if (is_absent(row.a.value)) row.note = "only in B";
    if (is_absent(row.b.value)) row.note = "only in A";
    return row;
  }

  std::string unit_;
  std::vector<Compared> rows_;
  std::string not_compared_;
};

void add_headlines(Several a, Several b, Changes& rows) {
  const auto of = [](Several side) {
    std::vector<std::vector<Headline>> lists;
    for (const One& one : side) lists.push_back(headlines(one.run, one.selection, one.options));
    return lists;
  };
  const auto of_a = of(a);
  const auto of_b = of(b);
  const auto side = [](const std::vector<std::vector<Headline>>& lists, std::size_t i) {
    std::vector<Side> runs;
    for (const auto& list : lists) runs.push_back({.value = list[i].value, .text = {}});
    return mean_of(runs);
  };
  // All lists are the same headlines in the same order.
  for (std::size_t i = 0; i < of_a[0].size(); ++i) {
    const Headline& headline = of_a[0][i];
    Compared row{.id = headline.id,
                 .group = "summary",
                 .label = headline.label,
                 .unit = headline.unit,
                 .a = side(of_a, i),
                 .b = side(of_b, i),
                 .better = headline.better,
                 .note = {},
                 .source = headline.noise};
    if (is_absent(row.a.value) && is_absent(row.b.value)) continue;
    if (is_absent(row.a.value) || is_absent(row.b.value)) {
      const bool in_a = is_absent(row.a.value);
      const std::string& why = in_a ? headline.note : of_b[0][i].note;
      row.note =
          std::string("not recorded in ") + (in_a ? "A" : "B") + (why.empty() ? "" : ": " + why);
    }
    rows.add(std::move(row));
  }
  // Opening files and building events is paid per execution: smaller chunks pay it more often.
  const auto outside = [](Several runs) {
    std::vector<Side> sides;
    for (const One& one : runs) {
      const StringId processor = find_processor(one.run, one.options).prefix;
      const LostWork lost = find_lost_work(one.run, processor, execute_seconds(one.run, processor));
      const double executions =
          is_absent(lost.executions) ? recorded_num_chunks(one.run) : lost.executions;
      const double seconds = one.budget.of(BudgetPart::Kind::outside_process);
      sides.push_back(
          {.value = one.selection.empty() ? ratio(seconds, executions) : absent, .text = {}});
    }
    return mean_of(sides);
  };
  Compared row{.id = "outside_process_per_execution",
               .group = "summary",
               .label = "Outside process(), per execution",
               .unit = "s",
               .a = outside(a),
               .b = outside(b),
               .better = Better::lower,
               .note = {}};
  if (!is_absent(row.a.value) || !is_absent(row.b.value)) rows.add(std::move(row));
}

/// The parts of one split, by id, or by their own names.
Amounts budget_amounts(const One& one, std::string_view split, bool by_label = false) {
  Amounts amounts;
  for (const BudgetPart& part : one.budget.parts) {
    if (part.split() == split && !is_absent(part.core_seconds))
      amounts[by_label ? part.label : part.id()] = one.seconds(part.core_seconds);
  }
  return amounts;
}

Amounts question_amounts(const One& one, const Question& question, const char* unnamed) {
  const Run* const run = &one.run;
  const Table table = question({&run, 1}, one.selection, {});
  Amounts amounts;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double seconds = table.number("seconds", row);
    const std::string name(table.text("name", row));
    if (is_absent(seconds)) continue;
    amounts[name.empty() ? unnamed : name] = one.seconds(seconds);
  }
  return amounts;
}

/// Folders differ between machines: of the user's files the name counts, of libraries the path
/// within them.
std::string function_name(std::string_view name, std::string_view file, std::string_view category) {
  if (category == "your analysis") file = file.substr(std::min(file.rfind('/') + 1, file.size()));
  return std::string(name) + (file.empty() ? "" : " (" + std::string(file) + ")");
}

struct Profiled {
  Amounts own, self;
};

// Core-seconds of functions: samples x what a sample stands for. Their noise: that of a count, and
// of samples that may be another function's.
Profiled profile_amounts(const One& one) {
  const Run* const run = &one.run;
  Profiled found;
  const Table table = frames::question({&run, 1}, one.selection, {});
  const auto note = std::find_if(table.notes.begin(), table.notes.end(),
                                 [](const Note& n) { return n.name == "seconds_per_sample"; });
  const double* const per_sample =
      note == table.notes.end() ? nullptr : std::get_if<double>(&note->value);
  if (per_sample == nullptr || is_absent(*per_sample)) return found;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name = function_name(table.text("name", row), table.text("file", row),
                                           table.text("category", row));
    const auto add = [&](Amounts& into, double samples, double unclear) {
      if (is_absent(samples) || !(samples > 0)) return;
      Side& sum = into.try_emplace(name, Side{.value = 0, .noise = 0, .text = {}}).first->second;
      const double unit = *per_sample * one.scale;
      sum.value += one.seconds(samples * *per_sample).value;
      // anywhere between none and all of the unclear ones: a twelfth of the square
      sum.noise =
          std::sqrt(sum.noise * sum.noise + (samples + unclear * unclear / 12) * unit * unit);
    };
    const double unresolved = value_or(table.number("unresolved", row), 0);
    add(found.own, table.number("own", row), 0);
    add(found.self, table.number("self", row) + unresolved, unresolved);
  }
  return found;
}

// A processor that was named for one of the runs need not be one of the other's.
Options options_for(const Run& run, const Options& options) {
  if (!options.has(processor_option)) return {};
  const StringId id = run.names->strings.find(options.text(processor_option));
  const auto& prefixes = run.activities.prefix;
  return std::find(prefixes.begin(), prefixes.end(), id) == prefixes.end() || id == no_string
             ? Options{}
             : Options(std::map<std::string, std::string>{
                   {std::string(processor_option.name), options.text(processor_option)}});
}

std::string unit_of(Per per) {
  return per == Per::absolute ? "s" : per == Per::million_events ? "s/10⁶ events" : "1";
}

/// What the rows are judged against.
struct Judge {
  const Explanation& explanation;
  double factor;     // B's amount of what changed as all work did / A's, as compared
  double core_time;  // of B, as compared
  bool has_replicates;
  bool same_events;  // else seconds of whole runs are no matter of pace
  double run_spread;

  void judge(Compared& row) const {
    if (is_absent(row.a.value) || is_absent(row.b.value)) return;
    switch (row.source) {
      case Noise::none:
        row.noise = 0;
        row.noise_from = "none: it is a fact";
        break;
      case Noise::run: judge_run(row); break;
      case Noise::chunks: judge_part(row); break;
      case Noise::samples: judge_samples(row); break;
      case Noise::unknown: judge_replicates(row); break;
    }
    if (is_absent(row.noise) && row.note.empty())
      row.note =
          has_replicates ? "noise unknown" : "noise unknown: one run a side does not tell it";
  }

  void judge_run(Compared& row) const {
    if (!same_events && row.unit == "s") {
      row.note = "not judged: the runs have other numbers of events";
      return;
    }
    std::vector<double> a, b;
    for (const double x : row.a.runs) a.push_back(x > 0 ? elementary::log(x) : absent);
    for (const double x : row.b.runs) b.push_back(x > 0 ? elementary::log(x) : absent);
    const BetweenRuns between = between_runs(a, b, run_spread);
    row.noise = std::fabs(row.b.value) * between.error;
    row.chance =
        chance_of(elementary::log(row.b.value / row.a.value) / between.error, between.freedom);
    row.noise_from = has_replicates ? "replicates, and the assumed spread of runs"
                                    : "the assumed spread of runs";
  }

  void judge_part(Compared& row) const {
    const std::string id =
        row.label == "unnamed" ? row.group + "." : row.id;  // as whoever measured it calls it
    const Departure* const part = explanation.pace.find(id);
    if (part == nullptr || !std::isfinite(part->log_ratio)) return;
    row.expected = row.b.value * elementary::exp(-part->log_ratio);
    row.noise = row.expected * part->error;
    row.chance = chance_of(part->errors(), part->freedom);
    row.noise_from = std::string("chunks against the common factor") +
                     (has_replicates ? ", and replicates" : "");
  }

  void judge_samples(Compared& row) const {
    const Pace& pace = explanation.pace;
    if (!pace.known() || is_absent(row.a.noise) || is_absent(row.b.noise)) return;
    row.expected = row.a.value * factor;
    const double relative =
        elementary::hypot(elementary::hypot(pace.error, lasting_share * pace.section_noise),
                          unevenness * pace.factor);
    const double error = elementary::hypot(elementary::hypot(row.b.noise, factor * row.a.noise),
                                           row.expected * relative);
    std::vector<double> a = row.a.runs;
    for (double& x : a) x *= factor;
    const BetweenRuns between = between_runs(a, row.b.runs, error / std::sqrt(2.0));
    // another chunk size explains so much
    const double allowed = row.expected * elementary::expm1(std::fabs(pace.resized));
    row.noise = has_replicates ? between.error : error;
    row.chance =
        chance_of(std::max(0.0, std::fabs(row.excess()) - allowed) / row.noise, between.freedom);
    row.noise_from = "samples, and chunks against the common factor";
  }

  void judge_replicates(Compared& row) const {
    const BetweenRuns between = between_runs(row.a.runs, row.b.runs, absent);
    if (is_absent(between.error)) return;
    row.noise = between.error;
    row.chance = chance_of(ratio(row.delta(), between.error), between.freedom);
    row.noise_from = "replicates";
  }

  /// What is too small to matter, whatever its noise.
  double floor(const Compared& row) const {
    return least_share * (row.group == "summary"
                              ? std::max(std::fabs(row.a.value), std::fabs(row.b.value))
                              : core_time);
  }
};

bool is_same(const Compared& row) {
  return std::fabs(row.delta()) <=
         rounding * std::max(std::fabs(row.a.value), std::fabs(row.b.value));
}

void judge_all(std::vector<Compared>& rows, const Judge& judge) {
  std::vector<double> chances;
  for (Compared& row : rows) {
    if (row.group != "setup") judge.judge(row);
    chances.push_back(row.chance);
  }
  const std::vector<bool> found = discoveries(chances);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Compared& row = rows[i];
    rows[i].is_told =
        row.group != "setup" &&
        (row.source == Noise::none ? row.noise == 0 && !is_same(row)
                                   : found[i] && std::fabs(row.excess()) >= judge.floor(row));
  }
}

// Nothing changed is nothing noteworthy, whether the noise is known or not; nor is what rounding
// leaves.
double noteworthy(const Compared& row) {
  if (!row.a.text.empty() || !row.b.text.empty()) return row.a.text != row.b.text ? 1 : 0;
  if (row.group == "setup" && is_absent(row.delta()))
    return is_absent(row.a.value) != is_absent(row.b.value) ? 1 : 0;
  if (row.group == "setup") return !is_same(row) || !row.note.empty() ? 1 : 0;
  return is_same(row) ? 0 : is_absent(row.noise) ? absent : row.is_told ? 1 : 0;
}

std::string_view verdict_of(const Compared& row) {
  if (!row.is_told || row.better == Better::neither || is_absent(row.delta())) return "";
  return (row.excess() > 0) == (row.better == Better::higher) ? "better" : "worse";
}

/// The own function that changed most against the common factor, where sections tell nothing or
/// do not know it: callers have what they call in them, so that the largest of the profile's own
/// frames is the smallest that is certain.
std::string function_text(const std::vector<Compared>& rows) {
  const Compared* most = nullptr;
  for (const Compared& row : rows) {
    if (row.group != "own" || !row.is_told || row.id == "own.total") continue;
    if (most == nullptr || std::fabs(row.excess()) > std::fabs(most->excess())) most = &row;
  }
  if (most == nullptr) return {};
  return " By the profile: " + format_difference(most->id, most->unit, most->excess()) + " ± " +
         format_quantity(most->id, most->unit, most->noise) + " in " + most->label +
         " or what it calls.";
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Per per = options.choice<Per>(per_option);
  const auto of_a = static_cast<std::size_t>(options.number(runs_of_a_option));
  // which also says when that leaves none for B
  const Explanation explanation = explain(runs, of_a, selection, options);
  std::vector<One> all;
  for (const Run* run : runs) all.emplace_back(*run, selection, options_for(*run, options), per);
  const Several a = std::span(all).first(of_a);
  const Several b = std::span(all).subspan(of_a);
  Changes rows(unit_of(per));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_absent(all[i].scale)) continue;
    throw Failure(
        ErrorCode::bad_option,
        "per=" + options.text(per_option) + ": " + (i < of_a ? "A" : "B") +
            (per == Per::share ? " has no available core-time" : " has no number of events"));
  }
  for (Compared& row : compare_setup(a[0].run, b[0].run, selection, options))
    rows.add(std::move(row));
  add_headlines(a, b, rows);
  const auto add_group = [&](const char* group, const char* what, Noise source, auto&& question) {
    rows.add_group(group, what, amounts_of(a, question), amounts_of(b, question), source);
  };
  add_group("budget", "parts of the core-time", Noise::unknown,
            [](const One& one) { return budget_amounts(one, "phase"); });
  std::map<std::string, std::string> labels;
  for (const One& one : all) {
    for (const BudgetPart& part : one.budget.parts) labels["budget." + part.id()] = part.label;
  }
  rows.relabel(labels);
  for (Compared& row : rows.all()) {
    if (row.id == "budget.inside_process" || row.id == "budget.total") row.source = Noise::run;
  }
  add_group("dataset", "datasets", Noise::chunks,
            [](const One& one) { return question_amounts(one, datasets::question, "unnamed"); });
  add_group("section", "sections", Noise::chunks, [](const One& one) {
    return question_amounts(one, sections::question, "unaccounted");
  });
  add_group("activity", "activities", Noise::unknown,
            [](const One& one) { return budget_amounts(one, "activity", true); });
  add_group("host", "hosts", Noise::chunks,
            [](const One& one) { return question_amounts(one, hosts::question, "unnamed"); });
  const auto profiles = [](Several side) {
    std::vector<Amounts> own, self;
    for (const One& one : side) {
      Profiled found = profile_amounts(one);
      own.push_back(std::move(found.own));
      self.push_back(std::move(found.self));
    }
    return Profiled{means_of(own), means_of(self)};
  };
  const Profiled in_a = profiles(a);
  const Profiled in_b = profiles(b);
  rows.add_group("own", "your own functions", in_a.own, in_b.own, Noise::samples);
  rows.add_group("frame", "functions", in_a.self, in_b.self, Noise::samples, most_frames);

  const auto mean = [](Several side, auto&& value) {
    std::vector<double> values;
    for (const One& one : side) values.push_back(value(one));
    return moments(values).mean;
  };
  const auto events = [](const One& one) { return one.events; };
  const auto scale = [](const One& one) { return one.scale; };
  const double more_events = value_or(ratio(mean(b, events), mean(a, events)), 1);
  judge_all(rows.all(), Judge{explanation,
                              elementary::exp(explanation.pace.factor) * more_events *
                                  ratio(mean(b, scale), mean(a, scale)),
                              mean(b,
                                   [](const One& one) {
                                     const double all_of_it =
                                         value_or(one.budget.available,
                                                  one.budget.of(BudgetPart::Kind::inside_process));
                                     return value_or(all_of_it, 0) * one.scale;
                                   }),
                              runs.size() > 2, std::fabs(more_events - 1) < least_share,
                              options.number(run_spread_option)});

  Table table;
  Rows compared(table, rows.all());
  compared.text("id", &Compared::id);
  compared.text("group", &Compared::group);
  compared.text("label", &Compared::label);
  compared.number("a", "", [](const Compared& row) { return row.a.value; });
  compared.number("b", "", [](const Compared& row) { return row.b.value; });
  compared.text("a_text", [](const Compared& row) -> std::string_view { return row.a.text; });
  compared.text("b_text", [](const Compared& row) -> std::string_view { return row.b.text; });
  compared.number("delta", "", &Compared::delta,
                  "b − a; in groups that add up, what is not there counts as 0");
  compared.number(
      "ratio", "1", [](const Compared& row) { return ratio(row.b.value, row.a.value); }, "b / a");
  compared.any_text("unit", &Compared::unit);
  compared.number("expected", "", &Compared::expected,
                  "what b would be, had it changed as all work did; missing where a is expected");
  compared.number("noise", "", &Compared::noise,
                  "standard error of b − expected (of b − a); missing where nothing tells it");
  compared.text("noise_from", &Compared::noise_from);
  compared.flag(
      "noteworthy", [](const Compared& row) { return noteworthy(row); },
      "beyond noise with at most 5 % of such rows false, and 0.5 % of the core-time or "
      "of the number; set-up: not equal; missing: noise unknown");
  compared.text("verdict", [](const Compared& row) { return verdict_of(row); });
  compared.text("note", &Compared::note);
  const auto title = [](Several side) {
    std::string text = side[0].run.title;
    if (side.size() > 1) text += " and " + std::to_string(side.size() - 1) + " more";
    return text;
  };
  table.note("a", title(a));
  table.note("b", title(b));
  table.note("sentence", explanation.sentence + function_text(rows.all()));
  table.note("limits", explanation.limits);
  table.note("noise",
             runs.size() == 2
                 ? "datasets, sections, hosts and functions are judged against what all of them "
                   "have in common, by the spread of their chunks; whole runs by an assumed spread "
                   "of runs. Of all verdicts at most 5 % are false on average."
                 : "datasets, sections, hosts and functions are judged against what all of them "
                   "have in common, by the spread of chunks and of replicates; the rest by "
                   "replicates. Of all verdicts at most 5 % are false on average.");
  if (!rows.not_compared().empty()) table.note("not_compared", rows.not_compared());
  if (!selection.empty())
    table.note("selection",
               "both runs are narrowed alike; the time range is that of each run's own start. "
               "Budget, activities and "
               "functions follow it as far as their questions do");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "compare",
    .about = "every number of two runs, or of two sides of several, and whether they differ",
    .options = {&facts::processor_option, &facts::per_option, &facts::runs_of_a_option,
                &facts::run_spread_option},
    .narrowed_by = all_dimensions,
    .min_runs = 2,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::questions::compare
