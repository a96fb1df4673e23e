#include "core/compare/compared_rows.hpp"

#include "core/base/elementary.hpp"

namespace crema::compare {

namespace {

constexpr double nearly_all = 0.9;  // of the time in process(): it is process() by another name
constexpr std::size_t most_callers = 20;
/// Natural logarithm: no two machines of one kind differ in speed by half.
constexpr double much_faster = 0.4;

bool in_both(const ComparedNumber& row) {
  return !is_absent(row.a.value) && !is_absent(row.b.value);
}

/// The largest part that changed against the common factor; null where none did for certain.
const Cause* largest_part(const Explanation& e) {
  return first_where(e.causes, [](const Cause& cause) { return cause.kind == Cause::Kind::part; });
}

/// Own functions inside process(): what imports the analysis runs in none.
bool is_own_inside(const ComparedRows& compared, const RowId& id) {
  return id.group == RowGroup::own && id.kind == RowId::Kind::part &&
         ((compared.shown_a.empty() && compared.shown_b.empty()) || compared.shown_a.contains(id) ||
          compared.shown_b.contains(id));
}

/// The chance that all samples of a function fell into one run, where B has the share `of_b` of the
/// samples of anything that did not change. What is called for a while is seen several times: half
/// of the samples are no new ones.
double chance_of_one_side(const ComparedNumber& row, double of_b) {
  const Side& side = is_absent(row.b.value) ? row.a : row.b;
  const double samples = stats::squared(side.value / side.noise) / 2;
  return elementary::exp(samples * elementary::log(&side == &row.b ? of_b : 1 - of_b));
}

/// The two own functions that changed most against the common factor, the way that the largest part
/// did: with what they call, whose samples may be among their own. Of those that only one side has,
/// what is no renamed one.
struct ChangedMost {
  const ComparedNumber* first = nullptr;
  const ComparedNumber* second = nullptr;

  ChangedMost(const ComparedRows& compared, const std::vector<ComparedNumber>& rows, double factor,
              double core_time, const Cause* part) {
    double only = 0;
    for (const ComparedNumber& row : rows)
      only += row.id.group != RowGroup::own || in_both(row) ? 0 : row.delta();
    for (const ComparedNumber& row : rows) {
      if (!is_own_inside(compared, row.id)) continue;
      const double more = std::fabs(row.excess());
      const bool is_certain = in_both(row) ? row.errors_below > z_bonferroni
                                           : chance_of_one_side(row, factor / (1 + factor)) <
                                                 stats::p_value(z_bonferroni);
      const bool is_renamed = !in_both(row) && std::fabs(only) < more / 2;
      const bool is_other_way = part != nullptr && row.excess() * part->seconds < 0;
      if (is_renamed || is_other_way ||
          !(row.is_significant || (more >= least_share * core_time && is_certain)))
        continue;
      if (first == nullptr || more > std::fabs(first->excess()))
        second = std::exchange(first, &row);
      else if (second == nullptr || more > std::fabs(second->excess())) second = &row;
    }
  }
};

/// No dataset, section or place changed for certain: what all work has in common is all that is
/// known.
bool has_no_part(const Explanation& e) {
  return largest_part(e) == nullptr && e.speed.known() && e.speed.resized == 0;
}

/// What sections that changed the same way say; none where the largest part of the change is no
/// section's.
struct BySections {
  std::vector<SectionId> sections;
  double seconds = 0, error = 0;
};

BySections change_by_sections(const Explanation& e, double direction) {
  BySections found;
  const Cause* const first = largest_part(e);
  if (first == nullptr || !first->part.section) return found;
  for (const Cause& cause : e.causes) {
    const std::optional<SectionId>& section = cause.part.section;
    if (cause.kind != Cause::Kind::part || !section || cause.seconds * direction <= 0) continue;
    found.seconds += cause.seconds;
    found.error = elementary::hypot(found.error, cause.error);
    // a section can be a part of the cause in several datasets
    if (!contains(found.sections, *section)) found.sections.push_back(*section);
  }
  return found;
}

/// " (a.py)" of "f (a.py)"
std::string_view file_of(std::string_view function) {
  return function.substr(std::min(function.rfind(" ("), function.size()));
}

}  // namespace

double factor_beside_one(const ComparedRows& compared, const std::vector<ComparedNumber>& rows,
                         const Explanation& e) {
  const double events = more_events_in(e);
  const double all = elementary::log(ratio(e.b.process, e.a.process) / events);
  if (!has_no_part(e) || !(std::fabs(all) > much_faster)) return absent;
  double found = absent;
  double least = std::fabs(all) / 2;
  for (const ComparedNumber& row : rows) {
    if (!is_own_inside(compared, row.id) || !in_both(row)) continue;
    const double rest = ratio(e.b.process - row.b.value, e.a.process - row.a.value);
    const double error = elementary::hypot(row.b.noise, rest * row.a.noise);
    if (!(rest > 0) || !(std::fabs(row.b.value - rest * row.a.value) > z_bonferroni * error))
      continue;
    const double factor = elementary::log(rest / events);
    if (std::fabs(factor) >= least) continue;
    least = std::fabs(factor);
    found = factor;
  }
  return found;
}

namespace {

/// Adds it as a cause, where it is certain.
void add_function(const ComparedRows& compared, const std::vector<ComparedNumber>& rows,
                  double factor, double core_time, Explanation& e) {
  const bool is_alone = has_no_part(e);
  const ChangedMost changed(compared, rows, factor, core_time, largest_part(e));
  const ComparedNumber* const most = changed.first;
  if (most == nullptr) return;
  const auto of = [](const Subtrees& all, const std::string& name) {
    const Side* const found = found_in(all, name);
    return found == nullptr ? Side{.value = 0} : *found;
  };
  double whole = 0;
  for (const auto& [name, part] : compared.functions_b) whole = std::max(whole, part.value);
  const BySections by_sections = change_by_sections(e, most->excess());
  std::string name = most->id.name;
  // What only B has is named by its outermost function in the same file.
  for (std::size_t climbed = 0; climbed < most_callers && is_absent(most->a.value); ++climbed) {
    const std::string by = of(compared.functions_b, name).text;
    const std::string caller = by.substr(0, by.find('\n'));
    if (caller.size() + 1 != by.size() || file_of(caller) != file_of(name) ||
        compared.functions_a.contains(caller))
      break;
    name = caller;
  }
  const std::string outermost = name;
  for (std::size_t climbed = 0; climbed < most_callers; ++climbed) {
    const Side a = of(compared.functions_a, name);
    const Side b = of(compared.functions_b, name);
    const std::string& callers = a.text.empty() ? b.text : a.text;
    const std::vector<std::string_view> lines = split(callers, "\n");
    const bool is_itself = name == outermost;
    // where no other part has a name, what the function leaves is the rest
    const double rest = is_alone ? ratio(e.b.process - b.value, e.a.process - a.value) : absent;
    const double pace = rest > 0 ? rest : factor;
    // what B does not have took what it took, at A's own pace
    const double times = is_itself && is_absent(most->b.value) ? 1 : pace;
    Cause cause{.kind = Cause::Kind::function,
                .seconds = b.value - times * a.value,
                .low = b.value - times * (a.value + a.unclear),
                .high = b.value + b.unclear - times * a.value,
                .function = {.name = name, .callers = {lines.begin(), lines.end()}}};
    const double counted = value_or(most->b.noise, most->a.noise);
    if (!is_itself) cause.function.likely = outermost;
    else if (name == most->id.name) cause.error = value_or(most->noise, counted);
    else {
      cause.error = counted * std::sqrt(b.value / most->b.value);
      cause.function.likely = most->id.name;
    }
    cause.function.only_in_b = is_itself && is_absent(most->a.value);
    cause.function.only_in_a = is_itself && is_absent(most->b.value);
    const bool is_all = b.value >= nearly_all * whole;
    if (!is_all && cause.low * cause.high <= 0 &&
        std::count(callers.begin(), callers.end(), '\n') == 1) {
      name = callers.substr(0, callers.size() - 1);
      continue;
    }
    const double most_by_sections =
        std::fabs(by_sections.seconds) + z_bonferroni * by_sections.error;
    if (is_all && is_itself && changed.second != nullptr)
      cause.function.likely = changed.second->id.name;
    if (is_all) {
      cause.low = cause.high = absent;
      cause.seconds = by_sections.seconds;
      cause.error = by_sections.error;
    } else if (cause.low * cause.high <= 0) {
      return;
    }
    const double sampled = z_bonferroni * value_or(cause.error, counted);
    if (is_all || std::fabs(cause.seconds) - sampled <= most_by_sections)
      cause.function.sections = by_sections.sections;
    if (is_alone && std::fabs(cause.seconds) < sampled) return;
    if (rest > 0 && !is_all) {
      e.speed.factor = elementary::log(rest / more_events_in(e));
      double& evenly = e.causes.front().seconds;
      e.causes.back().seconds += evenly;
      evenly = e.a.process * elementary::expm1(e.speed.factor);
      e.causes.back().seconds -= evenly;
    }
    if (!cause.function.sections.empty()) {
      for (double* bound : {&cause.low, &cause.high})
        *bound =
            is_absent(*bound) ? absent : std::clamp(*bound, -most_by_sections, most_by_sections);
      cause.seconds = std::clamp(cause.seconds, -most_by_sections, most_by_sections);
    } else if (!is_paced(e)) {
      // judged beyond the common factor; told as the change that the function itself shows
      const double by_factor = (times - 1) * a.value;
      for (double* amount : {&cause.seconds, &cause.low, &cause.high}) *amount += by_factor;
    }
    if (is_all && cause.function.sections.empty()) return;
    e.causes.push_back(std::move(cause));
    if (e.causes.size() > 1) std::iter_swap(e.causes.end() - 1, e.causes.end() - 2);
    return;
  }
}

/// Whether all that is named are sections, which changed the same way and certainly less than the
/// function did: then what it took more in each of them, and in others, is its own.
bool takes_sections(const ComparedNumber& function, const Explanation& e) {
  double seconds = 0, error = 0;
  for (const Cause& cause : e.causes) {
    if (cause.kind != Cause::Kind::part) continue;
    if (cause.part.id.kind != PartId::Kind::section || cause.seconds * function.excess() <= 0)
      return false;
    seconds += cause.seconds;
    error = elementary::hypot(error, cause.error);
  }
  error += value_or(function.noise, value_or(function.b.noise, function.a.noise));
  return std::fabs(function.excess()) > (1 + alike) * std::fabs(seconds) + z_bonferroni * error;
}

}  // namespace

void add_changed_function(const ComparedRows& compared, const std::vector<ComparedNumber>& rows,
                          double factor, double core_time, Explanation& e) {
  const ChangedMost changed(compared, rows, factor, core_time, largest_part(e));
  if (changed.first != nullptr && largest_part(e) != nullptr && takes_sections(*changed.first, e)) {
    Explanation alone = e;
    for (const Cause& cause : e.causes)
      if (cause.kind == Cause::Kind::part) alone.causes.back().seconds += cause.seconds;
    std::erase_if(alone.causes, [](const Cause& cause) { return cause.kind == Cause::Kind::part; });
    add_function(compared, rows, factor, core_time, alone);
    if (any_of(alone.causes,
               [](const Cause& cause) { return cause.kind == Cause::Kind::function; })) {
      e = std::move(alone);
      return;
    }
  }
  add_function(compared, rows, factor, core_time, e);
}

}  // namespace crema::compare
