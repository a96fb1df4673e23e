#include "core/read/dask/bokeh_document.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/inflate.hpp"
#include "core/read/dask/html_script.hpp"

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

bool BokehSource::has_all(std::initializer_list<BokehColumn> wanted) const {
  return std::all_of(wanted.begin(), wanted.end(), [&](BokehColumn c) { return has(c); });
}

std::size_t BokehSource::rows(std::initializer_list<BokehColumn> wanted) const {
  std::size_t least = ~std::size_t{0};
  for (const BokehColumn c : wanted) least = std::min(least, numbers(c).size());
  return least;
}

json::Node* BokehDocument::member(std::string_view member_key) {
  if (member_key == "data") return &data_;
  if (member_key == "title") return &title_;
  return this;
}

std::vector<BokehSource>& BokehDocument::finish() {
  while (!open_.empty()) close();
  return sources_;
}

bool BokehDocument::open() {
  open_.push_back({sources_.size(), {}});
  return true;
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

bool BokehDocument::TitleNode::string(std::string_view text) {
  owner_.open_.back().title = unescape_html(text);
  return true;
}

json::Node* BokehDocument::ColumnNode::of(std::string_view column_name) {
  const auto found = std::find(column_names.begin(), column_names.end(), column_name);
  if (found == column_names.end()) return nullptr;
  cell_.column = static_cast<std::size_t>(found - column_names.begin());
  is_list_ = false;
  return this;
}

bool BokehDocument::ColumnNode::begin_array() {
  source().is_there[cell_.column] = is_list_ = true;
  return true;
}

json::Node* BokehDocument::ColumnNode::element(std::size_t) {
  source().numbers_of[cell_.column].push_back(absent);
  source().texts_of[cell_.column].push_back(no_string);
  return &cell_;
}

void BokehDocument::ColumnNode::end() {
  if (is_list_) return;
  auto numbers = array_.numbers();
  if (!numbers) {
    source().unreadable = true;
    return;
  }
  source().is_there[cell_.column] = true;
  source().texts_of[cell_.column].assign(numbers->size(), no_string);
  source().numbers_of[cell_.column] = std::move(*numbers);
}

bool BokehDocument::ColumnNode::Cell::number(double value) {
  owner.sources_.back().numbers_of[column].back() = value;
  return true;
}

bool BokehDocument::ColumnNode::Cell::string(std::string_view text) {
  const bool escaped = text.find('&') != std::string_view::npos;
  owner.sources_.back().texts_of[column].back() =
      owner.strings_.intern(escaped ? std::string_view(unescape_html(text)) : text);
  return true;
}

bool BokehDocument::DataNode::begin_object() {
  owner_.sources_.emplace_back();
  return true;
}

json::Node* BokehDocument::DataNode::member(std::string_view member_key) {
  return member_key == "entries" ? static_cast<json::Node*>(&entries_)
                                 : entry_.column.of(member_key);
}

void BokehDocument::DataNode::end() {
  const auto& there = owner_.sources_.back().is_there;
  const bool is_any = owner_.sources_.back().unreadable ||
                      std::find(there.begin(), there.end(), true) != there.end();
  if (!is_any) owner_.sources_.pop_back();
}

bool BokehDocument::DataNode::Entry::begin_array() {
  name.clear();
  return true;
}

json::Node* BokehDocument::DataNode::Entry::element(std::size_t index) {
  if (index == 0) return &text.at(&name);
  return index == 1 ? column.of(name) : nullptr;
}

}  // namespace crema::read
