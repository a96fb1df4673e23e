// Every input format: opens a session with the bytes as a file of some name. However the file is
// cut, it must tell the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/export/export.hpp"
#include "core/session/session.hpp"

namespace {

constexpr std::string_view names[] = {
    "metrics.json",  "dask_profiles.json", "start_end_time.txt", "task-stream.html",
    "stacks.folded", "report.json",        "x.speedscope.json",  "a/config.json"};

struct Told {
  std::string format;
  std::string answers;
  bool operator==(const Told&) const = default;
};

/// Where a file is cut off within what a fast path took as a whole, the path of the value is known
/// to its beginning only: it depends on the pieces, and nothing else may.
std::string without_path(crema::Table& table) {
  std::erase_if(table.columns, [](const crema::Column& column) { return column.name == "path"; });
  return crema::exports::table_json(table);
}

Told told(std::string_view name, std::string_view bytes, std::size_t piece, crema::HeadSize head) {
  crema::Session session(0, head);
  const crema::FileId file = session.add_file(0, std::string(name), bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    session.push(file, bytes.substr(at, piece));
  session.finish_file(file);
  Told told{std::string(session.format_of(file)), {}};
  const auto opened = session.finish();
  if (!opened) {
    told.answers = opened.error().sentence();
    return told;
  }
  for (const crema::RunId run : opened.value().runs) {
    for (const char* question : {"quality", "summary", "budget", "workers", "stacks"}) {
      auto answer = session.ask(question, {&run, 1}, {}, {});
      told.answers += answer ? without_path(answer.value()) : answer.error().sentence();
    }
  }
  return told;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view name = names[data[0] % std::size(names)];
  const std::size_t least = std::size_t{16} << (data[0] / std::size(names) % 8);
  const crema::HeadSize head{least, 4 * least};  // what is behind it comes to the reader in pieces
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Told cut = told(name, bytes, size, head);
  for (const std::size_t piece : {1 + size / 3, 1 + size / 100}) {
    if (told(name, bytes, piece, head) != cut) std::abort();
  }
  // From a smaller head a file may not be recognised, and why is told by what was seen of it.
  const Told whole = told(name, bytes, size, {});
  if (!cut.format.empty() && whole.format == cut.format && whole != cut) std::abort();
  return 0;
}
