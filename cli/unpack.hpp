#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/bundle.hpp"

namespace crema::cli {

// What is packed. Natively by libarchive (unpack.cpp); as WebAssembly under Node by Node itself (wasm/node/unpack.cpp).

/// Hands what `file` holds to `taker`: itself, unpacked, or the files of an archive. `shown` is what it is called there.
/// Throws Failure when it cannot be read.
void add_file(FileTaker& taker, const std::string& file, const std::string& shown);

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
