// Packed files where the command line runs as WebAssembly under Node: gzip is Node's. Archives were taken apart by the launcher
// (wasm/node/crema.mjs) before the program began.

#include "cli/unpack.hpp"

#include <emscripten.h>

#include <cstdlib>
#include <fstream>
#include <vector>

namespace crema::cli {

namespace {

constexpr std::size_t piece = 1UL << 20U;

// Both return the place of their result, `size` bytes long, that is to be freed; 0 when the bytes are not packed so.
// clang-format off
EM_JS(char*, unpacked, (const char* path, double* size), {
  try {
    const file = require("fs").readFileSync(UTF8ToString(path));
    // as cli/unpack.cpp: no run unpacks to more than 250 times its size
    const bytes = require("zlib").gunzipSync(file, {maxOutputLength: Math.max(33554432, 250 * file.length)});
    const place = _malloc(bytes.length || 1);
    HEAPU8.set(bytes, place);
    HEAPF64[size >> 3] = bytes.length;
    return place;
  } catch (problem) {
    return 0;
  }
});

EM_JS(char*, packed, (const char* bytes, double length, double* size), {
  const made = require("zlib").gzipSync(HEAPU8.subarray(bytes, bytes + length));
  const place = _malloc(made.length);
  HEAPU8.set(made, place);
  HEAPF64[size >> 3] = made.length;
  return place;
});
// clang-format on

using Bytes = std::unique_ptr<char, void (*)(void*)>;

}  // namespace

void add_file(FileTaker& taker, const std::string& file, const GivenFile& given) {
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, "it cannot be read");
  std::vector<char> buffer(piece);
  const auto read = [&] {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    return std::string_view(buffer.data(), static_cast<std::size_t>(in.gcount()));
  };
  std::string_view bytes = read();
  if (bytes.substr(0, 4) == "PK\x03\x04") refuse(file, "an archive within a folder is not read by this build; unpack it first");
  if (bytes.substr(0, 2) == "\x1f\x8b") {
    double size = 0;
    const Bytes content(unpacked(file.c_str(), &size), std::free);
    if (!content)
      refuse(file, "gzip cannot unpack it: it is not whole, or it would be more than 250 times as large, as no run is");
    taker.begin(given.place.source, without_gz(given.place.path), 0);
    taker.push({content.get(), static_cast<std::size_t>(size)});
  } else {
    taker.begin(given.place.source, given.place.path, 0);
    for (; !bytes.empty(); bytes = read()) taker.push(bytes);
  }
  taker.end();
}

struct Gzip::State {
  std::string content;
};

Gzip::Gzip() : state_(std::make_unique<State>()) {}

Gzip::~Gzip() = default;

void Gzip::push(std::string_view bytes) { state_->content += bytes; }

std::string Gzip::finish() {
  double size = 0;
  const Bytes made(packed(state_->content.data(), static_cast<double>(state_->content.size()), &size), std::free);
  return {made.get(), static_cast<std::size_t>(size)};
}

}  // namespace crema::cli
