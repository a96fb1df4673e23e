// What is known of a call that a line of the analysis makes, by its source: where a function's time
// is at such a line, its name alone does not say what helps.
#include <algorithm>
#include <array>

#include "core/base/text.hpp"
#include "core/report/answer_text.hpp"

namespace crema::report {

namespace {

bool is_name(char c) { return c == '_' || c == '.' || is_alphanumeric(c); }

/// Where `call` is called in `line`, as a function of its own; npos where it is not.
std::size_t called_at(std::string_view line, std::string_view call) {
  for (std::size_t at = line.find(call); at != line.npos; at = line.find(call, at + 1)) {
    const std::size_t end = at + call.size();
    if ((at == 0 || !is_name(line[at - 1])) && end < line.size() && line[end] == '(') return at;
  }
  return line.npos;
}

bool calls(std::string_view line, std::string_view call) {
  return called_at(line, call) != line.npos;
}

bool holds(std::string_view line, std::string_view text) { return line.find(text) != line.npos; }

/// "table = np.hstack([table, column])": what it makes is in what it takes.
bool takes_what_it_makes(std::string_view line, std::string_view call) {
  const std::size_t at = called_at(line, call), equals = line.find('=');
  if (at == line.npos || equals > at) return false;
  const std::string_view made = trimmed(line.substr(0, equals));
  if (made.empty() || !std::all_of(made.begin(), made.end(), is_name)) return false;
  const std::string_view taken = line.substr(at);
  for (std::size_t found = taken.find(made); found != taken.npos;
       found = taken.find(made, found + 1)) {
    const std::size_t end = found + made.size();
    if (!is_name(taken[found - 1]) && (end == taken.size() || !is_name(taken[end]))) return true;
  }
  return false;
}

struct Hint {
  bool (*is_of)(std::string_view line);
  std::string_view text;
};

constexpr Hint hints[] = {
    // docs.python.org, eval: "compiled and evaluated", each time that it is given a text
    {[](auto line) { return calls(line, "eval") || calls(line, "exec"); },
     "eval() and exec() compile the text that they are given: a function, or compile(), does so "
     "once."},
    // numpy.org, concatenate, append: each makes a new array
    {[](auto line) {
       constexpr std::array all = {"np.append", "np.concatenate",  "np.hstack",
                                   "np.vstack", "np.column_stack", "ak.concatenate"};
       return std::any_of(all.begin(), all.end(),
                          [&](const char* call) { return takes_what_it_makes(line, call); });
     },
     "It copies all that is there to add to it: parts kept in a list are joined once, at the end."},
    // awkward-array.org, ak.pad_none and fill_none: of lists of equal length
    {[](auto line) { return calls(line, "ak.pad_none") && holds(line, "fill_none("); },
     "Padding makes all lists as long as the longest one asked for; awkward's functions take them "
     "as they are."},
    // docs.scipy.org, scipy.spatial.distance.cdist: all pairs
    {[](auto line) { return holds(line, "cdist(") && holds(line, "diag"); },
     "cdist computes all pairs, of which the diagonal has one for each item."},
    // docs.python.org, sum: it adds the items of an iterable, one by one
    {[](auto line) { return calls(line, "sum") && !holds(line, " for "); },
     "Python's sum() adds item by item: np.sum and ak.sum take whole arrays."},
    // numpy.org, "Data type objects": what is done with objects, Python does, one by one
    {[](auto line) {
       return holds(line, "dtype=object") || holds(line, "astype(object") || holds(line, "\"O\"") ||
              holds(line, "'O'");
     },
     "Arrays of Python objects are worked on item by item."},
    // numpy.org, "Extended precision": without vector instructions
    {[](auto line) { return holds(line, "longdouble") || holds(line, "float128"); },
     "Processors have no vector instructions for long double: float64 is several times as fast."},
    // sqlite.org, "Query Planning": without an index each row is looked at
    {[](auto line) { return holds(line, ".execute(") && holds(line, "fetch"); },
     "It asks a database: without an index on what is asked for each row is looked at, and one "
     "query for all items takes one round trip."}};

}  // namespace

std::string line_hint(std::string_view line) {
  const auto* const known = std::find_if(std::begin(hints), std::end(hints),
                                         [&](const Hint& hint) { return hint.is_of(line); });
  return known == std::end(hints) ? "" : " " + std::string(known->text);
}

}  // namespace crema::report
