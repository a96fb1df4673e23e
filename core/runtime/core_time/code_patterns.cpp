// Calls that the analysis can often do without, as frames of the profile show them.
#include <algorithm>
#include <array>
#include <set>

#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::runtime {

using namespace profile;

namespace {

// What of process() a pattern must have to be reported: a twentieth is worth a line.
constexpr double worth_changing = 0.05;

struct Pattern {
  std::string_view file;                  // a part of the path
  std::array<std::string_view, 7> names;  // of functions that the analysis calls; "" = all
  std::string_view shown;                 // before their names
  std::string_view how;
  CodePattern::Kind kind = CodePattern::Kind::costly;
  std::string_view by{};  ///< of what is set up: the function that does it; they may do without
};

constexpr auto needless = CodePattern::Kind::needless;
constexpr auto set_up = CodePattern::Kind::set_up;
// docs.python.org, functools.cache: of a function without arguments that change.
constexpr std::string_view once =
    "What is the same for each chunk can be made once in a worker: by a function with "
    "functools.cache that gets nothing of the chunk";
// docs.python.org, copy: deepcopy() copies all that an object holds.
constexpr std::string_view shallow =
    "It copies all that an object holds: copy.copy shares what is in it";

constexpr std::string_view whole_arrays =
    "It is a loop in Python: operations on whole arrays, or numba's @vectorize, are faster by "
    "orders of magnitude";

constexpr Pattern patterns[] = {
    // awkward-array.org, "How to perform computations with pairs": n (n - 1) / 2 of n.
    {"awkward/",
     {"cartesian", "argcartesian", "combinations", "argcombinations"},
     "ak.",
     "Cuts before the pairing leave fewer pairs"},
    // awkward-array.org, "How to convert to NumPy" and "to Python objects": ragged arrays are
    // copied.
    {"awkward/",
     {"to_list", "tolist", "to_pandas"},
     "ak.",
     "It copies: awkward's functions on the arrays themselves need no copy",
     needless},
    // awkward-array.org, "How to filter": each cut of an array of records copies its columns.
    {"awkward/",
     {"__getitem__", "mask", "drop_none", "where"},
     "ak.",
     "Each selection copies what it keeps: fewer of them, and of only the columns used later, copy "
     "less"},
    // awkward-array.org, "How to create arrays by converting from Python objects": item by item.
    {"awkward/",
     {"from_iter"},
     "ak.",
     "It converts item by item: ak.zip and ak.unflatten make arrays of whole columns",
     needless},
    // pandas.pydata.org, "DataFrame": from records each item becomes an object first;
    // awkward-array.org, ak.to_dataframe.
    {"pandas/core/frame.py",
     {"__init__", "from_records", "from_dict", "groupby"},
     "pandas' DataFrame.",
     "Awkward's reducers need no data frame; ak.to_dataframe makes one without an object of each "
     "item",
     needless},
    // pandas.pydata.org, "Enhancing performance": each row becomes a Series, each call is Python's.
    {"pandas/core/",
     {"iterrows", "itertuples", "apply", "applymap"},
     "pandas' ",
     "It may call Python for each row or group: operations on whole columns do not",
     needless},
    // numpy.org, numpy.vectorize: "not for performance. The implementation is essentially a for
    // loop."
    {"function_base", {"__call__"}, "np.vectorize.", whole_arrays, needless},
    {"numpy/lib/", {"apply_along_axis"}, "np.", whole_arrays, needless},
    // docs.python.org, warnings: each call formats and filters a message.
    {"/warnings.py",
     {"_showwarnmsg", "showwarning"},
     "warnings' ",
     "One warning for each chunk in place of one for each event costs nothing",
     needless},
    // docs.python.org, "Logging HOWTO", Optimization.
    {"/logging/__init__.py",
     {"debug", "info", "warning", "error"},
     "logging's ",
     "One message for each chunk in place of one for each event, or a level that leaves them out, "
     "costs nothing",
     needless},
    // awkward-array.org, ak.to_parquet: columns as they are.
    {"/json/__init__.py",
     {"dump", "dumps"},
     "json.",
     "ak.to_parquet writes arrays without making text of them",
     needless},
    {"/copy.py", {"deepcopy"}, "copy.", shallow, needless},
    // docs.python.org, inspect.stack and traceback: each frame has lines of its source file.
    {"/inspect.py",
     {"stack", "trace", "getouterframes", "getframeinfo", "getsource"},
     "inspect.",
     "It reads the source of each frame; inspect.stack(context=0) and sys._getframe read none",
     needless},
    {"/traceback.py",
     {"format_exc", "print_exc", "format_stack", "extract_stack", "print_stack"},
     "traceback.",
     "It reads the source of each frame: counting what is raised for events needs none",
     needless},
    // docs.python.org, subprocess: each call starts a program and waits for it.
    {"/subprocess.py",
     {"run", "check_output", "check_call", "call", "__init__"},
     "subprocess' ",
     "It starts a program each time: one call for all items, or a library, starts fewer"},
    // numpy.org, random.Generator: its methods fill arrays.
    {"/random.py",
     {"uniform", "gauss", "randint", "choice", "normalvariate"},
     "random.",
     "It draws one number at a time: numpy.random.Generator draws whole arrays",
     needless},
    // docs.python.org, statistics: no competitor of NumPy.
    {"/statistics.py",
     {"mean", "median", "stdev", "pstdev", "quantiles"},
     "statistics.",
     "It computes item by item in Python: numpy's functions take whole arrays",
     needless},
    // numpy.org, numpy.append, insert: "a copy of arr".
    {"numpy/lib/",
     {"append", "insert"},
     "np.",
     "It copies the whole array each time: items of a list become an array once",
     needless},
    // numpy.org, "The numpy.ma module": each operation computes the mask of its result, too.
    {"numpy/ma/",
     {},
     "numpy.ma",
     "Masked arrays compute and copy masks in each operation: ak.fill_none, or filled(), before "
     "arithmetic leaves plain arrays"},
    // numpy.org, numpy.linalg: of stacks of matrices LAPACK takes one after the other.
    {"numpy/linalg/",
     {"pinv", "svd", "inv", "eigh", "solve"},
     "np.linalg.",
     "Of a stack of matrices it takes one after the other: for 2 x 2 and 3 x 3 ones formulas of "
     "whole arrays are faster. A large matrix that is the same in each chunk needs it once"},
    // numpy.org, numpy.savetxt: each row is formatted by Python.
    {"numpy/lib/",
     {"savetxt"},
     "np.",
     "It makes text of each number: np.save, np.savez or ak.to_parquet write arrays as they are",
     needless},
    // psutil.readthedocs.io, Process.memory_full_info: "considerably slower", it goes through all
    // mappings.
    {"psutil/",
     {"memory_full_info", "memory_maps", "open_files", "cpu_percent", "as_dict"},
     "psutil's ",
     "memory_info() gives the memory without going through all mappings; "
     "cpu_percent(interval=None) "
     "does "
     "not wait",
     needless},
    // tqdm.github.io, "Benchmarks": some 60 ns for each item, and what it prints.
    {"tqdm/",
     {"__iter__", "update"},
     "tqdm's ",
     "A progress bar of chunks instead of events costs nothing",
     needless},
    // matplotlib.org, "Faster rendering": each figure is laid out and drawn by Python.
    {"matplotlib/",
     {"savefig", "subplots", "figure", "tight_layout"},
     "matplotlib's ",
     "Figures of the merged result are drawn once, after the run",
     needless},
    // docs.scipy.org, scipy.optimize: each call minimises one function, which Python calls.
    {"scipy/optimize/",
     {"minimize", "minimize_scalar", "curve_fit", "least_squares", "root_scalar"},
     "scipy.optimize.",
     "It solves one problem at a time in Python: steps on arrays of all items, or numba, are "
     "faster"},
    // docs.python.org, re: of names that occur again each needs to be matched once.
    {"/re/__init__.py",
     {"match", "search", "sub", "findall", "fullmatch"},
     "re.",
     "Names that occur again can be matched once each: the distinct ones first"},
    // Tables, corrections, models and patterns that do not depend on the events of the chunk.
    {"/json/__init__.py", {"load", "loads"}, "json.", once, set_up},
    {"/re/__init__.py", {"compile"}, "re.", once, set_up},
    {"/re.py", {"compile"}, "re.", once, set_up},
    {"yaml/__init__.py", {"load", "safe_load", "load_all", "full_load"}, "yaml.", once, set_up},
    {"numpy/lib/", {"loadtxt", "genfromtxt", "fromregex", "load"}, "numpy.", once, set_up},
    {"pandas/io/",
     {"read_csv", "read_parquet", "read_pickle", "read_hdf", "read_json"},
     "pandas.",
     once,
     set_up},
    {"uproot/reading.py", {"open"}, "uproot.", once, set_up},
    {"/urllib/request.py", {"urlopen", "urlretrieve"}, "urllib's ", once, set_up},
    {"requests/", {"get", "post", "request"}, "requests' ", once, set_up},
    {"correctionlib/", {"from_file", "from_string"}, "correctionlib's ", once, set_up},
    {"coffea/lookup_tools/extractor.py",
     {"add_weight_sets", "finalize", "import_file"},
     "coffea's extractor.",
     once,
     set_up},
    {"coffea/util.py", {"load"}, "coffea.util.", once, set_up},
    {"importlib/metadata/__init__.py",
     {"version", "distribution", "distributions", "entry_points", "requires", "read_text",
      "metadata"},
     "importlib.metadata.",
     once,
     set_up},
    {"/glob.py", {"glob", "iglob"}, "glob.", once, set_up},
    {"/csv.py", {"__next__"}, "csv's ", once, set_up},
    {"xml/etree/ElementTree.py", {"parse", "fromstring"}, "ElementTree.", once, set_up},
    {"scipy/interpolate/", {"__init__", "griddata"}, "scipy.interpolate's ", once, set_up},
    {"multiprocessing/context.py", {"Pool"}, "multiprocessing.", once, set_up},
    {"onnxruntime/capi/", {"__init__"}, "onnxruntime's InferenceSession.", once, set_up},
    // numba.readthedocs.io, "Compiling Python code with @jit", cache: a function is compiled when
    // it is first called with arguments of such types, or read from its cache.
    {"numba/core/dispatcher.py",
     {"_compile_for_args"},
     "numba's ",
     "A function that a module defines is compiled once in a process for each combination of its "
     "arguments' types (of a tuple also its length), or read from a file with cache=True; one that "
     "process() defines is compiled in each chunk",
     set_up,
     "compile_extra"},
    {"torch/", {"load", "load_state_dict"}, "torch's ", once, set_up},
    {"xgboost/", {"load_model"}, "xgboost's ", once, set_up},
    {"joblib/numpy_pickle.py", {"load"}, "joblib.", once, set_up},
    {"keras/", {"load_model"}, "keras' ", once, set_up},
};
// github.com/scikit-hep/awkward/discussions/2392: 10 to 1000 times slower than array functions.
constexpr std::string_view instead_of_a_loop =
    "Functions of whole arrays, or Numba for the loop, are faster by orders of magnitude";

bool is_of(const Pattern& pattern, const FrameFacts& facts, FrameId frame) {
  // Most functions have another name, which is sooner seen than what their path holds.
  if (facts.name[frame].empty()) return false;
  return (pattern.names.front().empty() || contains(pattern.names, facts.name[frame])) &&
         has_part(facts.file[frame], pattern.file);
}

/// Of every row of `calls`, whether it is a call of such a function, or is made below one.
template <class IsOf>
std::vector<bool> calls_within(const Run& run, const IsOf& is_of_it) {
  using recorded_columns::Call;
  const auto& calls = run.recording.calls;
  std::vector<bool> is_within(calls.size());
  for (std::uint32_t call = 0; call < calls.size(); ++call) {  // callers come first
    const std::uint32_t caller = calls.row(Call::caller, call);
    const double frame = calls.at(Call::called, call);
    is_within[call] = (caller < call && is_within[caller]) ||
                      (!is_absent(frame) && is_of_it(static_cast<FrameId>(frame)));
  }
  return is_within;
}

/// By samples that know their task; absent without such.
struct SeenInTasks {
  double chunks = absent;    ///< in which it was seen
  double by_other = absent;  ///< looks at it without the function that does it
  double looks = absent;
  double seconds = 0, at_calls = 0;  ///< [s] of all samples; at lines that call it
};
SeenInTasks seen_in_tasks(const Run& run, const FrameFacts& facts, const Pattern& pattern) {
  using recorded_columns::Call;
  using recorded_columns::Sample;
  const auto& calls = run.recording.calls;
  const auto& samples = run.recording.samples;
  if (samples.size() == 0) return {};
  const std::vector<bool> is_within =
      calls_within(run, [&](FrameId frame) { return is_of(pattern, facts, frame); });
  const std::vector<bool> is_by =
      pattern.by.empty()
          ? std::vector<bool>(calls.size(), true)
          : calls_within(run, [&](FrameId frame) { return facts.name[frame] == pattern.by; });
  const auto place_of = [&](std::uint32_t call) {
    const double frame = calls.at(Call::called, call);
    const bool is_known = !is_absent(frame + calls.at(Call::line, call));
    return std::pair(is_known ? std::string_view(facts.file[static_cast<FrameId>(frame)]) : "",
                     value_or(calls.at(Call::line, call), 0));
  };
  std::set<std::pair<std::string_view, double>> calling;  // files and lines
  for (std::uint32_t call = 0; call < calls.size(); ++call) {
    const std::uint32_t caller = calls.row(Call::caller, call);
    if (is_within[call] && caller < call && !is_within[caller]) calling.insert(place_of(caller));
  }
  std::set<std::uint32_t> tasks;
  SeenInTasks seen{.by_other = 0, .looks = 0};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::uint32_t call = samples.row(Sample::call, i);
    const double wall = value_or(samples.at(Sample::wall, i), 0);
    seen.seconds += wall;
    if (call >= is_within.size()) continue;
    if (!is_within[call] && calling.contains(place_of(call))) seen.at_calls += wall;
    if (!is_within[call]) continue;
    tasks.insert(samples.row(Sample::task, i));
    seen.looks += samples.at(Sample::looks, i);
    seen.by_other += is_by[call] ? 0 : samples.at(Sample::looks, i);
  }
  seen.chunks = static_cast<double>(tasks.size());
  return seen;
}

}  // namespace

std::vector<CodePattern> code_patterns(const Run& run) {
  const auto shares = profile_shares(run, {});
  if (shares == nullptr || !(shares->inside > 0)) return {};
  const FrameFacts& facts = *shares->facts;
  std::set<FrameId> iterating;  // through awkward arrays, item by item
  for (const ProfileShares::Call& call : shares->calls) {
    if (facts.name[call.frame] == "__iter__" && facts.category[call.frame] == Category::awkward)
      iterating.insert(call.caller);
  }
  std::vector<CodePattern> found;
  for (const Pattern& pattern : patterns) {
    double samples = 0, called_back = 0;
    // By function of the pattern, and by who calls them.
    std::vector<std::pair<FrameId, double>> called, callers;
    const auto add = [](auto& to, FrameId frame, double amount) {
      auto* const known = first_where(to, [&](const auto& one) { return one.first == frame; });
      if (known == nullptr) to.emplace_back(frame, amount);
      else known->second += amount;
    };
    for (const ProfileShares::Call& call : shares->calls) {
      // An item by its number is no selection.
      const bool is_item =
          facts.name[call.frame] == "__getitem__" && iterating.contains(call.caller);
      if (!is_of(pattern, facts, call.frame) || is_item) continue;
      const double all = call.samples + call.called_back;
      samples += all;
      called_back += call.called_back;
      add(called, call.frame, all);
      add(callers, call.caller, all);
    }
    // one that is called back by another of its kind is in both
    const double share = std::min(1.0, samples / shares->inside);
    if (!(share >= worth_changing)) continue;
    const SeenInTasks seen = seen_in_tasks(run, facts, pattern);
    if (pattern.kind == set_up && 2 * seen.by_other > seen.looks) continue;
    sort_stably(called, [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<std::string> names;
    for (const auto& [frame, amount] : called) {
      std::string name(pattern.shown);
      if (!pattern.names.front().empty()) name += facts.name[frame];
      if (amount > 0 && !contains(names, name)) names.push_back(std::move(name));
    }
    std::string what = listed(names);
    std::string most;
    for (const auto& [caller, amount] : callers)
      if (2 * amount > samples) most = shares->label_of(caller);
    if (!most.empty()) what += ", most of it called by " + most;
    const double at_calls = value_or(ratio(seen.at_calls, seen.seconds), 0) *
                            (shares->inside + shares->outside) / shares->inside;
    found.push_back({std::move(what), pattern.how, share, pattern.kind,
                     std::min(share, called_back / shares->inside),
                     pattern.kind == set_up ? seen.chunks : absent, std::move(most),
                     std::min(1 - share, at_calls)});
  }
  // Who takes one item of an awkward array after the other spends its time so; of process(), which
  // does much else, only what it calls of awkward.
  for (const ProfileShares::Owner& owner : shares->owners) {
    if (!owner.inside || !iterating.contains(owner.frame)) continue;
    double samples = owner.samples.count;
    if (facts.name[owner.frame] == "process") {
      samples = 0;
      for (const ProfileShares::Call& call : shares->calls) {
        if (call.caller == owner.frame && facts.category[call.frame] == Category::awkward)
          samples += call.samples;
      }
    }
    const double share = samples / shares->inside;
    if (share >= worth_changing)
      found.push_back({sentence({shares->label_of(owner.frame),
                                 ", which goes through an awkward array item by item"}),
                       instead_of_a_loop, share, needless});
  }
  sort_stably(found, [](const CodePattern& a, const CodePattern& b) { return a.share > b.share; });
  return found;
}

double seconds_compiling_modules(const Run& run) {
  using recorded_columns::Sample;
  const auto& samples = run.recording.samples;
  const FrameTable& frames = run.names->frames;
  const StringId name = run.names->strings.find("source_to_code");
  if (name == no_string) return 0;
  const std::vector<bool> is_within = calls_within(run, [&](FrameId frame) {
    return frames.name[frame] == name && has_part(run.text(frames.file[frame]), "importlib");
  });
  double seconds = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::uint32_t call = samples.row(Sample::call, i);
    if (call < is_within.size() && is_within[call])
      seconds += value_or(samples.at(Sample::wall, i), 0);
  }
  return seconds;
}

}  // namespace crema::runtime
