#include "cli/bundle.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/unpack.hpp"

namespace crema::cli {

namespace {

namespace fs = std::filesystem;

void add_folder(FileTaker& taker, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    if (entry.is_regular_file() && entry.path().filename().string().front() != '.') files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  const fs::path name = folder.filename().empty() ? folder.parent_path().filename() : folder.filename();
  for (const fs::path& file : files) {
    const std::string inner = fs::relative(file, folder).generic_string();
    add_file(taker, file.string(),
             (name == "." || name == ".." ? fs::weakly_canonical(folder).filename() : name).generic_string() + "/" + inner);
  }
}

class SessionTaker : public FileTaker {
 public:
  explicit SessionTaker(Session& session) : session_(session) {}
  void begin(const std::string& path, std::uint64_t size) override { file_ = session_.add_file(path, size); }
  void push(std::string_view bytes) override { session_.push(file_, bytes); }
  void end() override { session_.finish_file(file_); }

 private:
  Session& session_;
  FileId file_ = 0;
};

}  // namespace

void refuse(const std::string& file, std::string why) {
  throw Failure(Error{.code = ErrorCode::cannot_open, .detail = std::move(why), .file = file, .path = {}});
}

std::string without_gz(std::string name) {
  constexpr std::string_view ending = ".gz";
  if (name.size() > ending.size() && std::string_view(name).substr(name.size() - ending.size()) == ending)
    name.resize(name.size() - ending.size());
  return name;
}

void read_bundles(const std::vector<std::string>& bundles, FileTaker& taker) {
  try {
    for (const std::string& bundle : bundles) {
      if (fs::is_directory(bundle)) add_folder(taker, bundle);
      else if (fs::exists(bundle)) add_file(taker, bundle, fs::path(bundle).filename().string());
      else refuse(bundle, "there is no such file or folder");
    }
  } catch (const fs::filesystem_error& error) {
    refuse(error.path1().string(), error.code().message());
  }
}

Result<Opened> open_bundles(Session& session, const std::vector<std::string>& bundles) {
  SessionTaker taker(session);
  try {
    read_bundles(bundles, taker);
  } catch (const Failure& failure) {
    session.cancel();
    return failure.error();
  }
  return session.finish();
}

}  // namespace crema::cli
