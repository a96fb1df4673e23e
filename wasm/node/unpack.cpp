// Packed files where the command line runs as WebAssembly under Node: gzip is Node's. Archives were
// taken apart by the launcher (wasm/node/crema.mjs) before the program began.

#include "cli/unpack.hpp"

#include <emscripten.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "cli/enclosed.hpp"
#include "core/session/source_policy.hpp"

namespace crema::cli {

namespace {

constexpr std::size_t piece = 1UL << 20U;

// Both return the place of their result, `size` bytes long, that is to be freed; 0 when the bytes
// are not packed so.
// clang-format off
EM_JS(char*, unpacked, (const char* bytes, double length, double most, double* size), {
  try {
    const made = require("zlib").gunzipSync(HEAPU8.subarray(bytes, bytes + length), {maxOutputLength: most});
    const place = _malloc(made.length || 1);
    HEAPU8.set(made, place);
    HEAPF64[size >> 3] = made.length;
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

/// Hands over one file, whose bytes are all there; false when gzip cannot unpack it.
bool add_bytes(FileTaker& taker, std::string_view bytes, const FilePlace& place) {
  if (bytes.substr(0, 2) != "\x1f\x8b") {
    taker.begin(place.source, place.path, bytes.size());
    taker.push(bytes);
  } else {
    const double most = std::max<double>(always_unpacked, static_cast<double>(most_times_unpacked) *
                                                              static_cast<double>(bytes.size()));
    double size = 0;
    const Bytes content(unpacked(bytes.data(), static_cast<double>(bytes.size()), most, &size),
                        std::free);
    if (!content) return false;
    taker.begin(place.source, without_gz(place.path), 0);
    taker.push({content.get(), static_cast<std::size_t>(size)});
  }
  taker.end();
  return true;
}

constexpr const char* no_gzip =
    "gzip cannot unpack it: it is not whole, or it would be more than 250 times as large, as no "
    "run is";

/// The runs in a report; false when the page is none.
bool add_enclosed(FileTaker& taker, std::string_view page, const std::string& name) {
  const auto enclosed = enclosed_in(page);
  if (!enclosed) return false;
  const std::vector<SourceId> sources = begin_sources(taker, *enclosed);
  for (const auto& [place, bytes] : enclosed->files) {
    const FilePlace here{sources[place.source], place.path};
    if (!bytes)
      taker.miss_file(here.source, here.path, "it is not base64, as files in reports are");
    else if (!add_bytes(taker, *bytes, here)) taker.miss_file(here.source, here.path, no_gzip);
  }
  if (!enclosed->damage.empty()) taker.miss_rest(sources.front(), name, enclosed->damage);
  return true;
}

}  // namespace

void add_file(FileTaker& taker, const std::string& file, const GivenFile& given) {
  const auto miss = [&](const std::string& why) {
    if (given.own) refuse(*given.own, why);
    taker.miss_file(given.place.source, given.place.path, why);
  };
  if (const std::string why = why_unreadable(file); !why.empty()) return miss(why);
  std::ifstream in(file, std::ios::binary);
  std::vector<char> buffer(piece);
  const auto read = [&] {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    return std::string_view(buffer.data(), static_cast<std::size_t>(in.gcount()));
  };
  std::string_view bytes = read();
  const auto all = [&] {
    std::string whole;
    for (; !bytes.empty(); bytes = read()) whole += bytes;
    return whole;
  };
  if (bytes.substr(0, 4) == "PK\x03\x04")
    return miss("an archive within a folder is not read by this build; unpack it first");
  if (bytes.substr(0, 2) == "\x1f\x8b") {
    if (!add_bytes(taker, all(), given.place)) miss(no_gzip);
  } else if (given.own && bytes.substr(0, 2) == "<!") {
    const std::string page = all();
    if (!add_enclosed(taker, page, *given.own)) add_bytes(taker, page, given.place);
  } else {
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(file, unknown);
    taker.begin(given.place.source, given.place.path, unknown ? 0 : size);
    while (!bytes.empty() && taker.push(bytes)) bytes = read();
    taker.end();
  }
}

struct Gzip::State {
  std::string content;
};

Gzip::Gzip() : state_(std::make_unique<State>()) {}

Gzip::~Gzip() = default;

void Gzip::push(std::string_view bytes) { state_->content += bytes; }

std::string Gzip::finish() {
  double size = 0;
  const Bytes made(
      packed(state_->content.data(), static_cast<double>(state_->content.size()), &size),
      std::free);
  return {made.get(), static_cast<std::size_t>(size)};
}

}  // namespace crema::cli
