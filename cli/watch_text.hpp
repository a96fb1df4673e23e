#pragma once

#include <string>
#include <string_view>

#include "cli/layout.hpp"
#include "core/session/session.hpp"

namespace crema::cli {

/// What `crema watch` says of a run at one moment; each question is asked once.
class Watched {
 public:
  Watched(const Session& session, RunId run);

  /// One screen: how far it is, what fails, what is idle, and what findings cost if it goes on.
  /// `age` [s]: how old that is.
  std::string screen(double age, std::size_t width, const Style& style) const;
  /// One line of it.
  std::string line() const { return std::string(progress_.text_note("headline")); }

  /// Whether the recording goes on, as far as its index says.
  bool is_running() const { return progress_.text_note("state") == "running"; }
  bool fails() const { return failures_.rows() > 0; }

 private:
  Table asked(std::string_view question) const;

  const Session& session_;
  RunId run_;
  Table progress_, failures_;
};

}  // namespace crema::cli
