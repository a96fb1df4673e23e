#pragma once

#include <cstddef>
#include <initializer_list>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/text.hpp"
#include "core/json/router.hpp"

namespace crema {

template <class Signature>
class Callback;

/// A function kept for later, as a lambda that captures `this` is: two pointers at most, which are
/// copied as they are. std::function takes any, for four functions more of code each. One that
/// answers nothing where a bool is wanted says yes.
template <class Result, class... Arguments>
class Callback<Result(Arguments...)> {
 public:
  Callback() = default;
  template <class Call>
  requires(!std::is_same_v<Call, Callback>) Callback(Call call)  // NOLINT(*-explicit-*)
      : call_([](const void* kept, Arguments... arguments) -> Result {
          const Call& kept_call = *static_cast<const Call*>(kept);
          if constexpr (std::is_void_v<decltype(kept_call(arguments...))> &&
                        !std::is_void_v<Result>)
            return kept_call(arguments...), true;
          else return static_cast<Result>(kept_call(arguments...));
        }) {
    static_assert(sizeof(Call) <= sizeof kept_ && std::is_trivially_copyable_v<Call>);
    new (kept_) Call(call);
  }

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const { return call_(kept_, arguments...); }

 private:
  Result (*call_)(const void*, Arguments...) = nullptr;
  alignas(void*) std::byte kept_[2 * sizeof(void*)] = {};
};

}  // namespace crema

namespace crema::json {

/// Writes a number to `*target`; null writes "absent".
class NumberInto : public Node {
 public:
  explicit NumberInto(double* target = nullptr, double scale = 1)
      : Node("a number"), target_(target), scale_(scale) {}
  NumberInto& at(double* target, double scale = 1) {
    target_ = target;
    scale_ = scale;
    return *this;
  }
  void null() override { *target_ = absent; }
  bool number(double value) override {
    *target_ = value * scale_;
    return true;
  }

 private:
  double* target_;
  double scale_;
};

/// Writes a string to `*target`; a number or boolean is written as its text (Dask's worker names
/// are ints or strings).
class TextInto : public Node {
 public:
  explicit TextInto(std::string* target = nullptr) : Node("a string"), target_(target) {}
  TextInto& at(std::string* target) {
    target_ = target;
    return *this;
  }
  bool string(std::string_view value) override {
    target_->assign(value);
    return true;
  }
  bool number(double value) override { return string(number_text(value)); }
  bool boolean(bool value) override { return string(value ? "True" : "False"); }

 private:
  std::string* target_;
};

/// Writes the id of a string to `*target`; a number or boolean is written as its text.
class IdInto : public Node {
 public:
  IdInto(StringPool& strings, StringId* target)
      : Node("a string"), strings_(strings), target_(target) {}
  bool string(std::string_view value) override {
    *target_ = strings_.intern(value);
    return true;
  }
  bool number(double value) override { return TextInto(&text_).number(value) && string(text_); }
  bool boolean(bool value) override { return TextInto(&text_).boolean(value) && string(text_); }

 private:
  StringPool& strings_;
  StringId* target_;
  std::string text_;
};

/// An object, declared as a table with a line per member: its key and where it goes. Other members
/// go to the node that `others` names, or are skipped.
///
///     std::string name_;
///     double begin_, memory_;
///     json::List tags_{"a list of tags", tag_};
///     json::Object span_{"a span",
///                        {{"name", name_}, {"start", begin_}, {"memory_mb", memory_, mebibyte},
///                         {"tags", tags_}},
///                        [this] { keep_span(); }};
///
/// When it begins, the numbers, texts and objects of its table are emptied, so that one set of
/// variables serves a whole list of objects, and `begins` is called; at its end, which a file that
/// is cut off does not have, `ended` is.
class Object : public Node {
 public:
  class Field {
   public:
    Field(std::string_view key, double& into, double scale = 1)
        : key_(key), number_(&into), scale_(scale) {}
    Field(std::string_view key, std::string& into) : key_(key), text_(&into) {}
    Field(std::string_view key, Node& taker) : key_(key), taker_(&taker) {}
    Field(std::string_view key, Object& part) : key_(key), part_(&part), taker_(&part) {}
    /// A member that is known and not needed.
    explicit Field(std::string_view key) : key_(key) {}

   private:
    friend class Object;
    std::string_view key_;
    double* number_ = nullptr;
    double scale_ = 1;
    std::string* text_ = nullptr;
    Object* part_ = nullptr;
    Node* taker_ = nullptr;
  };

  Object(std::string_view what, std::initializer_list<Field> fields, Callback<void()> ended = {},
         Callback<Node*(std::string_view key)> others = {}, Callback<void()> begins = {})
      : Object(what, {fields.begin(), fields.size()}, ended, others, begins) {}
  Object(std::string_view what, std::span<const Field> fields, Callback<void()> ended,
         Callback<Node*(std::string_view key)> others, Callback<void()> begins);
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  bool begin_object() override {
    clear();
    if (begins_) begins_();
    return true;
  }
  Node* member(std::string_view key) override;
  void end() override {
    if (ended_) ended_();
  }

 private:
  struct Member : Field {
    explicit Member(const Field& field)
        : Field(field), number_node(number_, scale_), text_node(text_) {}
    NumberInto number_node;
    TextInto text_node;
  };
  void clear();
  Node* find(std::string_view key);

  std::vector<Member> fields_;
  // Members mostly come in one order: of each field, the one that came behind it last time. The
  // first is that of the object's beginning.
  std::vector<std::size_t> behind_;
  std::size_t last_ = 0;  // in `behind_`: of the last member
  Callback<void()> ended_;
  Callback<Node*(std::string_view)> others_;
  Callback<void()> begins_;
};

/// A list whose elements all go to one node. `element` is called before each, with its index;
/// `begins` and `ends` are called with the list.
class List : public Node {
 public:
  List(std::string_view what, Node& each, Callback<void(std::size_t)> element = {},
       Callback<void()> begins = {}, Callback<void()> ends = {})
      : Node(what), each_(each), element_(element), begins_(begins), ends_(ends) {}
  bool begin_array() override {
    if (begins_) begins_();
    return true;
  }
  Node* element(std::size_t index) override {
    if (element_) element_(index);
    return &each_;
  }
  void end() override {
    if (ends_) ends_();
  }

 private:
  Node& each_;
  Callback<void(std::size_t)> element_;
  Callback<void()> begins_, ends_;
};

/// A list with a node for each of its places; what is beyond is skipped.
class Tuple : public Node {
 public:
  Tuple(std::string_view what, std::initializer_list<Node*> places, Callback<void()> ended = {})
      : Node(what), places_(places), ended_(ended) {}
  bool begin_array() override { return true; }
  Node* element(std::size_t index) override {
    return index < places_.size() ? places_[index] : nullptr;
  }
  void end() override {
    if (ended_) ended_();
  }

 private:
  std::vector<Node*> places_;
  Callback<void()> ended_;
};

/// An object whose keys are data; `of` says which node takes a member, nullptr skips it.
class Map : public Node {
 public:
  Map(std::string_view what, Callback<Node*(std::string_view key)> of) : Node(what), of_(of) {}
  bool begin_object() override { return true; }
  Node* member(std::string_view key) override { return of_(key); }

 private:
  Callback<Node*(std::string_view)> of_;
};

/// A number, and a text where `text` is given; each function says whether it takes the value.
class Value : public Node {
 public:
  using Number = Callback<bool(double)>;
  using Text = Callback<bool(std::string_view)>;
  Value(std::string_view what, Number number, Text text = {})
      : Node(what), number_(number), text_(text) {}
  bool number(double value) override { return number_ && number_(value); }
  bool string(std::string_view value) override { return text_ && text_(value); }

 private:
  Number number_;
  Text text_;
};

/// An object of numbers by name; `take` says whether it takes a number.
class Numbers : public Map {
 public:
  using Take = Callback<bool(std::string_view name, double value)>;
  Numbers(std::string_view what, Take take)
      : Map(what,
            [this](std::string_view name) {
              name_.assign(name);
              return &number_;
            }),
        take_(take),
        number_(what, [this](double value) { return take_(name_, value); }) {}

 private:
  Take take_;
  std::string name_;
  Value number_;
};

}  // namespace crema::json
