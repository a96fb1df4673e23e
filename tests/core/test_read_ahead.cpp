// A thread that unpacks while what came before is read: natively only.
#ifndef __EMSCRIPTEN__

#include "cli/read_ahead.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/core/catch.hpp"

using crema::cli::ReadAhead;

namespace {

/// Gives pieces of a text, then an empty one; each is gone when the next is asked for.
class Source {
 public:
  Source(std::string text, std::vector<std::size_t> sizes)
      : text_(std::move(text)), sizes_(std::move(sizes)) {}

  std::string_view operator()() {
    const std::size_t size = std::min(sizes_[count_++ % sizes_.size()], text_.size() - at_);
    piece_ = std::string(text_, at_, size);
    at_ += size;
    return piece_;
  }

 private:
  std::string text_, piece_;
  std::vector<std::size_t> sizes_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
};

std::string random_text(std::size_t size) {
  std::mt19937 random(5);
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

}  // namespace

TEST_CASE("What is read ahead is what the source gives, in its order, whatever its pieces are") {
  const std::string text = random_text(5'000'001);
  const std::vector<std::vector<std::size_t>> cuts = {
      {262144}, {1, 262143, 262145}, {3'000'000}, {977}, {6'000'000}};
  for (const auto& sizes : cuts) {
    ReadAhead ahead(Source(text, sizes));
    std::string all;
    for (std::string_view piece = ahead.next(); !piece.empty(); piece = ahead.next()) all += piece;
    CHECK((all == text));  // not printed
    CHECK(ahead.next().empty());
  }
  CHECK(ReadAhead(Source("", {1})).next().empty());
}

TEST_CASE("What a source throws comes behind all that it gave before") {
  std::size_t given = 0;
  const std::string piece(1000, 'a');
  ReadAhead ahead([&]() -> std::string_view {
    if (given == 3'000'000) throw std::runtime_error("the end");
    given += piece.size();
    return piece;
  });
  std::size_t taken = 0;
  CHECK_THROWS_WITH(
      [&] {
        for (;;) taken += ahead.next().size();
      }(),
      "the end");
  CHECK(taken == 3'000'000);
}

TEST_CASE("A source without end is asked no more when nobody reads on, and never far ahead") {
  std::size_t given = 0;
  const std::string piece(100'000, 'a');
  {
    ReadAhead ahead([&]() -> std::string_view {
      given += piece.size();
      return piece;
    });
    CHECK(ahead.next().size() == 262144);
  }
  CHECK(given >= 300'000);
  CHECK(given <= 10 * 262144 + piece.size());  // the places there are, and what was being filled
}

#endif
