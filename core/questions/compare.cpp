// Question `compare`: what changed between two runs, and where. Groups are dimensions along which
// the same core-time is cut: each begins with its total, and its rows' differences add up to the
// total's.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.hpp"
#include "core/base/number_format.hpp"
#include "core/facts/budget.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/chunk_spread.hpp"
#include "core/facts/comparison.hpp"
#include "core/facts/headlines.hpp"
#include "core/facts/lost_work.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/report_counts.hpp"
#include "core/questions/list.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::compare {

namespace {

constexpr double rounding = 1e-12;
constexpr std::size_t most_frames = 200;  // rows of group "frame"; the rest is one row

/// One of the two runs, with what its rows are made of.
struct One {
  const Run& run;
  Selection selection;
  Options options;
  Per per;
  Budget budget;
  ChunkSelection chosen;
  ChunkSpread spread;
  double events;
  double scale;         // from core-seconds to what is compared
  double relative;      // standard error of Σ process() time / that time
  double relative_per;  // likewise of what is compared

  One(const Run& of, const Selection& narrowed, const Options& given, Per what)
      : run(of),
        selection(narrowed),
        options(given),
        per(what),
        budget(compute_budget(of, narrowed, given)),
        chosen(of, narrowed),
        spread(of, chosen) {
    const Chunks& c = run.chunks;
    std::map<std::uint64_t, double>
        of_section;  // chunk and name: a section may occur several times in a chunk
    for (std::size_t i = 0; i < c.size(); ++i) {
      spread.add("", i, c.duration[i]);
      spread.add("dataset." + std::string(run.text(c.dataset[i])), i, c.duration[i]);
      if (c.file[i] != no_string)
        spread.add("host." + std::string(host_of(run.text(c.file[i]))), i, c.duration[i]);
    }
    for (const SectionValue& s : c.sections) {
      if (s.kind == SectionValue::Kind::seconds)
        of_section[std::uint64_t{s.name} << 32U | s.chunk] += s.value;
    }
    for (const auto& [key, seconds] : of_section)
      spread.add("section." + std::string(run.text(static_cast<StringId>(key >> 32U))),
                 key & 0xFFFFFFFFU, seconds);
    events = chosen.all ? total_events(run) : chosen.prorated_sum(c.events);
    scale = per == Per::absolute         ? 1
            : per == Per::million_events ? ratio(1e6, events)
                                         : ratio(1, budget.available);
    relative = ratio(spread.of_sum(""), chosen.prorated_sum(c.duration));
    relative_per = per == Per::million_events
                       ? ratio(spread.per_event("") * chosen.prorated_sum(c.events),
                               chosen.prorated_sum(c.duration))
                       : relative;
  }

  /// Core-seconds as compared, with the spread of the chunks that `group` names; "" = that of all.
  Side seconds(double core_seconds, const std::string& group = {}) const {
    Side side;
    side.value = core_seconds * scale;
    const double own =
        per == Per::million_events ? spread.per_event(group) * 1e6 : spread.of_sum(group) * scale;
    side.noise = group.empty() || is_absent(own) ? std::fabs(side.value) * relative_per : own;
    return side;
  }
};

/// What one run has of a group, by the name under which the other run's is looked for.
using Amounts = std::map<std::string, Side>;

class Changes {
 public:
  explicit Changes(std::string unit) : unit_(std::move(unit)) {}

  void add(Compared row) { rows_.push_back(std::move(row)); }

  /// A group whose rows add up to its total; nothing when neither run has any.
  void add_group(const std::string& group, const std::string& what, const Amounts& a,
                 const Amounts& b, std::size_t most = ~std::size_t{0}) {
    if (a.empty() && b.empty()) return;
    if (a.empty() || b.empty()) {
      not_compared_ += (not_compared_.empty() ? "" : "; ") + what + ": only " +
                       (a.empty() ? "B" : "A") + " has them";
      return;
    }
    std::vector<Compared> rows;
    Compared total = row_of(group, "total", {0, 0, {}}, {0, 0, {}});
    total.label = "All " + what;
    const auto sum = [](Side& into, const Side& part) {
      into.value += value_or(part.value, 0);
      into.noise = std::sqrt(into.noise * into.noise + part.noise * part.noise);
    };
    for (const auto& [name, side] : a) {
      const auto other = b.find(name);
      rows.push_back(row_of(group, name, side, other == b.end() ? Side{} : other->second));
    }
    for (const auto& [name, side] : b) {
      if (!a.contains(name)) rows.push_back(row_of(group, name, Side{}, side));
    }
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
      Compared rest = row_of(group, "rest", {0, 0, {}}, {0, 0, {}});
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

  const std::vector<Compared>& all() const { return rows_; }
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

// Rates and times of process() vary as its chunks do.
double headline_noise(const Headline& h, const One& one) {
  switch (h.noise) {
    case Noise::none: return 0;
    case Noise::chunks: return std::fabs(h.value) * one.relative;
    case Noise::unknown: break;
  }
  return absent;
}

void add_headlines(const One& a, const One& b, Changes& rows) {
  const std::vector<Headline> of_a = headlines(a.run, a.selection, a.options);
  const std::vector<Headline> of_b = headlines(b.run, b.selection, b.options);
  // Both lists are the same headlines in the same order.
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (is_absent(of_a[i].value) && is_absent(of_b[i].value)) continue;
    Compared row{.id = of_a[i].id,
                 .group = "summary",
                 .label = of_a[i].label,
                 .unit = of_a[i].unit,
                 .a = {of_a[i].value, headline_noise(of_a[i], a), {}},
                 .b = {of_b[i].value, headline_noise(of_b[i], b), {}},
                 .better = of_a[i].better,
                 .note = {}};
    if (is_absent(row.a.value) || is_absent(row.b.value)) {
      const bool in_a = is_absent(row.a.value);
      const std::string& why = in_a ? of_a[i].note : of_b[i].note;
      row.note =
          std::string("not recorded in ") + (in_a ? "A" : "B") + (why.empty() ? "" : ": " + why);
    } else if (is_absent(row.noise())) {
      row.note = "nothing in the runs tells by how much this varies";
    }
    rows.add(std::move(row));
  }
  // Opening files and building events is paid per execution: smaller chunks pay it more often.
  const auto outside = [](const One& one) {
    const StringId processor = find_processor(one.run, one.options).prefix;
    const LostWork lost = find_lost_work(one.run, processor, execute_seconds(one.run, processor));
    const double executions =
        is_absent(lost.executions) ? recorded_num_chunks(one.run) : lost.executions;
    const double seconds = one.selection.empty()
                               ? ratio(one.budget.of(BudgetPart::Kind::outside_process), executions)
                               : absent;
    return Side{seconds, seconds * one.relative, {}};
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

Amounts question_amounts(const One& one, const Question& question, const std::string& group,
                         const char* unnamed) {
  const Run* const run = &one.run;
  const Table table = question({&run, 1}, one.selection, {});
  Amounts amounts;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double seconds = table.number("seconds", row);
    const std::string name(table.text("name", row));
    if (is_absent(seconds)) continue;
    const std::string id = std::string(group).append(".").append(name);
    amounts[name.empty() ? unnamed : name] = one.seconds(seconds, id);
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

// Core-seconds of functions: samples x what a sample stands for. Their spread: that of a count, and
// that of the chunks.
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
    const auto add = [&](Amounts& into, double samples) {
      if (is_absent(samples) || !(samples > 0)) return;
      const Side side = one.seconds(samples * *per_sample);
      const double counted = std::sqrt(samples) * *per_sample * one.scale;
      Side& sum = into.try_emplace(name, Side{0, 0, {}}).first->second;
      sum.value += side.value;
      sum.noise = std::sqrt(sum.noise * sum.noise + counted * counted +
                            value_or(side.noise * side.noise, 0));
    };
    add(found.own, table.number("own", row));
    add(found.self, table.number("self", row) + table.number("unresolved", row));
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

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Per per = options.choice<Per>(per_option);
  const One a(*runs[0], selection, options_for(*runs[0], options), per);
  const One b(*runs[1], selection, options_for(*runs[1], options), per);
  Changes rows(unit_of(per));
  if (is_absent(a.scale) || is_absent(b.scale)) {
    throw Failure(
        ErrorCode::bad_option,
        "per=" + options.text(per_option) + ": " + (is_absent(a.scale) ? "A" : "B") +
            (per == Per::share ? " has no available core-time" : " has no number of events"));
  }
  for (Compared& row : compare_setup(a.run, b.run, selection, options)) rows.add(std::move(row));
  add_headlines(a, b, rows);
  rows.add_group("budget", "parts of the core-time", budget_amounts(a, "phase"),
                 budget_amounts(b, "phase"));
  std::map<std::string, std::string> labels;
  for (const One* one : {&a, &b}) {
    for (const BudgetPart& part : one->budget.parts) labels["budget." + part.id()] = part.label;
  }
  rows.relabel(labels);
  rows.add_group("dataset", "datasets",
                 question_amounts(a, datasets::question, "dataset", "unnamed"),
                 question_amounts(b, datasets::question, "dataset", "unnamed"));
  rows.add_group("section", "sections",
                 question_amounts(a, sections::question, "section", "unaccounted"),
                 question_amounts(b, sections::question, "section", "unaccounted"));
  rows.add_group("activity", "activities", budget_amounts(a, "activity", true),
                 budget_amounts(b, "activity", true));
  rows.add_group("host", "hosts", question_amounts(a, hosts::question, "host", "unnamed"),
                 question_amounts(b, hosts::question, "host", "unnamed"));
  const Profiled in_a = profile_amounts(a);
  const Profiled in_b = profile_amounts(b);
  rows.add_group("own", "your own functions", in_a.own, in_b.own);
  rows.add_group("frame", "functions", in_a.self, in_b.self, most_frames);

  const auto is_same = [](const Compared& row) {
    return std::fabs(row.delta()) <=
           rounding * std::max(std::fabs(row.a.value), std::fabs(row.b.value));
  };
  // Nothing changed is nothing noteworthy, whether the noise is known or not; nor is what rounding
  // leaves.
  const auto noteworthy = [&](const Compared& row) {
    const double change = row.delta();
    if (!row.a.text.empty() || !row.b.text.empty()) return row.a.text != row.b.text ? 1.0 : 0.0;
    if (row.group == "setup" && is_absent(change))
      return is_absent(row.a.value) != is_absent(row.b.value) ? 1.0 : 0.0;
    if (row.group == "setup") return !is_same(row) || !row.note.empty() ? 1.0 : 0.0;
    return is_same(row)                             ? 0.0
           : is_absent(row.noise())                 ? absent
           : std::fabs(change) > sure * row.noise() ? 1.0
                                                    : 0.0;
  };
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
  compared.number("noise", "", &Compared::noise,
                  "standard error of delta: bootstrap over the chunks of both runs");
  compared.flag("noteworthy", noteworthy,
                "|delta| > 2 x noise; set-up: not equal; missing where nothing tells the noise");
  compared.text("verdict", [&](const Compared& row) {
    const bool told =
        noteworthy(row) == 1 && row.better != Better::neither && !is_absent(row.delta());
    return !told ? "" : (row.delta() > 0) == (row.better == Better::higher) ? "better" : "worse";
  });
  compared.text("note", &Compared::note);
  table.note("a", a.run.title);
  table.note("b", b.run.title);
  table.note("noise",
             "from the spread of chunks: what drawing other chunks of the same kind would have "
             "changed (bootstrap). A machine that "
             "was busy with something else is not in it.");
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
    .about = "every number of two runs, and whether they differ",
    .options = {&facts::processor_option, &facts::per_option},
    .narrowed_by = all_dimensions,
    .min_runs = 2,
    .max_runs = 2,
    .function = answer,
};

}  // namespace crema::questions::compare
