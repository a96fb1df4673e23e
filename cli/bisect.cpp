// crema bisect: which commit made runs worse.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/asked.hpp"
#include "cli/bisection.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace crema::cli {

namespace {

namespace fs = std::filesystem;

constexpr int interrupted = 128 + SIGINT;
constexpr int cannot_start = 127;
constexpr const char* folder_variable = "CREMA_RUN";

volatile std::sig_atomic_t signals_received = 0;

void count_signal(int) { signals_received = signals_received + 1; }

/// While it lives, Ctrl-C and its like end only what the program started, and are counted.
class SignalsCounted {
 public:
  SignalsCounted() {
    signals_received = 0;
    struct sigaction counted {};
    counted.sa_handler = count_signal;
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &counted, &before_[i]);
  }
  ~SignalsCounted() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
  }
  SignalsCounted(const SignalsCounted&) = delete;
  SignalsCounted& operator=(const SignalsCounted&) = delete;

 private:
  static constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

struct Interrupted {};

/// Runs a program in `folder` until it ends; its exit status, or 128 and the signal that ended it.
/// What it prints goes into the file `output`, or where that is empty to standard error. A signal
/// that arrives meanwhile ends it and all that it started, a second one at once.
int run_and_wait(const std::vector<std::string>& arguments, const fs::path& folder,
                 const fs::path& output) {
  std::vector<char*> texts;
  for (const std::string& argument : arguments)
    texts.push_back(const_cast<char*>(argument.c_str()));
  texts.push_back(nullptr);
  const int before = signals_received;
  const pid_t child = fork();
  if (child < 0) return cannot_start;
  if (child == 0) {
    setpgid(0, 0);
    std::signal(SIGPIPE, SIG_DFL);
    const int in = open("/dev/null", O_RDONLY);
    const int out =
        output.empty() ? STDERR_FILENO : open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in >= 0 && out >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        (folder.empty() || chdir(folder.c_str()) == 0))
      execvp(texts[0], texts.data());
    _exit(cannot_start);
  }
  setpgid(child, child);
  int status = 0;
  int sent = 0;
  pid_t ended = 0;
  // A wait that blocks would miss a signal that arrives just before it.
  while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
    if (signals_received - before > sent) kill(-child, sent++ == 0 ? SIGTERM : SIGKILL);
    usleep(5000);
  }
  if (ended < 0) return cannot_start;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Commits of the repository in which the program is, and a work tree of its own beside it: the
/// user's is never touched.
class Commits {
 public:
  Commits(const std::string& good, const std::string& bad)
      : scratch_((fs::temp_directory_path() / "crema-bisect-XXXXXX").string()) {
    if (mkdtemp(scratch_.data()) == nullptr)
      throw Refusal("no folder can be made in " + fs::temp_directory_path().string());
    try {
      const std::string first = commit_of(good);
      const std::string last = commit_of(bad);
      if (!try_git({"merge-base", "--is-ancestor", first, last}))
        throw Refusal(visible(good) + " is not an ancestor of " + visible(bad) +
                      ": commits between them are no line");
      ids_ = {first};
      const std::string list =
          git({"rev-list", "--reverse", "--first-parent", first + ".." + last});
      for (const std::string_view id : split(list, "\n")) ids_.emplace_back(id);
      if (ids_.size() < 2)
        throw Refusal(visible(good) + " and " + visible(bad) + " are one commit");
      git({"worktree", "add", "--detach", "--quiet", tree().string(), first});
    } catch (...) {
      clear();
      throw;
    }
  }
  ~Commits() { clear(); }
  Commits(const Commits&) = delete;
  Commits& operator=(const Commits&) = delete;

  /// The good one first.
  std::size_t count() const { return ids_.size(); }
  const std::string& id(std::size_t commit) const { return ids_[commit]; }
  /// "b2c41d7 Select jets earlier"
  std::string name(std::size_t commit) const {
    return line_of({"show", "-s", "--format=%h %s", ids_[commit]});
  }
  std::string who_and_when(std::size_t commit) const {
    return line_of({"show", "-s", "--date=short", "--format=%an, %ad", ids_[commit]});
  }
  void check_out(std::size_t commit) const {
    git({"-C", tree().string(), "checkout", "--detach", "--force", "--quiet", ids_[commit]});
  }
  fs::path tree() const { return fs::path(scratch_) / "tree"; }
  fs::path scratch() const { return scratch_; }

 private:
  int run_git(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "git");
    return run_and_wait(arguments, {}, printed());
  }

  /// What git prints, or nothing where it fails.
  std::optional<std::string> try_git(const std::vector<std::string>& arguments) const {
    const int status = run_git(arguments);
    if (signals_received > 0) throw Interrupted();
    if (status != 0) return std::nullopt;
    std::ifstream in(printed());
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

  std::string git(const std::vector<std::string>& arguments) const {
    auto text = try_git(arguments);
    if (!text) throw Refusal("git " + arguments[0] + " failed");
    return *std::move(text);
  }

  /// Of what git prints a line.
  std::string line_of(const std::vector<std::string>& arguments) const {
    const std::string text = git(arguments);
    return visible(text.substr(0, text.find('\n')));
  }

  std::string commit_of(const std::string& name) const {
    const auto id = try_git({"rev-parse", "--verify", "--quiet", name + "^{commit}"});
    if (!id || name.starts_with('-'))
      throw Refusal(visible(name) + " is no commit of the repository in this folder");
    return id->substr(0, id->find('\n'));
  }

  void clear() const {
    std::error_code ignored;
    if (fs::exists(tree(), ignored)) run_git({"worktree", "remove", "--force", tree().string()});
    fs::remove_all(tree(), ignored);
    run_git({"worktree", "prune"});
    fs::remove_all(scratch_, ignored);
  }

  fs::path printed() const { return fs::path(scratch_) / "git.txt"; }

  std::string scratch_;
  std::vector<std::string> ids_;
};

struct Bisect {
  std::vector<std::string> ends;  ///< good, bad
  std::string command, number = usual_number, keep;
  std::size_t most = 60;
  double run_spread = 0.03;

  int run() {
    const SignalsCounted counted;
    try {
      return search();
    } catch (const Interrupted&) {
      remark("crema: interrupted; the work tree is as it was");
      return interrupted;
    }
  }

 private:
  std::string unit_;
  double sign_ = 0;  ///< of the logarithm of a number that is worse

  int search() {
    const Commits commits(ends[0], ends[1]);
    announce(commits.count());
    Bisection bisection(commits.count(), run_spread);
    while (!bisection.is_done() && bisection.runs() < most) {
      const std::size_t commit = bisection.next();
      const bool is_end = commit == 0 || commit + 1 == commits.count();
      std::string why_not;
      const double value = value_of_run(commits, commit, bisection.runs(), why_not);
      const std::string name = commits.name(commit);
      if (is_absent(value)) {
        if (is_end) throw Refusal(name + " cannot be run: " + why_not);
        remark("skipped: " + name + ": " + why_not);
        bisection.skip(commit);
        continue;
      }
      bisection.add(commit, sign_ * std::log(value));
      remark("run " + std::to_string(bisection.runs()) + ": " + name + ": " + quantity(value) +
             standing(bisection));
    }
    print(result(commits, bisection));
    return bisection.is_done() ? done : undecided;
  }

  /// Said before anything is run.
  void announce(std::size_t commits) const {
    std::string text = format_count(static_cast<double>(commits - 1), "commit") +
                       "; where runs of a commit differ by " + format_percent(run_spread) +
                       ", half of the searches take at most";
    for (const double change : {0.05, 0.1, 0.2}) {
      const std::size_t runs = runs_expected(commits, std::log1p(change) / run_spread, most + 1);
      text += (change > 0.05 ? ", " : " ") +
              (runs > most ? "more than " + std::to_string(most) : std::to_string(runs)) +
              (change > 0.05 ? "" : " runs") + " for a change of " + format_percent(change);
    }
    remark(text);
  }

  /// Absent where the commit cannot be run.
  double value_of_run(const Commits& commits, std::size_t commit, std::size_t runs,
                      std::string& why_not) {
    const std::string name = std::to_string(runs + 1) + "-" + commits.id(commit).substr(0, 12);
    const fs::path folder =
        fs::absolute(keep.empty() ? commits.scratch() / name : fs::path(keep) / name);
    fs::create_directories(folder.parent_path());
    if (fs::exists(folder)) throw Refusal(visible(folder.string()) + " is there already");
    commits.check_out(commit);
    setenv(folder_variable, folder.c_str(), 1);
    const int status = run_and_wait({"sh", "-c", command}, commits.tree(), {});
    if (signals_received > 0) throw Interrupted();
    double value = absent;
    if (status != 0) {
      why_not = "the command ended with status " + std::to_string(status);
    } else if (!fs::exists(folder)) {
      why_not = std::string("the command recorded nothing in $") + folder_variable;
    } else {
      value = number_of(folder, why_not);
    }
    if (keep.empty()) fs::remove_all(folder);
    return value;
  }

  double number_of(const fs::path& folder, std::string& why_not) {
    Session session;
    Asked asked;
    asked.bundles = {folder.string()};
    std::optional<Table> summary;
    try {
      const Opened opened = asked.open(session);
      if (opened.runs.size() != 1) {
        why_not = "the command recorded " +
                  format_count(static_cast<double>(opened.runs.size()), "run") + " and not one";
        return absent;
      }
      summary = value_of(session.ask("summary", opened.runs, {}, {}));
    } catch (const std::exception& problem) {
      why_not = problem.what();
      return absent;
    }
    std::vector<std::string_view> known;
    for (std::size_t row = 0; row < summary->rows(); ++row) {
      known.push_back(summary->text("id", row));
      if (known.back() != number) continue;
      const std::string_view better = summary->text("better", row);
      if (better.empty())
        throw Refusal("neither a larger nor a smaller " + visible(number) + " is better");
      sign_ = better == "lower" ? 1 : -1;
      unit_ = summary->text("unit", row);
      const double value = summary->number("value", row);
      if (value > 0) return value;
      why_not = visible(number) + (is_absent(value) ? " was not recorded" : " is 0");
      return absent;
    }
    throw Refusal("no number " + not_among(visible(number), known));
  }

  std::string quantity(double value) const { return format_quantity(number, unit_, value); }

  static std::string standing(const Bisection& bisection) {
    if (bisection.runs() < 2) return {};
    const Bisection::Culprit among = bisection.range();
    return "; it is one of " +
           format_count(static_cast<double>(among.last - among.first + 1), "commit") + " with " +
           format_percent(among.probability);
  }

  /// "10.3 kHz → 9.3 kHz, −9.7 % ± 1.1 %"
  std::string change_text(const Bisection::Culprit& of) const {
    const double before = std::exp(sign_ * of.before);
    const double after = std::exp(sign_ * (of.before + of.change));
    const double change = after / before - 1;
    return visible(number) + " " + quantity(before) + " → " + quantity(after) + ", " +
           (change < 0 ? "−" : "+") + format_percent(std::fabs(change)) + " ± " +
           format_percent(of.error * after / before);
  }

  std::string result(const Commits& commits, const Bisection& bisection) const {
    const bool is_done = bisection.is_done();
    const Bisection::Culprit found = is_done ? bisection.culprit() : bisection.range();
    const bool is_one = is_done && found.first == found.last;
    const std::string runs = format_count(static_cast<double>(bisection.runs()), "run");
    std::string text = is_one ? commits.name(found.last) + " (" + commits.who_and_when(found.last) +
                                    ") is the first commit that is worse"
                       : is_done
                           ? "The first commit that is worse is one of these, of which only the "
                             "last could be run"
                           : "These runs cannot tell which commit it is; one of these";
    text += ", with " + format_percent(found.probability) + " after " + runs + ": " +
            change_text(found) + ".\n";
    for (std::size_t commit = found.first; commit <= found.last && !is_one; ++commit)
      text += "  " + commits.name(commit) + "\n";
    return text;
  }
};

}  // namespace

Command add_bisect(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "bisect",
      "which commit between GOOD and BAD made runs worse: records runs until it can tell");
  const auto bisect = std::make_shared<Bisect>();
  add_positional(*command, "GOOD BAD", bisect->ends,
                 "two commits: one before the change, and a later one whose runs are worse")
      ->expected(2);
  command
      ->add_option(
          "--run", bisect->command,
          "a shell command that records one run into the folder $CREMA_RUN, which it makes; it "
          "runs in a work tree of its own with the commit checked out, and a commit for "
          "which it fails is skipped")
      ->type_name("COMMAND")
      ->required();
  command
      ->add_option("--number", bisect->number,
                   std::string("the headline number that became worse; default ") + usual_number)
      ->type_name("ID");
  command->add_option("--at-most", bisect->most, "stop after so many runs; default 60")
      ->type_name("RUNS")
      ->check(CLI::Range(3, 100000));
  command
      ->add_option(
          "--run-spread", bisect->run_spread,
          "assumed relative spread of runs of one commit until the runs tell it; default 0.03")
      ->type_name("SHARE")
      ->check(CLI::Range(1e-4, 1.0));
  command->add_option("--keep", bisect->keep, "keep the recordings in this folder")
      ->type_name("FOLDER");
  command->footer(
      "Exit status: 0 the commit was found, 3 these runs cannot tell, 130 interrupted.\n"
      "Your work tree is never touched.");
  return {command, [bisect] { return bisect->run(); }};
}

}  // namespace crema::cli
