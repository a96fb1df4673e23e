#include "core/profile/frames.hpp"

#include <optional>
#include <tuple>

#include "core/base/collect.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/profile/transform.hpp"

namespace crema::profile {

namespace {

// Fills `same_as` and `rank` from name, file and line.
void identify(FrameFacts& facts) {
  const std::size_t n = facts.size();
  const auto identity = [&](FrameId i) {
    return std::tuple(std::string_view(facts.name[i]), std::string_view(facts.file[i]),
                      facts.line[i]);
  };
  const std::vector<FrameId> order =
      places_in_order(n, [&](FrameId a, FrameId b) { return identity(a) < identity(b); });
  facts.same_as.resize(n);
  facts.rank.resize(n);
  for (std::size_t place = 0; place < n; ++place) {
    const FrameId frame = order[place];
    const bool repeats = place > 0 && identity(order[place - 1]) == identity(frame);
    facts.same_as[frame] = repeats ? facts.same_as[order[place - 1]] : frame;
    facts.rank[frame] = static_cast<std::uint32_t>(place);
  }
}

/// Whose frame it is, for who does not look into libraries; "" = a frame to be looked at.
std::string library_of(const FrameFacts& facts, std::size_t i) {
  const Category whose = facts.category[i];
  if (whose == Category::analysis || facts.file[i].empty()) return {};
  if (whose == Category::stdlib || whose == Category::native) return std::string(name_of(whose));
  return package_of(facts.file[i]);
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = as_small(c);
  return result;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string function_text(const FrameFacts& facts, FrameId f) {
  std::string text = facts.name[f];
  if (!facts.file[f].empty()) text += "@" + facts.file[f];
  if (facts.line[f] > 0) text += ":" + std::to_string(facts.line[f]);
  return text;
}

}  // namespace

FrameFacts frame_facts(const Names& names) {
  const FrameTable& frames = names.frames;
  const std::size_t n = frames.size();
  FrameFacts facts;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string_view file = names.strings[frames.file[i]];
    facts.name.emplace_back(names.strings[frames.name[i]]);
    facts.file.push_back(normalised_path(file));
    facts.line.push_back(frames.first_line[i]);
    facts.category.push_back(category_of(file));
  }
  facts.name.emplace_back(unresolved_label);
  facts.file.emplace_back();
  facts.line.push_back(0);
  facts.category.push_back(Category::other);
  identify(facts);
  return facts;
}

std::string place_of(const FrameFacts& facts, FrameId frame) {
  const std::string& file = facts.file[frame];
  if (file.empty()) return facts.name[frame];
  const bool is_own = facts.category[frame] == Category::analysis;
  std::string place{is_own ? base_name(file) : file};
  if (facts.line[frame] > 0) place += ":" + std::to_string(facts.line[frame]);
  return facts.name[frame] + " (" + place + ")";
}

FrameFacts grouped(const FrameFacts& facts, Grouping by, std::string_view open) {
  FrameFacts groups = facts;
  const std::vector<std::string_view> opened = split(open, ",");
  groups.recorded = by == Grouping::library;
  for (std::size_t i = 0; i + 1 < facts.size(); ++i) {
    if (by == Grouping::library) {
      std::string library = library_of(facts, i);
      if (library.empty() || contains(opened, library)) continue;
      groups.file[i] = library + "/";
      groups.name[i] = std::move(library);
      groups.line[i] = 0;
      continue;
    }
    groups.line[i] = 0;
    if (by == Grouping::function) continue;
    groups.file[i].clear();
    if (by == Grouping::category) {
      groups.name[i] = name_of(facts.category[i]);
    } else if (facts.file[i].empty()) {
      groups.name[i] = "(no file)";
    } else {
      groups.name[i] = by == Grouping::package ? package_of(facts.file[i]) : facts.file[i];
    }
  }
  identify(groups);
  return groups;
}

std::vector<bool> frames_matching(const FrameFacts& facts, std::string_view pattern) {
  const std::size_t n = facts.size();
  std::vector<bool> matching(n, false);
  if (take_prefix(pattern, "function=")) {
    for (FrameId f = 0; f < n; ++f) matching[f] = function_text(facts, f) == pattern;
    return matching;
  }
  const bool by_name = take_prefix(pattern, "name=");
  const bool by_file = !by_name && take_prefix(pattern, "file=");
  const bool by_category = !by_name && !by_file && take_prefix(pattern, "category=");
  const bool by_package = !by_name && !by_file && !by_category && take_prefix(pattern, "package=");
  if (pattern.empty()) return matching;

  std::optional<Regex> expression;
  if (pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/')
    expression.emplace(pattern.substr(1, pattern.size() - 2));
  const std::string needle = lowered(pattern);
  const auto holds = [&](std::string_view text) {
    return expression ? expression->search(text) : lowered(text).find(needle) != std::string::npos;
  };
  for (std::size_t f = 0; f < n; ++f) {
    if (by_category) matching[f] = f != facts.unresolved() && holds(name_of(facts.category[f]));
    else if (by_package) matching[f] = !facts.file[f].empty() && holds(package_of(facts.file[f]));
    else matching[f] = (!by_file && holds(facts.name[f])) || (!by_name && holds(facts.file[f]));
  }
  return matching;
}

}  // namespace crema::profile
