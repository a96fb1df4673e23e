#include "core/base/order.hpp"

#include <algorithm>
#include <numeric>

namespace crema {

std::vector<std::uint32_t> places_in_order(std::size_t count, Before before, const void* less) {
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0U);
  std::stable_sort(places.begin(), places.end(),
                   [=](std::uint32_t a, std::uint32_t b) { return before(less, a, b); });
  return places;
}

std::vector<std::uint32_t> most_first(std::span<const double> values) {
  return places_in_order(values.size(),
                         [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
}

namespace {

/// The next seven bytes of a text as a number that is ordered as they are; last, how many of them
/// there are.
std::uint64_t word_at(std::string_view text, std::size_t begin) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 7; ++i)
    word =
        word << 8U | (begin + i < text.size() ? static_cast<unsigned char>(text[begin + i]) : 0U);
  return word << 8U | (begin < text.size() ? std::min<std::size_t>(text.size() - begin, 7) : 0);
}

}  // namespace

// Names of files begin alike. Compared as texts they are read from the beginning sixteen times
// each; here every byte is read once, and numbers are compared.
std::vector<std::uint32_t> text_order(std::span<const std::string_view> texts) {
  struct Place {
    std::uint64_t word;
    std::uint32_t text;
  };
  struct Alike {
    std::size_t first, last;  // places whose texts are the same up to
    std::size_t depth;
  };
  std::vector<Place> places(texts.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i].text = static_cast<std::uint32_t>(i);
  std::vector<Alike> open = {{0, places.size(), 0}};
  while (!open.empty()) {
    const auto [first, last, depth] = open.back();
    open.pop_back();
    bool differ = false;
    for (std::size_t i = first; i < last; ++i) {
      places[i].word = word_at(texts[places[i].text], depth);
      differ = differ || places[i].word != places[first].word;
    }
    const auto begin = places.begin();
    const auto by_word = [](const Place& a, const Place& b) { return a.word < b.word; };
    if (differ)
      std::sort(begin + static_cast<std::ptrdiff_t>(first),
                begin + static_cast<std::ptrdiff_t>(last), by_word);
    for (std::size_t from = first, to = first; from < last; from = to) {
      while (to < last && places[to].word == places[from].word) ++to;
      const bool goes_on = (places[from].word & 0xffU) == 7;
      if (goes_on && to - from > 1) open.push_back({from, to, depth + 7});
    }
  }
  std::vector<std::uint32_t> order;
  order.reserve(places.size());
  for (const Place& place : places) order.push_back(place.text);
  return order;
}

}  // namespace crema
