#include "core/read/series_slice.hpp"

#include <algorithm>
#include <utility>

#include "core/json/expected.hpp"
#include "core/json/tokenizer.hpp"
#include "core/read/series_node.hpp"

namespace crema::read {

namespace {

/// Looks for `]]`, a comma and a quote, with any white space between: behind a series' last pair,
/// where the next worker's begins. Small enough to go over bytes that are read anyway.
class MemberSearch {
 public:
  /// Where in `bytes`, which follow those seen before, the quote is; their size when it is not
  /// there.
  std::size_t find(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const char c = bytes[i];
      if (seen_ == Seen::nothing && c != ']') {
        i = std::min(bytes.find(']', i), bytes.size());
        if (i == bytes.size()) break;
        seen_ = Seen::one;
      } else if (c == ']') {
        seen_ = seen_ == Seen::one || seen_ == Seen::two ? Seen::two : Seen::one;
      } else if (c == '"' && seen_ == Seen::comma) {
        return i;
      } else if (c == ',' && seen_ == Seen::two) {
        seen_ = Seen::comma;
      } else if (!json::is_blank(c)) {
        seen_ = Seen::nothing;
      }
    }
    return bytes.size();
  }

 private:
  enum class Seen : std::uint8_t { nothing, one, two, comma };
  Seen seen_ = Seen::nothing;
};

/// Stops at the end of the series, and knows where that is and what the last member was.
class SeriesRouter : public json::Router {
 public:
  using Router::Router;
  std::optional<std::uint64_t> closing;
  std::string last;
  bool key(std::string_view value) override {
    last = value;
    return Router::key(value);
  }
  bool end_object() override {
    closing = offset;
    return false;
  }
};

/// Reads one slice, whose first member begins at `begin`.
class SliceInWork {
 public:
  explicit SliceInWork(std::uint64_t begin) : begin_(begin), at_(begin) {
    tokenizer_.push("{");
    tokenizer_.skip_members(begin, true);
  }

  std::uint64_t begin() const { return begin_; }

  /// The next bytes; false where the series has ended in them, or the slice has failed.
  bool push(std::string_view bytes) {
    at_ += bytes.size();
    const bool more = tokenizer_.push(bytes);
    failed_ = failed_ || (!more && !router_.closing) || tokenizer_.error();
    return more && !failed_;
  }

  /// Nothing where it has failed, or does not end at the end of the series or where a member may
  /// begin.
  std::optional<SeriesSlice> finish() {
    const bool is_last = router_.closing.has_value();
    if (failed_ || (!is_last && !tokenizer_.expects_member())) return {};
    root_.flush();
    SeriesSlice slice{begin_, is_last ? *router_.closing : at_, is_last, router_.last, {}, {}, {}};
    for (std::uint32_t tick = 0; tick < reading_.ticks.size(); ++tick)
      slice.times.push_back(reading_.ticks.text(tick));
    for (const StringId address : run_.workers.address)
      slice.addresses.emplace_back(run_.text(address));
    slice.series = std::move(run_.workers.series[static_cast<std::size_t>(Series::memory)]);
    return slice;
  }

 private:
  const std::uint64_t begin_;
  std::uint64_t at_;  // of the next byte
  bool failed_ = false;
  // Its values are as they are written: no series but the CPU's is scaled.
  Run run_{std::make_shared<Names>()};
  SeriesReading reading_{run_};
  SeriesNode root_{reading_, Series::memory};
  SeriesRouter router_{
      root_, [this](const std::string&, std::uint64_t, std::string_view) { failed_ = true; }};
  json::Tokenizer tokenizer_{router_};
};

}  // namespace

struct SeriesSliceReader::State {
  std::uint64_t at;  // of the next byte
  std::uint64_t to;
  std::uint64_t most;
  MemberSearch search{};
  std::unique_ptr<SliceInWork> slice{};
  std::vector<SeriesSlice> slices{};
  bool ended = false;

  /// The next bytes, up to where a slice begins.
  void find_begin(std::string_view& bytes) {
    const std::size_t found = search.find(bytes);
    at += found;
    ended = at >= to;
    if (!ended && found < bytes.size()) begin();
    bytes.remove_prefix(found);
  }

  void begin() {
    slice = std::make_unique<SliceInWork>(at);
    search = {};
  }

  /// The next bytes, up to where the slice ends.
  void read(std::string_view& bytes) {
    // where it has become long enough, the next one may begin
    const std::uint64_t least = std::min(slice->begin() + most, to);
    std::size_t end = bytes.size();
    if (at + end > least) {
      const std::size_t before = least > at ? static_cast<std::size_t>(least - at) : 0;
      end = before + search.find(bytes.substr(before));
    }
    const bool is_cut = end < bytes.size();
    const bool more = slice->push(bytes.substr(0, end));
    if (!more || is_cut) {
      if (auto made = slice->finish()) {
        // behind the end of a series another may begin
        if (made->is_last) end = static_cast<std::size_t>(made->end - at);
        slices.push_back(std::move(*made));
      }
      slice.reset();
      search = {};
    }
    at += end;
    bytes.remove_prefix(end);
    if (!slice) ended = at >= to;
    if (!slice && !ended && more) begin();
  }
};

SeriesSliceReader::SeriesSliceReader(std::uint64_t from, std::uint64_t to, std::uint64_t most)
    : state_(std::make_unique<State>(State{from, to, most})) {}
SeriesSliceReader::~SeriesSliceReader() = default;

bool SeriesSliceReader::push(std::span<const char> pushed) {
  std::string_view bytes(pushed.data(), pushed.size());
  while (!bytes.empty() && !state_->ended) {
    if (state_->slice) state_->read(bytes);
    else state_->find_begin(bytes);
  }
  return !state_->ended;
}

std::vector<SeriesSlice> SeriesSliceReader::take() { return std::exchange(state_->slices, {}); }

}  // namespace crema::read
