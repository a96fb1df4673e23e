#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "core/query/question.hpp"
#include "core/read/list.hpp"
#include "tests/core/drawn_tree.hpp"
#include "tests/core/open_run.hpp"

namespace crema::test {

/// The answer to a question of one run.
inline Table ask(std::string_view question, const Run& run,
                 std::map<std::string, std::string> options = {}, const Selection& selection = {}) {
  const Run* const runs[] = {&run};
  return query::named(question)({runs, 1}, selection, Options(std::move(options)));
}

inline Run empty_run() { return Run(std::make_shared<Names>()); }

/// Reads `text` into `run` as a file of that format, in pieces of `piece` bytes.
inline void read_into(Run& run, const read::Format& format, const std::string& text,
                      const std::string& path = "file.json", std::size_t piece = 1U << 16U) {
  const auto reader = format.open(run, path);
  for (std::size_t at = 0; at < text.size(); at += piece)
    reader->push({text.data() + at, std::min(piece, text.size() - at)});
  reader->finish();
}

inline Run read_run(const read::Format& format, const std::string& text,
                    const std::string& path = "file.json", std::size_t piece = 1U << 16U) {
  Run run = empty_run();
  read_into(run, format, text, path, piece);
  return run;
}

/// Adds the profile of a worker, drawn as text, to a run.
inline CallTree& add_worker_tree(Run& run, const std::string& address, const std::string& drawing) {
  CallTree tree = drawn_tree(*run.names, drawing);
  tree.kind = CallTree::Kind::worker;
  tree.name = address;
  tree.worker = run.names->strings.intern(address);
  tree.source = "profiles.json";
  run.workers.intern(tree.worker);
  run.call_trees.push_back(std::move(tree));
  return run.call_trees.back();
}

}  // namespace crema::test
