#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "core/read/format.hpp"
#include "core/session/session.hpp"

namespace crema {

/// A file being opened: what was seen of it and the Run of its own that its reader fills.
struct OpeningFile {
  std::string path;
  std::uint64_t size = 0;      ///< [byte] as announced
  std::uint64_t received = 0;  ///< [byte] pushed so far
  std::string head;            ///< its beginning, until a format is found
  bool undecided = true;
  bool finished = false;
  const Format* format = nullptr;
  std::unique_ptr<Run> run;
  std::unique_ptr<Reader> reader;

  void push(std::span<const char> bytes);
  void finish();

  /// Does `work` on this file; should a reader throw, the file is left out from there on, with a doubt. When memory runs out
  /// it is left out as a whole: what it needed is then free for the others.
  template <class Work>
  void guarded(Work work) {
    try {
      work(*this);
    } catch (const std::bad_alloc&) {
      run_out();
    } catch (const std::exception& failure) {
      give_up(failure.what());
    }
  }

 private:
  void give_up(const std::string& why);
  void run_out();
  void decide(bool complete);
  void leave_out(const nlohmann::json& sample, bool is_binary);
};

struct Session::Opening {
  explicit Opening(std::shared_ptr<Names> shared) : names(std::move(shared)) {}
  std::shared_ptr<Names> names;
  std::deque<OpeningFile> files;
};

/// Decides which files make a run and joins them: one run per directory; subfolders without metrics of their own join it;
/// loose files make one run until a second file of a kind that a run has once starts the next (domain.md 1). What belongs
/// to no run becomes a doubt.
std::vector<std::unique_ptr<Run>> group_into_runs(std::deque<OpeningFile>& files, const std::shared_ptr<Names>& names,
                                                  std::vector<Doubt>& doubts);

/// Moves what `part` says into `into`; where both say the same, the first stays and a doubt tells.
void join(Run& into, Run&& part);

}  // namespace crema
