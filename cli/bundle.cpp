#include "cli/bundle.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "cli/kept_pipe.hpp"
#include "cli/unpack.hpp"
#include "core/base/text.hpp"
#include "core/session/source_policy.hpp"

namespace crema::cli {

namespace {

namespace fs = std::filesystem;

/// As people write it: with "/", without a last one.
std::string label(const fs::path& path) {
  const std::string text = path.lexically_normal().generic_string();
  return text == "." ? std::string() : text;
}

/// Why nothing of what lies in a folder is read; empty when something is.
std::string why_left_out(const fs::directory_entry& entry) {
  std::error_code error;
  if (!entry.is_symlink())
    return entry.is_directory() ? why_unreadable(entry.path().string()) : std::string();
  // a link to a folder may lead around in a circle
  if (entry.is_directory(error)) return "it is a link to a folder, which is not followed";
  return entry.exists(error) ? std::string() : "it is a link to a file that does not exist";
}

void add_folder(FileTaker& taker, const fs::path& given) {
  // "." and ".." are called what they are
  const fs::path plain = given.filename().empty() ? given.parent_path() : given;
  const fs::path folder =
      plain.filename() == "." || plain.filename() == ".." ? fs::weakly_canonical(plain) : plain;
  if (const std::string why = why_unreadable(folder.string()); !why.empty())
    refuse(given.string(), why);
  const std::string name = folder.filename().generic_string() + "/";
  const SourceId source = taker.begin_source(label(folder.parent_path()), {});
  std::vector<std::pair<std::string, fs::path>> files;
  for (fs::recursive_directory_iterator at(folder), end; at != end; ++at) {
    const fs::directory_entry& entry = *at;
    const std::string inner = entry.path().lexically_relative(folder).generic_string();
    if (!counts_as_file(inner)) {
      at.disable_recursion_pending();
    } else if (const std::string why = why_left_out(entry); !why.empty()) {
      taker.miss_file(source, name + inner, why);
      at.disable_recursion_pending();
    } else if (entry.is_regular_file()) {
      files.emplace_back(inner, entry.path());
    }
  }
  if (files.empty() && fs::is_empty(folder)) taker.miss_file(source, name, "the folder is empty");
  std::sort(files.begin(), files.end());
  for (const auto& [inner, file] : files)
    add_file(taker, file.string(), {{source, name + inner}, {}});
}

/// The folder that all `files` lie in, and perhaps folders below it.
fs::path common_folder(const std::vector<fs::path>& files) {
  fs::path common =
      files.empty() ? fs::path() : fs::absolute(files[0]).lexically_normal().parent_path();
  for (const fs::path& file : files) {
    const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
    fs::path shared;
    for (auto a = common.begin(), b = folder.begin();
         a != common.end() && b != folder.end() && *a == *b; ++a, ++b)
      shared /= *a;
    common = shared;
  }
  return common;
}

/// An address looks like a path with a typing error, unless it is said that none is fetched.
std::string why_absent(const std::string& bundle) {
  if (bundle.find("://") == std::string::npos) return "there is no such file or folder";
  const std::string copy = "addresses are not fetched: copy it to this machine first";
  return bundle.starts_with("http")
             ? copy + ", or pipe it: curl -sL " + bundle + " | crema summary -"
             : copy;
}

}  // namespace

void refuse(const std::string& file, std::string why) {
  throw Failure(
      Error{.code = ErrorCode::cannot_open, .detail = std::move(why), .file = file, .path = {}});
}

std::string why_unreadable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) fs::directory_iterator(path, error);
  else if (!std::ifstream(path, std::ios::binary)) error.assign(errno, std::generic_category());
  return error ? "it cannot be read: " + error.message() : std::string();
}

std::string without_gz(std::string name) {
  constexpr std::string_view ending = ".gz";
  if (name.size() > ending.size() &&
      std::string_view(name).substr(name.size() - ending.size()) == ending)
    name.resize(name.size() - ending.size());
  return name;
}

void read_bundles(const std::vector<std::string>& bundles, FileTaker& taker) {
  try {
    std::vector<fs::path> single;
    bool any_single = false;
    for (const std::string& bundle : bundles) {
      if (bundle == "-") continue;
      if (!fs::exists(bundle)) refuse(bundle, why_absent(bundle));
      if (fs::is_directory(bundle)) continue;
      any_single = true;
      if (!is_pipe(bundle)) single.emplace_back(bundle);
    }
    const fs::path common = common_folder(single);
    const std::string name = single.empty() ? std::string() : label(fs::relative(common));
    const SourceId together = any_single ? taker.begin_single_files(name) : 0;
    for (const std::string& bundle : bundles) {
      if (bundle == "-") {
        const std::string input = "standard input";
        add_file(taker, kept_pipe(bundle), {{taker.begin_single_files(""), input}, input});
      } else if (fs::is_directory(bundle)) {
        add_folder(taker, bundle);
      } else if (is_pipe(bundle)) {
        add_file(taker, kept_pipe(bundle), {{together, label(bundle)}, label(bundle)});
      } else {
        const fs::path file = fs::absolute(bundle).lexically_normal();
        add_file(taker, bundle,
                 {{together, file.lexically_relative(common).generic_string()}, label(bundle)});
      }
    }
  } catch (const fs::filesystem_error& error) {
    refuse(error.path1().string(), error.code().message());
  }
}

Result<Opened> open_bundles(Session& session, const std::vector<std::string>& bundles,
                            std::ostream& told) {
  SessionTaker taker(session);
  try {
    read_bundles(bundles, taker);
  } catch (const Failure& failure) {
    session.cancel();
    return failure.error();
  }
  auto opened = session.finish();
  if (!opened) return opened;
  const auto tell = [&](const std::vector<DataNote>& notes) {
    for (const DataNote& note : notes) {
      if (note.id == "unreadable")
        told << "crema: " << visible(note.file) << ": " << visible(note.message) << "\n";
    }
  };
  for (const RunId run : opened.value().runs) tell(session.run(run)->data_notes);
  tell(opened.value().data_notes);
  return opened;
}

}  // namespace crema::cli
