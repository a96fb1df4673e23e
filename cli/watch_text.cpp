#include "cli/watch_text.hpp"

#include <algorithm>

#include "cli/asked.hpp"
#include "core/base/numbers.hpp"
#include "core/base/text.hpp"

namespace crema::cli {

namespace {

constexpr std::size_t most_datasets = 8, most_lines = 4, most_causes = 2;
/// [s] without a new index after which that is worth a word: it is written every second.
constexpr double is_old = 5;

std::string progress_of_part(const Table& progress, std::size_t row, std::size_t width) {
  const std::string name = visible(progress.text("dataset", row));
  const double planned = progress.number("planned", row), done = progress.number("done", row);
  const double failed = progress.number("failed", row);
  std::string line = "  " + padded(name.empty() ? "all" : name, 22, false) + " ";
  if (planned > 0) {
    const std::size_t cells = width > 70 ? 24 : 12;
    line += bar(done / planned, cells) + " " + format_number(done) + " of " +
            format_count(planned, "chunk");
  } else {
    line += format_count(done, "chunk");
  }
  if (failed > 0) line += ", " + format_count(failed, "failure");
  return line + "\n";
}

}  // namespace

Watched::Watched(const Session& session, RunId run)
    : session_(session), run_(run), progress_(asked("progress")), failures_(asked("failures")) {}

Table Watched::asked(std::string_view question) const {
  return value_of(session_.ask(question, {&run_, 1}, {}, {}));
}

std::string Watched::screen(double age, std::size_t width, const Style& style) const {
  std::string out =
      style.bold(visible(session_.run(run_)->title)) + "  " +
      style.dim(!is_running() ? "the recording has ended"
                : age > is_old
                    ? "no news for " + format_seconds(age)
                    : "recording for " + format_seconds(number_note(progress_, "since_begin"))) +
      "\n" + style.bold(line()) + "\n";
  const double cores = number_note(progress_, "cores");
  if (is_running() && !is_absent(cores)) {
    out += "  now " + format_quantity("", "Hz", number_note(progress_, "event_rate")) + " on " +
           format_decimal(cores, "cores") + "\n";
  }
  out += "\n";
  for (std::size_t row = 1; row < std::min(progress_.rows(), 1 + most_datasets); ++row)
    out += progress_of_part(progress_, row, width);
  if (progress_.rows() > 1 + most_datasets) {
    out += "  " + std::to_string(progress_.rows() - 1 - most_datasets) +
           " more datasets: crema ask FOLDER progress\n";
  }

  const Table now = asked("now");
  std::string part;
  std::size_t lines = 0;
  bool tells_rest = false;
  for (std::size_t row = 0; row < now.rows(); ++row) {
    tells_rest = tells_rest || now.text("kind", row) == "rest";
    lines = now.text("part", row) == part ? lines + 1 : 0;
    part = now.text("part", row);
    if (lines == 0) out += "\n" + style.bold(part) + "\n";
    if (lines < most_lines) out += wrapped(visible(now.text("text", row)), width, "  ");
    else if (lines == most_lines) out += "  more: crema ask FOLDER now\n";
  }
  if (tells_rest) return out;
  const Table findings = asked("findings");
  if (findings.rows() > 0) out += "\n" + style.bold("So far") + "\n";
  for (std::size_t row = 0; row < std::min(findings.rows(), most_causes); ++row)
    out += wrapped(visible(findings.text("title", row)), width, "  ");
  return out;
}

}  // namespace crema::cli
