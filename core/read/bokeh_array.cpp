#include "core/read/bokeh_array.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/base/inflate.hpp"

namespace crema::read {

namespace {

constexpr std::size_t most_bytes = 1U
                                   << 27U;  // of one column; Dask's pages keep 100,000 rows at most

template <class Number>
std::optional<std::vector<double>> cast(std::string_view bytes, bool big_endian) {
  if (bytes.size() % sizeof(Number) != 0) return std::nullopt;
  std::vector<double> numbers;
  numbers.reserve(bytes.size() / sizeof(Number));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Number)) {
    char raw[sizeof(Number)];
    std::memcpy(raw, bytes.data() + at, sizeof(Number));
    if (big_endian) std::reverse(std::begin(raw), std::end(raw));
    Number value;
    std::memcpy(&value, raw, sizeof(Number));
    numbers.push_back(static_cast<double>(value));
  }
  return numbers;
}

}  // namespace

std::optional<std::vector<double>> BokehArray::numbers() const {
  std::optional<std::string> bytes = decode_base64(data_);
  if (bytes && bytes->substr(0, 2) == "\x1F\x8B") bytes = gunzip(*bytes, most_bytes);
  if (!bytes) return std::nullopt;
  const bool big = order_ == "big";
  if (type_ == "float64") return cast<double>(*bytes, big);
  if (type_ == "float32") return cast<float>(*bytes, big);
  if (type_ == "int64") return cast<std::int64_t>(*bytes, big);
  if (type_ == "uint64") return cast<std::uint64_t>(*bytes, big);
  if (type_ == "int32") return cast<std::int32_t>(*bytes, big);
  if (type_ == "uint32") return cast<std::uint32_t>(*bytes, big);
  if (type_ == "int16") return cast<std::int16_t>(*bytes, big);
  if (type_ == "uint16") return cast<std::uint16_t>(*bytes, big);
  if (type_ == "int8") return cast<std::int8_t>(*bytes, big);
  if (type_ == "uint8" || type_ == "bool") return cast<std::uint8_t>(*bytes, big);
  return std::nullopt;
}

}  // namespace crema::read
