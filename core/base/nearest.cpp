#include "core/base/nearest.hpp"

#include <algorithm>
#include <vector>

namespace crema {

namespace {

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool alike(char a, char b) { return small(a) == small(b); }

bool holds(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), alike) != text.end();
}

// Every question and every export format is named, of a thousand files a few.
constexpr std::size_t most_named = 60;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > limit) return limit + 1;
  // The last two rows are enough: row[j] is the distance of the letters of `a` so far to the first
  // j of `b`.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {last[j] + 1, row[j - 1] + 1, last[j - 1] + (alike(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) && alike(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    if (*std::min_element(row.begin(), row.end()) > limit + 1) return limit + 1;
  }
  return std::min(row.back(), limit + 1);
}

std::string_view nearest(std::string_view wanted, std::span<const std::string_view> known) {
  if (wanted.empty()) return {};
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>(1, (wanted.size() + 1) / 3) + 1;
  for (const std::string_view name : known) {
    const std::size_t slips = edit_distance(wanted, name, fewest - 1);
    // All letters of a short name could be changed into any other.
    if (slips >= fewest || slips >= std::max(wanted.size(), name.size())) continue;
    best = name;
    fewest = slips;
    if (slips == 0) return best;
  }
  if (!best.empty() || wanted.size() < 3) return best;
  for (const std::string_view name : known) {
    if (holds(name, wanted) && (best.empty() || name.size() < best.size())) best = name;
  }
  return best;
}

std::string not_among(std::string_view wanted, std::span<const std::string_view> known) {
  std::string text(wanted);
  if (known.empty()) return text + "; there are none";
  text += known.size() == 1 ? "; there is " : "; there are ";
  const std::size_t named = known.size() > most_named + 5 ? most_named / 5 : known.size();
  for (std::size_t i = 0; i < named; ++i) text.append(i > 0 ? ", " : "").append(known[i]);
  if (named < known.size()) text += " and " + std::to_string(known.size() - named) + " more";
  if (const std::string_view meant = nearest(wanted, known); !meant.empty())
    text.append(". Did you mean ").append(meant) += '?';
  return text;
}

}  // namespace crema
