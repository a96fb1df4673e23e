#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/collect.hpp"

namespace crema {

/// What the user is *looking at*. Empty = everything.
struct Selection {
  /// The parts of a Selection as bits: a question says which of them change its answer.
  enum Dimension : std::uint8_t {
    by_time = 1,
    by_worker = 2,
    by_dataset = 4,
    by_file = 8,
    by_host = 16,
    by_prefix = 32,
    by_range = 64,
  };
  using Dimensions = std::uint8_t;
  /// Those that chunks know, besides their time.
  static constexpr Dimensions of_chunks = by_dataset | by_file | by_host | by_range;
  /// Their names in a request, in the order of the bits.
  static constexpr std::array<std::string_view, 7> dimension_names = {
      "time", "workers", "datasets", "files", "hosts", "prefixes", "ranges"};

  struct TimeRange {
    double begin;  ///< [s] run axis; Session takes an infinite end as the runs' own
    double end;
  };
  /// lo ≤ value ≤ hi of a column of the `chunks` question.
  struct ColumnRange {
    std::string column;
    double lo;
    double hi;
  };

  std::optional<TimeRange> time;
  std::vector<std::string> workers;  ///< addresses or names
  std::vector<std::string> datasets;
  std::vector<std::string> files;
  std::vector<std::string> hosts;  ///< storage hosts: those that serve, and the sites behind caches
  std::vector<std::string> prefixes;  ///< task prefixes
  std::vector<ColumnRange> ranges;

  /// Its lists of names, each under its name in a request.
  struct Names {
    std::string_view dimension;
    std::vector<std::string> Selection::*list;
  };
  static const std::array<Names, 5> all_names;

  /// Whether any of these parts selects something.
  bool uses(Dimensions any) const {
    return ((any & by_time) != 0 && time) || ((any & by_worker) != 0 && !workers.empty()) ||
           ((any & by_dataset) != 0 && !datasets.empty()) ||
           ((any & by_file) != 0 && !files.empty()) || ((any & by_host) != 0 && !hosts.empty()) ||
           ((any & by_prefix) != 0 && !prefixes.empty()) ||
           ((any & by_range) != 0 && !ranges.empty());
  }
  bool empty() const { return !uses(static_cast<Dimensions>(~0U)); }

  Selection without_time() const {
    Selection rest = *this;
    rest.time.reset();
    return rest;
  }
};

inline constexpr std::array<Selection::Names, 5> Selection::all_names = {
    {{"workers", &Selection::workers},
     {"datasets", &Selection::datasets},
     {"files", &Selection::files},
     {"hosts", &Selection::hosts},
     {"prefixes", &Selection::prefixes}}};

/// Whether a list of a Selection leaves that name: it holds it, or nothing.
inline bool leaves(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || contains(names, name);
}

/// An option of a question or of an export, declared once: Session checks against it, the function
/// reads its value through it, and help and the page's types are made from it.
struct Option {
  enum class Type : std::uint8_t {
    text,    ///< one of `values`, where there are any
    number,  ///< between `least` and `most`
    count,   ///< likewise, and whole
    flag,    ///< true or false
  };

  std::string_view name;
  Type type = Type::text;
  std::string_view about;       ///< a sentence fragment: "how many bins"
  std::string_view fallback{};  ///< the value where none is given; "" = there is none
  std::string_view unit{};      ///< of a number: "s", "1", "count"
  std::string_view values{};    ///< what a text can be: "heavy, name, time"; "" = anything
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  std::string_view alias{};  ///< another name that it takes, one that it had before

  bool is_called(std::string_view given) const {
    return given == name || (!alias.empty() && given == alias);
  }
};

std::string_view name_of(Option::Type type);

/// What a number can be, both ends included.
struct NumberRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

// An option is declared in one call. `fallback` "": there is none.
constexpr Option text_option(std::string_view name, std::string_view about,
                             std::string_view fallback = {}) {
  return {.name = name, .about = about, .fallback = fallback};
}
constexpr Option choice_option(std::string_view name, std::string_view about,
                               std::string_view values, std::string_view fallback = {}) {
  return {.name = name, .about = about, .fallback = fallback, .values = values};
}
constexpr Option number_option(std::string_view name, std::string_view about,
                               std::string_view fallback, NumberRange range,
                               std::string_view unit = {}, std::string_view alias = {}) {
  return {.name = name,
          .type = Option::Type::number,
          .about = about,
          .fallback = fallback,
          .unit = unit,
          .least = range.least,
          .most = range.most,
          .alias = alias};
}
constexpr Option count_option(std::string_view name, std::string_view about,
                              std::string_view fallback, NumberRange range,
                              std::string_view unit = {}) {
  Option option = number_option(name, about, fallback, range, unit);
  option.type = Option::Type::count;
  return option;
}
constexpr Option flag_option(std::string_view name, std::string_view about,
                             std::string_view fallback = {}) {
  return {.name = name, .type = Option::Type::flag, .about = about, .fallback = fallback};
}

/// The options of one question, by name. Reading one checks its value: Failure bad_option says what
/// it can be.
class Options {
 public:
  Options() = default;
  explicit Options(std::map<std::string, std::string> values) : values_(std::move(values)) {}
  Options(const Option& option, std::string value)
      : values_{{std::string(option.name), std::move(value)}} {}

  bool has(const Option& option) const { return find(option) != nullptr; }
  /// The value given, else the fallback.
  std::string text(const Option& option) const;
  /// Absent when there is neither a value nor a fallback.
  double number(const Option& option) const;
  bool flag(const Option& option) const;
  /// The value's place in `option.values`, as an enum that lists them in the same order.
  template <class Choice>
  Choice choice(const Option& option) const {
    return static_cast<Choice>(index(option));
  }
  /// Throws Failure bad_option when `option` does not take the value.
  void check(const Option& option) const;

  const std::map<std::string, std::string>& all() const { return values_; }

 private:
  const std::string* find(const Option& option) const;  // nullptr where none is given
  std::size_t index(const Option& option) const;

  std::map<std::string, std::string> values_;
};

/// The values that an option lists, in their order; none when it takes any text.
std::vector<std::string_view> values_of(const Option& option);

/// Throws Failure for an option that is not in `known` (unknown_option) and for a value that it
/// does not take (bad_option). The message lists what there is and names the nearest.
void check(const Options& options, std::span<const Option* const> known);

}  // namespace crema
