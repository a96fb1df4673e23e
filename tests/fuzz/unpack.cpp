// Archives and packed files of any bytes: what they give is told file by file, each begun one is
// ended once, every source was begun, and nothing comes out twice differently.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "cli/unpack.hpp"
#include "core/base/error.hpp"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

/// Writes down what it is told, and demands that it is told so in order.
class Scribe : public crema::cli::FileTaker {
 public:
  crema::SourceId begin_source(const std::string& name,
                               std::optional<crema::SourceId> parent) override {
    demand(!open_ && (!parent || *parent < sources_));
    told_ += "source " + name + "\n";
    return sources_++;
  }
  void begin(crema::SourceId source, const std::string& path, std::uint64_t) override {
    demand(!open_ && source < sources_);
    open_ = true;
    told_ += std::to_string(source) + " " + path + ": ";
  }
  bool push(std::string_view piece) override {
    demand(open_ && !piece.empty());
    bytes_ += piece.size();
    return true;
  }
  void end() override {
    demand(open_);
    open_ = false;
    told_ += std::to_string(bytes_) + "\n";
  }
  void fail(const std::string& why) override {
    demand(!why.empty());
    told_ += why;
    end();
  }
  void miss_file(crema::SourceId source, const std::string& path, const std::string& why) override {
    miss(source, path, why);
  }
  void miss_rest(crema::SourceId source, const std::string& name, const std::string& why) override {
    miss(source, name, why);
  }

  const std::string& told() const {
    demand(!open_);
    return told_;
  }

 private:
  void miss(crema::SourceId source, const std::string& name, const std::string& why) {
    demand(!open_ && source < sources_ && !why.empty());
    told_ += name + " is missing: " + why + "\n";
  }

  crema::SourceId sources_ = 1;  // one for what lies in no archive
  std::uint64_t bytes_ = 0;
  bool open_ = false;
  std::string told_;
};

std::string told_of(const std::string& file, bool is_named) {
  Scribe scribe;
  try {
    crema::cli::add_file(
        scribe, file,
        {{0, "dir/input"}, is_named ? std::optional<std::string>("input") : std::nullopt});
  } catch (const crema::Failure& failure) {
    return failure.error().sentence();
  }
  return scribe.told();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string file =
      (std::filesystem::temp_directory_path() / ("crema-fuzz-" + std::to_string(getpid())))
          .string();
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  for (const bool is_named : {true, false})
    demand(told_of(file, is_named) == told_of(file, is_named));
  std::filesystem::remove(file);
  return 0;
}
