#include "cli/gunzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace crema::cli {

struct Gunzip::State {
  std::function<std::string_view()> packed;
  z_stream stream{};
  std::vector<char> buffer = std::vector<char>(std::size_t{1} << 18U);
  std::string_view left;  // packed bytes that were not taken yet
  std::int64_t taken = 0;
  bool ended = false;
  bool between = true;  // before the first byte of a member
  std::string problem;

  /// Whether there are packed bytes to take.
  bool fill() {
    if (left.empty()) left = packed();
    return !left.empty();
  }

  void end(std::string why) {
    ended = true;
    problem = std::move(why);
  }
};

Gunzip::Gunzip(std::function<std::string_view()> packed) : state_(std::make_unique<State>()) {
  state_->packed = std::move(packed);
  constexpr int gzip_only = 16;
  if (inflateInit2(&state_->stream, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() { inflateEnd(&state_->stream); }

const std::string& Gunzip::problem() const { return state_->problem; }
std::int64_t Gunzip::taken() const { return state_->taken; }

std::string_view Gunzip::next() {
  State& s = *state_;
  z_stream& stream = s.stream;
  stream.next_out = reinterpret_cast<Bytef*>(s.buffer.data());
  stream.avail_out = static_cast<uInt>(s.buffer.size());
  while (!s.ended && stream.avail_out > 0) {
    if (!s.fill()) {
      s.end(s.between ? "" : "the packed file is cut off");
      break;
    }
    // What stands behind a member and begins no other is padding.
    if (s.between && s.taken > 0 && s.left.front() != '\x1f') {
      s.end("");
      break;
    }
    const auto given =
        static_cast<uInt>(std::min<std::size_t>(s.left.size(), std::numeric_limits<uInt>::max()));
    // zlib's interface has no const; it does not write there
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(s.left.data()));
    stream.avail_in = given;
    const int result = inflate(&stream, Z_NO_FLUSH);
    s.left.remove_prefix(given - stream.avail_in);
    s.taken += given - stream.avail_in;
    s.between = result == Z_STREAM_END;
    if (s.between) {
      inflateReset(&stream);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      s.end(std::string("the packed file is damaged (") +
            (stream.msg == nullptr ? "zlib cannot unpack it" : stream.msg) + ")");
    }
  }
  return {s.buffer.data(), s.buffer.size() - stream.avail_out};
}

}  // namespace crema::cli
