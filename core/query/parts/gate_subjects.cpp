#include "core/query/parts/gate_subjects.hpp"

#include <algorithm>
#include <array>

#include "core/base/nearest.hpp"
#include "core/base/text.hpp"
#include "core/compare/comparison.hpp"
#include "core/model/stored_names.hpp"

namespace crema::query {

using namespace compare;

namespace {

/// How `compare` cuts the core-time.
constexpr std::array<std::string_view, 7> groups = {"budget", "dataset", "section", "activity",
                                                    "host",   "own",     "frame"};

/// What a rule on a group can be about, in the order of Per and its names.
constexpr std::array<std::string_view, 3> measures = {"seconds", "seconds_per_million_events",
                                                      "share"};

/// The number under its name of today: keys of older and nested schemas of metrics.json are taken.
std::string_view current_id(std::string_view id) {
  const StoredName flat = flat_name(id);
  return flat.old_flat ? flat.id : nested_name(id).id;
}

[[noreturn]] void refuse_subject(const GateRule& rule, const std::string& why,
                                 const std::string& instead) {
  refuse_rule(rule, rule.subject_at, rule.subject_end, why,
              instead.empty() ? rule.subject : instead);
}

bool is_group(std::string_view name) {
  return std::find(groups.begin(), groups.end(), name) != groups.end();
}

/// The names in a group, as `compare` has them, in its order.
std::vector<std::string> names_in(const GateSubjects& in, const std::string& group) {
  std::vector<std::string> names;
  for (std::size_t row = 0; row < in.compared.rows(); ++row) {
    const std::string_view id = in.compared.text("id", row);
    if (in.compared.text("group", row) != group || id == group + ".total" || id == group + ".rest")
      continue;
    names.emplace_back(id.substr(group.size() + 1));
  }
  return names;
}

/// Whether there can be a number of that id, recorded or not.
bool is_known(const GateSubjects& in, const std::string& id) {
  if (in.compared.row_of("id", id) < in.compared.rows() || in.headlines.contains(id)) return true;
  const std::string group = id.substr(0, id.find('.'));
  // Where a run has nothing of a group, nobody knows the names in it.
  return id.find('.') != std::string::npos && is_group(group) && names_in(in, group).empty();
}

[[noreturn]] void refuse_id(const GateSubjects& in, const GateRule& rule, const std::string& id) {
  std::vector<std::string_view> known;
  for (const auto& [name, headline] : in.headlines) known.push_back(name);
  for (std::size_t row = 0; row < in.compared.rows(); ++row) {
    if (in.compared.text("group", row) != "summary") known.push_back(in.compared.text("id", row));
  }
  const std::string meant(nearest(id, known));
  if (meant.empty())
    refuse_subject(rule, "there is no number \"" + id + "\"; crema ask A B compare lists them",
                   "event_rate_core_khz");
  refuse_subject(rule, "there is no number \"" + id + "\"; did you mean " + meant + "?",
                 quoted_subject(meant));
}

[[noreturn]] void refuse_name(const GateRule& rule, const std::string& group,
                              const std::string& rest, const std::vector<std::string>& names) {
  std::vector<std::string> forms = names;
  for (const std::string& name : names) {
    for (const std::string_view measure : measures)
      forms.push_back(name + "." + std::string(measure));
  }
  const std::vector<std::string_view> known(forms.begin(), forms.end());
  const std::vector<std::string_view> listed(names.begin(), names.end());
  const std::string meant(nearest(rest, known));
  refuse_subject(rule, "no " + group + " " + not_among(rest, listed),
                 quoted_subject(group + ":" + (meant.empty() ? names.front() : meant)));
}

std::vector<GateSubject> group_subjects(const GateSubjects& in, const GateRule& rule,
                                        const std::string& group, const std::string& rest) {
  if (!is_group(group)) {
    const std::string meant(nearest(group, groups));
    refuse_subject(rule, "no group " + not_among(group, groups),
                   quoted_subject((meant.empty() ? "dataset" : meant) + ":" + rest));
  }
  std::size_t measure = 0;
  std::string name = rest;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const std::string end = "." + std::string(measures[i]);
    if (rest.size() <= end.size() || !rest.ends_with(end)) continue;
    measure = i;
    name = rest.substr(0, rest.size() - end.size());
  }
  const std::vector<std::string> names = names_in(in, group);
  std::vector<std::string> chosen;
  if (name == "*") {
    chosen = names;
  } else if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) {
    chosen = {name};
  } else {
    refuse_name(rule, group, rest, names);
  }
  if (chosen.empty()) chosen = {name};
  std::vector<GateSubject> subjects;
  for (const std::string& one : chosen) {
    GateSubject subject{group + " " + one, group + ":" + one + "." + std::string(measures[measure]),
                        group + "." + one, in.selection,
                        std::string(split(per_names, ",")[measure])};
    // Per event of its own: the run's other events say nothing about a dataset.
    if (static_cast<Per>(measure) == Per::million_events) {
      if (group == "dataset") subject.selection.datasets = {one == "unnamed" ? "" : one};
      if (group == "host") subject.selection.hosts = {one};
    }
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

}  // namespace

std::string quoted_subject(const std::string& name) {
  return name.find_first_of("<>=!;#") == std::string::npos &&
                 name.find(" not ") == std::string::npos
             ? name
             : "\"" + name + "\"";
}

std::vector<GateSubject> GateSubjects::of(const GateRule& rule) const {
  const auto colon = rule.subject.find(':');
  if (colon != std::string::npos && rule.subject.find('.') > colon)
    return group_subjects(*this, rule, rule.subject.substr(0, colon),
                          rule.subject.substr(colon + 1));
  GateSubject subject{{}, rule.subject, std::string(current_id(rule.subject)), selection, per};
  if (const auto dot = subject.id.find('.'); dot != std::string::npos)
    if (is_group(subject.id.substr(0, dot)))
      subject.group = subject.id.substr(0, dot) + " " + subject.id.substr(dot + 1);
  if (!is_known(*this, subject.id)) refuse_id(*this, rule, subject.id);
  return {std::move(subject)};
}

}  // namespace crema::query
