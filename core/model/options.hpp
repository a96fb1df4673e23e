#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crema {

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

/// The options of one question, by name. Reading one checks its value: Failure bad_option says what
/// it can be.
class Options {
 public:
  Options() = default;
  explicit Options(std::map<std::string, std::string> values) : values_(std::move(values)) {}

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
