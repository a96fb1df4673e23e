#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

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
};

std::string_view name_of(Option::Type type);

/// The options of one question, by name. Reading one checks its value: Failure bad_option says what
/// it can be.
class Options {
 public:
  Options() = default;
  explicit Options(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  bool has(const Option& option) const { return values_.contains(std::string(option.name)); }
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
  std::size_t index(const Option& option) const;

  std::map<std::string, std::string> values_;
};

}  // namespace crema
