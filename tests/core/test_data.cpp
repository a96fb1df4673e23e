#include "tests/core/test_data.hpp"

#include "cli/unpack.hpp"

namespace crema::test {

namespace {

/// Keeps what is in one file.
class Keeper : public cli::FileTaker {
 public:
  void begin(SourceId, const std::string&, std::uint64_t) override {}
  bool push(std::string_view piece) override {
    text += piece;
    return true;
  }
  void end() override {}

  std::string text;
};

}  // namespace

std::string test_data_path(const std::string& path) {
  return std::string(CREMA_TEST_DATA) + "/" + path;
}

std::string read_test_file(const std::string& path) {
  Keeper keeper;
  cli::add_file(keeper, test_data_path(path), {{0, path}, {}});
  return keeper.text;
}

}  // namespace crema::test
