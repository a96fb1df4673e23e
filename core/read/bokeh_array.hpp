#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json/nodes.hpp"

namespace crema::read {

/// An array of numbers that Bokeh stored as bytes: `{"type": "ndarray", "array": {"type": "bytes",
/// "data": base64 of gzip}, "dtype", "order"}` of Bokeh 3, `{"__ndarray__": base64, "dtype",
/// "order"}` of Bokeh 2.
class BokehArray : public json::Node {
 public:
  bool begin_object() override;
  json::Node* member(std::string_view member_key) override;

  /// Its numbers; nothing when the bytes are damaged or of a type unknown here (known: signed,
  /// unsigned and floating numpy types of 1 to 8 bytes in both byte orders).
  std::optional<std::vector<double>> numbers() const;

 private:
  struct Bytes : json::Node {
    explicit Bytes(BokehArray& array) : owner(array) {}
    bool begin_object() override { return true; }
    json::Node* member(std::string_view member_key) override;
    BokehArray& owner;
  };

  std::string data_;  // as written
  std::string type_;
  std::string order_;
  json::TextInto text_;
  Bytes bytes_{*this};
};

}  // namespace crema::read
