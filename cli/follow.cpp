#include "cli/follow.hpp"

#include <chrono>
#include <filesystem>

#include "cli/bundle.hpp"

namespace crema::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* task_index = "tasks.json";

/// A part never changes once it has its name.
bool is_part(const std::string& path) {
  return fs::path(path).filename().string().starts_with("tasks-");
}

/// Takes the files of a folder, but those that `run` has read already.
class NewFiles : public SessionTaker {
 public:
  NewFiles(Session& session, std::optional<RunId> run) : SessionTaker(session), run_(run) {}

  void begin(SourceId source, const std::string& path, std::uint64_t size) override {
    is_known_ = run_ && is_part(path) && session().reuse_file(*run_, source, path);
    if (!is_known_) SessionTaker::begin(source, path, size);
  }
  bool push(std::string_view bytes) override { return !is_known_ && SessionTaker::push(bytes); }
  void end() override {
    if (!is_known_) SessionTaker::end();
  }
  void fail(const std::string& why) override {
    if (!is_known_) SessionTaker::fail(why);
  }

 private:
  std::optional<RunId> run_;
  bool is_known_ = false;
};

/// Where `crema.record` writes now: `folder`, or the youngest folder beside it for what is not
/// whole yet.
std::string growing(const std::string& folder) {
  const fs::path path = fs::path(folder).lexically_normal();
  const std::string unfinished =
      (path.filename().empty() ? path.parent_path() : path).filename().string() + ".unfinished";
  std::string found;
  fs::file_time_type latest;
  std::error_code error;
  const fs::path above =
      path.filename().empty() ? path.parent_path().parent_path() : path.parent_path();
  for (const auto& entry : fs::directory_iterator(above.empty() ? "." : above, error)) {
    if (!entry.path().filename().string().starts_with(unfinished)) continue;
    const auto written = fs::last_write_time(entry.path() / task_index, error);
    if (error || (!found.empty() && written < latest)) continue;
    found = entry.path().string();
    latest = written;
  }
  return found.empty() ? folder : found;
}

}  // namespace

bool Followed::update() {
  const std::string folder = growing(folder_);
  if (!fs::exists(fs::path(folder) / task_index)) {
    if (!fs::is_directory(folder)) refuse(folder_, "there is no such folder");
    return false;
  }
  if (folder != read_) run_.reset();
  read_ = folder;
  NewFiles files(session_, run_);
  try {
    read_bundles({folder}, files);
  } catch (const Failure&) {
    session_.cancel();
    throw;
  }
  const Result<Opened> opened = run_ ? session_.renew(*run_) : session_.finish();
  if (!opened) return false;
  run_ = opened.value().runs.front();
  return true;
}

double Followed::age() const {
  std::error_code error;
  const auto written = fs::last_write_time(fs::path(read_) / task_index, error);
  if (error) return 0;
  return std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count();
}

}  // namespace crema::cli
