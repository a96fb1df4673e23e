#pragma once

#include <string>
#include <string_view>

#include "core/base/numbers.hpp"
#include "core/json/router.hpp"

namespace crema::json {

/// Writes a number to `*target`; null writes "absent".
class NumberInto : public Node {
 public:
  explicit NumberInto(double* target = nullptr, double scale = 1)
      : target_(target), scale_(scale) {}
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
  std::string_view expects() const override { return "a number"; }

 private:
  double* target_;
  double scale_;
};

/// Writes a string to `*target`; a number or boolean is written as its text (Dask's worker names
/// are ints or strings).
class TextInto : public Node {
 public:
  explicit TextInto(std::string* target = nullptr) : target_(target) {}
  TextInto& at(std::string* target) {
    target_ = target;
    return *this;
  }
  bool string(std::string_view value) override {
    target_->assign(value);
    return true;
  }
  bool number(double value) override;
  bool boolean(bool value) override {
    *target_ = value ? "True" : "False";
    return true;
  }
  std::string_view expects() const override { return "a string"; }

 private:
  std::string* target_;
};

}  // namespace crema::json
