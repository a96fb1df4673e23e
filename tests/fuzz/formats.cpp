// Every input format: opens a session with the bytes as a file of some name, in two cuts, which must tell the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/session/session.hpp"

namespace {

constexpr std::string_view names[] = {"metrics.json",  "dask_profiles.json", "start_end_time.txt", "task-stream.html",
                                      "stacks.folded", "report.json",        "x.speedscope.json",  "a/config.json"};

std::string told(std::string_view name, std::string_view bytes, std::size_t piece) {
  crema::Session session;
  const crema::FileId file = session.add_file(0, std::string(name), bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += piece) session.push(file, bytes.substr(at, piece));
  session.finish_file(file);
  const auto opened = session.finish();
  if (!opened) return opened.error().sentence();
  std::string text;
  for (const crema::RunId run : opened.value().runs) {
    for (const char* question : {"quality", "summary", "budget", "workers", "stacks"}) {
      const auto answer = session.ask(question, {&run, 1}, {}, {});
      text += answer ? std::to_string(answer.value().rows()) + " " : answer.error().sentence();
    }
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view name = names[data[0] % std::size(names)];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (told(name, bytes, size) != told(name, bytes, 1 + size / 3)) std::abort();
  return 0;
}
