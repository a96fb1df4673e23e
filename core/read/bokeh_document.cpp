#include "core/read/bokeh_document.hpp"

#include <algorithm>

#include "core/read/html_script.hpp"

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

}  // namespace

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
