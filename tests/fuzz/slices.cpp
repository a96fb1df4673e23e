// A metrics.json in slices against the same at once: all that its series say, and every doubt.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/core/read_sliced.hpp"

using namespace crema;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t region = data[0] * 4U + 1U;
  const std::size_t most = data[1] * 4U + 1U;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  Run run(std::make_shared<Names>());
  const std::unique_ptr<read::Reader> reader = read::metrics_format.open(run, "metrics.json");
  reader->push(text);
  reader->finish();
  if (test::read_sliced(text, region, most).told != test::told(run)) std::abort();
  return 0;
}
