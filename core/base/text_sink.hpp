#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace crema {

/// Gathers a text and hands it on in pieces of some 64 KiB, so that a long one is never held whole.
/// `end` hands on the rest.
class TextSink {
 public:
  using Take = std::function<void(std::string_view)>;
  explicit TextSink(Take take) : take_(std::move(take)) {}

  TextSink& operator<<(std::string_view text) {
    gathered_.append(text);
    return *this;
  }
  TextSink& operator<<(char c) {
    gathered_ += c;
    return *this;
  }
  /// Called between cells: hands on what has gathered, once that is long.
  void pass() {
    if (gathered_.size() >= piece) end();
  }
  void end() {
    take_(std::exchange(gathered_, {}));
    gathered_.reserve(piece + piece / 4);
  }

 private:
  static constexpr std::size_t piece = std::size_t{64} << 10U;
  Take take_;
  std::string gathered_;
};

/// All that `write` puts into a sink.
template <class Write>
std::string whole_text(const Write& write) {
  std::string text;
  TextSink sink([&](std::string_view piece) { text += piece; });
  write(sink);
  sink.end();
  return text;
}

}  // namespace crema
