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

/// "table = np.hstack([table, column])": what it makes is one of several that it takes.
bool adds_to_itself(std::string_view line, std::string_view call) {
  const std::size_t at = called_at(line, call), equals = line.find('=');
  if (at == line.npos || equals > at) return false;
  const std::string_view made = trimmed(line.substr(0, equals));
  if (made.empty() || !all_of(made, is_name)) return false;
  const std::string_view taken = line.substr(at + call.size());
  const std::size_t end = taken.find_first_of(")]");
  for (const std::string_view one : split(taken.substr(0, end), "([,"))
    if (one == made) return taken.substr(0, end).find(',') != taken.npos;
  return false;
}

/// "sum(weights)": of one name.
bool sums_a_name(std::string_view line) {
  const std::size_t at = called_at(line, "sum");
  if (at == line.npos) return false;
  const std::size_t end = std::min(line.find(')', at), line.size());
  const std::string_view summed = line.substr(at + 4, end - at - 4);
  return end < line.size() && !summed.empty() && all_of(summed, is_name);
}

bool holds_any(std::string_view line, std::initializer_list<std::string_view> texts) {
  return any_of(texts, [&](std::string_view text) { return has_part(line, text); });
}

/// "[one for one in all if one in seen]", "seen not in found".
bool asks_whether_in(std::string_view line) {
  const std::size_t asked = line.find(" if ");
  return has_part(line, " not in ") ||
         (asked != line.npos && has_part(line, " for ") && has_part(line.substr(asked), " in "));
}

struct Hint {
  bool (*is_of)(std::string_view line);
  std::string_view text;
};

constexpr Hint hints[] = {
    // docs.python.org, eval: a text is "parsed and evaluated", each time
    {[](auto line) { return calls(line, "eval") || calls(line, "exec"); },
     "Where eval() and exec() are given a text, they compile it each time: compile(), or a "
     "function, does so once."},
    // numpy.org, concatenate, append: each makes a new array
    {[](auto line) {
       constexpr std::array all = {"np.append", "np.concatenate",  "np.hstack",
                                   "np.vstack", "np.column_stack", "ak.concatenate"};
       return any_of(all, [&](const char* call) { return adds_to_itself(line, call); });
     },
     "It copies all that is there to add to it: in a loop, parts kept in a list are joined once, "
     "at its end."},
    // awkward-array.org, ak.pad_none, clip: all lists are of the length that is asked for
    {[](auto line) { return calls(line, "ak.pad_none") && has_part(line, "clip=True"); },
     "Padding makes all lists as long as is asked for; awkward's functions take them as they are."},
    // docs.scipy.org, scipy.spatial.distance.cdist: all pairs
    {[](auto line) {
       return has_part(line, "cdist(") && holds_any(line, {".diagonal(", "diag(cdist("});
     },
     "cdist computes all pairs, of which the diagonal has one for each item."},
    // docs.scipy.org, scipy.spatial.KDTree: "quick nearest-neighbor lookup"
    {[](auto line) {
       return has_part(line, "cdist(") && holds_any(line, {"argpartition(", "argmin(", "argsort("});
     },
     "cdist computes all pairs: scipy.spatial.KDTree finds the nearest ones without."},
    // docs.scipy.org, scipy.signal.choose_conv_method: which is faster depends on the lengths
    {[](auto line) { return has_part(line, "convolve(") && !has_part(line, "fftconvolve("); },
     "A direct convolution multiplies each item with each: of long arrays scipy.signal.fftconvolve "
     "is faster."},
    // numpy.org, numpy.char: functions that call Python's methods of each item
    {[](auto line) {
       return holds_any(line, {"np.char.", "numpy.char."});
     },
     "It works on texts item by item: numbers are compared and sorted as whole arrays."},
    // pythonhosted.org/uncertainties, "Uncertainties in arrays": arrays of Python objects
    {[](auto line) {
       return holds_any(line, {"unumpy.", "ufloat("});
     },
     "It keeps a Python object for each item: errors as arrays of their own need none."},
    // docs.python.org, copy: "recursively, inserts copies into it of the objects found"
    {[](auto line) { return has_part(line, "deepcopy("); },
     "A deep copy copies all columns: a shallow one shares those that do not change."},
    // docs.scipy.org, scipy.stats.binned_statistic: "This function will be called on the values in
    // each bin"
    {[](auto line) {
       const std::size_t at = line.find("statistic=");
       return has_part(line, "binned_statistic") && at != line.npos && at + 10 < line.size() &&
              line[at + 10] != '"' && line[at + 10] != '\'';
     },
     "Its statistic is a function that is called for each bin."},
    // numpy.org, numpy.linalg.inv; netlib.org, LAPACK: a system is solved without the inverse
    {[](auto line) { return has_part(line, "linalg.inv("); }, "np.linalg.solve needs no inverse."},
    // docs.python.org, sum: it adds the items of an iterable, one by one
    {sums_a_name, "Python's sum() adds item by item: of an array np.sum or ak.sum take the whole."},
    // numpy.org, "Data type objects": what is done with objects, Python does, one by one
    {[](auto line) {
       return holds_any(line, {"dtype=object", "astype(object", "dtype=\"O\"", "dtype='O'",
                               "astype(\"O\"", "astype('O'"});
     },
     "Arrays of Python objects are worked on item by item."},
    // numpy.org, "Extended precision"
    {[](auto line) {
       return holds_any(line, {"dtype=np.longdouble", "astype(np.longdouble", "np.float128"});
     },
     "Where a long double is longer than float64, processors have no vector instructions for it."},
    // wiki.python.org, "TimeComplexity": O(n) of a list, O(1) of a set
    {asks_whether_in,
     "Whether a list has an item, Python finds by comparing with one after the other: a set, or "
     "np.isin for whole arrays, does not."},
    // sqlite.org, "Query Planning"
    {[](auto line) {
       return has_part(line, ".execute(") &&
              holds_any(line, {".fetchone(", ".fetchall(", ".fetchmany("});
     },
     "Without an index on what it is asked for a database looks at each row."}};

}  // namespace

std::string line_hint(std::string_view line) {
  const Hint* const known = first_where(hints, [&](const Hint& hint) { return hint.is_of(line); });
  return known == nullptr ? "" : " " + std::string(known->text);
}

}  // namespace crema::report
