#include "core/read/dask/bokeh_document.hpp"

#include <cstring>
#include <utility>

#include "core/base/inflate.hpp"

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
  switch (state_) {
    case State::outside: {
      // `seen_` is how much of "<script" the bytes before end with.
      const char c = bytes.front();
      if (seen_.empty() && c != '<') {
        advance(std::min(bytes.find('<'), bytes.size()));
        return {};
      }
      if (c == opening[seen_.size()]) {
        seen_ += c;
        advance(1);
        if (seen_.size() == opening.size()) {
          state_ = State::tag;
          seen_.clear();
        }
      } else {
        seen_.clear();  // the byte is looked at again: it may be a '<'
      }
      return {};
    }
    case State::tag: {
      const std::size_t end = bytes.find('>');
      seen_.append(bytes.substr(0, end));
      advance(std::min(end == std::string_view::npos ? end : end + 1, bytes.size()));
      if (end == std::string_view::npos && seen_.size() <= longest_tag) return {};
      state_ = seen_.find("application/json") != std::string::npos ? State::inside : State::outside;
      seen_.clear();
      begin_ = offset_;
      return {};
    }
    case State::inside: {
      // `seen_` is how much of "</script" the bytes before end with; where it does not go on, it
      // was text.
      const char c = bytes.front();
      if (seen_.empty() && c != '<') {
        const std::string_view inside = bytes.substr(0, bytes.find('<'));
        advance(inside.size());
        return inside;
      }
      if (c != closing[seen_.size()]) {
        const std::string_view text = closing.substr(0, seen_.size());
        seen_.clear();
        return text;
      }
      seen_ += c;
      advance(1);
      if (seen_.size() == closing.size()) state_ = State::after;
      return {};
    }
    case State::after: break;
  }
  return {};
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
