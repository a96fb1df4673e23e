#include "core/read/dask/bokeh_document.hpp"

#include <utility>

#include "core/base/inflate.hpp"
#include "core/read/tools/byte_cursor.hpp"

namespace crema::read {

namespace {

constexpr std::string_view opening = "<script";
constexpr std::string_view closing = "</script";
constexpr std::size_t longest_tag = 4096;  // a '<script' without end is none

}  // namespace

std::string_view HtmlScript::step(std::string_view& bytes) {
  const auto advance = [&](std::size_t count) {
    bytes.remove_prefix(count);
    offset_ += count;
  };
  if (state_ == State::tag) {
    const std::size_t end = bytes.find('>');
    seen_.append(bytes.substr(0, end));
    advance(std::min(end == std::string_view::npos ? end : end + 1, bytes.size()));
    if (end == std::string_view::npos && seen_.size() <= longest_tag) return {};
    state_ = seen_.find("application/json") != std::string::npos ? State::inside : State::outside;
    seen_.clear();
    begin_ = offset_;
    return {};
  }
  // `seen_` is how much of the mark the bytes before end with; where it does not go on, it was
  // text.
  const bool is_inside = state_ == State::inside;
  const std::string_view mark = is_inside ? closing : opening;
  std::string_view text;
  if (seen_.empty() && bytes.front() != '<') {
    text = bytes.substr(0, bytes.find('<'));
    advance(text.size());
  } else if (bytes.front() != mark[seen_.size()]) {
    text = mark.substr(0, seen_.size());
    seen_.clear();  // the byte is looked at again: it may be a '<'
  } else {
    seen_ += bytes.front();
    advance(1);
    if (seen_ == mark) {
      state_ = is_inside ? State::after : State::tag;
      seen_.clear();
    }
  }
  return is_inside ? text : std::string_view{};
}

std::string unescape_html(std::string_view text) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'},    {"&gt;", '>'},    {"&amp;", '&'}, {"&quot;", '"'},
      {"&apos;", '\''}, {"&#x27;", '\''}, {"&#x60;", '`'}};
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('&'), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto* const entity =
        std::find_if(std::begin(entities), std::end(entities),
                     [&](const auto& e) { return text.substr(0, e.first.size()) == e.first; });
    const bool known = entity != std::end(entities);
    out += known ? entity->second : '&';
    text.remove_prefix(known ? entity->first.size() : 1);
  }
  return out;
}

namespace {

// With blanks around each.
constexpr std::string_view column_names =
    " bottom width filename line line_number name time start duration key worker worker_thread "
    "color "
    "cpu memory host_net_io.read_bps host_net_io.write_bps host_disk_io.read_bps "
    "host_disk_io.write_bps num_fds ";

constexpr std::size_t most_bytes = 1U
                                   << 27U;  // of one column; Dask's pages keep 100,000 rows at most

constexpr std::string_view number_types =
    " float64 float32 int64 uint64 int32 uint32 int16 uint16 int8 uint8 bool ";

}  // namespace

std::optional<std::vector<double>> BokehArray::numbers() const {
  std::optional<std::string> bytes = decode_base64(data_);
  if (bytes && bytes->substr(0, 2) == "\x1F\x8B") bytes = gunzip(*bytes, most_bytes);
  if (!bytes) return std::nullopt;
  if (number_types.find(sentence({" ", type_, " "})) == std::string_view::npos) return std::nullopt;
  const std::size_t digits = std::min(type_.find_first_of("0123456789"), type_.size());
  const auto size = static_cast<std::size_t>(value_or(parse_number(type_.substr(digits)), 8)) / 8;
  if (bytes->size() % size != 0) return std::nullopt;
  std::vector<double> numbers;
  numbers.reserve(bytes->size() / size);
  for (std::size_t at = 0; at < bytes->size(); at += size) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i)
      word = word << 8U |
             static_cast<unsigned char>((*bytes)[at + (order_ == "big" ? i : size - 1 - i)]);
    const std::size_t unused = 64 - 8 * size;  // bits, which take the sign
    numbers.push_back(type_.front() == 'i'
                          ? static_cast<double>(static_cast<std::int64_t>(word << unused) >> unused)
                      : type_ == "float64" ? number_of_bits<double>(word)
                      : type_ == "float32" ? number_of_bits<float>(static_cast<std::uint32_t>(word))
                                           : static_cast<double>(word));
  }
  return numbers;
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

json::Node* BokehDocument::column(std::string_view name) {
  const bool is_known = column_names.find(sentence({" ", name, " "})) != std::string_view::npos;
  name_ = is_known ? name : std::string_view{};
  return is_known ? &column_node_ : nullptr;
}

void BokehDocument::keep_cell(std::string_view text) {
  const bool escaped = text.find('&') != std::string_view::npos;
  column_->texts.back() = strings_.intern(escaped ? std::string_view(unescape_html(text)) : text);
}

void BokehDocument::end_source() {
  if (!source().unreadable && source().columns.empty()) sources_.pop_back();
}

bool BokehDocument::Column::begin_array() {
  if (of.name_.empty()) return false;
  of.column_ = &of.source().columns[of.name_];
  return true;
}

json::Node* BokehDocument::Column::element(std::size_t) {
  of.column_->numbers.push_back(absent);
  of.column_->texts.push_back(no_string);
  return &of.cell_;
}

void BokehDocument::Column::end() {
  if (std::exchange(of.column_, nullptr) != nullptr) return;
  auto values = numbers();
  if (!values) {
    of.source().unreadable = true;
    return;
  }
  std::vector<StringId> texts(values->size(), no_string);
  of.source().columns[of.name_] = {std::move(*values), std::move(texts)};
}

}  // namespace crema::read
