#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json/nodes.hpp"

namespace crema::read {

/// An array of numbers that Bokeh stored as bytes: `{"type": "ndarray", "array": {"type": "bytes",
/// "data": base64 of gzip}, "dtype", "order"}` of Bokeh 3, `{"__ndarray__": base64, "dtype",
/// "order"}` of Bokeh 2.
class BokehArray : public json::Object {
 public:
  BokehArray()
      : Object("an array",
               {{"array", bytes_}, {"__ndarray__", data_}, {"dtype", type_}, {"order", order_}}) {}

  /// Its numbers; nothing when the bytes are damaged or of a type unknown here (known: signed,
  /// unsigned and floating numpy types of 1 to 8 bytes in both byte orders).
  std::optional<std::vector<double>> numbers() const;

 private:
  std::string data_;  // as written
  std::string type_;
  std::string order_;
  json::Object bytes_{"bytes", {{"data", data_}}};
};

}  // namespace crema::read
