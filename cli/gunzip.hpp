#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace crema::cli {

/// Unpacks gzip piece by piece: all members of a file, one after the other. Unlike libarchive,
/// which passes over them, it compares each member's checksum and length (RFC 1952, 2.3.1).
class Gunzip {
 public:
  /// `packed` gives the next packed bytes, valid until it is called again; empty at their end.
  explicit Gunzip(std::function<std::string_view()> packed);
  ~Gunzip();

  /// The next bytes, valid until the next call; empty at the end, and from where on nothing can be
  /// unpacked.
  std::string_view next();
  /// What is wrong with what was unpacked so far, a clause; "" when nothing is.
  const std::string& problem() const;
  /// Packed bytes taken so far.
  std::int64_t taken() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace crema::cli
