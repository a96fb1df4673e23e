#include "core/read/dask/bokeh_document.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/inflate.hpp"

namespace crema::read {

namespace {

constexpr std::array<std::string_view, BokehSource::columns> column_names = {
    "bottom",
    "width",
    "filename",
    "line",
    "line_number",
    "name",
    "time",
    "start",
    "duration",
    "key",
    "worker",
    "worker_thread",
    "color",
    "cpu",
    "memory",
    "host_net_io.read_bps",
    "host_net_io.write_bps",
    "host_disk_io.read_bps",
    "host_disk_io.write_bps",
    "num_fds"};

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

void BokehDocument::close() {
  const Open& closed = open_.back();
  if (!closed.title.empty()) {
    for (std::size_t i = closed.first_source; i < sources_.size(); ++i) {
      if (sources_[i].tab.empty()) sources_[i].tab = closed.title;
    }
  }
  open_.pop_back();
}

BokehDocument::Column* BokehDocument::column(std::string_view name) {
  const auto found = std::find(column_names.begin(), column_names.end(), name);
  is_known_ = found != column_names.end();
  if (!is_known_) return nullptr;
  column_ = static_cast<std::size_t>(found - column_names.begin());
  return &column_node_;
}

bool BokehDocument::keep_cell(std::string_view text) {
  const bool escaped = text.find('&') != std::string_view::npos;
  source().texts_of[column_].back() =
      strings_.intern(escaped ? std::string_view(unescape_html(text)) : text);
  return true;
}

void BokehDocument::end_source() {
  const auto& there = source().is_there;
  if (!source().unreadable && std::find(there.begin(), there.end(), true) == there.end())
    sources_.pop_back();
}

bool BokehDocument::Column::begin_array() {
  if (!of.is_known_) return false;
  return of.source().is_there[of.column_] = of.is_list_ = true;
}

json::Node* BokehDocument::Column::element(std::size_t) {
  of.source().numbers_of[of.column_].push_back(absent);
  of.source().texts_of[of.column_].push_back(no_string);
  return &of.cell_;
}

void BokehDocument::Column::end() {
  if (std::exchange(of.is_list_, false)) return;
  auto values = numbers();
  if (!values) {
    of.source().unreadable = true;
    return;
  }
  of.source().is_there[of.column_] = true;
  of.source().texts_of[of.column_].assign(values->size(), no_string);
  of.source().numbers_of[of.column_] = std::move(*values);
}

}  // namespace crema::read
