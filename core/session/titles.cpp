#include "core/session/opening.hpp"

#include <set>

namespace crema {

namespace {

/// The last `count` names of `path`; all of it when there are no more.
std::string_view last_names(std::string_view path, std::size_t count) {
  std::size_t begin = path.size();
  for (; count > 0 && begin > 0; --count) {
    const auto slash = path.substr(0, begin == path.size() ? begin : begin - 1).rfind('/');
    begin = slash == std::string_view::npos ? 0 : slash + 1;
  }
  return path.substr(begin);
}

std::string title_with(const NewRun& run, std::size_t folders) {
  const std::string_view above = last_names(run.above, folders);
  return std::string(above) + (above.empty() || above.back() == '/' ? "" : "/") + run.name;
}

}  // namespace

void tell_apart(std::span<NewRun* const> runs) {
  std::vector<NewRun*> undecided(runs.begin(), runs.end());
  for (std::size_t folders = 0; !undecided.empty(); ++folders) {
    // Compared is with all runs: "run" stays without a folder only when no other is called so.
    std::map<std::string, std::set<std::string_view>> places;
    for (const NewRun* run : runs) places[title_with(*run, folders)].insert(run->above);
    std::erase_if(undecided, [&](NewRun* run) {
      run->run->title = title_with(*run, folders);
      return places[run->run->title].size() == 1 ||
             last_names(run->above, folders).size() == run->above.size();
    });
  }
  std::set<std::string> used;
  std::vector<Run*> again;
  for (NewRun* run : runs) {
    if (!used.insert(run->run->title).second) again.push_back(run->run.get());
  }
  std::map<std::string, std::size_t> numbers;  // a thousand runs may be called alike
  for (Run* run : again) {
    const std::string title = run->title;
    std::size_t& number = numbers.try_emplace(title, 2).first->second;
    while (!used.insert(run->title).second)
      run->title = title + " (" + std::to_string(number++) + ")";
  }
}

}  // namespace crema
