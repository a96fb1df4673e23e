#include "core/compare/compared_rows.hpp"

#include "core/base/order.hpp"
#include "core/profile/profile.hpp"

namespace crema::compare {

using namespace profile;
using namespace runtime;

namespace {

constexpr std::size_t most_frames = 200;  // rows of group "frame"; the rest is one row

/// The mean over the runs that have a value.
Side mean_of(const std::vector<Side>& runs) {
  Side mean;
  double squares = 0;
  for (const Side& run : runs) {
    if (is_absent(run.value)) continue;
    mean.runs.push_back(run.value);
    squares += value_or(run.noise * run.noise, 0);
    mean.unclear += run.unclear;
    if (mean.text.empty()) mean.text = run.text;
  }
  const auto count = static_cast<double>(mean.runs.size());
  mean.value = moments(mean.runs).mean;
  mean.unclear /= std::max(count, 1.0);
  if (squares > 0) mean.noise = std::sqrt(squares) / count;
  return mean;
}

/// What one side has of each part of a group.
using Amounts = std::map<RowId, Side>;

/// Means over the runs that have the group: of these, one that lacks a part spent nothing in it.
template <class Id>
std::map<Id, Side> means_of(const std::vector<std::map<Id, Side>>& runs) {
  std::map<Id, std::vector<Side>> sides;
  std::size_t measured = 0;
  for (const std::map<Id, Side>& run : runs) {
    for (const auto& [id, side] : run) {
      std::vector<Side>& all = sides[id];
      all.resize(measured, Side{.value = 0});
      all.push_back(side);
    }
    if (!run.empty()) ++measured;
  }
  std::map<Id, Side> means;
  for (auto& [id, all] : sides) {
    all.resize(measured, Side{.value = 0});
    means[id] = mean_of(all);
  }
  return means;
}

template <class Question>
Amounts amounts_of(ComparedSide side, Question&& question) {
  std::vector<Amounts> runs;
  for (const ComparedRun& one : side) runs.push_back(question(one));
  return means_of(runs);
}

struct Changes {
  std::string unit;
  std::vector<ComparedNumber> rows{};
  std::vector<OnlyOneSide> not_compared{};

  /// A group whose rows add up to its total; nothing when neither run has any.
  void add_group(RowGroup group, const Amounts& a, const Amounts& b, Noise source,
                 std::size_t most = ~std::size_t{0}) {
    if (a.empty() && b.empty()) return;
    if (a.empty() || b.empty()) {
      not_compared.push_back({group, !a.empty()});
      return;
    }
    std::vector<ComparedNumber> parts;
    const Side nothing{.value = 0};
    ComparedNumber total = row_of({group, RowId::Kind::total}, nothing, nothing);
    // Each is as the whole run is, where its parts are judged against that.
    total.source = source == Noise::unknown ? source : Noise::run;
    const auto add = [](ComparedNumber& sum, const ComparedNumber& row) {
      for (Side ComparedNumber::*side : {&ComparedNumber::a, &ComparedNumber::b}) {
        const Side& part = row.*side;
        if (is_absent(part.value)) continue;
        Side& into = sum.*side;
        into.value += part.value;
        into.runs.resize(std::max(into.runs.size(), part.runs.size()));
        for (std::size_t i = 0; i < part.runs.size(); ++i) into.runs[i] += part.runs[i];
      }
    };
    for (const auto& [id, side] : a) {
      const auto other = b.find(id);
      parts.push_back(row_of(id, side, other == b.end() ? Side{} : other->second));
    }
    for (const auto& [id, side] : b) {
      if (!a.contains(id)) parts.push_back(row_of(id, Side{}, side));
    }
    for (ComparedNumber& row : parts) {
      row.source = source;
      add(total, row);
    }
    sort_stably(parts, [](const ComparedNumber& x, const ComparedNumber& y) {
      const double dx = std::fabs(x.delta());
      const double dy = std::fabs(y.delta());
      return dx != dy ? dx > dy : x.id < y.id;
    });
    if (parts.size() > most) {
      ComparedNumber rest = row_of({group, RowId::Kind::others}, nothing, nothing);
      rest.parts = parts.size() - most;
      for (std::size_t i = most; i < parts.size(); ++i) add(rest, parts[i]);
      parts.resize(most);
      parts.push_back(std::move(rest));
    }
    rows.push_back(std::move(total));
    std::move(parts.begin(), parts.end(), std::back_inserter(rows));
  }

 private:
  ComparedNumber row_of(const RowId& id, Side a, Side b) const {
    ComparedNumber row{.id = id,
                       .unit = unit,
                       .a = std::move(a),
                       .b = std::move(b),
                       .better = Better::lower,
                       .adds_up = true};
    if (is_absent(row.a.value)) row.note.kind = RowNote::Kind::only_in_b;
    if (is_absent(row.b.value)) row.note.kind = RowNote::Kind::only_in_a;
    return row;
  }
};

void add_headlines(ComparedSide a, ComparedSide b, std::vector<ComparedNumber>& rows) {
  const auto of = [](ComparedSide side) {
    std::vector<std::vector<Headline>> lists;
    for (const ComparedRun& one : side)
      lists.push_back(headlines(one.run, one.selection, one.options));
    return lists;
  };
  const auto of_a = of(a);
  const auto of_b = of(b);
  const auto side = [](const std::vector<std::vector<Headline>>& lists, std::size_t i) {
    std::vector<Side> runs;
    for (const auto& list : lists) runs.push_back({.value = list[i].value});
    return mean_of(runs);
  };
  // All lists are the same headlines in the same order.
  for (std::size_t i = 0; i < of_a[0].size(); ++i) {
    const Headline& headline = of_a[0][i];
    ComparedNumber row{.id = {.name = headline.id},
                       .label = headline.label,
                       .unit = headline.unit,
                       .a = side(of_a, i),
                       .b = side(of_b, i),
                       .better = headline.better,
                       .source = headline.noise};
    if (is_absent(row.a.value) && is_absent(row.b.value)) continue;
    if (is_absent(row.a.value) || is_absent(row.b.value)) {
      const bool in_a = is_absent(row.a.value);
      row.note.kind = in_a ? RowNote::Kind::not_recorded_in_a : RowNote::Kind::not_recorded_in_b;
      row.note.why = in_a ? headline.note : of_b[0][i].note;
    }
    rows.push_back(std::move(row));
  }
  // Opening files and building events is paid per execution: smaller chunks pay it more often.
  const auto outside = [](ComparedSide runs) {
    std::vector<Side> sides;
    for (const ComparedRun& one : runs) {
      const StringId processor = find_processor(one.run, one.options).prefix;
      const LostWork lost = find_lost_work(one.run, processor, execute_seconds(one.run, processor));
      const double executions =
          is_absent(lost.executions) ? recorded_num_chunks(one.run) : lost.executions;
      const double seconds = one.budget.of(BudgetPart::Kind::outside_process);
      sides.push_back({.value = one.selection.empty() ? ratio(seconds, executions) : absent});
    }
    return mean_of(sides);
  };
  ComparedNumber row{.id = {.name = "outside_process_per_execution"},
                     .unit = "s",
                     .a = outside(a),
                     .b = outside(b),
                     .better = Better::lower};
  if (!is_absent(row.a.value) || !is_absent(row.b.value)) rows.push_back(std::move(row));
}

RowId part(RowGroup group, std::string_view name) {
  return {group, RowId::Kind::part, std::string(name)};
}

template <RowGroup group>
Amounts budget_amounts(const ComparedRun& one) {
  const bool is_phase = group == RowGroup::budget;
  Amounts amounts;
  for (const BudgetPart& of : one.budget.parts) {
    if (of.split() == (is_phase ? "phase" : "activity") && !is_absent(of.core_seconds))
      amounts[part(group, is_phase ? of.id() : of.label)] = one.seconds(of.core_seconds);
  }
  return amounts;
}

/// Folders differ between machines: of the user's files the name counts, of libraries the path
/// within them.
std::string function_name(const FrameFacts& facts, FrameId frame) {
  std::string_view file = facts.file[frame];
  if (facts.category[frame] == Category::analysis)
    file = file.substr(std::min(file.rfind('/') + 1, file.size()));
  return facts.name[frame] + (file.empty() ? "" : " (" + std::string(file) + ")");
}

struct Profiled {
  Amounts own, self, shown;
  Subtrees under;
};

// Core-seconds of functions: samples x what a sample stands for. Their noise: that of a count, and
// of samples that may be another function's.
Profiled profile_amounts(const ComparedRun& one) {
  Profiled found;
  const FlameChoice choice = flame_choice(one.run, one.selection, {});
  if (choice.profile == nullptr) return found;
  const double unit = seconds_per_count(one.run, *choice.profile) * one.scale;
  const double samples_of_one = samples_per_count(*choice.profile);
  if (is_absent(unit) || !(samples_of_one > 0)) return found;
  // Where the time in process() is known, its samples are all of it, as in the tree of core-time.
  const auto shares = profile_shares(one.run, one.selection);
  const double process = one.budget.of(BudgetPart::Kind::inside_process) * one.scale;
  const double of_process = shares == nullptr ? absent : ratio(process, shares->inside);
  const double inside = value_or(of_process * samples_of_one, unit);
  const auto functions = functions_in(one.run, choice);
  const auto callers = main_callers_in(one.run, choice);
  const std::shared_ptr<const FrameFacts> facts = flame_tree(one.run, choice)->facts;
  for (std::size_t i = 0; i < functions->size(); ++i) {
    const FrameId frame = functions->frame[i];
    const std::string name = function_name(*facts, frame);
    const auto add = [&](RowGroup group, double counted, double noise, double unclear) {
      if (!(counted > 0)) return;
      const bool is_own = group == RowGroup::own;
      const double stands_for = is_own ? inside : unit;
      Amounts& into = is_own ? found.own : found.self;
      Side& sum = into.try_emplace(part(group, name), Side{.value = 0, .noise = 0}).first->second;
      sum.value += counted * stands_for;
      sum.noise = std::sqrt(sum.noise * sum.noise +
                            (counted / samples_of_one + noise) * stands_for * stands_for);
      sum.unclear += unclear * stands_for;
    };
    const double open = functions->unresolved[i];
    add(RowGroup::frame, functions->self[i] + open, open * open / 12, 0);
    if (facts->category[frame] != Category::analysis) continue;
    add(RowGroup::own, functions->own[i], 0, functions->unclear[i]);
    Side& under = found.under.try_emplace(name, Side{.value = 0}).first->second;
    under.value += functions->total[i] * inside;
    under.unclear += (functions->self_max[i] - functions->self_min[i]) * inside;
    const FrameId caller = (*callers)[frame];
    const std::string by = caller == frame ? "" : function_name(*facts, caller) + "\n";
    if (("\n" + under.text).find("\n" + by) == std::string::npos) under.text += by;
  }
  if (shares == nullptr || is_absent(process)) return found;
  for (const ProfileShares::Owner& owner : shares->owners) {
    if (!owner.inside) continue;
    const std::string name = function_name(*shares->facts, owner.frame);
    found.shown.try_emplace(part(RowGroup::own, name), Side{.value = 0}).first->second.value +=
        owner.samples.count * of_process;
  }
  return found;
}

}  // namespace

std::string unit_of(Per per) {
  return per == Per::absolute ? "s" : per == Per::million_events ? "s/10⁶ events" : "1";
}

ComparedRun::ComparedRun(const Run& of, const Selection& narrowed, const Options& given, Per per)
    : run(of), selection(narrowed), options(given), budget(compute_budget(of, narrowed, given)) {
  const ChunkSelection chosen(of, narrowed);
  parts = part_seconds(of, chosen);
  events = chosen.all ? total_events(run) : chosen.prorated_sum(run.chunks.events);
  scale = per == Per::absolute         ? 1
          : per == Per::million_events ? ratio(1e6, events)
                                       : ratio(1, budget.available);
}

Side ComparedRun::seconds(double core_seconds) const { return {.value = core_seconds * scale}; }

ComparedRows compared_rows(ComparedSide a, ComparedSide b, Per per) {
  Changes made{unit_of(per)};
  add_headlines(a, b, made.rows);
  const auto add_group = [&](RowGroup group, Noise source, auto&& amounts) {
    made.add_group(group, amounts_of(a, amounts), amounts_of(b, amounts), source);
  };
  add_group(RowGroup::budget, Noise::unknown, budget_amounts<RowGroup::budget>);
  for (ComparedNumber& row : made.rows) {
    if (row.id.group != RowGroup::budget) continue;
    if (row.id.name == "inside_process" || row.id.kind == RowId::Kind::total)
      row.source = Noise::run;
    for (const ComparedSide side : {a, b}) {
      for (const ComparedRun& one : side) {
        for (const BudgetPart& phase : one.budget.parts)
          if (row.id == part(RowGroup::budget, phase.id())) row.label = phase.label;
      }
    }
  }
  add_group(RowGroup::dataset, Noise::chunks, [](const ComparedRun& one) {
    Amounts amounts;
    for (const DatasetSeconds& dataset : one.parts.datasets)
      amounts[part(RowGroup::dataset, dataset.name)] = one.seconds(dataset.seconds);
    return amounts;
  });
  add_group(RowGroup::section, Noise::chunks, [](const ComparedRun& one) {
    Amounts amounts;
    for (const SectionSeconds& section : one.parts.sections)
      amounts[row_of(section.id)] = one.seconds(section.seconds);
    return amounts;
  });
  const auto nested = [](const ComparedRun& one) { return one.parts.overlap; };
  if (any_of(a, nested) || any_of(b, nested)) {
    for (ComparedNumber& row : made.rows) {
      if (row.id.group != RowGroup::section || row.id.kind != RowId::Kind::total) continue;
      row.a = row.b = {};
      row.adds_up = false;
    }
  }
  add_group(RowGroup::activity, Noise::unknown, budget_amounts<RowGroup::activity>);
  add_group(RowGroup::host, Noise::chunks, [](const ComparedRun& one) {
    Amounts amounts;
    for (const auto& [host, seconds] : one.parts.hosts)
      amounts[part(RowGroup::host, host)] = one.seconds(seconds);
    return amounts;
  });
  const auto profiles = [](ComparedSide side) {
    std::vector<Amounts> own, self, shown;
    std::vector<Subtrees> under;
    for (const ComparedRun& one : side) {
      Profiled found = profile_amounts(one);
      own.push_back(std::move(found.own));
      self.push_back(std::move(found.self));
      shown.push_back(std::move(found.shown));
      under.push_back(std::move(found.under));
    }
    return Profiled{means_of(own), means_of(self), means_of(shown), means_of(under)};
  };
  const Profiled in_a = profiles(a);
  const Profiled in_b = profiles(b);
  made.add_group(RowGroup::own, in_a.own, in_b.own, Noise::samples);
  made.add_group(RowGroup::frame, in_a.self, in_b.self, Noise::samples, most_frames);
  return {std::move(made.rows), std::move(made.not_compared),
          in_a.under,           in_b.under,
          in_a.shown,           in_b.shown};
}

void show_as_in_tree(const ComparedRows& compared, double factor,
                     std::vector<ComparedNumber>& rows) {
  if (compared.shown_a.empty() || compared.shown_b.empty()) return;
  ComparedNumber* total = nullptr;
  for (ComparedNumber& row : rows) {
    if (row.id.group != RowGroup::own) continue;
    if (row.id.kind == RowId::Kind::total) {
      total = &row;
      total->a.value = total->b.value = 0;
      continue;
    }
    const auto show = [&](Side& side, const std::map<RowId, Side>& shown, Side& sum) {
      if (is_absent(side.value)) return;
      const auto found = shown.find(row.id);
      side.value = found == shown.end() ? 0 : found->second.value;
      sum.value += side.value;
    };
    show(row.a, compared.shown_a, total->a);
    show(row.b, compared.shown_b, total->b);
    if (!is_absent(row.expected)) row.expected = row.a.value * factor;
  }
}

}  // namespace crema::compare
