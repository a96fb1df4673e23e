// crema watch: one screen of a run that is being recorded.
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/follow.hpp"
#include "cli/layout.hpp"
#include "cli/output.hpp"
#include "cli/watch_text.hpp"

namespace crema::cli {

namespace {

struct Watch {
  std::string folder, command;
  double every = 2;
  bool once = false, line = false;

  int run() const {
    Followed followed(folder);
    const bool on_screen = is_on_terminal() && !once && !line;
    const Style style{on_screen && std::getenv("NO_COLOR") == nullptr};
    std::string said;
    bool went_wrong = false;
    while (true) {
      const bool has_any = followed.update();
      if (has_any) {
        const Watched now(followed.session(), followed.run());
        const std::string text = on_screen || once
                                     ? now.screen(followed.age(), terminal_width(), style)
                                     : now.line() + "\n";
        if (on_screen) print("\x1b[H\x1b[J" + text);
        else if (line) print("\r\x1b[K" + now.line());
        else if (text != said) print(text);
        said = text;
        if (now.fails() && !went_wrong) tell("first failure: " + now.line());
        went_wrong = went_wrong || now.fails();
        if (!now.is_running()) {
          if (line) print("\n");
          tell("ended: " + now.line());
          return done;
        }
      } else if (said.empty() && !line) {
        said = "No task has been recorded in " + folder + " yet" +
               (once ? ".\n" : ": waiting until crema.record begins, or Ctrl-C.\n");
        print(said);
      }
      if (once) return has_any ? done : refused;
      std::this_thread::sleep_for(std::chrono::duration<double>(every));
    }
  }

  /// Runs the user's command with what happened in CREMA_NEWS.
  void tell(const std::string& news) const {
    if (command.empty()) return;
    setenv("CREMA_NEWS", news.c_str(), 1);
    if (const int status = std::system(command.c_str()); status != 0)
      remark("the command of --exec ended with status " + std::to_string(status));
  }
};

}  // namespace

Command add_watch(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "watch", "one screen of a run that is being recorded: progress, time left, failures");
  const auto watch = std::make_shared<Watch>();
  command->add_option("FOLDER", watch->folder, "where crema.record saves the run")
      ->required()
      ->type_name("FOLDER");
  command->add_option("--every", watch->every, "seconds between two looks")
      ->check(CLI::Range(0.2, 3600.0))
      ->capture_default_str();
  command->add_flag("--once", watch->once, "say how far it is, and end");
  command->add_flag("--line", watch->line, "one line only, which is written over");
  command->add_option("--exec", watch->command,
                      "a command to run when a task first fails and when the recording ends; the "
                      "variable CREMA_NEWS says what happened");
  return {command, [watch] { return watch->run(); }};
}

}  // namespace crema::cli
