#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/bundle.hpp"

namespace crema::cli {

// What is packed. Natively by libarchive (unpack.cpp); as WebAssembly under Node by Node itself
// (wasm/node/unpack.cpp).

/// Where a file stands among the sources.
struct GivenFile {
  FilePlace place;
  /// it was named itself: if an archive, it lies in no other source and is called so
  std::optional<std::string> own;
};

/// Hands what the `file` of this machine holds to `taker`: itself, unpacked, or the files of an
/// archive, which is a source of its own. What cannot be had is told; throws Failure when that is
/// all of a file that was named itself.
void add_file(FileTaker& taker, const std::string& file, const GivenFile& given);

/// Packs one file with gzip, given piece by piece.
class Gzip {
 public:
  Gzip();
  ~Gzip();
  void push(std::string_view bytes);
  /// The packed bytes; nothing can be pushed afterwards. Throws Failure.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace crema::cli
