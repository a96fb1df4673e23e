#pragma once

#include <string>

namespace crema::test {

/// The bytes of a file of tests/data, decompressed where its name ends in ".gz". Throws when it
/// cannot be read.
std::string read_test_file(const std::string& path);

/// Where a file or folder of tests/data is on this machine.
std::string test_data_path(const std::string& path);

}  // namespace crema::test
