#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.hpp"
#include "core/profile/frames.hpp"
#include "core/profile/transform.hpp"
#include "core/profile/tree.hpp"

namespace crema::profile {

namespace {

constexpr std::uint64_t nothing = 0xcbf29ce484222325ULL;  // FNV-1a begins with it

std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return (hash ^ 0xffU) * 0x100000001b3ULL;
}

double number(std::uint64_t hash) {
  constexpr std::uint64_t bits = (std::uint64_t{1} << 52U) - 1;
  return static_cast<double>(hash & bits);
}

double width_of(DiffWidth width, double a, double b) {
  return width == DiffWidth::a ? a : width == DiffWidth::b ? b : (a + b) / 2;
}

struct Packages {
  Category category;
  std::string_view names;  // with blanks around each
};

// Import names. roastcoffea is part of the measurement, so it counts as coffea.
constexpr Packages packages[] = {
    {Category::coffea, " coffea roastcoffea "},
    {Category::awkward, " awkward awkward_cpp dask_awkward "},
    {Category::uproot, " uproot uproot3 uproot4 "},
    {Category::numeric,
     " numpy numba vector llvmlite scipy pandas pyarrow numexpr correctionlib jax cupy "
     "sklearn xgboost onnxruntime torch lz4 zstandard cramjam xxhash isal zlib_ng "},
    {Category::hist, " hist boost_histogram mplhep histoprint uhi dask_histogram "},
    {Category::io,
     " XRootD fsspec fsspec_xrootd aiohttp requests urllib3 s3fs botocore aiobotocore boto3 "
     "httpx h5py servicex minio "},
    {Category::dask,
     " dask distributed tornado zict cloudpickle msgpack dask_jobqueue lpcjobqueue "},
};

// Parts of the standard library that move data over sockets.
constexpr std::string_view stdlib_io[] = {"ssl.py",    "socket.py", "socketserver.py",
                                          "ftplib.py", "http/",     "urllib/request.py"};

constexpr std::string_view scratch_folders[] = {"/dask-scratch-space/", "/dask-worker-space/"};

// Modules of the standard library that take time, with blanks around each: folded stacks name no
// folder that would tell them.
constexpr std::string_view stdlib_modules =
    " abc argparse ast asyncio base64 bz2 codecs collections concurrent contextlib contextvars "
    "copy copyreg csv ctypes dataclasses datetime decimal email encodings enum fnmatch fractions "
    "ftplib functools gc genericpath glob gzip hashlib heapq html http importlib inspect io "
    "ipaddress json linecache locale logging lzma multiprocessing numbers operator os pathlib "
    "pickle pkgutil platform posixpath pprint queue random re runpy sched secrets selectors shelve "
    "shutil signal site socket socketserver sqlite3 sre_compile sre_parse ssl statistics string "
    "struct subprocess sysconfig tarfile tempfile textwrap threading timeit tokenize traceback "
    "types typing unittest urllib uuid warnings weakref xml zipfile zipimport ";

// Behind the last `folder`, or nothing.
std::string_view behind(std::string_view path, std::string_view folder) {
  const std::size_t at = path.rfind(folder);
  return at == std::string_view::npos ? std::string_view{} : path.substr(at + folder.size());
}

// What pip installs is in site-packages, what Debian's apt does in dist-packages.
std::string_view in_site_packages(std::string_view path) {
  const std::string_view rest = behind(path, "site-packages/");
  return rest.empty() ? behind(path, "dist-packages/") : rest;
}

// "/usr/lib/python3.11/json/decoder.py" -> "lib/python3.11/json/decoder.py";
// "C:/Python311/Lib/json/decoder.py" -> "Lib/…".
std::string_view in_standard_library(std::string_view path) {
  for (std::size_t at = path.find("/python"); at != std::string_view::npos;
       at = path.find("/python", at + 1)) {
    std::size_t i = at + 7;
    while (i < path.size() && (is_digit(path[i]) || path[i] == '.')) ++i;
    const bool versioned = i > at + 7 && (path.substr(i, 1) == "/" || path.substr(i, 4) == "zip/");
    const std::size_t folder = at == 0 ? std::string_view::npos : path.rfind('/', at - 1);
    const std::size_t begin = folder == std::string_view::npos ? 0 : folder + 1;
    if (versioned && path.substr(begin).starts_with("lib")) return path.substr(begin);
  }
  const std::size_t windows = path.find("/Lib/");
  if (windows != std::string_view::npos && path.size() > 1 && path[1] == ':')
    return path.substr(windows + 1);
  return {};
}

/// Whether the words have blanks around each, and that is one of them.
bool has_word(std::string_view words, std::string_view word) {
  return has_part(words, sentence({" ", word, " "}));
}

std::optional<Category> known_package(std::string_view rest) {
  const std::string_view folder = rest.substr(0, rest.find('/'));
  const std::string_view name = folder.substr(
      0, folder.find('.'));  // "six.py", "_cffi_backend.cpython-311-x86_64-linux-gnu.so"
  for (const auto& [category, names] : packages) {
    if (!name.empty() && has_word(names, name)) return category;
  }
  return std::nullopt;
}

Category category_in_standard_library(std::string_view path) {
  // Behind "lib/python3.11/" or "Lib/".
  std::string_view module = path.substr(path.find('/') + 1);
  if (module.starts_with("python"))
    module = module.substr(std::min(module.size(), module.find('/') + 1));
  const bool io = std::any_of(std::begin(stdlib_io), std::end(stdlib_io),
                              [&](std::string_view name) { return module.starts_with(name); });
  return io ? Category::io : Category::stdlib;
}

std::string with_slashes(std::string_view file) {
  std::string path(file);
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

// Behind ".../dask-scratch-space/worker-abc123/", which differs for each worker.
std::string_view in_worker_scratch(std::string_view path) {
  for (const std::string_view folder : scratch_folders) {
    const std::string_view rest = behind(path, folder);
    const std::size_t slash = rest.find('/');
    if (rest.starts_with("worker-") && slash != std::string_view::npos)
      return rest.substr(slash + 1);
  }
  return {};
}

}  // namespace

PathNumbers::PathNumbers(const ResolvedTree& tree, const FrameFacts& facts)
    : tree_(tree), facts_(facts), own_(facts.size(), 0), path_{{0, nothing}} {}

std::uint64_t PathNumbers::below(std::uint64_t parent, FrameId frame) {
  std::uint64_t& own = own_[frame];
  if (own == 0)
    own = hashed(hashed(hashed(nothing, facts_.name[frame]), facts_.file[frame]),
                 std::to_string(facts_.line[frame]));
  const std::uint64_t mixed = (parent ^ own) * 0x9e3779b97f4a7c15ULL;
  return mixed ^ (mixed >> 29U);
}

double PathNumbers::of(NodeId node) {
  if (node == 0) return 0;
  up_.clear();
  for (;; node = tree_.parent[node]) {
    // Callers come before what they call, so a larger node is not on the way up.
    while (path_.back().node > node) path_.pop_back();
    if (path_.back().node == node) break;
    up_.push_back(node);
  }
  for (; !up_.empty(); up_.pop_back())
    path_.push_back({up_.back(), below(path_.back().hash, tree_.frame[up_.back()])});
  return number(path_.back().hash);
}

std::vector<double> PathNumbers::all() {
  std::vector<std::uint64_t> hash(tree_.size(), nothing);
  std::vector<double> paths(tree_.size(), 0);
  for (std::size_t i = 1; i < tree_.size(); ++i) {
    hash[i] = below(hash[tree_.parent[i]], tree_.frame[i]);
    paths[i] = number(hash[i]);
  }
  return paths;
}

TreeDiff diff(const ResolvedTree& a, double a_factor, const ResolvedTree& b, double b_factor,
              const std::vector<FrameId>& same_as, DiffWidth width) {
  TreeDiff result;
  GrowingTree growing;
  const auto add = [&](const ResolvedTree& tree, double factor, std::vector<double>& total,
                       std::vector<double>& self) {
    std::vector<NodeId> place(tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
      place[i] =
          i == 0 ? (growing.tree().size() == 0 ? growing.child(no_node, same_as[tree.frame[0]]) : 0)
                 : growing.child(place[tree.parent[i]], same_as[tree.frame[i]]);
      for (auto* column : {&total, &self})
        column->resize(std::max<std::size_t>(column->size(), place[i] + 1), 0);
      total[place[i]] += tree.total[i] * factor;
      self[place[i]] += (tree.self[i] + tree.unresolved(i)) * factor;
    }
  };
  add(a, a_factor, result.a, result.a_self);
  add(b, b_factor, result.b, result.b_self);
  result.tree = std::move(growing.tree());
  ResolvedTree& tree = result.tree;
  for (auto* column : {&result.a, &result.b, &result.a_self, &result.b_self})
    column->resize(tree.size(), 0);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    tree.total[i] = width_of(width, result.a[i], result.b[i]);
    tree.self[i] = width_of(width, result.a_self[i], result.b_self[i]);
  }
  return result;
}

std::vector<FrameId> same_in_both(const FrameFacts& facts, const ResolvedTree& a,
                                  const ResolvedTree& b) {
  // By name and file, the lines each tree has them at.
  using Key = std::pair<std::string, std::string>;
  struct Lines {
    std::vector<std::uint32_t> a, b;
  };
  std::map<Key, Lines> functions;
  std::vector<const Key*> key_of(facts.size(), nullptr);
  const auto collect = [&](const ResolvedTree& tree, std::vector<std::uint32_t> Lines::*side) {
    std::vector<bool> seen(facts.size(), false);
    for (std::size_t i = 1; i < tree.size(); ++i) {
      const FrameId f = tree.frame[i];
      if (seen[f]) continue;
      seen[f] = true;
      const std::string file =
          facts.category[f] == Category::analysis ? private_path(facts.file[f]) : facts.file[f];
      const auto entry = functions.try_emplace({facts.name[f], file}).first;
      key_of[f] = &entry->first;
      (entry->second.*side).push_back(facts.line[f]);
    }
  };
  collect(a, &Lines::a);
  collect(b, &Lines::b);

  std::map<std::pair<const Key*, std::size_t>, FrameId> first;
  std::vector<FrameId> same_as = facts.same_as;
  for (auto& [key, lines] : functions) {
    for (auto* side : {&lines.a, &lines.b}) {
      std::sort(side->begin(), side->end());
      side->erase(std::unique(side->begin(), side->end()), side->end());
    }
  }
  for (FrameId f = 0; f < facts.size(); ++f) {
    if (key_of[f] == nullptr) continue;
    const Lines& lines = functions.at(*key_of[f]);
    std::size_t ordinal = 0;
    if (lines.a.size() == lines.b.size()) {
      const auto find = [&](const std::vector<std::uint32_t>& side) {
        return std::find(side.begin(), side.end(), facts.line[f]);
      };
      const auto in_a = find(lines.a);
      ordinal = static_cast<std::size_t>(in_a != lines.a.end() ? in_a - lines.a.begin()
                                                               : find(lines.b) - lines.b.begin());
    }
    same_as[f] = first.try_emplace({key_of[f], ordinal}, f).first->second;
  }
  return same_as;
}

Category category_of(std::string_view file) {
  if (file.empty() || file == "None" || file == "<string>") return Category::other;
  if (file.front() == '<') {
    if (file.starts_with("<frozen ")) return Category::stdlib;
    // Code that travelled by value, under which name cloudpickle puts it since 3.1.3.
    if (file.starts_with("<ipython-input") || file == "<dynamic-code>") return Category::analysis;
    if (file.starts_with("<__array_function__")) return Category::numeric;
    return file == "<built-in>" || file == "<low-level>" ? Category::native : Category::other;
  }
  const std::string path = with_slashes(file);
  if (const std::string_view rest = in_site_packages(path); !rest.empty())
    return known_package(rest).value_or(Category::other);
  if (const std::string_view rest = in_standard_library(path); !rest.empty())
    return category_in_standard_library(rest);
  // A library of the machine, of the kernel, the interpreter itself, also below ~/.pyenv; code that
  // perf has no name for where it was made at run time (/tmp/perf-PID.map).
  const auto has = [&](std::string_view part) { return has_part(path, part); };
  if (path.front() == '[' || (base_name(path).find(".py") == std::string::npos &&
                              (has(".so") || has("/bin/") || path.ends_with(".map"))))
    return Category::native;
  const bool is_absolute = path.front() == '/' || path.front() == '~' || has(":/");
  if (!is_absolute) {
    const auto package = has("/") ? known_package(path) : std::nullopt;
    if (package) return *package;
    const std::string module = path.substr(0, path.find_first_of("./"));
    if (has_word(stdlib_modules, module)) return category_in_standard_library("/" + path);
  }
  if (has("/cremascope/")) return Category::other;  // what records, also in a checkout of it
  return known_package(behind(path, "/src/")).value_or(Category::analysis);
}

std::string normalised_path(std::string_view file) {
  std::string path = with_slashes(file);
  for (const auto shorten : {in_site_packages, in_standard_library, in_worker_scratch}) {
    if (const std::string_view rest = shorten(path); !rest.empty()) return std::string(rest);
  }
  return path;
}

std::string package_of(std::string_view normalised) {
  std::string_view rest = normalised;
  if (rest.starts_with("<")) return std::string(rest);
  if (rest.starts_with("lib/python") || rest.starts_with("Lib/")) {
    rest.remove_prefix(std::min(rest.size(), rest.find('/', rest.starts_with("Lib/") ? 0 : 4) + 1));
  } else if (!has_part(rest, '/') || rest.starts_with("/") ||
             rest.substr(0, 3).find(':') != rest.npos) {
    const std::string_view checkout = behind(rest, "/src/");
    if (!known_package(checkout)) return std::string(rest);
    rest = checkout;
  }
  const std::string_view first = rest.substr(0, rest.find('/'));
  return std::string(first.substr(0, first.find('.')));
}

std::string private_path(std::string_view file) {
  std::string path = normalised_path(file);
  const bool absolute = path.starts_with("/") || path.starts_with("~") ||
                        path.substr(0, 2).find(':') != std::string::npos;
  return absolute ? path.substr(path.rfind('/') + 1) : path;
}

}  // namespace crema::profile
